/* SPDX-License-Identifier: Apache-2.0 */
/* The state log from anybody: entries, whole logs whose batches are well made but hold anything, and raw bytes as they
 * are read. */
#include <stdlib.h>

#include "base/assert.h"
#include "base/mem.h"
#include "statelog/audit.h"
#include "statelog/format.h"
#include "statelog/replay.h"
#include "statelog/statelog.h"
#include "statelog/writer.h"

#define BATCH_BYTES 100000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- entries ---- */

static void entry_encode(const struct state_entry *e, struct writer *w)
{
	wr_init(w, 1u << 20);
	state_entry_write(w, e);
	sl_assert(!w->err);
}

/* What was decoded can be written, and is the same when it is read again. */
static void entry_again(const struct state_entry *e)
{
	struct writer one, two;
	struct state_entry back;
	struct arena a;
	struct reader r;
	enum err err;

	entry_encode(e, &one);
	r = rd_init(buf_head(&one.own), buf_len(&one.own));
	arena_init(&a, STATE_SCRATCH_MAX);
	err = state_entry_read(&r, &a, &back);
	sl_assert(err == ERR_OK && rd_left(&r) == 0);
	entry_encode(&back, &two);
	sl_assert(wr_size(&one) == wr_size(&two));
	sl_assert(memcmp(buf_head(&one.own), buf_head(&two.own), wr_size(&one)) == 0);
	arena_release(&a);
	wr_release(&one);
	wr_release(&two);
}

static void fuzz_entries(const uint8_t *data, size_t size)
{
	struct reader r = rd_init(data, size);

	while (rd_left(&r) > 0) {
		size_t left = rd_left(&r);
		struct state_entry e;
		struct arena a;
		enum err err;

		arena_init(&a, STATE_SCRATCH_MAX);
		err = state_entry_read(&r, &a, &e);
		sl_assert(a.used <= 64 * left + 64); /* never more than arrived, as arrays */
		if (!err)
			entry_again(&e);
		arena_release(&a);
		if (err)
			return;
	}
}

/* ---- whole logs ---- */

/* A batch at a base offset around a value. */
static void batch_append(struct buf *log, struct bytes value, int64_t base)
{
	struct chunk *c = state_batch_build(value, BATCH_BYTES, 1, 5, 0, (int32_t)base);

	for (int i = 0; i < 8; i++)
		c->data[i] = (uint8_t)(base >> (8 * (7 - i)));
	sl_assert(buf_append(log, c->data, c->size) == ERR_OK);
	chunk_unref(c);
}

static void claim_append(struct buf *log, int64_t base)
{
	struct state_head h = {.kind = STATE_CLAIM, .owner_address = STR_LIT("a"), .partition_count = 1};
	struct writer w;

	wr_init(&w, 1000);
	state_head_write(&w, &h);
	batch_append(log, (struct bytes){buf_head(&w.own), buf_len(&w.own)}, base);
	wr_release(&w);
}

struct groups {
	struct state_writer w;
	uint64_t n, members, configs, partitions, ranges;
};

static void group_check(struct groups *x, const struct share_group_state *st)
{
	x->n++;
	x->members += st->members_n;
	x->configs += st->configs_n;
	x->partitions += st->partitions_n;
	for (uint32_t i = 0; i < st->partitions_n; i++) {
		const struct share_partition_state *p = &st->partitions[i];

		x->ranges += p->ranges_n;
		for (uint32_t k = 0; k < p->ranges_n; k++) {
			sl_assert(p->ranges[k].first <= p->ranges[k].last && p->ranges[k].first >= p->start_offset);
			sl_assert(k == 0 || p->ranges[k].first > p->ranges[k - 1].last);
		}
	}
}

static void group_cb(void *arg, const struct share_group_state *st)
{
	struct groups *x = arg;
	enum err err;

	group_check(x, st);
	err = state_writer_snapshot(&x->w, st);
	if (err) /* an id of thousands of bytes */
		x->n = UINT64_MAX / 2;
}

static void again_cb(void *arg, const struct share_group_state *st)
{
	group_check(arg, st);
}

/* Snapshots of what was loaded, read again, give the same. */
static void snapshots_again(struct groups *x)
{
	struct state_replay *rp = state_replay_new(0);
	struct groups y = {.n = 0};
	struct state_value *v;
	struct buf log;
	int64_t base = 0;
	size_t at = 0;

	buf_init(&log, 64u << 20);
	claim_append(&log, base++);
	while ((v = state_writer_take(&x->w))) {
		batch_append(&log, (struct bytes){buf_head(&v->w.own), buf_len(&v->w.own)}, base++);
		state_value_free(v);
	}
	while (at < buf_len(&log)) {
		struct batch_header h;
		struct state_batch b;
		const char *why;
		struct arena a;

		arena_init(&a, 2 * STATE_RECORD_MAX);
		sl_assert(batch_header_read(buf_head(&log) + at, buf_len(&log) - at, &h) == BATCH_READY);
		sl_assert(state_batch_read(buf_head(&log) + at, &h, &a, &b) == STATE_OURS);
		sl_assert(state_replay_batch(rp, &b, &why) == STATE_REPLAY_OK);
		arena_release(&a);
		at += h.size;
	}
	sl_assert(state_replay_finish(rp) == NULL);
	state_replay_each(rp, again_cb, &y);
	sl_assert(y.n == x->n && y.members == x->members && y.configs == x->configs);
	sl_assert(y.partitions == x->partitions && y.ranges == x->ranges);
	state_replay_free(rp);
	buf_release(&log);
}

static void groups_take(struct statelog *l)
{
	struct groups x = {.n = 0};

	state_writer_init(&x.w, BATCH_BYTES, 1u << 20);
	x.w.owner_epoch = 0;
	statelog_take_groups(l, group_cb, &x);
	if (x.n < UINT64_MAX / 2)
		snapshots_again(&x);
	state_writer_clear(&x.w);
}

/* Follows the log as far as it goes. */
static void follow(struct statelog *l, struct bytes log, int64_t start, int64_t end, size_t read_max)
{
	struct statelog_action act;
	struct statelog_owner owner;
	size_t given = read_max;

	statelog_follow(l, start);
	while ((act = statelog_next(l, 1)).type == STATELOG_READ) {
		sl_assert(act.u.offset >= start);
		statelog_read_done(l, (struct bytes){log.p, given < log.n ? given : log.n}, end, start);
		if (given >= log.n)
			break;
		given += read_max;
	}
	if (act.type == STATELOG_READ)
		act = statelog_next(l, 1);
	sl_assert(act.type == STATELOG_LOST_NOW ? statelog_get_state(l) == STATELOG_REFUSED
						: statelog_get_state(l) == STATELOG_FOLLOWING);
	if (act.type == STATELOG_LOST_NOW)
		sl_assert(!statelog_get_owner(l, &owner));
	else if (statelog_get_owner(l, &owner))
		sl_assert(owner.epoch >= 0 && owner.address.n <= 512);
}

/* The answer of the read that the follower has on its way when it claims. */
static void follow_end(struct statelog *l, struct bytes log, int64_t start, int64_t end)
{
	if (statelog_get_state(l) != STATELOG_LOADING)
		return;
	statelog_read_done(l, log, end, start);
}

/* Loads a log whose bytes lie from offset start on, up to a claim of our own at offset claim; followed: so many bytes
 * of it are followed first. */
static void load(struct bytes log, size_t followed, int64_t start, int64_t claim, size_t read_max)
{
	struct statelog_config cfg = {
		.partition_count = 1,
		.owner_address = STR_LIT("a"),
		.max_batch_bytes = BATCH_BYTES,
		.max_pending_bytes = 1u << 20,
		.checkpoint_min_bytes = 1u << 20,
	};
	struct statelog *l = statelog_new(&cfg);
	struct statelog_action act;
	size_t given = read_max;

	if (followed > 0)
		follow(l, (struct bytes){log.p, followed}, start, claim, read_max);
	if (followed > 0 && statelog_get_state(l) != STATELOG_FOLLOWING) {
		statelog_free(l);
		return;
	}
	statelog_start(l, start, 1, 0, 1);
	act = statelog_next(l, 1);
	sl_assert(act.type == STATELOG_WRITE);
	chunk_unref(act.u.batch);
	statelog_write_done(l, claim);
	if (followed > 0)
		follow_end(l, log, start, claim + 1);
	while ((act = statelog_next(l, 1)).type == STATELOG_READ) {
		struct bytes part = {log.p, given < log.n ? given : log.n};

		sl_assert(act.u.offset >= start && act.u.offset <= claim);
		statelog_read_done(l, part, claim + 1, start);
		if (given >= log.n)
			break;
		given += read_max;
	}
	if (act.type == STATELOG_READ)
		act = statelog_next(l, 1);
	if (act.type == STATELOG_LOADED)
		groups_take(l);
	else if (act.type == STATELOG_LOST_NOW)
		sl_assert(statelog_get_state(l) == STATELOG_REFUSED || statelog_get_state(l) == STATELOG_LOST);
	if (act.type == STATELOG_LOST_NOW)
		sl_assert(statelog_reason(l)[0] != '\0');
	statelog_free(l);
}

/* ---- a look from outside ---- */

static void audited_cb(void *arg, const struct state_batch *b, enum state_audit_verdict verdict, const char *why)
{
	uint64_t *n = arg;

	sl_assert(b->base_offset <= b->last_offset && (verdict != STATE_AUDIT_BROKEN || why[0]));
	++*n;
}

/* Whatever it is, it is walked through once, and each batch is judged. */
static void audit(struct bytes log, int64_t start)
{
	uint64_t n = 0;
	struct state_audit *a = state_audit_new(0, 1, start, audited_cb, &n);
	struct groups groups = {.n = 0};
	const struct state_audit_result *res = state_audit_get(a);

	state_audit_data(a, log);
	sl_assert(state_audit_next(a) >= start || (state_audit_next(a) == -1 && res->is_broken));
	state_audit_end(a);
	sl_assert(n == res->batches && res->is_broken == (res->broken[0] != '\0'));
	state_replay_each(state_audit_replay(a), again_cb, &groups);
	state_audit_free(a);
}

/* Values with 16-bit lengths, each made a batch. */
static void fuzz_log(const uint8_t *data, size_t size, bool is_followed)
{
	struct reader r = rd_init(data, size);
	int64_t start = (uint8_t)rd_i8(&r) % 4, base = start;
	size_t read_max = 1 + rd_u16(&r), followed;
	struct buf log;

	buf_init(&log, 16u << 20);
	while (rd_left(&r) >= 2) {
		struct bytes v = rd_raw(&r, rd_u16(&r));

		if (r.err)
			break;
		batch_append(&log, (struct bytes){v.p ? v.p : (const uint8_t *)"", v.n}, base++);
	}
	followed = is_followed ? buf_len(&log) : 0;
	audit((struct bytes){buf_head(&log), buf_len(&log)}, start);
	claim_append(&log, base);
	load((struct bytes){buf_head(&log), buf_len(&log)}, followed, start, base, read_max);
	buf_release(&log);
}

static void raw(struct bytes log, bool is_followed)
{
	audit(log, 0);
	load(log, is_followed ? (log.n + 1) / 2 : 0, 0, 8, 1 + (log.n + 1) / 3);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	if (data[0] % 3 == 0)
		fuzz_entries(data + 1, size - 1);
	else if (data[0] % 3 == 1)
		fuzz_log(data + 1, size - 1, data[0] / 3 % 2 == 1);
	else
		raw((struct bytes){data + 1, size - 1}, data[0] / 3 % 2 == 1);
	return 0;
}
