/* SPDX-License-Identifier: Apache-2.0 */
/* The in-flight queue of a session: each request has a slot that says who answers it; only the head is written.
 *
 *   tail                                     head
 *   [broker] [local, answered] [broker] [local, waiting]  -> client
 *      \____________________________\ the broker's next answer belongs to the one nearest to the head; while it is not
 *                                     the head itself, that answer stays unread */
#include <stdio.h>

#include "base/assert.h"
#include "base/mem.h"
#include "proxy/proxy_priv.h"
#include "proxy/rights.h"
#include "wire/frame.h"

struct slot *slot_push(struct session *s, const struct request_header *h, enum slot_kind kind, enum slot_state state)
{
	struct slot *sl = mem_zalloc(1, sizeof(*sl));

	sl->session = s;
	sl->correlation_id = h->correlation_id;
	sl->api_key = h->api_key;
	sl->api_version = h->api_version;
	sl->kind = kind;
	sl->state = state;
	if (kind == SLOT_LOCAL) {
		sl->local = mem_zalloc(1, sizeof(*sl->local));
		buf_init(&sl->local->frame, 0);
		arena_init(&sl->local->arena, SESSION_ARENA_MAX);
		wr_init(&sl->local->answer, 0);
	}
	TAILQ_INSERT_TAIL(&s->queue, sl, next);
	s->queue_n++;
	return sl;
}

struct slot *slot_next_of_broker(const struct session *s)
{
	struct slot *sl;

	TAILQ_FOREACH(sl, &s->queue, next)
	if (sl->kind != SLOT_LOCAL)
		return sl;
	return NULL;
}

static void slot_free(struct slot *sl)
{
	struct session *s = sl->session;

	if (s->receiving == sl)
		s->receiving = NULL;
	if (s->busy == sl)
		s->busy = NULL;
	if (s->barrier == sl)
		s->barrier = NULL;
	if (sl->local) {
		s->proxy->count.collecting_bytes -= buf_len(&sl->local->frame);
		if (sl->state == SLOT_ANSWERED)
			s->held -= wr_size(&sl->local->answer);
		wr_release(&sl->local->answer);
		arena_release(&sl->local->arena);
		buf_release(&sl->local->frame);
		mem_free(sl->local);
	}
	mem_free(sl);
}

void slot_remove(struct slot *sl)
{
	struct session *s = sl->session;

	sl_assert(s->queue_n > 0);
	TAILQ_REMOVE(&s->queue, sl, next);
	s->queue_n--;
	slot_free(sl);
}

void slot_trim(struct session *s)
{
	struct slot *sl;

	TAILQ_FOREACH(sl, &s->queue, next)
	{
		if (sl->state != SLOT_ANSWERED)
			continue;
		s->proxy->count.collecting_bytes -= buf_len(&sl->local->frame);
		buf_release(&sl->local->frame);
		arena_release(&sl->local->arena);
	}
}

void slot_release_all(struct session *s)
{
	struct slot *sl;

	while ((sl = TAILQ_FIRST(&s->queue))) {
		if (sl->local && sl->state == SLOT_WAITING)
			terminate_slot_gone(s->proxy, sl);
		slot_remove(sl);
	}
}

bool session_has_work(const struct session *s)
{
	const struct slot *sl;

	TAILQ_FOREACH(sl, &s->queue, next)
	if (sl->kind != SLOT_INTERNAL && sl != s->receiving)
		return true;
	return false;
}

/* The head's answer goes out. */
static void slot_write_answer(struct session *s, const struct slot *sl)
{
	int8_t version = route_response_header_version(sl->api_key, sl->api_version);
	struct writer head;

	wr_init(&head, 64);
	wr_i32(&head, 0);
	response_header_write(&head, version, sl->correlation_id);
	wr_patch_i32(&head, 0, (int32_t)(wr_size(&head) - FRAME_LEN_SIZE + wr_size(&sl->local->answer)));
	sl_assert(!head.err);
	session_write(s->client, &head);
	wr_release(&head);
	session_write(s->client, &sl->local->answer);
}

bool slot_flush(struct session *s)
{
	bool any = false;
	struct slot *sl;

	while ((sl = TAILQ_FIRST(&s->queue)) && sl->state == SLOT_ANSWERED && !conn_is_full(s->client)) {
		slot_write_answer(s, sl);
		slot_remove(sl);
		any = true;
	}
	return any;
}

const struct slot_request *slot_get_request(const struct slot *s)
{
	sl_assert(s->local);
	return &s->local->request;
}

struct arena *slot_arena(struct slot *s)
{
	sl_assert(s->local);
	return &s->local->arena;
}

void slot_set_user(struct slot *s, void *user)
{
	sl_assert(s->local);
	s->local->user = user;
}

void *slot_get_user(const struct slot *s)
{
	sl_assert(s->local);
	return s->local->user;
}

const struct address_map *slot_get_address_map(const struct slot *s)
{
	return &s->session->endpoint->owner->map;
}

/* The slot is decided: what had to wait for it may go on. */
static void slot_decided(struct slot *sl)
{
	struct session *s = sl->session;

	if (s->busy == sl)
		s->busy = NULL;
	if (s->barrier == sl)
		s->barrier = NULL;
	session_schedule(s);
}

void slot_answer(struct slot *s, struct writer *body)
{
	sl_assert(s->kind == SLOT_LOCAL && s->state == SLOT_WAITING);
	if (body->err || wr_size(body) > SESSION_OUT_MAX / 2) {
		slot_close(s, "answer_failed", err_text(body->err ? body->err : ERR_TOO_LARGE));
		wr_release(body);
		return;
	}
	wr_release(&s->local->answer);
	s->local->answer = *body;
	wr_init(body, 0);
	s->session->held += wr_size(&s->local->answer);
	s->session->proxy->count.local_answers++;
	s->state = SLOT_ANSWERED;
	slot_decided(s);
}

void slot_close(struct slot *s, const char *reason, const char *detail)
{
	sl_assert(s->local && s->state == SLOT_WAITING);
	s->state = SLOT_FAILED;
	s->local->close_reason = reason;
	snprintf(s->local->close_detail, sizeof(s->local->close_detail), "%s", detail ? detail : "");
	s->session->failed = s;
	slot_decided(s);
}

void slot_ask(struct slot *s, int16_t api_key, int16_t version, struct writer *body, slot_ask_cb cb, void *arg)
{
	struct session *sn = s->session;
	struct request_header h = {
		.api_key = api_key,
		.api_version = version,
		.header_version = route_request_header_version(api_key, version),
		.client_id = s->local->request.header.client_id,
	};
	struct slot *sl = slot_push(sn, &h, SLOT_INTERNAL, SLOT_WAITING);

	sl_assert(s->kind == SLOT_LOCAL && s->state == SLOT_WAITING && sn->barrier == s);
	sl->asker = s;
	sl->on_answer = cb;
	sl->on_answer_arg = arg;
	s->local->asked++;
	if (sn->upstream)
		session_send(sn->upstream, &h, body);
	wr_release(body);
	wr_init(body, 0);
}

void slot_told(struct slot *sl, struct bytes body)
{
	struct slot *s = sl->asker;
	struct session *sn = sl->session;

	sl_assert(s->local->asked > 0);
	s->local->asked--;
	sl->on_answer(s, sl->on_answer_arg, body);
	slot_remove(sl);
	/* A split request may still be sent on. */
	if (s->local->asked == 0 && sn->barrier == s && route_api_find(s->api_key)->verdict == ROUTE_TERMINATE)
		sn->barrier = NULL;
	session_schedule(sn);
}

struct rights *slot_get_rights(struct slot *s)
{
	if (!s->session->rights)
		s->session->rights = rights_new();
	return s->session->rights;
}

void slot_forward(struct slot *s, struct writer *body, slot_forward_cb cb)
{
	struct session *sn = s->session;
	struct request_header h = s->local->request.header;
	struct writer head;

	sl_assert(s->kind == SLOT_LOCAL && s->state == SLOT_WAITING && sn->barrier == s);
	h.header_version = route_request_header_version(h.api_key, h.api_version);
	wr_init(&head, SESSION_IN_MAX);
	wr_i32(&head, 0);
	request_header_write(&head, &h);
	if (!head.err && !body->err)
		wr_patch_i32(&head, 0, (int32_t)(wr_size(&head) - FRAME_LEN_SIZE + wr_size(body)));
	if (head.err || body->err) {
		slot_close(s, "forward_failed", err_text(head.err ? head.err : body->err));
	} else if (sn->upstream) {
		session_write(sn->upstream, &head);
		session_write(sn->upstream, body);
		s->kind = SLOT_FORWARD;
		s->local->on_forwarded = cb;
		sn->barrier = NULL;
		session_schedule(sn);
	}
	wr_release(&head);
	wr_release(body);
	wr_init(body, 0);
}
