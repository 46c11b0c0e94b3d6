/* SPDX-License-Identifier: Apache-2.0 */
/* Options that only make sense together are checked against each other here, and what follows from them is filled in.
 */
#include <stdio.h>
#include <strings.h>

#include "config_priv.h"

/* A value that must lie between two others. */
struct trio {
	const char *name; /* behind "group.share.", min and max before it */
	size_t value, min, max;
};

#define TRIO(text, field)                                                                                              \
	{                                                                                                              \
		text, offsetof(struct share_group_config_bounds, field),                                               \
			offsetof(struct share_group_config_bounds, min_##field),                                       \
			offsetof(struct share_group_config_bounds, max_##field)                                        \
	}

static const struct trio trios[] = {
	TRIO("session.timeout.ms", session_timeout_ms),
	TRIO("heartbeat.interval.ms", heartbeat_interval_ms),
	TRIO("record.lock.duration.ms", record_lock_duration_ms),
	TRIO("delivery.count.limit", delivery_count_limit),
	TRIO("partition.max.record.locks", partition_max_record_locks),
	TRIO("assignment.interval.ms", assignment_interval_ms),
};

static int32_t bound_at(const struct config *c, size_t offset)
{
	int32_t v;

	memcpy(&v, (const char *)&c->proxy.share.group + offset, sizeof(v));
	return v;
}

static enum err check_trios(struct config *c, char err[CONFIG_ERROR_MAX])
{
	char name[80];

	for (size_t i = 0; i < sizeof(trios) / sizeof(trios[0]); i++) {
		const struct trio *t = &trios[i];
		int32_t min = bound_at(c, t->min), v = bound_at(c, t->value), max = bound_at(c, t->max);

		if (v >= min && v <= max)
			continue;
		snprintf(name, sizeof(name), "group.share.%s", t->name);
		return config_fail(c, name, err,
			"expected a number from group.share.min.%s (%d) to group.share.max.%s (%d)", t->name, min,
			t->name, max);
	}
	return ERR_OK;
}

static enum err check_pairs(struct config *c, char err[CONFIG_ERROR_MAX])
{
	const struct share_engine_config *s = &c->proxy.share;

	if (s->group.heartbeat_interval_ms >= s->group.session_timeout_ms)
		return config_fail(c, "group.share.heartbeat.interval.ms", err,
			"expected less than group.share.session.timeout.ms (%d)", s->group.session_timeout_ms);
	if (s->max_share_sessions < s->group_max_size)
		return config_fail(c, "group.share.max.share.sessions", err,
			"expected at least group.share.max.size (%d)", s->group_max_size);
	if (c->proxy.cluster.reconnect_backoff_max_ms < c->proxy.cluster.reconnect_backoff_ms)
		return config_fail(c, "reconnect.backoff.max.ms", err, "expected at least reconnect.backoff.ms (%d)",
			c->proxy.cluster.reconnect_backoff_ms);
	if (s->read_ahead_max_bytes < s->fetch_max_bytes)
		return config_fail(c, "share.read.ahead.max.bytes", err, "expected at least share.fetch.max.bytes (%d)",
			s->fetch_max_bytes);
	if (str_eq(c->proxy.state_topic, STR_LIT("__consumer_offsets")))
		return config_fail(c, "state.topic", err, "expected a topic that belongs to sluice alone");
	return ERR_OK;
}

static bool is_wildcard(struct str host)
{
	return host.n == 0 || str_eq(host, STR_LIT("0.0.0.0")) || str_eq(host, STR_LIT("::"));
}

static bool hosts_meet(struct str a, struct str b)
{
	return is_wildcard(a) || is_wildcard(b) || (a.n == b.n && strncasecmp(a.p, b.p, a.n) == 0);
}

static enum err check_advertised(struct config *c, char err[CONFIG_ERROR_MAX])
{
	if (c->advertised.n && c->advertised.n != c->listeners.n)
		return config_fail(c, "advertised.listeners", err,
			"expected as many addresses as listeners has (%u), not %u", (unsigned)c->listeners.n,
			(unsigned)c->advertised.n);
	for (uint32_t i = 0; i < c->listeners.n; i++) {
		const struct config_address *l = &c->listeners.list[i];

		if (c->advertised.n && is_wildcard(c->advertised.list[i].host))
			return config_fail(c, "advertised.listeners", err,
				"expected an address that clients can reach in the place of %s",
				c->advertised.list[i].text.p);
		if (!c->advertised.n && is_wildcard(l->host))
			return config_fail(c, "listeners", err,
				"%s binds to all addresses: expected advertised.listeners to say under which one "
				"clients reach it",
				l->text.p);
	}
	return ERR_OK;
}

static enum err fill_listener(struct config *c, uint32_t i, struct proxy_listener_config *p, char err[CONFIG_ERROR_MAX])
{
	const struct config_address *l = &c->listeners.list[i];
	const struct config_address *a = c->advertised.n ? &c->advertised.list[i] : l;
	int64_t base = c->broker_port_base ? c->broker_port_base + (int64_t)i * c->broker_port_count : l->port + 1;
	int64_t last = base + c->broker_port_count - 1;
	int64_t shift = a->port - l->port;

	if (last > 65535)
		return config_fail(c, "broker.port.count", err,
			"the broker ports of %s would be %lld to %lld, expected ports up to 65535", l->text.p,
			(long long)base, (long long)last);
	if (base + shift < 1 || last + shift > 65535)
		return config_fail(c, "advertised.listeners", err,
			"the broker ports of %s would be advertised as %lld to %lld, expected ports from 1 to 65535",
			a->text.p, (long long)(base + shift), (long long)(last + shift));
	*p = (struct proxy_listener_config){.name = l->text,
		.host = l->host,
		.port = l->port,
		.advertised_host = a->host,
		.advertised_port = a->port,
		.broker_port_base = (int32_t)base,
		.broker_port_count = c->broker_port_count};
	return ERR_OK;
}

/* A stretch of ports that something listens on. */
struct ports {
	struct str host;
	const char *what; /* "", "the broker ports of " */
	const char *name;
	int32_t first, last;
};

static enum err check_overlap(
	struct config *c, const struct ports *a, const struct ports *b, char err[CONFIG_ERROR_MAX])
{
	if (!hosts_meet(a->host, b->host) || a->last < b->first || b->last < a->first)
		return ERR_OK;
	return config_fail(c, "listeners", err,
		"%s%s (%d to %d) and %s%s (%d to %d) overlap: expected ports of their own, see broker.port.base and "
		"broker.port.count",
		a->what, a->name, a->first, a->last, b->what, b->name, b->first, b->last);
}

static enum err check_ports(struct config *c, char err[CONFIG_ERROR_MAX])
{
	uint32_t n = 0, max = c->listeners.n * 2 + 1;
	struct ports *list = arena_zalloc(&c->arena, max, sizeof(*list));

	if (!list)
		return config_fail(c, "listeners", err, "expected fewer listeners");
	for (uint32_t i = 0; i < c->listeners.n; i++) {
		const struct proxy_listener_config *p = &c->proxy.listeners[i];

		list[n++] = (struct ports){p->host, "", p->name.p, p->port, p->port};
		list[n++] = (struct ports){p->host, "the broker ports of ", p->name.p, p->broker_port_base,
			p->broker_port_base + p->broker_port_count - 1};
	}
	if (c->admin.n)
		list[n++] = (struct ports){c->admin.list[0].host, "", c->admin.list[0].text.p, c->admin.list[0].port,
			c->admin.list[0].port};
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = i + 1; k < n; k++)
			if (check_overlap(c, &list[i], &list[k], err))
				return ERR_INVALID;
	return ERR_OK;
}

static enum err fill_lists(struct config *c, char err[CONFIG_ERROR_MAX])
{
	struct cluster_server *servers = arena_zalloc(&c->arena, c->bootstrap.n, sizeof(*servers));
	struct proxy_listener_config *listeners = arena_zalloc(&c->arena, c->listeners.n, sizeof(*listeners));

	if (!servers || !listeners)
		return config_fail(c, "listeners", err, "expected fewer addresses");
	for (uint32_t i = 0; i < c->bootstrap.n; i++)
		servers[i] = (struct cluster_server){c->bootstrap.list[i].host, c->bootstrap.list[i].port};
	for (uint32_t i = 0; i < c->listeners.n; i++)
		if (fill_listener(c, i, &listeners[i], err))
			return ERR_INVALID;
	c->proxy.cluster.bootstrap = servers;
	c->proxy.cluster.bootstrap_n = c->bootstrap.n;
	c->proxy.listeners = listeners;
	c->proxy.listeners_n = c->listeners.n;
	c->proxy.connection_setup_timeout_ms = c->proxy.cluster.connection_setup_timeout_ms;
	return ERR_OK;
}

enum err config_check(struct config *c, char err[CONFIG_ERROR_MAX])
{
	enum err e = check_trios(c, err);

	if (!e)
		e = check_pairs(c, err);
	if (!e)
		e = check_advertised(c, err);
	if (!e)
		e = fill_lists(c, err);
	if (!e)
		e = check_ports(c, err);
	if (!e)
		e = config_fill_tls(c, err);
	if (!e)
		e = config_fill_login(c, err);
	return e;
}
