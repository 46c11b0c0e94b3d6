/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of net share of TLS. */
#ifndef SLUICE_NET_TLS_PRIV_H
#define SLUICE_NET_TLS_PRIV_H

#include <openssl/ssl.h>

#include "net/tls.h"

#define TLS_CERTIFICATES_MAX 32

struct tls_context {
	uint32_t refs;
	bool is_server, verify_host_name;
	int64_t not_after;
	SSL_CTX *ctxs[TLS_CERTIFICATES_MAX]; /* one for each certificate; a client has one */
	uint32_t ctxs_n;
};

/* The client has named whom it wants: the certificate that fits is taken. arg is the struct tls_context. */
int tls_on_server_name(SSL *ssl, int *alert, void *arg);

#endif
