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
	OPTION_LISTENERS, /* PLAINTEXT://host:port, ... */
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

/* Reads a value into its field. False when it is not what option_expected says. */
bool option_set(struct config *c, const struct option *o, struct str text);

/* Checks options against each other and fills in what follows from them. On failure writes err. */
enum err config_check(struct config *c, char err[CONFIG_ERROR_MAX]);

/* Writes "FILE:LINE: key=value: ..." about one option, by name, and returns ERR_INVALID. */
enum err config_fail(const struct config *c, const char *name, char err[CONFIG_ERROR_MAX], const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
