/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens of sluice's own login are made and checked here. */
#include "cluster/login.h"

#include <ctype.h>
#include <errno.h>
#include <sasl/sasl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define TOKEN_MAX (64u * 1024)
#define OAUTH_HEAD "n,,\001auth=Bearer "
#define OAUTH_TAIL "\001\001"
#define OAUTHBEARER "OAUTHBEARER"

struct login {
	int refs;
	char *mechanism, *username, *token_file, *who;
	sasl_secret_t *password;
	bool library; /* sasl_client_init was called */
};

struct login_exchange {
	struct login *login;
	sasl_callback_t callbacks[6];
	sasl_conn_t *conn; /* NULL: OAUTHBEARER */
	char *token;       /* OAUTHBEARER: the only message */
	bool begun, done;
};

/* Sentences of the library may quote what a broker sent. */
static void set_error(char err[LOGIN_ERROR_MAX], const char *text)
{
	size_t n = 0;

	for (; *text && n < LOGIN_ERROR_MAX - 1; text++)
		err[n++] = isprint((unsigned char)*text) ? *text : '?';
	err[n] = '\0';
}

/* ---- Cyrus SASL ---- */

/* Its own log would be syslog; what matters comes as an error. */
static int log_cb(void *arg, int level, const char *message)
{
	(void)arg;
	(void)level;
	(void)message;
	return SASL_OK;
}

static int name_cb(void *arg, int id, const char **ret, unsigned *ret_n)
{
	const struct login *l = arg;

	/* The user is who it authenticates as: no other identity is asked for. */
	*ret = id == SASL_CB_USER ? "" : l->username;
	if (ret_n)
		*ret_n = (unsigned)strlen(*ret);
	return SASL_OK;
}

static int password_cb(sasl_conn_t *conn, void *arg, int id, sasl_secret_t **ret)
{
	const struct login *l = arg;

	(void)conn;
	(void)id;
	*ret = l->password;
	return SASL_OK;
}

typedef void (*any_function)(void);
#define CALLBACK(f) ((int (*)(void))(any_function)(f))

static const sasl_callback_t library_callbacks[] = {
	{SASL_CB_LOG, CALLBACK(log_cb), NULL},
	{SASL_CB_LIST_END, NULL, NULL},
};

static bool library_begin(struct login_exchange *x, const char *host, char err[LOGIN_ERROR_MAX])
{
	struct login *l = x->login;
	const sasl_callback_t callbacks[] = {
		{SASL_CB_LOG, CALLBACK(log_cb), NULL},
		{SASL_CB_USER, CALLBACK(name_cb), l},
		{SASL_CB_AUTHNAME, CALLBACK(name_cb), l},
		{SASL_CB_PASS, CALLBACK(password_cb), l},
		{SASL_CB_LIST_END, NULL, NULL},
	};
	int rc;

	memcpy(x->callbacks, callbacks, sizeof(callbacks));
	rc = sasl_client_new("kafka", host, NULL, NULL, x->callbacks, 0, &x->conn);
	if (rc != SASL_OK)
		set_error(err, sasl_errstring(rc, NULL, NULL));
	return rc == SASL_OK;
}

static enum err library_step(struct login_exchange *x, struct bytes in, struct bytes *ret, char err[LOGIN_ERROR_MAX])
{
	const char *out = NULL;
	unsigned out_n = 0;
	int rc;

	if (!x->begun)
		rc = sasl_client_start(x->conn, x->login->mechanism, NULL, &out, &out_n, NULL);
	else
		rc = sasl_client_step(x->conn, (const char *)in.p, (unsigned)in.n, NULL, &out, &out_n);
	if (rc != SASL_OK && rc != SASL_CONTINUE) {
		set_error(err, rc == SASL_NOMECH ? "the mechanism is not installed (Debian package libsasl2-modules)"
						 : sasl_errdetail(x->conn));
		return ERR_INVALID;
	}
	x->done = rc == SASL_OK;
	*ret = (struct bytes){(const uint8_t *)out, out ? out_n : 0};
	return ERR_OK;
}

/* ---- OAUTHBEARER ---- */

/* Reads the token without the white space around it; NULL: errno tells, or 0 for something that is no token. */
static char *token_read(const char *path)
{
	FILE *f = fopen(path, "re");
	char *text = mem_zalloc(TOKEN_MAX + 1, 1);
	size_t n = f ? fread(text, 1, TOKEN_MAX + 1, f) : 0;
	bool good = f && !ferror(f) && n <= TOKEN_MAX;
	size_t skip = 0;

	if (f) {
		fclose(f);
		errno = 0;
	}
	while (good && n > 0 && isspace((unsigned char)text[n - 1]))
		n--;
	while (good && skip < n && isspace((unsigned char)text[skip]))
		skip++;
	for (size_t i = skip; good && i < n; i++)
		good = isgraph((unsigned char)text[i]) && text[i] != '"';
	if (!good || skip == n) {
		explicit_bzero(text, TOKEN_MAX + 1);
		mem_free(text);
		return NULL;
	}
	memmove(text, text + skip, n - skip);
	explicit_bzero(text + n - skip, TOKEN_MAX + 1 - (n - skip));
	return text;
}

static void token_free(char *text)
{
	if (text)
		explicit_bzero(text, strlen(text));
	mem_free(text);
}

static char *token_need(const struct login *l, char err[LOGIN_ERROR_MAX])
{
	char *token = token_read(l->token_file);

	if (!token)
		snprintf(err, LOGIN_ERROR_MAX, "%s: %s", l->token_file,
			errno ? strerror(errno) : "no token in it, expected one line of up to 64 KiB");
	return token;
}

static bool oauth_begin(struct login_exchange *x, char err[LOGIN_ERROR_MAX])
{
	char *token = token_need(x->login, err);
	size_t n = token ? strlen(token) + sizeof(OAUTH_HEAD) + sizeof(OAUTH_TAIL) : 0;

	if (!token)
		return false;
	x->token = mem_zalloc(n, 1);
	snprintf(x->token, n, "%s%s%s", OAUTH_HEAD, token, OAUTH_TAIL);
	token_free(token);
	return true;
}

/* The broker's answer is empty, or says in JSON what is wrong. */
static enum err oauth_step(struct login_exchange *x, struct bytes in, struct bytes *ret, char err[LOGIN_ERROR_MAX])
{
	if (!x->begun) {
		*ret = (struct bytes){(const uint8_t *)x->token, strlen(x->token)};
		return ERR_OK;
	}
	if (in.n > 0) {
		char text[LOGIN_ERROR_MAX];

		snprintf(text, sizeof(text), "the broker answered %.*s", (int)(in.n < 300 ? in.n : 300),
			(const char *)in.p);
		set_error(err, text);
		return ERR_INVALID;
	}
	*ret = (struct bytes){NULL, 0};
	x->done = true;
	return ERR_OK;
}

/* ---- exchanges ---- */

struct login_exchange *login_exchange_new(struct login *l, const char *host, char err[LOGIN_ERROR_MAX])
{
	struct login_exchange *x = mem_zalloc(1, sizeof(*x));

	x->login = login_ref(l);
	if (l->library ? library_begin(x, host, err) : oauth_begin(x, err))
		return x;
	login_exchange_free(x);
	return NULL;
}

void login_exchange_free(struct login_exchange *x)
{
	if (!x)
		return;
	sasl_dispose(&x->conn);
	token_free(x->token);
	login_unref(x->login);
	mem_free(x);
}

enum err login_exchange_step(struct login_exchange *x, struct bytes in, struct bytes *ret, char err[LOGIN_ERROR_MAX])
{
	enum err e;

	/* PLAIN is done with its first message; the broker has nothing to say to it. */
	if (x->done) {
		*ret = (struct bytes){NULL, 0};
		return ERR_OK;
	}
	e = x->conn ? library_step(x, in, ret, err) : oauth_step(x, in, ret, err);
	x->begun = true;
	return e;
}

bool login_exchange_is_done(const struct login_exchange *x)
{
	return x->done;
}

/* ---- credentials ---- */

static char *copy(struct str s)
{
	return mem_copy_string(s.n ? s.p : "", s.n);
}

static void password_set(struct login *l, struct str password)
{
	l->password = mem_zalloc(1, sizeof(*l->password) + password.n + 1);
	l->password->len = password.n;
	if (password.n)
		memcpy(l->password->data, password.p, password.n);
}

/* What is wrong is to be known at start, not at the first login. */
static enum err login_try(struct login *l, char err[LOGIN_ERROR_MAX])
{
	struct login_exchange *x = login_exchange_new(l, "localhost", err);
	struct bytes out;
	enum err e = x ? login_exchange_step(x, (struct bytes){NULL, 0}, &out, err) : ERR_INVALID;

	login_exchange_free(x);
	return e;
}

enum err login_new(const struct login_settings *s, struct login **ret, char err[LOGIN_ERROR_MAX])
{
	struct login *l = mem_zalloc(1, sizeof(*l));
	size_t n = s->token_file.n + 20;
	enum err e = ERR_INVALID;

	l->refs = 1;
	l->mechanism = copy(s->mechanism);
	l->username = copy(s->username);
	l->token_file = copy(s->token_file);
	l->who = s->token_file.n ? mem_zalloc(n, 1) : copy(s->username);
	if (s->token_file.n)
		snprintf(l->who, n, "a token of %s", l->token_file);
	password_set(l, s->password);
	if (strcmp(l->mechanism, OAUTHBEARER) != 0) {
		int rc = sasl_client_init(library_callbacks);

		l->library = rc == SASL_OK;
		if (l->library)
			e = login_try(l, err);
		else
			set_error(err, sasl_errstring(rc, NULL, NULL));
	} else {
		e = login_try(l, err);
	}
	if (e)
		login_unref(l);
	else
		*ret = l;
	return e;
}

struct login *login_ref(struct login *l)
{
	if (l)
		l->refs++;
	return l;
}

void login_unref(struct login *l)
{
	if (!l || --l->refs)
		return;
	if (l->library)
		sasl_client_done();
	explicit_bzero(l->password->data, l->password->len);
	mem_free(l->password);
	mem_free(l->mechanism);
	mem_free(l->username);
	mem_free(l->token_file);
	mem_free(l->who);
	mem_free(l);
}

struct str login_mechanism(const struct login *l)
{
	return str_of(l->mechanism);
}

struct str login_who(const struct login *l)
{
	return str_of(l->who);
}
