/* SPDX-License-Identifier: Apache-2.0 */
/* Two owners at random over one partition: crashes, lost answers, late writes and trims, claims that nobody waits for.
 * What a new owner loads must be exactly what the last one had after some of its changes, at least all those that were
 * durable. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "statelog/format.h"
#include "test_statelog_util.h"

#define ACTORS 2
#define HISTORY 24
#define LATE_MAX 4
#define STEPS 3000
#define SEEDS 40

struct actor {
	struct owner o;
	bool owns; /* as far as it knows */
	/* Its states: [0] after change number base, and one more for each change behind it. */
	struct shadow *history;
	uint64_t base;
	uint32_t history_n;
	bool deposed;
	uint64_t ceiling; /* deposed: no change above this may become durable */
};

struct world {
	struct fake_partition p;
	struct statelog_config cfg;
	struct actor actors[ACTORS];
	struct actor *last; /* whose claim was the last that somebody loaded to */
	struct chunk *late[LATE_MAX];
	uint32_t late_n;
	int64_t late_trim;
	uint64_t rnd;
	uint64_t loads, losses, checkpoints;
};

static bool chance(struct world *w, uint64_t of_100)
{
	return next_random(&w->rnd) % 100 < of_100;
}

static bool same(const struct shadow *a, const struct shadow *b)
{
	for (uint32_t g = 0; g < SHADOW_GROUPS; g++) {
		const struct shadow_group *x = &a->groups[g], *y = &b->groups[g];

		if (x->exists != y->exists || x->group_epoch != y->group_epoch ||
			memcmp(x->has_config, y->has_config, sizeof(x->has_config)) != 0 ||
			memcmp(x->has_member, y->has_member, sizeof(x->has_member)) != 0)
			return false;
		for (uint32_t k = 0; k < SHADOW_CONFIGS; k++) {
			if (x->has_config[k] && x->config[k] != y->config[k])
				return false;
		}
		for (uint32_t k = 0; k < SHADOW_MEMBERS; k++) {
			if (x->has_member[k] && x->member_epoch[k] != y->member_epoch[k])
				return false;
		}
		for (uint32_t k = 0; k < SHADOW_PARTITIONS; k++) {
			const struct shadow_partition *p = &x->partitions[k], *q = &y->partitions[k];

			if (p->exists != q->exists || p->start != q->start ||
				memcmp(p->state, q->state, sizeof(p->state)) != 0 ||
				memcmp(p->count, q->count, sizeof(p->count)) != 0)
				return false;
		}
	}
	return true;
}

/* The last owner's history must have this state at or behind what was durable; that is all that can become durable of
 * it. */
static void check_loaded(struct world *w, const struct shadow *got)
{
	struct actor *a = w->last;
	uint64_t durable;

	if (!a) {
		struct shadow none = {0};

		assert_true(same(got, &none));
		return;
	}
	durable = a->o.l ? statelog_durable(a->o.l) : 0;
	for (uint32_t i = a->history_n; i-- > 0;) {
		if (!same(got, &a->history[i]))
			continue;
		assert_true(a->base + i >= durable);
		a->deposed = true;
		a->ceiling = a->base + i;
		return;
	}
	fail_msg("loaded a state that never was, or that forgets what was durable");
}

static void history_start(struct actor *a)
{
	a->history[0] = a->o.mem;
	a->base = statelog_appended(a->o.l);
	a->history_n = 1;
	a->deposed = false;
}

/* History before what is durable is of no more use. */
static void history_trim(struct actor *a)
{
	uint64_t durable = statelog_durable(a->o.l);
	uint32_t n = durable > a->base ? (uint32_t)(durable - a->base) : 0;

	if (a->deposed)
		assert_true(durable <= a->ceiling);
	if (n == 0 || a->deposed)
		return;
	assert_true(n < a->history_n);
	a->history_n -= n;
	memmove(a->history, a->history + n, a->history_n * sizeof(*a->history));
	a->base = durable;
}

/* Has somebody claimed behind this owner's claim? Then its answer came late, and what it loaded is no longer the truth.
 */
static bool is_stale(const struct world *w, const struct owner *o)
{
	struct statelog_counts n;
	bool stale = false;

	statelog_get_counts(o->l, &n);
	for (size_t i = 0; i < w->p.n && !stale; i++) {
		struct batch_header h;
		struct state_batch b;
		struct arena a;

		if (w->p.v[i].base <= n.owner_epoch)
			continue;
		arena_init(&a, 2 * STATE_RECORD_MAX);
		assert_int_equal(batch_header_read(w->p.v[i].bytes->data, w->p.v[i].bytes->size, &h), BATCH_READY);
		stale = state_batch_read(w->p.v[i].bytes->data, &h, &a, &b) == STATE_OURS && b.head.kind == STATE_CLAIM;
		arena_release(&a);
	}
	return stale;
}

static void loaded(struct world *w, struct actor *a)
{
	bool stale = is_stale(w, &a->o);

	if (!stale) {
		check_loaded(w, &a->o.mem);
		w->last = a;
	}
	w->loads++;
	history_start(a);
	a->deposed = stale;
	a->ceiling = a->base;
}

static void run(struct world *w, struct actor *a)
{
	struct owner *o = &a->o;
	bool was_loaded = o->loaded;

	o->read_max = 1 + next_random(&w->rnd) % 2000;
	o->hold_writes = true;
	o->hold_trims = chance(w, 20);
	o->hold_snapshots = chance(w, 50);
	owner_run(o);
	if (o->loaded && !was_loaded)
		loaded(w, a);
	if (o->lost) {
		assert_int_equal(statelog_get_state(o->l), STATELOG_LOST);
		w->losses++;
		a->owns = false;
	}
	if (o->hold_trims && o->trim >= 0) {
		w->late_trim = o->trim;
		o->trim = -1;
		statelog_trim_done(o->l, false);
	}
	history_trim(a);
}

static void late_add(struct world *w, struct chunk *c)
{
	if (w->late_n < LATE_MAX)
		w->late[w->late_n++] = chunk_ref(c);
}

static void late_land(struct world *w)
{
	struct chunk *c;
	uint32_t i;

	if (w->late_trim > 0 && chance(w, 30)) {
		fake_partition_trim(&w->p, w->late_trim);
		w->late_trim = -1;
	}
	if (w->late_n == 0)
		return;
	i = (uint32_t)(next_random(&w->rnd) % w->late_n);
	c = w->late[i];
	w->late[i] = w->late[--w->late_n];
	fake_partition_produce(&w->p, c);
	chunk_unref(c);
}

static void crash(struct world *w, struct actor *a)
{
	struct statelog_counts n;

	statelog_get_counts(a->o.l, &n);
	w->checkpoints += n.checkpoints;
	if (a->o.flight && chance(w, 50))
		late_add(w, a->o.flight);
	if (a == w->last && !a->deposed && a->base < statelog_durable(a->o.l))
		history_trim(a);
	owner_release(&a->o);
	/* what was durable is the first of the history from now on */
	owner_init(&a->o, &w->p, &w->cfg);
	a->owns = false;
	if (a == w->last) { /* numbers start again: keep the history, forget the numbers */
		a->base = 0;
		a->deposed = false;
	}
}

static void append(struct world *w, struct actor *a)
{
	for (uint64_t n = 1 + next_random(&w->rnd) % 3; n > 0 && a->history_n < HISTORY; n--) {
		struct share_change c;
		struct arena arena;

		arena_init(&arena, 1u << 20);
		c = shadow_random(&a->o.mem, &w->rnd, &arena);
		owner_append(&a->o, &c);
		a->history[a->history_n++] = a->o.mem;
		arena_release(&arena);
	}
}

/* What happens to the write on its way. */
static void write_fate(struct world *w, struct actor *a)
{
	uint64_t dice = next_random(&w->rnd) % 100;

	if (dice < 60) {
		owner_land(&a->o);
		run(w, a);
	} else if (dice < 75) {
		fake_partition_produce(&w->p, a->o.flight); /* the answer is lost; it will be sent again */
	} else if (dice < 80) {
		crash(w, a);
	}
}

static void step(struct world *w)
{
	struct actor *a = &w->actors[next_random(&w->rnd) % ACTORS];

	if (chance(w, 8))
		late_land(w);
	if (chance(w, 2))
		produce_junk(&w->p);
	if (a->o.flight) {
		write_fate(w, a);
		return;
	}
	if (!a->owns) {
		if (!chance(w, 15))
			return;
		owner_start(&a->o);
		a->owns = true;
	} else if (chance(w, 1)) {
		crash(w, a);
		return;
	} else if (a->o.loaded && statelog_get_state(a->o.l) == STATELOG_OWNED) {
		append(w, a);
	}
	run(w, a);
}

static void world_init(struct world *w, uint64_t seed)
{
	*w = (struct world){.rnd = seed, .late_trim = -1, .cfg = owner_config()};
	fake_partition_init(&w->p);
	w->cfg.checkpoint_min_bytes = 600;
	w->cfg.max_batch_bytes = seed % 2 ? 100000 : 1100;
	for (int i = 0; i < ACTORS; i++) {
		owner_init(&w->actors[i].o, &w->p, &w->cfg);
		w->actors[i].history = calloc(HISTORY + 1, sizeof(struct shadow));
		assert_non_null(w->actors[i].history);
	}
}

static void world_release(struct world *w)
{
	for (int i = 0; i < ACTORS; i++) {
		owner_release(&w->actors[i].o);
		free(w->actors[i].history);
	}
	for (uint32_t i = 0; i < w->late_n; i++)
		chunk_unref(w->late[i]);
	fake_partition_release(&w->p);
}

static void test_random(void **state)
{
	uint64_t loads = 0, losses = 0, checkpoints = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct world w;

		world_init(&w, seed);
		for (int i = 0; i < STEPS; i++)
			step(&w);
		loads += w.loads;
		losses += w.losses;
		checkpoints += w.checkpoints;
		assert_true(w.p.bytes < 200000);
		world_release(&w);
	}
	assert_true(loads > 1000 && losses > 500 && checkpoints > 500); /* it was not all quiet */
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};

	return cmocka_run_group_tests_name("statelog_random", tests, NULL, NULL);
}
