/* SPDX-License-Identifier: Apache-2.0 */
/* Stable offsets are committed to the cluster here, and what other groups have there is respected.
 *
 *   change -> dirty -> (interval) op TRAIL: OffsetFetch, all marked? -> start offsets of the engine -> (durable) ->
 * OffsetCommit
 *   request -> op CHECK, COMMIT, DELETE_...: OffsetFetch, all marked? -> commit or delete -> callback -> engine
 *
 * The operations of a group are a queue: none overtakes another. */
#include "base/arena.h"
#include "base/assert.h"
#include "base/mem.h"
#include "proxy/mirror_priv.h"
#include "wire/kafka_errors.h"

/* Groups that are mirrored at the same time. */
#define TRAILS_MAX 64
#define COMMIT_ARENA_BYTES ((size_t)64 * 1024 * 1024)

static void pump_soon(struct mirror *m)
{
	if (!timer_is_set(&m->pump))
		timer_set(&m->pump, loop_now(m->sv->loop));
}

static bool group_is_ours(const struct mirror_group *g)
{
	return share_group_state_name(g->m->sv->engine, g->id) != NULL;
}

/* ---- operations ---- */

static void op_add(struct mirror_group *g, enum mirror_op_type type, const struct mirror_offset *v, uint32_t n,
	mirror_cb cb, void *arg)
{
	struct mirror_op *op = mem_zalloc(1, sizeof(*op));

	op->type = type;
	op->v = mem_zalloc((size_t)n + 1, sizeof(*op->v));
	if (n)
		memcpy(op->v, v, n * sizeof(*v));
	op->n = n;
	op->cb = cb;
	op->arg = arg;
	TAILQ_INSERT_TAIL(&g->ops, op, link);
	pump_soon(g->m);
}

/* The first operation is over; its user may go on at once, and the next one begins behind that. */
static void op_end(struct mirror_group *g, int16_t error)
{
	struct mirror *m = g->m;
	struct mirror_op *op = TAILQ_FIRST(&g->ops);

	TAILQ_REMOVE(&g->ops, op, link);
	if (op->type == MIRROR_TRAIL) {
		g->trailing = false;
		m->trails--;
	}
	for (uint32_t merged = op->merged;; merged--) {
		if (op->cb)
			op->cb(op->arg, error);
		mirror_op_free(op);
		if (!merged)
			break;
		op = TAILQ_FIRST(&g->ops);
		TAILQ_REMOVE(&g->ops, op, link);
	}
	g->running = false;
	if (g->lost) {
		while ((op = TAILQ_FIRST(&g->ops))) {
			TAILQ_REMOVE(&g->ops, op, link);
			if (op->cb)
				op->cb(op->arg, KAFKA_ERR_NOT_COORDINATOR);
			else
				m->trails--;
			mirror_op_free(op);
		}
		mirror_group_free(g);
	} else if (TAILQ_EMPTY(&g->ops) && !group_is_ours(g)) {
		mirror_group_free(g);
	}
	pump_soon(m);
}

/* The cluster did not do what was asked. */
static void op_failed(struct mirror_group *g, const char *what, int16_t error)
{
	struct mirror *m = g->m;

	m->errors++;
	g->dirty = true;
	if (!m->failing)
		log_warn(loop_log(m->sv->loop), NULL,
			"%s of group %.*s on the cluster failed: %s; it is tried again (sluice's principal needs READ, "
			"DESCRIBE and DELETE on its groups)",
			what, (int)g->id.n, g->id.p, kafka_error_name(error));
	m->failing = true;
	op_end(g, KAFKA_ERR_COORDINATOR_NOT_AVAILABLE);
}

/* The id is used by somebody else on the cluster. A share group that is there already goes on without its shadow. */
static void group_foreign(struct mirror_group *g, const char *why)
{
	struct mirror *m = g->m;

	if (!group_is_ours(g)) {
		op_end(g, KAFKA_ERR_GROUP_ID_NOT_FOUND);
		return;
	}
	if (!g->stopped) {
		g->stopped = true;
		m->stopped++;
		log_error(loop_log(m->sv->loop), NULL,
			"the stable offsets of share group %.*s are not mirrored any more: %s; give that consumer "
			"another group id "
			"and delete the cluster's group %.*s, then start sluice again",
			(int)g->id.n, g->id.p, why, (int)g->id.n, g->id.p);
	}
	op_end(g, KAFKA_ERR_NONE);
}

static bool error_means_members(int16_t error)
{
	return error == KAFKA_ERR_UNKNOWN_MEMBER_ID || error == KAFKA_ERR_ILLEGAL_GENERATION ||
	       error == KAFKA_ERR_REBALANCE_IN_PROGRESS || error == KAFKA_ERR_STALE_MEMBER_EPOCH ||
	       error == KAFKA_ERR_NON_EMPTY_GROUP || error == KAFKA_ERR_GROUP_SUBSCRIBED_TO_TOPIC;
}

/* ---- committing ---- */

static void commit_cb(void *arg, int16_t error, struct str message)
{
	struct mirror_group *g = arg;
	struct mirror_op *op = TAILQ_FIRST(&g->ops);

	(void)message;
	if (error_means_members(error)) {
		group_foreign(g, "a consumer has joined the cluster's group of that id");
		return;
	}
	if (error) {
		op_failed(g, "committing the stable offsets", error);
		return;
	}
	for (uint32_t i = 0; i < op->n; i++)
		(void)mirror_seen_set(g, op->v[i].topic_id, op->v[i].partition, op->v[i].offset);
	g->m->commits++;
	g->m->failing = false;
	if (op->all)
		g->all_at = loop_now(g->m->sv->loop);
	op_end(g, KAFKA_ERR_NONE);
}

/* Sends what the first operation has left to commit. */
static void op_commit(struct mirror_group *g)
{
	struct service *sv = g->m->sv;
	struct mirror_op *op = TAILQ_FIRST(&g->ops);
	struct cluster_offset *v;
	uint32_t n = 0;
	struct arena a;
	char mark[MIRROR_MARK_MAX];

	arena_init(&a, COMMIT_ARENA_BYTES);
	v = arena_zalloc(&a, op->n, sizeof(*v));
	for (uint32_t i = 0; v && i < op->n; i++) {
		const struct cluster_topic *t = cluster_find_topic_id(sv->cluster, op->v[i].topic_id);

		if (!t)
			continue;
		mirror_mark_write(mark, op->v[i].topic_id, state_store_epoch(sv->store, g->state_partition),
			state_store_topic_id(sv->store));
		op->v[n] = op->v[i];
		v[n++] = (struct cluster_offset){t->name, op->v[i].partition, op->v[i].offset,
			{arena_copy_string(&a, str_of(mark)), strlen(mark)}};
	}
	op->n = n;
	if (n)
		cluster_commit_offsets(sv->cluster, g->id, v, n, commit_cb, g);
	else
		op_end(g, KAFKA_ERR_NONE);
	arena_release(&a);
}

/* The start offsets that differ from what is mirrored (or all of them, from time to time). */
static void trail_gather(struct mirror_group *g, struct mirror_op *op)
{
	struct service *sv = g->m->sv;
	struct share_event ev = {.type = SHARE_EV_DESCRIBE_OFFSETS, .state_partition = g->state_partition};
	const struct share_offsets_reply *rp;

	op->all = !g->all_at || loop_now(sv->loop) - g->all_at >= mirror_refresh_ms(g->m);
	ev.u.group.group_id = g->id;
	rp = &service_ask(sv, &ev)->u.offsets;
	mem_free(op->v);
	op->v = mem_zalloc((size_t)rp->partitions_n + 1, sizeof(*op->v));
	for (uint32_t i = 0; i < rp->partitions_n; i++) {
		const struct share_offset_reply *p = &rp->partitions[i];
		const struct mirror_seen *s = mirror_seen_find(g, p->topic_id, p->partition);

		if (p->start_offset >= 0 && (op->all || !s || s->offset != p->start_offset))
			op->v[op->n++] = (struct mirror_offset){p->topic_id, p->partition, p->start_offset};
	}
	op->seq = state_store_awaited(sv->store, g->state_partition);
}

static void op_trail(struct mirror_group *g, struct mirror_op *op)
{
	struct service *sv = g->m->sv;

	if (sv->stopping || !state_store_is_loaded(sv->store, g->state_partition)) {
		op_end(g, KAFKA_ERR_NOT_COORDINATOR);
		return;
	}
	g->dirty = false;
	trail_gather(g, op);
	if (state_store_durable(sv->store, g->state_partition) >= op->seq) {
		op_commit(g);
		return;
	}
	g->waiting = true;
	TAILQ_INSERT_TAIL(&g->m->waiting, g, wait_link);
}

/* ---- deleting ---- */

static void delete_cb(void *arg, int16_t error, struct str message)
{
	struct mirror_group *g = arg;

	(void)message;
	if (error_means_members(error)) {
		group_foreign(g, "a consumer has joined the cluster's group of that id");
	} else if (error && error != KAFKA_ERR_GROUP_ID_NOT_FOUND && error != KAFKA_ERR_UNKNOWN_TOPIC_OR_PARTITION) {
		op_failed(g, "deleting the mirrored offsets", error);
	} else {
		mirror_seen_clear(g);
		g->all_at = 0;
		op_end(g, KAFKA_ERR_NONE);
	}
}

static bool op_has_topic(const struct mirror_op *op, struct uuid topic_id)
{
	for (uint32_t i = 0; i < op->n; i++) {
		if (uuid_eq(op->v[i].topic_id, topic_id))
			return true;
	}
	return false;
}

static void op_delete_topics(struct mirror_group *g, const struct mirror_op *op)
{
	struct cluster *c = g->m->sv->cluster;
	struct cluster_offset *v = mem_zalloc((size_t)HASH_COUNT(g->seen) + 1, sizeof(*v));
	struct mirror_seen *s, *tmp;
	uint32_t n = 0;

	HASH_ITER(hh, g->seen, s, tmp)
	{
		const struct cluster_topic *t = cluster_find_topic_id(c, s->key.topic_id);

		if (t && op_has_topic(op, s->key.topic_id))
			v[n++] = (struct cluster_offset){t->name, s->key.partition, s->offset, STR_NULL};
	}
	if (n)
		cluster_delete_offsets(c, g->id, v, n, delete_cb, g);
	else
		op_end(g, KAFKA_ERR_NONE);
	mem_free(v);
}

/* ---- whose group is it ---- */

/* It is our shadow, or there is none: what was asked for is done. */
static void op_go(struct mirror_group *g)
{
	struct mirror_op *op = TAILQ_FIRST(&g->ops);
	uint32_t n = 0;

	switch (op->type) {
	case MIRROR_CHECK:
		op_end(g, KAFKA_ERR_NONE);
		break;
	case MIRROR_TRAIL:
		op_trail(g, op);
		break;
	case MIRROR_COMMIT:
		for (uint32_t i = 0; i < op->n; i++) {
			const struct mirror_seen *s = mirror_seen_find(g, op->v[i].topic_id, op->v[i].partition);

			if (!s || s->offset > op->v[i].offset)
				op->v[n++] = op->v[i];
		}
		op->n = n;
		op_commit(g);
		break;
	case MIRROR_DELETE_TOPICS:
		op_delete_topics(g, op);
		break;
	case MIRROR_DELETE_GROUP:
		cluster_delete_group(g->m->sv->cluster, g->id, delete_cb, g);
		break;
	}
}

static void described(
	struct mirror_group *g, enum cluster_group_type type, int16_t error, const struct cluster_group *found);

static void classic_cb(void *arg, int16_t error, const struct cluster_group *found)
{
	described(arg, CLUSTER_GROUP_CLASSIC, error, found);
}

static void consumer_cb(void *arg, int16_t error, const struct cluster_group *found)
{
	described(arg, CLUSTER_GROUP_CONSUMER, error, found);
}

static void streams_cb(void *arg, int16_t error, const struct cluster_group *found)
{
	described(arg, CLUSTER_GROUP_STREAMS, error, found);
}

/* A group with members is somebody's, and so is one without offsets that had some. */
static void described(
	struct mirror_group *g, enum cluster_group_type type, int16_t error, const struct cluster_group *found)
{
	struct cluster *c = g->m->sv->cluster;

	if (g->lost)
		op_end(g, KAFKA_ERR_NOT_COORDINATOR);
	else if (error)
		op_failed(g, "describing", error);
	else if (found->members || (found->exists && found->has_protocol && !g->has_offsets))
		group_foreign(g, "the cluster has an ordinary group of that id");
	else if (type == CLUSTER_GROUP_CLASSIC)
		cluster_describe_group(c, g->id, CLUSTER_GROUP_CONSUMER, consumer_cb, g);
	else if (type == CLUSTER_GROUP_CONSUMER)
		cluster_describe_group(c, g->id, CLUSTER_GROUP_STREAMS, streams_cb, g);
	else {
		g->checked = true;
		op_go(g);
	}
}

static void fetched_cb(void *arg, int16_t error, const struct cluster_offset *v, uint32_t n)
{
	struct mirror_group *g = arg;
	struct cluster *c = g->m->sv->cluster;
	const struct uuid log_id = state_store_topic_id(g->m->sv->store);

	if (g->lost || error) {
		if (g->lost)
			op_end(g, KAFKA_ERR_NOT_COORDINATOR);
		else
			op_failed(g, "reading the offsets", error);
		return;
	}
	mirror_seen_clear(g);
	g->has_offsets = n > 0;
	for (uint32_t i = 0; i < n; i++) {
		const struct cluster_topic *t = cluster_find_topic(c, v[i].topic);
		bool same = false, other_log = false;

		if (!mirror_mark_is_ours(v[i].metadata, t ? t->id : (struct uuid){{0}}, log_id, &same, &other_log)) {
			group_foreign(g, "the cluster's group of that id has offsets that sluice did not commit");
			return;
		}
		if (t && same)
			mirror_seen_set(g, t->id, v[i].partition, v[i].offset)->is_other_log = other_log;
	}
	if (g->checked)
		op_go(g);
	else
		cluster_describe_group(c, g->id, CLUSTER_GROUP_CLASSIC, classic_cb, g);
}

/* Commits that wait one behind the other go out as one: a new topic has many partitions. */
static void op_merge(struct mirror_op *op)
{
	struct mirror_op *o;
	size_t n = op->n;

	for (o = TAILQ_NEXT(op, link); o && o->type == MIRROR_COMMIT; o = TAILQ_NEXT(o, link))
		n += o->n;
	op->v = mem_resize(op->v, n + 1, sizeof(*op->v));
	for (o = TAILQ_NEXT(op, link); o && o->type == MIRROR_COMMIT; o = TAILQ_NEXT(o, link)) {
		memcpy(op->v + op->n, o->v, o->n * sizeof(*o->v));
		op->n += o->n;
		op->merged++;
	}
}

static void group_run(struct mirror_group *g)
{
	struct mirror_op *op = TAILQ_FIRST(&g->ops);

	if (op->type == MIRROR_COMMIT)
		op_merge(op);
	g->running = true;
	if (g->stopped || (op->type == MIRROR_CHECK && group_is_ours(g)))
		op_end(g, KAFKA_ERR_NONE);
	else
		cluster_fetch_offsets(g->m->sv->cluster, g->id, fetched_cb, g);
}

/* ---- when ---- */

static void pump_cb(void *arg)
{
	struct mirror *m = arg;
	struct mirror_group *g, *tmp;

	HASH_ITER(hh, m->groups, g, tmp)
	{
		if (!g->running && !TAILQ_EMPTY(&g->ops))
			group_run(g);
	}
}

static void tick_cb(void *arg)
{
	struct mirror *m = arg;
	int64_t now = loop_now(m->sv->loop);
	struct mirror_group *g, *tmp;

	timer_set(&m->tick, now + m->sv->cfg->stable_offset_commit_interval_ms);
	mirror_refresh_ask(m);
	HASH_ITER(hh, m->groups, g, tmp)
	{
		bool due = g->dirty || now - g->all_at >= mirror_refresh_ms(g->m);

		if (!due || g->trailing || g->stopped || m->trails >= TRAILS_MAX || m->sv->stopping)
			continue;
		/* To the end of the table: those that find no place now are the first next time. */
		HASH_DEL(m->groups, g);
		HASH_ADD_KEYPTR(hh, m->groups, g->id.p, g->id.n, g);
		g->trailing = true;
		m->trails++;
		op_add(g, MIRROR_TRAIL, NULL, 0, NULL, NULL);
	}
}

/* ---- what others see ---- */

struct mirror *mirror_new(struct service *sv)
{
	struct mirror *m = mem_zalloc(1, sizeof(*m));

	m->sv = sv;
	TAILQ_INIT(&m->lost);
	TAILQ_INIT(&m->waiting);
	timer_init(&m->tick, sv->loop, tick_cb, m);
	timer_init(&m->pump, sv->loop, pump_cb, m);
	if (mirror_is_on(m))
		timer_set(&m->tick, loop_now(sv->loop) + sv->cfg->stable_offset_commit_interval_ms);
	return m;
}

void mirror_free(struct mirror *m)
{
	struct mirror_group *g, *tmp;

	timer_clear(&m->tick);
	timer_clear(&m->pump);
	HASH_ITER(hh, m->groups, g, tmp)
	mirror_group_free(g);
	while ((g = TAILQ_FIRST(&m->lost)))
		mirror_group_free(g);
	mem_free(m);
}

bool mirror_is_on(const struct mirror *m)
{
	return m->sv->cfg->stable_offset_commit_interval_ms > 0;
}

void mirror_check(struct mirror *m, struct str group_id, mirror_cb cb, void *arg)
{
	op_add(mirror_group_get(m, group_id), MIRROR_CHECK, NULL, 0, cb, arg);
}

void mirror_commit(
	struct mirror *m, struct str group_id, const struct mirror_offset *v, uint32_t n, mirror_cb cb, void *arg)
{
	op_add(mirror_group_get(m, group_id), MIRROR_COMMIT, v, n, cb, arg);
}

void mirror_delete_topics(
	struct mirror *m, struct str group_id, const struct mirror_offset *v, uint32_t n, mirror_cb cb, void *arg)
{
	op_add(mirror_group_get(m, group_id), MIRROR_DELETE_TOPICS, v, n, cb, arg);
}

void mirror_delete_group(struct mirror *m, struct str group_id, mirror_cb cb, void *arg)
{
	op_add(mirror_group_get(m, group_id), MIRROR_DELETE_GROUP, NULL, 0, cb, arg);
}

int64_t mirror_find(struct mirror *m, struct str group_id, struct uuid topic_id, int32_t partition, bool *ret_has_topic)
{
	struct mirror_group *g = mirror_group_find(m, group_id);
	struct mirror_seen *s = g ? mirror_seen_find(g, topic_id, partition) : NULL, *tmp;
	int64_t offset = s ? s->offset : -1;

	*ret_has_topic = false;
	if (!g || g->stopped)
		return -1;
	HASH_ITER(hh, g->seen, s, tmp)
	*ret_has_topic = *ret_has_topic || uuid_eq(s->key.topic_id, topic_id);
	return offset;
}

bool mirror_is_orphan(struct mirror *m, struct str group_id)
{
	struct mirror_group *g = mirror_group_find(m, group_id);
	struct mirror_seen *s, *tmp;
	bool is = false;

	if (!g)
		return false;
	HASH_ITER(hh, g->seen, s, tmp)
	is = is || s->is_other_log;
	return is;
}

void mirror_tell_gone(struct mirror *m, struct str group_id)
{
	struct mirror_group *g = mirror_group_find(m, group_id);

	if (!g || g->told || !mirror_is_orphan(m, group_id))
		return;
	g->told = true;
	m->gone++;
	log_error(loop_log(m->sv->loop), NULL,
		"the state of share group %.*s is gone with the internal topic that it was in: the group goes on from "
		"its stable offsets on the cluster, so that records behind them may be delivered once more; if it had "
		"configs, set them again",
		(int)group_id.n, group_id.p);
}

void mirror_changed(struct mirror *m, int32_t state_partition, struct str group_id, const struct share_change *change)
{
	if (!mirror_is_on(m) || state_partition < 0)
		return;
	if (!change || change->type == SHARE_CHANGE_PARTITION ||
		(change->type == SHARE_CHANGE_RECORDS && change->u.partition.start_offset >= 0))
		mirror_group_get(m, group_id)->dirty = true;
}

void mirror_durable(struct mirror *m, int32_t state_partition)
{
	struct mirror_group *g, *next;

	for (g = TAILQ_FIRST(&m->waiting); g; g = next) {
		const struct mirror_op *op = TAILQ_FIRST(&g->ops);

		next = TAILQ_NEXT(g, wait_link);
		if (g->state_partition != state_partition ||
			state_store_durable(m->sv->store, state_partition) < op->seq)
			continue;
		TAILQ_REMOVE(&m->waiting, g, wait_link);
		g->waiting = false;
		op_commit(g);
	}
}

void mirror_lost(struct mirror *m, int32_t state_partition)
{
	struct mirror_group *g, *tmp;

	HASH_ITER(hh, m->groups, g, tmp)
	{
		if (g->state_partition != state_partition)
			continue;
		HASH_DEL(m->groups, g);
		g->lost = true;
		TAILQ_INSERT_TAIL(&m->lost, g, lost_link);
		if (g->waiting) {
			TAILQ_REMOVE(&m->waiting, g, wait_link);
			g->waiting = false;
			g->running = false;
		}
		if (g->running)
			continue;
		if (TAILQ_EMPTY(&g->ops))
			mirror_group_free(g);
		else
			op_end(g, KAFKA_ERR_NOT_COORDINATOR);
	}
}

void mirror_metrics(const struct mirror *m, proxy_metric_cb cb, void *arg)
{
	cb(arg, "sluice_stable_offset_commits_total", "Commits of stable offsets to the cluster.", "counter", "",
		(double)m->commits);
	cb(arg, "sluice_stable_offset_commit_errors_total", "Requests about mirrored offsets that failed.", "counter",
		"", (double)m->errors);
	cb(arg, "sluice_stable_offset_stopped_groups",
		"Share groups that are not mirrored since the cluster's group of that id is used by somebody else.",
		"gauge", "", (double)m->stopped);
	cb(arg, "sluice_stable_offset_refresh_seconds",
		"After how long stable offsets that do not change are committed again.", "gauge", "",
		(double)mirror_refresh_ms(m) / 1000);
	cb(arg, "sluice_state_gone_groups_total",
		"Share groups that went on from their stable offsets since their state was gone.", "counter", "",
		(double)m->gone);
}
