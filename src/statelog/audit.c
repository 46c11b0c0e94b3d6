/* SPDX-License-Identifier: Apache-2.0 */
/* A log is judged batch by batch for whoever wants to know what stands in it. */
#include "statelog/audit.h"

#include <stdio.h>

#include "base/mem.h"
#include "statelog/walk.h"

struct state_audit {
	int32_t partition, partition_count;
	int64_t log_start, next;
	struct state_replay *replay;
	state_audit_cb each;
	void *arg;
	struct state_audit_result res;
};

struct state_audit *state_audit_new(
	int32_t partition, int32_t partition_count, int64_t log_start, state_audit_cb each, void *arg)
{
	struct state_audit *a = mem_zalloc(1, sizeof(*a));

	a->partition = partition;
	a->partition_count = partition_count;
	a->log_start = a->next = log_start;
	a->replay = state_replay_new(log_start);
	a->each = each;
	a->arg = arg;
	return a;
}

void state_audit_free(struct state_audit *a)
{
	if (!a)
		return;
	state_replay_free(a->replay);
	mem_free(a);
}

/* Keeps the first thing that breaks a rule. */
static void audit_break(struct state_audit *a, int64_t offset, const char *why)
{
	if (a->res.is_broken)
		return;
	a->res.is_broken = true;
	a->res.broken_offset = offset;
	snprintf(a->res.broken, sizeof(a->res.broken), "%s", why);
}

/* The log must be that of this partition, of as many as there are. */
static bool place_is_wrong(struct state_audit *a, int64_t offset)
{
	char why[STATE_AUDIT_WHY_MAX];

	if (state_replay_partition_count(a->replay) == 0 ||
		(state_replay_partition(a->replay) == a->partition &&
			state_replay_partition_count(a->replay) == a->partition_count))
		return false;
	snprintf(why, sizeof(why), "the log is that of partition %d of %d, and this is partition %d of %d",
		state_replay_partition(a->replay), state_replay_partition_count(a->replay), a->partition,
		a->partition_count);
	audit_break(a, offset, why);
	return true;
}

static enum state_audit_verdict batch_judge(struct state_audit *a, struct state_batch *b, const char **ret_why)
{
	*ret_why = b->why;
	if (a->res.is_broken)
		return STATE_AUDIT_BEHIND;
	if (b->verdict == STATE_NEWER || b->verdict == STATE_CORRUPT) {
		audit_break(a, b->base_offset, b->why);
		return STATE_AUDIT_BROKEN;
	}
	switch (state_replay_batch(a->replay, b, ret_why)) {
	case STATE_REPLAY_FOREIGN:
		return STATE_AUDIT_LEFT_OUT;
	case STATE_REPLAY_BROKEN:
		audit_break(a, b->base_offset, *ret_why);
		return STATE_AUDIT_BROKEN;
	case STATE_REPLAY_OK:
		break;
	}
	if (!place_is_wrong(a, b->base_offset))
		return STATE_AUDIT_COUNTS;
	*ret_why = a->res.broken;
	return STATE_AUDIT_BROKEN;
}

static void audit_batch(struct state_audit *a, const struct state_walk *w)
{
	enum state_audit_verdict verdict;
	struct state_batch b, untouched;
	const char *why;
	struct arena mem;

	arena_init(&mem, 2 * STATE_RECORD_MAX);
	(void)state_batch_read(w->p, &w->h, &mem, &b);
	untouched = b;
	verdict = batch_judge(a, &b, &why);
	a->res.batches++;
	a->res.bytes += b.size;
	a->res.left_out += verdict == STATE_AUDIT_LEFT_OUT;
	a->res.behind += verdict == STATE_AUDIT_BEHIND;
	a->res.kinds[b.head.kind] += verdict == STATE_AUDIT_COUNTS;
	if (a->each)
		a->each(a->arg, &untouched, verdict, why);
	arena_release(&mem);
}

void state_audit_data(struct state_audit *a, struct bytes data)
{
	struct state_walk w = {.data = data};

	while (a->next >= 0) {
		switch (state_walk_next(&w, a->next)) {
		case STATE_WALK_END:
			return;
		case STATE_WALK_MISSING:
			audit_break(a, a->next, w.why);
			a->next = w.h.base_offset;
			break;
		case STATE_WALK_BROKEN:
			audit_break(a, a->next, w.why);
			a->next = -1;
			break;
		case STATE_WALK_BATCH:
			audit_batch(a, &w);
			a->next = batch_last_offset(&w.h) + 1;
			break;
		}
	}
}

int64_t state_audit_next(const struct state_audit *a)
{
	return a->next;
}

void state_audit_end(struct state_audit *a)
{
	const char *why = state_replay_finish(a->replay);
	struct state_replay_counts n;

	if (why)
		audit_break(a, a->log_start, why);
	state_replay_get_counts(a->replay, &n);
	a->res.entries = n.entries;
}

const struct state_audit_result *state_audit_get(const struct state_audit *a)
{
	return &a->res;
}

struct state_replay *state_audit_replay(struct state_audit *a)
{
	return a->replay;
}
