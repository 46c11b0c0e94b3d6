/* SPDX-License-Identifier: Apache-2.0 */
/* Timers stand in a heap by their deadline here; the loop arms one libevent timer for the first of them. */
#include "base/assert.h"
#include "base/mem.h"
#include "loop_priv.h"

void timer_init(struct timer *t, struct loop *lp, void (*cb)(void *arg), void *arg)
{
	*t = (struct timer){.loop = lp, .cb = cb, .arg = arg};
}

bool timer_is_set(const struct timer *t)
{
	return t->heap_pos != 0;
}

static void heap_put(struct timer_heap *h, size_t pos, struct timer *t)
{
	h->v[pos] = t;
	t->heap_pos = pos;
}

static void heap_up(struct timer_heap *h, size_t pos)
{
	struct timer *t = h->v[pos];

	while (pos > 1 && h->v[pos / 2]->at > t->at) {
		heap_put(h, pos, h->v[pos / 2]);
		pos /= 2;
	}
	heap_put(h, pos, t);
}

static void heap_down(struct timer_heap *h, size_t pos)
{
	struct timer *t = h->v[pos];

	for (;;) {
		size_t child = pos * 2;

		if (child > h->n)
			break;
		if (child < h->n && h->v[child + 1]->at < h->v[child]->at)
			child++;
		if (h->v[child]->at >= t->at)
			break;
		heap_put(h, pos, h->v[child]);
		pos = child;
	}
	heap_put(h, pos, t);
}

void timer_set(struct timer *t, int64_t at_mono_ms)
{
	struct timer_heap *h = loop_timers(t->loop);

	t->at = at_mono_ms;
	if (t->heap_pos == 0) {
		if (h->n + 1 >= h->cap) {
			h->cap = h->cap ? h->cap * 2 : 64;
			h->v = mem_resize(h->v, h->cap, sizeof(struct timer *));
		}
		heap_put(h, ++h->n, t);
	}
	heap_up(h, t->heap_pos);
	heap_down(h, t->heap_pos);
}

void timer_clear(struct timer *t)
{
	struct timer_heap *h;
	size_t pos = t->heap_pos;

	if (pos == 0)
		return;
	h = loop_timers(t->loop);
	sl_assert(pos <= h->n && h->v[pos] == t);
	t->heap_pos = 0;
	if (pos == h->n--)
		return;
	heap_put(h, pos, h->v[h->n + 1]);
	heap_up(h, pos);
	heap_down(h, h->v[pos]->heap_pos);
}

void timer_heap_release(struct timer_heap *h)
{
	for (size_t i = 1; i <= h->n; i++)
		h->v[i]->heap_pos = 0;
	mem_free(h->v);
	*h = (struct timer_heap){.v = NULL};
}

int64_t timer_heap_next(const struct timer_heap *h)
{
	return h->n ? h->v[1]->at : INT64_MAX;
}

void timer_heap_run(struct timer_heap *h, int64_t now)
{
	for (size_t left = h->n; left > 0 && h->n > 0 && h->v[1]->at <= now; left--) {
		struct timer *t = h->v[1];

		timer_clear(t);
		t->cb(t->arg);
	}
}
