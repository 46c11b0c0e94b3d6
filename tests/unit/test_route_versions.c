/* SPDX-License-Identifier: Apache-2.0 */
/* The list of APIs that a client is shown, made from lists as brokers of several releases send them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "route/api.h"
#include "route/versions.h"
#include "wire/codec.h"
#include "wire/kafka_errors.h"
#include "wire/messages.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define CAP 65536
#define ALL_SERVED                                                                                                     \
	(VERSIONS_SERVED(76) | VERSIONS_SERVED(77) | VERSIONS_SERVED(78) | VERSIONS_SERVED(79) | VERSIONS_SERVED(90) | \
		VERSIONS_SERVED(91) | VERSIONS_SERVED(92))

struct range {
	int16_t key, min, max;
};

/* A broker of 4.0 knows no share groups in production; one of a later release has versions that this program does not
 * read. */
static const struct range broker_4_0[] = {{0, 0, 12}, {1, 4, 17}, {2, 1, 10}, {3, 0, 13}, {10, 0, 6}, {16, 0, 5},
	{18, 0, 4}, {32, 1, 4}, {44, 0, 1}, {60, 0, 2}, {68, 0, 1}, {75, 0, 0}, {80, 0, 0}, {84, 0, 0}};
static const struct range broker_next[] = {{0, 0, 14}, {1, 4, 19}, {2, 1, 12}, {3, 0, 14}, {10, 0, 7}, {18, 0, 6},
	{32, 1, 5}, {44, 0, 2}, {60, 0, 3}, {76, 1, 3}, {77, 1, 2}, {78, 1, 3}, {79, 1, 3}, {83, 0, 0}, {84, 0, 0},
	{85, 0, 1}, {86, 0, 0}, {87, 0, 1}, {88, 0, 1}, {90, 0, 1}, {92, 0, 1}, {95, 0, 0}, {1000, 3, 7}};

/* Four tags: a supported feature, the epoch 42, a finalized feature, and number 90, which nobody knows. */
static const char features[] = "\x04"
			       "\x00\x0c\x02\x06share\x00\x00\x00\x01\x00"
			       "\x01\x08\x00\x00\x00\x00\x00\x00\x00\x2a"
			       "\x02\x0c\x02\x06share\x00\x01\x00\x01\x00"
			       "\x5a\x02hi";

/* Writes a broker's answer by hand, with features and tags that nobody knows. */
static size_t answer_write(uint8_t *out, int16_t version, int16_t error, const struct range *keys, size_t n)
{
	struct writer w;
	size_t size;

	wr_init(&w, CAP);
	wr_i16(&w, error);
	if (version >= 3)
		wr_uvarint(&w, (uint32_t)n + 1);
	else
		wr_i32(&w, (int32_t)n);
	for (size_t i = 0; i < n; i++) {
		wr_i16(&w, keys[i].key);
		wr_i16(&w, keys[i].min);
		wr_i16(&w, keys[i].max);
		if (version >= 3 && i % 2)
			wr_raw(&w, "\x01\x05\x03xyz", 6);
		else if (version >= 3)
			wr_uvarint(&w, 0);
	}
	if (version >= 1)
		wr_i32(&w, 77);
	if (version >= 3)
		wr_raw(&w, features, sizeof(features) - 1);
	assert_int_equal(w.err, ERR_OK);
	size = wr_size(&w);
	wr_flatten(&w, out);
	wr_release(&w);
	return size;
}

/* Edits and checks that everything behind the list is as before. */
static size_t edit(int16_t version, const uint8_t *in, size_t n, uint32_t served, uint8_t *out)
{
	struct writer w;
	size_t size;

	wr_init(&w, CAP);
	assert_int_equal(versions_edit(version, (struct bytes){in, n}, served, &w), ERR_OK);
	size = wr_size(&w);
	wr_flatten(&w, out);
	wr_release(&w);
	return size;
}

static void decode(int16_t version, const uint8_t *p, size_t n, struct arena *a, struct api_versions_response *ret)
{
	struct reader r = rd_init(p, n);

	assert_int_equal(codec_decode(&api_versions_response_schema, version, &r, a, ret, NULL), ERR_OK);
}

static const struct api_versions_response_api_version *find(const struct api_versions_response *msg, int16_t key)
{
	for (uint32_t i = 0; i < msg->api_keys_n; i++)
		if (msg->api_keys[i].api_key == key)
			return &msg->api_keys[i];
	return NULL;
}

static void assert_range(const struct api_versions_response *msg, int16_t key, int16_t min, int16_t max)
{
	const struct api_versions_response_api_version *v = find(msg, key);

	assert_non_null(v);
	assert_int_equal(v->min_version, min);
	assert_int_equal(v->max_version, max);
}

static void assert_share_apis(const struct api_versions_response *msg)
{
	assert_range(msg, 76, 1, 1);
	assert_range(msg, 77, 1, 1);
	assert_range(msg, 78, 1, 2);
	assert_range(msg, 79, 1, 2);
	assert_range(msg, 90, 0, 1);
	assert_range(msg, 91, 0, 0);
	assert_range(msg, 92, 0, 0);
	for (int16_t key = 83; key <= 87; key++)
		assert_null(find(msg, key));
	for (uint32_t i = 1; i < msg->api_keys_n; i++)
		assert_true(msg->api_keys[i - 1].api_key < msg->api_keys[i].api_key);
}

static void test_broker_without_share_groups(void **state)
{
	static uint8_t in[CAP], out[CAP];

	(void)state;
	for (int16_t version = 0; version <= 5; version++) {
		size_t n = answer_write(in, version, 0, broker_4_0, COUNT(broker_4_0)), m;
		struct api_versions_response msg;
		struct arena a;

		m = edit(version, in, n, ALL_SERVED, out);
		arena_init(&a, CAP);
		decode(version, out, m, &a, &msg);
		assert_share_apis(&msg);
		assert_int_equal(msg.api_keys_n, COUNT(broker_4_0) - 1 + 7);
		for (size_t i = 0; i < COUNT(broker_4_0); i++)
			if (broker_4_0[i].key != 84)
				assert_range(&msg, broker_4_0[i].key, broker_4_0[i].min, broker_4_0[i].max);
		if (version >= 1)
			assert_int_equal(msg.throttle_time_ms, 77);
		if (version >= 3) {
			assert_int_equal(msg.supported_features_n, 1);
			assert_int_equal(msg.finalized_features_epoch, 42);
			assert_int_equal(msg.finalized_features_n, 1);
		}
		arena_release(&a);
	}
}

static void test_broker_of_the_future(void **state)
{
	static uint8_t in[CAP], out[CAP];

	(void)state;
	for (int16_t version = 0; version <= 5; version++) {
		size_t n = answer_write(in, version, 0, broker_next, COUNT(broker_next)), m;
		struct api_versions_response msg;
		struct arena a;

		m = edit(version, in, n, ALL_SERVED, out);
		arena_init(&a, CAP);
		decode(version, out, m, &a, &msg);
		assert_share_apis(&msg);
		assert_range(&msg, 0, 0, 13);
		assert_range(&msg, 1, 4, 18);
		assert_range(&msg, 3, 0, 13);
		assert_range(&msg, 10, 0, 6);
		assert_range(&msg, 18, 0, 5);
		assert_range(&msg, 32, 1, 4);
		assert_range(&msg, 44, 0, 1);
		assert_range(&msg, 60, 0, 2);
		assert_range(&msg, 2, 1, 12);
		assert_range(&msg, 88, 0, 1);
		assert_range(&msg, 95, 0, 0);
		assert_range(&msg, 1000, 3, 7);
		arena_release(&a);
	}
}

/* Where the brokers serve share groups themselves their ranges are shown, as far as they are known here. */
static void test_native(void **state)
{
	static const struct range native[] = {{76, 0, 1}, {77, 1, 9}, {78, 0, 2}, {79, 1, 3}, {83, 0, 0}, {90, 0, 0}};
	static uint8_t in[CAP], out[CAP];

	(void)state;
	for (int16_t version = 0; version <= 5; version++) {
		size_t n = answer_write(in, version, 0, native, COUNT(native)), m;
		struct api_versions_response msg;
		struct arena a;

		m = edit(version, in, n, VERSIONS_NATIVE, out);
		arena_init(&a, CAP);
		decode(version, out, m, &a, &msg);
		assert_int_equal(msg.api_keys_n, 5);
		assert_range(&msg, 76, 1, 1);
		assert_range(&msg, 77, 1, 1);
		assert_range(&msg, 78, 1, 2);
		assert_range(&msg, 79, 1, 2);
		assert_range(&msg, 90, 0, 0);
		arena_release(&a);
	}
}

/* Those that are lowered are told, and no others. */
static void on_lowered(void *arg, const struct route_api *api, int16_t broker_max)
{
	uint32_t *n = arg;

	assert_true(broker_max > api->max_known && api->max_known >= 0 && api->verdict != ROUTE_TERMINATE);
	(*n)++;
}

static void test_what_is_lowered_is_told(void **state)
{
	static uint8_t in[CAP];

	(void)state;
	for (int16_t version = 0; version <= 5; version++) {
		size_t n = answer_write(in, version, 0, broker_next, COUNT(broker_next));
		uint32_t want = 0, got = 0;

		for (size_t i = 0; i < COUNT(broker_next); i++) {
			const struct route_api *api = route_api_find(broker_next[i].key);

			want += api && !api->hidden && api->verdict != ROUTE_TERMINATE && api->max_known >= 0 &&
				broker_next[i].max > api->max_known;
		}
		assert_true(want > 3);
		versions_each_lowered(version, (struct bytes){in, n}, on_lowered, &got);
		assert_int_equal(got, want);
		for (size_t cut = 0; cut < 40; cut++) {
			got = 0;
			versions_each_lowered(version, (struct bytes){in, cut}, on_lowered, &got);
			assert_true(got <= want);
		}
		n = answer_write(in, version, 42, broker_next, COUNT(broker_next));
		got = 0;
		versions_each_lowered(version, (struct bytes){in, n}, on_lowered, &got);
		assert_int_equal(got, 0);
	}
}

/* The edit changes nothing but the list: built anew from the wanted list, the answer has the same bytes. */
static void test_bytes_around_the_list(void **state)
{
	static const struct range before[] = {{2, 1, 10}, {3, 0, 13}, {300, 0, 9}};
	static uint8_t in[CAP], out[CAP], back[CAP];

	(void)state;
	for (int16_t version = 0; version <= 5; version++) {
		size_t n = answer_write(in, version, 0, before, COUNT(before)), m;
		size_t entry = version >= 3 ? 7 : 6;

		/* Nothing served and nothing to lower: byte for byte. */
		m = edit(version, in, n, 0, out);
		assert_int_equal(m, n);
		assert_memory_equal(in, out, n);
		/* 78 is put before 300; taken out again the rest is as it was. */
		m = edit(version, in, n, VERSIONS_SERVED(78), out);
		assert_int_equal(m, n + entry);
		m = edit(version, out, m, 0, back);
		assert_int_equal(m, n);
		assert_memory_equal(in, back, n);
	}
}

static void test_only_served_apis_are_shown(void **state)
{
	static uint8_t in[CAP], out[CAP];
	size_t n = answer_write(in, 4, 0, broker_next, COUNT(broker_next)), m;
	struct api_versions_response msg;
	struct arena a;

	(void)state;
	m = edit(4, in, n, VERSIONS_SERVED(76) | VERSIONS_SERVED(91), out);
	arena_init(&a, CAP);
	decode(4, out, m, &a, &msg);
	assert_range(&msg, 76, 1, 1);
	assert_range(&msg, 91, 0, 0);
	assert_null(find(&msg, 77));
	assert_null(find(&msg, 78));
	assert_null(find(&msg, 79));
	assert_null(find(&msg, 90));
	assert_null(find(&msg, 92));
	arena_release(&a);
	for (int16_t key = 76; key <= 92; key++) {
		const struct route_api *api = route_api_find(key);

		assert_int_equal((versions_served() & VERSIONS_SERVED(key)) != 0,
			api->verdict == ROUTE_TERMINATE && api->served);
	}
}

/* Error 35 comes in v0 form whatever was asked, and shows ApiVersions alone: nothing is added to it. */
static void test_unsupported_version(void **state)
{
	static const struct range alone[] = {{18, 0, 4}}, newer[] = {{18, 0, 9}};
	static uint8_t in[CAP], out[CAP];

	(void)state;
	for (int16_t version = 0; version <= 9; version++) {
		size_t n = answer_write(in, 0, KAFKA_ERR_UNSUPPORTED_VERSION, alone, 1), m;

		m = edit(version, in, n, ALL_SERVED, out);
		assert_int_equal(m, n);
		assert_memory_equal(in, out, n);
		n = answer_write(in, 0, KAFKA_ERR_UNSUPPORTED_VERSION, newer, 1);
		m = edit(version, in, n, ALL_SERVED, out);
		assert_int_equal(m, n);
		assert_int_equal(out[n - 1], 5);
		assert_memory_equal(in, out, n - 1);
	}
}

static void test_other_errors_and_empty_list(void **state)
{
	static uint8_t in[CAP], out[CAP];
	struct api_versions_response msg;
	struct arena a;
	size_t n, m;

	(void)state;
	n = answer_write(in, 5, KAFKA_ERR_REBOOTSTRAP_REQUIRED, NULL, 0);
	m = edit(5, in, n, ALL_SERVED, out);
	assert_int_equal(m, n);
	assert_memory_equal(in, out, n);
	n = answer_write(in, 5, 0, NULL, 0);
	m = edit(5, in, n, ALL_SERVED, out);
	arena_init(&a, CAP);
	decode(5, out, m, &a, &msg);
	assert_share_apis(&msg);
	assert_int_equal(msg.api_keys_n, 7);
	arena_release(&a);
}

static void test_minimum_above_what_is_known(void **state)
{
	static const struct range keys[] = {{3, 14, 20}, {10, 6, 20}};
	static uint8_t in[CAP], out[CAP];
	size_t n = answer_write(in, 3, 0, keys, COUNT(keys)), m;
	struct api_versions_response msg;
	struct arena a;

	(void)state;
	m = edit(3, in, n, 0, out);
	arena_init(&a, CAP);
	decode(3, out, m, &a, &msg);
	assert_null(find(&msg, 3));
	assert_range(&msg, 10, 6, 6);
	arena_release(&a);
}

static void test_damaged_answers(void **state)
{
	static uint8_t in[CAP];

	(void)state;
	for (int16_t version = 0; version <= 5; version++) {
		size_t n = answer_write(in, version, 0, broker_4_0, COUNT(broker_4_0));
		struct writer w;

		for (size_t cut = 0; cut <= n + 1; cut++) {
			uint8_t *part = malloc(cut + 1);

			assert_non_null(part);
			memcpy(part, in, cut < n ? cut : n);
			if (cut > n)
				part[n] = 0;
			wr_init(&w, CAP);
			assert_int_equal(versions_edit(version, (struct bytes){part, cut}, ALL_SERVED, &w),
				cut == n ? ERR_OK : ERR_MALFORMED);
			wr_release(&w);
			free(part);
		}
		wr_init(&w, 20); /* no room for the answer */
		assert_int_equal(versions_edit(version, (struct bytes){in, n}, ALL_SERVED, &w), ERR_TOO_LARGE);
		wr_release(&w);
		wr_init(&w, CAP);
		assert_int_equal(versions_edit(6, (struct bytes){in, n}, ALL_SERVED, &w), ERR_UNSUPPORTED);
		assert_int_equal(versions_edit(-1, (struct bytes){in, n}, ALL_SERVED, &w), ERR_UNSUPPORTED);
		assert_int_equal(wr_size(&w), 0);
		wr_release(&w);
	}
}

static void test_own_unsupported_answer(void **state)
{
	static const uint8_t want[] = {0, 35, 0, 0, 0, 1, 0, 18, 0, 0, 0, 5};
	uint8_t out[sizeof(want)];
	struct writer w;

	(void)state;
	wr_init(&w, 100);
	versions_write_unsupported(&w);
	assert_int_equal(wr_size(&w), sizeof(want));
	wr_flatten(&w, out);
	assert_memory_equal(out, want, sizeof(want));
	wr_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_broker_without_share_groups),
		cmocka_unit_test(test_native),
		cmocka_unit_test(test_what_is_lowered_is_told),
		cmocka_unit_test(test_broker_of_the_future),
		cmocka_unit_test(test_bytes_around_the_list),
		cmocka_unit_test(test_only_served_apis_are_shown),
		cmocka_unit_test(test_unsupported_version),
		cmocka_unit_test(test_other_errors_and_empty_list),
		cmocka_unit_test(test_minimum_above_what_is_known),
		cmocka_unit_test(test_damaged_answers),
		cmocka_unit_test(test_own_unsupported_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
