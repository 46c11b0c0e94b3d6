/* SPDX-License-Identifier: Apache-2.0 */
/* Printed by tools/schemagen from src/wire/schema: edit there. The tables of all messages that the codec walks. */
#include "wire/messages.h"

#include "schema.h"

/* clang-format off */

static const struct schema_field produce_request_partition_produce_data_fields[] = {
	{"Index", "index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_request_partition_produce_data, index), 0, 0, NULL},
	{"Records", "records", FIELD_RECORDS, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct produce_request_partition_produce_data, records), 0, 0, NULL},
};

const struct schema produce_request_partition_produce_data_schema = {
	"PartitionProduceData", produce_request_partition_produce_data_fields, 2, sizeof(struct produce_request_partition_produce_data), 0, 13, 9, -1, false,
};

static const struct schema_field produce_request_topic_produce_data_fields[] = {
	{"Name", "name", FIELD_STRING, FIELD_IGNORABLE, 0, 12, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_request_topic_produce_data, name), 0, 0, NULL},
	{"TopicId", "topic_id", FIELD_UUID, FIELD_IGNORABLE, 13, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_request_topic_produce_data, topic_id), 0, 0, NULL},
	{"PartitionData", "partition_data", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_request_topic_produce_data, partition_data), offsetof(struct produce_request_topic_produce_data, partition_data_n), 0, &produce_request_partition_produce_data_schema},
};

const struct schema produce_request_topic_produce_data_schema = {
	"TopicProduceData", produce_request_topic_produce_data_fields, 3, sizeof(struct produce_request_topic_produce_data), 0, 13, 9, -1, false,
};

static const struct schema_field produce_request_fields[] = {
	{"TransactionalId", "transactional_id", FIELD_STRING, FIELD_DEFAULT_NULL, 3, SCHEMA_OPEN, 3, SCHEMA_OPEN,
		0, offsetof(struct produce_request, transactional_id), 0, 0, NULL},
	{"Acks", "acks", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_request, acks), 0, 0, NULL},
	{"TimeoutMs", "timeout_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_request, timeout_ms), 0, 0, NULL},
	{"TopicData", "topic_data", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_request, topic_data), offsetof(struct produce_request, topic_data_n), 0, &produce_request_topic_produce_data_schema},
};

const struct schema produce_request_schema = {
	"ProduceRequest", produce_request_fields, 4, sizeof(struct produce_request), 0, 13, 9, 0, false,
};

static const struct schema_field produce_response_batch_index_and_error_message_fields[] = {
	{"BatchIndex", "batch_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_response_batch_index_and_error_message, batch_index), 0, 0, NULL},
	{"BatchIndexErrorMessage", "batch_index_error_message", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct produce_response_batch_index_and_error_message, batch_index_error_message), 0, 0, NULL},
};

const struct schema produce_response_batch_index_and_error_message_schema = {
	"BatchIndexAndErrorMessage", produce_response_batch_index_and_error_message_fields, 2, sizeof(struct produce_response_batch_index_and_error_message), 0, 13, 9, -1, true,
};

static const struct schema_field produce_response_leader_id_and_epoch_fields[] = {
	{"LeaderId", "leader_id", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_response_leader_id_and_epoch, leader_id), 0, -1, NULL},
	{"LeaderEpoch", "leader_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_response_leader_id_and_epoch, leader_epoch), 0, -1, NULL},
};

const struct schema produce_response_leader_id_and_epoch_schema = {
	"LeaderIdAndEpoch", produce_response_leader_id_and_epoch_fields, 2, sizeof(struct produce_response_leader_id_and_epoch), 0, 13, 9, -1, true,
};

static const struct schema_field produce_response_partition_produce_response_fields[] = {
	{"Index", "index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_response_partition_produce_response, index), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_response_partition_produce_response, error_code), 0, 0, NULL},
	{"BaseOffset", "base_offset", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_response_partition_produce_response, base_offset), 0, 0, NULL},
	{"LogAppendTimeMs", "log_append_time_ms", FIELD_INT64, FIELD_IGNORABLE, 2, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_response_partition_produce_response, log_append_time_ms), 0, -1, NULL},
	{"LogStartOffset", "log_start_offset", FIELD_INT64, FIELD_IGNORABLE, 5, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_response_partition_produce_response, log_start_offset), 0, -1, NULL},
	{"RecordErrors", "record_errors", FIELD_STRUCT, FIELD_ARRAY | FIELD_IGNORABLE, 8, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_response_partition_produce_response, record_errors), offsetof(struct produce_response_partition_produce_response, record_errors_n), 0, &produce_response_batch_index_and_error_message_schema},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_IGNORABLE | FIELD_DEFAULT_NULL, 8, SCHEMA_OPEN, 8, SCHEMA_OPEN,
		0, offsetof(struct produce_response_partition_produce_response, error_message), 0, 0, NULL},
	{"CurrentLeader", "current_leader", FIELD_STRUCT, FIELD_TAGGED, 10, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_response_partition_produce_response, current_leader), 0, 0, &produce_response_leader_id_and_epoch_schema},
};

const struct schema produce_response_partition_produce_response_schema = {
	"PartitionProduceResponse", produce_response_partition_produce_response_fields, 8, sizeof(struct produce_response_partition_produce_response), 0, 13, 9, -1, true,
};

static const struct schema_field produce_response_topic_produce_response_fields[] = {
	{"Name", "name", FIELD_STRING, FIELD_IGNORABLE, 0, 12, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_response_topic_produce_response, name), 0, 0, NULL},
	{"TopicId", "topic_id", FIELD_UUID, FIELD_IGNORABLE, 13, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_response_topic_produce_response, topic_id), 0, 0, NULL},
	{"PartitionResponses", "partition_responses", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_response_topic_produce_response, partition_responses), offsetof(struct produce_response_topic_produce_response, partition_responses_n), 0, &produce_response_partition_produce_response_schema},
};

const struct schema produce_response_topic_produce_response_schema = {
	"TopicProduceResponse", produce_response_topic_produce_response_fields, 3, sizeof(struct produce_response_topic_produce_response), 0, 13, 9, -1, true,
};

static const struct schema_field produce_response_node_endpoint_fields[] = {
	{"NodeId", "node_id", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_response_node_endpoint, node_id), 0, 0, NULL},
	{"Host", "host", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_response_node_endpoint, host), 0, 0, NULL},
	{"Port", "port", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_response_node_endpoint, port), 0, 0, NULL},
	{"Rack", "rack", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct produce_response_node_endpoint, rack), 0, 0, NULL},
};

const struct schema produce_response_node_endpoint_schema = {
	"NodeEndpoint", produce_response_node_endpoint_fields, 4, sizeof(struct produce_response_node_endpoint), 0, 13, 9, -1, true,
};

static const struct schema_field produce_response_fields[] = {
	{"Responses", "responses", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_response, responses), offsetof(struct produce_response, responses_n), 0, &produce_response_topic_produce_response_schema},
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, FIELD_IGNORABLE, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_response, throttle_time_ms), 0, 0, NULL},
	{"NodeEndpoints", "node_endpoints", FIELD_STRUCT, FIELD_ARRAY | FIELD_TAGGED, 10, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct produce_response, node_endpoints), offsetof(struct produce_response, node_endpoints_n), 0, &produce_response_node_endpoint_schema},
};

const struct schema produce_response_schema = {
	"ProduceResponse", produce_response_fields, 3, sizeof(struct produce_response), 0, 13, 9, 0, true,
};

static const struct schema_field fetch_request_replica_state_fields[] = {
	{"ReplicaId", "replica_id", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request_replica_state, replica_id), 0, -1, NULL},
	{"ReplicaEpoch", "replica_epoch", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request_replica_state, replica_epoch), 0, -1, NULL},
};

const struct schema fetch_request_replica_state_schema = {
	"ReplicaState", fetch_request_replica_state_fields, 2, sizeof(struct fetch_request_replica_state), 0, 18, 12, -1, false,
};

static const struct schema_field fetch_request_fetch_partition_fields[] = {
	{"Partition", "partition", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request_fetch_partition, partition), 0, 0, NULL},
	{"CurrentLeaderEpoch", "current_leader_epoch", FIELD_INT32, FIELD_IGNORABLE, 9, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request_fetch_partition, current_leader_epoch), 0, -1, NULL},
	{"FetchOffset", "fetch_offset", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request_fetch_partition, fetch_offset), 0, 0, NULL},
	{"LastFetchedEpoch", "last_fetched_epoch", FIELD_INT32, 0, 12, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request_fetch_partition, last_fetched_epoch), 0, -1, NULL},
	{"LogStartOffset", "log_start_offset", FIELD_INT64, FIELD_IGNORABLE, 5, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request_fetch_partition, log_start_offset), 0, -1, NULL},
	{"PartitionMaxBytes", "partition_max_bytes", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request_fetch_partition, partition_max_bytes), 0, 0, NULL},
	{"ReplicaDirectoryId", "replica_directory_id", FIELD_UUID, FIELD_TAGGED | FIELD_IGNORABLE, 17, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request_fetch_partition, replica_directory_id), 0, 0, NULL},
	{"HighWatermark", "high_watermark", FIELD_INT64, FIELD_TAGGED | FIELD_IGNORABLE, 18, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		1, offsetof(struct fetch_request_fetch_partition, high_watermark), 0, INT64_C(9223372036854775807), NULL},
};

const struct schema fetch_request_fetch_partition_schema = {
	"FetchPartition", fetch_request_fetch_partition_fields, 8, sizeof(struct fetch_request_fetch_partition), 0, 18, 12, -1, false,
};

static const struct schema_field fetch_request_fetch_topic_fields[] = {
	{"Topic", "topic", FIELD_STRING, FIELD_IGNORABLE, 0, 12, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request_fetch_topic, topic), 0, 0, NULL},
	{"TopicId", "topic_id", FIELD_UUID, FIELD_IGNORABLE, 13, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request_fetch_topic, topic_id), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request_fetch_topic, partitions), offsetof(struct fetch_request_fetch_topic, partitions_n), 0, &fetch_request_fetch_partition_schema},
};

const struct schema fetch_request_fetch_topic_schema = {
	"FetchTopic", fetch_request_fetch_topic_fields, 3, sizeof(struct fetch_request_fetch_topic), 0, 18, 12, -1, false,
};

static const struct schema_field fetch_request_forgotten_topic_fields[] = {
	{"Topic", "topic", FIELD_STRING, FIELD_IGNORABLE, 7, 12, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request_forgotten_topic, topic), 0, 0, NULL},
	{"TopicId", "topic_id", FIELD_UUID, FIELD_IGNORABLE, 13, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request_forgotten_topic, topic_id), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_INT32, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request_forgotten_topic, partitions), offsetof(struct fetch_request_forgotten_topic, partitions_n), 0, NULL},
};

const struct schema fetch_request_forgotten_topic_schema = {
	"ForgottenTopic", fetch_request_forgotten_topic_fields, 3, sizeof(struct fetch_request_forgotten_topic), 0, 18, 12, -1, false,
};

static const struct schema_field fetch_request_fields[] = {
	{"ClusterId", "cluster_id", FIELD_STRING, FIELD_TAGGED | FIELD_IGNORABLE | FIELD_DEFAULT_NULL, 12, SCHEMA_OPEN, 12, SCHEMA_OPEN,
		0, offsetof(struct fetch_request, cluster_id), 0, 0, NULL},
	{"ReplicaId", "replica_id", FIELD_INT32, 0, 0, 14, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request, replica_id), 0, -1, NULL},
	{"ReplicaState", "replica_state", FIELD_STRUCT, FIELD_TAGGED, 15, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		1, offsetof(struct fetch_request, replica_state), 0, 0, &fetch_request_replica_state_schema},
	{"MaxWaitMs", "max_wait_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request, max_wait_ms), 0, 0, NULL},
	{"MinBytes", "min_bytes", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request, min_bytes), 0, 0, NULL},
	{"MaxBytes", "max_bytes", FIELD_INT32, FIELD_IGNORABLE, 3, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request, max_bytes), 0, 2147483647, NULL},
	{"IsolationLevel", "isolation_level", FIELD_INT8, FIELD_IGNORABLE, 4, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request, isolation_level), 0, 0, NULL},
	{"SessionId", "session_id", FIELD_INT32, FIELD_IGNORABLE, 7, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request, session_id), 0, 0, NULL},
	{"SessionEpoch", "session_epoch", FIELD_INT32, FIELD_IGNORABLE, 7, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request, session_epoch), 0, -1, NULL},
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request, topics), offsetof(struct fetch_request, topics_n), 0, &fetch_request_fetch_topic_schema},
	{"ForgottenTopicsData", "forgotten_topics_data", FIELD_STRUCT, FIELD_ARRAY, 7, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request, forgotten_topics_data), offsetof(struct fetch_request, forgotten_topics_data_n), 0, &fetch_request_forgotten_topic_schema},
	{"RackId", "rack_id", FIELD_STRING, FIELD_IGNORABLE, 11, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_request, rack_id), 0, 0, NULL},
};

const struct schema fetch_request_schema = {
	"FetchRequest", fetch_request_fields, 12, sizeof(struct fetch_request), 0, 18, 12, 1, false,
};

static const struct schema_field fetch_response_epoch_end_offset_fields[] = {
	{"Epoch", "epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response_epoch_end_offset, epoch), 0, -1, NULL},
	{"EndOffset", "end_offset", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response_epoch_end_offset, end_offset), 0, -1, NULL},
};

const struct schema fetch_response_epoch_end_offset_schema = {
	"EpochEndOffset", fetch_response_epoch_end_offset_fields, 2, sizeof(struct fetch_response_epoch_end_offset), 0, 18, 12, -1, true,
};

static const struct schema_field fetch_response_leader_id_and_epoch_fields[] = {
	{"LeaderId", "leader_id", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response_leader_id_and_epoch, leader_id), 0, -1, NULL},
	{"LeaderEpoch", "leader_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response_leader_id_and_epoch, leader_epoch), 0, -1, NULL},
};

const struct schema fetch_response_leader_id_and_epoch_schema = {
	"LeaderIdAndEpoch", fetch_response_leader_id_and_epoch_fields, 2, sizeof(struct fetch_response_leader_id_and_epoch), 0, 18, 12, -1, true,
};

static const struct schema_field fetch_response_snapshot_id_fields[] = {
	{"EndOffset", "end_offset", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response_snapshot_id, end_offset), 0, -1, NULL},
	{"Epoch", "epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response_snapshot_id, epoch), 0, -1, NULL},
};

const struct schema fetch_response_snapshot_id_schema = {
	"SnapshotId", fetch_response_snapshot_id_fields, 2, sizeof(struct fetch_response_snapshot_id), 0, 18, 12, -1, true,
};

static const struct schema_field fetch_response_aborted_transaction_fields[] = {
	{"ProducerId", "producer_id", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response_aborted_transaction, producer_id), 0, 0, NULL},
	{"FirstOffset", "first_offset", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response_aborted_transaction, first_offset), 0, 0, NULL},
};

const struct schema fetch_response_aborted_transaction_schema = {
	"AbortedTransaction", fetch_response_aborted_transaction_fields, 2, sizeof(struct fetch_response_aborted_transaction), 0, 18, 12, -1, true,
};

static const struct schema_field fetch_response_partition_data_fields[] = {
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response_partition_data, partition_index), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response_partition_data, error_code), 0, 0, NULL},
	{"HighWatermark", "high_watermark", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response_partition_data, high_watermark), 0, 0, NULL},
	{"LastStableOffset", "last_stable_offset", FIELD_INT64, FIELD_IGNORABLE, 4, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response_partition_data, last_stable_offset), 0, -1, NULL},
	{"LogStartOffset", "log_start_offset", FIELD_INT64, FIELD_IGNORABLE, 5, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response_partition_data, log_start_offset), 0, -1, NULL},
	{"DivergingEpoch", "diverging_epoch", FIELD_STRUCT, FIELD_TAGGED, 12, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response_partition_data, diverging_epoch), 0, 0, &fetch_response_epoch_end_offset_schema},
	{"CurrentLeader", "current_leader", FIELD_STRUCT, FIELD_TAGGED, 12, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		1, offsetof(struct fetch_response_partition_data, current_leader), 0, 0, &fetch_response_leader_id_and_epoch_schema},
	{"SnapshotId", "snapshot_id", FIELD_STRUCT, FIELD_TAGGED, 12, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		2, offsetof(struct fetch_response_partition_data, snapshot_id), 0, 0, &fetch_response_snapshot_id_schema},
	{"AbortedTransactions", "aborted_transactions", FIELD_STRUCT, FIELD_ARRAY | FIELD_IGNORABLE, 4, SCHEMA_OPEN, 4, SCHEMA_OPEN,
		0, offsetof(struct fetch_response_partition_data, aborted_transactions), offsetof(struct fetch_response_partition_data, aborted_transactions_n), 0, &fetch_response_aborted_transaction_schema},
	{"PreferredReadReplica", "preferred_read_replica", FIELD_INT32, 0, 11, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response_partition_data, preferred_read_replica), 0, -1, NULL},
	{"Records", "records", FIELD_RECORDS, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct fetch_response_partition_data, records), 0, 0, NULL},
};

const struct schema fetch_response_partition_data_schema = {
	"PartitionData", fetch_response_partition_data_fields, 11, sizeof(struct fetch_response_partition_data), 0, 18, 12, -1, true,
};

static const struct schema_field fetch_response_fetchable_topic_response_fields[] = {
	{"Topic", "topic", FIELD_STRING, FIELD_IGNORABLE, 0, 12, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response_fetchable_topic_response, topic), 0, 0, NULL},
	{"TopicId", "topic_id", FIELD_UUID, FIELD_IGNORABLE, 13, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response_fetchable_topic_response, topic_id), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response_fetchable_topic_response, partitions), offsetof(struct fetch_response_fetchable_topic_response, partitions_n), 0, &fetch_response_partition_data_schema},
};

const struct schema fetch_response_fetchable_topic_response_schema = {
	"FetchableTopicResponse", fetch_response_fetchable_topic_response_fields, 3, sizeof(struct fetch_response_fetchable_topic_response), 0, 18, 12, -1, true,
};

static const struct schema_field fetch_response_node_endpoint_fields[] = {
	{"NodeId", "node_id", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response_node_endpoint, node_id), 0, 0, NULL},
	{"Host", "host", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response_node_endpoint, host), 0, 0, NULL},
	{"Port", "port", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response_node_endpoint, port), 0, 0, NULL},
	{"Rack", "rack", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct fetch_response_node_endpoint, rack), 0, 0, NULL},
};

const struct schema fetch_response_node_endpoint_schema = {
	"NodeEndpoint", fetch_response_node_endpoint_fields, 4, sizeof(struct fetch_response_node_endpoint), 0, 18, 12, -1, true,
};

static const struct schema_field fetch_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, FIELD_IGNORABLE, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response, throttle_time_ms), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, FIELD_IGNORABLE, 7, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response, error_code), 0, 0, NULL},
	{"SessionId", "session_id", FIELD_INT32, 0, 7, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response, session_id), 0, 0, NULL},
	{"Responses", "responses", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response, responses), offsetof(struct fetch_response, responses_n), 0, &fetch_response_fetchable_topic_response_schema},
	{"NodeEndpoints", "node_endpoints", FIELD_STRUCT, FIELD_ARRAY | FIELD_TAGGED, 16, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct fetch_response, node_endpoints), offsetof(struct fetch_response, node_endpoints_n), 0, &fetch_response_node_endpoint_schema},
};

const struct schema fetch_response_schema = {
	"FetchResponse", fetch_response_fields, 5, sizeof(struct fetch_response), 0, 18, 12, 1, true,
};

static const struct schema_field list_offsets_request_list_offsets_partition_fields[] = {
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_offsets_request_list_offsets_partition, partition_index), 0, 0, NULL},
	{"CurrentLeaderEpoch", "current_leader_epoch", FIELD_INT32, FIELD_IGNORABLE, 4, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_offsets_request_list_offsets_partition, current_leader_epoch), 0, -1, NULL},
	{"Timestamp", "timestamp", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_offsets_request_list_offsets_partition, timestamp), 0, 0, NULL},
	{"MaxNumOffsets", "max_num_offsets", FIELD_INT32, 0, 0, 0, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_offsets_request_list_offsets_partition, max_num_offsets), 0, 1, NULL},
};

const struct schema list_offsets_request_list_offsets_partition_schema = {
	"ListOffsetsPartition", list_offsets_request_list_offsets_partition_fields, 4, sizeof(struct list_offsets_request_list_offsets_partition), 0, 11, 6, -1, false,
};

static const struct schema_field list_offsets_request_list_offsets_topic_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_offsets_request_list_offsets_topic, name), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_offsets_request_list_offsets_topic, partitions), offsetof(struct list_offsets_request_list_offsets_topic, partitions_n), 0, &list_offsets_request_list_offsets_partition_schema},
};

const struct schema list_offsets_request_list_offsets_topic_schema = {
	"ListOffsetsTopic", list_offsets_request_list_offsets_topic_fields, 2, sizeof(struct list_offsets_request_list_offsets_topic), 0, 11, 6, -1, false,
};

static const struct schema_field list_offsets_request_fields[] = {
	{"ReplicaId", "replica_id", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_offsets_request, replica_id), 0, 0, NULL},
	{"IsolationLevel", "isolation_level", FIELD_INT8, 0, 2, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_offsets_request, isolation_level), 0, 0, NULL},
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_offsets_request, topics), offsetof(struct list_offsets_request, topics_n), 0, &list_offsets_request_list_offsets_topic_schema},
	{"TimeoutMs", "timeout_ms", FIELD_INT32, FIELD_IGNORABLE, 10, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_offsets_request, timeout_ms), 0, 0, NULL},
};

const struct schema list_offsets_request_schema = {
	"ListOffsetsRequest", list_offsets_request_fields, 4, sizeof(struct list_offsets_request), 0, 11, 6, 2, false,
};

static const struct schema_field list_offsets_response_list_offsets_partition_response_fields[] = {
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_offsets_response_list_offsets_partition_response, partition_index), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_offsets_response_list_offsets_partition_response, error_code), 0, 0, NULL},
	{"OldStyleOffsets", "old_style_offsets", FIELD_INT64, FIELD_ARRAY, 0, 0, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_offsets_response_list_offsets_partition_response, old_style_offsets), offsetof(struct list_offsets_response_list_offsets_partition_response, old_style_offsets_n), 0, NULL},
	{"Timestamp", "timestamp", FIELD_INT64, 0, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_offsets_response_list_offsets_partition_response, timestamp), 0, -1, NULL},
	{"Offset", "offset", FIELD_INT64, 0, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_offsets_response_list_offsets_partition_response, offset), 0, -1, NULL},
	{"LeaderEpoch", "leader_epoch", FIELD_INT32, 0, 4, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_offsets_response_list_offsets_partition_response, leader_epoch), 0, -1, NULL},
};

const struct schema list_offsets_response_list_offsets_partition_response_schema = {
	"ListOffsetsPartitionResponse", list_offsets_response_list_offsets_partition_response_fields, 6, sizeof(struct list_offsets_response_list_offsets_partition_response), 0, 11, 6, -1, true,
};

static const struct schema_field list_offsets_response_list_offsets_topic_response_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_offsets_response_list_offsets_topic_response, name), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_offsets_response_list_offsets_topic_response, partitions), offsetof(struct list_offsets_response_list_offsets_topic_response, partitions_n), 0, &list_offsets_response_list_offsets_partition_response_schema},
};

const struct schema list_offsets_response_list_offsets_topic_response_schema = {
	"ListOffsetsTopicResponse", list_offsets_response_list_offsets_topic_response_fields, 2, sizeof(struct list_offsets_response_list_offsets_topic_response), 0, 11, 6, -1, true,
};

static const struct schema_field list_offsets_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, FIELD_IGNORABLE, 2, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_offsets_response, throttle_time_ms), 0, 0, NULL},
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_offsets_response, topics), offsetof(struct list_offsets_response, topics_n), 0, &list_offsets_response_list_offsets_topic_response_schema},
};

const struct schema list_offsets_response_schema = {
	"ListOffsetsResponse", list_offsets_response_fields, 2, sizeof(struct list_offsets_response), 0, 11, 6, 2, true,
};

static const struct schema_field metadata_request_metadata_request_topic_fields[] = {
	{"TopicId", "topic_id", FIELD_UUID, FIELD_IGNORABLE, 10, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_request_metadata_request_topic, topic_id), 0, 0, NULL},
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, 10, SCHEMA_OPEN,
		0, offsetof(struct metadata_request_metadata_request_topic, name), 0, 0, NULL},
};

const struct schema metadata_request_metadata_request_topic_schema = {
	"MetadataRequestTopic", metadata_request_metadata_request_topic_fields, 2, sizeof(struct metadata_request_metadata_request_topic), 0, 13, 9, -1, false,
};

static const struct schema_field metadata_request_fields[] = {
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, 1, SCHEMA_OPEN,
		0, offsetof(struct metadata_request, topics), offsetof(struct metadata_request, topics_n), 0, &metadata_request_metadata_request_topic_schema},
	{"AllowAutoTopicCreation", "allow_auto_topic_creation", FIELD_BOOL, 0, 4, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_request, allow_auto_topic_creation), 0, 1, NULL},
	{"IncludeClusterAuthorizedOperations", "include_cluster_authorized_operations", FIELD_BOOL, 0, 8, 10, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_request, include_cluster_authorized_operations), 0, 0, NULL},
	{"IncludeTopicAuthorizedOperations", "include_topic_authorized_operations", FIELD_BOOL, 0, 8, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_request, include_topic_authorized_operations), 0, 0, NULL},
};

const struct schema metadata_request_schema = {
	"MetadataRequest", metadata_request_fields, 4, sizeof(struct metadata_request), 0, 13, 9, 3, false,
};

static const struct schema_field metadata_response_metadata_response_broker_fields[] = {
	{"NodeId", "node_id", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_response_metadata_response_broker, node_id), 0, 0, NULL},
	{"Host", "host", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_response_metadata_response_broker, host), 0, 0, NULL},
	{"Port", "port", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_response_metadata_response_broker, port), 0, 0, NULL},
	{"Rack", "rack", FIELD_STRING, FIELD_IGNORABLE | FIELD_DEFAULT_NULL, 1, SCHEMA_OPEN, 1, SCHEMA_OPEN,
		0, offsetof(struct metadata_response_metadata_response_broker, rack), 0, 0, NULL},
};

const struct schema metadata_response_metadata_response_broker_schema = {
	"MetadataResponseBroker", metadata_response_metadata_response_broker_fields, 4, sizeof(struct metadata_response_metadata_response_broker), 0, 13, 9, -1, true,
};

static const struct schema_field metadata_response_metadata_response_partition_fields[] = {
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_response_metadata_response_partition, error_code), 0, 0, NULL},
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_response_metadata_response_partition, partition_index), 0, 0, NULL},
	{"LeaderId", "leader_id", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_response_metadata_response_partition, leader_id), 0, 0, NULL},
	{"LeaderEpoch", "leader_epoch", FIELD_INT32, FIELD_IGNORABLE, 7, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_response_metadata_response_partition, leader_epoch), 0, -1, NULL},
	{"ReplicaNodes", "replica_nodes", FIELD_INT32, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_response_metadata_response_partition, replica_nodes), offsetof(struct metadata_response_metadata_response_partition, replica_nodes_n), 0, NULL},
	{"IsrNodes", "isr_nodes", FIELD_INT32, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_response_metadata_response_partition, isr_nodes), offsetof(struct metadata_response_metadata_response_partition, isr_nodes_n), 0, NULL},
	{"OfflineReplicas", "offline_replicas", FIELD_INT32, FIELD_ARRAY | FIELD_IGNORABLE, 5, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_response_metadata_response_partition, offline_replicas), offsetof(struct metadata_response_metadata_response_partition, offline_replicas_n), 0, NULL},
};

const struct schema metadata_response_metadata_response_partition_schema = {
	"MetadataResponsePartition", metadata_response_metadata_response_partition_fields, 7, sizeof(struct metadata_response_metadata_response_partition), 0, 13, 9, -1, true,
};

static const struct schema_field metadata_response_metadata_response_topic_fields[] = {
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_response_metadata_response_topic, error_code), 0, 0, NULL},
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, 12, SCHEMA_OPEN,
		0, offsetof(struct metadata_response_metadata_response_topic, name), 0, 0, NULL},
	{"TopicId", "topic_id", FIELD_UUID, FIELD_IGNORABLE, 10, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_response_metadata_response_topic, topic_id), 0, 0, NULL},
	{"IsInternal", "is_internal", FIELD_BOOL, FIELD_IGNORABLE, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_response_metadata_response_topic, is_internal), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_response_metadata_response_topic, partitions), offsetof(struct metadata_response_metadata_response_topic, partitions_n), 0, &metadata_response_metadata_response_partition_schema},
	{"TopicAuthorizedOperations", "topic_authorized_operations", FIELD_INT32, 0, 8, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_response_metadata_response_topic, topic_authorized_operations), 0, INT64_C(-2147483648), NULL},
};

const struct schema metadata_response_metadata_response_topic_schema = {
	"MetadataResponseTopic", metadata_response_metadata_response_topic_fields, 6, sizeof(struct metadata_response_metadata_response_topic), 0, 13, 9, -1, true,
};

static const struct schema_field metadata_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, FIELD_IGNORABLE, 3, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_response, throttle_time_ms), 0, 0, NULL},
	{"Brokers", "brokers", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_response, brokers), offsetof(struct metadata_response, brokers_n), 0, &metadata_response_metadata_response_broker_schema},
	{"ClusterId", "cluster_id", FIELD_STRING, FIELD_IGNORABLE | FIELD_DEFAULT_NULL, 2, SCHEMA_OPEN, 2, SCHEMA_OPEN,
		0, offsetof(struct metadata_response, cluster_id), 0, 0, NULL},
	{"ControllerId", "controller_id", FIELD_INT32, FIELD_IGNORABLE, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_response, controller_id), 0, -1, NULL},
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_response, topics), offsetof(struct metadata_response, topics_n), 0, &metadata_response_metadata_response_topic_schema},
	{"ClusterAuthorizedOperations", "cluster_authorized_operations", FIELD_INT32, 0, 8, 10, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_response, cluster_authorized_operations), 0, INT64_C(-2147483648), NULL},
	{"ErrorCode", "error_code", FIELD_INT16, FIELD_IGNORABLE, 13, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct metadata_response, error_code), 0, 0, NULL},
};

const struct schema metadata_response_schema = {
	"MetadataResponse", metadata_response_fields, 7, sizeof(struct metadata_response), 0, 13, 9, 3, true,
};

static const struct schema_field offset_commit_request_offset_commit_request_partition_fields[] = {
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_commit_request_offset_commit_request_partition, partition_index), 0, 0, NULL},
	{"CommittedOffset", "committed_offset", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_commit_request_offset_commit_request_partition, committed_offset), 0, 0, NULL},
	{"CommittedLeaderEpoch", "committed_leader_epoch", FIELD_INT32, FIELD_IGNORABLE, 6, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_commit_request_offset_commit_request_partition, committed_leader_epoch), 0, -1, NULL},
	{"CommitTimestamp", "commit_timestamp", FIELD_INT64, 0, 1, 1, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_commit_request_offset_commit_request_partition, commit_timestamp), 0, -1, NULL},
	{"CommittedMetadata", "committed_metadata", FIELD_STRING, 0, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct offset_commit_request_offset_commit_request_partition, committed_metadata), 0, 0, NULL},
};

const struct schema offset_commit_request_offset_commit_request_partition_schema = {
	"OffsetCommitRequestPartition", offset_commit_request_offset_commit_request_partition_fields, 5, sizeof(struct offset_commit_request_offset_commit_request_partition), 0, 10, 8, -1, false,
};

static const struct schema_field offset_commit_request_offset_commit_request_topic_fields[] = {
	{"Name", "name", FIELD_STRING, FIELD_IGNORABLE, 0, 9, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_commit_request_offset_commit_request_topic, name), 0, 0, NULL},
	{"TopicId", "topic_id", FIELD_UUID, FIELD_IGNORABLE, 10, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_commit_request_offset_commit_request_topic, topic_id), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_commit_request_offset_commit_request_topic, partitions), offsetof(struct offset_commit_request_offset_commit_request_topic, partitions_n), 0, &offset_commit_request_offset_commit_request_partition_schema},
};

const struct schema offset_commit_request_offset_commit_request_topic_schema = {
	"OffsetCommitRequestTopic", offset_commit_request_offset_commit_request_topic_fields, 3, sizeof(struct offset_commit_request_offset_commit_request_topic), 0, 10, 8, -1, false,
};

static const struct schema_field offset_commit_request_fields[] = {
	{"GroupId", "group_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_commit_request, group_id), 0, 0, NULL},
	{"GenerationIdOrMemberEpoch", "generation_id_or_member_epoch", FIELD_INT32, FIELD_IGNORABLE, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_commit_request, generation_id_or_member_epoch), 0, -1, NULL},
	{"MemberId", "member_id", FIELD_STRING, FIELD_IGNORABLE, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_commit_request, member_id), 0, 0, NULL},
	{"GroupInstanceId", "group_instance_id", FIELD_STRING, FIELD_DEFAULT_NULL, 7, SCHEMA_OPEN, 7, SCHEMA_OPEN,
		0, offsetof(struct offset_commit_request, group_instance_id), 0, 0, NULL},
	{"RetentionTimeMs", "retention_time_ms", FIELD_INT64, FIELD_IGNORABLE, 2, 4, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_commit_request, retention_time_ms), 0, -1, NULL},
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_commit_request, topics), offsetof(struct offset_commit_request, topics_n), 0, &offset_commit_request_offset_commit_request_topic_schema},
};

const struct schema offset_commit_request_schema = {
	"OffsetCommitRequest", offset_commit_request_fields, 6, sizeof(struct offset_commit_request), 0, 10, 8, 8, false,
};

static const struct schema_field offset_commit_response_offset_commit_response_partition_fields[] = {
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_commit_response_offset_commit_response_partition, partition_index), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_commit_response_offset_commit_response_partition, error_code), 0, 0, NULL},
};

const struct schema offset_commit_response_offset_commit_response_partition_schema = {
	"OffsetCommitResponsePartition", offset_commit_response_offset_commit_response_partition_fields, 2, sizeof(struct offset_commit_response_offset_commit_response_partition), 0, 10, 8, -1, true,
};

static const struct schema_field offset_commit_response_offset_commit_response_topic_fields[] = {
	{"Name", "name", FIELD_STRING, FIELD_IGNORABLE, 0, 9, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_commit_response_offset_commit_response_topic, name), 0, 0, NULL},
	{"TopicId", "topic_id", FIELD_UUID, FIELD_IGNORABLE, 10, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_commit_response_offset_commit_response_topic, topic_id), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_commit_response_offset_commit_response_topic, partitions), offsetof(struct offset_commit_response_offset_commit_response_topic, partitions_n), 0, &offset_commit_response_offset_commit_response_partition_schema},
};

const struct schema offset_commit_response_offset_commit_response_topic_schema = {
	"OffsetCommitResponseTopic", offset_commit_response_offset_commit_response_topic_fields, 3, sizeof(struct offset_commit_response_offset_commit_response_topic), 0, 10, 8, -1, true,
};

static const struct schema_field offset_commit_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, FIELD_IGNORABLE, 3, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_commit_response, throttle_time_ms), 0, 0, NULL},
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_commit_response, topics), offsetof(struct offset_commit_response, topics_n), 0, &offset_commit_response_offset_commit_response_topic_schema},
};

const struct schema offset_commit_response_schema = {
	"OffsetCommitResponse", offset_commit_response_fields, 2, sizeof(struct offset_commit_response), 0, 10, 8, 8, true,
};

static const struct schema_field offset_fetch_request_offset_fetch_request_topic_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_request_offset_fetch_request_topic, name), 0, 0, NULL},
	{"PartitionIndexes", "partition_indexes", FIELD_INT32, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_request_offset_fetch_request_topic, partition_indexes), offsetof(struct offset_fetch_request_offset_fetch_request_topic, partition_indexes_n), 0, NULL},
};

const struct schema offset_fetch_request_offset_fetch_request_topic_schema = {
	"OffsetFetchRequestTopic", offset_fetch_request_offset_fetch_request_topic_fields, 2, sizeof(struct offset_fetch_request_offset_fetch_request_topic), 0, 10, 6, -1, false,
};

static const struct schema_field offset_fetch_request_offset_fetch_request_topics_fields[] = {
	{"Name", "name", FIELD_STRING, FIELD_IGNORABLE, 8, 9, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_request_offset_fetch_request_topics, name), 0, 0, NULL},
	{"TopicId", "topic_id", FIELD_UUID, FIELD_IGNORABLE, 10, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_request_offset_fetch_request_topics, topic_id), 0, 0, NULL},
	{"PartitionIndexes", "partition_indexes", FIELD_INT32, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_request_offset_fetch_request_topics, partition_indexes), offsetof(struct offset_fetch_request_offset_fetch_request_topics, partition_indexes_n), 0, NULL},
};

const struct schema offset_fetch_request_offset_fetch_request_topics_schema = {
	"OffsetFetchRequestTopics", offset_fetch_request_offset_fetch_request_topics_fields, 3, sizeof(struct offset_fetch_request_offset_fetch_request_topics), 0, 10, 6, -1, false,
};

static const struct schema_field offset_fetch_request_offset_fetch_request_group_fields[] = {
	{"GroupId", "group_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_request_offset_fetch_request_group, group_id), 0, 0, NULL},
	{"MemberId", "member_id", FIELD_STRING, FIELD_IGNORABLE | FIELD_DEFAULT_NULL, 9, SCHEMA_OPEN, 9, SCHEMA_OPEN,
		0, offsetof(struct offset_fetch_request_offset_fetch_request_group, member_id), 0, 0, NULL},
	{"MemberEpoch", "member_epoch", FIELD_INT32, FIELD_IGNORABLE, 9, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_request_offset_fetch_request_group, member_epoch), 0, -1, NULL},
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct offset_fetch_request_offset_fetch_request_group, topics), offsetof(struct offset_fetch_request_offset_fetch_request_group, topics_n), 0, &offset_fetch_request_offset_fetch_request_topics_schema},
};

const struct schema offset_fetch_request_offset_fetch_request_group_schema = {
	"OffsetFetchRequestGroup", offset_fetch_request_offset_fetch_request_group_fields, 4, sizeof(struct offset_fetch_request_offset_fetch_request_group), 0, 10, 6, -1, false,
};

static const struct schema_field offset_fetch_request_fields[] = {
	{"GroupId", "group_id", FIELD_STRING, 0, 0, 7, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_request, group_id), 0, 0, NULL},
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, 7, 2, 7,
		0, offsetof(struct offset_fetch_request, topics), offsetof(struct offset_fetch_request, topics_n), 0, &offset_fetch_request_offset_fetch_request_topic_schema},
	{"Groups", "groups", FIELD_STRUCT, FIELD_ARRAY, 8, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_request, groups), offsetof(struct offset_fetch_request, groups_n), 0, &offset_fetch_request_offset_fetch_request_group_schema},
	{"RequireStable", "require_stable", FIELD_BOOL, 0, 7, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_request, require_stable), 0, 0, NULL},
};

const struct schema offset_fetch_request_schema = {
	"OffsetFetchRequest", offset_fetch_request_fields, 4, sizeof(struct offset_fetch_request), 0, 10, 6, 9, false,
};

static const struct schema_field offset_fetch_response_offset_fetch_response_partition_fields[] = {
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_response_offset_fetch_response_partition, partition_index), 0, 0, NULL},
	{"CommittedOffset", "committed_offset", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_response_offset_fetch_response_partition, committed_offset), 0, 0, NULL},
	{"CommittedLeaderEpoch", "committed_leader_epoch", FIELD_INT32, FIELD_IGNORABLE, 5, 7, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_response_offset_fetch_response_partition, committed_leader_epoch), 0, -1, NULL},
	{"Metadata", "metadata", FIELD_STRING, 0, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct offset_fetch_response_offset_fetch_response_partition, metadata), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_response_offset_fetch_response_partition, error_code), 0, 0, NULL},
};

const struct schema offset_fetch_response_offset_fetch_response_partition_schema = {
	"OffsetFetchResponsePartition", offset_fetch_response_offset_fetch_response_partition_fields, 5, sizeof(struct offset_fetch_response_offset_fetch_response_partition), 0, 10, 6, -1, true,
};

static const struct schema_field offset_fetch_response_offset_fetch_response_topic_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_response_offset_fetch_response_topic, name), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_response_offset_fetch_response_topic, partitions), offsetof(struct offset_fetch_response_offset_fetch_response_topic, partitions_n), 0, &offset_fetch_response_offset_fetch_response_partition_schema},
};

const struct schema offset_fetch_response_offset_fetch_response_topic_schema = {
	"OffsetFetchResponseTopic", offset_fetch_response_offset_fetch_response_topic_fields, 2, sizeof(struct offset_fetch_response_offset_fetch_response_topic), 0, 10, 6, -1, true,
};

static const struct schema_field offset_fetch_response_offset_fetch_response_partitions_fields[] = {
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_response_offset_fetch_response_partitions, partition_index), 0, 0, NULL},
	{"CommittedOffset", "committed_offset", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_response_offset_fetch_response_partitions, committed_offset), 0, 0, NULL},
	{"CommittedLeaderEpoch", "committed_leader_epoch", FIELD_INT32, FIELD_IGNORABLE, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_response_offset_fetch_response_partitions, committed_leader_epoch), 0, -1, NULL},
	{"Metadata", "metadata", FIELD_STRING, 0, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct offset_fetch_response_offset_fetch_response_partitions, metadata), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_response_offset_fetch_response_partitions, error_code), 0, 0, NULL},
};

const struct schema offset_fetch_response_offset_fetch_response_partitions_schema = {
	"OffsetFetchResponsePartitions", offset_fetch_response_offset_fetch_response_partitions_fields, 5, sizeof(struct offset_fetch_response_offset_fetch_response_partitions), 0, 10, 6, -1, true,
};

static const struct schema_field offset_fetch_response_offset_fetch_response_topics_fields[] = {
	{"Name", "name", FIELD_STRING, FIELD_IGNORABLE, 8, 9, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_response_offset_fetch_response_topics, name), 0, 0, NULL},
	{"TopicId", "topic_id", FIELD_UUID, FIELD_IGNORABLE, 10, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_response_offset_fetch_response_topics, topic_id), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_response_offset_fetch_response_topics, partitions), offsetof(struct offset_fetch_response_offset_fetch_response_topics, partitions_n), 0, &offset_fetch_response_offset_fetch_response_partitions_schema},
};

const struct schema offset_fetch_response_offset_fetch_response_topics_schema = {
	"OffsetFetchResponseTopics", offset_fetch_response_offset_fetch_response_topics_fields, 3, sizeof(struct offset_fetch_response_offset_fetch_response_topics), 0, 10, 6, -1, true,
};

static const struct schema_field offset_fetch_response_offset_fetch_response_group_fields[] = {
	{"GroupId", "group_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_response_offset_fetch_response_group, group_id), 0, 0, NULL},
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_response_offset_fetch_response_group, topics), offsetof(struct offset_fetch_response_offset_fetch_response_group, topics_n), 0, &offset_fetch_response_offset_fetch_response_topics_schema},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_response_offset_fetch_response_group, error_code), 0, 0, NULL},
};

const struct schema offset_fetch_response_offset_fetch_response_group_schema = {
	"OffsetFetchResponseGroup", offset_fetch_response_offset_fetch_response_group_fields, 3, sizeof(struct offset_fetch_response_offset_fetch_response_group), 0, 10, 6, -1, true,
};

static const struct schema_field offset_fetch_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, FIELD_IGNORABLE, 3, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_response, throttle_time_ms), 0, 0, NULL},
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, 7, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_response, topics), offsetof(struct offset_fetch_response, topics_n), 0, &offset_fetch_response_offset_fetch_response_topic_schema},
	{"ErrorCode", "error_code", FIELD_INT16, FIELD_IGNORABLE, 2, 7, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_response, error_code), 0, 0, NULL},
	{"Groups", "groups", FIELD_STRUCT, FIELD_ARRAY, 8, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_fetch_response, groups), offsetof(struct offset_fetch_response, groups_n), 0, &offset_fetch_response_offset_fetch_response_group_schema},
};

const struct schema offset_fetch_response_schema = {
	"OffsetFetchResponse", offset_fetch_response_fields, 4, sizeof(struct offset_fetch_response), 0, 10, 6, 9, true,
};

static const struct schema_field find_coordinator_request_fields[] = {
	{"Key", "key", FIELD_STRING, 0, 0, 3, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct find_coordinator_request, key), 0, 0, NULL},
	{"KeyType", "key_type", FIELD_INT8, 0, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct find_coordinator_request, key_type), 0, 0, NULL},
	{"CoordinatorKeys", "coordinator_keys", FIELD_STRING, FIELD_ARRAY, 4, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct find_coordinator_request, coordinator_keys), offsetof(struct find_coordinator_request, coordinator_keys_n), 0, NULL},
};

const struct schema find_coordinator_request_schema = {
	"FindCoordinatorRequest", find_coordinator_request_fields, 3, sizeof(struct find_coordinator_request), 0, 6, 3, 10, false,
};

static const struct schema_field find_coordinator_response_coordinator_fields[] = {
	{"Key", "key", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct find_coordinator_response_coordinator, key), 0, 0, NULL},
	{"NodeId", "node_id", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct find_coordinator_response_coordinator, node_id), 0, 0, NULL},
	{"Host", "host", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct find_coordinator_response_coordinator, host), 0, 0, NULL},
	{"Port", "port", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct find_coordinator_response_coordinator, port), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct find_coordinator_response_coordinator, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_IGNORABLE, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct find_coordinator_response_coordinator, error_message), 0, 0, NULL},
};

const struct schema find_coordinator_response_coordinator_schema = {
	"Coordinator", find_coordinator_response_coordinator_fields, 6, sizeof(struct find_coordinator_response_coordinator), 0, 6, 3, -1, true,
};

static const struct schema_field find_coordinator_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, FIELD_IGNORABLE, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct find_coordinator_response, throttle_time_ms), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, 3, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct find_coordinator_response, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_IGNORABLE, 1, 3, 1, 3,
		0, offsetof(struct find_coordinator_response, error_message), 0, 0, NULL},
	{"NodeId", "node_id", FIELD_INT32, 0, 0, 3, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct find_coordinator_response, node_id), 0, 0, NULL},
	{"Host", "host", FIELD_STRING, 0, 0, 3, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct find_coordinator_response, host), 0, 0, NULL},
	{"Port", "port", FIELD_INT32, 0, 0, 3, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct find_coordinator_response, port), 0, 0, NULL},
	{"Coordinators", "coordinators", FIELD_STRUCT, FIELD_ARRAY, 4, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct find_coordinator_response, coordinators), offsetof(struct find_coordinator_response, coordinators_n), 0, &find_coordinator_response_coordinator_schema},
};

const struct schema find_coordinator_response_schema = {
	"FindCoordinatorResponse", find_coordinator_response_fields, 7, sizeof(struct find_coordinator_response), 0, 6, 3, 10, true,
};

static const struct schema_field join_group_request_join_group_request_protocol_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct join_group_request_join_group_request_protocol, name), 0, 0, NULL},
	{"Metadata", "metadata", FIELD_BYTES, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct join_group_request_join_group_request_protocol, metadata), 0, 0, NULL},
};

const struct schema join_group_request_join_group_request_protocol_schema = {
	"JoinGroupRequestProtocol", join_group_request_join_group_request_protocol_fields, 2, sizeof(struct join_group_request_join_group_request_protocol), 0, 9, 6, -1, false,
};

static const struct schema_field join_group_request_fields[] = {
	{"GroupId", "group_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct join_group_request, group_id), 0, 0, NULL},
	{"SessionTimeoutMs", "session_timeout_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct join_group_request, session_timeout_ms), 0, 0, NULL},
	{"RebalanceTimeoutMs", "rebalance_timeout_ms", FIELD_INT32, FIELD_IGNORABLE, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct join_group_request, rebalance_timeout_ms), 0, -1, NULL},
	{"MemberId", "member_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct join_group_request, member_id), 0, 0, NULL},
	{"GroupInstanceId", "group_instance_id", FIELD_STRING, FIELD_DEFAULT_NULL, 5, SCHEMA_OPEN, 5, SCHEMA_OPEN,
		0, offsetof(struct join_group_request, group_instance_id), 0, 0, NULL},
	{"ProtocolType", "protocol_type", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct join_group_request, protocol_type), 0, 0, NULL},
	{"Protocols", "protocols", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct join_group_request, protocols), offsetof(struct join_group_request, protocols_n), 0, &join_group_request_join_group_request_protocol_schema},
	{"Reason", "reason", FIELD_STRING, FIELD_IGNORABLE | FIELD_DEFAULT_NULL, 8, SCHEMA_OPEN, 8, SCHEMA_OPEN,
		0, offsetof(struct join_group_request, reason), 0, 0, NULL},
};

const struct schema join_group_request_schema = {
	"JoinGroupRequest", join_group_request_fields, 8, sizeof(struct join_group_request), 0, 9, 6, 11, false,
};

static const struct schema_field join_group_response_join_group_response_member_fields[] = {
	{"MemberId", "member_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct join_group_response_join_group_response_member, member_id), 0, 0, NULL},
	{"GroupInstanceId", "group_instance_id", FIELD_STRING, FIELD_IGNORABLE | FIELD_DEFAULT_NULL, 5, SCHEMA_OPEN, 5, SCHEMA_OPEN,
		0, offsetof(struct join_group_response_join_group_response_member, group_instance_id), 0, 0, NULL},
	{"Metadata", "metadata", FIELD_BYTES, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct join_group_response_join_group_response_member, metadata), 0, 0, NULL},
};

const struct schema join_group_response_join_group_response_member_schema = {
	"JoinGroupResponseMember", join_group_response_join_group_response_member_fields, 3, sizeof(struct join_group_response_join_group_response_member), 0, 9, 6, -1, true,
};

static const struct schema_field join_group_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, FIELD_IGNORABLE, 2, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct join_group_response, throttle_time_ms), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct join_group_response, error_code), 0, 0, NULL},
	{"GenerationId", "generation_id", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct join_group_response, generation_id), 0, -1, NULL},
	{"ProtocolType", "protocol_type", FIELD_STRING, FIELD_IGNORABLE | FIELD_DEFAULT_NULL, 7, SCHEMA_OPEN, 7, SCHEMA_OPEN,
		0, offsetof(struct join_group_response, protocol_type), 0, 0, NULL},
	{"ProtocolName", "protocol_name", FIELD_STRING, 0, 0, SCHEMA_OPEN, 7, SCHEMA_OPEN,
		0, offsetof(struct join_group_response, protocol_name), 0, 0, NULL},
	{"Leader", "leader", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct join_group_response, leader), 0, 0, NULL},
	{"SkipAssignment", "skip_assignment", FIELD_BOOL, 0, 9, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct join_group_response, skip_assignment), 0, 0, NULL},
	{"MemberId", "member_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct join_group_response, member_id), 0, 0, NULL},
	{"Members", "members", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct join_group_response, members), offsetof(struct join_group_response, members_n), 0, &join_group_response_join_group_response_member_schema},
};

const struct schema join_group_response_schema = {
	"JoinGroupResponse", join_group_response_fields, 9, sizeof(struct join_group_response), 0, 9, 6, 11, true,
};

static const struct schema_field heartbeat_request_fields[] = {
	{"GroupId", "group_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct heartbeat_request, group_id), 0, 0, NULL},
	{"GenerationId", "generation_id", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct heartbeat_request, generation_id), 0, 0, NULL},
	{"MemberId", "member_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct heartbeat_request, member_id), 0, 0, NULL},
	{"GroupInstanceId", "group_instance_id", FIELD_STRING, FIELD_DEFAULT_NULL, 3, SCHEMA_OPEN, 3, SCHEMA_OPEN,
		0, offsetof(struct heartbeat_request, group_instance_id), 0, 0, NULL},
};

const struct schema heartbeat_request_schema = {
	"HeartbeatRequest", heartbeat_request_fields, 4, sizeof(struct heartbeat_request), 0, 4, 4, 12, false,
};

static const struct schema_field heartbeat_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, FIELD_IGNORABLE, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct heartbeat_response, throttle_time_ms), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct heartbeat_response, error_code), 0, 0, NULL},
};

const struct schema heartbeat_response_schema = {
	"HeartbeatResponse", heartbeat_response_fields, 2, sizeof(struct heartbeat_response), 0, 4, 4, 12, true,
};

static const struct schema_field leave_group_request_member_identity_fields[] = {
	{"MemberId", "member_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct leave_group_request_member_identity, member_id), 0, 0, NULL},
	{"GroupInstanceId", "group_instance_id", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct leave_group_request_member_identity, group_instance_id), 0, 0, NULL},
	{"Reason", "reason", FIELD_STRING, FIELD_IGNORABLE | FIELD_DEFAULT_NULL, 5, SCHEMA_OPEN, 5, SCHEMA_OPEN,
		0, offsetof(struct leave_group_request_member_identity, reason), 0, 0, NULL},
};

const struct schema leave_group_request_member_identity_schema = {
	"MemberIdentity", leave_group_request_member_identity_fields, 3, sizeof(struct leave_group_request_member_identity), 0, 5, 4, -1, false,
};

static const struct schema_field leave_group_request_fields[] = {
	{"GroupId", "group_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct leave_group_request, group_id), 0, 0, NULL},
	{"MemberId", "member_id", FIELD_STRING, 0, 0, 2, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct leave_group_request, member_id), 0, 0, NULL},
	{"Members", "members", FIELD_STRUCT, FIELD_ARRAY, 3, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct leave_group_request, members), offsetof(struct leave_group_request, members_n), 0, &leave_group_request_member_identity_schema},
};

const struct schema leave_group_request_schema = {
	"LeaveGroupRequest", leave_group_request_fields, 3, sizeof(struct leave_group_request), 0, 5, 4, 13, false,
};

static const struct schema_field leave_group_response_member_response_fields[] = {
	{"MemberId", "member_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct leave_group_response_member_response, member_id), 0, 0, NULL},
	{"GroupInstanceId", "group_instance_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct leave_group_response_member_response, group_instance_id), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct leave_group_response_member_response, error_code), 0, 0, NULL},
};

const struct schema leave_group_response_member_response_schema = {
	"MemberResponse", leave_group_response_member_response_fields, 3, sizeof(struct leave_group_response_member_response), 0, 5, 4, -1, true,
};

static const struct schema_field leave_group_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, FIELD_IGNORABLE, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct leave_group_response, throttle_time_ms), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct leave_group_response, error_code), 0, 0, NULL},
	{"Members", "members", FIELD_STRUCT, FIELD_ARRAY, 3, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct leave_group_response, members), offsetof(struct leave_group_response, members_n), 0, &leave_group_response_member_response_schema},
};

const struct schema leave_group_response_schema = {
	"LeaveGroupResponse", leave_group_response_fields, 3, sizeof(struct leave_group_response), 0, 5, 4, 13, true,
};

static const struct schema_field sync_group_request_sync_group_request_assignment_fields[] = {
	{"MemberId", "member_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct sync_group_request_sync_group_request_assignment, member_id), 0, 0, NULL},
	{"Assignment", "assignment", FIELD_BYTES, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct sync_group_request_sync_group_request_assignment, assignment), 0, 0, NULL},
};

const struct schema sync_group_request_sync_group_request_assignment_schema = {
	"SyncGroupRequestAssignment", sync_group_request_sync_group_request_assignment_fields, 2, sizeof(struct sync_group_request_sync_group_request_assignment), 0, 5, 4, -1, false,
};

static const struct schema_field sync_group_request_fields[] = {
	{"GroupId", "group_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct sync_group_request, group_id), 0, 0, NULL},
	{"GenerationId", "generation_id", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct sync_group_request, generation_id), 0, 0, NULL},
	{"MemberId", "member_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct sync_group_request, member_id), 0, 0, NULL},
	{"GroupInstanceId", "group_instance_id", FIELD_STRING, FIELD_DEFAULT_NULL, 3, SCHEMA_OPEN, 3, SCHEMA_OPEN,
		0, offsetof(struct sync_group_request, group_instance_id), 0, 0, NULL},
	{"ProtocolType", "protocol_type", FIELD_STRING, FIELD_IGNORABLE | FIELD_DEFAULT_NULL, 5, SCHEMA_OPEN, 5, SCHEMA_OPEN,
		0, offsetof(struct sync_group_request, protocol_type), 0, 0, NULL},
	{"ProtocolName", "protocol_name", FIELD_STRING, FIELD_IGNORABLE | FIELD_DEFAULT_NULL, 5, SCHEMA_OPEN, 5, SCHEMA_OPEN,
		0, offsetof(struct sync_group_request, protocol_name), 0, 0, NULL},
	{"Assignments", "assignments", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct sync_group_request, assignments), offsetof(struct sync_group_request, assignments_n), 0, &sync_group_request_sync_group_request_assignment_schema},
};

const struct schema sync_group_request_schema = {
	"SyncGroupRequest", sync_group_request_fields, 7, sizeof(struct sync_group_request), 0, 5, 4, 14, false,
};

static const struct schema_field sync_group_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, FIELD_IGNORABLE, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct sync_group_response, throttle_time_ms), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct sync_group_response, error_code), 0, 0, NULL},
	{"ProtocolType", "protocol_type", FIELD_STRING, FIELD_IGNORABLE | FIELD_DEFAULT_NULL, 5, SCHEMA_OPEN, 5, SCHEMA_OPEN,
		0, offsetof(struct sync_group_response, protocol_type), 0, 0, NULL},
	{"ProtocolName", "protocol_name", FIELD_STRING, FIELD_IGNORABLE | FIELD_DEFAULT_NULL, 5, SCHEMA_OPEN, 5, SCHEMA_OPEN,
		0, offsetof(struct sync_group_response, protocol_name), 0, 0, NULL},
	{"Assignment", "assignment", FIELD_BYTES, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct sync_group_response, assignment), 0, 0, NULL},
};

const struct schema sync_group_response_schema = {
	"SyncGroupResponse", sync_group_response_fields, 5, sizeof(struct sync_group_response), 0, 5, 4, 14, true,
};

static const struct schema_field describe_groups_request_fields[] = {
	{"Groups", "groups", FIELD_STRING, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_groups_request, groups), offsetof(struct describe_groups_request, groups_n), 0, NULL},
	{"IncludeAuthorizedOperations", "include_authorized_operations", FIELD_BOOL, 0, 3, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_groups_request, include_authorized_operations), 0, 0, NULL},
};

const struct schema describe_groups_request_schema = {
	"DescribeGroupsRequest", describe_groups_request_fields, 2, sizeof(struct describe_groups_request), 0, 6, 5, 15, false,
};

static const struct schema_field describe_groups_response_described_group_member_fields[] = {
	{"MemberId", "member_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_groups_response_described_group_member, member_id), 0, 0, NULL},
	{"GroupInstanceId", "group_instance_id", FIELD_STRING, FIELD_IGNORABLE | FIELD_DEFAULT_NULL, 4, SCHEMA_OPEN, 4, SCHEMA_OPEN,
		0, offsetof(struct describe_groups_response_described_group_member, group_instance_id), 0, 0, NULL},
	{"ClientId", "client_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_groups_response_described_group_member, client_id), 0, 0, NULL},
	{"ClientHost", "client_host", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_groups_response_described_group_member, client_host), 0, 0, NULL},
	{"MemberMetadata", "member_metadata", FIELD_BYTES, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_groups_response_described_group_member, member_metadata), 0, 0, NULL},
	{"MemberAssignment", "member_assignment", FIELD_BYTES, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_groups_response_described_group_member, member_assignment), 0, 0, NULL},
};

const struct schema describe_groups_response_described_group_member_schema = {
	"DescribedGroupMember", describe_groups_response_described_group_member_fields, 6, sizeof(struct describe_groups_response_described_group_member), 0, 6, 5, -1, true,
};

static const struct schema_field describe_groups_response_described_group_fields[] = {
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_groups_response_described_group, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_DEFAULT_NULL, 6, SCHEMA_OPEN, 6, SCHEMA_OPEN,
		0, offsetof(struct describe_groups_response_described_group, error_message), 0, 0, NULL},
	{"GroupId", "group_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_groups_response_described_group, group_id), 0, 0, NULL},
	{"GroupState", "group_state", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_groups_response_described_group, group_state), 0, 0, NULL},
	{"ProtocolType", "protocol_type", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_groups_response_described_group, protocol_type), 0, 0, NULL},
	{"ProtocolData", "protocol_data", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_groups_response_described_group, protocol_data), 0, 0, NULL},
	{"Members", "members", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_groups_response_described_group, members), offsetof(struct describe_groups_response_described_group, members_n), 0, &describe_groups_response_described_group_member_schema},
	{"AuthorizedOperations", "authorized_operations", FIELD_INT32, 0, 3, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_groups_response_described_group, authorized_operations), 0, INT64_C(-2147483648), NULL},
};

const struct schema describe_groups_response_described_group_schema = {
	"DescribedGroup", describe_groups_response_described_group_fields, 8, sizeof(struct describe_groups_response_described_group), 0, 6, 5, -1, true,
};

static const struct schema_field describe_groups_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, FIELD_IGNORABLE, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_groups_response, throttle_time_ms), 0, 0, NULL},
	{"Groups", "groups", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_groups_response, groups), offsetof(struct describe_groups_response, groups_n), 0, &describe_groups_response_described_group_schema},
};

const struct schema describe_groups_response_schema = {
	"DescribeGroupsResponse", describe_groups_response_fields, 2, sizeof(struct describe_groups_response), 0, 6, 5, 15, true,
};

static const struct schema_field list_groups_request_fields[] = {
	{"StatesFilter", "states_filter", FIELD_STRING, FIELD_ARRAY, 4, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_groups_request, states_filter), offsetof(struct list_groups_request, states_filter_n), 0, NULL},
	{"TypesFilter", "types_filter", FIELD_STRING, FIELD_ARRAY, 5, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_groups_request, types_filter), offsetof(struct list_groups_request, types_filter_n), 0, NULL},
};

const struct schema list_groups_request_schema = {
	"ListGroupsRequest", list_groups_request_fields, 2, sizeof(struct list_groups_request), 0, 5, 3, 16, false,
};

static const struct schema_field list_groups_response_listed_group_fields[] = {
	{"GroupId", "group_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_groups_response_listed_group, group_id), 0, 0, NULL},
	{"ProtocolType", "protocol_type", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_groups_response_listed_group, protocol_type), 0, 0, NULL},
	{"GroupState", "group_state", FIELD_STRING, FIELD_IGNORABLE, 4, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_groups_response_listed_group, group_state), 0, 0, NULL},
	{"GroupType", "group_type", FIELD_STRING, FIELD_IGNORABLE, 5, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_groups_response_listed_group, group_type), 0, 0, NULL},
};

const struct schema list_groups_response_listed_group_schema = {
	"ListedGroup", list_groups_response_listed_group_fields, 4, sizeof(struct list_groups_response_listed_group), 0, 5, 3, -1, true,
};

static const struct schema_field list_groups_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, FIELD_IGNORABLE, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_groups_response, throttle_time_ms), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_groups_response, error_code), 0, 0, NULL},
	{"Groups", "groups", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_groups_response, groups), offsetof(struct list_groups_response, groups_n), 0, &list_groups_response_listed_group_schema},
};

const struct schema list_groups_response_schema = {
	"ListGroupsResponse", list_groups_response_fields, 3, sizeof(struct list_groups_response), 0, 5, 3, 16, true,
};

static const struct schema_field sasl_handshake_request_fields[] = {
	{"Mechanism", "mechanism", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct sasl_handshake_request, mechanism), 0, 0, NULL},
};

const struct schema sasl_handshake_request_schema = {
	"SaslHandshakeRequest", sasl_handshake_request_fields, 1, sizeof(struct sasl_handshake_request), 0, 1, SCHEMA_OPEN, 17, false,
};

static const struct schema_field sasl_handshake_response_fields[] = {
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct sasl_handshake_response, error_code), 0, 0, NULL},
	{"Mechanisms", "mechanisms", FIELD_STRING, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct sasl_handshake_response, mechanisms), offsetof(struct sasl_handshake_response, mechanisms_n), 0, NULL},
};

const struct schema sasl_handshake_response_schema = {
	"SaslHandshakeResponse", sasl_handshake_response_fields, 2, sizeof(struct sasl_handshake_response), 0, 1, SCHEMA_OPEN, 17, true,
};

static const struct schema_field api_versions_request_fields[] = {
	{"ClientSoftwareName", "client_software_name", FIELD_STRING, FIELD_IGNORABLE, 3, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct api_versions_request, client_software_name), 0, 0, NULL},
	{"ClientSoftwareVersion", "client_software_version", FIELD_STRING, FIELD_IGNORABLE, 3, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct api_versions_request, client_software_version), 0, 0, NULL},
	{"ClusterId", "cluster_id", FIELD_STRING, FIELD_IGNORABLE | FIELD_DEFAULT_NULL, 5, SCHEMA_OPEN, 5, SCHEMA_OPEN,
		0, offsetof(struct api_versions_request, cluster_id), 0, 0, NULL},
	{"NodeId", "node_id", FIELD_INT32, FIELD_IGNORABLE, 5, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct api_versions_request, node_id), 0, -1, NULL},
};

const struct schema api_versions_request_schema = {
	"ApiVersionsRequest", api_versions_request_fields, 4, sizeof(struct api_versions_request), 0, 5, 3, 18, false,
};

static const struct schema_field api_versions_response_api_version_fields[] = {
	{"ApiKey", "api_key", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct api_versions_response_api_version, api_key), 0, 0, NULL},
	{"MinVersion", "min_version", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct api_versions_response_api_version, min_version), 0, 0, NULL},
	{"MaxVersion", "max_version", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct api_versions_response_api_version, max_version), 0, 0, NULL},
};

const struct schema api_versions_response_api_version_schema = {
	"ApiVersion", api_versions_response_api_version_fields, 3, sizeof(struct api_versions_response_api_version), 0, 5, 3, -1, true,
};

static const struct schema_field api_versions_response_supported_feature_key_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct api_versions_response_supported_feature_key, name), 0, 0, NULL},
	{"MinVersion", "min_version", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct api_versions_response_supported_feature_key, min_version), 0, 0, NULL},
	{"MaxVersion", "max_version", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct api_versions_response_supported_feature_key, max_version), 0, 0, NULL},
};

const struct schema api_versions_response_supported_feature_key_schema = {
	"SupportedFeatureKey", api_versions_response_supported_feature_key_fields, 3, sizeof(struct api_versions_response_supported_feature_key), 0, 5, 3, -1, true,
};

static const struct schema_field api_versions_response_finalized_feature_key_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct api_versions_response_finalized_feature_key, name), 0, 0, NULL},
	{"MaxVersionLevel", "max_version_level", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct api_versions_response_finalized_feature_key, max_version_level), 0, 0, NULL},
	{"MinVersionLevel", "min_version_level", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct api_versions_response_finalized_feature_key, min_version_level), 0, 0, NULL},
};

const struct schema api_versions_response_finalized_feature_key_schema = {
	"FinalizedFeatureKey", api_versions_response_finalized_feature_key_fields, 3, sizeof(struct api_versions_response_finalized_feature_key), 0, 5, 3, -1, true,
};

static const struct schema_field api_versions_response_fields[] = {
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct api_versions_response, error_code), 0, 0, NULL},
	{"ApiKeys", "api_keys", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct api_versions_response, api_keys), offsetof(struct api_versions_response, api_keys_n), 0, &api_versions_response_api_version_schema},
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, FIELD_IGNORABLE, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct api_versions_response, throttle_time_ms), 0, 0, NULL},
	{"SupportedFeatures", "supported_features", FIELD_STRUCT, FIELD_ARRAY | FIELD_TAGGED | FIELD_IGNORABLE, 3, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct api_versions_response, supported_features), offsetof(struct api_versions_response, supported_features_n), 0, &api_versions_response_supported_feature_key_schema},
	{"FinalizedFeaturesEpoch", "finalized_features_epoch", FIELD_INT64, FIELD_TAGGED | FIELD_IGNORABLE, 3, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		1, offsetof(struct api_versions_response, finalized_features_epoch), 0, -1, NULL},
	{"FinalizedFeatures", "finalized_features", FIELD_STRUCT, FIELD_ARRAY | FIELD_TAGGED | FIELD_IGNORABLE, 3, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		2, offsetof(struct api_versions_response, finalized_features), offsetof(struct api_versions_response, finalized_features_n), 0, &api_versions_response_finalized_feature_key_schema},
	{"ZkMigrationReady", "zk_migration_ready", FIELD_BOOL, FIELD_TAGGED | FIELD_IGNORABLE, 3, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		3, offsetof(struct api_versions_response, zk_migration_ready), 0, 0, NULL},
};

const struct schema api_versions_response_schema = {
	"ApiVersionsResponse", api_versions_response_fields, 7, sizeof(struct api_versions_response), 0, 5, 3, 18, true,
};

static const struct schema_field create_topics_request_creatable_replica_assignment_fields[] = {
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_topics_request_creatable_replica_assignment, partition_index), 0, 0, NULL},
	{"BrokerIds", "broker_ids", FIELD_INT32, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_topics_request_creatable_replica_assignment, broker_ids), offsetof(struct create_topics_request_creatable_replica_assignment, broker_ids_n), 0, NULL},
};

const struct schema create_topics_request_creatable_replica_assignment_schema = {
	"CreatableReplicaAssignment", create_topics_request_creatable_replica_assignment_fields, 2, sizeof(struct create_topics_request_creatable_replica_assignment), 0, 7, 5, -1, false,
};

static const struct schema_field create_topics_request_creatable_topic_config_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_topics_request_creatable_topic_config, name), 0, 0, NULL},
	{"Value", "value", FIELD_STRING, 0, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct create_topics_request_creatable_topic_config, value), 0, 0, NULL},
};

const struct schema create_topics_request_creatable_topic_config_schema = {
	"CreatableTopicConfig", create_topics_request_creatable_topic_config_fields, 2, sizeof(struct create_topics_request_creatable_topic_config), 0, 7, 5, -1, false,
};

static const struct schema_field create_topics_request_creatable_topic_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_topics_request_creatable_topic, name), 0, 0, NULL},
	{"NumPartitions", "num_partitions", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_topics_request_creatable_topic, num_partitions), 0, 0, NULL},
	{"ReplicationFactor", "replication_factor", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_topics_request_creatable_topic, replication_factor), 0, 0, NULL},
	{"Assignments", "assignments", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_topics_request_creatable_topic, assignments), offsetof(struct create_topics_request_creatable_topic, assignments_n), 0, &create_topics_request_creatable_replica_assignment_schema},
	{"Configs", "configs", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_topics_request_creatable_topic, configs), offsetof(struct create_topics_request_creatable_topic, configs_n), 0, &create_topics_request_creatable_topic_config_schema},
};

const struct schema create_topics_request_creatable_topic_schema = {
	"CreatableTopic", create_topics_request_creatable_topic_fields, 5, sizeof(struct create_topics_request_creatable_topic), 0, 7, 5, -1, false,
};

static const struct schema_field create_topics_request_fields[] = {
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_topics_request, topics), offsetof(struct create_topics_request, topics_n), 0, &create_topics_request_creatable_topic_schema},
	{"timeoutMs", "timeout_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_topics_request, timeout_ms), 0, 60000, NULL},
	{"validateOnly", "validate_only", FIELD_BOOL, 0, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_topics_request, validate_only), 0, 0, NULL},
};

const struct schema create_topics_request_schema = {
	"CreateTopicsRequest", create_topics_request_fields, 3, sizeof(struct create_topics_request), 0, 7, 5, 19, false,
};

static const struct schema_field create_topics_response_creatable_topic_configs_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_topics_response_creatable_topic_configs, name), 0, 0, NULL},
	{"Value", "value", FIELD_STRING, 0, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct create_topics_response_creatable_topic_configs, value), 0, 0, NULL},
	{"ReadOnly", "read_only", FIELD_BOOL, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_topics_response_creatable_topic_configs, read_only), 0, 0, NULL},
	{"ConfigSource", "config_source", FIELD_INT8, FIELD_IGNORABLE, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_topics_response_creatable_topic_configs, config_source), 0, -1, NULL},
	{"IsSensitive", "is_sensitive", FIELD_BOOL, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_topics_response_creatable_topic_configs, is_sensitive), 0, 0, NULL},
};

const struct schema create_topics_response_creatable_topic_configs_schema = {
	"CreatableTopicConfigs", create_topics_response_creatable_topic_configs_fields, 5, sizeof(struct create_topics_response_creatable_topic_configs), 0, 7, 5, -1, true,
};

static const struct schema_field create_topics_response_creatable_topic_result_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_topics_response_creatable_topic_result, name), 0, 0, NULL},
	{"TopicId", "topic_id", FIELD_UUID, FIELD_IGNORABLE, 7, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_topics_response_creatable_topic_result, topic_id), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_topics_response_creatable_topic_result, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_IGNORABLE, 1, SCHEMA_OPEN, 1, SCHEMA_OPEN,
		0, offsetof(struct create_topics_response_creatable_topic_result, error_message), 0, 0, NULL},
	{"TopicConfigErrorCode", "topic_config_error_code", FIELD_INT16, FIELD_TAGGED | FIELD_IGNORABLE, 5, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_topics_response_creatable_topic_result, topic_config_error_code), 0, 0, NULL},
	{"NumPartitions", "num_partitions", FIELD_INT32, FIELD_IGNORABLE, 5, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_topics_response_creatable_topic_result, num_partitions), 0, -1, NULL},
	{"ReplicationFactor", "replication_factor", FIELD_INT16, FIELD_IGNORABLE, 5, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_topics_response_creatable_topic_result, replication_factor), 0, -1, NULL},
	{"Configs", "configs", FIELD_STRUCT, FIELD_ARRAY | FIELD_IGNORABLE, 5, SCHEMA_OPEN, 5, SCHEMA_OPEN,
		0, offsetof(struct create_topics_response_creatable_topic_result, configs), offsetof(struct create_topics_response_creatable_topic_result, configs_n), 0, &create_topics_response_creatable_topic_configs_schema},
};

const struct schema create_topics_response_creatable_topic_result_schema = {
	"CreatableTopicResult", create_topics_response_creatable_topic_result_fields, 8, sizeof(struct create_topics_response_creatable_topic_result), 0, 7, 5, -1, true,
};

static const struct schema_field create_topics_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, FIELD_IGNORABLE, 2, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_topics_response, throttle_time_ms), 0, 0, NULL},
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_topics_response, topics), offsetof(struct create_topics_response, topics_n), 0, &create_topics_response_creatable_topic_result_schema},
};

const struct schema create_topics_response_schema = {
	"CreateTopicsResponse", create_topics_response_fields, 2, sizeof(struct create_topics_response), 0, 7, 5, 19, true,
};

static const struct schema_field delete_topics_request_delete_topic_state_fields[] = {
	{"Name", "name", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct delete_topics_request_delete_topic_state, name), 0, 0, NULL},
	{"TopicId", "topic_id", FIELD_UUID, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_topics_request_delete_topic_state, topic_id), 0, 0, NULL},
};

const struct schema delete_topics_request_delete_topic_state_schema = {
	"DeleteTopicState", delete_topics_request_delete_topic_state_fields, 2, sizeof(struct delete_topics_request_delete_topic_state), 0, 6, 4, -1, false,
};

static const struct schema_field delete_topics_request_fields[] = {
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 6, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_topics_request, topics), offsetof(struct delete_topics_request, topics_n), 0, &delete_topics_request_delete_topic_state_schema},
	{"TopicNames", "topic_names", FIELD_STRING, FIELD_ARRAY | FIELD_IGNORABLE, 0, 5, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_topics_request, topic_names), offsetof(struct delete_topics_request, topic_names_n), 0, NULL},
	{"TimeoutMs", "timeout_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_topics_request, timeout_ms), 0, 0, NULL},
};

const struct schema delete_topics_request_schema = {
	"DeleteTopicsRequest", delete_topics_request_fields, 3, sizeof(struct delete_topics_request), 0, 6, 4, 20, false,
};

static const struct schema_field delete_topics_response_deletable_topic_result_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, 6, SCHEMA_OPEN,
		0, offsetof(struct delete_topics_response_deletable_topic_result, name), 0, 0, NULL},
	{"TopicId", "topic_id", FIELD_UUID, FIELD_IGNORABLE, 6, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_topics_response_deletable_topic_result, topic_id), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_topics_response_deletable_topic_result, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_IGNORABLE | FIELD_DEFAULT_NULL, 5, SCHEMA_OPEN, 5, SCHEMA_OPEN,
		0, offsetof(struct delete_topics_response_deletable_topic_result, error_message), 0, 0, NULL},
};

const struct schema delete_topics_response_deletable_topic_result_schema = {
	"DeletableTopicResult", delete_topics_response_deletable_topic_result_fields, 4, sizeof(struct delete_topics_response_deletable_topic_result), 0, 6, 4, -1, true,
};

static const struct schema_field delete_topics_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, FIELD_IGNORABLE, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_topics_response, throttle_time_ms), 0, 0, NULL},
	{"Responses", "responses", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_topics_response, responses), offsetof(struct delete_topics_response, responses_n), 0, &delete_topics_response_deletable_topic_result_schema},
};

const struct schema delete_topics_response_schema = {
	"DeleteTopicsResponse", delete_topics_response_fields, 2, sizeof(struct delete_topics_response), 0, 6, 4, 20, true,
};

static const struct schema_field delete_records_request_delete_records_partition_fields[] = {
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_records_request_delete_records_partition, partition_index), 0, 0, NULL},
	{"Offset", "offset", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_records_request_delete_records_partition, offset), 0, 0, NULL},
};

const struct schema delete_records_request_delete_records_partition_schema = {
	"DeleteRecordsPartition", delete_records_request_delete_records_partition_fields, 2, sizeof(struct delete_records_request_delete_records_partition), 0, 2, 2, -1, false,
};

static const struct schema_field delete_records_request_delete_records_topic_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_records_request_delete_records_topic, name), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_records_request_delete_records_topic, partitions), offsetof(struct delete_records_request_delete_records_topic, partitions_n), 0, &delete_records_request_delete_records_partition_schema},
};

const struct schema delete_records_request_delete_records_topic_schema = {
	"DeleteRecordsTopic", delete_records_request_delete_records_topic_fields, 2, sizeof(struct delete_records_request_delete_records_topic), 0, 2, 2, -1, false,
};

static const struct schema_field delete_records_request_fields[] = {
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_records_request, topics), offsetof(struct delete_records_request, topics_n), 0, &delete_records_request_delete_records_topic_schema},
	{"TimeoutMs", "timeout_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_records_request, timeout_ms), 0, 0, NULL},
};

const struct schema delete_records_request_schema = {
	"DeleteRecordsRequest", delete_records_request_fields, 2, sizeof(struct delete_records_request), 0, 2, 2, 21, false,
};

static const struct schema_field delete_records_response_delete_records_partition_result_fields[] = {
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_records_response_delete_records_partition_result, partition_index), 0, 0, NULL},
	{"LowWatermark", "low_watermark", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_records_response_delete_records_partition_result, low_watermark), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_records_response_delete_records_partition_result, error_code), 0, 0, NULL},
};

const struct schema delete_records_response_delete_records_partition_result_schema = {
	"DeleteRecordsPartitionResult", delete_records_response_delete_records_partition_result_fields, 3, sizeof(struct delete_records_response_delete_records_partition_result), 0, 2, 2, -1, true,
};

static const struct schema_field delete_records_response_delete_records_topic_result_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_records_response_delete_records_topic_result, name), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_records_response_delete_records_topic_result, partitions), offsetof(struct delete_records_response_delete_records_topic_result, partitions_n), 0, &delete_records_response_delete_records_partition_result_schema},
};

const struct schema delete_records_response_delete_records_topic_result_schema = {
	"DeleteRecordsTopicResult", delete_records_response_delete_records_topic_result_fields, 2, sizeof(struct delete_records_response_delete_records_topic_result), 0, 2, 2, -1, true,
};

static const struct schema_field delete_records_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_records_response, throttle_time_ms), 0, 0, NULL},
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_records_response, topics), offsetof(struct delete_records_response, topics_n), 0, &delete_records_response_delete_records_topic_result_schema},
};

const struct schema delete_records_response_schema = {
	"DeleteRecordsResponse", delete_records_response_fields, 2, sizeof(struct delete_records_response), 0, 2, 2, 21, true,
};

static const struct schema_field init_producer_id_request_fields[] = {
	{"TransactionalId", "transactional_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct init_producer_id_request, transactional_id), 0, 0, NULL},
	{"TransactionTimeoutMs", "transaction_timeout_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct init_producer_id_request, transaction_timeout_ms), 0, 0, NULL},
	{"ProducerId", "producer_id", FIELD_INT64, 0, 3, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct init_producer_id_request, producer_id), 0, -1, NULL},
	{"ProducerEpoch", "producer_epoch", FIELD_INT16, 0, 3, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct init_producer_id_request, producer_epoch), 0, -1, NULL},
	{"Enable2Pc", "enable2_pc", FIELD_BOOL, 0, 6, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct init_producer_id_request, enable2_pc), 0, 0, NULL},
	{"KeepPreparedTxn", "keep_prepared_txn", FIELD_BOOL, 0, 6, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct init_producer_id_request, keep_prepared_txn), 0, 0, NULL},
};

const struct schema init_producer_id_request_schema = {
	"InitProducerIdRequest", init_producer_id_request_fields, 6, sizeof(struct init_producer_id_request), 0, 6, 2, 22, false,
};

static const struct schema_field init_producer_id_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, FIELD_IGNORABLE, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct init_producer_id_response, throttle_time_ms), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct init_producer_id_response, error_code), 0, 0, NULL},
	{"ProducerId", "producer_id", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct init_producer_id_response, producer_id), 0, -1, NULL},
	{"ProducerEpoch", "producer_epoch", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct init_producer_id_response, producer_epoch), 0, 0, NULL},
	{"OngoingTxnProducerId", "ongoing_txn_producer_id", FIELD_INT64, 0, 6, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct init_producer_id_response, ongoing_txn_producer_id), 0, -1, NULL},
	{"OngoingTxnProducerEpoch", "ongoing_txn_producer_epoch", FIELD_INT16, 0, 6, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct init_producer_id_response, ongoing_txn_producer_epoch), 0, -1, NULL},
};

const struct schema init_producer_id_response_schema = {
	"InitProducerIdResponse", init_producer_id_response_fields, 6, sizeof(struct init_producer_id_response), 0, 6, 2, 22, true,
};

static const struct schema_field add_partitions_to_txn_request_add_partitions_to_txn_topic_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct add_partitions_to_txn_request_add_partitions_to_txn_topic, name), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_INT32, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct add_partitions_to_txn_request_add_partitions_to_txn_topic, partitions), offsetof(struct add_partitions_to_txn_request_add_partitions_to_txn_topic, partitions_n), 0, NULL},
};

const struct schema add_partitions_to_txn_request_add_partitions_to_txn_topic_schema = {
	"AddPartitionsToTxnTopic", add_partitions_to_txn_request_add_partitions_to_txn_topic_fields, 2, sizeof(struct add_partitions_to_txn_request_add_partitions_to_txn_topic), 0, 5, 3, -1, false,
};

static const struct schema_field add_partitions_to_txn_request_add_partitions_to_txn_transaction_fields[] = {
	{"TransactionalId", "transactional_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct add_partitions_to_txn_request_add_partitions_to_txn_transaction, transactional_id), 0, 0, NULL},
	{"ProducerId", "producer_id", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct add_partitions_to_txn_request_add_partitions_to_txn_transaction, producer_id), 0, 0, NULL},
	{"ProducerEpoch", "producer_epoch", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct add_partitions_to_txn_request_add_partitions_to_txn_transaction, producer_epoch), 0, 0, NULL},
	{"VerifyOnly", "verify_only", FIELD_BOOL, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct add_partitions_to_txn_request_add_partitions_to_txn_transaction, verify_only), 0, 0, NULL},
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct add_partitions_to_txn_request_add_partitions_to_txn_transaction, topics), offsetof(struct add_partitions_to_txn_request_add_partitions_to_txn_transaction, topics_n), 0, &add_partitions_to_txn_request_add_partitions_to_txn_topic_schema},
};

const struct schema add_partitions_to_txn_request_add_partitions_to_txn_transaction_schema = {
	"AddPartitionsToTxnTransaction", add_partitions_to_txn_request_add_partitions_to_txn_transaction_fields, 5, sizeof(struct add_partitions_to_txn_request_add_partitions_to_txn_transaction), 0, 5, 3, -1, false,
};

static const struct schema_field add_partitions_to_txn_request_fields[] = {
	{"Transactions", "transactions", FIELD_STRUCT, FIELD_ARRAY, 4, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct add_partitions_to_txn_request, transactions), offsetof(struct add_partitions_to_txn_request, transactions_n), 0, &add_partitions_to_txn_request_add_partitions_to_txn_transaction_schema},
	{"V3AndBelowTransactionalId", "v3_and_below_transactional_id", FIELD_STRING, 0, 0, 3, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct add_partitions_to_txn_request, v3_and_below_transactional_id), 0, 0, NULL},
	{"V3AndBelowProducerId", "v3_and_below_producer_id", FIELD_INT64, 0, 0, 3, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct add_partitions_to_txn_request, v3_and_below_producer_id), 0, 0, NULL},
	{"V3AndBelowProducerEpoch", "v3_and_below_producer_epoch", FIELD_INT16, 0, 0, 3, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct add_partitions_to_txn_request, v3_and_below_producer_epoch), 0, 0, NULL},
	{"V3AndBelowTopics", "v3_and_below_topics", FIELD_STRUCT, FIELD_ARRAY, 0, 3, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct add_partitions_to_txn_request, v3_and_below_topics), offsetof(struct add_partitions_to_txn_request, v3_and_below_topics_n), 0, &add_partitions_to_txn_request_add_partitions_to_txn_topic_schema},
};

const struct schema add_partitions_to_txn_request_schema = {
	"AddPartitionsToTxnRequest", add_partitions_to_txn_request_fields, 5, sizeof(struct add_partitions_to_txn_request), 0, 5, 3, 24, false,
};

static const struct schema_field add_partitions_to_txn_response_add_partitions_to_txn_partition_result_fields[] = {
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct add_partitions_to_txn_response_add_partitions_to_txn_partition_result, partition_index), 0, 0, NULL},
	{"PartitionErrorCode", "partition_error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct add_partitions_to_txn_response_add_partitions_to_txn_partition_result, partition_error_code), 0, 0, NULL},
};

const struct schema add_partitions_to_txn_response_add_partitions_to_txn_partition_result_schema = {
	"AddPartitionsToTxnPartitionResult", add_partitions_to_txn_response_add_partitions_to_txn_partition_result_fields, 2, sizeof(struct add_partitions_to_txn_response_add_partitions_to_txn_partition_result), 0, 5, 3, -1, true,
};

static const struct schema_field add_partitions_to_txn_response_add_partitions_to_txn_topic_result_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct add_partitions_to_txn_response_add_partitions_to_txn_topic_result, name), 0, 0, NULL},
	{"ResultsByPartition", "results_by_partition", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct add_partitions_to_txn_response_add_partitions_to_txn_topic_result, results_by_partition), offsetof(struct add_partitions_to_txn_response_add_partitions_to_txn_topic_result, results_by_partition_n), 0, &add_partitions_to_txn_response_add_partitions_to_txn_partition_result_schema},
};

const struct schema add_partitions_to_txn_response_add_partitions_to_txn_topic_result_schema = {
	"AddPartitionsToTxnTopicResult", add_partitions_to_txn_response_add_partitions_to_txn_topic_result_fields, 2, sizeof(struct add_partitions_to_txn_response_add_partitions_to_txn_topic_result), 0, 5, 3, -1, true,
};

static const struct schema_field add_partitions_to_txn_response_add_partitions_to_txn_result_fields[] = {
	{"TransactionalId", "transactional_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct add_partitions_to_txn_response_add_partitions_to_txn_result, transactional_id), 0, 0, NULL},
	{"TopicResults", "topic_results", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct add_partitions_to_txn_response_add_partitions_to_txn_result, topic_results), offsetof(struct add_partitions_to_txn_response_add_partitions_to_txn_result, topic_results_n), 0, &add_partitions_to_txn_response_add_partitions_to_txn_topic_result_schema},
};

const struct schema add_partitions_to_txn_response_add_partitions_to_txn_result_schema = {
	"AddPartitionsToTxnResult", add_partitions_to_txn_response_add_partitions_to_txn_result_fields, 2, sizeof(struct add_partitions_to_txn_response_add_partitions_to_txn_result), 0, 5, 3, -1, true,
};

static const struct schema_field add_partitions_to_txn_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct add_partitions_to_txn_response, throttle_time_ms), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, FIELD_IGNORABLE, 4, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct add_partitions_to_txn_response, error_code), 0, 0, NULL},
	{"ResultsByTransaction", "results_by_transaction", FIELD_STRUCT, FIELD_ARRAY, 4, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct add_partitions_to_txn_response, results_by_transaction), offsetof(struct add_partitions_to_txn_response, results_by_transaction_n), 0, &add_partitions_to_txn_response_add_partitions_to_txn_result_schema},
	{"ResultsByTopicV3AndBelow", "results_by_topic_v3_and_below", FIELD_STRUCT, FIELD_ARRAY, 0, 3, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct add_partitions_to_txn_response, results_by_topic_v3_and_below), offsetof(struct add_partitions_to_txn_response, results_by_topic_v3_and_below_n), 0, &add_partitions_to_txn_response_add_partitions_to_txn_topic_result_schema},
};

const struct schema add_partitions_to_txn_response_schema = {
	"AddPartitionsToTxnResponse", add_partitions_to_txn_response_fields, 4, sizeof(struct add_partitions_to_txn_response), 0, 5, 3, 24, true,
};

static const struct schema_field txn_offset_commit_request_txn_offset_commit_request_partition_fields[] = {
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct txn_offset_commit_request_txn_offset_commit_request_partition, partition_index), 0, 0, NULL},
	{"CommittedOffset", "committed_offset", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct txn_offset_commit_request_txn_offset_commit_request_partition, committed_offset), 0, 0, NULL},
	{"CommittedLeaderEpoch", "committed_leader_epoch", FIELD_INT32, FIELD_IGNORABLE, 2, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct txn_offset_commit_request_txn_offset_commit_request_partition, committed_leader_epoch), 0, -1, NULL},
	{"CommittedMetadata", "committed_metadata", FIELD_STRING, 0, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct txn_offset_commit_request_txn_offset_commit_request_partition, committed_metadata), 0, 0, NULL},
};

const struct schema txn_offset_commit_request_txn_offset_commit_request_partition_schema = {
	"TxnOffsetCommitRequestPartition", txn_offset_commit_request_txn_offset_commit_request_partition_fields, 4, sizeof(struct txn_offset_commit_request_txn_offset_commit_request_partition), 0, 6, 3, -1, false,
};

static const struct schema_field txn_offset_commit_request_txn_offset_commit_request_topic_fields[] = {
	{"Name", "name", FIELD_STRING, FIELD_IGNORABLE, 0, 5, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct txn_offset_commit_request_txn_offset_commit_request_topic, name), 0, 0, NULL},
	{"TopicId", "topic_id", FIELD_UUID, FIELD_IGNORABLE, 6, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct txn_offset_commit_request_txn_offset_commit_request_topic, topic_id), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct txn_offset_commit_request_txn_offset_commit_request_topic, partitions), offsetof(struct txn_offset_commit_request_txn_offset_commit_request_topic, partitions_n), 0, &txn_offset_commit_request_txn_offset_commit_request_partition_schema},
};

const struct schema txn_offset_commit_request_txn_offset_commit_request_topic_schema = {
	"TxnOffsetCommitRequestTopic", txn_offset_commit_request_txn_offset_commit_request_topic_fields, 3, sizeof(struct txn_offset_commit_request_txn_offset_commit_request_topic), 0, 6, 3, -1, false,
};

static const struct schema_field txn_offset_commit_request_fields[] = {
	{"TransactionalId", "transactional_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct txn_offset_commit_request, transactional_id), 0, 0, NULL},
	{"GroupId", "group_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct txn_offset_commit_request, group_id), 0, 0, NULL},
	{"ProducerId", "producer_id", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct txn_offset_commit_request, producer_id), 0, 0, NULL},
	{"ProducerEpoch", "producer_epoch", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct txn_offset_commit_request, producer_epoch), 0, 0, NULL},
	{"GenerationIdOrMemberEpoch", "generation_id_or_member_epoch", FIELD_INT32, 0, 3, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct txn_offset_commit_request, generation_id_or_member_epoch), 0, -1, NULL},
	{"MemberId", "member_id", FIELD_STRING, 0, 3, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct txn_offset_commit_request, member_id), 0, 0, NULL},
	{"GroupInstanceId", "group_instance_id", FIELD_STRING, FIELD_DEFAULT_NULL, 3, SCHEMA_OPEN, 3, SCHEMA_OPEN,
		0, offsetof(struct txn_offset_commit_request, group_instance_id), 0, 0, NULL},
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct txn_offset_commit_request, topics), offsetof(struct txn_offset_commit_request, topics_n), 0, &txn_offset_commit_request_txn_offset_commit_request_topic_schema},
};

const struct schema txn_offset_commit_request_schema = {
	"TxnOffsetCommitRequest", txn_offset_commit_request_fields, 8, sizeof(struct txn_offset_commit_request), 0, 6, 3, 28, false,
};

static const struct schema_field txn_offset_commit_response_txn_offset_commit_response_partition_fields[] = {
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct txn_offset_commit_response_txn_offset_commit_response_partition, partition_index), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct txn_offset_commit_response_txn_offset_commit_response_partition, error_code), 0, 0, NULL},
};

const struct schema txn_offset_commit_response_txn_offset_commit_response_partition_schema = {
	"TxnOffsetCommitResponsePartition", txn_offset_commit_response_txn_offset_commit_response_partition_fields, 2, sizeof(struct txn_offset_commit_response_txn_offset_commit_response_partition), 0, 6, 3, -1, true,
};

static const struct schema_field txn_offset_commit_response_txn_offset_commit_response_topic_fields[] = {
	{"Name", "name", FIELD_STRING, FIELD_IGNORABLE, 0, 5, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct txn_offset_commit_response_txn_offset_commit_response_topic, name), 0, 0, NULL},
	{"TopicId", "topic_id", FIELD_UUID, FIELD_IGNORABLE, 6, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct txn_offset_commit_response_txn_offset_commit_response_topic, topic_id), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct txn_offset_commit_response_txn_offset_commit_response_topic, partitions), offsetof(struct txn_offset_commit_response_txn_offset_commit_response_topic, partitions_n), 0, &txn_offset_commit_response_txn_offset_commit_response_partition_schema},
};

const struct schema txn_offset_commit_response_txn_offset_commit_response_topic_schema = {
	"TxnOffsetCommitResponseTopic", txn_offset_commit_response_txn_offset_commit_response_topic_fields, 3, sizeof(struct txn_offset_commit_response_txn_offset_commit_response_topic), 0, 6, 3, -1, true,
};

static const struct schema_field txn_offset_commit_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct txn_offset_commit_response, throttle_time_ms), 0, 0, NULL},
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct txn_offset_commit_response, topics), offsetof(struct txn_offset_commit_response, topics_n), 0, &txn_offset_commit_response_txn_offset_commit_response_topic_schema},
};

const struct schema txn_offset_commit_response_schema = {
	"TxnOffsetCommitResponse", txn_offset_commit_response_fields, 2, sizeof(struct txn_offset_commit_response), 0, 6, 3, 28, true,
};

static const struct schema_field describe_acls_request_fields[] = {
	{"ResourceTypeFilter", "resource_type_filter", FIELD_INT8, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_acls_request, resource_type_filter), 0, 0, NULL},
	{"ResourceNameFilter", "resource_name_filter", FIELD_STRING, 0, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct describe_acls_request, resource_name_filter), 0, 0, NULL},
	{"PatternTypeFilter", "pattern_type_filter", FIELD_INT8, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_acls_request, pattern_type_filter), 0, 3, NULL},
	{"PrincipalFilter", "principal_filter", FIELD_STRING, 0, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct describe_acls_request, principal_filter), 0, 0, NULL},
	{"HostFilter", "host_filter", FIELD_STRING, 0, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct describe_acls_request, host_filter), 0, 0, NULL},
	{"Operation", "operation", FIELD_INT8, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_acls_request, operation), 0, 0, NULL},
	{"PermissionType", "permission_type", FIELD_INT8, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_acls_request, permission_type), 0, 0, NULL},
};

const struct schema describe_acls_request_schema = {
	"DescribeAclsRequest", describe_acls_request_fields, 7, sizeof(struct describe_acls_request), 1, 3, 2, 29, false,
};

static const struct schema_field describe_acls_response_acl_description_fields[] = {
	{"Principal", "principal", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_acls_response_acl_description, principal), 0, 0, NULL},
	{"Host", "host", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_acls_response_acl_description, host), 0, 0, NULL},
	{"Operation", "operation", FIELD_INT8, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_acls_response_acl_description, operation), 0, 0, NULL},
	{"PermissionType", "permission_type", FIELD_INT8, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_acls_response_acl_description, permission_type), 0, 0, NULL},
};

const struct schema describe_acls_response_acl_description_schema = {
	"AclDescription", describe_acls_response_acl_description_fields, 4, sizeof(struct describe_acls_response_acl_description), 1, 3, 2, -1, true,
};

static const struct schema_field describe_acls_response_describe_acls_resource_fields[] = {
	{"ResourceType", "resource_type", FIELD_INT8, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_acls_response_describe_acls_resource, resource_type), 0, 0, NULL},
	{"ResourceName", "resource_name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_acls_response_describe_acls_resource, resource_name), 0, 0, NULL},
	{"PatternType", "pattern_type", FIELD_INT8, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_acls_response_describe_acls_resource, pattern_type), 0, 3, NULL},
	{"Acls", "acls", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_acls_response_describe_acls_resource, acls), offsetof(struct describe_acls_response_describe_acls_resource, acls_n), 0, &describe_acls_response_acl_description_schema},
};

const struct schema describe_acls_response_describe_acls_resource_schema = {
	"DescribeAclsResource", describe_acls_response_describe_acls_resource_fields, 4, sizeof(struct describe_acls_response_describe_acls_resource), 1, 3, 2, -1, true,
};

static const struct schema_field describe_acls_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_acls_response, throttle_time_ms), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_acls_response, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, 0, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct describe_acls_response, error_message), 0, 0, NULL},
	{"Resources", "resources", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_acls_response, resources), offsetof(struct describe_acls_response, resources_n), 0, &describe_acls_response_describe_acls_resource_schema},
};

const struct schema describe_acls_response_schema = {
	"DescribeAclsResponse", describe_acls_response_fields, 4, sizeof(struct describe_acls_response), 1, 3, 2, 29, true,
};

static const struct schema_field describe_configs_request_describe_configs_resource_fields[] = {
	{"ResourceType", "resource_type", FIELD_INT8, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_configs_request_describe_configs_resource, resource_type), 0, 0, NULL},
	{"ResourceName", "resource_name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_configs_request_describe_configs_resource, resource_name), 0, 0, NULL},
	{"ConfigurationKeys", "configuration_keys", FIELD_STRING, FIELD_ARRAY, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct describe_configs_request_describe_configs_resource, configuration_keys), offsetof(struct describe_configs_request_describe_configs_resource, configuration_keys_n), 0, NULL},
};

const struct schema describe_configs_request_describe_configs_resource_schema = {
	"DescribeConfigsResource", describe_configs_request_describe_configs_resource_fields, 3, sizeof(struct describe_configs_request_describe_configs_resource), 0, 4, 4, -1, false,
};

static const struct schema_field describe_configs_request_fields[] = {
	{"Resources", "resources", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_configs_request, resources), offsetof(struct describe_configs_request, resources_n), 0, &describe_configs_request_describe_configs_resource_schema},
	{"IncludeSynonyms", "include_synonyms", FIELD_BOOL, 0, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_configs_request, include_synonyms), 0, 0, NULL},
	{"IncludeDocumentation", "include_documentation", FIELD_BOOL, 0, 3, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_configs_request, include_documentation), 0, 0, NULL},
};

const struct schema describe_configs_request_schema = {
	"DescribeConfigsRequest", describe_configs_request_fields, 3, sizeof(struct describe_configs_request), 0, 4, 4, 32, false,
};

static const struct schema_field describe_configs_response_describe_configs_synonym_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_configs_response_describe_configs_synonym, name), 0, 0, NULL},
	{"Value", "value", FIELD_STRING, 0, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct describe_configs_response_describe_configs_synonym, value), 0, 0, NULL},
	{"Source", "source", FIELD_INT8, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_configs_response_describe_configs_synonym, source), 0, 0, NULL},
};

const struct schema describe_configs_response_describe_configs_synonym_schema = {
	"DescribeConfigsSynonym", describe_configs_response_describe_configs_synonym_fields, 3, sizeof(struct describe_configs_response_describe_configs_synonym), 0, 4, 4, -1, true,
};

static const struct schema_field describe_configs_response_describe_configs_resource_result_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_configs_response_describe_configs_resource_result, name), 0, 0, NULL},
	{"Value", "value", FIELD_STRING, 0, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct describe_configs_response_describe_configs_resource_result, value), 0, 0, NULL},
	{"ReadOnly", "read_only", FIELD_BOOL, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_configs_response_describe_configs_resource_result, read_only), 0, 0, NULL},
	{"IsDefault", "is_default", FIELD_BOOL, 0, 0, 0, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_configs_response_describe_configs_resource_result, is_default), 0, 0, NULL},
	{"ConfigSource", "config_source", FIELD_INT8, FIELD_IGNORABLE, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_configs_response_describe_configs_resource_result, config_source), 0, -1, NULL},
	{"IsSensitive", "is_sensitive", FIELD_BOOL, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_configs_response_describe_configs_resource_result, is_sensitive), 0, 0, NULL},
	{"Synonyms", "synonyms", FIELD_STRUCT, FIELD_ARRAY | FIELD_IGNORABLE, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_configs_response_describe_configs_resource_result, synonyms), offsetof(struct describe_configs_response_describe_configs_resource_result, synonyms_n), 0, &describe_configs_response_describe_configs_synonym_schema},
	{"ConfigType", "config_type", FIELD_INT8, FIELD_IGNORABLE, 3, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_configs_response_describe_configs_resource_result, config_type), 0, 0, NULL},
	{"Documentation", "documentation", FIELD_STRING, FIELD_IGNORABLE, 3, SCHEMA_OPEN, 3, SCHEMA_OPEN,
		0, offsetof(struct describe_configs_response_describe_configs_resource_result, documentation), 0, 0, NULL},
};

const struct schema describe_configs_response_describe_configs_resource_result_schema = {
	"DescribeConfigsResourceResult", describe_configs_response_describe_configs_resource_result_fields, 9, sizeof(struct describe_configs_response_describe_configs_resource_result), 0, 4, 4, -1, true,
};

static const struct schema_field describe_configs_response_describe_configs_result_fields[] = {
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_configs_response_describe_configs_result, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, 0, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct describe_configs_response_describe_configs_result, error_message), 0, 0, NULL},
	{"ResourceType", "resource_type", FIELD_INT8, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_configs_response_describe_configs_result, resource_type), 0, 0, NULL},
	{"ResourceName", "resource_name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_configs_response_describe_configs_result, resource_name), 0, 0, NULL},
	{"Configs", "configs", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_configs_response_describe_configs_result, configs), offsetof(struct describe_configs_response_describe_configs_result, configs_n), 0, &describe_configs_response_describe_configs_resource_result_schema},
};

const struct schema describe_configs_response_describe_configs_result_schema = {
	"DescribeConfigsResult", describe_configs_response_describe_configs_result_fields, 5, sizeof(struct describe_configs_response_describe_configs_result), 0, 4, 4, -1, true,
};

static const struct schema_field describe_configs_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_configs_response, throttle_time_ms), 0, 0, NULL},
	{"Results", "results", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_configs_response, results), offsetof(struct describe_configs_response, results_n), 0, &describe_configs_response_describe_configs_result_schema},
};

const struct schema describe_configs_response_schema = {
	"DescribeConfigsResponse", describe_configs_response_fields, 2, sizeof(struct describe_configs_response), 0, 4, 4, 32, true,
};

static const struct schema_field alter_configs_request_alterable_config_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_configs_request_alterable_config, name), 0, 0, NULL},
	{"Value", "value", FIELD_STRING, 0, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct alter_configs_request_alterable_config, value), 0, 0, NULL},
};

const struct schema alter_configs_request_alterable_config_schema = {
	"AlterableConfig", alter_configs_request_alterable_config_fields, 2, sizeof(struct alter_configs_request_alterable_config), 0, 2, 2, -1, false,
};

static const struct schema_field alter_configs_request_alter_configs_resource_fields[] = {
	{"ResourceType", "resource_type", FIELD_INT8, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_configs_request_alter_configs_resource, resource_type), 0, 0, NULL},
	{"ResourceName", "resource_name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_configs_request_alter_configs_resource, resource_name), 0, 0, NULL},
	{"Configs", "configs", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_configs_request_alter_configs_resource, configs), offsetof(struct alter_configs_request_alter_configs_resource, configs_n), 0, &alter_configs_request_alterable_config_schema},
};

const struct schema alter_configs_request_alter_configs_resource_schema = {
	"AlterConfigsResource", alter_configs_request_alter_configs_resource_fields, 3, sizeof(struct alter_configs_request_alter_configs_resource), 0, 2, 2, -1, false,
};

static const struct schema_field alter_configs_request_fields[] = {
	{"Resources", "resources", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_configs_request, resources), offsetof(struct alter_configs_request, resources_n), 0, &alter_configs_request_alter_configs_resource_schema},
	{"ValidateOnly", "validate_only", FIELD_BOOL, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_configs_request, validate_only), 0, 0, NULL},
};

const struct schema alter_configs_request_schema = {
	"AlterConfigsRequest", alter_configs_request_fields, 2, sizeof(struct alter_configs_request), 0, 2, 2, 33, false,
};

static const struct schema_field alter_configs_response_alter_configs_resource_response_fields[] = {
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_configs_response_alter_configs_resource_response, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, 0, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct alter_configs_response_alter_configs_resource_response, error_message), 0, 0, NULL},
	{"ResourceType", "resource_type", FIELD_INT8, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_configs_response_alter_configs_resource_response, resource_type), 0, 0, NULL},
	{"ResourceName", "resource_name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_configs_response_alter_configs_resource_response, resource_name), 0, 0, NULL},
};

const struct schema alter_configs_response_alter_configs_resource_response_schema = {
	"AlterConfigsResourceResponse", alter_configs_response_alter_configs_resource_response_fields, 4, sizeof(struct alter_configs_response_alter_configs_resource_response), 0, 2, 2, -1, true,
};

static const struct schema_field alter_configs_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_configs_response, throttle_time_ms), 0, 0, NULL},
	{"Responses", "responses", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_configs_response, responses), offsetof(struct alter_configs_response, responses_n), 0, &alter_configs_response_alter_configs_resource_response_schema},
};

const struct schema alter_configs_response_schema = {
	"AlterConfigsResponse", alter_configs_response_fields, 2, sizeof(struct alter_configs_response), 0, 2, 2, 33, true,
};

static const struct schema_field sasl_authenticate_request_fields[] = {
	{"AuthBytes", "auth_bytes", FIELD_BYTES, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct sasl_authenticate_request, auth_bytes), 0, 0, NULL},
};

const struct schema sasl_authenticate_request_schema = {
	"SaslAuthenticateRequest", sasl_authenticate_request_fields, 1, sizeof(struct sasl_authenticate_request), 0, 2, 2, 36, false,
};

static const struct schema_field sasl_authenticate_response_fields[] = {
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct sasl_authenticate_response, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, 0, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct sasl_authenticate_response, error_message), 0, 0, NULL},
	{"AuthBytes", "auth_bytes", FIELD_BYTES, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct sasl_authenticate_response, auth_bytes), 0, 0, NULL},
	{"SessionLifetimeMs", "session_lifetime_ms", FIELD_INT64, FIELD_IGNORABLE, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct sasl_authenticate_response, session_lifetime_ms), 0, 0, NULL},
};

const struct schema sasl_authenticate_response_schema = {
	"SaslAuthenticateResponse", sasl_authenticate_response_fields, 4, sizeof(struct sasl_authenticate_response), 0, 2, 2, 36, true,
};

static const struct schema_field create_partitions_request_create_partitions_assignment_fields[] = {
	{"BrokerIds", "broker_ids", FIELD_INT32, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_partitions_request_create_partitions_assignment, broker_ids), offsetof(struct create_partitions_request_create_partitions_assignment, broker_ids_n), 0, NULL},
};

const struct schema create_partitions_request_create_partitions_assignment_schema = {
	"CreatePartitionsAssignment", create_partitions_request_create_partitions_assignment_fields, 1, sizeof(struct create_partitions_request_create_partitions_assignment), 0, 3, 2, -1, false,
};

static const struct schema_field create_partitions_request_create_partitions_topic_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_partitions_request_create_partitions_topic, name), 0, 0, NULL},
	{"Count", "count", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_partitions_request_create_partitions_topic, count), 0, 0, NULL},
	{"Assignments", "assignments", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct create_partitions_request_create_partitions_topic, assignments), offsetof(struct create_partitions_request_create_partitions_topic, assignments_n), 0, &create_partitions_request_create_partitions_assignment_schema},
};

const struct schema create_partitions_request_create_partitions_topic_schema = {
	"CreatePartitionsTopic", create_partitions_request_create_partitions_topic_fields, 3, sizeof(struct create_partitions_request_create_partitions_topic), 0, 3, 2, -1, false,
};

static const struct schema_field create_partitions_request_fields[] = {
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_partitions_request, topics), offsetof(struct create_partitions_request, topics_n), 0, &create_partitions_request_create_partitions_topic_schema},
	{"TimeoutMs", "timeout_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_partitions_request, timeout_ms), 0, 0, NULL},
	{"ValidateOnly", "validate_only", FIELD_BOOL, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_partitions_request, validate_only), 0, 0, NULL},
};

const struct schema create_partitions_request_schema = {
	"CreatePartitionsRequest", create_partitions_request_fields, 3, sizeof(struct create_partitions_request), 0, 3, 2, 37, false,
};

static const struct schema_field create_partitions_response_create_partitions_topic_result_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_partitions_response_create_partitions_topic_result, name), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_partitions_response_create_partitions_topic_result, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct create_partitions_response_create_partitions_topic_result, error_message), 0, 0, NULL},
};

const struct schema create_partitions_response_create_partitions_topic_result_schema = {
	"CreatePartitionsTopicResult", create_partitions_response_create_partitions_topic_result_fields, 3, sizeof(struct create_partitions_response_create_partitions_topic_result), 0, 3, 2, -1, true,
};

static const struct schema_field create_partitions_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_partitions_response, throttle_time_ms), 0, 0, NULL},
	{"Results", "results", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct create_partitions_response, results), offsetof(struct create_partitions_response, results_n), 0, &create_partitions_response_create_partitions_topic_result_schema},
};

const struct schema create_partitions_response_schema = {
	"CreatePartitionsResponse", create_partitions_response_fields, 2, sizeof(struct create_partitions_response), 0, 3, 2, 37, true,
};

static const struct schema_field delete_groups_request_fields[] = {
	{"GroupsNames", "groups_names", FIELD_STRING, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_groups_request, groups_names), offsetof(struct delete_groups_request, groups_names_n), 0, NULL},
};

const struct schema delete_groups_request_schema = {
	"DeleteGroupsRequest", delete_groups_request_fields, 1, sizeof(struct delete_groups_request), 0, 3, 2, 42, false,
};

static const struct schema_field delete_groups_response_deletable_group_result_fields[] = {
	{"GroupId", "group_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_groups_response_deletable_group_result, group_id), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_groups_response_deletable_group_result, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_IGNORABLE | FIELD_DEFAULT_NULL, 3, SCHEMA_OPEN, 3, SCHEMA_OPEN,
		0, offsetof(struct delete_groups_response_deletable_group_result, error_message), 0, 0, NULL},
};

const struct schema delete_groups_response_deletable_group_result_schema = {
	"DeletableGroupResult", delete_groups_response_deletable_group_result_fields, 3, sizeof(struct delete_groups_response_deletable_group_result), 0, 3, 2, -1, true,
};

static const struct schema_field delete_groups_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_groups_response, throttle_time_ms), 0, 0, NULL},
	{"Results", "results", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_groups_response, results), offsetof(struct delete_groups_response, results_n), 0, &delete_groups_response_deletable_group_result_schema},
};

const struct schema delete_groups_response_schema = {
	"DeleteGroupsResponse", delete_groups_response_fields, 2, sizeof(struct delete_groups_response), 0, 3, 2, 42, true,
};

static const struct schema_field incremental_alter_configs_request_alterable_config_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct incremental_alter_configs_request_alterable_config, name), 0, 0, NULL},
	{"ConfigOperation", "config_operation", FIELD_INT8, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct incremental_alter_configs_request_alterable_config, config_operation), 0, 0, NULL},
	{"Value", "value", FIELD_STRING, 0, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct incremental_alter_configs_request_alterable_config, value), 0, 0, NULL},
};

const struct schema incremental_alter_configs_request_alterable_config_schema = {
	"AlterableConfig", incremental_alter_configs_request_alterable_config_fields, 3, sizeof(struct incremental_alter_configs_request_alterable_config), 0, 1, 1, -1, false,
};

static const struct schema_field incremental_alter_configs_request_alter_configs_resource_fields[] = {
	{"ResourceType", "resource_type", FIELD_INT8, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct incremental_alter_configs_request_alter_configs_resource, resource_type), 0, 0, NULL},
	{"ResourceName", "resource_name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct incremental_alter_configs_request_alter_configs_resource, resource_name), 0, 0, NULL},
	{"Configs", "configs", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct incremental_alter_configs_request_alter_configs_resource, configs), offsetof(struct incremental_alter_configs_request_alter_configs_resource, configs_n), 0, &incremental_alter_configs_request_alterable_config_schema},
};

const struct schema incremental_alter_configs_request_alter_configs_resource_schema = {
	"AlterConfigsResource", incremental_alter_configs_request_alter_configs_resource_fields, 3, sizeof(struct incremental_alter_configs_request_alter_configs_resource), 0, 1, 1, -1, false,
};

static const struct schema_field incremental_alter_configs_request_fields[] = {
	{"Resources", "resources", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct incremental_alter_configs_request, resources), offsetof(struct incremental_alter_configs_request, resources_n), 0, &incremental_alter_configs_request_alter_configs_resource_schema},
	{"ValidateOnly", "validate_only", FIELD_BOOL, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct incremental_alter_configs_request, validate_only), 0, 0, NULL},
};

const struct schema incremental_alter_configs_request_schema = {
	"IncrementalAlterConfigsRequest", incremental_alter_configs_request_fields, 2, sizeof(struct incremental_alter_configs_request), 0, 1, 1, 44, false,
};

static const struct schema_field incremental_alter_configs_response_alter_configs_resource_response_fields[] = {
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct incremental_alter_configs_response_alter_configs_resource_response, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, 0, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct incremental_alter_configs_response_alter_configs_resource_response, error_message), 0, 0, NULL},
	{"ResourceType", "resource_type", FIELD_INT8, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct incremental_alter_configs_response_alter_configs_resource_response, resource_type), 0, 0, NULL},
	{"ResourceName", "resource_name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct incremental_alter_configs_response_alter_configs_resource_response, resource_name), 0, 0, NULL},
};

const struct schema incremental_alter_configs_response_alter_configs_resource_response_schema = {
	"AlterConfigsResourceResponse", incremental_alter_configs_response_alter_configs_resource_response_fields, 4, sizeof(struct incremental_alter_configs_response_alter_configs_resource_response), 0, 1, 1, -1, true,
};

static const struct schema_field incremental_alter_configs_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct incremental_alter_configs_response, throttle_time_ms), 0, 0, NULL},
	{"Responses", "responses", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct incremental_alter_configs_response, responses), offsetof(struct incremental_alter_configs_response, responses_n), 0, &incremental_alter_configs_response_alter_configs_resource_response_schema},
};

const struct schema incremental_alter_configs_response_schema = {
	"IncrementalAlterConfigsResponse", incremental_alter_configs_response_fields, 2, sizeof(struct incremental_alter_configs_response), 0, 1, 1, 44, true,
};

static const struct schema_field offset_delete_request_offset_delete_request_partition_fields[] = {
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_delete_request_offset_delete_request_partition, partition_index), 0, 0, NULL},
};

const struct schema offset_delete_request_offset_delete_request_partition_schema = {
	"OffsetDeleteRequestPartition", offset_delete_request_offset_delete_request_partition_fields, 1, sizeof(struct offset_delete_request_offset_delete_request_partition), 0, 0, SCHEMA_OPEN, -1, false,
};

static const struct schema_field offset_delete_request_offset_delete_request_topic_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_delete_request_offset_delete_request_topic, name), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_delete_request_offset_delete_request_topic, partitions), offsetof(struct offset_delete_request_offset_delete_request_topic, partitions_n), 0, &offset_delete_request_offset_delete_request_partition_schema},
};

const struct schema offset_delete_request_offset_delete_request_topic_schema = {
	"OffsetDeleteRequestTopic", offset_delete_request_offset_delete_request_topic_fields, 2, sizeof(struct offset_delete_request_offset_delete_request_topic), 0, 0, SCHEMA_OPEN, -1, false,
};

static const struct schema_field offset_delete_request_fields[] = {
	{"GroupId", "group_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_delete_request, group_id), 0, 0, NULL},
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_delete_request, topics), offsetof(struct offset_delete_request, topics_n), 0, &offset_delete_request_offset_delete_request_topic_schema},
};

const struct schema offset_delete_request_schema = {
	"OffsetDeleteRequest", offset_delete_request_fields, 2, sizeof(struct offset_delete_request), 0, 0, SCHEMA_OPEN, 47, false,
};

static const struct schema_field offset_delete_response_offset_delete_response_partition_fields[] = {
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_delete_response_offset_delete_response_partition, partition_index), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_delete_response_offset_delete_response_partition, error_code), 0, 0, NULL},
};

const struct schema offset_delete_response_offset_delete_response_partition_schema = {
	"OffsetDeleteResponsePartition", offset_delete_response_offset_delete_response_partition_fields, 2, sizeof(struct offset_delete_response_offset_delete_response_partition), 0, 0, SCHEMA_OPEN, -1, true,
};

static const struct schema_field offset_delete_response_offset_delete_response_topic_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_delete_response_offset_delete_response_topic, name), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_delete_response_offset_delete_response_topic, partitions), offsetof(struct offset_delete_response_offset_delete_response_topic, partitions_n), 0, &offset_delete_response_offset_delete_response_partition_schema},
};

const struct schema offset_delete_response_offset_delete_response_topic_schema = {
	"OffsetDeleteResponseTopic", offset_delete_response_offset_delete_response_topic_fields, 2, sizeof(struct offset_delete_response_offset_delete_response_topic), 0, 0, SCHEMA_OPEN, -1, true,
};

static const struct schema_field offset_delete_response_fields[] = {
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_delete_response, error_code), 0, 0, NULL},
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, FIELD_IGNORABLE, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_delete_response, throttle_time_ms), 0, 0, NULL},
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct offset_delete_response, topics), offsetof(struct offset_delete_response, topics_n), 0, &offset_delete_response_offset_delete_response_topic_schema},
};

const struct schema offset_delete_response_schema = {
	"OffsetDeleteResponse", offset_delete_response_fields, 3, sizeof(struct offset_delete_response), 0, 0, SCHEMA_OPEN, 47, true,
};

static const struct schema_field describe_cluster_request_fields[] = {
	{"IncludeClusterAuthorizedOperations", "include_cluster_authorized_operations", FIELD_BOOL, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_cluster_request, include_cluster_authorized_operations), 0, 0, NULL},
	{"EndpointType", "endpoint_type", FIELD_INT8, 0, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_cluster_request, endpoint_type), 0, 1, NULL},
	{"IncludeFencedBrokers", "include_fenced_brokers", FIELD_BOOL, 0, 2, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_cluster_request, include_fenced_brokers), 0, 0, NULL},
};

const struct schema describe_cluster_request_schema = {
	"DescribeClusterRequest", describe_cluster_request_fields, 3, sizeof(struct describe_cluster_request), 0, 2, 0, 60, false,
};

static const struct schema_field describe_cluster_response_describe_cluster_broker_fields[] = {
	{"BrokerId", "broker_id", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_cluster_response_describe_cluster_broker, broker_id), 0, 0, NULL},
	{"Host", "host", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_cluster_response_describe_cluster_broker, host), 0, 0, NULL},
	{"Port", "port", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_cluster_response_describe_cluster_broker, port), 0, 0, NULL},
	{"Rack", "rack", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct describe_cluster_response_describe_cluster_broker, rack), 0, 0, NULL},
	{"IsFenced", "is_fenced", FIELD_BOOL, 0, 2, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_cluster_response_describe_cluster_broker, is_fenced), 0, 0, NULL},
};

const struct schema describe_cluster_response_describe_cluster_broker_schema = {
	"DescribeClusterBroker", describe_cluster_response_describe_cluster_broker_fields, 5, sizeof(struct describe_cluster_response_describe_cluster_broker), 0, 2, 0, -1, true,
};

static const struct schema_field describe_cluster_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_cluster_response, throttle_time_ms), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_cluster_response, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct describe_cluster_response, error_message), 0, 0, NULL},
	{"EndpointType", "endpoint_type", FIELD_INT8, 0, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_cluster_response, endpoint_type), 0, 1, NULL},
	{"ClusterId", "cluster_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_cluster_response, cluster_id), 0, 0, NULL},
	{"ControllerId", "controller_id", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_cluster_response, controller_id), 0, -1, NULL},
	{"Brokers", "brokers", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_cluster_response, brokers), offsetof(struct describe_cluster_response, brokers_n), 0, &describe_cluster_response_describe_cluster_broker_schema},
	{"ClusterAuthorizedOperations", "cluster_authorized_operations", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_cluster_response, cluster_authorized_operations), 0, INT64_C(-2147483648), NULL},
};

const struct schema describe_cluster_response_schema = {
	"DescribeClusterResponse", describe_cluster_response_fields, 8, sizeof(struct describe_cluster_response), 0, 2, 0, 60, true,
};

static const struct schema_field consumer_group_heartbeat_request_topic_partitions_fields[] = {
	{"TopicId", "topic_id", FIELD_UUID, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_heartbeat_request_topic_partitions, topic_id), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_INT32, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_heartbeat_request_topic_partitions, partitions), offsetof(struct consumer_group_heartbeat_request_topic_partitions, partitions_n), 0, NULL},
};

const struct schema consumer_group_heartbeat_request_topic_partitions_schema = {
	"TopicPartitions", consumer_group_heartbeat_request_topic_partitions_fields, 2, sizeof(struct consumer_group_heartbeat_request_topic_partitions), 0, 1, 0, -1, false,
};

static const struct schema_field consumer_group_heartbeat_request_fields[] = {
	{"GroupId", "group_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_heartbeat_request, group_id), 0, 0, NULL},
	{"MemberId", "member_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_heartbeat_request, member_id), 0, 0, NULL},
	{"MemberEpoch", "member_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_heartbeat_request, member_epoch), 0, 0, NULL},
	{"InstanceId", "instance_id", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct consumer_group_heartbeat_request, instance_id), 0, 0, NULL},
	{"RackId", "rack_id", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct consumer_group_heartbeat_request, rack_id), 0, 0, NULL},
	{"RebalanceTimeoutMs", "rebalance_timeout_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_heartbeat_request, rebalance_timeout_ms), 0, -1, NULL},
	{"SubscribedTopicNames", "subscribed_topic_names", FIELD_STRING, FIELD_ARRAY | FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct consumer_group_heartbeat_request, subscribed_topic_names), offsetof(struct consumer_group_heartbeat_request, subscribed_topic_names_n), 0, NULL},
	{"SubscribedTopicRegex", "subscribed_topic_regex", FIELD_STRING, FIELD_DEFAULT_NULL, 1, SCHEMA_OPEN, 1, SCHEMA_OPEN,
		0, offsetof(struct consumer_group_heartbeat_request, subscribed_topic_regex), 0, 0, NULL},
	{"ServerAssignor", "server_assignor", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct consumer_group_heartbeat_request, server_assignor), 0, 0, NULL},
	{"TopicPartitions", "topic_partitions", FIELD_STRUCT, FIELD_ARRAY | FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct consumer_group_heartbeat_request, topic_partitions), offsetof(struct consumer_group_heartbeat_request, topic_partitions_n), 0, &consumer_group_heartbeat_request_topic_partitions_schema},
};

const struct schema consumer_group_heartbeat_request_schema = {
	"ConsumerGroupHeartbeatRequest", consumer_group_heartbeat_request_fields, 10, sizeof(struct consumer_group_heartbeat_request), 0, 1, 0, 68, false,
};

static const struct schema_field consumer_group_heartbeat_response_topic_partitions_fields[] = {
	{"TopicId", "topic_id", FIELD_UUID, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_heartbeat_response_topic_partitions, topic_id), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_INT32, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_heartbeat_response_topic_partitions, partitions), offsetof(struct consumer_group_heartbeat_response_topic_partitions, partitions_n), 0, NULL},
};

const struct schema consumer_group_heartbeat_response_topic_partitions_schema = {
	"TopicPartitions", consumer_group_heartbeat_response_topic_partitions_fields, 2, sizeof(struct consumer_group_heartbeat_response_topic_partitions), 0, 1, 0, -1, true,
};

static const struct schema_field consumer_group_heartbeat_response_assignment_fields[] = {
	{"TopicPartitions", "topic_partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_heartbeat_response_assignment, topic_partitions), offsetof(struct consumer_group_heartbeat_response_assignment, topic_partitions_n), 0, &consumer_group_heartbeat_response_topic_partitions_schema},
};

const struct schema consumer_group_heartbeat_response_assignment_schema = {
	"Assignment", consumer_group_heartbeat_response_assignment_fields, 1, sizeof(struct consumer_group_heartbeat_response_assignment), 0, 1, 0, -1, true,
};

static const struct schema_field consumer_group_heartbeat_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_heartbeat_response, throttle_time_ms), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_heartbeat_response, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct consumer_group_heartbeat_response, error_message), 0, 0, NULL},
	{"MemberId", "member_id", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct consumer_group_heartbeat_response, member_id), 0, 0, NULL},
	{"MemberEpoch", "member_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_heartbeat_response, member_epoch), 0, 0, NULL},
	{"HeartbeatIntervalMs", "heartbeat_interval_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_heartbeat_response, heartbeat_interval_ms), 0, 0, NULL},
	{"Assignment", "assignment", FIELD_STRUCT, FIELD_POINTER | FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct consumer_group_heartbeat_response, assignment), 0, 0, &consumer_group_heartbeat_response_assignment_schema},
};

const struct schema consumer_group_heartbeat_response_schema = {
	"ConsumerGroupHeartbeatResponse", consumer_group_heartbeat_response_fields, 7, sizeof(struct consumer_group_heartbeat_response), 0, 1, 0, 68, true,
};

static const struct schema_field consumer_group_describe_request_fields[] = {
	{"GroupIds", "group_ids", FIELD_STRING, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_describe_request, group_ids), offsetof(struct consumer_group_describe_request, group_ids_n), 0, NULL},
	{"IncludeAuthorizedOperations", "include_authorized_operations", FIELD_BOOL, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_describe_request, include_authorized_operations), 0, 0, NULL},
};

const struct schema consumer_group_describe_request_schema = {
	"ConsumerGroupDescribeRequest", consumer_group_describe_request_fields, 2, sizeof(struct consumer_group_describe_request), 0, 1, 0, 69, false,
};

static const struct schema_field consumer_group_describe_response_topic_partitions_fields[] = {
	{"TopicId", "topic_id", FIELD_UUID, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_describe_response_topic_partitions, topic_id), 0, 0, NULL},
	{"TopicName", "topic_name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_describe_response_topic_partitions, topic_name), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_INT32, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_describe_response_topic_partitions, partitions), offsetof(struct consumer_group_describe_response_topic_partitions, partitions_n), 0, NULL},
};

const struct schema consumer_group_describe_response_topic_partitions_schema = {
	"TopicPartitions", consumer_group_describe_response_topic_partitions_fields, 3, sizeof(struct consumer_group_describe_response_topic_partitions), 0, 1, 0, -1, true,
};

static const struct schema_field consumer_group_describe_response_assignment_fields[] = {
	{"TopicPartitions", "topic_partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_describe_response_assignment, topic_partitions), offsetof(struct consumer_group_describe_response_assignment, topic_partitions_n), 0, &consumer_group_describe_response_topic_partitions_schema},
};

const struct schema consumer_group_describe_response_assignment_schema = {
	"Assignment", consumer_group_describe_response_assignment_fields, 1, sizeof(struct consumer_group_describe_response_assignment), 0, 1, 0, -1, true,
};

static const struct schema_field consumer_group_describe_response_member_fields[] = {
	{"MemberId", "member_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_describe_response_member, member_id), 0, 0, NULL},
	{"InstanceId", "instance_id", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct consumer_group_describe_response_member, instance_id), 0, 0, NULL},
	{"RackId", "rack_id", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct consumer_group_describe_response_member, rack_id), 0, 0, NULL},
	{"MemberEpoch", "member_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_describe_response_member, member_epoch), 0, 0, NULL},
	{"ClientId", "client_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_describe_response_member, client_id), 0, 0, NULL},
	{"ClientHost", "client_host", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_describe_response_member, client_host), 0, 0, NULL},
	{"SubscribedTopicNames", "subscribed_topic_names", FIELD_STRING, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_describe_response_member, subscribed_topic_names), offsetof(struct consumer_group_describe_response_member, subscribed_topic_names_n), 0, NULL},
	{"SubscribedTopicRegex", "subscribed_topic_regex", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct consumer_group_describe_response_member, subscribed_topic_regex), 0, 0, NULL},
	{"Assignment", "assignment", FIELD_STRUCT, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_describe_response_member, assignment), 0, 0, &consumer_group_describe_response_assignment_schema},
	{"TargetAssignment", "target_assignment", FIELD_STRUCT, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_describe_response_member, target_assignment), 0, 0, &consumer_group_describe_response_assignment_schema},
	{"MemberType", "member_type", FIELD_INT8, FIELD_IGNORABLE, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_describe_response_member, member_type), 0, -1, NULL},
};

const struct schema consumer_group_describe_response_member_schema = {
	"Member", consumer_group_describe_response_member_fields, 11, sizeof(struct consumer_group_describe_response_member), 0, 1, 0, -1, true,
};

static const struct schema_field consumer_group_describe_response_described_group_fields[] = {
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_describe_response_described_group, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct consumer_group_describe_response_described_group, error_message), 0, 0, NULL},
	{"GroupId", "group_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_describe_response_described_group, group_id), 0, 0, NULL},
	{"GroupState", "group_state", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_describe_response_described_group, group_state), 0, 0, NULL},
	{"GroupEpoch", "group_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_describe_response_described_group, group_epoch), 0, 0, NULL},
	{"AssignmentEpoch", "assignment_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_describe_response_described_group, assignment_epoch), 0, 0, NULL},
	{"AssignorName", "assignor_name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_describe_response_described_group, assignor_name), 0, 0, NULL},
	{"Members", "members", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_describe_response_described_group, members), offsetof(struct consumer_group_describe_response_described_group, members_n), 0, &consumer_group_describe_response_member_schema},
	{"AuthorizedOperations", "authorized_operations", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_describe_response_described_group, authorized_operations), 0, INT64_C(-2147483648), NULL},
};

const struct schema consumer_group_describe_response_described_group_schema = {
	"DescribedGroup", consumer_group_describe_response_described_group_fields, 9, sizeof(struct consumer_group_describe_response_described_group), 0, 1, 0, -1, true,
};

static const struct schema_field consumer_group_describe_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_describe_response, throttle_time_ms), 0, 0, NULL},
	{"Groups", "groups", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct consumer_group_describe_response, groups), offsetof(struct consumer_group_describe_response, groups_n), 0, &consumer_group_describe_response_described_group_schema},
};

const struct schema consumer_group_describe_response_schema = {
	"ConsumerGroupDescribeResponse", consumer_group_describe_response_fields, 2, sizeof(struct consumer_group_describe_response), 0, 1, 0, 69, true,
};

static const struct schema_field list_config_resources_request_fields[] = {
	{"ResourceTypes", "resource_types", FIELD_INT8, FIELD_ARRAY, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_config_resources_request, resource_types), offsetof(struct list_config_resources_request, resource_types_n), 0, NULL},
};

const struct schema list_config_resources_request_schema = {
	"ListConfigResourcesRequest", list_config_resources_request_fields, 1, sizeof(struct list_config_resources_request), 0, 1, 0, 74, false,
};

static const struct schema_field list_config_resources_response_config_resource_fields[] = {
	{"ResourceName", "resource_name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_config_resources_response_config_resource, resource_name), 0, 0, NULL},
	{"ResourceType", "resource_type", FIELD_INT8, FIELD_IGNORABLE, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_config_resources_response_config_resource, resource_type), 0, 16, NULL},
};

const struct schema list_config_resources_response_config_resource_schema = {
	"ConfigResource", list_config_resources_response_config_resource_fields, 2, sizeof(struct list_config_resources_response_config_resource), 0, 1, 0, -1, true,
};

static const struct schema_field list_config_resources_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_config_resources_response, throttle_time_ms), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_config_resources_response, error_code), 0, 0, NULL},
	{"ConfigResources", "config_resources", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct list_config_resources_response, config_resources), offsetof(struct list_config_resources_response, config_resources_n), 0, &list_config_resources_response_config_resource_schema},
};

const struct schema list_config_resources_response_schema = {
	"ListConfigResourcesResponse", list_config_resources_response_fields, 3, sizeof(struct list_config_resources_response), 0, 1, 0, 74, true,
};

static const struct schema_field describe_topic_partitions_request_topic_request_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_topic_partitions_request_topic_request, name), 0, 0, NULL},
};

const struct schema describe_topic_partitions_request_topic_request_schema = {
	"TopicRequest", describe_topic_partitions_request_topic_request_fields, 1, sizeof(struct describe_topic_partitions_request_topic_request), 0, 0, 0, -1, false,
};

static const struct schema_field describe_topic_partitions_request_cursor_fields[] = {
	{"TopicName", "topic_name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_topic_partitions_request_cursor, topic_name), 0, 0, NULL},
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_topic_partitions_request_cursor, partition_index), 0, 0, NULL},
};

const struct schema describe_topic_partitions_request_cursor_schema = {
	"Cursor", describe_topic_partitions_request_cursor_fields, 2, sizeof(struct describe_topic_partitions_request_cursor), 0, 0, 0, -1, false,
};

static const struct schema_field describe_topic_partitions_request_fields[] = {
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_topic_partitions_request, topics), offsetof(struct describe_topic_partitions_request, topics_n), 0, &describe_topic_partitions_request_topic_request_schema},
	{"ResponsePartitionLimit", "response_partition_limit", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_topic_partitions_request, response_partition_limit), 0, 2000, NULL},
	{"Cursor", "cursor", FIELD_STRUCT, FIELD_POINTER | FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct describe_topic_partitions_request, cursor), 0, 0, &describe_topic_partitions_request_cursor_schema},
};

const struct schema describe_topic_partitions_request_schema = {
	"DescribeTopicPartitionsRequest", describe_topic_partitions_request_fields, 3, sizeof(struct describe_topic_partitions_request), 0, 0, 0, 75, false,
};

static const struct schema_field describe_topic_partitions_response_describe_topic_partitions_response_partition_fields[] = {
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_topic_partitions_response_describe_topic_partitions_response_partition, error_code), 0, 0, NULL},
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_topic_partitions_response_describe_topic_partitions_response_partition, partition_index), 0, 0, NULL},
	{"LeaderId", "leader_id", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_topic_partitions_response_describe_topic_partitions_response_partition, leader_id), 0, 0, NULL},
	{"LeaderEpoch", "leader_epoch", FIELD_INT32, FIELD_IGNORABLE, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_topic_partitions_response_describe_topic_partitions_response_partition, leader_epoch), 0, -1, NULL},
	{"ReplicaNodes", "replica_nodes", FIELD_INT32, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_topic_partitions_response_describe_topic_partitions_response_partition, replica_nodes), offsetof(struct describe_topic_partitions_response_describe_topic_partitions_response_partition, replica_nodes_n), 0, NULL},
	{"IsrNodes", "isr_nodes", FIELD_INT32, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_topic_partitions_response_describe_topic_partitions_response_partition, isr_nodes), offsetof(struct describe_topic_partitions_response_describe_topic_partitions_response_partition, isr_nodes_n), 0, NULL},
	{"EligibleLeaderReplicas", "eligible_leader_replicas", FIELD_INT32, FIELD_ARRAY | FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct describe_topic_partitions_response_describe_topic_partitions_response_partition, eligible_leader_replicas), offsetof(struct describe_topic_partitions_response_describe_topic_partitions_response_partition, eligible_leader_replicas_n), 0, NULL},
	{"LastKnownElr", "last_known_elr", FIELD_INT32, FIELD_ARRAY | FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct describe_topic_partitions_response_describe_topic_partitions_response_partition, last_known_elr), offsetof(struct describe_topic_partitions_response_describe_topic_partitions_response_partition, last_known_elr_n), 0, NULL},
	{"OfflineReplicas", "offline_replicas", FIELD_INT32, FIELD_ARRAY | FIELD_IGNORABLE, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_topic_partitions_response_describe_topic_partitions_response_partition, offline_replicas), offsetof(struct describe_topic_partitions_response_describe_topic_partitions_response_partition, offline_replicas_n), 0, NULL},
};

const struct schema describe_topic_partitions_response_describe_topic_partitions_response_partition_schema = {
	"DescribeTopicPartitionsResponsePartition", describe_topic_partitions_response_describe_topic_partitions_response_partition_fields, 9, sizeof(struct describe_topic_partitions_response_describe_topic_partitions_response_partition), 0, 0, 0, -1, true,
};

static const struct schema_field describe_topic_partitions_response_describe_topic_partitions_response_topic_fields[] = {
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_topic_partitions_response_describe_topic_partitions_response_topic, error_code), 0, 0, NULL},
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct describe_topic_partitions_response_describe_topic_partitions_response_topic, name), 0, 0, NULL},
	{"TopicId", "topic_id", FIELD_UUID, FIELD_IGNORABLE, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_topic_partitions_response_describe_topic_partitions_response_topic, topic_id), 0, 0, NULL},
	{"IsInternal", "is_internal", FIELD_BOOL, FIELD_IGNORABLE, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_topic_partitions_response_describe_topic_partitions_response_topic, is_internal), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_topic_partitions_response_describe_topic_partitions_response_topic, partitions), offsetof(struct describe_topic_partitions_response_describe_topic_partitions_response_topic, partitions_n), 0, &describe_topic_partitions_response_describe_topic_partitions_response_partition_schema},
	{"TopicAuthorizedOperations", "topic_authorized_operations", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_topic_partitions_response_describe_topic_partitions_response_topic, topic_authorized_operations), 0, INT64_C(-2147483648), NULL},
};

const struct schema describe_topic_partitions_response_describe_topic_partitions_response_topic_schema = {
	"DescribeTopicPartitionsResponseTopic", describe_topic_partitions_response_describe_topic_partitions_response_topic_fields, 6, sizeof(struct describe_topic_partitions_response_describe_topic_partitions_response_topic), 0, 0, 0, -1, true,
};

static const struct schema_field describe_topic_partitions_response_cursor_fields[] = {
	{"TopicName", "topic_name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_topic_partitions_response_cursor, topic_name), 0, 0, NULL},
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_topic_partitions_response_cursor, partition_index), 0, 0, NULL},
};

const struct schema describe_topic_partitions_response_cursor_schema = {
	"Cursor", describe_topic_partitions_response_cursor_fields, 2, sizeof(struct describe_topic_partitions_response_cursor), 0, 0, 0, -1, true,
};

static const struct schema_field describe_topic_partitions_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, FIELD_IGNORABLE, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_topic_partitions_response, throttle_time_ms), 0, 0, NULL},
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_topic_partitions_response, topics), offsetof(struct describe_topic_partitions_response, topics_n), 0, &describe_topic_partitions_response_describe_topic_partitions_response_topic_schema},
	{"NextCursor", "next_cursor", FIELD_STRUCT, FIELD_POINTER | FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct describe_topic_partitions_response, next_cursor), 0, 0, &describe_topic_partitions_response_cursor_schema},
};

const struct schema describe_topic_partitions_response_schema = {
	"DescribeTopicPartitionsResponse", describe_topic_partitions_response_fields, 3, sizeof(struct describe_topic_partitions_response), 0, 0, 0, 75, true,
};

static const struct schema_field share_group_heartbeat_request_fields[] = {
	{"GroupId", "group_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_heartbeat_request, group_id), 0, 0, NULL},
	{"MemberId", "member_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_heartbeat_request, member_id), 0, 0, NULL},
	{"MemberEpoch", "member_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_heartbeat_request, member_epoch), 0, 0, NULL},
	{"RackId", "rack_id", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct share_group_heartbeat_request, rack_id), 0, 0, NULL},
	{"SubscribedTopicNames", "subscribed_topic_names", FIELD_STRING, FIELD_ARRAY | FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct share_group_heartbeat_request, subscribed_topic_names), offsetof(struct share_group_heartbeat_request, subscribed_topic_names_n), 0, NULL},
};

const struct schema share_group_heartbeat_request_schema = {
	"ShareGroupHeartbeatRequest", share_group_heartbeat_request_fields, 5, sizeof(struct share_group_heartbeat_request), 1, 1, 0, 76, false,
};

static const struct schema_field share_group_heartbeat_response_topic_partitions_fields[] = {
	{"TopicId", "topic_id", FIELD_UUID, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_heartbeat_response_topic_partitions, topic_id), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_INT32, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_heartbeat_response_topic_partitions, partitions), offsetof(struct share_group_heartbeat_response_topic_partitions, partitions_n), 0, NULL},
};

const struct schema share_group_heartbeat_response_topic_partitions_schema = {
	"TopicPartitions", share_group_heartbeat_response_topic_partitions_fields, 2, sizeof(struct share_group_heartbeat_response_topic_partitions), 1, 1, 0, -1, true,
};

static const struct schema_field share_group_heartbeat_response_assignment_fields[] = {
	{"TopicPartitions", "topic_partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_heartbeat_response_assignment, topic_partitions), offsetof(struct share_group_heartbeat_response_assignment, topic_partitions_n), 0, &share_group_heartbeat_response_topic_partitions_schema},
};

const struct schema share_group_heartbeat_response_assignment_schema = {
	"Assignment", share_group_heartbeat_response_assignment_fields, 1, sizeof(struct share_group_heartbeat_response_assignment), 1, 1, 0, -1, true,
};

static const struct schema_field share_group_heartbeat_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_heartbeat_response, throttle_time_ms), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_heartbeat_response, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct share_group_heartbeat_response, error_message), 0, 0, NULL},
	{"MemberId", "member_id", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct share_group_heartbeat_response, member_id), 0, 0, NULL},
	{"MemberEpoch", "member_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_heartbeat_response, member_epoch), 0, 0, NULL},
	{"HeartbeatIntervalMs", "heartbeat_interval_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_heartbeat_response, heartbeat_interval_ms), 0, 0, NULL},
	{"Assignment", "assignment", FIELD_STRUCT, FIELD_POINTER | FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct share_group_heartbeat_response, assignment), 0, 0, &share_group_heartbeat_response_assignment_schema},
};

const struct schema share_group_heartbeat_response_schema = {
	"ShareGroupHeartbeatResponse", share_group_heartbeat_response_fields, 7, sizeof(struct share_group_heartbeat_response), 1, 1, 0, 76, true,
};

static const struct schema_field share_group_describe_request_fields[] = {
	{"GroupIds", "group_ids", FIELD_STRING, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_describe_request, group_ids), offsetof(struct share_group_describe_request, group_ids_n), 0, NULL},
	{"IncludeAuthorizedOperations", "include_authorized_operations", FIELD_BOOL, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_describe_request, include_authorized_operations), 0, 0, NULL},
};

const struct schema share_group_describe_request_schema = {
	"ShareGroupDescribeRequest", share_group_describe_request_fields, 2, sizeof(struct share_group_describe_request), 1, 1, 0, 77, false,
};

static const struct schema_field share_group_describe_response_topic_partitions_fields[] = {
	{"TopicId", "topic_id", FIELD_UUID, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_describe_response_topic_partitions, topic_id), 0, 0, NULL},
	{"TopicName", "topic_name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_describe_response_topic_partitions, topic_name), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_INT32, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_describe_response_topic_partitions, partitions), offsetof(struct share_group_describe_response_topic_partitions, partitions_n), 0, NULL},
};

const struct schema share_group_describe_response_topic_partitions_schema = {
	"TopicPartitions", share_group_describe_response_topic_partitions_fields, 3, sizeof(struct share_group_describe_response_topic_partitions), 1, 1, 0, -1, true,
};

static const struct schema_field share_group_describe_response_assignment_fields[] = {
	{"TopicPartitions", "topic_partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_describe_response_assignment, topic_partitions), offsetof(struct share_group_describe_response_assignment, topic_partitions_n), 0, &share_group_describe_response_topic_partitions_schema},
};

const struct schema share_group_describe_response_assignment_schema = {
	"Assignment", share_group_describe_response_assignment_fields, 1, sizeof(struct share_group_describe_response_assignment), 1, 1, 0, -1, true,
};

static const struct schema_field share_group_describe_response_member_fields[] = {
	{"MemberId", "member_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_describe_response_member, member_id), 0, 0, NULL},
	{"RackId", "rack_id", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct share_group_describe_response_member, rack_id), 0, 0, NULL},
	{"MemberEpoch", "member_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_describe_response_member, member_epoch), 0, 0, NULL},
	{"ClientId", "client_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_describe_response_member, client_id), 0, 0, NULL},
	{"ClientHost", "client_host", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_describe_response_member, client_host), 0, 0, NULL},
	{"SubscribedTopicNames", "subscribed_topic_names", FIELD_STRING, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_describe_response_member, subscribed_topic_names), offsetof(struct share_group_describe_response_member, subscribed_topic_names_n), 0, NULL},
	{"Assignment", "assignment", FIELD_STRUCT, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_describe_response_member, assignment), 0, 0, &share_group_describe_response_assignment_schema},
};

const struct schema share_group_describe_response_member_schema = {
	"Member", share_group_describe_response_member_fields, 7, sizeof(struct share_group_describe_response_member), 1, 1, 0, -1, true,
};

static const struct schema_field share_group_describe_response_described_group_fields[] = {
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_describe_response_described_group, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct share_group_describe_response_described_group, error_message), 0, 0, NULL},
	{"GroupId", "group_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_describe_response_described_group, group_id), 0, 0, NULL},
	{"GroupState", "group_state", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_describe_response_described_group, group_state), 0, 0, NULL},
	{"GroupEpoch", "group_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_describe_response_described_group, group_epoch), 0, 0, NULL},
	{"AssignmentEpoch", "assignment_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_describe_response_described_group, assignment_epoch), 0, 0, NULL},
	{"AssignorName", "assignor_name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_describe_response_described_group, assignor_name), 0, 0, NULL},
	{"Members", "members", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_describe_response_described_group, members), offsetof(struct share_group_describe_response_described_group, members_n), 0, &share_group_describe_response_member_schema},
	{"AuthorizedOperations", "authorized_operations", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_describe_response_described_group, authorized_operations), 0, INT64_C(-2147483648), NULL},
};

const struct schema share_group_describe_response_described_group_schema = {
	"DescribedGroup", share_group_describe_response_described_group_fields, 9, sizeof(struct share_group_describe_response_described_group), 1, 1, 0, -1, true,
};

static const struct schema_field share_group_describe_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_describe_response, throttle_time_ms), 0, 0, NULL},
	{"Groups", "groups", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_group_describe_response, groups), offsetof(struct share_group_describe_response, groups_n), 0, &share_group_describe_response_described_group_schema},
};

const struct schema share_group_describe_response_schema = {
	"ShareGroupDescribeResponse", share_group_describe_response_fields, 2, sizeof(struct share_group_describe_response), 1, 1, 0, 77, true,
};

static const struct schema_field share_fetch_request_acknowledgement_batch_fields[] = {
	{"FirstOffset", "first_offset", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_request_acknowledgement_batch, first_offset), 0, 0, NULL},
	{"LastOffset", "last_offset", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_request_acknowledgement_batch, last_offset), 0, 0, NULL},
	{"AcknowledgeTypes", "acknowledge_types", FIELD_INT8, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_request_acknowledgement_batch, acknowledge_types), offsetof(struct share_fetch_request_acknowledgement_batch, acknowledge_types_n), 0, NULL},
};

const struct schema share_fetch_request_acknowledgement_batch_schema = {
	"AcknowledgementBatch", share_fetch_request_acknowledgement_batch_fields, 3, sizeof(struct share_fetch_request_acknowledgement_batch), 1, 2, 0, -1, false,
};

static const struct schema_field share_fetch_request_fetch_partition_fields[] = {
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_request_fetch_partition, partition_index), 0, 0, NULL},
	{"AcknowledgementBatches", "acknowledgement_batches", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_request_fetch_partition, acknowledgement_batches), offsetof(struct share_fetch_request_fetch_partition, acknowledgement_batches_n), 0, &share_fetch_request_acknowledgement_batch_schema},
};

const struct schema share_fetch_request_fetch_partition_schema = {
	"FetchPartition", share_fetch_request_fetch_partition_fields, 2, sizeof(struct share_fetch_request_fetch_partition), 1, 2, 0, -1, false,
};

static const struct schema_field share_fetch_request_fetch_topic_fields[] = {
	{"TopicId", "topic_id", FIELD_UUID, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_request_fetch_topic, topic_id), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_request_fetch_topic, partitions), offsetof(struct share_fetch_request_fetch_topic, partitions_n), 0, &share_fetch_request_fetch_partition_schema},
};

const struct schema share_fetch_request_fetch_topic_schema = {
	"FetchTopic", share_fetch_request_fetch_topic_fields, 2, sizeof(struct share_fetch_request_fetch_topic), 1, 2, 0, -1, false,
};

static const struct schema_field share_fetch_request_forgotten_topic_fields[] = {
	{"TopicId", "topic_id", FIELD_UUID, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_request_forgotten_topic, topic_id), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_INT32, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_request_forgotten_topic, partitions), offsetof(struct share_fetch_request_forgotten_topic, partitions_n), 0, NULL},
};

const struct schema share_fetch_request_forgotten_topic_schema = {
	"ForgottenTopic", share_fetch_request_forgotten_topic_fields, 2, sizeof(struct share_fetch_request_forgotten_topic), 1, 2, 0, -1, false,
};

static const struct schema_field share_fetch_request_fields[] = {
	{"GroupId", "group_id", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct share_fetch_request, group_id), 0, 0, NULL},
	{"MemberId", "member_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct share_fetch_request, member_id), 0, 0, NULL},
	{"ShareSessionEpoch", "share_session_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_request, share_session_epoch), 0, 0, NULL},
	{"MaxWaitMs", "max_wait_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_request, max_wait_ms), 0, 0, NULL},
	{"MinBytes", "min_bytes", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_request, min_bytes), 0, 0, NULL},
	{"MaxBytes", "max_bytes", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_request, max_bytes), 0, 2147483647, NULL},
	{"MaxRecords", "max_records", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_request, max_records), 0, 0, NULL},
	{"BatchSize", "batch_size", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_request, batch_size), 0, 0, NULL},
	{"ShareAcquireMode", "share_acquire_mode", FIELD_INT8, FIELD_IGNORABLE, 2, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_request, share_acquire_mode), 0, 0, NULL},
	{"IsRenewAck", "is_renew_ack", FIELD_BOOL, 0, 2, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_request, is_renew_ack), 0, 0, NULL},
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_request, topics), offsetof(struct share_fetch_request, topics_n), 0, &share_fetch_request_fetch_topic_schema},
	{"ForgottenTopicsData", "forgotten_topics_data", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_request, forgotten_topics_data), offsetof(struct share_fetch_request, forgotten_topics_data_n), 0, &share_fetch_request_forgotten_topic_schema},
};

const struct schema share_fetch_request_schema = {
	"ShareFetchRequest", share_fetch_request_fields, 12, sizeof(struct share_fetch_request), 1, 2, 0, 78, false,
};

static const struct schema_field share_fetch_response_leader_id_and_epoch_fields[] = {
	{"LeaderId", "leader_id", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_response_leader_id_and_epoch, leader_id), 0, 0, NULL},
	{"LeaderEpoch", "leader_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_response_leader_id_and_epoch, leader_epoch), 0, 0, NULL},
};

const struct schema share_fetch_response_leader_id_and_epoch_schema = {
	"LeaderIdAndEpoch", share_fetch_response_leader_id_and_epoch_fields, 2, sizeof(struct share_fetch_response_leader_id_and_epoch), 1, 2, 0, -1, true,
};

static const struct schema_field share_fetch_response_acquired_records_fields[] = {
	{"FirstOffset", "first_offset", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_response_acquired_records, first_offset), 0, 0, NULL},
	{"LastOffset", "last_offset", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_response_acquired_records, last_offset), 0, 0, NULL},
	{"DeliveryCount", "delivery_count", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_response_acquired_records, delivery_count), 0, 0, NULL},
};

const struct schema share_fetch_response_acquired_records_schema = {
	"AcquiredRecords", share_fetch_response_acquired_records_fields, 3, sizeof(struct share_fetch_response_acquired_records), 1, 2, 0, -1, true,
};

static const struct schema_field share_fetch_response_partition_data_fields[] = {
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_response_partition_data, partition_index), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_response_partition_data, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct share_fetch_response_partition_data, error_message), 0, 0, NULL},
	{"AcknowledgeErrorCode", "acknowledge_error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_response_partition_data, acknowledge_error_code), 0, 0, NULL},
	{"AcknowledgeErrorMessage", "acknowledge_error_message", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct share_fetch_response_partition_data, acknowledge_error_message), 0, 0, NULL},
	{"CurrentLeader", "current_leader", FIELD_STRUCT, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_response_partition_data, current_leader), 0, 0, &share_fetch_response_leader_id_and_epoch_schema},
	{"Records", "records", FIELD_RECORDS, FIELD_EMPTY_FOR_NULL, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_response_partition_data, records), 0, 0, NULL},
	{"AcquiredRecords", "acquired_records", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_response_partition_data, acquired_records), offsetof(struct share_fetch_response_partition_data, acquired_records_n), 0, &share_fetch_response_acquired_records_schema},
};

const struct schema share_fetch_response_partition_data_schema = {
	"PartitionData", share_fetch_response_partition_data_fields, 8, sizeof(struct share_fetch_response_partition_data), 1, 2, 0, -1, true,
};

static const struct schema_field share_fetch_response_share_fetchable_topic_response_fields[] = {
	{"TopicId", "topic_id", FIELD_UUID, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_response_share_fetchable_topic_response, topic_id), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_response_share_fetchable_topic_response, partitions), offsetof(struct share_fetch_response_share_fetchable_topic_response, partitions_n), 0, &share_fetch_response_partition_data_schema},
};

const struct schema share_fetch_response_share_fetchable_topic_response_schema = {
	"ShareFetchableTopicResponse", share_fetch_response_share_fetchable_topic_response_fields, 2, sizeof(struct share_fetch_response_share_fetchable_topic_response), 1, 2, 0, -1, true,
};

static const struct schema_field share_fetch_response_node_endpoint_fields[] = {
	{"NodeId", "node_id", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_response_node_endpoint, node_id), 0, 0, NULL},
	{"Host", "host", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_response_node_endpoint, host), 0, 0, NULL},
	{"Port", "port", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_response_node_endpoint, port), 0, 0, NULL},
	{"Rack", "rack", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct share_fetch_response_node_endpoint, rack), 0, 0, NULL},
};

const struct schema share_fetch_response_node_endpoint_schema = {
	"NodeEndpoint", share_fetch_response_node_endpoint_fields, 4, sizeof(struct share_fetch_response_node_endpoint), 1, 2, 0, -1, true,
};

static const struct schema_field share_fetch_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_response, throttle_time_ms), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_response, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct share_fetch_response, error_message), 0, 0, NULL},
	{"AcquisitionLockTimeoutMs", "acquisition_lock_timeout_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_response, acquisition_lock_timeout_ms), 0, 0, NULL},
	{"Responses", "responses", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_response, responses), offsetof(struct share_fetch_response, responses_n), 0, &share_fetch_response_share_fetchable_topic_response_schema},
	{"NodeEndpoints", "node_endpoints", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_fetch_response, node_endpoints), offsetof(struct share_fetch_response, node_endpoints_n), 0, &share_fetch_response_node_endpoint_schema},
};

const struct schema share_fetch_response_schema = {
	"ShareFetchResponse", share_fetch_response_fields, 6, sizeof(struct share_fetch_response), 1, 2, 0, 78, true,
};

static const struct schema_field share_acknowledge_request_acknowledgement_batch_fields[] = {
	{"FirstOffset", "first_offset", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_request_acknowledgement_batch, first_offset), 0, 0, NULL},
	{"LastOffset", "last_offset", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_request_acknowledgement_batch, last_offset), 0, 0, NULL},
	{"AcknowledgeTypes", "acknowledge_types", FIELD_INT8, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_request_acknowledgement_batch, acknowledge_types), offsetof(struct share_acknowledge_request_acknowledgement_batch, acknowledge_types_n), 0, NULL},
};

const struct schema share_acknowledge_request_acknowledgement_batch_schema = {
	"AcknowledgementBatch", share_acknowledge_request_acknowledgement_batch_fields, 3, sizeof(struct share_acknowledge_request_acknowledgement_batch), 1, 2, 0, -1, false,
};

static const struct schema_field share_acknowledge_request_acknowledge_partition_fields[] = {
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_request_acknowledge_partition, partition_index), 0, 0, NULL},
	{"AcknowledgementBatches", "acknowledgement_batches", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_request_acknowledge_partition, acknowledgement_batches), offsetof(struct share_acknowledge_request_acknowledge_partition, acknowledgement_batches_n), 0, &share_acknowledge_request_acknowledgement_batch_schema},
};

const struct schema share_acknowledge_request_acknowledge_partition_schema = {
	"AcknowledgePartition", share_acknowledge_request_acknowledge_partition_fields, 2, sizeof(struct share_acknowledge_request_acknowledge_partition), 1, 2, 0, -1, false,
};

static const struct schema_field share_acknowledge_request_acknowledge_topic_fields[] = {
	{"TopicId", "topic_id", FIELD_UUID, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_request_acknowledge_topic, topic_id), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_request_acknowledge_topic, partitions), offsetof(struct share_acknowledge_request_acknowledge_topic, partitions_n), 0, &share_acknowledge_request_acknowledge_partition_schema},
};

const struct schema share_acknowledge_request_acknowledge_topic_schema = {
	"AcknowledgeTopic", share_acknowledge_request_acknowledge_topic_fields, 2, sizeof(struct share_acknowledge_request_acknowledge_topic), 1, 2, 0, -1, false,
};

static const struct schema_field share_acknowledge_request_fields[] = {
	{"GroupId", "group_id", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct share_acknowledge_request, group_id), 0, 0, NULL},
	{"MemberId", "member_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct share_acknowledge_request, member_id), 0, 0, NULL},
	{"ShareSessionEpoch", "share_session_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_request, share_session_epoch), 0, 0, NULL},
	{"IsRenewAck", "is_renew_ack", FIELD_BOOL, 0, 2, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_request, is_renew_ack), 0, 0, NULL},
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_request, topics), offsetof(struct share_acknowledge_request, topics_n), 0, &share_acknowledge_request_acknowledge_topic_schema},
};

const struct schema share_acknowledge_request_schema = {
	"ShareAcknowledgeRequest", share_acknowledge_request_fields, 5, sizeof(struct share_acknowledge_request), 1, 2, 0, 79, false,
};

static const struct schema_field share_acknowledge_response_leader_id_and_epoch_fields[] = {
	{"LeaderId", "leader_id", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_response_leader_id_and_epoch, leader_id), 0, 0, NULL},
	{"LeaderEpoch", "leader_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_response_leader_id_and_epoch, leader_epoch), 0, 0, NULL},
};

const struct schema share_acknowledge_response_leader_id_and_epoch_schema = {
	"LeaderIdAndEpoch", share_acknowledge_response_leader_id_and_epoch_fields, 2, sizeof(struct share_acknowledge_response_leader_id_and_epoch), 1, 2, 0, -1, true,
};

static const struct schema_field share_acknowledge_response_partition_data_fields[] = {
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_response_partition_data, partition_index), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_response_partition_data, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct share_acknowledge_response_partition_data, error_message), 0, 0, NULL},
	{"CurrentLeader", "current_leader", FIELD_STRUCT, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_response_partition_data, current_leader), 0, 0, &share_acknowledge_response_leader_id_and_epoch_schema},
};

const struct schema share_acknowledge_response_partition_data_schema = {
	"PartitionData", share_acknowledge_response_partition_data_fields, 4, sizeof(struct share_acknowledge_response_partition_data), 1, 2, 0, -1, true,
};

static const struct schema_field share_acknowledge_response_share_acknowledge_topic_response_fields[] = {
	{"TopicId", "topic_id", FIELD_UUID, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_response_share_acknowledge_topic_response, topic_id), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_response_share_acknowledge_topic_response, partitions), offsetof(struct share_acknowledge_response_share_acknowledge_topic_response, partitions_n), 0, &share_acknowledge_response_partition_data_schema},
};

const struct schema share_acknowledge_response_share_acknowledge_topic_response_schema = {
	"ShareAcknowledgeTopicResponse", share_acknowledge_response_share_acknowledge_topic_response_fields, 2, sizeof(struct share_acknowledge_response_share_acknowledge_topic_response), 1, 2, 0, -1, true,
};

static const struct schema_field share_acknowledge_response_node_endpoint_fields[] = {
	{"NodeId", "node_id", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_response_node_endpoint, node_id), 0, 0, NULL},
	{"Host", "host", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_response_node_endpoint, host), 0, 0, NULL},
	{"Port", "port", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_response_node_endpoint, port), 0, 0, NULL},
	{"Rack", "rack", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct share_acknowledge_response_node_endpoint, rack), 0, 0, NULL},
};

const struct schema share_acknowledge_response_node_endpoint_schema = {
	"NodeEndpoint", share_acknowledge_response_node_endpoint_fields, 4, sizeof(struct share_acknowledge_response_node_endpoint), 1, 2, 0, -1, true,
};

static const struct schema_field share_acknowledge_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_response, throttle_time_ms), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_response, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct share_acknowledge_response, error_message), 0, 0, NULL},
	{"AcquisitionLockTimeoutMs", "acquisition_lock_timeout_ms", FIELD_INT32, FIELD_IGNORABLE, 2, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_response, acquisition_lock_timeout_ms), 0, 0, NULL},
	{"Responses", "responses", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_response, responses), offsetof(struct share_acknowledge_response, responses_n), 0, &share_acknowledge_response_share_acknowledge_topic_response_schema},
	{"NodeEndpoints", "node_endpoints", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct share_acknowledge_response, node_endpoints), offsetof(struct share_acknowledge_response, node_endpoints_n), 0, &share_acknowledge_response_node_endpoint_schema},
};

const struct schema share_acknowledge_response_schema = {
	"ShareAcknowledgeResponse", share_acknowledge_response_fields, 6, sizeof(struct share_acknowledge_response), 1, 2, 0, 79, true,
};

static const struct schema_field streams_group_heartbeat_request_key_value_fields[] = {
	{"Key", "key", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_key_value, key), 0, 0, NULL},
	{"Value", "value", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_key_value, value), 0, 0, NULL},
};

const struct schema streams_group_heartbeat_request_key_value_schema = {
	"KeyValue", streams_group_heartbeat_request_key_value_fields, 2, sizeof(struct streams_group_heartbeat_request_key_value), 0, 1, 0, -1, false,
};

static const struct schema_field streams_group_heartbeat_request_topic_info_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_topic_info, name), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_topic_info, partitions), 0, 0, NULL},
	{"ReplicationFactor", "replication_factor", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_topic_info, replication_factor), 0, 0, NULL},
	{"TopicConfigs", "topic_configs", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_topic_info, topic_configs), offsetof(struct streams_group_heartbeat_request_topic_info, topic_configs_n), 0, &streams_group_heartbeat_request_key_value_schema},
};

const struct schema streams_group_heartbeat_request_topic_info_schema = {
	"TopicInfo", streams_group_heartbeat_request_topic_info_fields, 4, sizeof(struct streams_group_heartbeat_request_topic_info), 0, 1, 0, -1, false,
};

static const struct schema_field streams_group_heartbeat_request_copartition_group_fields[] = {
	{"SourceTopics", "source_topics", FIELD_INT16, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_copartition_group, source_topics), offsetof(struct streams_group_heartbeat_request_copartition_group, source_topics_n), 0, NULL},
	{"SourceTopicRegex", "source_topic_regex", FIELD_INT16, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_copartition_group, source_topic_regex), offsetof(struct streams_group_heartbeat_request_copartition_group, source_topic_regex_n), 0, NULL},
	{"RepartitionSourceTopics", "repartition_source_topics", FIELD_INT16, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_copartition_group, repartition_source_topics), offsetof(struct streams_group_heartbeat_request_copartition_group, repartition_source_topics_n), 0, NULL},
};

const struct schema streams_group_heartbeat_request_copartition_group_schema = {
	"CopartitionGroup", streams_group_heartbeat_request_copartition_group_fields, 3, sizeof(struct streams_group_heartbeat_request_copartition_group), 0, 1, 0, -1, false,
};

static const struct schema_field streams_group_heartbeat_request_subtopology_fields[] = {
	{"SubtopologyId", "subtopology_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_subtopology, subtopology_id), 0, 0, NULL},
	{"SourceTopics", "source_topics", FIELD_STRING, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_subtopology, source_topics), offsetof(struct streams_group_heartbeat_request_subtopology, source_topics_n), 0, NULL},
	{"SourceTopicRegex", "source_topic_regex", FIELD_STRING, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_subtopology, source_topic_regex), offsetof(struct streams_group_heartbeat_request_subtopology, source_topic_regex_n), 0, NULL},
	{"StateChangelogTopics", "state_changelog_topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_subtopology, state_changelog_topics), offsetof(struct streams_group_heartbeat_request_subtopology, state_changelog_topics_n), 0, &streams_group_heartbeat_request_topic_info_schema},
	{"RepartitionSinkTopics", "repartition_sink_topics", FIELD_STRING, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_subtopology, repartition_sink_topics), offsetof(struct streams_group_heartbeat_request_subtopology, repartition_sink_topics_n), 0, NULL},
	{"RepartitionSourceTopics", "repartition_source_topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_subtopology, repartition_source_topics), offsetof(struct streams_group_heartbeat_request_subtopology, repartition_source_topics_n), 0, &streams_group_heartbeat_request_topic_info_schema},
	{"CopartitionGroups", "copartition_groups", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_subtopology, copartition_groups), offsetof(struct streams_group_heartbeat_request_subtopology, copartition_groups_n), 0, &streams_group_heartbeat_request_copartition_group_schema},
};

const struct schema streams_group_heartbeat_request_subtopology_schema = {
	"Subtopology", streams_group_heartbeat_request_subtopology_fields, 7, sizeof(struct streams_group_heartbeat_request_subtopology), 0, 1, 0, -1, false,
};

static const struct schema_field streams_group_heartbeat_request_topology_fields[] = {
	{"Epoch", "epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_topology, epoch), 0, 0, NULL},
	{"Subtopologies", "subtopologies", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_topology, subtopologies), offsetof(struct streams_group_heartbeat_request_topology, subtopologies_n), 0, &streams_group_heartbeat_request_subtopology_schema},
};

const struct schema streams_group_heartbeat_request_topology_schema = {
	"Topology", streams_group_heartbeat_request_topology_fields, 2, sizeof(struct streams_group_heartbeat_request_topology), 0, 1, 0, -1, false,
};

static const struct schema_field streams_group_heartbeat_request_task_ids_fields[] = {
	{"SubtopologyId", "subtopology_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_task_ids, subtopology_id), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_INT32, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_task_ids, partitions), offsetof(struct streams_group_heartbeat_request_task_ids, partitions_n), 0, NULL},
};

const struct schema streams_group_heartbeat_request_task_ids_schema = {
	"TaskIds", streams_group_heartbeat_request_task_ids_fields, 2, sizeof(struct streams_group_heartbeat_request_task_ids), 0, 1, 0, -1, false,
};

static const struct schema_field streams_group_heartbeat_request_endpoint_fields[] = {
	{"Host", "host", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_endpoint, host), 0, 0, NULL},
	{"Port", "port", FIELD_UINT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_endpoint, port), 0, 0, NULL},
};

const struct schema streams_group_heartbeat_request_endpoint_schema = {
	"Endpoint", streams_group_heartbeat_request_endpoint_fields, 2, sizeof(struct streams_group_heartbeat_request_endpoint), 0, 1, 0, -1, false,
};

static const struct schema_field streams_group_heartbeat_request_task_offset_fields[] = {
	{"SubtopologyId", "subtopology_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_task_offset, subtopology_id), 0, 0, NULL},
	{"Partition", "partition", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_task_offset, partition), 0, 0, NULL},
	{"Offset", "offset", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request_task_offset, offset), 0, 0, NULL},
};

const struct schema streams_group_heartbeat_request_task_offset_schema = {
	"TaskOffset", streams_group_heartbeat_request_task_offset_fields, 3, sizeof(struct streams_group_heartbeat_request_task_offset), 0, 1, 0, -1, false,
};

static const struct schema_field streams_group_heartbeat_request_fields[] = {
	{"GroupId", "group_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request, group_id), 0, 0, NULL},
	{"MemberId", "member_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request, member_id), 0, 0, NULL},
	{"MemberEpoch", "member_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request, member_epoch), 0, 0, NULL},
	{"EndpointInformationEpoch", "endpoint_information_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request, endpoint_information_epoch), 0, 0, NULL},
	{"InstanceId", "instance_id", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct streams_group_heartbeat_request, instance_id), 0, 0, NULL},
	{"RackId", "rack_id", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct streams_group_heartbeat_request, rack_id), 0, 0, NULL},
	{"RebalanceTimeoutMs", "rebalance_timeout_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request, rebalance_timeout_ms), 0, -1, NULL},
	{"Topology", "topology", FIELD_STRUCT, FIELD_POINTER | FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct streams_group_heartbeat_request, topology), 0, 0, &streams_group_heartbeat_request_topology_schema},
	{"ActiveTasks", "active_tasks", FIELD_STRUCT, FIELD_ARRAY | FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct streams_group_heartbeat_request, active_tasks), offsetof(struct streams_group_heartbeat_request, active_tasks_n), 0, &streams_group_heartbeat_request_task_ids_schema},
	{"StandbyTasks", "standby_tasks", FIELD_STRUCT, FIELD_ARRAY | FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct streams_group_heartbeat_request, standby_tasks), offsetof(struct streams_group_heartbeat_request, standby_tasks_n), 0, &streams_group_heartbeat_request_task_ids_schema},
	{"WarmupTasks", "warmup_tasks", FIELD_STRUCT, FIELD_ARRAY | FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct streams_group_heartbeat_request, warmup_tasks), offsetof(struct streams_group_heartbeat_request, warmup_tasks_n), 0, &streams_group_heartbeat_request_task_ids_schema},
	{"ProcessId", "process_id", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct streams_group_heartbeat_request, process_id), 0, 0, NULL},
	{"UserEndpoint", "user_endpoint", FIELD_STRUCT, FIELD_POINTER | FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct streams_group_heartbeat_request, user_endpoint), 0, 0, &streams_group_heartbeat_request_endpoint_schema},
	{"ClientTags", "client_tags", FIELD_STRUCT, FIELD_ARRAY | FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct streams_group_heartbeat_request, client_tags), offsetof(struct streams_group_heartbeat_request, client_tags_n), 0, &streams_group_heartbeat_request_key_value_schema},
	{"TaskOffsets", "task_offsets", FIELD_STRUCT, FIELD_ARRAY | FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct streams_group_heartbeat_request, task_offsets), offsetof(struct streams_group_heartbeat_request, task_offsets_n), 0, &streams_group_heartbeat_request_task_offset_schema},
	{"TaskEndOffsets", "task_end_offsets", FIELD_STRUCT, FIELD_ARRAY | FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct streams_group_heartbeat_request, task_end_offsets), offsetof(struct streams_group_heartbeat_request, task_end_offsets_n), 0, &streams_group_heartbeat_request_task_offset_schema},
	{"ShutdownApplication", "shutdown_application", FIELD_BOOL, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_request, shutdown_application), 0, 0, NULL},
};

const struct schema streams_group_heartbeat_request_schema = {
	"StreamsGroupHeartbeatRequest", streams_group_heartbeat_request_fields, 17, sizeof(struct streams_group_heartbeat_request), 0, 1, 0, 88, false,
};

static const struct schema_field streams_group_heartbeat_response_status_fields[] = {
	{"StatusCode", "status_code", FIELD_INT8, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_response_status, status_code), 0, 0, NULL},
	{"StatusDetail", "status_detail", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_response_status, status_detail), 0, 0, NULL},
};

const struct schema streams_group_heartbeat_response_status_schema = {
	"Status", streams_group_heartbeat_response_status_fields, 2, sizeof(struct streams_group_heartbeat_response_status), 0, 1, 0, -1, true,
};

static const struct schema_field streams_group_heartbeat_response_task_ids_fields[] = {
	{"SubtopologyId", "subtopology_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_response_task_ids, subtopology_id), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_INT32, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_response_task_ids, partitions), offsetof(struct streams_group_heartbeat_response_task_ids, partitions_n), 0, NULL},
};

const struct schema streams_group_heartbeat_response_task_ids_schema = {
	"TaskIds", streams_group_heartbeat_response_task_ids_fields, 2, sizeof(struct streams_group_heartbeat_response_task_ids), 0, 1, 0, -1, true,
};

static const struct schema_field streams_group_heartbeat_response_endpoint_fields[] = {
	{"Host", "host", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_response_endpoint, host), 0, 0, NULL},
	{"Port", "port", FIELD_UINT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_response_endpoint, port), 0, 0, NULL},
};

const struct schema streams_group_heartbeat_response_endpoint_schema = {
	"Endpoint", streams_group_heartbeat_response_endpoint_fields, 2, sizeof(struct streams_group_heartbeat_response_endpoint), 0, 1, 0, -1, true,
};

static const struct schema_field streams_group_heartbeat_response_topic_partition_fields[] = {
	{"Topic", "topic", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_response_topic_partition, topic), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_INT32, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_response_topic_partition, partitions), offsetof(struct streams_group_heartbeat_response_topic_partition, partitions_n), 0, NULL},
};

const struct schema streams_group_heartbeat_response_topic_partition_schema = {
	"TopicPartition", streams_group_heartbeat_response_topic_partition_fields, 2, sizeof(struct streams_group_heartbeat_response_topic_partition), 0, 1, 0, -1, true,
};

static const struct schema_field streams_group_heartbeat_response_endpoint_to_partitions_fields[] = {
	{"UserEndpoint", "user_endpoint", FIELD_STRUCT, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_response_endpoint_to_partitions, user_endpoint), 0, 0, &streams_group_heartbeat_response_endpoint_schema},
	{"ActivePartitions", "active_partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_response_endpoint_to_partitions, active_partitions), offsetof(struct streams_group_heartbeat_response_endpoint_to_partitions, active_partitions_n), 0, &streams_group_heartbeat_response_topic_partition_schema},
	{"StandbyPartitions", "standby_partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_response_endpoint_to_partitions, standby_partitions), offsetof(struct streams_group_heartbeat_response_endpoint_to_partitions, standby_partitions_n), 0, &streams_group_heartbeat_response_topic_partition_schema},
};

const struct schema streams_group_heartbeat_response_endpoint_to_partitions_schema = {
	"EndpointToPartitions", streams_group_heartbeat_response_endpoint_to_partitions_fields, 3, sizeof(struct streams_group_heartbeat_response_endpoint_to_partitions), 0, 1, 0, -1, true,
};

static const struct schema_field streams_group_heartbeat_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_response, throttle_time_ms), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_response, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct streams_group_heartbeat_response, error_message), 0, 0, NULL},
	{"MemberId", "member_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_response, member_id), 0, 0, NULL},
	{"MemberEpoch", "member_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_response, member_epoch), 0, 0, NULL},
	{"HeartbeatIntervalMs", "heartbeat_interval_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_response, heartbeat_interval_ms), 0, 0, NULL},
	{"AcceptableRecoveryLagLegacy", "acceptable_recovery_lag_legacy", FIELD_INT32, 0, 0, 0, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_response, acceptable_recovery_lag_legacy), 0, 0, NULL},
	{"TaskOffsetIntervalMs", "task_offset_interval_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_response, task_offset_interval_ms), 0, 0, NULL},
	{"AcceptableRecoveryLag", "acceptable_recovery_lag", FIELD_INT64, FIELD_IGNORABLE, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_response, acceptable_recovery_lag), 0, -1, NULL},
	{"Status", "status", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct streams_group_heartbeat_response, status), offsetof(struct streams_group_heartbeat_response, status_n), 0, &streams_group_heartbeat_response_status_schema},
	{"ActiveTasks", "active_tasks", FIELD_STRUCT, FIELD_ARRAY | FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct streams_group_heartbeat_response, active_tasks), offsetof(struct streams_group_heartbeat_response, active_tasks_n), 0, &streams_group_heartbeat_response_task_ids_schema},
	{"StandbyTasks", "standby_tasks", FIELD_STRUCT, FIELD_ARRAY | FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct streams_group_heartbeat_response, standby_tasks), offsetof(struct streams_group_heartbeat_response, standby_tasks_n), 0, &streams_group_heartbeat_response_task_ids_schema},
	{"WarmupTasks", "warmup_tasks", FIELD_STRUCT, FIELD_ARRAY | FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct streams_group_heartbeat_response, warmup_tasks), offsetof(struct streams_group_heartbeat_response, warmup_tasks_n), 0, &streams_group_heartbeat_response_task_ids_schema},
	{"TopologyDescriptionRequired", "topology_description_required", FIELD_BOOL, 0, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_response, topology_description_required), 0, 0, NULL},
	{"EndpointInformationEpoch", "endpoint_information_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_heartbeat_response, endpoint_information_epoch), 0, 0, NULL},
	{"PartitionsByUserEndpoint", "partitions_by_user_endpoint", FIELD_STRUCT, FIELD_ARRAY | FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct streams_group_heartbeat_response, partitions_by_user_endpoint), offsetof(struct streams_group_heartbeat_response, partitions_by_user_endpoint_n), 0, &streams_group_heartbeat_response_endpoint_to_partitions_schema},
};

const struct schema streams_group_heartbeat_response_schema = {
	"StreamsGroupHeartbeatResponse", streams_group_heartbeat_response_fields, 16, sizeof(struct streams_group_heartbeat_response), 0, 1, 0, 88, true,
};

static const struct schema_field streams_group_describe_request_fields[] = {
	{"GroupIds", "group_ids", FIELD_STRING, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_request, group_ids), offsetof(struct streams_group_describe_request, group_ids_n), 0, NULL},
	{"IncludeAuthorizedOperations", "include_authorized_operations", FIELD_BOOL, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_request, include_authorized_operations), 0, 0, NULL},
	{"IncludeTopologyDescription", "include_topology_description", FIELD_BOOL, 0, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_request, include_topology_description), 0, 0, NULL},
};

const struct schema streams_group_describe_request_schema = {
	"StreamsGroupDescribeRequest", streams_group_describe_request_fields, 3, sizeof(struct streams_group_describe_request), 0, 1, 0, 89, false,
};

static const struct schema_field streams_group_describe_response_key_value_fields[] = {
	{"Key", "key", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_key_value, key), 0, 0, NULL},
	{"Value", "value", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_key_value, value), 0, 0, NULL},
};

const struct schema streams_group_describe_response_key_value_schema = {
	"KeyValue", streams_group_describe_response_key_value_fields, 2, sizeof(struct streams_group_describe_response_key_value), 0, 1, 0, -1, true,
};

static const struct schema_field streams_group_describe_response_topic_info_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_topic_info, name), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_topic_info, partitions), 0, 0, NULL},
	{"ReplicationFactor", "replication_factor", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_topic_info, replication_factor), 0, 0, NULL},
	{"TopicConfigs", "topic_configs", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_topic_info, topic_configs), offsetof(struct streams_group_describe_response_topic_info, topic_configs_n), 0, &streams_group_describe_response_key_value_schema},
};

const struct schema streams_group_describe_response_topic_info_schema = {
	"TopicInfo", streams_group_describe_response_topic_info_fields, 4, sizeof(struct streams_group_describe_response_topic_info), 0, 1, 0, -1, true,
};

static const struct schema_field streams_group_describe_response_subtopology_fields[] = {
	{"SubtopologyId", "subtopology_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_subtopology, subtopology_id), 0, 0, NULL},
	{"SourceTopics", "source_topics", FIELD_STRING, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_subtopology, source_topics), offsetof(struct streams_group_describe_response_subtopology, source_topics_n), 0, NULL},
	{"RepartitionSinkTopics", "repartition_sink_topics", FIELD_STRING, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_subtopology, repartition_sink_topics), offsetof(struct streams_group_describe_response_subtopology, repartition_sink_topics_n), 0, NULL},
	{"StateChangelogTopics", "state_changelog_topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_subtopology, state_changelog_topics), offsetof(struct streams_group_describe_response_subtopology, state_changelog_topics_n), 0, &streams_group_describe_response_topic_info_schema},
	{"RepartitionSourceTopics", "repartition_source_topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_subtopology, repartition_source_topics), offsetof(struct streams_group_describe_response_subtopology, repartition_source_topics_n), 0, &streams_group_describe_response_topic_info_schema},
};

const struct schema streams_group_describe_response_subtopology_schema = {
	"Subtopology", streams_group_describe_response_subtopology_fields, 5, sizeof(struct streams_group_describe_response_subtopology), 0, 1, 0, -1, true,
};

static const struct schema_field streams_group_describe_response_topology_fields[] = {
	{"Epoch", "epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_topology, epoch), 0, 0, NULL},
	{"Subtopologies", "subtopologies", FIELD_STRUCT, FIELD_ARRAY | FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct streams_group_describe_response_topology, subtopologies), offsetof(struct streams_group_describe_response_topology, subtopologies_n), 0, &streams_group_describe_response_subtopology_schema},
};

const struct schema streams_group_describe_response_topology_schema = {
	"Topology", streams_group_describe_response_topology_fields, 2, sizeof(struct streams_group_describe_response_topology), 0, 1, 0, -1, true,
};

static const struct schema_field streams_group_describe_response_endpoint_fields[] = {
	{"Host", "host", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_endpoint, host), 0, 0, NULL},
	{"Port", "port", FIELD_UINT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_endpoint, port), 0, 0, NULL},
};

const struct schema streams_group_describe_response_endpoint_schema = {
	"Endpoint", streams_group_describe_response_endpoint_fields, 2, sizeof(struct streams_group_describe_response_endpoint), 0, 1, 0, -1, true,
};

static const struct schema_field streams_group_describe_response_task_offset_fields[] = {
	{"SubtopologyId", "subtopology_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_task_offset, subtopology_id), 0, 0, NULL},
	{"Partition", "partition", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_task_offset, partition), 0, 0, NULL},
	{"Offset", "offset", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_task_offset, offset), 0, 0, NULL},
};

const struct schema streams_group_describe_response_task_offset_schema = {
	"TaskOffset", streams_group_describe_response_task_offset_fields, 3, sizeof(struct streams_group_describe_response_task_offset), 0, 1, 0, -1, true,
};

static const struct schema_field streams_group_describe_response_task_ids_fields[] = {
	{"SubtopologyId", "subtopology_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_task_ids, subtopology_id), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_INT32, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_task_ids, partitions), offsetof(struct streams_group_describe_response_task_ids, partitions_n), 0, NULL},
};

const struct schema streams_group_describe_response_task_ids_schema = {
	"TaskIds", streams_group_describe_response_task_ids_fields, 2, sizeof(struct streams_group_describe_response_task_ids), 0, 1, 0, -1, true,
};

static const struct schema_field streams_group_describe_response_assignment_fields[] = {
	{"ActiveTasks", "active_tasks", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_assignment, active_tasks), offsetof(struct streams_group_describe_response_assignment, active_tasks_n), 0, &streams_group_describe_response_task_ids_schema},
	{"StandbyTasks", "standby_tasks", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_assignment, standby_tasks), offsetof(struct streams_group_describe_response_assignment, standby_tasks_n), 0, &streams_group_describe_response_task_ids_schema},
	{"WarmupTasks", "warmup_tasks", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_assignment, warmup_tasks), offsetof(struct streams_group_describe_response_assignment, warmup_tasks_n), 0, &streams_group_describe_response_task_ids_schema},
};

const struct schema streams_group_describe_response_assignment_schema = {
	"Assignment", streams_group_describe_response_assignment_fields, 3, sizeof(struct streams_group_describe_response_assignment), 0, 1, 0, -1, true,
};

static const struct schema_field streams_group_describe_response_member_fields[] = {
	{"MemberId", "member_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_member, member_id), 0, 0, NULL},
	{"MemberEpoch", "member_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_member, member_epoch), 0, 0, NULL},
	{"InstanceId", "instance_id", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct streams_group_describe_response_member, instance_id), 0, 0, NULL},
	{"RackId", "rack_id", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct streams_group_describe_response_member, rack_id), 0, 0, NULL},
	{"ClientId", "client_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_member, client_id), 0, 0, NULL},
	{"ClientHost", "client_host", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_member, client_host), 0, 0, NULL},
	{"TopologyEpoch", "topology_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_member, topology_epoch), 0, 0, NULL},
	{"ProcessId", "process_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_member, process_id), 0, 0, NULL},
	{"UserEndpoint", "user_endpoint", FIELD_STRUCT, FIELD_POINTER | FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct streams_group_describe_response_member, user_endpoint), 0, 0, &streams_group_describe_response_endpoint_schema},
	{"ClientTags", "client_tags", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_member, client_tags), offsetof(struct streams_group_describe_response_member, client_tags_n), 0, &streams_group_describe_response_key_value_schema},
	{"TaskOffsets", "task_offsets", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_member, task_offsets), offsetof(struct streams_group_describe_response_member, task_offsets_n), 0, &streams_group_describe_response_task_offset_schema},
	{"TaskEndOffsets", "task_end_offsets", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_member, task_end_offsets), offsetof(struct streams_group_describe_response_member, task_end_offsets_n), 0, &streams_group_describe_response_task_offset_schema},
	{"Assignment", "assignment", FIELD_STRUCT, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_member, assignment), 0, 0, &streams_group_describe_response_assignment_schema},
	{"TargetAssignment", "target_assignment", FIELD_STRUCT, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_member, target_assignment), 0, 0, &streams_group_describe_response_assignment_schema},
	{"IsClassic", "is_classic", FIELD_BOOL, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_member, is_classic), 0, 0, NULL},
};

const struct schema streams_group_describe_response_member_schema = {
	"Member", streams_group_describe_response_member_fields, 15, sizeof(struct streams_group_describe_response_member), 0, 1, 0, -1, true,
};

static const struct schema_field streams_group_describe_response_topology_description_node_fields[] = {
	{"Name", "name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_topology_description_node, name), 0, 0, NULL},
	{"NodeType", "node_type", FIELD_INT8, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_topology_description_node, node_type), 0, 0, NULL},
	{"SourceTopics", "source_topics", FIELD_STRING, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_topology_description_node, source_topics), offsetof(struct streams_group_describe_response_topology_description_node, source_topics_n), 0, NULL},
	{"SinkTopic", "sink_topic", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct streams_group_describe_response_topology_description_node, sink_topic), 0, 0, NULL},
	{"Stores", "stores", FIELD_STRING, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_topology_description_node, stores), offsetof(struct streams_group_describe_response_topology_description_node, stores_n), 0, NULL},
	{"Successors", "successors", FIELD_STRING, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_topology_description_node, successors), offsetof(struct streams_group_describe_response_topology_description_node, successors_n), 0, NULL},
};

const struct schema streams_group_describe_response_topology_description_node_schema = {
	"TopologyDescriptionNode", streams_group_describe_response_topology_description_node_fields, 6, sizeof(struct streams_group_describe_response_topology_description_node), 0, 1, 0, -1, true,
};

static const struct schema_field streams_group_describe_response_topology_description_subtopology_fields[] = {
	{"SubtopologyId", "subtopology_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_topology_description_subtopology, subtopology_id), 0, 0, NULL},
	{"Nodes", "nodes", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_topology_description_subtopology, nodes), offsetof(struct streams_group_describe_response_topology_description_subtopology, nodes_n), 0, &streams_group_describe_response_topology_description_node_schema},
};

const struct schema streams_group_describe_response_topology_description_subtopology_schema = {
	"TopologyDescriptionSubtopology", streams_group_describe_response_topology_description_subtopology_fields, 2, sizeof(struct streams_group_describe_response_topology_description_subtopology), 0, 1, 0, -1, true,
};

static const struct schema_field streams_group_describe_response_topology_description_global_store_fields[] = {
	{"Source", "source", FIELD_STRUCT, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_topology_description_global_store, source), 0, 0, &streams_group_describe_response_topology_description_node_schema},
	{"Processor", "processor", FIELD_STRUCT, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_topology_description_global_store, processor), 0, 0, &streams_group_describe_response_topology_description_node_schema},
};

const struct schema streams_group_describe_response_topology_description_global_store_schema = {
	"TopologyDescriptionGlobalStore", streams_group_describe_response_topology_description_global_store_fields, 2, sizeof(struct streams_group_describe_response_topology_description_global_store), 0, 1, 0, -1, true,
};

static const struct schema_field streams_group_describe_response_topology_description_fields[] = {
	{"Subtopologies", "subtopologies", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_topology_description, subtopologies), offsetof(struct streams_group_describe_response_topology_description, subtopologies_n), 0, &streams_group_describe_response_topology_description_subtopology_schema},
	{"GlobalStores", "global_stores", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_topology_description, global_stores), offsetof(struct streams_group_describe_response_topology_description, global_stores_n), 0, &streams_group_describe_response_topology_description_global_store_schema},
};

const struct schema streams_group_describe_response_topology_description_schema = {
	"TopologyDescription", streams_group_describe_response_topology_description_fields, 2, sizeof(struct streams_group_describe_response_topology_description), 0, 1, 0, -1, true,
};

static const struct schema_field streams_group_describe_response_described_group_fields[] = {
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_described_group, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct streams_group_describe_response_described_group, error_message), 0, 0, NULL},
	{"GroupId", "group_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_described_group, group_id), 0, 0, NULL},
	{"GroupState", "group_state", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_described_group, group_state), 0, 0, NULL},
	{"GroupEpoch", "group_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_described_group, group_epoch), 0, 0, NULL},
	{"AssignmentEpoch", "assignment_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_described_group, assignment_epoch), 0, 0, NULL},
	{"Topology", "topology", FIELD_STRUCT, FIELD_POINTER | FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct streams_group_describe_response_described_group, topology), 0, 0, &streams_group_describe_response_topology_schema},
	{"Members", "members", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_described_group, members), offsetof(struct streams_group_describe_response_described_group, members_n), 0, &streams_group_describe_response_member_schema},
	{"AuthorizedOperations", "authorized_operations", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_described_group, authorized_operations), 0, INT64_C(-2147483648), NULL},
	{"TopologyDescription", "topology_description", FIELD_STRUCT, FIELD_POINTER | FIELD_DEFAULT_NULL, 1, SCHEMA_OPEN, 1, SCHEMA_OPEN,
		0, offsetof(struct streams_group_describe_response_described_group, topology_description), 0, 0, &streams_group_describe_response_topology_description_schema},
	{"TopologyDescriptionStatus", "topology_description_status", FIELD_INT8, 0, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response_described_group, topology_description_status), 0, 0, NULL},
	{"AssignorName", "assignor_name", FIELD_STRING, FIELD_IGNORABLE | FIELD_DEFAULT_NULL, 1, SCHEMA_OPEN, 1, SCHEMA_OPEN,
		0, offsetof(struct streams_group_describe_response_described_group, assignor_name), 0, 0, NULL},
};

const struct schema streams_group_describe_response_described_group_schema = {
	"DescribedGroup", streams_group_describe_response_described_group_fields, 12, sizeof(struct streams_group_describe_response_described_group), 0, 1, 0, -1, true,
};

static const struct schema_field streams_group_describe_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response, throttle_time_ms), 0, 0, NULL},
	{"Groups", "groups", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct streams_group_describe_response, groups), offsetof(struct streams_group_describe_response, groups_n), 0, &streams_group_describe_response_described_group_schema},
};

const struct schema streams_group_describe_response_schema = {
	"StreamsGroupDescribeResponse", streams_group_describe_response_fields, 2, sizeof(struct streams_group_describe_response), 0, 1, 0, 89, true,
};

static const struct schema_field describe_share_group_offsets_request_describe_share_group_offsets_request_topic_fields[] = {
	{"TopicName", "topic_name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_share_group_offsets_request_describe_share_group_offsets_request_topic, topic_name), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_INT32, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_share_group_offsets_request_describe_share_group_offsets_request_topic, partitions), offsetof(struct describe_share_group_offsets_request_describe_share_group_offsets_request_topic, partitions_n), 0, NULL},
};

const struct schema describe_share_group_offsets_request_describe_share_group_offsets_request_topic_schema = {
	"DescribeShareGroupOffsetsRequestTopic", describe_share_group_offsets_request_describe_share_group_offsets_request_topic_fields, 2, sizeof(struct describe_share_group_offsets_request_describe_share_group_offsets_request_topic), 0, 1, 0, -1, false,
};

static const struct schema_field describe_share_group_offsets_request_describe_share_group_offsets_request_group_fields[] = {
	{"GroupId", "group_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_share_group_offsets_request_describe_share_group_offsets_request_group, group_id), 0, 0, NULL},
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct describe_share_group_offsets_request_describe_share_group_offsets_request_group, topics), offsetof(struct describe_share_group_offsets_request_describe_share_group_offsets_request_group, topics_n), 0, &describe_share_group_offsets_request_describe_share_group_offsets_request_topic_schema},
};

const struct schema describe_share_group_offsets_request_describe_share_group_offsets_request_group_schema = {
	"DescribeShareGroupOffsetsRequestGroup", describe_share_group_offsets_request_describe_share_group_offsets_request_group_fields, 2, sizeof(struct describe_share_group_offsets_request_describe_share_group_offsets_request_group), 0, 1, 0, -1, false,
};

static const struct schema_field describe_share_group_offsets_request_fields[] = {
	{"Groups", "groups", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_share_group_offsets_request, groups), offsetof(struct describe_share_group_offsets_request, groups_n), 0, &describe_share_group_offsets_request_describe_share_group_offsets_request_group_schema},
};

const struct schema describe_share_group_offsets_request_schema = {
	"DescribeShareGroupOffsetsRequest", describe_share_group_offsets_request_fields, 1, sizeof(struct describe_share_group_offsets_request), 0, 1, 0, 90, false,
};

static const struct schema_field describe_share_group_offsets_response_describe_share_group_offsets_response_partition_fields[] = {
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_share_group_offsets_response_describe_share_group_offsets_response_partition, partition_index), 0, 0, NULL},
	{"StartOffset", "start_offset", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_share_group_offsets_response_describe_share_group_offsets_response_partition, start_offset), 0, 0, NULL},
	{"LeaderEpoch", "leader_epoch", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_share_group_offsets_response_describe_share_group_offsets_response_partition, leader_epoch), 0, 0, NULL},
	{"Lag", "lag", FIELD_INT64, FIELD_IGNORABLE, 1, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_share_group_offsets_response_describe_share_group_offsets_response_partition, lag), 0, -1, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_share_group_offsets_response_describe_share_group_offsets_response_partition, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct describe_share_group_offsets_response_describe_share_group_offsets_response_partition, error_message), 0, 0, NULL},
};

const struct schema describe_share_group_offsets_response_describe_share_group_offsets_response_partition_schema = {
	"DescribeShareGroupOffsetsResponsePartition", describe_share_group_offsets_response_describe_share_group_offsets_response_partition_fields, 6, sizeof(struct describe_share_group_offsets_response_describe_share_group_offsets_response_partition), 0, 1, 0, -1, true,
};

static const struct schema_field describe_share_group_offsets_response_describe_share_group_offsets_response_topic_fields[] = {
	{"TopicName", "topic_name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_share_group_offsets_response_describe_share_group_offsets_response_topic, topic_name), 0, 0, NULL},
	{"TopicId", "topic_id", FIELD_UUID, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_share_group_offsets_response_describe_share_group_offsets_response_topic, topic_id), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_share_group_offsets_response_describe_share_group_offsets_response_topic, partitions), offsetof(struct describe_share_group_offsets_response_describe_share_group_offsets_response_topic, partitions_n), 0, &describe_share_group_offsets_response_describe_share_group_offsets_response_partition_schema},
};

const struct schema describe_share_group_offsets_response_describe_share_group_offsets_response_topic_schema = {
	"DescribeShareGroupOffsetsResponseTopic", describe_share_group_offsets_response_describe_share_group_offsets_response_topic_fields, 3, sizeof(struct describe_share_group_offsets_response_describe_share_group_offsets_response_topic), 0, 1, 0, -1, true,
};

static const struct schema_field describe_share_group_offsets_response_describe_share_group_offsets_response_group_fields[] = {
	{"GroupId", "group_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_share_group_offsets_response_describe_share_group_offsets_response_group, group_id), 0, 0, NULL},
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_share_group_offsets_response_describe_share_group_offsets_response_group, topics), offsetof(struct describe_share_group_offsets_response_describe_share_group_offsets_response_group, topics_n), 0, &describe_share_group_offsets_response_describe_share_group_offsets_response_topic_schema},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_share_group_offsets_response_describe_share_group_offsets_response_group, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct describe_share_group_offsets_response_describe_share_group_offsets_response_group, error_message), 0, 0, NULL},
};

const struct schema describe_share_group_offsets_response_describe_share_group_offsets_response_group_schema = {
	"DescribeShareGroupOffsetsResponseGroup", describe_share_group_offsets_response_describe_share_group_offsets_response_group_fields, 4, sizeof(struct describe_share_group_offsets_response_describe_share_group_offsets_response_group), 0, 1, 0, -1, true,
};

static const struct schema_field describe_share_group_offsets_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_share_group_offsets_response, throttle_time_ms), 0, 0, NULL},
	{"Groups", "groups", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct describe_share_group_offsets_response, groups), offsetof(struct describe_share_group_offsets_response, groups_n), 0, &describe_share_group_offsets_response_describe_share_group_offsets_response_group_schema},
};

const struct schema describe_share_group_offsets_response_schema = {
	"DescribeShareGroupOffsetsResponse", describe_share_group_offsets_response_fields, 2, sizeof(struct describe_share_group_offsets_response), 0, 1, 0, 90, true,
};

static const struct schema_field alter_share_group_offsets_request_alter_share_group_offsets_request_partition_fields[] = {
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_share_group_offsets_request_alter_share_group_offsets_request_partition, partition_index), 0, 0, NULL},
	{"StartOffset", "start_offset", FIELD_INT64, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_share_group_offsets_request_alter_share_group_offsets_request_partition, start_offset), 0, 0, NULL},
};

const struct schema alter_share_group_offsets_request_alter_share_group_offsets_request_partition_schema = {
	"AlterShareGroupOffsetsRequestPartition", alter_share_group_offsets_request_alter_share_group_offsets_request_partition_fields, 2, sizeof(struct alter_share_group_offsets_request_alter_share_group_offsets_request_partition), 0, 0, 0, -1, false,
};

static const struct schema_field alter_share_group_offsets_request_alter_share_group_offsets_request_topic_fields[] = {
	{"TopicName", "topic_name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_share_group_offsets_request_alter_share_group_offsets_request_topic, topic_name), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_share_group_offsets_request_alter_share_group_offsets_request_topic, partitions), offsetof(struct alter_share_group_offsets_request_alter_share_group_offsets_request_topic, partitions_n), 0, &alter_share_group_offsets_request_alter_share_group_offsets_request_partition_schema},
};

const struct schema alter_share_group_offsets_request_alter_share_group_offsets_request_topic_schema = {
	"AlterShareGroupOffsetsRequestTopic", alter_share_group_offsets_request_alter_share_group_offsets_request_topic_fields, 2, sizeof(struct alter_share_group_offsets_request_alter_share_group_offsets_request_topic), 0, 0, 0, -1, false,
};

static const struct schema_field alter_share_group_offsets_request_fields[] = {
	{"GroupId", "group_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_share_group_offsets_request, group_id), 0, 0, NULL},
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_share_group_offsets_request, topics), offsetof(struct alter_share_group_offsets_request, topics_n), 0, &alter_share_group_offsets_request_alter_share_group_offsets_request_topic_schema},
};

const struct schema alter_share_group_offsets_request_schema = {
	"AlterShareGroupOffsetsRequest", alter_share_group_offsets_request_fields, 2, sizeof(struct alter_share_group_offsets_request), 0, 0, 0, 91, false,
};

static const struct schema_field alter_share_group_offsets_response_alter_share_group_offsets_response_partition_fields[] = {
	{"PartitionIndex", "partition_index", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_share_group_offsets_response_alter_share_group_offsets_response_partition, partition_index), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_share_group_offsets_response_alter_share_group_offsets_response_partition, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct alter_share_group_offsets_response_alter_share_group_offsets_response_partition, error_message), 0, 0, NULL},
};

const struct schema alter_share_group_offsets_response_alter_share_group_offsets_response_partition_schema = {
	"AlterShareGroupOffsetsResponsePartition", alter_share_group_offsets_response_alter_share_group_offsets_response_partition_fields, 3, sizeof(struct alter_share_group_offsets_response_alter_share_group_offsets_response_partition), 0, 0, 0, -1, true,
};

static const struct schema_field alter_share_group_offsets_response_alter_share_group_offsets_response_topic_fields[] = {
	{"TopicName", "topic_name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_share_group_offsets_response_alter_share_group_offsets_response_topic, topic_name), 0, 0, NULL},
	{"TopicId", "topic_id", FIELD_UUID, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_share_group_offsets_response_alter_share_group_offsets_response_topic, topic_id), 0, 0, NULL},
	{"Partitions", "partitions", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_share_group_offsets_response_alter_share_group_offsets_response_topic, partitions), offsetof(struct alter_share_group_offsets_response_alter_share_group_offsets_response_topic, partitions_n), 0, &alter_share_group_offsets_response_alter_share_group_offsets_response_partition_schema},
};

const struct schema alter_share_group_offsets_response_alter_share_group_offsets_response_topic_schema = {
	"AlterShareGroupOffsetsResponseTopic", alter_share_group_offsets_response_alter_share_group_offsets_response_topic_fields, 3, sizeof(struct alter_share_group_offsets_response_alter_share_group_offsets_response_topic), 0, 0, 0, -1, true,
};

static const struct schema_field alter_share_group_offsets_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_share_group_offsets_response, throttle_time_ms), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_share_group_offsets_response, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct alter_share_group_offsets_response, error_message), 0, 0, NULL},
	{"Responses", "responses", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct alter_share_group_offsets_response, responses), offsetof(struct alter_share_group_offsets_response, responses_n), 0, &alter_share_group_offsets_response_alter_share_group_offsets_response_topic_schema},
};

const struct schema alter_share_group_offsets_response_schema = {
	"AlterShareGroupOffsetsResponse", alter_share_group_offsets_response_fields, 4, sizeof(struct alter_share_group_offsets_response), 0, 0, 0, 91, true,
};

static const struct schema_field delete_share_group_offsets_request_delete_share_group_offsets_request_topic_fields[] = {
	{"TopicName", "topic_name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_share_group_offsets_request_delete_share_group_offsets_request_topic, topic_name), 0, 0, NULL},
};

const struct schema delete_share_group_offsets_request_delete_share_group_offsets_request_topic_schema = {
	"DeleteShareGroupOffsetsRequestTopic", delete_share_group_offsets_request_delete_share_group_offsets_request_topic_fields, 1, sizeof(struct delete_share_group_offsets_request_delete_share_group_offsets_request_topic), 0, 0, 0, -1, false,
};

static const struct schema_field delete_share_group_offsets_request_fields[] = {
	{"GroupId", "group_id", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_share_group_offsets_request, group_id), 0, 0, NULL},
	{"Topics", "topics", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_share_group_offsets_request, topics), offsetof(struct delete_share_group_offsets_request, topics_n), 0, &delete_share_group_offsets_request_delete_share_group_offsets_request_topic_schema},
};

const struct schema delete_share_group_offsets_request_schema = {
	"DeleteShareGroupOffsetsRequest", delete_share_group_offsets_request_fields, 2, sizeof(struct delete_share_group_offsets_request), 0, 0, 0, 92, false,
};

static const struct schema_field delete_share_group_offsets_response_delete_share_group_offsets_response_topic_fields[] = {
	{"TopicName", "topic_name", FIELD_STRING, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_share_group_offsets_response_delete_share_group_offsets_response_topic, topic_name), 0, 0, NULL},
	{"TopicId", "topic_id", FIELD_UUID, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_share_group_offsets_response_delete_share_group_offsets_response_topic, topic_id), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_share_group_offsets_response_delete_share_group_offsets_response_topic, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct delete_share_group_offsets_response_delete_share_group_offsets_response_topic, error_message), 0, 0, NULL},
};

const struct schema delete_share_group_offsets_response_delete_share_group_offsets_response_topic_schema = {
	"DeleteShareGroupOffsetsResponseTopic", delete_share_group_offsets_response_delete_share_group_offsets_response_topic_fields, 4, sizeof(struct delete_share_group_offsets_response_delete_share_group_offsets_response_topic), 0, 0, 0, -1, true,
};

static const struct schema_field delete_share_group_offsets_response_fields[] = {
	{"ThrottleTimeMs", "throttle_time_ms", FIELD_INT32, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_share_group_offsets_response, throttle_time_ms), 0, 0, NULL},
	{"ErrorCode", "error_code", FIELD_INT16, 0, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_share_group_offsets_response, error_code), 0, 0, NULL},
	{"ErrorMessage", "error_message", FIELD_STRING, FIELD_DEFAULT_NULL, 0, SCHEMA_OPEN, 0, SCHEMA_OPEN,
		0, offsetof(struct delete_share_group_offsets_response, error_message), 0, 0, NULL},
	{"Responses", "responses", FIELD_STRUCT, FIELD_ARRAY, 0, SCHEMA_OPEN, SCHEMA_NO_VERSION, SCHEMA_NO_VERSION,
		0, offsetof(struct delete_share_group_offsets_response, responses), offsetof(struct delete_share_group_offsets_response, responses_n), 0, &delete_share_group_offsets_response_delete_share_group_offsets_response_topic_schema},
};

const struct schema delete_share_group_offsets_response_schema = {
	"DeleteShareGroupOffsetsResponse", delete_share_group_offsets_response_fields, 4, sizeof(struct delete_share_group_offsets_response), 0, 0, 0, 92, true,
};

const struct schema *const schema_messages[] = {
	&produce_request_schema,
	&produce_response_schema,
	&fetch_request_schema,
	&fetch_response_schema,
	&list_offsets_request_schema,
	&list_offsets_response_schema,
	&metadata_request_schema,
	&metadata_response_schema,
	&offset_commit_request_schema,
	&offset_commit_response_schema,
	&offset_fetch_request_schema,
	&offset_fetch_response_schema,
	&find_coordinator_request_schema,
	&find_coordinator_response_schema,
	&join_group_request_schema,
	&join_group_response_schema,
	&heartbeat_request_schema,
	&heartbeat_response_schema,
	&leave_group_request_schema,
	&leave_group_response_schema,
	&sync_group_request_schema,
	&sync_group_response_schema,
	&describe_groups_request_schema,
	&describe_groups_response_schema,
	&list_groups_request_schema,
	&list_groups_response_schema,
	&sasl_handshake_request_schema,
	&sasl_handshake_response_schema,
	&api_versions_request_schema,
	&api_versions_response_schema,
	&create_topics_request_schema,
	&create_topics_response_schema,
	&delete_topics_request_schema,
	&delete_topics_response_schema,
	&delete_records_request_schema,
	&delete_records_response_schema,
	&init_producer_id_request_schema,
	&init_producer_id_response_schema,
	&add_partitions_to_txn_request_schema,
	&add_partitions_to_txn_response_schema,
	&txn_offset_commit_request_schema,
	&txn_offset_commit_response_schema,
	&describe_acls_request_schema,
	&describe_acls_response_schema,
	&describe_configs_request_schema,
	&describe_configs_response_schema,
	&alter_configs_request_schema,
	&alter_configs_response_schema,
	&sasl_authenticate_request_schema,
	&sasl_authenticate_response_schema,
	&create_partitions_request_schema,
	&create_partitions_response_schema,
	&delete_groups_request_schema,
	&delete_groups_response_schema,
	&incremental_alter_configs_request_schema,
	&incremental_alter_configs_response_schema,
	&offset_delete_request_schema,
	&offset_delete_response_schema,
	&describe_cluster_request_schema,
	&describe_cluster_response_schema,
	&consumer_group_heartbeat_request_schema,
	&consumer_group_heartbeat_response_schema,
	&consumer_group_describe_request_schema,
	&consumer_group_describe_response_schema,
	&list_config_resources_request_schema,
	&list_config_resources_response_schema,
	&describe_topic_partitions_request_schema,
	&describe_topic_partitions_response_schema,
	&share_group_heartbeat_request_schema,
	&share_group_heartbeat_response_schema,
	&share_group_describe_request_schema,
	&share_group_describe_response_schema,
	&share_fetch_request_schema,
	&share_fetch_response_schema,
	&share_acknowledge_request_schema,
	&share_acknowledge_response_schema,
	&streams_group_heartbeat_request_schema,
	&streams_group_heartbeat_response_schema,
	&streams_group_describe_request_schema,
	&streams_group_describe_response_schema,
	&describe_share_group_offsets_request_schema,
	&describe_share_group_offsets_response_schema,
	&alter_share_group_offsets_request_schema,
	&alter_share_group_offsets_response_schema,
	&delete_share_group_offsets_request_schema,
	&delete_share_group_offsets_response_schema,
};

const size_t schema_messages_n = sizeof(schema_messages) / sizeof(schema_messages[0]);
