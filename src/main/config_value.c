/* SPDX-License-Identifier: Apache-2.0 */
/* Text of one option becomes a value here. */
#include <stdio.h>

#include "config_priv.h"

#define HOST_MAX 255u
#define LIST_MAX 1000u
#define ANY_NAME "*"

struct str option_trim(struct str s)
{
	while (s.n && (s.p[0] == ' ' || s.p[0] == '\t' || s.p[0] == '\r')) {
		s.p++;
		s.n--;
	}
	while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t' || s.p[s.n - 1] == '\r'))
		s.n--;
	return s;
}

/* Cuts the part before the first comma off *rest. */
static struct str next_item(struct str *rest)
{
	const char *comma = memchr(rest->p, ',', rest->n);
	struct str item = {rest->p, comma ? (size_t)(comma - rest->p) : rest->n};

	if (comma) {
		rest->p = comma + 1;
		rest->n -= item.n + 1;
	} else {
		*rest = STR_NULL;
	}
	return option_trim(item);
}

static bool parse_number(struct str s, int64_t max, int64_t *ret)
{
	int64_t v = 0;

	if (s.n == 0)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9' || v > (INT64_MAX - 9) / 10)
			return false;
		v = v * 10 + (s.p[i] - '0');
	}
	*ret = v;
	return v <= max;
}

static bool is_host_char(char ch, bool v6)
{
	if ((ch >= '0' && ch <= '9') || (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '.' ||
		ch == '-' || ch == '_')
		return true;
	return v6 && (ch == ':' || ch == '%');
}

/* Splits "host:port" or "[v6]:port"; an empty host only where it stands for all addresses. */
static bool parse_address(struct arena *a, struct str s, bool empty_host, struct config_address *ret)
{
	const char *colon = s.n ? memrchr(s.p, ':', s.n) : NULL;
	struct str host;
	int64_t port;
	bool v6;

	if (!colon || !parse_number((struct str){colon + 1, s.n - (size_t)(colon + 1 - s.p)}, 65535, &port) ||
		port == 0)
		return false;
	host = (struct str){s.p, (size_t)(colon - s.p)};
	v6 = host.n >= 2 && host.p[0] == '[' && host.p[host.n - 1] == ']';
	if (v6)
		host = (struct str){host.p + 1, host.n - 2};
	if (host.n > HOST_MAX || (host.n == 0 && (v6 || !empty_host)))
		return false;
	if (v6 && !memchr(host.p, ':', host.n))
		return false;
	for (size_t i = 0; i < host.n; i++)
		if (!is_host_char(host.p[i], v6))
			return false;
	ret->host = (struct str){arena_copy_string(a, host), host.n};
	ret->port = (int32_t)port;
	return ret->host.p != NULL;
}

/* An address without a name before it, or (any_name) with one, or with a certain one. */
static bool parse_item(struct arena *a, struct str item, const char *protocol, struct config_address *ret)
{
	const char *mark = item.n ? memmem(item.p, item.n, "://", 3) : NULL;
	struct str name = {item.p, mark ? (size_t)(mark - item.p) : 0};
	size_t used = mark ? name.n + 3 : 0;

	if ((*protocol == '\0') != (mark == NULL) || (mark && name.n == 0))
		return false;
	if (strcmp(protocol, ANY_NAME) != 0 &&
		(strlen(protocol) != name.n || (name.n > 0 && strncasecmp(name.p, protocol, name.n) != 0)))
		return false;
	for (size_t i = 0; i < name.n; i++)
		if (!is_host_char(name.p[i], false))
			return false;
	ret->text = (struct str){arena_copy_string(a, item), item.n};
	ret->name = (struct str){ret->text.p, name.n};
	return ret->text.p && parse_address(a, (struct str){item.p + used, item.n - used}, mark != NULL, ret);
}

/* A list of addresses, each behind this name ("": none). */
static bool parse_addresses(
	struct arena *a, struct str text, const char *protocol, uint32_t max, struct config_addresses *ret)
{
	struct str rest = option_trim(text);
	struct config_address *list;
	uint32_t n = 1;

	*ret = (struct config_addresses){NULL, 0};
	if (rest.n == 0)
		return true;
	for (size_t i = 0; i < rest.n; i++)
		n += rest.p[i] == ',';
	if (n > max)
		return false;
	list = arena_zalloc(a, n, sizeof(*list));
	if (!list)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (!parse_item(a, next_item(&rest), protocol, &list[i]))
			return false;
	*ret = (struct config_addresses){list, n};
	return true;
}

/* Stores a number in a field of 2, 4 or 8 bytes, which the row's bounds fit in. */
static void store_number(void *field, size_t size, int64_t v)
{
	int16_t v16 = (int16_t)v;
	int32_t v32 = (int32_t)v;

	memcpy(field, size == sizeof(v16) ? (void *)&v16 : size == sizeof(v32) ? (void *)&v32 : (void *)&v, size);
}

/* Number of a word in its row, or -1. */
static int32_t word_find(const struct option *o, struct str word)
{
	const char *p = o->words;

	for (int32_t i = 0; *p; i++) {
		size_t n = strcspn(p, " ");

		if (str_eq(word, (struct str){p, n}))
			return i;
		p += n + (p[n] == ' ');
	}
	return -1;
}

static bool set_string(struct config *c, const struct option *o, void *field, struct str text)
{
	struct str s;

	if ((int64_t)text.n < o->min || (int64_t)text.n > o->max)
		return false;
	for (size_t i = 0; i < text.n; i++)
		if (!is_host_char(text.p[i], false))
			return false;
	s = (struct str){arena_copy_string(&c->arena, text), text.n};
	memcpy(field, &s, sizeof(s));
	return s.p != NULL;
}

/* Paths, passwords, PEM: anything that can stand in a line. */
static bool set_text(struct config *c, const struct option *o, void *field, struct str text)
{
	struct str s = {arena_copy_string(&c->arena, text), text.n};

	if ((int64_t)text.n < o->min || (o->max && (int64_t)text.n > o->max) || !s.p)
		return false;
	memcpy(field, &s, sizeof(s));
	return true;
}

static bool option_store(struct config *c, void *field, const struct option *o, struct str text)
{
	int64_t v;

	switch (o->type) {
	case OPTION_STRING:
		return set_string(c, o, field, text);
	case OPTION_TEXT:
		return set_text(c, o, field, text);
	case OPTION_NUMBER:
		if (!parse_number(text, o->max, &v) || v < o->min)
			return false;
		store_number(field, o->size, v);
		return true;
	case OPTION_WORD:
		v = word_find(o, text);
		if (v < 0)
			return false;
		store_number(field, o->size, v);
		return true;
	case OPTION_SERVERS:
		return text.n > 0 && parse_addresses(&c->arena, text, "", LIST_MAX, field);
	case OPTION_LISTENERS:
		return (text.n > 0 || o->def) && parse_addresses(&c->arena, text, ANY_NAME, LIST_MAX, field);
	case OPTION_ADMIN:
		return parse_addresses(&c->arena, text, "HTTP", 1, field);
	}
	return false;
}

bool option_set(struct config *c, const struct option *o, struct str text)
{
	return option_store(c, (char *)c + o->offset, o, text);
}

bool option_set_listener(struct config *c, struct config_tls *l, const struct option *o, struct str text)
{
	return option_store(c, (char *)l + (o->offset - offsetof(struct config, ssl)), o, text);
}

static void expected_words(const struct option *o, char *out, size_t n)
{
	size_t used = (size_t)snprintf(out, n, "one of ");

	for (const char *p = o->words; *p && used < n;) {
		size_t w = strcspn(p, " ");

		used += (size_t)snprintf(out + used, n - used, "%.*s%s", (int)w, p, p[w] ? ", " : "");
		p += w + (p[w] == ' ');
	}
}

void option_expected(const struct option *o, char *out, size_t n)
{
	switch (o->type) {
	case OPTION_STRING:
		snprintf(out, n, "%lld to %lld letters, digits, '.', '_' or '-'", (long long)o->min, (long long)o->max);
		break;
	case OPTION_TEXT:
		snprintf(out, n, "text");
		break;
	case OPTION_NUMBER:
		snprintf(out, n, "a number from %lld to %lld", (long long)o->min, (long long)o->max);
		break;
	case OPTION_WORD:
		expected_words(o, out, n);
		break;
	case OPTION_SERVERS:
		snprintf(out, n, "a list of host:port");
		break;
	case OPTION_LISTENERS:
		snprintf(out, n, "a list of PLAINTEXT://host:port or SSL://host:port");
		break;
	case OPTION_ADMIN:
		snprintf(out, n, "HTTP://host:port, or nothing");
		break;
	}
}
