/* SPDX-License-Identifier: Apache-2.0 */
/* Answers from any bytes through address rewriting, whole and streaming, and through the list of APIs.
 *
 * The first four bytes choose: API, version, how many nodes are mapped, how the stream is cut and how long the new host
 * is. */
#include <stdlib.h>

#include "../unit/route_addresses.h"
#include "base/assert.h"
#include "base/mem.h"
#include "route/api.h"
#include "route/rewrite.h"
#include "route/rewrite_stream.h"
#include "route/versions.h"
#include "wire/codec.h"
#include "wire/kafka_errors.h"
#include "wire/messages.h"

#define ARENA_MAX ((size_t)64 << 20)
#define OUT_MAX ((size_t)16 << 20)
#define PORT_BASE 9093

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char host[] = "sluice-with-a-rather-long-name.example.org";

/* A decoded answer and what it was decoded from. */
struct answer {
	int16_t key, version;
	struct bytes body;
	struct arena arena;
	void *msg;
	enum err err;
};

static void answer_decode(struct answer *a, int16_t key, int16_t version, struct bytes body)
{
	const struct schema *s = schema_find(key, true);
	struct reader r = rd_init(body.p, body.n);

	a->key = key;
	a->version = version;
	a->body = body;
	arena_init(&a->arena, ARENA_MAX);
	a->msg = arena_zalloc(&a->arena, 1, schema_struct_size(s));
	sl_assert(a->msg);
	a->err = codec_decode(s, version, &r, &a->arena, a->msg, NULL);
}

/* Addresses of one answer, to be compared with those of another. */
struct address {
	int32_t id, port;
	struct str host;
};
struct listed {
	struct address *v;
	size_t n, cap;
};

static void on_list(void *arg, int32_t id, struct str h, int32_t port, struct str rack)
{
	struct listed *l = arg;

	(void)rack;
	if (l->n == l->cap) {
		l->cap = l->cap ? l->cap * 2 : 16;
		l->v = mem_resize(l->v, l->cap, sizeof(*l->v));
	}
	l->v[l->n++] = (struct address){id, port, h};
}

static void check_mapped(void *arg, int32_t id, struct str h, int32_t port, struct str rack)
{
	const struct address_map *map = arg;

	(void)rack;
	if (h.n == 0)
		return;
	sl_assert(str_eq(h, map->host));
	sl_assert(address_map_has(map, id) && port == PORT_BASE + id);
}

static uint8_t *flatten(const struct writer *w)
{
	uint8_t *p = mem_try_alloc(wr_size(w) + 1);

	sl_assert(p);
	wr_flatten(w, p);
	return p;
}

/* What streams through has the length it had, only mapped addresses, and of those a part of what the whole would get.
 */
static void check_stream(
	const struct answer *in, const struct answer *whole, const struct address_map *map, size_t step)
{
	uint8_t *out = mem_try_alloc(in->body.n + 1);
	struct listed got = {NULL, 0, 0}, want = {NULL, 0, 0};
	struct rewrite_stream st;
	size_t at = 0, passed = 0, pass = 0;
	struct answer streamed;
	enum err e = rewrite_stream_init(&st, map, in->key, in->version, (uint32_t)in->body.n);

	sl_assert(out && !e);
	while (!e && st.left > 0) {
		size_t n = in->body.n - at < step ? in->body.n - at : step;

		e = rewrite_stream_feed(&st, in->body.p + at, n, &pass);
		memcpy(out + passed, in->body.p + at, pass);
		passed += pass;
		at += n;
	}
	if (!in->err)
		sl_assert(!e || e == ERR_TOO_LARGE);
	if (!e && !in->err) {
		struct bytes tail = rewrite_stream_tail(&st);

		sl_assert(passed + tail.n == in->body.n);
		memcpy(out + passed, tail.p, tail.n);
		answer_decode(&streamed, in->key, in->version, (struct bytes){out, in->body.n});
		sl_assert(!streamed.err);
		addresses_each(in->key, in->version, streamed.msg, on_list, &got);
		addresses_each(in->key, in->version, whole->msg, on_list, &want);
		sl_assert(got.n <= want.n);
		for (size_t i = 0; i < got.n; i++)
			sl_assert(got.v[i].id == want.v[i].id && got.v[i].port == want.v[i].port &&
				  str_eq(got.v[i].host, want.v[i].host));
		arena_release(&streamed.arena);
	}
	rewrite_stream_release(&st);
	mem_free(got.v);
	mem_free(want.v);
	mem_free(out);
}

static void check_identity(const struct answer *in)
{
	struct address_map identity;
	struct rewrite_dropped dropped;
	struct writer w;
	bool changed;
	enum err e;

	address_map_init_identity(&identity);
	wr_init(&w, OUT_MAX);
	e = rewrite_response(
		in->key, in->version, (struct slice){NULL, in->body.p, in->body.n}, &identity, &w, &changed, &dropped);
	sl_assert(!changed && dropped.n == 0 && (!e || in->err));
	wr_release(&w);
}

static void check_rewrite(const struct answer *in, const struct address_map *map, size_t step)
{
	bool streams = route_api_answer(route_api_find(in->key), in->version) == ROUTE_ANSWER_STREAM;
	struct rewrite_dropped dropped;
	struct answer out;
	struct writer w;
	uint8_t *p;
	bool changed;
	enum err e;

	wr_init(&w, OUT_MAX);
	e = rewrite_response(
		in->key, in->version, (struct slice){NULL, in->body.p, in->body.n}, map, &w, &changed, &dropped);
	if (!in->err)
		sl_assert(!e);
	p = flatten(&w);
	answer_decode(&out, in->key, in->version, changed ? (struct bytes){p, wr_size(&w)} : in->body);
	if (!in->err) {
		sl_assert(!out.err);
		/* Below KIP-951 the fields do not exist. */
		addresses_each(in->key, in->version, out.msg, check_mapped, (void *)(uintptr_t)map);
	}
	if (streams)
		check_stream(in, &out, map, step);
	arena_release(&out.arena);
	mem_free(p);
	wr_release(&w);
}

/* The edited list is whole, shows nothing that must not be shown, and is not changed by a second edit. */
static void check_versions(int16_t version, struct bytes body, uint32_t served)
{
	struct writer w, again;
	struct answer out;
	uint8_t *p, *p2;

	wr_init(&w, OUT_MAX);
	if (versions_edit(version, body, served, &w) != ERR_OK) {
		wr_release(&w);
		return;
	}
	p = flatten(&w);
	if (body.p[0] == 0 && body.p[1] == KAFKA_ERR_UNSUPPORTED_VERSION)
		version = 0;
	answer_decode(&out, ROUTE_KEY_API_VERSIONS, version, (struct bytes){p, wr_size(&w)});
	if (!out.err) { /* tags that the codec knows may still be malformed: they are not read here */
		const struct api_versions_response *msg = out.msg;

		for (uint32_t i = 0; i < msg->api_keys_n; i++) {
			const struct route_api *api = route_api_find(msg->api_keys[i].api_key);

			sl_assert(!api || !api->hidden);
			if (api && api->max_known >= 0)
				sl_assert(msg->api_keys[i].max_version <= api->max_known);
		}
	}
	wr_init(&again, OUT_MAX);
	sl_assert(versions_edit(version, (struct bytes){p, wr_size(&w)}, served, &again) == ERR_OK);
	p2 = flatten(&again);
	sl_assert(wr_size(&w) == wr_size(&again) && memcmp(p, p2, wr_size(&w)) == 0);
	arena_release(&out.arena);
	wr_release(&again);
	wr_release(&w);
	mem_free(p);
	mem_free(p2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const int16_t keys[] = {3, 10, 60, 0, 1, 18};
	struct address_map map;
	struct answer in;
	int16_t key, version;
	uint8_t *body;

	if (size < 4)
		return 0;
	key = keys[data[0] % 6];
	version = (int16_t)(data[1] % (route_api_find(key)->max_known + 1));
	address_map_init(&map, (struct str){host, 1 + data[3] / 8 % (sizeof(host) - 1)}, PORT_BASE, 1 + data[2] % 8);
	/* A copy of its own, so that a read behind it is seen. */
	body = mem_try_alloc(size - 4 + (size == 4));
	sl_assert(body);
	memcpy(body, data + 4, size - 4);
	if (key == ROUTE_KEY_API_VERSIONS) {
		check_versions(version, (struct bytes){body, size - 4}, data[2] & 1 ? versions_served() : 0);
	} else {
		answer_decode(&in, key, version, (struct bytes){body, size - 4});
		check_identity(&in);
		check_rewrite(&in, &map, (size_t)1 + data[3] % 8 * (data[3] % 8));
		arena_release(&in.arena);
	}
	mem_free(body);
	return 0;
}
