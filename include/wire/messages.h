/* SPDX-License-Identifier: Apache-2.0 */
/* Printed by tools/schemagen from src/wire/schema: edit there. Structs and schemas of the messages, see wire/codec.h.
 *
 * Nested structs have a schema too, for codec_init() of the elements of an array that is filled by hand. */
#ifndef SLUICE_WIRE_MESSAGES_H
#define SLUICE_WIRE_MESSAGES_H

#include "wire/codec.h"

/* clang-format off */

/* ProduceRequest (0), v0 to v13, flexible from v9 on */
struct produce_request_partition_produce_data {
	int32_t index;
	struct records records; /* nullable */
};

struct produce_request_topic_produce_data {
	struct str name; /* v0-v12 */
	struct uuid topic_id; /* v13+ */
	struct produce_request_partition_produce_data *partition_data;
	uint32_t partition_data_n;
};

struct produce_request {
	struct str transactional_id; /* v3+, nullable, default null */
	int16_t acks;
	int32_t timeout_ms;
	struct produce_request_topic_produce_data *topic_data;
	uint32_t topic_data_n;
};

extern const struct schema produce_request_schema;
extern const struct schema produce_request_partition_produce_data_schema;
extern const struct schema produce_request_topic_produce_data_schema;

/* ProduceResponse (0), v0 to v13, flexible from v9 on */
struct produce_response_batch_index_and_error_message {
	int32_t batch_index;
	struct str batch_index_error_message; /* nullable, default null */
};

struct produce_response_leader_id_and_epoch {
	int32_t leader_id; /* default -1 */
	int32_t leader_epoch; /* default -1 */
};

struct produce_response_partition_produce_response {
	int32_t index;
	int16_t error_code;
	int64_t base_offset;
	int64_t log_append_time_ms; /* v2+, default -1 */
	int64_t log_start_offset; /* v5+, default -1 */
	struct produce_response_batch_index_and_error_message *record_errors; /* v8+ */
	uint32_t record_errors_n;
	struct str error_message; /* v8+, nullable, default null */
	struct produce_response_leader_id_and_epoch current_leader; /* v10+, tag 0 */
};

struct produce_response_topic_produce_response {
	struct str name; /* v0-v12 */
	struct uuid topic_id; /* v13+ */
	struct produce_response_partition_produce_response *partition_responses;
	uint32_t partition_responses_n;
};

struct produce_response_node_endpoint {
	int32_t node_id;
	struct str host;
	int32_t port;
	struct str rack; /* nullable, default null */
};

struct produce_response {
	struct produce_response_topic_produce_response *responses;
	uint32_t responses_n;
	int32_t throttle_time_ms; /* v1+ */
	struct produce_response_node_endpoint *node_endpoints; /* v10+, tag 0 */
	uint32_t node_endpoints_n;
};

extern const struct schema produce_response_schema;
extern const struct schema produce_response_batch_index_and_error_message_schema;
extern const struct schema produce_response_leader_id_and_epoch_schema;
extern const struct schema produce_response_partition_produce_response_schema;
extern const struct schema produce_response_topic_produce_response_schema;
extern const struct schema produce_response_node_endpoint_schema;

/* FetchRequest (1), v0 to v18, flexible from v12 on */
struct fetch_request_replica_state {
	int32_t replica_id; /* default -1 */
	int64_t replica_epoch; /* default -1 */
};

struct fetch_request_fetch_partition {
	int32_t partition;
	int32_t current_leader_epoch; /* v9+, default -1 */
	int64_t fetch_offset;
	int32_t last_fetched_epoch; /* v12+, default -1 */
	int64_t log_start_offset; /* v5+, default -1 */
	int32_t partition_max_bytes;
	struct uuid replica_directory_id; /* v17+, tag 0 */
	int64_t high_watermark; /* v18+, tag 1, default 9223372036854775807 */
};

struct fetch_request_fetch_topic {
	struct str topic; /* v0-v12 */
	struct uuid topic_id; /* v13+ */
	struct fetch_request_fetch_partition *partitions;
	uint32_t partitions_n;
};

struct fetch_request_forgotten_topic {
	struct str topic; /* v7-v12 */
	struct uuid topic_id; /* v13+ */
	int32_t *partitions;
	uint32_t partitions_n;
};

struct fetch_request {
	struct str cluster_id; /* v12+, nullable, tag 0, default null */
	int32_t replica_id; /* v0-v14, default -1 */
	struct fetch_request_replica_state replica_state; /* v15+, tag 1 */
	int32_t max_wait_ms;
	int32_t min_bytes;
	int32_t max_bytes; /* v3+, default 2147483647 */
	int8_t isolation_level; /* v4+ */
	int32_t session_id; /* v7+ */
	int32_t session_epoch; /* v7+, default -1 */
	struct fetch_request_fetch_topic *topics;
	uint32_t topics_n;
	struct fetch_request_forgotten_topic *forgotten_topics_data; /* v7+ */
	uint32_t forgotten_topics_data_n;
	struct str rack_id; /* v11+ */
};

extern const struct schema fetch_request_schema;
extern const struct schema fetch_request_replica_state_schema;
extern const struct schema fetch_request_fetch_partition_schema;
extern const struct schema fetch_request_fetch_topic_schema;
extern const struct schema fetch_request_forgotten_topic_schema;

/* FetchResponse (1), v0 to v18, flexible from v12 on */
struct fetch_response_epoch_end_offset {
	int32_t epoch; /* default -1 */
	int64_t end_offset; /* default -1 */
};

struct fetch_response_leader_id_and_epoch {
	int32_t leader_id; /* default -1 */
	int32_t leader_epoch; /* default -1 */
};

struct fetch_response_snapshot_id {
	int64_t end_offset; /* default -1 */
	int32_t epoch; /* default -1 */
};

struct fetch_response_aborted_transaction {
	int64_t producer_id;
	int64_t first_offset;
};

struct fetch_response_partition_data {
	int32_t partition_index;
	int16_t error_code;
	int64_t high_watermark;
	int64_t last_stable_offset; /* v4+, default -1 */
	int64_t log_start_offset; /* v5+, default -1 */
	struct fetch_response_epoch_end_offset diverging_epoch; /* v12+, tag 0 */
	struct fetch_response_leader_id_and_epoch current_leader; /* v12+, tag 1 */
	struct fetch_response_snapshot_id snapshot_id; /* v12+, tag 2 */
	struct fetch_response_aborted_transaction *aborted_transactions; /* v4+, nullable */
	uint32_t aborted_transactions_n;
	int32_t preferred_read_replica; /* v11+, default -1 */
	struct records records; /* nullable */
};

struct fetch_response_fetchable_topic_response {
	struct str topic; /* v0-v12 */
	struct uuid topic_id; /* v13+ */
	struct fetch_response_partition_data *partitions;
	uint32_t partitions_n;
};

struct fetch_response_node_endpoint {
	int32_t node_id;
	struct str host;
	int32_t port;
	struct str rack; /* nullable, default null */
};

struct fetch_response {
	int32_t throttle_time_ms; /* v1+ */
	int16_t error_code; /* v7+ */
	int32_t session_id; /* v7+ */
	struct fetch_response_fetchable_topic_response *responses;
	uint32_t responses_n;
	struct fetch_response_node_endpoint *node_endpoints; /* v16+, tag 0 */
	uint32_t node_endpoints_n;
};

extern const struct schema fetch_response_schema;
extern const struct schema fetch_response_epoch_end_offset_schema;
extern const struct schema fetch_response_leader_id_and_epoch_schema;
extern const struct schema fetch_response_snapshot_id_schema;
extern const struct schema fetch_response_aborted_transaction_schema;
extern const struct schema fetch_response_partition_data_schema;
extern const struct schema fetch_response_fetchable_topic_response_schema;
extern const struct schema fetch_response_node_endpoint_schema;

/* ListOffsetsRequest (2), v0 to v11, flexible from v6 on */
struct list_offsets_request_list_offsets_partition {
	int32_t partition_index;
	int32_t current_leader_epoch; /* v4+, default -1 */
	int64_t timestamp;
	int32_t max_num_offsets; /* v0, default 1 */
};

struct list_offsets_request_list_offsets_topic {
	struct str name;
	struct list_offsets_request_list_offsets_partition *partitions;
	uint32_t partitions_n;
};

struct list_offsets_request {
	int32_t replica_id;
	int8_t isolation_level; /* v2+ */
	struct list_offsets_request_list_offsets_topic *topics;
	uint32_t topics_n;
	int32_t timeout_ms; /* v10+ */
};

extern const struct schema list_offsets_request_schema;
extern const struct schema list_offsets_request_list_offsets_partition_schema;
extern const struct schema list_offsets_request_list_offsets_topic_schema;

/* ListOffsetsResponse (2), v0 to v11, flexible from v6 on */
struct list_offsets_response_list_offsets_partition_response {
	int32_t partition_index;
	int16_t error_code;
	int64_t *old_style_offsets; /* v0 */
	uint32_t old_style_offsets_n;
	int64_t timestamp; /* v1+, default -1 */
	int64_t offset; /* v1+, default -1 */
	int32_t leader_epoch; /* v4+, default -1 */
};

struct list_offsets_response_list_offsets_topic_response {
	struct str name;
	struct list_offsets_response_list_offsets_partition_response *partitions;
	uint32_t partitions_n;
};

struct list_offsets_response {
	int32_t throttle_time_ms; /* v2+ */
	struct list_offsets_response_list_offsets_topic_response *topics;
	uint32_t topics_n;
};

extern const struct schema list_offsets_response_schema;
extern const struct schema list_offsets_response_list_offsets_partition_response_schema;
extern const struct schema list_offsets_response_list_offsets_topic_response_schema;

/* MetadataRequest (3), v0 to v13, flexible from v9 on */
struct metadata_request_metadata_request_topic {
	struct uuid topic_id; /* v10+ */
	struct str name; /* nullable v10+ */
};

struct metadata_request {
	struct metadata_request_metadata_request_topic *topics; /* nullable v1+ */
	uint32_t topics_n;
	bool allow_auto_topic_creation; /* v4+, default true */
	bool include_cluster_authorized_operations; /* v8-v10 */
	bool include_topic_authorized_operations; /* v8+ */
};

extern const struct schema metadata_request_schema;
extern const struct schema metadata_request_metadata_request_topic_schema;

/* MetadataResponse (3), v0 to v13, flexible from v9 on */
struct metadata_response_metadata_response_broker {
	int32_t node_id;
	struct str host;
	int32_t port;
	struct str rack; /* v1+, nullable, default null */
};

struct metadata_response_metadata_response_partition {
	int16_t error_code;
	int32_t partition_index;
	int32_t leader_id;
	int32_t leader_epoch; /* v7+, default -1 */
	int32_t *replica_nodes;
	uint32_t replica_nodes_n;
	int32_t *isr_nodes;
	uint32_t isr_nodes_n;
	int32_t *offline_replicas; /* v5+ */
	uint32_t offline_replicas_n;
};

struct metadata_response_metadata_response_topic {
	int16_t error_code;
	struct str name; /* nullable v12+ */
	struct uuid topic_id; /* v10+ */
	bool is_internal; /* v1+ */
	struct metadata_response_metadata_response_partition *partitions;
	uint32_t partitions_n;
	int32_t topic_authorized_operations; /* v8+, default -2147483648 */
};

struct metadata_response {
	int32_t throttle_time_ms; /* v3+ */
	struct metadata_response_metadata_response_broker *brokers;
	uint32_t brokers_n;
	struct str cluster_id; /* v2+, nullable, default null */
	int32_t controller_id; /* v1+, default -1 */
	struct metadata_response_metadata_response_topic *topics;
	uint32_t topics_n;
	int32_t cluster_authorized_operations; /* v8-v10, default -2147483648 */
	int16_t error_code; /* v13+ */
};

extern const struct schema metadata_response_schema;
extern const struct schema metadata_response_metadata_response_broker_schema;
extern const struct schema metadata_response_metadata_response_partition_schema;
extern const struct schema metadata_response_metadata_response_topic_schema;

/* OffsetCommitRequest (8), v0 to v10, flexible from v8 on */
struct offset_commit_request_offset_commit_request_partition {
	int32_t partition_index;
	int64_t committed_offset;
	int32_t committed_leader_epoch; /* v6+, default -1 */
	int64_t commit_timestamp; /* v1, default -1 */
	struct str committed_metadata; /* nullable */
};

struct offset_commit_request_offset_commit_request_topic {
	struct str name; /* v0-v9 */
	struct uuid topic_id; /* v10+ */
	struct offset_commit_request_offset_commit_request_partition *partitions;
	uint32_t partitions_n;
};

struct offset_commit_request {
	struct str group_id;
	int32_t generation_id_or_member_epoch; /* v1+, default -1 */
	struct str member_id; /* v1+ */
	struct str group_instance_id; /* v7+, nullable, default null */
	int64_t retention_time_ms; /* v2-v4, default -1 */
	struct offset_commit_request_offset_commit_request_topic *topics;
	uint32_t topics_n;
};

extern const struct schema offset_commit_request_schema;
extern const struct schema offset_commit_request_offset_commit_request_partition_schema;
extern const struct schema offset_commit_request_offset_commit_request_topic_schema;

/* OffsetCommitResponse (8), v0 to v10, flexible from v8 on */
struct offset_commit_response_offset_commit_response_partition {
	int32_t partition_index;
	int16_t error_code;
};

struct offset_commit_response_offset_commit_response_topic {
	struct str name; /* v0-v9 */
	struct uuid topic_id; /* v10+ */
	struct offset_commit_response_offset_commit_response_partition *partitions;
	uint32_t partitions_n;
};

struct offset_commit_response {
	int32_t throttle_time_ms; /* v3+ */
	struct offset_commit_response_offset_commit_response_topic *topics;
	uint32_t topics_n;
};

extern const struct schema offset_commit_response_schema;
extern const struct schema offset_commit_response_offset_commit_response_partition_schema;
extern const struct schema offset_commit_response_offset_commit_response_topic_schema;

/* OffsetFetchRequest (9), v0 to v10, flexible from v6 on */
struct offset_fetch_request_offset_fetch_request_topic {
	struct str name;
	int32_t *partition_indexes;
	uint32_t partition_indexes_n;
};

struct offset_fetch_request_offset_fetch_request_topics {
	struct str name; /* v8-v9 */
	struct uuid topic_id; /* v10+ */
	int32_t *partition_indexes;
	uint32_t partition_indexes_n;
};

struct offset_fetch_request_offset_fetch_request_group {
	struct str group_id;
	struct str member_id; /* v9+, nullable, default null */
	int32_t member_epoch; /* v9+, default -1 */
	struct offset_fetch_request_offset_fetch_request_topics *topics; /* nullable */
	uint32_t topics_n;
};

struct offset_fetch_request {
	struct str group_id; /* v0-v7 */
	struct offset_fetch_request_offset_fetch_request_topic *topics; /* v0-v7, nullable v2-v7 */
	uint32_t topics_n;
	struct offset_fetch_request_offset_fetch_request_group *groups; /* v8+ */
	uint32_t groups_n;
	bool require_stable; /* v7+ */
};

extern const struct schema offset_fetch_request_schema;
extern const struct schema offset_fetch_request_offset_fetch_request_topic_schema;
extern const struct schema offset_fetch_request_offset_fetch_request_topics_schema;
extern const struct schema offset_fetch_request_offset_fetch_request_group_schema;

/* OffsetFetchResponse (9), v0 to v10, flexible from v6 on */
struct offset_fetch_response_offset_fetch_response_partition {
	int32_t partition_index;
	int64_t committed_offset;
	int32_t committed_leader_epoch; /* v5-v7, default -1 */
	struct str metadata; /* nullable */
	int16_t error_code;
};

struct offset_fetch_response_offset_fetch_response_topic {
	struct str name;
	struct offset_fetch_response_offset_fetch_response_partition *partitions;
	uint32_t partitions_n;
};

struct offset_fetch_response_offset_fetch_response_partitions {
	int32_t partition_index;
	int64_t committed_offset;
	int32_t committed_leader_epoch; /* default -1 */
	struct str metadata; /* nullable */
	int16_t error_code;
};

struct offset_fetch_response_offset_fetch_response_topics {
	struct str name; /* v8-v9 */
	struct uuid topic_id; /* v10+ */
	struct offset_fetch_response_offset_fetch_response_partitions *partitions;
	uint32_t partitions_n;
};

struct offset_fetch_response_offset_fetch_response_group {
	struct str group_id;
	struct offset_fetch_response_offset_fetch_response_topics *topics;
	uint32_t topics_n;
	int16_t error_code;
};

struct offset_fetch_response {
	int32_t throttle_time_ms; /* v3+ */
	struct offset_fetch_response_offset_fetch_response_topic *topics; /* v0-v7 */
	uint32_t topics_n;
	int16_t error_code; /* v2-v7 */
	struct offset_fetch_response_offset_fetch_response_group *groups; /* v8+ */
	uint32_t groups_n;
};

extern const struct schema offset_fetch_response_schema;
extern const struct schema offset_fetch_response_offset_fetch_response_partition_schema;
extern const struct schema offset_fetch_response_offset_fetch_response_topic_schema;
extern const struct schema offset_fetch_response_offset_fetch_response_partitions_schema;
extern const struct schema offset_fetch_response_offset_fetch_response_topics_schema;
extern const struct schema offset_fetch_response_offset_fetch_response_group_schema;

/* FindCoordinatorRequest (10), v0 to v6, flexible from v3 on */
struct find_coordinator_request {
	struct str key; /* v0-v3 */
	int8_t key_type; /* v1+ */
	struct str *coordinator_keys; /* v4+ */
	uint32_t coordinator_keys_n;
};

extern const struct schema find_coordinator_request_schema;

/* FindCoordinatorResponse (10), v0 to v6, flexible from v3 on */
struct find_coordinator_response_coordinator {
	struct str key;
	int32_t node_id;
	struct str host;
	int32_t port;
	int16_t error_code;
	struct str error_message; /* nullable */
};

struct find_coordinator_response {
	int32_t throttle_time_ms; /* v1+ */
	int16_t error_code; /* v0-v3 */
	struct str error_message; /* v1-v3, nullable */
	int32_t node_id; /* v0-v3 */
	struct str host; /* v0-v3 */
	int32_t port; /* v0-v3 */
	struct find_coordinator_response_coordinator *coordinators; /* v4+ */
	uint32_t coordinators_n;
};

extern const struct schema find_coordinator_response_schema;
extern const struct schema find_coordinator_response_coordinator_schema;

/* JoinGroupRequest (11), v0 to v9, flexible from v6 on */
struct join_group_request_join_group_request_protocol {
	struct str name;
	struct bytes metadata;
};

struct join_group_request {
	struct str group_id;
	int32_t session_timeout_ms;
	int32_t rebalance_timeout_ms; /* v1+, default -1 */
	struct str member_id;
	struct str group_instance_id; /* v5+, nullable, default null */
	struct str protocol_type;
	struct join_group_request_join_group_request_protocol *protocols;
	uint32_t protocols_n;
	struct str reason; /* v8+, nullable, default null */
};

extern const struct schema join_group_request_schema;
extern const struct schema join_group_request_join_group_request_protocol_schema;

/* JoinGroupResponse (11), v0 to v9, flexible from v6 on */
struct join_group_response_join_group_response_member {
	struct str member_id;
	struct str group_instance_id; /* v5+, nullable, default null */
	struct bytes metadata;
};

struct join_group_response {
	int32_t throttle_time_ms; /* v2+ */
	int16_t error_code;
	int32_t generation_id; /* default -1 */
	struct str protocol_type; /* v7+, nullable, default null */
	struct str protocol_name; /* nullable v7+ */
	struct str leader;
	bool skip_assignment; /* v9+ */
	struct str member_id;
	struct join_group_response_join_group_response_member *members;
	uint32_t members_n;
};

extern const struct schema join_group_response_schema;
extern const struct schema join_group_response_join_group_response_member_schema;

/* HeartbeatRequest (12), v0 to v4, flexible from v4 on */
struct heartbeat_request {
	struct str group_id;
	int32_t generation_id;
	struct str member_id;
	struct str group_instance_id; /* v3+, nullable, default null */
};

extern const struct schema heartbeat_request_schema;

/* HeartbeatResponse (12), v0 to v4, flexible from v4 on */
struct heartbeat_response {
	int32_t throttle_time_ms; /* v1+ */
	int16_t error_code;
};

extern const struct schema heartbeat_response_schema;

/* LeaveGroupRequest (13), v0 to v5, flexible from v4 on */
struct leave_group_request_member_identity {
	struct str member_id;
	struct str group_instance_id; /* nullable, default null */
	struct str reason; /* v5+, nullable, default null */
};

struct leave_group_request {
	struct str group_id;
	struct str member_id; /* v0-v2 */
	struct leave_group_request_member_identity *members; /* v3+ */
	uint32_t members_n;
};

extern const struct schema leave_group_request_schema;
extern const struct schema leave_group_request_member_identity_schema;

/* LeaveGroupResponse (13), v0 to v5, flexible from v4 on */
struct leave_group_response_member_response {
	struct str member_id;
	struct str group_instance_id; /* nullable */
	int16_t error_code;
};

struct leave_group_response {
	int32_t throttle_time_ms; /* v1+ */
	int16_t error_code;
	struct leave_group_response_member_response *members; /* v3+ */
	uint32_t members_n;
};

extern const struct schema leave_group_response_schema;
extern const struct schema leave_group_response_member_response_schema;

/* SyncGroupRequest (14), v0 to v5, flexible from v4 on */
struct sync_group_request_sync_group_request_assignment {
	struct str member_id;
	struct bytes assignment;
};

struct sync_group_request {
	struct str group_id;
	int32_t generation_id;
	struct str member_id;
	struct str group_instance_id; /* v3+, nullable, default null */
	struct str protocol_type; /* v5+, nullable, default null */
	struct str protocol_name; /* v5+, nullable, default null */
	struct sync_group_request_sync_group_request_assignment *assignments;
	uint32_t assignments_n;
};

extern const struct schema sync_group_request_schema;
extern const struct schema sync_group_request_sync_group_request_assignment_schema;

/* SyncGroupResponse (14), v0 to v5, flexible from v4 on */
struct sync_group_response {
	int32_t throttle_time_ms; /* v1+ */
	int16_t error_code;
	struct str protocol_type; /* v5+, nullable, default null */
	struct str protocol_name; /* v5+, nullable, default null */
	struct bytes assignment;
};

extern const struct schema sync_group_response_schema;

/* DescribeGroupsRequest (15), v0 to v6, flexible from v5 on */
struct describe_groups_request {
	struct str *groups;
	uint32_t groups_n;
	bool include_authorized_operations; /* v3+ */
};

extern const struct schema describe_groups_request_schema;

/* DescribeGroupsResponse (15), v0 to v6, flexible from v5 on */
struct describe_groups_response_described_group_member {
	struct str member_id;
	struct str group_instance_id; /* v4+, nullable, default null */
	struct str client_id;
	struct str client_host;
	struct bytes member_metadata;
	struct bytes member_assignment;
};

struct describe_groups_response_described_group {
	int16_t error_code;
	struct str error_message; /* v6+, nullable, default null */
	struct str group_id;
	struct str group_state;
	struct str protocol_type;
	struct str protocol_data;
	struct describe_groups_response_described_group_member *members;
	uint32_t members_n;
	int32_t authorized_operations; /* v3+, default -2147483648 */
};

struct describe_groups_response {
	int32_t throttle_time_ms; /* v1+ */
	struct describe_groups_response_described_group *groups;
	uint32_t groups_n;
};

extern const struct schema describe_groups_response_schema;
extern const struct schema describe_groups_response_described_group_member_schema;
extern const struct schema describe_groups_response_described_group_schema;

/* ListGroupsRequest (16), v0 to v5, flexible from v3 on */
struct list_groups_request {
	struct str *states_filter; /* v4+ */
	uint32_t states_filter_n;
	struct str *types_filter; /* v5+ */
	uint32_t types_filter_n;
};

extern const struct schema list_groups_request_schema;

/* ListGroupsResponse (16), v0 to v5, flexible from v3 on */
struct list_groups_response_listed_group {
	struct str group_id;
	struct str protocol_type;
	struct str group_state; /* v4+ */
	struct str group_type; /* v5+ */
};

struct list_groups_response {
	int32_t throttle_time_ms; /* v1+ */
	int16_t error_code;
	struct list_groups_response_listed_group *groups;
	uint32_t groups_n;
};

extern const struct schema list_groups_response_schema;
extern const struct schema list_groups_response_listed_group_schema;

/* SaslHandshakeRequest (17), v0 to v1 */
struct sasl_handshake_request {
	struct str mechanism;
};

extern const struct schema sasl_handshake_request_schema;

/* SaslHandshakeResponse (17), v0 to v1 */
struct sasl_handshake_response {
	int16_t error_code;
	struct str *mechanisms;
	uint32_t mechanisms_n;
};

extern const struct schema sasl_handshake_response_schema;

/* ApiVersionsRequest (18), v0 to v5, flexible from v3 on */
struct api_versions_request {
	struct str client_software_name; /* v3+ */
	struct str client_software_version; /* v3+ */
	struct str cluster_id; /* v5+, nullable, default null */
	int32_t node_id; /* v5+, default -1 */
};

extern const struct schema api_versions_request_schema;

/* ApiVersionsResponse (18), v0 to v5, flexible from v3 on */
struct api_versions_response_api_version {
	int16_t api_key;
	int16_t min_version;
	int16_t max_version;
};

struct api_versions_response_supported_feature_key {
	struct str name;
	int16_t min_version;
	int16_t max_version;
};

struct api_versions_response_finalized_feature_key {
	struct str name;
	int16_t max_version_level;
	int16_t min_version_level;
};

struct api_versions_response {
	int16_t error_code;
	struct api_versions_response_api_version *api_keys;
	uint32_t api_keys_n;
	int32_t throttle_time_ms; /* v1+ */
	struct api_versions_response_supported_feature_key *supported_features; /* v3+, tag 0 */
	uint32_t supported_features_n;
	int64_t finalized_features_epoch; /* v3+, tag 1, default -1 */
	struct api_versions_response_finalized_feature_key *finalized_features; /* v3+, tag 2 */
	uint32_t finalized_features_n;
	bool zk_migration_ready; /* v3+, tag 3 */
};

extern const struct schema api_versions_response_schema;
extern const struct schema api_versions_response_api_version_schema;
extern const struct schema api_versions_response_supported_feature_key_schema;
extern const struct schema api_versions_response_finalized_feature_key_schema;

/* CreateTopicsRequest (19), v0 to v7, flexible from v5 on */
struct create_topics_request_creatable_replica_assignment {
	int32_t partition_index;
	int32_t *broker_ids;
	uint32_t broker_ids_n;
};

struct create_topics_request_creatable_topic_config {
	struct str name;
	struct str value; /* nullable */
};

struct create_topics_request_creatable_topic {
	struct str name;
	int32_t num_partitions;
	int16_t replication_factor;
	struct create_topics_request_creatable_replica_assignment *assignments;
	uint32_t assignments_n;
	struct create_topics_request_creatable_topic_config *configs;
	uint32_t configs_n;
};

struct create_topics_request {
	struct create_topics_request_creatable_topic *topics;
	uint32_t topics_n;
	int32_t timeout_ms; /* default 60000 */
	bool validate_only; /* v1+ */
};

extern const struct schema create_topics_request_schema;
extern const struct schema create_topics_request_creatable_replica_assignment_schema;
extern const struct schema create_topics_request_creatable_topic_config_schema;
extern const struct schema create_topics_request_creatable_topic_schema;

/* CreateTopicsResponse (19), v0 to v7, flexible from v5 on */
struct create_topics_response_creatable_topic_configs {
	struct str name;
	struct str value; /* nullable */
	bool read_only;
	int8_t config_source; /* default -1 */
	bool is_sensitive;
};

struct create_topics_response_creatable_topic_result {
	struct str name;
	struct uuid topic_id; /* v7+ */
	int16_t error_code;
	struct str error_message; /* v1+, nullable */
	int16_t topic_config_error_code; /* v5+, tag 0 */
	int32_t num_partitions; /* v5+, default -1 */
	int16_t replication_factor; /* v5+, default -1 */
	struct create_topics_response_creatable_topic_configs *configs; /* v5+, nullable */
	uint32_t configs_n;
};

struct create_topics_response {
	int32_t throttle_time_ms; /* v2+ */
	struct create_topics_response_creatable_topic_result *topics;
	uint32_t topics_n;
};

extern const struct schema create_topics_response_schema;
extern const struct schema create_topics_response_creatable_topic_configs_schema;
extern const struct schema create_topics_response_creatable_topic_result_schema;

/* DeleteTopicsRequest (20), v0 to v6, flexible from v4 on */
struct delete_topics_request_delete_topic_state {
	struct str name; /* nullable, default null */
	struct uuid topic_id;
};

struct delete_topics_request {
	struct delete_topics_request_delete_topic_state *topics; /* v6+ */
	uint32_t topics_n;
	struct str *topic_names; /* v0-v5 */
	uint32_t topic_names_n;
	int32_t timeout_ms;
};

extern const struct schema delete_topics_request_schema;
extern const struct schema delete_topics_request_delete_topic_state_schema;

/* DeleteTopicsResponse (20), v0 to v6, flexible from v4 on */
struct delete_topics_response_deletable_topic_result {
	struct str name; /* nullable v6+ */
	struct uuid topic_id; /* v6+ */
	int16_t error_code;
	struct str error_message; /* v5+, nullable, default null */
};

struct delete_topics_response {
	int32_t throttle_time_ms; /* v1+ */
	struct delete_topics_response_deletable_topic_result *responses;
	uint32_t responses_n;
};

extern const struct schema delete_topics_response_schema;
extern const struct schema delete_topics_response_deletable_topic_result_schema;

/* DeleteRecordsRequest (21), v0 to v2, flexible from v2 on */
struct delete_records_request_delete_records_partition {
	int32_t partition_index;
	int64_t offset;
};

struct delete_records_request_delete_records_topic {
	struct str name;
	struct delete_records_request_delete_records_partition *partitions;
	uint32_t partitions_n;
};

struct delete_records_request {
	struct delete_records_request_delete_records_topic *topics;
	uint32_t topics_n;
	int32_t timeout_ms;
};

extern const struct schema delete_records_request_schema;
extern const struct schema delete_records_request_delete_records_partition_schema;
extern const struct schema delete_records_request_delete_records_topic_schema;

/* DeleteRecordsResponse (21), v0 to v2, flexible from v2 on */
struct delete_records_response_delete_records_partition_result {
	int32_t partition_index;
	int64_t low_watermark;
	int16_t error_code;
};

struct delete_records_response_delete_records_topic_result {
	struct str name;
	struct delete_records_response_delete_records_partition_result *partitions;
	uint32_t partitions_n;
};

struct delete_records_response {
	int32_t throttle_time_ms;
	struct delete_records_response_delete_records_topic_result *topics;
	uint32_t topics_n;
};

extern const struct schema delete_records_response_schema;
extern const struct schema delete_records_response_delete_records_partition_result_schema;
extern const struct schema delete_records_response_delete_records_topic_result_schema;

/* InitProducerIdRequest (22), v0 to v6, flexible from v2 on */
struct init_producer_id_request {
	struct str transactional_id; /* nullable */
	int32_t transaction_timeout_ms;
	int64_t producer_id; /* v3+, default -1 */
	int16_t producer_epoch; /* v3+, default -1 */
	bool enable2_pc; /* v6+ */
	bool keep_prepared_txn; /* v6+ */
};

extern const struct schema init_producer_id_request_schema;

/* InitProducerIdResponse (22), v0 to v6, flexible from v2 on */
struct init_producer_id_response {
	int32_t throttle_time_ms;
	int16_t error_code;
	int64_t producer_id; /* default -1 */
	int16_t producer_epoch;
	int64_t ongoing_txn_producer_id; /* v6+, default -1 */
	int16_t ongoing_txn_producer_epoch; /* v6+, default -1 */
};

extern const struct schema init_producer_id_response_schema;

/* AddPartitionsToTxnRequest (24), v0 to v5, flexible from v3 on */
struct add_partitions_to_txn_request_add_partitions_to_txn_topic {
	struct str name;
	int32_t *partitions;
	uint32_t partitions_n;
};

struct add_partitions_to_txn_request_add_partitions_to_txn_transaction {
	struct str transactional_id;
	int64_t producer_id;
	int16_t producer_epoch;
	bool verify_only;
	struct add_partitions_to_txn_request_add_partitions_to_txn_topic *topics;
	uint32_t topics_n;
};

struct add_partitions_to_txn_request {
	struct add_partitions_to_txn_request_add_partitions_to_txn_transaction *transactions; /* v4+ */
	uint32_t transactions_n;
	struct str v3_and_below_transactional_id; /* v0-v3 */
	int64_t v3_and_below_producer_id; /* v0-v3 */
	int16_t v3_and_below_producer_epoch; /* v0-v3 */
	struct add_partitions_to_txn_request_add_partitions_to_txn_topic *v3_and_below_topics; /* v0-v3 */
	uint32_t v3_and_below_topics_n;
};

extern const struct schema add_partitions_to_txn_request_schema;
extern const struct schema add_partitions_to_txn_request_add_partitions_to_txn_topic_schema;
extern const struct schema add_partitions_to_txn_request_add_partitions_to_txn_transaction_schema;

/* AddPartitionsToTxnResponse (24), v0 to v5, flexible from v3 on */
struct add_partitions_to_txn_response_add_partitions_to_txn_partition_result {
	int32_t partition_index;
	int16_t partition_error_code;
};

struct add_partitions_to_txn_response_add_partitions_to_txn_topic_result {
	struct str name;
	struct add_partitions_to_txn_response_add_partitions_to_txn_partition_result *results_by_partition;
	uint32_t results_by_partition_n;
};

struct add_partitions_to_txn_response_add_partitions_to_txn_result {
	struct str transactional_id;
	struct add_partitions_to_txn_response_add_partitions_to_txn_topic_result *topic_results;
	uint32_t topic_results_n;
};

struct add_partitions_to_txn_response {
	int32_t throttle_time_ms;
	int16_t error_code; /* v4+ */
	struct add_partitions_to_txn_response_add_partitions_to_txn_result *results_by_transaction; /* v4+ */
	uint32_t results_by_transaction_n;
	struct add_partitions_to_txn_response_add_partitions_to_txn_topic_result *results_by_topic_v3_and_below; /* v0-v3 */
	uint32_t results_by_topic_v3_and_below_n;
};

extern const struct schema add_partitions_to_txn_response_schema;
extern const struct schema add_partitions_to_txn_response_add_partitions_to_txn_partition_result_schema;
extern const struct schema add_partitions_to_txn_response_add_partitions_to_txn_topic_result_schema;
extern const struct schema add_partitions_to_txn_response_add_partitions_to_txn_result_schema;

/* TxnOffsetCommitRequest (28), v0 to v6, flexible from v3 on */
struct txn_offset_commit_request_txn_offset_commit_request_partition {
	int32_t partition_index;
	int64_t committed_offset;
	int32_t committed_leader_epoch; /* v2+, default -1 */
	struct str committed_metadata; /* nullable */
};

struct txn_offset_commit_request_txn_offset_commit_request_topic {
	struct str name; /* v0-v5 */
	struct uuid topic_id; /* v6+ */
	struct txn_offset_commit_request_txn_offset_commit_request_partition *partitions;
	uint32_t partitions_n;
};

struct txn_offset_commit_request {
	struct str transactional_id;
	struct str group_id;
	int64_t producer_id;
	int16_t producer_epoch;
	int32_t generation_id_or_member_epoch; /* v3+, default -1 */
	struct str member_id; /* v3+ */
	struct str group_instance_id; /* v3+, nullable, default null */
	struct txn_offset_commit_request_txn_offset_commit_request_topic *topics;
	uint32_t topics_n;
};

extern const struct schema txn_offset_commit_request_schema;
extern const struct schema txn_offset_commit_request_txn_offset_commit_request_partition_schema;
extern const struct schema txn_offset_commit_request_txn_offset_commit_request_topic_schema;

/* TxnOffsetCommitResponse (28), v0 to v6, flexible from v3 on */
struct txn_offset_commit_response_txn_offset_commit_response_partition {
	int32_t partition_index;
	int16_t error_code;
};

struct txn_offset_commit_response_txn_offset_commit_response_topic {
	struct str name; /* v0-v5 */
	struct uuid topic_id; /* v6+ */
	struct txn_offset_commit_response_txn_offset_commit_response_partition *partitions;
	uint32_t partitions_n;
};

struct txn_offset_commit_response {
	int32_t throttle_time_ms;
	struct txn_offset_commit_response_txn_offset_commit_response_topic *topics;
	uint32_t topics_n;
};

extern const struct schema txn_offset_commit_response_schema;
extern const struct schema txn_offset_commit_response_txn_offset_commit_response_partition_schema;
extern const struct schema txn_offset_commit_response_txn_offset_commit_response_topic_schema;

/* DescribeAclsRequest (29), v1 to v3, flexible from v2 on */
struct describe_acls_request {
	int8_t resource_type_filter;
	struct str resource_name_filter; /* nullable */
	int8_t pattern_type_filter; /* default 3 */
	struct str principal_filter; /* nullable */
	struct str host_filter; /* nullable */
	int8_t operation;
	int8_t permission_type;
};

extern const struct schema describe_acls_request_schema;

/* DescribeAclsResponse (29), v1 to v3, flexible from v2 on */
struct describe_acls_response_acl_description {
	struct str principal;
	struct str host;
	int8_t operation;
	int8_t permission_type;
};

struct describe_acls_response_describe_acls_resource {
	int8_t resource_type;
	struct str resource_name;
	int8_t pattern_type; /* default 3 */
	struct describe_acls_response_acl_description *acls;
	uint32_t acls_n;
};

struct describe_acls_response {
	int32_t throttle_time_ms;
	int16_t error_code;
	struct str error_message; /* nullable */
	struct describe_acls_response_describe_acls_resource *resources;
	uint32_t resources_n;
};

extern const struct schema describe_acls_response_schema;
extern const struct schema describe_acls_response_acl_description_schema;
extern const struct schema describe_acls_response_describe_acls_resource_schema;

/* DescribeConfigsRequest (32), v0 to v4, flexible from v4 on */
struct describe_configs_request_describe_configs_resource {
	int8_t resource_type;
	struct str resource_name;
	struct str *configuration_keys; /* nullable */
	uint32_t configuration_keys_n;
};

struct describe_configs_request {
	struct describe_configs_request_describe_configs_resource *resources;
	uint32_t resources_n;
	bool include_synonyms; /* v1+ */
	bool include_documentation; /* v3+ */
};

extern const struct schema describe_configs_request_schema;
extern const struct schema describe_configs_request_describe_configs_resource_schema;

/* DescribeConfigsResponse (32), v0 to v4, flexible from v4 on */
struct describe_configs_response_describe_configs_synonym {
	struct str name;
	struct str value; /* nullable */
	int8_t source;
};

struct describe_configs_response_describe_configs_resource_result {
	struct str name;
	struct str value; /* nullable */
	bool read_only;
	bool is_default; /* v0 */
	int8_t config_source; /* v1+, default -1 */
	bool is_sensitive;
	struct describe_configs_response_describe_configs_synonym *synonyms; /* v1+ */
	uint32_t synonyms_n;
	int8_t config_type; /* v3+ */
	struct str documentation; /* v3+, nullable */
};

struct describe_configs_response_describe_configs_result {
	int16_t error_code;
	struct str error_message; /* nullable */
	int8_t resource_type;
	struct str resource_name;
	struct describe_configs_response_describe_configs_resource_result *configs;
	uint32_t configs_n;
};

struct describe_configs_response {
	int32_t throttle_time_ms;
	struct describe_configs_response_describe_configs_result *results;
	uint32_t results_n;
};

extern const struct schema describe_configs_response_schema;
extern const struct schema describe_configs_response_describe_configs_synonym_schema;
extern const struct schema describe_configs_response_describe_configs_resource_result_schema;
extern const struct schema describe_configs_response_describe_configs_result_schema;

/* AlterConfigsRequest (33), v0 to v2, flexible from v2 on */
struct alter_configs_request_alterable_config {
	struct str name;
	struct str value; /* nullable */
};

struct alter_configs_request_alter_configs_resource {
	int8_t resource_type;
	struct str resource_name;
	struct alter_configs_request_alterable_config *configs;
	uint32_t configs_n;
};

struct alter_configs_request {
	struct alter_configs_request_alter_configs_resource *resources;
	uint32_t resources_n;
	bool validate_only;
};

extern const struct schema alter_configs_request_schema;
extern const struct schema alter_configs_request_alterable_config_schema;
extern const struct schema alter_configs_request_alter_configs_resource_schema;

/* AlterConfigsResponse (33), v0 to v2, flexible from v2 on */
struct alter_configs_response_alter_configs_resource_response {
	int16_t error_code;
	struct str error_message; /* nullable */
	int8_t resource_type;
	struct str resource_name;
};

struct alter_configs_response {
	int32_t throttle_time_ms;
	struct alter_configs_response_alter_configs_resource_response *responses;
	uint32_t responses_n;
};

extern const struct schema alter_configs_response_schema;
extern const struct schema alter_configs_response_alter_configs_resource_response_schema;

/* SaslAuthenticateRequest (36), v0 to v2, flexible from v2 on */
struct sasl_authenticate_request {
	struct bytes auth_bytes;
};

extern const struct schema sasl_authenticate_request_schema;

/* SaslAuthenticateResponse (36), v0 to v2, flexible from v2 on */
struct sasl_authenticate_response {
	int16_t error_code;
	struct str error_message; /* nullable */
	struct bytes auth_bytes;
	int64_t session_lifetime_ms; /* v1+ */
};

extern const struct schema sasl_authenticate_response_schema;

/* CreatePartitionsRequest (37), v0 to v3, flexible from v2 on */
struct create_partitions_request_create_partitions_assignment {
	int32_t *broker_ids;
	uint32_t broker_ids_n;
};

struct create_partitions_request_create_partitions_topic {
	struct str name;
	int32_t count;
	struct create_partitions_request_create_partitions_assignment *assignments; /* nullable */
	uint32_t assignments_n;
};

struct create_partitions_request {
	struct create_partitions_request_create_partitions_topic *topics;
	uint32_t topics_n;
	int32_t timeout_ms;
	bool validate_only;
};

extern const struct schema create_partitions_request_schema;
extern const struct schema create_partitions_request_create_partitions_assignment_schema;
extern const struct schema create_partitions_request_create_partitions_topic_schema;

/* CreatePartitionsResponse (37), v0 to v3, flexible from v2 on */
struct create_partitions_response_create_partitions_topic_result {
	struct str name;
	int16_t error_code;
	struct str error_message; /* nullable, default null */
};

struct create_partitions_response {
	int32_t throttle_time_ms;
	struct create_partitions_response_create_partitions_topic_result *results;
	uint32_t results_n;
};

extern const struct schema create_partitions_response_schema;
extern const struct schema create_partitions_response_create_partitions_topic_result_schema;

/* DeleteGroupsRequest (42), v0 to v3, flexible from v2 on */
struct delete_groups_request {
	struct str *groups_names;
	uint32_t groups_names_n;
};

extern const struct schema delete_groups_request_schema;

/* DeleteGroupsResponse (42), v0 to v3, flexible from v2 on */
struct delete_groups_response_deletable_group_result {
	struct str group_id;
	int16_t error_code;
	struct str error_message; /* v3+, nullable, default null */
};

struct delete_groups_response {
	int32_t throttle_time_ms;
	struct delete_groups_response_deletable_group_result *results;
	uint32_t results_n;
};

extern const struct schema delete_groups_response_schema;
extern const struct schema delete_groups_response_deletable_group_result_schema;

/* IncrementalAlterConfigsRequest (44), v0 to v1, flexible from v1 on */
struct incremental_alter_configs_request_alterable_config {
	struct str name;
	int8_t config_operation;
	struct str value; /* nullable */
};

struct incremental_alter_configs_request_alter_configs_resource {
	int8_t resource_type;
	struct str resource_name;
	struct incremental_alter_configs_request_alterable_config *configs;
	uint32_t configs_n;
};

struct incremental_alter_configs_request {
	struct incremental_alter_configs_request_alter_configs_resource *resources;
	uint32_t resources_n;
	bool validate_only;
};

extern const struct schema incremental_alter_configs_request_schema;
extern const struct schema incremental_alter_configs_request_alterable_config_schema;
extern const struct schema incremental_alter_configs_request_alter_configs_resource_schema;

/* IncrementalAlterConfigsResponse (44), v0 to v1, flexible from v1 on */
struct incremental_alter_configs_response_alter_configs_resource_response {
	int16_t error_code;
	struct str error_message; /* nullable */
	int8_t resource_type;
	struct str resource_name;
};

struct incremental_alter_configs_response {
	int32_t throttle_time_ms;
	struct incremental_alter_configs_response_alter_configs_resource_response *responses;
	uint32_t responses_n;
};

extern const struct schema incremental_alter_configs_response_schema;
extern const struct schema incremental_alter_configs_response_alter_configs_resource_response_schema;

/* OffsetDeleteRequest (47), v0 */
struct offset_delete_request_offset_delete_request_partition {
	int32_t partition_index;
};

struct offset_delete_request_offset_delete_request_topic {
	struct str name;
	struct offset_delete_request_offset_delete_request_partition *partitions;
	uint32_t partitions_n;
};

struct offset_delete_request {
	struct str group_id;
	struct offset_delete_request_offset_delete_request_topic *topics;
	uint32_t topics_n;
};

extern const struct schema offset_delete_request_schema;
extern const struct schema offset_delete_request_offset_delete_request_partition_schema;
extern const struct schema offset_delete_request_offset_delete_request_topic_schema;

/* OffsetDeleteResponse (47), v0 */
struct offset_delete_response_offset_delete_response_partition {
	int32_t partition_index;
	int16_t error_code;
};

struct offset_delete_response_offset_delete_response_topic {
	struct str name;
	struct offset_delete_response_offset_delete_response_partition *partitions;
	uint32_t partitions_n;
};

struct offset_delete_response {
	int16_t error_code;
	int32_t throttle_time_ms;
	struct offset_delete_response_offset_delete_response_topic *topics;
	uint32_t topics_n;
};

extern const struct schema offset_delete_response_schema;
extern const struct schema offset_delete_response_offset_delete_response_partition_schema;
extern const struct schema offset_delete_response_offset_delete_response_topic_schema;

/* DescribeClusterRequest (60), v0 to v2, flexible from v0 on */
struct describe_cluster_request {
	bool include_cluster_authorized_operations;
	int8_t endpoint_type; /* v1+, default 1 */
	bool include_fenced_brokers; /* v2+ */
};

extern const struct schema describe_cluster_request_schema;

/* DescribeClusterResponse (60), v0 to v2, flexible from v0 on */
struct describe_cluster_response_describe_cluster_broker {
	int32_t broker_id;
	struct str host;
	int32_t port;
	struct str rack; /* nullable, default null */
	bool is_fenced; /* v2+ */
};

struct describe_cluster_response {
	int32_t throttle_time_ms;
	int16_t error_code;
	struct str error_message; /* nullable, default null */
	int8_t endpoint_type; /* v1+, default 1 */
	struct str cluster_id;
	int32_t controller_id; /* default -1 */
	struct describe_cluster_response_describe_cluster_broker *brokers;
	uint32_t brokers_n;
	int32_t cluster_authorized_operations; /* default -2147483648 */
};

extern const struct schema describe_cluster_response_schema;
extern const struct schema describe_cluster_response_describe_cluster_broker_schema;

/* ConsumerGroupHeartbeatRequest (68), v0 to v1, flexible from v0 on */
struct consumer_group_heartbeat_request_topic_partitions {
	struct uuid topic_id;
	int32_t *partitions;
	uint32_t partitions_n;
};

struct consumer_group_heartbeat_request {
	struct str group_id;
	struct str member_id;
	int32_t member_epoch;
	struct str instance_id; /* nullable, default null */
	struct str rack_id; /* nullable, default null */
	int32_t rebalance_timeout_ms; /* default -1 */
	struct str *subscribed_topic_names; /* nullable, default null */
	uint32_t subscribed_topic_names_n;
	struct str subscribed_topic_regex; /* v1+, nullable, default null */
	struct str server_assignor; /* nullable, default null */
	struct consumer_group_heartbeat_request_topic_partitions *topic_partitions; /* nullable, default null */
	uint32_t topic_partitions_n;
};

extern const struct schema consumer_group_heartbeat_request_schema;
extern const struct schema consumer_group_heartbeat_request_topic_partitions_schema;

/* ConsumerGroupHeartbeatResponse (68), v0 to v1, flexible from v0 on */
struct consumer_group_heartbeat_response_topic_partitions {
	struct uuid topic_id;
	int32_t *partitions;
	uint32_t partitions_n;
};

struct consumer_group_heartbeat_response_assignment {
	struct consumer_group_heartbeat_response_topic_partitions *topic_partitions;
	uint32_t topic_partitions_n;
};

struct consumer_group_heartbeat_response {
	int32_t throttle_time_ms;
	int16_t error_code;
	struct str error_message; /* nullable, default null */
	struct str member_id; /* nullable, default null */
	int32_t member_epoch;
	int32_t heartbeat_interval_ms;
	struct consumer_group_heartbeat_response_assignment *assignment; /* nullable, default null */
};

extern const struct schema consumer_group_heartbeat_response_schema;
extern const struct schema consumer_group_heartbeat_response_topic_partitions_schema;
extern const struct schema consumer_group_heartbeat_response_assignment_schema;

/* ConsumerGroupDescribeRequest (69), v0 to v1, flexible from v0 on */
struct consumer_group_describe_request {
	struct str *group_ids;
	uint32_t group_ids_n;
	bool include_authorized_operations;
};

extern const struct schema consumer_group_describe_request_schema;

/* ConsumerGroupDescribeResponse (69), v0 to v1, flexible from v0 on */
struct consumer_group_describe_response_topic_partitions {
	struct uuid topic_id;
	struct str topic_name;
	int32_t *partitions;
	uint32_t partitions_n;
};

struct consumer_group_describe_response_assignment {
	struct consumer_group_describe_response_topic_partitions *topic_partitions;
	uint32_t topic_partitions_n;
};

struct consumer_group_describe_response_member {
	struct str member_id;
	struct str instance_id; /* nullable, default null */
	struct str rack_id; /* nullable, default null */
	int32_t member_epoch;
	struct str client_id;
	struct str client_host;
	struct str *subscribed_topic_names;
	uint32_t subscribed_topic_names_n;
	struct str subscribed_topic_regex; /* nullable, default null */
	struct consumer_group_describe_response_assignment assignment;
	struct consumer_group_describe_response_assignment target_assignment;
	int8_t member_type; /* v1+, default -1 */
};

struct consumer_group_describe_response_described_group {
	int16_t error_code;
	struct str error_message; /* nullable, default null */
	struct str group_id;
	struct str group_state;
	int32_t group_epoch;
	int32_t assignment_epoch;
	struct str assignor_name;
	struct consumer_group_describe_response_member *members;
	uint32_t members_n;
	int32_t authorized_operations; /* default -2147483648 */
};

struct consumer_group_describe_response {
	int32_t throttle_time_ms;
	struct consumer_group_describe_response_described_group *groups;
	uint32_t groups_n;
};

extern const struct schema consumer_group_describe_response_schema;
extern const struct schema consumer_group_describe_response_topic_partitions_schema;
extern const struct schema consumer_group_describe_response_assignment_schema;
extern const struct schema consumer_group_describe_response_member_schema;
extern const struct schema consumer_group_describe_response_described_group_schema;

/* ListConfigResourcesRequest (74), v0 to v1, flexible from v0 on */
struct list_config_resources_request {
	int8_t *resource_types; /* v1+ */
	uint32_t resource_types_n;
};

extern const struct schema list_config_resources_request_schema;

/* ListConfigResourcesResponse (74), v0 to v1, flexible from v0 on */
struct list_config_resources_response_config_resource {
	struct str resource_name;
	int8_t resource_type; /* v1+, default 16 */
};

struct list_config_resources_response {
	int32_t throttle_time_ms;
	int16_t error_code;
	struct list_config_resources_response_config_resource *config_resources;
	uint32_t config_resources_n;
};

extern const struct schema list_config_resources_response_schema;
extern const struct schema list_config_resources_response_config_resource_schema;

/* DescribeTopicPartitionsRequest (75), v0, flexible from v0 on */
struct describe_topic_partitions_request_topic_request {
	struct str name;
};

struct describe_topic_partitions_request_cursor {
	struct str topic_name;
	int32_t partition_index;
};

struct describe_topic_partitions_request {
	struct describe_topic_partitions_request_topic_request *topics;
	uint32_t topics_n;
	int32_t response_partition_limit; /* default 2000 */
	struct describe_topic_partitions_request_cursor *cursor; /* nullable, default null */
};

extern const struct schema describe_topic_partitions_request_schema;
extern const struct schema describe_topic_partitions_request_topic_request_schema;
extern const struct schema describe_topic_partitions_request_cursor_schema;

/* DescribeTopicPartitionsResponse (75), v0, flexible from v0 on */
struct describe_topic_partitions_response_describe_topic_partitions_response_partition {
	int16_t error_code;
	int32_t partition_index;
	int32_t leader_id;
	int32_t leader_epoch; /* default -1 */
	int32_t *replica_nodes;
	uint32_t replica_nodes_n;
	int32_t *isr_nodes;
	uint32_t isr_nodes_n;
	int32_t *eligible_leader_replicas; /* nullable, default null */
	uint32_t eligible_leader_replicas_n;
	int32_t *last_known_elr; /* nullable, default null */
	uint32_t last_known_elr_n;
	int32_t *offline_replicas;
	uint32_t offline_replicas_n;
};

struct describe_topic_partitions_response_describe_topic_partitions_response_topic {
	int16_t error_code;
	struct str name; /* nullable */
	struct uuid topic_id;
	bool is_internal;
	struct describe_topic_partitions_response_describe_topic_partitions_response_partition *partitions;
	uint32_t partitions_n;
	int32_t topic_authorized_operations; /* default -2147483648 */
};

struct describe_topic_partitions_response_cursor {
	struct str topic_name;
	int32_t partition_index;
};

struct describe_topic_partitions_response {
	int32_t throttle_time_ms;
	struct describe_topic_partitions_response_describe_topic_partitions_response_topic *topics;
	uint32_t topics_n;
	struct describe_topic_partitions_response_cursor *next_cursor; /* nullable, default null */
};

extern const struct schema describe_topic_partitions_response_schema;
extern const struct schema describe_topic_partitions_response_describe_topic_partitions_response_partition_schema;
extern const struct schema describe_topic_partitions_response_describe_topic_partitions_response_topic_schema;
extern const struct schema describe_topic_partitions_response_cursor_schema;

/* ShareGroupHeartbeatRequest (76), v1, flexible from v0 on */
struct share_group_heartbeat_request {
	struct str group_id;
	struct str member_id;
	int32_t member_epoch;
	struct str rack_id; /* nullable, default null */
	struct str *subscribed_topic_names; /* nullable, default null */
	uint32_t subscribed_topic_names_n;
};

extern const struct schema share_group_heartbeat_request_schema;

/* ShareGroupHeartbeatResponse (76), v1, flexible from v0 on */
struct share_group_heartbeat_response_topic_partitions {
	struct uuid topic_id;
	int32_t *partitions;
	uint32_t partitions_n;
};

struct share_group_heartbeat_response_assignment {
	struct share_group_heartbeat_response_topic_partitions *topic_partitions;
	uint32_t topic_partitions_n;
};

struct share_group_heartbeat_response {
	int32_t throttle_time_ms;
	int16_t error_code;
	struct str error_message; /* nullable, default null */
	struct str member_id; /* nullable, default null */
	int32_t member_epoch;
	int32_t heartbeat_interval_ms;
	struct share_group_heartbeat_response_assignment *assignment; /* nullable, default null */
};

extern const struct schema share_group_heartbeat_response_schema;
extern const struct schema share_group_heartbeat_response_topic_partitions_schema;
extern const struct schema share_group_heartbeat_response_assignment_schema;

/* ShareGroupDescribeRequest (77), v1, flexible from v0 on */
struct share_group_describe_request {
	struct str *group_ids;
	uint32_t group_ids_n;
	bool include_authorized_operations;
};

extern const struct schema share_group_describe_request_schema;

/* ShareGroupDescribeResponse (77), v1, flexible from v0 on */
struct share_group_describe_response_topic_partitions {
	struct uuid topic_id;
	struct str topic_name;
	int32_t *partitions;
	uint32_t partitions_n;
};

struct share_group_describe_response_assignment {
	struct share_group_describe_response_topic_partitions *topic_partitions;
	uint32_t topic_partitions_n;
};

struct share_group_describe_response_member {
	struct str member_id;
	struct str rack_id; /* nullable, default null */
	int32_t member_epoch;
	struct str client_id;
	struct str client_host;
	struct str *subscribed_topic_names;
	uint32_t subscribed_topic_names_n;
	struct share_group_describe_response_assignment assignment;
};

struct share_group_describe_response_described_group {
	int16_t error_code;
	struct str error_message; /* nullable, default null */
	struct str group_id;
	struct str group_state;
	int32_t group_epoch;
	int32_t assignment_epoch;
	struct str assignor_name;
	struct share_group_describe_response_member *members;
	uint32_t members_n;
	int32_t authorized_operations; /* default -2147483648 */
};

struct share_group_describe_response {
	int32_t throttle_time_ms;
	struct share_group_describe_response_described_group *groups;
	uint32_t groups_n;
};

extern const struct schema share_group_describe_response_schema;
extern const struct schema share_group_describe_response_topic_partitions_schema;
extern const struct schema share_group_describe_response_assignment_schema;
extern const struct schema share_group_describe_response_member_schema;
extern const struct schema share_group_describe_response_described_group_schema;

/* ShareFetchRequest (78), v1 to v2, flexible from v0 on */
struct share_fetch_request_acknowledgement_batch {
	int64_t first_offset;
	int64_t last_offset;
	int8_t *acknowledge_types;
	uint32_t acknowledge_types_n;
};

struct share_fetch_request_fetch_partition {
	int32_t partition_index;
	struct share_fetch_request_acknowledgement_batch *acknowledgement_batches;
	uint32_t acknowledgement_batches_n;
};

struct share_fetch_request_fetch_topic {
	struct uuid topic_id;
	struct share_fetch_request_fetch_partition *partitions;
	uint32_t partitions_n;
};

struct share_fetch_request_forgotten_topic {
	struct uuid topic_id;
	int32_t *partitions;
	uint32_t partitions_n;
};

struct share_fetch_request {
	struct str group_id; /* nullable, default null */
	struct str member_id; /* nullable */
	int32_t share_session_epoch;
	int32_t max_wait_ms;
	int32_t min_bytes;
	int32_t max_bytes; /* default 2147483647 */
	int32_t max_records;
	int32_t batch_size;
	int8_t share_acquire_mode; /* v2+ */
	bool is_renew_ack; /* v2+ */
	struct share_fetch_request_fetch_topic *topics;
	uint32_t topics_n;
	struct share_fetch_request_forgotten_topic *forgotten_topics_data;
	uint32_t forgotten_topics_data_n;
};

extern const struct schema share_fetch_request_schema;
extern const struct schema share_fetch_request_acknowledgement_batch_schema;
extern const struct schema share_fetch_request_fetch_partition_schema;
extern const struct schema share_fetch_request_fetch_topic_schema;
extern const struct schema share_fetch_request_forgotten_topic_schema;

/* ShareFetchResponse (78), v1 to v2, flexible from v0 on */
struct share_fetch_response_leader_id_and_epoch {
	int32_t leader_id;
	int32_t leader_epoch;
};

struct share_fetch_response_acquired_records {
	int64_t first_offset;
	int64_t last_offset;
	int16_t delivery_count;
};

struct share_fetch_response_partition_data {
	int32_t partition_index;
	int16_t error_code;
	struct str error_message; /* nullable, default null */
	int16_t acknowledge_error_code;
	struct str acknowledge_error_message; /* nullable, default null */
	struct share_fetch_response_leader_id_and_epoch current_leader;
	struct records records;
	struct share_fetch_response_acquired_records *acquired_records;
	uint32_t acquired_records_n;
};

struct share_fetch_response_share_fetchable_topic_response {
	struct uuid topic_id;
	struct share_fetch_response_partition_data *partitions;
	uint32_t partitions_n;
};

struct share_fetch_response_node_endpoint {
	int32_t node_id;
	struct str host;
	int32_t port;
	struct str rack; /* nullable, default null */
};

struct share_fetch_response {
	int32_t throttle_time_ms;
	int16_t error_code;
	struct str error_message; /* nullable, default null */
	int32_t acquisition_lock_timeout_ms;
	struct share_fetch_response_share_fetchable_topic_response *responses;
	uint32_t responses_n;
	struct share_fetch_response_node_endpoint *node_endpoints;
	uint32_t node_endpoints_n;
};

extern const struct schema share_fetch_response_schema;
extern const struct schema share_fetch_response_leader_id_and_epoch_schema;
extern const struct schema share_fetch_response_acquired_records_schema;
extern const struct schema share_fetch_response_partition_data_schema;
extern const struct schema share_fetch_response_share_fetchable_topic_response_schema;
extern const struct schema share_fetch_response_node_endpoint_schema;

/* ShareAcknowledgeRequest (79), v1 to v2, flexible from v0 on */
struct share_acknowledge_request_acknowledgement_batch {
	int64_t first_offset;
	int64_t last_offset;
	int8_t *acknowledge_types;
	uint32_t acknowledge_types_n;
};

struct share_acknowledge_request_acknowledge_partition {
	int32_t partition_index;
	struct share_acknowledge_request_acknowledgement_batch *acknowledgement_batches;
	uint32_t acknowledgement_batches_n;
};

struct share_acknowledge_request_acknowledge_topic {
	struct uuid topic_id;
	struct share_acknowledge_request_acknowledge_partition *partitions;
	uint32_t partitions_n;
};

struct share_acknowledge_request {
	struct str group_id; /* nullable, default null */
	struct str member_id; /* nullable */
	int32_t share_session_epoch;
	bool is_renew_ack; /* v2+ */
	struct share_acknowledge_request_acknowledge_topic *topics;
	uint32_t topics_n;
};

extern const struct schema share_acknowledge_request_schema;
extern const struct schema share_acknowledge_request_acknowledgement_batch_schema;
extern const struct schema share_acknowledge_request_acknowledge_partition_schema;
extern const struct schema share_acknowledge_request_acknowledge_topic_schema;

/* ShareAcknowledgeResponse (79), v1 to v2, flexible from v0 on */
struct share_acknowledge_response_leader_id_and_epoch {
	int32_t leader_id;
	int32_t leader_epoch;
};

struct share_acknowledge_response_partition_data {
	int32_t partition_index;
	int16_t error_code;
	struct str error_message; /* nullable, default null */
	struct share_acknowledge_response_leader_id_and_epoch current_leader;
};

struct share_acknowledge_response_share_acknowledge_topic_response {
	struct uuid topic_id;
	struct share_acknowledge_response_partition_data *partitions;
	uint32_t partitions_n;
};

struct share_acknowledge_response_node_endpoint {
	int32_t node_id;
	struct str host;
	int32_t port;
	struct str rack; /* nullable, default null */
};

struct share_acknowledge_response {
	int32_t throttle_time_ms;
	int16_t error_code;
	struct str error_message; /* nullable, default null */
	int32_t acquisition_lock_timeout_ms; /* v2+ */
	struct share_acknowledge_response_share_acknowledge_topic_response *responses;
	uint32_t responses_n;
	struct share_acknowledge_response_node_endpoint *node_endpoints;
	uint32_t node_endpoints_n;
};

extern const struct schema share_acknowledge_response_schema;
extern const struct schema share_acknowledge_response_leader_id_and_epoch_schema;
extern const struct schema share_acknowledge_response_partition_data_schema;
extern const struct schema share_acknowledge_response_share_acknowledge_topic_response_schema;
extern const struct schema share_acknowledge_response_node_endpoint_schema;

/* StreamsGroupHeartbeatRequest (88), v0 to v1, flexible from v0 on */
struct streams_group_heartbeat_request_key_value {
	struct str key;
	struct str value;
};

struct streams_group_heartbeat_request_topic_info {
	struct str name;
	int32_t partitions;
	int16_t replication_factor;
	struct streams_group_heartbeat_request_key_value *topic_configs;
	uint32_t topic_configs_n;
};

struct streams_group_heartbeat_request_copartition_group {
	int16_t *source_topics;
	uint32_t source_topics_n;
	int16_t *source_topic_regex;
	uint32_t source_topic_regex_n;
	int16_t *repartition_source_topics;
	uint32_t repartition_source_topics_n;
};

struct streams_group_heartbeat_request_subtopology {
	struct str subtopology_id;
	struct str *source_topics;
	uint32_t source_topics_n;
	struct str *source_topic_regex;
	uint32_t source_topic_regex_n;
	struct streams_group_heartbeat_request_topic_info *state_changelog_topics;
	uint32_t state_changelog_topics_n;
	struct str *repartition_sink_topics;
	uint32_t repartition_sink_topics_n;
	struct streams_group_heartbeat_request_topic_info *repartition_source_topics;
	uint32_t repartition_source_topics_n;
	struct streams_group_heartbeat_request_copartition_group *copartition_groups;
	uint32_t copartition_groups_n;
};

struct streams_group_heartbeat_request_topology {
	int32_t epoch;
	struct streams_group_heartbeat_request_subtopology *subtopologies;
	uint32_t subtopologies_n;
};

struct streams_group_heartbeat_request_task_ids {
	struct str subtopology_id;
	int32_t *partitions;
	uint32_t partitions_n;
};

struct streams_group_heartbeat_request_endpoint {
	struct str host;
	uint16_t port;
};

struct streams_group_heartbeat_request_task_offset {
	struct str subtopology_id;
	int32_t partition;
	int64_t offset;
};

struct streams_group_heartbeat_request {
	struct str group_id;
	struct str member_id;
	int32_t member_epoch;
	int32_t endpoint_information_epoch;
	struct str instance_id; /* nullable, default null */
	struct str rack_id; /* nullable, default null */
	int32_t rebalance_timeout_ms; /* default -1 */
	struct streams_group_heartbeat_request_topology *topology; /* nullable, default null */
	struct streams_group_heartbeat_request_task_ids *active_tasks; /* nullable, default null */
	uint32_t active_tasks_n;
	struct streams_group_heartbeat_request_task_ids *standby_tasks; /* nullable, default null */
	uint32_t standby_tasks_n;
	struct streams_group_heartbeat_request_task_ids *warmup_tasks; /* nullable, default null */
	uint32_t warmup_tasks_n;
	struct str process_id; /* nullable, default null */
	struct streams_group_heartbeat_request_endpoint *user_endpoint; /* nullable, default null */
	struct streams_group_heartbeat_request_key_value *client_tags; /* nullable, default null */
	uint32_t client_tags_n;
	struct streams_group_heartbeat_request_task_offset *task_offsets; /* nullable, default null */
	uint32_t task_offsets_n;
	struct streams_group_heartbeat_request_task_offset *task_end_offsets; /* nullable, default null */
	uint32_t task_end_offsets_n;
	bool shutdown_application;
};

extern const struct schema streams_group_heartbeat_request_schema;
extern const struct schema streams_group_heartbeat_request_key_value_schema;
extern const struct schema streams_group_heartbeat_request_topic_info_schema;
extern const struct schema streams_group_heartbeat_request_copartition_group_schema;
extern const struct schema streams_group_heartbeat_request_subtopology_schema;
extern const struct schema streams_group_heartbeat_request_topology_schema;
extern const struct schema streams_group_heartbeat_request_task_ids_schema;
extern const struct schema streams_group_heartbeat_request_endpoint_schema;
extern const struct schema streams_group_heartbeat_request_task_offset_schema;

/* StreamsGroupHeartbeatResponse (88), v0 to v1, flexible from v0 on */
struct streams_group_heartbeat_response_status {
	int8_t status_code;
	struct str status_detail;
};

struct streams_group_heartbeat_response_task_ids {
	struct str subtopology_id;
	int32_t *partitions;
	uint32_t partitions_n;
};

struct streams_group_heartbeat_response_endpoint {
	struct str host;
	uint16_t port;
};

struct streams_group_heartbeat_response_topic_partition {
	struct str topic;
	int32_t *partitions;
	uint32_t partitions_n;
};

struct streams_group_heartbeat_response_endpoint_to_partitions {
	struct streams_group_heartbeat_response_endpoint user_endpoint;
	struct streams_group_heartbeat_response_topic_partition *active_partitions;
	uint32_t active_partitions_n;
	struct streams_group_heartbeat_response_topic_partition *standby_partitions;
	uint32_t standby_partitions_n;
};

struct streams_group_heartbeat_response {
	int32_t throttle_time_ms;
	int16_t error_code;
	struct str error_message; /* nullable, default null */
	struct str member_id;
	int32_t member_epoch;
	int32_t heartbeat_interval_ms;
	int32_t acceptable_recovery_lag_legacy; /* v0 */
	int32_t task_offset_interval_ms;
	int64_t acceptable_recovery_lag; /* v1+, default -1 */
	struct streams_group_heartbeat_response_status *status; /* nullable */
	uint32_t status_n;
	struct streams_group_heartbeat_response_task_ids *active_tasks; /* nullable, default null */
	uint32_t active_tasks_n;
	struct streams_group_heartbeat_response_task_ids *standby_tasks; /* nullable, default null */
	uint32_t standby_tasks_n;
	struct streams_group_heartbeat_response_task_ids *warmup_tasks; /* nullable, default null */
	uint32_t warmup_tasks_n;
	bool topology_description_required; /* v1+ */
	int32_t endpoint_information_epoch;
	struct streams_group_heartbeat_response_endpoint_to_partitions *partitions_by_user_endpoint; /* nullable, default null */
	uint32_t partitions_by_user_endpoint_n;
};

extern const struct schema streams_group_heartbeat_response_schema;
extern const struct schema streams_group_heartbeat_response_status_schema;
extern const struct schema streams_group_heartbeat_response_task_ids_schema;
extern const struct schema streams_group_heartbeat_response_endpoint_schema;
extern const struct schema streams_group_heartbeat_response_topic_partition_schema;
extern const struct schema streams_group_heartbeat_response_endpoint_to_partitions_schema;

/* StreamsGroupDescribeRequest (89), v0 to v1, flexible from v0 on */
struct streams_group_describe_request {
	struct str *group_ids;
	uint32_t group_ids_n;
	bool include_authorized_operations;
	bool include_topology_description; /* v1+ */
};

extern const struct schema streams_group_describe_request_schema;

/* StreamsGroupDescribeResponse (89), v0 to v1, flexible from v0 on */
struct streams_group_describe_response_key_value {
	struct str key;
	struct str value;
};

struct streams_group_describe_response_topic_info {
	struct str name;
	int32_t partitions;
	int16_t replication_factor;
	struct streams_group_describe_response_key_value *topic_configs;
	uint32_t topic_configs_n;
};

struct streams_group_describe_response_subtopology {
	struct str subtopology_id;
	struct str *source_topics;
	uint32_t source_topics_n;
	struct str *repartition_sink_topics;
	uint32_t repartition_sink_topics_n;
	struct streams_group_describe_response_topic_info *state_changelog_topics;
	uint32_t state_changelog_topics_n;
	struct streams_group_describe_response_topic_info *repartition_source_topics;
	uint32_t repartition_source_topics_n;
};

struct streams_group_describe_response_topology {
	int32_t epoch;
	struct streams_group_describe_response_subtopology *subtopologies; /* nullable, default null */
	uint32_t subtopologies_n;
};

struct streams_group_describe_response_endpoint {
	struct str host;
	uint16_t port;
};

struct streams_group_describe_response_task_offset {
	struct str subtopology_id;
	int32_t partition;
	int64_t offset;
};

struct streams_group_describe_response_task_ids {
	struct str subtopology_id;
	int32_t *partitions;
	uint32_t partitions_n;
};

struct streams_group_describe_response_assignment {
	struct streams_group_describe_response_task_ids *active_tasks;
	uint32_t active_tasks_n;
	struct streams_group_describe_response_task_ids *standby_tasks;
	uint32_t standby_tasks_n;
	struct streams_group_describe_response_task_ids *warmup_tasks;
	uint32_t warmup_tasks_n;
};

struct streams_group_describe_response_member {
	struct str member_id;
	int32_t member_epoch;
	struct str instance_id; /* nullable, default null */
	struct str rack_id; /* nullable, default null */
	struct str client_id;
	struct str client_host;
	int32_t topology_epoch;
	struct str process_id;
	struct streams_group_describe_response_endpoint *user_endpoint; /* nullable, default null */
	struct streams_group_describe_response_key_value *client_tags;
	uint32_t client_tags_n;
	struct streams_group_describe_response_task_offset *task_offsets;
	uint32_t task_offsets_n;
	struct streams_group_describe_response_task_offset *task_end_offsets;
	uint32_t task_end_offsets_n;
	struct streams_group_describe_response_assignment assignment;
	struct streams_group_describe_response_assignment target_assignment;
	bool is_classic;
};

struct streams_group_describe_response_topology_description_node {
	struct str name;
	int8_t node_type;
	struct str *source_topics;
	uint32_t source_topics_n;
	struct str sink_topic; /* nullable, default null */
	struct str *stores;
	uint32_t stores_n;
	struct str *successors;
	uint32_t successors_n;
};

struct streams_group_describe_response_topology_description_subtopology {
	struct str subtopology_id;
	struct streams_group_describe_response_topology_description_node *nodes;
	uint32_t nodes_n;
};

struct streams_group_describe_response_topology_description_global_store {
	struct streams_group_describe_response_topology_description_node source;
	struct streams_group_describe_response_topology_description_node processor;
};

struct streams_group_describe_response_topology_description {
	struct streams_group_describe_response_topology_description_subtopology *subtopologies;
	uint32_t subtopologies_n;
	struct streams_group_describe_response_topology_description_global_store *global_stores;
	uint32_t global_stores_n;
};

struct streams_group_describe_response_described_group {
	int16_t error_code;
	struct str error_message; /* nullable, default null */
	struct str group_id;
	struct str group_state;
	int32_t group_epoch;
	int32_t assignment_epoch;
	struct streams_group_describe_response_topology *topology; /* nullable, default null */
	struct streams_group_describe_response_member *members;
	uint32_t members_n;
	int32_t authorized_operations; /* default -2147483648 */
	struct streams_group_describe_response_topology_description *topology_description; /* v1+, nullable, default null */
	int8_t topology_description_status; /* v1+ */
	struct str assignor_name; /* v1+, nullable, default null */
};

struct streams_group_describe_response {
	int32_t throttle_time_ms;
	struct streams_group_describe_response_described_group *groups;
	uint32_t groups_n;
};

extern const struct schema streams_group_describe_response_schema;
extern const struct schema streams_group_describe_response_key_value_schema;
extern const struct schema streams_group_describe_response_topic_info_schema;
extern const struct schema streams_group_describe_response_subtopology_schema;
extern const struct schema streams_group_describe_response_topology_schema;
extern const struct schema streams_group_describe_response_endpoint_schema;
extern const struct schema streams_group_describe_response_task_offset_schema;
extern const struct schema streams_group_describe_response_task_ids_schema;
extern const struct schema streams_group_describe_response_assignment_schema;
extern const struct schema streams_group_describe_response_member_schema;
extern const struct schema streams_group_describe_response_topology_description_node_schema;
extern const struct schema streams_group_describe_response_topology_description_subtopology_schema;
extern const struct schema streams_group_describe_response_topology_description_global_store_schema;
extern const struct schema streams_group_describe_response_topology_description_schema;
extern const struct schema streams_group_describe_response_described_group_schema;

/* DescribeShareGroupOffsetsRequest (90), v0 to v1, flexible from v0 on */
struct describe_share_group_offsets_request_describe_share_group_offsets_request_topic {
	struct str topic_name;
	int32_t *partitions;
	uint32_t partitions_n;
};

struct describe_share_group_offsets_request_describe_share_group_offsets_request_group {
	struct str group_id;
	struct describe_share_group_offsets_request_describe_share_group_offsets_request_topic *topics; /* nullable */
	uint32_t topics_n;
};

struct describe_share_group_offsets_request {
	struct describe_share_group_offsets_request_describe_share_group_offsets_request_group *groups;
	uint32_t groups_n;
};

extern const struct schema describe_share_group_offsets_request_schema;
extern const struct schema describe_share_group_offsets_request_describe_share_group_offsets_request_topic_schema;
extern const struct schema describe_share_group_offsets_request_describe_share_group_offsets_request_group_schema;

/* DescribeShareGroupOffsetsResponse (90), v0 to v1, flexible from v0 on */
struct describe_share_group_offsets_response_describe_share_group_offsets_response_partition {
	int32_t partition_index;
	int64_t start_offset;
	int32_t leader_epoch;
	int64_t lag; /* v1+, default -1 */
	int16_t error_code;
	struct str error_message; /* nullable, default null */
};

struct describe_share_group_offsets_response_describe_share_group_offsets_response_topic {
	struct str topic_name;
	struct uuid topic_id;
	struct describe_share_group_offsets_response_describe_share_group_offsets_response_partition *partitions;
	uint32_t partitions_n;
};

struct describe_share_group_offsets_response_describe_share_group_offsets_response_group {
	struct str group_id;
	struct describe_share_group_offsets_response_describe_share_group_offsets_response_topic *topics;
	uint32_t topics_n;
	int16_t error_code;
	struct str error_message; /* nullable, default null */
};

struct describe_share_group_offsets_response {
	int32_t throttle_time_ms;
	struct describe_share_group_offsets_response_describe_share_group_offsets_response_group *groups;
	uint32_t groups_n;
};

extern const struct schema describe_share_group_offsets_response_schema;
extern const struct schema describe_share_group_offsets_response_describe_share_group_offsets_response_partition_schema;
extern const struct schema describe_share_group_offsets_response_describe_share_group_offsets_response_topic_schema;
extern const struct schema describe_share_group_offsets_response_describe_share_group_offsets_response_group_schema;

/* AlterShareGroupOffsetsRequest (91), v0, flexible from v0 on */
struct alter_share_group_offsets_request_alter_share_group_offsets_request_partition {
	int32_t partition_index;
	int64_t start_offset;
};

struct alter_share_group_offsets_request_alter_share_group_offsets_request_topic {
	struct str topic_name;
	struct alter_share_group_offsets_request_alter_share_group_offsets_request_partition *partitions;
	uint32_t partitions_n;
};

struct alter_share_group_offsets_request {
	struct str group_id;
	struct alter_share_group_offsets_request_alter_share_group_offsets_request_topic *topics;
	uint32_t topics_n;
};

extern const struct schema alter_share_group_offsets_request_schema;
extern const struct schema alter_share_group_offsets_request_alter_share_group_offsets_request_partition_schema;
extern const struct schema alter_share_group_offsets_request_alter_share_group_offsets_request_topic_schema;

/* AlterShareGroupOffsetsResponse (91), v0, flexible from v0 on */
struct alter_share_group_offsets_response_alter_share_group_offsets_response_partition {
	int32_t partition_index;
	int16_t error_code;
	struct str error_message; /* nullable, default null */
};

struct alter_share_group_offsets_response_alter_share_group_offsets_response_topic {
	struct str topic_name;
	struct uuid topic_id;
	struct alter_share_group_offsets_response_alter_share_group_offsets_response_partition *partitions;
	uint32_t partitions_n;
};

struct alter_share_group_offsets_response {
	int32_t throttle_time_ms;
	int16_t error_code;
	struct str error_message; /* nullable, default null */
	struct alter_share_group_offsets_response_alter_share_group_offsets_response_topic *responses;
	uint32_t responses_n;
};

extern const struct schema alter_share_group_offsets_response_schema;
extern const struct schema alter_share_group_offsets_response_alter_share_group_offsets_response_partition_schema;
extern const struct schema alter_share_group_offsets_response_alter_share_group_offsets_response_topic_schema;

/* DeleteShareGroupOffsetsRequest (92), v0, flexible from v0 on */
struct delete_share_group_offsets_request_delete_share_group_offsets_request_topic {
	struct str topic_name;
};

struct delete_share_group_offsets_request {
	struct str group_id;
	struct delete_share_group_offsets_request_delete_share_group_offsets_request_topic *topics;
	uint32_t topics_n;
};

extern const struct schema delete_share_group_offsets_request_schema;
extern const struct schema delete_share_group_offsets_request_delete_share_group_offsets_request_topic_schema;

/* DeleteShareGroupOffsetsResponse (92), v0, flexible from v0 on */
struct delete_share_group_offsets_response_delete_share_group_offsets_response_topic {
	struct str topic_name;
	struct uuid topic_id;
	int16_t error_code;
	struct str error_message; /* nullable, default null */
};

struct delete_share_group_offsets_response {
	int32_t throttle_time_ms;
	int16_t error_code;
	struct str error_message; /* nullable, default null */
	struct delete_share_group_offsets_response_delete_share_group_offsets_response_topic *responses;
	uint32_t responses_n;
};

extern const struct schema delete_share_group_offsets_response_schema;
extern const struct schema delete_share_group_offsets_response_delete_share_group_offsets_response_topic_schema;

#endif
