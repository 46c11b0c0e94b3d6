/* SPDX-License-Identifier: Apache-2.0 */
/* From one record batch to the next in bytes that were read from the log. */
#ifndef SLUICE_STATELOG_WALK_H
#define SLUICE_STATELOG_WALK_H

#include "base/types.h"
#include "wire/batch.h"

/* Set data to what was read; the rest is zero, and then the walk's. */
struct state_walk {
	struct bytes data;
	size_t at;
	const uint8_t *p;      /* BATCH: the whole batch, a view on data */
	struct batch_header h; /* BATCH, MISSING */
	const char *why;       /* MISSING, BROKEN: static text */
};

enum state_walk_step {
	STATE_WALK_END,     /* no whole batch is left */
	STATE_WALK_BATCH,   /* p and h */
	STATE_WALK_MISSING, /* the next batch, h, begins behind the offset wanted: call again with its own to go on */
	STATE_WALK_BROKEN,  /* what follows can not be a batch: nothing behind it can be found */
};

/* The next batch that holds offset; those before it are passed over. A batch that is cut off ends the walk. */
enum state_walk_step state_walk_next(struct state_walk *w, int64_t offset);

#endif
