/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a client may do what it asks for, by the cluster's own ACLs: the broker is asked over the client's own
 * connection, with requests that change nothing, before a terminated request is looked at.
 *
 *   decoded request -> its needs -> those not known yet -> slot_ask ... answers -> rights -> handler, which looks them
 * up */
#ifndef SLUICE_PROXY_AUTHORIZE_H
#define SLUICE_PROXY_AUTHORIZE_H

#include "proxy/rights.h"
#include "proxy/session.h"

/* Calls next, now or later, when everything that the request may need to know is known or can not be. Never when the
 * connection ends before. msg is in the slot's arena. */
typedef void (*authorize_next)(struct service *sv, struct slot *s, const void *msg);
void authorize_request(struct service *sv, struct slot *s, const void *msg, authorize_next next);

/* 0 when the slot's client may do this (RIGHT_...) to the group; 30 when the broker said that it may not; 15 when the
 * broker could not be asked. The empty name is nobody's. */
int16_t authorize_group(struct service *sv, struct slot *s, struct str group_id, uint32_t operation);

/* The same of a topic: 0, 29 or 6. */
int16_t authorize_topic(struct service *sv, struct slot *s, struct str name, uint32_t operation);

/* Whether the client may do this to the cluster: false when it is not known. */
bool authorize_cluster(struct service *sv, struct slot *s, uint32_t operation);

#endif
