/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes become message structs here, driven by the schema. */
#include <stdio.h>

#include "schema.h"

/* Where the walk is, for the path of an error: one frame a struct level, on the C stack. */
struct place {
	const struct place *up;
	const struct schema_field *field; /* being read in this struct */
	uint32_t index;                   /* of the element when the field is an array that is being filled */
	bool in_array;
};

struct decode {
	struct reader *r;
	struct arena *arena;
	int16_t version;
	bool flexible;
	enum err err; /* ERR_TOO_LARGE; what is wrong with the bytes is the reader's error */
	char *path;   /* written at the first error, NULL when nobody asks */
};

static enum err decode_err(const struct decode *d)
{
	return d->err ? d->err : d->r->err;
}

static size_t path_append(char *path, size_t at, const struct place *at_place)
{
	int n;

	if (at_place->up)
		at = path_append(path, at, at_place->up);
	if (at >= CODEC_PATH_MAX || !at_place->field)
		return at;
	n = snprintf(path + at, CODEC_PATH_MAX - at, at > 0 ? ".%s" : "%s", at_place->field->ident);
	at += n > 0 ? (size_t)n : 0;
	if (at < CODEC_PATH_MAX && at_place->in_array) {
		n = snprintf(path + at, CODEC_PATH_MAX - at, "[%u]", (unsigned)at_place->index);
		at += n > 0 ? (size_t)n : 0;
	}
	return at;
}

/* Names the field where the first error showed; later calls, further up, change nothing. */
static void note_path(struct decode *d, const struct place *place)
{
	if (!decode_err(d) || !d->path)
		return;
	d->path[0] = 0;
	path_append(d->path, 0, place);
	d->path = NULL;
}

static void decode_struct(struct decode *d, const struct schema *s, uint8_t *base, const struct place *up);

/* Zeroed memory, NULL (with d->err set) beyond the arena's ceiling. */
static void *decode_alloc(struct decode *d, size_t n, size_t size)
{
	void *p = arena_zalloc(d->arena, n, size);

	if (!p)
		d->err = ERR_TOO_LARGE;
	return p;
}

static void decode_string(struct decode *d, bool nullable, uint8_t *to)
{
	struct str v = d->flexible ? rd_cstr(d->r) : rd_str(d->r);

	if (!v.p && !nullable)
		rd_fail(d->r);
	memcpy(to, &v, sizeof(v));
}

static void decode_bytes(struct decode *d, bool nullable, uint8_t *to)
{
	struct bytes v = d->flexible ? rd_cbytes(d->r) : rd_bytes(d->r);

	if (!v.p && !nullable)
		rd_fail(d->r);
	memcpy(to, &v, sizeof(v));
}

static void decode_records(struct decode *d, bool nullable, uint8_t *to)
{
	struct bytes b;
	struct records v = {NULL, 0};

	decode_bytes(d, nullable, (uint8_t *)&b);
	if (b.p) {
		struct slice *slice = decode_alloc(d, 1, sizeof(*slice));

		if (!slice)
			return;
		*slice = (struct slice){NULL, b.p, b.n};
		v = (struct records){slice, 1};
	}
	memcpy(to, &v, sizeof(v));
}

static void decode_sub(
	struct decode *d, const struct schema_field *f, bool nullable, uint8_t *to, const struct place *place)
{
	if (f->flags & FIELD_POINTER) {
		bool present = !nullable || rd_i8(d->r) >= 0;
		void *p = NULL;

		if (d->r->err)
			return;
		if (present)
			p = decode_alloc(d, 1, f->sub->size);
		field_set_pointer(to, p);
		if (!p)
			return;
		to = p;
	}
	decode_struct(d, f->sub, to, place);
}

/* One value of the field's element type. */
static void decode_elem(
	struct decode *d, const struct schema_field *f, bool nullable, uint8_t *to, const struct place *place)
{
	switch ((enum field_type)f->type) {
	case FIELD_BOOL:
		*(bool *)to = rd_bool(d->r);
		break;
	case FIELD_INT8:
		*(int8_t *)to = rd_i8(d->r);
		break;
	case FIELD_INT16:
		*(int16_t *)(void *)to = rd_i16(d->r);
		break;
	case FIELD_UINT16:
		*(uint16_t *)(void *)to = rd_u16(d->r);
		break;
	case FIELD_INT32:
		*(int32_t *)(void *)to = rd_i32(d->r);
		break;
	case FIELD_INT64:
		*(int64_t *)(void *)to = rd_i64(d->r);
		break;
	case FIELD_FLOAT64:
		*(double *)(void *)to = rd_f64(d->r);
		break;
	case FIELD_UUID:
		*(struct uuid *)(void *)to = rd_uuid(d->r);
		break;
	case FIELD_STRING:
		decode_string(d, nullable, to);
		break;
	case FIELD_BYTES:
		decode_bytes(d, nullable, to);
		break;
	case FIELD_RECORDS:
		decode_records(d, nullable, to);
		break;
	case FIELD_STRUCT:
		decode_sub(d, f, nullable, to, place);
		break;
	}
}

static void decode_array(struct decode *d, const struct schema_field *f, uint8_t *base, struct place *place)
{
	size_t size = field_elem_size(f), min = field_elem_min(f, d->version, d->flexible);
	bool null;
	uint32_t n = d->flexible ? rd_carray(d->r, min, &null) : rd_array(d->r, min, &null);
	uint8_t *elems = NULL;

	if (null && !field_is_nullable(f, d->version))
		rd_fail(d->r);
	if (d->r->err)
		return;
	if (!null)
		elems = n ? decode_alloc(d, n, size) : schema_empty_array();
	if (d->err)
		return;
	field_set_array(f, base, elems, n);
	place->in_array = true;
	for (uint32_t i = 0; i < n && !decode_err(d); i++) {
		place->index = i;
		decode_elem(d, f, false, elems + i * size, place);
		note_path(d, place);
	}
	place->in_array = false;
}

static void decode_field(struct decode *d, const struct schema_field *f, uint8_t *base, struct place *place)
{
	place->field = f;
	if (field_is_array(f))
		decode_array(d, f, base, place);
	else
		decode_elem(d, f, field_is_nullable(f, d->version), base + f->offset, place);
	note_path(d, place);
	place->field = NULL;
}

static void decode_tags(struct decode *d, const struct schema *s, uint8_t *base, struct place *place)
{
	uint32_t n = rd_uvarint(d->r);
	int64_t last = -1;

	if (n > SCHEMA_TAGS_MAX)
		rd_fail(d->r);
	for (uint32_t i = 0; i < n && !decode_err(d); i++) {
		uint32_t tag = rd_uvarint(d->r);
		struct bytes value = rd_raw(d->r, rd_uvarint(d->r));
		const struct schema_field *f = schema_tag_find(s, d->version, tag);
		struct reader in = rd_init(value.p, value.n), *outer = d->r;

		if (tag <= last)
			rd_fail(d->r);
		last = tag;
		if (!f || d->r->err)
			continue;
		d->r = &in;
		decode_field(d, f, base, place);
		d->r = outer;
		if (in.err || rd_left(&in) > 0)
			rd_fail(d->r);
	}
	note_path(d, place);
}

static void decode_struct(struct decode *d, const struct schema *s, uint8_t *base, const struct place *up)
{
	struct place place = {.up = up};

	codec_init(s, base);
	for (size_t i = 0; i < s->fields_n && !decode_err(d); i++) {
		const struct schema_field *f = &s->fields[i];

		if (field_in_version(f, d->version) && !field_is_tagged(f))
			decode_field(d, f, base, &place);
	}
	if (d->flexible && !decode_err(d))
		decode_tags(d, s, base, &place);
}

enum err codec_decode(const struct schema *s, int16_t version, struct reader *r, struct arena *a, void *msg,
	char path[CODEC_PATH_MAX])
{
	struct decode d = {
		.r = r, .arena = a, .version = version, .flexible = schema_is_flexible(s, version), .path = path};

	if (path)
		path[0] = 0;
	if (version < s->min || version > s->max)
		return ERR_UNSUPPORTED;
	decode_struct(&d, s, msg, NULL);
	if (!decode_err(&d) && rd_left(r) > 0) {
		rd_fail(r);
		if (path)
			snprintf(path, CODEC_PATH_MAX, "%zu bytes behind the message", (size_t)(r->end - r->p));
	}
	return decode_err(&d);
}
