/* SPDX-License-Identifier: Apache-2.0 */
/* One turn of the event loop is put together here:
 *
 *   wait -> callbacks of sockets, signals, DNS, due timers -> deferred calls -> tasks (sending what the turn produced)
 * -> wait ...
 */
#include <event2/dns.h>
#include <event2/event.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "conn_priv.h"
#include "loop_priv.h"

/* A wait is never longer: nothing depends on it, the timer of the log comes each second anyway. */
#define LOOP_WAIT_MAX_MS 60000
#define LOOP_LOG_TICK_MS 1000
#define LIMIT_LOG_INTERVAL_MS 1000

struct loop_call {
	void (*cb)(void *arg);
	void *arg;
};

struct loop_calls {
	struct loop_call *v;
	size_t n, cap;
};

struct loop_signal {
	SLIST_ENTRY(loop_signal) link;
	struct event *ev;
	void (*cb)(void *arg, int signo);
	void *arg;
};

/* The time is read when somebody asks for it first in a turn. */
struct loop_clock {
	int64_t mono, wall;
	bool fresh;
};

struct loop {
	struct event_base *base;
	struct evdns_base *dns;
	struct event *wake; /* the one timer of libevent */
	int64_t wake_at;    /* what it is set to, INT64_MAX: not set */
	struct log *log;
	struct loop_clock *clock;
	struct timer_heap timers;
	struct timer log_timer;
	struct loop_calls calls, running;
	struct loop_task_list tasks;
	SLIST_HEAD(, loop_signal) signals;
	struct dial_list dials;
	uint64_t last_id;
	int64_t limit_logged_at;
	bool is_running, stop;
};

static void loop_on_wake(evutil_socket_t fd, short what, void *arg)
{
	struct loop *lp = arg;

	(void)fd;
	(void)what;
	lp->wake_at = INT64_MAX;
	timer_heap_run(&lp->timers, loop_now(lp));
}

static void loop_on_log_timer(void *arg)
{
	struct loop *lp = arg;

	log_tick(lp->log, loop_now(lp));
	timer_set(&lp->log_timer, loop_now(lp) + LOOP_LOG_TICK_MS);
}

/* Without locks: one thread a loop. */
static struct event_base *loop_base_new(void)
{
	struct event_config *cfg = event_config_new();
	struct event_base *base = NULL;

	if (cfg && event_config_set_flag(cfg, EVENT_BASE_FLAG_NOLOCK) == 0)
		base = event_base_new_with_config(cfg);
	if (cfg)
		event_config_free(cfg);
	return base;
}

/* A machine without name servers still has /etc/hosts. */
static struct evdns_base *loop_dns_new(struct event_base *base)
{
	struct evdns_base *dns = evdns_base_new(base, EVDNS_BASE_DISABLE_WHEN_INACTIVE);

	if (dns && evdns_base_resolv_conf_parse(dns, DNS_OPTIONS_ALL, "/etc/resolv.conf") != 0)
		evdns_base_load_hosts(dns, "/etc/hosts");
	return dns;
}

struct loop *loop_new(struct log *l)
{
	struct loop *lp = mem_zalloc(1, sizeof(*lp));

	lp->log = l;
	lp->wake_at = INT64_MAX;
	lp->limit_logged_at = INT64_MIN / 2;
	lp->clock = mem_zalloc(1, sizeof(*lp->clock));
	TAILQ_INIT(&lp->tasks);
	SLIST_INIT(&lp->signals);
	LIST_INIT(&lp->dials);
	timer_init(&lp->log_timer, lp, loop_on_log_timer, lp);
	lp->base = loop_base_new();
	lp->dns = lp->base ? loop_dns_new(lp->base) : NULL;
	lp->wake = lp->base ? evtimer_new(lp->base, loop_on_wake, lp) : NULL;
	if (!lp->base || !lp->dns || !lp->wake) {
		log_error(l, NULL,
			"libevent can not set up an event loop on this system; expected epoll and memory for it");
		loop_free(lp);
		return NULL;
	}
	timer_set(&lp->log_timer, clock_mono_ms() + LOOP_LOG_TICK_MS);
	return lp;
}

/* Calls what was deferred before this moment; what these calls defer comes in the next turn. */
static void loop_run_calls(struct loop *lp)
{
	struct loop_calls now = lp->calls;

	lp->calls = lp->running;
	lp->running = now;
	for (size_t i = 0; i < now.n; i++)
		now.v[i].cb(now.v[i].arg);
	lp->running.n = 0;
}

/* Runs the tasks queued before this moment. */
static void loop_run_tasks(struct loop *lp)
{
	struct loop_task end = {.queued = true};
	struct loop_task *t;

	TAILQ_INSERT_TAIL(&lp->tasks, &end, link);
	while ((t = TAILQ_FIRST(&lp->tasks)) != &end) {
		loop_task_remove(lp, t);
		t->cb(t);
	}
	TAILQ_REMOVE(&lp->tasks, &end, link);
}

static void loop_free_signals(struct loop *lp)
{
	struct loop_signal *s;

	while ((s = SLIST_FIRST(&lp->signals)) != NULL) {
		SLIST_REMOVE_HEAD(&lp->signals, link);
		event_free(s->ev);
		mem_free(s);
	}
}

void loop_free(struct loop *lp)
{
	if (!lp)
		return;
	while (lp->calls.n > 0)
		loop_run_calls(lp);
	loop_free_signals(lp);
	timer_clear(&lp->log_timer);
	if (lp->dns) {
		evdns_base_free(lp->dns, 1);
		/* libevent frees its open questions in callbacks of its own. */
		event_base_loop(lp->base, EVLOOP_NONBLOCK);
	}
	dial_list_free(&lp->dials);
	if (lp->wake)
		event_free(lp->wake);
	if (lp->base)
		event_base_free(lp->base);
	timer_heap_release(&lp->timers);
	mem_free(lp->calls.v);
	mem_free(lp->running.v);
	mem_free(lp->clock);
	mem_free(lp);
}

/* Sets libevent's timer to the first deadline. */
static void loop_arm(struct loop *lp)
{
	int64_t next = timer_heap_next(&lp->timers);
	int64_t wait;
	struct timeval tv;

	if (next == lp->wake_at)
		return;
	lp->wake_at = next;
	if (next == INT64_MAX) {
		evtimer_del(lp->wake);
		return;
	}
	wait = next - clock_mono_ms();
	if (wait < 0)
		wait = 0;
	else if (wait > LOOP_WAIT_MAX_MS)
		wait = LOOP_WAIT_MAX_MS;
	tv.tv_sec = (time_t)(wait / 1000);
	tv.tv_usec = (suseconds_t)(wait % 1000 * 1000);
	evtimer_add(lp->wake, &tv);
}

static void loop_turn(struct loop *lp)
{
	bool more = lp->calls.n > 0 || !TAILQ_EMPTY(&lp->tasks);

	loop_arm(lp);
	lp->clock->fresh = false;
	event_base_loop(lp->base, EVLOOP_ONCE | (more ? EVLOOP_NONBLOCK : 0));
	loop_run_calls(lp);
	loop_run_tasks(lp);
}

void loop_run(struct loop *lp)
{
	lp->is_running = true;
	while (!lp->stop)
		loop_turn(lp);
	lp->stop = false;
	lp->is_running = false;
}

void loop_stop(struct loop *lp)
{
	lp->stop = true;
}

struct log *loop_log(struct loop *lp)
{
	return lp->log;
}

static const struct loop_clock *loop_clock_read(const struct loop *lp)
{
	struct loop_clock *clock = lp->clock;

	if (!clock->fresh || !lp->is_running) {
		clock->mono = clock_mono_ms();
		clock->wall = clock_wall_ms();
		clock->fresh = true;
	}
	return clock;
}

int64_t loop_now(const struct loop *lp)
{
	return loop_clock_read(lp)->mono;
}

int64_t loop_wall(const struct loop *lp)
{
	return loop_clock_read(lp)->wall;
}

void loop_defer(struct loop *lp, void (*cb)(void *arg), void *arg)
{
	struct loop_calls *q = &lp->calls;

	if (q->n == q->cap) {
		q->cap = q->cap ? q->cap * 2 : 64;
		q->v = mem_resize(q->v, q->cap, sizeof(*q->v));
	}
	q->v[q->n++] = (struct loop_call){.cb = cb, .arg = arg};
}

static void loop_signal_fired(evutil_socket_t signo, short what, void *arg)
{
	struct loop_signal *s = arg;

	(void)what;
	s->cb(s->arg, (int)signo);
}

void loop_on_signal(struct loop *lp, int signo, void (*cb)(void *arg, int signo), void *arg)
{
	struct loop_signal *s = mem_zalloc(1, sizeof(*s));

	s->cb = cb;
	s->arg = arg;
	s->ev = evsignal_new(lp->base, signo, loop_signal_fired, s);
	if (!s->ev || event_add(s->ev, NULL) == -1) {
		log_error(lp->log, NULL, "signal %d can not be caught; it keeps its usual effect", signo);
		if (s->ev)
			event_free(s->ev);
		mem_free(s);
		return;
	}
	SLIST_INSERT_HEAD(&lp->signals, s, link);
}

struct event_base *loop_event_base(struct loop *lp)
{
	return lp->base;
}

struct evdns_base *loop_evdns_base(struct loop *lp)
{
	return lp->dns;
}

void loop_task_add(struct loop *lp, struct loop_task *t)
{
	if (t->queued)
		return;
	t->queued = true;
	TAILQ_INSERT_TAIL(&lp->tasks, t, link);
}

void loop_task_remove(struct loop *lp, struct loop_task *t)
{
	if (!t->queued)
		return;
	t->queued = false;
	TAILQ_REMOVE(&lp->tasks, t, link);
}

uint64_t loop_next_id(struct loop *lp)
{
	return ++lp->last_id;
}

bool loop_may_log_limit(struct loop *lp)
{
	int64_t now = loop_now(lp);

	if (now - lp->limit_logged_at < LIMIT_LOG_INTERVAL_MS)
		return false;
	lp->limit_logged_at = now;
	return true;
}

struct timer_heap *loop_timers(struct loop *lp)
{
	return &lp->timers;
}

struct dial_list *loop_dials(struct loop *lp)
{
	return &lp->dials;
}
