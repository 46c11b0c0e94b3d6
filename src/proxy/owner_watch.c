/* SPDX-License-Identifier: Apache-2.0 */
/* Both ends of the connection by which a standby knows that the owner lives. */
#include "proxy/owner_watch.h"

#include <stdlib.h>

#include "base/mem.h"
#include "net/conn.h"
#include "net/tls.h"
#include "route/api.h"
#include "wire/messages.h"

#define CLIENT_ID STR_LIT("sluice standby")
#define DESCRIBE_VERSION 1
#define REQUEST_MAX 256u
#define REQUEST_HEAD 8u /* key, version, correlation id */
#define ANSWER_MAX 256u
/* Questions in a lease: one may be late. */
#define QUESTIONS 4
#define SSL_PREFIX "ssl://"

struct owner_watch {
	struct loop *loop;
	struct owner_watch_callbacks cb;
	void *arg;
	struct conn *conn;       /* NULL: it did not want us, and is tried again by the timer */
	struct tls_context *tls; /* NULL: plain */
	char host[256];
	int32_t port;
	int32_t lease_ms, correlation_id;
	bool greeted;     /* a handshake has ended, and no answer has come on this connection */
	int64_t heard_at; /* last answer; before the first one when it began */
	bool alive, dead;
	struct timer timer;
	const char *reason;
};

static const struct conn_limits limits = {.in_max = 4096, .out_high = 4096, .out_low = 1024, .out_max = 65536};

static void watch_died(struct owner_watch *w, const char *reason)
{
	if (w->dead)
		return;
	w->dead = true;
	w->reason = reason;
	/* Told by the timer: callbacks come from the loop. */
	timer_set(&w->timer, loop_now(w->loop));
}

static void watch_ask(struct owner_watch *w)
{
	struct request_header h = {
		.api_key = ROUTE_KEY_SHARE_GROUP_DESCRIBE,
		.api_version = DESCRIBE_VERSION,
		.correlation_id = ++w->correlation_id,
		.client_id = CLIENT_ID,
		.header_version = route_request_header_version(ROUTE_KEY_SHARE_GROUP_DESCRIBE, DESCRIBE_VERSION),
	};
	struct share_group_describe_request m;
	struct writer out;

	codec_init(&share_group_describe_request_schema, &m);
	wr_init(&out, REQUEST_MAX);
	wr_i32(&out, 0);
	request_header_write(&out, &h);
	if (!codec_encode(&share_group_describe_request_schema, DESCRIBE_VERSION, &out, &m) && !out.err) {
		wr_patch_i32(&out, 0, (int32_t)(wr_size(&out) - FRAME_LEN_SIZE));
		conn_write(w->conn, buf_head(&out.own), buf_len(&out.own));
	}
	wr_release(&out);
}

static void watch_heard(struct owner_watch *w)
{
	w->heard_at = loop_now(w->loop);
	if (w->alive || w->dead)
		return;
	w->alive = true;
	w->cb.on_alive(w->arg);
}

static void on_connected(struct conn *c, void *arg)
{
	struct owner_watch *w = arg;

	(void)c;
	watch_ask(w);
	w->greeted = w->tls != NULL;
	if (w->greeted)
		watch_heard(w);
}

/* Whatever it says, it lives; that it is a sluice is known from the log. */
static void on_data(struct conn *c, void *arg)
{
	struct owner_watch *w = arg;
	struct buf *in = conn_in(c);

	buf_consume(in, buf_len(in));
	w->greeted = false;
	watch_heard(w);
}

/* A listener that wants certificates of its clients tells us so in its handshake or (TLS 1.3) behind it. Only a process
 * that works can do that: a dead one's port is closed, and one that sleeps is silent. */
static void on_closed(struct conn *c, void *arg, const char *reason)
{
	struct owner_watch *w = arg;

	w->conn = NULL;
	if (!w->greeted && !conn_tls_got_alert(c)) {
		watch_died(w, reason);
		return;
	}
	w->greeted = false;
	if (conn_tls_got_alert(c))
		watch_heard(w);
}

static const struct conn_callbacks callbacks = {
	.on_connected = on_connected, .on_data = on_data, .on_closed = on_closed};

/* A connection that was given up with its watch. */
static const struct conn_callbacks no_callbacks = {.on_data = NULL};

static void watch_connect(struct owner_watch *w)
{
	struct str host = str_of(w->host);

	w->correlation_id = 0;
	w->conn = conn_connect(w->loop, host, w->port, w->lease_ms, &limits, &callbacks, w);
	if (w->tls)
		conn_start_tls(w->conn, w->tls, host, w->lease_ms);
}

static void on_timer(void *arg)
{
	struct owner_watch *w = arg;
	int64_t now = loop_now(w->loop);

	if (!w->dead && now - w->heard_at >= w->lease_ms)
		w->reason = "silent", w->dead = true;
	if (w->dead) {
		w->cb.on_dead(w->arg, w->reason);
		return;
	}
	if (!w->conn)
		watch_connect(w);
	else if (w->correlation_id > 0)
		watch_ask(w);
	timer_set(&w->timer, now + w->lease_ms / QUESTIONS);
}

/* "host:port" with brackets around an IPv6 address. */
static bool split_address(struct str address, struct str *host, int32_t *port)
{
	const char *colon = address.n ? memrchr(address.p, ':', address.n) : NULL;
	char text[8] = "";
	char *end;
	long n;

	if (!colon || colon == address.p || address.n - (size_t)(colon + 1 - address.p) >= sizeof(text))
		return false;
	memcpy(text, colon + 1, address.n - (size_t)(colon + 1 - address.p));
	n = strtol(text, &end, 10);
	*host = (struct str){address.p, (size_t)(colon - address.p)};
	if (host->n > 2 && host->p[0] == '[' && host->p[host->n - 1] == ']')
		*host = (struct str){host->p + 1, host->n - 2};
	*port = (int32_t)n;
	return *end == '\0' && n > 0 && n < 65536 && host->n < 256;
}

static bool cut_ssl(struct str *address)
{
	size_t n = sizeof(SSL_PREFIX) - 1;

	if (address->n < n || memcmp(address->p, SSL_PREFIX, n) != 0)
		return false;
	address->p += n;
	address->n -= n;
	return true;
}

struct owner_watch *owner_watch_new(struct loop *lp, struct str address, const struct tls_context *own,
	int32_t lease_ms, const struct owner_watch_callbacks *cb, void *arg)
{
	struct owner_watch *w = mem_zalloc(1, sizeof(*w));
	bool is_ssl = cut_ssl(&address);
	struct str host;

	w->loop = lp;
	w->cb = *cb;
	w->arg = arg;
	w->lease_ms = lease_ms;
	w->heard_at = loop_now(lp);
	timer_init(&w->timer, lp, on_timer, w);
	if (!split_address(address, &host, &w->port)) {
		watch_died(w, "its claim names no address that can be used");
		return w;
	}
	memcpy(w->host, host.p, host.n); /* shorter, and zeroed */
	if (is_ssl)
		w->tls = tls_context_new_prober(own);
	watch_connect(w);
	timer_set(&w->timer, loop_now(lp) + lease_ms / QUESTIONS);
	return w;
}

void owner_watch_free(struct owner_watch *w)
{
	if (!w)
		return;
	timer_clear(&w->timer);
	if (w->conn) {
		conn_set_callbacks(w->conn, &no_callbacks, NULL);
		conn_close(w->conn, "watch_ended");
	}
	tls_context_unref(w->tls);
	mem_free(w);
}

enum frame_status owner_watch_is_request(const uint8_t *p, size_t n, struct request_header *ret, size_t *ret_size)
{
	const char *reason;
	size_t need;
	uint32_t len;

	switch (frame_length(p, n, REQUEST_HEAD, REQUEST_MAX, &len, &need, &reason)) {
	case FRAME_NEED_MORE:
		return FRAME_NEED_MORE;
	case FRAME_BAD:
		return FRAME_BAD;
	case FRAME_READY:
		break;
	}
	if (n < FRAME_LEN_SIZE + REQUEST_HEAD)
		return FRAME_NEED_MORE;
	if (request_header_peek(p + FRAME_LEN_SIZE, n - FRAME_LEN_SIZE, ret, &need) != FRAME_READY ||
		ret->api_key != ROUTE_KEY_SHARE_GROUP_DESCRIBE || ret->api_version != DESCRIBE_VERSION)
		return FRAME_BAD;
	if (n - FRAME_LEN_SIZE < len)
		return FRAME_NEED_MORE;
	if (request_header_read(p + FRAME_LEN_SIZE, len, len,
		    route_request_header_version(ret->api_key, ret->api_version), ret, &need, &reason) != FRAME_READY ||
		str_is_null(ret->client_id) || !str_eq(ret->client_id, CLIENT_ID))
		return FRAME_BAD;
	*ret_size = FRAME_LEN_SIZE + len;
	return FRAME_READY;
}

void owner_watch_answer(struct writer *w, const struct request_header *h)
{
	struct share_group_describe_response m;

	codec_init(&share_group_describe_response_schema, &m);
	wr_init(w, ANSWER_MAX);
	wr_i32(w, 0);
	response_header_write(w, route_response_header_version(h->api_key, h->api_version), h->correlation_id);
	if (!codec_encode(&share_group_describe_response_schema, h->api_version, w, &m))
		wr_patch_i32(w, 0, (int32_t)(wr_size(w) - FRAME_LEN_SIZE));
}
