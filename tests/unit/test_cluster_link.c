/* SPDX-License-Identifier: Apache-2.0 */
/* Connections of the cluster client to brokers that answer badly, late or not at all, and metadata that changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/clock.h"
#include "cluster_fake.h"

struct fixture {
	struct client cl;
	/* How often the broker misbehaves before it does what it should, on which API, and how. */
	int faults, key;
	void (*fault)(struct fixture *f, struct fake_request *rq);
	int done, error;
	int64_t offset;
};

static bool handle(void *arg, struct fake_request *rq)
{
	struct fixture *f = arg;

	if (rq->header.api_key == f->key && f->faults > 0) {
		f->faults--;
		f->fault(f, rq);
		return true;
	}
	return false;
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	client_init(&f->cl, handle, f);
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

static void fault_silence(struct fixture *f, struct fake_request *rq)
{
	(void)f;
	(void)rq;
}

static void fault_close(struct fixture *f, struct fake_request *rq)
{
	(void)f;
	conn_close(rq->conn, "fault");
}

static void fault_garbage(struct fixture *f, struct fake_request *rq)
{
	static const uint8_t junk[64] = {0, 0, 0, 60, 0, 0, 0, 0, 0xff, 0xff, 0xff};
	uint8_t copy[64];

	(void)f;
	memcpy(copy, junk, sizeof(junk));
	/* The right correlation id, then nonsense. */
	for (int i = 0; i < 4; i++)
		copy[4 + i] = (uint8_t)(rq->header.correlation_id >> (24 - 8 * i));
	fake_answer_raw(rq, copy, sizeof(copy));
}

static void fault_http(struct fixture *f, struct fake_request *rq)
{
	(void)f;
	fake_answer_raw(rq, "HTTP/1.1 400 Bad Request\r\n\r\n", 28);
}

static void fault_tls_alert(struct fixture *f, struct fake_request *rq)
{
	(void)f;
	fake_answer_raw(rq, "\x15\x03\x03\x00\x02\x02\x46", 7);
}

static void fault_wrong_correlation(struct fixture *f, struct fake_request *rq)
{
	struct metadata_response m;

	(void)f;
	fake_metadata(rq, &m);
	rq->header.correlation_id += 7;
	fake_answer(rq, &m);
}

static void fault_twice(struct fixture *f, struct fake_request *rq)
{
	struct metadata_response m;

	(void)f;
	fake_metadata(rq, &m);
	fake_answer(rq, &m);
	fake_answer(rq, &m);
}

static void fault_half(struct fixture *f, struct fake_request *rq)
{
	struct metadata_response m;
	uint8_t out[4096];
	size_t n;

	(void)f;
	fake_metadata(rq, &m);
	n = fake_encode(rq, &m, out, sizeof(out));
	fake_answer_raw(rq, out, n / 2);
}

static void fault_half_and_close(struct fixture *f, struct fake_request *rq)
{
	fault_half(f, rq);
	conn_close_flush(rq->conn, "fault", 1000);
}

static void fault_too_large(struct fixture *f, struct fake_request *rq)
{
	uint8_t head[8] = {0x7f, 0xff, 0xff, 0xff};

	(void)f;
	for (int i = 0; i < 4; i++)
		head[4 + i] = (uint8_t)(rq->header.correlation_id >> (24 - 8 * i));
	fake_answer_raw(rq, head, sizeof(head));
}

static void fault_no_brokers(struct fixture *f, struct fake_request *rq)
{
	struct metadata_response m;

	(void)f;
	fake_metadata(rq, &m);
	m.brokers_n = 0;
	fake_answer(rq, &m);
}

static void fault_bad_index(struct fixture *f, struct fake_request *rq)
{
	struct metadata_response m;

	(void)f;
	fake_metadata(rq, &m);
	m.topics[0].partitions[1].partition_index = INT32_MAX;
	fake_answer(rq, &m);
}

static void fault_same_topic_twice(struct fixture *f, struct fake_request *rq)
{
	struct metadata_response m;

	(void)f;
	fake_metadata(rq, &m);
	m.topics[1] = m.topics[0];
	m.topics_n = 2;
	fake_answer(rq, &m);
}

static void fault_bad_port(struct fixture *f, struct fake_request *rq)
{
	struct metadata_response m;

	(void)f;
	fake_metadata(rq, &m);
	m.brokers[0].port = 70000;
	fake_answer(rq, &m);
}

/* Whatever a broker does on one API some times, the client ends the connection with a reason and gets through in the
 * end. */
static void expect_recovery(
	struct fixture *f, int key, void (*fault)(struct fixture *f, struct fake_request *rq), const char *reason)
{
	f->key = key;
	f->fault = fault;
	f->faults = 2;
	f->cl.cfg.request_timeout_ms = 300;
	f->cl.cfg.connection_setup_timeout_ms = 200;
	client_start(&f->cl, true);
	assert_int_equal(f->faults, 0);
	assert_int_equal(cluster_get_metadata(f->cl.cluster)->topics_n, 1);
	if (!client_logged(&f->cl, reason))
		fail_msg("the log does not tell '%s'", reason);
}

#define RECOVERY(name, key, fault, reason)                                                                             \
	static void test_##name(void **state)                                                                          \
	{                                                                                                              \
		expect_recovery(*state, key, fault, reason);                                                           \
	}

RECOVERY(versions_silence, 18, fault_silence, "reason=request_timeout")
RECOVERY(versions_close, 18, fault_close, "reason=peer_closed")
RECOVERY(versions_garbage, 18, fault_garbage, "reason=malformed_response")
RECOVERY(versions_http, 18, fault_http, "reason=http")
RECOVERY(versions_tls_alert, 18, fault_tls_alert, "reason=tls_alert")
RECOVERY(metadata_silence, 3, fault_silence, "reason=request_timeout")
RECOVERY(metadata_close, 3, fault_close, "reason=peer_closed")
RECOVERY(metadata_garbage, 3, fault_garbage, "reason=malformed_response")
RECOVERY(metadata_wrong_correlation, 3, fault_wrong_correlation, "reason=wrong_correlation_id")
RECOVERY(metadata_half, 3, fault_half, "reason=request_timeout")
RECOVERY(metadata_half_and_close, 3, fault_half_and_close, "reason=peer_closed")
RECOVERY(metadata_too_large, 3, fault_too_large, "reason=frame_too_large")
RECOVERY(metadata_no_brokers, 3, fault_no_brokers, "reached")
RECOVERY(metadata_bad_index, 3, fault_bad_index, "reason=malformed_response")
RECOVERY(metadata_same_topic_twice, 3, fault_same_topic_twice, "reason=malformed_response")
RECOVERY(metadata_bad_port, 3, fault_bad_port, "reason=malformed_response")

static void test_answer_nobody_asked_for(void **state)
{
	struct fixture *f = *state;

	f->key = 3;
	f->fault = fault_twice;
	f->faults = 1;
	client_start(&f->cl, true);
	/* The connection to the bootstrap server has done its work; the next question goes over a new one. */
	f->faults = 1;
	cluster_refresh(f->cl.cluster);
	UNTIL(&f->cl, client_logged(&f->cl, "reason=unexpected_response"));
	UNTIL(&f->cl, cluster_is_connected(f->cl.cluster));
}

static void test_old_api_versions(void **state)
{
	struct fixture *f = *state;

	f->cl.fake.max_version[18] = 0;
	client_start(&f->cl, true);
	assert_int_equal(f->cl.fake.version[18], 0);
	/* Asked again on the same connection, not on another one. */
	assert_int_equal(f->cl.fake.requests[18], 2);
	assert_int_equal(f->cl.fake.accepted, 1);
}

static void test_broker_that_is_too_old(void **state)
{
	struct fixture *f = *state;

	f->cl.fake.max_version[3] = 3;
	client_start(&f->cl, false);
	UNTIL(&f->cl, client_logged(&f->cl, "offers MetadataRequest in no version"));
	client_run(&f->cl, NULL, 200);
	assert_int_equal(f->cl.metadata_n, 0);
	assert_true(f->cl.fake.requests[18] < 20);
}

static void test_second_bootstrap_server(void **state)
{
	struct fixture *f = *state;
	struct listener *gone;
	char errbuf[256];

	f->cl.servers[1] = f->cl.servers[0];
	f->cl.cfg.bootstrap_n = 2;
	/* A port that nobody listens on. */
	assert_int_equal(listener_new(f->cl.loop, "127.0.0.1", 0, NULL, NULL, &gone, errbuf), ERR_OK);
	f->cl.servers[0].port = listener_port(gone);
	listener_free(gone);
	client_start(&f->cl, true);
}

static void test_cluster_is_down_at_start(void **state)
{
	struct fixture *f = *state;

	fake_stop(&f->cl.fake);
	client_start(&f->cl, false);
	client_run(&f->cl, NULL, 300);
	assert_int_equal(f->cl.metadata_n, 0);
	assert_false(cluster_is_connected(f->cl.cluster));
	assert_null(cluster_get_metadata(f->cl.cluster));
	fake_restart(&f->cl.fake);
	client_run(&f->cl, &f->cl.metadata_n, 20000);
	assert_int_equal(f->cl.metadata_n, 1);
}

static void test_lost_cluster_comes_back(void **state)
{
	struct fixture *f = *state;
	struct cluster_counts counts;

	client_start(&f->cl, true);
	cluster_refresh(f->cl.cluster);
	UNTIL(&f->cl, f->cl.fake.requests[3] == 2);
	fake_stop(&f->cl.fake);
	cluster_refresh(f->cl.cluster);
	UNTIL(&f->cl, !cluster_is_connected(f->cl.cluster));
	assert_non_null(cluster_get_metadata(f->cl.cluster));
	fake_restart(&f->cl.fake);
	UNTIL(&f->cl, cluster_is_connected(f->cl.cluster));
	assert_int_equal(f->cl.metadata_n, 1);
	cluster_get_counts(f->cl.cluster, &counts);
	assert_true(counts.connect_failures > 0 && counts.connects > 1 && counts.connections == 1);
	assert_true(counts.requests >= counts.responses && counts.bytes_in > 0 && counts.bytes_out > 0);
}

static void on_offset(void *arg, int16_t error, int64_t offset)
{
	struct fixture *f = arg;

	f->done++;
	f->error = error;
	f->offset = offset;
}

static bool answer_offsets(void *arg, struct fake_request *rq)
{
	struct list_offsets_request q;
	struct list_offsets_response m;

	(void)arg;
	if (rq->header.api_key != 2)
		return false;
	fake_decode(rq, &q);
	codec_init(&list_offsets_response_schema, &m);
	m.topics = fake_zalloc(rq, q.topics_n, sizeof(*m.topics));
	m.topics_n = q.topics_n;
	for (uint32_t t = 0; t < q.topics_n; t++) {
		m.topics[t].name = q.topics[t].name;
		m.topics[t].partitions_n = q.topics[t].partitions_n;
		m.topics[t].partitions = fake_zalloc(rq, q.topics[t].partitions_n, sizeof(*m.topics[t].partitions));
		for (uint32_t i = 0; i < q.topics[t].partitions_n; i++) {
			m.topics[t].partitions[i].partition_index = q.topics[t].partitions[i].partition_index;
			m.topics[t].partitions[i].offset =
				rq->fake->id * 1000 + q.topics[t].partitions[i].partition_index;
		}
	}
	fake_answer(rq, &m);
	return true;
}

static void test_broker_moves(void **state)
{
	struct fixture *f = *state;
	const struct cluster_broker *b;

	client_start(&f->cl, true);
	fake_start(&f->cl.second, f->cl.loop, 1, answer_offsets, f);
	/* Broker 1 is at another port from now on; the old place only tells so. */
	f->cl.fake.others[0] = NULL;
	f->key = 3;
	f->faults = 0;
	f->cl.fake.handler = NULL;
	f->cl.fake.port = f->cl.second.port;
	cluster_refresh(f->cl.cluster);
	UNTIL(&f->cl, f->cl.metadata_n == 2);
	b = cluster_find_broker(f->cl.cluster, 1);
	assert_non_null(b);
	assert_int_equal(b->port, f->cl.second.port);
	assert_null(cluster_find_broker(f->cl.cluster, 2));
	cluster_list_offset(f->cl.cluster, STR_LIT("t"), 2, CLUSTER_OFFSET_LATEST, false, on_offset, f);
	UNTIL(&f->cl, f->done > 0);
	assert_int_equal(f->offset, 1002);
	assert_int_equal(f->cl.second.requests[2], 1);
}

/* Metadata has been asked for once more, and the answer is adopted. */
static void refresh_and_wait(struct fixture *f)
{
	int before = f->cl.fake.requests[3] + f->cl.second.requests[3];
	struct cluster_counts c;

	cluster_refresh(f->cl.cluster);
	UNTIL(&f->cl, f->cl.fake.requests[3] + f->cl.second.requests[3] > before);
	do {
		client_run(&f->cl, NULL, 5);
		cluster_get_counts(f->cl.cluster, &c);
	} while (c.responses < c.requests);
	client_run(&f->cl, NULL, 5);
}

static void test_leader_moves(void **state)
{
	struct fixture *f = *state;

	f->cl.fake.handler = answer_offsets;
	fake_start(&f->cl.second, f->cl.loop, 2, answer_offsets, f);
	f->cl.fake.others[0] = &f->cl.second;
	f->cl.second.others[0] = &f->cl.fake;
	f->cl.fake.topics[0].epoch[1] = 5;
	f->cl.second.topics[0] = f->cl.fake.topics[0];
	client_start(&f->cl, true);
	cluster_list_offset(f->cl.cluster, STR_LIT("t"), 1, CLUSTER_OFFSET_LATEST, false, on_offset, f);
	UNTIL(&f->cl, f->done > 0);
	assert_int_equal(f->offset, 1001);
	/* An older epoch than the known one is news of yesterday. */
	f->cl.fake.topics[0].leader[1] = f->cl.second.topics[0].leader[1] = 2;
	f->cl.fake.topics[0].epoch[1] = f->cl.second.topics[0].epoch[1] = 4;
	refresh_and_wait(f);
	assert_int_equal(cluster_find_topic(f->cl.cluster, STR_LIT("t"))->partitions[1].leader, 1);
	f->cl.fake.topics[0].epoch[1] = f->cl.second.topics[0].epoch[1] = 6;
	refresh_and_wait(f);
	assert_int_equal(cluster_find_topic(f->cl.cluster, STR_LIT("t"))->partitions[1].leader, 2);
	f->done = 0;
	cluster_list_offset(f->cl.cluster, STR_LIT("t"), 1, CLUSTER_OFFSET_LATEST, false, on_offset, f);
	UNTIL(&f->cl, f->done > 0);
	assert_int_equal(f->offset, 2001);
}

static void test_topics_come_and_go(void **state)
{
	struct fixture *f = *state;
	struct uuid id = {{9, 9}};

	client_start(&f->cl, true);
	f->cl.fake.topics[1] = (struct fake_topic){.name = "a", .id = id, .partitions_n = 1, .leader = {1}};
	f->cl.fake.topics[2] = (struct fake_topic){.name = "z", .id = {{0}}, .partitions_n = 1, .leader = {-1}};
	refresh_and_wait(f);
	assert_int_equal(f->cl.metadata_n, 2);
	assert_ptr_equal(cluster_find_topic(f->cl.cluster, STR_LIT("a")), cluster_find_topic_id(f->cl.cluster, id));
	assert_int_equal(cluster_find_topic(f->cl.cluster, STR_LIT("z"))->partitions[0].leader, -1);
	assert_int_equal(cluster_find_topic(f->cl.cluster, STR_LIT("t"))->replication_factor, 2);
	assert_null(cluster_find_topic_id(f->cl.cluster, (struct uuid){{0}}));
	assert_null(cluster_find_topic(f->cl.cluster, STR_LIT("b")));
	/* Nothing new: nothing is told. */
	refresh_and_wait(f);
	assert_int_equal(f->cl.metadata_n, 2);
	f->cl.fake.topics[1].name = NULL;
	refresh_and_wait(f);
	assert_int_equal(f->cl.metadata_n, 3);
	assert_null(cluster_find_topic(f->cl.cluster, STR_LIT("a")));
}

static void test_refresh_is_limited(void **state)
{
	struct fixture *f = *state;
	int64_t before = clock_mono_ms();

	client_start(&f->cl, true);
	for (int i = 0; i < 50; i++) {
		cluster_refresh(f->cl.cluster);
		client_run(&f->cl, NULL, 10);
	}
	assert_in_range(f->cl.fake.requests[3], 3, (clock_mono_ms() - before) / 100 + 2);
}

static void test_metadata_is_refreshed_by_age(void **state)
{
	struct fixture *f = *state;
	int64_t before = clock_mono_ms();

	f->cl.cfg.metadata_max_age_ms = 150;
	client_start(&f->cl, true);
	UNTIL(&f->cl, f->cl.fake.requests[3] >= 4);
	assert_in_range(f->cl.fake.requests[3], 4, (clock_mono_ms() - before) / 150 + 2);
}

static void test_offsets_share_a_request(void **state)
{
	struct fixture *f = *state;

	f->cl.fake.handler = answer_offsets;
	client_start(&f->cl, true);
	for (int i = 0; i < 3; i++)
		cluster_list_offset(f->cl.cluster, STR_LIT("t"), i, CLUSTER_OFFSET_LATEST, false, on_offset, f);
	UNTIL(&f->cl, f->done == 3);
	assert_int_equal(f->cl.fake.requests[2], 1);
	/* The same partition twice does not go into one request, nor do the two isolation levels. */
	cluster_list_offset(f->cl.cluster, STR_LIT("t"), 0, CLUSTER_OFFSET_LATEST, false, on_offset, f);
	cluster_list_offset(f->cl.cluster, STR_LIT("t"), 0, CLUSTER_OFFSET_EARLIEST, false, on_offset, f);
	cluster_list_offset(f->cl.cluster, STR_LIT("t"), 1, CLUSTER_OFFSET_LATEST, true, on_offset, f);
	UNTIL(&f->cl, f->done == 6);
	assert_int_equal(f->cl.fake.requests[2], 4);
}

static void test_offset_times_out(void **state)
{
	struct fixture *f = *state;
	int64_t before = clock_mono_ms();

	f->cl.cfg.request_timeout_ms = 300;
	client_start(&f->cl, true);
	f->key = 2;
	f->fault = fault_silence;
	f->faults = 1000;
	cluster_list_offset(f->cl.cluster, STR_LIT("t"), 0, CLUSTER_OFFSET_LATEST, false, on_offset, f);
	UNTIL(&f->cl, f->done == 1);
	assert_true(f->error == KAFKA_ERR_REQUEST_TIMED_OUT || f->error == KAFKA_ERR_NETWORK_EXCEPTION);
	assert_int_equal(f->offset, -1);
	assert_true(clock_mono_ms() - before < 5000);
}

static void test_offset_of_unknown_topic(void **state)
{
	struct fixture *f = *state;

	client_start(&f->cl, true);
	cluster_list_offset(f->cl.cluster, STR_LIT("nope"), 0, CLUSTER_OFFSET_LATEST, false, on_offset, f);
	cluster_list_offset(f->cl.cluster, STR_LIT("t"), 99, CLUSTER_OFFSET_LATEST, false, on_offset, f);
	cluster_list_offset(f->cl.cluster, STR_LIT("t"), -1, CLUSTER_OFFSET_LATEST, false, on_offset, f);
	UNTIL(&f->cl, f->done == 3);
	assert_int_equal(f->error, KAFKA_ERR_UNKNOWN_TOPIC_OR_PARTITION);
}

static void on_offset_free(void *arg, int16_t error, int64_t offset)
{
	struct fixture *f = arg;

	on_offset(arg, error, offset);
	cluster_free(f->cl.cluster);
	f->cl.cluster = NULL;
}

static void test_freed_in_a_callback(void **state)
{
	struct fixture *f = *state;

	f->cl.fake.handler = answer_offsets;
	client_start(&f->cl, true);
	for (int i = 0; i < 3; i++)
		cluster_list_offset(f->cl.cluster, STR_LIT("t"), i, CLUSTER_OFFSET_LATEST, false, on_offset_free, f);
	UNTIL(&f->cl, f->done > 0);
	client_run(&f->cl, NULL, 50);
	/* The others are not told. */
	assert_int_equal(f->done, 1);
}

static void test_freed_in_on_metadata(void **state)
{
	struct fixture *f = *state;

	f->cl.free_in_metadata = true;
	client_start(&f->cl, false);
	UNTIL(&f->cl, f->cl.metadata_n == 1);
	assert_null(f->cl.cluster);
}

static void test_freed_with_work_on_its_way(void **state)
{
	struct fixture *f = *state;

	client_start(&f->cl, true);
	f->key = 2;
	f->fault = fault_silence;
	f->faults = 1000;
	cluster_list_offset(f->cl.cluster, STR_LIT("t"), 0, CLUSTER_OFFSET_LATEST, false, on_offset, f);
	UNTIL(&f->cl, f->cl.fake.requests[2] == 1);
	cluster_list_offset(f->cl.cluster, STR_LIT("t"), 1, CLUSTER_OFFSET_LATEST, false, on_offset, f);
	cluster_free(f->cl.cluster);
	f->cl.cluster = NULL;
	client_run(&f->cl, NULL, 400);
	assert_int_equal(f->done, 0);
}

static void test_freed_before_it_is_connected(void **state)
{
	struct fixture *f = *state;

	client_start(&f->cl, false);
	cluster_list_offset(f->cl.cluster, STR_LIT("t"), 1, CLUSTER_OFFSET_LATEST, false, on_offset, f);
	cluster_free(f->cl.cluster);
	f->cl.cluster = NULL;
	client_run(&f->cl, NULL, 20);
	assert_int_equal(f->done, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		T(test_versions_silence),
		T(test_versions_close),
		T(test_versions_garbage),
		T(test_versions_http),
		T(test_versions_tls_alert),
		T(test_metadata_silence),
		T(test_metadata_close),
		T(test_metadata_garbage),
		T(test_metadata_wrong_correlation),
		T(test_metadata_half),
		T(test_metadata_half_and_close),
		T(test_metadata_too_large),
		T(test_metadata_no_brokers),
		T(test_metadata_bad_index),
		T(test_metadata_same_topic_twice),
		T(test_metadata_bad_port),
		T(test_answer_nobody_asked_for),
		T(test_old_api_versions),
		T(test_broker_that_is_too_old),
		T(test_second_bootstrap_server),
		T(test_cluster_is_down_at_start),
		T(test_lost_cluster_comes_back),
		T(test_broker_moves),
		T(test_leader_moves),
		T(test_topics_come_and_go),
		T(test_refresh_is_limited),
		T(test_metadata_is_refreshed_by_age),
		T(test_offsets_share_a_request),
		T(test_offset_times_out),
		T(test_offset_of_unknown_topic),
		T(test_freed_in_a_callback),
		T(test_freed_in_on_metadata),
		T(test_freed_with_work_on_its_way),
		T(test_freed_before_it_is_connected),
#undef T
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
