/* SPDX-License-Identifier: Apache-2.0 */
/* The internal topic itself: made with the settings that its safety needs, or checked when it exists. */
#ifndef SLUICE_PROXY_STATE_TOPIC_H
#define SLUICE_PROXY_STATE_TOPIC_H

#include "cluster/cluster.h"
#include "proxy/proxy.h"

struct state_topic;

/* Brings the topic into being (after __consumer_offsets, whose partition count and replication factor are its defaults)
 * and checks its settings; tries again until it is there. on_ready is called then, with the partition count; a topic
 * with unsafe settings is never ready, state_topic_why says how to mend it. */
struct state_topic *state_topic_new(struct loop *lp, struct cluster *c, const struct proxy_config *cfg,
	void (*on_ready)(void *arg, int32_t partitions), void *arg);
void state_topic_free(struct state_topic *t);

/* All of it once more, with another on_ready: the topic is gone or another one. */
void state_topic_again(struct state_topic *t);

/* The topic that is ready was created by us since state_topic_new or state_topic_again. */
bool state_topic_was_made(const struct state_topic *t);

/* The cluster's picture has changed. */
void state_topic_on_metadata(struct state_topic *t);

/* One line: what it waits for. */
const char *state_topic_why(const struct state_topic *t);

#endif
