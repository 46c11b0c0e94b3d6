/* SPDX-License-Identifier: Apache-2.0 */
/* Certificates, keys and trust are read, checked and put into OpenSSL's contexts here. */
#include "net/tls.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "base/assert.h"
#include "base/mem.h"
#include "tls_priv.h"

#define PEM_MAX ((size_t)4 << 20)
#define TICKET_SESSIONS 20000

struct tls_builder {
	const struct tls_settings *s;
	struct tls_context *t;
	SSL_CTX *ctx; /* of the certificate in hand */
	char *errbuf;
};

static enum err tls_fail(struct tls_builder *b, const char *what, struct str value, const char *why)
{
	unsigned long code = ERR_peek_last_error();
	const char *reason = code ? ERR_reason_error_string(code) : NULL;

	snprintf(b->errbuf, TLS_ERROR_MAX, "%s=%.*s: %s%s%s", what, (int)(value.n < 120 ? value.n : 120),
		value.p ? value.p : "", why, reason ? ": " : "", reason ? reason : "");
	ERR_clear_error();
	return ERR_INVALID;
}

/* PEM text stands in one line of a file: "\n" are its line ends. */
static BIO *bio_of_text(struct str text)
{
	BIO *bio = BIO_new(BIO_s_mem());

	sl_assert(bio);
	for (size_t i = 0; i < text.n; i++) {
		bool is_end = text.p[i] == '\\' && i + 1 < text.n && text.p[i + 1] == 'n';

		BIO_write(bio, is_end ? "\n" : &text.p[i], 1);
		i += is_end;
	}
	return bio;
}

static BIO *bio_of_file(struct str path)
{
	char *name = mem_copy_string(path.p, path.n);
	BIO *bio = BIO_new_file(name, "r");

	mem_free(name);
	return bio;
}

static int password_cb(char *buf, int size, int rwflag, void *arg)
{
	const struct tls_settings *s = arg;

	(void)rwflag;
	if (s->key_password.n == 0 || s->key_password.n > (size_t)size)
		return 0;
	memcpy(buf, s->key_password.p, s->key_password.n);
	return (int)s->key_password.n;
}

static int64_t asn1_ms(const ASN1_TIME *at)
{
	struct tm tm;

	return ASN1_TIME_to_tm(at, &tm) == 1 ? (int64_t)timegm(&tm) * 1000 : INT64_MAX;
}

static void note_not_after(struct tls_context *t, const X509 *cert)
{
	int64_t at = asn1_ms(X509_get0_notAfter(cert));

	if (at < t->not_after)
		t->not_after = at;
}

/* The first certificate is ours, those behind it lead to an authority. */
static enum err read_chain(struct tls_builder *b, BIO *bio, const char *what, struct str value)
{
	X509 *cert = PEM_read_bio_X509_AUX(bio, NULL, NULL, NULL);
	enum err e = ERR_OK;

	if (!cert)
		return tls_fail(
			b, what, value, "no certificate in it, expected PEM with the chain, own certificate first");
	note_not_after(b->t, cert);
	if (SSL_CTX_use_certificate(b->ctx, cert) != 1)
		e = tls_fail(b, what, value, "the certificate can not be used");
	X509_free(cert);
	while (!e && (cert = PEM_read_bio_X509(bio, NULL, NULL, NULL))) {
		note_not_after(b->t, cert);
		if (SSL_CTX_add0_chain_cert(b->ctx, cert) != 1) {
			X509_free(cert);
			e = tls_fail(b, what, value, "a certificate of the chain can not be used");
		}
	}
	/* The end of the file is told as an error. */
	ERR_clear_error();
	return e;
}

static enum err read_key(struct tls_builder *b, BIO *bio, const char *what, struct str value)
{
	/* OpenSSL gives the argument to password_cb, which only reads it. */
	struct tls_settings copy = *b->s;
	EVP_PKEY *key = PEM_read_bio_PrivateKey(bio, NULL, password_cb, &copy);
	enum err e = ERR_OK;

	if (!key)
		return tls_fail(b, what, value,
			"no private key that can be read, expected PEM (encrypted: with ssl.key.password)");
	if (SSL_CTX_use_PrivateKey(b->ctx, key) != 1 || SSL_CTX_check_private_key(b->ctx) != 1)
		e = tls_fail(b, what, value, "the private key does not belong to the certificate");
	EVP_PKEY_free(key);
	return e;
}

static enum err read_keystore_file(struct tls_builder *b, struct str path)
{
	static const char what[] = "ssl.keystore.location";
	BIO *bio = bio_of_file(path);
	enum err e;

	if (!bio)
		return tls_fail(b, what, path, "can not be read");
	e = read_chain(b, bio, what, path);
	BIO_free(bio);
	if (e)
		return e;
	bio = bio_of_file(path);
	if (!bio)
		return tls_fail(b, what, path, "can not be read");
	e = read_key(b, bio, what, path);
	BIO_free(bio);
	return e;
}

static enum err read_keystore_text(struct tls_builder *b)
{
	static const char secret[] = "(not shown)";
	BIO *bio = bio_of_text(b->s->keystore_certificate_chain);
	enum err e = read_chain(b, bio, "ssl.keystore.certificate.chain", STR_LIT("(PEM)"));

	BIO_free(bio);
	if (e)
		return e;
	bio = bio_of_text(b->s->keystore_key);
	e = read_key(b, bio, "ssl.keystore.key", str_of(secret));
	BIO_free(bio);
	return e;
}

static enum err add_trusted(struct tls_builder *b, BIO *bio, const char *what, struct str value)
{
	X509_STORE *store = SSL_CTX_get_cert_store(b->ctx);
	uint32_t n = 0;
	X509 *cert;

	while ((cert = PEM_read_bio_X509(bio, NULL, NULL, NULL))) {
		X509_STORE_add_cert(store, cert);
		SSL_CTX_add_client_CA(b->ctx, cert);
		X509_free(cert);
		n++;
	}
	if (n == 0)
		return tls_fail(b, what, value, "no certificate in it, expected PEM with those to be trusted");
	ERR_clear_error();
	return ERR_OK;
}

static enum err read_truststore(struct tls_builder *b)
{
	const struct tls_settings *s = b->s;
	bool is_file = s->truststore_location.n > 0;
	BIO *bio = is_file ? bio_of_file(s->truststore_location) : bio_of_text(s->truststore_certificates);
	enum err e;

	if (!bio)
		return tls_fail(b, "ssl.truststore.location", s->truststore_location, "can not be read");
	if (is_file)
		e = add_trusted(b, bio, "ssl.truststore.location", s->truststore_location);
	else
		e = add_trusted(b, bio, "ssl.truststore.certificates", STR_LIT("(PEM)"));
	BIO_free(bio);
	return e;
}

/* Suites of TLS 1.3 and ciphers of TLS 1.2 have lists of their own in OpenSSL; Kafka's setting names both. */
static enum err set_ciphers(struct tls_builder *b)
{
	char v12[2048] = "", v13[1024] = "";
	struct str rest = b->s->cipher_suites;

	if (rest.n == 0)
		return ERR_OK;
	if (rest.n >= sizeof(v13))
		return tls_fail(b, "ssl.cipher.suites", rest, "expected a shorter list");
	for (size_t i = 0, start = 0; i <= rest.n; i++) {
		struct str one = {rest.p + start, i - start};
		char name[128];
		const SSL_CIPHER *cipher;
		char *list;

		if (i < rest.n && rest.p[i] != ',')
			continue;
		start = i + 1;
		snprintf(name, sizeof(name), "%.*s", (int)(one.n < 100 ? one.n : 100), one.p);
		list = strncmp(name, "TLS_AES_", 8) == 0 || strncmp(name, "TLS_CHACHA20_", 13) == 0 ? v13 : v12;
		cipher = NULL;
		for (int k = 0; list == v12 && k < sk_SSL_CIPHER_num(SSL_CTX_get_ciphers(b->ctx)); k++) {
			const SSL_CIPHER *known = sk_SSL_CIPHER_value(SSL_CTX_get_ciphers(b->ctx), k);

			if (strcmp(SSL_CIPHER_standard_name(known), name) == 0)
				cipher = known;
		}
		snprintf(list + strlen(list), 160, "%s%s", *list ? ":" : "",
			cipher ? SSL_CIPHER_get_name(cipher) : name);
	}
	if ((*v12 && SSL_CTX_set_cipher_list(b->ctx, v12) != 1) || (*v13 && SSL_CTX_set_ciphersuites(b->ctx, v13) != 1))
		return tls_fail(b, "ssl.cipher.suites", rest, "no such cipher suite");
	return ERR_OK;
}

static enum err set_common(struct tls_builder *b)
{
	const struct tls_settings *s = b->s;

	if (!s->allow_tls1_2 && !s->allow_tls1_3)
		return tls_fail(b, "ssl.enabled.protocols", STR_LIT(""), "expected TLSv1.2, TLSv1.3 or both");
	SSL_CTX_set_min_proto_version(b->ctx, s->allow_tls1_2 ? TLS1_2_VERSION : TLS1_3_VERSION);
	SSL_CTX_set_max_proto_version(b->ctx, s->allow_tls1_3 ? TLS1_3_VERSION : TLS1_2_VERSION);
	/* Kafka's clients end without close_notify; where a frame ends says whether anything is missing. */
	SSL_CTX_set_options(b->ctx, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE |
					    SSL_OP_IGNORE_UNEXPECTED_EOF);
	SSL_CTX_set_mode(
		b->ctx, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
	SSL_CTX_set_read_ahead(b->ctx, 1);
	return set_ciphers(b);
}

static SSL_CTX *ctx_new(const SSL_METHOD *method)
{
	SSL_CTX *ctx = SSL_CTX_new(method);

	sl_assert(ctx);
	return ctx;
}

static enum err add_server_ctx(struct tls_builder *b, struct str path)
{
	const struct tls_settings *s = b->s;
	struct tls_context *t = b->t;
	enum err e;

	if (t->ctxs_n == TLS_CERTIFICATES_MAX)
		return tls_fail(b, "ssl.keystore.location", path, "expected fewer files");
	b->ctx = t->ctxs[t->ctxs_n++] = ctx_new(TLS_server_method());
	e = set_common(b);
	if (!e)
		e = path.n ? read_keystore_file(b, path) : read_keystore_text(b);
	if (!e && (s->truststore_location.n || s->truststore_certificates.n))
		e = read_truststore(b);
	else if (!e && s->client_auth != TLS_CLIENT_AUTH_NONE)
		e = tls_fail(b, "ssl.client.auth", STR_LIT(""),
			"needs ssl.truststore.location or .certificates to judge them by");
	if (e)
		return e;
	if (s->client_auth != TLS_CLIENT_AUTH_NONE)
		SSL_CTX_set_verify(b->ctx,
			SSL_VERIFY_PEER |
				(s->client_auth == TLS_CLIENT_AUTH_REQUIRED ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0),
			NULL);
	SSL_CTX_set_session_id_context(b->ctx, (const unsigned char *)"sluice", 6);
	SSL_CTX_sess_set_cache_size(b->ctx, TICKET_SESSIONS);
	SSL_CTX_set_tlsext_servername_callback(b->ctx, tls_on_server_name);
	SSL_CTX_set_tlsext_servername_arg(b->ctx, t);
	return ERR_OK;
}

static struct tls_context *context_new(void)
{
	struct tls_context *t = mem_zalloc(1, sizeof(*t));

	t->refs = 1;
	t->not_after = INT64_MAX;
	return t;
}

static enum err context_done(struct tls_builder *b, enum err e, struct tls_context **ret)
{
	if (e)
		tls_context_unref(b->t);
	else
		*ret = b->t;
	return e;
}

enum err tls_context_new_server(const struct tls_settings *s, struct tls_context **ret, char errbuf[TLS_ERROR_MAX])
{
	struct tls_builder b = {.s = s, .t = context_new(), .errbuf = errbuf};
	struct str list = s->keystore_location;
	enum err e = ERR_OK;

	ERR_clear_error();
	b.t->is_server = true;
	if (list.n == 0 && (s->keystore_certificate_chain.n == 0 || s->keystore_key.n == 0))
		e = tls_fail(&b, "ssl.keystore.location", list,
			"missing, expected a PEM file with a certificate chain and its key, or "
			"ssl.keystore.certificate.chain "
			"and ssl.keystore.key");
	else if (list.n == 0)
		e = add_server_ctx(&b, STR_NULL);
	for (size_t i = 0, start = 0; !e && list.n && i <= list.n; i++) {
		if (i < list.n && list.p[i] != ',')
			continue;
		e = add_server_ctx(&b, (struct str){list.p + start, i - start});
		start = i + 1;
	}
	return context_done(&b, e, ret);
}

enum err tls_context_new_client(const struct tls_settings *s, struct tls_context **ret, char errbuf[TLS_ERROR_MAX])
{
	struct tls_builder b = {.s = s, .t = context_new(), .errbuf = errbuf};
	enum err e;

	ERR_clear_error();
	b.ctx = b.t->ctxs[b.t->ctxs_n++] = ctx_new(TLS_client_method());
	b.t->verify_host_name = s->verify_host_name;
	e = set_common(&b);
	if (!e && (s->truststore_location.n || s->truststore_certificates.n))
		e = read_truststore(&b);
	else if (!e && SSL_CTX_set_default_verify_paths(b.ctx) != 1)
		e = tls_fail(&b, "ssl.truststore.location", STR_LIT(""),
			"the system's trusted certificates can not be read");
	if (!e && s->keystore_location.n)
		e = read_keystore_file(&b, s->keystore_location);
	else if (!e && s->keystore_certificate_chain.n)
		e = read_keystore_text(&b);
	SSL_CTX_set_verify(b.ctx, SSL_VERIFY_PEER, NULL);
	return context_done(&b, e, ret);
}

/* Of several certificates the first: whom we go to does not say which names it wants. */
static void show_same_certificate(SSL_CTX *to, SSL_CTX *from)
{
	STACK_OF(X509) *chain = NULL;

	SSL_CTX_get0_chain_certs(from, &chain);
	if (SSL_CTX_use_cert_and_key(to, SSL_CTX_get0_certificate(from), SSL_CTX_get0_privatekey(from), chain, 1) != 1)
		ERR_clear_error(); /* then it shows none */
}

struct tls_context *tls_context_new_prober(const struct tls_context *own)
{
	const struct tls_settings s = {.allow_tls1_2 = true, .allow_tls1_3 = true};
	char errbuf[TLS_ERROR_MAX];
	struct tls_builder b = {.s = &s, .t = context_new(), .errbuf = errbuf};
	enum err e;

	ERR_clear_error();
	b.ctx = b.t->ctxs[b.t->ctxs_n++] = ctx_new(TLS_client_method());
	e = set_common(&b);
	sl_assert(!e);
	SSL_CTX_set_verify(b.ctx, SSL_VERIFY_NONE, NULL);
	if (own)
		show_same_certificate(b.ctx, own->ctxs[0]);
	return b.t;
}

struct tls_context *tls_context_ref(struct tls_context *t)
{
	if (t)
		t->refs++;
	return t;
}

void tls_context_unref(struct tls_context *t)
{
	if (!t || --t->refs > 0)
		return;
	for (uint32_t i = 0; i < t->ctxs_n; i++)
		SSL_CTX_free(t->ctxs[i]);
	mem_free(t);
}

int64_t tls_context_not_after(const struct tls_context *t)
{
	return t->not_after;
}
