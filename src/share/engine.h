/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the share engine: its objects and who points at whom. Not for other folders.
 *
 *   engine -> groups -> members            who subscribes, who is assigned what
 *                    -> sessions -> session partitions -+
 *                    -> owners -> holders -> ranges     |   an owner is a member id that holds locks or has a session
 *                    -> share-partitions <--------------+   start, end, ranges [start, end)
 *          -> topics, topic names           what exists; which groups wait for a name
 *          -> logs -> kept batches          one for each (topic, partition, isolation level)
 *          -> deadlines                     one heap for everything that happens by time
 *
 * A step (share_apply) runs: deadlines, the event, then whatever got "hot" (partitions that may serve a waiting fetch,
 * logs that may want records). Changes of record state are noted at their partition and written as one PERSIST before
 * the next reply. */
#ifndef SLUICE_SHARE_ENGINE_H
#define SLUICE_SHARE_ENGINE_H

#include <bsd/sys/queue.h>
#include <bsd/sys/tree.h>

#include "base/assert.h"
#include "base/mem.h"
#include "share/share.h"

/* Kafka's error codes that the engine answers with. */
enum {
	SHARE_ERR_UNKNOWN_SERVER_ERROR = -1,
	SHARE_ERR_NONE = 0,
	SHARE_ERR_OFFSET_OUT_OF_RANGE = 1,
	SHARE_ERR_UNKNOWN_TOPIC_OR_PARTITION = 3,
	SHARE_ERR_NOT_LEADER_OR_FOLLOWER = 6,
	SHARE_ERR_COORDINATOR_NOT_AVAILABLE = 15,
	SHARE_ERR_NOT_COORDINATOR = 16,
	SHARE_ERR_INVALID_GROUP_ID = 24,
	SHARE_ERR_UNKNOWN_MEMBER_ID = 25,
	SHARE_ERR_TOPIC_AUTHORIZATION_FAILED = 29,
	SHARE_ERR_INVALID_CONFIG = 40,
	SHARE_ERR_INVALID_REQUEST = 42,
	SHARE_ERR_POLICY_VIOLATION = 44,
	SHARE_ERR_NON_EMPTY_GROUP = 68,
	SHARE_ERR_GROUP_ID_NOT_FOUND = 69,
	SHARE_ERR_GROUP_MAX_SIZE_REACHED = 81,
	SHARE_ERR_UNKNOWN_TOPIC_ID = 100,
	SHARE_ERR_FENCED_MEMBER_EPOCH = 110,
	SHARE_ERR_INVALID_RECORD_STATE = 121,
	SHARE_ERR_SHARE_SESSION_NOT_FOUND = 122,
	SHARE_ERR_INVALID_SHARE_SESSION_EPOCH = 123,
	SHARE_ERR_SHARE_SESSION_LIMIT_REACHED = 133,
};

enum {
	SHARE_MEMBER_ID_MAX = 36,
	SHARE_HEARTBEAT_WAIT_MS = 5000, /* longest wait of a joining member for its partitions */
	SHARE_RESOLVE_RETRY_MS = 1000,  /* a start offset that could not be found is asked for again after this */
	SHARE_LOG_BACKOFF_MIN_MS = 100,
	SHARE_LOG_BACKOFF_MAX_MS = 2000,
	SHARE_LOG_POLL_MS = 50,     /* an answer without records that took at least so long was a long poll */
	SHARE_LOG_WANTS_MAX = 4,    /* fetches on their way for one log */
	SHARE_LOG_ACTIVE_MS = 1000, /* a log that nobody fetched from for so long is not read ahead */
	SHARE_STALLED_EVERY_MS = 60000,
	SHARE_SESSION_PARTITIONS_MAX = 65536, /* of a session, and named by one request */
	SHARE_PATIENCE_MS = 2,                /* first wait of a fetch whose client holds records; doubles */
	SHARE_PATIENCE_STEPS = 12,            /* then it waits as long as the client says */
	SHARE_REFUSALS_MAX = 10000,      /* requests held back before they are refused for want of a session slot */
	SHARE_SUBSCRIPTIONS_MAX = 10000, /* topic names of one member */
	SHARE_SUBSCRIPTION_BYTES_MAX = 128 * 1024, /* ... together: a member's record must fit the state log */
	SHARE_RANGES_PER_LOCK = 16,                /* ranges of a share-partition: at most this many times its locks */
	SHARE_WAKE_PARTITIONS = 64,                /* a woken fetch looks at so many other partitions of its session */
	SHARE_STEP_WORK = 1000,                    /* when the configuration does not say */
};

struct share_group;
struct share_owner;
struct share_holder;
struct share_session;
struct share_partition;
struct share_log;
struct share_engine;

/* ---- deadlines ---- */

enum share_deadline_kind {
	SHARE_DL_LOCK,      /* first lock of a holder runs out */
	SHARE_DL_MEMBER,    /* session timeout of a member */
	SHARE_DL_HEARTBEAT, /* a waiting heartbeat is answered with what there is */
	SHARE_DL_ASSIGN,    /* a group's next assignment may be computed */
	SHARE_DL_FETCH,     /* MaxWaitMs of a waiting fetch */
	SHARE_DL_REFUSAL,   /* a request without a session slot is refused */
	SHARE_DL_RESOLVE,   /* a start offset is asked for again */
	SHARE_DL_LOG,       /* back-off of a log is over */
	SHARE_DL_LEASE,     /* a lease opens */
};

/* Embedded in what has a deadline. slot 0: not armed. */
struct share_deadline {
	uint32_t slot;
	uint8_t kind;
};

struct share_deadline_slot {
	int64_t at;
	struct share_deadline *d;
};

/* ---- ranges ---- */

/* Offsets of a share-partition in one state; 88 bytes, millions of them exist. */
struct share_range {
	RB_ENTRY(share_range) by_offset;
	int64_t first, last;
	uint8_t state; /* enum share_record_state */
	int16_t count; /* deliveries; 0 for done records */
	union {
		RB_ENTRY(share_range) by_available; /* AVAILABLE */
		struct {                            /* ACQUIRED */
			struct share_holder *holder;
			TAILQ_ENTRY(share_range) link;
			int64_t until;
		} held;
	} u;
};
RB_HEAD(share_range_tree, share_range);
RB_HEAD(share_available_tree, share_range);
TAILQ_HEAD(share_range_list, share_range);

/* The locks of one owner in one share-partition that were given with the same duration: so they run out in list order.
 */
struct share_holder {
	RB_ENTRY(share_holder) by_partition; /* in the owner: (partition serial, duration) */
	LIST_ENTRY(share_holder) in_partition;
	struct share_owner *owner;
	struct share_partition *sp;
	int32_t duration_ms;
	int32_t node_id; /* of the session that acquired last */
	bool idle;       /* empty, without a session: freed when the step ends */
	LIST_ENTRY(share_holder) idle_link;
	struct share_range_list ranges;
	struct share_deadline lock;
};
RB_HEAD(share_holder_tree, share_holder);

/* A member id as it is seen by share sessions: lives while it has a session or holds a record. */
struct share_owner {
	RB_ENTRY(share_owner) by_id;
	struct share_group *g;
	struct str id;
	struct share_holder_tree holders;
	uint32_t sessions;
};
RB_HEAD(share_owner_tree, share_owner);

/* ---- topics ---- */

struct share_topic_name {
	RB_ENTRY(share_topic_name) by_name;
	struct str name;
	struct share_topic *topic; /* that has this name now, or NULL */
	LIST_HEAD(, share_subscription) subscriptions;
	uint32_t refs; /* topics and subscriptions */
};
RB_HEAD(share_topic_name_tree, share_topic_name);

struct share_topic {
	RB_ENTRY(share_topic) by_id;
	struct uuid id;
	struct share_topic_name *name;
	int32_t partitions; /* 0: not seen in the cluster (yet, or any more) */
	bool pinned;
	LIST_HEAD(, share_partition) sps;
};
RB_HEAD(share_topic_tree, share_topic);

/* A group is interested in a topic name: one for all its members. */
struct share_subscription {
	RB_ENTRY(share_subscription) by_name; /* in the group */
	LIST_ENTRY(share_subscription) in_name;
	struct share_group *g;
	struct share_topic_name *name;
	uint32_t members;
	uint32_t unresolved; /* partitions of the topic that have no start offset yet */
	bool checked;        /* its topic's partitions were looked at */
};
RB_HEAD(share_subscription_tree, share_subscription);

/* ---- share-partitions ---- */

/* Offsets that a partition waits for: 0 a record to deliver again, 1 the next new one. */
struct share_need {
	RB_ENTRY(share_need) by_offset;
	int64_t offset;
	struct share_partition *sp;
	bool linked;
};
RB_HEAD(share_need_tree, share_need);

enum share_partition_phase {
	SHARE_PARTITION_UNKNOWN,   /* no start offset */
	SHARE_PARTITION_RESOLVING, /* asked for one */
	SHARE_PARTITION_READY,
};

TAILQ_HEAD(share_session_partition_list, share_session_partition);

struct share_partition {
	RB_ENTRY(share_partition) in_group;
	LIST_ENTRY(share_partition) in_topic;
	struct share_group *g;
	struct share_topic *topic;
	int32_t partition;
	uint32_t serial;
	uint8_t phase;  /* enum share_partition_phase */
	bool stored;    /* part of the durable state */
	bool asked;     /* a RESOLVE_OFFSET is on its way */
	bool from_zero; /* new in a topic that the group has: starts at 0 */
	bool counted;   /* in the unresolved of its subscription */
	bool hot, dirty, start_moved;
	bool handed_out; /* somebody acquired records of it since it got its start here */
	int64_t start, end;
	struct share_range_tree ranges;
	struct share_available_tree available;
	uint32_t ranges_n;
	int64_t held_n, available_n, done_n; /* records */
	LIST_HEAD(, share_holder) holders;
	LIST_HEAD(, share_session_partition) sessions;
	struct share_session_partition_list waiters; /* of waiting fetches, oldest first */
	struct share_log *log;
	RB_ENTRY(share_partition) in_log; /* by start */
	struct share_need need[2];
	TAILQ_ENTRY(share_partition) hot_link, dirty_link;
	struct share_state_range *notes; /* changes of this step that are not written yet */
	uint32_t notes_n, notes_cap;
	struct share_deadline resolve;
	int64_t stalled_at; /* last time that it was reported; INT64_MIN: never */
	uint64_t served;    /* step in which somebody was handed records of it last */
};
RB_HEAD(share_partition_tree, share_partition);
RB_HEAD(share_log_partition_tree, share_partition);
TAILQ_HEAD(share_partition_list, share_partition);

/* What can be handed out from an offset on. */
struct share_candidate {
	int64_t first, last;
	int16_t count;
	bool is_new; /* never handed out: everything from first on */
};

/* ---- share sessions ---- */

struct share_session_partition {
	RB_ENTRY(share_session_partition) by_key;
	TAILQ_ENTRY(share_session_partition) in_session, wait_link;
	LIST_ENTRY(share_session_partition) in_partition;
	struct share_session *s;
	struct share_partition *sp; /* NULL: no such partition (now) */
	struct uuid topic_id;
	int32_t partition;
	uint64_t listed; /* serial of the last request that listed it */
	bool fresh;      /* not in any answer yet */
	bool had_error;  /* its last answer was an error */
	bool known;      /* its topic was there once */
	bool denied;     /* may not be read: as if there were no such partition, with an error of its own */
	bool waiting;
	uint32_t answer; /* while an answer is put together: its entry there, from 1 */
};
RB_HEAD(share_session_partition_tree, share_session_partition);

/* Outcome of the acknowledgements for one partition of a request. */
struct share_ack_result {
	struct uuid topic_id;
	int32_t partition;
	uint32_t order; /* of its first entry in the request */
	int16_t error;
	bool had_batches;
	const char *message; /* static, NULL when all is well */
};

/* What a fetch asked for. */
struct share_fetch_params {
	uint64_t token;
	uint64_t conn_id;
	int32_t min_bytes, max_bytes, max_records, batch_size;
	bool record_limit;
	bool is_first; /* the session's first answer lists every partition */
	struct share_ack_result *acks;
	uint32_t acks_n;
};

struct share_session {
	RB_ENTRY(share_session) by_member; /* in the group: (member, node) */
	RB_ENTRY(share_session) by_conn;
	RB_ENTRY(share_session) by_waiting_conn;
	struct share_group *g;
	struct share_owner *owner;
	struct share_node *node;
	uint64_t conn_id;
	uint64_t serial;
	int32_t next_epoch;
	struct share_session_partition_tree parts;
	struct share_session_partition_list order;
	uint32_t parts_n, flagged_n; /* flagged: fresh or had_error */
	uint32_t denied_n;
	bool waiting;
	bool orphaned;    /* waits, and a partition of it is gone */
	bool passed;      /* its last fetch waited for MinBytes in vain while others were served */
	bool cut;         /* its fetch waits less than the client said */
	uint8_t patience; /* fetches answered early since there was news */
	uint64_t since;   /* step in which its fetch began to wait */
	LIST_ENTRY(share_session) orphaned_link;
	struct share_fetch_params fetch; /* while waiting */
	struct share_deadline wait;
};
RB_HEAD(share_session_tree, share_session);
RB_HEAD(share_conn_tree, share_session);
RB_HEAD(share_waiting_conn_tree, share_session);

struct share_node {
	RB_ENTRY(share_node) by_id;
	int32_t id;
	int32_t sessions;
};
RB_HEAD(share_node_tree, share_node);

/* A request that is refused later, so that the client does not come back at once. */
struct share_refusal {
	LIST_ENTRY(share_refusal) link;
	struct share_deadline at;
	uint64_t token;
	int32_t state_partition;
	int16_t error;
};

/* ---- groups ---- */

struct share_member {
	RB_ENTRY(share_member) by_id;
	struct share_group *g;
	struct str id, rack_id, client_id, client_host;
	int32_t epoch, previous_epoch;
	struct share_subscription **subs; /* by name */
	uint32_t subs_n;
	struct share_topic_partition *assigned, *target; /* by topic id and partition */
	uint32_t assigned_n, target_n;
	struct share_deadline session, wait;
	bool dirty;   /* differs from what was written last */
	bool waiting; /* a heartbeat waits for partitions */
	uint64_t token;
	TAILQ_ENTRY(share_member) wait_link;
};
RB_HEAD(share_member_tree, share_member);
TAILQ_HEAD(share_member_list, share_member);

struct share_group {
	RB_ENTRY(share_group) by_id, by_state_partition;
	struct str id;
	int32_t state_partition;
	bool exists;
	bool new_partitions; /* initialised since the last epoch */
	bool has_assigned;   /* assigned_at counts */
	int32_t group_epoch, assignment_epoch;
	int32_t stored_group_epoch, stored_assignment_epoch; /* as last written */
	int64_t assigned_at;
	struct share_config_entry *configs;
	uint32_t configs_n;
	struct share_group_config cfg;
	struct share_member_tree members;
	uint32_t members_n;
	struct share_member_list waiting;
	struct share_subscription_tree subs;
	struct share_partition_tree sps;
	struct share_session_tree sessions;
	struct share_owner_tree owners;
	struct share_deadline assign;
};
RB_HEAD(share_group_tree, share_group);
RB_HEAD(share_state_partition_tree, share_group);

/* ---- logs ---- */

struct share_kept {
	RB_ENTRY(share_kept) by_last;
	TAILQ_ENTRY(share_kept) lru;
	struct share_log *log;
	int64_t cover_first; /* there is no record from here to base_offset */
	int64_t base, last;
	void *ref;
	uint32_t size;
	bool has_records; /* false: control, empty or aborted */
	bool used;        /* was part of an answer */
};
RB_HEAD(share_kept_tree, share_kept);
TAILQ_HEAD(share_kept_list, share_kept);

/* Offsets that are kept without interruption. bytes is exact unless batches were evicted from the middle. */
struct share_stretch {
	RB_ENTRY(share_stretch) by_first;
	int64_t first, last;
	int64_t bytes;
};
RB_HEAD(share_stretch_tree, share_stretch);

struct share_log {
	RB_ENTRY(share_log) by_key;
	struct share_log_key key;
	struct share_log_partition_tree sps;
	struct share_need_tree needs;
	struct share_kept_tree kept;
	struct share_stretch_tree stretches;
	struct {
		int64_t offset, since;
	} wants[SHARE_LOG_WANTS_MAX]; /* on their way */
	uint32_t wants_n;
	uint32_t waiting; /* share-partitions with a waiting fetch */
	int64_t fetched_at;
	int64_t next_need;                          /* round robin over the needs */
	int64_t high_watermark, last_stable_offset; /* as last told; -1: unknown */
	int32_t backoff_ms;
	bool hot;
	TAILQ_ENTRY(share_log) hot_link;
	struct share_deadline retry;
};
RB_HEAD(share_log_tree, share_log);
TAILQ_HEAD(share_log_list, share_log);

/* ---- leases ---- */

/* When the groups of a state partition may hand out records. */
struct share_lease {
	int32_t state_partition;
	bool is_limited; /* there was an event for it */
	int64_t not_before, until;
	struct share_deadline open;
};

/* ---- engine ---- */

/* Acquired ranges and batches of one partition, indices into the engine's scratch arrays. */
struct share_grab {
	struct share_session_partition *p;
	uint32_t acquired, acquired_n, refs, refs_n;
};

struct share_engine {
	struct share_engine_config cfg;
	struct share_group_tree groups;
	struct share_state_partition_tree by_state_partition;
	struct share_topic_tree topics;
	struct share_topic_name_tree names;
	struct share_node_tree nodes;
	struct share_conn_tree conns;
	struct share_waiting_conn_tree waiting_conns;
	struct share_log_tree logs;
	struct share_kept_list fresh, used; /* kept batches, least recently used first */
	int64_t fresh_bytes;                /* of batches that nobody was sent yet */
	LIST_HEAD(, share_refusal) refusals;
	uint32_t refusals_n;
	struct share_lease **leases; /* by state partition; NULL: no limit */
	uint32_t leases_n, leases_cap;
	struct share_deadline_slot *heap; /* from index 1 on */
	uint32_t heap_n, heap_cap;
	bool stopping; /* nothing waits any more */
	uint32_t serial;
	uint64_t session_serial, request_serial;
	uint64_t groups_n;
	struct share_counts counts;

	/* of the step that runs */
	uint64_t step;
	int64_t work; /* left for deadlines; not above 0 after the step: some that have passed are still to come */
	int64_t now, wall;
	struct share_effects *fx;
	struct share_partition_list hot, dirty;
	struct share_log_list hot_logs;
	LIST_HEAD(, share_holder) idle_holders;
	LIST_HEAD(, share_session) orphaned;
	void **releases;
	uint32_t releases_n, releases_cap;
	struct share_acquired *acquired;
	uint32_t acquired_n, acquired_cap;
	void **refs;
	uint32_t refs_n, refs_cap;
	struct share_grab *grabs;
	uint32_t grabs_n, grabs_cap;
};

RB_PROTOTYPE(share_range_tree, share_range, by_offset, share_range_cmp)
RB_PROTOTYPE(share_available_tree, share_range, u.by_available, share_range_cmp)
RB_PROTOTYPE(share_holder_tree, share_holder, by_partition, share_holder_cmp)
RB_PROTOTYPE(share_owner_tree, share_owner, by_id, share_owner_cmp)
RB_PROTOTYPE(share_topic_tree, share_topic, by_id, share_topic_cmp)
RB_PROTOTYPE(share_topic_name_tree, share_topic_name, by_name, share_topic_name_cmp)
RB_PROTOTYPE(share_subscription_tree, share_subscription, by_name, share_subscription_cmp)
RB_PROTOTYPE(share_partition_tree, share_partition, in_group, share_partition_cmp)
RB_PROTOTYPE(share_session_partition_tree, share_session_partition, by_key, share_session_partition_cmp)
RB_PROTOTYPE(share_session_tree, share_session, by_member, share_session_cmp)
RB_PROTOTYPE(share_conn_tree, share_session, by_conn, share_conn_cmp)
RB_PROTOTYPE(share_waiting_conn_tree, share_session, by_waiting_conn, share_waiting_conn_cmp)
RB_PROTOTYPE(share_node_tree, share_node, by_id, share_node_cmp)
RB_PROTOTYPE(share_member_tree, share_member, by_id, share_member_cmp)
RB_PROTOTYPE(share_group_tree, share_group, by_id, share_group_cmp)
RB_PROTOTYPE(share_state_partition_tree, share_group, by_state_partition, share_state_partition_cmp)
RB_PROTOTYPE(share_log_tree, share_log, by_key, share_log_cmp)
RB_PROTOTYPE(share_log_partition_tree, share_partition, in_log, share_log_partition_cmp)
RB_PROTOTYPE(share_need_tree, share_need, by_offset, share_need_cmp)
RB_PROTOTYPE(share_kept_tree, share_kept, by_last, share_kept_cmp)
RB_PROTOTYPE(share_stretch_tree, share_stretch, by_first, share_stretch_cmp)

#include "calls.h"

#endif
