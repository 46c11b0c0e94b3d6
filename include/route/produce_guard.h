/* SPDX-License-Identifier: Apache-2.0 */
/* Keeping a topic out of Produce requests that stream through: its name or id is made one that no topic has while the
 * bytes pass, at the same length, so that the broker refuses that topic and serves the others; the answer is put right
 * again. Nothing is collected but the name itself.
 *
 *   request  topics, [name | id] -> spoilt, partitions, records (skipped by their length)
 *   answer   [name | id] -> restored, its partitions get INVALID_TOPIC_EXCEPTION, Kafka's error for its own topics */
#ifndef SLUICE_ROUTE_PRODUCE_GUARD_H
#define SLUICE_ROUTE_PRODUCE_GUARD_H

#include "base/arena.h"
#include "base/err.h"
#include "base/types.h"
#include "wire/writer.h"

struct produce_guard {
	struct str topic;                  /* a view that outlives the guard */
	struct uuid id;                    /* zero: there is none */
	uint64_t skip;                     /* bytes that pass unread */
	uint32_t topics, partitions, tags; /* elements left */
	int16_t version;
	uint8_t state, after_tags;
	bool hit; /* the topic was found */
	enum err err;
};

/* Starts on a request of a known version whose body begins behind skip bytes. */
void produce_guard_init(struct produce_guard *g, int16_t version, uint64_t skip, struct str topic, struct uuid id);

/* Looks at the next n bytes of the request, changes the topic's name or id in them and returns how many may go on; the
 * rest has to be given again with more behind it. On g->err (ERR_MALFORMED) none may. */
size_t produce_guard_feed(struct produce_guard *g, uint8_t *p, size_t n);

/* Writes the whole answer (body behind the header) put right to w. ERR_MALFORMED, ERR_TOO_LARGE, ERR_NO_MEMORY. */
enum err produce_guard_restore(int16_t version, struct bytes body, struct str topic, struct uuid id, struct arena *a,
	struct writer *w) ERR_CHECKED;

#endif
