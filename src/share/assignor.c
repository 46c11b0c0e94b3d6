/* SPDX-License-Identifier: Apache-2.0 */
/* The "simple" assignor: spreads partitions and members evenly over each other and keeps what members have where that
 * is even.
 *
 * Every partition gets ceil(members / partitions) members; with fewer members than partitions that is one. Members that
 * subscribe to the same topics are served in one round over all of them, otherwise there is a round for each topic over
 * its subscribers. */
#include <stdlib.h>

#include "engine.h"

/* One round: which of the partitions each of the members has. */
struct assignor_round {
	struct share_topic_partition *partitions;
	uint32_t partitions_n;
	struct share_member **members;
	uint32_t members_n;
	uint8_t *has;      /* a bit for each (member, partition) */
	uint32_t *wanted;  /* by member */
	uint32_t *count;   /* by member */
	uint32_t *sharers; /* by partition */
	uint32_t sharing;
};

static size_t bit_of(const struct assignor_round *r, uint32_t m, uint32_t p)
{
	return (size_t)m * r->partitions_n + p;
}

static bool round_has(const struct assignor_round *r, uint32_t m, uint32_t p)
{
	size_t i = bit_of(r, m, p);

	return (r->has[i / 8] >> (i % 8)) & 1;
}

static void round_give(struct assignor_round *r, uint32_t m, uint32_t p)
{
	size_t i = bit_of(r, m, p);

	r->has[i / 8] = (uint8_t)(r->has[i / 8] | 1 << (i % 8));
	r->count[m]++;
	r->sharers[p]++;
}

static void round_take(struct assignor_round *r, uint32_t m, uint32_t p)
{
	size_t i = bit_of(r, m, p);

	r->has[i / 8] = (uint8_t)(r->has[i / 8] & ~(1 << (i % 8)));
	r->count[m]--;
	r->sharers[p]--;
}

/* How many partitions each member should have: sharing * partitions in all, spread as evenly as whole numbers allow. */
static void round_quotas(struct assignor_round *r)
{
	uint64_t places, m = r->members_n;

	r->sharing = (uint32_t)((m + r->partitions_n - 1) / r->partitions_n);
	places = (uint64_t)r->sharing * r->partitions_n;
	for (uint64_t i = 0; i < m; i++)
		r->wanted[i] = (uint32_t)((places * (i + 1) + m - 1) / m - (places * i + m - 1) / m);
}

/* What members had before and may still have. */
static void round_keep(struct assignor_round *r)
{
	for (uint32_t i = 0; i < r->members_n; i++) {
		const struct share_member *m = r->members[i];

		for (uint32_t j = 0; j < m->target_n; j++) {
			struct share_topic_partition *p = bsearch(
				&m->target[j], r->partitions, r->partitions_n, sizeof(*p), share_topic_partition_cmp);

			if (p)
				round_give(r, i, (uint32_t)(p - r->partitions));
		}
	}
}

static void round_trim_members(struct assignor_round *r)
{
	for (uint32_t i = 0; i < r->members_n; i++) {
		for (uint32_t p = r->partitions_n; p > 0 && r->count[i] > r->wanted[i]; p--) {
			if (round_has(r, i, p - 1))
				round_take(r, i, p - 1);
		}
	}
}

static void round_trim_partitions(struct assignor_round *r)
{
	for (uint32_t p = 0; p < r->partitions_n; p++) {
		for (uint32_t i = r->members_n; i > 0 && r->sharers[p] > r->sharing; i--) {
			if (round_has(r, i - 1, p))
				round_take(r, i - 1, p);
		}
	}
}

/* Deals partitions with too few members out to members with too few partitions, one each in turn. */
static void round_deal(struct assignor_round *r)
{
	uint32_t *ring = mem_zalloc(r->members_n + 1, sizeof(*ring)), n = 0, at = 0;

	for (uint32_t i = 0; i < r->members_n; i++) {
		if (r->count[i] < r->wanted[i])
			ring[n++] = i;
	}
	for (uint32_t p = 0; p < r->partitions_n && n; p++) {
		for (uint32_t tried = 0; r->sharers[p] < r->sharing && n && tried < n;) {
			uint32_t m = ring[at % n];

			if (round_has(r, m, p)) {
				at++;
				tried++;
				continue;
			}
			round_give(r, m, p);
			tried = 0;
			if (r->count[m] == r->wanted[m]) { /* keeps the others' order */
				uint32_t i = at % n;

				memmove(&ring[i], &ring[i + 1], (n - i - 1) * sizeof(*ring));
				n--;
				at = i;
			} else {
				at++;
			}
		}
	}
	mem_free(ring);
}

/* Result of the rounds for one member, collected before anything is replaced. */
struct assignor_result {
	struct share_topic_partition *v;
	uint32_t n, cap;
};

static void round_run(struct assignor_round *r, struct assignor_result *results, const uint32_t *index)
{
	if (!r->partitions_n || !r->members_n)
		return;
	r->has = mem_zalloc((size_t)r->members_n * r->partitions_n / 8 + 1, 1);
	r->wanted = mem_zalloc(r->members_n, sizeof(*r->wanted));
	r->count = mem_zalloc(r->members_n, sizeof(*r->count));
	r->sharers = mem_zalloc(r->partitions_n, sizeof(*r->sharers));
	round_quotas(r);
	round_keep(r);
	round_trim_members(r);
	round_trim_partitions(r);
	round_deal(r);
	for (uint32_t i = 0; i < r->members_n; i++) {
		struct assignor_result *res = &results[index[i]];

		for (uint32_t p = 0; p < r->partitions_n; p++) {
			if (!round_has(r, i, p))
				continue;
			res->v = share_grow(res->v, &res->cap, res->n + 1, sizeof(*res->v));
			res->v[res->n++] = r->partitions[p];
		}
	}
	mem_free(r->has);
	mem_free(r->wanted);
	mem_free(r->count);
	mem_free(r->sharers);
}

/* Appends the topic's partitions that have a start offset. */
static void round_add_topic(struct assignor_round *r, uint32_t *cap, struct share_group *g, const struct share_topic *t)
{
	for (int32_t i = 0; t && i < t->partitions; i++) {
		const struct share_partition *sp = share_partition_find(g, t->id, i);

		if (!sp || sp->phase != SHARE_PARTITION_READY)
			continue;
		r->partitions = share_grow(r->partitions, cap, r->partitions_n + 1, sizeof(*r->partitions));
		r->partitions[r->partitions_n++] = (struct share_topic_partition){t->id, i};
	}
}

static bool subscribes(const struct share_member *m, const struct share_subscription *sub)
{
	for (uint32_t i = 0; i < m->subs_n; i++) {
		if (m->subs[i] == sub)
			return true;
	}
	return false;
}

static bool all_subscribe_alike(const struct share_group *g, struct share_member *const *members)
{
	for (uint32_t i = 1; i < g->members_n; i++) {
		if (members[i]->subs_n != members[0]->subs_n)
			return false;
		for (uint32_t j = 0; j < members[0]->subs_n; j++) {
			if (members[i]->subs[j] != members[0]->subs[j])
				return false;
		}
	}
	return true;
}

static void run_alike(struct share_group *g, struct share_member **members, struct assignor_result *results)
{
	struct assignor_round r = {.members = members, .members_n = g->members_n};
	uint32_t *index = mem_zalloc(g->members_n, sizeof(*index)), cap = 0;

	for (uint32_t i = 0; i < g->members_n; i++)
		index[i] = i;
	for (uint32_t i = 0; i < members[0]->subs_n; i++)
		round_add_topic(&r, &cap, g, members[0]->subs[i]->name->topic);
	if (r.partitions_n)
		qsort(r.partitions, r.partitions_n, sizeof(*r.partitions), share_topic_partition_cmp);
	round_run(&r, results, index);
	mem_free(r.partitions);
	mem_free(index);
}

static void run_by_topic(struct share_group *g, struct share_member **members, struct assignor_result *results)
{
	uint32_t *index = mem_zalloc(g->members_n, sizeof(*index));
	struct share_member **some = mem_zalloc(g->members_n, sizeof(struct share_member *));
	struct share_subscription *sub;

	RB_FOREACH(sub, share_subscription_tree, &g->subs)
	{
		struct assignor_round r = {.members = some};
		uint32_t cap = 0;

		for (uint32_t i = 0; i < g->members_n; i++) {
			if (!subscribes(members[i], sub))
				continue;
			index[r.members_n] = i;
			some[r.members_n++] = members[i];
		}
		round_add_topic(&r, &cap, g, sub->name->topic);
		round_run(&r, results, index);
		mem_free(r.partitions);
	}
	mem_free(some);
	mem_free(index);
}

/* Computes the target of every member anew. */
void share_assignor_run(struct share_group *g)
{
	struct share_member **members = mem_zalloc(g->members_n + 1, sizeof(struct share_member *)), *m;
	struct assignor_result *results = mem_zalloc(g->members_n + 1, sizeof(*results));
	uint32_t n = 0;

	RB_FOREACH(m, share_member_tree, &g->members)
	members[n++] = m;
	if (n && all_subscribe_alike(g, members))
		run_alike(g, members, results);
	else if (n)
		run_by_topic(g, members, results);
	for (uint32_t i = 0; i < n; i++) {
		if (results[i].n)
			qsort(results[i].v, results[i].n, sizeof(*results[i].v), share_topic_partition_cmp);
		mem_free(members[i]->target);
		members[i]->target = results[i].v;
		members[i]->target_n = results[i].n;
	}
	mem_free(results);
	mem_free(members);
}
