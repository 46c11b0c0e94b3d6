/* SPDX-License-Identifier: Apache-2.0 */
/* Where an owner is in writing a checkpoint.
 *
 *   IDLE -> BEGINNING (begin mark on its way) -> SNAPSHOTS (groups in turn, changes between) -> ENDING (end mark on its
 * way) -> IDLE
 *
 * Replay from the begin mark skips changes of groups whose snapshot has not come. A group that has none, because it
 * came into being behind the place where the turn is, is therefore armed by an empty snapshot in front of its first
 * change. */
#ifndef SLUICE_STATELOG_CHECKPOINT_H
#define SLUICE_STATELOG_CHECKPOINT_H

#include "base/types.h"

enum state_checkpoint_phase {
	STATE_CHECKPOINT_IDLE,
	STATE_CHECKPOINT_BEGINNING,
	STATE_CHECKPOINT_SNAPSHOTS,
	STATE_CHECKPOINT_ENDING,
};

struct state_armed_group;

/* Zeroed memory is idle. */
struct state_checkpoint {
	enum state_checkpoint_phase phase;
	int64_t begin_offset;
	uint32_t snapshots; /* since the begin mark, empty ones too */
	char *cursor;       /* last group whose turn it was, NULL: none yet */
	size_t cursor_n;
	struct state_armed_group *armed;
};

/* Forgets the checkpoint in hand; phase IDLE. */
void state_checkpoint_clear(struct state_checkpoint *ck);

/* The only writer of phase; starting anew (BEGINNING) and IDLE forget the last one. */
void state_checkpoint_set_phase(struct state_checkpoint *ck, enum state_checkpoint_phase phase);

/* Must a change of this group be preceded by an empty snapshot? */
bool state_checkpoint_must_arm(const struct state_checkpoint *ck, struct str group_id);

/* A snapshot of the group was written (an empty one: is_turn false). */
void state_checkpoint_armed(struct state_checkpoint *ck, struct str group_id, bool is_turn);

#endif
