/* SPDX-License-Identifier: Apache-2.0 */
/* The table of Kafka's APIs: what is done with each, and why. The verdict is our own knowledge, so it is kept by hand.
 */
#include "route/api.h"

#include "base/assert.h"

#define ANY (-1)

#define PASS(k, n, flex, w)                                                                                            \
	[k] = {.key = (k), .name = (n), .verdict = ROUTE_PASS, .max_known = ANY, .first_flexible = (flex), .why = (w)}
#define HIDDEN(k, n, flex, w)                                                                                          \
	[k] = {.key = (k),                                                                                             \
		.name = (n),                                                                                           \
		.verdict = ROUTE_PASS,                                                                                 \
		.max_known = ANY,                                                                                      \
		.first_flexible = (flex),                                                                              \
		.hidden = true,                                                                                        \
		.why = (w)}
#define READ(k, n, v, pk, known, flex, ans, from, w)                                                                   \
	[k] = {.key = (k),                                                                                             \
		.name = (n),                                                                                           \
		.verdict = (v),                                                                                        \
		.max_known = (known),                                                                                  \
		.first_flexible = (flex),                                                                              \
		.peek = (pk),                                                                                          \
		.answer = (ans),                                                                                       \
		.answer_from = (from),                                                                                 \
		.why = (w)}
#define PEEK(k, n, known, flex, pk, w) READ(k, n, ROUTE_PEEK, pk, known, flex, ROUTE_ANSWER_PASS, 0, w)
#define GROUP(k, n, known, flex)                                                                                       \
	PEEK(k, n, known, flex, ROUTE_PEEK_GROUP, "groups are the cluster's, but an id that a share group has is taken")
#define DESCRIBE(k, n, known, flex) PEEK(k, n, known, flex, ROUTE_PEEK_WHOLE, "a share group is no group of this kind")
#define TOPIC(k, n, known, flex) PEEK(k, n, known, flex, ROUTE_PEEK_TOPIC, "clients may not change the internal topic")
#define CHANGE(k, n, known, flex)                                                                                      \
	PEEK(k, n, known, flex, ROUTE_PEEK_WHOLE,                                                                      \
		"clients may not change the internal topic, and what they change of others is looked at soon")
#define REWRITE(k, n, known, flex, ans, from, w) READ(k, n, ROUTE_REWRITE, ROUTE_PEEK_WHOLE, known, flex, ans, from, w)
#define TERMINATE(k, n, lo, hi, w, ...)                                                                                \
	[k] = {.key = (k),                                                                                             \
		.name = (n),                                                                                           \
		.verdict = ROUTE_TERMINATE,                                                                            \
		.max_known = (hi),                                                                                     \
		.served = true,                                                                                        \
		.served_min = (lo),                                                                                    \
		.served_max = (hi),                                                                                    \
		.why = (w),                                                                                            \
		__VA_ARGS__}

/* clang-format off: one row a line */
static const struct route_api apis[ROUTE_KEY_MAX + 1] = {
	READ(0, "Produce", ROUTE_PEEK, ROUTE_PEEK_ACKS, 13, 9, ROUTE_ANSWER_STREAM, 10,
		"acks 0 has no answer; the internal topic is not for clients; answers name leaders from v10 on "
		"(KIP-951)"),
	REWRITE(1, "Fetch", 18, 12, ROUTE_ANSWER_STREAM, 16, "answers name leaders from v16 on (KIP-951)"),
	PASS(2, "ListOffsets", 6, "no address; the leader answers"),
	REWRITE(3, "Metadata", 13, 9, ROUTE_ANSWER_COLLECT, 0,
		"answers name every broker and which topics are internal"),
	PASS(4, "LeaderAndIsr", 4, "between brokers of the ZooKeeper age"),
	PASS(5, "StopReplica", 2, "between brokers of the ZooKeeper age"),
	PASS(6, "UpdateMetadata", 6, "between brokers of the ZooKeeper age"),
	PASS(7, "ControlledShutdown", 3, "between brokers of the ZooKeeper age"),
	GROUP(8, "OffsetCommit", 10, 8),
	GROUP(9, "OffsetFetch", 10, 6),
	REWRITE(10, "FindCoordinator", 6, 3, ROUTE_ANSWER_COLLECT, 0, "answers name the coordinator"),
	GROUP(11, "JoinGroup", 9, 6),
	GROUP(12, "Heartbeat", 4, 4),
	GROUP(13, "LeaveGroup", 5, 4),
	GROUP(14, "SyncGroup", 5, 4),
	DESCRIBE(15, "DescribeGroups", 6, 5),
	PEEK(16, "ListGroups", 5, 3, ROUTE_PEEK_WHOLE, "lists the cluster's groups, share groups are merged in"),
	PASS(17, "SaslHandshake", -1, "authentication is end to end"),
	REWRITE(18, "ApiVersions", 5, 3, ROUTE_ANSWER_COLLECT, 0, "answers list the APIs that a client may use"),
	PASS(19, "CreateTopics", 5, "no address, the cluster's own affair"),
	CHANGE(20, "DeleteTopics", 6, 4),
	CHANGE(21, "DeleteRecords", 2, 2),
	PASS(22, "InitProducerId", 2, "transactions are the cluster's"),
	PASS(23, "OffsetForLeaderEpoch", 4, "no address, the cluster's own affair"),
	TOPIC(24, "AddPartitionsToTxn", 5, 3),
	PASS(25, "AddOffsetsToTxn", 3, "transactions are the cluster's"),
	PASS(26, "EndTxn", 3, "transactions are the cluster's"),
	PASS(27, "WriteTxnMarkers", 1, "between brokers"),
	GROUP(28, "TxnOffsetCommit", 6, 3),
	PASS(29, "DescribeAcls", 2, "access rights are the cluster's"),
	PASS(30, "CreateAcls", 2, "access rights are the cluster's"),
	PASS(31, "DeleteAcls", 2, "access rights are the cluster's"),
	PEEK(32, "DescribeConfigs", 4, 4, ROUTE_PEEK_WHOLE,
		"configs of share groups are kept here: resources of type GROUP are split off"),
	PEEK(33, "AlterConfigs", 2, 2, ROUTE_PEEK_WHOLE,
		"configs of share groups are kept here: resources of type GROUP are split off"),
	PASS(34, "AlterReplicaLogDirs", 2, "no address, the cluster's own affair"),
	PASS(35, "DescribeLogDirs", 2, "no address, the cluster's own affair"),
	PASS(36, "SaslAuthenticate", 2, "authentication is end to end"),
	CHANGE(37, "CreatePartitions", 3, 2),
	PASS(38, "CreateDelegationToken", 2, "credentials are the cluster's"),
	PASS(39, "RenewDelegationToken", 2, "credentials are the cluster's"),
	PASS(40, "ExpireDelegationToken", 2, "credentials are the cluster's"),
	PASS(41, "DescribeDelegationToken", 2, "credentials are the cluster's"),
	PEEK(42, "DeleteGroups", 3, 2, ROUTE_PEEK_WHOLE, "deletes the cluster's groups, share groups are split off"),
	PASS(43, "ElectLeaders", 2, "no address, the cluster's own affair"),
	PEEK(44, "IncrementalAlterConfigs", 1, 1, ROUTE_PEEK_WHOLE,
		"configs of share groups are kept here: resources of type GROUP are split off"),
	PASS(45, "AlterPartitionReassignments", 0, "no address, the cluster's own affair"),
	PASS(46, "ListPartitionReassignments", 0, "no address, the cluster's own affair"),
	GROUP(47, "OffsetDelete", 0, -1),
	PASS(48, "DescribeClientQuotas", 1, "quotas are the cluster's"),
	PASS(49, "AlterClientQuotas", 1, "quotas are the cluster's"),
	PASS(50, "DescribeUserScramCredentials", 0, "credentials are the cluster's"),
	PASS(51, "AlterUserScramCredentials", 0, "credentials are the cluster's"),
	PASS(52, "Vote", 0, "between controllers and brokers"),
	PASS(53, "BeginQuorumEpoch", 1, "between controllers and brokers"),
	PASS(54, "EndQuorumEpoch", 1, "between controllers and brokers"),
	PASS(55, "DescribeQuorum", 0, "names controller listeners, to which clients never connect"),
	PASS(56, "AlterPartition", 0, "between controllers and brokers"),
	PASS(57, "UpdateFeatures", 0, "no address, the cluster's own affair"),
	PASS(58, "Envelope", 0, "between controllers and brokers"),
	PASS(59, "FetchSnapshot", 0, "between controllers and brokers"),
	REWRITE(60, "DescribeCluster", 2, 0, ROUTE_ANSWER_COLLECT, 0, "answers name every broker"),
	PASS(61, "DescribeProducers", 0, "transactions are the cluster's"),
	PASS(62, "BrokerRegistration", 0, "between controllers and brokers"),
	PASS(63, "BrokerHeartbeat", 0, "between controllers and brokers"),
	PASS(64, "UnregisterBroker", 0, "no address, the cluster's own affair"),
	PASS(65, "DescribeTransactions", 0, "transactions are the cluster's"),
	PASS(66, "ListTransactions", 0, "transactions are the cluster's"),
	PASS(67, "AllocateProducerIds", 0, "between controllers and brokers"),
	GROUP(68, "ConsumerGroupHeartbeat", 1, 0),
	DESCRIBE(69, "ConsumerGroupDescribe", 1, 0),
	PASS(70, "ControllerRegistration", 0, "between controllers and brokers"),
	PASS(71, "GetTelemetrySubscriptions", 0, "telemetry is the broker's"),
	PASS(72, "PushTelemetry", 0, "telemetry is the broker's"),
	PASS(73, "AssignReplicasToDirs", 0, "between controllers and brokers"),
	PEEK(74, "ListConfigResources", 1, 0, ROUTE_PEEK_WHOLE,
		"lists the cluster's resources, share groups with configs are merged in"),
	REWRITE(75, "DescribeTopicPartitions", 0, 0, ROUTE_ANSWER_COLLECT, 0,
		"node ids without addresses; the internal topic is marked as such"),
	TERMINATE(76, "ShareGroupHeartbeat", 1, 1, "membership of share groups"),
	TERMINATE(77, "ShareGroupDescribe", 1, 1, "members of share groups"),
	TERMINATE(78, "ShareFetch", 1, 2, "records of share groups", .answer = ROUTE_ANSWER_COLLECT),
	TERMINATE(79, "ShareAcknowledge", 1, 2, "acknowledgements of share groups", .answer = ROUTE_ANSWER_COLLECT),
	PASS(80, "AddRaftVoter", 0, "carries the address of a new voter, which must arrive unchanged"),
	PASS(81, "RemoveRaftVoter", 0, "no address, the cluster's own affair"),
	PASS(82, "UpdateRaftVoter", 0, "between controllers and brokers"),
	HIDDEN(83, "InitializeShareGroupState", 0, "state of share groups, between brokers that have them"),
	HIDDEN(84, "ReadShareGroupState", 0, "state of share groups, between brokers that have them"),
	HIDDEN(85, "WriteShareGroupState", 0, "state of share groups, between brokers that have them"),
	HIDDEN(86, "DeleteShareGroupState", 0, "state of share groups, between brokers that have them"),
	HIDDEN(87, "ReadShareGroupStateSummary", 0, "state of share groups, between brokers that have them"),
	GROUP(88, "StreamsGroupHeartbeat", 1, 0),
	DESCRIBE(89, "StreamsGroupDescribe", 1, 0),
	TERMINATE(90, "DescribeShareGroupOffsets", 0, 1, "offsets of share groups"),
	TERMINATE(91, "AlterShareGroupOffsets", 0, 0, "offsets of share groups"),
	TERMINATE(92, "DeleteShareGroupOffsets", 0, 0, "offsets of share groups"),
	PASS(93, "StreamsGroupTopologyDescriptionUpdate", 0, "streams groups are the cluster's"),
	PASS(94, "UnregisterController", 0, "no address, the cluster's own affair"),
};
/* clang-format on */

static const char *const verdict_names[] = {
#define VERDICT_NAME(name, text) [name] = (text),
	ROUTE_VERDICT_LIST(VERDICT_NAME)
#undef VERDICT_NAME
};

const struct route_api *route_api_find(int16_t key)
{
	return key >= 0 && key <= ROUTE_KEY_MAX ? &apis[key] : NULL;
}

const char *route_verdict_name(enum route_verdict v)
{
	sl_assert(v <= ROUTE_TERMINATE);
	return verdict_names[v];
}

bool route_api_is_known(const struct route_api *api, int16_t version)
{
	if (version < 0 || (api->verdict == ROUTE_TERMINATE && version < api->served_min))
		return false;
	return api->max_known == ANY || version <= api->max_known;
}

enum route_answer route_api_answer(const struct route_api *api, int16_t version)
{
	return version >= api->answer_from ? api->answer : ROUTE_ANSWER_PASS;
}

static bool is_flexible(const struct route_api *api, int16_t version)
{
	return api->first_flexible >= 0 && version >= api->first_flexible;
}

int8_t route_request_header_version(int16_t key, int16_t version)
{
	const struct route_api *api = route_api_find(key);

	if (key == ROUTE_KEY_CONTROLLED_SHUTDOWN && version == 0)
		return 0; /* the only request without a client id */
	return api && is_flexible(api, version) ? 2 : 1;
}

int8_t route_response_header_version(int16_t key, int16_t version)
{
	const struct route_api *api = route_api_find(key);

	/* A client reads this answer before it knows what the broker speaks (KIP-511). */
	if (key == ROUTE_KEY_API_VERSIONS)
		return 0;
	return api && is_flexible(api, version) ? 1 : 0;
}
