/* SPDX-License-Identifier: Apache-2.0 */
/* The records of the internal topic as text, for sluice state dump and verify. */
#ifndef SLUICE_MAIN_STATE_PRINT_H
#define SLUICE_MAIN_STATE_PRINT_H

#include <stdio.h>

#include "statelog/audit.h"

/* Prints text from a log in quotes, with everything but printable ASCII as \xNN; null as the word null. */
void state_print_str(FILE *f, struct str s);

/* Prints one record: a line that says where it stands, what it is and whether it counts, and one line for each entry.
 * rp tells what short numbers stand for; NULL is allowed. */
void state_print_batch(FILE *f, const struct state_batch *b, enum state_audit_verdict verdict, const char *why,
	const struct state_replay *rp);

/* What a check of one partition has found. */
struct state_print_groups {
	uint64_t groups, members, configs, partitions, ranges;
};
void state_print_summary(FILE *f, int32_t partition, int64_t start, int64_t end, const struct state_audit_result *res,
	const struct state_replay *rp, const struct state_print_groups *n);

#endif
