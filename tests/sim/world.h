/* SPDX-License-Identifier: Apache-2.0 */
/* Simulated partition logs. What stands at an offset is decided once and for all; only the visible part (log start,
 * high watermark) moves, so that a log may be cut and grow again. There are control batches, aborted transactions,
 * empty batches and compaction holes. */
#ifndef SLUICE_TESTS_SIM_WORLD_H
#define SLUICE_TESTS_SIM_WORLD_H

#include "share/share.h"

/* A small deterministic generator: same start value, same run. */
struct rng {
	uint64_t s;
};
uint64_t rng_next(struct rng *r);
/* 0 .. n - 1 */
uint32_t rng_below(struct rng *r, uint32_t n);
bool rng_chance(struct rng *r, uint32_t percent);

enum { WORLD_BATCH_RECORDS = 30 }; /* of the largest batch */

struct world_batch {
	int64_t base, last;
	int64_t lso_after; /* last stable offset when the log ends behind this batch */
	int64_t producer_id;
	uint32_t size;
	bool control, transactional, empty, aborted;
};

struct world_txn {
	int64_t producer_id, first, marker; /* marker -1: still open */
	bool aborted;
};

struct world_log {
	struct rng rng;
	struct world_batch *b;
	uint32_t n, cap;
	struct world_txn *txns;
	uint32_t txns_n, txns_cap;
	uint32_t visible; /* batches */
	int64_t start;
	int64_t open[2]; /* index of an open transaction, or -1 */
	bool plain;      /* only data batches, no holes */
};

/* What the engine holds of a batch. */
struct world_ref {
	const struct world_log *log;
	struct world_batch batch;
	uint64_t serial;
};

void world_log_init(struct world_log *l, uint64_t seed, bool plain);
void world_log_release(struct world_log *l);
void world_log_grow(struct world_log *l, uint32_t batches);
void world_log_cut(struct world_log *l, uint32_t batches);
int64_t world_log_end(const struct world_log *l); /* high watermark */
int64_t world_log_lso(const struct world_log *l);

/* True when no record stands at offset, as read at this isolation level. The offset must be below the end that was ever
 * visible. */
bool world_log_is_hole(const struct world_log *l, int64_t offset, bool read_committed);

/* Moves first down and last up to the ends of the batches that they lie in. */
void world_log_widen(const struct world_log *l, int64_t *first, int64_t *last);

/* Fills a SHARE_EV_RECORDS for a fetch from ev->u.records.from_offset with up to max batches; live counts the
 * references given out. */
void world_log_answer(struct world_log *l, struct share_event *ev, uint32_t max, struct share_batch *batches,
	struct share_aborted *aborted, uint32_t aborted_cap, uint64_t *live);

#endif
