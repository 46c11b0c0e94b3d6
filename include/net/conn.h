/* SPDX-License-Identifier: Apache-2.0 */
/* A connection: non-blocking socket, own input buffer and output queue, behind a table of four transport functions
 * (plain; TLS has the same).
 *
 *   socket -> ops->read -> in (capped) -> on_data        conn_write* -> out (own bytes and slices of chunks) ->
 * ops->writev -> socket
 *
 * Reading pauses while the input buffer is full or the owner says so. An idle connection holds no buffer. A connection
 * closed inside its own callback is parked and freed after the loop turn. */
#ifndef SLUICE_NET_CONN_H
#define SLUICE_NET_CONN_H

#include <sys/types.h>

#include "base/buf.h"
#include "base/chunk.h"
#include "base/types.h"
#include "net/loop.h"

struct conn;
struct iovec;

/* What a transport does; results like read(2): bytes, 0 at the end of the stream, -1 with errno (EAGAIN: not now). */
struct conn_ops {
	ssize_t (*read)(struct conn *c, void *p, size_t n);
	ssize_t (*writev)(struct conn *c, const struct iovec *v, int n);
	int (*handshake)(struct conn *c); /* 1 done, 0 not yet, -1 failed; NULL: none */
	void (*shutdown)(struct conn *c);
};

struct conn_callbacks {
	void (*on_connected)(struct conn *c, void *arg); /* outgoing connections, once */
	void (*on_data)(struct conn *c, void *arg);      /* there is something in conn_in() that was not there before */
	void (*on_drained)(
		struct conn *c, void *arg);        /* output fell to the low watermark after conn_is_full() was true */
	void (*on_eof)(struct conn *c, void *arg); /* the peer has shut its side; writing may go on. NULL: close */
	/* Last callback, once, whoever closed; always after the callbacks of the turn, never inside conn_close. The
	 * conn is freed behind it. */
	void (*on_closed)(struct conn *c, void *arg, const char *reason);
};

struct conn_limits {
	size_t in_max;            /* input buffer */
	size_t out_high, out_low; /* watermarks of the output queue, bytes */
	size_t out_max;           /* writing beyond this closes the connection ("output_limit") */
};

/* The address at the other end of a socket: IPv6, IPv4 in mapped form; zero when it has none. */
void conn_peer_address(int fd, uint8_t ret[16]);

/* A connection on an accepted socket; takes the descriptor over. Reading starts at once. */
struct conn *conn_accept(
	struct loop *lp, int fd, const struct conn_limits *lim, const struct conn_callbacks *cb, void *arg);

/* Starts connecting: host (name or address) is looked up without blocking, all addresses are tried in turn. Fails
 * through on_closed with reason "dns_failed", "connect_refused", "connect_timeout" (timeout_ms for all together), ...
 * never inside this call. */
struct conn *conn_connect(struct loop *lp, struct str host, int32_t port, int32_t timeout_ms,
	const struct conn_limits *lim, const struct conn_callbacks *cb, void *arg);

/* Another owner: its callbacks instead of those before. */
void conn_set_callbacks(struct conn *c, const struct conn_callbacks *cb, void *arg);

/* Number, unique in the process; the peer's address as text ("1.2.3.4:567", "[::1]:8"). */
uint64_t conn_id(const struct conn *c);
struct str conn_peer(const struct conn *c);

/* The bytes that have arrived; the owner consumes them, in on_data or later. Call it anew each time: it is how the
 * connection notices that there may be room again. */
struct buf *conn_in(struct conn *c);

/* The owner wants more input (default) or not; the buffer being full pauses by itself. */
void conn_set_reading(struct conn *c, bool on);

/* Queues output and returns at once; it is sent at the end of the turn or when the socket takes it. conn_write copies,
 * conn_write_slice refers (and takes a reference), No-ops on a closed connection. */
void conn_write(struct conn *c, const void *p, size_t n);
void conn_write_slice(struct conn *c, struct slice s);

/* Bytes queued, and whether that is at or above the high watermark (stop producing until on_drained). */
size_t conn_out_len(const struct conn *c);
bool conn_is_full(const struct conn *c);

/* Ends it: at once, or when the output is sent (at most linger_ms later; input is dropped meanwhile, so that a peer
 * that still sends does not make the system throw away what it has not read yet). reason: a short stable word in static
 * storage, counted and logged by the owner's on_closed. No other callback follows; a second call changes nothing,
 * except that conn_close ends a conn_close_flush at once. */
void conn_close(struct conn *c, const char *reason);
void conn_close_flush(struct conn *c, const char *reason, int32_t linger_ms);
bool conn_is_closing(const struct conn *c);

/* For transports and tests: the descriptor (-1: none), and another table of transport functions, static. */
int conn_fd(const struct conn *c);
void conn_set_ops(struct conn *c, const struct conn_ops *ops);

/* mono ms of the last byte in or out. */
int64_t conn_last_active(const struct conn *c);

/* Bytes read and written so far. */
uint64_t conn_bytes_in(const struct conn *c);
uint64_t conn_bytes_out(const struct conn *c);

#endif
