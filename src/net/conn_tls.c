/* SPDX-License-Identifier: Apache-2.0 */
/* The TLS transport of a connection: handshake, records, its end. */
#include <errno.h>
#include <stdio.h>
#include <sys/uio.h>

#include <openssl/err.h>
#include <openssl/x509v3.h>

#include "base/assert.h"
#include "base/mem.h"
#include "conn_priv.h"
#include "tls_priv.h"

/* A record holds so much at most; smaller ones would be more work for the same bytes. */
#define RECORD_MAX 16384u

struct conn_tls {
	struct tls_context *context;
	SSL *ssl;
	bool got_alert;
	char error[160];
};

/* What OpenSSL has to say about the last call. */
static void note_error(struct conn_tls *t, int error)
{
	unsigned long code = ERR_get_error();
	const char *reason = code ? ERR_reason_error_string(code) : NULL;
	long verdict = SSL_get_verify_result(t->ssl);

	/* The reasons of alerts that came from the peer have numbers of their own. */
	t->got_alert = code && ERR_GET_REASON(code) > SSL_AD_REASON_OFFSET;
	if (verdict != X509_V_OK)
		snprintf(t->error, sizeof(t->error), "the peer's certificate was not accepted: %s",
			X509_verify_cert_error_string(verdict));
	else if (reason)
		snprintf(t->error, sizeof(t->error), "%s", reason);
	else if (error == SSL_ERROR_SYSCALL || error == SSL_ERROR_ZERO_RETURN)
		snprintf(t->error, sizeof(t->error), "the peer closed the connection during the handshake");
	else
		snprintf(t->error, sizeof(t->error), "error %d", error);
	ERR_clear_error();
}

/* The result of SSL_read or SSL_write in the words of read(2). */
static ssize_t tls_result(struct conn *c, int r)
{
	int saved = errno, error;

	if (r > 0)
		return r;
	error = SSL_get_error(c->tls->ssl, r);
	switch (error) {
	case SSL_ERROR_WANT_READ:
	case SSL_ERROR_WANT_WRITE:
		errno = EAGAIN;
		return -1;
	case SSL_ERROR_ZERO_RETURN:
		return 0;
	case SSL_ERROR_SYSCALL:
		ERR_clear_error();
		errno = saved;
		if (saved == 0)
			return 0;
		return -1;
	default:
		note_error(c->tls, error);
		errno = EPROTO;
		return -1;
	}
}

static ssize_t tls_read(struct conn *c, void *p, size_t n)
{
	ERR_clear_error();
	errno = 0;
	return tls_result(c, SSL_read(c->tls->ssl, p, n > INT32_MAX ? INT32_MAX : (int)n));
}

/* One record: pieces are put together for it. When it must wait, the next call brings the same bytes again, and perhaps
 * more behind them. */
static ssize_t tls_writev(struct conn *c, const struct iovec *v, int n)
{
	uint8_t record[RECORD_MAX];
	size_t used = 0;
	ssize_t r;

	ERR_clear_error();
	errno = 0;
	if (n > 0 && v[0].iov_len >= RECORD_MAX) {
		r = tls_result(c, SSL_write(c->tls->ssl, v[0].iov_base, RECORD_MAX));
	} else {
		for (int i = 0; i < n && used < RECORD_MAX; i++) {
			size_t part = v[i].iov_len < RECORD_MAX - used ? v[i].iov_len : RECORD_MAX - used;

			memcpy(record + used, v[i].iov_base, part);
			used += part;
		}
		r = tls_result(c, SSL_write(c->tls->ssl, record, (int)used));
	}
	/* Nothing can be written to a connection that has ended. */
	if (r == 0) {
		errno = EPIPE;
		r = -1;
	}
	return r;
}

static void tls_shutdown(struct conn *c)
{
	ERR_clear_error();
	(void)SSL_shutdown(c->tls->ssl);
	ERR_clear_error();
	shutdown(c->fd, SHUT_WR);
}

static int tls_handshake(struct conn *c)
{
	int r, error;

	ERR_clear_error();
	if (!SSL_get_rbio(c->tls->ssl) && SSL_set_fd(c->tls->ssl, c->fd) != 1)
		return -1;
	r = SSL_do_handshake(c->tls->ssl);
	if (r == 1)
		return 1;
	error = SSL_get_error(c->tls->ssl, r);
	if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) {
		c->handshake_writes = error == SSL_ERROR_WANT_WRITE;
		return 0;
	}
	note_error(c->tls, error);
	return -1;
}

static const struct conn_ops tls_ops = {
	.read = tls_read, .writev = tls_writev, .handshake = tls_handshake, .shutdown = tls_shutdown};

/* A wildcard or a name of the certificate fits; Common Names do not count. */
static bool ctx_has_name(SSL_CTX *ctx, const char *name)
{
	X509 *cert = SSL_CTX_get0_certificate(ctx);

	return cert && X509_check_host(cert, name, 0, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT, NULL) == 1;
}

int tls_on_server_name(SSL *ssl, int *alert, void *arg)
{
	const struct tls_context *t = arg;
	const char *name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);

	(void)alert;
	if (!name)
		return SSL_TLSEXT_ERR_NOACK;
	for (uint32_t i = 0; i < t->ctxs_n; i++) {
		if (ctx_has_name(t->ctxs[i], name)) {
			SSL_set_SSL_CTX(ssl, t->ctxs[i]);
			return SSL_TLSEXT_ERR_OK;
		}
	}
	return SSL_TLSEXT_ERR_OK;
}

/* The certificate must be for the address or name that was asked for. Addresses are not sent as server names. */
static void client_expect(struct conn_tls *t, const char *name)
{
	X509_VERIFY_PARAM *param = SSL_get0_param(t->ssl);
	bool is_address = X509_VERIFY_PARAM_set1_ip_asc(param, name) == 1;

	if (!is_address) {
		SSL_set_tlsext_host_name(t->ssl, name);
		if (t->context->verify_host_name)
			X509_VERIFY_PARAM_set1_host(param, name, 0);
	} else if (!t->context->verify_host_name) {
		X509_VERIFY_PARAM_set1_ip(param, NULL, 0);
	}
	ERR_clear_error();
}

void conn_start_tls(struct conn *c, struct tls_context *context, struct str server_name, int32_t timeout_ms)
{
	struct conn_tls *t;

	sl_assert(!c->tls && c->bytes_in == 0 && c->bytes_out == 0);
	t = mem_zalloc(1, sizeof(*t));
	t->context = tls_context_ref(context);
	t->ssl = SSL_new(context->ctxs[0]);
	sl_assert(t->ssl);
	if (context->is_server) {
		SSL_set_accept_state(t->ssl);
	} else {
		char *name = mem_copy_string(server_name.p, server_name.n);

		SSL_set_connect_state(t->ssl);
		client_expect(t, name);
		mem_free(name);
	}
	c->tls = t;
	c->ops = &tls_ops;
	conn_begin_handshake(c, timeout_ms);
}

/* A session that ended without close_notify may be resumed all the same: it was not cut by an attacker, the frames
 * tell. */
void conn_tls_free(struct conn *c)
{
	if (!c->tls)
		return;
	SSL_set_shutdown(c->tls->ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
	SSL_free(c->tls->ssl);
	tls_context_unref(c->tls->context);
	mem_free(c->tls);
	c->tls = NULL;
}

const char *conn_tls_error(const struct conn *c)
{
	return c->tls ? c->tls->error : "";
}

bool conn_tls_got_alert(const struct conn *c)
{
	return c->tls && c->tls->got_alert;
}

void conn_tls_describe(const struct conn *c, char out[100])
{
	out[0] = '\0';
	if (c->tls && !c->handshaking)
		snprintf(out, 100, "%s %s", SSL_get_version(c->tls->ssl), SSL_get_cipher_name(c->tls->ssl));
}

struct str conn_tls_server_name(const struct conn *c)
{
	const char *name = c->tls ? SSL_get_servername(c->tls->ssl, TLSEXT_NAMETYPE_host_name) : NULL;

	return name ? str_of(name) : STR_NULL;
}
