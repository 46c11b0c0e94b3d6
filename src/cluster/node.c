/* SPDX-License-Identifier: Apache-2.0 */
/* Brokers come, go, move and are backed off from here. */
#include <stdio.h>

#include "base/mem.h"
#include "cluster_priv.h"

struct node *node_new(struct cluster *c, int32_t id, struct str host, int32_t port)
{
	struct node *n = mem_zalloc(1, sizeof(*n) + c->cfg.fetch_connections * sizeof(n->fetch[0]));

	n->cluster = c;
	n->id = id;
	n->host = mem_copy_string(host.p, host.n);
	n->port = port;
	for (int i = 0; i < 2; i++) {
		TAILQ_INIT(&n->hot[i]);
		TAILQ_INIT(&n->tail[i]);
	}
	if (id >= 0)
		TAILQ_INSERT_HEAD(&c->nodes, n, entry);
	else
		TAILQ_INSERT_TAIL(&c->nodes, n, entry);
	return n;
}

static void node_end_links(struct node *n, const char *reason)
{
	if (n->control)
		link_end(n->control, reason, false);
	if (n->produce)
		link_end(n->produce, reason, false);
	for (uint32_t i = 0; i < n->cluster->cfg.fetch_connections; i++) {
		if (n->fetch[i])
			link_end(n->fetch[i], reason, false);
	}
}

void node_free(struct node *n, const char *reason)
{
	node_end_links(n, reason);
	fetches_rehome(n->cluster, n);
	TAILQ_REMOVE(&n->cluster->nodes, n, entry);
	mem_free(n->host);
	mem_free(n);
}

struct node *node_find(struct cluster *c, int32_t id)
{
	struct node *n;

	TAILQ_FOREACH(n, &c->nodes, entry)
	{
		if (n->id == id && id >= 0)
			return n;
	}
	return NULL;
}

struct node *node_any(struct cluster *c)
{
	struct node *n, *best = NULL;

	TAILQ_FOREACH(n, &c->nodes, entry)
	{
		if (n->id < 0)
			continue;
		if (n->control && n->control->state == LINK_READY)
			return n;
		if (!best || n->retry_at < best->retry_at)
			best = n;
	}
	return best;
}

struct broker_link *node_link(struct node *n, enum link_role role)
{
	struct broker_link **slot = role == LINK_PRODUCE ? &n->produce : &n->control;

	if (!*slot)
		*slot = link_new(n->cluster, n, slot, role);
	return *slot;
}

struct broker_link *node_fetch_link(struct node *n, uint32_t *ret_free)
{
	struct broker_link **unused = NULL, *ready = NULL;

	*ret_free = 0;
	for (uint32_t i = 0; i < n->cluster->cfg.fetch_connections; i++) {
		struct broker_link **slot = &n->fetch[i];

		if (*slot && !link_is_free(*slot))
			continue;
		(*ret_free)++;
		if (*slot && !ready)
			ready = *slot;
		else if (!*slot && !unused)
			unused = slot;
	}
	if (ready || !unused)
		return ready;
	*unused = link_new(n->cluster, n, unused, LINK_FETCH);
	return *unused;
}

void node_failed(struct node *n)
{
	const struct cluster_config *cfg = &n->cluster->cfg;

	n->retry_at = loop_now(n->cluster->loop) +
		      backoff_ms(cfg->reconnect_backoff_ms, cfg->reconnect_backoff_max_ms, n->failures);
	if (n->failures < 30)
		n->failures++;
}

const char *node_title(const struct node *n, char buf[32])
{
	if (n->id < 0)
		return "bootstrap server";
	snprintf(buf, 32, "broker %d", (int)n->id);
	return buf;
}

static bool node_is_at(const struct node *n, const struct cluster_broker *b)
{
	return n->port == b->port && str_eq(str_of(n->host), b->host);
}

static void node_move(struct node *n, const struct cluster_broker *b)
{
	log_info(loop_log(n->cluster->loop), NULL, "broker %d has moved from %s:%d to %.*s:%d", (int)n->id, n->host,
		(int)n->port, (int)b->host.n, b->host.p, (int)b->port);
	node_end_links(n, "broker_moved");
	mem_free(n->host);
	n->host = mem_copy_string(b->host.p, b->host.n);
	n->port = b->port;
	n->failures = 0;
	n->retry_at = 0;
}

static bool is_in(const struct cluster_metadata *md, int32_t id)
{
	for (uint32_t i = 0; i < md->brokers_n; i++) {
		if (md->brokers[i].id == id)
			return true;
	}
	return false;
}

void nodes_adopt(struct cluster *c, const struct cluster_metadata *md)
{
	struct node *n, *next;

	for (n = TAILQ_FIRST(&c->nodes); n; n = next) {
		next = TAILQ_NEXT(n, entry);
		if (n->id < 0 && n->control)
			link_end(n->control, "bootstrapped", false);
		else if (n->id >= 0 && !is_in(md, n->id))
			node_free(n, "broker_gone");
	}
	for (uint32_t i = 0; i < md->brokers_n; i++) {
		const struct cluster_broker *b = &md->brokers[i];

		n = node_find(c, b->id);
		if (!n)
			node_new(c, b->id, b->host, b->port);
		else if (!node_is_at(n, b))
			node_move(n, b);
	}
}
