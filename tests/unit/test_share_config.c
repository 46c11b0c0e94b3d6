/* SPDX-License-Identifier: Apache-2.0 */
/* The table of group configs: texts, bounds, messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "share/group_config.h"

static enum err set(
	struct share_group_config *c, const char *name, const char *value, struct arena *a, struct str *message)
{
	struct share_group_config_bounds b;

	share_group_config_bounds_default(&b);
	*message = STR_NULL;
	return share_group_config_set(&b, c, str_of(name), str_of(value), a, message);
}

static void test_defaults(void **state)
{
	struct share_group_config_bounds b;
	struct share_group_config c;
	struct arena a;
	struct str m;

	(void)state;
	arena_init(&a, 1 << 16);
	share_group_config_bounds_default(&b);
	share_group_config_default(&b, &c);
	assert_int_equal(c.session_timeout_ms, 45000);
	assert_int_equal(c.record_lock_duration_ms, 30000);
	assert_int_equal(c.delivery_count_limit, 5);
	assert_int_equal(c.partition_max_record_locks, 2000);
	assert_int_equal(c.auto_offset_reset, SHARE_RESET_LATEST);
	assert_false(c.read_committed);
	assert_true(c.renew_acknowledge_enable);
	assert_int_equal(share_group_config_check(&c, &a, &m), ERR_OK);
	assert_int_equal(share_group_config_names(), 9);
	for (uint32_t i = 0; i < share_group_config_names(); i++) {
		assert_false(str_is_null(share_group_config_get(&c, share_group_config_name(i), &a)));
		assert_true(share_group_config_type(i) >= 1 && share_group_config_type(i) <= 3);
		assert_non_null(share_group_config_doc(i));
	}
	arena_release(&a);
}

static void test_numbers(void **state)
{
	struct share_group_config_bounds b;
	struct share_group_config c;
	struct arena a;
	struct str m;

	(void)state;
	arena_init(&a, 1 << 16);
	share_group_config_bounds_default(&b);
	share_group_config_default(&b, &c);
	assert_int_equal(set(&c, "share.record.lock.duration.ms", " 20000 ", &a, &m), ERR_OK);
	assert_int_equal(c.record_lock_duration_ms, 20000);
	assert_int_equal(set(&c, "share.record.lock.duration.ms", "999", &a, &m), ERR_INVALID);
	assert_true(str_eq(m, STR_LIT("Invalid value 999 for configuration share.record.lock.duration.ms: Value must "
				      "be at least 1000")));
	assert_int_equal(set(&c, "share.record.lock.duration.ms", "14999", &a, &m), ERR_INVALID);
	assert_true(str_eq(m, STR_LIT("share.record.lock.duration.ms must be in the range 15000 to 60000 inclusive.")));
	assert_int_equal(set(&c, "share.record.lock.duration.ms", "60001", &a, &m), ERR_INVALID);
	assert_true(str_eq(m, STR_LIT("share.record.lock.duration.ms must be in the range 15000 to 60000 inclusive.")));
	for (int i = 0; i < 6; i++) {
		static const char *const bad[] = {"", "-", "1.5", "99999999999", "0x10", "20000a"};

		assert_int_equal(set(&c, "share.record.lock.duration.ms", bad[i], &a, &m), ERR_INVALID);
		assert_false(str_is_null(m));
	}
	assert_int_equal(c.record_lock_duration_ms, 20000);
	assert_int_equal(set(&c, "consumer.session.timeout.ms", "1", &a, &m), ERR_NOT_FOUND);
	c.heartbeat_interval_ms = c.session_timeout_ms;
	assert_int_equal(share_group_config_check(&c, &a, &m), ERR_INVALID);
	arena_release(&a);
}

static void test_words(void **state)
{
	struct share_group_config c = {0};
	struct arena a;
	struct str m;

	(void)state;
	arena_init(&a, 1 << 16);
	assert_int_equal(set(&c, "share.isolation.level", "read_committed", &a, &m), ERR_OK);
	assert_true(c.read_committed);
	assert_int_equal(set(&c, "share.isolation.level", "dirty", &a, &m), ERR_INVALID);
	assert_true(c.read_committed);
	assert_int_equal(set(&c, "share.renew.acknowledge.enable", "TRUE", &a, &m), ERR_OK);
	assert_int_equal(set(&c, "share.renew.acknowledge.enable", "yes", &a, &m), ERR_INVALID);
	assert_int_equal(set(&c, "share.auto.offset.reset", "earliest", &a, &m), ERR_OK);
	assert_int_equal(c.auto_offset_reset, SHARE_RESET_EARLIEST);
	assert_int_equal(set(&c, "share.auto.offset.reset", "none", &a, &m), ERR_INVALID);
	assert_int_equal(c.auto_offset_reset, SHARE_RESET_EARLIEST);
	arena_release(&a);
}

static void test_durations(void **state)
{
	static const struct {
		const char *text;
		int64_t ms; /* -1: refused */
	} cases[] = {
		{"by_duration:PT0S", 0},
		{"by_duration:P1D", 86400000},
		{"by_duration:P1DT2H3M4.5S", 93784500},
		{"by_duration:pt1h", 3600000},
		{"by_duration:PT0.001S", 1},
		{"by_duration:PT36H", 129600000},
		{"by_duration:+P1D", 86400000},
		{"by_duration:", -1},
		{"by_duration:P", -1},
		{"by_duration:PT", -1},
		{"by_duration:P1DT", -1},
		{"by_duration:-PT1S", -1},
		{"by_duration:PT-1S", -1},
		{"by_duration:P1Y", -1},
		{"by_duration:PT1S1M", -1},
		{"by_duration:PT1SX", -1},
		{"by_duration:1D", -1},
		{"by_duration:P9999999999999999D", -1},
		{"by_duration", -1},
	};
	struct share_group_config c = {0};
	struct arena a;
	struct str m;

	(void)state;
	arena_init(&a, 1 << 16);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		enum err err = set(&c, "share.auto.offset.reset", cases[i].text, &a, &m);

		assert_int_equal(err, cases[i].ms < 0 ? ERR_INVALID : ERR_OK);
		if (err == ERR_OK)
			assert_int_equal(c.auto_offset_reset_duration_ms, cases[i].ms);
	}
	c.auto_offset_reset_duration_ms = 1500;
	assert_true(str_eq(
		share_group_config_get(&c, STR_LIT("share.auto.offset.reset"), &a), STR_LIT("by_duration:PT1.500S")));
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_durations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
