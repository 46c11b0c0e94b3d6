/* SPDX-License-Identifier: Apache-2.0 */
/* ListOffsets: the calls of one turn for one broker go out as one request. */
#include "base/mem.h"
#include "call_priv.h"
#include "wire/messages.h"

struct offsets_rq {
	struct rq rq;
	SLIST_ENTRY(offsets_rq) entry;
	struct node *node; /* only while it is open */
	bool read_committed;
	uint32_t n;
	struct call **calls;
	struct tp_set set;
};

/* One partition's answer, kept until all of them are there. */
struct offset_answer {
	bool there;
	int16_t error;
	int64_t offset;
};

static struct offsets_rq *offsets_of(struct rq *rq)
{
	return (struct offsets_rq *)(void *)((char *)rq - offsetof(struct offsets_rq, rq));
}

static void offsets_free(struct offsets_rq *o)
{
	tp_set_release(&o->set);
	mem_free(o->calls);
	mem_free(o);
}

static enum err offsets_build(struct rq *rq, struct writer *w)
{
	struct offsets_rq *o = offsets_of(rq);
	struct list_offsets_request m;
	struct list_offsets_request_list_offsets_partition *parts = mem_zalloc(o->n, sizeof(*parts));
	struct list_offsets_request_list_offsets_topic *topics = mem_zalloc(o->set.groups, sizeof(*topics));
	enum err e;

	codec_init(&list_offsets_request_schema, &m);
	m.replica_id = -1;
	m.isolation_level = o->read_committed;
	m.timeout_ms = rq->timeout_ms;
	m.topics = topics;
	m.topics_n = o->set.groups;
	for (uint32_t i = 0; i < o->n; i++) {
		codec_init(&list_offsets_request_list_offsets_partition_schema, &parts[i]);
		parts[i].partition_index = (int32_t)tp_set_at(&o->set, i)->key.partition;
		parts[i].timestamp = o->calls[o->set.order[i]]->u.offset.timestamp;
	}
	for (uint32_t g = 0; g < o->set.groups; g++) {
		topics[g].name = tp_set_at(&o->set, o->set.start[g])->key.topic->name;
		topics[g].partitions = &parts[o->set.start[g]];
		topics[g].partitions_n = o->set.start[g + 1] - o->set.start[g];
	}
	e = codec_encode(&list_offsets_request_schema, rq->version, w, &m);
	mem_free(parts);
	mem_free(topics);
	return e;
}

/* Every partition that was asked for, and no other, each once. */
static enum err offsets_match(struct offsets_rq *o, const struct list_offsets_response *m, struct offset_answer *v)
{
	uint32_t found = 0;

	for (uint32_t t = 0; t < m->topics_n; t++) {
		for (uint32_t i = 0; i < m->topics[t].partitions_n; i++) {
			const struct list_offsets_response_list_offsets_partition_response *p =
				&m->topics[t].partitions[i];
			int64_t at =
				tp_set_find(&o->set, false, m->topics[t].name, (struct uuid){{0}}, p->partition_index);

			if (at < 0 || v[at].there)
				return ERR_MALFORMED;
			v[at] = (struct offset_answer){.there = true, .error = p->error_code, .offset = p->offset};
			found++;
		}
	}
	return found == o->n ? ERR_OK : ERR_MALFORMED;
}

static enum err offsets_answered(struct rq *rq, struct reader *body, struct chunk *chunk)
{
	struct offsets_rq *o = offsets_of(rq);
	struct offset_answer *v = mem_zalloc(o->n, sizeof(*v));
	struct list_offsets_response m;
	struct arena a;
	enum err e;

	(void)chunk;
	arena_init(&a, ANSWER_ARENA_MAX);
	e = codec_decode(&list_offsets_response_schema, rq->version, body, &a, &m, NULL);
	if (!e)
		e = offsets_match(o, &m, v);
	for (uint32_t i = 0; !e && i < o->n; i++) {
		o->calls[i]->u.offset.offset = v[i].error ? -1 : v[i].offset;
		call_result(o->calls[i], v[i].error, STR_NULL);
	}
	if (!e) {
		rq->cluster->counts.throttle_ms += m.throttle_time_ms > 0 ? (uint64_t)m.throttle_time_ms : 0;
		offsets_free(o);
	}
	arena_release(&a);
	mem_free(v);
	return e;
}

static void offsets_failed(struct rq *rq, int16_t error)
{
	struct offsets_rq *o = offsets_of(rq);

	for (uint32_t i = 0; i < o->n; i++)
		call_result(o->calls[i], error, STR_NULL);
	offsets_free(o);
}

static const struct rq_ops offsets_ops = {
	.api_key = 2,
	.version_min = 2,
	.version_max = 11,
	.answer_max = ANSWER_SMALL,
	.build = offsets_build,
	.answered = offsets_answered,
	.failed = offsets_failed,
};

bool offsets_add(struct offsets_list *open, struct node *n, struct call *call)
{
	struct cluster *c = call->cluster;
	struct offsets_rq *o;

	/* A request names a partition once: the same one goes with the next round. */
	if (call->tp->stamp == c->stamp)
		return false;
	SLIST_FOREACH(o, open, entry)
	{
		if (o->node == n && o->read_committed == call->u.offset.read_committed && o->n < PARTITIONS_MAX)
			break;
	}
	if (!o) {
		o = mem_zalloc(1, sizeof(*o));
		o->rq.ops = &offsets_ops;
		o->rq.version_cap = offsets_ops.version_max;
		o->rq.timeout_ms = c->cfg.request_timeout_ms;
		o->rq.cluster = c;
		o->node = n;
		o->read_committed = call->u.offset.read_committed;
		SLIST_INSERT_HEAD(open, o, entry);
	}
	call->tp->stamp = c->stamp;
	if ((o->n & (o->n - 1)) == 0)
		o->calls = mem_resize(o->calls, o->n ? (size_t)o->n * 2 : 1, sizeof(struct call *));
	o->calls[o->n++] = call;
	return true;
}

void offsets_submit(struct offsets_list *open)
{
	struct offsets_rq *o;

	while ((o = SLIST_FIRST(open)) != NULL) {
		struct node *n = o->node;
		struct tp **v = mem_zalloc(o->n, sizeof(struct tp *));

		SLIST_REMOVE_HEAD(open, entry);
		for (uint32_t i = 0; i < o->n; i++)
			v[i] = o->calls[i]->tp;
		tp_set_init(&o->set, o->rq.cluster, v, o->n);
		mem_free(v);
		o->node = NULL;
		link_submit(node_link(n, LINK_CONTROL), &o->rq);
	}
}

static void offset_deliver(struct completion *d)
{
	struct call *call = call_of_completion(d);
	cluster_offset_cb cb = call->u.offset.cb;
	int64_t offset = call->u.offset.offset;
	int16_t error = call->error;
	void *arg = call->arg;

	call_free(call);
	cb(arg, error, error ? -1 : offset);
}

void cluster_list_offset(struct cluster *c, struct str topic, int32_t partition, int64_t timestamp, bool read_committed,
	cluster_offset_cb cb, void *arg)
{
	struct call *call = call_new(c, CALL_LEADER, NULL, offset_deliver, arg);

	call->tp = tp_get(c, topic, partition);
	call->u.offset.timestamp = timestamp;
	call->u.offset.read_committed = read_committed;
	call->u.offset.cb = cb;
	call_start(call);
}
