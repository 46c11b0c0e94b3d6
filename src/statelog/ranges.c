/* SPDX-License-Identifier: Apache-2.0 */
/* Record states are laid over each other in a red-black tree of disjoint ranges here. */
#include "statelog/ranges.h"

#include "base/mem.h"

struct state_range_node {
	RB_ENTRY(state_range_node) link;
	struct share_state_range r;
};

static int node_cmp(const struct state_range_node *a, const struct state_range_node *b)
{
	return (a->r.first > b->r.first) - (a->r.first < b->r.first);
}

RB_GENERATE_INTERNAL(state_range_tree, state_range_node, link, node_cmp, __attribute__((unused)) static)

static void node_insert(struct state_ranges *s, const struct share_state_range *r)
{
	struct state_range_node *n = mem_zalloc(1, sizeof(*n));

	n->r = *r;
	RB_INSERT(state_range_tree, &s->tree, n);
	s->n++;
}

static void node_remove(struct state_ranges *s, struct state_range_node *n)
{
	RB_REMOVE(state_range_tree, &s->tree, n);
	s->n--;
	mem_free(n);
}

/* The last node that begins at or before offset. */
static struct state_range_node *node_at_or_before(struct state_ranges *s, int64_t offset)
{
	struct state_range_node *n = RB_ROOT(&s->tree), *best = NULL;

	while (n) {
		if (n->r.first <= offset) {
			best = n;
			n = RB_RIGHT(n, link);
		} else {
			n = RB_LEFT(n, link);
		}
	}
	return best;
}

static bool is_same(const struct share_state_range *a, const struct share_state_range *b)
{
	return a->state == b->state && a->delivery_count == b->delivery_count;
}

void state_ranges_clear(struct state_ranges *s)
{
	struct state_range_node *n, *next;

	for (n = RB_MIN(state_range_tree, &s->tree); n; n = next) {
		next = RB_NEXT(state_range_tree, &s->tree, n);
		node_remove(s, n);
	}
}

/* Takes first..last out of all nodes; the parts on both sides stay. */
static void offsets_clear(struct state_ranges *s, int64_t first, int64_t last)
{
	struct state_range_node *n = node_at_or_before(s, first), *next;

	if (!n)
		n = RB_MIN(state_range_tree, &s->tree);
	for (; n && n->r.first <= last; n = next) {
		struct share_state_range old = n->r;

		next = RB_NEXT(state_range_tree, &s->tree, n);
		if (old.last < first)
			continue;
		if (old.first < first)
			n->r.last = first - 1;
		if (old.last > last) {
			struct share_state_range right = old;

			right.first = last + 1;
			if (old.first < first)
				node_insert(s, &right);
			else
				n->r = right; /* still between its neighbours */
			return;
		}
		if (old.first >= first)
			node_remove(s, n);
	}
}

void state_ranges_set(struct state_ranges *s, const struct share_state_range *r)
{
	struct state_range_node *left, *right;

	left = node_at_or_before(s, r->last);
	if (left && left->r.last >= r->first) {
		offsets_clear(s, r->first, r->last);
		left = node_at_or_before(s, r->first);
	}
	if (r->state == SHARE_AVAILABLE && r->delivery_count == 0)
		return;
	right = left ? RB_NEXT(state_range_tree, &s->tree, left) : RB_MIN(state_range_tree, &s->tree);
	if (right && (right->r.first != r->last + 1 || !is_same(&right->r, r)))
		right = NULL;
	if (left && left->r.last == r->first - 1 && is_same(&left->r, r)) {
		left->r.last = right ? right->r.last : r->last;
		if (right)
			node_remove(s, right);
	} else if (right) {
		right->r.first = r->first;
	} else {
		node_insert(s, r);
	}
}

void state_ranges_trim(struct state_ranges *s, int64_t start)
{
	if (start > 0)
		offsets_clear(s, 0, start - 1);
}

void state_ranges_list(const struct state_ranges *s, struct share_state_range *out)
{
	struct state_range_tree tree = s->tree;
	struct state_range_node *n;

	RB_FOREACH(n, state_range_tree, &tree)
	*out++ = n->r;
}
