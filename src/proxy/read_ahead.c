/* SPDX-License-Identifier: Apache-2.0 */
/* What the engine wants from the cluster is fetched here; batches stay in the chunk that they arrived in.
 *
 *   WANT_RECORDS -> cluster_fetch -> chunk with many batches -> one struct kept_batch each (holds the chunk) ->
 * SHARE_EV_RECORDS
 *   ... reply names batches -> read_ahead_slice -> the client's socket ...                                  RELEASE ->
 * freed
 */
#include "proxy/read_ahead.h"

#include <sys/queue.h>

#include "base/mem.h"
#include "proxy/service_priv.h"
#include "wire/batch.h"
#include "wire/kafka_errors.h"

struct kept_batch {
	struct slice slice; /* holds a reference */
};

struct want {
	struct read_ahead *ra;
	struct share_log_key log;
	int64_t offset;
	int64_t log_start; /* while an offset that is out of range is looked into */
	LIST_ENTRY(want) link;
};

struct resolve {
	struct read_ahead *ra;
	struct str group_id; /* own copy */
	struct uuid topic_id;
	int32_t partition;
	bool by_time;
	int64_t at; /* what is looked up: a time, or CLUSTER_OFFSET_EARLIEST or _LATEST */
	int64_t offset;
	LIST_ENTRY(resolve) link;
};

struct read_ahead {
	struct service *sv;
	LIST_HEAD(want_list, want) wants; /* on their way */
	LIST_HEAD(resolve_list, resolve) resolves;
	struct want_list
		unknown_wants; /* of topics that the cluster does not know (any more): answered from the loop */
	struct resolve_list unknown_resolves;
	struct timer unknown;
	uint64_t fetches, fetch_errors, batches, bytes, old_batches;
};

static void wants_free(struct want_list *list)
{
	struct want *w;

	while ((w = LIST_FIRST(list))) {
		LIST_REMOVE(w, link);
		mem_free(w);
	}
}

static void resolves_free(struct resolve_list *list)
{
	struct resolve *r;

	while ((r = LIST_FIRST(list))) {
		LIST_REMOVE(r, link);
		mem_free(r);
	}
}

/* After the cluster client is freed: what is on its way is not answered any more. */
void read_ahead_free(struct read_ahead *ra)
{
	timer_clear(&ra->unknown);
	wants_free(&ra->wants);
	wants_free(&ra->unknown_wants);
	resolves_free(&ra->resolves);
	resolves_free(&ra->unknown_resolves);
	mem_free(ra);
}

struct slice read_ahead_slice(void *batch_ref)
{
	return ((struct kept_batch *)batch_ref)->slice;
}

void read_ahead_drop(void *arg, void *batch_ref)
{
	struct kept_batch *k = batch_ref;

	(void)arg;
	chunk_unref(k->slice.chunk);
	mem_free(k);
}

static struct share_batch batch_keep(
	struct read_ahead *ra, const struct batch_header *h, struct slice records, const uint8_t *p)
{
	struct kept_batch *k = mem_zalloc(1, sizeof(*k));

	k->slice = (struct slice){chunk_ref(records.chunk), p, h->size};
	ra->batches++;
	ra->bytes += h->size;
	return (struct share_batch){
		.base_offset = h->base_offset,
		.last_offset = batch_last_offset(h),
		.size = (uint32_t)h->size,
		.control = batch_is_control(h),
		.transactional = batch_is_transactional(h),
		.empty = h->records_count == 0,
		.producer_id = h->producer_id,
		.ref = k,
	};
}

/* The whole batches of an answer that end at or behind the offset that was asked for; ret has room for records.n /
 * BATCH_HEADER_SIZE of them. A batch that is cut off at the end is fetched again later. Returns a Kafka error for bytes
 * that can not be served. */
static int16_t batches_split(struct want *w, struct slice records, struct share_batch *ret, uint32_t *ret_n)
{
	size_t at = 0;

	*ret_n = 0;
	while (at < records.n) {
		struct batch_header h;

		switch (batch_header_read(records.p + at, records.n - at, &h)) {
		case BATCH_READY:
			if (batch_last_offset(&h) >= w->offset)
				ret[(*ret_n)++] = batch_keep(w->ra, &h, records, records.p + at);
			at += h.size;
			break;
		case BATCH_TRUNCATED:
			return KAFKA_ERR_NONE;
		case BATCH_OLD:
			w->ra->old_batches++;
			return *ret_n ? KAFKA_ERR_NONE : KAFKA_ERR_UNSUPPORTED_FOR_MESSAGE_FORMAT;
		case BATCH_BAD:
			return *ret_n ? KAFKA_ERR_NONE : KAFKA_ERR_CORRUPT_MESSAGE;
		}
	}
	return KAFKA_ERR_NONE;
}

static void want_answer(struct want *w, const struct cluster_fetch_result *res)
{
	struct service *sv = w->ra->sv;
	struct share_event ev = {.type = SHARE_EV_RECORDS};
	uint32_t max = (uint32_t)(res->records.n / BATCH_HEADER_SIZE) + 1, n = 0;
	struct share_batch *batches = mem_zalloc(max, sizeof(*batches));
	struct share_aborted *aborted = mem_zalloc((size_t)res->aborted_n + 1, sizeof(*aborted));
	int16_t error = res->error ? res->error : batches_split(w, res->records, batches, &n);

	for (uint32_t i = 0; i < res->aborted_n; i++)
		aborted[i] = (struct share_aborted){res->aborted[i].producer_id, res->aborted[i].first_offset};
	ev.u.records.log = w->log;
	ev.u.records.from_offset = w->offset;
	ev.u.records.error = error;
	ev.u.records.high_watermark = res->high_watermark;
	ev.u.records.last_stable_offset = res->last_stable_offset;
	ev.u.records.log_start_offset = res->log_start_offset;
	ev.u.records.batches = batches;
	ev.u.records.batches_n = n;
	ev.u.records.aborted = aborted;
	ev.u.records.aborted_n = res->aborted_n;
	service_apply(sv, &ev);
	mem_free(batches);
	mem_free(aborted);
}

static void want_end(struct want *w, const struct cluster_fetch_result *res)
{
	if (res->error) {
		w->ra->fetch_errors++;
		cluster_refresh(w->ra->sv->cluster);
	}
	LIST_REMOVE(w, link);
	want_answer(w, res);
	mem_free(w);
}

static void want_fail(struct want *w, int16_t error, int64_t log_start, int64_t end)
{
	const struct cluster_fetch_result res = {
		.error = error, .high_watermark = end, .last_stable_offset = end, .log_start_offset = log_start};

	want_end(w, &res);
}

static void want_latest_cb(void *arg, int16_t error, int64_t offset)
{
	struct want *w = arg;

	if (error)
		want_fail(w, error, -1, -1);
	else
		want_fail(w, KAFKA_ERR_OFFSET_OUT_OF_RANGE, w->log_start, offset);
}

static void want_earliest_cb(void *arg, int16_t error, int64_t offset)
{
	struct want *w = arg;
	const struct cluster_topic *t = cluster_find_topic_id(w->ra->sv->cluster, w->log.topic_id);

	w->log_start = offset;
	if (error || !t)
		want_fail(w, error ? error : KAFKA_ERR_UNKNOWN_TOPIC_ID, -1, -1);
	else
		cluster_list_offset(
			w->ra->sv->cluster, t->name, w->log.partition, CLUSTER_OFFSET_LATEST, false, want_latest_cb, w);
}

/* A Fetch answer that says "out of range" does not say what the range is, which decides what happens: the log's start
 * has moved, or its end was cut off. */
static void want_cb(void *arg, const struct cluster_fetch_result *res)
{
	struct want *w = arg;
	const struct cluster_topic *t = cluster_find_topic_id(w->ra->sv->cluster, w->log.topic_id);

	if (res->error == KAFKA_ERR_OFFSET_OUT_OF_RANGE && t)
		cluster_list_offset(w->ra->sv->cluster, t->name, w->log.partition, CLUSTER_OFFSET_EARLIEST, false,
			want_earliest_cb, w);
	else
		want_end(w, res);
}

void read_ahead_want(struct read_ahead *ra, const struct share_effect *fx)
{
	const struct cluster_topic *t = cluster_find_topic_id(ra->sv->cluster, fx->u.want.log.topic_id);
	struct want *w = mem_zalloc(1, sizeof(*w));

	w->ra = ra;
	w->log = fx->u.want.log;
	w->offset = fx->u.want.offset;
	ra->fetches++;
	if (!t) {
		LIST_INSERT_HEAD(&ra->unknown_wants, w, link);
		timer_set(&ra->unknown, loop_now(ra->sv->loop));
		return;
	}
	LIST_INSERT_HEAD(&ra->wants, w, link);
	cluster_fetch(ra->sv->cluster, t->name, w->log.partition, w->offset, fx->u.want.max_bytes,
		w->log.read_committed, want_cb, w);
}

static void resolve_end(struct resolve *r, int16_t error, int64_t offset)
{
	struct share_event ev = {.type = SHARE_EV_OFFSET};

	ev.u.offset.group_id = r->group_id;
	ev.u.offset.topic_id = r->topic_id;
	ev.u.offset.partition = r->partition;
	ev.u.offset.error = error;
	ev.u.offset.offset = offset;
	LIST_REMOVE(r, link);
	if (error)
		cluster_refresh(r->ra->sv->cluster);
	service_apply(r->ra->sv, &ev);
	mem_free(r);
}

static void resolve_committed_cb(void *arg, int16_t error)
{
	struct resolve *r = arg;

	resolve_end(r, error, r->offset);
}

/* A first start offset is mirrored before anything is handed out from it. */
static void resolve_found(struct resolve *r, int16_t error, int64_t offset)
{
	const struct mirror_offset o = {r->topic_id, r->partition, offset};
	struct mirror *m = r->ra->sv->mirror;

	r->offset = offset;
	if (error || !mirror_is_on(m))
		resolve_end(r, error, offset);
	else
		mirror_commit(m, r->group_id, &o, 1, resolve_committed_cb, r);
}

static void resolve_cb(void *arg, int16_t error, int64_t offset)
{
	struct resolve *r = arg;
	const struct cluster_topic *t = cluster_find_topic_id(r->ra->sv->cluster, r->topic_id);

	/* No record is that young: the group begins at the end. */
	if (!error && offset < 0 && r->by_time && t) {
		r->by_time = false;
		cluster_list_offset(
			r->ra->sv->cluster, t->name, r->partition, CLUSTER_OFFSET_LATEST, false, resolve_cb, r);
		return;
	}
	resolve_found(r, !error && offset < 0 ? KAFKA_ERR_OFFSET_NOT_AVAILABLE : error, offset);
}

/* What was committed to the cluster as this group's stable offset: when the state is lost the group goes on there, and
 * a partition that was not mirrored yet is read from its start, since nobody knows what of it is done. */
static void resolve_mirrored_cb(void *arg, int16_t error)
{
	struct resolve *r = arg;
	struct service *sv = r->ra->sv;
	const struct cluster_topic *t = cluster_find_topic_id(sv->cluster, r->topic_id);
	bool has_topic = false;

	r->offset = error ? -1 : mirror_find(sv->mirror, r->group_id, r->topic_id, r->partition, &has_topic);
	if (error || !t) {
		resolve_end(r, error ? error : KAFKA_ERR_UNKNOWN_TOPIC_ID, -1);
	} else if (r->offset >= 0) {
		mirror_tell_gone(sv->mirror, r->group_id);
		resolve_end(r, KAFKA_ERR_NONE, r->offset);
	} else {
		r->by_time = r->by_time && !has_topic;
		cluster_list_offset(sv->cluster, t->name, r->partition, has_topic ? CLUSTER_OFFSET_EARLIEST : r->at,
			false, resolve_cb, r);
	}
}

/* The engine asked for a topic that the cluster does not know (any more). */
static void unknown_cb(void *arg)
{
	struct read_ahead *ra = arg;
	struct want *w;
	struct resolve *r;

	while ((w = LIST_FIRST(&ra->unknown_wants)))
		want_fail(w, KAFKA_ERR_UNKNOWN_TOPIC_ID, -1, -1);
	while ((r = LIST_FIRST(&ra->unknown_resolves)))
		resolve_end(r, KAFKA_ERR_UNKNOWN_TOPIC_ID, -1);
}

struct read_ahead *read_ahead_new(struct service *sv)
{
	struct read_ahead *ra = mem_zalloc(1, sizeof(*ra));

	ra->sv = sv;
	timer_init(&ra->unknown, sv->loop, unknown_cb, ra);
	return ra;
}

void read_ahead_resolve(struct read_ahead *ra, const struct share_effect *fx)
{
	const struct cluster_topic *t = cluster_find_topic_id(ra->sv->cluster, fx->u.resolve.topic_id);
	size_t n = fx->u.resolve.group_id.n;
	struct resolve *r = mem_zalloc(1, sizeof(*r) + n);
	int64_t at = fx->u.resolve.strategy == SHARE_OFFSET_EARLIEST ? CLUSTER_OFFSET_EARLIEST
		     : fx->u.resolve.strategy == SHARE_OFFSET_LATEST ? CLUSTER_OFFSET_LATEST
								     : fx->u.resolve.timestamp;

	r->ra = ra;
	memcpy(r + 1, fx->u.resolve.group_id.p, n);
	r->group_id = (struct str){(const char *)(r + 1), n};
	r->topic_id = fx->u.resolve.topic_id;
	r->partition = fx->u.resolve.partition;
	r->by_time = fx->u.resolve.strategy == SHARE_OFFSET_TIMESTAMP;
	if (!t) {
		LIST_INSERT_HEAD(&ra->unknown_resolves, r, link);
		timer_set(&ra->unknown, loop_now(ra->sv->loop));
		return;
	}
	LIST_INSERT_HEAD(&ra->resolves, r, link);
	r->at = at;
	if (mirror_is_on(ra->sv->mirror))
		mirror_commit(ra->sv->mirror, r->group_id, NULL, 0, resolve_mirrored_cb, r);
	else
		cluster_list_offset(ra->sv->cluster, t->name, r->partition, at, false, resolve_cb, r);
}

void read_ahead_metrics(const struct read_ahead *ra, proxy_metric_cb cb, void *arg)
{
	cb(arg, "sluice_read_ahead_fetches_total", "Fetches of record batches from the cluster.", "counter", "",
		(double)ra->fetches);
	cb(arg, "sluice_read_ahead_fetch_errors_total", "Fetches that ended with an error.", "counter", "",
		(double)ra->fetch_errors);
	cb(arg, "sluice_read_ahead_batches_total", "Record batches fetched.", "counter", "", (double)ra->batches);
	cb(arg, "sluice_read_ahead_bytes_total", "Bytes of record batches fetched.", "counter", "", (double)ra->bytes);
	cb(arg, "sluice_read_ahead_old_format_total", "Batches of message format v0 or v1, which are not served.",
		"counter", "", (double)ra->old_batches);
}
