/* SPDX-License-Identifier: Apache-2.0 */
/* The share-group engine (KIP-932): groups, assignor, share sessions, share-partitions, deadlines. A pure state
 * machine: events in, effects out. It has no clock, no randomness, no log, no I/O and knows no byte of Kafka's
 * protocol.
 *
 *   share_apply(engine, event, now, effects)
 *
 * The caller executes the effects in order. A group belongs to one state partition of the state log; a REPLY that
 * depends on durable state says so and is held back by the caller until every PERSIST before it in the same state
 * partition is durable. The engine applies changes to its memory at once: when a write can not be made durable the
 * caller drops the state partition (SHARE_EV_STATE_LOST) and restores it from the log, so memory and log never
 * disagree.
 *
 * Whom records are handed to: a waiting fetch is answered as soon as anything that it may have is there, and fetches
 * that wait for the same share-partition are served in the order in which they began to wait. A request that arrives
 * later comes after them, also for what its own acknowledgements gave back. MinBytes may let others pass, but not twice
 * in a row: the next fetch of a member that got nothing while others were served counts as if it asked for one byte. */
#ifndef SLUICE_SHARE_SHARE_H
#define SLUICE_SHARE_SHARE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/types.h"
#include "share/group_config.h"
#include "share/state.h"

struct share_engine;

/* Ceilings and defaults, given once. */
struct share_engine_config {
	struct share_group_config_bounds
		group;                /* group.share.*: defaults, minima, maxima of what a group may override */
	int32_t group_max_size;       /* group.share.max.size */
	int32_t max_share_sessions;   /* group.share.max.share.sessions, for each node id */
	int64_t read_ahead_max_bytes; /* batches that the engine keeps, all logs together */
	int32_t fetch_max_bytes;      /* upper bound of one answer's record bytes */
	uint32_t max_groups;
	int32_t step_work; /* deadlines and locks that run out, handled in one step; 0: 1000 */
};

/* A partition's log at one isolation level: what one upstream fetch serves. */
struct share_log_key {
	struct uuid topic_id;
	int32_t partition;
	bool read_committed;
};

/* A stored record batch that the caller holds; ref is the caller's and comes back in replies and in SHARE_FX_RELEASE.
 */
struct share_batch {
	int64_t base_offset, last_offset;
	uint32_t size;                      /* bytes */
	bool control, transactional, empty; /* empty: no record left in it */
	int64_t producer_id;
	void *ref;
};

/* A range of the aborted-transactions list of a Fetch answer. */
struct share_aborted {
	int64_t producer_id, first_offset;
};

/* One AcknowledgementBatch: types_n is 1 or the number of offsets. Types as on the wire: 0 gap, 1 accept, 2 release, 3
 * reject, 4 renew. */
struct share_ack_batch {
	int64_t first, last;
	const int8_t *types;
	uint32_t types_n;
};

struct share_partition_acks {
	struct uuid topic_id;
	int32_t partition;
	const struct share_ack_batch *batches;
	uint32_t batches_n;
};

struct share_topic_partition {
	struct uuid topic_id;
	int32_t partition;
};

enum share_event_type {
	SHARE_EV_TICK,             /* deadlines that have passed are handled (every event does that too) */
	SHARE_EV_TOPIC,            /* a topic exists with so many partitions: u.topic */
	SHARE_EV_TOPIC_GONE,       /* u.topic.topic_id */
	SHARE_EV_HEARTBEAT,        /* ShareGroupHeartbeat: u.heartbeat */
	SHARE_EV_FETCH,            /* ShareFetch: u.fetch */
	SHARE_EV_ACKNOWLEDGE,      /* ShareAcknowledge: u.fetch (without its fetch parameters) */
	SHARE_EV_DESCRIBE,         /* ShareGroupDescribe of one group: u.group */
	SHARE_EV_DESCRIBE_OFFSETS, /* DescribeShareGroupOffsets of one group, all partitions that it has: u.group */
	SHARE_EV_ALTER_OFFSETS,    /* AlterShareGroupOffsets: u.offsets */
	SHARE_EV_DELETE_OFFSETS,   /* DeleteShareGroupOffsets: u.offsets, partition ignored */
	SHARE_EV_DELETE_GROUP,     /* DeleteGroups, one group: u.group; answered with u.config */
	SHARE_EV_ALTER_CONFIG,     /* IncrementalAlterConfigs of one GROUP resource: u.config */
	SHARE_EV_RECORDS,          /* answer to SHARE_FX_WANT_RECORDS: u.records */
	SHARE_EV_OFFSET,           /* answer to SHARE_FX_RESOLVE_OFFSET: u.offset */
	SHARE_EV_LOG_START,   /* records before an offset were deleted, earlier than an answer tells it: u.log_start */
	SHARE_EV_CONN_CLOSED, /* a client connection is gone: u.conn_id */
	SHARE_EV_STATE_LOST,  /* the groups of a state partition are no longer ours: u.state_partition */
	SHARE_EV_LEASE,       /* until when the groups of a state partition may hand out records: u.lease */
	SHARE_EV_STOP,        /* shutting down: every parked fetch and heartbeat is answered now with what there is */
};

struct share_event {
	enum share_event_type type;
	uint64_t token;          /* of requests: chosen by the caller, comes back in the reply */
	int32_t state_partition; /* of requests: where the group's state lives */
	union {
		struct {
			struct uuid topic_id;
			struct str name;
			int32_t partitions;
		} topic;
		struct {
			struct str group_id, member_id;
			int32_t member_epoch;
			struct str rack_id;       /* nullable: unchanged */
			const struct str *topics; /* NULL: unchanged */
			uint32_t topics_n;
			struct str client_id, client_host;
		} heartbeat;
		struct {
			struct str group_id, member_id; /* nullable as on the wire */
			int32_t node_id;                /* of the listener: share sessions are per node */
			uint64_t conn_id;
			int16_t api_version;
			int32_t session_epoch;
			int32_t max_wait_ms, min_bytes, max_bytes, max_records, batch_size;
			int8_t acquire_mode; /* 0 batch-optimized, 1 record-limit */
			bool is_renew_ack;
			const struct share_partition_acks
				*partitions; /* in request order; a partition may occur twice */
			uint32_t partitions_n;
			const struct share_topic_partition *forgotten;
			uint32_t forgotten_n;
			const struct uuid *denied; /* topics that the member may not read, ascending */
			uint32_t denied_n;
		} fetch;
		struct {
			struct str group_id;
		} group;
		struct {
			struct str group_id;
			const struct share_topic_partition *partitions;
			const int64_t *start_offsets; /* one for each partition; ALTER only */
			uint32_t partitions_n;
		} offsets;
		struct {
			struct str group_id;
			const struct share_config_entry *entries; /* value null: removed */
			uint32_t entries_n;
			bool validate_only;
		} config;
		struct {
			struct share_log_key log;
			int64_t from_offset; /* as in the effect */
			int16_t error;       /* Kafka error code, 0 or 1 (OFFSET_OUT_OF_RANGE) among them */
			/* Of the log as the answer gives them; -1: unknown. A broker does not give them with
			 * OFFSET_OUT_OF_RANGE: then they must be asked for (ListOffsets earliest and latest), or the
			 * engine can only try again. */
			int64_t high_watermark, last_stable_offset, log_start_offset;
			const struct share_batch
				*batches; /* ascending; owned by the engine from now on until RELEASE */
			uint32_t batches_n;
			const struct share_aborted *aborted; /* ascending first_offset */
			uint32_t aborted_n;
		} records;
		struct {
			struct str group_id;
			struct uuid topic_id;
			int32_t partition;
			int16_t error; /* 0 or a Kafka error code: tried again later */
			int64_t offset;
		} offset;
		struct {
			struct uuid topic_id;
			int32_t partition;
			int64_t offset;
		} log_start;
		uint64_t conn_id;
		int32_t state_partition;
		/* Groups of the state partition acquire only when not_before <= now.mono < until. No limit before the
		 * first lease and after STATE_LOST. When it opens, also by not_before passing (a deadline), waiting
		 * fetches are served. Nothing else depends on it. An answer with acquired records that the caller holds
		 * back until something is durable must not be given out when the lease has closed meanwhile. */
		struct {
			int32_t state_partition;
			int64_t not_before, until; /* mono, ms */
		} lease;
	} u;
};

/* Replies. Arrays live in the effects' arena. Error messages are null or static/arena strings. */
struct share_heartbeat_reply {
	int16_t error;
	struct str error_message; /* nullable */
	struct str member_id;
	int32_t member_epoch, heartbeat_interval_ms;
	bool has_assignment;
	const struct share_topic_partitions *assignment;
	uint32_t assignment_n;
};

struct share_acquired {
	int64_t first, last;
	int16_t delivery_count;
};

struct share_fetch_partition_reply {
	struct uuid topic_id;
	int32_t partition;
	int16_t error;
	int16_t ack_error;
	struct str error_message, ack_error_message; /* nullable */
	const struct share_acquired *acquired;       /* ascending */
	uint32_t acquired_n;
	void *const *batch_refs; /* the batches to send, ascending; valid until the next share_apply */
	uint32_t batch_refs_n;
};

/* Answer of FETCH and ACKNOWLEDGE (whose partitions have error only). */
struct share_fetch_reply {
	int16_t error;
	struct str error_message;
	int32_t acquisition_lock_timeout_ms;
	const struct share_fetch_partition_reply *partitions;
	uint32_t partitions_n;
};

struct share_describe_reply {
	int16_t error;
	struct str error_message;
	struct share_group_state group; /* members with assignment; partitions: topics and names only for DESCRIBE */
	const char *state;              /* "Empty" or "Stable" */
	const char *assignor;
};

struct share_offset_reply {
	struct uuid topic_id;
	struct str topic_name;
	int32_t partition;
	int64_t start_offset;            /* -1: unknown */
	int64_t delivery_complete_count; /* done records at or after the start offset; -1: unknown */
	int16_t error;
};

struct share_offsets_reply {
	int16_t error;
	struct str error_message;
	const struct share_offset_reply *partitions; /* ALTER, DELETE: one for each that was asked, in order */
	uint32_t partitions_n;
};

enum share_effect_type {
	SHARE_FX_PERSIST,        /* u.change, of state_partition */
	SHARE_FX_REPLY,          /* answer of the request token; reply_type says which member of u */
	SHARE_FX_WANT_RECORDS,   /* fetch this log from this offset; answered by exactly one SHARE_EV_RECORDS */
	SHARE_FX_RESOLVE_OFFSET, /* find a start offset; answered by exactly one SHARE_EV_OFFSET */
	SHARE_FX_RELEASE,        /* the engine does not need u.batch_ref any more */
	SHARE_FX_STALLED, /* a share-partition can hand out nothing: for log and metric, at most once a minute each */
};

/* Why nothing can be handed out: name in metrics, sentence for the log. */
#define SHARE_STALLED_REASONS(X)                                                                                       \
	X(START_OFFSET, "start_offset", "its start offset can not be found")                                           \
	X(LEASE, "lease", "it is not certain that no other sluice owns its state: the end of its log is not seen")     \
	X(RECORD_LOCKS, "record_locks", "as many records as the group allows are held and not acknowledged")           \
	X(OFFSET_SPAN, "offset_span",                                                                                  \
		"the first record that is not done is as far behind the last one handed out as the group allows")      \
	X(FRAGMENTED, "fragmented", "its state is too fragmented: one old record is not acknowledged")                 \
	X(READ, "read", "its records can not be read from the cluster")                                                \
	X(TRANSACTION, "transaction", "an open transaction holds back the records behind its first one")

enum share_stalled_reason {
#define SHARE_STALLED_ENUM(id, name, text) SHARE_STALLED_##id,
	SHARE_STALLED_REASONS(SHARE_STALLED_ENUM)
#undef SHARE_STALLED_ENUM
		SHARE_STALLED_REASONS_N,
};

/* "record_locks" and the like, for metrics. */
const char *share_stalled_reason_name(enum share_stalled_reason r);

enum share_offset_strategy { SHARE_OFFSET_EARLIEST, SHARE_OFFSET_LATEST, SHARE_OFFSET_TIMESTAMP };

struct share_effect {
	enum share_effect_type type;
	enum share_event_type reply_type; /* of REPLY: HEARTBEAT, FETCH, ACKNOWLEDGE, ... */
	uint64_t token;
	int32_t state_partition;
	bool after_durable; /* of REPLY: hold until every PERSIST before it in state_partition is durable */
	union {
		struct share_change change;
		struct share_heartbeat_reply heartbeat;
		struct share_fetch_reply fetch;
		struct share_describe_reply describe;
		struct share_offsets_reply offsets;
		struct {
			int16_t error;
			struct str error_message;
		} config;
		struct {
			struct share_log_key log;
			int64_t offset;
			int32_t max_bytes;
		} want;
		struct {
			struct str group_id;
			struct uuid topic_id;
			int32_t partition;
			enum share_offset_strategy strategy;
			int64_t timestamp; /* ms since 1970; the caller gives wall time in the event of the request */
		} resolve;
		void *batch_ref;
		struct {
			struct str group_id, topic_name;
			int32_t partition;
			const char *reason;
		} stalled;
	} u;
};

/* The ordered list of effects of one or more steps. */
struct share_effects {
	struct arena arena;
	struct share_effect *v;
	uint32_t n, cap;
};

void share_effects_init(struct share_effects *fx);
void share_effects_clear(struct share_effects *fx); /* between steps; keeps memory for reuse */
void share_effects_release(struct share_effects *fx);

/* Two clocks: mono for deadlines, wall for by_duration offsets. Milliseconds. */
struct share_now {
	int64_t mono, wall;
};

/* An engine without groups. cfg is copied. */
struct share_engine *share_engine_new(const struct share_engine_config *cfg);

/* Frees everything; batches that are still kept are released through release (may be NULL when there are none). */
void share_engine_free(struct share_engine *e, void (*release)(void *arg, void *batch_ref), void *arg);

/* Handles one event; effects are appended to fx. Views in the event need to live only during the call. */
void share_apply(struct share_engine *e, const struct share_event *ev, struct share_now now, struct share_effects *fx);

/* The earliest mono time at which a SHARE_EV_TICK has something to do; INT64_MAX: none. */
int64_t share_next_deadline(const struct share_engine *e);

/* Why a group's state from the log contradicts itself, static text; NULL when it does not. */
const char *share_state_unsound(const struct share_group_state *st);

/* Takes a group over from the state log: members get fresh session timers, no lock is held, counts are as stored.
 * ERR_INVALID when the group exists already or the state contradicts itself (ranges below the start, overlapping); then
 * nothing was taken. */
enum err share_restore(struct share_engine *e, int32_t state_partition, const struct share_group_state *st,
	struct share_now now) ERR_CHECKED;

/* The durable state of a group as replay would give it (ACQUIRED is stored as AVAILABLE with the count before the
 * acquisition... as the log has it: what was persisted), arrays in a. ERR_NOT_FOUND, ERR_TOO_LARGE. */
enum err share_snapshot(
	const struct share_engine *e, struct str group_id, struct arena *a, struct share_group_state *ret) ERR_CHECKED;

/* Iterates over the group ids of a state partition (those with configs only included): the first id after 'after' in
 * byte order (null: from the start); the null string at the end. The view is valid until the next share_apply. */
struct str share_next_group(const struct share_engine *e, int32_t state_partition, struct str after);

/* "Stable" or "Empty", as ListGroups shows it; NULL when there is no such group (one with configs only is none). */
const char *share_group_state_name(const struct share_engine *e, struct str group_id);

/* The topics of all partitions in a share session, of a topic as many as it has partitions there: counted, and up to
 * max written to v. 0 without such a session. */
uint32_t share_session_topics(const struct share_engine *e, struct str group_id, struct str member_id, int32_t node_id,
	struct uuid *v, uint32_t max);

/* Effective value of a group config as text into a ("" never null), or the null string for an unknown name.
 * *ret_is_set: set on the group. */
struct str share_group_config_value(
	const struct share_engine *e, struct str group_id, struct str name, struct arena *a, bool *ret_is_set);

/* All the values that the i-th config has for the group, the effective one first: its own, then those of
 * share_group_config_broker. Texts in a; returns how many, at least one. */
#define SHARE_CONFIG_SOURCES (SHARE_CONFIG_BROKER_SOURCES + 1)
uint32_t share_group_config_sources(const struct share_engine *e, struct str group_id, uint32_t i, struct arena *a,
	struct share_config_source ret[SHARE_CONFIG_SOURCES]);

/* For metrics and for the invariant that every count returns to zero. */
struct share_counts {
	uint64_t groups, members, sessions, share_partitions, waiting_fetches, waiting_heartbeats;
	uint64_t held_records, available_records, state_ranges, kept_batches;
	int64_t kept_bytes;
	uint64_t acknowledgements[5]; /* by type, since the start */
	uint64_t acquired_records, lock_timeouts;
	uint64_t stalled_fetches[SHARE_STALLED_REASONS_N]; /* that ended without a record, for each stalled partition */
};
void share_get_counts(const struct share_engine *e, struct share_counts *ret);

/* Walks the whole engine and aborts (sl_assert) when an invariant does not hold: trees cover [start, end) without
 * overlap, counts add up, no offset has two holders, every lock has a deadline. For tests. */
void share_check(const struct share_engine *e);

#endif
