/* SPDX-License-Identifier: Apache-2.0 */
/* Who owns the state partition, and until when it may hand out: what a sluice decides, and what must never be seen. */
#include "sim.h"

bool sluice_is_paused(const struct sluice *n)
{
	return n->up && n->paused_until > n->s->now;
}

/* ---- at most one ---- */

static int64_t epoch_of(const struct sluice *n)
{
	struct statelog_counts counts;

	statelog_get_counts(n->l, &counts);
	return counts.owner_epoch;
}

bool owner_may_deliver(const struct sluice *n)
{
	if (n->leaving >= RESIGNS)
		return false;
	return n->s->broken == BREAK_IGNORE_LEASE || (n->not_before <= n->s->now && n->s->now < n->until);
}

/* Acquired records are told to a client now. */
void owner_delivers(struct sluice *n, const struct request *rq)
{
	int64_t epoch = epoch_of(n);

	if (!rq->acquired_n)
		return;
	sim_check(n->s, epoch >= n->s->delivered_epoch);
	n->s->delivered_epoch = epoch;
	n->s->deliveries++;
}

void owner_confirms(struct sluice *n)
{
	uint64_t durable = statelog_durable(n->l);

	if (durable == n->durable)
		return;
	n->durable = durable;
	sim_check(n->s, sim_next_claim(n->s, epoch_of(n)) > n->base);
}

/* ---- the lease ---- */

static void lease_tell(struct sluice *n)
{
	struct share_event ev = {.type = SHARE_EV_LEASE};

	if (n->s->broken == BREAK_IGNORE_LEASE)
		return;
	ev.u.lease.not_before = n->not_before;
	ev.u.lease.until = n->until;
	sluice_apply(n, &ev);
}

void owner_loaded(struct sluice *n)
{
	bool must_wait = statelog_must_wait(n->l) && n->s->broken != BREAK_IGNORE_WAIT;

	n->not_before = must_wait ? n->claimed_at + LEASE_MS : INT64_MIN;
	n->until = INT64_MIN;
	lease_tell(n);
}

static void lease_renew(struct sluice *n)
{
	int64_t sight = statelog_sight(n->l), until = sight == INT64_MIN ? INT64_MIN : sight + LEASE_MS;

	if (!n->serving || n->leaving >= RESIGNS || statelog_get_state(n->l) != STATELOG_OWNED)
		return;
	if (n->not_before <= n->s->now)
		statelog_wait_over(n->l);
	if (until == n->until)
		return;
	n->until = until;
	lease_tell(n);
}

/* ---- what it decides ---- */

static const struct sluice *process_of(const struct sim *s, struct uuid id)
{
	for (int i = 0; i < SLUICES; i++) {
		if (s->sluices[i].up && uuid_eq(s->sluices[i].id, id))
			return &s->sluices[i];
	}
	return NULL;
}

/* A follower at the end of the log claims when nobody owns it, or when it believes so. */
static void follower_decide(struct sluice *n)
{
	struct sim *s = n->s;
	const struct sluice *o;
	struct statelog_owner w;
	uint32_t chance;

	if (!statelog_get_owner(n->l, &w) || w.resigned || uuid_eq(w.id, n->id)) {
		sluice_claim(n);
		return;
	}
	o = process_of(s, w.id);
	chance = !o || s->quiet ? 1000 : sluice_is_paused(o) ? 300 : 12;
	if (rng_below(&s->rng, 10000) >= chance)
		return;
	s->suspicions += o ? 1 : 0;
	sluice_claim(n);
}

/* Has it told all that waits? */
static bool is_drained(const struct sluice *n)
{
	return n->requests_n == 0 && statelog_durable(n->l) == statelog_appended(n->l);
}

void owner_step(struct sluice *n)
{
	if (statelog_is_caught_up(n->l))
		follower_decide(n);
	lease_renew(n);
	if (n->leaving == DRAINS && n->serving && (is_drained(n) || rng_chance(&n->s->rng, 5))) {
		n->leaving = RESIGNS;
		statelog_resign(n->l);
	}
	sluice_pump(n);
}

/* ---- what happens to it ---- */

static void drain(struct sluice *n)
{
	struct share_event ev = {.type = SHARE_EV_STOP};

	n->leaving = DRAINS;
	sluice_apply(n, &ev);
}

static void lost_step(struct sluice *n)
{
	if (rng_chance(&n->s->rng, 30))
		sluice_claim(n);
	else
		sluice_follow(n);
}

/* It dies, is stopped, comes back, is paused, or goes on after it has lost. */
void owner_fate(struct sluice *n)
{
	struct sim *s = n->s;

	if (!n->up) {
		if (n->restart_at <= s->now)
			sluice_start(n);
	} else if (rng_chance(&s->rng, 2) || (n->leaving == LEAVES && !sluice_is_paused(n))) {
		sluice_crash(n);
	} else if (sluice_is_paused(n)) {
		return;
	} else if (statelog_get_state(n->l) == STATELOG_LOST) {
		if (n->restart_at <= s->now && rng_chance(&s->rng, 10))
			lost_step(n);
	} else if (rng_chance(&s->rng, 3)) {
		s->pauses++;
		n->paused_until = s->now + 1 + rng_below(&s->rng, 3 * LEASE_MS);
	} else if (n->serving && n->leaving == STAYS && statelog_has_room(n->l) && rng_chance(&s->rng, 2)) {
		drain(n);
	}
}
