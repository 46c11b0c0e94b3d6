/* SPDX-License-Identifier: Apache-2.0 */
/* The table of Kafka's APIs is printed for the README here: one row for all that are treated alike for the same reason.
 */
#include "main/compatibility.h"

#include <string.h>

#include "route/api.h"

/* Rows come in this order. */
static const enum route_verdict order[] = {ROUTE_TERMINATE, ROUTE_REWRITE, ROUTE_PEEK, ROUTE_PASS};

static bool is_alike(const struct route_api *a, const struct route_api *b)
{
	return a->verdict == b->verdict && a->hidden == b->hidden && strcmp(a->why, b->why) == 0;
}

static void print_versions(FILE *f, const struct route_api *api)
{
	if (api->verdict == ROUTE_TERMINATE && api->served_min == api->served_max)
		fprintf(f, " v%d", api->served_min);
	else if (api->verdict == ROUTE_TERMINATE)
		fprintf(f, " v%d-v%d", api->served_min, api->served_max);
	else if (api->max_known == 0)
		fputs(" v0", f);
	else if (api->max_known > 0)
		fprintf(f, " to v%d", api->max_known);
}

/* One row: this API and those behind it that are alike. */
static void print_row(FILE *f, const struct route_api *first)
{
	fprintf(f, "| %s |", first->hidden ? "hide" : route_verdict_name(first->verdict));
	for (int16_t key = first->key; key <= ROUTE_KEY_MAX; key++) {
		const struct route_api *api = route_api_find(key);

		if (!is_alike(first, api))
			continue;
		fprintf(f, "%s %s (%d)", api == first ? "" : ",", api->name, api->key);
		print_versions(f, api);
	}
	fprintf(f, " | %s |\n", first->why);
}

/* No API before this one is alike. */
static bool is_first(const struct route_api *api)
{
	for (int16_t key = 0; key < api->key; key++)
		if (is_alike(api, route_api_find(key)))
			return false;
	return true;
}

void compatibility_print(FILE *f)
{
	fputs("| What is done | APIs (key), versions that are offered at most | Why |\n|---|---|---|\n", f);
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		for (int16_t key = 0; key <= ROUTE_KEY_MAX; key++) {
			const struct route_api *api = route_api_find(key);

			if (api->verdict == order[i] && is_first(api))
				print_row(f, api);
		}
	}
	fputs("| pass | every other key, also one that did not exist when this was built | the broker knows |\n", f);
}
