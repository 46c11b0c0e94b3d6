/* SPDX-License-Identifier: Apache-2.0 */
/* Which groups a checkpoint in hand has reached is known here. */
#include "statelog/checkpoint.h"

#include "hash.h"

struct state_armed_group {
	char *id;
	UT_hash_handle hh;
};

static void cursor_set(struct state_checkpoint *ck, struct str id)
{
	char *p = mem_copy_string(id.p, id.n);

	mem_free(ck->cursor);
	ck->cursor = p;
	ck->cursor_n = id.n;
}

void state_checkpoint_clear(struct state_checkpoint *ck)
{
	struct state_armed_group *g;

	while ((g = ck->armed)) {
		HASH_DEL(ck->armed, g);
		mem_free(g->id);
		mem_free(g);
	}
	mem_free(ck->cursor);
	*ck = (struct state_checkpoint){.phase = STATE_CHECKPOINT_IDLE};
}

void state_checkpoint_set_phase(struct state_checkpoint *ck, enum state_checkpoint_phase phase)
{
	if (phase == STATE_CHECKPOINT_IDLE || phase == STATE_CHECKPOINT_BEGINNING)
		state_checkpoint_clear(ck);
	ck->phase = phase;
}

static bool is_armed(const struct state_checkpoint *ck, struct str id)
{
	struct state_armed_group *g;

	HASH_FIND(hh, ck->armed, id.p, id.n, g);
	return g != NULL;
}

bool state_checkpoint_must_arm(const struct state_checkpoint *ck, struct str group_id)
{
	if (ck->phase != STATE_CHECKPOINT_SNAPSHOTS || !ck->cursor)
		return false;
	return str_cmp(group_id, (struct str){ck->cursor, ck->cursor_n}) <= 0 && !is_armed(ck, group_id);
}

void state_checkpoint_armed(struct state_checkpoint *ck, struct str group_id, bool is_turn)
{
	struct state_armed_group *g;

	ck->snapshots++;
	if (is_turn)
		cursor_set(ck, group_id);
	if (is_armed(ck, group_id))
		return;
	g = mem_zalloc(1, sizeof(*g));
	g->id = mem_copy_string(group_id.p, group_id.n);
	HASH_ADD_KEYPTR(hh, ck->armed, g->id, group_id.n, g);
}
