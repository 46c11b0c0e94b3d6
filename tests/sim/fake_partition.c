/* SPDX-License-Identifier: Apache-2.0 */
/* The broker's side of a state partition is played here. */
#include "fake_partition.h"

#include "base/assert.h"
#include "base/mem.h"
#include "wire/batch.h"

#define PRODUCERS_MAX 64

void fake_partition_init(struct fake_partition *p)
{
	*p = (struct fake_partition){.log_start = 0};
}

void fake_partition_release(struct fake_partition *p)
{
	for (size_t i = 0; i < p->n; i++)
		chunk_unref(p->v[i].bytes);
	mem_free(p->v);
	mem_free(p->producers);
	fake_partition_init(p);
}

int64_t fake_partition_producer_id(struct fake_partition *p)
{
	return p->next_producer_id++;
}

static struct fake_producer *producer_find(struct fake_partition *p, int64_t id)
{
	for (size_t i = p->producers_n; i-- > 0;) {
		if (p->producers[i].id == id)
			return &p->producers[i];
	}
	if (p->producers_n == PRODUCERS_MAX) {
		p->producers_n--;
		memmove(p->producers, p->producers + 1, p->producers_n * sizeof(*p->producers));
	}
	p->producers = mem_resize(p->producers, PRODUCERS_MAX, sizeof(*p->producers));
	p->producers[p->producers_n] = (struct fake_producer){.id = id};
	return &p->producers[p->producers_n++];
}

/* True when the batch is to be appended; else *ret is the answer. */
static bool producer_check(struct fake_producer *pr, int32_t sequence, int64_t base, int64_t *ret)
{
	for (uint32_t i = 0; i < pr->n; i++) {
		if (pr->sequences[i] == sequence) {
			*ret = pr->bases[i];
			return false;
		}
	}
	if (pr->n > 0 && sequence != pr->sequences[0] + 1) {
		*ret = -1;
		return false;
	}
	if (pr->n < FAKE_KEPT_SEQUENCES)
		pr->n++;
	memmove(pr->sequences + 1, pr->sequences, (pr->n - 1) * sizeof(*pr->sequences));
	memmove(pr->bases + 1, pr->bases, (pr->n - 1) * sizeof(*pr->bases));
	pr->sequences[0] = sequence;
	pr->bases[0] = base;
	return true;
}

/* A copy of the batch as the log has it: with its base offset. */
static struct chunk *stored(const struct chunk *c, int64_t base)
{
	struct chunk *s = chunk_try_new(c->size);

	sl_assert(s != NULL);
	memcpy(s->data, c->data, c->size);
	for (int i = 7; i >= 0; i--, base >>= 8)
		s->data[i] = (uint8_t)base;
	return s;
}

int64_t fake_partition_produce(struct fake_partition *p, const struct chunk *c)
{
	struct batch_header h;
	int64_t base = p->end, answer;

	sl_assert(batch_header_read(c->data, c->size, &h) == BATCH_READY && h.size == c->size);
	if (h.producer_id >= 0 && !producer_check(producer_find(p, h.producer_id), h.base_sequence, base, &answer))
		return answer;
	if (p->n == p->cap) {
		p->cap = p->cap ? 2 * p->cap : 64;
		p->v = mem_resize(p->v, p->cap, sizeof(*p->v));
	}
	p->v[p->n++] = (struct fake_batch){base, base + h.last_offset_delta, stored(c, base)};
	p->end = base + h.last_offset_delta + 1;
	p->bytes += c->size;
	return base;
}

/* Index of the first batch that ends at or behind offset. */
static size_t index_of(const struct fake_partition *p, int64_t offset)
{
	size_t lo = 0, hi = p->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (p->v[mid].last < offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

void fake_partition_read(const struct fake_partition *p, int64_t offset, size_t max, struct buf *out)
{
	if (offset < p->log_start)
		return;
	for (size_t i = index_of(p, offset), first = i; i < p->n; i++) {
		if (i > first && buf_len(out) + p->v[i].bytes->size > max)
			return;
		sl_assert(buf_append(out, p->v[i].bytes->data, p->v[i].bytes->size) == ERR_OK);
	}
}

void fake_partition_trim(struct fake_partition *p, int64_t offset)
{
	size_t n;

	if (offset <= p->log_start)
		return;
	sl_assert(offset <= p->end);
	p->log_start = offset;
	n = index_of(p, offset);
	for (size_t i = 0; i < n; i++) {
		p->bytes -= p->v[i].bytes->size;
		chunk_unref(p->v[i].bytes);
	}
	p->n -= n;
	memmove(p->v, p->v + n, p->n * sizeof(*p->v));
}

struct fake_batch *fake_partition_at(const struct fake_partition *p, int64_t offset)
{
	size_t i = index_of(p, offset);

	return i < p->n && p->v[i].base <= offset ? &p->v[i] : NULL;
}
