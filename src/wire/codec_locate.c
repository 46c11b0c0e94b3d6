/* SPDX-License-Identifier: Apache-2.0 */
/* Walks a body without decoding it and reports where named fields lie.
 *
 * A name is a path of field names; while the walk is inside a struct it keeps the set of names whose path leads there,
 * as a bit mask, so that nothing is allocated however many elements pass. */
#include "base/assert.h"
#include "schema.h"

#define NAMES_MAX 32u
#define PATH_MAX_DEPTH 8u

struct name {
	const struct schema_field *path[PATH_MAX_DEPTH];
	uint32_t depth;
};

struct locate {
	struct reader *r;
	const uint8_t *start;
	int16_t version;
	bool flexible, stopped;
	struct name names[NAMES_MAX];
	uint32_t names_n;
	codec_span_cb on_span;
	void *arg;
	struct codec_span tag; /* tag_* members: the innermost tagged field around */
};

static void walk_struct(struct locate *l, const struct schema *s, uint32_t mask, uint32_t depth);

/* The field of s that the first n bytes of name stand for. */
static const struct schema_field *field_named(const struct schema *s, const char *name, size_t n)
{
	for (size_t i = 0; s && i < s->fields_n; i++)
		if (strlen(s->fields[i].name) == n && memcmp(s->fields[i].name, name, n) == 0)
			return &s->fields[i];
	return NULL;
}

static void resolve(struct name *ret, const struct schema *s, const char *name)
{
	*ret = (struct name){.depth = 0};
	for (;;) {
		size_t n = strcspn(name, ".");
		const struct schema_field *f = field_named(s, name, n);

		sl_assert(f && ret->depth < PATH_MAX_DEPTH);
		ret->path[ret->depth++] = f;
		if (!name[n])
			return;
		name += n + 1;
		s = f->sub;
	}
}

/* Splits the names in mask, which lead to this field's struct, into those that end at f and those that go on below it.
 */
static void match(const struct locate *l, const struct schema_field *f, uint32_t mask, uint32_t depth,
	uint32_t *ret_here, uint32_t *ret_below)
{
	*ret_here = *ret_below = 0;
	for (uint32_t i = 0; i < l->names_n; i++) {
		const struct name *name = &l->names[i];

		if (!(mask & (uint32_t)1 << i) || name->path[depth] != f)
			continue;
		if (name->depth == depth + 1)
			*ret_here |= (uint32_t)1 << i;
		else
			*ret_below |= (uint32_t)1 << i;
	}
}

static void report(struct locate *l, uint32_t here, const uint8_t *from)
{
	for (uint32_t i = 0; i < l->names_n && !l->stopped && !l->r->err; i++) {
		struct codec_span span = l->tag;

		if (!(here & (uint32_t)1 << i))
			continue;
		span.off = (size_t)(from - l->start);
		span.len = (size_t)(l->r->p - from);
		span.field = (int)i;
		if (!l->on_span(l->arg, &span))
			l->stopped = true;
	}
}

static void walk_bytes(struct locate *l, bool string, bool nullable)
{
	const void *p;

	if (string)
		p = l->flexible ? rd_cstr(l->r).p : rd_str(l->r).p;
	else
		p = l->flexible ? (const void *)rd_cbytes(l->r).p : (const void *)rd_bytes(l->r).p;
	if (!p && !nullable)
		rd_fail(l->r);
}

static void walk_elem(struct locate *l, const struct schema_field *f, bool nullable, uint32_t below, uint32_t depth)
{
	switch ((enum field_type)f->type) {
	case FIELD_STRING:
		walk_bytes(l, true, nullable);
		break;
	case FIELD_BYTES:
	case FIELD_RECORDS:
		walk_bytes(l, false, nullable);
		break;
	case FIELD_STRUCT:
		if (f->flags & FIELD_POINTER && nullable && rd_i8(l->r) < 0)
			break;
		walk_struct(l, f->sub, below, depth + 1);
		break;
	default:
		rd_raw(l->r, field_elem_min(f, l->version, l->flexible));
		break;
	}
}

/* The value of one field, its count or length included. */
static void walk_value(struct locate *l, const struct schema_field *f, uint32_t below, uint32_t depth)
{
	bool nullable = field_is_nullable(f, l->version), null;
	size_t min;
	uint32_t n;

	if (!field_is_array(f)) {
		walk_elem(l, f, nullable, below, depth);
		return;
	}
	min = field_elem_min(f, l->version, l->flexible);
	n = l->flexible ? rd_carray(l->r, min, &null) : rd_array(l->r, min, &null);
	if (null && !nullable)
		rd_fail(l->r);
	for (uint32_t i = 0; i < n && !l->stopped && !l->r->err; i++)
		walk_elem(l, f, false, below, depth);
}

static void walk_field(struct locate *l, const struct schema_field *f, uint32_t mask, uint32_t depth)
{
	const uint8_t *from = l->r->p;
	struct reader again = *l->r;
	uint32_t here = 0, below = 0;

	if (mask)
		match(l, f, mask, depth, &here, &below);
	if (!here) {
		walk_value(l, f, below, depth);
		return;
	}
	/* The whole comes before its parts: its end has to be known first. */
	walk_value(l, f, 0, depth);
	report(l, here, from);
	if (below && !l->stopped && !l->r->err) {
		*l->r = again;
		walk_value(l, f, below, depth);
	}
}

static void walk_tagged(
	struct locate *l, const struct schema_field *f, uint32_t size, size_t size_off, uint32_t mask, uint32_t depth)
{
	struct codec_span around = l->tag;
	struct reader *outer = l->r, in = rd_init(outer->p, size);

	l->tag.tag_depth = around.tag_depth + 1;
	l->tag.tag_size_off = size_off;
	l->tag.tag_size_len = (size_t)(outer->p - l->start) - size_off;
	l->tag.tag_size_value = size;
	l->r = &in;
	walk_field(l, f, mask, depth);
	l->r = outer;
	l->tag = around;
	if (in.err || (!l->stopped && rd_left(&in) > 0))
		rd_fail(outer);
	rd_raw(outer, size);
}

static void walk_tags(struct locate *l, const struct schema *s, uint32_t mask, uint32_t depth)
{
	uint32_t n = rd_uvarint(l->r);
	int64_t last = -1;

	if (n > SCHEMA_TAGS_MAX)
		rd_fail(l->r);
	for (uint32_t i = 0; i < n && !l->stopped && !l->r->err; i++) {
		uint32_t tag = rd_uvarint(l->r), size;
		size_t size_off = (size_t)(l->r->p - l->start);
		const struct schema_field *f = schema_tag_find(s, l->version, tag);

		size = rd_uvarint(l->r);
		if (tag <= last || size > rd_left(l->r))
			rd_fail(l->r);
		last = tag;
		if (l->r->err)
			break;
		if (f)
			walk_tagged(l, f, size, size_off, mask, depth);
		else
			rd_raw(l->r, size);
	}
}

static void walk_struct(struct locate *l, const struct schema *s, uint32_t mask, uint32_t depth)
{
	for (size_t i = 0; i < s->fields_n && !l->stopped && !l->r->err; i++) {
		const struct schema_field *f = &s->fields[i];

		if (field_in_version(f, l->version) && !field_is_tagged(f))
			walk_field(l, f, mask, depth);
	}
	if (l->flexible && !l->stopped && !l->r->err)
		walk_tags(l, s, mask, depth);
}

enum err codec_locate(const struct schema *s, int16_t version, struct reader *r, const char *const *names, size_t n,
	codec_span_cb on_span, void *arg)
{
	struct locate l = {.r = r, .start = r->p, .version = version, .flexible = schema_is_flexible(s, version)};

	if (version < s->min || version > s->max)
		return ERR_UNSUPPORTED;
	sl_assert(n <= NAMES_MAX);
	for (size_t i = 0; i < n; i++)
		resolve(&l.names[i], s, names[i]);
	l.names_n = (uint32_t)n;
	l.on_span = on_span;
	l.arg = arg;
	walk_struct(&l, s, n > 0 ? UINT32_MAX : 0, 0);
	if (!l.stopped && rd_left(r) > 0)
		rd_fail(r);
	return r->err;
}
