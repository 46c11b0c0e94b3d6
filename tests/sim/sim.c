/* SPDX-License-Identifier: Apache-2.0 */
/* sim [--seed N] [--steps N] [--break RULE]: engine, state log, crashes and late writes at random; the same start value
 * gives the same run. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/mem.h"
#include "sim.h"
#include "wire/batch.h"

#define BATCH_BYTES 3000
#define QUIET_STEPS 20000

void sim_failed(const struct sim *s, const char *cond, const char *file, int line)
{
	printf("sim: seed %" PRIu64 " step %" PRIu64 " FAILED: %s (%s:%d)\n", s->seed, s->step, cond, file, line);
	for (int i = 0; i < SLUICES; i++) {
		const struct sluice *n = &s->sluices[i];

		printf("sim: sluice %d: %s, log state %d %s\n", i, n->up ? n->serving ? "serving" : "up" : "down",
			n->up ? (int)statelog_get_state(n->l) : -1, n->up ? statelog_reason(n->l) : "");
	}
	(void)fflush(stdout);
	abort();
}

struct str sim_group(int g)
{
	static const char *const ids[GROUPS] = {"g0", "g1", "g2"};

	return str_of(ids[g]);
}

struct str sim_member(int c)
{
	static const char *const ids[CLIENTS] = {"m0", "m1", "m2", "m3", "m4"};

	return str_of(ids[c]);
}

struct str sim_topic(int t)
{
	static const char *const names[TOPICS] = {"orders", "payments"};

	return str_of(names[t]);
}

int sim_group_index(struct str id)
{
	sl_assert(id.n == 2);
	return id.p[1] - '0';
}

int sim_topic_index(const struct sim *s, struct uuid id)
{
	for (int t = 0; t < TOPICS; t++) {
		if (uuid_eq(s->topics[t], id))
			return t;
	}
	return -1;
}

static void topic_make(struct sim *s, int t)
{
	s->topics[t] = (struct uuid){{(uint8_t)(t + 1)}};
	memcpy(&s->topics[t].b[4], &s->generation[t], sizeof(s->generation[t]));
	for (int p = 0; p < PARTS; p++)
		world_log_init(&s->logs[t][p], rng_next(&s->rng), false);
}

static void sim_init(struct sim *s, uint64_t seed, enum sim_break broken)
{
	*s = (struct sim){
		.rng = {seed}, .seed = seed, .broken = broken, .now = 1000, .late_trim = -1, .delivered_epoch = -1};
	share_group_config_bounds_default(&s->cfg.group);
	s->cfg.group.session_timeout_ms = s->cfg.group.min_session_timeout_ms = SESSION_MS;
	s->cfg.group.record_lock_duration_ms = s->cfg.group.min_record_lock_duration_ms = LOCK_MS;
	s->cfg.group.assignment_interval_ms = 0;
	s->cfg.group_max_size = CLIENTS;
	s->cfg.max_share_sessions = 1000;
	s->cfg.read_ahead_max_bytes = 1 << 20;
	s->cfg.fetch_max_bytes = 100000;
	s->cfg.max_groups = 100;
	s->log_cfg = (struct statelog_config){
		.partition = 0,
		.partition_count = 1,
		.owner_address = STR_LIT("127.0.0.1:9092"),
		.max_batch_bytes = seed % 3 ? 1u << 20 : BATCH_BYTES,
		.max_pending_bytes = 1u << 20,
		.checkpoint_min_bytes = 6000,
		.checkpoint_factor = 3,
	};
	fake_partition_init(&s->p);
	for (int t = 0; t < TOPICS; t++) {
		topic_make(s, t);
		told_forget(s, t);
	}
	for (int i = 0; i < SLUICES; i++) {
		s->sluices[i].s = s;
		s->sluices[i].index = i;
	}
}

static void tick(struct sim *s)
{
	struct share_event ev = {.type = SHARE_EV_TICK};

	s->now += rng_chance(&s->rng, 1) ? 500 + rng_below(&s->rng, 3000) : 1 + rng_below(&s->rng, 30);
	clients_expire(s);
	for (int i = 0; i < SLUICES; i++) {
		struct sluice *n = &s->sluices[i];

		if (n->up && n->leaving == STAYS && !sluice_is_paused(n) && share_next_deadline(n->e) <= s->now &&
			statelog_has_room(n->l))
			sluice_apply(n, &ev);
	}
}

static void produce(struct sim *s)
{
	int t = (int)rng_below(&s->rng, TOPICS), p = (int)rng_below(&s->rng, PARTS);
	struct world_log *l = &s->logs[t][p];
	int64_t slowest = INT64_MAX;

	for (int g = 0; g < GROUPS; g++)
		slowest = s->told[g][t][p].start < slowest ? s->told[g][t][p].start : slowest;
	if (world_log_end(l) - (slowest < l->start ? l->start : slowest) < 150)
		world_log_grow(l, 1 + rng_below(&s->rng, 3));
	else if (rng_chance(&s->rng, 1))
		l->start += 1 + rng_below(&s->rng, 60); /* retention */
}

static void late_land(struct sim *s)
{
	struct chunk *c;
	uint32_t i;

	if (s->late_trim >= 0 && rng_chance(&s->rng, 50)) {
		fake_partition_trim(&s->p, s->late_trim);
		s->late_trim = -1;
	}
	if (!s->late_n)
		return;
	i = rng_below(&s->rng, s->late_n);
	c = s->late[i];
	s->late[i] = s->late[--s->late_n];
	sim_produce(s, c);
	s->late_writes++;
	chunk_unref(c);
}

static void junk(struct sim *s)
{
	struct batch_builder b;
	struct chunk *c;

	batch_builder_init(&b, 1000, 1);
	sl_assert(batch_builder_add(&b, (struct bytes){NULL, 0}, (struct bytes){NULL, 0}) == ERR_OK);
	c = batch_builder_end(&b, -1, -1, -1);
	batch_builder_release(&b);
	fake_partition_produce(&s->p, c);
	chunk_unref(c);
}

/* A topic is deleted and made again under its name. */
static void topic_again(struct sim *s)
{
	struct share_event ev = {.type = SHARE_EV_TOPIC_GONE};
	int t = (int)rng_below(&s->rng, TOPICS);

	for (int i = 0; i < SLUICES; i++) {
		const struct sluice *n = &s->sluices[i];

		if (n->up && (!statelog_has_room(n->l) || n->leaving != STAYS || sluice_is_paused(n)))
			return;
	}
	ev.u.topic.topic_id = s->topics[t];
	for (int p = 0; p < PARTS; p++)
		world_log_release(&s->logs[t][p]);
	s->generation[t]++;
	topic_make(s, t);
	told_forget(s, t);
	for (int i = 0; i < SLUICES; i++) {
		struct sluice *n = &s->sluices[i];

		for (int g = 0; g < GROUPS; g++) {
			memset(n->ring[g][t], 0xff, sizeof(n->ring[g][t]));
			memset(n->start[g][t], 0xff, sizeof(n->start[g][t]));
		}
		for (uint32_t k = 0; k < n->notes_n; k++) {
			if (n->notes[k].t == t)
				n->notes[k].start = -1;
		}
		for (uint32_t k = 0; k < n->requests_n; k++) {
			for (uint32_t a = 0; a < n->requests[k].acks_n; a++)
				n->requests[k].acks[a].t =
					n->requests[k].acks[a].t == t ? -1 : n->requests[k].acks[a].t;
			for (uint32_t a = 0; a < n->requests[k].acquired_n; a++)
				n->requests[k].acquired_n =
					n->requests[k].acquired[a].t == t ? 0 : n->requests[k].acquired_n;
		}
		if (!n->up || !n->serving)
			continue;
		sluice_apply(n, &ev);
		sluice_announce(n, t);
	}
}

static void sim_step(struct sim *s)
{
	uint32_t r = rng_below(&s->rng, 10000);
	struct sluice *n = &s->sluices[rng_below(&s->rng, SLUICES)];

	s->step++;
	if (r < 1500)
		tick(s);
	else if (r < 5200)
		client_step(s);
	else if (r < 7600)
		sluice_step_log(n);
	else if (r < 9200)
		sluice_step_cluster(n);
	else if (r < 9700)
		produce(s);
	else if (r < 9880)
		owner_fate(n);
	else if (r < 9970)
		late_land(s);
	else if (r < 9976)
		junk(s);
	else if (r < 9977)
		topic_again(s);
	else if (r < 9995)
		sluice_check_exact(n);
	else if (n->up)
		share_check(n->e);
}

/* Nothing goes wrong any more and all clients leave: every count must come to zero. */
static void sim_finish(struct sim *s)
{
	s->quiet = true;
	for (int i = 0; i < SLUICES; i++)
		s->sluices[i].paused_until = 0;
	while (s->late_n || s->late_trim >= 0)
		late_land(s);
	for (int i = 1; i < SLUICES; i++)
		sluice_crash(&s->sluices[i]);
	for (uint32_t i = 0; i < QUIET_STEPS; i++) {
		struct sluice *n = &s->sluices[0];

		while (s->late_n || s->late_trim >= 0) /* of the crash above */
			late_land(s);
		if (!n->up)
			sluice_start(n);
		else if (n->leaving == LEAVES)
			sluice_crash(n);
		else if (statelog_get_state(n->l) == STATELOG_LOST)
			sluice_follow(n);
		sluice_step_log(n);
		sluice_step_cluster(n);
		if (i % 10 == 0)
			tick(s);
		for (int k = 0; i < QUIET_STEPS / 2 && k < GROUPS * CLIENTS; k++) {
			s->clients[k / CLIENTS][k % CLIENTS].at = 0;
			client_leave(s, k / CLIENTS, k % CLIENTS);
		}
	}
}

static void sim_check_zero(struct sim *s)
{
	struct sluice *n = &s->sluices[0];
	struct share_event ev = {.type = SHARE_EV_CONN_CLOSED};
	struct share_counts c;

	for (int k = 0; k < GROUPS * CLIENTS; k++) {
		ev.u.conn_id = (uint64_t)k + 1;
		sluice_apply(n, &ev);
	}
	while (n->flight)
		sluice_step_log(n);

	sim_check(s, n->serving && n->requests_n == 0);
	sim_check(s, statelog_durable(n->l) == statelog_appended(n->l));
	sluice_check_exact(n);
	share_check(n->e);
	share_get_counts(n->e, &c);
	printf("sim: %" PRIu64 " members, %" PRIu64 " sessions, %" PRIu64 " fetches and %" PRIu64
	       " heartbeats waiting, %" PRIu64 " records held\n",
		c.members, c.sessions, c.waiting_fetches, c.waiting_heartbeats, c.held_records);
	sim_check(s, c.members == 0 && c.sessions == 0 && c.waiting_fetches == 0 && c.waiting_heartbeats == 0);
	sim_check(s, c.held_records == 0);
}

static void sim_release(struct sim *s)
{
	for (int i = 0; i < SLUICES; i++)
		sluice_free(&s->sluices[i]);
	for (int t = 0; t < TOPICS; t++) {
		told_forget(s, t);
		for (int p = 0; p < PARTS; p++)
			world_log_release(&s->logs[t][p]);
	}
	for (uint32_t i = 0; i < s->late_n; i++)
		chunk_unref(s->late[i]);
	fake_partition_release(&s->p);
	mem_free(s->claims);
}

static uint64_t number(const char *name, const char *s)
{
	char *end;
	unsigned long long v = strtoull(s, &end, 0);

	if (!*s || *end) {
		fprintf(stderr, "sim: %s %s: expected a number\n", name, s);
		exit(2);
	}
	return v;
}

static enum sim_break break_of(const char *s)
{
	static const char *const names[] = {
		"nothing", "no-offset-check", "trim-early", "answer-early", "ignore-lease", "ignore-wait"};

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(s, names[i]) == 0)
			return (enum sim_break)i;
	}
	fprintf(stderr,
		"sim: --break %s: expected no-offset-check, trim-early, answer-early, ignore-lease or ignore-wait\n",
		s);
	exit(2);
}

int main(int argc, char **argv)
{
	uint64_t seed = (uint64_t)time(NULL) * 1000003u + (uint64_t)getpid(), steps = 1000000;
	enum sim_break broken = BREAK_NOTHING;
	struct sim *s = mem_zalloc(1, sizeof(*s));
	size_t log_bytes;

	for (int i = 1; i < argc; i += 2) {
		if (i + 1 < argc && !strcmp(argv[i], "--seed"))
			seed = number(argv[i], argv[i + 1]);
		else if (i + 1 < argc && !strcmp(argv[i], "--steps"))
			steps = number(argv[i], argv[i + 1]);
		else if (i + 1 < argc && !strcmp(argv[i], "--break"))
			broken = break_of(argv[i + 1]);
		else {
			fprintf(stderr, "usage: sim [--seed N] [--steps N] [--break RULE]\n");
			return 2;
		}
	}
	printf("sim: seed %" PRIu64 " steps %" PRIu64 "\n", seed, steps);
	(void)fflush(stdout); /* a failure aborts: the start value must be seen */
	sim_init(s, seed, broken);
	while (s->step < steps)
		sim_step(s);
	sim_finish(s);
	sim_check_zero(s);
	log_bytes = s->p.bytes;
	sim_release(s);
	printf("sim: ok, %" PRIu64 " answers, %" PRIu64 " acknowledgements told, %" PRIu64
	       " records handed out, %" PRIu64 " deliveries, %" PRIu64 " crashes, %" PRIu64 " pauses, %" PRIu64
	       " late writes, %" PRIu64 " claims (%" PRIu64 " on a wrong suspicion), %" PRIu64 " follows, %" PRIu64
	       " losses, %" PRIu64 " hand-overs, %" PRIu64 " loads, %" PRIu64 " checkpoints, %" PRIu64
	       " exact comparisons, log %zu bytes\n",
		s->told_answers, s->told_acks, s->handed_out, s->deliveries, s->crashes, s->pauses, s->late_writes,
		s->starts, s->suspicions, s->follows, s->losses, s->handovers, s->loads, s->checkpoints,
		s->exact_checks, log_bytes);
	mem_free(s);
	return 0;
}
