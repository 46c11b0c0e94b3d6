/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of the internal topic's records, version 1: heads of batches and the entries behind them.
 * src/statelog/FORMAT.md is the description; every rule about what they mean stands in replay.h. */
#ifndef SLUICE_STATELOG_FORMAT_H
#define SLUICE_STATELOG_FORMAT_H

#include "base/arena.h"
#include "base/err.h"
#include "base/types.h"
#include "share/state.h"
#include "wire/batch.h"
#include "wire/reader.h"
#include "wire/writer.h"

#define STATE_FORMAT_VERSION 1
#define STATE_RECORD_MAX ((size_t)8 << 20)            /* no record is larger, compressed by a broker or not */
#define STATE_SCRATCH_MAX ((size_t)80 << 20)          /* arrays of one decoded entry of such a record */
#define STATE_BATCH_OVERHEAD (BATCH_HEADER_SIZE + 32) /* at most, around the value of the one record of a batch */

enum state_kind {
	STATE_CLAIM = 1,
	STATE_BEGIN = 2,
	STATE_END = 3,
	STATE_ENTRIES = 4,
	STATE_RESIGN = 5,
};

/* What a record begins with. */
struct state_head {
	enum state_kind kind;
	int64_t owner_epoch;                /* a claim does not store it: it is the claim's own offset */
	struct uuid owner_id;               /* CLAIM, BEGIN: who, where */
	struct str owner_address;           /* CLAIM, BEGIN; never null */
	int32_t partition, partition_count; /* CLAIM, BEGIN */
	int64_t begin_offset;               /* END: of its begin mark */
	uint32_t snapshots;                 /* END: snapshots since the begin mark */
	bool settled; /* RESIGN: no owner before the resigned one can be handing out records any more */
};

enum state_entry_type {
	STATE_ENTRY_IN_GROUP = 1,     /* what follows in this record is about group_id */
	STATE_ENTRY_SNAPSHOT = 2,     /* a snapshot of group_id begins: exists, epochs */
	STATE_ENTRY_SNAPSHOT_END = 3, /* it is whole */
	STATE_ENTRY_GROUP = 4,        /* epochs */
	STATE_ENTRY_GROUP_DELETED = 5,
	STATE_ENTRY_MEMBER = 6,             /* u.member */
	STATE_ENTRY_MEMBER_REMOVED = 7,     /* u.member.member_id */
	STATE_ENTRY_CONFIG = 8,             /* u.config */
	STATE_ENTRY_PARTITION = 9,          /* number, u.partition */
	STATE_ENTRY_PARTITION_DELETED = 10, /* u.partition: topic_id, partition */
	STATE_ENTRY_NUMBER = 11,            /* number, u.partition: topic_id, partition */
	STATE_ENTRY_RECORDS = 64,           /* number, u.partition: start_offset, ranges; 64 to 127 on the wire */
};

struct state_entry {
	enum state_entry_type type;
	uint32_t number;
	struct str group_id;
	bool exists;
	int32_t group_epoch, assignment_epoch;
	union {
		struct share_member_state member;
		struct share_config_entry config;
		struct share_partition_state partition;
	} u;
};

enum state_verdict {
	STATE_OURS,    /* written by a sluice in a version that we know */
	STATE_FOREIGN, /* not written by any sluice */
	STATE_NEWER,   /* written by a newer sluice: nothing behind it can be understood */
	STATE_CORRUPT, /* checksum or content wrong */
};

/* One record batch of the log: its head, and its entries still to be read. */
struct state_batch {
	enum state_verdict verdict;
	int64_t base_offset, last_offset;
	int64_t producer_id;
	int16_t producer_epoch;
	int32_t base_sequence;
	size_t size;
	struct state_head head; /* STATE_OURS */
	struct reader entries;  /* STATE_OURS, kind STATE_ENTRIES */
	const char *why;        /* otherwise: static text; "" for STATE_OURS */
};

/* Writes the head of a record's value; errors stay in w. */
void state_head_write(struct writer *w, const struct state_head *h);

/* Reads the head of the record that stands at offset. ERR_MALFORMED; views point into r's bytes. */
enum err state_head_read(struct reader *r, int64_t offset, struct state_head *ret) ERR_CHECKED;

/* Writes one entry; errors stay in w. Ranges must ascend without overlap and hold no ACQUIRED one. */
void state_entry_write(struct writer *w, const struct state_entry *e);

/* Reads one entry, arrays into a. ERR_MALFORMED, or ERR_NO_MEMORY beyond the ceiling of a. */
enum err state_entry_read(struct reader *r, struct arena *a, struct state_entry *ret) ERR_CHECKED;

/* The entry for a change (not for its number, which the caller sets). */
struct state_entry state_entry_of_change(const struct share_change *c);

/* Builds the record batch around a value of at most max - STATE_BATCH_OVERHEAD bytes; one reference, the caller's. */
struct chunk *state_batch_build(struct bytes value, size_t max, int64_t wall_ms, int64_t producer_id,
	int16_t producer_epoch, int32_t base_sequence);

/* Judges the whole batch at p whose header (READY or OLD) was read into h: its CRC first, then key, version and head.
 * What is decompressed goes into a, whose ceiling is at least STATE_RECORD_MAX. */
enum state_verdict state_batch_read(
	const uint8_t *p, const struct batch_header *h, struct arena *a, struct state_batch *ret);

#endif
