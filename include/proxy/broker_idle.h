/* SPDX-License-Identifier: Apache-2.0 */
/* How long the brokers let a connection be idle (connections.max.idle.ms), and so how often one is to be kept alive. */
#ifndef SLUICE_PROXY_BROKER_IDLE_H
#define SLUICE_PROXY_BROKER_IDLE_H

#include "cluster/cluster.h"

struct broker_idle;

/* Asks nothing yet. cluster must outlive all but the freeing. */
struct broker_idle *broker_idle_new(struct loop *lp, struct cluster *cluster);

/* cluster_free must come first: answers that are on their way would find nobody. NULL is allowed. */
void broker_idle_free(struct broker_idle *b);

/* Asks the brokers of the current metadata that were not asked for a minute. To be called about once a second. */
void broker_idle_sweep(struct broker_idle *b);

/* Idle time in milliseconds after which a connection to whichever broker is kept alive: a third of the shortest limit.
 * One minute while nobody has told his (sluice needs DESCRIBE_CONFIGS on the cluster for it). */
int64_t broker_idle_keepalive_ms(const struct broker_idle *b);

#endif
