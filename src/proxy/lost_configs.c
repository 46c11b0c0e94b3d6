/* SPDX-License-Identifier: Apache-2.0 */
/* Group configs are written down here when their partition is lost, and named when the state is gone for good. */
#include "proxy/lost_configs.h"

#include <stdio.h>

#include "base/arena.h"
#include "base/mem.h"

#define ARENA_BYTES ((size_t)1024 * 1024 * 1024)
/* Of a line of the log, and lines: more of one kind in a second are only counted. */
#define LINE_BYTES 2000
#define LINES_MAX 8

struct lost_configs {
	struct lost_configs *next;
	int32_t state_partition;
	char text[]; /* one group: "id (name=value, ...)" */
};

static void group_keep(struct lost_configs **lc, int32_t state_partition, const struct share_group_state *st)
{
	struct lost_configs *one;
	size_t n = st->group_id.n + 8, at;

	for (uint32_t i = 0; i < st->configs_n; i++)
		n += st->configs[i].name.n + st->configs[i].value.n + 4;
	one = mem_zalloc(1, sizeof(*one) + n);
	one->state_partition = state_partition;
	at = (size_t)snprintf(one->text, n, "%.*s (", (int)st->group_id.n, st->group_id.p);
	for (uint32_t i = 0; i < st->configs_n && at < n; i++)
		at += (size_t)snprintf(one->text + at, n - at, "%s%.*s=%.*s", i ? ", " : "", (int)st->configs[i].name.n,
			st->configs[i].name.p, (int)st->configs[i].value.n,
			st->configs[i].value.p ? st->configs[i].value.p : "");
	if (at < n)
		snprintf(one->text + at, n - at, ")");
	one->next = *lc;
	*lc = one;
}

void lost_configs_keep(struct lost_configs **lc, const struct share_engine *e, int32_t state_partition)
{
	struct str group = STR_NULL;

	lost_configs_forget(lc, state_partition);
	for (;;) {
		struct share_group_state st;
		struct arena a;

		arena_init(&a, ARENA_BYTES);
		group = share_next_group(e, state_partition, group);
		if (group.p && !share_snapshot(e, group, &a, &st) && st.configs_n)
			group_keep(lc, state_partition, &st);
		arena_release(&a);
		if (!group.p)
			return;
	}
}

void lost_configs_forget(struct lost_configs **lc, int32_t state_partition)
{
	struct lost_configs **at = lc, *one;

	while ((one = *at)) {
		if (one->state_partition != state_partition) {
			at = &one->next;
			continue;
		}
		*at = one->next;
		mem_free(one);
	}
}

void lost_configs_tell(struct lost_configs **lc, struct log *log)
{
	const struct lost_configs *one = *lc;
	char line[LINE_BYTES];
	uint32_t left = 0;

	for (int lines = 0; one && lines < LINES_MAX; lines++) {
		size_t at = 0;

		do {
			at += (size_t)snprintf(line + at, sizeof(line) - at, "%s%s", at ? "; " : "", one->text);
			one = one->next;
		} while (one && at < sizeof(line) && strlen(one->text) + 2 < sizeof(line) - at);
		log_error(log, NULL, "these share groups had configs, which have to be set again: %s%s", line,
			at < sizeof(line) ? "" : "...");
	}
	for (; one; one = one->next)
		left++;
	if (left)
		log_error(log, NULL, "%u more share groups had configs", left);
	lost_configs_free(lc);
}

void lost_configs_free(struct lost_configs **lc)
{
	struct lost_configs *one;

	while ((one = *lc)) {
		*lc = one->next;
		mem_free(one);
	}
}
