/* SPDX-License-Identifier: Apache-2.0 */
/* A Kafka partition in memory, as a state log meets it: offsets, trimming, idempotent producers, answers cut off by
 * size. */
#ifndef SLUICE_TESTS_SIM_FAKE_PARTITION_H
#define SLUICE_TESTS_SIM_FAKE_PARTITION_H

#include "base/buf.h"
#include "base/chunk.h"

#define FAKE_KEPT_SEQUENCES 5

struct fake_batch {
	int64_t base, last;
	struct chunk *bytes;
};

struct fake_producer {
	int64_t id;
	int32_t sequences[FAKE_KEPT_SEQUENCES]; /* of its last batches, newest first */
	int64_t bases[FAKE_KEPT_SEQUENCES];
	uint32_t n;
};

struct fake_partition {
	struct fake_batch *v;
	size_t n, cap;
	int64_t log_start, end;
	struct fake_producer *producers;
	size_t producers_n;
	int64_t next_producer_id;
	size_t bytes;
};

void fake_partition_init(struct fake_partition *p);
void fake_partition_release(struct fake_partition *p);

/* InitProducerId: one that nobody had. */
int64_t fake_partition_producer_id(struct fake_partition *p);

/* Appends a copy of the batch and returns its base offset; that of the first copy when its producer wrote it before; -1
 * for a sequence out of order. */
int64_t fake_partition_produce(struct fake_partition *p, const struct chunk *c);

/* Whole batches from the one that holds offset on, at least one, about max bytes; nothing at the end or below the log
 * start. */
void fake_partition_read(const struct fake_partition *p, int64_t offset, size_t max, struct buf *out);

/* DeleteRecords: everything below offset is gone. */
void fake_partition_trim(struct fake_partition *p, int64_t offset);

/* The batch at an offset, NULL when it is not there. */
struct fake_batch *fake_partition_at(const struct fake_partition *p, int64_t offset);

#endif
