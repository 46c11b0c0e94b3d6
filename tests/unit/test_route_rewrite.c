/* SPDX-License-Identifier: Apache-2.0 */
/* Answers with addresses in all versions: only mapped addresses come out, and not another byte is changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "route/rewrite.h"
#include "route_bodies.h"
#include "wire/codec.h"
#include "wire/kafka_errors.h"
#include "wire/messages.h"

#define OUT_MAX (1u << 20)
#define HOST "sluice.example.org"
#define BASE 9093

static const struct node nodes[] = {{1, "kafka-1.internal", 19092, "rack-a"}, {0, "10.0.0.17", 9092, NULL},
	{2, "kafka-2.internal", 29092, ""}, {7, "k", 1, "rack-b"}};
#define NODES_N ((uint32_t)(sizeof(nodes) / sizeof(nodes[0])))

/* Where nothing is mapped but 0 and 1. */
static struct address_map map_of(int32_t count)
{
	struct address_map m;

	address_map_init(&m, STR_LIT(HOST), BASE, count);
	return m;
}

/* Rewrites; a new chunk in any case. */
static struct chunk *rewrite(int16_t key, int16_t version, struct chunk *body, const struct address_map *map,
	bool *ret_changed, struct rewrite_dropped *ret_dropped)
{
	struct slice whole = {body, body->data, body->size};
	struct writer w;
	struct chunk *c;

	wr_init(&w, OUT_MAX);
	wr_i32(&w, 42); /* a header stands before the body */
	assert_int_equal(rewrite_response(key, version, whole, map, &w, ret_changed, ret_dropped), ERR_OK);
	if (!*ret_changed) {
		assert_int_equal(wr_size(&w), 4);
		wr_release(&w);
		return chunk_ref(body);
	}
	c = chunk_try_new(wr_size(&w) - 4);
	assert_non_null(c);
	{
		uint8_t *all = malloc(wr_size(&w));

		assert_non_null(all);
		wr_flatten(&w, all);
		assert_memory_equal(all, "\0\0\0\x2a", 4);
		memcpy(c->data, all + 4, c->size);
		free(all);
	}
	wr_release(&w);
	assert_int_equal(body->refs, 1);
	return c;
}

static struct bytes bytes_of(const struct chunk *c)
{
	return (struct bytes){c->data, c->size};
}

static bool is_dropped(const struct rewrite_dropped *d, int32_t id)
{
	for (uint32_t i = 0; i < d->n && i < REWRITE_DROPPED_MAX; i++)
		if (d->id[i] == id)
			return true;
	return false;
}

static void test_identity_changes_nothing(void **state)
{
	struct address_map identity;

	(void)state;
	address_map_init_identity(&identity);
	for (size_t k = 0; k < addressed_n; k++) {
		for (int16_t v = addressed[k].min; v <= addressed[k].max; v++) {
			struct chunk *body = body_new(addressed[k].key, v, nodes, NODES_N), *out;
			struct rewrite_dropped dropped;
			bool changed = true;

			out = rewrite(addressed[k].key, v, body, &identity, &changed, &dropped);
			assert_false(changed);
			assert_int_equal(dropped.n, 0);
			chunk_unref(out);
			chunk_unref(body);
		}
	}
}

/* To the listener's addresses and back to those of the cluster: each byte is as it was. */
static void test_there_and_back(void **state)
{
	static const struct node cluster[] = {
		{4, "b.example", 30004, "r"}, {0, "b.example", 30000, NULL}, {63, "b.example", 30063, ""}};
	struct address_map there = map_of(64), back;

	(void)state;
	address_map_init(&back, STR_LIT("b.example"), 30000, 64);
	for (size_t k = 0; k < addressed_n; k++) {
		for (int16_t v = addressed[k].min; v <= addressed[k].max; v++) {
			struct chunk *body = body_new(addressed[k].key, v, cluster, 3), *mid, *out;
			struct rewrite_dropped dropped;
			bool changed;

			/* What is right already is not touched. */
			out = rewrite(addressed[k].key, v, body, &back, &changed, &dropped);
			assert_false(changed);
			chunk_unref(out);
			mid = rewrite(addressed[k].key, v, body, &there, &changed, &dropped);
			assert_true(changed);
			assert_false(body_contains(bytes_of(mid), "b.example"));
			out = rewrite(addressed[k].key, v, mid, &back, &changed, &dropped);
			assert_true(changed);
			assert_int_equal(dropped.n, 0);
			assert_int_equal(out->size, body->size);
			assert_memory_equal(out->data, body->data, body->size);
			chunk_unref(out);
			chunk_unref(mid);
			chunk_unref(body);
		}
	}
}

/* Whatever part of the nodes is mapped, what comes out is mapped, complete and free of the cluster's own addresses. */
static void test_only_mapped_addresses(void **state)
{
	static const int32_t counts[] = {1, 2, 3, 8};

	(void)state;
	for (size_t k = 0; k < addressed_n; k++) {
		for (int16_t v = addressed[k].min; v <= addressed[k].max; v++) {
			for (size_t c = 0; c < 4; c++) {
				struct chunk *body = body_new(addressed[k].key, v, nodes, NODES_N), *out;
				struct address_map map = map_of(counts[c]);
				struct rewrite_dropped dropped;
				struct addresses got;
				uint32_t named = addressed[k].key == 10 && v < 4 ? 1 : NODES_N, kept = 0;
				bool changed;

				out = rewrite(addressed[k].key, v, body, &map, &changed, &dropped);
				assert_true(changed);
				addresses_read(addressed[k].key, v, bytes_of(out), &got);
				for (size_t i = 0; i < got.n; i++) {
					if (got.v[i].host.n == 0) {
						assert_int_equal(got.v[i].id, -1);
						assert_int_equal(got.v[i].port, -1);
						continue;
					}
					assert_true(str_eq(got.v[i].host, STR_LIT(HOST)));
					assert_true(got.v[i].id >= 0 && got.v[i].id < counts[c]);
					assert_int_equal(got.v[i].port, BASE + got.v[i].id);
					kept++;
				}
				for (uint32_t i = 0; i < named; i++)
					assert_int_equal(is_dropped(&dropped, nodes[i].id), nodes[i].id >= counts[c]);
				assert_int_equal(kept + dropped.n, named);
				assert_false(body_contains(bytes_of(out), "internal"));
				assert_false(body_contains(bytes_of(out), "10.0.0.17"));
				chunk_unref(out);
				chunk_unref(body);
			}
		}
	}
}

static void test_metadata_without_a_broker(void **state)
{
	(void)state;
	for (int16_t v = 0; v <= 13; v++) {
		struct chunk *body = body_new(3, v, nodes, NODES_N), *out;
		struct address_map map = map_of(2); /* 2 and 7 have no port */
		struct metadata_response before, after;
		struct rewrite_dropped dropped;
		struct reader r;
		struct arena a;
		bool changed;

		out = rewrite(3, v, body, &map, &changed, &dropped);
		arena_init(&a, OUT_MAX);
		r = rd_init(body->data, body->size);
		assert_int_equal(codec_decode(&metadata_response_schema, v, &r, &a, &before, NULL), ERR_OK);
		r = rd_init(out->data, out->size);
		assert_int_equal(codec_decode(&metadata_response_schema, v, &r, &a, &after, NULL), ERR_OK);
		assert_int_equal(after.brokers_n, 2);
		assert_int_equal(after.brokers[0].node_id, 1);
		assert_int_equal(after.brokers[1].node_id, 0);
		if (v >= 1) {
			assert_true(str_eq(after.brokers[0].rack, STR_LIT("rack-a")));
			assert_true(str_is_null(after.brokers[1].rack));
		}
		assert_int_equal(before.controller_id, v >= 1 ? 7 : -1);
		assert_int_equal(after.controller_id, -1);
		assert_true(str_eq(after.cluster_id, before.cluster_id));
		assert_int_equal(after.error_code, before.error_code);
		for (uint32_t t = 0; t < 2; t++) {
			assert_true(str_eq(after.topics[t].name, before.topics[t].name));
			assert_true(uuid_eq(after.topics[t].topic_id, before.topics[t].topic_id));
			for (uint32_t p = 0; p < after.topics[t].partitions_n; p++) {
				const struct metadata_response_metadata_response_partition
					*was = &before.topics[t].partitions[p],
					*is = &after.topics[t].partitions[p];
				bool lost = was->leader_id >= 2;

				assert_int_equal(is->leader_id, lost ? -1 : was->leader_id);
				assert_int_equal(is->error_code, lost ? KAFKA_ERR_LEADER_NOT_AVAILABLE : 0);
				assert_int_equal(is->leader_epoch, was->leader_epoch);
				assert_int_equal(is->partition_index, was->partition_index);
				assert_int_equal(is->replica_nodes_n, NODES_N);
				assert_memory_equal(is->replica_nodes, was->replica_nodes, NODES_N * sizeof(int32_t));
			}
		}
		arena_release(&a);
		chunk_unref(out);
		chunk_unref(body);
	}
}

/* The controller of DescribeCluster stands before the brokers, it is 7 here; whether they are brokers or controllers is
 * all one. */
static void test_describe_cluster_without_a_broker(void **state)
{
	(void)state;
	for (int16_t v = 0; v <= 2; v++) {
		for (int32_t count = 1; count <= 8; count++) {
			struct chunk *body = body_new(60, v, nodes, NODES_N), *out;
			struct address_map map = map_of(count);
			struct describe_cluster_response msg;
			struct rewrite_dropped dropped;
			struct reader r;
			struct arena a;
			bool changed;

			if (v >= 1)
				body->data[7] =
					count % 2 ? 1 : 2; /* EndpointType: behind throttle, error, null message */
			out = rewrite(60, v, body, &map, &changed, &dropped);
			arena_init(&a, OUT_MAX);
			r = rd_init(out->data, out->size);
			assert_int_equal(
				codec_decode(&describe_cluster_response_schema, v, &r, &a, &msg, NULL), ERR_OK);
			assert_int_equal(msg.endpoint_type, v < 1 || count % 2 ? 1 : 2);
			assert_int_equal(msg.controller_id, count == 8 ? 7 : -1);
			assert_int_equal(msg.brokers_n + dropped.n, NODES_N);
			assert_true(str_eq(msg.cluster_id, STR_LIT("lkc-0x5e")));
			arena_release(&a);
			chunk_unref(out);
			chunk_unref(body);
		}
	}
}

/* More nodes than one byte counts: the sizes around them grow and shrink with them. */
static void test_many_nodes(void **state)
{
	static struct node crowd[300];

	(void)state;
	for (int32_t i = 0; i < 300; i++)
		crowd[i] = (struct node){i, "kafka.internal", 9092, "r"};
	for (size_t k = 0; k < addressed_n; k++) {
		static const int32_t counts[] = {1, 126, 127, 128, 300};

		for (size_t c = 0; c < 5; c++) {
			struct chunk *body = body_new(addressed[k].key, addressed[k].max, crowd, 300), *out;
			struct address_map map = map_of(counts[c]);
			struct rewrite_dropped dropped;
			struct addresses got;
			size_t real = 0;
			bool changed;

			out = rewrite(addressed[k].key, addressed[k].max, body, &map, &changed, &dropped);
			addresses_read(addressed[k].key, addressed[k].max, bytes_of(out), &got);
			for (size_t i = 0; i < got.n; i++)
				real += got.v[i].host.n > 0;
			assert_int_equal(real, counts[c]);
			assert_int_equal(dropped.n, 300 - counts[c]);
			chunk_unref(out);
			chunk_unref(body);
		}
	}
}

static void test_coordinator_without_a_port(void **state)
{
	static const struct node far[] = {{500, "kafka-500.internal", 9092, NULL}};

	(void)state;
	for (int16_t v = 0; v <= 6; v++) {
		struct chunk *body = body_new(10, v, far, 1), *out;
		struct find_coordinator_response msg;
		struct address_map map = map_of(100);
		struct rewrite_dropped dropped;
		struct reader r;
		struct arena a;
		bool changed;

		out = rewrite(10, v, body, &map, &changed, &dropped);
		assert_true(changed);
		assert_int_equal(dropped.n, 1);
		assert_int_equal(dropped.id[0], 500);
		arena_init(&a, OUT_MAX);
		r = rd_init(out->data, out->size);
		assert_int_equal(codec_decode(&find_coordinator_response_schema, v, &r, &a, &msg, NULL), ERR_OK);
		if (v < 4) {
			assert_int_equal(msg.error_code, KAFKA_ERR_COORDINATOR_NOT_AVAILABLE);
			assert_int_equal(msg.node_id, -1);
			assert_true(str_eq(msg.host, STR_LIT("")));
			assert_int_equal(msg.port, -1);
		} else {
			assert_int_equal(msg.coordinators_n, 2);
			assert_true(str_eq(msg.coordinators[0].key, STR_LIT("group")));
			assert_int_equal(msg.coordinators[0].error_code, KAFKA_ERR_COORDINATOR_NOT_AVAILABLE);
			assert_int_equal(msg.coordinators[0].node_id, -1);
			assert_true(str_eq(msg.coordinators[0].host, STR_LIT("")));
			assert_int_equal(msg.coordinators[0].port, -1);
		}
		arena_release(&a);
		chunk_unref(out);
		chunk_unref(body);
	}
}

/* Errors carry no address: node -1 and an empty host stay, byte for byte. */
static void test_answers_without_nodes(void **state)
{
	struct address_map map = map_of(100);

	(void)state;
	for (size_t k = 0; k < addressed_n; k++) {
		for (int16_t v = addressed[k].min; v <= addressed[k].max; v++) {
			struct chunk *body = body_new(addressed[k].key, v, NULL, 0), *out;
			struct rewrite_dropped dropped;
			bool changed;

			out = rewrite(addressed[k].key, v, body, &map, &changed, &dropped);
			assert_false(changed);
			assert_int_equal(dropped.n, 0);
			chunk_unref(out);
			chunk_unref(body);
		}
	}
}

static void broker_write(struct writer *w, int32_t id, struct str host, int32_t port)
{
	wr_i32(w, id);
	wr_cstr(w, host);
	wr_i32(w, port);
	wr_cstr(w, STR_LIT("r"));
	wr_raw(w, "\x02\x05\x02hi\x09\x00", 7); /* tags 5 and 9, which no version has */
}

/* Metadata v12 with unknown tags in broker, partition, topic and message. */
static struct chunk *tagged_new(struct str host1, int32_t port1, struct str host2, int32_t port2)
{
	struct writer w;
	struct chunk *c;

	wr_init(&w, OUT_MAX);
	wr_i32(&w, 0);
	wr_uvarint(&w, 3);
	broker_write(&w, 1, host1, port1);
	broker_write(&w, 2, host2, port2);
	wr_cstr(&w, STR_NULL);
	wr_i32(&w, 1);
	wr_uvarint(&w, 2); /* a topic with one partition, led by 2 */
	wr_i16(&w, 0);
	wr_cstr(&w, STR_LIT("t"));
	wr_raw(&w, "0123456789abcdef", 16);
	wr_bool(&w, false);
	wr_uvarint(&w, 2);
	wr_i16(&w, 0);
	wr_i32(&w, 0);
	wr_i32(&w, 2);
	wr_i32(&w, 3);
	wr_raw(&w, "\x01\x01\x01", 3);
	wr_raw(&w, "\x01\x03\x01z", 4);
	wr_i32(&w, INT32_MIN);
	wr_raw(&w, "\x01\x04\x01y", 4);
	wr_raw(&w, "\x01\x7f\x03xyz", 6);
	assert_int_equal(w.err, ERR_OK);
	c = chunk_try_new(wr_size(&w));
	assert_non_null(c);
	wr_flatten(&w, c->data);
	wr_release(&w);
	return c;
}

static void test_unknown_tags_survive(void **state)
{
	struct chunk *body = tagged_new(STR_LIT("kafka-1"), 9092, STR_LIT("kafka-2"), 9092), *out,
		     *want = tagged_new(STR_LIT(HOST), BASE + 1, STR_LIT(HOST), BASE + 2);
	struct address_map map = map_of(100), one;
	struct rewrite_dropped dropped;
	struct addresses got;
	bool changed;

	(void)state;
	out = rewrite(3, 12, body, &map, &changed, &dropped);
	assert_int_equal(out->size, want->size);
	assert_memory_equal(out->data, want->data, want->size);
	chunk_unref(out);
	/* The tags of a broker go with it, all others stay. */
	address_map_init(&one, STR_LIT(HOST), BASE, 2);
	out = rewrite(3, 12, body, &one, &changed, &dropped);
	addresses_read(3, 12, bytes_of(out), &got);
	assert_int_equal(got.n, 1);
	assert_true(body_contains(bytes_of(out), "\x02\x05\x02hi"));
	assert_true(body_contains(bytes_of(out), "\x01\x03\x01z"));
	assert_true(body_contains(bytes_of(out), "\x01\x04\x01y"));
	assert_true(body_contains(bytes_of(out), "\x01\x7f\x03xyz"));
	chunk_unref(out);
	chunk_unref(want);
	chunk_unref(body);
}

/* A big answer is not copied: what lies between the edits are slices of the chunk that holds it. */
static void test_big_body_is_referred_to(void **state)
{
	struct chunk *body = body_new(1, 16, nodes, NODES_N);
	struct address_map map = map_of(100);
	struct rewrite_dropped dropped;
	struct writer w;
	bool changed;

	(void)state;
	wr_init(&w, 500);
	assert_int_equal(
		rewrite_response(1, 16, (struct slice){body, body->data, body->size}, &map, &w, &changed, &dropped),
		ERR_OK);
	assert_true(changed);
	assert_true(wr_size(&w) > 3000);
	assert_int_equal(body->refs, 2);
	wr_release(&w);
	assert_int_equal(body->refs, 1);
	chunk_unref(body);
}

/* Cut anywhere: malformed, or (where only a prefix is read) no address of the cluster in what comes out. */
static void test_every_cut(void **state)
{
	struct address_map map = map_of(2);

	(void)state;
	for (size_t k = 0; k < addressed_n; k++) {
		for (int16_t v = addressed[k].min; v <= addressed[k].max; v++) {
			struct chunk *body = body_new(addressed[k].key, v, nodes, NODES_N);
			/* Records alone make the answer long: their middle may be skipped. */
			size_t step = body->size > 1000 ? 17 : 1;

			for (size_t cut = 0; cut < body->size; cut += step) {
				uint8_t *part = malloc(cut + 1);
				struct rewrite_dropped dropped;
				struct writer w;
				bool changed;
				enum err e;

				assert_non_null(part);
				memcpy(part, body->data, cut);
				wr_init(&w, OUT_MAX);
				e = rewrite_response(addressed[k].key, v, (struct slice){NULL, part, cut}, &map, &w,
					&changed, &dropped);
				if (e == ERR_OK) {
					assert_true(changed);
					/* Their lists are followed by little. */
					assert_true(addressed[k].key >= 60);
					assert_false(body_contains(
						(struct bytes){buf_head(&w.own), wr_size(&w)}, "internal"));
				} else {
					assert_int_equal(e, ERR_MALFORMED);
				}
				wr_release(&w);
				free(part);
			}
			chunk_unref(body);
		}
	}
}

static void test_unsupported_and_no_room(void **state)
{
	struct chunk *body = body_new(3, 12, nodes, NODES_N);
	struct slice whole = {body, body->data, body->size};
	struct address_map map = map_of(100);
	struct rewrite_dropped dropped;
	struct writer w;
	bool changed;

	(void)state;
	wr_init(&w, 60);
	assert_int_equal(rewrite_response(3, 14, whole, &map, &w, &changed, &dropped), ERR_UNSUPPORTED);
	assert_int_equal(rewrite_response(3, -1, whole, &map, &w, &changed, &dropped), ERR_UNSUPPORTED);
	assert_int_equal(rewrite_response(10, 7, whole, &map, &w, &changed, &dropped), ERR_UNSUPPORTED);
	assert_int_equal(rewrite_response(60, 3, whole, &map, &w, &changed, &dropped), ERR_UNSUPPORTED);
	assert_int_equal(rewrite_response(0, 14, whole, &map, &w, &changed, &dropped), ERR_UNSUPPORTED);
	assert_int_equal(rewrite_response(1, 19, whole, &map, &w, &changed, &dropped), ERR_UNSUPPORTED);
	assert_int_equal(rewrite_response(18, 3, whole, &map, &w, &changed, &dropped), ERR_UNSUPPORTED);
	assert_int_equal(rewrite_response(2, 3, whole, &map, &w, &changed, &dropped), ERR_UNSUPPORTED);
	assert_int_equal(rewrite_response(-1, 3, whole, &map, &w, &changed, &dropped), ERR_UNSUPPORTED);
	/* Produce and Fetch of before KIP-951 carry no address. */
	assert_int_equal(rewrite_response(0, 9, whole, &map, &w, &changed, &dropped), ERR_OK);
	assert_false(changed);
	assert_int_equal(rewrite_response(1, 15, whole, &map, &w, &changed, &dropped), ERR_OK);
	assert_false(changed);
	assert_int_equal(wr_size(&w), 0);
	assert_int_equal(rewrite_response(3, 12, whole, &map, &w, &changed, &dropped), ERR_TOO_LARGE);
	wr_release(&w);
	chunk_unref(body);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_identity_changes_nothing),
		cmocka_unit_test(test_there_and_back),
		cmocka_unit_test(test_only_mapped_addresses),
		cmocka_unit_test(test_metadata_without_a_broker),
		cmocka_unit_test(test_describe_cluster_without_a_broker),
		cmocka_unit_test(test_many_nodes),
		cmocka_unit_test(test_coordinator_without_a_port),
		cmocka_unit_test(test_answers_without_nodes),
		cmocka_unit_test(test_unknown_tags_survive),
		cmocka_unit_test(test_big_body_is_referred_to),
		cmocka_unit_test(test_every_cut),
		cmocka_unit_test(test_unsupported_and_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
