/* SPDX-License-Identifier: Apache-2.0 */
/* Terminated requests are decoded here and given to their handlers. */
#include "proxy/terminate.h"

#include <stdio.h>

#include "base/mem.h"
#include "proxy/authorize.h"
#include "proxy/service_priv.h"
#include "route/api.h"
#include "wire/messages.h"

#define ANSWER_MAX_BYTES (64 * 1024 * 1024)
#define FORWARD_MAX_BYTES (16 * 1024 * 1024)

struct handler {
	int16_t key;
	const struct schema *request;
	void (*handle)(struct service *sv, struct slot *s, const void *msg);
};

static const struct handler handlers[] = {
	{ROUTE_KEY_OFFSET_COMMIT, &offset_commit_request_schema, terminate_offset_commit},
	{ROUTE_KEY_OFFSET_FETCH, &offset_fetch_request_schema, terminate_offset_fetch},
	{ROUTE_KEY_JOIN_GROUP, &join_group_request_schema, terminate_join_group},
	{ROUTE_KEY_HEARTBEAT, &heartbeat_request_schema, terminate_group_heartbeat},
	{ROUTE_KEY_LEAVE_GROUP, &leave_group_request_schema, terminate_leave_group},
	{ROUTE_KEY_SYNC_GROUP, &sync_group_request_schema, terminate_sync_group},
	{ROUTE_KEY_DESCRIBE_GROUPS, &describe_groups_request_schema, terminate_describe_groups},
	{ROUTE_KEY_DELETE_TOPICS, &delete_topics_request_schema, terminate_delete_topics},
	{ROUTE_KEY_DELETE_RECORDS, &delete_records_request_schema, terminate_delete_records},
	{ROUTE_KEY_ADD_PARTITIONS_TO_TXN, &add_partitions_to_txn_request_schema, terminate_add_partitions_to_txn},
	{ROUTE_KEY_TXN_OFFSET_COMMIT, &txn_offset_commit_request_schema, terminate_txn_offset_commit},
	{ROUTE_KEY_ALTER_CONFIGS, &alter_configs_request_schema, terminate_replace_configs},
	{ROUTE_KEY_CREATE_PARTITIONS, &create_partitions_request_schema, terminate_create_partitions},
	{ROUTE_KEY_OFFSET_DELETE, &offset_delete_request_schema, terminate_offset_delete},
	{ROUTE_KEY_CONSUMER_GROUP_HEARTBEAT, &consumer_group_heartbeat_request_schema, terminate_consumer_heartbeat},
	{ROUTE_KEY_CONSUMER_GROUP_DESCRIBE, &consumer_group_describe_request_schema,
		terminate_describe_consumer_groups},
	{ROUTE_KEY_LIST_CONFIG_RESOURCES, &list_config_resources_request_schema, terminate_list_config_resources},
	{ROUTE_KEY_STREAMS_GROUP_HEARTBEAT, &streams_group_heartbeat_request_schema, terminate_streams_heartbeat},
	{ROUTE_KEY_STREAMS_GROUP_DESCRIBE, &streams_group_describe_request_schema, terminate_describe_streams_groups},
	{ROUTE_KEY_LIST_GROUPS, &list_groups_request_schema, terminate_list_groups},
	{ROUTE_KEY_DELETE_GROUPS, &delete_groups_request_schema, terminate_delete_groups},
	{ROUTE_KEY_DESCRIBE_CONFIGS, &describe_configs_request_schema, terminate_describe_configs},
	{ROUTE_KEY_INCREMENTAL_ALTER_CONFIGS, &incremental_alter_configs_request_schema, terminate_alter_configs},
	{ROUTE_KEY_SHARE_GROUP_HEARTBEAT, &share_group_heartbeat_request_schema, terminate_heartbeat},
	{ROUTE_KEY_SHARE_GROUP_DESCRIBE, &share_group_describe_request_schema, terminate_describe},
	{ROUTE_KEY_SHARE_FETCH, &share_fetch_request_schema, terminate_share_fetch},
	{ROUTE_KEY_SHARE_ACKNOWLEDGE, &share_acknowledge_request_schema, terminate_share_acknowledge},
	{ROUTE_KEY_DESCRIBE_SHARE_GROUP_OFFSETS, &describe_share_group_offsets_request_schema,
		terminate_describe_offsets},
	{ROUTE_KEY_ALTER_SHARE_GROUP_OFFSETS, &alter_share_group_offsets_request_schema, terminate_alter_offsets},
	{ROUTE_KEY_DELETE_SHARE_GROUP_OFFSETS, &delete_share_group_offsets_request_schema, terminate_delete_offsets},
};

static const struct handler *handler_find(int16_t key)
{
	for (size_t i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++) {
		if (handlers[i].key == key)
			return &handlers[i];
	}
	return NULL;
}

void *terminate_alloc(struct slot *s, size_t n, size_t size)
{
	void *p = arena_zalloc(slot_arena(s), n, size);

	if (!p)
		slot_close(s, "request_too_large", "more memory than one request may take");
	return p;
}

struct str terminate_copy(struct slot *s, struct str v)
{
	char *p = v.p ? arena_copy_string(slot_arena(s), v) : NULL;

	if (!v.p)
		return STR_NULL;
	return p ? (struct str){p, v.n} : STR_LIT("");
}

void terminate_answer(struct slot *s, const struct schema *schema, const void *msg)
{
	struct writer w;

	wr_init(&w, ANSWER_MAX_BYTES);
	if (codec_encode(schema, slot_get_request(s)->header.api_version, &w, msg))
		slot_close(s, "answer_too_large", schema_name(schema));
	else
		slot_answer(s, &w);
	wr_release(&w);
}

void *terminate_forwarded(struct slot *s, const struct schema *schema, struct bytes body)
{
	struct reader r = rd_init(body.p, body.n);
	void *rs = terminate_alloc(s, 1, schema_struct_size(schema));

	if (rs && codec_decode(schema, slot_get_request(s)->header.api_version, &r, slot_arena(s), rs, NULL)) {
		slot_close(s, "malformed_response", schema_name(schema));
		return NULL;
	}
	return rs;
}

const struct cluster_topic *terminate_find_topic(struct service *sv, struct str name)
{
	const struct cluster_topic *t = cluster_find_topic(sv->cluster, name);

	if (!t)
		cluster_refresh(sv->cluster);
	return t;
}

static void answer_as_it_is(struct slot *s, struct bytes body)
{
	struct writer w;

	/* As long as what was collected, which has a ceiling: many topics have many configs. */
	wr_init(&w, body.n);
	wr_raw(&w, body.p, body.n);
	if (w.err)
		slot_close(s, "answer_too_large", NULL);
	else
		slot_answer(s, &w);
	wr_release(&w);
}

void terminate_pass(struct slot *s)
{
	const struct slot_request *rq = slot_get_request(s);
	struct writer w;

	wr_init(&w, rq->body.n);
	wr_raw(&w, rq->body.p, rq->body.n);
	slot_forward(s, &w, answer_as_it_is);
	wr_release(&w);
}

void terminate_forward(struct job *j, const struct schema *request, const void *msg,
	void (*cb)(struct job *j, struct bytes response_body))
{
	struct writer w;

	wr_init(&w, FORWARD_MAX_BYTES);
	if (codec_encode(request, slot_get_request(j->slot)->header.api_version, &w, msg)) {
		slot_close(j->slot, "request_too_large", schema_name(request));
		job_drop(j);
	} else {
		job_forward(j, &w, cb);
	}
	wr_release(&w);
}

void terminate_request(struct proxy *p, struct slot *s)
{
	const struct slot_request *rq = slot_get_request(s);
	const struct handler *h = handler_find(rq->header.api_key);
	char path[CODEC_PATH_MAX], detail[CODEC_PATH_MAX + 64];
	struct reader r = rd_init(rq->body.p, rq->body.n);
	enum err err;
	void *msg;

	if (!h) {
		slot_close(s, "unknown_api", NULL);
		return;
	}
	msg = terminate_alloc(s, 1, schema_struct_size(h->request));
	if (!msg)
		return;
	path[0] = '\0';
	err = codec_decode(h->request, rq->header.api_version, &r, slot_arena(s), msg, path);
	if (err) {
		snprintf(detail, sizeof(detail), "%s v%d, %s: %s", schema_name(h->request), rq->header.api_version,
			path, err_text(err));
		slot_close(s, "malformed_request", detail);
		return;
	}
	authorize_request(proxy_get_service(p), s, msg, h->handle);
}

void terminate_slot_gone(struct proxy *p, struct slot *s)
{
	struct job *j = slot_get_user(s);

	(void)p;
	if (j)
		job_slot_gone(j);
}

void terminate_conn_closed(struct proxy *p, uint64_t conn_id)
{
	service_conn_closed(proxy_get_service(p), conn_id);
}
