/* SPDX-License-Identifier: Apache-2.0 */
/* What an owner has to write, in the order in which the log will have it: values of records, each for one batch.
 * Changes and snapshots are packed into the last value until it is full or taken; marks are values of their own. */
#ifndef SLUICE_STATELOG_WRITER_H
#define SLUICE_STATELOG_WRITER_H

#include <sys/queue.h>

#include "statelog/format.h"
#include "statelog/numbers.h"

struct state_value {
	TAILQ_ENTRY(state_value) link;
	enum state_kind kind;
	struct writer w;
	uint64_t last_seq; /* of the changes that end in it; 0: none */
	uint32_t changes;
	size_t change_bytes, snapshot_bytes;
	char *context; /* group of its last entry, NULL: none */
	size_t context_n;
};

TAILQ_HEAD(state_value_queue, state_value);

struct state_writer {
	struct state_value_queue queue;
	uint32_t queued;
	size_t max_value;   /* bytes of one value */
	size_t max_pending; /* bytes of changes in the queue */
	size_t pending, pending_snapshots;
	int64_t owner_epoch;
	struct state_numbers numbers;
};

/* An empty queue for batches of at most max_batch bytes. */
void state_writer_init(struct state_writer *w, size_t max_batch, size_t max_pending);

/* Drops everything that waits, and all numbers: another ownership begins. */
void state_writer_clear(struct state_writer *w);

/* Adds one change under its number seq. arm_group: an empty snapshot of its group goes before it. ERR_FULL,
 * ERR_TOO_LARGE: then nothing was added. A RECORDS change too long for a batch is cut into several; only the last
 * counts for seq. */
enum err state_writer_change(
	struct state_writer *w, const struct share_change *c, uint64_t seq, bool arm_group) ERR_CHECKED;

/* Adds a snapshot of a group. ERR_TOO_LARGE (a member or config fits no batch): then nothing was added. */
enum err state_writer_snapshot(struct state_writer *w, const struct share_group_state *st) ERR_CHECKED;

/* Adds a claim, begin mark or end mark. */
void state_writer_mark(struct state_writer *w, const struct state_head *h);

/* Takes the oldest value, NULL when there is none; state_value_free it. */
struct state_value *state_writer_take(struct state_writer *w);
void state_value_free(struct state_value *v);

#endif
