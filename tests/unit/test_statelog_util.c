/* SPDX-License-Identifier: Apache-2.0 */
/* The naive model of the groups and the owner over a fake partition, for the tests of the state log. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "test_statelog_util.h"
#include "wire/batch.h"

static const char *const group_ids[SHADOW_GROUPS] = {"g0", "g1", "g2", "g3", "g4", "g5"};
static const char *const member_ids[SHADOW_MEMBERS] = {"m0", "m1", "m2"};
static const char *const config_names[SHADOW_CONFIGS] = {"c0", "c1"};

uint64_t next_random(uint64_t *seed)
{
	uint64_t z = (*seed += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

struct str shadow_group_id(uint32_t i)
{
	return str_of(group_ids[i]);
}

static uint32_t last_digit(struct str s)
{
	assert_int_equal(s.n, 2);
	return (uint32_t)(s.p[1] - '0');
}

uint32_t shadow_group_index(struct str id)
{
	return last_digit(id);
}

struct uuid shadow_topic(void)
{
	return (struct uuid){{1, 2, 3}};
}

static void records_lay(struct shadow_partition *p, const struct share_partition_state *st)
{
	if (st->start_offset >= 0)
		p->start = st->start_offset;
	for (uint32_t i = 0; i < st->ranges_n; i++) {
		for (int64_t k = st->ranges[i].first; k <= st->ranges[i].last && k < SHADOW_OFFSETS; k++) {
			p->state[k] = (int8_t)st->ranges[i].state;
			p->count[k] = st->ranges[i].delivery_count;
		}
	}
	for (int64_t k = 0; k < p->start && k < SHADOW_OFFSETS; k++) {
		p->state[k] = 0;
		p->count[k] = 0;
	}
}

static void partition_set(struct shadow_partition *p, const struct share_partition_state *st)
{
	*p = (struct shadow_partition){.exists = true, .start = st->start_offset};
	records_lay(p, st);
}

static int32_t number_of(struct str s)
{
	int32_t v = 0;

	for (size_t i = 0; i < s.n; i++)
		v = v * 10 + (s.p[i] - '0');
	return v;
}

void shadow_apply(struct shadow *s, const struct share_change *c)
{
	struct shadow_group *g = &s->groups[shadow_group_index(c->group_id)];

	switch (c->type) {
	case SHARE_CHANGE_GROUP:
		g->exists = true;
		g->group_epoch = c->u.group.group_epoch;
		g->assignment_epoch = c->u.group.assignment_epoch;
		break;
	case SHARE_CHANGE_GROUP_DELETED:
		memset(g->partitions, 0, sizeof(g->partitions));
		memset(g->has_member, 0, sizeof(g->has_member));
		g->exists = false;
		g->group_epoch = g->assignment_epoch = 0;
		break;
	case SHARE_CHANGE_MEMBER:
		g->has_member[last_digit(c->u.member.member_id)] = true;
		g->member_epoch[last_digit(c->u.member.member_id)] = c->u.member.member_epoch;
		break;
	case SHARE_CHANGE_MEMBER_REMOVED:
		g->has_member[last_digit(c->u.member.member_id)] = false;
		break;
	case SHARE_CHANGE_CONFIG:
		g->has_config[last_digit(c->u.config.name)] = !str_is_null(c->u.config.value);
		g->config[last_digit(c->u.config.name)] = number_of(c->u.config.value);
		break;
	case SHARE_CHANGE_PARTITION:
		partition_set(&g->partitions[c->u.partition.partition], &c->u.partition);
		break;
	case SHARE_CHANGE_PARTITION_DELETED:
		g->partitions[c->u.partition.partition] = (struct shadow_partition){.exists = false};
		break;
	case SHARE_CHANGE_RECORDS:
		records_lay(&g->partitions[c->u.partition.partition], &c->u.partition);
		break;
	}
}

void shadow_restore(struct shadow *s, const struct share_group_state *st)
{
	struct shadow_group *g = &s->groups[shadow_group_index(st->group_id)];

	*g = (struct shadow_group){
		.exists = st->exists, .group_epoch = st->group_epoch, .assignment_epoch = st->assignment_epoch};
	for (uint32_t i = 0; i < st->members_n; i++) {
		const struct share_member_state *m = &st->members[i];

		g->has_member[last_digit(m->member_id)] = true;
		g->member_epoch[last_digit(m->member_id)] = m->member_epoch;
		assert_int_equal(m->subscribed_n, 1);
		assert_true(str_eq(m->subscribed[0], STR_LIT("topic")));
		assert_true(str_is_null(m->rack_id));
		assert_true(str_eq(m->client_host, STR_LIT("")));
	}
	for (uint32_t i = 0; i < st->configs_n; i++) {
		g->has_config[last_digit(st->configs[i].name)] = true;
		g->config[last_digit(st->configs[i].name)] = number_of(st->configs[i].value);
	}
	for (uint32_t i = 0; i < st->partitions_n; i++) {
		assert_true(str_eq(st->partitions[i].topic_name, STR_LIT("topic")));
		partition_set(&g->partitions[st->partitions[i].partition], &st->partitions[i]);
	}
}

bool shadow_has(const struct shadow *s, uint32_t i)
{
	const struct shadow_group *g = &s->groups[i];
	bool has = g->exists;

	for (uint32_t k = 0; k < SHADOW_CONFIGS; k++)
		has = has || g->has_config[k];
	for (uint32_t k = 0; k < SHADOW_MEMBERS; k++)
		has = has || g->has_member[k];
	for (uint32_t k = 0; k < SHADOW_PARTITIONS; k++)
		has = has || g->partitions[k].exists;
	return has;
}

static const struct str subscribed[] = {{"topic", 5}};

static struct share_member_state member_state(uint32_t i, int32_t epoch)
{
	return (struct share_member_state){
		.member_id = str_of(member_ids[i]),
		.member_epoch = epoch,
		.rack_id = STR_NULL,
		.client_id = STR_LIT("client"),
		.client_host = STR_LIT(""),
		.subscribed = subscribed,
		.subscribed_n = 1,
	};
}

static void partition_state(
	const struct shadow_partition *p, int32_t i, struct arena *a, struct share_partition_state *ret)
{
	struct share_state_range *r = arena_zalloc(a, SHADOW_OFFSETS, sizeof(*r));

	*ret = (struct share_partition_state){.topic_id = shadow_topic(),
		.topic_name = STR_LIT("topic"),
		.partition = i,
		.start_offset = p->start,
		.ranges = r};
	for (int64_t k = p->start < 0 ? 0 : p->start; k < SHADOW_OFFSETS; k++) {
		if (p->state[k] || p->count[k])
			r[ret->ranges_n++] =
				(struct share_state_range){k, k, (enum share_record_state)p->state[k], p->count[k]};
	}
}

void shadow_state(const struct shadow *s, uint32_t i, struct arena *a, struct share_group_state *ret)
{
	const struct shadow_group *g = &s->groups[i];
	struct share_config_entry *configs = arena_zalloc(a, SHADOW_CONFIGS, sizeof(*configs));
	struct share_member_state *members = arena_zalloc(a, SHADOW_MEMBERS, sizeof(*members));
	struct share_partition_state *partitions = arena_zalloc(a, SHADOW_PARTITIONS, sizeof(*partitions));

	*ret = (struct share_group_state){
		.group_id = shadow_group_id(i),
		.exists = g->exists,
		.group_epoch = g->group_epoch,
		.assignment_epoch = g->assignment_epoch,
		.configs = configs,
		.members = members,
		.partitions = partitions,
	};
	for (uint32_t k = 0; k < SHADOW_CONFIGS; k++) {
		if (g->has_config[k])
			configs[ret->configs_n++] = (struct share_config_entry){
				str_of(config_names[k]), arena_printf(a, "%d", g->config[k])};
	}
	for (uint32_t k = 0; k < SHADOW_MEMBERS; k++) {
		if (g->has_member[k])
			members[ret->members_n++] = member_state(k, g->member_epoch[k]);
	}
	for (uint32_t k = 0; k < SHADOW_PARTITIONS; k++) {
		if (g->partitions[k].exists)
			partition_state(&g->partitions[k], (int32_t)k, a, &partitions[ret->partitions_n++]);
	}
}

struct share_change group_change(uint32_t g, int32_t epoch)
{
	return (struct share_change){
		.type = SHARE_CHANGE_GROUP, .group_id = shadow_group_id(g), .u.group = {epoch, epoch}};
}

struct share_change partition_change(uint32_t g, int64_t start)
{
	return (struct share_change){
		.type = SHARE_CHANGE_PARTITION,
		.group_id = shadow_group_id(g),
		.u.partition = {.topic_id = shadow_topic(), .topic_name = STR_LIT("topic"), .start_offset = start},
	};
}

struct share_change records_change(uint32_t g, int64_t start, const struct share_state_range *r, uint32_t n)
{
	return (struct share_change){
		.type = SHARE_CHANGE_RECORDS,
		.group_id = shadow_group_id(g),
		.u.partition = {.topic_id = shadow_topic(), .start_offset = start, .ranges = r, .ranges_n = n},
	};
}

static void random_records(
	const struct shadow_partition *p, uint64_t *seed, struct arena *a, struct share_partition_state *st)
{
	static const enum share_record_state states[] = {SHARE_AVAILABLE, SHARE_ACKNOWLEDGED, SHARE_ARCHIVED};
	struct share_state_range *r = arena_zalloc(a, 4, sizeof(*r));
	int64_t at = p->start;

	st->start_offset = -1;
	if (next_random(seed) % 4 == 0 && p->start < SHADOW_OFFSETS - 2)
		at = st->start_offset = p->start + (int64_t)(next_random(seed) % 2);
	st->ranges = r;
	for (uint64_t n = next_random(seed) % 4; n > 0; n--) {
		at += (int64_t)(next_random(seed) % 6);
		r->first = at;
		at += (int64_t)(next_random(seed) % 4);
		r->last = at++;
		if (r->last >= SHADOW_OFFSETS)
			break;
		r->state = states[next_random(seed) % 3];
		r->delivery_count = (int16_t)(next_random(seed) % 40);
		r++;
		st->ranges_n++;
	}
}

struct share_change shadow_random(const struct shadow *s, uint64_t *seed, struct arena *a)
{
	uint32_t i = (uint32_t)(next_random(seed) % SHADOW_GROUPS),
		 k = (uint32_t)(next_random(seed) % SHADOW_PARTITIONS);
	const struct shadow_group *g = &s->groups[i];
	uint64_t dice = next_random(seed) % 100;
	struct share_change c = group_change(i, g->group_epoch + 1);

	if (!g->exists && dice > 10)
		return c;
	if (dice < 10) {
		c.type = SHARE_CHANGE_CONFIG;
		c.u.config.name = str_of(config_names[k % SHADOW_CONFIGS]);
		c.u.config.value = dice < 4 ? STR_NULL : arena_printf(a, "%d", (int)(next_random(seed) % 1000));
	} else if (dice < 12 && g->exists) {
		c.type = SHARE_CHANGE_GROUP_DELETED;
	} else if (dice < 20 && g->exists) {
		c.type = dice < 14 ? SHARE_CHANGE_MEMBER_REMOVED : SHARE_CHANGE_MEMBER;
		c.u.member = member_state(k, (int32_t)(next_random(seed) % 1000));
	} else if (g->exists && !g->partitions[k].exists) {
		c = partition_change(i, (int64_t)(next_random(seed) % 3));
		c.u.partition.partition = (int32_t)k;
	} else if (g->exists && dice < 24) {
		c.type = SHARE_CHANGE_PARTITION_DELETED;
		c.u.partition = (struct share_partition_state){.topic_id = shadow_topic(), .partition = (int32_t)k};
	} else if (g->exists) {
		c = records_change(i, -1, NULL, 0);
		c.u.partition.partition = (int32_t)k;
		random_records(&g->partitions[k], seed, a, &c.u.partition);
	}
	return c;
}

struct statelog_config owner_config(void)
{
	return (struct statelog_config){
		.partition = 3,
		.partition_count = 50,
		.owner_id = {{7}},
		.owner_address = STR_LIT("127.0.0.1:9092"),
		.max_batch_bytes = 100000,
		.max_pending_bytes = 1000000,
		.checkpoint_min_bytes = 1u << 30,
		.checkpoint_factor = 2,
	};
}

void owner_init(struct owner *o, struct fake_partition *p, const struct statelog_config *cfg)
{
	*o = (struct owner){.l = statelog_new(cfg), .p = p, .read_max = 100000, .trim = -1};
}

void owner_release(struct owner *o)
{
	statelog_free(o->l);
	chunk_unref(o->flight);
}

void owner_start(struct owner *o)
{
	o->loaded = o->lost = false;
	o->read_held = o->read_held && statelog_get_state(o->l) == STATELOG_FOLLOWING;
	memset(&o->mem, 0, sizeof(o->mem));
	statelog_start(o->l, o->p->log_start, fake_partition_producer_id(o->p), 0, 1000);
}

static void restore_cb(void *arg, const struct share_group_state *st)
{
	shadow_restore(arg, st);
}

static void owner_read(struct owner *o, int64_t offset)
{
	struct buf b;

	buf_init(&b, 1u << 30);
	fake_partition_read(o->p, offset, o->read_max, &b);
	o->read_idle = buf_len(&b) == 0 && offset >= o->p->log_start;
	o->read_held = false;
	statelog_read_done(o->l, (struct bytes){buf_head(&b), buf_len(&b)}, o->p->end, o->p->log_start);
	buf_release(&b);
}

void owner_read_held(struct owner *o)
{
	assert_true(o->read_held);
	owner_read(o, o->read_at);
}

void owner_follow(struct owner *o)
{
	o->loaded = o->lost = o->read_held = o->read_idle = false;
	statelog_follow(o->l, o->p->log_start);
	owner_run(o);
}

static void owner_snapshot(struct owner *o, struct str after)
{
	for (uint32_t i = 0; i < SHADOW_GROUPS; i++) {
		struct share_group_state st;
		struct arena a;

		if (!shadow_has(&o->mem, i) || (!str_is_null(after) && str_cmp(shadow_group_id(i), after) <= 0))
			continue;
		arena_init(&a, 1u << 20);
		shadow_state(&o->mem, i, &a, &st);
		o->snapshots++;
		assert_int_equal(statelog_snapshot(o->l, &st), ERR_OK);
		arena_release(&a);
		return;
	}
	statelog_snapshot_end(o->l);
}

static void owner_act(struct owner *o, const struct statelog_action *act)
{
	if (act->type == STATELOG_WRITE) {
		o->flight = act->u.batch;
		if (!o->hold_writes)
			owner_land(o);
	} else if (act->type == STATELOG_READ) {
		enum statelog_state state = statelog_get_state(o->l);

		o->reads++;
		o->read_at = act->u.offset;
		if (o->read_idle && (state == STATELOG_FOLLOWING || state == STATELOG_CLAIMING))
			o->read_held = true;
		else
			owner_read(o, act->u.offset);
	} else if (act->type == STATELOG_TRIM) {
		o->trim = act->u.offset;
		o->trims++;
		if (o->hold_trims)
			return;
		fake_partition_trim(o->p, o->trim);
		o->trim = -1;
		statelog_trim_done(o->l, true);
	} else if (act->type == STATELOG_LOADED) {
		o->loaded = true;
		statelog_take_groups(o->l, restore_cb, &o->mem);
	} else if (act->type == STATELOG_SNAPSHOT) {
		owner_snapshot(o, act->u.after);
	} else {
		assert_int_equal(act->type, STATELOG_LOST_NOW);
		o->lost = true;
	}
}

void owner_run(struct owner *o)
{
	for (;;) {
		struct statelog_action act;

		if (o->hold_snapshots && o->loaded && !o->flight) {
			/* one step at a time: the test appends between */
			act = statelog_next(o->l, 2000);
			if (act.type != STATELOG_NONE)
				owner_act(o, &act);
			return;
		}
		act = statelog_next(o->l, 2000);
		if (act.type == STATELOG_NONE)
			return;
		owner_act(o, &act);
	}
}

void owner_land(struct owner *o)
{
	struct chunk *c = o->flight;
	int64_t base = fake_partition_produce(o->p, c);

	o->flight = NULL;
	chunk_unref(c);
	statelog_write_done(o->l, base);
}

uint64_t owner_append(struct owner *o, const struct share_change *c)
{
	uint64_t seq = 0;

	assert_int_equal(statelog_append(o->l, c, &seq), ERR_OK);
	shadow_apply(&o->mem, c);
	return seq;
}

static void assert_same_partition(const struct shadow_partition *x, const struct shadow_partition *y)
{
	assert_int_equal(x->exists, y->exists);
	assert_int_equal(x->start, y->start);
	assert_memory_equal(x->state, y->state, sizeof(x->state));
	assert_memory_equal(x->count, y->count, sizeof(x->count));
}

static void assert_same_group(const struct shadow *a, const struct shadow *b, uint32_t i)
{
	const struct shadow_group *x = &a->groups[i], *y = &b->groups[i];

	assert_int_equal(x->exists, y->exists);
	assert_int_equal(x->group_epoch, y->group_epoch);
	assert_int_equal(x->assignment_epoch, y->assignment_epoch);
	for (uint32_t k = 0; k < SHADOW_CONFIGS; k++) {
		assert_int_equal(x->has_config[k], y->has_config[k]);
		assert_int_equal(x->has_config[k] ? x->config[k] : 0, y->has_config[k] ? y->config[k] : 0);
	}
	for (uint32_t k = 0; k < SHADOW_MEMBERS; k++) {
		assert_int_equal(x->has_member[k], y->has_member[k]);
		assert_int_equal(x->has_member[k] ? x->member_epoch[k] : 0, y->has_member[k] ? y->member_epoch[k] : 0);
	}
	for (uint32_t k = 0; k < SHADOW_PARTITIONS; k++)
		assert_same_partition(&x->partitions[k], &y->partitions[k]);
}

void assert_replays(struct fake_partition *p, const struct shadow *s)
{
	struct statelog_config cfg = owner_config();
	struct owner o;

	owner_init(&o, p, &cfg);
	owner_start(&o);
	owner_run(&o);
	if (!o.loaded)
		fail_msg("not loaded: %s", statelog_reason(o.l));
	for (uint32_t i = 0; i < SHADOW_GROUPS; i++)
		assert_same_group(&o.mem, s, i);
	owner_release(&o);
}

int64_t produce_junk(struct fake_partition *p)
{
	struct batch_builder b;
	struct chunk *c;
	int64_t base;

	batch_builder_init(&b, 1000, 5);
	assert_int_equal(
		batch_builder_add(&b, (struct bytes){NULL, 0}, (struct bytes){(const uint8_t *)"x", 1}), ERR_OK);
	c = batch_builder_end(&b, -1, -1, -1);
	batch_builder_release(&b);
	base = fake_partition_produce(p, c);
	chunk_unref(c);
	return base;
}
