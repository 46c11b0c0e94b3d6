/* SPDX-License-Identifier: Apache-2.0 */
/* Reads, writes and trims of the internal topic are done here, as the state log of each partition asks for them.
 *
 *   append -> statelog (pending) -> end of the turn: statelog_next -> WRITE -> cluster_produce -> statelog_write_done
 * -> on_durable
 *                                                                  -> READ  -> cluster_fetch   -> statelog_read_done
 *                                                                  -> TRIM  -> cluster_delete_records
 */
#include <stdio.h>
#include <stdlib.h>

#include <openssl/rand.h>

#include "base/assert.h"
#include "base/clock.h"
#include "base/mem.h"
#include "proxy/state_store_priv.h"
#include "wire/kafka_errors.h"

#define READ_BYTES (1024 * 1024)
#define MAX_BATCH_BYTES (512 * 1024)
#define MAX_PENDING_BYTES (32 * 1024 * 1024)
#define SNAPSHOT_ARENA_BYTES ((size_t)1024 * 1024 * 1024)
#define RETRY_MS 200
#define RECLAIM_MIN_MS 1000
#define RECLAIM_MAX_MS 30000
#define RECLAIM_CALM_MS 60000

static void pump_cb(void *arg)
{
	state_partition_pump(arg);
}

/* Once a turn, after its callbacks: the changes of all requests of a turn go out as one batch. */
void state_partition_queue_pump(struct state_partition *p)
{
	if (!timer_is_set(&p->pump))
		timer_set(&p->pump, loop_now(p->store->loop));
}

static void partition_retry(struct state_partition *p, int what, int32_t ms)
{
	p->retry_what = what;
	timer_set(&p->retry, loop_now(p->store->loop) + ms);
}

static void partition_log_end(const struct state_partition *p, bool refused)
{
	const struct state_store *ss = p->store;
	enum log_level level = refused ? LOG_LEVEL_ERROR : LOG_LEVEL_WARN;

	/* Of a change of owners one line tells, not one a partition. */
	if (!refused && (ss->own.resigning || ss->own.role != STATE_ROLE_OWNER || ss->own.taken || ss->loss.gone))
		level = LOG_LEVEL_DEBUG;
	log_write(loop_log(ss->loop), level, NULL, "state partition %.*s-%d %s: %s", (int)ss->cfg->state_topic.n,
		ss->cfg->state_topic.p, p->index, refused ? "can not be used" : "is no longer ours", p->reason);
}

/* Owners that lose a partition again and again get slower at it; one that had it for long starts anew. */
static void partition_follow_later(struct state_partition *p, bool was_loaded)
{
	if (was_loaded && loop_now(p->store->loop) - p->loaded_at > RECLAIM_CALM_MS)
		p->reclaim_ms = RECLAIM_MIN_MS;
	partition_retry(p, RETRY_FOLLOW, p->reclaim_ms);
	p->reclaim_ms = p->reclaim_ms * 2 > RECLAIM_MAX_MS ? RECLAIM_MAX_MS : p->reclaim_ms * 2;
}

static void partition_lost(struct state_partition *p)
{
	struct state_store *ss = p->store;
	bool refused = statelog_get_state(p->log) == STATELOG_REFUSED, was_loaded = p->loaded;
	struct statelog_owner by;

	snprintf(p->reason, sizeof(p->reason), "%s", statelog_reason(p->log));
	if (p->writing) {
		cluster_produce_cancel(p->writing);
		p->writing = NULL;
	}
	/* A read that is to be tried again ends here, or the log would wait for it. */
	if (p->retry_what == RETRY_READ) {
		timer_clear(&p->retry);
		p->retry_what = RETRY_NONE;
		statelog_read_done(p->log, (struct bytes){NULL, 0}, 0, 0);
	}
	p->claim_wanted = false;
	p->waiting_since = 0;
	ss->losses++;
	if (statelog_get_owner(p->log, &by) && !uuid_eq(by.id, ss->owner_id))
		ownership_taken(ss, &by);
	partition_log_end(p, refused);
	if (p->loaded) {
		p->loaded = false;
		ss->loaded_n--;
		ss->cb.on_lost(ss->arg, p->index, p->reason);
	}
	if (refused)
		ownership_consider(ss);
	else if (ss->own.taken || ss->own.role != STATE_ROLE_OWNER)
		state_partition_follow(p);
	else
		partition_follow_later(p, was_loaded);
}

/* Until when records may be handed out: a lease from the last time that the end of the log was seen without a later
 * claim. */
void state_partition_lease(struct state_partition *p)
{
	struct state_store *ss = p->store;
	int64_t sight = statelog_sight(p->log), now = clock_mono_ms(), not_before = INT64_MIN;

	if (!p->loaded)
		return;
	if (statelog_must_wait(p->log)) {
		not_before = p->claimed_at + ss->cfg->state_lease_ms;
		if (now >= not_before)
			statelog_wait_over(p->log);
	}
	ss->cb.on_lease(
		ss->arg, p->index, not_before, sight == INT64_MIN ? INT64_MIN : sight + ss->cfg->state_lease_ms);
}

/* The write can not be made, or nobody knows where it is. A batch that was too large for the broker is the last of its
 * size: what is in it is packed anew by then, and if it fits no batch the partition waits for a larger limit. */
static void partition_refused(struct state_partition *p, int16_t error)
{
	char reason[256];

	if (error == KAFKA_ERR_MESSAGE_TOO_LARGE || error == KAFKA_ERR_RECORD_LIST_TOO_LARGE) {
		size_t max = statelog_shrink_batch(p->log, p->write_size / 2);

		snprintf(reason, sizeof(reason),
			"the broker takes no batch of %zu bytes (max.message.bytes of the topic is lower; it should be "
			"1048588); from now on they have at most %zu",
			p->write_size, max);
	} else {
		snprintf(reason, sizeof(reason), "a write ended with %s", kafka_error_name(error));
	}
	statelog_write_failed(p->log, reason);
}

static void produce_cb(void *arg, enum cluster_produce_outcome outcome, int16_t error, int64_t base_offset)
{
	struct state_partition *p = arg;
	struct state_store *ss = p->store;
	uint64_t durable = statelog_durable(p->log);
	bool claims = statelog_get_state(p->log) == STATELOG_CLAIMING;

	p->writing = NULL;
	ss->writes++;
	ss->write_us_sum += (uint64_t)(clock_mono_us() - p->write_started_us);
	if (outcome == CLUSTER_PRODUCE_DONE) {
		statelog_write_done(p->log, base_offset);
		statelog_end_seen(p->log, base_offset + 1, p->write_started_us / 1000);
		if (claims)
			p->claimed_at = clock_mono_ms();
		state_partition_lease(p);
	} else {
		partition_refused(p, error);
	}
	if (statelog_durable(p->log) != durable)
		ss->cb.on_durable(ss->arg, p->index, statelog_durable(p->log));
	state_partition_pump(p);
}

static void fetch_cb(void *arg, const struct cluster_fetch_result *res)
{
	struct state_partition *p = arg;
	uint64_t durable = statelog_durable(p->log);

	p->reading = false;
	if (res->error && res->error != KAFKA_ERR_OFFSET_OUT_OF_RANGE) {
		partition_retry(p, RETRY_READ, RETRY_MS);
		return;
	}
	statelog_read_done(
		p->log, (struct bytes){res->records.p, res->records.n}, res->high_watermark, res->log_start_offset);
	if (statelog_durable(p->log) != durable)
		p->store->cb.on_durable(p->store->arg, p->index, statelog_durable(p->log));
	if (statelog_get_state(p->log) == STATELOG_FOLLOWING)
		ownership_consider(p->store);
	state_partition_pump(p);
}

static void partition_read(struct state_partition *p)
{
	struct state_store *ss = p->store;

	p->reading = true;
	cluster_fetch(ss->cluster, ss->cfg->state_topic, p->index, p->read_offset, READ_BYTES, false, fetch_cb, p);
}

static void trim_cb(void *arg, int16_t error, struct str message)
{
	struct state_partition *p = arg;

	p->trimming = false;
	if (error)
		log_warn(loop_log(p->store->loop), NULL, "trimming %.*s-%d failed: %s %.*s",
			(int)p->store->cfg->state_topic.n, p->store->cfg->state_topic.p, p->index,
			kafka_error_name(error), (int)message.n, message.p ? message.p : "");
	statelog_trim_done(p->log, error == 0);
	state_partition_queue_pump(p);
}

static void take_group_cb(void *arg, const struct share_group_state *st)
{
	struct state_partition *p = arg;

	p->store->cb.on_group(p->store->arg, p->index, st);
}

static void partition_loaded(struct state_partition *p)
{
	struct state_store *ss = p->store;

	if (statelog_reason(p->log)[0])
		log_warn(loop_log(ss->loop), NULL, "state partition %.*s-%d: %s", (int)ss->cfg->state_topic.n,
			ss->cfg->state_topic.p, p->index, statelog_reason(p->log));
	statelog_take_groups(p->log, take_group_cb, p);
	p->loaded = true;
	p->loaded_at = loop_now(ss->loop);
	ss->loaded_n++;
	if (ss->loaded_n == ss->partitions_n)
		log_info(loop_log(ss->loop), NULL, "state loaded from %d partitions of %.*s", ss->partitions_n,
			(int)ss->cfg->state_topic.n, ss->cfg->state_topic.p);
	ss->cb.on_loaded(ss->arg, p->index);
	state_partition_lease(p);
}

static void partition_snapshot(struct state_partition *p, struct str after)
{
	struct state_store *ss = p->store;
	struct str group = ss->cb.next_group(ss->arg, p->index, after);
	struct share_group_state st;
	struct arena a;

	if (str_is_null(group)) {
		statelog_snapshot_end(p->log);
		return;
	}
	arena_init(&a, SNAPSHOT_ARENA_BYTES);
	if (ss->cb.snapshot(ss->arg, group, &a, &st))
		statelog_abandon(p->log, "a group's snapshot exceeds its limit");
	else if (statelog_snapshot(p->log, &st))
		log_warn(loop_log(ss->loop), NULL,
			"a checkpoint of %.*s-%d was given up: group %.*s does not fit a batch",
			(int)ss->cfg->state_topic.n, ss->cfg->state_topic.p, p->index, (int)group.n, group.p);
	arena_release(&a);
}

static void partition_write(struct state_partition *p, struct chunk *batch)
{
	struct state_store *ss = p->store;

	p->write_started_us = clock_mono_us();
	p->write_size = batch->size;
	p->writing = cluster_produce(ss->cluster, ss->cfg->state_topic, p->index, batch, produce_cb, p);
	chunk_unref(batch);
}

/* Does what the log wants, until it wants nothing more now. */
void state_partition_pump(struct state_partition *p)
{
	struct state_store *ss = p->store;

	if (p->give_up) {
		p->give_up = false;
		statelog_abandon(p->log, "a change did not fit the log: too many wait, or it is larger than a batch");
	}
	for (;;) {
		struct statelog_action a = statelog_next(p->log, loop_wall(ss->loop));

		switch (a.type) {
		case STATELOG_NONE:
			return;
		case STATELOG_WRITE:
			partition_write(p, a.u.batch);
			break;
		case STATELOG_READ:
			p->read_offset = a.u.offset;
			partition_read(p);
			break;
		case STATELOG_TRIM:
			p->trimming = true;
			cluster_delete_records(ss->cluster, ss->cfg->state_topic, p->index, a.u.offset, trim_cb, p);
			break;
		case STATELOG_LOADED:
			partition_loaded(p);
			break;
		case STATELOG_SNAPSHOT:
			partition_snapshot(p, a.u.after);
			break;
		case STATELOG_LOST_NOW:
			partition_lost(p);
			break;
		}
	}
}

static void start_offset_cb(void *arg, int16_t error, int64_t offset)
{
	struct state_partition *p = arg;
	struct state_store *ss = p->store;

	p->starting = false;
	if (ss->loss.gone)
		return;
	if (error || offset < 0) {
		snprintf(p->reason, sizeof(p->reason), "state partition %d can not be read: ListOffsets answered %s",
			p->index, kafka_error_name(error));
		log_warn(loop_log(ss->loop), NULL, "%s; trying again", p->reason);
		partition_retry(p, RETRY_FOLLOW, RECLAIM_MIN_MS);
		return;
	}
	statelog_follow(p->log, offset);
	state_partition_pump(p);
}

void state_partition_follow(struct state_partition *p)
{
	if (p->starting || p->store->loss.gone)
		return;
	p->starting = true;
	cluster_list_offset(p->store->cluster, p->store->cfg->state_topic, p->index, CLUSTER_OFFSET_EARLIEST, false,
		start_offset_cb, p);
}

static void ask_producer_id(struct state_store *ss);

/* Each claim begins with a producer id of its own, so that its sequences start at 0; partitions that are claimed
 * together share it. */
static void producer_cb(void *arg, int16_t error, int64_t producer_id, int16_t producer_epoch)
{
	struct state_store *ss = arg;

	ss->producer_asked = false;
	if (error) {
		log_warn(loop_log(ss->loop), NULL, "InitProducerId failed: %s; trying again", kafka_error_name(error));
		timer_set(&ss->producer_retry, loop_now(ss->loop) + RECLAIM_MIN_MS);
		return;
	}
	for (int32_t i = 0; i < ss->partitions_n; i++) {
		struct state_partition *p = &ss->partitions[i];

		if (!p->claim_wanted)
			continue;
		p->claim_wanted = false;
		if (statelog_get_state(p->log) != STATELOG_FOLLOWING)
			continue;
		statelog_start(p->log, 0, producer_id, producer_epoch, loop_wall(ss->loop));
		state_partition_pump(p);
	}
}

static void producer_retry_cb(void *arg)
{
	ask_producer_id(arg);
}

static void ask_producer_id(struct state_store *ss)
{
	if (ss->producer_asked || timer_is_set(&ss->producer_retry))
		return;
	ss->producer_asked = true;
	cluster_init_producer_id(ss->cluster, producer_cb, ss);
}

/* A partition that has no record yet says nothing of the topic's partition count: where that was raised, groups would
 * begin anew in it while their state lies in another one. So all others are read before it is claimed, and nothing is
 * where one of them records another count. */
static bool partition_is_in_place(const struct state_partition *p)
{
	const struct state_store *ss = p->store;
	bool is_new = statelog_recorded_count(p->log) == 0;

	for (int32_t i = 0; i < ss->partitions_n; i++) {
		const struct statelog *l = ss->partitions[i].log;
		enum statelog_state state = statelog_get_state(l);
		int32_t count = statelog_recorded_count(l);

		if (count > 0 && count != ss->partitions_n)
			return false;
		if (is_new && count == 0 &&
			(state == STATELOG_IDLE || (state == STATELOG_FOLLOWING && !statelog_is_caught_up(l))))
			return false;
	}
	return true;
}

void state_partition_claim(struct state_partition *p)
{
	if (p->store->loss.gone || !partition_is_in_place(p))
		return;
	p->claim_wanted = true;
	ask_producer_id(p->store);
}

static void retry_cb(void *arg)
{
	struct state_partition *p = arg;
	int what = p->retry_what;

	p->retry_what = RETRY_NONE;
	if (what == RETRY_FOLLOW)
		state_partition_follow(p);
	else if (what == RETRY_READ)
		partition_read(p);
}

void state_partitions_new(struct state_store *ss, int32_t n)
{
	ss->partitions = mem_zalloc((size_t)n, sizeof(*ss->partitions));
	ss->partitions_n = n;
	for (int32_t i = 0; i < n; i++) {
		struct state_partition *p = &ss->partitions[i];
		const struct statelog_config cfg = {
			.partition = i,
			.partition_count = n,
			.owner_id = ss->owner_id,
			.owner_address = str_of(ss->owner_address),
			.max_batch_bytes = MAX_BATCH_BYTES,
			.max_pending_bytes = MAX_PENDING_BYTES,
			.checkpoint_min_bytes = ss->cfg->state_checkpoint_min_bytes,
			.checkpoint_factor = ss->cfg->state_checkpoint_factor,
		};

		p->store = ss;
		p->index = i;
		p->reclaim_ms = RECLAIM_MIN_MS;
		p->log = statelog_new(&cfg);
		timer_init(&p->retry, ss->loop, retry_cb, p);
		timer_init(&p->pump, ss->loop, pump_cb, p);
		state_partition_follow(p);
	}
	state_watch_begin(ss);
}

void state_partitions_free(struct state_store *ss)
{
	for (int32_t i = 0; i < ss->partitions_n; i++) {
		timer_clear(&ss->partitions[i].retry);
		timer_clear(&ss->partitions[i].pump);
		statelog_free(ss->partitions[i].log);
	}
	mem_free(ss->partitions);
	ss->partitions = NULL;
	ss->partitions_n = 0;
}

static void topic_ready_cb(void *arg, int32_t partitions)
{
	state_loss_topic_ready(arg, partitions);
}

/* Where a standby finds us: the first listener that it needs no certificate for. */
static void name_address(struct state_store *ss)
{
	const struct proxy_config *cfg = ss->cfg;
	const struct proxy_listener_config *l = &cfg->listeners[0];
	bool is_v6;

	for (uint32_t i = cfg->listeners_n; i > 0; i--)
		if (!cfg->listeners[i - 1].tls)
			l = &cfg->listeners[i - 1];
	is_v6 = memchr(l->advertised_host.p, ':', l->advertised_host.n) != NULL;
	snprintf(ss->owner_address, sizeof(ss->owner_address), "%s%s%.*s%s:%d", l->tls ? "ssl://" : "",
		is_v6 ? "[" : "", (int)l->advertised_host.n, l->advertised_host.p, is_v6 ? "]" : "",
		l->advertised_port);
}

struct state_store *state_store_new(struct loop *lp, struct cluster *c, const struct proxy_config *cfg,
	const struct state_store_callbacks *cb, void *arg)
{
	struct state_store *ss = mem_zalloc(1, sizeof(*ss));

	ss->loop = lp;
	ss->cluster = c;
	ss->cfg = cfg;
	ss->cb = *cb;
	ss->arg = arg;
	sl_assert(RAND_bytes(ss->owner_id.b, sizeof(ss->owner_id.b)) == 1);
	name_address(ss);
	ownership_init(ss);
	state_loss_init(ss);
	state_watch_init(ss);
	timer_init(&ss->producer_retry, lp, producer_retry_cb, ss);
	ss->topic = state_topic_new(lp, c, cfg, topic_ready_cb, ss);
	return ss;
}

/* The cluster client is freed first: no callback of it comes any more. */
void state_store_free(struct state_store *ss)
{
	if (!ss)
		return;
	state_partitions_free(ss);
	state_watch_release(ss);
	timer_clear(&ss->producer_retry);
	ownership_release(ss);
	state_loss_release(ss);
	state_topic_free(ss->topic);
	mem_free(ss);
}

void state_store_on_metadata(struct state_store *ss)
{
	ownership_begin(ss);
	state_topic_on_metadata(ss->topic);
	state_loss_on_metadata(ss);
}

/* java.lang.String.hashCode() is over UTF-16 units; bytes that are no UTF-8 count as U+FFFD, as Java decodes them. */
static int32_t java_hash(struct str s)
{
	uint32_t h = 0;
	size_t i = 0;

	while (i < s.n) {
		uint8_t c = (uint8_t)s.p[i++];
		uint32_t u = c;
		int more = c < 0x80                ? 0
			   : c >= 0xc2 && c < 0xe0 ? 1
			   : c >= 0xe0 && c < 0xf0 ? 2
			   : c >= 0xf0 && c < 0xf5 ? 3
						   : -1;

		if (more > 0)
			u = c & (0x3fU >> more);
		for (; more > 0 && i < s.n && ((uint8_t)s.p[i] & 0xc0) == 0x80; more--)
			u = u << 6 | ((uint8_t)s.p[i++] & 0x3f);
		if (more)
			u = 0xfffd;
		if (u >= 0x10000) {
			h = 31 * h + (0xd800 + ((u - 0x10000) >> 10));
			u = 0xdc00 + ((u - 0x10000) & 0x3ff);
		}
		h = 31 * h + u;
	}
	return (int32_t)h;
}

int32_t state_store_partition_of(const struct state_store *ss, struct str group_id)
{
	int32_t h;

	if (!ss->partitions_n)
		return -1;
	h = java_hash(group_id);
	return (h == INT32_MIN ? 0 : abs(h)) % ss->partitions_n;
}

int32_t state_store_partitions(const struct state_store *ss)
{
	return ss->partitions_n;
}

bool state_store_is_loaded(const struct state_store *ss, int32_t state_partition)
{
	return state_partition >= 0 && state_partition < ss->partitions_n && ss->partitions[state_partition].loaded &&
	       !ss->partitions[state_partition].give_up;
}

bool state_store_is_congested(const struct state_store *ss, int32_t state_partition)
{
	return !statelog_has_room(ss->partitions[state_partition].log);
}

bool state_store_is_ready(const struct state_store *ss, const char **ret_why)
{
	if (!ss->partitions_n || ss->loss.gone) {
		*ret_why = state_topic_why(ss->topic);
		return false;
	}
	if (ss->own.role != STATE_ROLE_OWNER) {
		*ret_why = ss->own.why[0] ? ss->own.why : "reading the state";
		return false;
	}
	for (int32_t i = 0; i < ss->partitions_n && ss->loaded_n < ss->partitions_n; i++) {
		if (!ss->partitions[i].loaded) {
			*ret_why = ss->partitions[i].reason[0] ? ss->partitions[i].reason : "loading the state";
			return false;
		}
	}
	return true;
}

bool state_store_append(
	struct state_store *ss, int32_t state_partition, const struct share_change *c, uint64_t *ret_seq)
{
	struct state_partition *p = &ss->partitions[state_partition];
	bool ok = p->loaded && statelog_append(p->log, c, ret_seq) == ERR_OK;

	if (!ok)
		p->give_up = p->loaded;
	state_partition_queue_pump(p);
	return ok;
}

bool state_store_lease_is_open(const struct state_store *ss, int32_t state_partition)
{
	const struct state_partition *p = &ss->partitions[state_partition];
	int64_t sight = statelog_sight(p->log), now = clock_mono_ms();

	return p->loaded && sight != INT64_MIN && now < sight + ss->cfg->state_lease_ms &&
	       (!statelog_must_wait(p->log) || now >= p->claimed_at + ss->cfg->state_lease_ms);
}

bool state_store_hand_over(struct state_store *ss)
{
	bool first = !ss->own.resigning, done = true;

	ss->own.resigning = true;
	for (int32_t i = 0; i < ss->partitions_n; i++) {
		struct state_partition *p = &ss->partitions[i];

		p->claim_wanted = false;
		if (first && p->loaded) {
			state_partition_lease(p);
			statelog_resign(p->log);
			state_partition_pump(p);
		}
		done = done && !p->loaded;
	}
	return done;
}

uint64_t state_store_awaited(const struct state_store *ss, int32_t state_partition)
{
	return statelog_awaited(ss->partitions[state_partition].log);
}

uint64_t state_store_durable(const struct state_store *ss, int32_t state_partition)
{
	return statelog_durable(ss->partitions[state_partition].log);
}

int64_t state_store_epoch(const struct state_store *ss, int32_t state_partition)
{
	struct statelog_counts n;

	statelog_get_counts(ss->partitions[state_partition].log, &n);
	return n.owner_epoch;
}
