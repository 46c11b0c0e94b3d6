/* SPDX-License-Identifier: Apache-2.0 */
/* The players: clients, the cluster, time, crashes. Each makes one event and says beforehand what must come of it. */
#include "sim_engine.h"

#include "base/assert.h"
#include "base/mem.h"

static const int32_t lock_durations[MODEL_DURATIONS] = {1000, 1500, 3000, 5000};

struct str sim_group_id(int g)
{
	static const char *const ids[] = {"g0", "g1", "g2", "g3"};

	return str_of(ids[g]);
}

struct str sim_member_id(int m)
{
	static const char *const ids[] = {"m0", "m1", "m2", "m3", "m4", "m5"};

	return str_of(ids[m]);
}

struct str sim_topic_name(int t)
{
	static const char *const names[] = {"orders", "payments", "events"};

	return str_of(names[t]);
}

int sim_topic_of(const struct sim *s, struct uuid id)
{
	for (int t = 0; t < SIM_TOPICS; t++) {
		if (uuid_eq(s->topics[t], id))
			return t;
	}
	return -1;
}

void sim_apply(struct sim *s, struct share_event *ev)
{
	s->events++;
	if (s->tells)
		sim_tell(s, ev);
	share_effects_clear(&s->fx);
	share_apply(s->e, ev, (struct share_now){s->now, 1700000000000 + s->now}, &s->fx);
	sim_effects(s);
}

/* Time goes on; what it brings is seen before anything else happens. */
static void play_time(struct sim *s, int64_t ms)
{
	struct share_event ev = {.type = SHARE_EV_TICK};

	s->now += ms;
	for (int g = 0; g < SIM_GROUPS; g++) {
		struct sim_group *grp = &s->groups[g];

		for (int i = 0; i < SIM_TOPICS * SIM_PARTS; i++)
			model_part_expire(&grp->parts[i / SIM_PARTS][i % SIM_PARTS], &grp->limits, s->now);
		for (int m = 0; m < SIM_MEMBERS; m++) {
			struct sim_pending *p =
				grp->members[m].waiting ? sim_pending_find(s, grp->members[m].waiting) : NULL;

			if (p && grp->members[m].expires <= s->now && p->answer_by > grp->members[m].expires)
				p->error = 25;
		}
	}
	do
		sim_apply(s, &ev);
	while (share_next_deadline(s->e) <= s->now); /* a step may leave some to the next */
	for (uint32_t i = 0; i < s->pending_n; i++)
		sl_assert(s->pending[i].answer_by > s->now); /* nothing waits longer than it asked for */
}

/* ---- members ---- */

static int16_t heartbeat_error(const struct sim_group *g, int m, int32_t epoch)
{
	int n = 0;

	for (int i = 0; i < SIM_MEMBERS; i++)
		n += g->members[i].present ? 1 : 0;
	if (!g->exists && epoch != 0)
		return 69;
	if (epoch == -1)
		return g->members[m].present ? 0 : 25;
	if (!g->members[m].present && n >= SIM_MEMBERS - 1)
		return 81;
	if (epoch == 0)
		return 0;
	if (!g->members[m].present)
		return 25;
	return epoch == g->members[m].epoch || epoch == g->members[m].previous_epoch ? 0 : 110;
}

static void play_heartbeat(struct sim *s)
{
	struct share_event ev = {.type = SHARE_EV_HEARTBEAT, .token = ++s->last_token};
	int gi = (int)rng_below(&s->rng, SIM_GROUPS), mi = (int)rng_below(&s->rng, SIM_MEMBERS);
	struct sim_group *g = &s->groups[gi];
	struct sim_member *m = &g->members[mi];
	struct str topics[SIM_TOPICS];
	struct sim_pending *p;

	ev.state_partition = gi % 2;
	ev.u.heartbeat.group_id = sim_group_id(gi);
	ev.u.heartbeat.member_id = sim_member_id(mi);
	ev.u.heartbeat.client_id = STR_LIT("client");
	ev.u.heartbeat.member_epoch = m->present && !rng_chance(&s->rng, 10) ? m->epoch : 0;
	if (m->present && m->previous_epoch > 0 && rng_chance(&s->rng, 10))
		ev.u.heartbeat.member_epoch = m->previous_epoch; /* its last answer was lost */
	if (rng_chance(&s->rng, 5))
		ev.u.heartbeat.member_epoch = (int32_t)rng_below(&s->rng, 4) - 1;
	if (ev.u.heartbeat.member_epoch == 0 || rng_chance(&s->rng, 5)) {
		ev.u.heartbeat.topics = topics;
		topics[ev.u.heartbeat.topics_n++] = sim_topic_name((int)rng_below(&s->rng, SIM_TOPICS));
		if (rng_chance(&s->rng, 60))
			topics[ev.u.heartbeat.topics_n++] = sim_topic_name((int)rng_below(&s->rng, SIM_TOPICS));
	}
	p = sim_pend(s, &ev, gi, mi, 0);
	p->error = heartbeat_error(g, mi, ev.u.heartbeat.member_epoch);
	p->answer_by = s->now + 5000 + 1;
	if (!p->error && m->waiting && ev.u.heartbeat.member_epoch == -1)
		sim_pending_find(s, m->waiting)->error = 25;
	if (!p->error && ev.u.heartbeat.member_epoch != -1) {
		uint64_t older = m->waiting;

		m->waiting = ev.token; /* the older one is answered on the way */
		m->expires = s->now + 6000;
		sim_apply(s, &ev);
		sl_assert(!older || !sim_pending_find(s, older));
		return;
	}
	sim_apply(s, &ev);
	sl_assert(!sim_pending_find(s, ev.token));
}

/* ---- administration ---- */

static void play_config(struct sim *s)
{
	struct share_event ev = {.type = SHARE_EV_ALTER_CONFIG, .token = ++s->last_token};
	struct share_config_entry c = {STR_NULL, STR_NULL};
	int gi = (int)rng_below(&s->rng, SIM_GROUPS);
	struct sim_group *g = &s->groups[gi];
	uint8_t d = (uint8_t)rng_below(&s->rng, MODEL_DURATIONS);

	ev.state_partition = gi % 2;
	ev.u.config.group_id = sim_group_id(gi);
	ev.u.config.entries = &c;
	ev.u.config.entries_n = 1;
	(void)sim_pend(s, &ev, gi, 0, 0);
	switch (rng_below(&s->rng, 4)) {
	case 0:
		c = (struct share_config_entry){STR_LIT("share.record.lock.duration.ms"), STR_NULL};
		c.value = d == 0   ? STR_LIT("1000")
			  : d == 1 ? STR_LIT("1500")
			  : d == 2 ? STR_LIT("3000")
				   : STR_LIT("5000");
		g->limits.duration = d;
		g->limits.lock_ms = lock_durations[d];
		break;
	case 1:
		c = (struct share_config_entry){STR_LIT("share.delivery.count.limit"), STR_LIT("3")};
		g->limits.delivery_count_limit = 3;
		if (d & 1) {
			c.value = STR_NULL;
			g->limits.delivery_count_limit = s->cfg.group.delivery_count_limit;
		}
		break;
	case 2:
		c = (struct share_config_entry){STR_LIT("share.isolation.level"),
			d & 1 ? STR_LIT("read_committed") : STR_LIT("read_uncommitted")};
		g->read_committed = d & 1;
		break;
	default:
		c = (struct share_config_entry){STR_LIT("share.partition.max.record.locks"), STR_LIT("100")};
		g->limits.max_record_locks = 100;
		break;
	}
	sim_apply(s, &ev);
}

static void play_offsets(struct sim *s)
{
	struct share_event ev = {.token = ++s->last_token};
	int gi = (int)rng_below(&s->rng, SIM_GROUPS), t = (int)rng_below(&s->rng, SIM_TOPICS);
	struct sim_group *g = &s->groups[gi];
	struct share_topic_partition tp = {s->topics[t], (int32_t)rng_below(&s->rng, (uint32_t)s->partitions[t])};
	int64_t start = world_log_end(&s->logs[t][tp.partition]);
	bool empty = true;

	for (int m = 0; m < SIM_MEMBERS; m++)
		empty = empty && !g->members[m].present;
	ev.type = rng_chance(&s->rng, 50)   ? SHARE_EV_ALTER_OFFSETS
		  : rng_chance(&s->rng, 20) ? SHARE_EV_DELETE_OFFSETS
					    : SHARE_EV_DESCRIBE_OFFSETS;
	ev.state_partition = gi % 2;
	if (ev.type == SHARE_EV_DESCRIBE_OFFSETS) {
		ev.u.group.group_id = sim_group_id(gi);
		sim_pend(s, &ev, gi, 0, 0)->error = 0;
		sim_apply(s, &ev);
		return;
	}
	ev.u.offsets.group_id = sim_group_id(gi);
	ev.u.offsets.partitions = &tp;
	ev.u.offsets.start_offsets = &start;
	ev.u.offsets.partitions_n = 1;
	start -= start > 0 ? rng_below(&s->rng, 20) : 0;
	start = start < 0 ? 0 : start;
	sim_pend(s, &ev, gi, 0, 0)->error = !empty ? 68 : ev.type == SHARE_EV_DELETE_OFFSETS && !g->exists ? 69 : 0;
	s->altering = true;
	sim_apply(s, &ev);
	s->altering = false;
}

/* ---- leases ---- */

bool sim_may_hand_out(const struct sim *s, int g)
{
	const struct sim_lease *l = &s->leases[g % 2];

	return !l->is_limited || (l->not_before <= s->now && s->now < l->until);
}

static void play_lease(struct sim *s)
{
	struct share_event ev = {.type = SHARE_EV_LEASE};
	struct sim_lease *l = &s->leases[rng_below(&s->rng, 2)];

	*l = (struct sim_lease){true, s->now, s->now + 1 + rng_below(&s->rng, 500)};
	if (rng_chance(&s->rng, 20))
		l->not_before += rng_below(&s->rng, 60);
	if (rng_chance(&s->rng, 20))
		l->until = s->now;
	ev.u.lease.state_partition = (int32_t)(l - s->leases);
	ev.u.lease.not_before = l->not_before;
	ev.u.lease.until = l->until;
	sim_apply(s, &ev);
}

/* ---- crashes ---- */

/* The state of these groups as a new owner finds it. */
static void groups_restarted(struct sim *s, int state_partition)
{
	for (int g = 0; g < SIM_GROUPS; g++) {
		if (state_partition >= 0 && g % 2 != state_partition)
			continue;
		s->leases[g % 2].is_limited = false;
		memset(s->groups[g].sessions, 0, sizeof(s->groups[g].sessions));
		for (int m = 0; m < SIM_MEMBERS; m++) {
			s->groups[g].members[m].waiting = 0;
			s->groups[g].members[m].expires = s->now + 6000;
		}
		for (int i = 0; i < SIM_TOPICS * SIM_PARTS; i++) {
			if (s->groups[g].parts[i / SIM_PARTS][i % SIM_PARTS].stored)
				model_part_restart(&s->groups[g].parts[i / SIM_PARTS][i % SIM_PARTS]);
		}
	}
}

static void restore(struct share_engine *e, int g, const struct share_group_state *st, int64_t now)
{
	enum err err = share_restore(e, g % 2, st, (struct share_now){now, 0});

	sl_assert(err == ERR_OK);
}

static void drop_ref(void *arg, void *ref)
{
	struct sim *s = arg;

	s->live_refs--;
	mem_free(ref);
}

static void play_crash(struct sim *s)
{
	struct share_group_state st[SIM_GROUPS];
	bool has[SIM_GROUPS];
	struct share_engine *old = s->e;
	struct arena a;

	sim_check(s);
	arena_init(&a, 64 << 20);
	for (int g = 0; g < SIM_GROUPS; g++)
		has[g] = share_snapshot(old, sim_group_id(g), &a, &st[g]) == ERR_OK;
	s->e = share_engine_new(&s->cfg);
	share_engine_free(old, drop_ref, s);
	sl_assert(s->live_refs == 0);
	s->pending_n = s->wants_n = s->resolves_n = 0;
	for (int g = 0; g < SIM_GROUPS; g++) {
		if (has[g])
			restore(s->e, g, &st[g], s->now);
	}
	arena_release(&a);
	for (int t = 0; t < SIM_TOPICS; t++)
		sim_announce(s, t);
	groups_restarted(s, -1);
	s->restarts++;
}

static void play_state_lost(struct sim *s)
{
	struct share_event ev = {.type = SHARE_EV_STATE_LOST};
	struct share_group_state st[SIM_GROUPS];
	bool has[SIM_GROUPS];
	struct arena a;
	int sp = (int)rng_below(&s->rng, 2);

	arena_init(&a, 64 << 20);
	for (int g = 0; g < SIM_GROUPS; g++)
		has[g] = g % 2 == sp && share_snapshot(s->e, sim_group_id(g), &a, &st[g]) == ERR_OK;
	for (uint32_t i = 0; i < s->pending_n; i++) {
		struct sim_pending *p = &s->pending[i];

		if (p->g % 2 != sp)
			continue;
		p->no_records = true;
		p->lost = true;
		p->error = p->type == SHARE_EV_HEARTBEAT ? 16 : 0;
	}
	ev.u.state_partition = sp;
	sim_apply(s, &ev);
	for (uint32_t i = 0; i < s->pending_n; i++)
		sl_assert(s->pending[i].g % 2 != sp);
	for (int g = 0; g < SIM_GROUPS; g++) {
		if (has[g])
			restore(s->e, g, &st[g], s->now);
	}
	arena_release(&a);
	groups_restarted(s, sp);
}

/* ---- checks ---- */

void sim_check(struct sim *s)
{
	share_check(s->e);
	for (int g = 0; g < SIM_GROUPS; g++) {
		for (int i = 0; i < SIM_TOPICS * SIM_PARTS; i++)
			model_part_check(&s->groups[g].parts[i / SIM_PARTS][i % SIM_PARTS]);
		sim_check_group(s, g);
	}
}

/* The cluster answers everything that it can; then no fetch may wait for a record that is there. */
static void play_quiet(struct sim *s)
{
	for (uint32_t i = 0, n = 0; i < s->wants_n && n < 2000; n++) {
		if (sim_want_has_data(s, i)) {
			sim_answer_want(s, i, 20, 0);
			i = 0;
		} else {
			i++;
		}
	}
	for (uint32_t i = 0; i < s->pending_n; i++) {
		const struct sim_pending *p = &s->pending[i];
		const struct sim_group *g = &s->groups[p->g];

		if (p->type != SHARE_EV_FETCH || p->min_bytes > 1 || !sim_may_hand_out(s, p->g))
			continue;
		for (int k = 0; k < SIM_TOPICS * SIM_PARTS; k++) {
			int t = k / SIM_PARTS, part = k % SIM_PARTS;

			if (g->sessions[p->node][p->member].in[t][part] && s->quiet_from[t][part] <= s->now)
				sl_assert(!model_part_has_available(
					&g->parts[t][part], &g->limits, &s->logs[t][part], g->read_committed));
		}
	}
}

/* ---- the run ---- */

void sim_start(struct sim *s, uint64_t seed, uint8_t broken)
{
	*s = (struct sim){.rng = {seed}, .seed = seed, .now = 1000, .broken = broken};
	s->plain = rng_chance(&s->rng, 30);
	share_group_config_bounds_default(&s->cfg.group);
	s->cfg.group.session_timeout_ms = s->cfg.group.min_session_timeout_ms = 6000;
	s->cfg.group.min_record_lock_duration_ms = 1000;
	s->cfg.group.record_lock_duration_ms = 1000;
	s->cfg.group.partition_max_record_locks = 20;
	s->cfg.step_work = rng_chance(&s->rng, 50) ? 1 + (int32_t)rng_below(&s->rng, 4) : 0;
	s->leased = rng_chance(&s->rng, 40);
	s->cfg.group.record_locks_span = rng_chance(&s->rng, 30);
	s->cfg.group.assignment_interval_ms = rng_chance(&s->rng, 50) ? 1000 : 0;
	s->cfg.group_max_size = SIM_MEMBERS - 1;
	s->cfg.max_share_sessions = 1000;
	s->cfg.read_ahead_max_bytes = rng_chance(&s->rng, 50) ? 2000 : 4 << 20;
	s->cfg.fetch_max_bytes = rng_chance(&s->rng, 50) ? 1000 : 100000;
	s->cfg.max_groups = 100;
	s->e = share_engine_new(&s->cfg);
	share_effects_init(&s->fx);
	for (int g = 0; g < SIM_GROUPS; g++)
		s->groups[g].limits = (struct model_limits){.delivery_count_limit = s->cfg.group.delivery_count_limit,
			.max_record_locks = 20,
			.lock_ms = 1000,
			.broken = s->broken,
			.renew_enabled = true,
			.span = s->cfg.group.record_locks_span};
	for (int t = 0; t < SIM_TOPICS; t++) {
		s->topics[t] = sim_topic_id(t, 0);
		s->partitions[t] = 1 + (int32_t)rng_below(&s->rng, SIM_PARTS);
		for (int p = 0; p < SIM_PARTS; p++)
			world_log_init(&s->logs[t][p], rng_next(&s->rng), s->plain);
		sim_announce(s, t);
	}
}

static int64_t some_time(struct sim *s)
{
	uint32_t r = rng_below(&s->rng, 1000);

	if (r == 0)
		return 3600000 + rng_below(&s->rng, 1000); /* the machine slept */
	return r < 20 ? 1000 + rng_below(&s->rng, 6000) : 1 + rng_below(&s->rng, 20);
}

void sim_step(struct sim *s, uint64_t step)
{
	struct rng mix = {s->seed ^ (step * 0x2545f4914f6cdd1du)};
	uint32_t r;

	s->step = step;
	s->rng.s = rng_next(&mix); /* its own: the same step does the same when others are left out */
	r = rng_below(&s->rng, 10000);
	if (r < 1500)
		play_time(s, some_time(s));
	else if (r < 3500)
		sim_play_want(s);
	else if (r < 4500)
		sim_play_produce(s);
	else if (r < 5000)
		sim_play_resolve(s);
	else if (r < 5500)
		play_heartbeat(s);
	else if (r < 5700 && s->leased)
		play_lease(s);
	else if (r < 9700)
		sim_play_client(s);
	else if (r < 9750)
		sim_play_conn_closed(s);
	else if (r < 9800)
		play_config(s);
	else if (r < 9880)
		play_offsets(s);
	else if (r < 9900)
		sim_play_truncate(s);
	else if (r < 9905)
		sim_play_topic(s);
	else if (r < 9910)
		play_crash(s);
	else if (r < 9915)
		play_state_lost(s);
	else if (r < 9950)
		play_quiet(s);
	else
		sim_check(s);
}

void sim_finish(struct sim *s)
{
	struct share_counts c;

	for (uint64_t i = 1; i <= s->last_conn; i++)
		sim_close_conn(s, i);
	for (uint32_t i = 0; i < 12; i++)
		play_time(s, 1000); /* members and forgotten locks run out */
	while (s->wants_n)
		sim_answer_want(s, 0, 1, 6);
	sim_check(s);
	share_get_counts(s->e, &c);
	sl_assert(c.members == 0 && c.sessions == 0 && c.waiting_fetches == 0 && c.waiting_heartbeats == 0);
	sl_assert(c.held_records == 0 && c.kept_batches == 0 && c.kept_bytes == 0 && s->live_refs == 0 &&
		  s->pending_n == 0);
	share_engine_free(s->e, NULL, NULL);
	share_effects_release(&s->fx);
	for (int i = 0; i < SIM_TOPICS * SIM_PARTS; i++) {
		world_log_release(&s->logs[i / SIM_PARTS][i % SIM_PARTS]);
		for (int g = 0; g < SIM_GROUPS; g++)
			model_part_release(&s->groups[g].parts[i / SIM_PARTS][i % SIM_PARTS]);
	}
}
