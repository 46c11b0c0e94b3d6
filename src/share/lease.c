/* SPDX-License-Identifier: Apache-2.0 */
/* Leases are kept here: whether the groups of a state partition may hand out records now. They come from the caller
 * several times a second for each state partition, so one that goes on costs no search. */
#include "engine.h"

static struct share_lease *lease_find(const struct share_engine *e, int32_t state_partition)
{
	sl_assert(state_partition >= 0);
	return (uint32_t)state_partition < e->leases_n ? e->leases[state_partition] : NULL;
}

static struct share_lease *lease_get(struct share_engine *e, int32_t state_partition)
{
	struct share_lease *l = lease_find(e, state_partition);
	uint32_t n = (uint32_t)state_partition + 1;

	if (l)
		return l;
	if (n > e->leases_n) {
		e->leases = share_grow(e->leases, &e->leases_cap, n, sizeof(struct share_lease *));
		memset(e->leases + e->leases_n, 0, (n - e->leases_n) * sizeof(struct share_lease *));
		e->leases_n = n;
	}
	l = mem_zalloc(1, sizeof(*l));
	l->state_partition = state_partition;
	e->leases[state_partition] = l;
	return l;
}

static bool lease_is_open(const struct share_lease *l, int64_t now)
{
	return !l->is_limited || (l->not_before <= now && now < l->until);
}

bool share_lease_is_open(const struct share_engine *e, int32_t state_partition)
{
	const struct share_lease *l = lease_find(e, state_partition);

	return !l || lease_is_open(l, e->now);
}

/* Whoever waits for records of these groups looks again. */
static void groups_heat(struct share_engine *e, int32_t state_partition)
{
	struct share_group *g = share_group_first(e, state_partition);
	struct share_partition *sp;

	for (; g && g->state_partition == state_partition; g = RB_NEXT(share_state_partition_tree, NULL, g)) {
		RB_FOREACH(sp, share_partition_tree, &g->sps)
		share_partition_heat(e, sp);
	}
}

void share_lease_event(struct share_engine *e, const struct share_event *ev)
{
	struct share_lease *l = lease_get(e, ev->u.lease.state_partition);
	bool was_open = lease_is_open(l, e->now);

	l->is_limited = true;
	l->not_before = ev->u.lease.not_before;
	l->until = ev->u.lease.until;
	if (l->not_before > e->now)
		share_deadline_set(e, &l->open, SHARE_DL_LEASE, l->not_before);
	else
		share_deadline_clear(e, &l->open);
	if (!was_open && lease_is_open(l, e->now))
		groups_heat(e, l->state_partition);
}

void share_lease_opens(struct share_engine *e, struct share_lease *l)
{
	if (lease_is_open(l, e->now))
		groups_heat(e, l->state_partition);
}

static void lease_free(struct share_engine *e, struct share_lease *l)
{
	if (!l)
		return;
	share_deadline_clear(e, &l->open);
	e->leases[l->state_partition] = NULL;
	mem_free(l);
}

void share_lease_lost(struct share_engine *e, int32_t state_partition)
{
	lease_free(e, lease_find(e, state_partition));
}

void share_leases_free(struct share_engine *e)
{
	for (uint32_t i = 0; i < e->leases_n; i++)
		lease_free(e, e->leases[i]);
	mem_free(e->leases);
}
