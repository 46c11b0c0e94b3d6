/* SPDX-License-Identifier: Apache-2.0 */
/* Listening ports: one for bootstrap and one for each broker, on each listener. A port once open stays open, so that a
 * broker that comes back is found at the same address. */
#include <stdio.h>

#include "base/assert.h"
#include "base/mem.h"
#include "proxy/proxy_priv.h"
#include "wire/codec.h"

static void on_accept(void *arg, int fd)
{
	session_accept(arg, fd);
}

/* Opens the port of an endpoint unless it is open. */
static enum err endpoint_open(struct endpoint *e, char errbuf[256])
{
	const struct proxy_listener_config *cfg = e->owner->cfg;
	int32_t port = e->node_id < 0 ? cfg->port : cfg->broker_port_base + e->node_id;
	char host[256];

	if (e->socket)
		return ERR_OK;
	snprintf(host, sizeof(host), "%.*s", (int)cfg->host.n, cfg->host.p);
	return listener_new(e->owner->proxy->loop, host, (uint16_t)port, on_accept, e, &e->socket, errbuf);
}

static struct endpoint *find_endpoint(struct proxy_listener *l, int32_t node_id)
{
	return node_id >= 0 && node_id < l->cfg->broker_port_count ? &l->brokers[node_id] : NULL;
}

void endpoints_init(struct proxy *p)
{
	p->listeners = mem_zalloc(p->cfg.listeners_n, sizeof(*p->listeners));
	for (uint32_t i = 0; i < p->cfg.listeners_n; i++) {
		struct proxy_listener *l = &p->listeners[i];
		const struct proxy_listener_config *cfg = &p->cfg.listeners[i];

		l->proxy = p;
		l->cfg = cfg;
		l->bootstrap = (struct endpoint){.owner = l, .node_id = -1};
		l->brokers = mem_zalloc((size_t)cfg->broker_port_count, sizeof(*l->brokers));
		for (int32_t n = 0; n < cfg->broker_port_count; n++)
			l->brokers[n] = (struct endpoint){.owner = l, .node_id = n};
		address_map_init(&l->map, cfg->advertised_host,
			cfg->advertised_port + (cfg->broker_port_base - cfg->port), cfg->broker_port_count);
	}
}

void endpoints_log_outside(struct proxy_listener *l, int32_t node_id)
{
	for (uint32_t i = 0; i < l->outside_n; i++)
		if (l->outside[i] == node_id)
			return;
	if (l->outside_n == ENDPOINTS_OUTSIDE_MAX)
		return;
	l->outside[l->outside_n++] = node_id;
	log_warn(l->proxy->log, NULL,
		"broker %d cannot be reached through listener %.*s: its ports serve the ids 0 to %d; raise "
		"broker.port.count",
		node_id, (int)l->cfg->name.n, l->cfg->name.p, l->cfg->broker_port_count - 1);
}

static void endpoint_open_or_log(struct endpoint *e)
{
	char errbuf[256];

	if (e->owner->proxy->stopping || !e->owner->proxy->listening || endpoint_open(e, errbuf) == ERR_OK)
		return;
	log_error(e->owner->proxy->log, (&(struct log_ctx){.reason = "listen_failed"}),
		"the port of broker %d on listener %.*s cannot be opened, trying again: %s", e->node_id,
		(int)e->owner->cfg->name.n, e->owner->cfg->name.p, errbuf);
}

void endpoint_announce(struct proxy_listener *l, int32_t node_id)
{
	struct endpoint *e = find_endpoint(l, node_id);

	if (!e || (e->socket && cluster_find_broker(l->proxy->cluster, node_id)))
		return;
	/* The cluster knows it already: who comes for it waits until we know it too. */
	e->was_known = false;
	endpoint_open_or_log(e);
	cluster_refresh(l->proxy->cluster);
}

/* Where the answers that name all nodes hold the ids, and which field ends that part. */
static const struct answer_ids {
	int16_t api_key;
	const char *names[4];
	size_t names_n;
} answer_ids[] = {
	{ROUTE_KEY_METADATA, {"Brokers.NodeId", "ControllerId", "Topics.ErrorCode"}, 3},
	{ROUTE_KEY_FIND_COORDINATOR, {"NodeId"}, 1},
	{ROUTE_KEY_FIND_COORDINATOR, {"Coordinators.NodeId"}, 1},
	{ROUTE_KEY_DESCRIBE_CLUSTER, {"Brokers.BrokerId"}, 1},
};

struct announce {
	struct proxy_listener *listener;
	struct bytes body;
};

static bool announce_span(void *arg, const struct codec_span *span)
{
	const struct announce *a = arg;
	struct reader r = rd_init(a->body.p + span->off, span->len);

	if (span->field != 0)
		return false;
	endpoint_announce(a->listener, rd_i32(&r));
	return true;
}

void endpoints_announce_answer(struct proxy_listener *l, int16_t api_key, int16_t version, struct bytes body)
{
	struct announce a = {l, body};
	const struct schema *schema = schema_find(api_key, true);

	for (size_t i = 0; i < sizeof(answer_ids) / sizeof(answer_ids[0]); i++) {
		struct reader r = rd_init(body.p, body.n);

		if (answer_ids[i].api_key != api_key || !schema)
			continue;
		/* What is malformed here is found by the rewriting, which refuses the answer. */
		if (codec_locate(schema, version, &r, answer_ids[i].names, answer_ids[i].names_n, announce_span, &a))
			return;
	}
}

static const struct cluster_broker *find_broker(const struct cluster_metadata *md, int32_t id)
{
	for (uint32_t i = 0; md && i < md->brokers_n; i++)
		if (md->brokers[i].id == id)
			return &md->brokers[i];
	return NULL;
}

/* Says what became of the brokers; the old picture may be NULL. */
static void log_changes(struct proxy *p, const struct cluster_metadata *now, const struct cluster_metadata *old)
{
	for (uint32_t i = 0; i < now->brokers_n; i++) {
		const struct cluster_broker *b = &now->brokers[i], *was = find_broker(old, b->id);

		if (!was)
			log_info(p->log, NULL, "broker %d is at %.*s:%d", b->id, (int)b->host.n, b->host.p, b->port);
		else if (!str_eq(was->host, b->host) || was->port != b->port)
			log_info(p->log, NULL, "broker %d has moved to %.*s:%d", b->id, (int)b->host.n, b->host.p,
				b->port);
	}
	for (uint32_t i = 0; old && i < old->brokers_n; i++)
		if (!find_broker(now, old->brokers[i].id))
			log_warn(p->log, NULL, "broker %d has left the cluster's metadata", old->brokers[i].id);
}

void endpoints_on_metadata(struct proxy *p, const struct cluster_metadata *now, const struct cluster_metadata *old)
{
	log_changes(p, now, old);
	for (uint32_t i = 0; i < p->cfg.listeners_n; i++) {
		for (uint32_t b = 0; b < now->brokers_n; b++) {
			struct endpoint *e = find_endpoint(&p->listeners[i], now->brokers[b].id);

			if (!e) {
				endpoints_log_outside(&p->listeners[i], now->brokers[b].id);
				continue;
			}
			e->was_known = true;
			endpoint_open_or_log(e);
		}
	}
}

enum err endpoints_open(struct proxy *p, char errbuf[256])
{
	for (uint32_t i = 0; i < p->cfg.listeners_n; i++) {
		enum err e = endpoint_open(&p->listeners[i].bootstrap, errbuf);

		if (e) {
			endpoints_close(p);
			return e;
		}
	}
	endpoints_retry(p);
	return ERR_OK;
}

bool endpoints_are_open(const struct proxy *p)
{
	for (uint32_t i = 0; i < p->cfg.listeners_n; i++) {
		const struct proxy_listener *l = &p->listeners[i];

		if (!l->bootstrap.socket)
			return false;
		for (int32_t n = 0; n < l->cfg->broker_port_count; n++)
			if (l->brokers[n].was_known && !l->brokers[n].socket)
				return false;
	}
	return true;
}

void endpoints_retry(struct proxy *p)
{
	for (uint32_t i = 0; i < p->cfg.listeners_n; i++)
		for (int32_t n = 0; n < p->listeners[i].cfg->broker_port_count; n++)
			if (p->listeners[i].brokers[n].was_known)
				endpoint_open_or_log(&p->listeners[i].brokers[n]);
}

void endpoints_close(struct proxy *p)
{
	for (uint32_t i = 0; p->listeners && i < p->cfg.listeners_n; i++) {
		struct proxy_listener *l = &p->listeners[i];

		listener_free(l->bootstrap.socket);
		l->bootstrap.socket = NULL;
		for (int32_t n = 0; l->brokers && n < l->cfg->broker_port_count; n++) {
			listener_free(l->brokers[n].socket);
			l->brokers[n].socket = NULL;
		}
	}
}

void endpoints_free(struct proxy *p)
{
	endpoints_close(p);
	for (uint32_t i = 0; p->listeners && i < p->cfg.listeners_n; i++)
		mem_free(p->listeners[i].brokers);
	mem_free(p->listeners);
	p->listeners = NULL;
}
