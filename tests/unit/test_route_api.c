/* SPDX-License-Identifier: Apache-2.0 */
/* The table of APIs against what Kafka's own code says about keys, headers and addresses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "route/api.h"

/* First flexible version of each key, 0 to 94, -1 for none: by ApiKeys of Kafka 4.4.0 (4 to 7: of 3.9.1). */
static const int8_t first_flexible[] = {9, 12, 6, 9, 4, 2, 6, 3, 8, 6, 3, 6, 4, 4, 4, 5, 3, -1, 3, 5, 4, 2, 2, 4, 3, 3,
	3, 1, 3, 2, 2, 2, 4, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 0, 0, -1, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

static void test_rows_are_whole(void **state)
{
	(void)state;
	for (int16_t key = 0; key <= ROUTE_KEY_MAX; key++) {
		const struct route_api *api = route_api_find(key);

		assert_non_null(api);
		assert_int_equal(api->key, key);
		assert_true(strlen(api->name) > 2);
		assert_true(strlen(api->why) > 10);
		assert_int_equal(api->first_flexible, first_flexible[key]);
		for (int16_t other = 0; other < key; other++)
			assert_string_not_equal(api->name, route_api_find(other)->name);
		/* Whatever is read has a highest version; whatever is not read has none. */
		assert_int_equal(api->max_known < 0, api->verdict == ROUTE_PASS);
		assert_true(api->answer == ROUTE_ANSWER_PASS || api->verdict == ROUTE_PEEK ||
			    api->verdict == ROUTE_REWRITE || api->verdict == ROUTE_TERMINATE);
		assert_int_equal(api->hidden, key >= 83 && key <= 87);
	}
	assert_null(route_api_find(-1));
	assert_null(route_api_find(ROUTE_KEY_MAX + 1));
	assert_null(route_api_find(INT16_MAX));
	assert_null(route_api_find(INT16_MIN));
}

static void test_header_versions(void **state)
{
	(void)state;
	for (int16_t key = 0; key <= ROUTE_KEY_MAX; key++) {
		for (int16_t version = 0; version < 20; version++) {
			bool flexible = first_flexible[key] >= 0 && version >= first_flexible[key];
			int8_t request = flexible ? 2 : 1, response = flexible ? 1 : 0;

			if (key == 7 && version == 0)
				request = 0;
			if (key == 18)
				response = 0;
			assert_int_equal(route_request_header_version(key, version), request);
			assert_int_equal(route_response_header_version(key, version), response);
		}
	}
	assert_int_equal(route_request_header_version(1000, 3), 1);
	assert_int_equal(route_response_header_version(1000, 3), 0);
	assert_int_equal(route_request_header_version(-1, 3), 1);
}

static void test_verdicts(void **state)
{
	static const int16_t terminated[] = {76, 77, 78, 79, 90, 91, 92},
			     peeked[] = {0, 8, 9, 11, 12, 13, 14, 15, 16, 20, 21, 24, 28, 32, 33, 37, 42, 44, 47, 68,
				     69, 74, 88, 89},
			     rewritten[] = {1, 3, 10, 18, 60, 75};
	enum route_verdict want[ROUTE_KEY_MAX + 1] = {ROUTE_PASS};

	(void)state;
	for (size_t i = 0; i < sizeof(terminated) / sizeof(terminated[0]); i++)
		want[terminated[i]] = ROUTE_TERMINATE;
	for (size_t i = 0; i < sizeof(peeked) / sizeof(peeked[0]); i++)
		want[peeked[i]] = ROUTE_PEEK;
	for (size_t i = 0; i < sizeof(rewritten) / sizeof(rewritten[0]); i++)
		want[rewritten[i]] = ROUTE_REWRITE;
	for (int16_t key = 0; key <= ROUTE_KEY_MAX; key++)
		assert_int_equal(route_api_find(key)->verdict, want[key]);
	assert_string_equal(route_verdict_name(ROUTE_PASS), "pass");
	assert_string_equal(route_verdict_name(ROUTE_TERMINATE), "terminate");
}

static void test_answers_with_addresses(void **state)
{
	(void)state;
	for (int16_t v = 0; v <= 13; v++) {
		assert_int_equal(route_api_answer(route_api_find(ROUTE_KEY_METADATA), v), ROUTE_ANSWER_COLLECT);
		assert_int_equal(route_api_answer(route_api_find(ROUTE_KEY_PRODUCE), v),
			v >= 10 ? ROUTE_ANSWER_STREAM : ROUTE_ANSWER_PASS);
	}
	for (int16_t v = 0; v <= 18; v++)
		assert_int_equal(route_api_answer(route_api_find(ROUTE_KEY_FETCH), v),
			v >= 16 ? ROUTE_ANSWER_STREAM : ROUTE_ANSWER_PASS);
	assert_int_equal(route_api_answer(route_api_find(ROUTE_KEY_FIND_COORDINATOR), 0), ROUTE_ANSWER_COLLECT);
	assert_int_equal(route_api_answer(route_api_find(ROUTE_KEY_DESCRIBE_CLUSTER), 0), ROUTE_ANSWER_COLLECT);
	assert_int_equal(route_api_answer(route_api_find(ROUTE_KEY_API_VERSIONS), 0), ROUTE_ANSWER_COLLECT);
	assert_int_equal(route_api_answer(route_api_find(ROUTE_KEY_DESCRIBE_CONFIGS), 4), ROUTE_ANSWER_PASS);
	assert_int_equal(route_api_answer(route_api_find(2), 11), ROUTE_ANSWER_PASS);
}

static void test_known_versions(void **state)
{
	static const struct {
		int16_t key, min, max;
	} cases[] = {{0, 0, 13}, {1, 0, 18}, {3, 0, 13}, {10, 0, 6}, {16, 0, 5}, {18, 0, 5}, {32, 0, 4}, {42, 0, 3},
		{44, 0, 1}, {60, 0, 2}, {76, 1, 1}, {77, 1, 1}, {78, 1, 2}, {79, 1, 2}, {90, 0, 1}, {91, 0, 0},
		{92, 0, 0}, {8, 0, 10}, {9, 0, 10}, {11, 0, 9}, {20, 0, 6}, {24, 0, 5}, {68, 0, 1}, {75, 0, 0},
		{2, 0, INT16_MAX}, {17, 0, INT16_MAX}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct route_api *api = route_api_find(cases[i].key);

		assert_false(route_api_is_known(api, (int16_t)(cases[i].min - 1)));
		assert_true(route_api_is_known(api, cases[i].min));
		assert_true(route_api_is_known(api, cases[i].max));
		if (cases[i].max < INT16_MAX)
			assert_false(route_api_is_known(api, (int16_t)(cases[i].max + 1)));
		assert_false(route_api_is_known(api, INT16_MIN));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_are_whole),
		cmocka_unit_test(test_header_versions),
		cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_answers_with_addresses),
		cmocka_unit_test(test_known_versions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
