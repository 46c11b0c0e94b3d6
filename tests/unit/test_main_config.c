/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration: defaults, every kind of mistake and its message, ports, printing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "main/config.h"

#define TWO_LINES "bootstrap.servers=127.0.0.1:19092\nlisteners=PLAINTEXT://127.0.0.1:9092\n"

static struct config *good(const char *text)
{
	struct config *c = NULL;
	char err[CONFIG_ERROR_MAX] = "";

	if (config_parse("F", str_of(text), &c, err))
		fail_msg("%s", err);
	return c;
}

static void bad(const char *text, const char *expected)
{
	struct config *c = NULL;
	char err[CONFIG_ERROR_MAX] = "";

	assert_int_equal(config_parse("F", str_of(text), &c, err), ERR_INVALID);
	assert_null(c);
	assert_string_equal(err, expected);
}

static void assert_str(struct str s, const char *expected)
{
	assert_int_equal(s.n, strlen(expected));
	assert_string_equal(s.p, expected);
}

static void test_two_lines_are_enough(void **state)
{
	struct config *c = good(TWO_LINES);
	const struct proxy_config *p = &c->proxy;

	(void)state;
	assert_int_equal(p->cluster.bootstrap_n, 1);
	assert_str(p->cluster.bootstrap[0].host, "127.0.0.1");
	assert_int_equal(p->cluster.bootstrap[0].port, 19092);
	assert_int_equal(p->listeners_n, 1);
	assert_str(p->listeners[0].name, "PLAINTEXT://127.0.0.1:9092");
	assert_str(p->listeners[0].host, "127.0.0.1");
	assert_str(p->listeners[0].advertised_host, "127.0.0.1");
	assert_int_equal(p->listeners[0].port, 9092);
	assert_int_equal(p->listeners[0].advertised_port, 9092);
	assert_int_equal(p->listeners[0].broker_port_base, 9093);
	assert_int_equal(p->listeners[0].broker_port_count, 100);
	assert_str(p->state_topic, "__individual_commit_offsets");
	assert_str(p->cluster.client_id, "sluice");
	assert_int_equal(p->cluster.metadata_max_age_ms, 30000);
	assert_int_equal(p->connection_setup_timeout_ms, 10000);
	assert_int_equal(p->request_max_bytes, 104857600);
	assert_int_equal(p->share.read_ahead_max_bytes, 64 << 20);
	assert_int_equal(p->share.group.min_record_lock_duration_ms, 15000);
	assert_int_equal(p->state_topic_replication_factor, 0);
	assert_int_equal(c->log_level, LOG_LEVEL_INFO);
	assert_int_equal(c->log_format, LOG_FORMAT_TEXT);
	assert_int_equal(c->admin.n, 0);
	config_free(c);
	config_free(NULL);
}

/* The bounds that the engine has by itself are those of the option table. */
static void test_group_defaults_are_the_engine_s(void **state)
{
	struct config *c = good(TWO_LINES);
	struct share_group_config_bounds b;

	(void)state;
	share_group_config_bounds_default(&b);
	assert_memory_equal(&b, &c->proxy.share.group, sizeof(b));
	config_free(c);
}

static void test_white_space_comments_and_crlf(void **state)
{
	struct config *c = good("# comment\r\n\r\n \t bootstrap.servers =  a:1 ,\t[::1]:2,b-c.d_e:65535 \r\n"
				"   # another\n\tlisteners= plaintext://[fe80::1%eth0]:9092\n"
				"log.level=debug\nlog.format =json\nclient.id=x.Y-1_");

	(void)state;
	assert_int_equal(c->proxy.cluster.bootstrap_n, 3);
	assert_str(c->proxy.cluster.bootstrap[0].host, "a");
	assert_str(c->proxy.cluster.bootstrap[1].host, "::1");
	assert_int_equal(c->proxy.cluster.bootstrap[1].port, 2);
	assert_str(c->proxy.cluster.bootstrap[2].host, "b-c.d_e");
	assert_str(c->proxy.listeners[0].host, "fe80::1%eth0");
	assert_int_equal(c->log_level, LOG_LEVEL_DEBUG);
	assert_int_equal(c->log_format, LOG_FORMAT_JSON);
	assert_str(c->proxy.cluster.client_id, "x.Y-1_");
	config_free(c);
}

static void test_lines_that_are_refused(void **state)
{
	struct config *c = NULL;
	char err[CONFIG_ERROR_MAX];

	(void)state;
	bad(TWO_LINES "\nfoo.bar=baz\n",
		"F:4: foo.bar=baz: unknown key, expected one of those that sluice --help lists");
	bad(TWO_LINES "listeners=PLAINTEXT://a:1\n",
		"F:3: listeners=PLAINTEXT://a:1: given twice, expected once; the first is in line 2");
	bad(TWO_LINES "nonsense\n", "F:3: nonsense: no '=', expected key=value, a comment (#) or an empty line");
	bad("listeners=PLAINTEXT://a:1\n", "F: bootstrap.servers is missing, expected a list of host:port such as "
					   "bootstrap.servers=127.0.0.1:19092");
	bad("bootstrap.servers=a:1\n",
		"F: listeners is missing, expected a list of PLAINTEXT://host:port or SSL://host:port such as "
		"listeners=PLAINTEXT://127.0.0.1:9092");
	assert_int_equal(config_parse("F", STR_LIT("log.level=in\0fo\n"), &c, err), ERR_INVALID);
	assert_string_equal(err, "F:1: a zero byte, expected text");
}

static void test_numbers_that_are_refused(void **state)
{
	static const char *const values[] = {
		"", "0", "x", "-1", "+1", "1 0", "1.5", "0x10", "100001", "99999999999999999999"};
	char text[300], expected[300];

	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		snprintf(text, sizeof(text), TWO_LINES "queued.max.requests=%s\n", values[i]);
		snprintf(expected, sizeof(expected), "F:3: queued.max.requests=%s: expected a number from 1 to 100000",
			values[i]);
		bad(text, expected);
	}
	config_free(good(TWO_LINES "queued.max.requests=100000\n"));
	config_free(good(TWO_LINES "state.checkpoint.min.bytes=1099511627776\n"));
}

static void test_words_and_strings_that_are_refused(void **state)
{
	(void)state;
	bad(TWO_LINES "log.level=loud\n", "F:3: log.level=loud: expected one of error, warn, info, debug");
	bad(TWO_LINES "log.level=\n", "F:3: log.level=: expected one of error, warn, info, debug");
	bad(TWO_LINES "client.id=\n", "F:3: client.id=: expected 1 to 249 letters, digits, '.', '_' or '-'");
	bad(TWO_LINES "state.topic=a/b\n", "F:3: state.topic=a/b: expected 1 to 249 letters, digits, '.', '_' or '-'");
	bad(TWO_LINES "state.topic=__consumer_offsets\n",
		"F:3: state.topic=__consumer_offsets: expected a topic that belongs to sluice alone");
}

static void test_addresses_that_are_refused(void **state)
{
	static const char *const servers[] = {"", "a", "a:", ":1", "a:0", "a:65536", "a:1,", ",a:1", "::1:9092",
		"[::1]", "[]:1", "[a]:1", "a b:1", "PLAINTEXT://a:1", "a:1x", "a/b:1"};
	static const char *const listeners[] = {
		"", "127.0.0.1:9092", "://a:1", "S L://a:1", "PLAINTEXT:/a:1", "PLAINTEXT://a", "PLAINTEXT://a:1,b:2"};
	char text[300], expected[300];

	(void)state;
	for (size_t i = 0; i < sizeof(servers) / sizeof(servers[0]); i++) {
		snprintf(text, sizeof(text), "bootstrap.servers=%s\nlisteners=PLAINTEXT://a:1\n", servers[i]);
		snprintf(expected, sizeof(expected), "F:1: bootstrap.servers=%s: expected a list of host:port",
			servers[i]);
		bad(text, expected);
	}
	for (size_t i = 0; i < sizeof(listeners) / sizeof(listeners[0]); i++) {
		snprintf(text, sizeof(text), "bootstrap.servers=a:1\nlisteners=%s\n", listeners[i]);
		snprintf(expected, sizeof(expected),
			"F:2: listeners=%s: expected a list of PLAINTEXT://host:port or SSL://host:port", listeners[i]);
		bad(text, expected);
	}
	bad(TWO_LINES "admin.listener=HTTP://a:1,HTTP://b:2\n",
		"F:3: admin.listener=HTTP://a:1,HTTP://b:2: expected HTTP://host:port, or nothing");
}

static void test_advertised_listeners(void **state)
{
	struct config *c = good("bootstrap.servers=a:1\nlisteners=PLAINTEXT://0.0.0.0:9092,PLAINTEXT://:7000\n"
				"advertised.listeners=PLAINTEXT://kafka.example:19092, PLAINTEXT://[::1]:7000\n");

	(void)state;
	assert_int_equal(c->proxy.listeners_n, 2);
	assert_str(c->proxy.listeners[0].advertised_host, "kafka.example");
	assert_int_equal(c->proxy.listeners[0].advertised_port, 19092);
	assert_int_equal(c->proxy.listeners[0].broker_port_base, 9093);
	assert_str(c->proxy.listeners[1].host, "");
	assert_str(c->proxy.listeners[1].advertised_host, "::1");
	config_free(c);
	bad(TWO_LINES "advertised.listeners=PLAINTEXT://a:1,PLAINTEXT://b:1\n",
		"F:3: advertised.listeners=PLAINTEXT://a:1,PLAINTEXT://b:1: expected as many addresses as listeners "
		"has (1), not 2");
	bad("bootstrap.servers=a:1\nlisteners=PLAINTEXT://[::]:9092\n",
		"F:2: listeners=PLAINTEXT://[::]:9092: PLAINTEXT://[::]:9092 binds to all addresses: expected "
		"advertised.listeners "
		"to say under which one clients reach it");
	bad(TWO_LINES "advertised.listeners=PLAINTEXT://0.0.0.0:1\n",
		"F:3: advertised.listeners=PLAINTEXT://0.0.0.0:1: expected an address that clients can reach in the "
		"place of "
		"PLAINTEXT://0.0.0.0:1");
	bad(TWO_LINES "advertised.listeners=PLAINTEXT://a:65500\n",
		"F:3: advertised.listeners=PLAINTEXT://a:65500: the broker ports of PLAINTEXT://a:65500 would be "
		"advertised as "
		"65501 to 65600, expected ports from 1 to 65535");
}

static void test_broker_ports(void **state)
{
	struct config *c = good("bootstrap.servers=a:1\nlisteners=PLAINTEXT://h:9092,PLAINTEXT://h:9093\n"
				"broker.port.base=10000\nbroker.port.count=50\n");

	(void)state;
	assert_int_equal(c->proxy.listeners[0].broker_port_base, 10000);
	assert_int_equal(c->proxy.listeners[1].broker_port_base, 10050);
	assert_int_equal(c->proxy.listeners[1].broker_port_count, 50);
	config_free(c);
	bad("bootstrap.servers=a:1\nlisteners=PLAINTEXT://h:65500\n",
		"F: broker.port.count=100 (default): the broker ports of PLAINTEXT://h:65500 would be 65501 to 65600, "
		"expected ports "
		"up to 65535");
	config_free(good("bootstrap.servers=a:1\nlisteners=PLAINTEXT://h:65500\nbroker.port.count=35\n"));
}

static void test_overlapping_ports(void **state)
{
	(void)state;
	bad("bootstrap.servers=a:1\nlisteners=PLAINTEXT://h:9092,PLAINTEXT://H:9192\n",
		"F:2: listeners=PLAINTEXT://h:9092,PLAINTEXT://H:9192: the broker ports of PLAINTEXT://h:9092 (9093 to "
		"9192) and "
		"PLAINTEXT://H:9192 (9192 to 9192) overlap: expected ports of their own, see broker.port.base and "
		"broker.port.count");
	bad(TWO_LINES "admin.listener=HTTP://0.0.0.0:9092\n",
		"F:2: listeners=PLAINTEXT://127.0.0.1:9092: PLAINTEXT://127.0.0.1:9092 (9092 to 9092) and "
		"HTTP://0.0.0.0:9092 (9092 "
		"to 9092) overlap: expected ports of their own, see broker.port.base and broker.port.count");
	bad(TWO_LINES "broker.port.base=9000\n", "F:2: listeners=PLAINTEXT://127.0.0.1:9092: "
						 "PLAINTEXT://127.0.0.1:9092 (9092 to 9092) and the broker ports of "
						 "PLAINTEXT://127.0.0.1:9092 (9000 to 9099) overlap: expected ports of "
						 "their own, see broker.port.base and "
						 "broker.port.count");
	config_free(good("bootstrap.servers=a:1\nlisteners=PLAINTEXT://h:9092,PLAINTEXT://i:9092\n"));
	config_free(good("bootstrap.servers=a:1\nlisteners=PLAINTEXT://h:9092,PLAINTEXT://h:9193\n"));
	config_free(good(TWO_LINES "admin.listener=HTTP://127.0.0.1:9193\n"));
}

static void test_values_that_contradict_each_other(void **state)
{
	(void)state;
	bad(TWO_LINES "group.share.session.timeout.ms=60001\n",
		"F:3: group.share.session.timeout.ms=60001: expected a number from group.share.min.session.timeout.ms "
		"(45000) to "
		"group.share.max.session.timeout.ms (60000)");
	bad(TWO_LINES "group.share.min.delivery.count.limit=5\ngroup.share.delivery.count.limit=4\n",
		"F:4: group.share.delivery.count.limit=4: expected a number from group.share.min.delivery.count.limit "
		"(5) to "
		"group.share.max.delivery.count.limit (10)");
	bad(TWO_LINES "group.share.max.assignment.interval.ms=10\n",
		"F: group.share.assignment.interval.ms=1000 (default): expected a number from "
		"group.share.min.assignment.interval.ms (0) to group.share.max.assignment.interval.ms (10)");
	bad(TWO_LINES "group.share.max.heartbeat.interval.ms=50000\ngroup.share.heartbeat.interval.ms=45000\n",
		"F:4: group.share.heartbeat.interval.ms=45000: expected less than group.share.session.timeout.ms "
		"(45000)");
	bad(TWO_LINES "group.share.max.size=300\ngroup.share.max.share.sessions=299\n",
		"F:4: group.share.max.share.sessions=299: expected at least group.share.max.size (300)");
	bad(TWO_LINES "reconnect.backoff.ms=2000\n",
		"F: reconnect.backoff.max.ms=1000 (default): expected at least reconnect.backoff.ms (2000)");
	bad(TWO_LINES "share.read.ahead.max.bytes=1048576\n",
		"F:3: share.read.ahead.max.bytes=1048576: expected at least share.fetch.max.bytes (52428800)");
	config_free(good(
		TWO_LINES "group.share.min.record.lock.duration.ms=1000\ngroup.share.record.lock.duration.ms=1000\n"));
}

static void count_change(void *arg, const char *name, struct str from, struct str to, bool reloadable)
{
	int *changes = arg;

	assert_string_equal(name, reloadable ? "log.level" : "state.checkpoint.factor");
	assert_str(from, reloadable ? "info" : "4");
	assert_str(to, reloadable ? "warn" : "8");
	(*changes)++;
}

static void test_diff(void **state)
{
	struct config *a = good(TWO_LINES);
	struct config *b = good(TWO_LINES "log.format=text\nlog.level=warn\nstate.checkpoint.factor=8\n");
	int changes = 0;

	(void)state;
	config_diff(a, a, count_change, &changes);
	assert_int_equal(changes, 0);
	config_diff(a, b, count_change, &changes);
	assert_int_equal(changes, 2);
	config_free(a);
	config_free(b);
}

/* The example is a valid file, and still is when all its options are switched on. */
static void test_example_is_valid(void **state)
{
	char text[65536], plain[65536];
	FILE *f = fmemopen(text, sizeof(text), "w");
	struct config *a, *b;
	size_t n = 0;
	int changes = 0;

	(void)state;
	assert_non_null(f);
	config_print_example(f);
	fclose(f);
	a = good(text);
	for (const char *p = text; *p; p++) {
		bool first = p == text || p[-1] == '\n';

		if (first && *p == '#' && p[1] >= 'a' && p[1] <= 'z')
			continue;
		plain[n++] = *p;
	}
	plain[n] = '\0';
	b = good(plain);
	config_diff(a, b, count_change, &changes);
	assert_int_equal(changes, 0);
	config_free(a);
	config_free(b);
}

/* Each option appears in each of the three prints. */
static void test_prints_are_complete(void **state)
{
	static void (*const prints[])(FILE * f) = {config_print_help, config_print_man, config_print_example};
	static const char *const names[] = {"bootstrap.servers", "broker.port.base", "log.level", "state.topic",
		"group.share.max.assignment.interval.ms", "shutdown.timeout.ms", "share.read.ahead.max.bytes"};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		char text[65536];
		FILE *f = fmemopen(text, sizeof(text), "w");

		assert_non_null(f);
		prints[i](f);
		fclose(f);
		for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
			assert_non_null(strstr(text, names[k]));
	}
}

static void test_files(void **state)
{
	struct config *c = NULL;
	char err[CONFIG_ERROR_MAX];
	char path[] = "/tmp/test_main_config.XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_int_not_equal(fd, -1);
	assert_int_equal(write(fd, TWO_LINES, strlen(TWO_LINES)), strlen(TWO_LINES));
	assert_int_equal(config_load(path, &c, err), ERR_OK);
	assert_string_equal(c->file, path);
	config_free(c);
	assert_int_equal(ftruncate(fd, 3 << 20), 0);
	assert_int_equal(config_load(path, &c, err), ERR_INVALID);
	assert_non_null(strstr(err, "larger than 1048576 bytes"));
	close(fd);
	unlink(path);
	assert_int_equal(config_load(path, &c, err), ERR_IO);
	assert_non_null(strstr(err, ": can not be read: No such file or directory"));
	assert_int_equal(config_load("/", &c, err), ERR_IO);
}

#define SASL TWO_LINES "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\n"
#define JAAS "sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required "

static void test_login(void **state)
{
	char path[] = "/tmp/test_main_config.XXXXXX", text[400];
	int fd = mkstemp(path);
	struct config *c;

	(void)state;
	c = good(SASL "sasl.username=a\nsasl.password=b c\n");
	assert_str(login_who(c->proxy.cluster.login), "a");
	assert_str(login_mechanism(c->proxy.cluster.login), "PLAIN");
	config_free(c);
	c = good(SASL JAAS "username=\"a \\\"x\\\"\" password='b' serviceName=\"k\";\n");
	assert_str(login_who(c->proxy.cluster.login), "a \"x\"");
	config_free(c);
	assert_int_equal(write(fd, "secret\r\n", 8), 8);
	snprintf(text, sizeof(text), SASL "sasl.username=a\nsasl.password.file=%s\n", path);
	config_free(good(text));
	close(fd);
	unlink(path);
	/* Without a login to make the options stay unused. */
	c = good(TWO_LINES "sasl.mechanism=PLAIN\n");
	assert_null(c->proxy.cluster.login);
	config_free(c);
}

static void test_login_that_is_refused(void **state)
{
	(void)state;
	bad(TWO_LINES "security.protocol=SASL_SSL\n",
		"F: sasl.mechanism= (default): expected PLAIN, SCRAM-SHA-256, SCRAM-SHA-512 or OAUTHBEARER");
	bad(SASL, "F: sasl.username= (default): PLAIN needs a name and a password: sasl.username and sasl.password or "
		  "sasl.password.file, or sasl.jaas.config");
	bad(SASL "sasl.username=a\nsasl.password.file=/nowhere\n",
		"F:6: sasl.password.file=/nowhere: No such file or directory");
	bad(SASL "sasl.username=a\nsasl.password=b\nsasl.password.file=/nowhere\n",
		"F:7: sasl.password.file=/nowhere: expected either this or sasl.password");
	bad(SASL "sasl.username=a\n" JAAS ";\n",
		"F:6: sasl.jaas.config=: expected either this or sasl.username and sasl.password");
	bad(SASL JAAS "username=a password=b\n",
		"F:5: sasl.jaas.config=: expected options in the form name=\"value\" and a ; at the end");
	bad(SASL JAAS "username=a password=\"b;\n",
		"F:5: sasl.jaas.config=: expected options in the form name=\"value\" and a ; at the end");
	bad(SASL "sasl.jaas.config=x required;\n",
		"F:5: sasl.jaas.config=: expected a LoginModule, a flag and its options");
	bad(TWO_LINES "security.protocol=SASL_SSL\nsasl.mechanism=OAUTHBEARER\n",
		"F: sasl.oauthbearer.token.file= (default): OAUTHBEARER needs the file that has the token");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_lines_are_enough),
		cmocka_unit_test(test_group_defaults_are_the_engine_s),
		cmocka_unit_test(test_white_space_comments_and_crlf),
		cmocka_unit_test(test_lines_that_are_refused),
		cmocka_unit_test(test_numbers_that_are_refused),
		cmocka_unit_test(test_words_and_strings_that_are_refused),
		cmocka_unit_test(test_addresses_that_are_refused),
		cmocka_unit_test(test_advertised_listeners),
		cmocka_unit_test(test_broker_ports),
		cmocka_unit_test(test_overlapping_ports),
		cmocka_unit_test(test_values_that_contradict_each_other),
		cmocka_unit_test(test_diff),
		cmocka_unit_test(test_example_is_valid),
		cmocka_unit_test(test_prints_are_complete),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_login),
		cmocka_unit_test(test_login_that_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
