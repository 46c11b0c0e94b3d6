/* SPDX-License-Identifier: Apache-2.0 */
/* Random messages and their comparison, driven by the schema: what the codec's tests share. */
#ifndef SLUICE_TESTS_WIRE_FILL_H
#define SLUICE_TESTS_WIRE_FILL_H

#include "../../src/wire/schema.h"

struct fill {
	struct arena *a;
	int16_t version;
	uint64_t seed;
	uint32_t max_n; /* longest array, string */
};

uint64_t fill_random(struct fill *f);

/* Fills the fields that f->version has with random values, null where it is allowed; the others get their defaults. */
void fill_message(struct fill *f, const struct schema *s, void *msg);

/* Equal in all fields; null equals only null, records compare by their bytes. */
bool messages_equal(const struct schema *s, const void *a, const void *b);

/* The bytes of a writer as exactly one allocation, so that a sanitizer sees a read behind it. Free with mem_free. */
uint8_t *writer_copy(const struct writer *w);

/* Encodes into one allocation; *ret_n bytes. Fails the test on an error. */
uint8_t *encode_copy(const struct schema *s, int16_t version, const void *msg, size_t *ret_n);

/* Decodes n bytes that must be the whole body. */
enum err decode_bytes_of(const struct schema *s, int16_t version, const uint8_t *p, size_t n, struct arena *a,
	void *msg, char *path) ERR_CHECKED;

#endif
