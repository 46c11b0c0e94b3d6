/* SPDX-License-Identifier: Apache-2.0 */
/* How sluice says to a broker who it is (SASL): credentials, and one exchange of tokens with them, without I/O but for
 * the reading of a token file. PLAIN and SCRAM are those of Cyrus SASL; OAUTHBEARER (RFC 7628), which it lacks, is
 * one message. */
#ifndef SLUICE_CLUSTER_LOGIN_H
#define SLUICE_CLUSTER_LOGIN_H

#include <stdbool.h>

#include "base/err.h"
#include "base/types.h"

#define LOGIN_ERROR_MAX 400

/* Credentials of one principal; counted references. */
struct login;

struct login_settings {
	struct str mechanism; /* PLAIN, SCRAM-SHA-256, SCRAM-SHA-512 or OAUTHBEARER */
	struct str username, password;
	struct str token_file; /* OAUTHBEARER: read anew for each login, since whoever renews the token replaces it */
};

/* Copies the settings. ERR_INVALID with a sentence in err that holds no secret: something is missing, the mechanism is
 * not installed, or the token file can not be read. */
enum err login_new(const struct login_settings *s, struct login **ret, char err[LOGIN_ERROR_MAX]) ERR_CHECKED;

/* NULL is allowed. The last reference wipes the secrets. */
struct login *login_ref(struct login *l);
void login_unref(struct login *l);

/* As Kafka names it, and who logs in: the user name, or "a token of FILE"; for handshakes and messages. */
struct str login_mechanism(const struct login *l);
struct str login_who(const struct login *l);

/* One login on one connection; it holds a reference. host: the broker's name. NULL and a sentence in err: no memory, or
 * the library refuses. */
struct login_exchange;
struct login_exchange *login_exchange_new(struct login *l, const char *host, char err[LOGIN_ERROR_MAX]);
void login_exchange_free(struct login_exchange *x);

/* The next token to send. in: what the broker has answered, {NULL, 0} at first; *ret is valid until the next call.
 * ERR_INVALID with a sentence in err: the broker's token is wrong, or says that the login failed. */
enum err login_exchange_step(
	struct login_exchange *x, struct bytes in, struct bytes *ret, char err[LOGIN_ERROR_MAX]) ERR_CHECKED;

/* The exchange is at its end as far as this side can tell: what the last step returned, if anything, is the last token,
 * and the broker's word decides. */
bool login_exchange_is_done(const struct login_exchange *x);

#endif
