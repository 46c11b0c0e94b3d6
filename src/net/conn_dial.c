/* SPDX-License-Identifier: Apache-2.0 */
/* Outgoing connections are made here: a name becomes addresses, the addresses are tried in turn, one deadline holds for
 * all.
 *
 *   conn_connect -> (end of turn) dial_start -> numeric, or evdns -> dial_next -> connect -> dial_on_writable ->
 * conn_open, on_connected
 *                                                                     ^------ failed, or its share of the time is over
 */
#include <errno.h>
#include <event2/dns.h>
#include <netinet/in.h>
#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "conn_priv.h"

struct dial {
	LIST_ENTRY(dial) link;
	struct conn *conn; /* NULL: given up */
	struct loop *loop;
	struct evdns_getaddrinfo_request *question;
	struct evutil_addrinfo *addrs, *next;
	bool starting; /* dial_start is deferred and will look at this */
	bool asking;   /* evdns will call back with this */
	int fd;
	struct event ev;
	bool ev_on;
	struct timer timer;
	int64_t deadline;
	const char *reason; /* of the last address that failed */
	char *host;
	char port[8];
};

static void dial_free(struct dial *d)
{
	LIST_REMOVE(d, link);
	timer_clear(&d->timer);
	if (d->ev_on)
		event_del(&d->ev);
	if (d->fd != -1)
		close(d->fd);
	if (d->addrs)
		evutil_freeaddrinfo(d->addrs);
	mem_free(d->host);
	mem_free(d);
}

void dial_list_free(struct dial_list *list)
{
	while (!LIST_EMPTY(list))
		dial_free(LIST_FIRST(list));
}

void dial_cancel(struct dial *d)
{
	d->conn = NULL;
	timer_clear(&d->timer);
	if (d->asking) {
		evdns_getaddrinfo_cancel(d->question);
	} else if (!d->starting) {
		dial_free(d);
	}
}

static void dial_fail(struct dial *d, const char *reason)
{
	/* Ends in dial_cancel. */
	conn_die(d->conn, reason);
}

static const char *dial_error_reason(int error)
{
	switch (error) {
	case ECONNREFUSED:
	case ECONNRESET:
		return "connect_refused";
	case ETIMEDOUT:
		return "connect_timeout";
	case EHOSTUNREACH:
	case ENETUNREACH:
	case EADDRNOTAVAIL:
	case EAFNOSUPPORT:
		return "connect_unreachable";
	case EMFILE:
	case ENFILE:
		return "descriptor_limit";
	default:
		return "connect_failed";
	}
}

/* TCP may connect a socket to itself when nobody listens on a local port of the range for outgoing connections. */
static bool is_connected_to_itself(int fd)
{
	struct sockaddr_storage a = {0}, b = {0};
	socklen_t a_len = sizeof(a), b_len = sizeof(b);

	return getsockname(fd, (void *)&a, &a_len) == 0 && getpeername(fd, (void *)&b, &b_len) == 0 && a_len == b_len &&
	       memcmp(&a, &b, a_len) == 0;
}

static void dial_done(struct dial *d)
{
	struct conn *c = d->conn;
	int fd = d->fd;

	if (d->ev_on)
		event_del(&d->ev);
	d->ev_on = false;
	d->fd = -1;
	c->dial = NULL;
	d->conn = NULL;
	dial_free(d);
	conn_dialed(c, fd);
}

static void dial_next(struct dial *d);

static void dial_drop_socket(struct dial *d, const char *reason)
{
	if (d->ev_on)
		event_del(&d->ev);
	d->ev_on = false;
	if (d->fd != -1)
		close(d->fd);
	d->fd = -1;
	d->reason = reason;
}

static void dial_on_writable(evutil_socket_t fd, short what, void *arg)
{
	struct dial *d = arg;
	int error = 0;
	socklen_t len = sizeof(error);

	(void)what;
	d->ev_on = false;
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len) == -1)
		error = errno;
	if (error == 0 && is_connected_to_itself(fd))
		error = ECONNREFUSED;
	if (error == 0) {
		dial_done(d);
		return;
	}
	dial_drop_socket(d, dial_error_reason(error));
	dial_next(d);
}

/* This address has used up its share of the time. */
static void dial_on_timer(void *arg)
{
	struct dial *d = arg;

	if (!d->addrs) {
		dial_fail(d, "dns_failed");
		return;
	}
	dial_drop_socket(d, "connect_timeout");
	dial_next(d);
}

/* Starts with one address; false when it failed at once. */
static bool dial_try(struct dial *d, const struct evutil_addrinfo *a)
{
	d->fd = socket(a->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
	if (d->fd == -1) {
		d->reason = dial_error_reason(errno);
		return false;
	}
	conn_set_peer(d->conn, a->ai_addr);
	if (connect(d->fd, a->ai_addr, (socklen_t)a->ai_addrlen) == -1 && errno != EINPROGRESS && errno != EINTR) {
		dial_drop_socket(d, dial_error_reason(errno));
		return false;
	}
	event_assign(&d->ev, loop_event_base(d->loop), d->fd, EV_WRITE, dial_on_writable, d);
	if (event_add(&d->ev, NULL) == -1) {
		dial_drop_socket(d, "event_failed");
		return false;
	}
	d->ev_on = true;
	return true;
}

/* Each address gets an equal share of the time that is left, so that one that swallows packets does not use it all. */
static void dial_next(struct dial *d)
{
	int64_t now = loop_now(d->loop);

	while (d->next && now < d->deadline) {
		struct evutil_addrinfo *a = d->next;
		int64_t share = 0;

		for (const struct evutil_addrinfo *i = a; i; i = i->ai_next)
			share++;
		d->next = a->ai_next;
		if (dial_try(d, a)) {
			timer_set(&d->timer, now + (d->deadline - now) / share);
			return;
		}
	}
	dial_fail(d, now < d->deadline && d->reason ? d->reason : "connect_timeout");
}

static void dial_on_addrs(int result, struct evutil_addrinfo *addrs, void *arg)
{
	struct dial *d = arg;

	d->asking = false;
	d->question = NULL;
	d->addrs = addrs;
	if (!d->conn) {
		dial_free(d);
		return;
	}
	d->next = addrs;
	if (result != 0 || !addrs)
		dial_fail(d, "dns_failed");
	else
		dial_next(d);
}

static void dial_start(void *arg)
{
	struct dial *d = arg;
	struct evutil_addrinfo hints = {
		.ai_family = AF_UNSPEC,
		.ai_socktype = SOCK_STREAM,
		.ai_protocol = IPPROTO_TCP,
		.ai_flags = EVUTIL_AI_NUMERICHOST,
	};
	struct evdns_getaddrinfo_request *question;

	d->starting = false;
	if (!d->conn) {
		dial_free(d);
		return;
	}
	timer_set(&d->timer, d->deadline);
	d->asking = true;
	if (evutil_getaddrinfo(d->host, d->port, &hints, &d->addrs) == 0) {
		dial_on_addrs(0, d->addrs, d);
		return;
	}
	hints.ai_flags = 0;
	d->addrs = NULL;
	/* NULL: it has called back already, and d may be gone. */
	question = evdns_getaddrinfo(loop_evdns_base(d->loop), d->host, d->port, &hints, dial_on_addrs, d);
	if (question)
		d->question = question;
}

struct conn *conn_connect(struct loop *lp, struct str host, int32_t port, int32_t timeout_ms,
	const struct conn_limits *lim, const struct conn_callbacks *cb, void *arg)
{
	struct conn *c = conn_new(lp, lim, cb, arg);
	struct dial *d = mem_zalloc(1, sizeof(*d));
	int n = snprintf(c->peer, sizeof(c->peer), "%.*s:%d", (int)(host.n < 60 ? host.n : 60), host.p, (int)port);

	c->peer_n = n < 0 ? 0 : (size_t)n < sizeof(c->peer) ? (size_t)n : sizeof(c->peer) - 1;
	c->dial = d;
	d->conn = c;
	d->loop = lp;
	d->fd = -1;
	d->starting = true;
	d->host = mem_copy_string(host.p, host.n);
	snprintf(d->port, sizeof(d->port), "%u", (unsigned)port & 0xffffu);
	d->deadline = loop_now(lp) + timeout_ms;
	timer_init(&d->timer, lp, dial_on_timer, d);
	LIST_INSERT_HEAD(loop_dials(lp), d, link);
	loop_defer(lp, dial_start, d);
	return c;
}
