/* SPDX-License-Identifier: Apache-2.0 */
/* sim_scale [--groups N] [--members N] [--held N]: what many groups cost in memory and time. Numbers
 * without a cluster: batches are handed to the engine as soon as it wants them. Ends with status 1 when a group's
 * idle share-partition or a held range costs more than is promised, or a step does more than it may. */
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/assert.h"
#include "base/mem.h"
#include "share/share.h"

enum {
	TOPIC_PARTITIONS = 10, /* and so many share-partitions of a group */
	GROUPS_OF_A_TOPIC = 10,
	BATCH_RECORDS = 20,
	MANY_GROUPS = 10,
	STATE_PARTITIONS = 50,
	RANGE_BYTES = 100,          /* promised: less for a held range */
	PARTITION_BYTES = 2 * 1024, /* promised: less for an idle share-partition */
	STEP_RANGES = 1100,         /* of locks that run out */
};

enum kind { K_HEARTBEAT, K_RESOLVE, K_OPEN, K_RECORDS, K_FETCH, K_ACK, K_EXPIRE, K_CLOSE, KINDS };

struct cost {
	uint64_t n;
	double total, max;
};

struct want {
	struct share_log_key log;
	int64_t offset;
};

struct resolve {
	uint32_t g;
	struct uuid topic_id;
	int32_t partition;
};

struct scale {
	uint32_t groups, members, parts;
	int64_t held, each; /* records in all, and of one member */
	int32_t batch;      /* records of one batch: what a member fetches comes at once */
	struct share_engine *e;
	struct share_effects fx;
	struct share_now now;
	uint64_t token;
	struct cost costs[KINDS];
	struct want *wants;
	uint32_t wants_n, wants_cap;
	struct resolve *resolves;
	uint32_t resolves_n, resolves_cap;
	uint64_t acquired;
	bool failed;
};

/* ---- helpers ---- */

/* Of the processor: how busy the machine is does not count. */
static double seconds(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Bytes that are in use, with what the allocator itself needs for them. */
static int64_t memory(void)
{
	struct mallinfo2 m = mallinfo2();

	return (int64_t)(m.uordblks + m.hblkhd);
}

struct name {
	char text[32];
	struct str s;
};

static struct str name_of(struct name *n, const char *what, uint32_t i, uint32_t j)
{
	int len = snprintf(n->text, sizeof(n->text), "%s-%u-%u", what, i, j);

	n->s = (struct str){n->text, (size_t)len};
	return n->s;
}

static struct uuid topic_of(uint32_t g)
{
	struct uuid id = {{0}};
	uint32_t t = g / GROUPS_OF_A_TOPIC + 1;

	memcpy(id.b, &t, sizeof(t));
	return id;
}

static void *room(void *v, uint32_t *cap, uint32_t n, size_t size)
{
	if (n < *cap)
		return v;
	*cap = *cap ? *cap * 2 : 1024;
	return mem_resize(v, *cap, size);
}

static void resolve_wanted(struct scale *s, const struct share_effect *fx)
{
	uint32_t g = 0;

	for (size_t i = 2; i < fx->u.resolve.group_id.n && fx->u.resolve.group_id.p[i] != '-'; i++)
		g = g * 10 + (uint32_t)(fx->u.resolve.group_id.p[i] - '0');
	s->resolves = room(s->resolves, &s->resolves_cap, s->resolves_n, sizeof(*s->resolves));
	s->resolves[s->resolves_n++] = (struct resolve){g, fx->u.resolve.topic_id, fx->u.resolve.partition};
}

static void effects(struct scale *s)
{
	for (uint32_t i = 0; i < s->fx.n; i++) {
		const struct share_effect *fx = &s->fx.v[i];

		if (fx->type == SHARE_FX_WANT_RECORDS) {
			s->wants = room(s->wants, &s->wants_cap, s->wants_n, sizeof(*s->wants));
			s->wants[s->wants_n++] = (struct want){fx->u.want.log, fx->u.want.offset};
		} else if (fx->type == SHARE_FX_RESOLVE_OFFSET) {
			resolve_wanted(s, fx);
		} else if (fx->type == SHARE_FX_REPLY) {
			sl_assert(fx->u.fetch.error == 0); /* first in each of them */
		}
	}
}

static void apply(struct scale *s, const struct share_event *ev, enum kind kind)
{
	struct cost *c = &s->costs[kind];
	double begin, took;

	share_effects_clear(&s->fx);
	begin = seconds();
	share_apply(s->e, ev, s->now, &s->fx);
	took = seconds() - begin;
	c->n++;
	c->total += took;
	if (took > c->max)
		c->max = took;
	effects(s);
}

/* What is there once an engine only counts where there is much of the rest. */
static void judge(struct scale *s, const char *what, double value, double limit)
{
	bool ok = value < limit || s->groups < MANY_GROUPS;

	printf("  %-44s %10.0f %s\n", what, value, ok ? "" : "TOO MUCH");
	if (!ok)
		s->failed = true;
}

/* ---- what happens ---- */

static void topics(struct scale *s)
{
	for (uint32_t g = 0; g < s->groups; g += GROUPS_OF_A_TOPIC) {
		struct share_event ev = {.type = SHARE_EV_TOPIC};
		struct name n;

		ev.u.topic.topic_id = topic_of(g);
		ev.u.topic.name = name_of(&n, "t", g / GROUPS_OF_A_TOPIC, 0);
		ev.u.topic.partitions = TOPIC_PARTITIONS;
		share_apply(s->e, &ev, s->now, &s->fx);
	}
}

static void heartbeats(struct scale *s)
{
	for (uint32_t g = 0; g < s->groups; g++) {
		for (uint32_t m = 0; m < s->members; m++) {
			struct share_event ev = {.type = SHARE_EV_HEARTBEAT, .token = ++s->token};
			struct name group, member, topic;
			struct str names[1] = {name_of(&topic, "t", g / GROUPS_OF_A_TOPIC, 0)};

			ev.state_partition = (int32_t)(g % STATE_PARTITIONS);
			ev.u.heartbeat.group_id = name_of(&group, "g", g, 0);
			ev.u.heartbeat.member_id = name_of(&member, "member", g, m);
			ev.u.heartbeat.client_id = STR_LIT("client");
			ev.u.heartbeat.client_host = STR_LIT("/10.0.0.1");
			ev.u.heartbeat.topics = names;
			ev.u.heartbeat.topics_n = 1;
			apply(s, &ev, K_HEARTBEAT);
		}
	}
}

static void resolves(struct scale *s)
{
	while (s->resolves_n) {
		struct resolve r = s->resolves[--s->resolves_n];
		struct share_event ev = {.type = SHARE_EV_OFFSET};
		struct name group;

		ev.u.offset.group_id = name_of(&group, "g", r.g, 0);
		ev.u.offset.topic_id = r.topic_id;
		ev.u.offset.partition = r.partition;
		apply(s, &ev, K_RESOLVE);
	}
}

/* Answers what the engine wants with one batch each, as far as the logs go. */
static void records(struct scale *s)
{
	int64_t end = (s->each * s->members / TOPIC_PARTITIONS + s->each) * 2 + s->batch;

	for (uint32_t i = 0; i < s->wants_n;) {
		struct share_event ev = {.type = SHARE_EV_RECORDS};
		int64_t base = s->wants[i].offset / s->batch * s->batch;
		struct share_batch b = {.base_offset = base,
			.last_offset = base + s->batch - 1,
			.size = 2000,
			.producer_id = -1,
			.ref = s};

		if (base >= end) { /* a long poll */
			i++;
			continue;
		}
		ev.u.records.log = s->wants[i].log;
		ev.u.records.from_offset = s->wants[i].offset;
		ev.u.records.high_watermark = ev.u.records.last_stable_offset = end;
		ev.u.records.batches = &b;
		ev.u.records.batches_n = 1;
		s->wants[i] = s->wants[--s->wants_n];
		apply(s, &ev, K_RECORDS);
	}
}

static struct share_event request(
	struct scale *s, enum share_event_type type, uint32_t g, uint32_t m, struct name names[2], int32_t epoch)
{
	struct share_event ev = {.type = type, .token = ++s->token, .state_partition = (int32_t)(g % STATE_PARTITIONS)};

	ev.u.fetch.group_id = name_of(&names[0], "g", g, 0);
	ev.u.fetch.member_id = name_of(&names[1], "member", g, m);
	ev.u.fetch.node_id = (int32_t)(m % 3);
	ev.u.fetch.conn_id = (uint64_t)g * s->members + m + 1;
	ev.u.fetch.api_version = 2;
	ev.u.fetch.session_epoch = epoch;
	ev.u.fetch.max_wait_ms = 500;
	ev.u.fetch.min_bytes = 1;
	ev.u.fetch.max_bytes = 50 << 20;
	ev.u.fetch.max_records = (int32_t)(s->each * 2);
	ev.u.fetch.batch_size = (int32_t)(s->each * 2);
	ev.u.fetch.acquire_mode = 1;
	return ev;
}

static void sessions(struct scale *s)
{
	for (uint32_t g = 0; g < s->groups; g++) {
		for (uint32_t m = 0; m < s->members; m++) {
			struct share_partition_acks a = {topic_of(g), (int32_t)(m % s->parts), NULL, 0};
			struct name names[2];
			struct share_event ev = request(s, SHARE_EV_FETCH, g, m, names, 0);

			ev.u.fetch.partitions = &a;
			ev.u.fetch.partitions_n = 1;
			ev.u.fetch.max_wait_ms = 0;
			ev.u.fetch.max_records = 0;
			apply(s, &ev, K_OPEN);
		}
	}
}

static void fetches(struct scale *s)
{
	for (uint32_t g = 0; g < s->groups; g++) {
		for (uint32_t m = 0; m < s->members; m++) {
			struct name names[2];
			struct share_event ev = request(s, SHARE_EV_FETCH, g, m, names, 1);

			apply(s, &ev, K_FETCH);
			records(s);
		}
	}
}

/* Every second record is accepted, so that each of the others is a range of its own. */
static void acknowledge(struct scale *s)
{
	struct share_ack_batch *b = mem_zalloc((size_t)s->each + 1, sizeof(*b));
	static const int8_t accept = 1;

	for (uint32_t g = 0; g < s->groups; g++) {
		for (uint32_t m = 0; m < s->members; m++) {
			struct share_partition_acks a = {topic_of(g), (int32_t)(m % s->parts), b, (uint32_t)s->each};
			int64_t base = (int64_t)(m / s->parts) * s->each * 2;
			struct name names[2];
			struct share_event ev = request(s, SHARE_EV_ACKNOWLEDGE, g, m, names, 2);

			for (int64_t i = 0; i < s->each; i++)
				b[i] = (struct share_ack_batch){base + 2 * i + 1, base + 2 * i + 1, &accept, 1};
			ev.u.fetch.partitions = &a;
			ev.u.fetch.partitions_n = 1;
			apply(s, &ev, K_ACK);
			sl_assert(s->fx.v[s->fx.n - 1].type != SHARE_FX_REPLY ||
				  !s->fx.v[s->fx.n - 1].u.fetch.partitions[0].error);
		}
	}
	mem_free(b);
}

/* All locks run out at once. */
static uint64_t expire(struct scale *s)
{
	struct share_event ev = {.type = SHARE_EV_TICK};
	struct share_counts c;
	uint64_t before, most = 0;

	s->now.mono += 31000;
	do {
		share_get_counts(s->e, &c);
		before = c.lock_timeouts;
		apply(s, &ev, K_EXPIRE);
		share_get_counts(s->e, &c);
		if (c.lock_timeouts - before > most)
			most = c.lock_timeouts - before;
	} while (share_next_deadline(s->e) <= s->now.mono);
	sl_assert(c.held_records == 0);
	return most;
}

static void close_all(struct scale *s)
{
	for (uint64_t i = 1; i <= (uint64_t)s->groups * s->members; i++) {
		struct share_event ev = {.type = SHARE_EV_CONN_CLOSED};

		ev.u.conn_id = i;
		apply(s, &ev, K_CLOSE);
	}
}

/* ---- the run ---- */

static void print_costs(const struct scale *s)
{
	static const char *const names[KINDS] = {"heartbeat", "start offset", "open session", "records", "fetch",
		"acknowledge", "locks run out", "close"};

	printf("  %-16s %10s %12s %12s\n", "step", "times", "average us", "longest us");
	for (int i = 0; i < KINDS; i++)
		printf("  %-16s %10" PRIu64 " %12.2f %12.0f\n", names[i], s->costs[i].n,
			s->costs[i].total * 1e6 / (double)(s->costs[i].n ? s->costs[i].n : 1), s->costs[i].max * 1e6);
}

static void run(struct scale *s)
{
	struct share_counts c;
	int64_t empty = memory(), m0, m1;
	uint64_t ranges, most;

	topics(s);
	heartbeats(s);
	resolves(s);
	share_effects_clear(&s->fx);
	m0 = memory();
	share_get_counts(s->e, &c);
	sl_assert(c.groups == s->groups && c.members == (uint64_t)s->groups * s->members);
	judge(s, "bytes an idle share-partition (members too)", (double)(m0 - empty) / (double)c.share_partitions,
		PARTITION_BYTES);
	heartbeats(s);
	sessions(s);
	share_effects_clear(&s->fx);
	m1 = memory();
	printf("  %-44s %10.0f\n", "bytes a share session with one partition",
		(double)(m1 - m0) / (double)((uint64_t)s->groups * s->members));
	fetches(s);
	share_get_counts(s->e, &c);
	sl_assert((int64_t)c.held_records == s->held * 2);
	share_effects_clear(&s->fx);
	m0 = memory();
	ranges = c.state_ranges;
	acknowledge(s);
	share_effects_clear(&s->fx);
	m1 = memory();
	share_get_counts(s->e, &c);
	sl_assert((int64_t)c.held_records == s->held);
	judge(s, "bytes a range, held or done", (double)(m1 - m0) / (double)(c.state_ranges - ranges), RANGE_BYTES);
	printf("  %-44s %10" PRIu64 "\n", "held records", c.held_records);
	printf("  %-44s %10" PRIu64 "\n", "share-partitions", c.share_partitions);
	printf("  %-44s %10.1f\n", "MiB in all", (double)(m1 - empty) / 1048576.0);
	most = expire(s);
	judge(s, "ranges of locks run out in one step, most", (double)most, STEP_RANGES);
	close_all(s);
	print_costs(s);
}

static uint32_t arg_number(const char *s)
{
	char *end;
	unsigned long v = strtoul(s, &end, 10);

	if (!*s || *end || v < 1 || v > 100000000) {
		fprintf(stderr, "sim_scale: %s: expected a number from 1 to 100000000\n", s);
		exit(2);
	}
	return (uint32_t)v;
}

static void arguments(struct scale *s, int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--groups"))
			s->groups = arg_number(argv[i + 1]);
		else if (!strcmp(argv[i], "--members"))
			s->members = arg_number(argv[i + 1]);
		else if (!strcmp(argv[i], "--held"))
			s->held = arg_number(argv[i + 1]);
	}
	s->each = s->held / s->groups / s->members;
	s->each = s->each ? s->each : 1;
	s->batch = s->each > BATCH_RECORDS / 2 ? (int32_t)(s->each * 2) : BATCH_RECORDS;
	s->held = s->each * s->groups * s->members;
	s->parts = TOPIC_PARTITIONS;
}

int main(int argc, char **argv)
{
	struct scale *s = mem_zalloc(1, sizeof(*s));
	struct share_engine_config cfg = {.group_max_size = 1000,
		.max_share_sessions = 1000000,
		.read_ahead_max_bytes = INT64_C(1) << 40,
		.fetch_max_bytes = 50 << 20,
		.max_groups = 1000000};
	int status;

	s->groups = 10000;
	s->members = 10;
	s->held = 1000000;
	arguments(s, argc, argv);
	share_group_config_bounds_default(&cfg.group);
	/* A window wider than any group may have, where so much is to be held in one partition. */
	if (s->each * 2 * s->members > cfg.group.partition_max_record_locks)
		cfg.group.partition_max_record_locks = (int32_t)(s->each * 2 * s->members);
	s->now = (struct share_now){1000, 1700000000000};
	s->e = share_engine_new(&cfg);
	share_effects_init(&s->fx);
	printf("sim_scale: %u groups of %u members, %" PRId64 " records held\n", s->groups, s->members, s->held);
	run(s);
	status = s->failed ? 1 : 0;
	printf("sim_scale: %s\n", s->failed ? "FAILED: it costs more than it may" : "ok, within what is promised");
	share_engine_free(s->e, NULL, NULL);
	share_effects_release(&s->fx);
	mem_free(s->wants);
	mem_free(s->resolves);
	mem_free(s);
	return status;
}
