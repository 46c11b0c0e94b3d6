/* SPDX-License-Identifier: Apache-2.0 */
/* The option table is printed here for people: --help, the manual, the example file. */
#include <stdio.h>

#include "config_priv.h"

#define WIDTH 100

/* Prints text in lines of at most WIDTH columns that begin with prefix. */
static void print_wrapped(FILE *f, const char *prefix, const char *text)
{
	size_t used = 0;

	while (*text) {
		size_t n = strcspn(text, " ");

		if (used && used + 1 + n > WIDTH - strlen(prefix)) {
			fputc('\n', f);
			used = 0;
		}
		used += (size_t)fprintf(f, "%s%.*s", used ? " " : prefix, (int)n, text) - (used ? 0 : strlen(prefix));
		text += n + (text[n] == ' ');
	}
	fputc('\n', f);
}

/* "a number from 1 to 9; default 5; reloadable" */
static void describe(const struct option *o, char *out, size_t n)
{
	char expected[200];

	option_expected(o, expected, sizeof(expected));
	if (!o->def)
		snprintf(out, n, "%s; required", expected);
	else
		snprintf(out, n, "%s; default %s%s", expected, *o->def ? o->def : "empty",
			o->reloadable ? "; reloadable" : "");
}

void config_print_help(FILE *f)
{
	char text[300];

	for (size_t i = 0; i < option_table_n; i++) {
		const struct option *o = &option_table[i];

		if (o->section)
			fprintf(f, "%s%s:\n", i ? "\n" : "", o->section);
		describe(o, text, sizeof(text));
		fprintf(f, "  %s\n", o->name);
		print_wrapped(f, "      ", text);
		print_wrapped(f, "      ", o->doc);
	}
}

/* Signs that roff would take for its own. */
static void print_roff(FILE *f, const char *text)
{
	for (; *text; text++) {
		if (*text == '\\' || *text == '-')
			fputc('\\', f);
		fputc(*text, f);
	}
	fputc('\n', f);
}

void config_print_man(FILE *f)
{
	char text[300];

	for (size_t i = 0; i < option_table_n; i++) {
		const struct option *o = &option_table[i];

		if (o->section)
			fprintf(f, ".SS %s\n", o->section);
		describe(o, text, sizeof(text));
		fprintf(f, ".TP\n.B %s\n", o->name);
		print_roff(f, o->doc);
		fprintf(f, "(%s)\n", text);
	}
}

void config_print_example(FILE *f)
{
	char text[300];

	fputs("# Configuration of sluice, with all options at their defaults; the two without a # are needed.\n"
	      "# One key=value a line. Options that are reloadable take effect on SIGHUP.\n",
		f);
	for (size_t i = 0; i < option_table_n; i++) {
		const struct option *o = &option_table[i];

		if (o->section)
			fprintf(f, "\n### %s\n", o->section);
		fputc('\n', f);
		print_wrapped(f, "# ", o->doc);
		describe(o, text, sizeof(text));
		print_wrapped(f, "# ", text);
		fprintf(f, "%s%s=%s\n", o->def ? "#" : "", o->name, o->def ? o->def : o->example);
	}
}
