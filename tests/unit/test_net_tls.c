/* SPDX-License-Identifier: Apache-2.0 */
/* TLS over socket pairs: bytes in both directions, who is trusted, names, strange peers. The certificates are made
 * here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "base/log.h"
#include "net/conn.h"
#include "net/tls.h"

#define MIB ((size_t)1024 * 1024)
#define DAY_S (24 * 3600)

struct end {
	struct fixture *f;
	struct conn *conn;
	size_t send_left, sent, got;
	int connected;
	bool got_alert;
	char reason[40], error[160], described[100], server_name[100];
};

struct fixture {
	struct log *log;
	struct loop *loop;
	struct end server, client;
	int open;
	size_t expect; /* of each end, then the client closes */
	struct timer timer;
	char dir[64];
};

static const struct conn_limits limits = {.in_max = 65536, .out_high = 131072, .out_low = 32768, .out_max = 4 * MIB};

static uint8_t pattern(size_t i)
{
	return (uint8_t)(i * 31 + i / 251);
}

static void fill(struct end *e)
{
	uint8_t part[5000];

	while (e->send_left > 0 && !conn_is_full(e->conn)) {
		size_t n = e->send_left < sizeof(part) ? e->send_left : sizeof(part);

		for (size_t i = 0; i < n; i++)
			part[i] = pattern(e->sent + i);
		conn_write(e->conn, part, n);
		e->sent += n;
		e->send_left -= n;
	}
}

static void on_data(struct conn *c, void *arg)
{
	struct end *e = arg;
	struct buf *in = conn_in(c);
	size_t n = buf_len(in);

	for (size_t i = 0; i < n; i++)
		assert_int_equal(buf_head(in)[i], pattern(e->got + i));
	buf_consume(in, n);
	e->got += n;
	conn_tls_describe(c, e->described);
	if (e->f->expect && e->f->client.got == e->f->expect && e->f->server.got == e->f->expect)
		conn_close_flush(e->f->client.conn, "done", 1000);
}

static void on_drained(struct conn *c, void *arg)
{
	(void)c;
	fill(arg);
}

static void on_connected(struct conn *c, void *arg)
{
	struct end *e = arg;

	(void)c;
	e->connected++;
}

static void on_closed(struct conn *c, void *arg, const char *reason)
{
	struct end *e = arg;
	struct str name = conn_tls_server_name(c);

	snprintf(e->reason, sizeof(e->reason), "%s", reason);
	snprintf(e->error, sizeof(e->error), "%s", conn_tls_error(c));
	e->got_alert = conn_tls_got_alert(c);
	snprintf(e->server_name, sizeof(e->server_name), "%.*s", (int)name.n, name.p ? name.p : "");
	e->conn = NULL;
	if (--e->f->open == 0)
		loop_stop(e->f->loop);
}

static const struct conn_callbacks callbacks = {
	.on_connected = on_connected, .on_data = on_data, .on_drained = on_drained, .on_closed = on_closed};

static void on_timer(void *arg)
{
	struct fixture *f = arg;

	fail_msg("not over in time: server got %zu, client got %zu", f->server.got, f->client.got);
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->log = log_new(STDERR_FILENO, LOG_LEVEL_WARN, LOG_FORMAT_TEXT);
	f->loop = loop_new(f->log);
	f->server.f = f->client.f = f;
	snprintf(f->dir, sizeof(f->dir), "/tmp/test_net_tls.XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	timer_init(&f->timer, f->loop, on_timer, f);
	timer_set(&f->timer, loop_now(f->loop) + 60000);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	static const char *const names[] = {"server", "client", "other", "no_key", "first", "second"};
	char path[128];

	timer_clear(&f->timer);
	loop_free(f->loop);
	log_free(f->log);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s.pem", f->dir, names[i]);
		(void)unlink(path);
	}
	assert_int_equal(rmdir(f->dir), 0);
	free(f);
	return 0;
}

static X509 *make_cert(EVP_PKEY *key, const char *san, long days)
{
	X509 *cert = X509_new();
	X509_NAME *name = X509_get_subject_name(cert);
	X509_EXTENSION *ext;
	char text[200];

	X509_set_version(cert, 2);
	ASN1_INTEGER_set(X509_get_serialNumber(cert), 1);
	X509_gmtime_adj(X509_getm_notBefore(cert), -DAY_S);
	X509_gmtime_adj(X509_getm_notAfter(cert), days * DAY_S);
	X509_set_pubkey(cert, key);
	X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)san, -1, -1, 0);
	X509_set_issuer_name(cert, name);
	snprintf(text, sizeof(text), "%s", san);
	ext = X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name, text);
	assert_non_null(ext);
	X509_add_ext(cert, ext, -1);
	X509_EXTENSION_free(ext);
	assert_true(X509_sign(cert, key, EVP_sha256()) > 0);
	return cert;
}

/* A self-signed certificate with its key in DIR/NAME.pem; returns the path, which lives until the next 8 calls. */
static const char *make_file(struct fixture *f, const char *name, const char *san, long days, bool with_key)
{
	static char paths[8][128];
	static unsigned next;
	char *path = paths[next++ % 8];
	EVP_PKEY *key = EVP_EC_gen("P-256");
	X509 *cert = make_cert(key, san, days);
	FILE *out;

	snprintf(path, sizeof(paths[0]), "%s/%s.pem", f->dir, name);
	out = fopen(path, "w");
	assert_non_null(out);
	PEM_write_X509(out, cert);
	if (with_key)
		PEM_write_PrivateKey(out, key, NULL, NULL, 0, NULL, NULL);
	fclose(out);
	X509_free(cert);
	EVP_PKEY_free(key);
	return path;
}

static struct tls_settings settings(const char *keystore, const char *truststore)
{
	return (struct tls_settings){
		.keystore_location = keystore ? str_of(keystore) : STR_LIT(""),
		.truststore_location = truststore ? str_of(truststore) : STR_LIT(""),
		.allow_tls1_2 = true,
		.allow_tls1_3 = true,
		.verify_host_name = true,
	};
}

static struct tls_context *server_of(const struct tls_settings *s)
{
	char errbuf[TLS_ERROR_MAX] = "";
	struct tls_context *t = NULL;

	if (tls_context_new_server(s, &t, errbuf))
		fail_msg("%s", errbuf);
	return t;
}

static struct tls_context *client_of(const struct tls_settings *s)
{
	char errbuf[TLS_ERROR_MAX] = "";
	struct tls_context *t = NULL;

	if (tls_context_new_client(s, &t, errbuf))
		fail_msg("%s", errbuf);
	return t;
}

/* Runs until both ends are closed. Contexts are given up. NULL: the end speaks plainly. */
static void run_pair(
	struct fixture *f, struct tls_context *server, struct tls_context *client, const char *name, size_t bytes)
{
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
	f->expect = bytes;
	f->open = 2;
	f->server.send_left = f->client.send_left = bytes;
	f->server.conn = conn_accept(f->loop, fds[0], &limits, &callbacks, &f->server);
	f->client.conn = conn_accept(f->loop, fds[1], &limits, &callbacks, &f->client);
	if (server)
		conn_start_tls(f->server.conn, server, STR_NULL, 2000);
	if (client)
		conn_start_tls(f->client.conn, client, str_of(name), 2000);
	tls_context_unref(server);
	tls_context_unref(client);
	fill(&f->server);
	fill(&f->client);
	loop_run(f->loop);
}

static void test_both_directions(void **state)
{
	struct fixture *f = *state;
	const char *file = make_file(f, "server", "DNS:broker.example", 10, true);
	struct tls_settings s = settings(file, NULL), c = settings(NULL, file);

	run_pair(f, server_of(&s), client_of(&c), "broker.example", 3 * MIB);
	assert_string_equal(f->client.reason, "done");
	assert_int_equal(f->server.got, 3 * MIB);
	assert_int_equal(f->client.got, 3 * MIB);
	assert_string_equal(f->server.server_name, "broker.example");
	assert_memory_equal(f->server.described, "TLSv1.3 ", 8);
}

static void test_tls1_2_alone(void **state)
{
	struct fixture *f = *state;
	const char *file = make_file(f, "server", "DNS:broker.example", 10, true);
	struct tls_settings s = settings(file, NULL), c = settings(NULL, file);

	s.allow_tls1_3 = false;
	s.cipher_suites = STR_LIT("TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,TLS_AES_128_GCM_SHA256");
	run_pair(f, server_of(&s), client_of(&c), "broker.example", 100000);
	assert_string_equal(f->client.reason, "done");
	assert_string_equal(f->client.described, "TLSv1.2 ECDHE-ECDSA-AES256-GCM-SHA384");
}

static void test_wrong_host_name(void **state)
{
	struct fixture *f = *state;
	const char *file = make_file(f, "server", "DNS:broker.example", 10, true);
	struct tls_settings s = settings(file, NULL), c = settings(NULL, file);

	run_pair(f, server_of(&s), client_of(&c), "other.example", 100);
	assert_string_equal(f->client.reason, "tls_failed");
	assert_string_equal(f->client.error, "the peer's certificate was not accepted: hostname mismatch");
	assert_int_equal(f->server.got, 0);
}

static void test_wrong_host_name_may_be_allowed(void **state)
{
	struct fixture *f = *state;
	const char *file = make_file(f, "server", "DNS:broker.example", 10, true);
	struct tls_settings s = settings(file, NULL), c = settings(NULL, file);

	c.verify_host_name = false;
	run_pair(f, server_of(&s), client_of(&c), "127.0.0.1", 100);
	assert_string_equal(f->client.reason, "done");
}

static void test_address_as_name(void **state)
{
	struct fixture *f = *state;
	const char *file = make_file(f, "server", "IP:127.0.0.1", 10, true);
	struct tls_settings s = settings(file, NULL), c = settings(NULL, file);

	run_pair(f, server_of(&s), client_of(&c), "127.0.0.1", 100);
	assert_string_equal(f->client.reason, "done");
	assert_string_equal(f->server.server_name, "");
}

static void test_unknown_authority(void **state)
{
	struct fixture *f = *state;
	const char *file = make_file(f, "server", "DNS:broker.example", 10, true);
	const char *other = make_file(f, "other", "DNS:other.example", 10, true);
	struct tls_settings s = settings(file, NULL), c = settings(NULL, other);

	run_pair(f, server_of(&s), client_of(&c), "broker.example", 100);
	assert_string_equal(f->client.reason, "tls_failed");
	assert_int_equal(f->server.got, 0);
}

static void test_expired(void **state)
{
	struct fixture *f = *state;
	const char *file = make_file(f, "server", "DNS:broker.example", 0, true);
	struct tls_settings s = settings(file, NULL), c = settings(NULL, file);

	sleep(1);
	run_pair(f, server_of(&s), client_of(&c), "broker.example", 100);
	assert_string_equal(f->client.error, "the peer's certificate was not accepted: certificate has expired");
}

static void test_client_certificate(void **state)
{
	struct fixture *f = *state;
	const char *file = make_file(f, "server", "DNS:broker.example", 10, true);
	const char *mine = make_file(f, "client", "DNS:client.example", 10, true);
	struct tls_settings s = settings(file, mine), c = settings(mine, file);

	s.client_auth = TLS_CLIENT_AUTH_REQUIRED;
	run_pair(f, server_of(&s), client_of(&c), "broker.example", 100);
	assert_string_equal(f->client.reason, "done");
}

/* With TLS 1.3 the client learns that its certificate was refused after its own handshake is over. */
static void test_client_certificate_missing_or_wrong(void **state)
{
	struct fixture *f = *state;
	const char *file = make_file(f, "server", "DNS:broker.example", 10, true);
	const char *mine = make_file(f, "client", "DNS:client.example", 10, true);
	const char *other = make_file(f, "other", "DNS:other.example", 10, true);
	static const enum tls_client_auth kinds[] = {TLS_CLIENT_AUTH_REQUIRED, TLS_CLIENT_AUTH_REQUESTED};

	for (int i = 0; i < 3; i++) {
		struct tls_settings s = settings(file, mine), c = settings(i == 0 ? NULL : other, file);

		s.client_auth = kinds[i == 2];
		run_pair(f, server_of(&s), client_of(&c), "broker.example", 100);
		assert_string_equal(f->server.reason, "tls_failed");
		assert_int_equal(f->server.got, 0);
		assert_true(f->client.got_alert);
		assert_false(f->server.got_alert);
	}
}

/* It believes everybody, and shows a server's certificate to who asks for one; without one it is told that it lacks. */
static void test_prober(void **state)
{
	struct fixture *f = *state;
	const char *file = make_file(f, "server", "DNS:broker.example", 10, true);
	const char *mine = make_file(f, "client", "DNS:client.example", 10, true);
	struct tls_settings s = settings(file, mine), own = settings(mine, NULL);
	struct tls_context *t = server_of(&own);

	s.client_auth = TLS_CLIENT_AUTH_REQUIRED;
	run_pair(f, server_of(&s), tls_context_new_prober(t), "any.example", 100);
	assert_string_equal(f->client.reason, "done");
	assert_false(f->client.got_alert);
	tls_context_unref(t);
	run_pair(f, server_of(&s), tls_context_new_prober(NULL), "any.example", 100);
	assert_true(f->client.got_alert);
}

static void test_certificate_by_name(void **state)
{
	struct fixture *f = *state;
	char both[300];
	const char *first = make_file(f, "first", "DNS:first.example", 10, true);
	const char *second = make_file(f, "second", "DNS:*.second.example", 10, true);
	struct tls_settings s, c = settings(NULL, second);

	snprintf(both, sizeof(both), "%s,%s", first, second);
	s = settings(both, NULL);
	run_pair(f, server_of(&s), client_of(&c), "b1.second.example", 100);
	assert_string_equal(f->client.reason, "done");
}

static void test_plain_peer(void **state)
{
	struct fixture *f = *state;
	const char *file = make_file(f, "server", "DNS:broker.example", 10, true);
	struct tls_settings s = settings(file, NULL);

	run_pair(f, server_of(&s), NULL, NULL, 100);
	assert_string_equal(f->server.reason, "tls_failed");
	assert_true(f->server.error[0] != '\0');
	assert_int_equal(f->server.got, 0);
}

static void test_silent_peer(void **state)
{
	struct fixture *f = *state;
	const char *file = make_file(f, "server", "DNS:broker.example", 10, true);
	struct tls_settings s = settings(file, NULL);
	struct tls_context *t = server_of(&s);
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
	f->open = 1;
	f->server.conn = conn_accept(f->loop, fds[0], &limits, &callbacks, &f->server);
	conn_start_tls(f->server.conn, t, STR_NULL, 50);
	tls_context_unref(t);
	loop_run(f->loop);
	close(fds[1]);
	assert_string_equal(f->server.reason, "tls_timeout");
}

static void test_settings_that_do_not_work(void **state)
{
	struct fixture *f = *state;
	const char *file = make_file(f, "server", "DNS:broker.example", 10, true);
	const char *no_key = make_file(f, "no_key", "DNS:broker.example", 10, false);
	char errbuf[TLS_ERROR_MAX];
	struct tls_context *t;
	struct tls_settings s;

	s = settings("/nowhere.pem", NULL);
	assert_int_equal(tls_context_new_server(&s, &t, errbuf), ERR_INVALID);
	assert_non_null(strstr(errbuf, "ssl.keystore.location=/nowhere.pem: can not be read"));
	s = settings(no_key, NULL);
	assert_int_equal(tls_context_new_server(&s, &t, errbuf), ERR_INVALID);
	assert_non_null(strstr(errbuf, "no private key"));
	s = settings(NULL, NULL);
	assert_int_equal(tls_context_new_server(&s, &t, errbuf), ERR_INVALID);
	s = settings(file, NULL);
	s.client_auth = TLS_CLIENT_AUTH_REQUESTED;
	assert_int_equal(tls_context_new_server(&s, &t, errbuf), ERR_INVALID);
	assert_non_null(strstr(errbuf, "ssl.client.auth"));
	s = settings(file, NULL);
	s.cipher_suites = STR_LIT("NONSENSE");
	assert_int_equal(tls_context_new_server(&s, &t, errbuf), ERR_INVALID);
	assert_non_null(strstr(errbuf, "ssl.cipher.suites=NONSENSE"));
	s = settings(NULL, "/nowhere.pem");
	assert_int_equal(tls_context_new_client(&s, &t, errbuf), ERR_INVALID);
	assert_non_null(strstr(errbuf, "ssl.truststore.location=/nowhere.pem"));
}

static void test_text_instead_of_files(void **state)
{
	struct fixture *f = *state;
	const char *path = make_file(f, "server", "DNS:broker.example", 10, true);
	char text[8192] = "";
	size_t used = 0;
	int ch;
	FILE *in = fopen(path, "r");
	struct tls_settings s = settings(NULL, NULL), c = settings(NULL, NULL);

	while ((ch = fgetc(in)) != EOF && used < sizeof(text) - 2) {
		if (ch == '\n') {
			text[used++] = '\\';
			ch = 'n';
		}
		text[used++] = (char)ch;
	}
	fclose(in);
	s.keystore_certificate_chain = s.keystore_key = c.truststore_certificates = str_of(text);
	run_pair(f, server_of(&s), client_of(&c), "broker.example", 100);
	assert_string_equal(f->client.reason, "done");
}

static void test_not_after(void **state)
{
	struct fixture *f = *state;
	const char *file = make_file(f, "server", "DNS:broker.example", 10, true);
	struct tls_settings s = settings(file, NULL);
	struct tls_context *t = server_of(&s);
	int64_t left = tls_context_not_after(t) - loop_wall(f->loop);

	assert_in_range(left, (uint64_t)(9 * DAY_S) * 1000, (uint64_t)(11 * DAY_S) * 1000);
	tls_context_unref(t);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_both_directions),
		TEST(test_tls1_2_alone),
		TEST(test_wrong_host_name),
		TEST(test_wrong_host_name_may_be_allowed),
		TEST(test_address_as_name),
		TEST(test_unknown_authority),
		TEST(test_expired),
		TEST(test_client_certificate),
		TEST(test_client_certificate_missing_or_wrong),
		TEST(test_prober),
		TEST(test_certificate_by_name),
		TEST(test_plain_peer),
		TEST(test_silent_peer),
		TEST(test_settings_that_do_not_work),
		TEST(test_text_instead_of_files),
		TEST(test_not_after),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
