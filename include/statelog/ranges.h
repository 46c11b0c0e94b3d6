/* SPDX-License-Identifier: Apache-2.0 */
/* The record states of one share-partition while its log is replayed: disjoint ranges in offset order, later ones over
 * earlier ones. */
#ifndef SLUICE_STATELOG_RANGES_H
#define SLUICE_STATELOG_RANGES_H

#include <bsd/sys/tree.h>

#include "share/state.h"

struct state_range_node;
RB_HEAD(state_range_tree, state_range_node);

/* Zeroed memory is an empty set. */
struct state_ranges {
	struct state_range_tree tree;
	uint32_t n;
};

void state_ranges_clear(struct state_ranges *s);

/* Sets r's offsets to its state and count, whatever was there; AVAILABLE with count 0 is what is not stored. Equal
 * neighbours become one. O(log n), and one step for each range that is covered. */
void state_ranges_set(struct state_ranges *s, const struct share_state_range *r);

/* Forgets all offsets below start. */
void state_ranges_trim(struct state_ranges *s, int64_t start);

/* Writes the s->n ranges in ascending order into out. */
void state_ranges_list(const struct state_ranges *s, struct share_state_range *out);

#endif
