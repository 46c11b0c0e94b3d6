/* SPDX-License-Identifier: Apache-2.0 */
/* Fetches: wants gather at their broker and share requests.
 *
 *   cluster_fetch -> homeless -> node: hot (there should be data) | tail (at the end of the log) -> fetch_rq on a free
 * connection -> answer
 *                       ^------------- leader changed -------------' ^---- nothing yet, time left
 * ---------------------------------'
 *
 * A request that finds no data waits at the broker and blocks its connection, so on the last free connection it does so
 * only shortly. */
#include "base/mem.h"
#include "cluster_priv.h"
#include "wire/messages.h"

/* Record bytes of one answer; a single batch may be larger. */
#define FETCH_BYTES_MAX ((int64_t)64 * 1024 * 1024)
/* How long the last free connection may wait for data: with wants that missed the request of the others, or that turn
 * out to be at the end. */
#define FETCH_SHORT_WAIT_MS 20

struct want {
	struct completion done;
	TAILQ_ENTRY(want) entry;
	struct cluster *cluster;
	struct tp *tp;
	int64_t offset;
	int32_t max_bytes;
	bool read_committed;
	int64_t since; /* when it was called */
	cluster_fetch_cb cb;
	void *arg;
	struct cluster_fetch_result res;
	struct chunk *chunk; /* what res.records lies in */
	struct cluster_aborted *aborted;
};

struct fetch_rq {
	struct rq rq;
	int32_t max_wait_ms;
	bool read_committed;
	uint32_t n;
	struct want **v;
	struct tp_set set;
};

static struct fetch_rq *fetch_rq_of(struct rq *rq)
{
	return (struct fetch_rq *)(void *)((char *)rq - offsetof(struct fetch_rq, rq));
}

static struct want *want_of(struct completion *d)
{
	return (struct want *)(void *)((char *)d - offsetof(struct want, done));
}

static void want_free(struct want *w)
{
	tp_put(w->cluster, w->tp);
	chunk_unref(w->chunk);
	mem_free(w->aborted);
	mem_free(w);
}

static void want_deliver(struct completion *d)
{
	struct want *w = want_of(d);

	w->cb(w->arg, &w->res);
	want_free(w);
}

static void want_drop(struct completion *d)
{
	want_free(want_of(d));
}

static void want_fail(struct want *w, int16_t error)
{
	w->res = (struct cluster_fetch_result){
		.error = error, .high_watermark = -1, .last_stable_offset = -1, .log_start_offset = -1};
	if (is_leadership_error(error))
		cluster_refresh(w->cluster);
	cluster_complete(w->cluster, &w->done);
}

static int64_t want_end(const struct want *w)
{
	return w->read_committed ? w->tp->last_stable_offset : w->tp->high_watermark;
}

static bool want_is_tail(const struct want *w)
{
	return want_end(w) >= 0 && w->offset >= want_end(w);
}

/* Finds the want's broker. Without a picture it waits for one, but not for ever. */
static void want_settle(struct want *w)
{
	struct cluster *c = w->cluster;
	struct node *n = NULL;
	int16_t error;

	if (!c->picture) {
		int64_t until = w->since + c->cfg.request_timeout_ms;

		if (loop_now(c->loop) >= until) {
			want_fail(w, KAFKA_ERR_NETWORK_EXCEPTION);
			return;
		}
		cluster_wake_at(c, until);
		TAILQ_INSERT_TAIL(&c->homeless, w, entry);
		return;
	}
	error = tp_leader(c, w->tp, &n);
	if (!n)
		want_fail(w, error);
	else if (want_is_tail(w))
		TAILQ_INSERT_TAIL(&n->tail[w->read_committed], w, entry);
	else
		TAILQ_INSERT_TAIL(&n->hot[w->read_committed], w, entry);
}

void fetches_rehome(struct cluster *c, struct node *n)
{
	for (int i = 0; i < 2; i++) {
		TAILQ_CONCAT(&c->homeless, &n->hot[i], entry);
		TAILQ_CONCAT(&c->homeless, &n->tail[i], entry);
	}
}

static void fetch_rq_free(struct fetch_rq *fr)
{
	tp_set_release(&fr->set);
	mem_free(fr->v);
	mem_free(fr);
}

static void fetch_fill_partitions(const struct fetch_rq *fr, struct fetch_request_fetch_partition *parts)
{
	for (uint32_t i = 0; i < fr->n; i++) {
		const struct want *w = fr->v[fr->set.order[i]];

		codec_init(&fetch_request_fetch_partition_schema, &parts[i]);
		parts[i].partition = (int32_t)w->tp->key.partition;
		parts[i].fetch_offset = w->offset;
		parts[i].partition_max_bytes = w->max_bytes;
	}
}

static enum err fetch_build(struct rq *rq, struct writer *w)
{
	struct fetch_rq *fr = fetch_rq_of(rq);
	struct tp_set *set = &fr->set;
	struct fetch_request_fetch_partition *parts = mem_zalloc(fr->n, sizeof(*parts));
	struct fetch_request_fetch_topic *topics = mem_zalloc(set->groups, sizeof(*topics));
	struct fetch_request m;
	int64_t bytes = 0;
	enum err e;

	for (uint32_t i = 0; i < fr->n; i++)
		bytes += fr->v[i]->max_bytes;
	codec_init(&fetch_request_schema, &m);
	m.max_wait_ms = fr->max_wait_ms;
	m.min_bytes = 1;
	m.max_bytes = (int32_t)(bytes < FETCH_BYTES_MAX ? bytes : FETCH_BYTES_MAX);
	m.isolation_level = fr->read_committed;
	m.session_id = 0;
	m.session_epoch = -1;
	m.rack_id = STR_LIT("");
	m.topics = topics;
	m.topics_n = set->groups;
	fetch_fill_partitions(fr, parts);
	for (uint32_t g = 0; g < set->groups; g++) {
		codec_init(&fetch_request_fetch_topic_schema, &topics[g]);
		topics[g].topic = tp_set_at(set, set->start[g])->key.topic->name;
		topics[g].topic_id = set->ids[g];
		topics[g].partitions = &parts[set->start[g]];
		topics[g].partitions_n = set->start[g + 1] - set->start[g];
	}
	e = codec_encode(&fetch_request_schema, rq->version, w, &m);
	mem_free(topics);
	mem_free(parts);
	return e;
}

static void want_take_aborted(struct want *w, const struct fetch_response_partition_data *p)
{
	if (!p->aborted_transactions || p->aborted_transactions_n == 0)
		return;
	w->aborted = mem_zalloc(p->aborted_transactions_n, sizeof(*w->aborted));
	for (uint32_t i = 0; i < p->aborted_transactions_n; i++) {
		w->aborted[i].producer_id = p->aborted_transactions[i].producer_id;
		w->aborted[i].first_offset = p->aborted_transactions[i].first_offset;
	}
	w->res.aborted = w->aborted;
	w->res.aborted_n = p->aborted_transactions_n;
}

/* Nothing yet: it goes on waiting, until it has waited for more than half of its time. One that is behind the end got
 * nothing since others filled the answer: it comes first next time. */
static bool want_goes_on(struct want *w)
{
	struct cluster *c = w->cluster;
	int64_t waited = loop_now(c->loop) - w->since;

	return want_is_tail(w) ? waited * 2 < c->cfg.fetch_max_wait_ms : waited < c->cfg.fetch_max_wait_ms;
}

static void want_answer(struct want *w, const struct fetch_response_partition_data *p, struct chunk *chunk)
{
	struct slice records = p->records.v && p->records.v_n > 0 ? p->records.v[0] : (struct slice){NULL, NULL, 0};

	if (p->error_code) {
		want_fail(w, p->error_code);
		w->res.high_watermark = p->high_watermark;
		w->res.last_stable_offset = p->last_stable_offset;
		w->res.log_start_offset = p->log_start_offset;
		return;
	}
	w->tp->high_watermark = p->high_watermark;
	w->tp->last_stable_offset = p->last_stable_offset >= 0 ? p->last_stable_offset : p->high_watermark;
	if (records.n == 0 && want_goes_on(w)) {
		TAILQ_INSERT_TAIL(&w->cluster->homeless, w, entry);
		cluster_wake(w->cluster);
		return;
	}
	w->res.high_watermark = p->high_watermark;
	w->res.last_stable_offset = w->tp->last_stable_offset;
	w->res.log_start_offset = p->log_start_offset;
	if (records.n > 0) {
		w->chunk = chunk_ref(chunk);
		w->res.records = (struct slice){.chunk = chunk, .p = records.p, .n = records.n};
	}
	want_take_aborted(w, p);
	cluster_complete(w->cluster, &w->done);
}

/* Every partition that was asked for, and no other, each once. */
static enum err fetch_match(
	struct fetch_rq *fr, const struct fetch_response *m, const struct fetch_response_partition_data **v)
{
	uint32_t found = 0;

	for (uint32_t t = 0; t < m->responses_n; t++) {
		const struct fetch_response_fetchable_topic_response *topic = &m->responses[t];

		for (uint32_t i = 0; i < topic->partitions_n; i++) {
			const struct fetch_response_partition_data *p = &topic->partitions[i];
			int64_t at = tp_set_find(
				&fr->set, fr->rq.version >= 13, topic->topic, topic->topic_id, p->partition_index);

			if (at < 0 || v[at])
				return ERR_MALFORMED;
			v[at] = p;
			found++;
		}
	}
	return found == fr->n ? ERR_OK : ERR_MALFORMED;
}

static enum err fetch_answered(struct rq *rq, struct reader *body, struct chunk *chunk)
{
	struct fetch_rq *fr = fetch_rq_of(rq);
	const struct fetch_response_partition_data **v = mem_zalloc(fr->n, sizeof(*v));
	struct fetch_response m;
	struct arena a;
	enum err e;

	arena_init(&a, ANSWER_ARENA_MAX);
	e = codec_decode(&fetch_response_schema, rq->version, body, &a, &m, NULL);
	if (!e && !m.error_code)
		e = fetch_match(fr, &m, v);
	for (uint32_t i = 0; !e && i < fr->n; i++) {
		if (m.error_code)
			want_fail(fr->v[i], m.error_code);
		else
			want_answer(fr->v[i], v[i], chunk);
	}
	if (!e) {
		rq->cluster->counts.throttle_ms += m.throttle_time_ms > 0 ? (uint64_t)m.throttle_time_ms : 0;
		/* Its connection is free for others now. */
		cluster_wake(rq->cluster);
		fetch_rq_free(fr);
	}
	arena_release(&a);
	mem_free(v);
	return e;
}

static void fetch_failed(struct rq *rq, int16_t error)
{
	struct fetch_rq *fr = fetch_rq_of(rq);

	if (error == KAFKA_ERR_REQUEST_TIMED_OUT)
		error = KAFKA_ERR_NETWORK_EXCEPTION;
	for (uint32_t i = 0; i < fr->n; i++)
		want_fail(fr->v[i], error);
	fetch_rq_free(fr);
}

static const struct rq_ops fetch_ops = {
	.api_key = 1,
	.version_min = 4,
	.version_max = 18,
	.answer_max = ANSWER_LARGE,
	.build = fetch_build,
	.answered = fetch_answered,
	.failed = fetch_failed,
};

/* Takes wants from the list, each partition once, as many as one answer has room for. */
static void fetch_collect(struct cluster *c, struct fetch_rq *fr, struct want_list *list)
{
	struct want *w, *next;
	int64_t bytes = 0;

	c->stamp++;
	for (w = TAILQ_FIRST(list); w && fr->n < PARTITIONS_MAX; w = next) {
		next = TAILQ_NEXT(w, entry);
		if (w->tp->stamp == c->stamp)
			continue;
		if (fr->n > 0 && w->max_bytes > FETCH_BYTES_MAX - bytes)
			break;
		TAILQ_REMOVE(list, w, entry);
		w->tp->stamp = c->stamp;
		bytes += w->max_bytes;
		if ((fr->n & (fr->n - 1)) == 0)
			fr->v = mem_resize(fr->v, fr->n ? (size_t)fr->n * 2 : 1, sizeof(struct want *));
		fr->v[fr->n++] = w;
	}
}

static void fetch_send(struct broker_link *l, struct want_list *list, bool read_committed, int32_t max_wait_ms)
{
	struct cluster *c = l->cluster;
	struct fetch_rq *fr = mem_zalloc(1, sizeof(*fr));
	struct tp **v;

	fr->rq.ops = &fetch_ops;
	fr->rq.timeout_ms = max_wait_ms + c->cfg.request_timeout_ms;
	fr->max_wait_ms = max_wait_ms;
	fr->read_committed = read_committed;
	fetch_collect(c, fr, list);
	v = mem_zalloc(fr->n, sizeof(struct tp *));
	for (uint32_t i = 0; i < fr->n; i++)
		v[i] = fr->v[i]->tp;
	tp_set_init(&fr->set, c, v, fr->n);
	mem_free(v);
	/* Version 13 names topics by their id only. */
	fr->rq.version_cap = fr->set.no_ids ? 12 : fetch_ops.version_max;
	link_submit(l, &fr->rq);
}

/* Sends the wants of one list on a free connection, if there is one. */
static bool node_send_list(struct node *n, struct want_list *list, bool read_committed)
{
	const struct cluster_config *cfg = &n->cluster->cfg;
	int32_t wait = cfg->fetch_max_wait_ms;
	uint32_t free_n;
	struct broker_link *l = node_fetch_link(n, &free_n);

	if (!l)
		return false;
	if (free_n == 1 && cfg->fetch_connections > 1 && wait > FETCH_SHORT_WAIT_MS)
		wait = FETCH_SHORT_WAIT_MS;
	fetch_send(l, list, read_committed, wait);
	return true;
}

static void node_send_fetches(struct node *n)
{
	for (int i = 0; i < 2; i++) {
		while (!TAILQ_EMPTY(&n->hot[i])) {
			if (!node_send_list(n, &n->hot[i], i))
				return;
		}
	}
	for (int i = 0; i < 2; i++) {
		if (!TAILQ_EMPTY(&n->tail[i]) && !node_send_list(n, &n->tail[i], i))
			return;
	}
}

void fetches_pump(struct cluster *c)
{
	struct want_list now = TAILQ_HEAD_INITIALIZER(now);
	struct want *w;
	struct node *n;

	TAILQ_CONCAT(&now, &c->homeless, entry);
	while ((w = TAILQ_FIRST(&now)) != NULL) {
		TAILQ_REMOVE(&now, w, entry);
		want_settle(w);
	}
	TAILQ_FOREACH(n, &c->nodes, entry)
	node_send_fetches(n);
}

void fetches_free(struct cluster *c)
{
	struct want *w;

	while ((w = TAILQ_FIRST(&c->homeless)) != NULL) {
		TAILQ_REMOVE(&c->homeless, w, entry);
		want_free(w);
	}
}

void cluster_fetch(struct cluster *c, struct str topic, int32_t partition, int64_t offset, int32_t max_bytes,
	bool read_committed, cluster_fetch_cb cb, void *arg)
{
	struct want *w = mem_zalloc(1, sizeof(*w));

	w->done.deliver = want_deliver;
	w->done.drop = want_drop;
	w->cluster = c;
	w->tp = tp_get(c, topic, partition);
	w->offset = offset;
	w->max_bytes = max_bytes > 0 ? max_bytes : 1;
	w->read_committed = read_committed;
	w->since = loop_now(c->loop);
	w->cb = cb;
	w->arg = arg;
	TAILQ_INSERT_TAIL(&c->homeless, w, entry);
	cluster_wake(c);
}
