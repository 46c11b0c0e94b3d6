/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a session: accepted, paired with a broker, run whenever a side has moved, closed with a reason.
 *
 *   on_data, on_drained, on_eof -> session_run -> slot_flush, session_response_step, session_request_step
 *   slot_answer (perhaps from inside the share service) -> session_schedule -> session_run at the end of the turn */
#include <unistd.h>

#include "base/assert.h"
#include "base/mem.h"
#include "proxy/owner_watch.h"
#include "proxy/proxy_priv.h"
#include "proxy/rights.h"

static const struct conn_limits client_limits = {
	.in_max = SESSION_IN_MAX,
	.out_high = SESSION_OUT_HIGH,
	.out_low = SESSION_OUT_LOW,
	.out_max = SESSION_OUT_MAX,
};

/* Ends that are part of normal life: counted, not logged. */
static const char *const quiet_reasons[] = {"client_closed", "idle", "shutdown", "standby", "upstream_idle_closed"};

const char *session_state_name(enum session_state state)
{
	static const char *const names[] = {
#define SESSION_STATE_NAME(name, text) text,
		SESSION_STATE_LIST(SESSION_STATE_NAME)
#undef SESSION_STATE_NAME
	};

	return names[state];
}

void session_set_state(struct session *s, enum session_state state)
{
	log_debug(s->proxy->log, (&(struct log_ctx){.conn = s->id}), "session %s -> %s", session_state_name(s->state),
		session_state_name(state));
	s->state = state;
}

/* The last callback of the client's side, in a later turn than our own conn_close. */
static void on_client_closed(struct conn *c, void *arg, const char *reason)
{
	struct session *s = arg;

	s->proxy->count.client_bytes_in += conn_bytes_in(c);
	s->proxy->count.client_bytes_out += conn_bytes_out(c);
	session_close(s, strncmp(reason, "peer_", 5) == 0 ? "client_closed" : reason, conn_tls_error(c), false);
	s->client = NULL;
	session_schedule(s);
}

/* What a standby asks is answered here and now; with silence by an owner that is cut off from the cluster. */
static void serve_watch(struct session *s)
{
	struct buf *in = conn_in(s->client);
	struct request_header h;
	struct writer w;
	size_t size;

	for (;;) {
		enum frame_status st = owner_watch_is_request(buf_head(in), buf_len(in), &h, &size);

		if (st == FRAME_NEED_MORE)
			return;
		if (st == FRAME_BAD) {
			session_close(s, "watch_protocol", "something else than a standby's question", false);
			return;
		}
		buf_consume(in, size);
		if (service_is_blind(s->proxy->service))
			continue;
		owner_watch_answer(&w, &h);
		session_write(s->client, &w);
		wr_release(&w);
	}
}

/* The first bytes on a bootstrap port: a standby, which needs no broker, or anybody else. */
static void look_at_first_bytes(struct session *s)
{
	struct buf *in = conn_in(s->client);
	struct request_header h;
	size_t size;

	switch (owner_watch_is_request(buf_head(in), buf_len(in), &h, &size)) {
	case FRAME_NEED_MORE:
		break;
	case FRAME_READY:
		if (s->proxy->native) {
			session_close(s, "watch_native", "a standby asks, but the brokers serve share groups", false);
			break;
		}
		session_set_state(s, SESSION_WATCH);
		admission_end_login(s);
		serve_watch(s);
		break;
	case FRAME_BAD:
		upstream_start(s);
		break;
	}
}

static void on_client_data(struct conn *c, void *arg)
{
	struct session *s = arg;

	(void)c;
	if (s->state == SESSION_WATCH)
		serve_watch(s);
	else if (s->state == SESSION_NEW)
		look_at_first_bytes(s);
	else
		session_run(s);
}

static void on_client_eof(struct conn *c, void *arg)
{
	struct session *s = arg;

	(void)c;
	s->client_eof = true;
	s->client_eof_at = loop_now(s->proxy->loop);
	session_run(s);
}

static const struct conn_callbacks client_callbacks = {
	.on_data = on_client_data,
	.on_drained = on_client_data,
	.on_eof = on_client_eof,
	.on_closed = on_client_closed,
};

void session_accept(struct endpoint *e, int fd)
{
	struct proxy *p = e->owner->proxy;
	uint8_t address[ADMISSION_ADDRESS_SIZE];
	struct session *s;

	conn_peer_address(fd, address);
	if (p->stopping || !admission_allows(p, address)) {
		close(fd);
		return;
	}
	s = mem_zalloc(1, sizeof(*s));
	s->proxy = p;
	s->endpoint = e;
	TAILQ_INIT(&s->queue);
	buf_init(&s->collected, SESSION_COLLECT_MAX);
	s->opened_at = s->progress_at = loop_now(p->loop);
	admission_enter(s, address);
	s->client = conn_accept(p->loop, fd, &client_limits, &client_callbacks, s);
	if (e->owner->cfg->tls)
		conn_start_tls(s->client, e->owner->cfg->tls, STR_NULL, p->cfg.connection_setup_timeout_ms);
	s->id = conn_id(s->client);
	TAILQ_INSERT_TAIL(&p->sessions, s, entry);
	p->sessions_n++;
	p->count.accepted++;
	if (e->node_id >= 0)
		upstream_start(s);
}

void session_schedule(struct session *s)
{
	struct proxy *p = s->proxy;

	if (s->scheduled)
		return;
	s->scheduled = true;
	TAILQ_INSERT_TAIL(&p->runnable, s, run_entry);
	proxy_schedule(p);
}

/* One line for an end that somebody may want to know about, limited by reason. */
static void log_close(const struct session *s, const char *reason, const char *detail)
{
	struct log_ctx ctx = {.conn = s->id, .client_id = str_of(s->client_id), .reason = reason};

	for (size_t i = 0; i < sizeof(quiet_reasons) / sizeof(quiet_reasons[0]); i++)
		if (strcmp(reason, quiet_reasons[i]) == 0)
			return;
	if (strcmp(reason, "descriptor_limit") == 0 && !loop_may_log_limit(s->proxy->loop))
		return;
	if (s->client)
		ctx.peer = conn_peer(s->client);
	log_warn(s->proxy->log, &ctx, "connection closed%s%s", detail && *detail ? ": " : "", detail ? detail : "");
}

void session_close(struct session *s, const char *reason, const char *detail, bool flush)
{
	if (s->state == SESSION_CLOSING)
		return;
	session_set_state(s, SESSION_CLOSING);
	admission_end_login(s);
	proxy_count_reason(s->proxy, reason);
	log_close(s, reason, detail);
	s->proxy->count.collecting_bytes -= buf_len(&s->collected);
	buf_release(&s->collected);
	slot_release_all(s);
	if (s->proxy->service)
		terminate_conn_closed(s->proxy, s->id);
	if (s->upstream)
		conn_close(s->upstream, reason);
	if (s->client && flush)
		conn_close_flush(s->client, reason, SESSION_LINGER_MS);
	else if (s->client)
		conn_close(s->client, reason);
	session_schedule(s);
}

bool session_collect(struct session *s, struct buf *b, const uint8_t *p, size_t n)
{
	struct proxy_counters *c = &s->proxy->count;

	if (c->collecting_bytes + n > SESSIONS_COLLECT_MAX || buf_append(b, p, n))
		return false;
	c->collecting_bytes += n;
	c->collected_bytes += n;
	return true;
}

void session_free(struct session *s)
{
	struct proxy *p = s->proxy;

	sl_assert(!s->client && !s->upstream && s->state == SESSION_CLOSING && !s->scheduled);
	admission_leave(s);
	TAILQ_REMOVE(&p->sessions, s, entry);
	p->sessions_n--;
	if (s->stream)
		rewrite_stream_release(s->stream);
	mem_free(s->stream);
	mem_free(s->guard);
	rights_free(s->rights);
	mem_free(s->client_id);
	mem_free(s);
}

/* Stops or resumes reading as the step ended; a paused side is not read from, whatever it sends. */
static void update_reading(struct conn *c, bool *paused, enum session_step step, uint64_t *count)
{
	bool pause = step == STEP_BLOCKED;

	if (pause == *paused)
		return;
	*paused = pause;
	*count += pause;
	conn_set_reading(c, !pause);
}

bool session_close_failed(struct session *s)
{
	if (s->failed)
		session_close(s, s->failed->local->close_reason, s->failed->local->close_detail, true);
	return s->state == SESSION_CLOSING;
}

/* What is to be done when neither side can move. */
static void session_settle(struct session *s, enum session_step request, enum session_step response)
{
	bool at_frame = s->request_state == REQUEST_FRAME;

	if (s->upstream_eof && response != STEP_BLOCKED)
		upstream_gone(s, NULL);
	else if (s->client_eof && request == STEP_NEED && !session_has_work(s))
		session_close(s, "client_closed", NULL, true);
	else if (s->proxy->stopping && at_frame && !session_has_work(s))
		session_close(s, "shutdown", NULL, true);
}

void session_run(struct session *s)
{
	enum session_step request = STEP_NEED, response = STEP_NEED;
	struct proxy *p = s->proxy;
	bool flushed = true;

	/* While we stop, a standby is to see that we live until it has been handed everything. */
	if (s->state == SESSION_WATCH && !s->client_eof)
		return;
	if (s->state != SESSION_OPEN) {
		/* Nobody is there yet to send it to; stopping, or a client that has left and asked nothing, needs no
		 * broker any more. */
		bool left = s->client_eof && (s->state < SESSION_WAITING || buf_len(conn_in(s->client)) == 0);

		if (s->state != SESSION_CLOSING && (left || p->stopping))
			session_close(s, left ? "client_closed" : "shutdown", NULL, false);
		return;
	}
	if (session_close_failed(s))
		return;
	while (flushed || request == STEP_AGAIN || response == STEP_AGAIN) {
		response = session_response_step(s);
		if (response == STEP_CLOSED)
			return;
		request = session_request_step(s);
		if (request == STEP_CLOSED)
			return;
		flushed = slot_flush(s);
	}
	update_reading(s->client, &s->client_paused, request, &p->count.client_pauses);
	update_reading(s->upstream, &s->upstream_paused, response, &p->count.upstream_pauses);
	s->request_step = request;
	session_settle(s, request, response);
}

/* The client has begun a frame and nothing more came for too long. */
static bool is_stalled(struct session *s, int64_t now)
{
	uint64_t in = conn_bytes_in(s->client);
	bool half = s->request_state != REQUEST_FRAME || buf_len(conn_in(s->client)) > 0;

	if (in != s->progress_in || !half || s->request_step != STEP_NEED || s->state != SESSION_OPEN) {
		s->progress_in = in;
		s->progress_at = now;
	}
	return now - s->progress_at >= s->proxy->stall_ms;
}

/* It has begun to say who it is, and stopped. */
static bool is_stalled_new(struct session *s, int64_t now)
{
	return s->state == SESSION_NEW && buf_len(conn_in(s->client)) > 0 &&
	       now - conn_last_active(s->client) >= s->proxy->stall_ms;
}

/* Share work goes on while the broker hears nothing of this client; a consumer may also think for long about what it
 * holds. Then our own limit of idle time decides, not the broker's. */
static bool needs_keep_alive(const struct session *s, int64_t now)
{
	int64_t upstream_active = conn_last_active(s->upstream);

	return now - upstream_active >= broker_idle_keepalive_ms(s->proxy->broker_idle) &&
	       s->request_state == REQUEST_FRAME && !s->barrier && !s->upstream_eof && !slot_next_of_broker(s) &&
	       (s->shares || conn_last_active(s->client) > upstream_active);
}

void session_sweep(struct session *s, int64_t now)
{
	struct proxy *p = s->proxy;

	if (s->state == SESSION_CLOSING)
		return;
	if (s->state == SESSION_WAITING && now - s->opened_at >= p->cfg.connection_setup_timeout_ms)
		session_close(s, "broker_unknown", "the broker did not appear in the metadata", false);
	else if (s->client_eof && now - s->client_eof_at >= p->half_close_ms)
		session_close(s, "half_close_timeout", NULL, false);
	else if (admission_is_overdue(s, now))
		session_close(s, "login_timeout", "no request but for a login within login.timeout.ms", false);
	else if (is_stalled(s, now) || is_stalled_new(s, now))
		session_close(s, "stalled_frame", "half a request, then nothing", false);
	else if (now - conn_last_active(s->client) >= p->cfg.connections_max_idle_ms)
		session_close(s, "idle", NULL, false);
	else if (s->state == SESSION_OPEN && needs_keep_alive(s, now))
		upstream_keep_alive(s);
}
