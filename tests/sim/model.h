/* SPDX-License-Identifier: Apache-2.0 */
/* The naive reference: every record of every share-partition is an element of an array. One half predicts what the
 * engine's memory must hold from what clients do, the other applies what the engine wrote; both must agree at the end
 * of each step. */
#ifndef SLUICE_TESTS_SIM_MODEL_H
#define SLUICE_TESTS_SIM_MODEL_H

#include "share/share.h"
#include "world.h"

enum { MODEL_OWNERS = 8, MODEL_DURATIONS = 4 };

struct model_rec {
	uint8_t state, dstate; /* enum share_record_state; d: as written */
	int8_t owner;          /* of ACQUIRED */
	uint8_t duration;      /* index of the lock duration */
	int16_t count, dcount;
	int64_t until;
};

/* One share-partition. */
struct model_part {
	bool stored;     /* initialised, as written */
	bool handed_out; /* records of it were, since it got its start or the owner began */
	int64_t start;   /* predicted */
	int64_t end;
	int64_t dstart; /* as written */
	int64_t dend;   /* nothing was ever written at or behind it */
	struct model_rec *r;
	int64_t cap;
	int64_t next_until;
	int8_t node_of[MODEL_OWNERS][MODEL_DURATIONS]; /* through whose session an owner's locks were taken last */
};

/* What of a group's configs the records depend on. */
struct model_limits {
	int32_t delivery_count_limit, max_record_locks, lock_ms;
	uint8_t duration; /* index of lock_ms */
	uint8_t broken;   /* enum model_break */
	bool renew_enabled;
	bool span; /* max_record_locks bounds offsets, not records in flight */
};

/* Rules of the model that can be broken on purpose, to see that it is noticed. */
enum model_break { MODEL_BREAK_NOTHING, MODEL_BREAK_LOCK_TIME, MODEL_BREAK_DELIVERY_LIMIT, MODEL_BREAK_RELEASE };

void model_part_release(struct model_part *p);

/* SHARE_CHANGE_PARTITION: the written half becomes what is given. fresh: the partition begins anew, the predicted half
 * too. */
void model_part_init(struct model_part *p, const struct share_partition_state *st, bool fresh);

/* Applies SHARE_CHANGE_RECORDS to the written half. A record that becomes ARCHIVED although nobody acknowledged it must
 * be a hole. */
void model_part_written(
	struct model_part *p, const struct share_partition_state *st, const struct world_log *log, bool read_committed);

/* Checks that what was written is what the predicted state asks for. */
void model_part_check(const struct model_part *p);

/* Checks a snapshot against what was written. */
void model_part_check_snapshot(const struct model_part *p, const struct share_partition_state *st);

/* The owner of the state crashed: only what was written is left. */
void model_part_restart(struct model_part *p);

void model_part_expire(struct model_part *p, const struct model_limits *l, int64_t now);
void model_part_release_owner(struct model_part *p, const struct model_limits *l, int owner, int node);
void model_part_log_start(struct model_part *p, int64_t log_start);
void model_part_truncate(struct model_part *p, int64_t log_end);

/* Aborts when an answer has more than it may of records that were delivered often in vain. Before model_part_acquire.
 */
void model_part_check_suspects(const struct model_part *p, const struct model_limits *l, const struct world_log *log,
	bool read_committed, const struct share_acquired *a, uint32_t n);

/* Takes first..last for owner; aborts when the engine must not have handed one of them out. */
void model_part_acquire(struct model_part *p, const struct model_limits *l, const struct share_acquired *a, int owner,
	int node, int64_t now);

/* Acknowledges all or nothing; the error code that the engine must answer. */
int16_t model_part_ack(struct model_part *p, const struct model_limits *l, const struct share_ack_batch *v, uint32_t n,
	int owner, int node, int16_t version, bool renew, bool listed, int64_t now);

/* True when a record is there that could be handed out: below limit, not a hole, from the log start on. */
bool model_part_has_available(
	const struct model_part *p, const struct model_limits *l, const struct world_log *log, bool read_committed);

/* Done records at or behind the start. */
int64_t model_part_done(const struct model_part *p);
int64_t model_part_held(const struct model_part *p);

#endif
