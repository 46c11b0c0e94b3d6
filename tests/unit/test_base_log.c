/* SPDX-License-Identifier: Apache-2.0 */
/* Log lines: their form, what peers can put into them, and how repeated ones are counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/log.h"

struct fixture {
	int fd;
	struct log *log;
	char text[1 << 20];
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	char path[] = "/tmp/test_base_log.XXXXXX";

	assert_non_null(f);
	f->fd = mkstemp(path);
	assert_int_not_equal(f->fd, -1);
	unlink(path);
	f->log = log_new(f->fd, LOG_LEVEL_INFO, LOG_FORMAT_TEXT);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	log_free(f->log);
	close(f->fd);
	free(f);
	return 0;
}

/* All that was written so far. */
static const char *written(struct fixture *f)
{
	ssize_t n = pread(f->fd, f->text, sizeof(f->text) - 1, 0);

	assert_true(n >= 0);
	f->text[n] = '\0';
	return f->text;
}

/* The only line, without its time stamp, whose form is checked here. */
static const char *only_line(struct fixture *f)
{
	const char *text = written(f);
	int used = 0, y, mo, d, h, mi, s, ms;

	assert_int_equal(sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d.%3dZ %n", &y, &mo, &d, &h, &mi, &s, &ms, &used), 7);
	assert_int_equal(used, 25);
	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
	return text + used;
}

static unsigned count(const char *text, const char *what)
{
	unsigned n = 0;

	for (; (text = strstr(text, what)); text += strlen(what))
		n++;
	return n;
}

static void test_text_line(void **state)
{
	struct fixture *f = *state;
	struct log_ctx ctx = {.conn = 12, .client_id = STR_LIT("x"), .peer = STR_LIT("1.2.3.4:5"), .reason = "word"};

	log_info(f->log, &ctx, "message %d", 7);
	assert_string_equal(only_line(f), "INFO message 7 conn=12 client_id=\"x\" peer=1.2.3.4:5 reason=word\n");
}

static void test_text_line_without_context(void **state)
{
	struct fixture *f = *state;

	log_error(f->log, NULL, "bad");
	assert_string_equal(only_line(f), "ERROR bad\n");
}

static void test_text_is_escaped(void **state)
{
	struct fixture *f = *state;
	struct log_ctx ctx = {.client_id = STR_LIT("a\"b\\c\nd\x1b[2J\xff\xc2\x9b\xc3\xa9")};

	log_warn(f->log, &ctx, "two\nlines \"quoted\"");
	assert_string_equal(
		only_line(f), "WARN two\\nlines \"quoted\" client_id=\"a\\\"b\\\\c\\nd\\x1b[2J\\xff\\x9b\xc3\xa9\"\n");
}

static void test_json_line(void **state)
{
	struct fixture *f = *state;
	struct log_ctx ctx = {.conn = 3,
		.client_id = STR_LIT("a\"b\\c\n\x01\xff\xed\xa0\x80\xc0\x80\xf0\x9f\x98\x80"),
		.peer = STR_LIT("[::1]:5"),
		.reason = "frame-too-large"};
	const char *text;

	log_set_format(f->log, LOG_FORMAT_JSON);
	log_info(f->log, &ctx, "say \"hi\"");
	text = written(f);
	assert_memory_equal(text, "{\"time\":\"2", 10);
	assert_string_equal(strstr(text, "\",\"level\""),
		"\",\"level\":\"INFO\",\"message\":\"say \\\"hi\\\"\",\"conn\":3,"
		"\"client_id\":\"a\\\"b\\\\c\\n\\u0001\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\xf0\x9f\x98\x80\","
		"\"peer\":\"[::1]:5\",\"reason\":\"frame-too-large\"}\n");
}

/* However long the parts, a line is bounded, ends properly, and keeps its reason. */
static void test_long_line_is_cut(void **state)
{
	struct fixture *f = *state;
	char big[5000];
	struct log_ctx ctx = {.conn = UINT64_MAX, .client_id = {big, sizeof(big)}, .peer = {big, sizeof(big)}};
	const char *text;

	memset(big, 1, sizeof(big));
	ctx.reason = "why";
	log_set_format(f->log, LOG_FORMAT_JSON);
	log_info(f->log, &ctx, "%.*s", 5000, big);
	text = written(f);
	assert_true(strlen(text) > 2000 && strlen(text) < 4096);
	assert_non_null(strstr(text, "\",\"reason\":\"why\"}\n"));
}

static void test_levels(void **state)
{
	struct fixture *f = *state;

	log_debug(f->log, NULL, "unseen");
	assert_string_equal(written(f), "");
	assert_false(log_wants(f->log, LOG_LEVEL_DEBUG));
	log_set_level(f->log, LOG_LEVEL_DEBUG);
	log_debug(f->log, NULL, "seen");
	assert_string_equal(only_line(f), "DEBUG seen\n");
}

static void say(struct fixture *f, int i, const char *reason)
{
	struct log_ctx ctx = {.conn = (uint64_t)i + 1, .reason = reason};

	log_warn(f->log, &ctx, "closed after %d", i);
}

static void test_repeated_lines_are_counted(void **state)
{
	struct fixture *f = *state;
	const char *text;

	for (int i = 0; i < 1000; i++)
		say(f, i, "junk");
	say(f, 5000, "other");
	assert_int_equal(count(written(f), "closed after"), 11);
	assert_int_equal(count(written(f), "after 5000"), 1);
	log_tick(f->log, clock_mono_ms());
	assert_int_equal(count(written(f), "repeated"), 0);
	log_tick(f->log, clock_mono_ms() + 1001);
	text = written(f);
	assert_int_equal(count(text, "repeated"), 1);
	assert_non_null(strstr(text, " WARN repeated 990 times: closed after 999 reason=junk\n"));
	say(f, 1, "junk");
	assert_int_equal(count(written(f), "after 1 conn=2 reason=junk\n"), 2);
	log_tick(f->log, clock_mono_ms() + 5000);
	assert_int_equal(count(written(f), "repeated"), 1);
}

static void test_free_reports_what_was_held(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < 15; i++)
		say(f, i, NULL);
	log_free(f->log);
	f->log = NULL;
	assert_non_null(strstr(written(f), "repeated 5 times: closed after 14\n"));
}

/* More kinds of lines than are counted: nothing is lost unreported. */
static void test_many_kinds(void **state)
{
	struct fixture *f = *state;
	unsigned long held = 0;
	char reason[32];

	for (int i = 0; i < 300; i++) {
		snprintf(reason, sizeof(reason), "reason-%d", i);
		for (int k = 0; k < 12; k++)
			say(f, k, reason);
	}
	log_free(f->log);
	f->log = NULL;
	for (const char *p = written(f); (p = strstr(p, "repeated ")); p += 9)
		held += strtoul(p + 9, NULL, 10);
	assert_int_equal(held, 600);
	assert_int_equal(count(f->text, "\n"), 300 * 10 + 300);
}

static void test_failed_output_is_ignored(void **state)
{
	struct log *l = log_new(-1, LOG_LEVEL_INFO, LOG_FORMAT_TEXT);

	(void)state;
	for (int i = 0; i < 20; i++)
		log_info(l, NULL, "lost");
	log_free(l);
	log_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_text_line, setup, teardown),
		cmocka_unit_test_setup_teardown(test_text_line_without_context, setup, teardown),
		cmocka_unit_test_setup_teardown(test_text_is_escaped, setup, teardown),
		cmocka_unit_test_setup_teardown(test_json_line, setup, teardown),
		cmocka_unit_test_setup_teardown(test_long_line_is_cut, setup, teardown),
		cmocka_unit_test_setup_teardown(test_levels, setup, teardown),
		cmocka_unit_test_setup_teardown(test_repeated_lines_are_counted, setup, teardown),
		cmocka_unit_test_setup_teardown(test_free_reports_what_was_held, setup, teardown),
		cmocka_unit_test_setup_teardown(test_many_kinds, setup, teardown),
		cmocka_unit_test(test_failed_output_is_ignored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
