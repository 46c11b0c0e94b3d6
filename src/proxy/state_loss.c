/* SPDX-License-Identifier: Apache-2.0 */
/* The internal topic deleted, or replaced by another of its name, is noticed here, and what comes after it is taken.
 *
 *   shown -> missing for some seconds, or another id -> everything is given up -> state_topic makes or checks it
 *     ^          |                                                                 |
 *     |          `-> shown again: nothing has happened                             |
 *     `---- the same id: all of it is read again; another: the state is gone <-----' */
#include "proxy/state_store_priv.h"

/* A broker that has just started may not know all topics yet. */
#define MISSING_MS 5000
#define LOOK_AGAIN_MS 1000
#define QUIET_MS 50

static void check_at(struct state_store *ss, int64_t at)
{
	if (!timer_is_set(&ss->loss.check) || ss->loss.check.at > at)
		timer_set(&ss->loss.check, at);
}

/* Nothing is confirmed or handed out from now on: clients are told to come again. */
static void loss_give_up(struct state_store *ss, const char *what)
{
	ss->loss.gone = true;
	ss->loss.made = false;
	ss->loss.missing_since = 0;
	log_error(loop_log(ss->loop), NULL,
		"the internal topic %.*s %s: share groups wait until it is there again; it is made anew if it does not "
		"come back",
		(int)ss->cfg->state_topic.n, ss->cfg->state_topic.p, what);
	for (int32_t i = 0; i < ss->partitions_n; i++) {
		statelog_abandon(ss->partitions[i].log, "the topic is gone");
		state_partition_pump(&ss->partitions[i]);
	}
	state_topic_again(ss->topic);
}

void state_loss_on_metadata(struct state_store *ss)
{
	struct state_loss *l = &ss->loss;
	const struct cluster_topic *t = cluster_find_topic(ss->cluster, ss->cfg->state_topic);
	int64_t now = loop_now(ss->loop);

	if (!ss->partitions_n || l->gone)
		return;
	if (t && !uuid_eq(t->id, ss->topic_id)) {
		/* What a broker that lags shows is known to be gone. */
		if (uuid_is_zero(t->id) || !uuid_eq(t->id, l->old_id))
			loss_give_up(ss, "was deleted and made again");
		return;
	}
	if (t) {
		l->missing_since = 0;
		return;
	}
	if (!l->missing_since)
		l->missing_since = now;
	if (now - l->missing_since >= MISSING_MS && cluster_is_connected(ss->cluster)) {
		loss_give_up(ss, "is not on the cluster any more");
		return;
	}
	cluster_refresh(ss->cluster);
	check_at(ss, now + LOOK_AGAIN_MS);
}

static bool partitions_are_quiet(const struct state_store *ss)
{
	for (int32_t i = 0; i < ss->partitions_n; i++) {
		const struct state_partition *p = &ss->partitions[i];

		if (p->starting || p->reading || p->polling || p->asking_start || p->trimming || p->writing)
			return false;
	}
	return true;
}

/* The old logs go, and with them the state; calls for them that are on their way end first. */
static void loss_take_new(struct state_store *ss)
{
	struct state_loss *l = &ss->loss;

	if (!partitions_are_quiet(ss)) {
		check_at(ss, loop_now(ss->loop) + QUIET_MS);
		return;
	}
	l->losses++;
	log_error(loop_log(ss->loop), NULL, "the state of all share groups is gone with the internal topic %.*s: %s",
		(int)ss->cfg->state_topic.n, ss->cfg->state_topic.p,
		ss->cfg->stable_offset_commit_interval_ms
			? "each goes on from its stable offsets that were committed to the cluster, so that records "
			  "behind them may be delivered once more; group configs have to be set again"
			: "stable.offset.commit.interval.ms is 0, so each begins anew by its share.auto.offset.reset, "
			  "which has to be set again like all group configs");
	ss->cb.on_gone(ss->arg);
	state_partitions_free(ss);
	ss->loaded_n = 0;
	l->old_id = ss->topic_id;
	ss->topic_id = l->new_id;
	l->gone = l->made = false;
	state_partitions_new(ss, l->partitions_n);
	ownership_anew(ss);
	state_loss_on_metadata(ss);
}

void state_loss_topic_ready(struct state_store *ss, int32_t partitions)
{
	struct state_loss *l = &ss->loss;
	const struct cluster_topic *t = cluster_find_topic(ss->cluster, ss->cfg->state_topic);

	if (!l->gone) {
		ss->topic_id = t->id;
		state_partitions_new(ss, partitions);
		return;
	}
	if (!uuid_is_zero(t->id) && uuid_eq(t->id, l->old_id)) { /* an old picture */
		state_topic_again(ss->topic);
		return;
	}
	if (!uuid_eq(t->id, ss->topic_id) || state_topic_was_made(ss->topic)) {
		l->made = true;
		l->new_id = t->id;
		l->partitions_n = partitions;
		loss_take_new(ss);
		return;
	}
	l->gone = false;
	log_warn(loop_log(ss->loop), NULL, "the internal topic %.*s is there again, with all that it held",
		(int)ss->cfg->state_topic.n, ss->cfg->state_topic.p);
	for (int32_t i = 0; i < ss->partitions_n; i++)
		state_partition_follow(&ss->partitions[i]);
}

static void check_cb(void *arg)
{
	struct state_store *ss = arg;

	if (ss->loss.made)
		loss_take_new(ss);
	else
		state_loss_on_metadata(ss);
}

void state_loss_init(struct state_store *ss)
{
	timer_init(&ss->loss.check, ss->loop, check_cb, ss);
}

void state_loss_release(struct state_store *ss)
{
	timer_clear(&ss->loss.check);
}

struct uuid state_store_topic_id(const struct state_store *ss)
{
	return ss->topic_id;
}

bool state_store_was_lost(const struct state_store *ss)
{
	return ss->loss.losses > 0;
}
