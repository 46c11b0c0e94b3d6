/* SPDX-License-Identifier: Apache-2.0 */
/* The played cluster of the share engine's tests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "share_env.h"

struct share_engine_config env_config(void)
{
	struct share_engine_config c = {
		.group_max_size = 200,
		.max_share_sessions = 2000,
		.read_ahead_max_bytes = 64 << 20,
		.fetch_max_bytes = 50 << 20,
		.max_groups = 1000,
	};

	share_group_config_bounds_default(&c.group);
	c.group.min_record_lock_duration_ms = 1000;
	return c;
}

struct env *env_new(const struct share_engine_config *cfg)
{
	struct env *v = mem_zalloc(1, sizeof(*v));

	v->cfg = cfg ? *cfg : env_config();
	v->e = share_engine_new(&v->cfg);
	v->now = 1000;
	share_effects_init(&v->fx);
	for (int t = 0; t < ENV_TOPICS; t++)
		v->topics[t].b[0] = (uint8_t)(t + 1);
	return v;
}

static void released(void *arg, void *ref)
{
	(void)ref;
	((struct env *)arg)->live--;
}

void env_free(struct env *v)
{
	share_check(v->e);
	share_engine_free(v->e, released, v);
	assert_int_equal(v->live, 0);
	share_effects_release(&v->fx);
	for (int i = 0; i < ENV_TOPICS * ENV_PARTS; i++)
		mem_free(v->logs[i / ENV_PARTS][i % ENV_PARTS].b);
	mem_free(v);
}

void env_clear(struct env *v)
{
	share_effects_clear(&v->fx);
	v->seen = 0;
}

/* Keeps a list of what the engine wants. */
static void env_look(struct env *v)
{
	for (; v->seen < v->fx.n; v->seen++) {
		const struct share_effect *fx = &v->fx.v[v->seen];

		if (fx->type == SHARE_FX_WANT_RECORDS) {
			assert_true(v->wants_n < ENV_WANTS);
			v->wants[v->wants_n].log = fx->u.want.log;
			v->wants[v->wants_n++].offset = fx->u.want.offset;
			v->wants_total++;
		} else if (fx->type == SHARE_FX_RESOLVE_OFFSET) {
			assert_true(v->resolves_n < ENV_WANTS);
			v->resolves[v->resolves_n].group_id = fx->u.resolve.group_id;
			v->resolves[v->resolves_n].topic_id = fx->u.resolve.topic_id;
			v->resolves[v->resolves_n].partition = fx->u.resolve.partition;
			v->resolves[v->resolves_n].strategy = fx->u.resolve.strategy;
			v->resolves[v->resolves_n++].timestamp = fx->u.resolve.timestamp;
			v->resolves_total++;
		} else if (fx->type == SHARE_FX_RELEASE) {
			v->live--;
		}
	}
}

void env_apply(struct env *v, struct share_event *ev)
{
	share_apply(v->e, ev, (struct share_now){v->now, 1700000000000 + v->now}, &v->fx);
	env_look(v);
	share_check(v->e);
}

void env_time(struct env *v, int64_t ms)
{
	struct share_event ev = {.type = SHARE_EV_TICK};

	v->now += ms;
	env_apply(v, &ev);
}

struct str env_topic_name(int t)
{
	static const char *const names[] = {"alpha", "beta", "gamma", "delta"};

	return str_of(names[t]);
}

void env_topic(struct env *v, int t, int32_t partitions)
{
	struct share_event ev = {.type = SHARE_EV_TOPIC};

	ev.u.topic.topic_id = v->topics[t];
	ev.u.topic.name = env_topic_name(t);
	ev.u.topic.partitions = partitions;
	env_apply(v, &ev);
}

/* ---- the cluster's logs ---- */

static int topic_of(const struct env *v, struct uuid id)
{
	for (int t = 0; t < ENV_TOPICS; t++) {
		if (uuid_eq(v->topics[t], id))
			return t;
	}
	return -1;
}

struct share_batch *env_batch(struct env *v, int t, int p, int64_t n)
{
	struct env_log *l = &v->logs[t][p];
	struct share_batch *b;

	if (!l->b)
		l->b = mem_zalloc(ENV_BATCHES, sizeof(*l->b));
	assert_true(l->n < ENV_BATCHES);
	b = &l->b[l->n++];
	*b = (struct share_batch){
		.base_offset = l->end, .last_offset = l->end + n - 1, .size = 100, .producer_id = -1, .ref = b};
	l->end += n;
	l->lso = l->end;
	return b;
}

void env_hole(struct env *v, int t, int p, int64_t n)
{
	v->logs[t][p].end += n;
}

void env_serve_one(struct env *v, uint32_t i, int16_t error)
{
	struct share_event ev = {.type = SHARE_EV_RECORDS};
	int t = topic_of(v, v->wants[i].log.topic_id);
	struct env_log *l;
	int64_t limit;
	uint32_t from = 0;

	assert_true(i < v->wants_n && t >= 0);
	ev.u.records.log = v->wants[i].log;
	ev.u.records.from_offset = v->wants[i].offset;
	v->wants[i] = v->wants[--v->wants_n];
	l = &v->logs[t][ev.u.records.log.partition];
	limit = ev.u.records.log.read_committed ? l->lso : l->end;
	ev.u.records.high_watermark = l->end;
	ev.u.records.last_stable_offset = l->lso;
	ev.u.records.log_start_offset = l->start;
	ev.u.records.error = error;
	if (!error && (ev.u.records.from_offset < l->start || ev.u.records.from_offset > l->end))
		ev.u.records.error = 1;
	while (from < l->n && l->b[from].last_offset < ev.u.records.from_offset)
		from++;
	for (uint32_t k = from; !ev.u.records.error && k < l->n && l->b[k].last_offset < limit; k++) {
		ev.u.records.batches_n++;
		v->live++;
	}
	ev.u.records.batches = l->b + from;
	ev.u.records.aborted = l->aborted;
	ev.u.records.aborted_n = l->aborted_n;
	env_apply(v, &ev);
}

static bool want_has_data(const struct env *v, uint32_t i)
{
	int t = topic_of(v, v->wants[i].log.topic_id);
	const struct env_log *l = &v->logs[t][v->wants[i].log.partition];

	return v->wants[i].offset < (v->wants[i].log.read_committed ? l->lso : l->end) || v->wants[i].offset > l->end;
}

void env_serve(struct env *v)
{
	for (uint32_t i = 0, rounds = 0; i < v->wants_n;) {
		assert_true(rounds++ < 100000);
		if (!want_has_data(v, i)) {
			i++;
			continue;
		}
		env_serve_one(v, i, 0);
		i = 0;
	}
}

void env_resolve(struct env *v, int64_t offset)
{
	while (v->resolves_n) {
		struct share_event ev = {.type = SHARE_EV_OFFSET};

		v->resolves_n--;
		ev.u.offset.group_id = v->resolves[v->resolves_n].group_id;
		ev.u.offset.topic_id = v->resolves[v->resolves_n].topic_id;
		ev.u.offset.partition = v->resolves[v->resolves_n].partition;
		ev.u.offset.offset = offset;
		env_apply(v, &ev);
	}
}

/* ---- requests ---- */

void env_group(struct env *v, const char *group, int t, int32_t n, int64_t offset)
{
	struct share_event ev = {.type = SHARE_EV_ALTER_OFFSETS, .token = ++v->token};
	struct share_topic_partition tp[ENV_PARTS];
	int64_t starts[ENV_PARTS];

	env_topic(v, t, n);
	for (int32_t i = 0; i < n; i++) {
		tp[i] = (struct share_topic_partition){v->topics[t], i};
		starts[i] = offset;
	}
	ev.u.offsets.group_id = str_of(group);
	ev.u.offsets.partitions = tp;
	ev.u.offsets.start_offsets = starts;
	ev.u.offsets.partitions_n = (uint32_t)n;
	env_apply(v, &ev);
	assert_int_equal(env_reply(v, ev.token)->u.offsets.error, 0);
	env_clear(v);
}

int16_t env_set(struct env *v, const char *group, const char *name, const char *value)
{
	struct share_event ev = {.type = SHARE_EV_ALTER_CONFIG, .token = ++v->token};
	struct share_config_entry c = {str_of(name), str_of(value)};

	ev.u.config.group_id = str_of(group);
	ev.u.config.entries = &c;
	ev.u.config.entries_n = 1;
	env_apply(v, &ev);
	return env_reply(v, ev.token)->u.config.error;
}

uint64_t env_heartbeat(
	struct env *v, const char *group, const char *member, int32_t epoch, const char *const *topics, uint32_t n)
{
	struct share_event ev = {.type = SHARE_EV_HEARTBEAT, .token = ++v->token};
	struct str names[16];

	for (uint32_t i = 0; i < n; i++)
		names[i] = str_of(topics[i]);
	ev.u.heartbeat.group_id = str_of(group);
	ev.u.heartbeat.member_id = str_of(member);
	ev.u.heartbeat.member_epoch = epoch;
	ev.u.heartbeat.topics = topics ? names : NULL;
	ev.u.heartbeat.topics_n = n;
	ev.u.heartbeat.client_id = STR_LIT("client");
	ev.u.heartbeat.client_host = STR_LIT("/127.0.0.1");
	env_apply(v, &ev);
	return ev.token;
}

static int32_t or_default(int32_t value, int32_t fallback)
{
	return value ? (value < 0 ? 0 : value) : fallback;
}

static uint64_t env_request(struct env *v, enum share_event_type type, const struct env_request *q)
{
	struct share_event ev = {.type = type, .token = ++v->token};

	ev.u.fetch.group_id = str_of(q->group);
	ev.u.fetch.member_id = str_of(q->member);
	ev.u.fetch.node_id = q->node;
	ev.u.fetch.conn_id = q->conn;
	ev.u.fetch.api_version = q->version ? q->version : 2;
	ev.u.fetch.session_epoch = q->epoch;
	ev.u.fetch.max_wait_ms = or_default(q->max_wait_ms, 500);
	ev.u.fetch.min_bytes = or_default(q->min_bytes, 1);
	ev.u.fetch.max_bytes = or_default(q->max_bytes, 50 << 20);
	ev.u.fetch.max_records = or_default(q->max_records, 500);
	ev.u.fetch.batch_size = or_default(q->batch_size, ev.u.fetch.max_records);
	ev.u.fetch.acquire_mode = q->acquire_mode;
	ev.u.fetch.is_renew_ack = q->renew;
	ev.u.fetch.partitions = q->partitions;
	ev.u.fetch.partitions_n = q->partitions_n;
	ev.u.fetch.forgotten = q->forgotten;
	ev.u.fetch.forgotten_n = q->forgotten_n;
	env_apply(v, &ev);
	return ev.token;
}

uint64_t env_fetch(struct env *v, const struct env_request *q)
{
	return env_request(v, SHARE_EV_FETCH, q);
}

uint64_t env_ack(struct env *v, const struct env_request *q)
{
	return env_request(v, SHARE_EV_ACKNOWLEDGE, q);
}

uint64_t env_open(struct env *v, const char *group, const char *member, int32_t node, int t, int32_t n)
{
	struct share_partition_acks parts[ENV_PARTS];
	struct env_request q = {.group = group, .member = member, .node = node, .conn = ++v->token};
	uint64_t token;

	for (int32_t i = 0; i < n; i++)
		parts[i] = (struct share_partition_acks){v->topics[t], i, NULL, 0};
	q.partitions = parts;
	q.partitions_n = (uint32_t)n;
	token = env_fetch(v, &q);
	env_serve(v);
	return token;
}

int16_t env_ack_one(struct env *v, const char *group, const char *member, int32_t epoch, int t, int p, int64_t first,
	int64_t last, int8_t type)
{
	struct share_ack_batch b = {first, last, &type, 1};
	struct share_partition_acks a = {v->topics[t], p, &b, 1};
	struct env_request q = {.group = group,
		.member = member,
		.node = 1,
		.epoch = epoch,
		.partitions = &a,
		.partitions_n = 1,
		.renew = type == 4};
	const struct share_fetch_reply *r = env_fetched(v, env_ack(v, &q));

	assert_int_equal(r->error, 0);
	return env_part(r, v->topics[t], p)->error;
}

/* ---- answers ---- */

const struct share_effect *env_reply(const struct env *v, uint64_t token)
{
	const struct share_effect *found = NULL;

	for (uint32_t i = 0; i < v->fx.n; i++) {
		if (v->fx.v[i].type != SHARE_FX_REPLY || v->fx.v[i].token != token)
			continue;
		assert_null(found);
		found = &v->fx.v[i];
	}
	return found;
}

const struct share_fetch_reply *env_fetched(const struct env *v, uint64_t token)
{
	const struct share_effect *fx = env_reply(v, token);

	assert_non_null(fx);
	return &fx->u.fetch;
}

const struct share_fetch_partition_reply *env_part(
	const struct share_fetch_reply *r, struct uuid topic, int32_t partition)
{
	const struct share_fetch_partition_reply *found = NULL;

	for (uint32_t i = 0; i < r->partitions_n; i++) {
		if (!uuid_eq(r->partitions[i].topic_id, topic) || r->partitions[i].partition != partition)
			continue;
		assert_null(found);
		found = &r->partitions[i];
	}
	return found;
}

uint32_t env_changes(const struct env *v)
{
	uint32_t n = 0;

	while (env_change(v, n))
		n++;
	return n;
}

const struct share_change *env_change(const struct env *v, uint32_t i)
{
	for (uint32_t k = 0; k < v->fx.n; k++) {
		if (v->fx.v[k].type == SHARE_FX_PERSIST && i-- == 0)
			return &v->fx.v[k].u.change;
	}
	return NULL;
}
