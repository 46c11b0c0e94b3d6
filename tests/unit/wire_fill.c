/* SPDX-License-Identifier: Apache-2.0 */
/* Messages are filled with random values and compared here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/mem.h"
#include "wire_fill.h"

uint64_t fill_random(struct fill *f)
{
	uint64_t z = f->seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static uint8_t *random_bytes(struct fill *f, size_t *ret_n)
{
	size_t n = fill_random(f) % (f->max_n + 1);
	uint8_t *p = arena_zalloc(f->a, n, 1);

	assert_non_null(p);
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)fill_random(f);
	*ret_n = n;
	return p;
}

static void fill_records(struct fill *f, struct records *to)
{
	uint32_t n = (uint32_t)(fill_random(f) % 3);
	struct slice *v = arena_zalloc(f->a, n ? n : 1, sizeof(*v));

	assert_non_null(v);
	for (uint32_t i = 0; i < n; i++) {
		v[i].p = random_bytes(f, &v[i].n);
		v[i].chunk = NULL;
	}
	*to = (struct records){v, n};
}

/* Numbers and uuids, which are never null; false for all other types. */
static bool fill_fixed(enum field_type type, uint64_t v, void *p)
{
	switch (type) {
	case FIELD_BOOL:
		*(bool *)p = v & 1;
		return true;
	case FIELD_INT8:
		*(int8_t *)p = (int8_t)v;
		return true;
	case FIELD_INT16:
		*(int16_t *)p = (int16_t)v;
		return true;
	case FIELD_UINT16:
		*(uint16_t *)p = (uint16_t)v;
		return true;
	case FIELD_INT32:
		*(int32_t *)p = (int32_t)v;
		return true;
	case FIELD_INT64:
		*(int64_t *)p = (int64_t)v;
		return true;
	case FIELD_FLOAT64:
		*(double *)p = (double)(int32_t)v / 7;
		return true;
	case FIELD_UUID:
		memcpy(p, &v, sizeof(v));
		return true;
	default:
		return false;
	}
}

static void fill_elem(struct fill *f, const struct schema_field *fd, bool null, uint8_t *to)
{
	uint64_t v = fill_random(f);
	void *p = to;
	size_t n;

	if (fill_fixed((enum field_type)fd->type, v, p))
		return;
	switch ((enum field_type)fd->type) {
	case FIELD_STRING:
		if (null) {
			*(struct str *)p = STR_NULL;
			break;
		}
		((struct str *)p)->p = (const char *)random_bytes(f, &n);
		((struct str *)p)->n = n;
		break;
	case FIELD_BYTES:
		if (null) {
			*(struct bytes *)p = (struct bytes){NULL, 0};
			break;
		}
		((struct bytes *)p)->p = random_bytes(f, &n);
		((struct bytes *)p)->n = n;
		break;
	case FIELD_RECORDS:
		if (null)
			*(struct records *)p = (struct records){NULL, 0};
		else
			fill_records(f, p);
		break;
	case FIELD_STRUCT:
		if (fd->flags & FIELD_POINTER) {
			void *sub = null ? NULL : arena_zalloc(f->a, 1, fd->sub->size);

			field_set_pointer(to, sub);
			if (null)
				break;
			assert_non_null(sub);
			p = sub;
		}
		fill_message(f, fd->sub, p);
		break;
	default:
		fail_msg("a field of type %d", (int)fd->type);
	}
}

void fill_message(struct fill *f, const struct schema *s, void *msg)
{
	uint8_t *base = msg;

	codec_init(s, msg);
	for (size_t i = 0; i < s->fields_n; i++) {
		const struct schema_field *fd = &s->fields[i];
		bool null = field_is_nullable(fd, f->version) && fill_random(f) % 4 == 0;
		uint32_t n = (uint32_t)(fill_random(f) % (f->max_n + 1) % 4);
		uint8_t *elems;

		if (!field_in_version(fd, f->version) || (field_is_tagged(fd) && fill_random(f) % 3 == 0))
			continue;
		if (!field_is_array(fd)) {
			fill_elem(f, fd, null, base + fd->offset);
			continue;
		}
		n = null ? 0 : n;
		elems = null ? NULL : arena_zalloc(f->a, n, field_elem_size(fd));
		assert_true(null || elems);
		for (uint32_t k = 0; k < n; k++)
			fill_elem(f, fd, false, elems + k * field_elem_size(fd));
		field_set_array(fd, base, elems, n);
	}
}

static size_t records_join(const struct records *r, uint8_t *out)
{
	size_t n = 0;

	for (uint32_t i = 0; i < r->v_n; i++) {
		if (out && r->v[i].n)
			memcpy(out + n, r->v[i].p, r->v[i].n);
		n += r->v[i].n;
	}
	return n;
}

static bool records_equal(const struct records *a, const struct records *b)
{
	size_t n = records_join(a, NULL);
	uint8_t *x, *y;
	bool same;

	if (!a->v || !b->v)
		return a->v == b->v;
	if (n != records_join(b, NULL))
		return false;
	x = mem_zalloc(n + 1, 1);
	y = mem_zalloc(n + 1, 1);
	records_join(a, x);
	records_join(b, y);
	same = memcmp(x, y, n) == 0;
	mem_free(x);
	mem_free(y);
	return same;
}

static bool elem_equal(const struct schema_field *f, const uint8_t *a, const uint8_t *b)
{
	const void *x = a, *y = b;

	switch ((enum field_type)f->type) {
	case FIELD_STRING:
		return str_eq(*(const struct str *)x, *(const struct str *)y);
	case FIELD_BYTES: {
		const struct bytes *p = x, *q = y;

		if (!p->p || !q->p)
			return p->p == q->p;
		return p->n == q->n && memcmp(p->p, q->p, p->n) == 0;
	}
	case FIELD_RECORDS:
		return records_equal(x, y);
	case FIELD_STRUCT:
		if (f->flags & FIELD_POINTER) {
			x = field_pointer(a);
			y = field_pointer(b);
			if (!x || !y)
				return x == y;
		}
		return messages_equal(f->sub, x, y);
	default:
		return memcmp(a, b, field_elem_size(f)) == 0;
	}
}

bool messages_equal(const struct schema *s, const void *a, const void *b)
{
	const uint8_t *x = a, *y = b;

	for (size_t i = 0; i < s->fields_n; i++) {
		const struct schema_field *f = &s->fields[i];
		size_t size = field_elem_size(f);
		const uint8_t *p, *q;

		if (!field_is_array(f)) {
			if (!elem_equal(f, x + f->offset, y + f->offset))
				return false;
			continue;
		}
		p = field_pointer(x + f->offset);
		q = field_pointer(y + f->offset);
		if (!p != !q || field_array_count(f, x) != field_array_count(f, y))
			return false;
		for (uint32_t k = 0; k < field_array_count(f, x); k++)
			if (!elem_equal(f, p + k * size, q + k * size))
				return false;
	}
	return true;
}

uint8_t *writer_copy(const struct writer *w)
{
	uint8_t *p = mem_zalloc(wr_size(w) ? wr_size(w) : 1, 1);

	wr_flatten(w, p);
	return p;
}

uint8_t *encode_copy(const struct schema *s, int16_t version, const void *msg, size_t *ret_n)
{
	struct writer w;
	uint8_t *p;

	wr_init(&w, 1 << 24);
	assert_int_equal(codec_encode(s, version, &w, msg), ERR_OK);
	p = writer_copy(&w);
	*ret_n = wr_size(&w);
	wr_release(&w);
	return p;
}

enum err decode_bytes_of(
	const struct schema *s, int16_t version, const uint8_t *p, size_t n, struct arena *a, void *msg, char *path)
{
	struct reader r = rd_init(p, n);

	return codec_decode(s, version, &r, a, msg, path);
}
