/* SPDX-License-Identifier: Apache-2.0 */
/* The share.* configs of a group (resource type GROUP), one table row each: name, type, default, bounds. */
#ifndef SLUICE_SHARE_GROUP_CONFIG_H
#define SLUICE_SHARE_GROUP_CONFIG_H

#include "base/arena.h"
#include "base/err.h"
#include "base/types.h"

/* Broker-level values with the bounds that they put on a group's override; names as Kafka's group.share.* options. */
struct share_group_config_bounds {
	int32_t session_timeout_ms, min_session_timeout_ms, max_session_timeout_ms;
	int32_t heartbeat_interval_ms, min_heartbeat_interval_ms, max_heartbeat_interval_ms;
	int32_t record_lock_duration_ms, min_record_lock_duration_ms, max_record_lock_duration_ms;
	int32_t delivery_count_limit, min_delivery_count_limit, max_delivery_count_limit;
	int32_t partition_max_record_locks, min_partition_max_record_locks, max_partition_max_record_locks;
	int32_t assignment_interval_ms, min_assignment_interval_ms, max_assignment_interval_ms;
	bool record_locks_span; /* group.share.partition.max.record.locks.span.enable */
};

enum share_offset_reset { SHARE_RESET_LATEST, SHARE_RESET_EARLIEST, SHARE_RESET_BY_DURATION };

/* Effective values of one group. */
struct share_group_config {
	int32_t session_timeout_ms, heartbeat_interval_ms, record_lock_duration_ms;
	int32_t delivery_count_limit, partition_max_record_locks, assignment_interval_ms;
	enum share_offset_reset auto_offset_reset;
	int64_t auto_offset_reset_duration_ms; /* of by_duration */
	bool read_committed;                   /* share.isolation.level */
	bool renew_acknowledge_enable;
	bool record_locks_span; /* partition_max_record_locks bounds a span of offsets, not the records in flight */
};

/* Kafka's own defaults (4.4). */
void share_group_config_bounds_default(struct share_group_config_bounds *b);

/* The values of a group that sets nothing. */
void share_group_config_default(const struct share_group_config_bounds *b, struct share_group_config *ret);

/* Number of config names, and the i-th: name, Kafka's ConfigDef type ("int", "long", "string", "boolean" as the byte
 * that DescribeConfigs uses: 1 boolean, 2 string, 3 int, 5 long), one line of documentation. */
uint32_t share_group_config_names(void);
struct str share_group_config_name(uint32_t i);
int8_t share_group_config_type(uint32_t i);
const char *share_group_config_doc(uint32_t i);

/* Sets one value from its text in c. ERR_NOT_FOUND (unknown name), ERR_INVALID with a sentence as Kafka's in
 * *ret_message (in a). */
enum err share_group_config_set(const struct share_group_config_bounds *b, struct share_group_config *c,
	struct str name, struct str value, struct arena *a, struct str *ret_message) ERR_CHECKED;

/* Checks values against each other (session above heartbeat): as above. */
enum err share_group_config_check(
	const struct share_group_config *c, struct arena *a, struct str *ret_message) ERR_CHECKED;

/* The effective value as text in a; the null string for an unknown name. */
struct str share_group_config_get(const struct share_group_config *c, struct str name, struct arena *a);

/* Where a value comes from, numbered as DescribeConfigs does. */
enum share_config_source_type {
	SHARE_CONFIG_STATIC_BROKER = 4,
	SHARE_CONFIG_DEFAULT = 5,
	SHARE_CONFIG_DYNAMIC_GROUP = 8,
};

struct share_config_source {
	enum share_config_source_type type;
	struct str name, value;
};

#define SHARE_CONFIG_BROKER_SOURCES 2

/* What holds for the i-th config where a group sets nothing, the one that counts first: the broker-level option when it
 * is not Kafka's default (group.share.X, static), then the default. Texts in a; returns how many, at least one. */
uint32_t share_group_config_broker(const struct share_group_config_bounds *b, uint32_t i, struct arena *a,
	struct share_config_source ret[SHARE_CONFIG_BROKER_SOURCES]);

#endif
