/* SPDX-License-Identifier: Apache-2.0 */
/* Writes of the cluster client: which outcomes are tried again, which are final, and what is said when nobody knows;
 * and other single calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/clock.h"
#include "cluster_fake.h"

/* In a script: not an error code but a deed. */
#define SILENT 1000
#define CUT 1001
#define NO_OFFSET 1002
#define WRONG_PARTITION 1003
#define NOTHING 1004

struct fixture {
	struct client cl;
	int script[8], script_n; /* what the broker does with one partition after the other; 0 behind the end */
	int partitions_max;      /* most partitions in one request */
	int32_t seen[64];        /* first bytes of the batches in the order they came */
	int seen_n;
	bool by_id;
	int done, failed;
	enum cluster_produce_outcome outcome;
	int16_t error;
	int64_t offset;
	bool free_in_callback;
	struct cluster_produce *cancel_in_callback, *cancel_on_the_way;
	int configs_n;
	char message[100];
};

static int script_next(struct fixture *f)
{
	int now = f->script_n > 0 ? f->script[0] : 0;

	if (f->script_n > 0)
		memmove(f->script, f->script + 1, (size_t)--f->script_n * sizeof(f->script[0]));
	return now;
}

static void answer_partition(struct fixture *f, int deed, const struct produce_request_partition_produce_data *q,
	struct produce_response_partition_produce_response *p)
{
	codec_init(&produce_response_partition_produce_response_schema, p);
	assert_int_equal(q->records.v_n, 1);
	assert_true(f->seen_n < 64);
	memcpy(&f->seen[f->seen_n++], q->records.v[0].p, 4);
	p->index = q->index + (deed == WRONG_PARTITION);
	p->error_code = (int16_t)(deed < SILENT ? deed : 0);
	p->base_offset = deed == NO_OFFSET || p->error_code ? -1 : f->seen[f->seen_n - 1] * 10;
	p->error_message = STR_NULL;
	/* Never null, whatever the number. */
	p->record_errors = (void *)p;
}

static void answer_produce(struct fixture *f, struct fake_request *rq)
{
	struct produce_request q;
	struct produce_response m;
	int parts = 0;

	fake_decode(rq, &q);
	assert_int_equal(q.acks, -1);
	assert_true(str_is_null(q.transactional_id));
	assert_int_equal(q.timeout_ms, f->cl.cfg.request_timeout_ms);
	codec_init(&produce_response_schema, &m);
	m.responses = fake_zalloc(rq, q.topic_data_n, sizeof(*m.responses));
	m.responses_n = q.topic_data_n;
	for (uint32_t t = 0; t < q.topic_data_n; t++) {
		uint32_t n = q.topic_data[t].partition_data_n;

		m.responses[t].name = q.topic_data[t].name;
		m.responses[t].topic_id = q.topic_data[t].topic_id;
		m.responses[t].partition_responses = fake_zalloc(rq, n, sizeof(*m.responses[t].partition_responses));
		m.responses[t].partition_responses_n = n;
		parts += (int)n;
		for (uint32_t i = 0; i < n; i++) {
			int deed = script_next(f);

			if (deed == SILENT)
				return;
			if (deed == CUT) {
				conn_close(rq->conn, "cut");
				return;
			}
			answer_partition(
				f, deed, &q.topic_data[t].partition_data[i], &m.responses[t].partition_responses[i]);
			if (deed == NOTHING)
				m.responses_n = 0;
		}
	}
	if (f->cancel_on_the_way)
		cluster_produce_cancel(f->cancel_on_the_way);
	f->cancel_on_the_way = NULL;
	f->partitions_max = parts > f->partitions_max ? parts : f->partitions_max;
	f->by_id = rq->header.api_version >= 13;
	fake_answer(rq, &m);
}

static void answer_create(struct fixture *f, struct fake_request *rq)
{
	struct create_topics_request q;
	struct create_topics_response m;

	fake_decode(rq, &q);
	codec_init(&create_topics_response_schema, &m);
	m.topics = fake_zalloc(rq, 1, sizeof(*m.topics));
	m.topics_n = 1;
	codec_init(&create_topics_response_creatable_topic_result_schema, m.topics);
	m.topics[0].name = q.topics[0].name;
	m.topics[0].error_code = (int16_t)script_next(f);
	m.topics[0].error_message = m.topics[0].error_code ? STR_LIT("no") : STR_NULL;
	m.topics[0].configs = NULL;
	f->configs_n = (int)q.topics[0].configs_n;
	fake_answer(rq, &m);
}

static void answer_producer_id(struct fixture *f, struct fake_request *rq)
{
	struct init_producer_id_response m;

	codec_init(&init_producer_id_response_schema, &m);
	m.error_code = (int16_t)script_next(f);
	m.producer_id = m.error_code ? -1 : 77;
	m.producer_epoch = 3;
	fake_answer(rq, &m);
}

static bool handle(void *arg, struct fake_request *rq)
{
	struct fixture *f = arg;

	switch (rq->header.api_key) {
	case 0:
		answer_produce(f, rq);
		return true;
	case 19:
		answer_create(f, rq);
		return true;
	case 22:
		answer_producer_id(f, rq);
		return true;
	default:
		return false;
	}
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	client_init(&f->cl, handle, f);
	client_start(&f->cl, true);
	*state = f;
	return 0;
}

/* With a client that does not wait long. */
static int setup_short(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	client_init(&f->cl, handle, f);
	f->cl.cfg.request_timeout_ms = 300;
	client_start(&f->cl, true);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	client_release(&f->cl);
	free(f);
	return 0;
}

static void on_produced(void *arg, enum cluster_produce_outcome outcome, int16_t error, int64_t base_offset)
{
	struct fixture *f = arg;

	f->done++;
	f->outcome = outcome;
	f->error = error;
	f->offset = base_offset;
	f->failed += outcome != CLUSTER_PRODUCE_DONE;
	if (f->free_in_callback) {
		cluster_free(f->cl.cluster);
		f->cl.cluster = NULL;
	}
	if (f->cancel_in_callback)
		cluster_produce_cancel(f->cancel_in_callback);
	f->cancel_in_callback = NULL;
}

/* A write whose bytes begin with number; the broker puts it at offset number * 10. */
static struct cluster_produce *write_batch(
	struct fixture *f, const char *topic, int32_t partition, int32_t number, size_t size)
{
	struct chunk *k = chunk_try_new(size);
	struct cluster_produce *p;

	memset(k->data, 0, size);
	memcpy(k->data, &number, sizeof(number));
	p = cluster_produce(f->cl.cluster, str_of(topic), partition, k, on_produced, f);
	chunk_unref(k);
	assert_int_equal(f->done, 0);
	return p;
}

static void expect_outcome(
	struct fixture *f, int n, const int *script, enum cluster_produce_outcome outcome, int error, int sent)
{
	f->script_n = n;
	memcpy(f->script, script, (size_t)n * sizeof(script[0]));
	write_batch(f, "t", 0, 42, 1000);
	UNTIL(&f->cl, f->done == 1);
	assert_int_equal(f->outcome, outcome);
	assert_int_equal(f->error, error);
	assert_int_equal(f->offset, outcome == CLUSTER_PRODUCE_DONE ? 420 : -1);
	assert_int_equal(f->cl.fake.requests[0], sent);
	assert_int_equal(f->script_n, 0);
	client_run(&f->cl, NULL, 30);
	assert_int_equal(f->done, 1);
}

#define OUTCOME(name, outcome, error, sent, ...)                                                                       \
	static void test_##name(void **state)                                                                          \
	{                                                                                                              \
		const int script[] = {__VA_ARGS__};                                                                    \
                                                                                                                       \
		expect_outcome(*state, (int)(sizeof(script) / sizeof(script[0])), script, outcome, error, sent);       \
	}

OUTCOME(written, CLUSTER_PRODUCE_DONE, 0, 1, 0)
OUTCOME(not_leader, CLUSTER_PRODUCE_DONE, 0, 2, 6)
OUTCOME(passing_errors, CLUSTER_PRODUCE_DONE, 0, 6, 3, 5, 19, 74, 41)
OUTCOME(unknown_errors, CLUSTER_PRODUCE_DONE, 0, 6, 7, 20, 56, 13, -1)
OUTCOME(connection_cut, CLUSTER_PRODUCE_DONE, 0, 3, CUT, CUT)
OUTCOME(wrong_partition, CLUSTER_PRODUCE_DONE, 0, 2, WRONG_PARTITION)
OUTCOME(no_partition, CLUSTER_PRODUCE_DONE, 0, 2, NOTHING)
OUTCOME(too_large, CLUSTER_PRODUCE_FAILED, 10, 1, 10)
OUTCOME(not_allowed, CLUSTER_PRODUCE_FAILED, 29, 2, 6, 29)
OUTCOME(out_of_order, CLUSTER_PRODUCE_FAILED, 45, 1, 45)
OUTCOME(unknown_producer, CLUSTER_PRODUCE_FAILED, 59, 1, 59)
OUTCOME(old_epoch, CLUSTER_PRODUCE_FAILED, 47, 1, 47)
OUTCOME(corrupt, CLUSTER_PRODUCE_FAILED, 2, 1, 2)
OUTCOME(duplicate_without_offset, CLUSTER_PRODUCE_LOST, 46, 1, 46)
OUTCOME(done_without_offset, CLUSTER_PRODUCE_LOST, 0, 1, NO_OFFSET)
/* The first attempt may have been written: a refusal of the second one does not say that it was not. */
OUTCOME(refused_after_cut, CLUSTER_PRODUCE_LOST, 45, 2, CUT, 45)
OUTCOME(refused_after_timeout, CLUSTER_PRODUCE_LOST, 47, 3, 7, 6, 47)

static void test_silence_is_tried_again(void **state)
{
	struct fixture *f = *state;
	const int script[] = {SILENT};
	struct cluster_counts c;

	f->cl.fake.max_version[0] = 12;
	expect_outcome(f, 1, script, CLUSTER_PRODUCE_DONE, 0, 2);
	cluster_get_counts(f->cl.cluster, &c);
	assert_int_equal(c.produce_retries, 1);
}

static void test_topic_ids(void **state)
{
	struct fixture *f = *state;

	f->cl.fake.max_version[0] = 13;
	write_batch(f, "t", 0, 1, 1000);
	UNTIL(&f->cl, f->done > 0);
	assert_int_equal(f->cl.fake.version[0], 13);
	assert_int_equal(f->outcome, CLUSTER_PRODUCE_DONE);
	assert_true(f->by_id);
}

static void test_topic_without_id(void **state)
{
	struct fixture *f = *state;

	f->cl.fake.max_version[0] = 13;
	f->cl.fake.topics[1] = (struct fake_topic){.name = "old", .partitions_n = 1, .leader = {1}};
	cluster_refresh(f->cl.cluster);
	UNTIL(&f->cl, f->cl.metadata_n == 2);
	write_batch(f, "old", 0, 1, 1000);
	UNTIL(&f->cl, f->done > 0);
	assert_int_equal(f->cl.fake.version[0], 12);
	assert_int_equal(f->outcome, CLUSTER_PRODUCE_DONE);
	assert_false(f->by_id);
}

static void test_writes_of_a_turn_share_a_request(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < 3; i++)
		write_batch(f, "t", i, i, 1000);
	UNTIL(&f->cl, f->done == 3);
	assert_int_equal(f->failed, 0);
	assert_int_equal(f->cl.fake.requests[0], 1);
	assert_int_equal(f->partitions_max, 3);
}

static void test_large_writes_go_alone(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < 3; i++)
		write_batch(f, "t", i, i, 600000);
	UNTIL(&f->cl, f->done == 3);
	assert_int_equal(f->cl.fake.requests[0], 3);
}

/* Even when the first one has to be sent again, the second does not overtake it. */
static void test_writes_of_a_partition_keep_order(void **state)
{
	struct fixture *f = *state;
	const int script[] = {6, CUT, 19};

	f->script_n = 3;
	memcpy(f->script, script, sizeof(script));
	for (int i = 0; i < 10; i++)
		write_batch(f, "t", 1, i, 1000);
	UNTIL(&f->cl, f->done == 10);
	assert_int_equal(f->failed, 0);
	for (int i = 1; i < f->seen_n; i++)
		assert_true(f->seen[i] >= f->seen[i - 1]);
	assert_int_equal(f->seen[f->seen_n - 1], 9);
}

static void test_cancel(void **state)
{
	struct fixture *f = *state;
	const int script[] = {SILENT};
	struct cluster_produce *p;

	/* Before it is sent. */
	cluster_produce_cancel(write_batch(f, "t", 0, 1, 1000));
	client_run(&f->cl, NULL, 50);
	assert_int_equal(f->cl.fake.requests[0], 0);
	/* On its way: the others of the same request are told. */
	f->cancel_on_the_way = write_batch(f, "t", 0, 2, 1000);
	write_batch(f, "t", 1, 3, 1000);
	UNTIL(&f->cl, f->done == 1);
	assert_int_equal(f->offset, 30);
	/* While it waits to be sent again. */
	f->done = 0;
	f->script[0] = script[0];
	f->script_n = 1;
	p = write_batch(f, "t", 0, 4, 1000);
	UNTIL(&f->cl, f->script_n == 0);
	fake_cut(&f->cl.fake);
	client_run(&f->cl, NULL, 10);
	cluster_produce_cancel(p);
	client_run(&f->cl, NULL, 300);
	assert_int_equal(f->done, 0);
}

/* Two writes have ended in one turn; the callback of the first gives up the second. */
static void test_cancel_in_a_callback(void **state)
{
	struct fixture *f = *state;

	write_batch(f, "t", 0, 1, 1000);
	f->cancel_in_callback = write_batch(f, "t", 1, 2, 1000);
	UNTIL(&f->cl, f->done > 0);
	client_run(&f->cl, NULL, 50);
	assert_int_equal(f->done, 1);
	assert_int_equal(f->offset, 10);
}

static void test_free_in_a_callback(void **state)
{
	struct fixture *f = *state;

	f->free_in_callback = true;
	for (int i = 0; i < 3; i++)
		write_batch(f, "t", i, i, 1000);
	UNTIL(&f->cl, f->done > 0);
	client_run(&f->cl, NULL, 50);
	assert_int_equal(f->done, 1);
}

static void test_recreated_topic(void **state)
{
	struct fixture *f = *state;
	const int script[] = {19, 19, 19, 19, 19, 19, 19, 19};

	memcpy(f->script, script, sizeof(script));
	f->script_n = 8;
	write_batch(f, "t", 0, 1, 1000);
	UNTIL(&f->cl, f->script_n < 8);
	f->cl.fake.topics[0].id.b[7] = 99;
	cluster_refresh(f->cl.cluster);
	UNTIL(&f->cl, f->done == 1);
	assert_int_equal(f->outcome, CLUSTER_PRODUCE_FAILED);
	assert_int_equal(f->error, KAFKA_ERR_INCONSISTENT_TOPIC_ID);
}

static void test_topic_appears_late(void **state)
{
	struct fixture *f = *state;

	write_batch(f, "late", 0, 5, 1000);
	client_run(&f->cl, NULL, 100);
	assert_int_equal(f->done, 0);
	f->cl.fake.topics[1] = (struct fake_topic){.name = "late", .id = {{8}}, .partitions_n = 1, .leader = {1}};
	UNTIL(&f->cl, f->done > 0);
	assert_int_equal(f->outcome, CLUSTER_PRODUCE_DONE);
	assert_int_equal(f->offset, 50);
}

static void test_broker_is_away_for_a_while(void **state)
{
	struct fixture *f = *state;

	fake_stop(&f->cl.fake);
	write_batch(f, "t", 0, 5, 1000);
	client_run(&f->cl, NULL, 300);
	assert_int_equal(f->done, 0);
	fake_restart(&f->cl.fake);
	UNTIL(&f->cl, f->done > 0);
	assert_int_equal(f->outcome, CLUSTER_PRODUCE_DONE);
	assert_int_equal(f->offset, 50);
}

static void on_producer(void *arg, int16_t error, int64_t id, int16_t epoch)
{
	struct fixture *f = arg;

	f->done++;
	f->error = error;
	f->offset = id * 100 + epoch;
}

static void test_producer_id_is_tried_until_it_comes(void **state)
{
	struct fixture *f = *state;
	const int script[] = {14, 15, 7, 51};

	memcpy(f->script, script, sizeof(script));
	f->script_n = 4;
	cluster_init_producer_id(f->cl.cluster, on_producer, f);
	UNTIL(&f->cl, f->done > 0);
	assert_int_equal(f->error, 0);
	assert_int_equal(f->offset, 7703);
	assert_int_equal(f->cl.fake.requests[22], 5);
	f->done = 0;
	f->script[0] = KAFKA_ERR_CLUSTER_AUTHORIZATION_FAILED;
	f->script_n = 1;
	cluster_init_producer_id(f->cl.cluster, on_producer, f);
	UNTIL(&f->cl, f->done > 0);
	assert_int_equal(f->error, KAFKA_ERR_CLUSTER_AUTHORIZATION_FAILED);
}

static void on_result(void *arg, int16_t error, struct str message)
{
	struct fixture *f = arg;

	f->done++;
	f->error = error;
	snprintf(f->message, sizeof(f->message), "%.*s", (int)message.n, message.p ? message.p : "");
}

static void test_create_topic(void **state)
{
	struct fixture *f = *state;
	const struct cluster_topic_config configs[] = {
		{STR_LIT("cleanup.policy"), STR_LIT("delete")}, {STR_LIT("retention.ms"), STR_LIT("-1")}};

	f->script[0] = KAFKA_ERR_NOT_CONTROLLER;
	f->script[1] = KAFKA_ERR_TOPIC_ALREADY_EXISTS;
	f->script_n = 2;
	cluster_create_topic(f->cl.cluster, STR_LIT("new"), 5, 1, configs, 2, on_result, f);
	UNTIL(&f->cl, f->done > 0);
	assert_int_equal(f->error, KAFKA_ERR_TOPIC_ALREADY_EXISTS);
	assert_string_equal(f->message, "no");
	assert_int_equal(f->configs_n, 2);
	assert_int_equal(f->cl.fake.requests[19], 2);
	/* An API that the broker does not have is a final answer. */
	f->done = 0;
	f->cl.fake.max_version[19] = -1;
	fake_cut(&f->cl.fake);
	client_run(&f->cl, NULL, 100);
	cluster_create_topic(f->cl.cluster, STR_LIT("new"), 5, 1, configs, 2, on_result, f);
	UNTIL(&f->cl, f->done > 0);
	assert_int_equal(f->error, KAFKA_ERR_UNSUPPORTED_VERSION);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		T(test_written),
		T(test_not_leader),
		T(test_passing_errors),
		T(test_unknown_errors),
		T(test_connection_cut),
		T(test_wrong_partition),
		T(test_no_partition),
		T(test_too_large),
		T(test_not_allowed),
		T(test_out_of_order),
		T(test_unknown_producer),
		T(test_old_epoch),
		T(test_corrupt),
		T(test_duplicate_without_offset),
		T(test_done_without_offset),
		T(test_refused_after_cut),
		T(test_refused_after_timeout),
		cmocka_unit_test_setup_teardown(test_silence_is_tried_again, setup_short, teardown),
		T(test_topic_ids),
		T(test_topic_without_id),
		T(test_writes_of_a_turn_share_a_request),
		T(test_large_writes_go_alone),
		T(test_writes_of_a_partition_keep_order),
		T(test_cancel),
		T(test_cancel_in_a_callback),
		T(test_free_in_a_callback),
		T(test_recreated_topic),
		T(test_topic_appears_late),
		T(test_broker_is_away_for_a_while),
		T(test_producer_id_is_tried_until_it_comes),
		T(test_create_topic),
#undef T
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
