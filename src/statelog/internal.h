/* SPDX-License-Identifier: Apache-2.0 */
/* The state of one state partition's log, shared by statelog.c (writing) and load.c (reading). */
#ifndef SLUICE_STATELOG_INTERNAL_H
#define SLUICE_STATELOG_INTERNAL_H

#include "statelog/checkpoint.h"
#include "statelog/replay.h"
#include "statelog/statelog.h"
#include "statelog/writer.h"

#define STATELOG_REASON_MAX 400

/* Why the log is read. */
enum statelog_read {
	STATELOG_READ_NONE,
	STATELOG_READ_FOLLOW, /* from the start of the log on, without end */
	STATELOG_READ_LOAD,   /* ... to our claim */
	STATELOG_READ_GAP,    /* what stands behind our last record: up to the one just written, or to the end seen */
};

struct statelog {
	struct statelog_config cfg; /* owner_address points to address */
	char *address;
	enum statelog_state state;
	char reason[STATELOG_REASON_MAX];
	bool tell_lost, tell_loaded, is_taken;
	bool is_caught_up;   /* the last read of a follower reached the end that it told */
	bool must_wait;      /* of this ownership */
	bool is_resigning;   /* the resign mark is queued */
	bool is_cut;         /* somebody else has trimmed: a checkpoint must begin behind that */
	bool is_claim_seen;  /* our claim, whose write was not answered yet, was read at claim_offset */
	bool is_taker_known; /* LOST to taker */
	int64_t claim_offset;
	int64_t settled_epoch; /* of our last ownership that needs not, or not any more, wait; -1: none */
	struct {
		int64_t epoch;
		struct uuid id;
		char *address;
		size_t address_n;
	} taker;
	int64_t sight;
	int64_t seen_end, seen_ms; /* an end told that is beyond what we know to be ours: a sight once that is known */
	uint64_t appended, durable, given_up; /* up to given_up: of earlier ownerships */
	int64_t producer_id;
	int16_t producer_epoch;
	int32_t sequence;
	int64_t last_ms;     /* timestamps of an ownership do not go back */
	int64_t owner_epoch; /* offset of our claim */
	int64_t next_offset; /* behind our last record that is known to count */
	int64_t log_start;
	struct state_writer writer;
	struct state_checkpoint ck;
	struct state_value
		*flight; /* the write on its way or, with read GAP, landed at flight_base and not yet trusted */
	bool is_writing;
	size_t flight_size;
	int64_t flight_base;
	enum statelog_read read;
	bool is_reading; /* the read was given out */
	bool drop_read;  /* ... and is of no use any more */
	int64_t read_offset;
	struct state_replay *replay;
	int32_t refused_count; /* that the log records, when it was refused for it */
	int64_t trim_wanted;   /* -1: none */
	int64_t trim_offset;   /* on its way */
	bool is_trimming;
	bool is_snapshot_asked;
	uint64_t bytes_since, checkpoint_bytes, last_checkpoint_bytes, checkpoint_at;
	struct statelog_counts counts;
};

/* The only writer of state. */
void statelog_set_state(struct statelog *l, enum statelog_state state);

/* The ownership ends: LOST or REFUSED, with a reason that names the offset. */
void statelog_end(struct statelog *l, enum statelog_state state, int64_t offset, const char *why);

/* What stood before the write in hand is known and harmless: the write counts. */
void statelog_landed(struct statelog *l);

/* Begins to replay the log from log_start on. */
void statelog_replay_begin(struct statelog *l, enum statelog_read why);

/* Our claim is confirmed at owner_epoch: goes on to read up to it. */
void statelog_load_begin(struct statelog *l);

/* Begins to read what stands behind our last record. */
void statelog_gap_begin(struct statelog *l);

/* Our next_offset has moved: an end told earlier may be known now to be ours. */
void statelog_sight_check(struct statelog *l);

/* The next checkpoint is due when the log has grown by its share of the last one's size. */
uint64_t statelog_checkpoint_step(const struct statelog *l);

#endif
