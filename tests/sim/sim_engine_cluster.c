/* SPDX-License-Identifier: Apache-2.0 */
/* The played cluster: it answers fetches, writes, cuts and deletes. */
#include "sim_engine.h"

#include "base/assert.h"

void sim_announce(struct sim *s, int t)
{
	struct share_event ev = {.type = SHARE_EV_TOPIC};

	ev.u.topic.topic_id = s->topics[t];
	ev.u.topic.name = sim_topic_name(t);
	ev.u.topic.partitions = s->partitions[t];
	sim_apply(s, &ev);
}

bool sim_session_has(const struct sim_group *g, int t, int p)
{
	for (int n = 0; n < SIM_NODES; n++) {
		for (int m = 0; m < SIM_MEMBERS; m++) {
			if (g->sessions[n][m].open && g->sessions[n][m].in[t][p])
				return true;
		}
	}
	return false;
}

/* What every share-partition that reads this log learns from an answer. */
static void log_learnt(struct sim *s, const struct share_event *ev, int t)
{
	int p = ev->u.records.log.partition;

	for (int g = 0; g < SIM_GROUPS; g++) {
		struct sim_group *grp = &s->groups[g];
		struct model_part *mp = &grp->parts[t][p];

		if (!mp->stored || grp->read_committed != ev->u.records.log.read_committed ||
			!sim_session_has(grp, t, p))
			continue;
		if (ev->u.records.error == 0 ||
			(ev->u.records.error == 1 && ev->u.records.log_start_offset > ev->u.records.from_offset))
			model_part_log_start(mp, ev->u.records.log_start_offset);
		else if (ev->u.records.error == 1 && ev->u.records.high_watermark < ev->u.records.from_offset)
			model_part_truncate(mp, ev->u.records.high_watermark);
	}
}

void sim_answer_want(struct sim *s, uint32_t i, uint32_t max, int16_t error)
{
	struct share_event ev = {.type = SHARE_EV_RECORDS};
	struct share_batch batches[64];
	struct share_aborted aborted[256];
	int t = sim_topic_of(s, s->wants[i].log.topic_id);

	ev.u.records.log = s->wants[i].log;
	ev.u.records.from_offset = s->wants[i].offset;
	s->wants[i] = s->wants[--s->wants_n];
	if (t < 0) {
		ev.u.records.error = 100;
	} else if (error) {
		ev.u.records.error = error;
		ev.u.records.high_watermark = ev.u.records.log_start_offset = ev.u.records.last_stable_offset = -1;
		s->quiet_from[t][ev.u.records.log.partition] = s->now + 2000;
	} else {
		world_log_answer(
			&s->logs[t][ev.u.records.log.partition], &ev, max, batches, aborted, 256, &s->live_refs);
		log_learnt(s, &ev, t);
		if (!ev.u.records.error && !ev.u.records.batches_n &&
			ev.u.records.last_stable_offset >
				ev.u.records
					.from_offset) /* an answer that did not wait is not asked for again at once */
			s->quiet_from[t][ev.u.records.log.partition] = s->now + 2000;
	}
	sim_apply(s, &ev);
}

bool sim_want_has_data(const struct sim *s, uint32_t i)
{
	const struct share_log_key *k = &s->wants[i].log;
	int t = sim_topic_of(s, k->topic_id);
	const struct world_log *l;

	if (t < 0)
		return true;
	l = &s->logs[t][k->partition];
	return s->wants[i].offset < l->start || s->wants[i].offset > world_log_end(l) ||
	       s->wants[i].offset < (k->read_committed ? world_log_lso(l) : world_log_end(l));
}

void sim_play_want(struct sim *s)
{
	static const int16_t errors[] = {3, 6, 100, 56};
	uint32_t i = rng_below(&s->rng, s->wants_n);

	if (!s->wants_n || (!sim_want_has_data(s, i) && !rng_chance(&s->rng, 10)))
		return;
	sim_answer_want(s, i, 1 + rng_below(&s->rng, 20), rng_chance(&s->rng, 3) ? errors[rng_below(&s->rng, 4)] : 0);
}

void sim_play_resolve(struct sim *s)
{
	struct share_event ev = {.type = SHARE_EV_OFFSET};
	uint32_t i = rng_below(&s->rng, s->resolves_n);
	struct sim_resolve r;
	int t;

	if (!s->resolves_n)
		return;
	r = s->resolves[i];
	s->resolves[i] = s->resolves[--s->resolves_n];
	t = sim_topic_of(s, r.topic_id);
	ev.u.offset.group_id = sim_group_id(r.g);
	ev.u.offset.topic_id = r.topic_id;
	ev.u.offset.partition = r.partition;
	ev.u.offset.error = t < 0 ? 3 : rng_chance(&s->rng, 10) ? 6 : 0;
	if (t >= 0)
		ev.u.offset.offset = rng_chance(&s->rng, 50) ? s->logs[t][r.partition].start
							     : world_log_end(&s->logs[t][r.partition]);
	sim_apply(s, &ev);
}

static void start_told(struct sim *s, int t, int p)
{
	struct share_event ev = {.type = SHARE_EV_LOG_START};

	ev.u.log_start.topic_id = s->topics[t];
	ev.u.log_start.partition = p;
	ev.u.log_start.offset = s->logs[t][p].start;
	for (int g = 0; g < SIM_GROUPS; g++) {
		struct model_part *mp = &s->groups[g].parts[t][p];

		if (mp->stored && sim_session_has(&s->groups[g], t, p))
			model_part_log_start(mp, ev.u.log_start.offset);
	}
	sim_apply(s, &ev);
}

void sim_play_produce(struct sim *s)
{
	int t = (int)rng_below(&s->rng, SIM_TOPICS), p = (int)rng_below(&s->rng, SIM_PARTS);
	struct world_log *l = &s->logs[t][p];

	if (world_log_end(l) - l->start < 1500) {
		world_log_grow(l, 1 + rng_below(&s->rng, 5));
		return;
	}
	l->start += 1 + rng_below(&s->rng, 1000); /* retention, or DeleteRecords */
	if (rng_chance(&s->rng, 50))
		start_told(s, t, p);
}

void sim_play_truncate(struct sim *s)
{
	struct world_log *l = &s->logs[rng_below(&s->rng, SIM_TOPICS)][rng_below(&s->rng, SIM_PARTS)];

	world_log_cut(l, rng_below(&s->rng, 3));
}

struct uuid sim_topic_id(int t, uint32_t generation)
{
	struct uuid id = {{0}};

	id.b[0] = (uint8_t)(t + 1);
	memcpy(&id.b[4], &generation, sizeof(generation));
	return id;
}

void sim_play_topic(struct sim *s)
{
	struct share_event ev = {.type = SHARE_EV_TOPIC_GONE};
	int t = (int)rng_below(&s->rng, SIM_TOPICS);

	if (rng_chance(&s->rng, 60)) {
		if (s->partitions[t] < SIM_PARTS)
			s->partitions[t]++;
		sim_announce(s, t);
		return;
	}
	ev.u.topic.topic_id = s->topics[t];
	s->topics[t] = sim_topic_id(t, ++s->generation[t]);
	for (int p = 0; p < SIM_PARTS; p++) {
		for (int g = 0; g < SIM_GROUPS; g++) {
			model_part_release(&s->groups[g].parts[t][p]);
			for (int i = 0; i < SIM_NODES * SIM_MEMBERS; i++)
				s->groups[g].sessions[i / SIM_MEMBERS][i % SIM_MEMBERS].in[t][p] = false;
		}
		world_log_release(&s->logs[t][p]);
		world_log_init(&s->logs[t][p], rng_next(&s->rng), s->plain);
		s->quiet_from[t][p] = 0;
	}
	sim_apply(s, &ev);
	s->partitions[t] = 1 + (int32_t)rng_below(&s->rng, SIM_PARTS);
	sim_announce(s, t);
}
