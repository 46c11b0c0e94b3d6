/* SPDX-License-Identifier: Apache-2.0 */
/* Which address stands for which node, and when there is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "route/address_map.h"

static enum address_verdict apply(const struct address_map *m, int32_t id, const char *host, int32_t port)
{
	struct str h = str_of(host);
	int32_t p = port;
	enum address_verdict v = address_map_apply(m, id, &h, &p);

	if (v == ADDRESS_REPLACE) {
		assert_true(str_eq(h, m->host));
		assert_int_equal(p, m->port_base + id);
	} else {
		assert_true(str_eq(h, str_of(host)));
		assert_int_equal(p, port);
	}
	return v;
}

static void test_range(void **state)
{
	struct address_map m;

	(void)state;
	address_map_init(&m, STR_LIT("sluice.example"), 9093, 100);
	assert_int_equal(apply(&m, 0, "kafka-0", 9092), ADDRESS_REPLACE);
	assert_int_equal(apply(&m, 99, "kafka-99", 9092), ADDRESS_REPLACE);
	assert_int_equal(apply(&m, 100, "kafka-100", 9092), ADDRESS_DROP);
	assert_int_equal(apply(&m, INT32_MAX, "kafka", 9092), ADDRESS_DROP);
	assert_int_equal(apply(&m, -1, "kafka", 9092), ADDRESS_DROP);
	assert_int_equal(apply(&m, INT32_MIN, "kafka", 9092), ADDRESS_DROP);
	assert_true(address_map_has(&m, 0));
	assert_true(address_map_has(&m, 99));
	assert_false(address_map_has(&m, 100));
	assert_false(address_map_has(&m, -1));
}

static void test_no_address_is_kept(void **state)
{
	struct address_map m;

	(void)state;
	address_map_init(&m, STR_LIT("sluice.example"), 9093, 100);
	assert_int_equal(apply(&m, -1, "", -1), ADDRESS_KEEP);
	assert_int_equal(apply(&m, 5, "", -1), ADDRESS_KEEP);
	assert_int_equal(apply(&m, 500, "", 0), ADDRESS_KEEP);
	assert_int_equal(apply(&m, -1, NULL, -1), ADDRESS_KEEP);
}

static void test_right_address_is_kept(void **state)
{
	struct address_map m;

	(void)state;
	address_map_init(&m, STR_LIT("sluice.example"), 9093, 100);
	assert_int_equal(apply(&m, 7, "sluice.example", 9100), ADDRESS_KEEP);
	assert_int_equal(apply(&m, 7, "sluice.example", 9101), ADDRESS_REPLACE);
	assert_int_equal(apply(&m, 7, "sluice.exampl", 9100), ADDRESS_REPLACE);
	/* Outside the range nothing is right. */
	assert_int_equal(apply(&m, 100, "sluice.example", 9193), ADDRESS_DROP);
}

static void test_identity_and_last_port(void **state)
{
	struct address_map m;

	(void)state;
	address_map_init_identity(&m);
	assert_int_equal(apply(&m, 12345, "kafka", 9092), ADDRESS_KEEP);
	assert_int_equal(apply(&m, -1, "kafka", 9092), ADDRESS_KEEP);
	assert_true(address_map_has(&m, 12345));
	address_map_init(&m, STR_LIT("h"), 65535, 1);
	assert_int_equal(apply(&m, 0, "kafka", 9092), ADDRESS_REPLACE);
	address_map_init(&m, STR_LIT("h"), 1, 65535);
	assert_int_equal(apply(&m, 65534, "kafka", 9092), ADDRESS_REPLACE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_range),
		cmocka_unit_test(test_no_address_is_kept),
		cmocka_unit_test(test_right_address_is_kept),
		cmocka_unit_test(test_identity_and_last_port),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
