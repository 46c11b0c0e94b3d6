/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of broker addresses are read, changed and written here, element by element; unknown tags in them survive. */
#include "endpoint.h"

#include "base/assert.h"
#include "route/api.h"

#define FIXED_SIZE 8 /* node id and port */
#define METADATA_FIRST_RACK 1
#define METADATA_FIRST_FLEXIBLE 9
#define DESCRIBE_CLUSTER_FIRST_FENCED 2

size_t uvarint_size(uint32_t v)
{
	size_t n = 1;

	while (v >>= 7)
		n++;
	return n;
}

void rewrite_dropped_add(struct rewrite_dropped *d, int32_t node_id)
{
	if (d->n < REWRITE_DROPPED_MAX)
		d->id[d->n] = node_id;
	d->n++;
}

struct endpoint_form endpoint_form_of(int16_t api_key, int16_t version)
{
	if (api_key == ROUTE_KEY_METADATA)
		return (struct endpoint_form){
			.flexible = version >= METADATA_FIRST_FLEXIBLE, .rack = version >= METADATA_FIRST_RACK};
	if (api_key == ROUTE_KEY_DESCRIBE_CLUSTER)
		return (struct endpoint_form){
			.flexible = true, .rack = true, .fenced = version >= DESCRIBE_CLUSTER_FIRST_FENCED};
	return (struct endpoint_form){.flexible = true, .rack = true};
}

static size_t str_size(struct str s, bool flexible)
{
	return flexible ? uvarint_size((uint32_t)s.n + 1) + s.n : 2 + s.n;
}

struct endpoint endpoint_read(struct reader *r, struct endpoint_form form, const struct address_map *map)
{
	const uint8_t *start = r->p, *rest;
	struct endpoint e = {.node_id = rd_i32(r)};

	e.host = form.flexible ? rd_cstr(r) : rd_str(r);
	e.port = rd_i32(r);
	rest = r->p;
	if (form.rack)
		(void)(form.flexible ? rd_cstr(r) : rd_str(r));
	if (form.fenced)
		rd_bool(r);
	if (form.flexible)
		rd_skip_tags(r);
	if (r->err)
		return e;
	e.raw = (struct bytes){start, (size_t)(r->p - start)};
	e.rest = (struct bytes){rest, (size_t)(r->p - rest)};
	e.verdict = address_map_apply(map, e.node_id, &e.host, &e.port);
	return e;
}

size_t endpoint_size(const struct endpoint *e, struct endpoint_form form)
{
	if (e->verdict == ADDRESS_KEEP)
		return e->raw.n;
	return FIXED_SIZE + str_size(e->host, form.flexible) + e->rest.n;
}

void endpoint_write(struct writer *w, const struct endpoint *e, struct endpoint_form form)
{
	if (e->verdict == ADDRESS_KEEP) {
		wr_raw(w, e->raw.p, e->raw.n);
		return;
	}
	wr_i32(w, e->node_id);
	if (form.flexible)
		wr_cstr(w, e->host);
	else
		wr_str(w, e->host);
	wr_i32(w, e->port);
	wr_raw(w, e->rest.p, e->rest.n);
}

/* Fewest bytes of an element: so many at least are there for each that the count promises. */
static size_t element_min(struct endpoint_form form)
{
	size_t len_size = form.flexible ? 1 : 2;

	return FIXED_SIZE + len_size + (form.rack ? len_size : 0) + form.fenced + form.flexible;
}

enum err endpoint_list_read(struct endpoint_list *l, struct endpoint_form form, struct bytes raw,
	const struct address_map *map, struct rewrite_dropped *dropped)
{
	struct reader r = rd_init(raw.p, raw.n);
	bool null;

	*l = (struct endpoint_list){.form = form, .map = map};
	l->n = form.flexible ? rd_carray(&r, element_min(form), &null) : rd_array(&r, element_min(form), &null);
	if (r.err || null)
		return ERR_MALFORMED;
	l->elements = (struct bytes){r.p, rd_left(&r)};
	for (uint32_t i = 0; i < l->n; i++) {
		struct endpoint e = endpoint_read(&r, form, map);

		if (r.err)
			return r.err;
		l->changed = l->changed || e.verdict != ADDRESS_KEEP;
		if (e.verdict == ADDRESS_DROP) {
			rewrite_dropped_add(dropped, e.node_id);
			continue;
		}
		l->kept_n++;
		l->kept_size += endpoint_size(&e, form);
	}
	return rd_left(&r) > 0 ? ERR_MALFORMED : ERR_OK;
}

size_t endpoint_list_size(const struct endpoint_list *l)
{
	return (l->form.flexible ? uvarint_size(l->kept_n + 1) : 4) + l->kept_size;
}

void endpoint_list_write(struct writer *w, const struct endpoint_list *l)
{
	struct reader r = rd_init(l->elements.p, l->elements.n);

	if (l->form.flexible)
		wr_uvarint(w, l->kept_n + 1);
	else
		wr_i32(w, (int32_t)l->kept_n);
	for (uint32_t i = 0; i < l->n; i++) {
		struct endpoint e = endpoint_read(&r, l->form, l->map);

		if (e.verdict != ADDRESS_DROP)
			endpoint_write(w, &e, l->form);
	}
	sl_assert(!r.err && rd_left(&r) == 0);
}
