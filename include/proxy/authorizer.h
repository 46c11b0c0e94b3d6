/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the cluster has an authorizer at all: where it has none nobody needs to be asked anything. */
#ifndef SLUICE_PROXY_AUTHORIZER_H
#define SLUICE_PROXY_AUTHORIZER_H

#include "cluster/cluster.h"
#include "net/loop.h"

struct authorizer;

/* Asks the cluster now and again and again, since brokers are restarted with another configuration. max_age_ms is read
 * each time, and must outlive it. */
struct authorizer *authorizer_new(struct loop *lp, struct cluster *c, const int32_t *max_age_ms);
void authorizer_free(struct authorizer *a);

/* False only when a broker has said that there is none. */
bool authorizer_is_there(const struct authorizer *a);

#endif
