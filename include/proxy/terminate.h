/* SPDX-License-Identifier: Apache-2.0 */
/* The handlers of terminated requests: each decodes into events, encodes replies, decides nothing. */
#ifndef SLUICE_PROXY_TERMINATE_H
#define SLUICE_PROXY_TERMINATE_H

#include "proxy/job.h"

/* msg is the decoded request, in the slot's arena. Each answers the slot, now or later. */
void terminate_heartbeat(struct service *sv, struct slot *s, const void *msg);
void terminate_share_fetch(struct service *sv, struct slot *s, const void *msg);
void terminate_share_acknowledge(struct service *sv, struct slot *s, const void *msg);
void terminate_describe(struct service *sv, struct slot *s, const void *msg);
void terminate_describe_offsets(struct service *sv, struct slot *s, const void *msg);
void terminate_alter_offsets(struct service *sv, struct slot *s, const void *msg);
void terminate_delete_offsets(struct service *sv, struct slot *s, const void *msg);
void terminate_describe_configs(struct service *sv, struct slot *s, const void *msg);
void terminate_alter_configs(struct service *sv, struct slot *s, const void *msg);
void terminate_replace_configs(struct service *sv, struct slot *s, const void *msg);
void terminate_list_config_resources(struct service *sv, struct slot *s, const void *msg);
void terminate_list_groups(struct service *sv, struct slot *s, const void *msg);
void terminate_delete_groups(struct service *sv, struct slot *s, const void *msg);

/* Requests of ordinary groups: one that names a share group is refused as a native broker does, what else a request
 * holds is the broker's. */
void terminate_join_group(struct service *sv, struct slot *s, const void *msg);
void terminate_sync_group(struct service *sv, struct slot *s, const void *msg);
void terminate_group_heartbeat(struct service *sv, struct slot *s, const void *msg);
void terminate_leave_group(struct service *sv, struct slot *s, const void *msg);
void terminate_consumer_heartbeat(struct service *sv, struct slot *s, const void *msg);
void terminate_streams_heartbeat(struct service *sv, struct slot *s, const void *msg);
void terminate_offset_commit(struct service *sv, struct slot *s, const void *msg);
void terminate_offset_fetch(struct service *sv, struct slot *s, const void *msg);
void terminate_offset_delete(struct service *sv, struct slot *s, const void *msg);
void terminate_txn_offset_commit(struct service *sv, struct slot *s, const void *msg);
void terminate_describe_groups(struct service *sv, struct slot *s, const void *msg);
void terminate_describe_consumer_groups(struct service *sv, struct slot *s, const void *msg);
void terminate_describe_streams_groups(struct service *sv, struct slot *s, const void *msg);

/* Requests that would change the internal topic: that part is refused, the rest is the broker's. */
void terminate_delete_topics(struct service *sv, struct slot *s, const void *msg);
void terminate_delete_records(struct service *sv, struct slot *s, const void *msg);
void terminate_create_partitions(struct service *sv, struct slot *s, const void *msg);
void terminate_add_partitions_to_txn(struct service *sv, struct slot *s, const void *msg);

/* Why a change of the internal topic is refused, for an error message; in the slot's arena. */
struct str terminate_internal_text(const struct service *sv, struct slot *s);

/* Sends the request as the client sent it to the broker; its answer is the answer. */
void terminate_pass(struct slot *s);

/* Encodes msg as a request of the slot's API and version and sends that to the broker instead. */
void terminate_forward(struct job *j, const struct schema *request, const void *msg,
	void (*cb)(struct job *j, struct bytes response_body));

/* n objects of size bytes from the slot's arena, which is large enough for what arrived times a small factor; a request
 * that needs more than it is closed and NULL returned. */
void *terminate_alloc(struct slot *s, size_t n, size_t size);

/* A copy of a string in the slot's arena; null stays null. On lack of room the empty string. */
struct str terminate_copy(struct slot *s, struct str v);

/* Decodes what the broker answered to a forwarded request, with a body of the slot's API and version, into the slot's
 * arena. NULL: the slot is closed. */
void *terminate_forwarded(struct slot *s, const struct schema *schema, struct bytes body);

/* What is known of a topic. NULL: nothing, and the cluster is asked again, since it may have just been made. */
const struct cluster_topic *terminate_find_topic(struct service *sv, struct str name);

/* Answers at once with a message. */
void terminate_answer(struct slot *s, const struct schema *schema, const void *msg);

/* "Group ID is not a KIND group.", in the slot's arena. */
struct str terminate_not_a_group(struct slot *s, struct str id, const char *kind);

#endif
