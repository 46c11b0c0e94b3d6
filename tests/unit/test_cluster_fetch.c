/* SPDX-License-Identifier: Apache-2.0 */
/* Fetches of the cluster client: shared requests, waiting at the end of logs without delaying others, slices of one
 * chunk, errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/clock.h"
#include "cluster_fake.h"

#define WANTS 8
/* One connection of the client, as the broker sees it: a fetch that waits there. */
#define HELD 8

struct fixture;

struct fetched {
	struct fixture *f;
	int done;
	int16_t error;
	int64_t high_watermark, log_start, stable;
	struct chunk *chunk;
	struct slice records;
	uint32_t aborted_n;
	int64_t aborted_producer;
	int64_t at; /* when it came */
};

/* A fetch without data stays with the broker for its max_wait, as in Kafka. */
struct held {
	struct fixture *f;
	struct conn *conn;
	struct request_header header;
	int32_t partitions[FAKE_PARTITIONS];
	uint32_t n;
	struct timer timer;
};

struct fixture {
	struct client cl;
	int64_t end[FAKE_PARTITIONS]; /* of the log of topic t */
	size_t size;                  /* bytes of records in an answer */
	int16_t partition_error, error;
	bool leave_out, answer_twice, wrong_id, with_aborted;
	bool free_in_callback;
	int32_t last_wait, waits[64];
	int waits_n, partitions_max, held_n;
	int8_t isolation[64];
	struct fetched got[WANTS];
	struct held held[HELD];
};

static void fill_partition(
	struct fixture *f, struct fake_request *rq, int32_t index, bool data, struct fetch_response_partition_data *p)
{
	struct slice *s = fake_zalloc(rq, 1, sizeof(*s));
	uint8_t *bytes = data ? fake_zalloc(rq, 1, f->size) : fake_zalloc(rq, 1, 1);

	codec_init(&fetch_response_partition_data_schema, p);
	p->partition_index = index;
	p->error_code = f->partition_error;
	p->high_watermark = f->end[index];
	p->last_stable_offset = f->end[index];
	p->log_start_offset = 0;
	if (data) {
		memset(bytes, 'a' + index, f->size);
		*s = (struct slice){.p = bytes, .n = f->size};
	}
	p->records = (struct records){.v = s, .v_n = data ? 1 : 0};
	p->aborted_transactions = NULL;
	if (f->with_aborted) {
		p->aborted_transactions = fake_zalloc(rq, 2, sizeof(*p->aborted_transactions));
		p->aborted_transactions_n = 2;
		p->aborted_transactions[1].producer_id = 55;
	}
}

static void finish_answer(struct fixture *f, struct fake_request *rq, struct fetch_response *m)
{
	m->error_code = f->error;
	if (f->leave_out)
		m->responses_n = 0;
	if (f->wrong_id)
		m->responses[0].topic_id.b[3] ^= 1;
	if (f->answer_twice) {
		m->responses[1] = m->responses[0];
		m->responses_n = 2;
	}
	fake_answer(rq, m);
}

static void on_held(void *arg)
{
	struct held *h = arg;
	struct fake_request rq = {.fake = &h->f->cl.fake, .conn = h->conn, .header = h->header};
	struct arena a;
	struct fetch_response m;

	h->f->held_n--;
	h->conn = NULL;
	if (!fake_has_conn(rq.fake, rq.conn))
		return;
	arena_init(&a, 1024 * 1024);
	rq.arena = &a;
	codec_init(&fetch_response_schema, &m);
	m.responses = fake_zalloc(&rq, 2, sizeof(*m.responses));
	m.responses_n = 1;
	m.responses[0].topic = STR_LIT("t");
	m.responses[0].topic_id = h->f->cl.fake.topics[0].id;
	m.responses[0].partitions = fake_zalloc(&rq, h->n, sizeof(*m.responses[0].partitions));
	m.responses[0].partitions_n = h->n;
	for (uint32_t i = 0; i < h->n; i++)
		fill_partition(h->f, &rq, h->partitions[i], false, &m.responses[0].partitions[i]);
	finish_answer(h->f, &rq, &m);
	arena_release(&a);
}

static void hold(struct fixture *f, struct fake_request *rq, const struct fetch_request *q)
{
	for (int i = 0; i < HELD; i++) {
		struct held *h = &f->held[i];

		if (h->conn)
			continue;
		*h = (struct held){.f = f, .conn = rq->conn, .header = rq->header, .n = q->topics[0].partitions_n};
		for (uint32_t k = 0; k < h->n; k++)
			h->partitions[k] = q->topics[0].partitions[k].partition;
		timer_init(&h->timer, f->cl.loop, on_held, h);
		timer_set(&h->timer, loop_now(f->cl.loop) + q->max_wait_ms);
		f->held_n++;
		return;
	}
	fail_msg("too many fetches wait");
}

static bool handle(void *arg, struct fake_request *rq)
{
	struct fixture *f = arg;
	struct fetch_request q;
	struct fetch_response m;
	bool any = false;

	if (rq->header.api_key != 1)
		return false;
	fake_decode(rq, &q);
	assert_int_equal(q.session_id, 0);
	assert_int_equal(q.session_epoch, -1);
	assert_int_equal(q.min_bytes, 1);
	assert_int_equal(q.topics_n, 1);
	f->last_wait = q.max_wait_ms;
	f->isolation[f->waits_n] = q.isolation_level;
	f->waits[f->waits_n++ % 64] = q.max_wait_ms;
	f->partitions_max =
		(int)q.topics[0].partitions_n > f->partitions_max ? (int)q.topics[0].partitions_n : f->partitions_max;
	codec_init(&fetch_response_schema, &m);
	m.responses = fake_zalloc(rq, 2, sizeof(*m.responses));
	m.responses_n = 1;
	m.responses[0].topic = q.topics[0].topic;
	m.responses[0].topic_id = q.topics[0].topic_id;
	m.responses[0].partitions = fake_zalloc(rq, q.topics[0].partitions_n, sizeof(*m.responses[0].partitions));
	m.responses[0].partitions_n = q.topics[0].partitions_n;
	for (uint32_t i = 0; i < q.topics[0].partitions_n; i++) {
		const struct fetch_request_fetch_partition *p = &q.topics[0].partitions[i];
		bool data = p->fetch_offset < f->end[p->partition] && !f->partition_error;

		any = any || data;
		fill_partition(f, rq, p->partition, data, &m.responses[0].partitions[i]);
	}
	if (any || f->partition_error || f->error)
		finish_answer(f, rq, &m);
	else
		hold(f, rq, &q);
	return true;
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	client_init(&f->cl, handle, f);
	f->size = 500;
	for (int i = 0; i < WANTS; i++)
		f->got[i].f = f;
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < WANTS; i++)
		chunk_unref(f->got[i].chunk);
	for (int i = 0; i < HELD; i++) {
		if (f->held[i].conn)
			timer_clear(&f->held[i].timer);
	}
	client_release(&f->cl);
	free(f);
	return 0;
}

static void on_fetched(void *arg, const struct cluster_fetch_result *res)
{
	struct fetched *g = arg;

	g->done++;
	g->error = res->error;
	g->high_watermark = res->high_watermark;
	g->stable = res->last_stable_offset;
	g->log_start = res->log_start_offset;
	chunk_unref(g->chunk);
	g->chunk = chunk_ref(res->records.chunk);
	g->records = res->records;
	g->aborted_n = res->aborted_n;
	g->aborted_producer = res->aborted_n > 1 ? res->aborted[1].producer_id : 0;
	g->at = clock_mono_ms();
	if (g->f->free_in_callback) {
		cluster_free(g->f->cl.cluster);
		g->f->cl.cluster = NULL;
	}
}

static struct fetched *want(struct fixture *f, int slot, int32_t partition, int64_t offset)
{
	struct fetched *g = &f->got[slot];

	g->done = 0;
	cluster_fetch(f->cl.cluster, STR_LIT("t"), partition, offset, 10000, false, on_fetched, g);
	assert_int_equal(g->done, 0);
	return g;
}

static void test_partitions_share_a_request_and_a_chunk(void **state)
{
	struct fixture *f = *state;

	f->end[0] = f->end[1] = f->end[2] = 100;
	client_start(&f->cl, true);
	for (int i = 0; i < 3; i++)
		want(f, i, i, 0);
	UNTIL(&f->cl, f->got[0].done + f->got[1].done + f->got[2].done == 3);
	assert_int_equal(f->cl.fake.requests[1], 1);
	assert_int_equal(f->partitions_max, 3);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(f->got[i].done, 1);
		assert_int_equal(f->got[i].error, 0);
		assert_int_equal(f->got[i].records.n, 500);
		assert_int_equal(f->got[i].records.p[499], 'a' + i);
		assert_int_equal(f->got[i].high_watermark, 100);
		assert_ptr_equal(f->got[i].chunk, f->got[0].chunk);
		assert_true(f->got[i].records.p >= f->got[i].chunk->data &&
			    f->got[i].records.p + 500 <= f->got[i].chunk->data + f->got[i].chunk->size);
	}
	/* Only ours are left. */
	assert_int_equal(f->got[0].chunk->refs, 3);
}

static void test_large_answer(void **state)
{
	struct fixture *f = *state;

	f->end[0] = 100;
	f->size = 3000000;
	client_start(&f->cl, true);
	want(f, 0, 0, 0);
	UNTIL(&f->cl, f->got[0].done);
	assert_int_equal(f->got[0].records.n, 3000000);
	assert_int_equal(f->got[0].records.p[2999999], 'a');
}

static void test_topic_ids(void **state)
{
	struct fixture *f = *state;

	f->end[1] = 5;
	f->cl.fake.max_version[1] = 12;
	client_start(&f->cl, true);
	want(f, 0, 1, 0);
	UNTIL(&f->cl, f->got[0].done);
	assert_int_equal(f->cl.fake.version[1], 12);
	f->cl.fake.max_version[1] = 18;
	fake_cut(&f->cl.fake);
	client_run(&f->cl, NULL, 50);
	want(f, 0, 1, 0);
	UNTIL(&f->cl, f->got[0].done);
	assert_int_equal(f->cl.fake.version[1], 18);
	assert_int_equal(f->got[0].records.n, 500);
	/* A cluster that gives topics no id. */
	f->cl.fake.topics[0].id = (struct uuid){{0}};
	cluster_refresh(f->cl.cluster);
	UNTIL(&f->cl, f->cl.metadata_n == 2);
	want(f, 0, 1, 0);
	UNTIL(&f->cl, f->got[0].done);
	assert_int_equal(f->cl.fake.version[1], 12);
	assert_int_equal(f->got[0].records.n, 500);
}

static void test_end_of_log_waits(void **state)
{
	struct fixture *f = *state;
	int64_t before;

	f->end[0] = 10;
	client_start(&f->cl, true);
	before = clock_mono_ms();
	want(f, 0, 0, 10);
	UNTIL(&f->cl, f->got[0].done);
	assert_int_equal(f->got[0].error, 0);
	assert_int_equal(f->got[0].records.n, 0);
	assert_int_equal(f->got[0].high_watermark, 10);
	assert_in_range(clock_mono_ms() - before, 50, 5000);
}

/* Wants at the end wait at the broker; one with data comes at once nevertheless, again and again. */
static void test_waiting_delays_nobody(void **state)
{
	struct fixture *f = *state;
	int64_t before;

	f->cl.cfg.fetch_max_wait_ms = 10000;
	f->end[0] = f->end[1] = 10;
	f->end[2] = 1000;
	client_start(&f->cl, true);
	/* Not known yet that they are at the end. */
	want(f, 0, 0, 10);
	UNTIL(&f->cl, f->held_n == 1);
	want(f, 1, 1, 10);
	UNTIL(&f->cl, f->cl.fake.requests[1] >= 3);
	before = clock_mono_ms();
	for (int i = 0; i < 20; i++) {
		want(f, 2, 2, i);
		UNTIL(&f->cl, f->got[2].done);
		assert_int_equal(f->got[2].records.n, 500);
	}
	assert_true(clock_mono_ms() - before < 5000);
	assert_int_equal(f->got[0].done + f->got[1].done, 0);
}

/* A want that has just learned that it is at the end does not ask the broker without a pause. */
static void test_waiting_does_not_spin(void **state)
{
	struct fixture *f = *state;
	int64_t before = clock_mono_ms();

	f->cl.cfg.fetch_max_wait_ms = 1000;
	client_start(&f->cl, true);
	for (int i = 0; i < 3; i++) {
		want(f, i, i, 0);
		client_run(&f->cl, NULL, 10);
	}
	client_run(&f->cl, NULL, 500);
	assert_true(f->cl.fake.requests[1] < (clock_mono_ms() - before) / 20 + 10);
}

static void test_both_isolation_levels(void **state)
{
	struct fixture *f = *state;

	f->end[0] = 10;
	f->with_aborted = true;
	client_start(&f->cl, true);
	cluster_fetch(f->cl.cluster, STR_LIT("t"), 0, 0, 1000, true, on_fetched, &f->got[0]);
	cluster_fetch(f->cl.cluster, STR_LIT("t"), 0, 0, 1000, false, on_fetched, &f->got[1]);
	UNTIL(&f->cl, f->got[0].done + f->got[1].done == 2);
	assert_int_equal(f->cl.fake.requests[1], 2);
	assert_int_equal(f->isolation[0] + f->isolation[1], 1);
	assert_int_equal(f->got[0].aborted_n, 2);
	assert_int_equal(f->got[0].aborted_producer, 55);
}

/* Two readers of one partition at different places: never in the same request. */
static void test_same_partition_twice(void **state)
{
	struct fixture *f = *state;

	f->end[0] = 10;
	client_start(&f->cl, true);
	want(f, 0, 0, 0);
	want(f, 1, 0, 5);
	UNTIL(&f->cl, f->got[0].done + f->got[1].done == 2);
	assert_int_equal(f->partitions_max, 1);
}

static void test_partition_error(void **state)
{
	struct fixture *f = *state;
	int asked;

	client_start(&f->cl, true);
	asked = f->cl.fake.requests[3];
	f->partition_error = KAFKA_ERR_OFFSET_OUT_OF_RANGE;
	want(f, 0, 0, 77);
	UNTIL(&f->cl, f->got[0].done == 1);
	client_run(&f->cl, NULL, 150);
	assert_int_equal(f->got[0].error, KAFKA_ERR_OFFSET_OUT_OF_RANGE);
	assert_int_equal(f->got[0].records.n, 0);
	assert_int_equal(f->cl.fake.requests[3], asked);
	/* A leadership error is told too, and metadata asked for. */
	f->partition_error = KAFKA_ERR_NOT_LEADER_OR_FOLLOWER;
	want(f, 0, 0, 77);
	UNTIL(&f->cl, f->got[0].done == 1);
	assert_int_equal(f->got[0].error, KAFKA_ERR_NOT_LEADER_OR_FOLLOWER);
	UNTIL(&f->cl, f->cl.fake.requests[3] > asked);
}

static void expect_error(struct fixture *f, int16_t error)
{
	f->end[0] = f->end[1] = 10;
	want(f, 0, 0, 0);
	want(f, 1, 1, 0);
	UNTIL(&f->cl, f->got[0].done == 1 && f->got[1].done == 1);
	assert_int_equal(f->got[0].error, error);
	assert_int_equal(f->got[1].error, error);
	assert_int_equal(f->got[0].high_watermark, -1);
	/* Afterwards all is well again. */
	f->error = 0;
	f->leave_out = f->answer_twice = f->wrong_id = false;
	want(f, 0, 0, 0);
	UNTIL(&f->cl, f->got[0].done);
	assert_int_equal(f->got[0].error, 0);
}

static void test_top_level_error(void **state)
{
	struct fixture *f = *state;

	client_start(&f->cl, true);
	f->error = KAFKA_ERR_FETCH_SESSION_TOPIC_ID_ERROR;
	expect_error(f, KAFKA_ERR_FETCH_SESSION_TOPIC_ID_ERROR);
}

static void test_answer_without_a_partition(void **state)
{
	struct fixture *f = *state;

	client_start(&f->cl, true);
	f->leave_out = true;
	expect_error(f, KAFKA_ERR_NETWORK_EXCEPTION);
	assert_true(client_logged(&f->cl, "reason=malformed_response"));
}

static void test_answer_with_a_partition_twice(void **state)
{
	struct fixture *f = *state;

	client_start(&f->cl, true);
	f->answer_twice = true;
	expect_error(f, KAFKA_ERR_NETWORK_EXCEPTION);
}

static void test_answer_for_another_topic(void **state)
{
	struct fixture *f = *state;

	client_start(&f->cl, true);
	f->wrong_id = true;
	expect_error(f, KAFKA_ERR_NETWORK_EXCEPTION);
}

static void test_connection_lost(void **state)
{
	struct fixture *f = *state;

	f->cl.cfg.fetch_max_wait_ms = 10000;
	client_start(&f->cl, true);
	want(f, 0, 0, 0);
	UNTIL(&f->cl, f->held_n == 1);
	fake_stop(&f->cl.fake);
	UNTIL(&f->cl, f->got[0].done);
	assert_int_equal(f->got[0].done, 1);
	assert_int_equal(f->got[0].error, KAFKA_ERR_NETWORK_EXCEPTION);
	/* Nobody listens: the answer is the same, and does not take long. */
	want(f, 1, 0, 0);
	UNTIL(&f->cl, f->got[1].done);
	assert_int_equal(f->got[1].error, KAFKA_ERR_NETWORK_EXCEPTION);
}

static void test_unknown_places(void **state)
{
	struct fixture *f = *state;

	f->cl.fake.topics[0].leader[2] = -1;
	client_start(&f->cl, true);
	want(f, 0, 9, 0);
	want(f, 1, 2, 0);
	cluster_fetch(f->cl.cluster, STR_LIT("nope"), 0, 0, 1000, false, on_fetched, &f->got[2]);
	UNTIL(&f->cl, f->got[0].done + f->got[1].done + f->got[2].done == 3);
	assert_int_equal(f->got[0].error, KAFKA_ERR_UNKNOWN_TOPIC_OR_PARTITION);
	assert_int_equal(f->got[1].error, KAFKA_ERR_LEADER_NOT_AVAILABLE);
	assert_int_equal(f->got[2].error, KAFKA_ERR_UNKNOWN_TOPIC_OR_PARTITION);
	assert_int_equal(f->got[2].done, 1);
}

static void test_before_the_first_metadata(void **state)
{
	struct fixture *f = *state;

	f->end[0] = 10;
	client_start(&f->cl, false);
	want(f, 0, 0, 0);
	UNTIL(&f->cl, f->got[0].done);
	assert_int_equal(f->got[0].error, 0);
	assert_int_equal(f->got[0].records.n, 500);
}

static void test_no_metadata_at_all(void **state)
{
	struct fixture *f = *state;

	f->cl.cfg.request_timeout_ms = 300;
	fake_stop(&f->cl.fake);
	client_start(&f->cl, false);
	want(f, 0, 0, 0);
	UNTIL(&f->cl, f->got[0].done);
	assert_int_equal(f->got[0].done, 1);
	assert_int_equal(f->got[0].error, KAFKA_ERR_NETWORK_EXCEPTION);
}

static void test_leader_moves_while_waiting(void **state)
{
	struct fixture *f = *state;

	f->cl.cfg.fetch_connections = 1;
	f->cl.cfg.fetch_max_wait_ms = 10000;
	client_start(&f->cl, true);
	fake_start(&f->cl.second, f->cl.loop, 2, handle, f);
	f->cl.second.topics[0] = f->cl.fake.topics[0];
	f->cl.second.others[0] = &f->cl.fake;
	f->cl.fake.others[0] = &f->cl.second;
	/* The first takes the only connection; the second waits for it, and then for another broker. */
	want(f, 0, 0, 0);
	UNTIL(&f->cl, f->held_n == 1);
	want(f, 1, 1, 0);
	f->end[1] = 10;
	f->cl.fake.topics[0].leader[1] = f->cl.second.topics[0].leader[1] = 2;
	cluster_refresh(f->cl.cluster);
	UNTIL(&f->cl, f->got[1].done == 1);
	assert_int_equal(f->got[0].done, 0);
	assert_int_equal(f->got[1].records.n, 500);
	assert_int_equal(f->cl.second.requests[1], 1);
}

static void test_free_in_a_callback(void **state)
{
	struct fixture *f = *state;

	f->end[0] = f->end[1] = 10;
	client_start(&f->cl, true);
	f->free_in_callback = true;
	want(f, 0, 0, 0);
	want(f, 1, 1, 0);
	want(f, 2, 2, 0);
	UNTIL(&f->cl, f->got[0].done + f->got[1].done + f->got[2].done > 0);
	client_run(&f->cl, NULL, 50);
	assert_int_equal(f->got[0].done + f->got[1].done + f->got[2].done, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		T(test_partitions_share_a_request_and_a_chunk),
		T(test_large_answer),
		T(test_topic_ids),
		T(test_end_of_log_waits),
		T(test_waiting_delays_nobody),
		T(test_waiting_does_not_spin),
		T(test_both_isolation_levels),
		T(test_same_partition_twice),
		T(test_partition_error),
		T(test_top_level_error),
		T(test_answer_without_a_partition),
		T(test_answer_with_a_partition_twice),
		T(test_answer_for_another_topic),
		T(test_connection_lost),
		T(test_unknown_places),
		T(test_before_the_first_metadata),
		T(test_no_metadata_at_all),
		T(test_leader_moves_while_waiting),
		T(test_free_in_a_callback),
#undef T
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
