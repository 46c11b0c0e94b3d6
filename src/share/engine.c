/* SPDX-License-Identifier: Apache-2.0 */
/* The engine's frame: a step runs what is due, then the event, then everything that both made possible; effects are
 * collected here. */
#include "engine.h"

/* ---- effects ---- */

enum { EFFECTS_ARENA_MAX = 1 << 30 };

void share_effects_init(struct share_effects *fx)
{
	*fx = (struct share_effects){0};
	arena_init(&fx->arena, EFFECTS_ARENA_MAX);
}

void share_effects_clear(struct share_effects *fx)
{
	arena_release(&fx->arena);
	fx->n = 0;
}

void share_effects_release(struct share_effects *fx)
{
	arena_release(&fx->arena);
	mem_free(fx->v);
	*fx = (struct share_effects){0};
}

struct share_effect *share_emit(struct share_engine *e, enum share_effect_type type)
{
	struct share_effects *fx = e->fx;
	struct share_effect *v;

	fx->v = share_grow(fx->v, &fx->cap, fx->n + 1, sizeof(*fx->v));
	v = &fx->v[fx->n++];
	memset(v, 0, sizeof(*v));
	v->type = type;
	return v;
}

/* What the reply may depend on is written before it. */
struct share_effect *share_emit_reply(
	struct share_engine *e, enum share_event_type type, int32_t state_partition, uint64_t token)
{
	struct share_effect *fx;

	share_flush(e);
	fx = share_emit(e, SHARE_FX_REPLY);
	fx->reply_type = type;
	fx->state_partition = state_partition;
	fx->token = token;
	return fx;
}

/* What is put here is bounded by the engine's own limits, so having no room for it is a bug. */
void *share_fx_alloc(struct share_engine *e, size_t n, size_t size)
{
	void *p = arena_zalloc(&e->fx->arena, n, size);

	sl_assert(p != NULL);
	return p;
}

struct str share_fx_copy(struct share_engine *e, struct str s)
{
	char *p;

	if (!s.p)
		return s;
	p = arena_copy_string(&e->fx->arena, s);
	sl_assert(p != NULL);
	return (struct str){p, s.n};
}

struct str share_str_dup(struct str s)
{
	return s.p ? (struct str){mem_copy_string(s.p, s.n), s.n} : s;
}

void share_str_free(struct str *s)
{
	mem_free((void *)(uintptr_t)s->p);
	*s = STR_NULL;
}

void *share_grow(void *p, uint32_t *cap, uint32_t n, size_t size)
{
	if (n <= *cap)
		return p;
	*cap = n < 8 ? 8 : n + n / 2;
	return mem_resize(p, *cap, size);
}

void share_flush(struct share_engine *e)
{
	struct share_partition *sp;

	while ((sp = TAILQ_FIRST(&e->dirty))) {
		TAILQ_REMOVE(&e->dirty, sp, dirty_link);
		sp->dirty = false;
		share_partition_flush(e, sp);
	}
}

/* ---- life ---- */

struct share_engine *share_engine_new(const struct share_engine_config *cfg)
{
	struct share_engine *e = mem_zalloc(1, sizeof(*e));

	e->cfg = *cfg;
	e->now = INT64_MIN;
	RB_INIT(&e->groups);
	RB_INIT(&e->by_state_partition);
	RB_INIT(&e->topics);
	RB_INIT(&e->names);
	RB_INIT(&e->nodes);
	RB_INIT(&e->conns);
	RB_INIT(&e->waiting_conns);
	RB_INIT(&e->logs);
	TAILQ_INIT(&e->fresh);
	TAILQ_INIT(&e->used);
	LIST_INIT(&e->refusals);
	TAILQ_INIT(&e->hot);
	TAILQ_INIT(&e->dirty);
	TAILQ_INIT(&e->hot_logs);
	LIST_INIT(&e->idle_holders);
	LIST_INIT(&e->orphaned);
	return e;
}

static void engine_free_topics(struct share_engine *e)
{
	struct share_topic *t;

	while ((t = RB_MIN(share_topic_tree, &e->topics))) {
		t->partitions = 0;
		share_topic_put(e, t);
	}
	sl_assert(RB_EMPTY(&e->names));
}

static void engine_free_logs(struct share_engine *e)
{
	struct share_log *l;

	while ((l = RB_MIN(share_log_tree, &e->logs))) { /* those whose records are still to come */
		sl_assert(RB_EMPTY(&l->sps) && RB_EMPTY(&l->kept));
		share_deadline_clear(e, &l->retry);
		RB_REMOVE(share_log_tree, &e->logs, l);
		mem_free(l);
	}
}

void share_engine_free(struct share_engine *e, void (*release)(void *arg, void *batch_ref), void *arg)
{
	struct share_effects *fx;
	struct share_refusal *r;
	struct share_group *g;

	if (!e)
		return;
	fx = mem_zalloc(1, sizeof(*fx)); /* what nobody will read */
	share_effects_init(fx);
	e->fx = fx;
	e->releases_n = 0;
	while ((g = RB_MIN(share_group_tree, &e->groups))) {
		share_group_drop(e, g);
		share_effects_clear(fx);
	}
	while ((r = LIST_FIRST(&e->refusals))) {
		LIST_REMOVE(r, link);
		mem_free(r);
	}
	engine_free_topics(e);
	engine_free_logs(e);
	share_leases_free(e);
	sl_assert(RB_EMPTY(&e->nodes) && RB_EMPTY(&e->conns));
	for (uint32_t i = 0; release && i < e->releases_n; i++)
		release(arg, e->releases[i]);
	share_effects_release(fx);
	mem_free(fx);
	mem_free(e->heap);
	mem_free(e->releases);
	mem_free(e->acquired);
	mem_free(e->refs);
	mem_free(e->grabs);
	mem_free(e);
}

/* ---- time ---- */

#define OWNER_OF(d, type, member) ((type *)(void *)((char *)(d)-offsetof(type, member)))

static void member_deadline(struct share_engine *e, struct share_member *m)
{
	struct share_group *g = m->g;

	share_member_remove(e, m);
	share_heartbeat_resume(e, g);
	share_group_put(e, g);
}

static void heartbeat_deadline(struct share_engine *e, struct share_member *m)
{
	share_group_assign_if_due(e, m->g);
	share_heartbeat_answer(e, m);
}

static void assign_deadline(struct share_engine *e, struct share_group *g)
{
	share_group_assign_if_due(e, g);
	share_heartbeat_resume(e, g);
	share_group_persist(e, g);
}

static void deadline_run(struct share_engine *e, struct share_deadline *d)
{
	switch ((enum share_deadline_kind)d->kind) {
	case SHARE_DL_LOCK:
		share_partition_locks_expired(e, OWNER_OF(d, struct share_holder, lock), &e->work);
		break;
	case SHARE_DL_MEMBER:
		member_deadline(e, OWNER_OF(d, struct share_member, session));
		break;
	case SHARE_DL_HEARTBEAT:
		heartbeat_deadline(e, OWNER_OF(d, struct share_member, wait));
		break;
	case SHARE_DL_ASSIGN:
		assign_deadline(e, OWNER_OF(d, struct share_group, assign));
		break;
	case SHARE_DL_FETCH:
		share_fetch_expired(e, OWNER_OF(d, struct share_session, wait));
		break;
	case SHARE_DL_REFUSAL:
		share_fetch_refuse_expired(e, OWNER_OF(d, struct share_refusal, at));
		break;
	case SHARE_DL_RESOLVE:
		share_resolve_retry(e, OWNER_OF(d, struct share_partition, resolve));
		break;
	case SHARE_DL_LOG:
		share_log_heat(e, OWNER_OF(d, struct share_log, retry));
		break;
	case SHARE_DL_LEASE:
		share_lease_opens(e, OWNER_OF(d, struct share_lease, open));
		break;
	}
}

int64_t share_next_deadline(const struct share_engine *e)
{
	return share_deadline_next(e);
}

/* ---- steps ---- */

static void step_stop(struct share_engine *e)
{
	struct share_group *g;
	struct share_member *m;

	e->stopping = true;
	share_fetch_stop(e);
	RB_FOREACH(g, share_group_tree, &e->groups)
	{
		while ((m = TAILQ_FIRST(&g->waiting)))
			heartbeat_deadline(e, m);
	}
}

static void step_event(struct share_engine *e, const struct share_event *ev)
{
	switch (ev->type) {
	case SHARE_EV_TICK:
		break;
	case SHARE_EV_TOPIC:
		share_topic_event(e, ev->u.topic.topic_id, ev->u.topic.name, ev->u.topic.partitions);
		break;
	case SHARE_EV_TOPIC_GONE:
		share_topic_gone(e, ev->u.topic.topic_id);
		break;
	case SHARE_EV_LOG_START:
		share_log_start_told(e, ev);
		break;
	case SHARE_EV_HEARTBEAT:
		share_heartbeat(e, ev);
		break;
	case SHARE_EV_FETCH:
		share_fetch(e, ev);
		break;
	case SHARE_EV_ACKNOWLEDGE:
		share_acknowledge(e, ev);
		break;
	case SHARE_EV_DESCRIBE:
		share_admin_describe(e, ev);
		break;
	case SHARE_EV_DESCRIBE_OFFSETS:
		share_admin_offsets(e, ev);
		break;
	case SHARE_EV_ALTER_OFFSETS:
		share_admin_alter(e, ev);
		break;
	case SHARE_EV_DELETE_OFFSETS:
		share_admin_delete(e, ev);
		break;
	case SHARE_EV_DELETE_GROUP:
		share_admin_delete_group(e, ev);
		break;
	case SHARE_EV_ALTER_CONFIG:
		share_admin_config(e, ev);
		break;
	case SHARE_EV_RECORDS:
		share_log_records(e, ev);
		break;
	case SHARE_EV_OFFSET:
		share_resolve_answer(e, ev);
		break;
	case SHARE_EV_CONN_CLOSED:
		share_session_conn_closed(e, ev->u.conn_id);
		break;
	case SHARE_EV_STOP:
		step_stop(e);
		break;
	case SHARE_EV_STATE_LOST:
		share_group_state_lost(e, ev->u.state_partition);
		share_lease_lost(e, ev->u.state_partition);
		break;
	case SHARE_EV_LEASE:
		share_lease_event(e, ev);
		break;
	}
}

void share_serve_hot(struct share_engine *e)
{
	struct share_partition *sp;

	while ((sp = TAILQ_FIRST(&e->hot))) {
		TAILQ_REMOVE(&e->hot, sp, hot_link);
		sp->hot = false;
		share_fetch_serve(e, sp);
	}
}

static void step_end(struct share_engine *e)
{
	struct share_log *l;

	share_flush(e);
	share_holder_reap_idle(e);
	while ((l = TAILQ_FIRST(&e->hot_logs))) {
		TAILQ_REMOVE(&e->hot_logs, l, hot_link);
		l->hot = false;
		share_log_pump(e, l);
	}
	share_kept_evict(e);
	for (uint32_t i = 0; i < e->releases_n; i++)
		share_emit(e, SHARE_FX_RELEASE)->u.batch_ref = e->releases[i];
	e->releases_n = 0;
}

void share_apply(struct share_engine *e, const struct share_event *ev, struct share_now now, struct share_effects *fx)
{
	struct share_deadline *d;

	e->fx = fx;
	if (now.mono > e->now)
		e->now = now.mono;
	e->wall = now.wall;
	e->step++;
	e->work = e->cfg.step_work ? e->cfg.step_work : SHARE_STEP_WORK;
	while (e->work > 0 &&
		(d = share_deadline_pop(e, e->now))) { /* the rest stays due: the next step comes at once */
		deadline_run(e, d);
		e->work--; /* afterwards: each has something to spend */
	}
	share_serve_hot(e);
	share_flush(e);
	step_event(e, ev);
	share_flush(e);
	share_serve_hot(e);
	step_end(e);
	e->fx = NULL;
}

void share_get_counts(const struct share_engine *e, struct share_counts *ret)
{
	*ret = e->counts;
}
