/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses in whole answers are replaced here.
 *
 *   old   [ kept .... | replaced | kept ........ | replaced | kept ]
 *                  pos --> spans come in the order of the bytes
 *   new   what lies before a span is taken over, then the new value is written, then pos moves behind the span. */
#include "route/rewrite.h"

#include "base/assert.h"
#include "endpoint.h"
#include "route/api.h"
#include "wire/codec.h"
#include "wire/kafka_errors.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define FIND_COORDINATOR_FIRST_BATCHED 4
#define FIND_COORDINATOR_FIRST_FLEXIBLE 3

struct rewrite {
	int16_t api_key, version;
	struct slice body;
	const struct address_map *map;
	struct writer *w;
	size_t pos; /* bytes of the body that are taken over or replaced */
	bool changed;
	struct rewrite_dropped *dropped;
	enum err err;              /* found inside a callback */
	struct codec_span span[4]; /* of one place, until all of it is known */
	bool controller_seen;
	struct codec_span controller;
};

/* Takes over everything before off; len bytes from there on are about to be replaced. */
static void edit_begin(struct rewrite *rw, size_t off, size_t len)
{
	sl_assert(off >= rw->pos && len <= rw->body.n - off);
	if (off > rw->pos)
		wr_slice(rw->w, (struct slice){rw->body.chunk, rw->body.p + rw->pos, off - rw->pos});
	rw->pos = off + len;
	rw->changed = true;
}

static struct reader span_reader(const struct rewrite *rw, const struct codec_span *span)
{
	return rd_init(rw->body.p + span->off, span->len);
}

static int32_t span_i32(const struct rewrite *rw, const struct codec_span *span)
{
	struct reader r = span_reader(rw, span);

	return rd_i32(&r);
}

static void edit_i32(struct rewrite *rw, const struct codec_span *span, int32_t v)
{
	edit_begin(rw, span->off, span->len);
	wr_i32(rw->w, v);
}

static void edit_i16(struct rewrite *rw, const struct codec_span *span, int16_t v)
{
	edit_begin(rw, span->off, span->len);
	wr_i16(rw->w, v);
}

static bool is_unreachable(const struct rewrite *rw, int32_t node_id)
{
	return node_id >= 0 && !address_map_has(rw->map, node_id);
}

/* A controller without an address becomes "none". */
static void edit_controller(struct rewrite *rw, const struct codec_span *span)
{
	if (is_unreachable(rw, span_i32(rw, span)))
		edit_i32(rw, span, -1);
}

/* Replaces the list that lies at span, and the size of the tagged field around it. */
static void edit_list(struct rewrite *rw, const struct codec_span *span, const struct endpoint_list *l)
{
	if (!l->changed)
		return;
	if (span->tag_depth > 0) {
		edit_begin(rw, span->tag_size_off, span->tag_size_len);
		wr_uvarint(rw->w, (uint32_t)(span->tag_size_value - span->len + endpoint_list_size(l)));
	}
	edit_begin(rw, span->off, span->len);
	endpoint_list_write(rw->w, l);
}

static bool on_list(void *arg, const struct codec_span *span)
{
	struct rewrite *rw = arg;
	struct bytes raw = {rw->body.p + span->off, span->len};
	struct endpoint_list l;

	if (span->field == 1) {
		rw->controller = *span;
		rw->controller_seen = true;
		return true;
	}
	rw->err = endpoint_list_read(&l, endpoint_form_of(rw->api_key, rw->version), raw, rw->map, rw->dropped);
	if (rw->err)
		return false;
	/* In DescribeCluster the controller stands before the list, in Metadata behind it. */
	if (rw->controller_seen && rw->dropped->n > 0)
		edit_controller(rw, &rw->controller);
	edit_list(rw, span, &l);
	return false; /* the rest of the body is taken over unread */
}

/* Partitions of a topic have their error before their leader. */
static bool on_leader(void *arg, const struct codec_span *span)
{
	struct rewrite *rw = arg;

	switch (span->field) {
	case 0:
		edit_controller(rw, span);
		break;
	case 1:
		rw->span[0] = *span;
		break;
	default:
		if (!is_unreachable(rw, span_i32(rw, span)))
			break;
		edit_i16(rw, &rw->span[0], KAFKA_ERR_LEADER_NOT_AVAILABLE);
		edit_i32(rw, span, -1);
	}
	return true;
}

static enum err locate(struct rewrite *rw, const char *const *names, size_t n, codec_span_cb cb)
{
	struct reader r = rd_init(rw->body.p, rw->body.n);
	enum err e = codec_locate(schema_find(rw->api_key, true), rw->version, &r, names, n, cb, rw);

	return e ? e : rw->err;
}

static enum err rewrite_metadata(struct rewrite *rw)
{
	static const char *const list[] = {"Brokers"};
	static const char *const leaders[] = {
		"ControllerId", "Topics.Partitions.ErrorCode", "Topics.Partitions.LeaderId"};
	enum err e = locate(rw, list, COUNT(list), on_list);

	/* Only when a broker was left out the topics have to be read. */
	if (e || rw->dropped->n == 0)
		return e;
	return locate(rw, leaders, COUNT(leaders), on_leader);
}

static enum err rewrite_describe_cluster(struct rewrite *rw)
{
	static const char *const list[] = {"Brokers", "ControllerId"};

	return locate(rw, list, COUNT(list), on_list);
}

static enum err rewrite_node_endpoints(struct rewrite *rw)
{
	static const char *const list[] = {"NodeEndpoints"};

	return locate(rw, list, COUNT(list), on_list);
}

enum coordinator_field { CO_ERROR_CODE, CO_NODE_ID, CO_HOST, CO_PORT };

static void edit_host(struct rewrite *rw, const struct codec_span *span, struct str host)
{
	edit_begin(rw, span->off, span->len);
	if (rw->version >= FIND_COORDINATOR_FIRST_FLEXIBLE)
		wr_cstr(rw->w, host);
	else
		wr_str(rw->w, host);
}

/* All four fields of a coordinator are known: in the order of the bytes, with the error first or last. */
static void edit_coordinator(struct rewrite *rw, bool error_first)
{
	struct reader host_reader = span_reader(rw, &rw->span[CO_HOST]);
	struct str host = rw->version >= FIND_COORDINATOR_FIRST_FLEXIBLE ? rd_cstr(&host_reader) : rd_str(&host_reader);
	int32_t node_id = span_i32(rw, &rw->span[CO_NODE_ID]), port = span_i32(rw, &rw->span[CO_PORT]);
	enum address_verdict verdict = address_map_apply(rw->map, node_id, &host, &port);

	if (verdict == ADDRESS_KEEP)
		return;
	if (verdict == ADDRESS_REPLACE) {
		edit_host(rw, &rw->span[CO_HOST], host);
		edit_i32(rw, &rw->span[CO_PORT], port);
		return;
	}
	rewrite_dropped_add(rw->dropped, node_id);
	if (error_first)
		edit_i16(rw, &rw->span[CO_ERROR_CODE], KAFKA_ERR_COORDINATOR_NOT_AVAILABLE);
	edit_i32(rw, &rw->span[CO_NODE_ID], -1);
	edit_host(rw, &rw->span[CO_HOST], STR_LIT(""));
	edit_i32(rw, &rw->span[CO_PORT], -1);
	if (!error_first)
		edit_i16(rw, &rw->span[CO_ERROR_CODE], KAFKA_ERR_COORDINATOR_NOT_AVAILABLE);
}

static bool on_coordinator(void *arg, const struct codec_span *span)
{
	struct rewrite *rw = arg;
	bool error_first = rw->version < FIND_COORDINATOR_FIRST_BATCHED;

	rw->span[span->field] = *span;
	if (span->field == (error_first ? CO_PORT : CO_ERROR_CODE))
		edit_coordinator(rw, error_first);
	return true;
}

static enum err rewrite_find_coordinator(struct rewrite *rw)
{
	static const char *const one[] = {
		[CO_ERROR_CODE] = "ErrorCode",
		[CO_NODE_ID] = "NodeId",
		[CO_HOST] = "Host",
		[CO_PORT] = "Port",
	};
	static const char *const many[] = {
		[CO_ERROR_CODE] = "Coordinators.ErrorCode",
		[CO_NODE_ID] = "Coordinators.NodeId",
		[CO_HOST] = "Coordinators.Host",
		[CO_PORT] = "Coordinators.Port",
	};

	return locate(rw, rw->version < FIND_COORDINATOR_FIRST_BATCHED ? one : many, COUNT(one), on_coordinator);
}

static enum err rewrite_body(struct rewrite *rw)
{
	const struct route_api *api = route_api_find(rw->api_key);

	if (!api || !route_api_is_known(api, rw->version))
		return ERR_UNSUPPORTED;
	switch (rw->api_key) {
	case ROUTE_KEY_METADATA:
		return rewrite_metadata(rw);
	case ROUTE_KEY_FIND_COORDINATOR:
		return rewrite_find_coordinator(rw);
	case ROUTE_KEY_DESCRIBE_CLUSTER:
		return rewrite_describe_cluster(rw);
	case ROUTE_KEY_PRODUCE:
	case ROUTE_KEY_FETCH:
		return route_api_answer(api, rw->version) == ROUTE_ANSWER_PASS ? ERR_OK : rewrite_node_endpoints(rw);
	case ROUTE_KEY_SHARE_FETCH:
	case ROUTE_KEY_SHARE_ACKNOWLEDGE:
		return rewrite_node_endpoints(rw);
	default:
		return ERR_UNSUPPORTED;
	}
}

enum err rewrite_response(int16_t api_key, int16_t version, struct slice body, const struct address_map *map,
	struct writer *w, bool *ret_changed, struct rewrite_dropped *ret_dropped)
{
	struct rewrite rw = {
		.api_key = api_key, .version = version, .body = body, .map = map, .w = w, .dropped = ret_dropped};
	enum err e;

	*ret_dropped = (struct rewrite_dropped){.n = 0};
	*ret_changed = false;
	e = rewrite_body(&rw);
	if (e)
		return e;
	if (!rw.changed)
		return ERR_OK;
	edit_begin(&rw, body.n, 0);
	*ret_changed = true;
	return w->err;
}
