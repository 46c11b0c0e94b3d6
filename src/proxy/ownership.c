/* SPDX-License-Identifier: Apache-2.0 */
/* Whether this sluice owns the state or stands by is decided here, for all state partitions together.
 *
 *   UNDECIDED -> partitions followed to their ends -> no other owner, or a dead one -> listen, claim -> OWNER
 *       |                                        `-> a living one -> STANDBY -> it resigned, or died -> listen, claim
 *       `------------------ another sluice claimed: close everything, back off ---------------- OWNER */
#include <stdio.h>

#include "base/clock.h"
#include "base/mem.h"
#include "proxy/state_store_priv.h"

/* How long a decision may take; after that clients are listened to, since what passes through needs no state. */
#define DECIDE_MS 5000
/* An owner that hands over resigns all its partitions at once: the others follow the first so soon. */
#define RESIGN_ALL_MS 100
#define LISTEN_RETRY_MS 500
#define BACKOFF_MIN_MS 1000
#define BACKOFF_MAX_MS 30000
#define CALM_MS 60000

static void set_role(struct state_store *ss, enum state_role role)
{
	ss->own.role = role;
	if (role == STATE_ROLE_STANDBY)
		ss->own.was_standby = true;
}

static void consider_at(struct state_store *ss, int64_t at)
{
	if (!timer_is_set(&ss->own.consider) || ss->own.consider.at > at)
		timer_set(&ss->own.consider, at);
}

void ownership_consider(struct state_store *ss)
{
	consider_at(ss, loop_now(ss->loop));
}

static void watch_end(struct ownership *o)
{
	owner_watch_free(o->watch);
	o->watch = NULL;
	o->seen_alive = o->is_dead = false;
}

static void on_alive(void *arg)
{
	struct state_store *ss = arg;

	ss->own.seen_alive = true;
	ownership_consider(ss);
}

static void on_dead(void *arg, const char *reason)
{
	struct state_store *ss = arg;
	struct ownership *o = &ss->own;

	log_write(loop_log(ss->loop), o->seen_alive ? LOG_LEVEL_WARN : LOG_LEVEL_INFO, NULL,
		"the sluice at %s, which owns the share groups, %s (%s)", o->address,
		o->seen_alive ? "is gone" : "can not be reached", reason);
	o->is_dead = true;
	ownership_consider(ss);
}

static void watch_begin(struct state_store *ss, const struct statelog_owner *owner)
{
	static const struct owner_watch_callbacks callbacks = {on_alive, on_dead};
	struct ownership *o = &ss->own;

	if (o->watch && uuid_eq(o->watched, owner->id))
		return;
	watch_end(o);
	o->watched = owner->id;
	snprintf(o->address, sizeof(o->address), "%.*s", (int)(owner->address.n < 300 ? owner->address.n : 300),
		owner->address.p);
	o->watch = owner_watch_new(
		ss->loop, owner->address, ss->cfg->listeners[0].tls, ss->cfg->state_lease_ms, &callbacks, ss);
}

/* What the logs say of owners. */
struct view {
	int32_t busy, resigned;
	bool is_held;
	struct statelog_owner holder;
};

static struct view look(const struct state_store *ss)
{
	struct view v = {0};

	for (int32_t i = 0; i < ss->partitions_n; i++) {
		const struct state_partition *p = &ss->partitions[i];
		enum statelog_state state = statelog_get_state(p->log);
		struct statelog_owner owner;

		if (state == STATELOG_REFUSED)
			continue;
		if (state != STATELOG_FOLLOWING || !statelog_is_caught_up(p->log))
			v.busy++;
		if (state != STATELOG_FOLLOWING || !statelog_get_owner(p->log, &owner) ||
			uuid_eq(owner.id, ss->owner_id))
			continue;
		if (owner.resigned) {
			v.resigned++;
		} else if (!v.is_held) {
			v.is_held = true;
			v.holder = owner;
		}
	}
	return v;
}

/* Ports first: what is claimed must be served. */
static bool listen(struct state_store *ss)
{
	if (!ss->own.listening)
		ss->own.listening = ss->cb.on_listen(ss->arg, true, ss->own.was_standby);
	return ss->own.listening;
}

static void claim_all(struct state_store *ss)
{
	struct ownership *o = &ss->own;
	int64_t now = loop_now(ss->loop);

	if (!listen(ss)) {
		snprintf(o->why, sizeof(o->why), "a port is not free yet, see the log");
		consider_at(ss, now + LISTEN_RETRY_MS);
		return;
	}
	if (o->was_standby) {
		o->takeovers++;
		log_info(loop_log(ss->loop), NULL, "taking the share groups over from the sluice at %s", o->address);
	}
	watch_end(o);
	o->resigned_at = 0;
	o->owner_since = now;
	set_role(ss, STATE_ROLE_OWNER);
	/* Those that are not read yet follow when they are. */
	for (int32_t i = 0; i < ss->partitions_n; i++)
		if (statelog_get_state(ss->partitions[i].log) == STATELOG_FOLLOWING)
			state_partition_claim(&ss->partitions[i]);
}

/* Nobody is left in our way. False: something is waited for, and the timer set or a callback due. */
static bool may_claim(struct state_store *ss, const struct view *v)
{
	struct ownership *o = &ss->own;
	int64_t now = loop_now(ss->loop);

	if (v->busy && now < o->decide_by && !o->watch) {
		consider_at(ss, o->decide_by);
		return false;
	}
	if (!v->is_held && (!o->was_standby || v->resigned || now >= o->claim_not_before))
		return true;
	if (!v->is_held) {
		consider_at(ss, o->claim_not_before);
		return false;
	}
	if (v->resigned) {
		if (!o->resigned_at)
			o->resigned_at = now;
		if (now - o->resigned_at >= RESIGN_ALL_MS)
			return true;
		consider_at(ss, o->resigned_at + RESIGN_ALL_MS);
		return false;
	}
	o->resigned_at = 0;
	watch_begin(ss, &v->holder);
	if (!o->is_dead)
		return false;
	/* One that was seen to live and is gone is not the one that we have just lost against. */
	if (o->seen_alive || now >= o->claim_not_before)
		return true;
	consider_at(ss, o->claim_not_before);
	return false;
}

/* Clients go to the owner now: what waits was told so, and what passes through finds its way by the same addresses. */
static void stop_listening(struct state_store *ss)
{
	if (!ss->own.listening)
		return;
	ss->own.listening = false;
	(void)ss->cb.on_listen(ss->arg, false, true);
}

static void consider_waiting(struct state_store *ss)
{
	struct ownership *o = &ss->own;
	struct view v = look(ss);

	if (may_claim(ss, &v)) {
		claim_all(ss);
		return;
	}
	if (o->seen_alive && !o->is_dead) {
		snprintf(o->why, sizeof(o->why), "standby of %s", o->address);
		if (o->role != STATE_ROLE_STANDBY)
			log_info(loop_log(ss->loop), NULL, "standing by: the sluice at %s owns the share groups",
				o->address);
		set_role(ss, STATE_ROLE_STANDBY);
		stop_listening(ss);
	} else {
		snprintf(o->why, sizeof(o->why), "looking for another sluice that owns the share groups");
	}
}

/* All or nothing: with one partition all others go to the sluice that has taken it. */
static void demote(struct state_store *ss)
{
	struct ownership *o = &ss->own;
	int64_t now = loop_now(ss->loop);

	o->taken = false;
	if (now - o->owner_since > CALM_MS)
		o->backoff_ms = BACKOFF_MIN_MS;
	o->claim_not_before = now + o->backoff_ms;
	o->backoff_ms = o->backoff_ms * 2 > BACKOFF_MAX_MS ? BACKOFF_MAX_MS : o->backoff_ms * 2;
	o->demotions++;
	o->decide_by = now + DECIDE_MS;
	log_warn(loop_log(ss->loop), NULL,
		"the sluice at %s has taken the share groups over: nothing is confirmed or handed out here any more, "
		"and "
		"clients are sent away",
		o->address);
	set_role(ss, STATE_ROLE_UNDECIDED);
	o->was_standby = true;
	snprintf(o->why, sizeof(o->why), "the sluice at %s has taken over", o->address);
	for (int32_t i = 0; i < ss->partitions_n; i++) {
		struct state_partition *p = &ss->partitions[i];

		p->claim_wanted = false;
		statelog_abandon(p->log, "another sluice has taken over");
		state_partition_pump(p);
	}
	stop_listening(ss);
}

void ownership_taken(struct state_store *ss, const struct statelog_owner *by)
{
	struct ownership *o = &ss->own;

	snprintf(o->address, sizeof(o->address), "%.*s", (int)(by->address.n < 300 ? by->address.n : 300),
		by->address.p);
	o->taken = true;
	ownership_consider(ss);
}

void ownership_anew(struct state_store *ss)
{
	struct ownership *o = &ss->own;

	watch_end(o);
	o->resigned_at = 0;
	if (o->role != STATE_ROLE_OWNER) {
		set_role(ss, STATE_ROLE_UNDECIDED);
		o->claim_not_before = loop_now(ss->loop) + DECIDE_MS;
		o->decide_by = o->claim_not_before;
	}
	ownership_consider(ss);
}

/* A partition that we lost for a reason of our own is claimed again, unless somebody else has it by now. */
static void consider_owned(struct state_store *ss)
{
	for (int32_t i = 0; i < ss->partitions_n; i++) {
		struct state_partition *p = &ss->partitions[i];
		struct statelog_owner owner;

		if (!statelog_is_caught_up(p->log) || p->claim_wanted)
			continue;
		if (statelog_get_owner(p->log, &owner) && !owner.resigned && !uuid_eq(owner.id, ss->owner_id)) {
			ownership_taken(ss, &owner);
			demote(ss);
			return;
		}
		state_partition_claim(p);
	}
}

static void consider_cb(void *arg)
{
	struct state_store *ss = arg;
	struct ownership *o = &ss->own;

	if (o->resigning)
		return;
	if (o->taken)
		demote(ss);
	if (ss->partitions_n > 0 && o->role == STATE_ROLE_OWNER)
		consider_owned(ss);
	else if (ss->partitions_n > 0)
		consider_waiting(ss);
	if (o->role != STATE_ROLE_UNDECIDED || !o->decide_by)
		return;
	if (loop_now(ss->loop) < o->decide_by)
		consider_at(ss, o->decide_by);
	else if (!o->was_standby && !listen(ss))
		consider_at(ss, loop_now(ss->loop) + LISTEN_RETRY_MS);
}

bool state_store_is_blind(const struct state_store *ss)
{
	int64_t now = clock_mono_ms(), lease = ss->cfg->state_lease_ms;

	if (ss->own.role != STATE_ROLE_OWNER || now - ss->own.owner_since < lease)
		return false;
	for (int32_t i = 0; i < ss->partitions_n; i++) {
		int64_t sight = statelog_sight(ss->partitions[i].log);

		if (sight != INT64_MIN && now - sight < lease)
			return false;
	}
	return ss->partitions_n > 0;
}

void ownership_begin(struct state_store *ss)
{
	if (ss->own.decide_by)
		return;
	ss->own.decide_by = loop_now(ss->loop) + DECIDE_MS;
	consider_at(ss, ss->own.decide_by);
}

void ownership_init(struct state_store *ss)
{
	ss->own.backoff_ms = BACKOFF_MIN_MS;
	timer_init(&ss->own.consider, ss->loop, consider_cb, ss);
}

void ownership_release(struct state_store *ss)
{
	timer_clear(&ss->own.consider);
	watch_end(&ss->own);
}
