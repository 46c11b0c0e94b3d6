/* SPDX-License-Identifier: Apache-2.0 */
/* The batches of what was read are found one behind the other here. */
#include "statelog/walk.h"

enum state_walk_step state_walk_next(struct state_walk *w, int64_t offset)
{
	while (w->at < w->data.n) {
		enum batch_status status = batch_header_read(w->data.p + w->at, w->data.n - w->at, &w->h);

		if (status == BATCH_TRUNCATED)
			return STATE_WALK_END;
		if (status == BATCH_BAD) {
			w->why = "a record batch with an impossible header";
			return STATE_WALK_BROKEN;
		}
		if (batch_last_offset(&w->h) >= offset && w->h.base_offset > offset) {
			w->why = "records are missing up to the next one: is cleanup.policy something else than "
				 "delete?";
			return STATE_WALK_MISSING;
		}
		w->p = w->data.p + w->at;
		w->at += w->h.size;
		if (batch_last_offset(&w->h) >= offset)
			return STATE_WALK_BATCH;
	}
	return STATE_WALK_END;
}
