/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of net share of the loop. */
#ifndef SLUICE_NET_LOOP_PRIV_H
#define SLUICE_NET_LOOP_PRIV_H

#include <sys/queue.h>

#include "net/loop.h"

/* Work at the very end of a turn, behind the deferred calls: sending what the turn produced. Storage is its owner's. */
struct loop_task {
	TAILQ_ENTRY(loop_task) link;
	void (*cb)(struct loop_task *t);
	bool queued;
};

TAILQ_HEAD(loop_task_list, loop_task);

/* Queues t for the end of this turn unless it is queued; takes it out again. */
void loop_task_add(struct loop *lp, struct loop_task *t);
void loop_task_remove(struct loop *lp, struct loop_task *t);

/* A number that this loop has not given before. */
uint64_t loop_next_id(struct loop *lp);

/* Timers in a binary heap; heap[0] is not used, so that position 0 means "not set". */
struct timer_heap {
	struct timer **v;
	size_t n, cap;
};

void timer_heap_release(struct timer_heap *h);

/* The earliest deadline, INT64_MAX when no timer is set. */
int64_t timer_heap_next(const struct timer_heap *h);

/* Calls what is due at now, each timer at most once even if it sets itself anew. */
void timer_heap_run(struct timer_heap *h, int64_t now);

struct timer_heap *loop_timers(struct loop *lp);

#endif
