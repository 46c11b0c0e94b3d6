/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration file is read here.
 *
 * Lines are read by our own few lines of code: inih, which reads ini files, cuts values at " ;", joins lines that begin
 * with a space, takes ':' for '=' and does not tell its handler the line number. */
#include "main/config.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "config_priv.h"

#define FILE_MAX (1u << 20)
#define SHOWN_MAX 200u
#define OVERRIDE_PREFIX "listener.name."
#define OVERRIDES_MAX 1000
/* What one configuration may take in memory, its text included. */
#define CONFIG_MAX (16u << 20)

static enum err fail(char err[CONFIG_ERROR_MAX], const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static enum err fail(char err[CONFIG_ERROR_MAX], const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err, CONFIG_ERROR_MAX, fmt, ap);
	va_end(ap);
	return ERR_INVALID;
}

/* How much of a value a message may show: nothing of a secret. */
static size_t shown_length(size_t row, struct str text)
{
	if (row < option_table_n && option_table[row].secret)
		return 0;
	return text.n < SHOWN_MAX ? text.n : SHOWN_MAX;
}

enum err config_fail(const struct config *c, const char *name, char err[CONFIG_ERROR_MAX], const char *fmt, ...)
{
	const struct config_value *v = &c->values[option_find(str_of(name))];
	char why[CONFIG_ERROR_MAX / 2];
	char line[16] = "";
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	if (v->line)
		snprintf(line, sizeof(line), ":%d", v->line);
	return fail(err, "%s%s: %s=%.*s%s: %s", c->file, line, name,
		(int)shown_length(option_find(str_of(name)), v->text), v->text.p, v->line ? "" : " (default)", why);
}

/* listener.name.NAME.OPTION, kept for later: which listeners there are may stand behind it. */
static enum err set_override(struct config *c, struct str key, struct str value, int line, char err[CONFIG_ERROR_MAX])
{
	struct str rest = {key.p + sizeof(OVERRIDE_PREFIX) - 1, key.n - (sizeof(OVERRIDE_PREFIX) - 1)};
	const char *dot = memchr(rest.p, '.', rest.n);
	struct config_override *o = &c->overrides[c->overrides_n];
	struct str name = {rest.p, dot ? (size_t)(dot - rest.p) : 0};
	size_t row = dot ? option_find((struct str){dot + 1, rest.n - name.n - 1}) : option_table_n;

	if (row == option_table_n || !option_table[row].per_listener)
		return fail(err,
			"%s:%d: %.*s: not an option of single listeners, expected listener.name.NAME.ssl...., see "
			"sluice --help",
			c->file, line, (int)(key.n < 100 ? key.n : 100), key.p);
	if (c->overrides_n == OVERRIDES_MAX)
		return fail(err, "%s:%d: %.*s: expected at most %d such lines", c->file, line,
			(int)(key.n < 100 ? key.n : 100), key.p, OVERRIDES_MAX);
	o->name = (struct str){arena_copy_string(&c->arena, name), name.n};
	o->text = (struct str){arena_copy_string(&c->arena, value), value.n};
	o->row = row;
	o->line = line;
	c->overrides_n++;
	return o->name.p && o->text.p ? ERR_OK : fail(err, "%s:%d: the file is larger than its limit", c->file, line);
}

static enum err set_from_line(struct config *c, struct str key, struct str value, int line, char err[CONFIG_ERROR_MAX])
{
	size_t row = option_find(key);
	char expected[200];

	if (key.n > sizeof(OVERRIDE_PREFIX) - 1 && memcmp(key.p, OVERRIDE_PREFIX, sizeof(OVERRIDE_PREFIX) - 1) == 0)
		return set_override(c, key, value, line, err);
	if (row == option_table_n)
		return fail(err, "%s:%d: %.*s=%.*s: unknown key, expected one of those that sluice --help lists",
			c->file, line, (int)(key.n < 100 ? key.n : 100), key.p, (int)(value.n < 100 ? value.n : 100),
			value.p);
	if (c->values[row].line)
		return fail(err, "%s:%d: %.*s=%.*s: given twice, expected once; the first is in line %d", c->file, line,
			(int)key.n, key.p, (int)shown_length(row, value), value.p, c->values[row].line);
	c->values[row].text = (struct str){arena_copy_string(&c->arena, value), value.n};
	c->values[row].line = line;
	if (!c->values[row].text.p)
		return fail(err, "%s:%d: the file is larger than its limit", c->file, line);
	if (option_set(c, &option_table[row], value))
		return ERR_OK;
	option_expected(&option_table[row], expected, sizeof(expected));
	return config_fail(c, option_table[row].name, err, "expected %s", expected);
}

static enum err read_line(struct config *c, struct str s, int line, char err[CONFIG_ERROR_MAX])
{
	const char *equals;
	size_t n;

	if (memchr(s.p, '\0', s.n))
		return fail(err, "%s:%d: a zero byte, expected text", c->file, line);
	s = option_trim(s);
	if (s.n == 0 || s.p[0] == '#')
		return ERR_OK;
	equals = memchr(s.p, '=', s.n);
	if (!equals)
		return fail(err, "%s:%d: %.*s: no '=', expected key=value, a comment (#) or an empty line", c->file,
			line, (int)(s.n < 100 ? s.n : 100), s.p);
	n = (size_t)(equals - s.p);
	return set_from_line(
		c, option_trim((struct str){s.p, n}), option_trim((struct str){equals + 1, s.n - n - 1}), line, err);
}

static enum err read_lines(struct config *c, struct str text, char err[CONFIG_ERROR_MAX])
{
	enum err e = ERR_OK;

	for (int line = 1; !e && text.n; line++) {
		const char *end = memchr(text.p, '\n', text.n);
		size_t n = end ? (size_t)(end - text.p) : text.n;

		e = read_line(c, (struct str){text.p, n}, line, err);
		text.p += n + (end ? 1 : 0);
		text.n -= n + (end ? 1 : 0);
	}
	return e;
}

static enum err set_defaults(struct config *c, char err[CONFIG_ERROR_MAX])
{
	char expected[200];

	for (size_t i = 0; i < option_table_n; i++) {
		const struct option *o = &option_table[i];

		if (c->values[i].line)
			continue;
		if (!o->def) {
			option_expected(o, expected, sizeof(expected));
			return fail(err, "%s: %s is missing, expected %s such as %s=%s", c->file, o->name, expected,
				o->name, o->example);
		}
		c->values[i].text = str_of(o->def);
		if (!option_set(c, o, c->values[i].text))
			return config_fail(c, o->name, err, "the default is not valid");
	}
	return ERR_OK;
}

enum err config_parse(const char *file, struct str text, struct config **ret, char err[CONFIG_ERROR_MAX])
{
	struct config *c = mem_zalloc(1, sizeof(*c));
	enum err e;

	arena_init(&c->arena, CONFIG_MAX);
	c->values = mem_zalloc(option_table_n, sizeof(*c->values));
	c->overrides = mem_zalloc(OVERRIDES_MAX, sizeof(*c->overrides));
	c->file = mem_copy_string(file, strlen(file));
	e = read_lines(c, text, err);
	if (!e)
		e = set_defaults(c, err);
	if (!e)
		e = config_check(c, err);
	if (e) {
		config_free(c);
		return e;
	}
	*ret = c;
	return ERR_OK;
}

static enum err read_file(const char *file, char *text, size_t max, size_t *ret_n, char err[CONFIG_ERROR_MAX])
{
	FILE *f = fopen(file, "re");
	enum err e = ERR_OK;

	if (!f) {
		fail(err, "%s: can not be read: %s", file, strerror(errno));
		return ERR_IO;
	}
	*ret_n = fread(text, 1, max, f);
	if (ferror(f)) {
		fail(err, "%s: can not be read: %s", file, strerror(errno));
		e = ERR_IO;
	} else if (*ret_n == max) {
		e = fail(err, "%s: larger than %u bytes, expected a configuration file", file, FILE_MAX);
	}
	fclose(f);
	return e;
}

enum err config_load(const char *file, struct config **ret, char err[CONFIG_ERROR_MAX])
{
	char *text = mem_zalloc(FILE_MAX + 1, 1);
	size_t n = 0;
	enum err e = read_file(file, text, FILE_MAX + 1, &n, err);

	if (!e)
		e = config_parse(file, (struct str){text, n}, ret, err);
	mem_free(text);
	return e;
}

void config_free(struct config *c)
{
	if (!c)
		return;
	config_release_tls(c);
	arena_release(&c->arena);
	mem_free(c->overrides);
	mem_free(c->values);
	mem_free(c->file);
	mem_free(c);
}

void config_diff(const struct config *from, const struct config *to, config_change_cb cb, void *arg)
{
	static const struct str hidden = {"(not shown)", 11};

	for (size_t i = 0; i < option_table_n; i++) {
		const struct option *o = &option_table[i];

		if (!str_eq(from->values[i].text, to->values[i].text))
			cb(arg, o->name, o->secret ? hidden : from->values[i].text,
				o->secret ? hidden : to->values[i].text, o->reloadable);
	}
}
