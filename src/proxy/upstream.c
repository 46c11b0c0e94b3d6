/* SPDX-License-Identifier: Apache-2.0 */
/* The broker's side of a session: which broker, connecting to it, keeping it alive, what its end means. */
#include "base/assert.h"
#include "base/mem.h"
#include "proxy/proxy_priv.h"
#include "wire/frame.h"

static const struct conn_limits upstream_limits = {
	.in_max = SESSION_IN_MAX,
	.out_high = SESSION_OUT_HIGH,
	.out_low = SESSION_OUT_LOW,
	.out_max = SESSION_OUT_MAX,
};

static void on_upstream_connected(struct conn *c, void *arg)
{
	struct session *s = arg;

	(void)c;
	session_set_state(s, SESSION_OPEN);
	session_run(s);
}

static void on_upstream_data(struct conn *c, void *arg)
{
	(void)c;
	session_run(arg);
}

static void on_upstream_eof(struct conn *c, void *arg)
{
	struct session *s = arg;

	(void)c;
	s->upstream_eof = true;
	session_run(s);
}

/* A bootstrap connection has others to try; one to a certain broker ends as that broker's would. */
static void on_connect_failed(struct session *s, const char *reason, const char *tls_error)
{
	s->proxy->count.upstream_failures++;
	cluster_refresh(s->proxy->cluster);
	if (s->attempts_left > 0 && loop_now(s->proxy->loop) - s->opened_at < s->proxy->cfg.connection_setup_timeout_ms)
		upstream_start(s);
	else
		session_close(s, reason, *tls_error ? tls_error : "the broker cannot be reached", false);
}

void upstream_gone(struct session *s, const char *detail)
{
	bool idle = !session_has_work(s) && s->request_state == REQUEST_FRAME;

	/* It may be the first sign of a broker that is gone. */
	cluster_refresh(s->proxy->cluster);
	session_close(s, idle ? "upstream_idle_closed" : "upstream_closed", detail, true);
}

static void on_upstream_closed(struct conn *c, void *arg, const char *reason)
{
	struct session *s = arg;

	s->proxy->count.upstream_bytes_in += conn_bytes_in(c);
	s->proxy->count.upstream_bytes_out += conn_bytes_out(c);
	s->upstream = NULL;
	if (s->state == SESSION_CONNECTING)
		on_connect_failed(s, reason, conn_tls_error(c));
	else if (s->state == SESSION_OPEN)
		upstream_gone(s, *conn_tls_error(c) ? conn_tls_error(c) : reason);
	session_schedule(s);
}

static const struct conn_callbacks upstream_callbacks = {
	.on_connected = on_upstream_connected,
	.on_data = on_upstream_data,
	.on_drained = on_upstream_data,
	.on_eof = on_upstream_eof,
	.on_closed = on_upstream_closed,
};

static void upstream_connect(struct session *s, struct str host, int32_t port)
{
	struct proxy *p = s->proxy;

	session_set_state(s, SESSION_CONNECTING);
	p->count.upstream_connects++;
	s->upstream = conn_connect(
		p->loop, host, port, p->cfg.connection_setup_timeout_ms, &upstream_limits, &upstream_callbacks, s);
	if (p->cfg.clients_tls)
		conn_start_tls(s->upstream, p->cfg.clients_tls, host, p->cfg.connection_setup_timeout_ms);
}

/* Brokers in turn, or before the first metadata the bootstrap servers in turn. */
static void upstream_start_any(struct session *s)
{
	struct proxy *p = s->proxy;
	const struct cluster_metadata *md = cluster_get_metadata(p->cluster);
	const struct cluster_config *cc = &p->cfg.cluster;
	uint32_t turn = p->next_upstream++;
	bool known = md && md->brokers_n > 0;

	if (s->attempts_left == 0)
		s->attempts_left = known ? md->brokers_n : cc->bootstrap_n;
	s->attempts_left--;
	if (known)
		upstream_connect(s, md->brokers[turn % md->brokers_n].host, md->brokers[turn % md->brokers_n].port);
	else
		upstream_connect(
			s, cc->bootstrap[turn % cc->bootstrap_n].host, cc->bootstrap[turn % cc->bootstrap_n].port);
}

void upstream_start(struct session *s)
{
	const struct cluster_broker *b;

	if (s->endpoint->node_id < 0) {
		upstream_start_any(s);
		return;
	}
	b = cluster_find_broker(s->proxy->cluster, s->endpoint->node_id);
	if (b) {
		upstream_connect(s, b->host, b->port);
		return;
	}
	cluster_refresh(s->proxy->cluster);
	if (s->endpoint->was_known)
		session_close(s, "broker_unknown", "the broker has left the cluster", false);
	else
		session_set_state(s, SESSION_WAITING);
}

void session_write(struct conn *c, const struct writer *w)
{
	const uint8_t *own = buf_head(&w->own);
	size_t done = 0;

	for (size_t i = 0; i < w->refs_n; i++) {
		if (w->refs[i].at > done)
			conn_write(c, own + done, w->refs[i].at - done);
		done = w->refs[i].at;
		conn_write_slice(c, w->refs[i].slice);
	}
	if (buf_len(&w->own) > done)
		conn_write(c, own + done, buf_len(&w->own) - done);
}

void session_send(struct conn *c, const struct request_header *h, const struct writer *body)
{
	struct writer head;

	wr_init(&head, FRAME_LEN_SIZE + 16 + SESSION_IN_MAX);
	wr_i32(&head, 0);
	request_header_write(&head, h);
	wr_patch_i32(&head, 0, (int32_t)(wr_size(&head) - FRAME_LEN_SIZE + (body ? wr_size(body) : 0)));
	sl_assert(!head.err && !(body && body->err));
	session_write(c, &head);
	if (body)
		session_write(c, body);
	wr_release(&head);
}

void upstream_keep_alive(struct session *s)
{
	struct request_header h = {
		.api_key = ROUTE_KEY_API_VERSIONS,
		.header_version = route_request_header_version(ROUTE_KEY_API_VERSIONS, 0),
		.client_id = str_of(s->client_id),
	};

	slot_push(s, &h, SLOT_INTERNAL, SLOT_WAITING);
	s->proxy->count.keepalives++;
	session_send(s->upstream, &h, NULL);
}
