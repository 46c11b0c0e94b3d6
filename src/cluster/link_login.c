/* SPDX-License-Identifier: Apache-2.0 */
/* sluice's own login on one of its connections (SaslHandshake v1, SaslAuthenticate), and again before it runs out
 * (KIP-368).
 *
 *   VERSIONS -> LOGIN: handshake -> authenticate ... -> READY -> (relogin_at) handshake behind what is in flight ->
 * authenticate ... -> requests go on */
#include <ctype.h>
#include <stdio.h>

#include "base/assert.h"
#include "cluster_priv.h"
#include "wire/messages.h"

#define SASL_HANDSHAKE_KEY 17
#define SASL_HANDSHAKE_VERSION 1
#define SASL_AUTHENTICATE_KEY 36
#define SASL_AUTHENTICATE_VERSION 2
#define LOGIN_ARENA_MAX ((size_t)64 * 1024)
#define LOGIN_ANSWER_MAX ((size_t)512 * 1024)
/* Not sooner than so much of the lifetime has gone, a few percent more by chance, as Kafka's clients do. */
#define RELOGIN_PERCENT 85
#define RELOGIN_SPREAD_PERCENT 10
/* Some services lock an account after a few wrong passwords. */
#define REFUSED_RETRY_MS 5000

static struct broker_link *link_of(struct rq *rq)
{
	return (struct broker_link *)(void *)((char *)rq - offsetof(struct broker_link, login.rq));
}

/* Ends the link, with a sentence for the log and for whoever asks why there is no cluster. */
static void login_refused(struct broker_link *l, const char *text, size_t n)
{
	struct str who = login_who(l->cluster->cfg.login), mechanism = login_mechanism(l->cluster->cfg.login);
	char *why = l->cluster->login_error;
	struct node *node = l->node;
	size_t at;

	snprintf(why, CLUSTER_LOGIN_ERROR_MAX,
		"the login of sluice as '%.*s' by %.*s at %s:%d did not succeed: ", (int)who.n, who.p, (int)mechanism.n,
		mechanism.p, node->host, (int)node->port);
	at = strlen(why);
	for (size_t i = 0; i < n && at < CLUSTER_LOGIN_ERROR_MAX - 1; i++, at++)
		why[at] = isprint((unsigned char)text[i]) ? text[i] : '?';
	why[at] = '\0';
	l->login.failed = true;
	l->cluster->counts.login_failures++;
	link_end(l, "login_failed", true);
	if (node->retry_at < loop_now(l->cluster->loop) + REFUSED_RETRY_MS)
		node->retry_at = loop_now(l->cluster->loop) + REFUSED_RETRY_MS;
}

static void login_refused_text(struct broker_link *l, const char *text)
{
	login_refused(l, text, strlen(text));
}

static void login_send(struct broker_link *l, const struct rq_ops *ops)
{
	struct rq *rq = &l->login.rq;
	int16_t error;

	rq->ops = ops;
	rq->cluster = l->cluster;
	rq->version_cap = ops->version_max;
	rq->deadline = loop_now(l->cluster->loop) + l->cluster->cfg.connection_setup_timeout_ms;
	if (!link_send(l, rq, &error))
		login_refused_text(l, "the broker's listener knows no SASL of Kafka 1.0 or later");
}

static void login_failed(struct rq *rq, int16_t error)
{
	/* The link ends. */
	(void)rq;
	(void)error;
}

/* A lifetime of 0 is one without end. */
static void login_done(struct broker_link *l, int64_t lifetime_ms)
{
	int64_t part = RELOGIN_PERCENT + loop_now(l->cluster->loop) % RELOGIN_SPREAD_PERCENT;

	login_exchange_free(l->login.exchange);
	l->login.exchange = NULL;
	l->login.again_at = INT64_MAX;
	if (lifetime_ms > 0)
		l->login.again_at = loop_now(l->cluster->loop) + lifetime_ms / 100 * part + lifetime_ms % 100;
	l->cluster->login_error[0] = '\0';
	if (l->state == LINK_LOGIN)
		link_set_ready(l);
	l->cluster->counts.logins++;
}

static enum err authenticate_build(struct rq *rq, struct writer *w)
{
	struct broker_link *l = link_of(rq);
	struct sasl_authenticate_request m;

	codec_init(&sasl_authenticate_request_schema, &m);
	m.auth_bytes = l->login.token;
	if (!m.auth_bytes.p)
		m.auth_bytes = (struct bytes){(const uint8_t *)"", 0};
	return codec_encode(&sasl_authenticate_request_schema, rq->version, w, &m);
}

static void login_step(struct broker_link *l, struct bytes in);

/* The broker has taken the last token. */
static void authenticate_taken(struct broker_link *l, const struct sasl_authenticate_response *m)
{
	char err[LOGIN_ERROR_MAX];
	struct bytes out = {NULL, 0};

	if (login_exchange_is_done(l->login.exchange)) {
		login_done(l, m->session_lifetime_ms);
		return;
	}
	if (login_exchange_step(l->login.exchange, m->auth_bytes, &out, err)) {
		login_refused_text(l, err);
		return;
	}
	l->login.token = out;
	if (login_exchange_is_done(l->login.exchange) && out.n == 0)
		login_done(l, m->session_lifetime_ms);
	else
		login_step(l, out);
}

static enum err authenticate_answered(struct rq *rq, struct reader *body, struct chunk *chunk)
{
	struct broker_link *l = link_of(rq);
	struct sasl_authenticate_response m;
	struct arena a;
	enum err e;

	(void)chunk;
	arena_init(&a, LOGIN_ARENA_MAX);
	e = codec_decode(&sasl_authenticate_response_schema, rq->version, body, &a, &m, NULL);
	if (!e && m.error_code && m.error_message.n)
		login_refused(l, m.error_message.p, m.error_message.n);
	else if (!e && m.error_code)
		login_refused_text(l, kafka_error_name(m.error_code));
	else if (!e)
		authenticate_taken(l, &m);
	arena_release(&a);
	return e;
}

static const struct rq_ops authenticate_ops = {
	.api_key = SASL_AUTHENTICATE_KEY,
	.version_max = SASL_AUTHENTICATE_VERSION,
	.answer_max = LOGIN_ANSWER_MAX,
	.build = authenticate_build,
	.answered = authenticate_answered,
	.failed = login_failed,
};

static void login_step(struct broker_link *l, struct bytes token)
{
	l->login.token = token;
	login_send(l, &authenticate_ops);
}

static enum err handshake_build(struct rq *rq, struct writer *w)
{
	struct sasl_handshake_request m;

	codec_init(&sasl_handshake_request_schema, &m);
	m.mechanism = login_mechanism(link_of(rq)->cluster->cfg.login);
	return codec_encode(&sasl_handshake_request_schema, rq->version, w, &m);
}

static void handshake_refused(struct broker_link *l, const struct sasl_handshake_response *m)
{
	char text[200];
	size_t n;

	if (m->error_code != KAFKA_ERR_UNSUPPORTED_SASL_MECHANISM) {
		snprintf(text, sizeof(text),
			"%s; security.protocol should be PLAINTEXT or SSL where brokers know no login",
			kafka_error_name(m->error_code));
		login_refused_text(l, text);
		return;
	}
	n = (size_t)snprintf(text, sizeof(text), "sasl.mechanism must be one that the broker's listener has:");
	for (uint32_t i = 0; i < m->mechanisms_n && n < sizeof(text); i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, " %.*s", (int)m->mechanisms[i].n, m->mechanisms[i].p);
	login_refused_text(l, text);
}

static enum err handshake_answered(struct rq *rq, struct reader *body, struct chunk *chunk)
{
	struct broker_link *l = link_of(rq);
	struct sasl_handshake_response m;
	struct bytes token = {NULL, 0};
	char err[LOGIN_ERROR_MAX];
	struct arena a;
	enum err e;

	(void)chunk;
	arena_init(&a, LOGIN_ARENA_MAX);
	e = codec_decode(&sasl_handshake_response_schema, rq->version, body, &a, &m, NULL);
	if (!e && m.error_code) {
		handshake_refused(l, &m);
	} else if (!e) {
		if (login_exchange_step(l->login.exchange, token, &token, err))
			login_refused_text(l, err);
		else
			login_step(l, token);
	}
	arena_release(&a);
	return e;
}

static const struct rq_ops handshake_ops = {
	.api_key = SASL_HANDSHAKE_KEY,
	.version_min = SASL_HANDSHAKE_VERSION,
	.version_max = SASL_HANDSHAKE_VERSION,
	.answer_max = LOGIN_ANSWER_MAX,
	.build = handshake_build,
	.answered = handshake_answered,
	.failed = login_failed,
};

void link_login(struct broker_link *l)
{
	char err[LOGIN_ERROR_MAX];

	sl_assert(!l->login.exchange && (l->state == LINK_LOGIN || l->state == LINK_READY));
	l->login.exchange = login_exchange_new(l->cluster->cfg.login, l->node->host, err);
	if (l->login.exchange)
		login_send(l, &handshake_ops);
	else
		login_refused_text(l, err);
}
