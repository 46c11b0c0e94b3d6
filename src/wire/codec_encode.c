/* SPDX-License-Identifier: Apache-2.0 */
/* Message structs become bytes here: the inverse of codec_decode.c. */
#include "schema.h"

struct encode {
	struct writer *w;
	int16_t version;
	bool flexible;
};

static void encode_struct(const struct encode *e, const struct schema *s, const uint8_t *base);

static void encode_fail(const struct encode *e)
{
	if (!e->w->err)
		e->w->err = ERR_INVALID;
}

static bool struct_is_default(const struct schema *s, const uint8_t *base);

static bool view_is_default(const struct schema_field *f, bool null, size_t n)
{
	return f->flags & FIELD_DEFAULT_NULL ? null : !null && n == 0;
}

static size_t records_size(const struct records *v)
{
	size_t n = 0;

	for (uint32_t i = 0; i < v->v_n; i++)
		n += v->v[i].n;
	return n;
}

static bool elem_is_default(const struct schema_field *f, const uint8_t *at)
{
	const void *p = at;

	switch ((enum field_type)f->type) {
	case FIELD_BOOL:
		return *(const bool *)p == (f->default_int != 0);
	case FIELD_INT8:
		return *(const int8_t *)p == f->default_int;
	case FIELD_INT16:
		return *(const int16_t *)p == f->default_int;
	case FIELD_UINT16:
		return *(const uint16_t *)p == f->default_int;
	case FIELD_INT32:
		return *(const int32_t *)p == f->default_int;
	case FIELD_INT64:
		return *(const int64_t *)p == f->default_int;
	case FIELD_FLOAT64:
		return *(const double *)p == 0;
	case FIELD_UUID:
		return uuid_is_zero(*(const struct uuid *)p);
	case FIELD_STRING:
		return view_is_default(f, !((const struct str *)p)->p, ((const struct str *)p)->n);
	case FIELD_BYTES:
		return view_is_default(f, !((const struct bytes *)p)->p, ((const struct bytes *)p)->n);
	case FIELD_RECORDS:
		return view_is_default(f, !((const struct records *)p)->v, records_size(p));
	case FIELD_STRUCT:
		break;
	}
	return f->flags & FIELD_POINTER ? !field_pointer(at) : struct_is_default(f->sub, at);
}

static bool field_is_default(const struct schema_field *f, const uint8_t *base)
{
	if (field_is_array(f))
		return view_is_default(f, !field_pointer(base + f->offset), field_array_count(f, base));
	return elem_is_default(f, base + f->offset);
}

static bool struct_is_default(const struct schema *s, const uint8_t *base)
{
	for (size_t i = 0; i < s->fields_n; i++)
		if (!field_is_default(&s->fields[i], base))
			return false;
	return true;
}

/* Null or without content, for what has a length: in a field that does not travel both mean that nobody set it. */
static bool field_is_void(const struct schema_field *f, const uint8_t *base)
{
	const void *p = base + f->offset;

	if (field_is_array(f))
		return field_array_count(f, base) == 0;
	switch ((enum field_type)f->type) {
	case FIELD_STRING:
		return ((const struct str *)p)->n == 0;
	case FIELD_BYTES:
		return ((const struct bytes *)p)->n == 0;
	case FIELD_RECORDS:
		return records_size(p) == 0;
	default:
		return false;
	}
}

static void encode_string(const struct encode *e, bool nullable, struct str v)
{
	if (!v.p && !nullable)
		encode_fail(e);
	else if (e->flexible)
		wr_cstr(e->w, v);
	else
		wr_str(e->w, v);
}

static void encode_bytes(const struct encode *e, bool nullable, struct bytes v)
{
	if (!v.p && !nullable)
		encode_fail(e);
	else if (e->flexible)
		wr_cbytes(e->w, v);
	else
		wr_bytes(e->w, v);
}

static void encode_records(const struct encode *e, const struct schema_field *f, bool nullable, const struct records *v)
{
	size_t n = v->v ? records_size(v) : 0;
	bool null = !v->v && (nullable || !(f->flags & FIELD_EMPTY_FOR_NULL));

	if (null) {
		encode_bytes(e, nullable, (struct bytes){NULL, 0});
		return;
	}
	if (n > INT32_MAX) {
		encode_fail(e);
		return;
	}
	if (e->flexible)
		wr_uvarint(e->w, (uint32_t)n + 1);
	else
		wr_i32(e->w, (int32_t)n);
	for (uint32_t i = 0; n > 0 && i < v->v_n; i++)
		wr_slice(e->w, v->v[i]);
}

static void encode_sub(const struct encode *e, const struct schema_field *f, bool nullable, const uint8_t *at)
{
	if (f->flags & FIELD_POINTER) {
		at = field_pointer(at);
		if (!at && !nullable) {
			encode_fail(e);
			return;
		}
		if (nullable)
			wr_i8(e->w, at ? 1 : -1);
		if (!at)
			return;
	}
	encode_struct(e, f->sub, at);
}

static void encode_elem(const struct encode *e, const struct schema_field *f, bool nullable, const uint8_t *at)
{
	const void *p = at;

	switch ((enum field_type)f->type) {
	case FIELD_BOOL:
		wr_bool(e->w, *(const bool *)p);
		break;
	case FIELD_INT8:
		wr_i8(e->w, *(const int8_t *)p);
		break;
	case FIELD_INT16:
		wr_i16(e->w, *(const int16_t *)p);
		break;
	case FIELD_UINT16:
		wr_u16(e->w, *(const uint16_t *)p);
		break;
	case FIELD_INT32:
		wr_i32(e->w, *(const int32_t *)p);
		break;
	case FIELD_INT64:
		wr_i64(e->w, *(const int64_t *)p);
		break;
	case FIELD_FLOAT64:
		wr_f64(e->w, *(const double *)p);
		break;
	case FIELD_UUID:
		wr_uuid(e->w, *(const struct uuid *)p);
		break;
	case FIELD_STRING:
		encode_string(e, nullable, *(const struct str *)p);
		break;
	case FIELD_BYTES:
		encode_bytes(e, nullable, *(const struct bytes *)p);
		break;
	case FIELD_RECORDS:
		encode_records(e, f, nullable, p);
		break;
	case FIELD_STRUCT:
		encode_sub(e, f, nullable, at);
		break;
	}
}

static void encode_array(const struct encode *e, const struct schema_field *f, const uint8_t *base)
{
	const uint8_t *elems = field_pointer(base + f->offset);
	uint32_t n = field_array_count(f, base);
	size_t size = field_elem_size(f);

	if ((!elems && (n > 0 || !field_is_nullable(f, e->version))) || n > SCHEMA_ARRAY_MAX) {
		encode_fail(e);
		return;
	}
	if (e->flexible)
		wr_uvarint(e->w, elems ? n + 1 : 0);
	else
		wr_i32(e->w, elems ? (int32_t)n : -1);
	for (uint32_t i = 0; i < n && !e->w->err; i++)
		encode_elem(e, f, false, elems + i * size);
}

static void encode_field(const struct encode *e, const struct schema_field *f, const uint8_t *base)
{
	if (field_is_array(f))
		encode_array(e, f, base);
	else
		encode_elem(e, f, field_is_nullable(f, e->version), base + f->offset);
}

/* The tagged field of this version with the smallest tag from at_least on whose value is not its default. */
static const struct schema_field *next_tag(
	const struct encode *e, const struct schema *s, const uint8_t *base, uint32_t at_least)
{
	const struct schema_field *best = NULL;

	for (size_t i = 0; i < s->fields_n; i++) {
		const struct schema_field *f = &s->fields[i];

		if (field_is_tagged(f) && f->tag >= at_least && field_in_version(f, e->version) &&
			(!best || f->tag < best->tag) && !field_is_default(f, base))
			best = f;
	}
	return best;
}

static void encode_tags(const struct encode *e, const struct schema *s, const uint8_t *base)
{
	const struct schema_field *f;
	uint32_t n = 0;

	for (f = next_tag(e, s, base, 0); f; f = next_tag(e, s, base, f->tag + 1u))
		n++;
	wr_uvarint(e->w, n);
	for (f = next_tag(e, s, base, 0); f && !e->w->err; f = next_tag(e, s, base, f->tag + 1u)) {
		struct writer_mark mark;

		wr_uvarint(e->w, f->tag);
		mark = wr_sized_begin(e->w);
		encode_field(e, f, base);
		wr_sized_end(e->w, mark);
	}
}

static void encode_struct(const struct encode *e, const struct schema *s, const uint8_t *base)
{
	for (size_t i = 0; i < s->fields_n && !e->w->err; i++) {
		const struct schema_field *f = &s->fields[i];

		if (!field_in_version(f, e->version)) {
			if (!(f->flags & FIELD_IGNORABLE) && !field_is_default(f, base) && !field_is_void(f, base))
				encode_fail(e);
		} else if (!field_is_tagged(f)) {
			encode_field(e, f, base);
		}
	}
	if (e->flexible && !e->w->err)
		encode_tags(e, s, base);
}

enum err codec_encode(const struct schema *s, int16_t version, struct writer *w, const void *msg)
{
	struct encode e = {w, version, schema_is_flexible(s, version)};

	if (version < s->min || version > s->max)
		return ERR_UNSUPPORTED;
	encode_struct(&e, s, msg);
	return w->err;
}
