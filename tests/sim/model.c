/* SPDX-License-Identifier: Apache-2.0 */
/* The naive reference model of share-partitions. Slow and plain on purpose. */
#include "model.h"

#include "base/assert.h"
#include "base/mem.h"

static bool done(uint8_t state)
{
	return state == SHARE_ACKNOWLEDGED || state == SHARE_ARCHIVED;
}

void model_part_release(struct model_part *p)
{
	mem_free(p->r);
	*p = (struct model_part){0};
}

static void part_reserve(struct model_part *p, int64_t n)
{
	int64_t cap = p->cap ? p->cap : 256;

	if (n <= p->cap)
		return;
	while (cap < n)
		cap *= 2;
	p->r = mem_resize(p->r, (size_t)cap, sizeof(*p->r));
	memset(p->r + p->cap, 0, (size_t)(cap - p->cap) * sizeof(*p->r));
	p->cap = cap;
}

static void part_forget_from(struct model_part *p, int64_t from)
{
	if (from < p->cap)
		memset(p->r + from, 0, (size_t)(p->cap - from) * sizeof(*p->r));
}

static void part_trim(struct model_part *p)
{
	while (p->start < p->end && done(p->r[p->start].state))
		p->start++;
}

/* ---- the written half ---- */

static void write_ranges(struct model_part *p, const struct share_partition_state *st)
{
	int64_t before = -1;

	for (uint32_t i = 0; i < st->ranges_n; i++) {
		const struct share_state_range *s = &st->ranges[i];

		sl_assert(s->first > before && s->last >= s->first);
		sl_assert(s->state == SHARE_AVAILABLE || done((uint8_t)s->state));
		before = s->last;
		part_reserve(p, s->last + 1);
		for (int64_t o = s->first; o <= s->last; o++) {
			p->r[o].dstate = (uint8_t)s->state;
			p->r[o].dcount = s->delivery_count;
		}
		if (s->last >= p->dend)
			p->dend = s->last + 1;
	}
}

void model_part_init(struct model_part *p, const struct share_partition_state *st, bool fresh)
{
	if (fresh) {
		part_forget_from(p, 0);
		p->start = p->end = st->start_offset;
		p->next_until = INT64_MAX;
		p->handed_out = false;
		sl_assert(st->ranges_n == 0);
	}
	for (int64_t o = 0; o < p->cap; o++) {
		p->r[o].dstate = SHARE_AVAILABLE;
		p->r[o].dcount = 0;
	}
	p->stored = true;
	p->dstart = p->dend = st->start_offset;
	write_ranges(p, st);
}

void model_part_written(
	struct model_part *p, const struct share_partition_state *st, const struct world_log *log, bool read_committed)
{
	sl_assert(p->stored);
	sl_assert(st->start_offset == -1 || st->start_offset > p->dstart);
	for (uint32_t i = 0; i < st->ranges_n; i++) {
		const struct share_state_range *s = &st->ranges[i];

		part_reserve(p, s->last + 1);
		for (int64_t o = s->first; s->state == SHARE_ARCHIVED && o <= s->last; o++) {
			if (o < p->end && done(p->r[o].state))
				continue;
			sl_assert(o >= p->end || p->r[o].state == SHARE_AVAILABLE);
			sl_assert(world_log_is_hole(log, o, read_committed));
			p->r[o].state = SHARE_ARCHIVED;
			p->r[o].count = 0;
			if (o >= p->end)
				p->end = o + 1;
		}
	}
	if (st->start_offset >= 0) {
		part_reserve(p, st->start_offset + 1);
		for (int64_t o = p->start; o < st->start_offset; o++) { /* done by itself before it was ever written */
			if (o < p->end && done(p->r[o].state))
				continue;
			sl_assert(o >= p->end || p->r[o].state == SHARE_AVAILABLE);
			sl_assert(world_log_is_hole(log, o, read_committed));
			p->r[o].state = SHARE_ARCHIVED;
			if (o >= p->end)
				p->end = o + 1;
		}
		p->dstart = st->start_offset;
		if (p->dend < p->dstart)
			p->dend = p->dstart;
	}
	write_ranges(p, st);
	part_trim(p);
}

void model_part_check(const struct model_part *p)
{
	int64_t end = p->end > p->dend ? p->end : p->dend;

	if (!p->stored)
		return;
	sl_assert(p->start == p->dstart);
	for (int64_t o = p->start; o < end && o < p->cap; o++) {
		const struct model_rec *r = &p->r[o];

		if (o >= p->end)
			sl_assert(r->dstate == SHARE_AVAILABLE && r->dcount == 0);
		else if (r->state == SHARE_ACQUIRED)
			sl_assert(r->dstate == SHARE_AVAILABLE && r->dcount == r->count - 1);
		else
			sl_assert(r->dstate == r->state && r->dcount == r->count);
	}
}

void model_part_check_snapshot(const struct model_part *p, const struct share_partition_state *st)
{
	int64_t o = p->dstart;

	sl_assert(st->start_offset == p->dstart);
	for (uint32_t i = 0; i < st->ranges_n; i++) {
		const struct share_state_range *s = &st->ranges[i];

		sl_assert(s->first >= o && s->last >= s->first);
		for (; o < s->first; o++)
			sl_assert(p->r[o].dstate == SHARE_AVAILABLE && p->r[o].dcount == 0);
		for (; o <= s->last; o++)
			sl_assert(p->r[o].dstate == s->state && p->r[o].dcount == s->delivery_count);
	}
	for (; o < p->dend; o++)
		sl_assert(p->r[o].dstate == SHARE_AVAILABLE && p->r[o].dcount == 0);
}

void model_part_restart(struct model_part *p)
{
	p->start = p->dstart;
	p->end = p->dstart;
	p->handed_out = false;
	p->next_until = INT64_MAX;
	part_reserve(p, p->dend + 1);
	for (int64_t o = p->dstart; o < p->cap; o++) {
		struct model_rec *r = &p->r[o];

		*r = (struct model_rec){
			.state = r->dstate, .dstate = r->dstate, .count = r->dcount, .dcount = r->dcount};
		if (r->state != SHARE_AVAILABLE || r->count)
			p->end = o + 1;
	}
	part_trim(p);
}

/* ---- the predicted half ---- */

static void rec_return(struct model_rec *r, const struct model_limits *l)
{
	int32_t limit = l->delivery_count_limit + (l->broken == MODEL_BREAK_DELIVERY_LIMIT ? 1 : 0);

	r->state = r->count >= limit ? SHARE_ARCHIVED : SHARE_AVAILABLE;
	if (r->state == SHARE_ARCHIVED)
		r->count = 0;
}

void model_part_expire(struct model_part *p, const struct model_limits *l, int64_t now)
{
	if (!p->stored || p->next_until > now)
		return;
	p->next_until = INT64_MAX;
	for (int64_t o = p->start; o < p->end; o++) {
		struct model_rec *r = &p->r[o];

		if (r->state != SHARE_ACQUIRED)
			continue;
		if (r->until <= now)
			rec_return(r, l);
		else if (r->until < p->next_until)
			p->next_until = r->until;
	}
	part_trim(p);
}

void model_part_release_owner(struct model_part *p, const struct model_limits *l, int owner, int node)
{
	for (int64_t o = p->start + (l->broken == MODEL_BREAK_RELEASE ? 1 : 0); o < p->end; o++) {
		struct model_rec *r = &p->r[o];

		if (r->state == SHARE_ACQUIRED && r->owner == owner && p->node_of[owner][r->duration] == node)
			rec_return(r, l);
	}
	part_trim(p);
}

void model_part_log_start(struct model_part *p, int64_t log_start)
{
	if (!p->stored || log_start <= p->start)
		return;
	part_reserve(p, log_start + 1);
	for (int64_t o = p->start; o < log_start; o++)
		p->r[o].state = SHARE_ARCHIVED;
	if (p->end < log_start)
		p->end = log_start;
	p->start = log_start;
	part_trim(p);
}

void model_part_truncate(struct model_part *p, int64_t log_end)
{
	if (!p->stored || p->end <= log_end)
		return;
	part_reserve(p, log_end + 1);
	for (int64_t o = log_end; o < p->cap; o++) {
		p->r[o].state = SHARE_AVAILABLE;
		p->r[o].count = 0;
	}
	p->end = log_end;
	if (p->start > log_end)
		p->start = log_end;
}

static int64_t in_flight(const struct model_part *p, const struct model_limits *l)
{
	int64_t n = 0;

	if (l->span)
		return p->end - p->start;

	for (int64_t o = p->start; o < p->end; o++)
		n += done(p->r[o].state) ? 0 : 1;
	return n;
}

/* True when offset o has come back with this count, or never was a record. */
static bool comes_with(
	const struct model_part *p, const struct world_log *log, bool read_committed, int64_t o, int16_t count)
{
	if (o < p->start || o >= p->end)
		return false;
	if (p->r[o].state == SHARE_AVAILABLE)
		return p->r[o].count == count;
	return p->r[o].state == SHARE_ARCHIVED && world_log_is_hole(log, o, read_committed);
}

void model_part_check_suspects(const struct model_part *p, const struct model_limits *l, const struct world_log *log,
	bool read_committed, const struct share_acquired *a, uint32_t n)
{
	int32_t from = l->delivery_count_limit / 2 + l->delivery_count_limit % 2, shift;
	int64_t total = 0, first = -1, last, most;
	bool alone = false;
	int16_t count;

	from = from < 2 ? 2 : from;
	for (uint32_t i = 0; i < n; i++) {
		total += a[i].last - a[i].first + 1;
		if (a[i].delivery_count <= from)
			continue;
		first = first < 0 ? a[i].first : first;
		alone = alone || (l->delivery_count_limit > 2 && a[i].delivery_count >= l->delivery_count_limit);
	}
	if (first < 0)
		return;
	count = p->r[first].count;
	shift = count - from + 1;
	last = first;
	while (comes_with(p, log, read_committed, first - 1, count))
		first--;
	while (comes_with(p, log, read_committed, last + 1, count))
		last++;
	world_log_widen(log, &first, &last);
	most = (last - first + 1) >> (shift < 62 ? shift : 62);
	sl_assert(total <= (most > 1 && !alone ? most : 1));
}

void model_part_acquire(struct model_part *p, const struct model_limits *l, const struct share_acquired *a, int owner,
	int node, int64_t now)
{
	bool had_new;

	sl_assert(p->stored && a->first >= p->start && a->first <= a->last);
	sl_assert(a->first <= p->end);
	had_new = a->last >= p->end;
	p->handed_out = true;
	part_reserve(p, a->last + 1);
	for (int64_t o = a->first; o <= a->last; o++) {
		struct model_rec *r = &p->r[o];
		int16_t before = o < p->end ? r->count : 0;

		sl_assert(o >= p->end || r->state == SHARE_AVAILABLE);
		sl_assert(a->delivery_count == before + 1);
		r->state = SHARE_ACQUIRED;
		r->count = a->delivery_count;
		r->owner = (int8_t)owner;
		r->duration = l->duration;
		r->until = now + l->lock_ms + (l->broken == MODEL_BREAK_LOCK_TIME ? 50 : 0);
		if (r->until < p->next_until)
			p->next_until = r->until;
	}
	if (a->last >= p->end)
		p->end = a->last + 1;
	sl_assert(!had_new || in_flight(p, l) < l->max_record_locks + WORLD_BATCH_RECORDS);
	p->node_of[owner][l->duration] = (int8_t)node;
}

static int16_t check_form(const struct share_ack_batch *v, uint32_t n, int16_t version, bool renew)
{
	for (uint32_t i = 0; i < n; i++) {
		if (v[i].first < 0 || v[i].first > v[i].last || (i && v[i].first < v[i - 1].last) || !v[i].types_n)
			return 42;
		if (v[i].types_n > 1 && (uint64_t)v[i].last - (uint64_t)v[i].first != v[i].types_n - 1)
			return 42;
		for (uint32_t j = 0; j < v[i].types_n; j++) {
			if (v[i].types[j] < 0 || v[i].types[j] > (version >= 2 ? 4 : 3) ||
				(v[i].types[j] == 4 && !renew))
				return 42;
		}
	}
	return 0;
}

static int16_t check_state(const struct model_part *p, const struct model_limits *l, const struct share_ack_batch *v,
	uint32_t n, int owner)
{
	for (uint32_t i = 0; i < n; i++) {
		if (v[i].last < p->start)
			continue;
		if (i && v[i].first == v[i - 1].last)
			return 121;
		if (v[i].last >= p->end)
			return p->start == p->end ? 121 : 42;
		for (int64_t o = v[i].first < p->start ? p->start : v[i].first; o <= v[i].last; o++) {
			if (p->r[o].state != SHARE_ACQUIRED || p->r[o].owner != owner)
				return 121;
		}
		for (uint32_t j = 0; j < v[i].types_n; j++) {
			if (v[i].types[j] == 4 && !l->renew_enabled)
				return 121;
		}
	}
	return 0;
}

static void apply_one(struct model_part *p, const struct model_limits *l, struct model_rec *r, int8_t type, int owner,
	int node, int64_t now)
{
	switch (type) {
	case 1:
		r->state = SHARE_ACKNOWLEDGED;
		r->count = 0;
		break;
	case 2:
		rec_return(r, l);
		break;
	case 4:
		r->until = now + l->lock_ms;
		r->duration = l->duration;
		p->node_of[owner][l->duration] = (int8_t)node;
		if (r->until < p->next_until)
			p->next_until = r->until;
		break;
	default:
		r->state = SHARE_ARCHIVED;
		r->count = 0;
		break;
	}
}

int16_t model_part_ack(struct model_part *p, const struct model_limits *l, const struct share_ack_batch *v, uint32_t n,
	int owner, int node, int16_t version, bool renew, bool listed, int64_t now)
{
	int16_t error = check_form(v, n, version, renew);

	if (error)
		return error;
	if (!p->stored || (!p->handed_out && !listed))
		return 3;
	error = check_state(p, l, v, n, owner);
	if (error)
		return error;
	for (uint32_t i = 0; i < n; i++) {
		for (int64_t o = v[i].first < p->start ? p->start : v[i].first; o <= v[i].last; o++)
			apply_one(p, l, &p->r[o], v[i].types[v[i].types_n > 1 ? o - v[i].first : 0], owner, node, now);
	}
	part_trim(p);
	return 0;
}

bool model_part_has_available(
	const struct model_part *p, const struct model_limits *l, const struct world_log *log, bool read_committed)
{
	int64_t limit = read_committed ? world_log_lso(log) : world_log_end(log);
	int64_t o = p->start;

	if (!p->stored)
		return false;
	for (; o < p->end && o < limit; o++) {
		if (p->r[o].state == SHARE_AVAILABLE && !world_log_is_hole(log, o, read_committed))
			return true;
	}
	if (o < p->end || in_flight(p, l) >= l->max_record_locks)
		return false;
	for (; o < limit; o++) {
		if (!world_log_is_hole(log, o, read_committed))
			return true;
	}
	return false;
}

int64_t model_part_done(const struct model_part *p)
{
	int64_t n = 0;

	for (int64_t o = p->start; o < p->end; o++)
		n += done(p->r[o].state) ? 1 : 0;
	return n;
}

int64_t model_part_held(const struct model_part *p)
{
	int64_t n = 0;

	for (int64_t o = p->start; o < p->end; o++)
		n += p->r[o].state == SHARE_ACQUIRED ? 1 : 0;
	return n;
}
