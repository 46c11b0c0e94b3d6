/* SPDX-License-Identifier: Apache-2.0 */
/* Memory and log must agree: what an engine holds is compared with a replay of the log here. */
#include "sim.h"
#include "statelog/format.h"
#include "statelog/replay.h"

struct exact {
	struct sluice *n;
	uint32_t groups;
};

static bool same_ranges(const struct share_partition_state *a, const struct share_partition_state *b)
{
	if (a->ranges_n != b->ranges_n || a->start_offset != b->start_offset)
		return false;
	for (uint32_t i = 0; i < a->ranges_n; i++) {
		if (a->ranges[i].first != b->ranges[i].first || a->ranges[i].last != b->ranges[i].last ||
			a->ranges[i].state != b->ranges[i].state ||
			a->ranges[i].delivery_count != b->ranges[i].delivery_count)
			return false;
	}
	return true;
}

static bool same_member(const struct share_member_state *a, const struct share_member_state *b)
{
	if (!str_eq(a->member_id, b->member_id) || a->member_epoch != b->member_epoch ||
		a->previous_epoch != b->previous_epoch || !str_eq(a->rack_id, b->rack_id) ||
		a->subscribed_n != b->subscribed_n || a->assigned_n != b->assigned_n)
		return false;
	for (uint32_t i = 0; i < a->assigned_n; i++) {
		const struct share_topic_partitions *x = &a->assigned[i], *y = &b->assigned[i];

		if (!uuid_eq(x->topic_id, y->topic_id) || x->partitions_n != y->partitions_n ||
			memcmp(x->partitions, y->partitions, x->partitions_n * sizeof(*x->partitions)) != 0)
			return false;
	}
	return true;
}

static void exact_cb(void *arg, const struct share_group_state *st)
{
	struct exact *x = arg;
	struct share_group_state mem;
	struct arena a;
	enum err err;

	x->groups++;
	arena_init(&a, 64u << 20);
	err = share_snapshot(x->n->e, st->group_id, &a, &mem);
	sim_check(x->n->s, err == ERR_OK);
	sim_check(x->n->s, mem.exists == st->exists && mem.group_epoch == st->group_epoch);
	sim_check(x->n->s, mem.assignment_epoch == st->assignment_epoch);
	sim_check(x->n->s, mem.configs_n == st->configs_n && mem.members_n == st->members_n);
	sim_check(x->n->s, mem.partitions_n == st->partitions_n);
	for (uint32_t i = 0; i < mem.members_n; i++)
		sim_check(x->n->s, same_member(&mem.members[i], &st->members[i]));
	for (uint32_t i = 0; i < mem.partitions_n; i++) {
		sim_check(x->n->s, uuid_eq(mem.partitions[i].topic_id, st->partitions[i].topic_id));
		sim_check(x->n->s, mem.partitions[i].partition == st->partitions[i].partition);
		sim_check(x->n->s, same_ranges(&mem.partitions[i], &st->partitions[i]));
	}
	arena_release(&a);
}

static void log_replay(struct sim *s, struct state_replay *rp)
{
	for (size_t i = 0; i < s->p.n; i++) {
		const struct chunk *c = s->p.v[i].bytes;
		struct batch_header h;
		struct state_batch b;
		const char *why;
		struct arena a;

		arena_init(&a, 2 * STATE_RECORD_MAX);
		sim_check(s, batch_header_read(c->data, c->size, &h) == BATCH_READY);
		sim_check(s, state_batch_read(c->data, &h, &a, &b) <= STATE_FOREIGN);
		sim_check(s, state_replay_batch(rp, &b, &why) != STATE_REPLAY_BROKEN);
		arena_release(&a);
	}
}

/* With nothing on its way (what is, is given some time), a replay of the log gives exactly what the engine has in mind.
 */
void sluice_check_exact(struct sluice *n)
{
	struct exact x = {n, 0};
	struct statelog_counts counts;
	struct state_replay *rp;
	uint32_t groups = 0;
	struct str id = STR_NULL;

	for (int i = 0; i < 50 && n->serving && n->flight && !sluice_is_paused(n); i++)
		sluice_step_log(n);
	if (!n->serving || n->flight || statelog_durable(n->l) != statelog_appended(n->l) ||
		statelog_get_state(n->l) != STATELOG_OWNED)
		return;
	statelog_get_counts(n->l, &counts);
	rp = state_replay_new(n->s->p.log_start);
	log_replay(n->s, rp);
	if (state_replay_epoch(rp) == counts.owner_epoch) {
		sim_check(n->s, state_replay_finish(rp) == NULL);
		state_replay_each(rp, exact_cb, &x);
		while (!str_is_null(id = share_next_group(n->e, 0, id)))
			groups++;
		sim_check(n->s, groups == x.groups);
		n->s->exact_checks++;
	}
	state_replay_free(rp);
}
