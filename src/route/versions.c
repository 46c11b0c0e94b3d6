/* SPDX-License-Identifier: Apache-2.0 */
/* The broker's list of APIs becomes the list that a client is shown.
 *
 *   error | count { key min max tags } | throttle time, features, tags
 *           edited                       untouched                     */
#include "route/versions.h"

#include "base/assert.h"
#include "route/api.h"
#include "wire/kafka_errors.h"
#include "wire/reader.h"

#define FIRST_THROTTLED 1
#define FIRST_FLEXIBLE 3
#define ENTRY_SIZE 6 /* three int16, in flexible versions with tags behind */
#define NO_KEY (ROUTE_KEY_MAX + 1)

struct entry {
	int16_t key, min, max;
	struct bytes tags; /* raw */
};

/* How the list is changed. */
struct edit {
	bool flexible, add;
	uint32_t served;
	uint32_t n; /* entries of the broker */
};

/* The lowest key above after of an API that is served here, NO_KEY when there is none. */
static int16_t next_served(int16_t after, uint32_t served)
{
	for (int16_t key = (int16_t)(after + 1); key <= ROUTE_KEY_MAX; key++) {
		const struct route_api *api = route_api_find(key);

		if (api->verdict == ROUTE_TERMINATE && served & VERSIONS_SERVED(key))
			return key;
	}
	return NO_KEY;
}

uint32_t versions_served(void)
{
	uint32_t served = 0;

	for (int16_t key = 0; key <= ROUTE_KEY_MAX; key++) {
		const struct route_api *api = route_api_find(key);

		if (api->verdict == ROUTE_TERMINATE && api->served)
			served |= VERSIONS_SERVED(key);
	}
	return served;
}

static struct entry entry_read(struct reader *r, bool flexible)
{
	struct entry e = {.key = rd_i16(r), .min = rd_i16(r), .max = rd_i16(r)};
	const uint8_t *tags = r->p;

	if (flexible)
		rd_skip_tags(r);
	e.tags = (struct bytes){tags, (size_t)(r->p - tags)};
	return e;
}

static void entry_write(struct writer *w, const struct entry *e)
{
	wr_i16(w, e->key);
	wr_i16(w, e->min);
	wr_i16(w, e->max);
	wr_raw(w, e->tags.p, e->tags.n);
}

/* Lowers an entry of the broker to what can be read here; false: it is not shown. */
static bool entry_adapt(struct entry *e, bool native)
{
	const struct route_api *api = route_api_find(e->key);

	if (!api)
		return true;
	if (api->hidden || (api->verdict == ROUTE_TERMINATE && !native))
		return false;
	if (e->min < api->served_min)
		e->min = api->served_min;
	if (api->max_known < 0 || e->max <= api->max_known)
		return true;
	e->max = api->max_known;
	return e->min <= e->max;
}

static void own_write(struct writer *w, int16_t key, bool flexible)
{
	static const uint8_t no_tags[1] = {0};
	const struct route_api *api = route_api_find(key);
	struct entry e = {key, api->served_min, api->served_max, {no_tags, flexible ? 1 : 0}};

	entry_write(w, &e);
}

/* Goes over the list and gives the number of entries that are shown; writes them unless w is NULL. */
static uint32_t list_edit(const struct edit *ed, struct reader *r, struct writer *w)
{
	int16_t own = ed->add ? next_served(-1, ed->served) : NO_KEY;
	uint32_t shown = 0;

	for (uint32_t i = 0; i <= ed->n && !r->err; i++) {
		bool end = i == ed->n;
		struct entry e = {.key = NO_KEY};

		if (!end)
			e = entry_read(r, ed->flexible);
		for (; own != NO_KEY && own <= e.key; own = next_served(own, ed->served)) {
			if (w)
				own_write(w, own, ed->flexible);
			shown++;
		}
		if (end || !entry_adapt(&e, ed->served & VERSIONS_NATIVE))
			continue;
		if (w)
			entry_write(w, &e);
		shown++;
	}
	return shown;
}

/* What stands behind the list has to be there, though it is not changed. */
static struct bytes rest_read(struct reader *r, int16_t version)
{
	const uint8_t *start = r->p;

	if (version >= FIRST_THROTTLED)
		rd_i32(r);
	if (version >= FIRST_FLEXIBLE)
		rd_skip_tags(r);
	if (rd_left(r) > 0)
		rd_fail(r);
	return (struct bytes){start, (size_t)(r->p - start)};
}

/* Reads up to the first entry of the list. False: malformed. */
static bool list_start(struct edit *ed, int16_t version, struct reader *r)
{
	bool null;

	ed->flexible = version >= FIRST_FLEXIBLE;
	ed->n = ed->flexible ? rd_carray(r, ENTRY_SIZE + 1, &null) : rd_array(r, ENTRY_SIZE, &null);
	if (null)
		rd_fail(r);
	return !r->err;
}

void versions_each_lowered(int16_t version, struct bytes body,
	void (*each)(void *arg, const struct route_api *api, int16_t broker_max), void *arg)
{
	struct reader r = rd_init(body.p, body.n);
	struct edit ed = {.n = 0};

	if (rd_i16(&r) != KAFKA_ERR_NONE || !list_start(&ed, version, &r))
		return;
	for (uint32_t i = 0; i < ed.n; i++) {
		struct entry e = entry_read(&r, ed.flexible);
		const struct route_api *api = route_api_find(e.key);

		if (r.err)
			return;
		if (api && !api->hidden && api->verdict != ROUTE_TERMINATE && api->max_known >= 0 &&
			e.max > api->max_known)
			each(arg, api, e.max);
	}
}

enum err versions_edit(int16_t version, struct bytes body, uint32_t served, struct writer *w)
{
	struct reader r = rd_init(body.p, body.n), list;
	int16_t error = rd_i16(&r);
	struct edit ed = {.served = served, .add = error == KAFKA_ERR_NONE};
	struct bytes rest;
	uint32_t shown;

	if (error == KAFKA_ERR_UNSUPPORTED_VERSION)
		version = 0;
	if (!route_api_is_known(route_api_find(ROUTE_KEY_API_VERSIONS), version))
		return ERR_UNSUPPORTED;
	(void)list_start(&ed, version, &r);
	list = r;
	shown = list_edit(&ed, &r, NULL);
	rest = rest_read(&r, version);
	if (r.err)
		return r.err;
	wr_i16(w, error);
	if (ed.flexible)
		wr_uvarint(w, shown + 1);
	else
		wr_i32(w, (int32_t)shown);
	list_edit(&ed, &list, w);
	sl_assert(!list.err);
	wr_raw(w, rest.p, rest.n);
	return w->err;
}

void versions_write_unsupported(struct writer *w)
{
	const struct route_api *api = route_api_find(ROUTE_KEY_API_VERSIONS);

	wr_i16(w, KAFKA_ERR_UNSUPPORTED_VERSION);
	wr_i32(w, 1);
	wr_i16(w, ROUTE_KEY_API_VERSIONS);
	wr_i16(w, 0);
	wr_i16(w, api->max_known);
}
