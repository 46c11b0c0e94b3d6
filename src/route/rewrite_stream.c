/* SPDX-License-Identifier: Apache-2.0 */
/* The tagged fields at the end of a Produce or Fetch answer are replaced here by others of the same length.
 *
 *   old   count | 0 size NodeEndpoints ............... | others
 *   new   count | 0 size NodeEndpoints as far as fits | others, and among them in its place: 100 size zeros
 *
 * The filler's number is far above what Kafka uses. Where it cannot be as short as what is left (a byte or two), the
 * count is written wider than it has to be, which every reader of varints takes. */
#include "route/rewrite_stream.h"

#include "base/assert.h"
#include "endpoint.h"
#include "route/api.h"

#define UVARINT_MAX 5
#define FILLER_TAG 100
/* Most fields that a reader takes. */
#define FIELDS_MAX 10000
/* Behind the port when there is no room for more: no rack, no tags. */
#define SHORT_REST_SIZE 2

/* The tagged fields as they came. */
struct section {
	uint32_t n;             /* fields, tag 0 included */
	struct bytes endpoints; /* the value of tag 0; null: not there */
	struct bytes others;    /* all behind it, raw */
	uint32_t filler_tag;    /* a number that none of the others has */
	size_t filler_at;       /* its place among them */
};

/* The tagged fields that take their place. */
struct plan {
	uint32_t n;            /* fields, without the filler */
	uint32_t endpoints_n;  /* 0: no NodeEndpoints at all */
	size_t endpoints_size; /* value of the field, its count included */
	bool short_rest;
	size_t size; /* of the section, without filler and with the narrowest count */
};

enum err rewrite_stream_init(
	struct rewrite_stream *st, const struct address_map *map, int16_t api_key, int16_t version, uint32_t body_len)
{
	const struct route_api *api = route_api_find(api_key);

	*st = (struct rewrite_stream){.map = map, .version = version, .left = body_len};
	buf_init(&st->tail, REWRITE_STREAM_TAIL_MAX);
	if (!api || !route_api_is_known(api, version) || route_api_answer(api, version) != ROUTE_ANSWER_STREAM)
		return ERR_UNSUPPORTED;
	return codec_stream_init(&st->walk, schema_find(api_key, true), version);
}

void rewrite_stream_release(struct rewrite_stream *st)
{
	buf_release(&st->tail);
}

/* Finds the filler's number and place; the others' tags are known to ascend. */
static void section_place_filler(struct section *s)
{
	struct reader r = rd_init(s->others.p, s->others.n);

	s->filler_tag = FILLER_TAG;
	s->filler_at = s->others.n;
	while (rd_left(&r) > 0) {
		size_t at = s->others.n - rd_left(&r);
		uint32_t tag = rd_uvarint(&r);

		rd_raw(&r, rd_uvarint(&r));
		if (tag == s->filler_tag)
			s->filler_tag++;
		if (tag > s->filler_tag) {
			s->filler_at = at;
			return;
		}
	}
}

static enum err section_read(struct section *s, struct bytes raw)
{
	struct reader r = rd_init(raw.p, raw.n), check = r;
	struct reader first;

	rd_skip_tags(&check);
	if (check.err || rd_left(&check) > 0)
		return ERR_MALFORMED;
	*s = (struct section){.n = rd_uvarint(&r)};
	first = r;
	if (s->n > 0 && rd_uvarint(&first) == 0) {
		s->endpoints = rd_raw(&first, rd_uvarint(&first));
		r = first;
	}
	s->others = rd_raw(&r, rd_left(&r));
	sl_assert(!r.err);
	section_place_filler(s);
	return ERR_OK;
}

/* The plan with the given NodeEndpoints (n of them, size bytes without their count). */
static struct plan plan_of(const struct section *s, uint32_t n, size_t size, bool short_rest)
{
	struct plan p = {.n = s->n - 1, .endpoints_n = n, .short_rest = short_rest};

	p.size = s->others.n;
	if (n > 0) {
		p.n++;
		p.endpoints_size = uvarint_size(n + 1) + size;
		p.size += 1 + uvarint_size((uint32_t)p.endpoints_size) + p.endpoints_size;
	}
	p.size += uvarint_size(p.n);
	return p;
}

/* The next element that the map has; false at the end. */
static bool next_kept(struct reader *r, const struct endpoint_list *l, bool short_rest, struct endpoint *ret)
{
	static const uint8_t nothing[SHORT_REST_SIZE] = {0, 0};

	while (rd_left(r) > 0) {
		*ret = endpoint_read(r, l->form, l->map);
		sl_assert(!r->err);
		if (ret->verdict == ADDRESS_DROP)
			continue;
		if (short_rest) {
			ret->verdict = ADDRESS_REPLACE;
			ret->rest = (struct bytes){nothing, sizeof(nothing)};
		}
		return true;
	}
	return false;
}

/* As many endpoints as fit into max bytes: with all that they have, else without racks, the last ones left out. */
static struct plan plan_make(const struct section *s, const struct endpoint_list *l, size_t max)
{
	struct plan best = plan_of(s, l->kept_n, l->kept_size, false), p;
	struct reader r = rd_init(l->elements.p, l->elements.n);
	struct endpoint e;
	size_t size = 0;

	if (best.size <= max && s->n < FIELDS_MAX)
		return best;
	best = plan_of(s, 0, 0, true);
	if (s->n >= FIELDS_MAX)
		return best; /* the filler takes the place of the endpoints */
	for (uint32_t n = 1; next_kept(&r, l, true, &e); n++) {
		size += endpoint_size(&e, l->form);
		p = plan_of(s, n, size, true);
		if (p.size > max)
			break;
		best = p;
	}
	return best;
}

static void write_uvarint_wide(struct writer *w, uint32_t v, size_t width)
{
	sl_assert(width >= uvarint_size(v) && width <= UVARINT_MAX);
	for (; width > 1; width--, v >>= 7)
		wr_i8(w, (int8_t)(v | 0x80));
	wr_i8(w, (int8_t)(v & 0x7f));
}

static void write_endpoints(struct writer *w, const struct plan *p, const struct endpoint_list *l)
{
	struct reader r = rd_init(l->elements.p, l->elements.n);
	struct endpoint e;

	if (p->endpoints_n == 0)
		return;
	wr_uvarint(w, 0);
	wr_uvarint(w, (uint32_t)p->endpoints_size);
	wr_uvarint(w, p->endpoints_n + 1);
	for (uint32_t i = 0; i < p->endpoints_n; i++) {
		sl_assert(next_kept(&r, l, p->short_rest, &e));
		endpoint_write(w, &e, l->form);
	}
}

/* A field of exactly size bytes. */
static void write_filler(struct writer *w, uint32_t tag, size_t size)
{
	static const uint8_t zeros[256];
	size_t width = 1, left;

	size -= uvarint_size(tag);
	while (uvarint_size((uint32_t)(size - width)) > width)
		width++;
	left = size - width;
	wr_uvarint(w, tag);
	write_uvarint_wide(w, (uint32_t)left, width);
	for (size_t part; left > 0; left -= part) {
		part = left < sizeof(zeros) ? left : sizeof(zeros);
		wr_raw(w, zeros, part);
	}
}

/* Writes the section in exactly size bytes. */
static void write_section(
	struct writer *w, const struct section *s, const struct plan *p, const struct endpoint_list *l, size_t size)
{
	size_t left = size - p->size, count_size = uvarint_size(p->n);
	size_t grown = uvarint_size(p->n + 1) - count_size; /* the count, when the filler is counted too */
	bool filler = left >= grown + uvarint_size(s->filler_tag) + 1;

	write_uvarint_wide(w, filler ? p->n + 1 : p->n, filler ? count_size + grown : count_size + left);
	write_endpoints(w, p, l);
	wr_raw(w, s->others.p, s->filler_at);
	if (filler)
		write_filler(w, s->filler_tag, left - grown);
	wr_raw(w, s->others.p + s->filler_at, s->others.n - s->filler_at);
}

/* The last byte is in: changes the tail where it has to be changed. */
static enum err tail_change(struct rewrite_stream *st)
{
	struct bytes raw = {buf_len(&st->tail) ? buf_head(&st->tail) : NULL, buf_len(&st->tail)};
	struct endpoint_list l;
	struct section s;
	struct plan p;
	struct writer w;
	enum err e = section_read(&s, raw);

	if (e || !s.endpoints.p)
		return e;
	e = endpoint_list_read(&l, endpoint_form_of(ROUTE_KEY_FETCH, st->version), s.endpoints, st->map, &st->dropped);
	if (e || !l.changed)
		return e;
	p = plan_make(&s, &l, raw.n);
	wr_init(&w, raw.n);
	write_section(&w, &s, &p, &l, raw.n);
	e = w.err;
	if (!e) {
		sl_assert(wr_size(&w) == raw.n);
		wr_flatten(&w, buf_tail(&st->tail) - raw.n);
	}
	wr_release(&w);
	return e;
}

enum err rewrite_stream_feed(struct rewrite_stream *st, const uint8_t *p, size_t n, size_t *ret_pass)
{
	size_t pass = st->walk.at_tags ? 0 : codec_stream_feed(&st->walk, p, n);
	enum err e;

	sl_assert(n <= st->left);
	*ret_pass = 0;
	if (st->walk.err)
		return st->walk.err;
	sl_assert(pass == n || st->walk.at_tags);
	st->left -= (uint32_t)pass;
	if (pass < n) {
		if (st->left > REWRITE_STREAM_TAIL_MAX - buf_len(&st->tail))
			return ERR_TOO_LARGE;
		e = buf_append(&st->tail, p + pass, n - pass);
		if (e)
			return e;
		st->left -= (uint32_t)(n - pass);
	}
	if (st->left == 0 && !st->ready) {
		e = st->walk.at_tags ? tail_change(st) : ERR_MALFORMED;
		if (e)
			return e;
		st->ready = true;
	}
	*ret_pass = pass;
	return ERR_OK;
}

struct bytes rewrite_stream_tail(const struct rewrite_stream *st)
{
	if (!st->ready)
		return (struct bytes){NULL, 0};
	return (struct bytes){buf_head(&st->tail), buf_len(&st->tail)};
}
