/* SPDX-License-Identifier: Apache-2.0 */
/* One row for each API of Kafka: what sluice does with its requests and answers, and why. */
#ifndef SLUICE_ROUTE_API_H
#define SLUICE_ROUTE_API_H

#include "base/types.h"

/* What happens to a request. */
#define ROUTE_VERDICT_LIST(X)                                                                                          \
	X(ROUTE_PASS, "pass")           /* streamed to the broker unread */                                            \
	X(ROUTE_PEEK, "peek")           /* something in the body decides: read it, then pass, split or answer */       \
	X(ROUTE_REWRITE, "rewrite")     /* streamed to the broker unread; its answer is changed */                     \
	X(ROUTE_TERMINATE, "terminate") /* answered by sluice, never sent to a broker */

enum route_verdict {
#define ROUTE_VERDICT_ENUM(name, text) name,
	ROUTE_VERDICT_LIST(ROUTE_VERDICT_ENUM)
#undef ROUTE_VERDICT_ENUM
};

/* What is read of a PEEK request before it is decided where it goes. */
enum route_peek {
	ROUTE_PEEK_WHOLE, /* all of it: collected, then split, merged or forwarded as it is */
	ROUTE_PEEK_ACKS,  /* Produce: acks in front, topics while it streams through */
	ROUTE_PEEK_GROUP, /* the group id: collected only when it is a share group's, else streamed on */
	ROUTE_PEEK_TOPIC, /* whether the internal topic is named at all: collected only then */
};

/* What happens to the broker's answer to a request that was sent on. */
enum route_answer {
	ROUTE_ANSWER_PASS,    /* streamed to the client unread */
	ROUTE_ANSWER_COLLECT, /* collected, then changed by rewrite_response() or, ApiVersions, versions_edit() */
	ROUTE_ANSWER_STREAM,  /* streamed through a rewrite_stream, which changes the tagged fields at its end */
};

struct route_api {
	int16_t key;
	const char *name; /* as Kafka writes it: "ShareFetch" */
	enum route_verdict verdict;
	int16_t max_known; /* highest version whose layout this program knows; -1: any, the layout does not matter */
	int16_t first_flexible;         /* first version with tagged fields in its headers; -1: none */
	enum route_peek peek;           /* PEEK */
	enum route_answer answer;       /* TERMINATE: where the brokers serve share groups themselves */
	int16_t answer_from;            /* answers of lower versions pass as they are */
	bool hidden;                    /* between brokers only: never shown to clients */
	bool served;                    /* TERMINATE: works, so that ApiVersions may show it */
	int16_t served_min, served_max; /* TERMINATE: the versions that are shown */
	const char *why;
};

#define ROUTE_KEY_MAX 94

/* Kafka's API keys that this program names. */
enum {
	ROUTE_KEY_PRODUCE = 0,
	ROUTE_KEY_FETCH = 1,
	ROUTE_KEY_METADATA = 3,
	ROUTE_KEY_CONTROLLED_SHUTDOWN = 7,
	ROUTE_KEY_OFFSET_COMMIT = 8,
	ROUTE_KEY_OFFSET_FETCH = 9,
	ROUTE_KEY_FIND_COORDINATOR = 10,
	ROUTE_KEY_JOIN_GROUP = 11,
	ROUTE_KEY_HEARTBEAT = 12,
	ROUTE_KEY_LEAVE_GROUP = 13,
	ROUTE_KEY_SYNC_GROUP = 14,
	ROUTE_KEY_DESCRIBE_GROUPS = 15,
	ROUTE_KEY_LIST_GROUPS = 16,
	ROUTE_KEY_SASL_HANDSHAKE = 17,
	ROUTE_KEY_API_VERSIONS = 18,
	ROUTE_KEY_DELETE_TOPICS = 20,
	ROUTE_KEY_DELETE_RECORDS = 21,
	ROUTE_KEY_ADD_PARTITIONS_TO_TXN = 24,
	ROUTE_KEY_TXN_OFFSET_COMMIT = 28,
	ROUTE_KEY_DESCRIBE_CONFIGS = 32,
	ROUTE_KEY_ALTER_CONFIGS = 33,
	ROUTE_KEY_SASL_AUTHENTICATE = 36,
	ROUTE_KEY_CREATE_PARTITIONS = 37,
	ROUTE_KEY_DELETE_GROUPS = 42,
	ROUTE_KEY_INCREMENTAL_ALTER_CONFIGS = 44,
	ROUTE_KEY_OFFSET_DELETE = 47,
	ROUTE_KEY_DESCRIBE_CLUSTER = 60,
	ROUTE_KEY_CONSUMER_GROUP_HEARTBEAT = 68,
	ROUTE_KEY_CONSUMER_GROUP_DESCRIBE = 69,
	ROUTE_KEY_LIST_CONFIG_RESOURCES = 74,
	ROUTE_KEY_DESCRIBE_TOPIC_PARTITIONS = 75,
	ROUTE_KEY_SHARE_GROUP_HEARTBEAT = 76,
	ROUTE_KEY_SHARE_GROUP_DESCRIBE = 77,
	ROUTE_KEY_SHARE_FETCH = 78,
	ROUTE_KEY_SHARE_ACKNOWLEDGE = 79,
	ROUTE_KEY_STREAMS_GROUP_HEARTBEAT = 88,
	ROUTE_KEY_STREAMS_GROUP_DESCRIBE = 89,
	ROUTE_KEY_DESCRIBE_SHARE_GROUP_OFFSETS = 90,
	ROUTE_KEY_ALTER_SHARE_GROUP_OFFSETS = 91,
	ROUTE_KEY_DELETE_SHARE_GROUP_OFFSETS = 92,
};

/* The row of an API key; NULL for a key that Kafka 4.4 does not have: such requests pass, since PASS reads nothing but
 * length, key, version and correlation id. */
const struct route_api *route_api_find(int16_t key);

/* "pass", "peek", "rewrite" or "terminate": static, for metrics and logs. */
const char *route_verdict_name(enum route_verdict v);

/* True when a request of this version can be treated as the row says. False (negative, or above max_known): ApiVersions
 * is answered with versions_write_unsupported(), any other connection is closed, as a broker does; such a version was
 * not shown. */
bool route_api_is_known(const struct route_api *api, int16_t version);

/* What to do with the broker's answer to a request of this version. */
enum route_answer route_api_answer(const struct route_api *api, int16_t version);

/* Header version of a request: 0, 1 or 2. Versions 1 and 2 have the client id at the same place in the same form. A key
 * without a row gives 1: enough to read the client id, the tags behind it (if any) pass unread. */
int8_t route_request_header_version(int16_t key, int16_t version);

/* Header version of an answer: 0 or 1. ApiVersions is always 0 (KIP-511). A key without a row gives 0: its correlation
 * id. */
int8_t route_response_header_version(int16_t key, int16_t version);

#endif
