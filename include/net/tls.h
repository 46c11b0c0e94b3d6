/* SPDX-License-Identifier: Apache-2.0 */
/* TLS: what certificates, keys and trust a side of it has, and connections that speak it. OpenSSL's names stay in
 * src/net.
 *
 *   tls_settings -> tls_context_new (reads and checks all files) -> conn_start_tls(conn, context)
 *
 * A context never changes: a reload makes a new one, which new connections get; old ones live on with theirs. */
#ifndef SLUICE_NET_TLS_H
#define SLUICE_NET_TLS_H

#include "base/err.h"
#include "base/types.h"
#include "net/conn.h"

#define TLS_ERROR_MAX 400

enum tls_client_auth { TLS_CLIENT_AUTH_NONE, TLS_CLIENT_AUTH_REQUESTED, TLS_CLIENT_AUTH_REQUIRED };

/* Kafka's ssl.* settings in their PEM form. Empty strings: not given. */
struct tls_settings {
	struct str keystore_location; /* files, separated by commas, each a certificate chain and its key: a server
					 shows the first whose names fit what the client asks for, else the first */
	struct str keystore_certificate_chain, keystore_key; /* instead: PEM texts, "\n" standing for line ends */
	struct str key_password;
	struct str truststore_location, truststore_certificates; /* a file, or PEM text */
	enum tls_client_auth client_auth;                        /* servers */
	bool allow_tls1_2, allow_tls1_3;
	struct str cipher_suites; /* OpenSSL's or IANA's names, separated by commas; of either version */
	bool verify_host_name;    /* clients: the broker's certificate must be for the name that we connect to */
};

struct tls_context;

/* Reads and checks everything at once. A server needs a keystore; a client without a truststore trusts what the system
 * trusts. ERR_INVALID with a sentence that names the setting, the file and what is wrong. */
enum err tls_context_new_server(
	const struct tls_settings *s, struct tls_context **ret, char errbuf[TLS_ERROR_MAX]) ERR_CHECKED;
enum err tls_context_new_client(
	const struct tls_settings *s, struct tls_context **ret, char errbuf[TLS_ERROR_MAX]) ERR_CHECKED;

/* For a client that only wants to know whether somebody answers: it believes everybody, and shows the certificate of a
 * server's context (NULL: none) to who asks for one. */
struct tls_context *tls_context_new_prober(const struct tls_context *own);

/* NULL is allowed. */
struct tls_context *tls_context_ref(struct tls_context *t);
void tls_context_unref(struct tls_context *t);

/* When the first of its own certificates ends, milliseconds since 1970; INT64_MAX when it has none. */
int64_t tls_context_not_after(const struct tls_context *t);

/* Makes a connection that has neither read nor written speak TLS: a server's on an accepted one, a client's on one that
 * is connecting. Nothing is delivered or sent, and on_connected not called, before the handshake has ended; after
 * timeout_ms it fails with "tls_timeout". server_name: whom a client asks for and whose certificate it expects. Takes a
 * reference to t. Failures end with the reason "tls_failed". */
void conn_start_tls(struct conn *c, struct tls_context *t, struct str server_name, int32_t timeout_ms);

/* What went wrong in a handshake that failed, one phrase; "" otherwise. Valid until the connection is freed. */
const char *conn_tls_error(const struct conn *c);

/* Whether the peer has ended it with an alert: it speaks TLS and lives, but does not want us (no certificate that it
 * knows, no version or cipher in common). Valid until the connection is freed. */
bool conn_tls_got_alert(const struct conn *c);

/* "TLSv1.3 TLS_AES_256_GCM_SHA384" after the handshake; "" before it and on plain connections. */
void conn_tls_describe(const struct conn *c, char out[100]);

/* The name that a client asked the server for (SNI), null when it named none. */
struct str conn_tls_server_name(const struct conn *c);

#endif
