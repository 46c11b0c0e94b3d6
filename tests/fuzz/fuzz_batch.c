/* SPDX-License-Identifier: Apache-2.0 */
/* Record batches and compressed bytes from anybody; batches of our own from any keys and values. */
#include <stdlib.h>

#include "base/assert.h"
#include "base/chunk.h"
#include "wire/batch.h"
#include "wire/compress.h"

#define EXPANDED_MAX ((size_t)256 * 1024)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct walk {
	const struct batch_header *h;
	int64_t last;
	size_t n;
	unsigned sum; /* of all bytes: they are really there */
};

static bool on_record(void *arg, const struct record *rec)
{
	struct walk *k = arg;

	sl_assert(rec->offset > k->last && rec->offset <= batch_last_offset(k->h));
	k->last = rec->offset;
	k->n++;
	for (size_t i = 0; i < rec->key.n; i++)
		k->sum += rec->key.p[i];
	for (size_t i = 0; i < rec->value.n; i++)
		k->sum += rec->value.p[i];
	return true;
}

static void read_batches(const uint8_t *p, size_t n)
{
	struct batch_header h;
	enum batch_status s;

	while ((s = batch_header_read(p, n, &h)) == BATCH_READY || s == BATCH_OLD) {
		sl_assert(h.size <= n && h.size > 0 && h.base_offset >= 0);
		if (s == BATCH_READY) {
			struct walk k = {.h = &h, .last = h.base_offset - 1};
			struct arena a;
			enum err e;

			sl_assert(batch_last_offset(&h) >= h.base_offset && batch_last_offset(&h) < INT64_MAX);
			e = batch_check_crc(p, &h);
			sl_assert(e == ERR_OK || e == ERR_CORRUPT);
			arena_init(&a, EXPANDED_MAX);
			e = batch_read_records(p, &h, &a, EXPANDED_MAX, on_record, &k);
			sl_assert(e || k.n == (size_t)h.records_count);
			arena_release(&a);
		}
		p += h.size;
		n -= h.size;
	}
	if (s == BATCH_TRUNCATED)
		sl_assert(h.size == 0 ? n < 12 : h.size > n);
}

static void expand(enum compression codec, const uint8_t *p, size_t n)
{
	struct bytes got = {NULL, 0};
	struct arena a;

	arena_init(&a, EXPANDED_MAX);
	if (decompress(codec, (struct bytes){p, n}, EXPANDED_MAX / 2, &a, &got) == ERR_OK)
		sl_assert(got.n <= EXPANDED_MAX / 2);
	arena_release(&a);
}

/* Cuts the input into keys and values, builds a batch of them and reads it again. */
static void build(const uint8_t *p, size_t n)
{
	struct batch_builder b;
	struct batch_header h;
	struct walk k = {.h = &h, .last = -1};
	struct arena a;
	struct chunk *c;
	size_t added = 0;

	batch_builder_init(&b, 4096, 1);
	while (n >= 2) {
		size_t key_n = p[0] % 16, value_n = p[1];
		struct bytes key, value;

		if (key_n > n - 2)
			key_n = n - 2;
		if (value_n > n - 2 - key_n)
			value_n = n - 2 - key_n;
		key = p[0] & 0x80 ? (struct bytes){NULL, 0} : (struct bytes){p + 2, key_n};
		value = p[0] & 0x40 ? (struct bytes){NULL, 0} : (struct bytes){p + 2 + key_n, value_n};
		if (batch_builder_add(&b, key, value) != ERR_OK)
			break;
		added++;
		p += 2 + key_n + value_n;
		n -= 2 + key_n + value_n;
	}
	sl_assert(batch_builder_size(&b) <= 4096);
	if (added > 0) {
		c = batch_builder_end(&b, 5, 6, 7);
		sl_assert(batch_header_read(c->data, c->size, &h) == BATCH_READY && h.size == c->size);
		sl_assert(batch_check_crc(c->data, &h) == ERR_OK);
		arena_init(&a, 0);
		sl_assert(batch_read_records(c->data, &h, &a, 0, on_record, &k) == ERR_OK && k.n == added);
		arena_release(&a);
		chunk_unref(c);
	}
	batch_builder_release(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1)
		return 0;
	if (data[0] % 8 == 7)
		build(data + 1, size - 1);
	else if (data[0] % 8 == 0)
		read_batches(data + 1, size - 1);
	else
		expand((enum compression)(data[0] % 8), data + 1, size - 1);
	return 0;
}
