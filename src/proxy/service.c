/* SPDX-License-Identifier: Apache-2.0 */
/* Events go to the share engine and its effects are executed here.
 *
 *   request -> job_call -> service_apply -> share_apply -> PERSIST -> state_store_append (seq)
 *                                                       -> REPLY   -> on_reply; waits until seq is durable ->
 * job_release
 *                                                       -> WANT_RECORDS, RESOLVE_OFFSET, RELEASE -> read_ahead
 */
#include "proxy/service.h"

#include <stdio.h>

#include "base/assert.h"
#include "base/clock.h"
#include "base/mem.h"
#include "proxy/service_priv.h"
#include "wire/kafka_errors.h"

/* A topic that is missing from the metadata of a cluster is believed to be gone when it is still missing after this
 * long, and after so many answers, of as many brokers as there are: one that has just started or lags behind may not
 * know everything, and a topic's state does not come back. */
#define TOPIC_GONE_MS 1000
#define TOPIC_GONE_ANSWERS_MIN 3
#define TOPIC_GONE_ANSWERS_MAX 12
#define TOPIC_GONE_CHECK_MS 200
/* After a request that changes topics the cluster is looked at after this time, then after twice of it and so on. */
#define TOPICS_CHANGE_MS 100
#define TOPICS_CHANGE_LAST_MS 3200

struct topic_seen {
	struct uuid id;
	int32_t partitions;
	int64_t missing_since; /* 0: it is there */
	uint64_t missing_from; /* answers that there had been when it was found missing */
	UT_hash_handle hh;
};

static void call_end(struct service *sv, struct call *c)
{
	struct job *j = c->job;

	HASH_DEL(sv->calls, c);
	if (c->seq)
		TAILQ_REMOVE(&sv->durable_waits[c->state_partition], c, link);
	mem_free(c);
	job_release(j);
}

static void service_persist(struct service *sv, const struct share_effect *fx)
{
	uint64_t seq;

	/* A change that finds no room gives the partition up: state_store tells by on_lost. */
	(void)state_store_append(sv->store, fx->state_partition, &fx->u.change, &seq);
	mirror_changed(sv->mirror, fx->state_partition, fx->u.change.group_id, &fx->u.change);
}

static bool hands_out(const struct share_effect *fx)
{
	if (fx->reply_type != SHARE_EV_FETCH)
		return false;
	for (uint32_t i = 0; i < fx->u.fetch.partitions_n; i++)
		if (fx->u.fetch.partitions[i].acquired_n > 0)
			return true;
	return false;
}

static void service_reply(struct service *sv, const struct share_effect *fx)
{
	struct call *c;
	uint64_t awaited;

	HASH_FIND(hh, sv->calls, &fx->token, sizeof(fx->token), c);
	if (!c)
		return;
	if (c->job->slot)
		c->job->ops->on_reply(c->job, c->index, fx);
	awaited = fx->after_durable ? state_store_awaited(sv->store, fx->state_partition) : 0;
	if (fx->after_durable && !state_store_is_loaded(sv->store, fx->state_partition)) {
		if (c->job->slot)
			c->job->ops->on_lost(c->job, c->index);
	} else if (awaited && state_store_durable(sv->store, fx->state_partition) < awaited) {
		c->seq = awaited;
		c->hands_out = hands_out(fx);
		c->state_partition = fx->state_partition;
		TAILQ_INSERT_TAIL(&sv->durable_waits[c->state_partition], c, link);
		return;
	}
	call_end(sv, c);
}

static void service_stalled(struct service *sv, const struct share_effect *fx)
{
	log_warn(loop_log(sv->loop), NULL, "share group %.*s hands out nothing from %.*s-%d: %s",
		(int)fx->u.stalled.group_id.n, fx->u.stalled.group_id.p, (int)fx->u.stalled.topic_name.n,
		fx->u.stalled.topic_name.p ? fx->u.stalled.topic_name.p : "", fx->u.stalled.partition,
		fx->u.stalled.reason);
}

static void service_execute(struct service *sv, const struct share_effect *fx)
{
	switch (fx->type) {
	case SHARE_FX_PERSIST:
		service_persist(sv, fx);
		break;
	case SHARE_FX_REPLY:
		service_reply(sv, fx);
		break;
	case SHARE_FX_WANT_RECORDS:
		read_ahead_want(sv->read_ahead, fx);
		break;
	case SHARE_FX_RESOLVE_OFFSET:
		read_ahead_resolve(sv->read_ahead, fx);
		break;
	case SHARE_FX_RELEASE:
		read_ahead_drop(sv->read_ahead, fx->u.batch_ref);
		break;
	case SHARE_FX_STALLED:
		service_stalled(sv, fx);
		break;
	}
}

static struct share_now service_now(const struct service *sv)
{
	/* Not the time at which this turn began: the process may have been stopped since, and leases ended. */
	return (struct share_now){clock_mono_ms(), loop_wall(sv->loop)};
}

static void service_set_tick(struct service *sv)
{
	int64_t at = share_next_deadline(sv->engine), next_turn = loop_now(sv->loop) + 1;

	if (at == INT64_MAX)
		timer_clear(&sv->tick);
	else
		timer_set(
			&sv->tick, at > next_turn ? at : next_turn); /* a step's work is bounded: others come between */
}

/* One step, its effects in order. */
static void service_step(struct service *sv, const struct share_event *ev)
{
	sl_assert(!sv->applying);
	share_effects_clear(&sv->effects);
	share_apply(sv->engine, ev, service_now(sv), &sv->effects);
	sv->applying = true;
	for (uint32_t i = 0; i < sv->effects.n; i++)
		service_execute(sv, &sv->effects.v[i]);
	sv->applying = false;
}

/* Closes are always handled from the loop: whoever closes a connection may be in the middle of the engine's effects. */
static void queued_closes_cb(void *arg)
{
	struct service *sv = arg;

	while (sv->queued_closes_n) {
		struct share_event ev = {.type = SHARE_EV_CONN_CLOSED};

		ev.u.conn_id = sv->queued_closes[--sv->queued_closes_n];
		service_apply(sv, &ev);
	}
}

void service_conn_closed(struct service *sv, uint64_t conn_id)
{
	if (sv->queued_closes_n == sv->queued_closes_cap) {
		sv->queued_closes_cap = sv->queued_closes_cap ? sv->queued_closes_cap * 2 : 16;
		sv->queued_closes = mem_resize(sv->queued_closes, sv->queued_closes_cap, sizeof(*sv->queued_closes));
	}
	sv->queued_closes[sv->queued_closes_n++] = conn_id;
	if (sv->queued_closes_n == 1)
		timer_set(&sv->closes, loop_now(sv->loop));
}

void service_apply(struct service *sv, const struct share_event *ev)
{
	service_step(sv, ev);
	service_set_tick(sv);
}

const struct share_effect *service_ask(struct service *sv, struct share_event *ev)
{
	ev->token = ++sv->last_token;
	service_apply(sv, ev);
	for (uint32_t i = 0; i < sv->effects.n; i++) {
		const struct share_effect *fx = &sv->effects.v[i];

		if (fx->type == SHARE_FX_REPLY && fx->token == ev->token)
			return fx;
	}
	sl_assert(!"the engine answers this event in the same step");
	return NULL;
}

bool service_authorizes(const struct service *sv)
{
	return authorizer_is_there(sv->authorizer);
}

int16_t service_group_partition(struct service *sv, struct str group_id, int32_t *ret_partition)
{
	int32_t sp = state_store_partition_of(sv->store, group_id);

	if (sv->stopping || !state_store_is_loaded(sv->store, sp) || state_store_is_congested(sv->store, sp))
		return KAFKA_ERR_COORDINATOR_NOT_AVAILABLE;
	*ret_partition = sp;
	return KAFKA_ERR_NONE;
}

static void tick_cb(void *arg)
{
	const struct share_event ev = {.type = SHARE_EV_TICK};

	service_apply(arg, &ev);
}

static void on_group(void *arg, int32_t state_partition, const struct share_group_state *st)
{
	struct service *sv = arg;

	if (share_restore(sv->engine, state_partition, st, service_now(sv)))
		log_error(loop_log(sv->loop), NULL,
			"share group %.*s can not be restored: its state in the log contradicts itself; it starts "
			"empty",
			(int)st->group_id.n, st->group_id.p);
	else if (st->exists)
		mirror_changed(sv->mirror, state_partition, st->group_id, NULL);
}

/* Room for the waits of every state partition, whose number another topic may change: then nothing waits. */
static void service_size_waits(struct service *sv)
{
	int32_t n = state_store_partitions(sv->store);

	if (sv->durable_waits_n == n)
		return;
	for (int32_t i = 0; i < sv->durable_waits_n; i++)
		sl_assert(TAILQ_EMPTY(&sv->durable_waits[i]));
	mem_free(sv->durable_waits);
	sv->durable_waits = mem_zalloc((size_t)n, sizeof(*sv->durable_waits));
	sv->durable_waits_n = n;
	for (int32_t i = 0; i < n; i++)
		TAILQ_INIT(&sv->durable_waits[i]);
}

static void on_loaded(void *arg, int32_t state_partition)
{
	struct service *sv = arg;

	service_size_waits(sv);
	lost_configs_forget(&sv->lost_configs, state_partition);
	service_set_tick(sv);
}

static void on_lost(void *arg, int32_t state_partition, const char *reason)
{
	struct service *sv = arg;
	struct share_event ev = {.type = SHARE_EV_STATE_LOST};
	struct call_list *waits = &sv->durable_waits[state_partition];
	struct call *c;

	(void)reason;
	while ((c = TAILQ_FIRST(waits))) {
		if (c->job->slot)
			c->job->ops->on_lost(c->job, c->index);
		call_end(sv, c);
	}
	lost_configs_keep(&sv->lost_configs, sv->engine, state_partition);
	ev.u.state_partition = state_partition;
	service_apply(sv, &ev);
	mirror_lost(sv->mirror, state_partition);
}

static void on_gone(void *arg)
{
	struct service *sv = arg;

	/* What the mirror has begun for groups that are not loaded ends too: their partition may be another one now. */
	for (int32_t i = 0; i < state_store_partitions(sv->store); i++)
		mirror_lost(sv->mirror, i);
	lost_configs_tell(&sv->lost_configs, loop_log(sv->loop));
}

/* Gives out what is durable. Records that were acquired before the lease ended wait, and all behind them, until it is
 * known that nobody else has them by now. */
static void release_durable(struct service *sv, int32_t state_partition)
{
	struct call_list *waits = &sv->durable_waits[state_partition];
	uint64_t seq = state_store_durable(sv->store, state_partition);
	struct call *c;

	while ((c = TAILQ_FIRST(waits)) && c->seq <= seq) {
		if (c->hands_out && !state_store_lease_is_open(sv->store, state_partition))
			return;
		call_end(sv, c);
	}
}

static void on_durable(void *arg, int32_t state_partition, uint64_t seq)
{
	struct service *sv = arg;

	(void)seq;
	release_durable(sv, state_partition);
	mirror_durable(sv->mirror, state_partition);
}

static void on_lease(void *arg, int32_t state_partition, int64_t not_before, int64_t until)
{
	struct service *sv = arg;
	struct share_event ev = {.type = SHARE_EV_LEASE};

	ev.u.lease.state_partition = state_partition;
	ev.u.lease.not_before = not_before;
	ev.u.lease.until = until;
	service_apply(sv, &ev);
	release_durable(sv, state_partition);
}

static bool on_listen(void *arg, bool on, bool was_standby)
{
	struct service *sv = arg;

	return sv->cb.on_listen(sv->arg, on, was_standby);
}

static struct str next_group(void *arg, int32_t state_partition, struct str after)
{
	struct service *sv = arg;

	return share_next_group(sv->engine, state_partition, after);
}

static enum err snapshot(void *arg, struct str group_id, struct arena *a, struct share_group_state *ret)
{
	struct service *sv = arg;

	return share_snapshot(sv->engine, group_id, a, ret);
}

static void topic_came(struct service *sv, const struct cluster_topic *t)
{
	struct share_event ev = {.type = SHARE_EV_TOPIC};
	struct topic_seen *seen;

	if (uuid_is_zero(t->id) || str_eq(t->name, sv->cfg->state_topic))
		return;
	HASH_FIND(hh, sv->topics, &t->id, sizeof(t->id), seen);
	if (!seen) {
		seen = mem_zalloc(1, sizeof(*seen));
		seen->id = t->id;
		HASH_ADD(hh, sv->topics, id, sizeof(seen->id), seen);
	}
	seen->missing_since = 0;
	if (seen->partitions == t->partitions_n)
		return;
	seen->partitions = t->partitions_n;
	ev.u.topic.topic_id = t->id;
	ev.u.topic.name = t->name;
	ev.u.topic.partitions = t->partitions_n;
	service_apply(sv, &ev);
}

static bool topic_is_gone(const struct service *sv, const struct topic_seen *seen)
{
	uint64_t wanted = cluster_get_metadata(sv->cluster)->brokers_n;

	if (wanted < TOPIC_GONE_ANSWERS_MIN)
		wanted = TOPIC_GONE_ANSWERS_MIN;
	if (wanted > TOPIC_GONE_ANSWERS_MAX)
		wanted = TOPIC_GONE_ANSWERS_MAX;
	return loop_now(sv->loop) - seen->missing_since >= TOPIC_GONE_MS &&
	       cluster_metadata_answers(sv->cluster) - seen->missing_from >= wanted;
}

/* Topics that are not in the picture any more: gone when that lasts. */
static void topics_check_gone(struct service *sv)
{
	struct topic_seen *seen, *tmp;
	bool any = false;

	HASH_ITER(hh, sv->topics, seen, tmp)
	{
		if (cluster_find_topic_id(sv->cluster, seen->id)) {
			seen->missing_since = 0;
			continue;
		}
		if (!seen->missing_since) {
			seen->missing_since = loop_now(sv->loop);
			seen->missing_from = cluster_metadata_answers(sv->cluster);
		}
		if (topic_is_gone(sv, seen)) {
			struct share_event ev = {.type = SHARE_EV_TOPIC_GONE};

			ev.u.topic.topic_id = seen->id;
			HASH_DEL(sv->topics, seen);
			mem_free(seen);
			service_apply(sv, &ev);
		} else {
			any = true;
		}
	}
	if (!any)
		return;
	cluster_refresh(sv->cluster);
	timer_set(&sv->gone_check, loop_now(sv->loop) + TOPIC_GONE_CHECK_MS);
}

static void gone_check_cb(void *arg)
{
	topics_check_gone(arg);
}

static void topics_change_cb(void *arg)
{
	struct service *sv = arg;

	cluster_refresh(sv->cluster);
	sv->topics_change_after *= 2;
	if (sv->topics_change_after <= TOPICS_CHANGE_LAST_MS)
		timer_set(&sv->topics_change, loop_now(sv->loop) + sv->topics_change_after);
}

void service_topics_change(struct service *sv)
{
	sv->topics_change_after = TOPICS_CHANGE_MS;
	timer_set(&sv->topics_change, loop_now(sv->loop) + sv->topics_change_after);
}

void service_on_metadata(struct service *sv, const struct cluster_metadata *now, const struct cluster_metadata *old)
{
	(void)old;
	for (uint32_t i = 0; i < now->topics_n; i++)
		topic_came(sv, &now->topics[i]);
	topics_check_gone(sv);
	state_store_on_metadata(sv->store);
}

struct service *service_new(struct loop *lp, struct cluster *c, const struct proxy_config *cfg,
	const struct service_callbacks *callbacks, void *arg)
{
	const struct state_store_callbacks cb = {
		.on_group = on_group,
		.on_loaded = on_loaded,
		.on_lost = on_lost,
		.on_gone = on_gone,
		.on_lease = on_lease,
		.on_listen = on_listen,
		.on_durable = on_durable,
		.next_group = next_group,
		.snapshot = snapshot,
	};
	struct service *sv = mem_zalloc(1, sizeof(*sv));

	sv->loop = lp;
	sv->cluster = c;
	sv->cfg = cfg;
	sv->cb = *callbacks;
	sv->arg = arg;
	sv->engine = share_engine_new(&cfg->share);
	share_effects_init(&sv->effects);
	timer_init(&sv->tick, lp, tick_cb, sv);
	timer_init(&sv->gone_check, lp, gone_check_cb, sv);
	timer_init(&sv->topics_change, lp, topics_change_cb, sv);
	timer_init(&sv->closes, lp, queued_closes_cb, sv);
	sv->read_ahead = read_ahead_new(sv);
	sv->mirror = mirror_new(sv);
	sv->authorizer = authorizer_new(lp, c, &cfg->authorization_cache_ms);
	sv->store = state_store_new(lp, c, cfg, &cb, sv);
	return sv;
}

/* Connections are gone by now, and with the cluster client freed nothing ends a job any more. */
static void free_jobs(struct service *sv)
{
	struct call *c, *tmp;
	struct job *j;

	HASH_ITER(hh, sv->calls, c, tmp)
	{
		HASH_DEL(sv->calls, c);
		mem_free(c);
	}
	while ((j = LIST_FIRST(&sv->jobs))) {
		sl_assert(!j->slot);
		job_abort(j);
	}
}

void service_free(struct service *sv)
{
	struct topic_seen *seen, *tmp;

	if (!sv)
		return;
	timer_clear(&sv->tick);
	timer_clear(&sv->gone_check);
	timer_clear(&sv->topics_change);
	timer_clear(&sv->closes);
	free_jobs(sv);
	state_store_free(sv->store);
	share_engine_free(sv->engine, read_ahead_drop, sv->read_ahead);
	read_ahead_free(sv->read_ahead);
	mirror_free(sv->mirror);
	authorizer_free(sv->authorizer);
	share_effects_release(&sv->effects);
	HASH_ITER(hh, sv->topics, seen, tmp)
	{
		HASH_DEL(sv->topics, seen);
		mem_free(seen);
	}
	lost_configs_free(&sv->lost_configs);
	mem_free(sv->durable_waits);
	mem_free(sv->queued_closes);
	mem_free(sv);
}

bool service_is_ready(const struct service *sv, const char **ret_why)
{
	if (sv->stopping) {
		*ret_why = "shutting down";
		return false;
	}
	return state_store_is_ready(sv->store, ret_why);
}

bool service_is_blind(const struct service *sv)
{
	return state_store_is_blind(sv->store);
}

void service_shutdown(struct service *sv)
{
	const struct share_event ev = {.type = SHARE_EV_STOP};

	sv->stopping = true;
	service_apply(sv, &ev);
}

size_t service_pending(const struct service *sv)
{
	return sv->jobs_n;
}

bool service_hand_over(struct service *sv)
{
	return state_store_hand_over(sv->store);
}

static void ack_metrics(const struct share_counts *n, proxy_metric_cb cb, void *arg)
{
	static const char *const labels[] = {"ack_type=\"Gap\"", "ack_type=\"Accept\"", "ack_type=\"Release\"",
		"ack_type=\"Reject\"", "ack_type=\"Renew\""};

	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++)
		cb(arg, "sluice_share_record_acknowledgements_total", "Records acknowledged, by type.", "counter",
			labels[i], (double)n->acknowledgements[i]);
}

static void stalled_metrics(const struct share_counts *n, proxy_metric_cb cb, void *arg)
{
	char label[64];

	for (size_t i = 0; i < SHARE_STALLED_REASONS_N; i++) {
		(void)snprintf(
			label, sizeof(label), "reason=\"%s\"", share_stalled_reason_name((enum share_stalled_reason)i));
		cb(arg, "sluice_share_stalled_fetches_total",
			"Partitions that had nothing for a fetch that waited to its end, by what holds them back.",
			"counter", label, (double)n->stalled_fetches[i]);
	}
}

void service_metrics(struct service *sv, proxy_metric_cb cb, void *arg)
{
	struct share_counts n;

	share_get_counts(sv->engine, &n);
	cb(arg, "sluice_share_groups", "Share groups.", "gauge", "", (double)n.groups);
	cb(arg, "sluice_share_group_members", "Members of share groups.", "gauge", "", (double)n.members);
	cb(arg, "sluice_share_sessions", "Open share sessions.", "gauge", "", (double)n.sessions);
	cb(arg, "sluice_share_partitions", "Share-partitions.", "gauge", "", (double)n.share_partitions);
	cb(arg, "sluice_share_held_records", "Records that a member holds.", "gauge", "", (double)n.held_records);
	cb(arg, "sluice_share_available_records", "Records that wait for redelivery.", "gauge", "",
		(double)n.available_records);
	cb(arg, "sluice_share_state_ranges", "Ranges of records with one state.", "gauge", "", (double)n.state_ranges);
	cb(arg, "sluice_share_waiting_fetches", "ShareFetch requests that wait for records.", "gauge", "",
		(double)n.waiting_fetches);
	cb(arg, "sluice_share_acquired_records_total", "Records handed out.", "counter", "",
		(double)n.acquired_records);
	cb(arg, "sluice_share_lock_timeouts_total", "Records whose acquisition lock ran out.", "counter", "",
		(double)n.lock_timeouts);
	stalled_metrics(&n, cb, arg);
	cb(arg, "sluice_share_read_ahead_bytes", "Record batches kept for delivery.", "gauge", "",
		(double)n.kept_bytes);
	cb(arg, "sluice_share_pending_requests", "Share requests that are not answered yet.", "gauge", "",
		(double)sv->jobs_n);
	ack_metrics(&n, cb, arg);
	read_ahead_metrics(sv->read_ahead, cb, arg);
	mirror_metrics(sv->mirror, cb, arg);
	state_store_metrics(sv->store, cb, arg);
}

bool service_has_group(const struct service *sv, struct str group_id)
{
	return !str_is_null(group_id) && share_group_state_name(sv->engine, group_id) != NULL;
}

static struct uuid internal_id(const struct service *sv)
{
	const struct cluster_topic *t = cluster_find_topic(sv->cluster, sv->cfg->state_topic);

	return t ? t->id : (struct uuid){{0}};
}

bool service_is_internal(const struct service *sv, struct str name, struct uuid id)
{
	if (sv->cfg->state_topic_writable)
		return false;
	if (!str_is_null(name) && str_eq(name, sv->cfg->state_topic))
		return true;
	return !uuid_is_zero(id) && uuid_eq(id, internal_id(sv));
}

struct str service_internal(const struct service *sv, struct uuid *ret_id)
{
	*ret_id = internal_id(sv);
	return sv->cfg->state_topic_writable ? STR_NULL : sv->cfg->state_topic;
}

bool service_finds_internal(const struct service *sv, struct bytes request)
{
	struct str name = sv->cfg->state_topic;
	struct uuid id = internal_id(sv);

	if (sv->cfg->state_topic_writable)
		return false;
	return memmem(request.p, request.n, name.p, name.n) ||
	       (!uuid_is_zero(id) && memmem(request.p, request.n, id.b, sizeof(id.b)));
}
