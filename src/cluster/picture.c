/* SPDX-License-Identifier: Apache-2.0 */
/* A Metadata answer becomes a picture of the cluster here: sorted, checked, and never older than what is known. */
#include <stdlib.h>

#include "base/mem.h"
#include "cluster_priv.h"
#include "wire/messages.h"

#define PICTURE_ARENA_MAX ((size_t)256 * 1024 * 1024)

static struct str copy_str(struct arena *a, struct str s)
{
	char *p = str_is_null(s) ? NULL : arena_copy_string(a, s);

	return p ? (struct str){p, s.n} : STR_NULL;
}

static int broker_cmp(const void *a, const void *b)
{
	const struct cluster_broker *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static enum err picture_brokers(struct picture *p, const struct metadata_response *m)
{
	struct cluster_broker *v = arena_zalloc(&p->arena, m->brokers_n, sizeof(*v));

	if (!v)
		return ERR_TOO_LARGE;
	/* A broker that is starting may not know of any yet: that is no picture. */
	if (m->brokers_n == 0)
		return ERR_NOT_FOUND;
	for (uint32_t i = 0; i < m->brokers_n; i++) {
		const struct metadata_response_metadata_response_broker *b = &m->brokers[i];

		if (b->node_id < 0 || str_is_null(b->host) || b->host.n == 0 || b->port <= 0 || b->port > 65535)
			return ERR_MALFORMED;
		v[i].id = b->node_id;
		v[i].host = copy_str(&p->arena, b->host);
		v[i].port = b->port;
		v[i].rack = copy_str(&p->arena, b->rack);
		if (str_is_null(v[i].host))
			return ERR_TOO_LARGE;
	}
	qsort(v, m->brokers_n, sizeof(*v), broker_cmp);
	for (uint32_t i = 1; i < m->brokers_n; i++) {
		if (v[i].id == v[i - 1].id)
			return ERR_MALFORMED;
	}
	p->md.brokers = v;
	p->md.brokers_n = m->brokers_n;
	return ERR_OK;
}

static int topic_cmp(const void *a, const void *b)
{
	const struct cluster_topic *x = a, *y = b;

	return str_cmp(x->name, y->name);
}

static const struct cluster_topic *picture_find_topic(const struct picture *p, struct str name)
{
	const struct cluster_topic key = {.name = name};

	if (!p || p->md.topics_n == 0 || str_is_null(name))
		return NULL;
	return bsearch(&key, p->md.topics, p->md.topics_n, sizeof(key), topic_cmp);
}

/* Partitions stand at their index. An answer of a broker that lags behind does not bring an older leader back
 * (KIP-320). */
static enum err picture_partitions(struct picture *p, const struct metadata_response_metadata_response_topic *t,
	const struct cluster_topic *old, struct cluster_topic *ret)
{
	struct cluster_partition *v = arena_zalloc(&p->arena, t->partitions_n, sizeof(*v));
	const struct cluster_partition none = {.leader = -1, .leader_epoch = -1};

	if (!v)
		return ERR_TOO_LARGE;
	for (uint32_t i = 0; i < t->partitions_n; i++)
		v[i] = none;
	for (uint32_t i = 0; i < t->partitions_n; i++) {
		const struct metadata_response_metadata_response_partition *from = &t->partitions[i];
		struct cluster_partition *to;

		if (from->partition_index < 0 || (uint32_t)from->partition_index >= t->partitions_n)
			return ERR_MALFORMED;
		to = &v[from->partition_index];
		to->leader = from->leader_id < 0 ? -1 : from->leader_id;
		to->leader_epoch = from->leader_epoch;
		if (from->partition_index == 0)
			ret->replication_factor =
				(int16_t)(from->replica_nodes_n < 1000 ? from->replica_nodes_n : 1000);
		if (old && from->partition_index < old->partitions_n && uuid_eq(old->id, t->topic_id) &&
			old->partitions[from->partition_index].leader_epoch > to->leader_epoch)
			*to = old->partitions[from->partition_index];
	}
	ret->partitions = v;
	ret->partitions_n = (int32_t)t->partitions_n;
	return ERR_OK;
}

/* A topic that is known but can not be told at the moment. */
static bool is_passing(int16_t error)
{
	return error == KAFKA_ERR_LEADER_NOT_AVAILABLE || error == KAFKA_ERR_UNKNOWN_SERVER_ERROR;
}

static enum err picture_keep_topic(struct picture *p, const struct cluster_topic *old, struct cluster_topic *ret)
{
	struct cluster_partition *v = arena_zalloc(&p->arena, (size_t)old->partitions_n, sizeof(*v));

	if (!v)
		return ERR_TOO_LARGE;
	memcpy(v, old->partitions, (size_t)old->partitions_n * sizeof(*v));
	*ret = *old;
	ret->name = copy_str(&p->arena, old->name);
	ret->partitions = v;
	return str_is_null(ret->name) ? ERR_TOO_LARGE : ERR_OK;
}

static enum err picture_topic(struct picture *p, const struct picture *known,
	const struct metadata_response_metadata_response_topic *t, struct cluster_topic *v)
{
	const struct cluster_topic *old = picture_find_topic(known, t->name);
	struct cluster_topic *to = &v[p->md.topics_n];
	enum err e;

	if (t->error_code) {
		if (!old || !is_passing(t->error_code))
			return ERR_OK;
		e = picture_keep_topic(p, old, to);
	} else {
		if (str_is_null(t->name) || t->partitions_n > INT32_MAX)
			return ERR_MALFORMED;
		to->id = t->topic_id;
		to->name = copy_str(&p->arena, t->name);
		to->internal = t->is_internal;
		e = str_is_null(to->name) ? ERR_TOO_LARGE : picture_partitions(p, t, old, to);
	}
	if (!e)
		p->md.topics_n++;
	return e;
}

static enum err picture_topics(struct picture *p, const struct picture *old, const struct metadata_response *m)
{
	struct cluster_topic *v = arena_zalloc(&p->arena, m->topics_n, sizeof(*v));

	if (!v)
		return ERR_TOO_LARGE;
	for (uint32_t i = 0; i < m->topics_n; i++) {
		enum err e = picture_topic(p, old, &m->topics[i], v);

		if (e)
			return e;
	}
	qsort(v, p->md.topics_n, sizeof(*v), topic_cmp);
	for (uint32_t i = 1; i < p->md.topics_n; i++) {
		if (str_eq(v[i].name, v[i - 1].name))
			return ERR_MALFORMED;
	}
	p->md.topics = v;
	return ERR_OK;
}

static int by_id_cmp(const void *a, const void *b, void *arg)
{
	const struct picture *p = arg;
	const uint32_t *x = a, *y = b;

	return uuid_cmp(p->md.topics[*x].id, p->md.topics[*y].id);
}

static enum err picture_index(struct picture *p)
{
	p->by_id = arena_zalloc(&p->arena, p->md.topics_n, sizeof(*p->by_id));
	if (!p->by_id)
		return ERR_TOO_LARGE;
	for (uint32_t i = 0; i < p->md.topics_n; i++)
		p->by_id[i] = i;
	qsort_r(p->by_id, p->md.topics_n, sizeof(*p->by_id), by_id_cmp, p);
	return ERR_OK;
}

static enum err picture_fill(struct picture *p, const struct picture *old, const struct metadata_response *m)
{
	enum err e = m->error_code ? ERR_NOT_FOUND : picture_brokers(p, m);

	if (!e)
		e = picture_topics(p, old, m);
	if (!e)
		e = picture_index(p);
	if (e)
		return e;
	p->md.cluster_id = copy_str(&p->arena, m->cluster_id);
	p->md.controller_id = m->controller_id;
	return ERR_OK;
}

enum err picture_new(
	const struct picture *old, struct reader *body, int16_t version, struct picture **ret, int32_t *ret_throttle)
{
	struct picture *p = mem_zalloc(1, sizeof(*p));
	struct metadata_response m;
	struct arena a;
	enum err e;

	arena_init(&a, ANSWER_ARENA_MAX);
	arena_init(&p->arena, PICTURE_ARENA_MAX);
	e = codec_decode(&metadata_response_schema, version, body, &a, &m, NULL);
	if (!e) {
		*ret_throttle = m.throttle_time_ms;
		e = picture_fill(p, old, &m);
	}
	arena_release(&a);
	if (e)
		picture_free(p);
	else
		*ret = p;
	return e;
}

void picture_free(struct picture *p)
{
	if (!p)
		return;
	arena_release(&p->arena);
	mem_free(p);
}

static bool brokers_equal(const struct cluster_metadata *a, const struct cluster_metadata *b)
{
	for (uint32_t i = 0; i < a->brokers_n; i++) {
		const struct cluster_broker *x = &a->brokers[i], *y = &b->brokers[i];

		if (x->id != y->id || x->port != y->port || !str_eq(x->host, y->host) || !str_eq(x->rack, y->rack))
			return false;
	}
	return true;
}

static bool topics_equal(const struct cluster_topic *x, const struct cluster_topic *y)
{
	if (!uuid_eq(x->id, y->id) || !str_eq(x->name, y->name) || x->internal != y->internal ||
		x->replication_factor != y->replication_factor || x->partitions_n != y->partitions_n)
		return false;
	for (int32_t i = 0; i < x->partitions_n; i++) {
		if (x->partitions[i].leader != y->partitions[i].leader ||
			x->partitions[i].leader_epoch != y->partitions[i].leader_epoch)
			return false;
	}
	return true;
}

/* The controller is left out: a KRaft cluster names another broker each time, for any of them passes requests on. */
bool picture_equal(const struct picture *a, const struct picture *b)
{
	const struct cluster_metadata *x = &a->md, *y = &b->md;

	if (!str_eq(x->cluster_id, y->cluster_id) || x->brokers_n != y->brokers_n || x->topics_n != y->topics_n ||
		!brokers_equal(x, y))
		return false;
	for (uint32_t i = 0; i < x->topics_n; i++) {
		if (!topics_equal(&x->topics[i], &y->topics[i]))
			return false;
	}
	return true;
}

const struct cluster_topic *cluster_find_topic(const struct cluster *c, struct str name)
{
	return picture_find_topic(c->picture, name);
}

const struct cluster_topic *cluster_find_topic_id(const struct cluster *c, struct uuid id)
{
	const struct picture *p = c->picture;
	uint32_t low = 0, high = p ? p->md.topics_n : 0;

	if (uuid_is_zero(id))
		return NULL;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		int d = uuid_cmp(p->md.topics[p->by_id[mid]].id, id);

		if (d == 0)
			return &p->md.topics[p->by_id[mid]];
		if (d < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

const struct cluster_broker *cluster_find_broker(const struct cluster *c, int32_t id)
{
	const struct cluster_broker key = {.id = id};

	if (!c->picture)
		return NULL;
	return bsearch(&key, c->picture->md.brokers, c->picture->md.brokers_n, sizeof(key), broker_cmp);
}

const struct cluster_metadata *cluster_get_metadata(const struct cluster *c)
{
	return c->picture ? &c->picture->md : NULL;
}
