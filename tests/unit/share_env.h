/* SPDX-License-Identifier: Apache-2.0 */
/* An engine with a played cluster behind it: what tests of the share engine have in common. */
#ifndef SLUICE_TESTS_UNIT_SHARE_ENV_H
#define SLUICE_TESTS_UNIT_SHARE_ENV_H

#include "share/share.h"

enum { ENV_TOPICS = 4, ENV_PARTS = 8, ENV_BATCHES = 4096, ENV_WANTS = 256 };

struct env_log {
	struct share_batch *b;
	uint32_t n;
	int64_t start, end, lso;
	struct share_aborted aborted[4];
	uint32_t aborted_n;
};

struct env {
	struct share_engine_config cfg;
	struct share_engine *e;
	struct share_effects fx; /* of all steps since env_clear */
	uint32_t seen;           /* effects that were looked at for wants and releases */
	int64_t now;
	uint64_t token;
	struct uuid topics[ENV_TOPICS];
	struct env_log logs[ENV_TOPICS][ENV_PARTS];
	struct {
		struct share_log_key log;
		int64_t offset;
	} wants[ENV_WANTS];
	uint32_t wants_n, wants_total, resolves_n, resolves_total;
	struct {
		struct str group_id; /* view on a literal */
		struct uuid topic_id;
		int32_t partition;
		enum share_offset_strategy strategy;
		int64_t timestamp;
	} resolves[ENV_WANTS];
	int64_t live; /* batches that the engine holds */
};

/* A ShareFetch or ShareAcknowledge; zeroed members have the defaults of a Java client. */
struct env_request {
	const char *group, *member;
	int32_t node;
	uint64_t conn;
	int32_t epoch;
	const struct share_partition_acks *partitions;
	uint32_t partitions_n;
	const struct share_topic_partition *forgotten;
	uint32_t forgotten_n;
	int32_t max_wait_ms; /* 0: 500, -1: 0 */
	int32_t max_records; /* 0: 500, -1: 0 */
	int32_t max_bytes;   /* 0: 50 MiB, -1: 0 */
	int32_t min_bytes;   /* 0: 1, -1: 0 */
	int32_t batch_size;  /* 0: max_records */
	int8_t acquire_mode;
	int16_t version; /* 0: 2 */
	bool renew;
};

/* cfg NULL: env_config(). */
struct env *env_new(const struct share_engine_config *cfg);
void env_free(struct env *v); /* the engine must have released every batch by then */
struct share_engine_config env_config(void);

void env_clear(struct env *v);
void env_apply(struct env *v, struct share_event *ev);
void env_time(struct env *v, int64_t ms);
void env_topic(struct env *v, int t, int32_t partitions);
struct str env_topic_name(int t);

/* Batches of n offsets each behind the log's end, 100 bytes a batch unless said otherwise. */
struct share_batch *env_batch(struct env *v, int t, int p, int64_t n);
void env_hole(struct env *v, int t, int p, int64_t n);

/* Answers all wants for which there is something, until there is nothing more to answer; false: one of them had
 * nothing. */
void env_serve(struct env *v);
void env_serve_one(struct env *v, uint32_t i, int16_t error);
void env_resolve(struct env *v, int64_t offset); /* answers all */

/* A group without members whose partitions 0 .. n - 1 of topic t start at offset. */
void env_group(struct env *v, const char *group, int t, int32_t n, int64_t offset);
int16_t env_set(struct env *v, const char *group, const char *name, const char *value);

uint64_t env_heartbeat(
	struct env *v, const char *group, const char *member, int32_t epoch, const char *const *topics, uint32_t n);
uint64_t env_fetch(struct env *v, const struct env_request *q);
uint64_t env_ack(struct env *v, const struct env_request *q);

/* The answer of a request since env_clear, NULL when there is none; asserts that there is not more than one. */
const struct share_effect *env_reply(const struct env *v, uint64_t token);
const struct share_fetch_reply *env_fetched(const struct env *v, uint64_t token); /* must be answered */
const struct share_fetch_partition_reply *env_part(
	const struct share_fetch_reply *r, struct uuid topic, int32_t partition);

/* Opens a session with partitions 0 .. n - 1 of topic t that gets its records at once; returns the token. */
uint64_t env_open(struct env *v, const char *group, const char *member, int32_t node, int t, int32_t n);

/* One acknowledgement of first..last, all of a type, by a ShareAcknowledge of this epoch; returns the partition's
 * error. */
int16_t env_ack_one(struct env *v, const char *group, const char *member, int32_t epoch, int t, int p, int64_t first,
	int64_t last, int8_t type);

/* The i-th PERSIST since env_clear, NULL when there are fewer. */
const struct share_change *env_change(const struct env *v, uint32_t i);
uint32_t env_changes(const struct env *v);

#endif
