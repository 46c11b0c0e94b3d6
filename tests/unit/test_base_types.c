/* SPDX-License-Identifier: Apache-2.0 */
/* Strings, uuids and the names of errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/types.h"

static void test_str_null_is_not_empty(void **state)
{
	struct str empty = STR_LIT("");

	(void)state;
	assert_true(str_is_null(STR_NULL));
	assert_false(str_is_null(empty));
	assert_false(str_eq(STR_NULL, empty));
	assert_true(str_eq(STR_NULL, str_of(NULL)));
	assert_true(str_eq(empty, str_of("")));
	assert_true(str_eq(STR_LIT("ab"), (struct str){"abc", 2}));
	assert_false(str_eq(STR_LIT("ab"), STR_LIT("ac")));
}

static void test_str_order(void **state)
{
	(void)state;
	assert_int_equal(str_cmp(STR_LIT("a"), STR_LIT("a")), 0);
	assert_true(str_cmp(STR_LIT("a"), STR_LIT("ab")) < 0);
	assert_true(str_cmp(STR_LIT("b"), STR_LIT("ab")) > 0);
	assert_true(str_cmp(STR_LIT(""), STR_LIT("a")) < 0);
	assert_true(str_cmp(STR_LIT("\x80"), STR_LIT("a")) > 0);
}

/* Kafka's Uuid.toString() of these values. */
static void test_uuid_format(void **state)
{
	struct uuid u = {{0}};
	char text[23];

	(void)state;
	assert_true(uuid_is_zero(u));
	uuid_format(u, text);
	assert_string_equal(text, "AAAAAAAAAAAAAAAAAAAAAA");
	u.b[15] = 1;
	assert_false(uuid_is_zero(u));
	uuid_format(u, text);
	assert_string_equal(text, "AAAAAAAAAAAAAAAAAAAAAQ");
	for (size_t i = 0; i < sizeof(u.b); i++)
		u.b[i] = 0xff;
	uuid_format(u, text);
	assert_string_equal(text, "_____________________w");
	for (size_t i = 0; i < sizeof(u.b); i++)
		u.b[i] = (uint8_t)i;
	uuid_format(u, text);
	assert_string_equal(text, "AAECAwQFBgcICQoLDA0ODw");
}

static void test_err_text(void **state)
{
	(void)state;
	assert_string_equal(err_text(ERR_OK), "ok");
	assert_string_equal(err_text(ERR_FULL), "no room");
	assert_string_equal(err_text((enum err)12345), "unknown error");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_str_null_is_not_empty),
		cmocka_unit_test(test_str_order),
		cmocka_unit_test(test_uuid_format),
		cmocka_unit_test(test_err_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
