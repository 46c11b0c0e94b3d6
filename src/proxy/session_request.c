/* SPDX-License-Identifier: Apache-2.0 */
/* Client to broker: each request is read as far as its verdict needs, then streamed on, collected or refused. */
#include <stdio.h>

#include "base/assert.h"
#include "base/mem.h"
#include "proxy/proxy_priv.h"
#include "route/peek.h"
#include "route/versions.h"

/* Kafka's keys end far below; vendors' own begin far above. */
#define API_KEY_MAX 1000
#define REQUEST_MIN 8 /* key, version, correlation id */

/* A frame at the front of the input buffer. */
struct incoming {
	const uint8_t *p; /* behind the length */
	size_t n;         /* bytes of it that have arrived */
	uint32_t len;     /* bytes of it in all */
	struct request_header h;
	const struct route_api *api; /* NULL: a key that we have no row for */
};

static enum session_step refuse(struct session *s, const char *reason, const char *detail)
{
	session_close(s, reason, detail, true);
	return STEP_CLOSED;
}

static enum session_step refuse_request(struct session *s, const struct incoming *in, const char *reason)
{
	char detail[120];

	snprintf(detail, sizeof(detail), "API key %d (%s) version %d, %u bytes", in->h.api_key,
		in->api ? in->api->name : "unknown", in->h.api_version, in->len);
	return refuse(s, reason, detail);
}

/* The first request tells who the client is, and whether it speaks Kafka at all: its header has to make sense. */
static enum session_step greet(struct session *s, const struct incoming *in)
{
	int8_t version = route_request_header_version(in->h.api_key, in->h.api_version);
	struct request_header h;
	const char *reason;
	size_t need;

	switch (request_header_read(in->p, in->n, in->len, version, &h, &need, &reason)) {
	case FRAME_NEED_MORE:
		return STEP_NEED;
	case FRAME_BAD:
		return refuse_request(s, in, reason);
	case FRAME_READY:
		break;
	}
	if (!str_is_null(h.client_id))
		s->client_id = mem_copy_string(
			h.client_id.p, h.client_id.n < SESSION_CLIENT_ID_MAX ? h.client_id.n : SESSION_CLIENT_ID_MAX);
	s->greeted = true;
	return STEP_AGAIN;
}

/* The requests that come before and in a login. A SASL exchange that has begun should end. */
static bool is_of_login(int16_t key)
{
	return key == ROUTE_KEY_API_VERSIONS || key == ROUTE_KEY_SASL_HANDSHAKE || key == ROUTE_KEY_SASL_AUTHENTICATE;
}

static void count_request(struct proxy *p, const struct incoming *in)
{
	if (in->api)
		p->count.requests[in->h.api_key]++;
	else
		p->count.requests_unknown++;
}

static void note_request(struct session *s, const struct incoming *in)
{
	s->request_key = in->h.api_key;
	s->logging_in |= in->h.api_key == ROUTE_KEY_SASL_HANDSHAKE;
	count_request(s->proxy, in);
}

/* The whole frame, length included, goes to the broker as it is. */
static enum session_step begin_pass(struct session *s, const struct incoming *in, bool has_answer)
{
	struct slot *sl;

	if (has_answer) {
		sl = slot_push(s, &in->h, SLOT_BROKER, SLOT_WAITING);
		sl->answer = in->api ? route_api_answer(in->api, in->h.api_version) : ROUTE_ANSWER_PASS;
		s->receiving = sl;
	}
	note_request(s, in);
	s->request_left = FRAME_LEN_SIZE + (uint64_t)in->len;
	s->request_state = REQUEST_PASS;
	return STEP_AGAIN;
}

/* Records for the internal topic are kept out while the request streams through. */
static void begin_guard(struct session *s, const struct incoming *in, size_t header_size)
{
	struct uuid id;
	struct str topic = s->proxy->service ? service_internal(s->proxy->service, &id) : STR_NULL;

	if (str_is_null(topic))
		return;
	if (!s->guard)
		s->guard = mem_zalloc(1, sizeof(*s->guard));
	produce_guard_init(s->guard, in->h.api_version, FRAME_LEN_SIZE + header_size, topic, id);
	s->guarding = true;
}

/* How many of the next n bytes may go on; 0: more are needed first. */
static size_t pass_guard(struct session *s, struct buf *b, size_t n)
{
	struct produce_guard *g = s->guard;
	size_t pass = produce_guard_feed(g, buf_edit(b), n);

	if (g->hit && s->receiving) {
		s->receiving->guarded = true;
		s->receiving->answer = ROUTE_ANSWER_COLLECT;
	}
	/* A body that ends within a field: the broker may say so itself. */
	return pass == 0 && n == s->request_left && !g->err ? n : pass;
}

/* Produce has no answer when acks is 0. */
static enum session_step begin_produce(struct session *s, const struct incoming *in)
{
	int8_t version = route_request_header_version(in->h.api_key, in->h.api_version);
	struct request_header h;
	const char *reason;
	enum frame_status st;
	int16_t acks = -1;
	size_t need;

	st = request_header_read(in->p, in->n, in->len, version, &h, &need, &reason);
	if (st == FRAME_READY)
		st = peek_produce_acks(h.api_version, in->p + h.size, in->n - h.size, in->len - (uint32_t)h.size, &acks,
			&need, &reason);
	if (st == FRAME_NEED_MORE)
		return STEP_NEED;
	if (st == FRAME_BAD)
		return refuse_request(s, in, reason);
	begin_guard(s, in, h.size);
	return begin_pass(s, in, acks != 0);
}

/* Collects what sluice answers itself: one at a time, as a broker does, so that what a client sends in order happens in
 * order. */
static enum session_step begin_collect(struct session *s, const struct incoming *in, uint32_t max)
{
	struct slot *sl;

	if (in->len > max)
		return refuse_request(s, in, "request_too_large");
	if (s->busy || s->held > SESSION_HELD_MAX)
		return STEP_WAIT;
	slot_trim(s);
	sl = slot_push(s, &in->h, SLOT_LOCAL, SLOT_RECEIVING);
	buf_init(&sl->local->frame, in->len);
	s->receiving = sl;
	s->busy = sl;
	note_request(s, in);
	buf_consume(conn_in(s->client), FRAME_LEN_SIZE);
	s->request_left = in->len;
	s->request_state = REQUEST_COLLECT;
	return STEP_AGAIN;
}

/* An ApiVersions request from the future is told what it may ask instead (KIP-511). */
static enum session_step answer_api_versions(struct session *s, const struct incoming *in)
{
	struct slot *sl = slot_push(s, &in->h, SLOT_LOCAL, SLOT_WAITING);
	struct writer w;

	wr_init(&w, 64);
	versions_write_unsupported(&w);
	slot_answer(sl, &w);
	note_request(s, in);
	s->request_left = FRAME_LEN_SIZE + (uint64_t)in->len;
	s->request_state = REQUEST_SKIP;
	return STEP_AGAIN;
}

/* Whole small frames are looked at in the input buffer; larger ones are collected unseen. */
#define LOOK_MAX (SESSION_IN_MAX / 2)

/* Requests that only matter when they name a share group: all others stream on, nothing is kept of them. */
static enum session_step begin_group(struct session *s, const struct incoming *in)
{
	int8_t version = route_request_header_version(in->h.api_key, in->h.api_version);
	struct peek_group g = {STR_NULL, false};
	struct request_header h;
	const char *reason;
	enum frame_status st;
	size_t need;

	st = request_header_read(in->p, in->n, in->len, version, &h, &need, &reason);
	if (st == FRAME_READY)
		st = peek_group(h.api_key, h.api_version, in->p + h.size, in->n - h.size, in->len - (uint32_t)h.size,
			&g, &need, &reason);
	if (st == FRAME_NEED_MORE)
		return STEP_NEED;
	if (st == FRAME_BAD)
		return refuse_request(s, in, reason);
	if (service_has_group(s->proxy->service, g.id) || (g.more && in->len <= SESSION_TERMINATED_MAX))
		return begin_collect(s, in, SESSION_TERMINATED_MAX);
	return begin_pass(s, in, true);
}

/* Requests that only matter when they name the internal topic. */
static enum session_step begin_topic(struct session *s, const struct incoming *in)
{
	if (in->len <= LOOK_MAX && in->n < in->len)
		return STEP_NEED;
	if (in->len <= LOOK_MAX && !service_finds_internal(s->proxy->service, (struct bytes){in->p, in->n}))
		return begin_pass(s, in, true);
	return begin_collect(s, in, SESSION_TERMINATED_MAX);
}

static enum session_step begin_peek(struct session *s, const struct incoming *in)
{
	switch (in->api->peek) {
	case ROUTE_PEEK_ACKS:
		return begin_produce(s, in);
	case ROUTE_PEEK_GROUP:
		return begin_group(s, in);
	case ROUTE_PEEK_TOPIC:
		return begin_topic(s, in);
	case ROUTE_PEEK_WHOLE:
		break;
	}
	return begin_collect(s, in, SESSION_TERMINATED_MAX);
}

static enum session_step begin_known(struct session *s, const struct incoming *in)
{
	/* Nothing of share groups is ours: only acks are looked at, and addresses in answers. */
	if (s->proxy->native && in->h.api_key != ROUTE_KEY_PRODUCE)
		return begin_pass(s, in, true);
	switch (in->api->verdict) {
	case ROUTE_PASS:
	case ROUTE_REWRITE:
		return begin_pass(s, in, true);
	case ROUTE_PEEK:
		return begin_peek(s, in);
	case ROUTE_TERMINATE:
		break;
	}
	return begin_collect(s, in, SESSION_TERMINATED_MAX);
}

static enum session_step begin_request(struct session *s, const struct incoming *in)
{
	if (!in->api)
		return begin_pass(s, in, true);
	if (!route_api_is_known(in->api, in->h.api_version)) {
		if (in->h.api_key == ROUTE_KEY_API_VERSIONS && in->h.api_version > 0)
			return answer_api_versions(s, in);
		return refuse_request(s, in, "unsupported_version");
	}
	/* Its tokens follow as frames without a header, which cannot be told from requests. */
	if (in->h.api_key == ROUTE_KEY_SASL_HANDSHAKE && in->h.api_version == 0)
		return refuse(s, "sasl_handshake_v0", "SaslHandshake version 0 is not supported, version 1 is");
	return begin_known(s, in);
}

static const char *bad_length_text(const char *reason)
{
	if (strcmp(reason, "tls_hello") == 0 || strcmp(reason, "tls_alert") == 0)
		return "the client speaks TLS, this listener is plaintext";
	if (strcmp(reason, "http") == 0)
		return "the client speaks HTTP, this listener speaks Kafka's protocol";
	return "the length of a request is out of range (8 to socket.request.max.bytes)";
}

/* The start of a frame: length, key, version, correlation id. */
static enum session_step step_frame(struct session *s)
{
	struct buf *b = conn_in(s->client);
	struct incoming in = {0};
	const char *reason = NULL;
	enum session_step step;
	size_t need;

	if (buf_len(b) == 0)
		return STEP_NEED;
	if (s->barrier)
		return STEP_WAIT;
	if (s->proxy->stopping || s->queue_n >= (uint32_t)s->proxy->cfg.request_queue_max || conn_is_full(s->upstream))
		return STEP_BLOCKED;
	switch (frame_length(buf_head(b), buf_len(b), REQUEST_MIN, (uint32_t)s->proxy->cfg.request_max_bytes, &in.len,
		&need, &reason)) {
	case FRAME_NEED_MORE:
		return STEP_NEED;
	case FRAME_BAD:
		return refuse(s, reason, bad_length_text(reason));
	case FRAME_READY:
		break;
	}
	in.p = buf_head(b) + FRAME_LEN_SIZE;
	in.n = buf_len(b) - FRAME_LEN_SIZE;
	if (in.n > in.len)
		in.n = in.len;
	if (request_header_peek(in.p, in.n, &in.h, &need) != FRAME_READY)
		return STEP_NEED;
	if (in.h.api_key < 0 || in.h.api_key > API_KEY_MAX)
		return refuse_request(s, &in, "api_key_out_of_range");
	in.api = route_api_find(in.h.api_key);
	step = s->greeted ? STEP_AGAIN : greet(s, &in);
	return step == STEP_AGAIN ? begin_request(s, &in) : step;
}

static void request_done(struct session *s)
{
	if (!is_of_login(s->request_key))
		admission_end_login(s);
	s->receiving = NULL;
	s->guarding = false;
	s->request_state = REQUEST_FRAME;
}

/* How many bytes of the frame are there. */
static size_t request_here(struct session *s, const struct buf *b)
{
	return buf_len(b) < s->request_left ? buf_len(b) : (size_t)s->request_left;
}

static enum session_step step_pass(struct session *s)
{
	struct buf *b = conn_in(s->client);
	size_t n = request_here(s, b);

	if (n == 0)
		return STEP_NEED;
	if (conn_is_full(s->upstream))
		return STEP_BLOCKED;
	if (s->guarding) {
		n = pass_guard(s, b, n);
		if (s->guard->err)
			return refuse(s, "produce_malformed", "the body of a Produce request");
		if (n == 0)
			return STEP_NEED;
	}
	conn_write(s->upstream, buf_head(b), n);
	buf_consume(b, n);
	s->request_left -= n;
	if (s->request_left == 0)
		request_done(s);
	return STEP_AGAIN;
}

/* "1.2.3.4:567" becomes "/1.2.3.4", "[::1]:8" becomes "/::1". */
static void write_client_host(struct str peer, char *out, size_t size)
{
	while (peer.n > 0 && peer.p[peer.n - 1] != ':')
		peer.n--;
	if (peer.n > 0)
		peer.n--;
	if (peer.n > 1 && peer.p[0] == '[')
		peer = (struct str){peer.p + 1, peer.n - 2};
	snprintf(out, size, "/%.*s", (int)peer.n, peer.p);
}

/* The request is whole: it goes to the share service, which answers now or later. */
static enum session_step dispatch(struct session *s, struct slot *sl)
{
	struct slot_local *lo = sl->local;
	struct slot_request *rq = &lo->request;
	int8_t version = route_request_header_version(sl->api_key, sl->api_version);
	const struct route_api *api = route_api_find(sl->api_key);
	const char *reason = "header_malformed";
	size_t need;

	request_done(s);
	if (request_header_read(buf_head(&lo->frame), buf_len(&lo->frame), (uint32_t)buf_len(&lo->frame), version,
		    &rq->header, &need, &reason) != FRAME_READY)
		return refuse(s, reason, api->name);
	rq->body = (struct bytes){buf_head(&lo->frame) + rq->header.size, buf_len(&lo->frame) - rq->header.size};
	rq->node_id = s->endpoint->node_id;
	rq->conn_id = s->id;
	write_client_host(conn_peer(s->client), lo->client_host, sizeof(lo->client_host));
	rq->client_host = str_of(lo->client_host);
	sl->state = SLOT_WAITING;
	if (api->verdict == ROUTE_TERMINATE)
		s->shares = true;
	s->barrier = sl;
	terminate_request(s->proxy, sl);
	/* Only a split request may still be sent on later. */
	if (s->barrier == sl && api->verdict == ROUTE_TERMINATE && lo->asked == 0)
		s->barrier = NULL;
	return session_close_failed(s) ? STEP_CLOSED : STEP_AGAIN;
}

static enum session_step step_collect(struct session *s)
{
	struct buf *b = conn_in(s->client);
	size_t n = request_here(s, b);
	struct slot *sl = s->receiving;

	if (n == 0)
		return STEP_NEED;
	if (!session_collect(s, &sl->local->frame, buf_head(b), n))
		return refuse(s, "collect_limit", "no memory to collect a request");
	buf_consume(b, n);
	s->request_left -= n;
	return s->request_left == 0 ? dispatch(s, sl) : STEP_AGAIN;
}

static enum session_step step_skip(struct session *s)
{
	struct buf *b = conn_in(s->client);
	size_t n = request_here(s, b);

	if (n == 0)
		return STEP_NEED;
	buf_consume(b, n);
	s->request_left -= n;
	if (s->request_left == 0)
		request_done(s);
	return STEP_AGAIN;
}

enum session_step session_request_step(struct session *s)
{
	switch (s->request_state) {
	case REQUEST_FRAME:
		return step_frame(s);
	case REQUEST_PASS:
		return step_pass(s);
	case REQUEST_COLLECT:
		return step_collect(s);
	case REQUEST_SKIP:
		break;
	}
	return step_skip(s);
}
