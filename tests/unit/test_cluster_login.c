/* SPDX-License-Identifier: Apache-2.0 */
/* sluice's own login at brokers that refuse it, answer nonsense, or do not know the password themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cluster_fake.h"

struct fixture {
	struct client cl;
	int16_t handshake_error, error;
	const char *message;    /* of the error */
	const char *answers[4]; /* tokens in turn */
	size_t answers_n, answered;
	int64_t lifetime_ms;
	bool garbage;
	uint8_t token[256]; /* the last one that came */
	size_t token_n;
	char mechanism[40];
	int handshakes, tokens, others_between; /* others: requests between a handshake and its end */
	bool between;
};

static bool answer_handshake(struct fixture *f, struct fake_request *rq)
{
	struct sasl_handshake_response rs;
	struct sasl_handshake_request m;
	struct str has[2] = {STR_LIT("GSSAPI"), STR_LIT("PLAIN")};

	fake_decode(rq, &m);
	snprintf(f->mechanism, sizeof(f->mechanism), "%.*s", (int)m.mechanism.n, m.mechanism.p);
	codec_init(&sasl_handshake_response_schema, &rs);
	rs.error_code = f->handshake_error;
	rs.mechanisms = has;
	rs.mechanisms_n = 2;
	f->handshakes++;
	f->answered = 0;
	f->between = true;
	fake_answer(rq, &rs);
	return true;
}

static bool answer_token(struct fixture *f, struct fake_request *rq)
{
	struct sasl_authenticate_response rs;
	struct sasl_authenticate_request m;
	const char *token = f->answered < f->answers_n ? f->answers[f->answered++] : "";

	fake_decode(rq, &m);
	assert_true(m.auth_bytes.n <= sizeof(f->token));
	memcpy(f->token, m.auth_bytes.p, m.auth_bytes.n);
	f->token_n = m.auth_bytes.n;
	f->tokens++;
	if (f->garbage) {
		fake_answer_raw(rq, "\0\0\0\x5xxxxx", 9);
		return true;
	}
	codec_init(&sasl_authenticate_response_schema, &rs);
	rs.error_code = f->error;
	rs.error_message = f->message ? str_of(f->message) : STR_NULL;
	rs.auth_bytes = (struct bytes){(const uint8_t *)token, strlen(token)};
	rs.session_lifetime_ms = f->lifetime_ms;
	f->between = f->answered < f->answers_n;
	fake_answer(rq, &rs);
	return true;
}

static bool handle(void *arg, struct fake_request *rq)
{
	struct fixture *f = arg;

	if (rq->header.api_key == 17)
		return answer_handshake(f, rq);
	if (rq->header.api_key == 36)
		return answer_token(f, rq);
	f->others_between += f->between && rq->header.api_key != 18;
	return false;
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	client_init(&f->cl, handle, f);
	f->cl.fake.max_version[17] = 1;
	f->cl.fake.max_version[36] = 2;
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	login_unref(f->cl.cfg.login);
	client_release(&f->cl);
	free(f);
	return 0;
}

static void log_in(struct fixture *f, const char *mechanism)
{
	struct login_settings s = {str_of(mechanism), STR_LIT("sluice"), STR_LIT("s3cret"), STR_NULL};
	char err[LOGIN_ERROR_MAX] = "";

	if (login_new(&s, &f->cl.cfg.login, err))
		fail_msg("%s", err);
}

static void expect_refusal(struct fixture *f, const char *why)
{
	client_start(&f->cl, false);
	UNTIL(&f->cl, client_logged(&f->cl, why));
	assert_true(client_logged(&f->cl, "reason=login_failed"));
	assert_false(client_logged(&f->cl, "s3cret"));
	assert_non_null(strstr(cluster_login_error(f->cl.cluster), why));
	assert_int_equal(f->cl.metadata_n, 0);
}

static void test_plain(void **state)
{
	struct fixture *f = *state;

	log_in(f, "PLAIN");
	client_start(&f->cl, true);
	assert_string_equal(f->mechanism, "PLAIN");
	assert_int_equal(f->token_n, 14);
	assert_memory_equal(f->token, "\0sluice\0s3cret", 14);
	assert_string_equal(cluster_login_error(f->cl.cluster), "");
	assert_int_equal(f->others_between, 0);
}

/* Connections stay, and nothing else is asked on one while its login is repeated. */
static void test_again(void **state)
{
	struct fixture *f = *state;
	int accepted, target;

	f->lifetime_ms = 150;
	f->cl.cfg.metadata_max_age_ms = 100;
	log_in(f, "PLAIN");
	client_start(&f->cl, true);
	cluster_refresh(f->cl.cluster);
	UNTIL(&f->cl, f->cl.fake.requests[3] >= 2);
	accepted = f->cl.fake.accepted;
	target = f->handshakes + 3;
	UNTIL(&f->cl, f->handshakes >= target);
	assert_int_equal(f->cl.fake.accepted, accepted);
	assert_int_equal(f->others_between, 0);
}

static void test_refused(void **state)
{
	struct fixture *f = *state;

	f->error = KAFKA_ERR_SASL_AUTHENTICATION_FAILED;
	f->message = "Invalid username\nor password";
	log_in(f, "PLAIN");
	expect_refusal(f, "at 127.0.0.1:");
	assert_true(client_logged(&f->cl, "did not succeed: Invalid username?or password"));
	/* Not tried again at once. */
	client_run(&f->cl, NULL, 300);
	assert_int_equal(f->tokens, 1);
}

static void test_refused_later(void **state)
{
	struct fixture *f = *state;

	f->lifetime_ms = 200;
	log_in(f, "PLAIN");
	client_start(&f->cl, true);
	cluster_refresh(f->cl.cluster);
	UNTIL(&f->cl, f->cl.fake.requests[3] >= 2);
	f->error = KAFKA_ERR_SASL_AUTHENTICATION_FAILED;
	UNTIL(&f->cl, client_logged(&f->cl, "lost: the login of sluice as 'sluice' by PLAIN"));
	f->error = 0;
	UNTIL(&f->cl, *cluster_login_error(f->cl.cluster) == '\0' && cluster_is_connected(f->cl.cluster));
}

static void test_other_mechanisms(void **state)
{
	struct fixture *f = *state;

	f->handshake_error = KAFKA_ERR_UNSUPPORTED_SASL_MECHANISM;
	log_in(f, "SCRAM-SHA-256");
	expect_refusal(f, "must be one that the broker's listener has: GSSAPI PLAIN");
}

static void test_no_sasl(void **state)
{
	struct fixture *f = *state;

	f->cl.fake.max_version[17] = -1;
	log_in(f, "PLAIN");
	expect_refusal(f, "knows no SASL of Kafka 1.0");
}

static void test_garbage(void **state)
{
	struct fixture *f = *state;

	f->garbage = true;
	log_in(f, "PLAIN");
	client_start(&f->cl, false);
	UNTIL(&f->cl, client_logged(&f->cl, "wrong_correlation_id"));
}

static void test_scram_nonce(void **state)
{
	struct fixture *f = *state;

	f->answers[0] = "r=notmine,s=c2FsdA==,i=4096";
	f->answers_n = 1;
	log_in(f, "SCRAM-SHA-512");
	expect_refusal(f, "nonce");
	assert_int_equal(f->tokens, 1);
	assert_memory_equal(f->token, "n,,n=sluice,r=", 14);
}

static void test_oauth(void **state)
{
	struct fixture *f = *state;
	char path[] = "/tmp/test_cluster_login.XXXXXX", err[LOGIN_ERROR_MAX] = "";
	struct login_settings s = {STR_LIT("OAUTHBEARER"), STR_NULL, STR_NULL, str_of(path)};
	int fd = mkstemp(path);

	assert_int_not_equal(fd, -1);
	assert_int_equal(login_new(&s, &f->cl.cfg.login, err), ERR_INVALID);
	assert_non_null(strstr(err, "no token in it"));
	assert_int_equal(write(fd, " a.b.c \n", 8), 8);
	assert_int_equal(login_new(&s, &f->cl.cfg.login, err), ERR_OK);
	client_start(&f->cl, true);
	assert_int_equal(f->token_n, 23);
	assert_memory_equal(f->token, "n,,\001auth=Bearer a.b.c\001\001", 23);
	close(fd);
	unlink(path);
}

static void test_oauth_refused(void **state)
{
	struct fixture *f = *state;
	char path[] = "/tmp/test_cluster_login.XXXXXX", err[LOGIN_ERROR_MAX] = "";
	struct login_settings s = {STR_LIT("OAUTHBEARER"), STR_NULL, STR_NULL, str_of(path)};
	int fd = mkstemp(path);

	assert_int_not_equal(fd, -1);
	assert_int_equal(write(fd, "a.b.c", 5), 5);
	assert_int_equal(login_new(&s, &f->cl.cfg.login, err), ERR_OK);
	f->answers[0] = "{\"status\":\"invalid_token\"}";
	f->answers_n = 1;
	expect_refusal(f, "invalid_token");
	close(fd);
	unlink(path);
}

/* Whatever a broker says in the place of its SCRAM answers, it is refused or asked for more, never believed. */
static void test_scram_nonsense(void **state)
{
	static const char *const words[] = {"", "r=", "r=x", ",,,,", "e=other-error", "v=", "v=AAAA", "r=x,s=,i=0",
		"r=x,s=c2FsdA==,i=99999999999", "r=x,s=!!!!,i=4096", "s=c2FsdA==,r=x,i=4096", "\377\377\377"};
	struct fixture *f = *state;

	log_in(f, "SCRAM-SHA-256");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct bytes out = {NULL, 0}, in = {(const uint8_t *)words[i], strlen(words[i])};
		char err[LOGIN_ERROR_MAX] = "";
		struct login_exchange *x = login_exchange_new(f->cl.cfg.login, "broker", err);

		assert_non_null(x);
		assert_int_equal(login_exchange_step(x, (struct bytes){NULL, 0}, &out, err), ERR_OK);
		assert_int_equal(login_exchange_step(x, in, &out, err), ERR_INVALID);
		assert_true(err[0] != '\0');
		assert_false(login_exchange_is_done(x));
		login_exchange_free(x);
	}
}

static void test_settings(void **state)
{
	struct login_settings s = {STR_LIT("SCRAM-MD5"), STR_LIT("a"), STR_LIT("b"), STR_NULL};
	char err[LOGIN_ERROR_MAX] = "";
	struct login *l;

	(void)state;
	assert_int_equal(login_new(&s, &l, err), ERR_INVALID);
	assert_non_null(strstr(err, "not installed"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		T(test_plain),
		T(test_again),
		T(test_refused),
		T(test_refused_later),
		T(test_other_mechanisms),
		T(test_no_sasl),
		T(test_garbage),
		T(test_scram_nonce),
		T(test_oauth),
		T(test_oauth_refused),
		T(test_scram_nonsense),
#undef T
		cmocka_unit_test(test_settings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
