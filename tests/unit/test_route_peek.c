/* SPDX-License-Identifier: Apache-2.0 */
/* Produce's acks, found behind any transactional id, cut anywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "route/peek.h"
#include "wire/codec.h"
#include "wire/messages.h"

#define TAIL 40

/* Encodes a Produce request. Free with free(). */
static uint8_t *body_of(int16_t version, struct str id, int16_t acks, size_t *ret_n)
{
	struct produce_request msg;
	struct writer w;
	uint8_t *p;

	codec_init(&produce_request_schema, &msg);
	if (version >= 3)
		msg.transactional_id = id;
	msg.acks = acks;
	msg.timeout_ms = 30000;
	wr_init(&w, 1 << 17);
	assert_int_equal(codec_encode(&produce_request_schema, version, &w, &msg), ERR_OK);
	*ret_n = wr_size(&w);
	p = malloc(*ret_n);
	assert_non_null(p);
	wr_flatten(&w, p);
	wr_release(&w);
	return p;
}

static void test_every_version_and_cut(void **state)
{
	static char long_id[300];
	const struct str ids[] = {STR_NULL, STR_LIT(""), STR_LIT("tx-1"), {long_id, sizeof(long_id)}};

	(void)state;
	memset(long_id, 'x', sizeof(long_id));
	for (int16_t version = 0; version <= 13; version++) {
		for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
			const char *reason = NULL;
			int16_t acks = 99;
			size_t n, need = 0, arrived = 0;
			uint8_t *p = body_of(version, ids[i], -1, &n);
			enum frame_status s;

			/* Asked byte by byte it never asks for more than it uses. */
			for (;;) {
				uint8_t *part = malloc(arrived + 1);

				assert_non_null(part);
				memcpy(part, p, arrived);
				s = peek_produce_acks(version, part, arrived, (uint32_t)n, &acks, &need, &reason);
				free(part);
				if (s != FRAME_NEED_MORE)
					break;
				assert_int_equal(acks, 99);
				assert_true(need > 0 && need <= n - arrived);
				arrived++;
			}
			assert_int_equal(s, FRAME_READY);
			assert_int_equal(acks, -1);
			/* With less than it used the body is too short. */
			assert_int_equal(peek_produce_acks(
						 version, p, arrived - 1, (uint32_t)arrived - 1, &acks, &need, &reason),
				FRAME_BAD);
			assert_string_equal(reason, "front_malformed");
			free(p);
		}
	}
}

static void test_acks_values(void **state)
{
	static const int16_t values[] = {0, 1, -1, 2, INT16_MIN, INT16_MAX};

	(void)state;
	for (int16_t version = 0; version <= 13; version++) {
		for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
			const char *reason;
			size_t n, need;
			int16_t acks = 99;
			uint8_t *p = body_of(version, STR_LIT("id"), values[i], &n);

			assert_int_equal(
				peek_produce_acks(version, p, n, (uint32_t)n, &acks, &need, &reason), FRAME_READY);
			assert_int_equal(acks, values[i]);
			free(p);
		}
	}
}

static void test_lies(void **state)
{
	static const uint8_t negative[TAIL] = {0xff, 0xfe}, longest[TAIL] = {0x80, 0x80, 0x02},
			     longer[TAIL] = {0x81, 0x80, 0x02}, huge[TAIL] = {0xff, 0xff, 0xff, 0xff, 0x0f},
			     endless[TAIL] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
	const char *reason;
	int16_t acks;
	size_t need;

	(void)state;
	assert_int_equal(peek_produce_acks(3, negative, TAIL, 1000, &acks, &need, &reason), FRAME_BAD);
	assert_int_equal(peek_produce_acks(9, longest, TAIL, 100000, &acks, &need, &reason), FRAME_NEED_MORE);
	assert_int_equal(need, 3 + 32767 + 2 - TAIL);
	assert_int_equal(peek_produce_acks(9, longest, TAIL, 1000, &acks, &need, &reason), FRAME_BAD);
	assert_int_equal(peek_produce_acks(9, longer, TAIL, 100000, &acks, &need, &reason), FRAME_BAD);
	assert_int_equal(peek_produce_acks(9, huge, TAIL, UINT32_MAX, &acks, &need, &reason), FRAME_BAD);
	assert_int_equal(peek_produce_acks(9, endless, TAIL, UINT32_MAX, &acks, &need, &reason), FRAME_BAD);
	/* What lies behind the body belongs to the next frame. */
	assert_int_equal(peek_produce_acks(0, negative, TAIL, 1, &acks, &need, &reason), FRAME_BAD);
}

struct group_case {
	int16_t key, version;
	uint8_t body[48];
	size_t n;
	const char *id;
	bool more;
};

/* Cut anywhere it asks for more, whole it finds the id; with a byte less than it used the body is too short. */
static void test_groups(void **state)
{
	static const struct group_case cases[] = {
		{12, 0, {0, 2, 'g', '1', 9, 9}, 6, "g1", false},
		{12, 4, {3, 'g', '1', 9, 9}, 5, "g1", false},
		{11, 9, {1, 9, 9}, 3, "", false},
		{28, 2, {0, 1, 't', 0, 2, 'g', '1', 9}, 8, "g1", false},
		{28, 3, {2, 't', 3, 'g', '1', 9}, 6, "g1", false},
		{28, 2, {0xff, 0xff, 0, 2, 'g', '1', 9}, 7, "g1", false},
		{47, 0, {0, 1, 'g', 0}, 4, "g", false},
		{9, 7, {3, 'g', '1', 9}, 4, "g1", false},
		{9, 8, {2, 3, 'g', '1', 9}, 5, "g1", false},
		{9, 10, {4, 3, 'g', '1', 9}, 5, "g1", true},
		{9, 9, {1, 9}, 2, NULL, false},
		{14, 0, {0xff, 0xff, 9}, 3, NULL, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct group_case *c = &cases[i];
		struct peek_group g = {STR_LIT("?"), true};
		const char *reason = NULL;
		size_t arrived, need = 0;
		uint8_t *part = NULL;

		for (arrived = 0; arrived <= c->n; arrived++) {
			part = malloc(arrived + 1);
			assert_non_null(part);
			memcpy(part, c->body, arrived);
			if (peek_group(c->key, c->version, part, arrived, (uint32_t)c->n, &g, &need, &reason) ==
				FRAME_READY)
				break;
			assert_true(need > 0 && need <= c->n - arrived);
			free(part);
		}
		assert_true(arrived <= c->n && str_eq(g.id, str_of(c->id)) && g.more == c->more);
		assert_int_equal(
			peek_group(c->key, c->version, part, arrived - 1, (uint32_t)arrived - 1, &g, &need, &reason),
			FRAME_BAD);
		assert_string_equal(reason, "front_malformed");
		free(part);
	}
}

static void test_group_lies(void **state)
{
	static const uint8_t no_groups[4] = {0}, negative[4] = {0xff, 0xfe}, huge[6] = {0xff, 0xff, 0xff, 0xff, 0x0f};
	struct peek_group g;
	const char *reason;
	size_t need;

	(void)state;
	assert_int_equal(peek_group(9, 8, no_groups, 4, 100, &g, &need, &reason), FRAME_BAD);
	assert_int_equal(peek_group(12, 0, negative, 4, 100, &g, &need, &reason), FRAME_BAD);
	assert_int_equal(peek_group(12, 4, huge, 6, UINT32_MAX, &g, &need, &reason), FRAME_BAD);
	assert_int_equal(peek_group(9, 8, huge, 5, 5, &g, &need, &reason), FRAME_BAD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_version_and_cut),
		cmocka_unit_test(test_acks_values),
		cmocka_unit_test(test_lies),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_group_lies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
