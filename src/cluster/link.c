/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a connection to a broker: back-off, connecting, ApiVersions, requests in order, and the end with its
 * reason. */
#include "base/assert.h"
#include "base/mem.h"
#include "cluster_priv.h"

/* Requests on their way on one connection: a broker works on them one after the other. A fetch that waits would block
 * those behind it. */
#define INFLIGHT_MAX 5
#define INFLIGHT_FETCH_MAX 1

#define LOG_FAILURE_MS 30000

static const struct conn_limits link_limits = {
	.in_max = 128 * 1024,
	.out_high = (size_t)1024 * 1024,
	.out_low = (size_t)256 * 1024,
	.out_max = (size_t)128 * 1024 * 1024,
};

void link_set_state(struct broker_link *l, enum link_state state)
{
	sl_assert(state > l->state);
	l->state = state;
	if (state == LINK_READY)
		l->node->failures = 0;
}

void link_set_ready(struct broker_link *l)
{
	link_set_state(l, LINK_READY);
	log_debug(loop_log(l->cluster->loop), &(struct log_ctx){.conn = conn_id(l->conn)}, "connected to %s:%d",
		l->node->host, (int)l->node->port);
}

static void link_free(struct broker_link *l)
{
	timer_clear(&l->timer);
	login_exchange_free(l->login.exchange);
	chunk_unref(l->frame);
	mem_free(l);
}

static void link_on_connected(struct conn *conn, void *arg)
{
	struct broker_link *l = arg;

	(void)conn;
	l->cluster->counts.connects++;
	link_set_state(l, LINK_VERSIONS);
	link_ask_versions(l);
}

static void link_on_drained(struct conn *conn, void *arg)
{
	struct broker_link *l = arg;

	(void)conn;
	link_pump(l);
}

/* A broker closes connections that nobody uses; that is no fault. */
static bool link_was_idle(const struct broker_link *l, const char *reason)
{
	return l->state == LINK_READY && link_is_free(l) && strcmp(reason, "peer_closed") == 0;
}

static void link_on_closed(struct conn *conn, void *arg, const char *reason)
{
	struct broker_link *l = arg;

	if (l->state != LINK_DEAD) {
		sl_assert(l->conn == conn);
		link_end(l, reason, !link_was_idle(l, reason));
	}
	link_free(l);
}

static const struct conn_callbacks link_callbacks = {
	.on_connected = link_on_connected,
	.on_data = link_on_data,
	.on_drained = link_on_drained,
	.on_closed = link_on_closed,
};

static void link_connect(struct broker_link *l)
{
	link_set_state(l, LINK_CONNECTING);
	l->conn = conn_connect(l->cluster->loop, str_of(l->node->host), l->node->port,
		l->cluster->cfg.connection_setup_timeout_ms, &link_limits, &link_callbacks, l);
	if (l->cluster->cfg.tls)
		conn_start_tls(l->conn, l->cluster->cfg.tls, str_of(l->node->host),
			l->cluster->cfg.connection_setup_timeout_ms);
}

bool link_is_free(const struct broker_link *l)
{
	return TAILQ_EMPTY(&l->waiting) && TAILQ_EMPTY(&l->inflight);
}

/* Attempts that fail one like the other are told now and then, not each time. */
static bool node_may_log_failure(struct node *n)
{
	int64_t now = loop_now(n->cluster->loop);

	if (n->failures > 0 && now - n->logged_at < LOG_FAILURE_MS)
		return false;
	n->logged_at = now;
	return true;
}

static void link_log_end(const struct broker_link *l, const char *reason, bool fault)
{
	struct log *log = loop_log(l->cluster->loop);
	const struct log_ctx ctx = {.conn = l->conn ? conn_id(l->conn) : 0, .reason = reason};
	const char *why = l->login.failed ? l->cluster->login_error : l->conn ? conn_tls_error(l->conn) : "";
	char title[32];

	if (!fault || (l->state < LINK_READY && !node_may_log_failure(l->node)))
		log_debug(log, &ctx, "connection to %s at %s:%d ended", node_title(l->node, title), l->node->host,
			(int)l->node->port);
	else if (l->state == LINK_READY)
		log_warn(log, &ctx, "connection to %s at %s:%d lost%s%s; requests on it are sent again",
			node_title(l->node, title), l->node->host, (int)l->node->port, *why ? ": " : "", why);
	else
		log_warn(log, &ctx, "connecting to %s at %s:%d failed%s%s; trying again", node_title(l->node, title),
			l->node->host, (int)l->node->port, *why ? ": " : "", why);
}

static void fail_all(struct rq_list *list, int16_t error)
{
	struct rq *rq;

	while ((rq = TAILQ_FIRST(list)) != NULL) {
		TAILQ_REMOVE(list, rq, entry);
		rq->ops->failed(rq, error);
	}
}

void link_end(struct broker_link *l, const char *reason, bool fault)
{
	struct cluster *c = l->cluster;
	bool dialed = l->conn != NULL;

	if (l->state == LINK_DEAD)
		return;
	link_log_end(l, reason, fault);
	if (fault && l->state < LINK_READY)
		c->counts.connect_failures++;
	if (dialed) {
		c->counts.bytes_in += conn_bytes_in(l->conn);
		c->counts.bytes_out += conn_bytes_out(l->conn);
	}
	if (fault) {
		node_failed(l->node);
		cluster_refresh(c);
	}
	link_set_state(l, LINK_DEAD);
	*l->slot = NULL;
	TAILQ_REMOVE(&c->links, l, entry);
	timer_clear(&l->timer);
	if (dialed)
		conn_close(l->conn, reason);
	/* Its own request is nobody else's. */
	if (l->versions_rq.sent && TAILQ_FIRST(&l->inflight) == &l->versions_rq)
		TAILQ_REMOVE(&l->inflight, &l->versions_rq, entry);
	fail_all(&l->inflight, KAFKA_ERR_NETWORK_EXCEPTION);
	fail_all(&l->waiting, KAFKA_ERR_NETWORK_EXCEPTION);
	cluster_wake(c);
	if (!dialed)
		link_free(l);
}

/* The earliest deadline of its requests, and of its back-off. */
static void link_set_timer(struct broker_link *l)
{
	int64_t at = l->state == LINK_WAITING ? l->node->retry_at : INT64_MAX;
	const struct rq *rq;

	if (l->state == LINK_READY && !l->login.exchange)
		at = l->login.again_at;

	TAILQ_FOREACH(rq, &l->inflight, entry)
	at = rq->deadline < at ? rq->deadline : at;
	TAILQ_FOREACH(rq, &l->waiting, entry)
	at = rq->deadline < at ? rq->deadline : at;
	if (at == INT64_MAX)
		timer_clear(&l->timer);
	else
		timer_set(&l->timer, at);
}

static void link_on_timer(void *arg)
{
	struct broker_link *l = arg;
	int64_t now = loop_now(l->cluster->loop);
	struct rq *rq, *next;

	TAILQ_FOREACH(rq, &l->inflight, entry)
	{
		if (rq->deadline <= now) {
			/* The order of answers is all there is: who does not answer one request answers none. */
			link_end(l, "request_timeout", true);
			return;
		}
	}
	for (rq = TAILQ_FIRST(&l->waiting); rq; rq = next) {
		next = TAILQ_NEXT(rq, entry);
		if (rq->deadline > now)
			continue;
		TAILQ_REMOVE(&l->waiting, rq, entry);
		rq->ops->failed(rq, KAFKA_ERR_REQUEST_TIMED_OUT);
	}
	if (l->state == LINK_WAITING && now >= l->node->retry_at)
		link_connect(l);
	if (l->state == LINK_READY && !l->login.exchange && now >= l->login.again_at)
		link_login(l);
	if (l->state == LINK_DEAD)
		return;
	link_set_timer(l);
}

struct broker_link *link_new(struct cluster *c, struct node *node, struct broker_link **slot, enum link_role role)
{
	struct broker_link *l = mem_zalloc(1, sizeof(*l));

	l->cluster = c;
	l->node = node;
	l->slot = slot;
	l->role = role;
	TAILQ_INIT(&l->waiting);
	TAILQ_INIT(&l->inflight);
	l->login.again_at = INT64_MAX;
	timer_init(&l->timer, c->loop, link_on_timer, l);
	for (int i = 0; i < LINK_API_KEYS; i++)
		l->ranges[i].max = -1;
	TAILQ_INSERT_TAIL(&c->links, l, entry);
	if (loop_now(c->loop) >= node->retry_at)
		link_connect(l);
	link_set_timer(l);
	return l;
}

void links_retry(struct cluster *c)
{
	struct broker_link *l;

	TAILQ_FOREACH(l, &c->links, entry)
	{
		if (l->state == LINK_WAITING)
			timer_set(&l->timer, loop_now(c->loop));
	}
	cluster_wake(c);
}

void link_submit(struct broker_link *l, struct rq *rq)
{
	rq->cluster = l->cluster;
	rq->sent = false;
	rq->deadline = loop_now(l->cluster->loop) + rq->timeout_ms;
	TAILQ_INSERT_TAIL(&l->waiting, rq, entry);
	link_pump(l);
}

void link_pump(struct broker_link *l)
{
	uint32_t max = l->role == LINK_FETCH ? INFLIGHT_FETCH_MAX : INFLIGHT_MAX;
	struct rq *rq;

	while (l->state == LINK_READY && !l->login.exchange && l->inflight_n < max && !conn_is_full(l->conn) &&
		(rq = TAILQ_FIRST(&l->waiting)) != NULL) {
		int16_t error;

		TAILQ_REMOVE(&l->waiting, rq, entry);
		if (!link_send(l, rq, &error))
			rq->ops->failed(rq, error);
	}
	if (l->state != LINK_DEAD)
		link_set_timer(l);
}
