/* SPDX-License-Identifier: Apache-2.0 */
/* The event loop, its timers and signals. libevent's names stay in src/net and src/main. */
#ifndef SLUICE_NET_LOOP_H
#define SLUICE_NET_LOOP_H

#include "base/log.h"
#include "base/types.h"

struct event_base;
struct evdns_base;
struct loop;

/* A loop that logs to l; NULL (with a log line) when libevent can not be set up. */
struct loop *loop_new(struct log *l);
void loop_free(struct loop *lp);

/* Runs until loop_stop. */
void loop_run(struct loop *lp);
void loop_stop(struct loop *lp);

struct log *loop_log(struct loop *lp);

/* Time of this loop turn, clock_mono_ms() and clock_wall_ms(). */
int64_t loop_now(const struct loop *lp);
int64_t loop_wall(const struct loop *lp);

/* Calls cb once, after the callbacks of this turn: where objects that were closed inside a callback are freed. */
void loop_defer(struct loop *lp, void (*cb)(void *arg), void *arg);

/* Calls cb in the loop when the signal arrives. The loop owns the registration. */
void loop_on_signal(struct loop *lp, int signo, void (*cb)(void *arg, int signo), void *arg);

/* For the admin page's evhttp. */
struct event_base *loop_event_base(struct loop *lp);
struct evdns_base *loop_evdns_base(struct loop *lp);

/* A timer in the loop's heap (one libevent timer serves them all). Storage is the caller's; timer_clear before it goes
 * away. */
struct timer {
	struct loop *loop;
	void (*cb)(void *arg);
	void *arg;
	int64_t at;
	size_t heap_pos; /* 0: not set */
};

void timer_init(struct timer *t, struct loop *lp, void (*cb)(void *arg), void *arg);
void timer_set(struct timer *t, int64_t at_mono_ms); /* replaces an earlier setting */
void timer_clear(struct timer *t);
bool timer_is_set(const struct timer *t);

/* True at most once a second: everything meets the descriptor limit at the same time, and one line tells it. */
bool loop_may_log_limit(struct loop *lp);

#endif
