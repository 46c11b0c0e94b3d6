/* SPDX-License-Identifier: Apache-2.0 */
/* The proxy: listeners, client sessions, termination of the share-group APIs; the only place that knows all layers
 * below. */
#ifndef SLUICE_PROXY_PROXY_H
#define SLUICE_PROXY_PROXY_H

#include "base/err.h"
#include "base/types.h"
#include "cluster/cluster.h"
#include "net/loop.h"
#include "net/tls.h"
#include "share/share.h"

struct proxy;

/* One entry of listeners with its advertised address and broker ports. */
struct proxy_listener_config {
	struct str name; /* "PLAINTEXT://127.0.0.1:9092", for messages */
	struct str host; /* to bind */
	int32_t port;    /* bootstrap port */
	struct str advertised_host;
	int32_t advertised_port; /* bootstrap port as advertised; broker N is advertised at advertised_port + (port_base
				    - port) + N */
	int32_t broker_port_base, broker_port_count; /* broker N is listened for on broker_port_base + N */
	struct tls_context *tls;                     /* NULL: plain */
};

/* Whether sluice serves share groups where the brokers have some themselves; in the order of the option's words. */
enum proxy_share_groups { PROXY_SHARE_GROUPS_ALWAYS, PROXY_SHARE_GROUPS_AUTO, PROXY_SHARE_GROUPS_NEVER };

struct proxy_config {
	const struct proxy_listener_config *listeners;
	uint32_t listeners_n;
	struct cluster_config cluster;
	struct tls_context *clients_tls; /* for clients' connections to brokers; NULL: plain */
	struct share_engine_config share;
	int16_t share_groups; /* enum proxy_share_groups */
	struct str state_topic;
	int32_t state_lease_ms;
	int32_t delivery_timeout_ms;              /* of a change of the state */
	int32_t state_topic_partitions;           /* 0: as __consumer_offsets */
	int16_t state_topic_replication_factor;   /* 0: as __consumer_offsets */
	int16_t state_topic_writable;             /* not 0: clients may change it through the proxy */
	int32_t stable_offset_commit_interval_ms; /* 0: not mirrored */
	size_t state_checkpoint_min_bytes;
	uint32_t state_checkpoint_factor;
	int32_t request_max_bytes; /* socket.request.max.bytes */
	int32_t request_queue_max; /* requests in flight on one connection */
	int32_t connections_max_idle_ms;
	uint32_t max_connections; /* 0: no limit of our own */
	uint32_t max_connections_per_ip, max_connections_before_login;
	int32_t login_timeout_ms;
	int32_t connection_setup_timeout_ms;
	int32_t authorization_cache_ms;
};

/* Starts everything: cluster client, state log; listeners when this sluice is known to be the owner of the state, or
 * when that can not be known for some seconds; a standby does not listen. cfg is copied. */
struct proxy *proxy_new(struct loop *lp, const struct proxy_config *cfg);

/* cb is called, later, when a port can not be bound although this sluice was never a standby: going on makes no sense.
 * The log has said why. */
void proxy_on_failure(struct proxy *p, void (*cb)(void *arg), void *arg);

/* Stops accepting, answers waiting fetches, lets what is in flight finish, then calls on_done (at the latest after
 * timeout_ms). */
void proxy_shutdown(struct proxy *p, int32_t timeout_ms, void (*on_done)(void *arg), void *arg);

void proxy_free(struct proxy *p);

/* Ready: bootstrapped, broker ports open, state loaded. Otherwise *ret_why is one line. */
bool proxy_is_ready(const struct proxy *p, const char **ret_why);

/* Options that may change while running, and all TLS contexts: new connections get them. */
void proxy_reconfigure(struct proxy *p, const struct proxy_config *cfg);

/* Gives every metric once: name ("sluice_requests_total"), help, type ("counter", "gauge"), labels
 * ("api=\"Fetch\",verdict=\"pass\"" or ""), value. */
typedef void (*proxy_metric_cb)(
	void *arg, const char *name, const char *help, const char *type, const char *labels, double value);
void proxy_metrics(struct proxy *p, proxy_metric_cb cb, void *arg);

#endif
