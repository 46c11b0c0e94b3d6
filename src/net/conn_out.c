/* SPDX-License-Identifier: Apache-2.0 */
/* Output waits in a list of segments here and leaves with one gathering write a turn:
 *
 *   conn_write -> own bytes, appended to the last segment   \
 *                                                            > out -> conn_flush (end of turn, or the socket has room)
 * -> writev conn_write_slice -> a reference to the chunk            / */
#include <errno.h>
#include <sys/uio.h>

#include "base/assert.h"
#include "base/mem.h"
#include "conn_priv.h"

/* Small answers of a turn share a segment; a big one gets segments of this size, so that memory goes back while it is
 * sent. */
#define SEGMENT_MIN ((size_t)2048 - sizeof(struct segment))
#define SEGMENT_MAX ((size_t)64 * 1024)

/* Slices up to this size are copied: a segment of their own would cost more. */
#define SLICE_COPY_MAX 256u

/* Iovecs of one write, and bytes that one connection may send in one turn. */
#define WRITE_IOVECS 64
#define WRITE_BUDGET ((size_t)1024 * 1024)

static void segment_free(struct segment *s)
{
	chunk_unref(s->chunk);
	mem_free(s);
}

void conn_out_release(struct conn *c)
{
	struct segment *s;

	while ((s = TAILQ_FIRST(&c->out)) != NULL) {
		TAILQ_REMOVE(&c->out, s, link);
		segment_free(s);
	}
	c->out_len = 0;
}

/* True when n more bytes may be queued; else the connection ends, since its owner did not stop. */
static bool conn_may_write(struct conn *c, size_t n)
{
	if (c->state >= CONN_CLOSING || n == 0)
		return false;
	if (n > c->lim.out_max - c->out_len) {
		conn_die(c, "output_limit");
		return false;
	}
	return true;
}

static void conn_queued(struct conn *c, size_t n)
{
	c->out_len += n;
	if (c->out_len >= c->lim.out_high)
		c->full = true;
	/* A full socket tells when it has room again, a dialing connection when it is open. */
	if (!c->write_on && c->fd != -1 && !c->handshaking)
		loop_task_add(c->loop, &c->task);
}

static struct segment *conn_own_segment(struct conn *c, size_t n)
{
	struct segment *s = TAILQ_LAST(&c->out, segment_list);
	size_t size = n;

	if (s && s->room > 0)
		return s;
	if (size < SEGMENT_MIN)
		size = SEGMENT_MIN;
	else if (size > SEGMENT_MAX)
		size = SEGMENT_MAX;
	s = mem_try_alloc(sizeof(*s) + size);
	if (!s)
		return NULL;
	*s = (struct segment){.p = s->own, .room = size};
	TAILQ_INSERT_TAIL(&c->out, s, link);
	return s;
}

void conn_write(struct conn *c, const void *p, size_t n)
{
	const uint8_t *from = p;

	if (!conn_may_write(c, n))
		return;
	for (size_t left = n; left > 0;) {
		struct segment *s = conn_own_segment(c, left);
		size_t part;
		uint8_t *to;

		if (!s) {
			conn_die(c, "no_memory");
			return;
		}
		part = left < s->room ? left : s->room;
		to = s->own + (size_t)(s->p - s->own) + s->n;
		memcpy(to, from, part);
		s->n += part;
		s->room -= part;
		from += part;
		left -= part;
	}
	conn_queued(c, n);
}

void conn_write_slice(struct conn *c, struct slice slice)
{
	struct segment *s;

	if (!slice.chunk || slice.n <= SLICE_COPY_MAX) {
		conn_write(c, slice.p, slice.n);
		return;
	}
	if (!conn_may_write(c, slice.n))
		return;
	s = mem_zalloc(1, sizeof(*s));
	s->chunk = chunk_ref(slice.chunk);
	s->p = slice.p;
	s->n = slice.n;
	TAILQ_INSERT_TAIL(&c->out, s, link);
	conn_queued(c, slice.n);
}

size_t conn_out_len(const struct conn *c)
{
	return c->out_len;
}

bool conn_is_full(const struct conn *c)
{
	return c->full;
}

static int conn_gather(const struct conn *c, struct iovec v[WRITE_IOVECS], size_t *ret_n)
{
	const struct segment *s;
	int n = 0;

	*ret_n = 0;
	TAILQ_FOREACH(s, &c->out, link)
	{
		if (n == WRITE_IOVECS)
			break;
		/* iov_base has no const since readv fills it; writing does not. */
		memcpy(&v[n].iov_base, &s->p, sizeof(v[n].iov_base));
		v[n].iov_len = s->n;
		*ret_n += s->n;
		n++;
	}
	return n;
}

static void conn_sent(struct conn *c, size_t n)
{
	sl_assert(n <= c->out_len);
	c->out_len -= n;
	c->bytes_out += n;
	c->last_active = loop_now(c->loop);
	while (n > 0) {
		struct segment *s = TAILQ_FIRST(&c->out);

		if (n < s->n) {
			s->p += n;
			s->n -= n;
			return;
		}
		n -= s->n;
		TAILQ_REMOVE(&c->out, s, link);
		segment_free(s);
	}
}

static const char *write_error_reason(int error)
{
	if (error == ECONNRESET || error == EPIPE)
		return "peer_reset";
	return error == ETIMEDOUT || error == EHOSTUNREACH ? "peer_timeout" : "write_failed";
}

/* One gathering write. False: the socket takes no more, or the connection ended. */
static bool conn_write_once(struct conn *c, bool *ret_blocked)
{
	struct iovec v[WRITE_IOVECS];
	size_t n;
	int v_n = conn_gather(c, v, &n);
	ssize_t r = c->ops->writev(c, v, v_n);

	if (r >= 0) {
		sl_assert((size_t)r <= n);
		conn_sent(c, (size_t)r);
		/* A transport that frames its bytes takes a piece at a time and says itself when it is blocked. */
		*ret_blocked = (size_t)r < n && !c->tls;
		return !*ret_blocked;
	}
	if (errno == EINTR)
		return true;
	*ret_blocked = errno == EAGAIN || errno == EWOULDBLOCK;
	if (!*ret_blocked)
		conn_die(c, write_error_reason(errno));
	return false;
}

void conn_watch_writable(struct conn *c, bool on)
{
	if (on == c->write_on)
		return;
	c->write_on = on;
	if (!on)
		event_del(&c->ev_write);
	else if (event_add(&c->ev_write, NULL) == -1)
		conn_die(c, "event_failed");
}

void conn_flush(struct conn *c)
{
	size_t before = c->out_len;
	bool blocked = false;

	while (c->out_len > 0 && before - c->out_len < WRITE_BUDGET) {
		if (!conn_write_once(c, &blocked))
			break;
	}
	if (c->state == CONN_CLOSED)
		return;
	conn_watch_writable(c, blocked);
	if (c->state == CONN_CLOSED)
		return;
	if (c->out_len > 0 && !blocked)
		loop_task_add(c->loop, &c->task);
	if (c->full && c->out_len <= c->lim.out_low) {
		c->full = false;
		if (c->state == CONN_OPEN && c->cb.on_drained)
			c->cb.on_drained(c, c->arg);
	}
}
