/* SPDX-License-Identifier: Apache-2.0 */
/* One state partition of the internal topic: the rules by which its log is written, checked, replayed, checkpointed and
 * trimmed.
 *
 * Pure: it asks for reads and writes and is told their outcome; who does the I/O is elsewhere. The log's order is the
 * lock: an owner appends a claim, whose offset is its owner epoch, replays up to it, and sees from the base offset of
 * each of its writes whether anything stood between; if so it reads that first, and a later claim means that the
 * partition is lost.
 *
 *   statelog_follow -> READ [log start, end] -> caught up -> READ at the end, again and again
 *        |
 *   statelog_start -> WRITE claim -> READ up to the claim -> LOADED -> (append* -> WRITE -> durable)* ... checkpoint
 * ... TRIM ... statelog_resign -> WRITE resign mark -> LOST
 *
 * Handing out records writes nothing, so an owner needs a lease besides: the caller asks for the end of the log all the
 * time (statelog_end_seen) and hands out nothing when statelog_sight is older than the lease. A new owner that
 * statelog_must_wait hands out nothing until the lease has passed since its claim was confirmed. */
#ifndef SLUICE_STATELOG_STATELOG_H
#define SLUICE_STATELOG_STATELOG_H

#include "base/chunk.h"
#include "base/err.h"
#include "base/types.h"
#include "share/state.h"

struct statelog;

struct statelog_config {
	int32_t partition;           /* of the internal topic */
	int32_t partition_count;     /* recorded in the claim; a log that records another is refused */
	struct uuid owner_id;        /* random, of this process */
	struct str owner_address;    /* advertised host:port, for standbys; copied */
	size_t max_batch_bytes;      /* ceiling of one record batch, below the topic's max.message.bytes */
	size_t max_pending_bytes;    /* ceiling of changes that wait for a write */
	size_t checkpoint_min_bytes; /* log since the last checkpoint below this: none is taken */
	uint32_t checkpoint_factor; /* a checkpoint when the log since the last exceeds factor * size of the last one */
};

enum statelog_state {
	STATELOG_IDLE,
	STATELOG_FOLLOWING, /* the log is read and replayed as others write it; nothing is written */
	STATELOG_CLAIMING,
	STATELOG_LOADING,
	STATELOG_OWNED,
	STATELOG_LOST,    /* a later claim was seen: nothing is confirmed any more; follow, or start to claim anew */
	STATELOG_REFUSED, /* the log can not be used (newer format, other partition count): statelog_reason says why */
};

/* What it wants done now. At most one WRITE, one READ and one TRIM are on their way at a time. */
enum statelog_action_type {
	STATELOG_NONE,
	STATELOG_WRITE,    /* produce u.batch (a reference is the caller's) with acks=all; base_sequence is in it */
	STATELOG_READ,     /* fetch from u.offset; give what comes to statelog_read_done */
	STATELOG_TRIM,     /* DeleteRecords before u.offset */
	STATELOG_LOADED,   /* replay is complete: take the groups with statelog_take_groups */
	STATELOG_SNAPSHOT, /* a checkpoint wants the next group after u.after (null: the first): statelog_snapshot or
			      _snapshot_end */
	STATELOG_LOST_NOW, /* told once when the state becomes LOST or REFUSED */
};

struct statelog_action {
	enum statelog_action_type type;
	union {
		struct chunk *batch;
		int64_t offset;
		struct str after; /* view, valid until the next call */
	} u;
};

/* A log that does nothing yet. cfg is copied. */
struct statelog *statelog_new(const struct statelog_config *cfg);
void statelog_free(struct statelog *l);

/* Reads and replays the log from log_start_offset on, then again and again at its end: READ follows READ, the caller
 * paces or long-polls those that bring nothing. From IDLE, LOST and REFUSED; the answer of a read still on its way is
 * dropped. What was trimmed before it could be read: anew from the new start. A record that can not be understood, or a
 * log of another partition or partition count: REFUSED, as when loading. */
void statelog_follow(struct statelog *l, int64_t log_start_offset);

/* FOLLOWING, and the last read has reached the end that it told. */
bool statelog_is_caught_up(const struct statelog *l);

/* How many state partitions the topic had when the log was begun, as its records say: while it is followed, loaded or
 * owned, and after REFUSED for that reason. 0: it has none, or they were not read. */
int32_t statelog_recorded_count(const struct statelog *l);

/* An owner as the log names it. */
struct statelog_owner {
	int64_t epoch;
	struct uuid id;
	struct str address; /* host:port, not checked: any bytes */
	bool resigned;
};

/* FOLLOWING: the last owner that the log names as far as it was read; LOST: the one whose claim was seen to take the
 * partition from us. False: none, or not known. Views are valid until the next call. */
bool statelog_get_owner(const struct statelog *l, struct statelog_owner *ret);

/* Claims the partition, with no write on its way. producer_id and epoch are those of InitProducerId, of no earlier
 * start; sequences start at 0. Pending changes of an earlier ownership are dropped. From FOLLOWING a read on its way
 * then serves the loading: the replay goes on from where it is, log_start_offset is ignored and nothing is read twice.
 * Otherwise the answer of a read on its way is dropped. */
void statelog_start(
	struct statelog *l, int64_t log_start_offset, int64_t producer_id, int16_t producer_epoch, int64_t wall_ms);

enum statelog_state statelog_get_state(const struct statelog *l);

/* Why it is LOST or REFUSED, or what was odd in the log while following or loading (offset and reason), one sentence;
 * "" otherwise. */
const char *statelog_reason(const struct statelog *l);

/* The next thing to do; call until STATELOG_NONE after every other call. wall_ms stamps batches. When LOST_NOW comes a
 * write on its way is forgotten: cancel it, its outcome must not be reported any more. A read on its way must be. */
struct statelog_action statelog_next(struct statelog *l, int64_t wall_ms);

/* The outcome of the write. Unknown outcomes (timeout, connection lost, not enough replicas after append, leader moved)
 * are the caller's to retry with the same batch until it is known: these two are final. base_offset as in the Produce
 * answer. */
void statelog_write_done(struct statelog *l, int64_t base_offset);

/* The write is known not to be in the log and can not be made (too large, topic gone, authorisation lost): the
 * partition is LOST with this reason (copied). */
void statelog_write_failed(struct statelog *l, const char *reason);

/* The broker takes no larger batches, whatever the configuration says: from the next ownership on they have at most
 * max_bytes, but room for a small change. Returns the limit; it never grows. */
size_t statelog_shrink_batch(struct statelog *l, size_t max_bytes);

/* Gives up whatever is on its way, for memory and log can not agree any more or the topic is another one: following,
 * claiming, loading and owning end, LOST with this reason (copied). Otherwise nothing happens, nor while it resigns:
 * what was appended until then is in the log before the mark. */
void statelog_abandon(struct statelog *l, const char *reason);

/* Bytes of whole record batches read from the offset asked for (a batch cut off at the end is ignored; the first batch
 * may begin before the offset). end_offset: high watermark of the answer; log_start_offset as in the answer (after
 * OFFSET_OUT_OF_RANGE: no data and the start as ListOffsets tells it). Where nothing was read the same STATELOG_READ
 * comes again: the caller paces it. An end_offset below what is known to be in the log is a follower's or a new
 * leader's that lags, no error. */
void statelog_read_done(struct statelog *l, struct bytes data, int64_t end_offset, int64_t log_start_offset);

/* DeleteRecords was answered (also when the ownership has ended meanwhile); ok false: tried again with the next
 * checkpoint. */
void statelog_trim_done(struct statelog *l, bool ok);

/* OWNED: the log had an owner before us of which it is not known that it hands out no records any more: it has not
 * handed over, or handed over while it had to wait itself, and it is not this process. */
bool statelog_must_wait(const struct statelog *l);

/* OWNED: the caller has waited for as long as statelog_must_wait asks for, which is false from now on, also for a later
 * ownership of this process that follows this one. Call it before statelog_resign, too, when it is so: a resign mark of
 * an owner that still had to wait makes its successor wait. */
void statelog_wait_over(struct statelog *l);

/* OWNED: after all pending changes a resign mark goes out; nothing can be appended any more (ERR_CLOSED), no checkpoint
 * begins. When the mark is durable: LOST, reason "handed over". */
void statelog_resign(struct statelog *l);

/* The end of the log (high watermark) as a request told that was sent at sent_ms, on a clock that goes on while the
 * machine sleeps. Call it too after statelog_write_done with base_offset + 1 and the time at which that write was first
 * sent. When nothing stands behind our own writes there was no later claim at sent_ms: that is a sight. What does is
 * read, once no write is on its way: a claim there means LOST. Before LOADING it is ignored. */
void statelog_end_seen(struct statelog *l, int64_t end_offset, int64_t sent_ms);

/* OWNED: where the log begins, as ListOffsets told. True: behind all that we have trimmed, so that somebody else has,
 * and what is left can not be loaded by itself. Then a checkpoint is taken at once, which makes the log whole again. */
bool statelog_start_seen(struct statelog *l, int64_t log_start_offset);

/* The time of the last sight in this ownership; INT64_MIN before the first. */
int64_t statelog_sight(const struct statelog *l);

/* After LOADED: gives each restored group once; views valid during the callback. Frees the replay's memory. */
typedef void (*statelog_group_cb)(void *arg, const struct share_group_state *st);
void statelog_take_groups(struct statelog *l, statelog_group_cb cb, void *arg);

/* Appends one change (state OWNED) to what goes out with the next batch; returns ERR_OK and its number, ERR_FULL when
 * too much waits (the caller stops taking requests until writes are through), ERR_TOO_LARGE for a change that fits no
 * batch, ERR_CLOSED when not OWNED or resigning. Everything is copied. */
enum err statelog_append(struct statelog *l, const struct share_change *c, uint64_t *ret_seq) ERR_CHECKED;

/* False when half of max_pending_bytes waits: the caller applies no further requests until writes are through, so that
 * no append of what they change ever meets ERR_FULL. */
bool statelog_has_room(const struct statelog *l);

/* Number of the last change appended, and of the last one that is durable and known to count. Changes are numbered from
 * 1 upwards, over all ownerships; what was appended and not durable when an ownership ended (LOST_NOW) never becomes
 * durable, though later numbers do. */
uint64_t statelog_appended(const struct statelog *l);
uint64_t statelog_durable(const struct statelog *l);

/* The number that has to be durable for all to be that was appended in this ownership; equal to statelog_durable when
 * nothing waits, also behind an ownership that ended with changes that were not durable. */
uint64_t statelog_awaited(const struct statelog *l);

/* Answers STATELOG_SNAPSHOT: the next group in byte order of ids as it is after all changes appended so far, or that
 * there is none left. ERR_TOO_LARGE: a part of it fits no batch; the checkpoint is given up and tried again later. */
enum err statelog_snapshot(struct statelog *l, const struct share_group_state *st) ERR_CHECKED;
void statelog_snapshot_end(struct statelog *l);

struct statelog_counts {
	int64_t owner_epoch, next_offset, log_start_offset;
	uint64_t bytes_since_checkpoint, last_checkpoint_bytes;
	size_t pending_bytes;
	uint64_t batches, records, bytes, checkpoints, trims; /* written and known to count, by this process */
	uint64_t foreign_batches;                             /* seen */
	uint64_t loaded_records, loaded_bytes;                /* of the last load; entries of all kinds */
};
void statelog_get_counts(const struct statelog *l, struct statelog_counts *ret);

#endif
