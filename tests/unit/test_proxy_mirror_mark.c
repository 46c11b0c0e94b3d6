/* SPDX-License-Identifier: Apache-2.0 */
/* The mark of the mirror's own offset commits: read as it was written, and nothing else is taken for one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "proxy/mirror_mark.h"

static const struct uuid topic = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};
static const struct uuid other = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17}};
static const struct uuid log_id = {{9, 9, 9}};
static const struct uuid other_log_id = {{9, 9, 8}};
static const struct uuid zero;

static bool is_ours(struct str metadata, struct uuid t, struct uuid l, bool *same, bool *other_log)
{
	*same = *other_log = false;
	return mirror_mark_is_ours(metadata, t, l, same, other_log);
}

/* The whole id of the log must fit behind the longest epoch. */
static void test_round_trip(void **state)
{
	static const int64_t epochs[] = {0, 7, 99999999, 100000000, 999999999999, INT64_MAX, -1};

	(void)state;
	for (size_t i = 0; i < sizeof(epochs) / sizeof(epochs[0]); i++) {
		char mark[MIRROR_MARK_MAX];
		bool same, other_log;

		mirror_mark_write(mark, topic, epochs[i], log_id);
		assert_true(is_ours(str_of(mark), topic, log_id, &same, &other_log));
		assert_true(same);
		assert_false(other_log);
		assert_true(is_ours(str_of(mark), other, log_id, &same, &other_log));
		assert_false(same);
		assert_true(is_ours(str_of(mark), topic, other_log_id, &same, &other_log));
		assert_true(other_log);
		assert_true(is_ours(str_of(mark), topic, zero, &same, &other_log));
		assert_false(other_log);
	}
}

static void test_others(void **state)
{
	static const char *const texts[] = {"", "s", "sluice", "sluice 1", "sluice 2 AQIDBAUGBwgJCgsMDQ4PEA 5 x",
		"Sluice 1 ", " sluice 1 AQIDBAUGBwgJCgsMDQ4PEA 5", "NO_METADATA"};
	bool same, other_log;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_false(is_ours(str_of(texts[i]), topic, log_id, &same, &other_log));
	assert_false(is_ours(STR_NULL, topic, log_id, &same, &other_log));
}

/* Cut anywhere behind its name it is still ours, but says nothing of a topic that it does not name whole. */
static void test_cut(void **state)
{
	char mark[MIRROR_MARK_MAX];
	bool same, other_log;
	size_t n;

	(void)state;
	mirror_mark_write(mark, topic, 12345, log_id);
	n = strlen(mark);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(is_ours((struct str){mark, i}, topic, log_id, &same, &other_log), i >= 9);
		assert_int_equal(same, i >= 9 + 23);
		assert_false(other_log);
	}
}

/* Early versions did not name the log. */
static void test_mark_without_a_log(void **state)
{
	bool same, other_log;

	(void)state;
	assert_true(is_ours(STR_LIT("sluice 1 AQIDBAUGBwgJCgsMDQ4PEA 123456"), topic, log_id, &same, &other_log));
	assert_true(same);
	assert_false(other_log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_mark_without_a_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
