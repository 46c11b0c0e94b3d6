/* SPDX-License-Identifier: Apache-2.0 */
/* Who sluice is to the brokers: mechanism, name and secret, from options, a file, or a line as Kafka's clients have it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cluster/login.h"
#include "config_priv.h"

#define PASSWORD_MAX 4096u

static const char *const mechanisms[] = {"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER"};

static bool mechanism_is_known(struct str s)
{
	for (size_t i = 0; i < sizeof(mechanisms) / sizeof(mechanisms[0]); i++) {
		if (str_eq(s, str_of(mechanisms[i])))
			return true;
	}
	return false;
}

/* A word, or "text in quotes" with \" and \\ in it, cut off *rest; null when there is none. */
static struct str jaas_token(struct arena *a, struct str *rest)
{
	char *out = arena_zalloc(a, rest->n + 1, 1);
	size_t i = 0, n = 0;
	char quote = 0;

	while (i < rest->n && (rest->p[i] == ' ' || rest->p[i] == '\t'))
		i++;
	for (; out && i < rest->n; i++) {
		char c = rest->p[i];

		if (quote ? c == quote : c == '"' || c == '\'') {
			quote = quote ? 0 : c;
			continue;
		}
		if (!quote && (c == ' ' || c == '\t' || c == ';'))
			break;
		if (quote && c == '\\' && i + 1 < rest->n)
			c = rest->p[++i];
		out[n++] = c;
	}
	rest->p += i;
	rest->n -= i;
	return n && !quote ? (struct str){out, n} : STR_NULL;
}

static bool jaas_take(struct str token, const char *key, struct str *ret)
{
	size_t n = strlen(key);

	if (token.n <= n || token.p[n] != '=' || strncmp(token.p, key, n) != 0)
		return false;
	*ret = (struct str){token.p + n + 1, token.n - n - 1};
	return true;
}

/* org.apache.kafka...LoginModule required username="..." password="..."; other options are Kafka's own affair. */
static enum err read_jaas(struct config *c, struct login_settings *s, char err[CONFIG_ERROR_MAX])
{
	struct str rest = c->sasl.jaas_config;
	struct str module = jaas_token(&c->arena, &rest), flag = jaas_token(&c->arena, &rest);
	struct str token;

	if (module.n < 11 || strncmp(module.p + module.n - 11, "LoginModule", 11) != 0 || flag.n == 0)
		return config_fail(c, "sasl.jaas.config", err, "expected a LoginModule, a flag and its options");
	while ((token = jaas_token(&c->arena, &rest)).n > 0) {
		if (!jaas_take(token, "username", &s->username))
			(void)jaas_take(token, "password", &s->password);
	}
	if (option_trim(rest).n != 1 || option_trim(rest).p[0] != ';')
		return config_fail(
			c, "sasl.jaas.config", err, "expected options in the form name=\"value\" and a ; at the end");
	return ERR_OK;
}

/* The first line of the file. */
static enum err read_password(struct config *c, struct login_settings *s, char err[CONFIG_ERROR_MAX])
{
	char *text = arena_zalloc(&c->arena, PASSWORD_MAX + 1, 1);
	FILE *f = fopen(c->sasl.password_file.p, "re");
	size_t n = f && text ? fread(text, 1, PASSWORD_MAX, f) : 0;
	bool good = f && text && !ferror(f) && n < PASSWORD_MAX;
	int why = errno;

	if (f)
		fclose(f);
	if (!good)
		return config_fail(c, "sasl.password.file", err, "%s", f ? "expected one line" : strerror(why));
	s->password = (struct str){text, strcspn(text, "\r\n")};
	return ERR_OK;
}

static enum err read_secrets(struct config *c, struct login_settings *s, char err[CONFIG_ERROR_MAX])
{
	if (c->sasl.jaas_config.n && (c->sasl.username.n || c->sasl.password.n || c->sasl.password_file.n))
		return config_fail(
			c, "sasl.jaas.config", err, "expected either this or sasl.username and sasl.password");
	if (c->sasl.password.n && c->sasl.password_file.n)
		return config_fail(c, "sasl.password.file", err, "expected either this or sasl.password");
	if (c->sasl.jaas_config.n)
		return read_jaas(c, s, err);
	return c->sasl.password_file.n ? read_password(c, s, err) : ERR_OK;
}

/* What the mechanism needs is there. */
static enum err check_settings(const struct config *c, const struct login_settings *s, char err[CONFIG_ERROR_MAX])
{
	if (!mechanism_is_known(s->mechanism))
		return config_fail(
			c, "sasl.mechanism", err, "expected PLAIN, SCRAM-SHA-256, SCRAM-SHA-512 or OAUTHBEARER");
	if (str_eq(s->mechanism, STR_LIT("OAUTHBEARER"))) {
		if (s->token_file.n)
			return ERR_OK;
		return config_fail(
			c, "sasl.oauthbearer.token.file", err, "OAUTHBEARER needs the file that has the token");
	}
	if (s->username.n && s->password.n)
		return ERR_OK;
	return config_fail(c, "sasl.username", err,
		"%s needs a name and a password: sasl.username and sasl.password or sasl.password.file, or "
		"sasl.jaas.config",
		s->mechanism.p);
}

enum err config_fill_login(struct config *c, char err[CONFIG_ERROR_MAX])
{
	struct str protocol = c->values[option_find(STR_LIT("security.protocol"))].text;
	struct login_settings s = {
		.mechanism = c->sasl.mechanism, .username = c->sasl.username, .password = c->sasl.password};
	char why[LOGIN_ERROR_MAX];
	enum err e;

	if (protocol.n < 5 || strncasecmp(protocol.p, "SASL_", 5) != 0)
		return ERR_OK;
	e = read_secrets(c, &s, err);
	if (str_eq(s.mechanism, STR_LIT("OAUTHBEARER")))
		s.token_file = c->sasl.token_file;
	if (!e)
		e = check_settings(c, &s, err);
	if (!e && login_new(&s, &c->proxy.cluster.login, why))
		e = config_fail(c, "sasl.mechanism", err, "%s", why);
	return e;
}
