/* SPDX-License-Identifier: Apache-2.0 */
/* A connection reads into its buffer, changes its state and ends here; sending is in conn_out.c, connecting in
 * conn_dial.c. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/mem.h"
#include "conn_priv.h"

/* Bytes that one connection may read in one turn, so that a busy peer starves nobody. */
#define READ_BUDGET ((size_t)256 * 1024)
/* First and further reads of a turn: most turns bring little. */
#define READ_FIRST ((size_t)16 * 1024)
#define READ_MORE ((size_t)64 * 1024)

/* How long a peer that got everything may take to close its side before its connection is cut. */
#define CLOSE_WAIT_MS 500

/* Dead peers are noticed after 60 + 4 * 15 s without traffic. */
#define KEEPALIVE_IDLE_S 60
#define KEEPALIVE_INTERVAL_S 15
#define KEEPALIVE_COUNT 4

static ssize_t plain_read(struct conn *c, void *p, size_t n)
{
	return recv(c->fd, p, n, 0);
}

static ssize_t plain_writev(struct conn *c, const struct iovec *v, int n)
{
	/* sendmsg does not change what the iovecs point to; its struct just has no const. */
	struct msghdr m = {.msg_iovlen = (size_t)n};

	memcpy(&m.msg_iov, &v, sizeof(m.msg_iov));
	return sendmsg(c->fd, &m, MSG_NOSIGNAL);
}

static void plain_shutdown(struct conn *c)
{
	shutdown(c->fd, SHUT_WR);
}

static const struct conn_ops plain_ops = {.read = plain_read, .writev = plain_writev, .shutdown = plain_shutdown};

static void conn_on_readable(evutil_socket_t fd, short what, void *arg);
static void conn_on_writable(evutil_socket_t fd, short what, void *arg);
static void conn_end_of_turn(struct loop_task *t);
static void conn_on_timer(void *arg);
static void conn_handshake(struct conn *c);

struct conn *conn_new(struct loop *lp, const struct conn_limits *lim, const struct conn_callbacks *cb, void *arg)
{
	struct conn *c = mem_zalloc(1, sizeof(*c));

	sl_assert(lim->in_max > 0 && lim->out_low < lim->out_high && lim->out_high <= lim->out_max);
	c->loop = lp;
	c->ops = &plain_ops;
	c->cb = *cb;
	c->arg = arg;
	c->lim = *lim;
	c->fd = -1;
	c->want_reading = true;
	c->task.cb = conn_end_of_turn;
	timer_init(&c->timer, lp, conn_on_timer, c);
	buf_init(&c->in, lim->in_max);
	TAILQ_INIT(&c->out);
	c->id = loop_next_id(lp);
	c->last_active = loop_now(lp);
	return c;
}

void conn_set_peer(struct conn *c, const struct sockaddr *sa)
{
	char host[INET6_ADDRSTRLEN] = "?";
	int n = 0;

	if (sa->sa_family == AF_INET) {
		const struct sockaddr_in *in = (const void *)sa;

		inet_ntop(AF_INET, &in->sin_addr, host, sizeof(host));
		n = snprintf(c->peer, sizeof(c->peer), "%s:%u", host, (unsigned)ntohs(in->sin_port));
	} else if (sa->sa_family == AF_INET6) {
		const struct sockaddr_in6 *in6 = (const void *)sa;

		/* A dual-stack listener shows IPv4 peers in mapped form; people look for the plain one. */
		if (IN6_IS_ADDR_V4MAPPED(&in6->sin6_addr)) {
			inet_ntop(AF_INET, &in6->sin6_addr.s6_addr[12], host, sizeof(host));
			n = snprintf(c->peer, sizeof(c->peer), "%s:%u", host, (unsigned)ntohs(in6->sin6_port));
		} else {
			inet_ntop(AF_INET6, &in6->sin6_addr, host, sizeof(host));
			n = snprintf(c->peer, sizeof(c->peer), "[%s]:%u", host, (unsigned)ntohs(in6->sin6_port));
		}
	} else {
		n = snprintf(c->peer, sizeof(c->peer), "local");
	}
	c->peer_n = n > 0 ? (size_t)n : 0;
}

void conn_peer_address(int fd, uint8_t ret[16])
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
	union {
		struct sockaddr sa;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	} addr = {.in6 = {0}};
	socklen_t len = sizeof(addr);

	memset(ret, 0, 16);
	if (getpeername(fd, &addr.sa, &len) == -1)
		return;
	if (addr.sa.sa_family == AF_INET6) {
		memcpy(ret, &addr.in6.sin6_addr, 16);
	} else if (addr.sa.sa_family == AF_INET) {
		memcpy(ret, mapped, sizeof(mapped));
		memcpy(ret + sizeof(mapped), &addr.in.sin_addr, 4);
	}
}

/* Not vital one by one: a socket pair has none of them. */
static void conn_set_options(int fd)
{
	const int on = 1, idle = KEEPALIVE_IDLE_S, interval = KEEPALIVE_INTERVAL_S, count = KEEPALIVE_COUNT;

	if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) == -1)
		return;
	(void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof(idle));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof(interval));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof(count));
}

static void conn_set_state(struct conn *c, enum conn_state state)
{
	sl_assert(state > c->state);
	c->state = state;
}

/* Other transports hold bytes that the socket has already given: it may never become readable again. So reading is
 * tried once more, in the next turn, where it stands in line with everybody else. */
static void conn_read_again(struct conn *c)
{
	c->read_again = true;
	loop_task_add(c->loop, &c->task);
}

/* Reading is on when the connection is open, the owner wants it and there is room; a closing one reads to throw away.
 */
static void conn_update_reading(struct conn *c)
{
	bool on = false;

	if (c->fd == -1 || c->eof || c->state == CONN_DIALING)
		on = false;
	else if (c->handshaking)
		on = true;
	else if (c->state == CONN_OPEN)
		on = c->want_reading && buf_len(&c->in) < c->lim.in_max;
	else
		on = c->state == CONN_CLOSING;
	if (on == c->read_on)
		return;
	c->read_on = on;
	if (!on) {
		event_del(&c->ev_read);
		return;
	}
	if (event_add(&c->ev_read, NULL) == -1)
		conn_die(c, "event_failed");
	else if (c->ops != &plain_ops && !c->handshaking)
		conn_read_again(c);
}

void conn_open(struct conn *c, int fd)
{
	struct event_base *base = loop_event_base(c->loop);

	c->fd = fd;
	conn_set_options(fd);
	event_assign(&c->ev_read, base, fd, EV_READ | EV_PERSIST, conn_on_readable, c);
	event_assign(&c->ev_write, base, fd, EV_WRITE | EV_PERSIST, conn_on_writable, c);
	conn_set_state(c, CONN_OPEN);
	c->last_active = loop_now(c->loop);
	if (c->handshaking)
		timer_set(&c->timer, loop_now(c->loop) + c->handshake_timeout_ms);
	conn_update_reading(c);
	loop_task_add(c->loop, &c->task);
}

void conn_begin_handshake(struct conn *c, int32_t timeout_ms)
{
	c->handshaking = true;
	c->handshake_timeout_ms = timeout_ms;
	if (c->state != CONN_OPEN)
		return;
	timer_set(&c->timer, loop_now(c->loop) + timeout_ms);
	loop_task_add(c->loop, &c->task);
}

static void conn_connected(struct conn *c)
{
	if (c->state == CONN_OPEN && c->outgoing && c->cb.on_connected)
		c->cb.on_connected(c, c->arg);
}

void conn_dialed(struct conn *c, int fd)
{
	c->outgoing = true;
	conn_open(c, fd);
	if (!c->handshaking)
		conn_connected(c);
	else
		conn_handshake(c);
}

/* Goes on with the handshake; when it ends, what waited is sent and what came with it is read. */
static void conn_handshake(struct conn *c)
{
	int r;

	c->handshake_writes = false;
	r = c->ops->handshake(c);
	if (r < 0) {
		conn_die(c, "tls_failed");
		return;
	}
	conn_watch_writable(c, c->handshake_writes);
	if (r == 0 || c->state == CONN_CLOSED)
		return;
	c->handshaking = false;
	c->last_active = loop_now(c->loop);
	timer_clear(&c->timer);
	conn_update_reading(c);
	if (c->read_on)
		conn_read_again(c);
	loop_task_add(c->loop, &c->task);
	conn_connected(c);
}

struct conn *conn_accept(
	struct loop *lp, int fd, const struct conn_limits *lim, const struct conn_callbacks *cb, void *arg)
{
	struct conn *c = conn_new(lp, lim, cb, arg);
	union {
		struct sockaddr sa;
		struct sockaddr_storage space;
	} addr = {.space = {0}};
	socklen_t len = sizeof(addr.space);

	if (getpeername(fd, &addr.sa, &len) == -1)
		addr.sa.sa_family = AF_UNSPEC;
	conn_set_peer(c, &addr.sa);
	conn_open(c, fd);
	return c;
}

static void conn_finish(void *arg)
{
	struct conn *c = arg;

	if (c->cb.on_closed)
		c->cb.on_closed(c, c->arg, c->reason);
	conn_tls_free(c);
	buf_release(&c->in);
	mem_free(c);
}

void conn_die(struct conn *c, const char *reason)
{
	if (c->state == CONN_CLOSED)
		return;
	conn_set_state(c, CONN_CLOSED);
	if (!c->reason)
		c->reason = reason;
	if (c->dial)
		dial_cancel(c->dial);
	c->dial = NULL;
	timer_clear(&c->timer);
	loop_task_remove(c->loop, &c->task);
	if (c->read_on)
		event_del(&c->ev_read);
	if (c->write_on)
		event_del(&c->ev_write);
	c->read_on = c->write_on = false;
	if (c->fd != -1)
		close(c->fd);
	c->fd = -1;
	conn_out_release(c);
	loop_defer(c->loop, conn_finish, c);
}

void conn_close(struct conn *c, const char *reason)
{
	conn_die(c, reason);
}

static void conn_on_timer(void *arg)
{
	struct conn *c = arg;

	conn_die(c, c->state == CONN_CLOSING ? c->reason : "tls_timeout");
}

void conn_close_flush(struct conn *c, const char *reason, int32_t linger_ms)
{
	if (c->state >= CONN_CLOSING)
		return;
	if (c->state == CONN_DIALING || c->handshaking) {
		conn_die(c, reason);
		return;
	}
	conn_set_state(c, CONN_CLOSING);
	c->reason = reason;
	timer_set(&c->timer, loop_now(c->loop) + linger_ms);
	conn_update_reading(c);
	loop_task_add(c->loop, &c->task);
}

/* The output of a closing connection is sent: tell the peer, and wait a little for it to close first, since closing on
 * input that was not read would reset the connection and take from the peer what it has not read yet. */
static void conn_finish_sending(struct conn *c)
{
	int64_t until = loop_now(c->loop) + CLOSE_WAIT_MS;

	if (c->eof) {
		conn_die(c, c->reason);
		return;
	}
	if (c->shut)
		return;
	if (c->ops->shutdown)
		c->ops->shutdown(c);
	c->shut = true;
	if (until < c->timer.at)
		timer_set(&c->timer, until);
}

static void conn_end_of_turn(struct loop_task *t)
{
	struct conn *c = (struct conn *)(void *)((char *)t - offsetof(struct conn, task));

	if (c->fd == -1)
		return;
	if (c->handshaking) {
		conn_handshake(c);
		return;
	}
	buf_shrink(&c->in);
	conn_update_reading(c);
	if (c->state != CONN_CLOSED && !c->write_on)
		conn_flush(c);
	if (c->state == CONN_CLOSING && c->out_len == 0)
		conn_finish_sending(c);
	if (c->read_again && c->read_on)
		event_active(&c->ev_read, EV_READ, 0);
	c->read_again = false;
}

static void conn_on_writable(evutil_socket_t fd, short what, void *arg)
{
	struct conn *c = arg;

	(void)fd;
	(void)what;
	if (c->handshaking) {
		conn_handshake(c);
		return;
	}
	conn_flush(c);
	if (c->state == CONN_CLOSING && c->out_len == 0)
		conn_finish_sending(c);
}

static const char *read_error_reason(int error)
{
	switch (error) {
	case ECONNRESET:
	case EPIPE:
		return "peer_reset";
	case ETIMEDOUT:
	case EHOSTUNREACH:
		return "peer_timeout";
	case EPROTO:
		return "tls_failed";
	default:
		return "read_failed";
	}
}

static void conn_on_eof(struct conn *c)
{
	c->eof = true;
	conn_update_reading(c);
	if (c->state == CONN_CLOSING) {
		if (c->out_len == 0)
			conn_die(c, c->reason);
	} else if (c->cb.on_eof) {
		c->cb.on_eof(c, c->arg);
	} else {
		conn_die(c, "peer_closed");
	}
}

/* What a read gave; false: no more reading in this turn. */
static bool conn_read_result(struct conn *c, ssize_t r)
{
	if (r > 0) {
		c->bytes_in += (uint64_t)r;
		c->last_active = loop_now(c->loop);
		return true;
	}
	if (r == 0)
		conn_on_eof(c);
	else if (errno == EINTR)
		return true;
	else if (errno != EAGAIN && errno != EWOULDBLOCK)
		conn_die(c, read_error_reason(errno));
	return false;
}

/* One read into the buffer and its callback; adds to *done. False: no more in this turn. */
static bool conn_read_once(struct conn *c, size_t *done)
{
	size_t n = *done == 0 ? READ_FIRST : READ_MORE;
	size_t left = c->lim.in_max - buf_len(&c->in);
	ssize_t r;

	if (n > left)
		n = left;
	if (buf_reserve(&c->in, n)) {
		conn_die(c, "no_memory");
		return false;
	}
	r = c->ops->read(c, buf_tail(&c->in), n);
	if (!conn_read_result(c, r))
		return false;
	if (r < 0)
		return true;
	buf_commit(&c->in, (size_t)r);
	*done += (size_t)r;
	if (c->cb.on_data)
		c->cb.on_data(c, c->arg);
	/* A short read of a socket has emptied it. */
	return c->ops != &plain_ops || (size_t)r == n;
}

static void conn_discard(struct conn *c)
{
	uint8_t junk[4096];

	for (size_t done = 0; done < READ_BUDGET && c->state == CONN_CLOSING; done += sizeof(junk)) {
		if (!conn_read_result(c, c->ops->read(c, junk, sizeof(junk))))
			return;
	}
}

static void conn_on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct conn *c = arg;
	size_t done = 0;
	bool more = true;

	(void)fd;
	(void)what;
	if (c->handshaking) {
		conn_handshake(c);
		return;
	}
	c->in_read = true;
	while (more && done < READ_BUDGET && c->state == CONN_OPEN && c->want_reading &&
		buf_len(&c->in) < c->lim.in_max)
		more = conn_read_once(c, &done);
	c->in_read = false;
	if (c->state == CONN_CLOSING)
		conn_discard(c);
	if (c->state == CONN_CLOSED)
		return;
	buf_shrink(&c->in);
	conn_update_reading(c);
	if (more && c->read_on && c->ops != &plain_ops)
		conn_read_again(c);
}

void conn_set_reading(struct conn *c, bool on)
{
	if (c->want_reading == on)
		return;
	c->want_reading = on;
	if (c->state == CONN_OPEN)
		conn_update_reading(c);
}

struct buf *conn_in(struct conn *c)
{
	if (c->state == CONN_OPEN && !c->in_read && c->in.mem)
		loop_task_add(c->loop, &c->task);
	return &c->in;
}

bool conn_is_closing(const struct conn *c)
{
	return c->state >= CONN_CLOSING;
}

uint64_t conn_id(const struct conn *c)
{
	return c->id;
}

struct str conn_peer(const struct conn *c)
{
	return (struct str){c->peer, c->peer_n};
}

int conn_fd(const struct conn *c)
{
	return c->fd;
}

void conn_set_ops(struct conn *c, const struct conn_ops *ops)
{
	c->ops = ops;
}

void conn_set_callbacks(struct conn *c, const struct conn_callbacks *cb, void *arg)
{
	c->cb = *cb;
	c->arg = arg;
}

int64_t conn_last_active(const struct conn *c)
{
	return c->last_active;
}

uint64_t conn_bytes_in(const struct conn *c)
{
	return c->bytes_in;
}

uint64_t conn_bytes_out(const struct conn *c)
{
	return c->bytes_out;
}
