/* SPDX-License-Identifier: Apache-2.0 */
/* Requests from any bytes through what looks at them while they pass: the group id in front, the guard of Produce, the
 * mark on internal topics.
 *
 * The first three bytes choose: what is done, API or version, how the bytes are cut. */
#include <stdlib.h>

#include "base/assert.h"
#include "base/mem.h"
#include "route/api.h"
#include "route/internal_topic.h"
#include "route/peek.h"
#include "route/produce_guard.h"
#include "wire/codec.h"
#include "wire/messages.h"

#define ARENA_MAX ((size_t)64 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct str topic = {"__state", 7};
static const struct uuid topic_id = {{'i', 'd', 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}};

/* A copy of its own, so that a read behind it is seen. */
static uint8_t *copy_of(const uint8_t *p, size_t n)
{
	uint8_t *c = mem_try_alloc(n + (n == 0));

	sl_assert(c);
	if (n)
		memcpy(c, p, n);
	return c;
}

/* Whatever is asked for is needed, and the id of a request that decodes is its own. */
static void check_group(int16_t key, int16_t version, const uint8_t *p, size_t n)
{
	struct peek_group whole = {STR_NULL, false}, part;
	const char *reason = NULL;
	size_t need = 0;
	enum frame_status st = peek_group(key, version, p, n, (uint32_t)n, &whole, &need, &reason);

	sl_assert(st != FRAME_NEED_MORE);
	sl_assert(st == FRAME_READY || reason);
	for (size_t arrived = 0; arrived < n && arrived < 64; arrived++) {
		uint8_t *c = copy_of(p, arrived);

		need = 0;
		part = (struct peek_group){STR_NULL, false};
		switch (peek_group(key, version, c, arrived, (uint32_t)n, &part, &need, &reason)) {
		case FRAME_NEED_MORE:
			sl_assert(need > 0 && need <= n - arrived);
			break;
		case FRAME_READY:
			sl_assert(st == FRAME_READY && str_eq(part.id, whole.id) && part.more == whole.more);
			break;
		case FRAME_BAD:
			sl_assert(st == FRAME_BAD);
			break;
		}
		mem_free(c);
	}
}

/* Feeds the bytes in pieces as a session does; false: malformed, or not all of them passed. */
static bool guard_all(struct produce_guard *g, uint8_t *p, size_t n, size_t step)
{
	size_t at = 0, end = 0;

	while (at < n) {
		size_t pass;

		end = n - end < step ? n : end + step;
		pass = produce_guard_feed(g, p + at, end - at);
		sl_assert(pass <= end - at);
		if (g->err || (pass == 0 && end == n))
			return false;
		at += pass;
		if (at > end)
			end = at;
	}
	return true;
}

/* True when a decoded request names the topic. */
static bool names_topic(const struct produce_request *rq, int16_t version)
{
	for (uint32_t i = 0; i < rq->topic_data_n; i++) {
		if (version >= 13 ? uuid_eq(rq->topic_data[i].topic_id, topic_id)
				  : str_eq(rq->topic_data[i].name, topic))
			return true;
	}
	return false;
}

static bool decode(const uint8_t *p, size_t n, int16_t version, struct arena *a, struct produce_request *rq)
{
	struct reader r = rd_init(p, n);

	arena_init(a, ARENA_MAX);
	return codec_decode(&produce_request_schema, version, &r, a, rq, NULL) == ERR_OK;
}

/* However it is cut the same bytes come out; the topic is in none that decodes, and nothing else is changed. */
static void check_guard(int16_t version, const uint8_t *p, size_t n, size_t step)
{
	uint8_t *whole = copy_of(p, n), *cut = copy_of(p, n);
	struct produce_guard g, h;
	struct produce_request before, after;
	struct arena a, b;
	bool good = decode(p, n, version, &a, &before);

	produce_guard_init(&g, version, 0, topic, topic_id);
	produce_guard_init(&h, version, 0, topic, topic_id);
	if (guard_all(&g, whole, n, n + 1) && guard_all(&h, cut, n, step))
		sl_assert(g.hit == h.hit && memcmp(whole, cut, n) == 0);
	else
		sl_assert(!good || n == 0);
	if (good) {
		sl_assert(g.hit == names_topic(&before, version));
		sl_assert(g.hit || memcmp(whole, p, n) == 0);
		sl_assert(decode(whole, n, version, &b, &after));
		sl_assert(!names_topic(&after, version) && after.topic_data_n == before.topic_data_n);
		arena_release(&b);
	}
	arena_release(&a);
	mem_free(whole);
	mem_free(cut);
}

static void check_restore(int16_t version, const uint8_t *p, size_t n)
{
	struct writer w;
	struct arena a;

	wr_init(&w, ARENA_MAX);
	arena_init(&a, ARENA_MAX);
	if (produce_guard_restore(version, (struct bytes){p, n}, topic, topic_id, &a, &w) == ERR_OK)
		sl_assert(!w.err);
	arena_release(&a);
	wr_release(&w);
}

/* At most one byte changes, and a second time none. */
static void check_mark(int16_t key, int16_t version, const uint8_t *p, size_t n)
{
	uint8_t *c = copy_of(p, n);
	size_t changed = 0;
	enum err e = internal_topic_mark(key, version, c, n, topic);

	for (size_t i = 0; i < n; i++)
		changed += c[i] != p[i];
	sl_assert(changed <= 1 && (!e || changed == 0));
	mem_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const int16_t keys[] = {8, 9, 11, 12, 13, 14, 28, 47, 68, 88};
	int16_t key, version;
	uint8_t *body;
	size_t n;

	if (size < 3)
		return 0;
	n = size - 3;
	body = copy_of(data + 3, n);
	key = keys[data[1] % 10];
	version = (int16_t)(data[2] % (route_api_find(key)->max_known + 1));
	switch (data[0] % 4) {
	case 0:
		check_group(key, version, body, n);
		break;
	case 1:
		check_guard((int16_t)(data[1] % 14), body, n, (size_t)1 + data[2] % 40);
		break;
	case 2:
		check_restore((int16_t)(data[1] % 14), body, n);
		break;
	case 3:
		if (data[1] % 2)
			check_mark(ROUTE_KEY_METADATA, (int16_t)(data[2] % 14), body, n);
		else
			check_mark(ROUTE_KEY_DESCRIBE_TOPIC_PARTITIONS, 0, body, n);
		break;
	}
	mem_free(body);
	return 0;
}
