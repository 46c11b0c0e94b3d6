/* SPDX-License-Identifier: Apache-2.0 */
/* Every invariant of the engine is looked at here, by walking all of it. For tests. */
#include "engine.h"

static void check_range(const struct share_partition *sp, const struct share_range *r, const struct share_range *prev)
{
	sl_assert(r->first <= r->last);
	sl_assert(r->first == (prev ? prev->last + 1 : sp->start));
	sl_assert(!share_state_is_done(r->state) || r->count == 0);
	sl_assert(!share_state_is_done(r->state) || prev); /* a done prefix moves the start */
	if (r->state == SHARE_ACQUIRED) {
		sl_assert(r->count > 0);
		sl_assert(r->u.held.holder->sp == sp);
		sl_assert(r->u.held.holder->owner->g == sp->g);
	}
	/* neighbours that are alike are one range */
	sl_assert(!prev || prev->state != r->state || prev->count != r->count || r->state == SHARE_ACQUIRED);
}

static void check_holder(const struct share_engine *e, const struct share_holder *h, int64_t *held)
{
	const struct share_range *r;
	int64_t until = INT64_MIN;

	TAILQ_FOREACH(r, &h->ranges, u.held.link)
	{
		sl_assert(r->state == SHARE_ACQUIRED && r->u.held.holder == h);
		sl_assert(r->u.held.until >= until);
		until = r->u.held.until;
		*held += r->last - r->first + 1;
	}
	r = TAILQ_FIRST(&h->ranges);
	sl_assert((r != NULL) == (h->lock.slot != 0));
	sl_assert(!r || e->heap[h->lock.slot].at == r->u.held.until);
	sl_assert(r || h->owner->sessions); /* an empty holder without session was freed */
}

static void check_partition(const struct share_engine *e, struct share_partition *sp, struct share_counts *sum)
{
	struct share_range *r, *prev = NULL;
	const struct share_holder *h;
	int64_t held = 0, available = 0, done = 0, in_holders = 0;
	uint32_t n = 0, available_ranges = 0;

	RB_FOREACH(r, share_range_tree, &sp->ranges)
	{
		check_range(sp, r, prev);
		held += r->state == SHARE_ACQUIRED ? r->last - r->first + 1 : 0;
		available += r->state == SHARE_AVAILABLE ? r->last - r->first + 1 : 0;
		done += share_state_is_done(r->state) ? r->last - r->first + 1 : 0;
		prev = r;
		n++;
	}
	sl_assert(sp->end == (prev ? prev->last + 1 : sp->start));
	RB_FOREACH(r, share_available_tree, &sp->available)
	{
		sl_assert(r->state == SHARE_AVAILABLE);
		available -= r->last - r->first + 1;
		available_ranges++;
	}
	sl_assert(available == 0);
	LIST_FOREACH(h, &sp->holders, in_partition)
	check_holder(e, h, &in_holders);
	sl_assert(held == sp->held_n && held == in_holders && done == sp->done_n && n == sp->ranges_n);
	sl_assert(!sp->hot && !sp->dirty && !sp->notes_n && !sp->start_moved);
	sl_assert(sp->phase == SHARE_PARTITION_READY || n == 0);
	sl_assert(sp->stored || sp->phase != SHARE_PARTITION_READY);
	sl_assert(!sp->log || (sp->phase == SHARE_PARTITION_READY && !LIST_EMPTY(&sp->sessions)));
	sl_assert(sp->log || sp->phase != SHARE_PARTITION_READY || LIST_EMPTY(&sp->sessions));
	sum->share_partitions++;
	sum->held_records += (uint64_t)held;
	sum->available_records += (uint64_t)sp->available_n;
	sum->state_ranges += n;
	(void)available_ranges;
}

static void check_session(const struct share_engine *e, struct share_session *s, struct share_counts *sum)
{
	const struct share_session_partition *p;
	uint32_t n = 0, flagged = 0, denied = 0;

	TAILQ_FOREACH(p, &s->order, in_session)
	{
		sl_assert(!p->denied || !p->sp);
		denied += p->denied;
		sl_assert(p->s == s && p->answer == 0);
		sl_assert(p->waiting == (s->waiting && p->sp));
		flagged += p->fresh || p->had_error ? 1 : 0;
		n++;
	}
	sl_assert(n == s->parts_n && flagged == s->flagged_n && denied == s->denied_n);
	sl_assert(s->waiting == (s->wait.slot != 0));
	sl_assert(!s->waiting || e->work <= 0 || e->heap[s->wait.slot].at > e->now);
	sl_assert(s->next_epoch > 0);
	sum->sessions++;
	sum->waiting_fetches += s->waiting ? 1 : 0;
}

static void check_group(const struct share_engine *e, struct share_group *g, struct share_counts *sum)
{
	struct share_member *m;
	struct share_session *s;
	struct share_partition *sp;
	uint32_t members = 0;

	sl_assert(g->exists || g->configs_n || !RB_EMPTY(&g->sps) || !RB_EMPTY(&g->sessions) || !RB_EMPTY(&g->owners));
	sl_assert(g->exists || g->members_n == 0);
	sl_assert(g->assignment_epoch <= g->group_epoch);
	sl_assert(g->group_epoch == g->stored_group_epoch && g->assignment_epoch == g->stored_assignment_epoch);
	RB_FOREACH(m, share_member_tree, &g->members)
	{
		sl_assert(m->session.slot && (e->work <= 0 || e->heap[m->session.slot].at > e->now));
		sl_assert(m->waiting == (m->wait.slot != 0) && !m->dirty);
		sum->waiting_heartbeats += m->waiting ? 1 : 0;
		members++;
	}
	sl_assert(members == g->members_n);
	RB_FOREACH(sp, share_partition_tree, &g->sps)
	check_partition(e, sp, sum);
	RB_FOREACH(s, share_session_tree, &g->sessions)
	check_session(e, s, sum);
	sum->groups += g->exists ? 1 : 0;
	sum->members += members;
}

static void check_logs(const struct share_engine *e, struct share_counts *sum)
{
	struct share_log *l;
	struct share_kept *k, *prev;
	struct share_partition *sp;
	uint32_t waiting;

	RB_FOREACH(l, share_log_tree, (struct share_log_tree *)(uintptr_t)&e->logs)
	{
		sl_assert(l->wants_n <= SHARE_LOG_WANTS_MAX && !l->hot);
		sl_assert(!RB_EMPTY(&l->sps) || l->wants_n);
		prev = NULL;
		RB_FOREACH(k, share_kept_tree, &l->kept)
		{
			sl_assert(k->cover_first <= k->base && k->base <= k->last);
			sl_assert(!prev || prev->last < k->cover_first);
			sum->kept_batches++;
			sum->kept_bytes += (int64_t)k->size;
			prev = k;
		}
		waiting = 0;
		RB_FOREACH(sp, share_log_partition_tree, &l->sps)
		waiting += TAILQ_EMPTY(&sp->waiters) ? 0 : 1;
		sl_assert(waiting == l->waiting);
	}
}

static void check_heap(const struct share_engine *e)
{
	for (uint32_t i = 1; i <= e->heap_n; i++) {
		sl_assert(e->heap[i].d->slot == i);
		sl_assert(i == 1 || e->heap[i / 2].at <= e->heap[i].at);
		sl_assert(e->work <= 0 || e->heap[i].at > e->now);
	}
}

void share_check(const struct share_engine *e)
{
	struct share_counts sum = {0};
	struct share_group *g;

	RB_FOREACH(g, share_group_tree, (struct share_group_tree *)(uintptr_t)&e->groups)
	check_group(e, g, &sum);
	sum.waiting_fetches += e->refusals_n;
	check_logs(e, &sum);
	check_heap(e);
	sl_assert(sum.groups == e->counts.groups && sum.members == e->counts.members &&
		  sum.sessions == e->counts.sessions);
	sl_assert(sum.share_partitions == e->counts.share_partitions);
	sl_assert(sum.waiting_fetches == e->counts.waiting_fetches &&
		  sum.waiting_heartbeats == e->counts.waiting_heartbeats);
	sl_assert(sum.held_records == e->counts.held_records && sum.available_records == e->counts.available_records);
	sl_assert(sum.state_ranges == e->counts.state_ranges);
	sl_assert(sum.kept_batches == e->counts.kept_batches && sum.kept_bytes == e->counts.kept_bytes);
	sl_assert(sum.kept_bytes <= e->cfg.read_ahead_max_bytes);
	sl_assert(TAILQ_EMPTY(&e->hot) && TAILQ_EMPTY(&e->dirty) && TAILQ_EMPTY(&e->hot_logs) && e->releases_n == 0);
}
