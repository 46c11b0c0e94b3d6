/* SPDX-License-Identifier: Apache-2.0 */
/* Kafka's own error codes as they travel on the wire; those of our functions are in base/err.h. */
#ifndef SLUICE_WIRE_KAFKA_ERRORS_H
#define SLUICE_WIRE_KAFKA_ERRORS_H

#include <stdint.h>

/* X(code, constant, name): every code of Kafka 4.4. */
#define KAFKA_ERROR_LIST(X)                                                                                            \
	X(-1, KAFKA_ERR_UNKNOWN_SERVER_ERROR, "UNKNOWN_SERVER_ERROR")                                                  \
	X(0, KAFKA_ERR_NONE, "NONE")                                                                                   \
	X(1, KAFKA_ERR_OFFSET_OUT_OF_RANGE, "OFFSET_OUT_OF_RANGE")                                                     \
	X(2, KAFKA_ERR_CORRUPT_MESSAGE, "CORRUPT_MESSAGE")                                                             \
	X(3, KAFKA_ERR_UNKNOWN_TOPIC_OR_PARTITION, "UNKNOWN_TOPIC_OR_PARTITION")                                       \
	X(4, KAFKA_ERR_INVALID_FETCH_SIZE, "INVALID_FETCH_SIZE")                                                       \
	X(5, KAFKA_ERR_LEADER_NOT_AVAILABLE, "LEADER_NOT_AVAILABLE")                                                   \
	X(6, KAFKA_ERR_NOT_LEADER_OR_FOLLOWER, "NOT_LEADER_OR_FOLLOWER")                                               \
	X(7, KAFKA_ERR_REQUEST_TIMED_OUT, "REQUEST_TIMED_OUT")                                                         \
	X(8, KAFKA_ERR_BROKER_NOT_AVAILABLE, "BROKER_NOT_AVAILABLE")                                                   \
	X(9, KAFKA_ERR_REPLICA_NOT_AVAILABLE, "REPLICA_NOT_AVAILABLE")                                                 \
	X(10, KAFKA_ERR_MESSAGE_TOO_LARGE, "MESSAGE_TOO_LARGE")                                                        \
	X(11, KAFKA_ERR_STALE_CONTROLLER_EPOCH, "STALE_CONTROLLER_EPOCH")                                              \
	X(12, KAFKA_ERR_OFFSET_METADATA_TOO_LARGE, "OFFSET_METADATA_TOO_LARGE")                                        \
	X(13, KAFKA_ERR_NETWORK_EXCEPTION, "NETWORK_EXCEPTION")                                                        \
	X(14, KAFKA_ERR_COORDINATOR_LOAD_IN_PROGRESS, "COORDINATOR_LOAD_IN_PROGRESS")                                  \
	X(15, KAFKA_ERR_COORDINATOR_NOT_AVAILABLE, "COORDINATOR_NOT_AVAILABLE")                                        \
	X(16, KAFKA_ERR_NOT_COORDINATOR, "NOT_COORDINATOR")                                                            \
	X(17, KAFKA_ERR_INVALID_TOPIC_EXCEPTION, "INVALID_TOPIC_EXCEPTION")                                            \
	X(18, KAFKA_ERR_RECORD_LIST_TOO_LARGE, "RECORD_LIST_TOO_LARGE")                                                \
	X(19, KAFKA_ERR_NOT_ENOUGH_REPLICAS, "NOT_ENOUGH_REPLICAS")                                                    \
	X(20, KAFKA_ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND, "NOT_ENOUGH_REPLICAS_AFTER_APPEND")                          \
	X(21, KAFKA_ERR_INVALID_REQUIRED_ACKS, "INVALID_REQUIRED_ACKS")                                                \
	X(22, KAFKA_ERR_ILLEGAL_GENERATION, "ILLEGAL_GENERATION")                                                      \
	X(23, KAFKA_ERR_INCONSISTENT_GROUP_PROTOCOL, "INCONSISTENT_GROUP_PROTOCOL")                                    \
	X(24, KAFKA_ERR_INVALID_GROUP_ID, "INVALID_GROUP_ID")                                                          \
	X(25, KAFKA_ERR_UNKNOWN_MEMBER_ID, "UNKNOWN_MEMBER_ID")                                                        \
	X(26, KAFKA_ERR_INVALID_SESSION_TIMEOUT, "INVALID_SESSION_TIMEOUT")                                            \
	X(27, KAFKA_ERR_REBALANCE_IN_PROGRESS, "REBALANCE_IN_PROGRESS")                                                \
	X(28, KAFKA_ERR_INVALID_COMMIT_OFFSET_SIZE, "INVALID_COMMIT_OFFSET_SIZE")                                      \
	X(29, KAFKA_ERR_TOPIC_AUTHORIZATION_FAILED, "TOPIC_AUTHORIZATION_FAILED")                                      \
	X(30, KAFKA_ERR_GROUP_AUTHORIZATION_FAILED, "GROUP_AUTHORIZATION_FAILED")                                      \
	X(31, KAFKA_ERR_CLUSTER_AUTHORIZATION_FAILED, "CLUSTER_AUTHORIZATION_FAILED")                                  \
	X(32, KAFKA_ERR_INVALID_TIMESTAMP, "INVALID_TIMESTAMP")                                                        \
	X(33, KAFKA_ERR_UNSUPPORTED_SASL_MECHANISM, "UNSUPPORTED_SASL_MECHANISM")                                      \
	X(34, KAFKA_ERR_ILLEGAL_SASL_STATE, "ILLEGAL_SASL_STATE")                                                      \
	X(35, KAFKA_ERR_UNSUPPORTED_VERSION, "UNSUPPORTED_VERSION")                                                    \
	X(36, KAFKA_ERR_TOPIC_ALREADY_EXISTS, "TOPIC_ALREADY_EXISTS")                                                  \
	X(37, KAFKA_ERR_INVALID_PARTITIONS, "INVALID_PARTITIONS")                                                      \
	X(38, KAFKA_ERR_INVALID_REPLICATION_FACTOR, "INVALID_REPLICATION_FACTOR")                                      \
	X(39, KAFKA_ERR_INVALID_REPLICA_ASSIGNMENT, "INVALID_REPLICA_ASSIGNMENT")                                      \
	X(40, KAFKA_ERR_INVALID_CONFIG, "INVALID_CONFIG")                                                              \
	X(41, KAFKA_ERR_NOT_CONTROLLER, "NOT_CONTROLLER")                                                              \
	X(42, KAFKA_ERR_INVALID_REQUEST, "INVALID_REQUEST")                                                            \
	X(43, KAFKA_ERR_UNSUPPORTED_FOR_MESSAGE_FORMAT, "UNSUPPORTED_FOR_MESSAGE_FORMAT")                              \
	X(44, KAFKA_ERR_POLICY_VIOLATION, "POLICY_VIOLATION")                                                          \
	X(45, KAFKA_ERR_OUT_OF_ORDER_SEQUENCE_NUMBER, "OUT_OF_ORDER_SEQUENCE_NUMBER")                                  \
	X(46, KAFKA_ERR_DUPLICATE_SEQUENCE_NUMBER, "DUPLICATE_SEQUENCE_NUMBER")                                        \
	X(47, KAFKA_ERR_INVALID_PRODUCER_EPOCH, "INVALID_PRODUCER_EPOCH")                                              \
	X(48, KAFKA_ERR_INVALID_TXN_STATE, "INVALID_TXN_STATE")                                                        \
	X(49, KAFKA_ERR_INVALID_PRODUCER_ID_MAPPING, "INVALID_PRODUCER_ID_MAPPING")                                    \
	X(50, KAFKA_ERR_INVALID_TRANSACTION_TIMEOUT, "INVALID_TRANSACTION_TIMEOUT")                                    \
	X(51, KAFKA_ERR_CONCURRENT_TRANSACTIONS, "CONCURRENT_TRANSACTIONS")                                            \
	X(52, KAFKA_ERR_TRANSACTION_COORDINATOR_FENCED, "TRANSACTION_COORDINATOR_FENCED")                              \
	X(53, KAFKA_ERR_TRANSACTIONAL_ID_AUTHORIZATION_FAILED, "TRANSACTIONAL_ID_AUTHORIZATION_FAILED")                \
	X(54, KAFKA_ERR_SECURITY_DISABLED, "SECURITY_DISABLED")                                                        \
	X(55, KAFKA_ERR_OPERATION_NOT_ATTEMPTED, "OPERATION_NOT_ATTEMPTED")                                            \
	X(56, KAFKA_ERR_KAFKA_STORAGE_ERROR, "KAFKA_STORAGE_ERROR")                                                    \
	X(57, KAFKA_ERR_LOG_DIR_NOT_FOUND, "LOG_DIR_NOT_FOUND")                                                        \
	X(58, KAFKA_ERR_SASL_AUTHENTICATION_FAILED, "SASL_AUTHENTICATION_FAILED")                                      \
	X(59, KAFKA_ERR_UNKNOWN_PRODUCER_ID, "UNKNOWN_PRODUCER_ID")                                                    \
	X(60, KAFKA_ERR_REASSIGNMENT_IN_PROGRESS, "REASSIGNMENT_IN_PROGRESS")                                          \
	X(61, KAFKA_ERR_DELEGATION_TOKEN_AUTH_DISABLED, "DELEGATION_TOKEN_AUTH_DISABLED")                              \
	X(62, KAFKA_ERR_DELEGATION_TOKEN_NOT_FOUND, "DELEGATION_TOKEN_NOT_FOUND")                                      \
	X(63, KAFKA_ERR_DELEGATION_TOKEN_OWNER_MISMATCH, "DELEGATION_TOKEN_OWNER_MISMATCH")                            \
	X(64, KAFKA_ERR_DELEGATION_TOKEN_REQUEST_NOT_ALLOWED, "DELEGATION_TOKEN_REQUEST_NOT_ALLOWED")                  \
	X(65, KAFKA_ERR_DELEGATION_TOKEN_AUTHORIZATION_FAILED, "DELEGATION_TOKEN_AUTHORIZATION_FAILED")                \
	X(66, KAFKA_ERR_DELEGATION_TOKEN_EXPIRED, "DELEGATION_TOKEN_EXPIRED")                                          \
	X(67, KAFKA_ERR_INVALID_PRINCIPAL_TYPE, "INVALID_PRINCIPAL_TYPE")                                              \
	X(68, KAFKA_ERR_NON_EMPTY_GROUP, "NON_EMPTY_GROUP")                                                            \
	X(69, KAFKA_ERR_GROUP_ID_NOT_FOUND, "GROUP_ID_NOT_FOUND")                                                      \
	X(70, KAFKA_ERR_FETCH_SESSION_ID_NOT_FOUND, "FETCH_SESSION_ID_NOT_FOUND")                                      \
	X(71, KAFKA_ERR_INVALID_FETCH_SESSION_EPOCH, "INVALID_FETCH_SESSION_EPOCH")                                    \
	X(72, KAFKA_ERR_LISTENER_NOT_FOUND, "LISTENER_NOT_FOUND")                                                      \
	X(73, KAFKA_ERR_TOPIC_DELETION_DISABLED, "TOPIC_DELETION_DISABLED")                                            \
	X(74, KAFKA_ERR_FENCED_LEADER_EPOCH, "FENCED_LEADER_EPOCH")                                                    \
	X(75, KAFKA_ERR_UNKNOWN_LEADER_EPOCH, "UNKNOWN_LEADER_EPOCH")                                                  \
	X(76, KAFKA_ERR_UNSUPPORTED_COMPRESSION_TYPE, "UNSUPPORTED_COMPRESSION_TYPE")                                  \
	X(77, KAFKA_ERR_STALE_BROKER_EPOCH, "STALE_BROKER_EPOCH")                                                      \
	X(78, KAFKA_ERR_OFFSET_NOT_AVAILABLE, "OFFSET_NOT_AVAILABLE")                                                  \
	X(79, KAFKA_ERR_MEMBER_ID_REQUIRED, "MEMBER_ID_REQUIRED")                                                      \
	X(80, KAFKA_ERR_PREFERRED_LEADER_NOT_AVAILABLE, "PREFERRED_LEADER_NOT_AVAILABLE")                              \
	X(81, KAFKA_ERR_GROUP_MAX_SIZE_REACHED, "GROUP_MAX_SIZE_REACHED")                                              \
	X(82, KAFKA_ERR_FENCED_INSTANCE_ID, "FENCED_INSTANCE_ID")                                                      \
	X(83, KAFKA_ERR_ELIGIBLE_LEADERS_NOT_AVAILABLE, "ELIGIBLE_LEADERS_NOT_AVAILABLE")                              \
	X(84, KAFKA_ERR_ELECTION_NOT_NEEDED, "ELECTION_NOT_NEEDED")                                                    \
	X(85, KAFKA_ERR_NO_REASSIGNMENT_IN_PROGRESS, "NO_REASSIGNMENT_IN_PROGRESS")                                    \
	X(86, KAFKA_ERR_GROUP_SUBSCRIBED_TO_TOPIC, "GROUP_SUBSCRIBED_TO_TOPIC")                                        \
	X(87, KAFKA_ERR_INVALID_RECORD, "INVALID_RECORD")                                                              \
	X(88, KAFKA_ERR_UNSTABLE_OFFSET_COMMIT, "UNSTABLE_OFFSET_COMMIT")                                              \
	X(89, KAFKA_ERR_THROTTLING_QUOTA_EXCEEDED, "THROTTLING_QUOTA_EXCEEDED")                                        \
	X(90, KAFKA_ERR_PRODUCER_FENCED, "PRODUCER_FENCED")                                                            \
	X(91, KAFKA_ERR_RESOURCE_NOT_FOUND, "RESOURCE_NOT_FOUND")                                                      \
	X(92, KAFKA_ERR_DUPLICATE_RESOURCE, "DUPLICATE_RESOURCE")                                                      \
	X(93, KAFKA_ERR_UNACCEPTABLE_CREDENTIAL, "UNACCEPTABLE_CREDENTIAL")                                            \
	X(94, KAFKA_ERR_INCONSISTENT_VOTER_SET, "INCONSISTENT_VOTER_SET")                                              \
	X(95, KAFKA_ERR_INVALID_UPDATE_VERSION, "INVALID_UPDATE_VERSION")                                              \
	X(96, KAFKA_ERR_FEATURE_UPDATE_FAILED, "FEATURE_UPDATE_FAILED")                                                \
	X(97, KAFKA_ERR_PRINCIPAL_DESERIALIZATION_FAILURE, "PRINCIPAL_DESERIALIZATION_FAILURE")                        \
	X(98, KAFKA_ERR_SNAPSHOT_NOT_FOUND, "SNAPSHOT_NOT_FOUND")                                                      \
	X(99, KAFKA_ERR_POSITION_OUT_OF_RANGE, "POSITION_OUT_OF_RANGE")                                                \
	X(100, KAFKA_ERR_UNKNOWN_TOPIC_ID, "UNKNOWN_TOPIC_ID")                                                         \
	X(101, KAFKA_ERR_DUPLICATE_BROKER_REGISTRATION, "DUPLICATE_BROKER_REGISTRATION")                               \
	X(102, KAFKA_ERR_BROKER_ID_NOT_REGISTERED, "BROKER_ID_NOT_REGISTERED")                                         \
	X(103, KAFKA_ERR_INCONSISTENT_TOPIC_ID, "INCONSISTENT_TOPIC_ID")                                               \
	X(104, KAFKA_ERR_INCONSISTENT_CLUSTER_ID, "INCONSISTENT_CLUSTER_ID")                                           \
	X(105, KAFKA_ERR_TRANSACTIONAL_ID_NOT_FOUND, "TRANSACTIONAL_ID_NOT_FOUND")                                     \
	X(106, KAFKA_ERR_FETCH_SESSION_TOPIC_ID_ERROR, "FETCH_SESSION_TOPIC_ID_ERROR")                                 \
	X(107, KAFKA_ERR_INELIGIBLE_REPLICA, "INELIGIBLE_REPLICA")                                                     \
	X(108, KAFKA_ERR_NEW_LEADER_ELECTED, "NEW_LEADER_ELECTED")                                                     \
	X(109, KAFKA_ERR_OFFSET_MOVED_TO_TIERED_STORAGE, "OFFSET_MOVED_TO_TIERED_STORAGE")                             \
	X(110, KAFKA_ERR_FENCED_MEMBER_EPOCH, "FENCED_MEMBER_EPOCH")                                                   \
	X(111, KAFKA_ERR_UNRELEASED_INSTANCE_ID, "UNRELEASED_INSTANCE_ID")                                             \
	X(112, KAFKA_ERR_UNSUPPORTED_ASSIGNOR, "UNSUPPORTED_ASSIGNOR")                                                 \
	X(113, KAFKA_ERR_STALE_MEMBER_EPOCH, "STALE_MEMBER_EPOCH")                                                     \
	X(114, KAFKA_ERR_MISMATCHED_ENDPOINT_TYPE, "MISMATCHED_ENDPOINT_TYPE")                                         \
	X(115, KAFKA_ERR_UNSUPPORTED_ENDPOINT_TYPE, "UNSUPPORTED_ENDPOINT_TYPE")                                       \
	X(116, KAFKA_ERR_UNKNOWN_CONTROLLER_ID, "UNKNOWN_CONTROLLER_ID")                                               \
	X(117, KAFKA_ERR_UNKNOWN_SUBSCRIPTION_ID, "UNKNOWN_SUBSCRIPTION_ID")                                           \
	X(118, KAFKA_ERR_TELEMETRY_TOO_LARGE, "TELEMETRY_TOO_LARGE")                                                   \
	X(119, KAFKA_ERR_INVALID_REGISTRATION, "INVALID_REGISTRATION")                                                 \
	X(120, KAFKA_ERR_TRANSACTION_ABORTABLE, "TRANSACTION_ABORTABLE")                                               \
	X(121, KAFKA_ERR_INVALID_RECORD_STATE, "INVALID_RECORD_STATE")                                                 \
	X(122, KAFKA_ERR_SHARE_SESSION_NOT_FOUND, "SHARE_SESSION_NOT_FOUND")                                           \
	X(123, KAFKA_ERR_INVALID_SHARE_SESSION_EPOCH, "INVALID_SHARE_SESSION_EPOCH")                                   \
	X(124, KAFKA_ERR_FENCED_STATE_EPOCH, "FENCED_STATE_EPOCH")                                                     \
	X(125, KAFKA_ERR_INVALID_VOTER_KEY, "INVALID_VOTER_KEY")                                                       \
	X(126, KAFKA_ERR_DUPLICATE_VOTER, "DUPLICATE_VOTER")                                                           \
	X(127, KAFKA_ERR_VOTER_NOT_FOUND, "VOTER_NOT_FOUND")                                                           \
	X(128, KAFKA_ERR_INVALID_REGULAR_EXPRESSION, "INVALID_REGULAR_EXPRESSION")                                     \
	X(129, KAFKA_ERR_REBOOTSTRAP_REQUIRED, "REBOOTSTRAP_REQUIRED")                                                 \
	X(130, KAFKA_ERR_STREAMS_INVALID_TOPOLOGY, "STREAMS_INVALID_TOPOLOGY")                                         \
	X(131, KAFKA_ERR_STREAMS_INVALID_TOPOLOGY_EPOCH, "STREAMS_INVALID_TOPOLOGY_EPOCH")                             \
	X(132, KAFKA_ERR_STREAMS_TOPOLOGY_FENCED, "STREAMS_TOPOLOGY_FENCED")                                           \
	X(133, KAFKA_ERR_SHARE_SESSION_LIMIT_REACHED, "SHARE_SESSION_LIMIT_REACHED")                                   \
	X(134, KAFKA_ERR_GROUP_DELETION_FAILED, "GROUP_DELETION_FAILED")                                               \
	X(135, KAFKA_ERR_STREAMS_TOPOLOGY_DESCRIPTION_UPDATE_FAILED, "STREAMS_TOPOLOGY_DESCRIPTION_UPDATE_FAILED")     \
	X(136, KAFKA_ERR_CONTROLLER_ID_NOT_REGISTERED, "CONTROLLER_ID_NOT_REGISTERED")

enum kafka_error {
#define KAFKA_ERROR_ENUM(code, constant, name) constant = (code),
	KAFKA_ERROR_LIST(KAFKA_ERROR_ENUM)
#undef KAFKA_ERROR_ENUM
};

/* Kafka's name of an error code ("NOT_COORDINATOR"), "unknown error code" for one that Kafka 4.4 does not define.
 * Static storage. */
const char *kafka_error_name(int16_t code);

#endif
