/* SPDX-License-Identifier: Apache-2.0 */
/* What the batches of a log mean: a single forward pass that builds the groups' states by the rules of the log.
 *
 *   - A claim begins an ownership; its offset is the owner epoch. Claims that record another partition (count) are
 * void.
 *   - Any other record counts only if its owner epoch is that of the last claim before it; else it is foreign.
 *   - A resign mark ends the ownership: nothing of its epoch counts behind it.
 *   - A begin mark that is the first record of the log stands in for its claim. Groups are then unarmed: what concerns
 * a group is skipped until its snapshot in this checkpoint, or the end mark. Otherwise all groups begin empty and count
 * at once.
 *   - A snapshot counts when it is complete and replaces what was known of its group. */
#ifndef SLUICE_STATELOG_REPLAY_H
#define SLUICE_STATELOG_REPLAY_H

#include "statelog/format.h"

struct state_replay;

enum state_replay_result {
	STATE_REPLAY_OK,
	STATE_REPLAY_FOREIGN, /* left out: why says what it was */
	STATE_REPLAY_BROKEN,  /* the log can not be understood: why says the reason */
};

typedef void (*state_group_cb)(void *arg, const struct share_group_state *st);

/* A replay of a log that starts at offset log_start. */
struct state_replay *state_replay_new(int64_t log_start);
void state_replay_free(struct state_replay *rp);

/* The next batch of the log, OURS or FOREIGN; *ret_why is static text unless OK. Views in b are used during the call
 * only. */
enum state_replay_result state_replay_batch(struct state_replay *rp, struct state_batch *b, const char **ret_why);

/* Owner epoch of the last claim, -1 before the first and behind a resign mark; partition and partition count that the
 * log records, 0 before that. */
int64_t state_replay_epoch(const struct state_replay *rp);
int32_t state_replay_partition(const struct state_replay *rp);
int32_t state_replay_partition_count(const struct state_replay *rp);

/* An owner as the log tells of it. */
struct state_replay_owner {
	int64_t epoch; /* -1: there is none */
	struct uuid id;
	char *address; /* the replay's */
	size_t address_n;
	bool resigned, settled; /* settled: as its resign mark says */
};

/* The last owner, and the one before it. */
const struct state_replay_owner *state_replay_owner(const struct state_replay *rp);
const struct state_replay_owner *state_replay_owner_before(const struct state_replay *rp);

/* What the short number of a record stands for just now; false when it names nothing. Views are the replay's. */
struct state_replay_place {
	struct str group_id, topic_name;
	struct uuid topic_id;
	int32_t partition;
};
bool state_replay_place(const struct state_replay *rp, uint32_t number, struct state_replay_place *ret);

/* Ends the pass: NULL when the state is whole, else why not. */
const char *state_replay_finish(struct state_replay *rp);

struct state_replay_counts {
	uint64_t batches, entries, bytes, foreign;
	uint64_t bytes_since_checkpoint, checkpoint_bytes; /* behind the last complete checkpoint; of its snapshots */
};
void state_replay_get_counts(const struct state_replay *rp, struct state_replay_counts *ret);

/* Gives each group that exists or has configs, in the order of ids; views valid during the callback. */
void state_replay_each(struct state_replay *rp, state_group_cb cb, void *arg);

#endif
