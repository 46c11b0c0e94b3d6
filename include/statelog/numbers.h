/* SPDX-License-Identifier: Apache-2.0 */
/* Short numbers of share-partitions as a writer gives them out: (group, topic id, partition) to number, each defined
 * once in the log by an owner and again by the snapshots of its checkpoints. A number is never given out twice by one
 * owner. */
#ifndef SLUICE_STATELOG_NUMBERS_H
#define SLUICE_STATELOG_NUMBERS_H

#include "base/types.h"

struct state_number_group;

/* Zeroed memory is an empty table. */
struct state_numbers {
	struct state_number_group *groups;
	uint32_t last; /* the last number given out; the first is 1 */
	size_t n;      /* numbers in use */
};

void state_numbers_release(struct state_numbers *t);

/* The number of a share-partition; 0: it has none yet. */
uint32_t state_numbers_find(
	const struct state_numbers *t, struct str group_id, struct uuid topic_id, int32_t partition);

/* Gives the next number, t->last + 1, to a share-partition that has none. */
uint32_t state_numbers_add(struct state_numbers *t, struct str group_id, struct uuid topic_id, int32_t partition);

/* Forgets the number of a share-partition, or of all of a group, that is deleted. Unknown ones are no error. */
void state_numbers_drop(struct state_numbers *t, struct str group_id, struct uuid topic_id, int32_t partition);
void state_numbers_drop_group(struct state_numbers *t, struct str group_id);

#endif
