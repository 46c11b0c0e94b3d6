/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of the log are applied here, batch by batch in one forward pass. */
#include "statelog/replay.h"

#include "base/assert.h"
#include "replay_group.h"

/* The arrays of decoded entries are given back when they come to this. */
#define SCRATCH_KEEP ((size_t)1 << 20)
#define GROUP_STATE_MAX ((size_t)4 << 30)

struct state_replay {
	int64_t log_start;
	bool any;          /* a batch was seen */
	bool is_first_own; /* the batch in hand is the first of the log */
	bool unarmed;      /* within the checkpoint that the log starts with: groups not in the table are skipped */
	int64_t epoch;     /* of the last claim, -1: none, or it has resigned */
	struct state_replay_owner owner, before;
	int32_t partition, partition_count; /* as first recorded; count 0: not yet */
	int64_t begin_offset;               /* of the owner's checkpoint in hand, -1: none */
	uint32_t snapshots;                 /* complete ones since begin_offset */
	struct replay_group *groups;
	struct replay_group *open; /* the group whose snapshot is not complete */
	struct replay_partition *numbers;
	struct str context; /* group of the entries in this batch, in its bytes; null: none */
	struct arena scratch;
	uint64_t snapshot_bytes; /* since begin_offset */
	struct {
		int64_t producer_id;
		int16_t producer_epoch;
		int32_t base_sequence;
	} last; /* of the last record that counted */
	struct state_replay_counts counts;
};

struct state_replay *state_replay_new(int64_t log_start)
{
	struct state_replay *rp = mem_zalloc(1, sizeof(*rp));

	rp->log_start = log_start;
	rp->epoch = -1;
	rp->begin_offset = -1;
	rp->owner.epoch = rp->before.epoch = -1;
	rp->last.producer_id = -1;
	arena_init(&rp->scratch, STATE_SCRATCH_MAX + SCRATCH_KEEP);
	return rp;
}

/* Closes an open snapshot without taking it. */
static void snapshot_drop(struct state_replay *rp)
{
	replay_group_free(rp->open, &rp->numbers);
	rp->open = NULL;
}

void state_replay_free(struct state_replay *rp)
{
	struct replay_group *g;

	if (!rp)
		return;
	snapshot_drop(rp);
	while ((g = rp->groups)) {
		HASH_DEL(rp->groups, g);
		replay_group_free(g, &rp->numbers);
	}
	arena_release(&rp->scratch);
	mem_free(rp->owner.address);
	mem_free(rp->before.address);
	mem_free(rp);
}

static struct replay_group *group_find(const struct state_replay *rp, struct str id)
{
	struct replay_group *g;

	HASH_FIND(hh, rp->groups, id.p, id.n, g);
	return g;
}

static void group_add(struct state_replay *rp, struct replay_group *g)
{
	HASH_ADD_KEYPTR(hh, rp->groups, g->id, g->id_n, g);
}

/* A new owner numbers its share-partitions anew, and an unfinished snapshot of the last one will never be finished. */
static void ownership_begin(struct state_replay *rp, const struct state_head *h)
{
	struct replay_partition *p, *next;

	snapshot_drop(rp);
	for (p = rp->numbers; p; p = next) {
		next = p->hh_number.next;
		replay_partition_unnumber(p, &rp->numbers);
	}
	mem_free(rp->before.address);
	rp->before = rp->owner;
	rp->owner = (struct state_replay_owner){
		.epoch = h->owner_epoch,
		.id = h->owner_id,
		.address = mem_copy_string(h->owner_address.p, h->owner_address.n),
		.address_n = h->owner_address.n,
	};
	rp->epoch = h->owner_epoch;
	rp->begin_offset = -1;
}

/* The owner has handed over: its unfinished checkpoint stays so, and its epoch is nobody's any more. */
static void ownership_end(struct state_replay *rp, const struct state_head *h)
{
	snapshot_drop(rp);
	rp->owner.resigned = true;
	rp->owner.settled = h->settled;
	rp->epoch = -1;
	rp->begin_offset = -1;
}

/* The first claim or begin mark says which state partition this is and of how many; it binds those that follow. */
static bool place_matches(struct state_replay *rp, const struct state_head *h)
{
	if (rp->partition_count == 0) {
		rp->partition = h->partition;
		rp->partition_count = h->partition_count;
	}
	return rp->partition == h->partition && rp->partition_count == h->partition_count;
}

static void last_set(struct state_replay *rp, const struct state_batch *b)
{
	rp->last.producer_id = b->producer_id;
	rp->last.producer_epoch = b->producer_epoch;
	rp->last.base_sequence = b->base_sequence;
}

static const char *claim_apply(struct state_replay *rp, const struct state_batch *b)
{
	if (!place_matches(rp, &b->head))
		return "a claim that records another partition or partition count";
	ownership_begin(rp, &b->head);
	last_set(rp, b);
	return NULL;
}

static const char *begin_apply(struct state_replay *rp, const struct state_batch *b)
{
	if (rp->is_first_own) {
		ownership_begin(rp, &b->head);
		rp->unarmed = true;
	}
	if (!place_matches(rp, &b->head))
		return "a begin mark that records another partition or partition count than its claim";
	if (rp->open)
		return "a begin mark within a snapshot";
	rp->begin_offset = b->base_offset;
	rp->snapshots = 0;
	rp->snapshot_bytes = 0;
	return NULL;
}

static const char *end_apply(struct state_replay *rp, const struct state_batch *b)
{
	if (rp->begin_offset < 0 || b->head.begin_offset != rp->begin_offset)
		return "an end mark that names another begin mark than the last";
	if (rp->open || b->head.snapshots != rp->snapshots)
		return "an end mark of a checkpoint whose snapshots are not all there";
	if (rp->begin_offset == rp->log_start)
		rp->unarmed = false;
	rp->counts.checkpoint_bytes = rp->snapshot_bytes;
	rp->counts.bytes_since_checkpoint = 0;
	rp->begin_offset = -1;
	return NULL;
}

static const char *snapshot_open(struct state_replay *rp, const struct state_entry *e)
{
	if (rp->open)
		return "a snapshot within a snapshot";
	rp->open = replay_group_new(e->group_id);
	rp->open->exists = e->exists;
	rp->open->group_epoch = e->group_epoch;
	rp->open->assignment_epoch = e->assignment_epoch;
	rp->context = e->group_id;
	return NULL;
}

/* The snapshot is whole: it replaces what was known of the group. */
static const char *snapshot_close(struct state_replay *rp)
{
	struct replay_group *old;

	if (!rp->open)
		return "the end of a snapshot that has no beginning";
	old = group_find(rp, (struct str){rp->open->id, rp->open->id_n});
	if (old) {
		HASH_DEL(rp->groups, old);
		replay_group_free(old, &rp->numbers);
	}
	group_add(rp, rp->open);
	rp->open = NULL;
	rp->snapshots++;
	return NULL;
}

static struct replay_partition *number_find(const struct state_replay *rp, uint32_t number)
{
	struct replay_partition *p;

	HASH_FIND(hh_number, rp->numbers, &number, sizeof(number), p);
	return p;
}

/* Gives p its number; false when another share-partition has it. */
static bool number_define(struct state_replay *rp, struct replay_partition *p, uint32_t number)
{
	struct replay_partition *old = number_find(rp, number);

	if (old == p)
		return true;
	if (old) {
		/* a snapshot defines again what its group had */
		if (p->group != rp->open || memcmp(&old->key, &p->key, sizeof(p->key)) != 0 ||
			old->group->id_n != p->group->id_n || memcmp(old->group->id, p->group->id, p->group->id_n) != 0)
			return false;
		replay_partition_unnumber(old, &rp->numbers);
	}
	replay_partition_number(p, &rp->numbers, number);
	return true;
}

static const char *partition_apply(struct state_replay *rp, struct replay_group *g, const struct state_entry *e)
{
	struct replay_partition *p = replay_partition_find(g, &e->u.partition);

	if (!p)
		p = replay_partition_add(g, &e->u.partition);
	replay_partition_set(p, &e->u.partition);
	return number_define(rp, p, e->number) ? NULL : "a number that names two share-partitions";
}

static const char *number_apply(struct state_replay *rp, struct replay_group *g, const struct state_entry *e)
{
	struct replay_partition *p = g ? replay_partition_find(g, &e->u.partition) : NULL;

	if (!p)
		return "a number for a share-partition that does not exist";
	return number_define(rp, p, e->number) ? NULL : "a number that names two share-partitions";
}

static const char *records_apply(struct state_replay *rp, const struct state_entry *e)
{
	struct replay_partition *p = number_find(rp, e->number);

	if (!p)
		return rp->unarmed && !rp->open ? NULL : "a change under a number that names no share-partition";
	if (rp->open && p->group != rp->open)
		return "a change within the snapshot of another group";
	replay_partition_lay(p, &e->u.partition);
	return NULL;
}

/* Changes that may be the first about a group; g exists. */
static const char *group_change_apply(
	struct state_replay *rp, struct replay_group *g, const struct state_entry *e, struct bytes raw)
{
	if (e->type == STATE_ENTRY_PARTITION)
		return partition_apply(rp, g, e);
	if (e->type == STATE_ENTRY_MEMBER)
		replay_item_put(&g->members, e->u.member.member_id, raw);
	else if (e->type == STATE_ENTRY_CONFIG && str_is_null(e->u.config.value))
		replay_item_drop(&g->configs, e->u.config.name);
	else if (e->type == STATE_ENTRY_CONFIG)
		replay_item_put(&g->configs, e->u.config.name, raw);
	if (e->type == STATE_ENTRY_GROUP) {
		g->exists = true;
		g->group_epoch = e->group_epoch;
		g->assignment_epoch = e->assignment_epoch;
	}
	return NULL;
}

static void partition_delete(struct state_replay *rp, struct replay_group *g, const struct state_entry *e)
{
	struct replay_partition *p = replay_partition_find(g, &e->u.partition);

	if (p)
		replay_partition_drop(p, &rp->numbers);
}

static void group_delete(struct state_replay *rp, struct replay_group *g)
{
	replay_group_clear(g, &rp->numbers);
	g->exists = false;
	g->group_epoch = g->assignment_epoch = 0;
}

/* An entry about the group of the context. */
static const char *in_group_apply(struct state_replay *rp, const struct state_entry *e, struct bytes raw)
{
	bool may_create = e->type == STATE_ENTRY_GROUP || e->type == STATE_ENTRY_MEMBER ||
			  e->type == STATE_ENTRY_CONFIG || e->type == STATE_ENTRY_PARTITION;
	struct replay_group *g = rp->open;

	if (str_is_null(rp->context))
		return "a change that names no group";
	if (g && (!may_create || e->type == STATE_ENTRY_GROUP))
		return "a change within a snapshot";
	if (!g)
		g = group_find(rp, rp->context);
	if (!g && rp->unarmed)
		return NULL;
	if (!g && may_create) {
		g = replay_group_new(rp->context);
		group_add(rp, g);
	}
	if (may_create)
		return group_change_apply(rp, g, e, raw);
	if (e->type == STATE_ENTRY_NUMBER)
		return number_apply(rp, g, e);
	if (!g)
		return NULL; /* what is deleted was not there */
	if (e->type == STATE_ENTRY_GROUP_DELETED)
		group_delete(rp, g);
	else if (e->type == STATE_ENTRY_MEMBER_REMOVED)
		replay_item_drop(&g->members, e->u.member.member_id);
	else
		partition_delete(rp, g, e);
	return NULL;
}

static const char *entry_apply(struct state_replay *rp, const struct state_entry *e, struct bytes raw)
{
	switch (e->type) {
	case STATE_ENTRY_IN_GROUP:
		rp->context = e->group_id;
		if (rp->open && !str_eq(e->group_id, (struct str){rp->open->id, rp->open->id_n}))
			return "another group within a snapshot";
		return NULL;
	case STATE_ENTRY_SNAPSHOT:
		return snapshot_open(rp, e);
	case STATE_ENTRY_SNAPSHOT_END:
		return snapshot_close(rp);
	case STATE_ENTRY_RECORDS:
		return records_apply(rp, e);
	default:
		return in_group_apply(rp, e, raw);
	}
}

static const char *entries_apply(struct state_replay *rp, struct reader *r)
{
	rp->context = STR_NULL;
	while (rd_left(r) > 0) {
		bool in_snapshot = rp->open != NULL;
		const uint8_t *from = r->p;
		struct state_entry e;
		const char *why;
		size_t n;

		if (state_entry_read(r, &rp->scratch, &e))
			return "a malformed entry";
		n = (size_t)(r->p - from);
		why = entry_apply(rp, &e, (struct bytes){from, n});
		if (why)
			return why;
		if (in_snapshot || rp->open)
			rp->snapshot_bytes += n;
		rp->counts.entries++;
		if (rp->scratch.used > SCRATCH_KEEP)
			arena_release(&rp->scratch);
	}
	return NULL;
}

static enum state_replay_result broken_if(const char *why, const char **ret_why)
{
	*ret_why = why;
	return why ? STATE_REPLAY_BROKEN : STATE_REPLAY_OK;
}

static enum state_replay_result foreign(struct state_replay *rp, const char *why, const char **ret_why)
{
	rp->counts.foreign++;
	*ret_why = why;
	return STATE_REPLAY_FOREIGN;
}

/* Was the record before written a second time, by a broker that had forgotten its producer? */
static bool is_repeated(const struct state_replay *rp, const struct state_batch *b)
{
	return b->producer_id >= 0 && b->producer_id == rp->last.producer_id &&
	       b->producer_epoch == rp->last.producer_epoch && b->base_sequence == rp->last.base_sequence;
}

/* A record of a sluice that is no claim: does it count, and what does it say? */
static enum state_replay_result owned_apply(struct state_replay *rp, struct state_batch *b, const char **ret_why)
{
	bool is_stand_in = b->head.kind == STATE_BEGIN && rp->is_first_own;

	if (!is_stand_in && b->head.owner_epoch != rp->epoch)
		return foreign(rp, "a record of an owner that had lost the partition or handed it over", ret_why);
	if (is_repeated(rp, b))
		return foreign(rp, "a record that was written twice", ret_why);
	last_set(rp, b);
	if (b->head.kind == STATE_BEGIN)
		return broken_if(begin_apply(rp, b), ret_why);
	if (b->head.kind == STATE_END)
		return broken_if(end_apply(rp, b), ret_why);
	if (b->head.kind == STATE_RESIGN) {
		ownership_end(rp, &b->head);
		return STATE_REPLAY_OK;
	}
	return broken_if(entries_apply(rp, &b->entries), ret_why);
}

enum state_replay_result state_replay_batch(struct state_replay *rp, struct state_batch *b, const char **ret_why)
{
	bool is_ours = b->verdict == STATE_OURS;

	rp->is_first_own = !rp->any && is_ours;
	rp->counts.batches++;
	rp->counts.bytes += b->size;
	rp->counts.bytes_since_checkpoint += b->size;
	*ret_why = "";
	if (!rp->any && rp->log_start > 0 &&
		(!is_ours || b->head.kind != STATE_BEGIN || b->base_offset != rp->log_start))
		return broken_if(
			"the log was cut off by something else than sluice's own trimming: it does not start with a "
			"checkpoint (is cleanup.policy=delete with retention.ms=-1 and retention.bytes=-1 set?)",
			ret_why);
	rp->any = true;
	if (!is_ours)
		return foreign(rp, b->why, ret_why);
	if (b->head.kind == STATE_CLAIM) {
		const char *why = claim_apply(rp, b);

		return why ? foreign(rp, why, ret_why) : STATE_REPLAY_OK;
	}
	return owned_apply(rp, b, ret_why);
}

int64_t state_replay_epoch(const struct state_replay *rp)
{
	return rp->epoch;
}

int32_t state_replay_partition(const struct state_replay *rp)
{
	return rp->partition;
}

const struct state_replay_owner *state_replay_owner(const struct state_replay *rp)
{
	return &rp->owner;
}

const struct state_replay_owner *state_replay_owner_before(const struct state_replay *rp)
{
	return &rp->before;
}

int32_t state_replay_partition_count(const struct state_replay *rp)
{
	return rp->partition_count;
}

bool state_replay_place(const struct state_replay *rp, uint32_t number, struct state_replay_place *ret)
{
	const struct replay_partition *p = number_find(rp, number);

	if (!p)
		return false;
	*ret = (struct state_replay_place){
		.group_id = {p->group->id, p->group->id_n},
		.topic_name = {p->topic_name, p->topic_name_n},
		.topic_id = p->key.topic_id,
		.partition = p->key.partition,
	};
	return true;
}

const char *state_replay_finish(struct state_replay *rp)
{
	snapshot_drop(rp);
	return rp->unarmed ? "the checkpoint that the log starts with has no end" : NULL;
}

void state_replay_get_counts(const struct state_replay *rp, struct state_replay_counts *ret)
{
	*ret = rp->counts;
}

static int group_cmp(const struct replay_group *a, const struct replay_group *b)
{
	return str_cmp((struct str){a->id, a->id_n}, (struct str){b->id, b->id_n});
}

void state_replay_each(struct state_replay *rp, state_group_cb cb, void *arg)
{
	struct replay_group *g;
	struct arena a;

	sl_assert(!rp->open);
	HASH_SORT(rp->groups, group_cmp);
	arena_init(&a, GROUP_STATE_MAX);
	for (g = rp->groups; g; g = g->hh.next) {
		struct share_group_state st;

		if (!g->exists && !g->configs && !g->members && !g->partitions)
			continue;
		replay_group_state(g, &a, &st);
		cb(arg, &st);
		arena_release(&a);
	}
	arena_release(&a);
}
