/* SPDX-License-Identifier: Apache-2.0 */
/* Answers of ShareFetch and ShareAcknowledge are put together here: which partitions they list, and with what. */
#include "engine.h"

void share_answer_error(struct share_engine *e, enum share_event_type type, int32_t state_partition, uint64_t token,
	int16_t error, struct str message)
{
	struct share_effect *fx = share_emit_reply(e, type, state_partition, token);

	fx->u.fetch.error = error;
	fx->u.fetch.error_message = message;
}

struct answer {
	struct share_engine *e;
	struct share_session *s;
	struct share_fetch_partition_reply *v;
	uint32_t n, cap;
};

static struct share_fetch_partition_reply *answer_entry(struct answer *a, struct uuid topic_id, int32_t partition)
{
	struct share_fetch_partition_reply *r = &a->v[a->n];

	sl_assert(a->n < a->cap);
	a->n++;
	r->topic_id = topic_id;
	r->partition = partition;
	return r;
}

static struct share_fetch_partition_reply *answer_part(struct answer *a, struct share_session_partition *p)
{
	struct share_fetch_partition_reply *r;
	bool was_flagged = p->fresh || p->had_error;

	if (p->answer)
		return &a->v[p->answer - 1];
	r = answer_entry(a, p->topic_id, p->partition);
	p->answer = a->n;
	r->error = share_session_partition_error(a->e, p);
	if (r->error == SHARE_ERR_UNKNOWN_SERVER_ERROR)
		r->error_message = STR_LIT("The group has no start offset for the partition.");
	p->fresh = false;
	p->had_error = r->error != SHARE_ERR_NONE;
	if (was_flagged && !p->had_error)
		a->s->flagged_n--;
	else if (!was_flagged && p->had_error)
		a->s->flagged_n++;
	return r;
}

static void answer_grabs(struct answer *a)
{
	struct share_engine *e = a->e;
	struct share_acquired *acquired = share_fx_alloc(e, e->acquired_n, sizeof(*acquired));
	void **refs = share_fx_alloc(e, e->refs_n, sizeof(*refs));

	if (e->acquired_n)
		memcpy(acquired, e->acquired, e->acquired_n * sizeof(*acquired));
	if (e->refs_n)
		memcpy(refs, e->refs, e->refs_n * sizeof(*refs));
	for (uint32_t i = 0; i < e->grabs_n; i++) {
		const struct share_grab *g = &e->grabs[i];
		struct share_fetch_partition_reply *r = answer_part(a, g->p);

		r->acquired = acquired + g->acquired;
		r->acquired_n = g->acquired_n;
		r->batch_refs = refs + g->refs;
		r->batch_refs_n = g->refs_n;
	}
}

static void answer_acks(struct answer *a, const struct share_fetch_params *q)
{
	for (uint32_t i = 0; i < q->acks_n; i++) {
		const struct share_ack_result *ack = &q->acks[i];
		struct share_session_partition *p;
		struct share_fetch_partition_reply *r;

		if (!ack->had_batches)
			continue;
		p = share_session_lookup(a->s, ack->topic_id, ack->partition);
		r = p ? answer_part(a, p) : answer_entry(a, ack->topic_id, ack->partition);
		r->ack_error = ack->error;
		r->ack_error_message = str_of(ack->message);
	}
}

static bool part_is_listed(
	struct share_engine *e, const struct share_fetch_params *q, const struct share_session_partition *p)
{
	if (p->had_error)
		return true;
	if (!q->is_first && !p->fresh)
		return false;
	return e->grabs_n == 0 || share_session_partition_error(e, p);
}

/* An answer lists the partitions that have records, the result of acknowledgements or an error, or had an error last
 * time; without any records the first one lists all, and later ones those that no answer has listed yet. */
void share_answer_fetch(struct share_engine *e, struct share_session *s, const struct share_fetch_params *q)
{
	struct share_effect *fx = share_emit_reply(e, SHARE_EV_FETCH, s->g->state_partition, q->token);
	struct answer a = {.e = e, .s = s};
	struct share_session_partition *p;
	uint32_t fx_index = e->fx->n - 1;

	a.cap = (q->is_first ? s->parts_n : s->flagged_n) + e->grabs_n + q->acks_n;
	a.v = share_fx_alloc(e, a.cap, sizeof(*a.v));
	if (q->is_first || s->flagged_n) {
		TAILQ_FOREACH(p, &s->order, in_session)
		{
			if (part_is_listed(e, q, p))
				(void)answer_part(&a, p);
		}
	}
	answer_grabs(&a);
	answer_acks(&a, q);
	for (uint32_t i = 0; i < a.n; i++) {
		p = share_session_lookup(s, a.v[i].topic_id, a.v[i].partition);
		if (p)
			p->answer = 0;
	}
	fx = &e->fx->v[fx_index];
	fx->after_durable = q->acks_n > 0;
	fx->u.fetch.acquisition_lock_timeout_ms = s->g->cfg.record_lock_duration_ms;
	fx->u.fetch.partitions = a.v;
	fx->u.fetch.partitions_n = a.n;
}

/* Results of acknowledgements alone: of a ShareAcknowledge, or of a ShareFetch that ends its session. */
void share_answer_acks(struct share_engine *e, const struct share_group *g, enum share_event_type type, uint64_t token,
	const struct share_ack_result *acks, uint32_t n)
{
	struct share_effect *fx = share_emit_reply(e, type, g->state_partition, token);
	struct share_fetch_partition_reply *v = share_fx_alloc(e, n, sizeof(*v));

	for (uint32_t i = 0; i < n; i++) {
		v[i].topic_id = acks[i].topic_id;
		v[i].partition = acks[i].partition;
		if (type == SHARE_EV_ACKNOWLEDGE) {
			v[i].error = acks[i].error;
			v[i].error_message = str_of(acks[i].message);
		} else {
			v[i].ack_error = acks[i].error;
			v[i].ack_error_message = str_of(acks[i].message);
		}
	}
	fx->after_durable = true;
	fx->u.fetch.acquisition_lock_timeout_ms = g->cfg.record_lock_duration_ms;
	fx->u.fetch.partitions = v;
	fx->u.fetch.partitions_n = n;
}

/* The group's state partition is lost: every partition, and every acknowledgement that may not have become durable, has
 * another leader. */
void share_answer_not_ours(struct share_engine *e, struct share_session *s, const struct share_fetch_params *q)
{
	struct share_effect *fx = share_emit_reply(e, SHARE_EV_FETCH, s->g->state_partition, q->token);
	struct share_fetch_partition_reply *v = share_fx_alloc(e, s->parts_n + q->acks_n, sizeof(*v));
	struct share_session_partition *p;
	uint32_t n = 0;

	TAILQ_FOREACH(p, &s->order, in_session)
	{
		v[n].topic_id = p->topic_id;
		v[n].partition = p->partition;
		v[n].error = SHARE_ERR_NOT_LEADER_OR_FOLLOWER;
		p->answer = ++n;
	}
	for (uint32_t i = 0; i < q->acks_n; i++) {
		struct share_fetch_partition_reply *r;

		if (!q->acks[i].had_batches)
			continue;
		p = share_session_lookup(s, q->acks[i].topic_id, q->acks[i].partition);
		r = p ? &v[p->answer - 1] : &v[n++];
		r->topic_id = q->acks[i].topic_id;
		r->partition = q->acks[i].partition;
		r->error = r->ack_error = SHARE_ERR_NOT_LEADER_OR_FOLLOWER;
	}
	TAILQ_FOREACH(p, &s->order, in_session)
	p->answer = 0;
	fx->u.fetch.partitions = v;
	fx->u.fetch.partitions_n = n;
}
