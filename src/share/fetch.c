/* SPDX-License-Identifier: Apache-2.0 */
/* ShareFetch: sessions are opened, changed and closed by it; it is answered with records, or waits until there are
 * some. */
#include "engine.h"

/* ---- waiting ---- */

static bool owner_holds_records(struct share_owner *o)
{
	struct share_holder *h;

	RB_FOREACH(h, share_holder_tree, &o->holders)
	{
		if (!TAILQ_EMPTY(&h->ranges))
			return true;
	}
	return false;
}

/* How long a fetch waits for records. A client that holds some sends what becomes of them with its next request, which
 * comes only when this one is answered: they would wait as long, and whoever needs their room in the window with them.
 * So it is answered soon, and later each time that it comes without news. The same holds for the results of
 * acknowledgements, which go out with the records. */
static int32_t fetch_patience(struct share_session *s, const struct share_fetch_params *q, int32_t max_wait_ms)
{
	bool holds = owner_holds_records(s->owner);
	int32_t ms;

	if (q->acks_n || !holds)
		s->patience = 0;
	if (q->min_bytes > 1 || (!q->acks_n && !holds))
		return max_wait_ms;
	ms = SHARE_PATIENCE_MS << s->patience;
	if (ms >= max_wait_ms || s->patience >= SHARE_PATIENCE_STEPS)
		return max_wait_ms;
	s->patience++;
	return ms;
}

static void fetch_wait(
	struct share_engine *e, struct share_session *s, const struct share_fetch_params *q, int32_t max_wait_ms)
{
	int32_t patience = fetch_patience(s, q, max_wait_ms);
	struct share_session_partition *p;

	s->waiting = true;
	s->since = e->step;
	s->fetch = *q;
	RB_INSERT(share_waiting_conn_tree, &e->waiting_conns, s);
	s->cut = patience < max_wait_ms;
	share_deadline_set(e, &s->wait, SHARE_DL_FETCH, e->now + patience);
	TAILQ_FOREACH(p, &s->order, in_session)
	{
		bool was_empty;

		if (!p->sp)
			continue;
		was_empty = TAILQ_EMPTY(&p->sp->waiters);
		p->waiting = true;
		TAILQ_INSERT_TAIL(&p->sp->waiters, p, wait_link);
		if (was_empty)
			share_log_waiting(e, p->sp, true);
	}
	e->counts.waiting_fetches++;
}

static void part_unwait(struct share_engine *e, struct share_session_partition *p)
{
	if (!p->waiting)
		return;
	p->waiting = false;
	TAILQ_REMOVE(&p->sp->waiters, p, wait_link);
	if (TAILQ_EMPTY(&p->sp->waiters))
		share_log_waiting(e, p->sp, false);
}

static void fetch_unwait(struct share_engine *e, struct share_session *s)
{
	struct share_session_partition *p;

	s->waiting = false;
	RB_REMOVE(share_waiting_conn_tree, &e->waiting_conns, s);
	share_deadline_clear(e, &s->wait);
	TAILQ_FOREACH(p, &s->order, in_session)
	part_unwait(e, p);
	e->counts.waiting_fetches--;
}

static void grabs_clear(struct share_engine *e)
{
	e->acquired_n = e->refs_n = e->grabs_n = 0;
}

static struct share_budget fetch_budget(const struct share_engine *e, const struct share_fetch_params *q)
{
	int32_t bytes = q->max_bytes < e->cfg.fetch_max_bytes ? q->max_bytes : e->cfg.fetch_max_bytes;

	return (struct share_budget){q->max_records, bytes, q->batch_size, q->record_limit, false};
}

/* Acquires from all partitions of the session in turn. A partition that gave something goes to the end of the turn. */
static bool fetch_collect(struct share_engine *e, struct share_session *s, const struct share_fetch_params *q)
{
	struct share_budget b = fetch_budget(e, q);
	struct share_session_partition *p;

	grabs_clear(e);
	TAILQ_FOREACH(p, &s->order, in_session)
	(void)share_acquire(e, p, &b);
	return e->grabs_n > 0;
}

/* Nothing was there for it at the end of its wait. When others were served meanwhile from what it asked for, its next
 * fetch takes its place among those that wait whatever its MinBytes. */
static void fetch_missed(struct share_engine *e, struct share_session *s)
{
	struct share_session_partition *p;

	TAILQ_FOREACH(p, &s->order, in_session)
	{
		if (!p->sp)
			continue;
		if (p->sp->served > s->since)
			s->passed = true;
		if (!s->cut)
			share_partition_report_stalled(e, p->sp);
	}
}

static void fetch_rotate(struct share_engine *e, struct share_session *s)
{
	for (uint32_t i = 0; i < e->grabs_n; i++) {
		TAILQ_REMOVE(&s->order, e->grabs[i].p, in_session);
		TAILQ_INSERT_TAIL(&s->order, e->grabs[i].p, in_session);
	}
}

/* Answers with the grabs and lets go of what the parameters own. */
static void fetch_answer(struct share_engine *e, struct share_session *s, struct share_fetch_params *q)
{
	share_answer_fetch(e, s, q);
	if (e->grabs_n) {
		s->passed = false;
		s->patience = 0;
	}
	fetch_rotate(e, s);
	grabs_clear(e);
	mem_free(q->acks);
	q->acks = NULL;
}

static void fetch_finish(struct share_engine *e, struct share_session *s)
{
	struct share_fetch_params q = s->fetch;

	fetch_unwait(e, s);
	fetch_answer(e, s, &q);
}

/* Whether the bytes that a fetch wants at least are there; if not, more is asked for. It is not waited for more than
 * can be kept: what is kept for one that waits would push out what is kept for another, again and again. */
static bool fetch_has_enough(struct share_engine *e, struct share_session *s, int64_t min_bytes)
{
	int64_t bytes = 0, edge, most = e->cfg.read_ahead_max_bytes / 16;
	struct share_session_partition *p;

	if (min_bytes > most)
		min_bytes = most;
	if (min_bytes > e->cfg.fetch_max_bytes)
		min_bytes = e->cfg.fetch_max_bytes;
	if (min_bytes <= 1 || s->passed || e->fresh_bytes > e->cfg.read_ahead_max_bytes / 2)
		return true;
	TAILQ_FOREACH(p, &s->order, in_session)
	{
		if (p->sp && p->sp->log)
			bytes += share_acquire_bytes(e, p->sp, min_bytes - bytes);
		if (bytes >= min_bytes)
			return true;
	}
	TAILQ_FOREACH(p, &s->order, in_session)
	{
		if (!p->sp || !p->sp->log)
			continue;
		(void)share_kept_ahead(p->sp->log, p->sp->end, &edge);
		share_log_need(e, p->sp, 1, edge);
		p->sp->log->fetched_at = e->now;
	}
	return false;
}

/* Whoever waits longer for one of the session's partitions comes first. */
static void fetch_let_others(struct share_engine *e, struct share_session *s)
{
	struct share_session_partition *p;

	TAILQ_FOREACH(p, &s->order, in_session)
	{
		const struct share_session_partition *first = p->sp ? TAILQ_FIRST(&p->sp->waiters) : NULL;

		if (first && first != p && share_acquire_bytes(e, p->sp, 1) > 0)
			share_partition_heat(e, p->sp);
	}
	share_serve_hot(e);
}

void share_fetch_expired(struct share_engine *e, struct share_session *s)
{
	fetch_let_others(e, s);
	if (!s->waiting)
		return;
	if (!fetch_collect(e, s, &s->fetch))
		fetch_missed(e, s);
	fetch_finish(e, s);
}

/* Another request, or the end of the session, comes before the fetch got anything. As Kafka has it, not even the
 * results of its acknowledgements are told then. */
void share_fetch_displace(struct share_engine *e, struct share_session *s, int16_t error, const char *message)
{
	struct share_fetch_params q = s->fetch;

	fetch_unwait(e, s);
	mem_free(q.acks);
	share_answer_error(e, SHARE_EV_FETCH, s->g->state_partition, q.token, error, str_of(message));
}

void share_fetch_lost(struct share_engine *e, struct share_session *s)
{
	struct share_fetch_params q = s->fetch;

	fetch_unwait(e, s);
	share_answer_not_ours(e, s, &q);
	mem_free(q.acks);
}

void share_fetch_orphan(struct share_engine *e, struct share_partition *sp)
{
	struct share_session_partition *p;

	while ((p = LIST_FIRST(&sp->sessions))) {
		struct share_session *s = p->s;

		part_unwait(e, p);
		LIST_REMOVE(p, in_partition);
		p->sp = NULL;
		if (!p->fresh && !p->had_error)
			s->flagged_n++;
		p->fresh = true;
		if (s->waiting && !s->orphaned) {
			s->orphaned = true;
			LIST_INSERT_HEAD(&e->orphaned, s, orphaned_link);
		}
	}
	share_log_detach(e, sp);
}

/* Once all partitions of the topic are gone: one answer tells of all. */
void share_fetch_answer_orphaned(struct share_engine *e)
{
	struct share_session *s;

	while ((s = LIST_FIRST(&e->orphaned))) {
		LIST_REMOVE(s, orphaned_link);
		s->orphaned = false;
		grabs_clear(e);
		fetch_finish(e, s);
	}
}

/* Shutting down: every fetch that waits is answered with what there is. */
void share_fetch_stop(struct share_engine *e)
{
	struct share_session *s;
	struct share_refusal *r;

	while ((s = RB_MIN(share_waiting_conn_tree, &e->waiting_conns))) {
		(void)fetch_collect(e, s, &s->fetch);
		fetch_finish(e, s);
	}
	while ((r = LIST_FIRST(&e->refusals))) {
		share_deadline_clear(e, &r->at);
		share_fetch_refuse_expired(e, r);
	}
}

/* ---- waking ---- */

static bool fetch_wake(struct share_engine *e, struct share_session_partition *p)
{
	struct share_session *s = p->s;
	struct share_budget b = fetch_budget(e, &s->fetch);
	struct share_session_partition *other;
	uint32_t n = 0;

	grabs_clear(e);
	(void)share_acquire(e, p, &b);
	TAILQ_FOREACH(other, &s->order, in_session)
	{
		if (n++ >= SHARE_WAKE_PARTITIONS)
			break;
		if (other != p && (!other->waiting || TAILQ_FIRST(&other->sp->waiters) == other))
			(void)share_acquire(e, other, &b);
	}
	if (!e->grabs_n)
		return false;
	fetch_finish(e, s);
	return true;
}

/* Hands what the partition has to waiting fetches, the one that waits longest first. Whoever comes later, and whoever
 * made the records available by its own request, stands behind them: so no member starves while another is served
 * again and again. */
void share_fetch_serve(struct share_engine *e, struct share_partition *sp)
{
	struct share_session_partition *p = TAILQ_FIRST(&sp->waiters), *next;
	struct share_candidate c;

	for (; p && share_partition_available(e, sp, p->s->owner, sp->start, &c); p = next) {
		next = TAILQ_NEXT(p, wait_link);
		if (!fetch_has_enough(e, p->s, p->s->fetch.min_bytes))
			continue;
		if (!fetch_wake(e, p))
			return;
	}
}

/* ---- the request ---- */

static void fetch_refuse(struct share_engine *e, const struct share_event *ev)
{
	struct share_refusal *r;

	if (ev->u.fetch.max_wait_ms <= 0 || e->stopping || e->refusals_n >= SHARE_REFUSALS_MAX) {
		share_answer_error(e, SHARE_EV_FETCH, ev->state_partition, ev->token,
			SHARE_ERR_SHARE_SESSION_LIMIT_REACHED, STR_LIT("The limit of share sessions is reached."));
		return;
	}
	r = mem_zalloc(1, sizeof(*r));
	r->token = ev->token;
	r->state_partition = ev->state_partition;
	LIST_INSERT_HEAD(&e->refusals, r, link);
	e->refusals_n++;
	e->counts.waiting_fetches++;
	share_deadline_set(e, &r->at, SHARE_DL_REFUSAL, e->now + ev->u.fetch.max_wait_ms);
}

void share_fetch_refuse_expired(struct share_engine *e, struct share_refusal *r)
{
	share_answer_error(e, SHARE_EV_FETCH, r->state_partition, r->token, SHARE_ERR_SHARE_SESSION_LIMIT_REACHED,
		STR_LIT("The limit of share sessions is reached."));
	LIST_REMOVE(r, link);
	e->refusals_n--;
	e->counts.waiting_fetches--;
	mem_free(r);
}

static bool fetch_has_acks(const struct share_event *ev)
{
	for (uint32_t i = 0; i < ev->u.fetch.partitions_n; i++) {
		if (ev->u.fetch.partitions[i].batches_n)
			return true;
	}
	return false;
}

/* Adds the listed partitions; true: one that is new to the session can not be served. */
static void session_list(struct share_engine *e, struct share_session *s, const struct share_event *ev)
{
	for (uint32_t i = 0; i < ev->u.fetch.partitions_n; i++) {
		const struct share_partition_acks *a = &ev->u.fetch.partitions[i];
		struct share_session_partition *p = share_session_lookup(s, a->topic_id, a->partition);

		if (!p)
			p = share_session_add(e, s, a->topic_id, a->partition, share_is_denied(ev, a->topic_id));
		p->listed = e->request_serial;
	}
}

static void session_unlist(struct share_engine *e, struct share_session *s)
{
	struct share_session_partition *p, *next;

	TAILQ_FOREACH_SAFE(p, &s->order, in_session, next)
	{
		if (p->listed != e->request_serial)
			share_session_remove(e, p);
	}
}

static void session_forget(struct share_engine *e, struct share_session *s, const struct share_event *ev)
{
	for (uint32_t i = 0; i < ev->u.fetch.forgotten_n; i++) {
		const struct share_topic_partition *f = &ev->u.fetch.forgotten[i];
		struct share_session_partition *p = share_session_lookup(s, f->topic_id, f->partition);

		if (p)
			share_session_remove(e, p);
	}
}

/* What the member may not read (any more) gives nothing; what it may read again is looked for. */
static void session_deny(struct share_engine *e, struct share_session *s, const struct share_event *ev)
{
	struct share_session_partition *p;

	if (ev->u.fetch.denied_n == 0 && s->denied_n == 0)
		return;
	TAILQ_FOREACH(p, &s->order, in_session)
	share_session_deny(e, p, share_is_denied(ev, p->topic_id));
}

/* Looks again for partitions that could not be found; true: the client has not been told of an error yet. */
static bool session_has_new_error(struct share_engine *e, struct share_session *s)
{
	struct share_session_partition *p;
	bool is_new = false;

	if (!s->flagged_n)
		return false;
	TAILQ_FOREACH(p, &s->order, in_session)
	{
		if (!p->sp)
			share_session_bind(e, p);
		if (!p->had_error && share_session_partition_error(e, p))
			is_new = true;
	}
	return is_new;
}

static void fetch_run(
	struct share_engine *e, struct share_session *s, struct share_fetch_params *q, const struct share_event *ev)
{
	int32_t max_wait = e->stopping ? 0 : ev->u.fetch.max_wait_ms;
	bool new_error = session_has_new_error(e, s);

	grabs_clear(e);
	if (q->max_records <= 0 || q->max_bytes <= 0 || ev->u.fetch.is_renew_ack || !s->parts_n) {
		fetch_answer(e, s, q);
		return;
	}
	fetch_let_others(e, s);
	grabs_clear(e);
	if (new_error || max_wait <= 0) {
		(void)fetch_collect(e, s, q);
		fetch_answer(e, s, q);
		return;
	}
	if (!fetch_has_enough(e, s, q->min_bytes) || !fetch_collect(e, s, q))
		fetch_wait(e, s, q, max_wait);
	else
		fetch_answer(e, s, q);
}

static struct share_fetch_params fetch_params(const struct share_event *ev)
{
	return (struct share_fetch_params){
		.token = ev->token,
		.conn_id = ev->u.fetch.conn_id,
		.min_bytes = ev->u.fetch.min_bytes,
		.max_bytes = ev->u.fetch.max_bytes,
		.max_records = ev->u.fetch.max_records,
		.batch_size = ev->u.fetch.batch_size,
		.record_limit = ev->u.fetch.acquire_mode == 1,
	};
}

static void fetch_open(struct share_engine *e, const struct share_event *ev)
{
	struct share_group *g = share_group_find(e, ev->u.fetch.group_id);
	struct share_fetch_params q = fetch_params(ev);
	struct share_session *s;

	if (fetch_has_acks(ev)) {
		share_answer_error(e, SHARE_EV_FETCH, ev->state_partition, ev->token, SHARE_ERR_INVALID_REQUEST,
			STR_LIT("The first request of a share session must not carry acknowledgements."));
		return;
	}
	if (!share_session_has_room(e, g, ev->u.fetch.member_id, ev->u.fetch.node_id)) {
		fetch_refuse(e, ev);
		return;
	}
	g = share_group_get(e, ev->u.fetch.group_id, ev->state_partition);
	if (!g) {
		fetch_refuse(e, ev);
		return;
	}
	s = share_session_find(g, ev->u.fetch.member_id, ev->u.fetch.node_id);
	if (s && s->waiting)
		share_fetch_displace(e, s, SHARE_ERR_INVALID_SHARE_SESSION_EPOCH, "The share session was opened anew.");
	s = share_session_open(e, g, ev->u.fetch.member_id, ev->u.fetch.node_id, ev->u.fetch.conn_id);
	session_list(e, s, ev);
	session_unlist(e, s);
	session_deny(e, s, ev);
	q.is_first = true;
	fetch_run(e, s, &q, ev);
}

static void fetch_close(struct share_engine *e, struct share_session *s, const struct share_event *ev)
{
	struct share_group *g = s->g;
	struct share_ack_result *acks;
	uint32_t n;

	n = share_ack_request(e, g, s->owner, ev, &acks);
	share_session_close(e, s, true);
	share_answer_acks(e, g, SHARE_EV_FETCH, ev->token, acks, n);
	mem_free(acks);
	share_group_put(e, g);
}

static void fetch_continue(struct share_engine *e, struct share_session *s, const struct share_event *ev)
{
	struct share_fetch_params q = fetch_params(ev);

	share_session_advance(s);
	session_list(e, s, ev);
	if (fetch_has_acks(ev))
		q.acks_n = share_ack_request(e, s->g, s->owner, ev, &q.acks);
	session_forget(e, s, ev);
	session_deny(e, s, ev);
	fetch_run(e, s, &q, ev);
}

/* The session of a request that goes on with one, or NULL: the error was answered. */
static struct share_session *fetch_session(struct share_engine *e, const struct share_event *ev)
{
	struct share_group *g = share_group_find(e, ev->u.fetch.group_id);
	struct share_session *s = g ? share_session_find(g, ev->u.fetch.member_id, ev->u.fetch.node_id) : NULL;
	int32_t epoch = ev->u.fetch.session_epoch;

	if (!s) {
		share_answer_error(e, ev->type, ev->state_partition, ev->token, SHARE_ERR_SHARE_SESSION_NOT_FOUND,
			STR_LIT("The share session does not exist."));
		return NULL;
	}
	if (epoch != -1 && epoch != s->next_epoch) {
		share_answer_error(e, ev->type, ev->state_partition, ev->token, SHARE_ERR_INVALID_SHARE_SESSION_EPOCH,
			arena_printf(&e->fx->arena, "The share session epoch is %d, expected was %d.", epoch,
				s->next_epoch));
		return NULL;
	}
	if (epoch != -1 && ev->u.fetch.partitions_n > SHARE_SESSION_PARTITIONS_MAX - s->parts_n &&
		ev->type == SHARE_EV_FETCH) {
		share_answer_error(e, ev->type, ev->state_partition, ev->token, SHARE_ERR_INVALID_REQUEST,
			arena_printf(&e->fx->arena, "A share session has at most %d partitions.",
				SHARE_SESSION_PARTITIONS_MAX));
		return NULL;
	}
	if (s->waiting)
		share_fetch_displace(e, s, SHARE_ERR_INVALID_SHARE_SESSION_EPOCH,
			"A later request of the share session has arrived.");
	return s;
}

void share_fetch(struct share_engine *e, const struct share_event *ev)
{
	const char *malformed = share_request_malformed(ev);
	struct share_session *s;

	e->request_serial++;
	if (!malformed && ev->u.fetch.is_renew_ack &&
		(ev->u.fetch.max_bytes || ev->u.fetch.min_bytes || ev->u.fetch.max_records || ev->u.fetch.max_wait_ms))
		malformed = "MaxBytes, MinBytes, MaxRecords and MaxWaitMs must be 0 when locks are renewed.";
	if (malformed) {
		share_answer_error(e, SHARE_EV_FETCH, ev->state_partition, ev->token, SHARE_ERR_INVALID_REQUEST,
			str_of(malformed));
		return;
	}
	if (ev->u.fetch.acquire_mode != 0 && ev->u.fetch.acquire_mode != 1) {
		share_answer_error(e, SHARE_EV_FETCH, ev->state_partition, ev->token, SHARE_ERR_UNKNOWN_SERVER_ERROR,
			arena_printf(&e->fx->arena, "Unknown share acquire mode id: %d", ev->u.fetch.acquire_mode));
		return;
	}
	if (ev->u.fetch.session_epoch == 0) {
		fetch_open(e, ev);
		return;
	}
	s = fetch_session(e, ev);
	if (s && ev->u.fetch.session_epoch == -1)
		fetch_close(e, s, ev);
	else if (s)
		fetch_continue(e, s, ev);
}

void share_acknowledge(struct share_engine *e, const struct share_event *ev)
{
	const char *malformed = share_request_malformed(ev);
	struct share_ack_result *acks;
	struct share_session *s;
	struct share_group *g;
	uint32_t n;

	if (malformed || ev->u.fetch.session_epoch == 0) {
		share_answer_error(e, SHARE_EV_ACKNOWLEDGE, ev->state_partition, ev->token,
			malformed ? SHARE_ERR_INVALID_REQUEST : SHARE_ERR_INVALID_SHARE_SESSION_EPOCH,
			malformed ? str_of(malformed)
				  : STR_LIT("A share session is not opened by an acknowledgement."));
		return;
	}
	s = fetch_session(e, ev);
	if (!s)
		return;
	g = s->g;
	n = share_ack_request(e, g, s->owner, ev, &acks);
	s->patience = 0;
	if (ev->u.fetch.session_epoch == -1)
		share_session_close(e, s, true);
	else
		share_session_advance(s);
	share_answer_acks(e, g, SHARE_EV_ACKNOWLEDGE, ev->token, acks, n);
	mem_free(acks);
	share_group_put(e, g);
}
