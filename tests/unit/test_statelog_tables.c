/* SPDX-License-Identifier: Apache-2.0 */
/* The range sets and number tables of the state log against their simplest forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/mem.h"
#include "statelog/numbers.h"
#include "statelog/ranges.h"
#include "test_statelog_util.h"

#define N 60

/* Each offset's state and count as one number; 0: nothing is kept of it. */
static void assert_same_ranges(const struct state_ranges *s, const int *flat)
{
	struct share_state_range r[N + 1];
	int seen[N] = {0};

	assert_true(s->n <= N);
	state_ranges_list(s, r);
	for (uint32_t i = 0; i < s->n; i++) {
		int v = (int)r[i].state * 100 + r[i].delivery_count;

		assert_true(r[i].first <= r[i].last && r[i].first >= 0 && r[i].last < N);
		assert_true(v > 0);
		if (i > 0) {
			assert_true(r[i].first > r[i - 1].last);
			assert_false(r[i].first == r[i - 1].last + 1 && r[i].state == r[i - 1].state &&
				     r[i].delivery_count == r[i - 1].delivery_count);
		}
		for (int64_t k = r[i].first; k <= r[i].last; k++)
			seen[k] = v;
	}
	assert_memory_equal(seen, flat, sizeof(seen));
}

static void test_ranges_like_an_array(void **state)
{
	static const enum share_record_state states[] = {SHARE_AVAILABLE, SHARE_ACKNOWLEDGED, SHARE_ARCHIVED};

	(void)state;
	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct state_ranges s = {.n = 0};
		uint64_t rnd = seed;
		int flat[N] = {0};

		for (int step = 0; step < 100; step++) {
			int64_t first = (int64_t)(next_random(&rnd) % N),
				last = first + (int64_t)(next_random(&rnd) % 12);
			struct share_state_range r = {first, last < N ? last : N - 1, states[next_random(&rnd) % 3],
				(int16_t)(next_random(&rnd) % 2)};

			if (next_random(&rnd) % 20 == 0) {
				state_ranges_trim(&s, first % 8);
				memset(flat, 0, (size_t)(first % 8) * sizeof(*flat));
			}
			state_ranges_set(&s, &r);
			for (int64_t k = r.first; k <= r.last; k++)
				flat[k] = (int)r.state * 100 + r.delivery_count;
			assert_same_ranges(&s, flat);
		}
		state_ranges_clear(&s);
		assert_int_equal(s.n, 0);
	}
}

static void test_ranges_at_the_ends(void **state)
{
	struct share_state_range all = {0, INT64_MAX - 1, SHARE_ACKNOWLEDGED, 1}, out[3];
	struct state_ranges s = {.n = 0};

	(void)state;
	state_ranges_set(&s, &all);
	state_ranges_set(&s, &(struct share_state_range){5, 5, SHARE_AVAILABLE, 0});
	assert_int_equal(s.n, 2);
	state_ranges_list(&s, out);
	assert_int_equal(out[0].last, 4);
	assert_int_equal(out[1].first, 6);
	assert_int_equal(out[1].last, INT64_MAX - 1);
	state_ranges_trim(&s, INT64_MAX);
	assert_int_equal(s.n, 0);
}

static void test_numbers(void **state)
{
	struct state_numbers t = {.groups = NULL};
	struct uuid x = {{1}}, y = {{2}};
	struct str a = STR_LIT("a"), ab = STR_LIT("ab");

	(void)state;
	assert_int_equal(state_numbers_find(&t, a, x, 0), 0);
	assert_int_equal(state_numbers_add(&t, a, x, 0), 1);
	assert_int_equal(state_numbers_add(&t, a, x, 1), 2);
	assert_int_equal(state_numbers_add(&t, a, y, 0), 3);
	assert_int_equal(state_numbers_add(&t, ab, x, 0), 4);
	assert_int_equal(state_numbers_find(&t, a, x, 0), 1);
	assert_int_equal(state_numbers_find(&t, a, x, 1), 2);
	assert_int_equal(state_numbers_find(&t, a, y, 0), 3);
	assert_int_equal(state_numbers_find(&t, ab, x, 0), 4);
	assert_int_equal(state_numbers_find(&t, STR_LIT(""), x, 0), 0);
	state_numbers_drop(&t, a, x, 1);
	state_numbers_drop(&t, a, x, 1);
	state_numbers_drop(&t, STR_LIT("none"), x, 1);
	assert_int_equal(state_numbers_find(&t, a, x, 1), 0);
	assert_int_equal(state_numbers_add(&t, a, x, 1), 5); /* never a second time */
	state_numbers_drop_group(&t, a);
	assert_int_equal(t.n, 1);
	assert_int_equal(state_numbers_find(&t, a, y, 0), 0);
	assert_int_equal(state_numbers_find(&t, ab, x, 0), 4);
	state_numbers_drop(&t, ab, x, 0);
	assert_null(t.groups);
	assert_int_equal(state_numbers_add(&t, ab, x, 0), 6);
	state_numbers_release(&t);
	assert_int_equal(t.last, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranges_like_an_array),
		cmocka_unit_test(test_ranges_at_the_ends),
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests_name("statelog_tables", tests, NULL, NULL);
}
