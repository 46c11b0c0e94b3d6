/* SPDX-License-Identifier: Apache-2.0 */
/* Answers that stream through: the same length, the same bytes in front, and in the tags what rewriting the whole would
 * give, as far as it fits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "route/rewrite_stream.h"
#include "route_bodies.h"

#define OUT_MAX (1u << 20)
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct node nodes[] = {{1, "kafka-1.internal", 19092, "rack-a"}, {0, "10.0.0.17", 9092, NULL},
	{2, "kafka-2.internal", 29092, "rack-b"}, {7, "kafka-7.internal", 1, ""}};

static const struct addressed streamed[] = {{0, 10, 13}, {1, 16, 18}};

static struct address_map map_of(const char *host, int32_t count)
{
	struct address_map m;

	address_map_init(&m, str_of(host), 9093, count);
	return m;
}

static struct bytes bytes_of(const struct chunk *c)
{
	return (struct bytes){c->data, c->size};
}

/* Feeds body in pieces of step bytes; gives what the client gets, or NULL and the error. */
static struct chunk *stream(int16_t key, int16_t version, struct bytes body, size_t step, const struct address_map *map,
	struct rewrite_dropped *ret_dropped, enum err *ret_err)
{
	struct chunk *out = chunk_try_new(body.n);
	struct rewrite_stream st;
	size_t at = 0, passed = 0;
	struct bytes tail;

	assert_non_null(out);
	*ret_err = rewrite_stream_init(&st, map, key, version, (uint32_t)body.n);
	while (!*ret_err && st.left > 0) {
		size_t n = body.n - at < step ? body.n - at : step, pass;
		uint8_t *part = malloc(n); /* alone, so that a read behind it is seen */

		assert_non_null(part);
		memcpy(part, body.p + at, n);
		assert_int_equal(rewrite_stream_tail(&st).n, 0);
		*ret_err = rewrite_stream_feed(&st, part, n, &pass);
		assert_true(pass <= n);
		/* Nothing is passed on behind something held. */
		assert_true(pass == 0 || passed == at);
		memcpy(out->data + passed, part, pass);
		passed += pass;
		at += n;
		free(part);
	}
	if (*ret_err) {
		rewrite_stream_release(&st);
		chunk_unref(out);
		return NULL;
	}
	tail = rewrite_stream_tail(&st);
	assert_int_equal(passed + tail.n, body.n);
	memcpy(out->data + passed, tail.p, tail.n);
	*ret_dropped = st.dropped;
	rewrite_stream_release(&st);
	return out;
}

static struct chunk *stream_ok(
	int16_t key, int16_t version, struct bytes body, size_t step, const struct address_map *map)
{
	struct rewrite_dropped dropped;
	enum err e;
	struct chunk *out = stream(key, version, body, step, map, &dropped, &e);

	assert_int_equal(e, ERR_OK);
	return out;
}

static struct chunk *collected(int16_t key, int16_t version, struct bytes body, const struct address_map *map,
	struct rewrite_dropped *ret_dropped)
{
	struct writer w;
	struct chunk *c;
	bool changed;

	wr_init(&w, OUT_MAX);
	assert_int_equal(
		rewrite_response(key, version, (struct slice){NULL, body.p, body.n}, map, &w, &changed, ret_dropped),
		ERR_OK);
	c = chunk_try_new(changed ? wr_size(&w) : body.n);
	assert_non_null(c);
	if (changed)
		wr_flatten(&w, c->data);
	else
		memcpy(c->data, body.p, body.n);
	wr_release(&w);
	return c;
}

/* The first got->n of want, racks apart unless they are asked for. */
static void assert_prefix(const struct addresses *got, const struct addresses *want, bool racks)
{
	assert_true(got->n <= want->n);
	for (size_t i = 0; i < got->n; i++) {
		assert_int_equal(got->v[i].id, want->v[i].id);
		assert_true(str_eq(got->v[i].host, want->v[i].host));
		assert_int_equal(got->v[i].port, want->v[i].port);
		assert_true(str_eq(got->v[i].rack, want->v[i].rack) || (!racks && str_is_null(got->v[i].rack)));
	}
}

static void test_agrees_with_the_whole(void **state)
{
	static const size_t steps[] = {1, 2, 3, 7, 1000, OUT_MAX};
	static const int32_t counts[] = {1, 2, 3, 8};

	(void)state;
	for (size_t k = 0; k < COUNT(streamed); k++) {
		for (int16_t v = streamed[k].min; v <= streamed[k].max; v++) {
			for (size_t c = 0; c < COUNT(counts) * COUNT(steps); c++) {
				struct chunk *body = body_new(streamed[k].key, v, nodes, 4), *whole, *out;
				struct address_map map = map_of("sluice", counts[c % 4]);
				struct rewrite_dropped dropped_whole, dropped;
				struct addresses want, got;
				enum err e;

				whole = collected(streamed[k].key, v, bytes_of(body), &map, &dropped_whole);
				out = stream(streamed[k].key, v, bytes_of(body), steps[c / 4], &map, &dropped, &e);
				assert_int_equal(e, ERR_OK);
				addresses_read(streamed[k].key, v, bytes_of(whole), &want);
				addresses_read(streamed[k].key, v, bytes_of(out), &got);
				/* The new host is shorter than the old ones: everything fits. */
				assert_int_equal(got.n, want.n);
				assert_prefix(&got, &want, true);
				assert_int_equal(dropped.n, dropped_whole.n);
				assert_memory_equal(&dropped, &dropped_whole, sizeof(dropped));
				assert_false(body_contains(bytes_of(out), "internal"));
				assert_false(body_contains(bytes_of(out), "10.0.0.17"));
				chunk_unref(out);
				chunk_unref(whole);
				chunk_unref(body);
			}
		}
	}
}

/* Every length of the new host, so every number of bytes that is left over: always the same length, always readable. */
static void test_every_remainder(void **state)
{
	char host[256];
	size_t full = 0, without_racks = 0, some = 0, none = 0;

	(void)state;
	for (uint32_t n = 1; n <= 4; n++) {
		struct chunk *body = body_new(1, 16, nodes, n), *out;

		for (size_t len = 1; len <= 255; len++) {
			struct rewrite_dropped dropped;
			struct addresses want, got;
			struct address_map map;
			struct chunk *whole;

			memset(host, 'h', len);
			host[len < 255 ? len : 255] = 0;
			map = map_of(host, 8);
			whole = collected(1, 16, bytes_of(body), &map, &dropped);
			out = stream_ok(1, 16, bytes_of(body), OUT_MAX, &map);
			addresses_read(1, 16, bytes_of(whole), &want);
			addresses_read(1, 16, bytes_of(out), &got);
			assert_prefix(&got, &want, false);
			assert_int_equal(want.n, n);
			/* What the whole answer has room for, the streamed one has too. */
			if (whole->size <= body->size) {
				assert_int_equal(got.n, n);
				assert_prefix(&got, &want, true);
				full++;
			} else if (got.n == n) {
				without_racks++;
			} else if (got.n > 0) {
				some++;
			} else {
				none++;
			}
			chunk_unref(out);
			chunk_unref(whole);
		}
		chunk_unref(body);
	}
	assert_true(full > 0 && without_racks > 0 && some > 0 && none > 0);
}

static void test_identity(void **state)
{
	struct address_map identity;

	(void)state;
	address_map_init_identity(&identity);
	for (size_t k = 0; k < COUNT(streamed); k++) {
		for (int16_t v = streamed[k].min; v <= streamed[k].max; v++) {
			for (uint32_t n = 0; n <= 4; n++) {
				struct chunk *body = body_new(streamed[k].key, v, nodes, n), *out;

				out = stream_ok(streamed[k].key, v, bytes_of(body), 5, &identity);
				assert_memory_equal(out->data, body->data, body->size);
				chunk_unref(out);
				chunk_unref(body);
			}
		}
	}
}

/* A Fetch answer without nodes, with the given bytes as its tagged fields. */
static struct chunk *with_tail(const void *tail, size_t n)
{
	struct chunk *body = body_new(1, 16, NULL, 0), *c = chunk_try_new(body->size - 1 + n);

	assert_non_null(c);
	assert_int_equal(body->data[body->size - 1], 0);
	memcpy(c->data, body->data, body->size - 1);
	memcpy(c->data + body->size - 1, tail, n);
	chunk_unref(body);
	return c;
}

#define TAIL(s) with_tail((s), sizeof(s) - 1)
/* NodeEndpoints with broker 1 at "kafka", no rack, no tags. */
#define ENDPOINTS "\x00\x11\x02\x00\x00\x00\x01\x06kafka\x00\x00\x23\x84\x00\x00"

static void test_unknown_tags_survive(void **state)
{
	struct {
		struct chunk *body;
		const char *kept[3];
	} cases[] = {
		{TAIL("\x02" ENDPOINTS "\x01\x03one"), {"\x01\x03one"}},
		{TAIL("\x03" ENDPOINTS "\x63\x03xyz\x64\x02no"), {"\x63\x03xyz", "\x64\x02no"}},
		{TAIL("\x04" ENDPOINTS "\x64\x01y\x65\x01z\x67\x02zz"), {"\x64\x01y\x65\x01z", "\x67\x02zz"}},
		{TAIL("\x02" ENDPOINTS "\xff\xff\xff\xff\x0f\x02hi"), {"\xff\xff\xff\xff\x0f\x02hi"}},
		{TAIL("\x01" ENDPOINTS), {NULL}},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		/* Shorter by one, two, three, four; equal; longer by one: then nothing but the tags remains. */
		static const char *const hosts[] = {"kafk", "kaf", "ka", "k", "proxy", "proxyy"};

		for (size_t h = 0; h < COUNT(hosts); h++) {
			struct address_map map = map_of(hosts[h], 8);
			struct chunk *out = stream_ok(1, 16, bytes_of(cases[i].body), 3, &map);
			struct addresses got;

			addresses_read(1, 16, bytes_of(out), &got);
			assert_int_equal(got.n, h < 5 ? 1 : 0);
			if (got.n > 0)
				assert_true(str_eq(got.v[0].host, str_of(hosts[h])));
			for (size_t k = 0; k < 3 && cases[i].kept[k]; k++)
				assert_true(body_contains(bytes_of(out), cases[i].kept[k]));
			assert_false(body_contains(bytes_of(out), "kafka"));
			chunk_unref(out);
		}
		chunk_unref(cases[i].body);
	}
}

static void test_tails_without_endpoints_pass(void **state)
{
	struct chunk *bodies[] = {TAIL("\x00"), TAIL("\x01\x05\x02hi"), TAIL("\x01\x00\x01\x01"), TAIL("\x80\x00")};
	struct address_map map = map_of("proxy", 8);

	(void)state;
	for (size_t i = 0; i < COUNT(bodies); i++) {
		struct chunk *out = stream_ok(1, 16, bytes_of(bodies[i]), 1, &map);

		assert_memory_equal(out->data, bodies[i]->data, bodies[i]->size);
		chunk_unref(out);
		chunk_unref(bodies[i]);
	}
}

static void test_malformed_tails(void **state)
{
	struct chunk *bodies[] = {
		TAIL("\x01\x00\x02\x01\x01"),                              /* a size too large for its value */
		TAIL("\x01\x00\x01\x00"),                                  /* null, which is not allowed */
		TAIL("\x02\x05\x00\x05\x00"),                              /* twice the same */
		TAIL("\x02\x05\x00\x04\x00"),                              /* descending */
		TAIL("\x00\x00"),                                          /* bytes behind the end */
		TAIL("\x01\x00\x05\xff\xff\xff\xff\x0f"),                  /* four billion endpoints */
		TAIL("\x91\x4e\x00\x01\x01"),                              /* 10,001 fields */
		TAIL("\x01\x00\x0b\x02\x00\x00\x00\x01\x7fk\x00\x00\x00"), /* a host beyond its field */
	};
	struct address_map map = map_of("proxy", 8);

	(void)state;
	for (size_t i = 0; i < COUNT(bodies); i++) {
		for (size_t step = 1; step < 10000; step += 9998) {
			struct rewrite_dropped dropped;
			enum err e;

			assert_null(stream(1, 16, bytes_of(bodies[i]), step, &map, &dropped, &e));
			assert_int_equal(e, ERR_MALFORMED);
		}
		chunk_unref(bodies[i]);
	}
}

static void test_every_cut_is_malformed(void **state)
{
	struct address_map map = map_of("sluice", 2);

	(void)state;
	for (size_t k = 0; k < COUNT(streamed); k++) {
		struct chunk *body = body_new(streamed[k].key, streamed[k].max, nodes, 4);

		for (size_t cut = 0; cut<body->size; cut += cut> 500 && cut < body->size - 200 ? 97 : 1) {
			struct rewrite_dropped dropped;
			struct bytes part = {body->data, cut};
			struct rewrite_stream st;
			enum err e;
			size_t pass;

			if (cut > 0) {
				assert_null(stream(streamed[k].key, streamed[k].max, part, 13, &map, &dropped, &e));
			} else {
				e = rewrite_stream_init(&st, &map, streamed[k].key, streamed[k].max, 0);
				assert_int_equal(e, ERR_OK);
				e = rewrite_stream_feed(&st, NULL, 0, &pass);
				rewrite_stream_release(&st);
			}
			assert_int_equal(e, ERR_MALFORMED);
		}
		chunk_unref(body);
	}
}

/* A tag of n bytes behind the endpoints. */
static struct chunk *with_long_tag(size_t n)
{
	static const char head[] = "\x02" ENDPOINTS "\x05";
	uint8_t *tail = calloc(1, sizeof(head) + 3 + n);
	struct chunk *c;
	size_t at = sizeof(head) - 1;

	assert_non_null(tail);
	memcpy(tail, head, at);
	tail[at++] = (uint8_t)(n | 0x80);
	tail[at++] = (uint8_t)(n >> 7 | 0x80);
	tail[at++] = (uint8_t)(n >> 14);
	c = with_tail(tail, at + n);
	free(tail);
	return c;
}

static void test_tail_has_a_ceiling(void **state)
{
	const size_t around = 1 + 19 + 1 + 3;
	struct address_map map = map_of("proxy", 8);
	struct rewrite_dropped dropped;
	struct chunk *body, *out;
	enum err e;

	(void)state;
	body = with_long_tag(REWRITE_STREAM_TAIL_MAX - around);
	out = stream_ok(1, 16, bytes_of(body), 1000, &map);
	assert_false(body_contains(bytes_of(out), "kafka"));
	chunk_unref(out);
	chunk_unref(body);
	body = with_long_tag(REWRITE_STREAM_TAIL_MAX - around + 1);
	assert_null(stream(1, 16, bytes_of(body), 1000, &map, &dropped, &e));
	assert_int_equal(e, ERR_TOO_LARGE);
	chunk_unref(body);
}

/* As many fields as a reader takes: the filler may not be one more. */
static void test_most_fields(void **state)
{
	static uint8_t tail[2 + 19 + 4 * 9999] = "\x90\x4e" ENDPOINTS;
	struct address_map map = map_of("k", 8);
	struct addresses got;
	struct chunk *body, *out;
	size_t at = 2 + 19;

	(void)state;
	for (unsigned tag = 1; tag < 10000; tag++) {
		tail[at++] = (uint8_t)(tag | 0x80);
		tail[at++] = (uint8_t)(tag >> 7);
		tail[at++] = 0;
	}
	body = with_tail(tail, at);
	out = stream_ok(1, 16, bytes_of(body), 4096, &map);
	addresses_read(1, 16, bytes_of(out), &got);
	assert_int_equal(got.n, 0);
	assert_false(body_contains(bytes_of(out), "kafka"));
	chunk_unref(out);
	chunk_unref(body);
}

/* Megabytes go by and nothing of them is kept. */
static void test_memory_is_bounded(void **state)
{
	static uint8_t zeros[1 << 16];
	static const uint8_t head[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		2,
		/* partition 0, no error, three offsets, no aborted transactions, no replica, 64 MiB of records */
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff,
		0xff, 0xff, 0x81, 0x80, 0x80, 0x20},
			     tail[] = {0, 0, 0};
	const size_t records = 64u << 20;
	struct address_map map = map_of("proxy", 8);
	struct rewrite_stream st;
	size_t pass;

	(void)state;
	assert_int_equal(
		rewrite_stream_init(&st, &map, 1, 16, (uint32_t)(sizeof(head) + records + sizeof(tail))), ERR_OK);
	assert_int_equal(rewrite_stream_feed(&st, head, sizeof(head), &pass), ERR_OK);
	assert_int_equal(pass, sizeof(head));
	for (size_t at = 0; at < records; at += sizeof(zeros)) {
		assert_int_equal(rewrite_stream_feed(&st, zeros, sizeof(zeros), &pass), ERR_OK);
		assert_int_equal(pass, sizeof(zeros));
		assert_int_equal(st.tail.cap, 0);
	}
	assert_int_equal(rewrite_stream_feed(&st, tail, sizeof(tail), &pass), ERR_OK);
	assert_int_equal(pass, 2); /* tags of partition and topic */
	assert_int_equal(st.left, 0);
	assert_int_equal(rewrite_stream_tail(&st).n, 1);
	rewrite_stream_release(&st);
}

static void test_unsupported(void **state)
{
	static const struct {
		int16_t key, version;
	} cases[] = {{0, 9}, {0, 14}, {1, 15}, {1, 19}, {1, -1}, {3, 12}, {18, 3}, {76, 1}, {-1, 0}, {500, 0}};
	struct address_map map = map_of("proxy", 8);

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct rewrite_stream st;

		assert_int_equal(rewrite_stream_init(&st, &map, cases[i].key, cases[i].version, 100), ERR_UNSUPPORTED);
		rewrite_stream_release(&st);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_agrees_with_the_whole),
		cmocka_unit_test(test_every_remainder),
		cmocka_unit_test(test_identity),
		cmocka_unit_test(test_unknown_tags_survive),
		cmocka_unit_test(test_tails_without_endpoints_pass),
		cmocka_unit_test(test_malformed_tails),
		cmocka_unit_test(test_every_cut_is_malformed),
		cmocka_unit_test(test_tail_has_a_ceiling),
		cmocka_unit_test(test_most_fields),
		cmocka_unit_test(test_memory_is_bounded),
		cmocka_unit_test(test_unsupported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
