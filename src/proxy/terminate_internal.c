/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that would change the internal topic: the part that names it is refused here, the rest is the broker's; in
 * the answer ours stands first. Produce is not among them, it is never collected. */
#include "proxy/service_priv.h"
#include "proxy/terminate.h"
#include "wire/kafka_errors.h"
#include "wire/messages.h"

#define DELETE_STATES 6 /* first version of DeleteTopics that may name topics by id */
#define TXN_BATCHES 4   /* first version of AddPartitionsToTxn with several transactions */

#define delete_state delete_topics_request_delete_topic_state
#define delete_result delete_topics_response_deletable_topic_result
#define records_rq_topic delete_records_request_delete_records_topic
#define records_rs_topic delete_records_response_delete_records_topic_result
#define records_rs_partition delete_records_response_delete_records_partition_result
#define partitions_rq_topic create_partitions_request_create_partitions_topic
#define partitions_rs_topic create_partitions_response_create_partitions_topic_result
#define txn_rq_topic add_partitions_to_txn_request_add_partitions_to_txn_topic
#define txn_rs_topic add_partitions_to_txn_response_add_partitions_to_txn_topic_result
#define txn_rs_partition add_partitions_to_txn_response_add_partitions_to_txn_partition_result
#define txn_rs_txn add_partitions_to_txn_response_add_partitions_to_txn_result

static const struct uuid no_id;

static int16_t version_of(const struct slot *s)
{
	return slot_get_request(s)->header.api_version;
}

struct str terminate_internal_text(const struct service *sv, struct slot *s)
{
	struct str name = sv->cfg->state_topic;

	return arena_printf(slot_arena(s),
		"The topic %.*s is internal; clients may change it only with state.topic.writable=true.", (int)name.n,
		name.p);
}

static const struct job_ops forward_ops = {NULL, NULL, NULL};

/* The results for what is refused, an array of the answer's elements. */
struct refused_job {
	void *results;
	uint32_t n;
};

/* Forwards what is left, or answers at once when nothing is. */
static void refused_go(struct service *sv, struct slot *s, struct refused_job *d, const struct schema *request,
	const void *theirs, bool any, void (*cb)(struct job *j, struct bytes response_body))
{
	struct job *j = job_begin(sv, s, &forward_ops, d);

	if (any)
		terminate_forward(j, request, theirs, cb);
	else
		cb(j, (struct bytes){NULL, 0});
	job_release(j);
}

/* The broker's answer, or an empty one when it was not asked. NULL: the job is dropped. */
static void *refused_answer(struct job *j, const struct schema *schema, struct bytes body)
{
	void *rs;

	if (body.p) {
		rs = terminate_forwarded(j->slot, schema, body);
	} else {
		rs = terminate_alloc(j->slot, 1, schema_struct_size(schema));
		if (rs)
			codec_init(schema, rs);
	}
	if (!rs)
		job_drop(j);
	return rs;
}

/* Puts the refused results before the broker's n; false: the job is dropped. */
static bool refused_merge(struct job *j, void **v, uint32_t *n, size_t size)
{
	const struct refused_job *d = j->data;
	uint8_t *all = terminate_alloc(j->slot, (size_t)d->n + *n, size);

	if (!all) {
		job_drop(j);
		return false;
	}
	memcpy(all, d->results, d->n * size);
	if (*n)
		memcpy(all + d->n * size, *v, *n * size);
	*v = all;
	*n += d->n;
	return true;
}

/* Room for up to n refused results; NULL: the slot is closed. */
static struct refused_job *refused_new(struct slot *s, uint32_t n, size_t size)
{
	struct refused_job *d = terminate_alloc(s, 1, sizeof(*d));

	if (d)
		d->results = terminate_alloc(s, n, size);
	return d && d->results ? d : NULL;
}

/* ---- DeleteTopics ---- */

static void delete_refuse(
	const struct service *sv, struct slot *s, struct refused_job *d, struct str name, struct uuid id)
{
	struct delete_result *out = (struct delete_result *)d->results + d->n++;

	codec_init(&delete_topics_response_deletable_topic_result_schema, out);
	out->name = name;
	out->topic_id = id;
	out->error_code = KAFKA_ERR_TOPIC_AUTHORIZATION_FAILED;
	out->error_message = terminate_internal_text(sv, s);
}

static void delete_done(struct job *j, struct bytes body)
{
	struct delete_topics_response *rs = refused_answer(j, &delete_topics_response_schema, body);
	void *v = rs ? rs->responses : NULL;

	if (!rs || !refused_merge(j, &v, &rs->responses_n, sizeof(*rs->responses)))
		return;
	rs->responses = v;
	job_encode(j, &delete_topics_response_schema, rs);
}

void terminate_delete_topics(struct service *sv, struct slot *s, const void *msg)
{
	const struct delete_topics_request *rq = msg;
	struct delete_topics_request theirs = *rq;
	uint32_t n = version_of(s) >= DELETE_STATES ? rq->topics_n : rq->topic_names_n;
	struct refused_job *d = refused_new(s, n, sizeof(struct delete_result));

	theirs.topics = d ? terminate_alloc(s, rq->topics_n, sizeof(*theirs.topics)) : NULL;
	theirs.topic_names = theirs.topics ? terminate_alloc(s, rq->topic_names_n, sizeof(*theirs.topic_names)) : NULL;
	if (!theirs.topic_names)
		return;
	theirs.topics_n = theirs.topic_names_n = 0;
	for (uint32_t i = 0; i < rq->topics_n; i++) {
		if (service_is_internal(sv, rq->topics[i].name, rq->topics[i].topic_id))
			delete_refuse(sv, s, d, rq->topics[i].name, rq->topics[i].topic_id);
		else
			theirs.topics[theirs.topics_n++] = rq->topics[i];
	}
	for (uint32_t i = 0; i < rq->topic_names_n; i++) {
		if (service_is_internal(sv, rq->topic_names[i], no_id))
			delete_refuse(sv, s, d, rq->topic_names[i], no_id);
		else
			theirs.topic_names[theirs.topic_names_n++] = rq->topic_names[i];
	}
	service_topics_change(sv);
	if (d->n == 0)
		terminate_pass(s);
	else
		refused_go(sv, s, d, &delete_topics_request_schema, &theirs, theirs.topics_n + theirs.topic_names_n > 0,
			delete_done);
}

/* ---- DeleteRecords ---- */

/* False: the slot is closed. */
static bool records_refuse(struct slot *s, struct refused_job *d, const struct records_rq_topic *in)
{
	struct records_rs_topic *out = (struct records_rs_topic *)d->results + d->n++;

	out->name = in->name;
	out->partitions_n = in->partitions_n;
	out->partitions = terminate_alloc(s, out->partitions_n, sizeof(*out->partitions));
	for (uint32_t i = 0; out->partitions && i < out->partitions_n; i++)
		out->partitions[i] = (struct records_rs_partition){
			in->partitions[i].partition_index, -1, KAFKA_ERR_INVALID_TOPIC_EXCEPTION};
	return out->partitions != NULL;
}

/* What is kept of the deleted records is not handed out any more once the client knows that they are deleted. */
static void records_tell(struct service *sv, const struct records_rs_topic *t)
{
	const struct cluster_topic *known = cluster_find_topic(sv->cluster, t->name);
	struct share_event ev = {.type = SHARE_EV_LOG_START};

	for (uint32_t i = 0; known && i < t->partitions_n; i++) {
		if (t->partitions[i].error_code)
			continue;
		ev.u.log_start.topic_id = known->id;
		ev.u.log_start.partition = t->partitions[i].partition_index;
		ev.u.log_start.offset = t->partitions[i].low_watermark;
		service_apply(sv, &ev);
	}
}

static void records_done(struct job *j, struct bytes body)
{
	struct delete_records_response *rs = refused_answer(j, &delete_records_response_schema, body);
	void *v = rs ? rs->topics : NULL;

	for (uint32_t i = 0; rs && i < rs->topics_n; i++)
		records_tell(j->service, &rs->topics[i]);
	if (!rs || !refused_merge(j, &v, &rs->topics_n, sizeof(*rs->topics)))
		return;
	rs->topics = v;
	job_encode(j, &delete_records_response_schema, rs);
}

void terminate_delete_records(struct service *sv, struct slot *s, const void *msg)
{
	const struct delete_records_request *rq = msg;
	struct delete_records_request theirs = *rq;
	struct refused_job *d = refused_new(s, rq->topics_n, sizeof(struct records_rs_topic));

	theirs.topics_n = 0;
	theirs.topics = d ? terminate_alloc(s, rq->topics_n, sizeof(*theirs.topics)) : NULL;
	if (!theirs.topics)
		return;
	for (uint32_t i = 0; i < rq->topics_n; i++) {
		if (!service_is_internal(sv, rq->topics[i].name, no_id))
			theirs.topics[theirs.topics_n++] = rq->topics[i];
		else if (!records_refuse(s, d, &rq->topics[i]))
			return;
	}
	refused_go(sv, s, d, &delete_records_request_schema, &theirs, theirs.topics_n > 0 || d->n == 0, records_done);
}

/* ---- CreatePartitions ---- */

static void partitions_done(struct job *j, struct bytes body)
{
	struct create_partitions_response *rs = refused_answer(j, &create_partitions_response_schema, body);
	void *v = rs ? rs->results : NULL;

	if (!rs || !refused_merge(j, &v, &rs->results_n, sizeof(*rs->results)))
		return;
	rs->results = v;
	job_encode(j, &create_partitions_response_schema, rs);
}

void terminate_create_partitions(struct service *sv, struct slot *s, const void *msg)
{
	const struct create_partitions_request *rq = msg;
	struct create_partitions_request theirs = *rq;
	struct refused_job *d = refused_new(s, rq->topics_n, sizeof(struct partitions_rs_topic));

	theirs.topics_n = 0;
	theirs.topics = d ? terminate_alloc(s, rq->topics_n, sizeof(*theirs.topics)) : NULL;
	if (!theirs.topics)
		return;
	for (uint32_t i = 0; i < rq->topics_n; i++) {
		struct partitions_rs_topic *out = (struct partitions_rs_topic *)d->results + d->n;

		if (!service_is_internal(sv, rq->topics[i].name, no_id)) {
			theirs.topics[theirs.topics_n++] = rq->topics[i];
			continue;
		}
		*out = (struct partitions_rs_topic){
			rq->topics[i].name, KAFKA_ERR_TOPIC_AUTHORIZATION_FAILED, terminate_internal_text(sv, s)};
		d->n++;
	}
	service_topics_change(sv);
	if (d->n == 0)
		terminate_pass(s);
	else
		refused_go(sv, s, d, &create_partitions_request_schema, &theirs, theirs.topics_n > 0, partitions_done);
}

/* ---- AddPartitionsToTxn: all or nothing, as the broker has it ---- */

static bool txn_names_internal(const struct service *sv, const struct add_partitions_to_txn_request *rq)
{
	for (uint32_t i = 0; i < rq->v3_and_below_topics_n; i++) {
		if (service_is_internal(sv, rq->v3_and_below_topics[i].name, no_id))
			return true;
	}
	for (uint32_t i = 0; i < rq->transactions_n; i++) {
		for (uint32_t k = 0; k < rq->transactions[i].topics_n; k++) {
			if (service_is_internal(sv, rq->transactions[i].topics[k].name, no_id))
				return true;
		}
	}
	return false;
}

/* NULL: the slot is closed. */
static struct txn_rs_topic *txn_refuse(
	const struct service *sv, struct slot *s, const struct txn_rq_topic *in, uint32_t n)
{
	struct txn_rs_topic *out = terminate_alloc(s, n, sizeof(*out));

	for (uint32_t i = 0; out && i < n; i++) {
		int16_t error = service_is_internal(sv, in[i].name, no_id) ? KAFKA_ERR_TOPIC_AUTHORIZATION_FAILED
									   : KAFKA_ERR_OPERATION_NOT_ATTEMPTED;

		out[i].name = in[i].name;
		out[i].results_by_partition_n = in[i].partitions_n;
		out[i].results_by_partition =
			terminate_alloc(s, in[i].partitions_n, sizeof(*out[i].results_by_partition));
		if (!out[i].results_by_partition)
			return NULL;
		for (uint32_t k = 0; k < in[i].partitions_n; k++)
			out[i].results_by_partition[k] = (struct txn_rs_partition){in[i].partitions[k], error};
	}
	return out;
}

void terminate_add_partitions_to_txn(struct service *sv, struct slot *s, const void *msg)
{
	const struct add_partitions_to_txn_request *rq = msg;
	struct add_partitions_to_txn_response rs;

	if (!txn_names_internal(sv, rq)) {
		terminate_pass(s);
		return;
	}
	codec_init(&add_partitions_to_txn_response_schema, &rs);
	rs.results_by_topic_v3_and_below = txn_refuse(sv, s, rq->v3_and_below_topics, rq->v3_and_below_topics_n);
	rs.results_by_topic_v3_and_below_n = rq->v3_and_below_topics_n;
	rs.results_by_transaction_n = rq->transactions_n;
	rs.results_by_transaction = rs.results_by_topic_v3_and_below
					    ? terminate_alloc(s, rq->transactions_n, sizeof(*rs.results_by_transaction))
					    : NULL;
	if (!rs.results_by_transaction)
		return;
	for (uint32_t i = 0; i < rq->transactions_n; i++) {
		struct txn_rs_txn *out = &rs.results_by_transaction[i];

		out->transactional_id = rq->transactions[i].transactional_id;
		out->topic_results_n = rq->transactions[i].topics_n;
		out->topic_results = txn_refuse(sv, s, rq->transactions[i].topics, rq->transactions[i].topics_n);
		if (!out->topic_results)
			return;
	}
	terminate_answer(s, &add_partitions_to_txn_response_schema, &rs);
}
