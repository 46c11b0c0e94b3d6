/* SPDX-License-Identifier: Apache-2.0 */
/* Which listeners speak TLS, and with which certificates; which certificates the brokers are judged by. */
#include <stdio.h>
#include <strings.h>

#include "base/mem.h"
#include "config_priv.h"
#include "net/tls.h"

enum protocol { PROTOCOL_PLAINTEXT, PROTOCOL_SSL, PROTOCOL_UNKNOWN };

static bool is_word(struct str s, const char *word)
{
	return s.n == strlen(word) && strncasecmp(s.p, word, s.n) == 0;
}

static enum protocol protocol_of(struct str s)
{
	if (is_word(s, "PLAINTEXT") || is_word(s, "SASL_PLAINTEXT"))
		return PROTOCOL_PLAINTEXT;
	return is_word(s, "SSL") || is_word(s, "SASL_SSL") ? PROTOCOL_SSL : PROTOCOL_UNKNOWN;
}

/* Cuts the part before a comma off *rest. */
static struct str cut_item(struct str *rest)
{
	const char *comma = memchr(rest->p, ',', rest->n);
	struct str item = {rest->p, comma ? (size_t)(comma - rest->p) : rest->n};

	rest->p += item.n + (comma ? 1 : 0);
	rest->n -= item.n + (comma ? 1 : 0);
	return option_trim(item);
}

/* "NAME:PROTOCOL,..." */
static enum protocol map_find(struct str map, struct str name)
{
	while (map.n) {
		struct str item = cut_item(&map);
		const char *colon = item.n ? memchr(item.p, ':', item.n) : NULL;
		size_t n = colon ? (size_t)(colon - item.p) : 0;

		if (colon && n == name.n && strncasecmp(item.p, name.p, n) == 0)
			return protocol_of((struct str){colon + 1, item.n - n - 1});
	}
	return PROTOCOL_UNKNOWN;
}

static bool set_protocols(struct str list, struct tls_settings *s)
{
	while (list.n) {
		struct str one = cut_item(&list);

		if (is_word(one, "TLSv1.2"))
			s->allow_tls1_2 = true;
		else if (is_word(one, "TLSv1.3"))
			s->allow_tls1_3 = true;
		else
			return false;
	}
	return s->allow_tls1_2 || s->allow_tls1_3;
}

static struct tls_settings settings_of(const struct config_tls *t)
{
	return (struct tls_settings){
		.keystore_location = t->keystore_location,
		.keystore_certificate_chain = t->keystore_certificate_chain,
		.keystore_key = t->keystore_key,
		.key_password = t->key_password,
		.truststore_location = t->truststore_location,
		.truststore_certificates = t->truststore_certificates,
		.client_auth = (enum tls_client_auth)t->client_auth,
		.cipher_suites = t->cipher_suites,
	};
}

/* What is set for this name on top of what is set for all. */
static enum err apply_overrides(struct config *c, struct str name, struct config_tls *t, char err[CONFIG_ERROR_MAX])
{
	char expected[200];

	for (uint32_t i = 0; i < c->overrides_n; i++) {
		const struct config_override *o = &c->overrides[i];
		const struct option *row = &option_table[o->row];

		if (o->name.n != name.n || strncasecmp(o->name.p, name.p, name.n) != 0)
			continue;
		if (option_set_listener(c, t, row, o->text))
			continue;
		option_expected(row, expected, sizeof(expected));
		snprintf(err, CONFIG_ERROR_MAX, "%s:%d: listener.name.%.*s.%s=%.*s: expected %s", c->file, o->line,
			(int)name.n, name.p, row->name, row->secret ? 0 : (int)(o->text.n < 200 ? o->text.n : 200),
			o->text.p, expected);
		return ERR_INVALID;
	}
	return ERR_OK;
}

static enum err fill_listener_tls(struct config *c, uint32_t i, struct tls_context **ret, char err[CONFIG_ERROR_MAX])
{
	struct str name = c->listeners.list[i].name;
	enum protocol protocol = map_find(c->protocol_map, name);
	struct config_tls t = c->ssl;
	char why[TLS_ERROR_MAX];
	struct tls_settings s;

	if (protocol == PROTOCOL_UNKNOWN)
		return config_fail(c, "listeners", err,
			"%.*s is no protocol, expected PLAINTEXT, SSL or a name that listener.security.protocol.map "
			"has",
			(int)name.n, name.p);
	if (protocol == PROTOCOL_PLAINTEXT)
		return ERR_OK;
	if (apply_overrides(c, name, &t, err))
		return ERR_INVALID;
	s = settings_of(&t);
	if (!set_protocols(t.enabled_protocols, &s))
		return config_fail(c, "ssl.enabled.protocols", err, "expected TLSv1.2, TLSv1.3 or both");
	if (tls_context_new_server(&s, ret, why))
		return config_fail(c, "listeners", err, "listener %.*s: %s", (int)name.n, name.p, why);
	return ERR_OK;
}

static enum err fill_cluster_tls(struct config *c, char err[CONFIG_ERROR_MAX])
{
	struct tls_settings s = settings_of(&c->cluster_ssl);
	char why[TLS_ERROR_MAX];

	if (!is_word(c->cluster_host_check, "https") && c->cluster_host_check.n > 0)
		return config_fail(
			c, "cluster.ssl.endpoint.identification.algorithm", err, "expected https, or nothing");
	if (protocol_of(c->values[option_find(STR_LIT("security.protocol"))].text) != PROTOCOL_SSL)
		return ERR_OK;
	s.verify_host_name = c->cluster_host_check.n > 0;
	if (!set_protocols(c->cluster_ssl.enabled_protocols, &s))
		return config_fail(c, "cluster.ssl.enabled.protocols", err, "expected TLSv1.2, TLSv1.3 or both");
	if (tls_context_new_client(&s, &c->proxy.cluster.tls, why))
		return config_fail(c, "security.protocol", err, "cluster.%s", why);
	s.keystore_location = c->clients_keystore_location;
	s.key_password = c->clients_key_password;
	s.keystore_certificate_chain = s.keystore_key = STR_LIT("");
	if (tls_context_new_client(&s, &c->proxy.clients_tls, why))
		return config_fail(c, "security.protocol", err, "connections of clients: cluster.%s", why);
	return ERR_OK;
}

/* A name that no listener has would be a setting that does nothing. */
static enum err check_override_names(struct config *c, char err[CONFIG_ERROR_MAX])
{
	for (uint32_t i = 0; i < c->overrides_n; i++) {
		const struct config_override *o = &c->overrides[i];
		bool found = false;

		for (uint32_t k = 0; k < c->listeners.n && !found; k++)
			found = o->name.n == c->listeners.list[k].name.n &&
				strncasecmp(o->name.p, c->listeners.list[k].name.p, o->name.n) == 0;
		if (found)
			continue;
		snprintf(err, CONFIG_ERROR_MAX,
			"%s:%d: listener.name.%.*s.%s: no listener has that name, expected one of "
			"listeners",
			c->file, o->line, (int)o->name.n, o->name.p, option_table[o->row].name);
		return ERR_INVALID;
	}
	return ERR_OK;
}

enum err config_fill_tls(struct config *c, char err[CONFIG_ERROR_MAX])
{
	struct proxy_listener_config *listeners = arena_zalloc(&c->arena, c->listeners.n, sizeof(*listeners));
	enum err e = check_override_names(c, err);

	if (!listeners)
		return config_fail(c, "listeners", err, "expected fewer addresses");
	memcpy(listeners, c->proxy.listeners, c->listeners.n * sizeof(*listeners));
	c->proxy.listeners = listeners;
	for (uint32_t i = 0; !e && i < c->listeners.n; i++)
		e = fill_listener_tls(c, i, &listeners[i].tls, err);
	return e ? e : fill_cluster_tls(c, err);
}

void config_release_tls(struct config *c)
{
	for (uint32_t i = 0; c->proxy.listeners && i < c->proxy.listeners_n; i++)
		tls_context_unref(c->proxy.listeners[i].tls);
	tls_context_unref(c->proxy.cluster.tls);
	tls_context_unref(c->proxy.clients_tls);
	login_unref(c->proxy.cluster.login);
}
