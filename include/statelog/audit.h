/* SPDX-License-Identifier: Apache-2.0 */
/* The log of one state partition looked at from outside: every batch is judged and replayed by the rules, and what
 * breaks one is told with its offset, as an owner that loads the log would refuse it. */
#ifndef SLUICE_STATELOG_AUDIT_H
#define SLUICE_STATELOG_AUDIT_H

#include "statelog/replay.h"

#define STATE_AUDIT_WHY_MAX 300

struct state_audit;

enum state_audit_verdict {
	STATE_AUDIT_COUNTS,
	STATE_AUDIT_LEFT_OUT, /* by the rules: foreign, of an earlier owner, written twice */
	STATE_AUDIT_BROKEN,   /* the log can not be used from here on */
	STATE_AUDIT_BEHIND,   /* stands behind what is broken: not replayed */
};

/* One batch was judged: why is "" when it counts. In b the entries are still to be read; views are valid during the
 * call. */
typedef void (*state_audit_cb)(
	void *arg, const struct state_batch *b, enum state_audit_verdict verdict, const char *why);

struct state_audit_result {
	uint64_t batches, bytes, left_out, behind;
	uint64_t kinds[STATE_RESIGN + 1]; /* records that count, by kind; each end mark is a complete checkpoint */
	uint64_t entries;
	bool is_broken;
	int64_t broken_offset;
	char broken[STATE_AUDIT_WHY_MAX]; /* why, one sentence */
};

/* Of a log that starts at log_start, of this partition out of partition_count. each may be NULL. */
struct state_audit *state_audit_new(
	int32_t partition, int32_t partition_count, int64_t log_start, state_audit_cb each, void *arg);
void state_audit_free(struct state_audit *a);

/* Takes bytes read from state_audit_next on; a batch that is cut off at their end is to be read again. */
void state_audit_data(struct state_audit *a, struct bytes data);

/* The offset to read from; -1: nothing more can be found, see the result. */
int64_t state_audit_next(const struct state_audit *a);

/* The end of the log was reached. */
void state_audit_end(struct state_audit *a);

const struct state_audit_result *state_audit_get(const struct state_audit *a);

/* The replay as far as the log was whole: owner, groups, what a number stands for. */
struct state_replay *state_audit_replay(struct state_audit *a);

#endif
