/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that happens by time stands in one binary heap; its entries know their place, so that they can be moved or
 * removed. */
#include "engine.h"

static void slot_put(struct share_engine *e, uint32_t i, struct share_deadline_slot s)
{
	e->heap[i] = s;
	s.d->slot = i;
}

static void sift_up(struct share_engine *e, uint32_t i, struct share_deadline_slot s)
{
	while (i > 1 && e->heap[i / 2].at > s.at) {
		slot_put(e, i, e->heap[i / 2]);
		i /= 2;
	}
	slot_put(e, i, s);
}

static void sift_down(struct share_engine *e, uint32_t i, struct share_deadline_slot s)
{
	for (;;) {
		uint32_t child = i * 2;

		if (child > e->heap_n)
			break;
		if (child < e->heap_n && e->heap[child + 1].at < e->heap[child].at)
			child++;
		if (e->heap[child].at >= s.at)
			break;
		slot_put(e, i, e->heap[child]);
		i = child;
	}
	slot_put(e, i, s);
}

static void place(struct share_engine *e, uint32_t i, struct share_deadline_slot s)
{
	if (i > 1 && e->heap[i / 2].at > s.at)
		sift_up(e, i, s);
	else
		sift_down(e, i, s);
}

void share_deadline_set(struct share_engine *e, struct share_deadline *d, enum share_deadline_kind kind, int64_t at)
{
	struct share_deadline_slot s = {at, d};

	d->kind = (uint8_t)kind;
	if (d->slot) {
		if (e->heap[d->slot].at != at)
			place(e, d->slot, s);
		return;
	}
	e->heap = share_grow(e->heap, &e->heap_cap, e->heap_n + 2, sizeof(*e->heap));
	e->heap_n++;
	sift_up(e, e->heap_n, s);
}

void share_deadline_clear(struct share_engine *e, struct share_deadline *d)
{
	uint32_t i = d->slot;
	struct share_deadline_slot last;

	if (!i)
		return;
	d->slot = 0;
	last = e->heap[e->heap_n--];
	if (i <= e->heap_n)
		place(e, i, last);
}

int64_t share_deadline_next(const struct share_engine *e)
{
	return e->heap_n ? e->heap[1].at : INT64_MAX;
}

struct share_deadline *share_deadline_pop(struct share_engine *e, int64_t now)
{
	struct share_deadline *d;

	if (!e->heap_n || e->heap[1].at > now)
		return NULL;
	d = e->heap[1].d;
	share_deadline_clear(e, d);
	return d;
}
