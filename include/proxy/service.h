/* SPDX-License-Identifier: Apache-2.0 */
/* The share service: the engine with its state log and read-ahead, and the requests that wait for them. */
#ifndef SLUICE_PROXY_SERVICE_H
#define SLUICE_PROXY_SERVICE_H

#include "cluster/cluster.h"
#include "proxy/proxy.h"
#include "share/share.h"

struct service;

struct service_callbacks {
	/* Clients are to be listened to or not (a standby): true when that is done. Asked before anything is claimed,
	 * and again after a while when a port is not free yet; was_standby: it may be held by the owner before us. */
	bool (*on_listen)(void *arg, bool on, bool was_standby);
};

/* Starts to bring up the internal topic and to load the state; cfg outlives the service, cb is copied. Callbacks come
 * later, never from inside this call. */
struct service *service_new(struct loop *lp, struct cluster *c, const struct proxy_config *cfg,
	const struct service_callbacks *cb, void *arg);
void service_free(struct service *sv);

/* New picture of the cluster: topics that came, changed or went. */
void service_on_metadata(struct service *sv, const struct cluster_metadata *now, const struct cluster_metadata *old);

/* All state partitions are loaded. Otherwise *ret_why is one line. */
bool service_is_ready(const struct service *sv, const char **ret_why);

/* The owner of the state that is cut off from the cluster: no standby is told that it lives. */
bool service_is_blind(const struct service *sv);

/* Stops: waiting fetches are answered with what there is, pending writes get until the caller frees the service. */
void service_shutdown(struct service *sv);

/* Requests that are not answered yet, for the end of a shutdown. */
size_t service_pending(const struct service *sv);

/* In a shutdown, when nothing is pending: hands all state partitions over to whoever stands by. May be called again and
 * again; true: done, or there is nothing to hand over. */
bool service_hand_over(struct service *sv);

/* True when a share group of ours has this id (one with configs only is none). False for the null string, and while its
 * state is not loaded. */
bool service_has_group(const struct service *sv, struct str group_id);

/* True when clients may not change this topic: the internal one, by name (or null) or id (or zero). */
bool service_is_internal(const struct service *sv, struct str name, struct uuid id);

/* The internal topic's name and id (zero while there is none); the null string when clients may change it. */
struct str service_internal(const struct service *sv, struct uuid *ret_id);

/* True when the bytes of a request hold the internal topic's name or id anywhere; always false when clients may change
 * it. */
bool service_finds_internal(const struct service *sv, struct bytes request);

void service_metrics(struct service *sv, proxy_metric_cb cb, void *arg);

#endif
