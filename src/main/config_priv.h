/* SPDX-License-Identifier: Apache-2.0 */
/* The option table, shared by the files that read, check and print it. */
#ifndef SLUICE_MAIN_CONFIG_PRIV_H
#define SLUICE_MAIN_CONFIG_PRIV_H

#include "main/config.h"

enum option_type {
	OPTION_STRING,
	OPTION_NUMBER,
	OPTION_WORD,      /* one of a list; stored as its index */
	OPTION_SERVERS,   /* host:port, ... */
	OPTION_TEXT,      /* any printable text */
	OPTION_LISTENERS, /* NAME://host:port, ... */
	OPTION_ADMIN,     /* HTTP://host:port, or nothing */
};

struct option {
	const char *section; /* heading, on the first row of a section */
	const char *name;
	enum option_type type;
	size_t offset, size; /* of the field in struct config */
	const char *def;     /* default; NULL: must be given */
	int64_t min, max;    /* OPTION_NUMBER; length of OPTION_STRING */
	const char *words;   /* OPTION_WORD: separated by a space */
	bool reloadable;
	bool secret;         /* its value is never printed */
	bool per_listener;   /* listener.name.NAME.OPTION sets it for the listeners of that name */
	const char *example; /* for options without a default */
	const char *doc;     /* one sentence or two */
};

extern const struct option option_table[];
extern const size_t option_table_n;

/* Row of a name; option_table_n when there is none. */
size_t option_find(struct str name);

/* The value as text of what an option may be, such as "a number from 1 to 65535". */
void option_expected(const struct option *o, char *out, size_t n);

/* Without white space at its ends. */
struct str option_trim(struct str s);

/* Reads a value into its field, in c or (of an option that is per_listener) in l. False when it is not what
 * option_expected says. */
bool option_set(struct config *c, const struct option *o, struct str text);
bool option_set_listener(struct config *c, struct config_tls *l, const struct option *o, struct str text);

/* config_tls.c: the protocols of the listeners, and all certificates, keys and trust; on failure writes err. */
enum err config_fill_tls(struct config *c, char err[CONFIG_ERROR_MAX]);
void config_release_tls(struct config *c);

/* config_login.c: sluice's own login; on failure writes err. */
enum err config_fill_login(struct config *c, char err[CONFIG_ERROR_MAX]);

/* Checks options against each other and fills in what follows from them. On failure writes err. */
enum err config_check(struct config *c, char err[CONFIG_ERROR_MAX]);

/* Writes "FILE:LINE: key=value: ..." about one option, by name, and returns ERR_INVALID. */
enum err config_fail(const struct config *c, const char *name, char err[CONFIG_ERROR_MAX], const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
