/* SPDX-License-Identifier: Apache-2.0 */
/* Every metric of the proxy is named and told here. */
#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "proxy/proxy_priv.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

struct sink {
	proxy_metric_cb cb;
	void *arg;
};

static void counter(const struct sink *k, const char *name, const char *help, const char *labels, uint64_t v)
{
	k->cb(k->arg, name, help, "counter", labels, (double)v);
}

static void gauge(const struct sink *k, const char *name, const char *help, const char *labels, uint64_t v)
{
	k->cb(k->arg, name, help, "gauge", labels, (double)v);
}

void proxy_count_reason(struct proxy *p, const char *reason)
{
	struct proxy_counters *c = &p->count;

	for (uint32_t i = 0; i < c->reasons_n; i++) {
		if (strcmp(c->reasons[i].name, reason) == 0) {
			c->reasons[i].n++;
			return;
		}
	}
	if (c->reasons_n == PROXY_REASONS_MAX || strlen(reason) >= sizeof(c->reasons[0].name)) {
		c->reasons_other++;
		return;
	}
	snprintf(c->reasons[c->reasons_n].name, sizeof(c->reasons[0].name), "%s", reason);
	c->reasons[c->reasons_n++].n = 1;
}

static void connection_metrics(const struct proxy *p, const struct sink *k)
{
	const struct proxy_counters *c = &p->count;
	char labels[80];

	gauge(k, "sluice_connections", "Client connections that are open.", "", p->sessions_n);
	counter(k, "sluice_connections_total", "Client connections accepted.", "", c->accepted);
	counter(k, "sluice_connections_refused_total",
		"Client connections refused by max.connections or max.connections.per.ip.", "", c->refused);
	for (uint32_t i = 0; i < c->reasons_n; i++) {
		snprintf(labels, sizeof(labels), "reason=\"%s\"", c->reasons[i].name);
		counter(k, "sluice_closes_total", "Client connections ended, by reason.", labels, c->reasons[i].n);
	}
	if (c->reasons_other > 0)
		counter(k, "sluice_closes_total", "Client connections ended, by reason.", "reason=\"other\"",
			c->reasons_other);
	counter(k, "sluice_upstream_connects_total", "Connections to brokers begun for clients.", "",
		c->upstream_connects);
	counter(k, "sluice_upstream_failures_total", "Connections to brokers for clients that were not made.", "",
		c->upstream_failures);
	counter(k, "sluice_upstream_keepalives_total",
		"Requests sent to keep a broker from closing the connection of a client whose requests sluice answers.",
		"", c->keepalives);
}

static void certificate_metric(const struct sink *k, const char *label, struct str name, const struct tls_context *t)
{
	int64_t at = t ? tls_context_not_after(t) : INT64_MAX;
	char labels[400];

	if (at == INT64_MAX)
		return;
	snprintf(labels, sizeof(labels), "%s=\"%.*s\"", label, (int)(name.n < 300 ? name.n : 300), name.p);
	gauge(k, "sluice_tls_certificate_not_after_seconds", "When the first certificate ends, seconds since 1970.",
		labels, at / 1000 > 0 ? (uint64_t)(at / 1000) : 0);
}

static void tls_metrics(const struct proxy *p, const struct sink *k)
{
	for (uint32_t i = 0; i < p->cfg.listeners_n; i++)
		certificate_metric(k, "listener", p->cfg.listeners[i].name, p->cfg.listeners[i].tls);
	certificate_metric(k, "cluster", STR_LIT("own"), p->cfg.cluster.tls);
	certificate_metric(k, "cluster", STR_LIT("clients"), p->cfg.clients_tls);
}

static void request_metrics(const struct proxy *p, const struct sink *k)
{
	const struct proxy_counters *c = &p->count;
	char labels[120];

	for (int16_t key = 0; key <= ROUTE_KEY_MAX; key++) {
		const struct route_api *api = route_api_find(key);

		if (!api || c->requests[key] == 0)
			continue;
		snprintf(labels, sizeof(labels), "api=\"%s\",verdict=\"%s\"", api->name,
			route_verdict_name(api->verdict));
		counter(k, "sluice_requests_total", "Requests of clients, by API and what is done with them.", labels,
			c->requests[key]);
	}
	if (c->requests_unknown > 0)
		counter(k, "sluice_requests_total", "Requests of clients, by API and what is done with them.",
			"api=\"unknown\",verdict=\"pass\"", c->requests_unknown);
	counter(k, "sluice_local_answers_total", "Answers given by sluice itself.", "", c->local_answers);
	counter(k, "sluice_streamed_rewrites_total", "Big answers whose addresses were changed on their way.", "",
		c->streamed_rewrites);
	counter(k, "sluice_collected_bytes_total", "Bytes of requests and answers that were collected.", "",
		c->collected_bytes);
	gauge(k, "sluice_collected_bytes", "Bytes of collected requests and answers that are held now.", "",
		c->collecting_bytes);
	counter(k, "sluice_paused_reads_total", "How often reading stopped since the other side was slower.",
		"side=\"client\"", c->client_pauses);
	counter(k, "sluice_paused_reads_total", "How often reading stopped since the other side was slower.",
		"side=\"upstream\"", c->upstream_pauses);
}

static void byte_metrics(const struct proxy *p, const struct sink *k)
{
	uint64_t ci = p->count.client_bytes_in, co = p->count.client_bytes_out;
	uint64_t ui = p->count.upstream_bytes_in, uo = p->count.upstream_bytes_out;
	static const char help[] = "Bytes between clients and sluice, and between sluice and brokers for clients.";
	const struct session *s;

	TAILQ_FOREACH(s, &p->sessions, entry)
	{
		ci += s->client ? conn_bytes_in(s->client) : 0;
		co += s->client ? conn_bytes_out(s->client) : 0;
		ui += s->upstream ? conn_bytes_in(s->upstream) : 0;
		uo += s->upstream ? conn_bytes_out(s->upstream) : 0;
	}
	counter(k, "sluice_bytes_total", help, "side=\"client\",direction=\"in\"", ci);
	counter(k, "sluice_bytes_total", help, "side=\"client\",direction=\"out\"", co);
	counter(k, "sluice_bytes_total", help, "side=\"upstream\",direction=\"in\"", ui);
	counter(k, "sluice_bytes_total", help, "side=\"upstream\",direction=\"out\"", uo);
}

static void cluster_metrics(const struct proxy *p, const struct sink *k)
{
	const struct cluster_metadata *md = cluster_get_metadata(p->cluster);
	struct cluster_counts c;

	cluster_get_counts(p->cluster, &c);
	gauge(k, "sluice_cluster_connected", "1 while the cluster answers sluice's own requests for metadata.", "",
		cluster_is_connected(p->cluster));
	gauge(k, "sluice_cluster_brokers", "Brokers in the cluster's metadata.", "", md ? md->brokers_n : 0);
	gauge(k, "sluice_cluster_connections", "sluice's own connections to brokers.", "", c.connections);
	counter(k, "sluice_cluster_connects_total", "sluice's own connections made.", "", c.connects);
	counter(k, "sluice_cluster_connect_failures_total", "sluice's own connections that were not made.", "",
		c.connect_failures);
	counter(k, "sluice_cluster_logins_total", "Logins of sluice's own connections, repeated ones included.", "",
		c.logins);
	counter(k, "sluice_cluster_login_failures_total", "Logins of sluice's own connections that were refused.", "",
		c.login_failures);
	counter(k, "sluice_cluster_requests_total", "sluice's own requests.", "", c.requests);
	counter(k, "sluice_cluster_responses_total", "Answers to sluice's own requests.", "", c.responses);
	counter(k, "sluice_cluster_bytes_total", "Bytes of sluice's own connections.", "direction=\"in\"", c.bytes_in);
	counter(k, "sluice_cluster_bytes_total", "Bytes of sluice's own connections.", "direction=\"out\"",
		c.bytes_out);
	counter(k, "sluice_cluster_produce_retries_total", "sluice's own writes sent again.", "", c.produce_retries);
	counter(k, "sluice_cluster_throttle_milliseconds_total", "How long brokers throttled sluice's own requests.",
		"", c.throttle_ms);
}

static uint64_t resident_bytes(void)
{
	unsigned long total = 0, resident = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	if (!f)
		return 0;
	if (fscanf(f, "%lu %lu", &total, &resident) != 2)
		resident = 0;
	fclose(f);
	return (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t open_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	uint64_t n = 0;

	if (!d)
		return 0;
	while (readdir(d))
		n++;
	closedir(d);
	/* Without ".", ".." and the folder's own. */
	return n - 3;
}

void proxy_metrics(struct proxy *p, proxy_metric_cb cb, void *arg)
{
	struct sink k = {cb, arg};
	const char *why;

	gauge(&k, "sluice_build_info", "1; the label tells the version.", "version=\"" PACKAGE_VERSION "\"", 1);
	gauge(&k, "sluice_ready", "1 when brokers are known, ports open and state loaded.", "",
		proxy_is_ready(p, &why) ? 1 : 0);
	gauge(&k, "process_resident_memory_bytes", "Resident memory.", "", resident_bytes());
	gauge(&k, "process_open_fds", "Open descriptors.", "", open_descriptors());
	connection_metrics(p, &k);
	tls_metrics(p, &k);
	request_metrics(p, &k);
	byte_metrics(p, &k);
	cluster_metrics(p, &k);
	if (p->service)
		service_metrics(p->service, cb, arg);
}
