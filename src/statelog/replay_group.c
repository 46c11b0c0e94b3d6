/* SPDX-License-Identifier: Apache-2.0 */
/* The state of one group is put together, changed and given out here while its log is replayed. */
#include "replay_group.h"

#include <stdlib.h>

#include "base/assert.h"

_Static_assert(sizeof(struct replay_partition_key) == 20, "hashed as bytes, so without padding");

struct replay_group *replay_group_new(struct str id)
{
	struct replay_group *g = mem_zalloc(1, sizeof(*g));

	g->id = mem_copy_string(id.p, id.n);
	g->id_n = id.n;
	return g;
}

static void item_free(struct replay_item **items, struct replay_item *it)
{
	HASH_DEL(*items, it);
	mem_free(it->key);
	mem_free(it->raw);
	mem_free(it);
}

static void items_free(struct replay_item **items)
{
	while (*items)
		item_free(items, *items);
}

void replay_item_put(struct replay_item **items, struct str key, struct bytes raw)
{
	struct replay_item *it;

	HASH_FIND(hh, *items, key.p, key.n, it);
	if (!it) {
		it = mem_zalloc(1, sizeof(*it));
		it->key = mem_copy_string(key.p, key.n);
		HASH_ADD_KEYPTR(hh, *items, it->key, key.n, it);
	}
	it->raw = mem_resize(it->raw, raw.n, 1);
	it->raw_n = raw.n;
	memcpy(it->raw, raw.p, raw.n);
}

void replay_item_drop(struct replay_item **items, struct str key)
{
	struct replay_item *it;

	HASH_FIND(hh, *items, key.p, key.n, it);
	if (it)
		item_free(items, it);
}

struct replay_partition *replay_partition_find(struct replay_group *g, const struct share_partition_state *p)
{
	struct replay_partition_key key = {p->topic_id, p->partition};
	struct replay_partition *rp;

	HASH_FIND(hh, g->partitions, &key, sizeof(key), rp);
	return rp;
}

struct replay_partition *replay_partition_add(struct replay_group *g, const struct share_partition_state *p)
{
	struct replay_partition *rp = mem_zalloc(1, sizeof(*rp));

	rp->key = (struct replay_partition_key){p->topic_id, p->partition};
	rp->group = g;
	HASH_ADD(hh, g->partitions, key, sizeof(rp->key), rp);
	return rp;
}

void replay_partition_drop(struct replay_partition *p, struct replay_partition **numbers)
{
	replay_partition_unnumber(p, numbers);
	HASH_DEL(p->group->partitions, p);
	state_ranges_clear(&p->ranges);
	mem_free(p->topic_name);
	mem_free(p);
}

void replay_partition_set(struct replay_partition *rp, const struct share_partition_state *p)
{
	state_ranges_clear(&rp->ranges);
	mem_free(rp->topic_name);
	rp->topic_name = mem_copy_string(p->topic_name.p, p->topic_name.n);
	rp->topic_name_n = p->topic_name.n;
	rp->start_offset = p->start_offset;
	replay_partition_lay(rp, p);
}

void replay_partition_lay(struct replay_partition *rp, const struct share_partition_state *p)
{
	if (p->start_offset >= 0) {
		rp->start_offset = p->start_offset;
		state_ranges_trim(&rp->ranges, p->start_offset);
	}
	for (uint32_t i = 0; i < p->ranges_n; i++) {
		struct share_state_range r = p->ranges[i];

		if (r.first < rp->start_offset)
			r.first = rp->start_offset;
		if (r.first <= r.last)
			state_ranges_set(&rp->ranges, &r);
	}
}

void replay_partition_number(struct replay_partition *p, struct replay_partition **numbers, uint32_t number)
{
	replay_partition_unnumber(p, numbers);
	p->number = number;
	HASH_ADD(hh_number, *numbers, number, sizeof(p->number), p);
}

void replay_partition_unnumber(struct replay_partition *p, struct replay_partition **numbers)
{
	if (p->number)
		HASH_DELETE(hh_number, *numbers, p);
	p->number = 0;
}

void replay_group_clear(struct replay_group *g, struct replay_partition **numbers)
{
	while (g->partitions)
		replay_partition_drop(g->partitions, numbers);
	items_free(&g->members);
}

void replay_group_free(struct replay_group *g, struct replay_partition **numbers)
{
	if (!g)
		return;
	replay_group_clear(g, numbers);
	items_free(&g->configs);
	mem_free(g->id);
	mem_free(g);
}

static int member_cmp(const void *a, const void *b)
{
	const struct share_member_state *x = a, *y = b;

	return str_cmp(x->member_id, y->member_id);
}

static int config_cmp(const void *a, const void *b)
{
	const struct share_config_entry *x = a, *y = b;

	return str_cmp(x->name, y->name);
}

static int partition_cmp(const void *a, const void *b)
{
	const struct share_partition_state *x = a, *y = b;
	int d = uuid_cmp(x->topic_id, y->topic_id);

	return d ? d : (x->partition > y->partition) - (x->partition < y->partition);
}

/* Sizes here are our own log's: no room for them is no error to report. */
static void *must_alloc(struct arena *a, size_t n, size_t size)
{
	void *p = arena_zalloc(a, n, size);

	sl_assert(p != NULL);
	return p;
}

/* Decodes an entry that could be decoded before. */
static void item_entry(const struct replay_item *it, struct arena *a, struct state_entry *ret)
{
	struct reader r = rd_init(it->raw, it->raw_n);
	enum err e = state_entry_read(&r, a, ret);

	sl_assert(e == ERR_OK);
}

static void members_state(struct replay_group *g, struct arena *a, struct share_group_state *ret)
{
	struct share_member_state *v = must_alloc(a, HASH_COUNT(g->members), sizeof(*v));
	struct replay_item *it;

	ret->members = v;
	for (it = g->members; it; it = it->hh.next) {
		struct state_entry e;

		item_entry(it, a, &e);
		v[ret->members_n++] = e.u.member;
	}
	qsort(v, ret->members_n, sizeof(*v), member_cmp);
}

static void configs_state(struct replay_group *g, struct arena *a, struct share_group_state *ret)
{
	struct share_config_entry *v = must_alloc(a, HASH_COUNT(g->configs), sizeof(*v));
	struct replay_item *it;

	ret->configs = v;
	for (it = g->configs; it; it = it->hh.next) {
		struct state_entry e;

		item_entry(it, a, &e);
		v[ret->configs_n++] = e.u.config;
	}
	qsort(v, ret->configs_n, sizeof(*v), config_cmp);
}

static void partitions_state(struct replay_group *g, struct arena *a, struct share_group_state *ret)
{
	struct share_partition_state *v = must_alloc(a, HASH_COUNT(g->partitions), sizeof(*v));
	struct replay_partition *p;

	ret->partitions = v;
	for (p = g->partitions; p; p = p->hh.next) {
		struct share_state_range *ranges = must_alloc(a, p->ranges.n, sizeof(*ranges));

		state_ranges_list(&p->ranges, ranges);
		v[ret->partitions_n++] = (struct share_partition_state){
			.topic_id = p->key.topic_id,
			.topic_name = {p->topic_name, p->topic_name_n},
			.partition = p->key.partition,
			.start_offset = p->start_offset,
			.ranges = ranges,
			.ranges_n = p->ranges.n,
		};
	}
	qsort(v, ret->partitions_n, sizeof(*v), partition_cmp);
}

void replay_group_state(struct replay_group *g, struct arena *a, struct share_group_state *ret)
{
	*ret = (struct share_group_state){
		.group_id = {g->id, g->id_n},
		.exists = g->exists,
		.group_epoch = g->group_epoch,
		.assignment_epoch = g->assignment_epoch,
	};
	configs_state(g, a, ret);
	members_state(g, a, ret);
	partitions_state(g, a, ret);
}
