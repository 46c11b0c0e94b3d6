/* SPDX-License-Identifier: Apache-2.0 */
/* The durable state of a group is written out here, as a replay of all its changes would give it. */
#include "engine.h"

static bool copy_into(struct arena *a, struct str s, struct str *ret)
{
	*ret = STR_NULL;
	if (!s.p)
		return true;
	ret->p = arena_copy_string(a, s);
	ret->n = s.n;
	return ret->p != NULL;
}

static bool snapshot_configs(const struct share_group *g, struct arena *a, struct share_group_state *st)
{
	struct share_config_entry *v = arena_zalloc(a, g->configs_n, sizeof(*v));

	if (!v)
		return false;
	for (uint32_t i = 0; i < g->configs_n; i++) {
		if (!copy_into(a, g->configs[i].name, &v[i].name) || !copy_into(a, g->configs[i].value, &v[i].value))
			return false;
	}
	st->configs = v;
	st->configs_n = g->configs_n;
	return true;
}

static bool snapshot_members(struct share_group *g, struct arena *a, struct share_group_state *st)
{
	struct share_member_state *v = arena_zalloc(a, g->members_n, sizeof(*v));
	struct share_member *m;
	uint32_t n = 0;

	if (!v)
		return false;
	RB_FOREACH(m, share_member_tree, &g->members)
	{
		if (!share_member_state_of(m, a, &v[n++]))
			return false;
	}
	st->members = v;
	st->members_n = n;
	return true;
}

static bool snapshot_partitions(struct share_group *g, struct arena *a, struct share_group_state *st)
{
	struct share_partition_state *v;
	struct share_partition *sp;
	uint32_t n = 0;

	RB_FOREACH(sp, share_partition_tree, &g->sps)
	n += sp->stored ? 1 : 0;
	v = arena_zalloc(a, n, sizeof(*v));
	if (!v)
		return false;
	n = 0;
	RB_FOREACH(sp, share_partition_tree, &g->sps)
	{
		if (!sp->stored)
			continue;
		v[n].topic_id = sp->topic->id;
		v[n].partition = sp->partition;
		v[n].start_offset = sp->phase == SHARE_PARTITION_READY ? sp->start : -1;
		if (!copy_into(a, sp->topic->name->name, &v[n].topic_name))
			return false;
		v[n].ranges = share_partition_ranges(sp, a, &v[n].ranges_n);
		if (!v[n].ranges)
			return false;
		n++;
	}
	st->partitions = v;
	st->partitions_n = n;
	return true;
}

enum err share_snapshot(
	const struct share_engine *e, struct str group_id, struct arena *a, struct share_group_state *ret)
{
	struct share_group *g = share_group_find(e, group_id);

	if (!g || (!g->exists && !g->configs_n))
		return ERR_NOT_FOUND;
	*ret = (struct share_group_state){.exists = g->exists};
	if (!copy_into(a, g->id, &ret->group_id) || !snapshot_configs(g, a, ret))
		return ERR_TOO_LARGE;
	if (!g->exists)
		return ERR_OK;
	ret->group_epoch = g->group_epoch;
	ret->assignment_epoch = g->assignment_epoch;
	if (!snapshot_members(g, a, ret) || !snapshot_partitions(g, a, ret))
		return ERR_TOO_LARGE;
	return ERR_OK;
}

struct str share_next_group(const struct share_engine *e, int32_t state_partition, struct str after)
{
	struct share_group *g = RB_ROOT(&e->by_state_partition), *best = NULL;

	while (g) {
		bool is_after = g->state_partition != state_partition ? g->state_partition > state_partition
				: after.p                             ? str_cmp(g->id, after) > 0
								      : true;

		if (is_after) {
			best = g;
			g = RB_LEFT(g, by_state_partition);
		} else {
			g = RB_RIGHT(g, by_state_partition);
		}
	}
	for (; best && best->state_partition == state_partition;
		best = RB_NEXT(share_state_partition_tree, NULL, best)) {
		if (best->exists || best->configs_n)
			return best->id;
	}
	return STR_NULL;
}
