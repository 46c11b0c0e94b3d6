/* SPDX-License-Identifier: Apache-2.0 */
/* Broker to client: each answer is matched with its request, then streamed, collected and changed, or changed at its
 * end.
 *
 *   length, correlation id -> the broker's next slot -> head of the queue? -> by the slot's route_answer
 *                                                       not yet: stays unread */
#include <stdio.h>

#include "base/assert.h"
#include "base/mem.h"
#include "proxy/proxy_priv.h"
#include "route/internal_topic.h"
#include "route/rewrite.h"
#include "route/versions.h"

#define RESPONSE_MIN 4 /* correlation id */
/* The first answer on a connection is small; a length beyond this is a sign of another protocol. */
#define FIRST_RESPONSE_MAX (100u * 1024 * 1024)
/* A response header with its tags, of which there are none so far. */
#define RESPONSE_HEADER_MAX 4096u

static enum session_step bad_answer(struct session *s, const struct slot *sl, const char *what)
{
	const struct route_api *api = route_api_find(sl->api_key);
	char detail[160];

	snprintf(detail, sizeof(detail), "%s: answer of %s version %d", what, api ? api->name : "an unknown API",
		sl->api_version);
	session_close(s, "bad_answer", detail, true);
	return STEP_CLOSED;
}

static enum session_step response_done(struct session *s)
{
	s->response_state = RESPONSE_FRAME;
	slot_remove(slot_next_of_broker(s));
	return STEP_AGAIN;
}

static void log_dropped(const struct session *s, const struct rewrite_dropped *d)
{
	for (uint32_t i = 0; i < d->n && i < REWRITE_DROPPED_MAX; i++)
		endpoints_log_outside(s->endpoint->owner, d->id[i]);
}

/* The size of the response header in front of p's n bytes; 0 when it is malformed. */
static size_t header_size(const struct slot *sl, const uint8_t *p, size_t n)
{
	struct reader r = rd_init(p, n);

	(void)rd_i32(&r);
	if (route_response_header_version(sl->api_key, sl->api_version) > 0)
		rd_skip_tags(&r);
	return r.err ? 0 : (size_t)(r.p - p);
}

/* Writes length and header of an answer whose body has body_n bytes; the header stays as the broker sent it. */
static void write_header(struct session *s, const uint8_t *header, size_t header_n, size_t body_n)
{
	struct writer w;

	wr_init(&w, FRAME_LEN_SIZE);
	wr_i32(&w, (int32_t)(header_n + body_n));
	session_write(s->client, &w);
	wr_release(&w);
	conn_write(s->client, header, header_n);
}

/* The answer to a Produce request from which the internal topic was kept out, put right and then changed as others. */
static enum err change_guarded(struct session *s, const struct slot *sl, struct bytes body, struct writer *w)
{
	struct proxy_listener *l = s->endpoint->owner;
	struct rewrite_dropped dropped = {0};
	bool changed = false;
	struct uuid id;
	struct str topic = service_internal(s->proxy->service, &id);
	struct writer plain;
	struct arena a;
	uint8_t *p;
	enum err e;

	arena_init(&a, SESSION_ARENA_MAX);
	wr_init(&plain, 2 * SESSION_COLLECT_MAX);
	e = produce_guard_restore(sl->api_version, body, topic, id, &a, &plain);
	p = e ? NULL : mem_try_alloc(wr_size(&plain) + 1);
	if (p) {
		wr_flatten(&plain, p);
		if (route_api_answer(route_api_find(sl->api_key), sl->api_version) != ROUTE_ANSWER_PASS)
			e = rewrite_response(sl->api_key, sl->api_version, (struct slice){NULL, p, wr_size(&plain)},
				&l->map, w, &changed, &dropped);
		if (!e && !changed)
			wr_raw(w, p, wr_size(&plain));
		log_dropped(s, &dropped);
	} else if (!e) {
		e = ERR_NO_MEMORY;
	}
	mem_free(p);
	wr_release(&plain);
	arena_release(&a);
	return e ? e : w->err;
}

/* Once for each API: something of the brokers does not reach the clients. */
static void log_lowered(void *arg, const struct route_api *api, int16_t broker_max)
{
	struct proxy *p = arg;

	if (p->lowered_logged[api->key])
		return;
	p->lowered_logged[api->key] = true;
	log_info(p->log, NULL,
		"a broker offers %s up to version %d, clients are offered version %d: this sluice knows none later",
		api->name, broker_max, api->max_known);
}

/* The changed body behind w; *ret_changed false: as it was. */
static enum err change_body(
	struct session *s, const struct slot *sl, struct bytes body, struct writer *w, bool *ret_changed)
{
	struct proxy_listener *l = s->endpoint->owner;
	struct rewrite_dropped dropped = {0};
	enum err e;

	if (sl->answer == ROUTE_ANSWER_PASS) {
		*ret_changed = false;
		return ERR_OK;
	}
	*ret_changed = true;
	if (sl->guarded)
		return change_guarded(s, sl, body, w);
	if (sl->api_key == ROUTE_KEY_API_VERSIONS) {
		versions_each_lowered(sl->api_version, body, log_lowered, s->proxy);
		return versions_edit(sl->api_version, body, s->proxy->native ? VERSIONS_NATIVE : versions_served(), w);
	}
	if (sl->api_key == ROUTE_KEY_DESCRIBE_TOPIC_PARTITIONS) {
		*ret_changed = false;
		return ERR_OK;
	}
	if (sl->answer == ROUTE_ANSWER_COLLECT)
		endpoints_announce_answer(l, sl->api_key, sl->api_version, body);
	e = rewrite_response(
		sl->api_key, sl->api_version, (struct slice){NULL, body.p, body.n}, &l->map, w, ret_changed, &dropped);
	log_dropped(s, &dropped);
	return e;
}

/* What slot_forward asked for has come: the slot is a waiting local one again. */
static enum session_step answer_forward(struct session *s, struct slot *sl, struct bytes body)
{
	sl->kind = SLOT_LOCAL;
	s->response_state = RESPONSE_FRAME;
	sl->local->on_forwarded(sl, body);
	return session_close_failed(s) ? STEP_CLOSED : STEP_AGAIN;
}

static enum session_step answer_asker(struct session *s, struct slot *sl, struct bytes body)
{
	s->response_state = RESPONSE_FRAME;
	slot_told(sl, body);
	return session_close_failed(s) ? STEP_CLOSED : STEP_AGAIN;
}

/* A whole answer of len bytes (behind its length) is there. */
static enum session_step response_whole(struct session *s, uint8_t *p, size_t len)
{
	struct slot *sl = slot_next_of_broker(s);
	size_t header_n = header_size(sl, p, len);
	struct bytes body = {p + header_n, len - header_n};
	struct writer w;
	bool changed = false;
	enum err e;

	if (header_n == 0)
		return bad_answer(s, sl, "malformed header");
	if (sl->kind == SLOT_FORWARD)
		return answer_forward(s, sl, body);
	if (sl->asker)
		return answer_asker(s, sl, body);
	wr_init(&w, 2 * SESSION_COLLECT_MAX);
	e = internal_topic_mark(sl->api_key, sl->api_version, p + header_n, body.n, s->proxy->cfg.state_topic);
	if (!e)
		e = change_body(s, sl, body, &w, &changed);
	if (!e && changed) {
		write_header(s, p, header_n, wr_size(&w));
		session_write(s->client, &w);
	} else if (!e) {
		write_header(s, p, header_n, body.n);
		conn_write(s->client, body.p, body.n);
	}
	wr_release(&w);
	return e ? bad_answer(s, sl, err_text(e)) : response_done(s);
}

static enum session_step step_whole(struct session *s)
{
	struct buf *b = conn_in(s->upstream);
	size_t total = (size_t)s->response_left;
	enum session_step step;

	if (buf_len(b) < total)
		return STEP_NEED;
	step = response_whole(s, buf_edit(b) + FRAME_LEN_SIZE, total - FRAME_LEN_SIZE);
	if (step != STEP_CLOSED)
		buf_consume(b, total);
	return step;
}

static enum session_step step_collect(struct session *s)
{
	struct buf *b = conn_in(s->upstream);
	size_t n = buf_len(b) < s->response_left ? buf_len(b) : (size_t)s->response_left;
	enum session_step step;

	if (n == 0)
		return STEP_NEED;
	if (!session_collect(s, &s->collected, buf_head(b), n)) {
		session_close(s, "collect_limit", "no memory to collect an answer", true);
		return STEP_CLOSED;
	}
	buf_consume(b, n);
	s->response_left -= n;
	if (s->response_left > 0)
		return STEP_AGAIN;
	step = response_whole(s, buf_edit(&s->collected), buf_len(&s->collected));
	if (step != STEP_CLOSED) {
		s->proxy->count.collecting_bytes -= buf_len(&s->collected);
		buf_release(&s->collected);
	}
	return step;
}

/* A big answer of Produce or Fetch: everything but the tagged fields at its end passes at once. */
static enum session_step begin_stream(struct session *s, struct slot *sl, uint32_t len)
{
	struct buf *b = conn_in(s->upstream);
	const uint8_t *p = buf_head(b) + FRAME_LEN_SIZE;
	size_t header_n;

	if (buf_len(b) < FRAME_LEN_SIZE + RESPONSE_HEADER_MAX)
		return STEP_NEED;
	header_n = header_size(sl, p, RESPONSE_HEADER_MAX);
	if (header_n == 0)
		return bad_answer(s, sl, "malformed header");
	if (!s->stream)
		s->stream = mem_zalloc(1, sizeof(*s->stream));
	if (rewrite_stream_init(
		    s->stream, &s->endpoint->owner->map, sl->api_key, sl->api_version, len - (uint32_t)header_n))
		return bad_answer(s, sl, "unsupported version");
	write_header(s, p, header_n, len - header_n);
	buf_consume(b, FRAME_LEN_SIZE + header_n);
	s->proxy->count.streamed_rewrites++;
	s->response_state = RESPONSE_STREAM;
	return STEP_AGAIN;
}

static enum session_step step_stream(struct session *s)
{
	struct buf *b = conn_in(s->upstream);
	struct rewrite_stream *st = s->stream;
	size_t n = buf_len(b) < st->left ? buf_len(b) : st->left;
	struct bytes tail;
	size_t pass;

	if (n == 0)
		return STEP_NEED;
	if (conn_is_full(s->client))
		return STEP_BLOCKED;
	if (rewrite_stream_feed(st, buf_head(b), n, &pass))
		return bad_answer(s, TAILQ_FIRST(&s->queue), "malformed body");
	conn_write(s->client, buf_head(b), pass);
	buf_consume(b, n);
	if (st->left > 0)
		return STEP_AGAIN;
	tail = rewrite_stream_tail(st);
	conn_write(s->client, tail.p, tail.n);
	log_dropped(s, &st->dropped);
	rewrite_stream_release(st);
	mem_free(st);
	s->stream = NULL;
	return response_done(s);
}

static enum session_step begin_collect(struct session *s, const struct slot *sl, uint32_t len)
{
	if (len > SESSION_COLLECT_MAX)
		return bad_answer(s, sl, "too large to be changed");
	buf_consume(conn_in(s->upstream), FRAME_LEN_SIZE);
	s->response_left = len;
	s->response_state = RESPONSE_COLLECT;
	return STEP_AGAIN;
}

static enum session_step begin_answer(struct session *s, struct slot *sl, uint32_t len)
{
	s->response_left = FRAME_LEN_SIZE + (uint64_t)len;
	if (sl->kind == SLOT_INTERNAL && !sl->asker)
		s->response_state = RESPONSE_DROP;
	else if (sl->kind == SLOT_BROKER && sl->answer == ROUTE_ANSWER_PASS)
		s->response_state = RESPONSE_PASS;
	else if (len <= SESSION_WHOLE_MAX)
		s->response_state = RESPONSE_WHOLE;
	else if (sl->kind == SLOT_BROKER && sl->answer == ROUTE_ANSWER_STREAM)
		return begin_stream(s, sl, len);
	else
		return begin_collect(s, sl, len);
	return STEP_AGAIN;
}

/* The start of an answer. */
static enum session_step step_frame(struct session *s)
{
	struct buf *b = conn_in(s->upstream);
	uint32_t max = s->upstream_greeted ? INT32_MAX : FIRST_RESPONSE_MAX;
	const char *reason = NULL;
	uint32_t len = 0;
	struct slot *sl;
	struct reader r;
	size_t need;

	switch (frame_length(buf_head(b), buf_len(b), RESPONSE_MIN, max, &len, &need, &reason)) {
	case FRAME_NEED_MORE:
		return STEP_NEED;
	case FRAME_BAD:
		session_close(
			s, reason, "the first bytes of the broker's answer are no length of a Kafka answer", true);
		return STEP_CLOSED;
	case FRAME_READY:
		break;
	}
	if (buf_len(b) < FRAME_LEN_SIZE + RESPONSE_MIN)
		return STEP_NEED;
	sl = slot_next_of_broker(s);
	if (!sl) {
		session_close(s, "unexpected_answer", "the broker answered what nobody asked", true);
		return STEP_CLOSED;
	}
	r = rd_init(buf_head(b) + FRAME_LEN_SIZE, RESPONSE_MIN);
	if (rd_i32(&r) != sl->correlation_id) {
		session_close(s, "wrong_correlation_id", "the broker's answer belongs to another request", true);
		return STEP_CLOSED;
	}
	s->upstream_greeted = true;
	/* Nothing of an internal one goes to the client. */
	if (sl->kind != SLOT_INTERNAL && (sl != TAILQ_FIRST(&s->queue) || conn_is_full(s->client)))
		return STEP_BLOCKED;
	return begin_answer(s, sl, len);
}

/* Moves bytes of the answer on, or away. */
static enum session_step step_pass(struct session *s, bool drop)
{
	struct buf *b = conn_in(s->upstream);
	size_t n = buf_len(b) < s->response_left ? buf_len(b) : (size_t)s->response_left;

	if (n == 0)
		return STEP_NEED;
	if (!drop && conn_is_full(s->client))
		return STEP_BLOCKED;
	if (!drop)
		conn_write(s->client, buf_head(b), n);
	buf_consume(b, n);
	s->response_left -= n;
	return s->response_left == 0 ? response_done(s) : STEP_AGAIN;
}

enum session_step session_response_step(struct session *s)
{
	switch (s->response_state) {
	case RESPONSE_FRAME:
		return step_frame(s);
	case RESPONSE_PASS:
		return step_pass(s, false);
	case RESPONSE_DROP:
		return step_pass(s, true);
	case RESPONSE_WHOLE:
		return step_whole(s);
	case RESPONSE_COLLECT:
		return step_collect(s);
	case RESPONSE_STREAM:
		break;
	}
	return step_stream(s);
}
