/* SPDX-License-Identifier: Apache-2.0 */
/* The proxy is put together here: configuration, cluster client, share service, listeners, sessions; and taken apart
 * again. */
#include "proxy/proxy.h"

#include "base/assert.h"
#include "base/mem.h"
#include "proxy/proxy_priv.h"

#define CFG_ARENA_MAX ((size_t)16 * 1024 * 1024)
#define SWEEP_MS 1000
#define SWEEP_STOPPING_MS 20
#define ENDPOINTS_RETRY_MS 5000
/* A broker's own idle limit is 10 minutes by default. */
#define STALL_MS (60 * 1000)
#define HALF_CLOSE_MS (30 * 1000)
#define DAY_MS ((int64_t)24 * 3600 * 1000)
#define EXPIRY_WARN_MS (30 * DAY_MS)

static struct str copy_str(struct arena *a, struct str s)
{
	char *p;

	if (str_is_null(s))
		return s;
	p = arena_copy_string(a, s);
	sl_assert(p);
	return (struct str){p, s.n};
}

/* The proxy keeps its own copy of all that the configuration points to. */
static void copy_config(struct proxy *p, const struct proxy_config *cfg)
{
	struct arena *a = &p->cfg_arena;
	struct proxy_listener_config *listeners = arena_zalloc(a, cfg->listeners_n, sizeof(*listeners));
	struct cluster_server *servers = arena_zalloc(a, cfg->cluster.bootstrap_n, sizeof(*servers));

	sl_assert(listeners && servers);
	p->cfg = *cfg;
	for (uint32_t i = 0; i < cfg->listeners_n; i++) {
		listeners[i] = cfg->listeners[i];
		listeners[i].name = copy_str(a, cfg->listeners[i].name);
		listeners[i].host = copy_str(a, cfg->listeners[i].host);
		listeners[i].advertised_host = copy_str(a, cfg->listeners[i].advertised_host);
		tls_context_ref(listeners[i].tls);
	}
	for (uint32_t i = 0; i < cfg->cluster.bootstrap_n; i++) {
		servers[i] = cfg->cluster.bootstrap[i];
		servers[i].host = copy_str(a, cfg->cluster.bootstrap[i].host);
	}
	tls_context_ref(p->cfg.clients_tls);
	tls_context_ref(p->cfg.cluster.tls);
	login_ref(p->cfg.cluster.login);
	p->cfg.listeners = p->own_listeners = listeners;
	p->cfg.cluster.bootstrap = servers;
	p->cfg.cluster.client_id = copy_str(a, cfg->cluster.client_id);
	p->cfg.state_topic = copy_str(a, cfg->state_topic);
}

static void release_config(struct proxy *p)
{
	for (uint32_t i = 0; i < p->cfg.listeners_n; i++)
		tls_context_unref(p->cfg.listeners[i].tls);
	tls_context_unref(p->cfg.clients_tls);
	tls_context_unref(p->cfg.cluster.tls);
	login_unref(p->cfg.cluster.login);
	arena_release(&p->cfg_arena);
}

/* Sessions that wait for their broker's address try again. */
static void wake_waiting(struct proxy *p)
{
	struct session *s;

	TAILQ_FOREACH(s, &p->sessions, entry)
	if (s->state == SESSION_WAITING)
		upstream_start(s);
}

static bool on_listen(void *arg, bool on, bool was_standby);

static void start_service(struct proxy *p)
{
	static const struct service_callbacks callbacks = {.on_listen = on_listen};

	p->service = service_new(p->loop, p->cluster, &p->cfg, &callbacks, p);
}

/* Who serves share groups is decided once, when the cluster is seen first. */
static void decide_share_groups(struct proxy *p)
{
	bool has_topic = cluster_find_topic(p->cluster, p->cfg.state_topic) != NULL;
	int16_t level = cluster_get_share_version(p->cluster);

	p->native = p->cfg.share_groups == PROXY_SHARE_GROUPS_NEVER || (level > 0 && !has_topic);
	log_info(p->log, NULL, "share groups are served by %s: the cluster has share.version %d, topic %.*s is %s",
		p->native ? "the brokers" : "sluice", level, (int)p->cfg.state_topic.n, p->cfg.state_topic.p,
		has_topic ? "there" : "not there");
	if (p->native)
		(void)on_listen(p, true, false);
	else
		start_service(p);
}

static void on_metadata(void *arg, const struct cluster_metadata *now, const struct cluster_metadata *old)
{
	struct proxy *p = arg;

	endpoints_on_metadata(p, now, old);
	wake_waiting(p);
	if (!p->service && !p->native && !p->stopping)
		decide_share_groups(p);
	if (p->service)
		service_on_metadata(p->service, now, old);
}

/* The last session may outlive proxy_free by a turn. */
static void release_if_last(struct proxy *p)
{
	if (!p->freed || p->sessions_n > 0 || p->turn_pending)
		return;
	release_config(p);
	mem_free(p);
}

/* Sessions that something happened to in this turn; what they schedule in turn comes in the next one. */
static void on_turn_end(void *arg)
{
	struct proxy *p = arg;
	struct session_list now = TAILQ_HEAD_INITIALIZER(now);
	struct session *s;

	p->turn_pending = false;
	TAILQ_CONCAT(&now, &p->runnable, run_entry);
	while ((s = TAILQ_FIRST(&now))) {
		TAILQ_REMOVE(&now, s, run_entry);
		s->scheduled = false;
		if (s->state == SESSION_CLOSING && !s->client && !s->upstream)
			session_free(s);
		else
			session_run(s);
	}
	release_if_last(p);
}

void proxy_schedule(struct proxy *p)
{
	if (p->turn_pending)
		return;
	p->turn_pending = true;
	loop_defer(p->loop, on_turn_end, p);
}

/* Everything in flight has ended, or has had its time. */
static bool is_stopped(struct proxy *p, int64_t now)
{
	bool handed_over = !p->service || (service_pending(p->service) == 0 && service_hand_over(p->service));
	struct session *s;

	TAILQ_FOREACH(s, &p->sessions, entry)
	if (handed_over && s->state == SESSION_WATCH)
		session_close(s, "shutdown", NULL, false);
	return (p->sessions_n == 0 && handed_over) || now >= p->stop_at;
}

/* A standby has no clients: theirs is the owner. */
static void close_all_sessions(struct proxy *p)
{
	struct session *s;

	TAILQ_FOREACH(s, &p->sessions, entry)
	session_close(s, "standby", NULL, true);
}

static void warn_of_expiry(struct proxy *p, struct str whose, const struct tls_context *t)
{
	int64_t at = t ? tls_context_not_after(t) : INT64_MAX;
	int64_t left = at == INT64_MAX ? INT64_MAX : at - loop_wall(p->loop);

	if (left < EXPIRY_WARN_MS)
		log_warn(p->log, (&(struct log_ctx){.reason = "certificate_expiry"}),
			"the certificate of %.*s %s %lld days: put a new one into its place and send SIGHUP",
			(int)whose.n, whose.p, left < 0 ? "has ended for" : "ends in",
			(long long)((left < 0 ? -left : left) / DAY_MS));
}

/* Once a day, and after each reload. */
static void check_expiry(struct proxy *p, int64_t now)
{
	if (now < p->expiry_check_at)
		return;
	p->expiry_check_at = now + DAY_MS;
	for (uint32_t i = 0; i < p->cfg.listeners_n; i++)
		warn_of_expiry(p, p->cfg.listeners[i].name, p->cfg.listeners[i].tls);
	warn_of_expiry(p, STR_LIT("cluster.ssl.keystore"), p->cfg.cluster.tls);
	warn_of_expiry(p, STR_LIT("cluster.ssl.clients.keystore"), p->cfg.clients_tls);
}

/* All time limits of sessions are looked after once a second: there is no timer for each connection. */
static void on_sweep(void *arg)
{
	struct proxy *p = arg;
	int64_t now = loop_now(p->loop);
	void (*on_stopped)(void *) = p->on_stopped;
	struct session *s;

	broker_idle_sweep(p->broker_idle);
	TAILQ_FOREACH(s, &p->sessions, entry)
	session_sweep(s, now);
	if (!p->listening && !p->stopping)
		close_all_sessions(p);
	if (!p->stopping && now >= p->endpoints_retry_at) {
		endpoints_retry(p);
		p->endpoints_retry_at = now + ENDPOINTS_RETRY_MS;
	}
	check_expiry(p, now);
	timer_set(&p->sweep, now + (p->stopping ? SWEEP_STOPPING_MS : SWEEP_MS));
	if (on_stopped && is_stopped(p, now)) {
		p->on_stopped = NULL;
		on_stopped(p->on_stopped_arg);
	}
}

static bool on_listen(void *arg, bool on, bool was_standby)
{
	struct proxy *p = arg;
	char errbuf[256];

	if (p->stopping || p->listening == on)
		return !p->stopping;
	p->listening = on;
	if (!on) {
		endpoints_close(p);
		/* In the next turn: what waits gets its answers in this one. */
		timer_set(&p->sweep, loop_now(p->loop));
		return true;
	}
	if (endpoints_open(p, errbuf) == ERR_OK)
		return true;
	p->listening = false;
	log_error(p->log, (&(struct log_ctx){.reason = "listen_failed"}), "%s", errbuf);
	if (!was_standby && p->on_failed)
		p->on_failed(p->on_failed_arg);
	return false;
}

struct proxy *proxy_new(struct loop *lp, const struct proxy_config *cfg)
{
	static const struct cluster_callbacks callbacks = {.on_metadata = on_metadata};
	struct proxy *p = mem_zalloc(1, sizeof(*p));

	p->loop = lp;
	p->log = loop_log(lp);
	p->stall_ms = STALL_MS;
	p->half_close_ms = HALF_CLOSE_MS;
	TAILQ_INIT(&p->sessions);
	admission_init(&p->admission);
	TAILQ_INIT(&p->runnable);
	arena_init(&p->cfg_arena, CFG_ARENA_MAX);
	timer_init(&p->sweep, lp, on_sweep, p);
	copy_config(p, cfg);
	endpoints_init(p);
	p->cluster = cluster_new(lp, &p->cfg.cluster, &callbacks, p);
	p->broker_idle = broker_idle_new(lp, p->cluster);
	if (cfg->share_groups == PROXY_SHARE_GROUPS_ALWAYS)
		start_service(p);
	p->endpoints_retry_at = loop_now(lp) + ENDPOINTS_RETRY_MS;
	timer_set(&p->sweep, loop_now(lp) + SWEEP_MS);
	return p;
}

void proxy_on_failure(struct proxy *p, void (*cb)(void *arg), void *arg)
{
	p->on_failed = cb;
	p->on_failed_arg = arg;
}

void proxy_shutdown(struct proxy *p, int32_t timeout_ms, void (*on_done)(void *arg), void *arg)
{
	struct session *s;

	if (p->stopping)
		return;
	p->stopping = true;
	p->stop_at = loop_now(p->loop) + timeout_ms;
	p->on_stopped = on_done;
	p->on_stopped_arg = arg;
	log_info(p->log, NULL, "stopping: %u connections, at most %d ms for what is in flight", p->sessions_n,
		timeout_ms);
	endpoints_close(p);
	if (p->service)
		service_shutdown(p->service);
	TAILQ_FOREACH(s, &p->sessions, entry)
	session_schedule(s);
	timer_set(&p->sweep, loop_now(p->loop) + SWEEP_STOPPING_MS);
}

void proxy_free(struct proxy *p)
{
	struct session *s;

	if (!p)
		return;
	p->stopping = true;
	p->freed = true;
	timer_clear(&p->sweep);
	TAILQ_FOREACH(s, &p->sessions, entry)
	{
		session_close(s, "shutdown", NULL, false);
		/* One that was still sending its last output. */
		if (s->client)
			conn_close(s->client, "shutdown");
	}
	endpoints_free(p);
	if (p->service)
		service_free(p->service);
	if (p->cluster)
		cluster_free(p->cluster);
	broker_idle_free(p->broker_idle);
	p->service = NULL;
	p->cluster = NULL;
	p->broker_idle = NULL;
	release_if_last(p);
}

bool proxy_is_ready(const struct proxy *p, const char **ret_why)
{
	if (p->stopping) {
		*ret_why = "stopping";
		return false;
	}
	if (!cluster_get_metadata(p->cluster)) {
		*ret_why = *cluster_login_error(p->cluster) ? cluster_login_error(p->cluster)
							    : "no bootstrap server has answered yet";
		return false;
	}
	if (!cluster_is_connected(p->cluster) && *cluster_login_error(p->cluster)) {
		*ret_why = cluster_login_error(p->cluster);
		return false;
	}
	if (!p->service && !p->native) {
		*ret_why = "who serves share groups is not decided yet";
		return false;
	}
	if (p->service && !service_is_ready(p->service, ret_why))
		return false;
	if (!endpoints_are_open(p)) {
		*ret_why = "a port is not open, see the log";
		return false;
	}
	return true;
}

static void swap_tls(struct tls_context **at, struct tls_context *next)
{
	tls_context_unref(*at);
	*at = tls_context_ref(next);
}

/* A listener that spoke TLS goes on to, and one that did not does not: which it is is part of what needs a restart. */
static void reload_tls(struct proxy *p, const struct proxy_config *cfg)
{
	for (uint32_t i = 0; i < p->cfg.listeners_n && i < cfg->listeners_n; i++) {
		struct proxy_listener_config *l = &p->own_listeners[i];

		if (!l->tls || !cfg->listeners[i].tls || !str_eq(l->name, cfg->listeners[i].name))
			continue;
		swap_tls(&l->tls, cfg->listeners[i].tls);
	}
	if (p->cfg.clients_tls && cfg->clients_tls) {
		swap_tls(&p->cfg.clients_tls, cfg->clients_tls);
		swap_tls(&p->cfg.cluster.tls, cfg->cluster.tls);
		cluster_set_tls(p->cluster, cfg->cluster.tls);
	}
	p->expiry_check_at = 0;
}

static void reload_login(struct proxy *p, const struct proxy_config *cfg)
{
	if (!p->cfg.cluster.login || !cfg->cluster.login)
		return;
	login_ref(cfg->cluster.login);
	login_unref(p->cfg.cluster.login);
	p->cfg.cluster.login = cfg->cluster.login;
	cluster_set_login(p->cluster, cfg->cluster.login);
}

void proxy_reconfigure(struct proxy *p, const struct proxy_config *cfg)
{
	p->cfg.request_max_bytes = cfg->request_max_bytes;
	p->cfg.request_queue_max = cfg->request_queue_max;
	p->cfg.connections_max_idle_ms = cfg->connections_max_idle_ms;
	p->cfg.max_connections = cfg->max_connections;
	p->cfg.max_connections_per_ip = cfg->max_connections_per_ip;
	p->cfg.max_connections_before_login = cfg->max_connections_before_login;
	p->cfg.login_timeout_ms = cfg->login_timeout_ms;
	p->cfg.connection_setup_timeout_ms = cfg->connection_setup_timeout_ms;
	p->cfg.authorization_cache_ms = cfg->authorization_cache_ms;
	reload_tls(p, cfg);
	reload_login(p, cfg);
}

struct service *proxy_get_service(const struct proxy *p)
{
	return p->service;
}

struct cluster *proxy_get_cluster(const struct proxy *p)
{
	return p->cluster;
}
