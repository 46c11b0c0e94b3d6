/* SPDX-License-Identifier: Apache-2.0 */
/* Writes: sent with acks=all to the leader, and again and again with the same batch until their outcome is known.
 *
 *   cluster_produce -> produces (in order) -> one request a broker and turn -> answer -> DONE | FAILED | LOST |
 * (back-off) again */
#include "base/mem.h"
#include "cluster_priv.h"
#include "wire/messages.h"

/* Record bytes of one request, when it holds more than one batch. */
#define PRODUCE_BYTES_MAX ((size_t)1024 * 1024)
/* A topic that metadata does not show for so long is gone, not just new. */
#define TOPIC_GONE_MS 10000
/* The broker answers within timeout.ms; the way there and back takes time too. */
#define PRODUCE_GRACE_MS 2000

struct produce_rq {
	struct rq rq;
	SLIST_ENTRY(produce_rq) entry;
	struct node *node; /* only while it is open */
	uint32_t n;
	size_t bytes;
	struct cluster_produce **v; /* NULL: given up meanwhile */
	struct chunk **batches;     /* outlive a write that is given up before it is encoded */
	struct tp_set set;
};

SLIST_HEAD(produce_rq_list, produce_rq);

struct cluster_produce {
	struct completion done;
	TAILQ_ENTRY(cluster_produce) entry;
	struct cluster *cluster;
	struct tp *tp;
	struct chunk *batch;
	cluster_produce_cb cb;
	void *arg;
	struct uuid topic_id; /* of the topic that it was meant for, zero: not known */
	struct produce_rq *on_way;
	uint32_t index;     /* in on_way */
	bool maybe_written; /* an attempt had an outcome that nobody knows */
	bool ended;
	int64_t retry_at, missing_since;
	uint32_t attempts;
	enum cluster_produce_outcome outcome;
	int16_t error;
	int64_t base_offset;
};

static struct produce_rq *produce_rq_of(struct rq *rq)
{
	return (struct produce_rq *)(void *)((char *)rq - offsetof(struct produce_rq, rq));
}

static struct cluster_produce *produce_of(struct completion *d)
{
	return (struct cluster_produce *)(void *)((char *)d - offsetof(struct cluster_produce, done));
}

static void produce_free(struct cluster_produce *p)
{
	TAILQ_REMOVE(&p->cluster->produces, p, entry);
	tp_put(p->cluster, p->tp);
	chunk_unref(p->batch);
	mem_free(p);
}

static void produce_deliver(struct completion *d)
{
	struct cluster_produce *p = produce_of(d);
	const struct cluster_produce copy = *p;

	produce_free(p);
	copy.cb(copy.arg, copy.outcome, copy.error, copy.base_offset);
}

static void produce_drop(struct completion *d)
{
	produce_free(produce_of(d));
}

static void produce_end(
	struct cluster_produce *p, enum cluster_produce_outcome outcome, int16_t error, int64_t base_offset)
{
	p->ended = true;
	p->outcome = outcome;
	p->error = error;
	p->base_offset = base_offset;
	cluster_complete(p->cluster, &p->done);
}

static void produce_retry(struct cluster_produce *p, int16_t error)
{
	struct cluster *c = p->cluster;

	c->counts.produce_retries++;
	p->error = error;
	p->retry_at = cluster_retry_at(c, p->attempts++);
	cluster_wake_at(c, p->retry_at);
	if (is_leadership_error(error))
		cluster_refresh(c);
	log_debug(loop_log(c->loop), NULL, "a write to %.*s-%d ended with %s; sending it again",
		(int)p->tp->key.topic->name.n, p->tp->key.topic->name.p, (int)p->tp->key.partition,
		kafka_error_name(error));
}

enum produce_judgement { PRODUCE_IS_DONE, PRODUCE_NOT_WRITTEN, PRODUCE_UNKNOWN, PRODUCE_DUPLICATE, PRODUCE_REFUSED };

static enum produce_judgement produce_judge(int16_t error)
{
	switch (error) {
	case KAFKA_ERR_NONE:
		return PRODUCE_IS_DONE;
	case KAFKA_ERR_UNKNOWN_SERVER_ERROR:
	case KAFKA_ERR_REQUEST_TIMED_OUT:
	case KAFKA_ERR_NETWORK_EXCEPTION:
	case KAFKA_ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND:
	case KAFKA_ERR_KAFKA_STORAGE_ERROR:
		return PRODUCE_UNKNOWN;
	case KAFKA_ERR_UNKNOWN_TOPIC_OR_PARTITION:
	case KAFKA_ERR_LEADER_NOT_AVAILABLE:
	case KAFKA_ERR_NOT_LEADER_OR_FOLLOWER:
	case KAFKA_ERR_BROKER_NOT_AVAILABLE:
	case KAFKA_ERR_REPLICA_NOT_AVAILABLE:
	case KAFKA_ERR_NOT_ENOUGH_REPLICAS:
	case KAFKA_ERR_COORDINATOR_LOAD_IN_PROGRESS:
	case KAFKA_ERR_NOT_CONTROLLER:
	case KAFKA_ERR_FENCED_LEADER_EPOCH:
	case KAFKA_ERR_UNKNOWN_LEADER_EPOCH:
	case KAFKA_ERR_THROTTLING_QUOTA_EXCEEDED:
	case KAFKA_ERR_UNKNOWN_TOPIC_ID:
	case KAFKA_ERR_INCONSISTENT_TOPIC_ID:
		return PRODUCE_NOT_WRITTEN;
	case KAFKA_ERR_DUPLICATE_SEQUENCE_NUMBER:
		return PRODUCE_DUPLICATE;
	default:
		return PRODUCE_REFUSED;
	}
}

/* An attempt was answered, or failed on the way. */
static void produce_result(struct cluster_produce *p, int16_t error, int64_t base_offset)
{
	p->on_way = NULL;
	switch (produce_judge(error)) {
	case PRODUCE_IS_DONE:
		produce_end(p, base_offset < 0 ? CLUSTER_PRODUCE_LOST : CLUSTER_PRODUCE_DONE, error, base_offset);
		return;
	case PRODUCE_UNKNOWN:
		p->maybe_written = true;
		produce_retry(p, error);
		return;
	case PRODUCE_NOT_WRITTEN:
		produce_retry(p, error);
		return;
	case PRODUCE_DUPLICATE:
		produce_end(p, CLUSTER_PRODUCE_LOST, error, -1);
		return;
	case PRODUCE_REFUSED:
		/* A refusal says nothing about an earlier attempt that got through unseen. */
		produce_end(p, p->maybe_written ? CLUSTER_PRODUCE_LOST : CLUSTER_PRODUCE_FAILED, error, -1);
		return;
	}
}

static void produce_rq_free(struct produce_rq *pr)
{
	for (uint32_t i = 0; i < pr->n; i++)
		chunk_unref(pr->batches[i]);
	for (uint32_t i = 0; i < pr->n; i++)
		tp_put(pr->rq.cluster, pr->set.v[i]);
	tp_set_release(&pr->set);
	mem_free(pr->batches);
	mem_free(pr->v);
	mem_free(pr);
}

static enum err produce_build(struct rq *rq, struct writer *w)
{
	struct produce_rq *pr = produce_rq_of(rq);
	struct tp_set *set = &pr->set;
	struct produce_request m;
	struct produce_request_partition_produce_data *parts = mem_zalloc(pr->n, sizeof(*parts));
	struct produce_request_topic_produce_data *topics = mem_zalloc(set->groups, sizeof(*topics));
	struct slice *slices = mem_zalloc(pr->n, sizeof(*slices));
	enum err e;

	codec_init(&produce_request_schema, &m);
	m.acks = -1;
	m.timeout_ms = rq->timeout_ms - PRODUCE_GRACE_MS;
	m.topic_data = topics;
	m.topic_data_n = set->groups;
	for (uint32_t i = 0; i < pr->n; i++) {
		struct chunk *k = pr->batches[set->order[i]];

		slices[i] = (struct slice){.chunk = k, .p = k->data, .n = k->size};
		parts[i].index = (int32_t)tp_set_at(set, i)->key.partition;
		parts[i].records = (struct records){.v = &slices[i], .v_n = 1};
	}
	for (uint32_t g = 0; g < set->groups; g++) {
		topics[g].name = tp_set_at(set, set->start[g])->key.topic->name;
		topics[g].topic_id = set->ids[g];
		topics[g].partition_data = &parts[set->start[g]];
		topics[g].partition_data_n = set->start[g + 1] - set->start[g];
	}
	e = codec_encode(&produce_request_schema, rq->version, w, &m);
	mem_free(slices);
	mem_free(topics);
	mem_free(parts);
	return e;
}

struct produce_answer {
	bool there;
	int16_t error;
	int64_t base_offset;
};

/* Every partition that was sent, and no other, each once. */
static enum err produce_match(struct produce_rq *pr, const struct produce_response *m, struct produce_answer *v)
{
	uint32_t found = 0;

	for (uint32_t t = 0; t < m->responses_n; t++) {
		const struct produce_response_topic_produce_response *topic = &m->responses[t];

		for (uint32_t i = 0; i < topic->partition_responses_n; i++) {
			const struct produce_response_partition_produce_response *p = &topic->partition_responses[i];
			int64_t at =
				tp_set_find(&pr->set, pr->rq.version >= 13, topic->name, topic->topic_id, p->index);

			if (at < 0 || v[at].there)
				return ERR_MALFORMED;
			v[at] = (struct produce_answer){true, p->error_code, p->base_offset};
			found++;
		}
	}
	return found == pr->n ? ERR_OK : ERR_MALFORMED;
}

static enum err produce_answered(struct rq *rq, struct reader *body, struct chunk *chunk)
{
	struct produce_rq *pr = produce_rq_of(rq);
	struct produce_answer *v = mem_zalloc(pr->n, sizeof(*v));
	struct produce_response m;
	struct arena a;
	enum err e;

	(void)chunk;
	arena_init(&a, ANSWER_ARENA_MAX);
	e = codec_decode(&produce_response_schema, rq->version, body, &a, &m, NULL);
	if (!e)
		e = produce_match(pr, &m, v);
	for (uint32_t i = 0; !e && i < pr->n; i++) {
		if (pr->v[i])
			produce_result(pr->v[i], v[i].error, v[i].base_offset);
	}
	if (!e) {
		rq->cluster->counts.throttle_ms += m.throttle_time_ms > 0 ? (uint64_t)m.throttle_time_ms : 0;
		produce_rq_free(pr);
	}
	arena_release(&a);
	mem_free(v);
	return e;
}

static void produce_failed(struct rq *rq, int16_t error)
{
	struct produce_rq *pr = produce_rq_of(rq);

	/* What was not sent can not have been written. */
	if (!rq->sent && produce_judge(error) == PRODUCE_UNKNOWN)
		error = KAFKA_ERR_BROKER_NOT_AVAILABLE;
	for (uint32_t i = 0; i < pr->n; i++) {
		if (pr->v[i])
			produce_result(pr->v[i], error, -1);
	}
	produce_rq_free(pr);
}

static const struct rq_ops produce_ops = {
	.api_key = 0,
	.version_min = 3,
	.version_max = 13,
	.answer_max = ANSWER_SMALL,
	.build = produce_build,
	.answered = produce_answered,
	.failed = produce_failed,
};

/* The write joins an open request to the node. False: it does not fit, next round. */
static bool produce_join(struct produce_rq_list *open, struct node *n, struct cluster_produce *p)
{
	struct produce_rq *pr;

	SLIST_FOREACH(pr, open, entry)
	{
		if (pr->node == n)
			break;
	}
	if (pr && (pr->n == PARTITIONS_MAX || p->batch->size > PRODUCE_BYTES_MAX - pr->bytes))
		return false;
	if (!pr) {
		pr = mem_zalloc(1, sizeof(*pr));
		pr->rq.ops = &produce_ops;
		pr->rq.cluster = p->cluster;
		pr->rq.timeout_ms = p->cluster->cfg.request_timeout_ms + PRODUCE_GRACE_MS;
		pr->node = n;
		SLIST_INSERT_HEAD(open, pr, entry);
	}
	if ((pr->n & (pr->n - 1)) == 0)
		pr->v = mem_resize(pr->v, pr->n ? (size_t)pr->n * 2 : 1, sizeof(struct cluster_produce *));
	p->on_way = pr;
	p->index = pr->n;
	pr->v[pr->n++] = p;
	pr->bytes += p->batch->size < PRODUCE_BYTES_MAX - pr->bytes ? p->batch->size : PRODUCE_BYTES_MAX - pr->bytes;
	return true;
}

static void produce_submit(struct cluster *c, struct produce_rq_list *open)
{
	struct produce_rq *pr;

	while ((pr = SLIST_FIRST(open)) != NULL) {
		struct tp **v = mem_zalloc(pr->n, sizeof(struct tp *));
		struct node *n = pr->node;

		SLIST_REMOVE_HEAD(open, entry);
		pr->batches = mem_zalloc(pr->n, sizeof(struct chunk *));
		for (uint32_t i = 0; i < pr->n; i++) {
			v[i] = pr->v[i]->tp;
			v[i]->refs++;
			pr->batches[i] = chunk_ref(pr->v[i]->batch);
		}
		tp_set_init(&pr->set, c, v, pr->n);
		mem_free(v);
		pr->node = NULL;
		/* Version 13 names topics by their id only. */
		pr->rq.version_cap = pr->set.no_ids ? 12 : produce_ops.version_max;
		link_submit(node_link(n, LINK_PRODUCE), &pr->rq);
	}
}

/* The topic is not the one that the write was meant for any more, or has been missing for long: then there is no log
 * for it. */
static bool produce_topic_is_gone(struct cluster_produce *p, int16_t leader_error)
{
	struct cluster *c = p->cluster;
	const struct cluster_topic *t = cluster_find_topic(c, p->tp->key.topic->name);

	if (t && !uuid_is_zero(t->id)) {
		if (uuid_is_zero(p->topic_id))
			p->topic_id = t->id;
		if (!uuid_eq(p->topic_id, t->id)) {
			produce_end(p, CLUSTER_PRODUCE_FAILED, KAFKA_ERR_INCONSISTENT_TOPIC_ID, -1);
			return true;
		}
	}
	if (leader_error != KAFKA_ERR_UNKNOWN_TOPIC_OR_PARTITION || !c->picture) {
		p->missing_since = 0;
		return false;
	}
	if (!p->missing_since)
		p->missing_since = loop_now(c->loop);
	if (c->metadata_at - p->missing_since <= TOPIC_GONE_MS)
		return false;
	produce_end(p, CLUSTER_PRODUCE_FAILED, leader_error, -1);
	return true;
}

static void produce_dispatch(struct cluster_produce *p, struct produce_rq_list *open)
{
	struct cluster *c = p->cluster;
	struct node *n = NULL;
	int16_t error = tp_leader(c, p->tp, &n);

	if (produce_topic_is_gone(p, error))
		return;
	if (!n)
		produce_retry(p, error);
	else if (!produce_join(open, n, p))
		cluster_wake(c);
}

void produces_pump(struct cluster *c)
{
	struct produce_rq_list open = SLIST_HEAD_INITIALIZER(open);
	int64_t now = loop_now(c->loop);
	struct cluster_produce *p;

	c->stamp++;
	TAILQ_FOREACH(p, &c->produces, entry)
	{
		/* Writes to one partition go one after the other, in the order of the calls. */
		if (p->ended || p->tp->stamp == c->stamp)
			continue;
		p->tp->stamp = c->stamp;
		if (p->on_way)
			continue;
		if (p->retry_at > now)
			cluster_wake_at(c, p->retry_at);
		else
			produce_dispatch(p, &open);
	}
	produce_submit(c, &open);
}

void produces_free(struct cluster *c)
{
	struct cluster_produce *p;

	while ((p = TAILQ_FIRST(&c->produces)) != NULL)
		cluster_produce_cancel(p);
}

struct cluster_produce *cluster_produce(
	struct cluster *c, struct str topic, int32_t partition, struct chunk *batch, cluster_produce_cb cb, void *arg)
{
	struct cluster_produce *p = mem_zalloc(1, sizeof(*p));
	const struct cluster_topic *t = cluster_find_topic(c, topic);

	p->done.deliver = produce_deliver;
	p->done.drop = produce_drop;
	p->cluster = c;
	p->tp = tp_get(c, topic, partition);
	p->batch = chunk_ref(batch);
	p->cb = cb;
	p->arg = arg;
	if (t)
		p->topic_id = t->id;
	TAILQ_INSERT_TAIL(&c->produces, p, entry);
	cluster_wake(c);
	return p;
}

int16_t cluster_produce_last_error(const struct cluster_produce *p)
{
	return p->error;
}

void cluster_produce_cancel(struct cluster_produce *p)
{
	if (p->done.queued)
		cluster_cancel_completion(p->cluster, &p->done);
	if (p->on_way)
		p->on_way->v[p->index] = NULL;
	cluster_wake(p->cluster);
	produce_free(p);
}
