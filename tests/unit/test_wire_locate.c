/* SPDX-License-Identifier: Apache-2.0 */
/* Locate and stream: spans for edit lists, and the place of the message's own tags in a body that goes by in pieces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/mem.h"
#include "wire/messages.h"
#include "wire_fill.h"

#define SPANS_MAX 4096

struct spans {
	struct codec_span v[SPANS_MAX];
	size_t n, stop_at;
};

static bool collect(void *arg, const struct codec_span *span)
{
	struct spans *s = arg;

	assert_true(s->n < SPANS_MAX);
	s->v[s->n++] = *span;
	return s->n != s->stop_at;
}

/* A random body of one message; *a holds what x points to. */
struct sample {
	void *x;
	uint8_t *p;
	size_t n;
	struct arena a;
};

static void sample_init(struct sample *m, const struct schema *s, int16_t version, uint64_t seed)
{
	struct fill f = {&m->a, version, seed, 9};

	arena_init(&m->a, 1 << 24);
	m->x = mem_zalloc(1, schema_struct_size(s));
	fill_message(&f, s, m->x);
	m->p = encode_copy(s, version, m->x, &m->n);
}

static void sample_release(struct sample *m)
{
	mem_free(m->x);
	mem_free(m->p);
	arena_release(&m->a);
}

static void locate(struct spans *ret, const struct schema *s, int16_t version, const struct sample *m,
	const char *const *names, size_t n)
{
	struct reader r = rd_init(m->p, m->n);

	*ret = (struct spans){.n = 0};
	assert_int_equal(codec_locate(s, version, &r, names, n, collect, ret), ERR_OK);
	assert_int_equal(rd_left(&r), 0);
}

static bool span_is_str(const struct sample *m, const struct codec_span *span, bool compact, struct str want)
{
	struct reader r = rd_init(m->p + span->off, span->len);
	struct str got = compact ? rd_cstr(&r) : rd_str(&r);

	return r.err == ERR_OK && rd_left(&r) == 0 && str_eq(got, want);
}

static int32_t span_i32(const struct sample *m, const struct codec_span *span)
{
	struct reader r = rd_init(m->p + span->off, span->len);

	assert_int_equal(span->len, 4);
	return rd_i32(&r);
}

/* Metadata in all versions: the spans are the brokers' values, one after the other. */
static void test_metadata_brokers(void **state)
{
	static const char *const names[] = {
		"Brokers.Host", "Brokers.Port", "Brokers.NodeId", "ClusterId", "Topics.Partitions.LeaderId"};

	(void)state;
	for (int16_t v = 0; v <= 13; v++) {
		for (uint64_t seed = 0; seed < 30; seed++) {
			const struct metadata_response *x;
			struct sample m;
			struct spans got;
			size_t k = 0;

			sample_init(&m, &metadata_response_schema, v, seed);
			x = m.x;
			locate(&got, &metadata_response_schema, v, &m, names, 5);
			for (uint32_t i = 0; i < x->brokers_n; i++, k += 3) {
				assert_int_equal(got.v[k].field, 2);
				assert_int_equal(span_i32(&m, &got.v[k]), x->brokers[i].node_id);
				assert_int_equal(got.v[k + 1].field, 0);
				assert_true(span_is_str(&m, &got.v[k + 1], v >= 9, x->brokers[i].host));
				assert_int_equal(got.v[k + 2].field, 1);
				assert_int_equal(span_i32(&m, &got.v[k + 2]), x->brokers[i].port);
				assert_int_equal(got.v[k].tag_depth, 0);
			}
			if (v >= 2) {
				assert_int_equal(got.v[k].field, 3);
				assert_true(span_is_str(&m, &got.v[k++], v >= 9, x->cluster_id));
			}
			for (uint32_t t = 0; t < x->topics_n; t++)
				for (uint32_t i = 0; i < x->topics[t].partitions_n; i++)
					assert_int_equal(
						span_i32(&m, &got.v[k++]), x->topics[t].partitions[i].leader_id);
			assert_int_equal(got.n, k);
			sample_release(&m);
		}
	}
}

/* Replacing each span by itself changes nothing; another host in its place is what a decode then sees. */
static void test_edit(void **state)
{
	static const char *const names[] = {"Coordinators.Host"};
	struct str host = STR_LIT("proxy.example");

	(void)state;
	for (int16_t v = 4; v <= 6; v++) {
		for (uint64_t seed = 0; seed < 30; seed++) {
			for (int edit = 0; edit < 2; edit++) {
				struct find_coordinator_response y, *x;
				struct sample m;
				struct spans got;
				struct writer w;
				size_t at = 0;
				uint8_t *p;

				sample_init(&m, &find_coordinator_response_schema, v, seed);
				x = m.x;
				locate(&got, &find_coordinator_response_schema, v, &m, names, 1);
				assert_int_equal(got.n, x->coordinators_n);
				wr_init(&w, 1 << 20);
				for (size_t i = 0; i < got.n; i++) {
					wr_raw(&w, m.p + at, got.v[i].off - at);
					at = got.v[i].off + got.v[i].len;
					if (edit)
						wr_cstr(&w, host);
					else
						wr_raw(&w, m.p + got.v[i].off, got.v[i].len);
				}
				wr_raw(&w, m.p + at, m.n - at);
				p = writer_copy(&w);
				if (edit) {
					assert_int_equal(decode_bytes_of(&find_coordinator_response_schema, v, p,
								 wr_size(&w), &m.a, &y, NULL),
						ERR_OK);
					for (uint32_t i = 0; i < x->coordinators_n; i++)
						x->coordinators[i].host = host;
					assert_true(messages_equal(&find_coordinator_response_schema, x, &y));
				} else {
					assert_int_equal(wr_size(&w), m.n);
					assert_memory_equal(p, m.p, m.n);
				}
				mem_free(p);
				wr_release(&w);
				sample_release(&m);
			}
		}
	}
}

/* Inside a tagged field the span says where the field's size stands. */
static void test_tagged_spans(void **state)
{
	static const char *const names[] = {
		"NodeEndpoints", "NodeEndpoints.Host", "Responses.Partitions.CurrentLeader.LeaderId"};
	size_t seen = 0;

	(void)state;
	for (int16_t v = 12; v <= 18; v++) {
		for (uint64_t seed = 0; seed < 60; seed++) {
			const struct fetch_response *x;
			struct sample m;
			struct spans got;
			size_t k;

			sample_init(&m, &fetch_response_schema, v, seed);
			x = m.x;
			locate(&got, &fetch_response_schema, v, &m, names, 3);
			for (k = 0; k < got.n && got.v[k].field == 2; k++) {
				struct reader r = rd_init(m.p + got.v[k].tag_size_off, got.v[k].tag_size_len);

				assert_int_equal(got.v[k].tag_depth, 1);
				assert_int_equal(
					got.v[k].tag_size_value, 9); /* two numbers and the tags of the struct */
				assert_int_equal(rd_uvarint(&r), 9);
				assert_int_equal(got.v[k].off, got.v[k].tag_size_off + got.v[k].tag_size_len);
			}
			assert_int_equal(got.n - k, x->node_endpoints_n ? 1 + x->node_endpoints_n : 0);
			if (x->node_endpoints_n) {
				const struct codec_span *whole = &got.v[k];
				struct reader r = rd_init(m.p + whole->tag_size_off, whole->tag_size_len);

				seen++;
				assert_int_equal(whole->field, 0);
				assert_int_equal(whole->len, whole->tag_size_value);
				assert_int_equal(rd_uvarint(&r), whole->len);
				assert_int_equal(rd_left(&r), 0);
				assert_int_equal(whole->off + whole->len, m.n);
				for (uint32_t i = 0; i < x->node_endpoints_n; i++) {
					const struct codec_span *host = &got.v[k + 1 + i];

					assert_int_equal(host->field, 1);
					assert_int_equal(host->tag_depth, 1);
					assert_int_equal(host->tag_size_off, whole->tag_size_off);
					assert_true(span_is_str(&m, host, true, x->node_endpoints[i].host));
				}
			}
			sample_release(&m);
		}
	}
	assert_true(seen > 50);
}

/* A whole, its parts, and the same name twice: the whole first, then in order of the bytes. */
static void test_whole_and_parts(void **state)
{
	static const char *const names[] = {"Topics.Partitions", "Topics", "Topics.Partitions.FetchOffset", "Topics"};
	static const int want[] = {1, 3, 0, 2, 2};
	struct fetch_request_fetch_partition parts[2];
	struct fetch_request_fetch_topic topic;
	struct fetch_request x;
	struct sample m = {0};
	struct spans got;

	(void)state;
	codec_init(&fetch_request_schema, &x);
	codec_init(&fetch_request_fetch_topic_schema, &topic);
	codec_init(&fetch_request_fetch_partition_schema, &parts[0]);
	codec_init(&fetch_request_fetch_partition_schema, &parts[1]);
	topic.topic = STR_LIT("t");
	topic.partitions = parts;
	topic.partitions_n = 2;
	x.topics = &topic;
	x.topics_n = 1;
	m.p = encode_copy(&fetch_request_schema, 4, &x, &m.n);
	locate(&got, &fetch_request_schema, 4, &m, names, 4);
	assert_int_equal(got.n, 5);
	for (size_t i = 0; i < got.n; i++)
		assert_int_equal(got.v[i].field, want[i]);
	assert_int_equal(got.v[0].off + got.v[0].len, m.n);
	assert_int_equal(got.v[2].off, got.v[0].off + 4 + 3);
	assert_int_equal(got.v[2].len, 4 + 2 * (4 + 8 + 4));
	mem_free(m.p);
}

/* A walk that is stopped does not look at what follows. */
static void test_prefix_walk(void **state)
{
	static const uint8_t body[] = {0, 0, 0, 1, 0, 0, 0, 7, 0, 1, 'h', 0, 0, 0, 9, 0x7f, 0xff, 0xff, 0xff};
	static const char *const names[] = {"Brokers.Host", "Topics"};
	struct reader r = rd_init(body, sizeof(body));
	struct spans got = {.n = 0, .stop_at = 1};

	(void)state;
	assert_int_equal(codec_locate(&metadata_response_schema, 0, &r, names, 2, collect, &got), ERR_OK);
	assert_int_equal(got.n, 1);
	assert_int_equal(got.v[0].off, 8);
	assert_int_equal(got.v[0].len, 3);
	r = rd_init(body, sizeof(body));
	got = (struct spans){.n = 0};
	assert_int_equal(codec_locate(&metadata_response_schema, 0, &r, names, 2, collect, &got), ERR_MALFORMED);
	assert_int_equal(got.n, 1);
}

/* Feeds the body in pieces of at most step bytes, each an allocation of its own; what was walked. */
static size_t feed(struct codec_stream *st, const uint8_t *p, size_t n, size_t step)
{
	size_t done = 0;

	while (done < n && !st->at_tags && !st->err) {
		size_t part = n - done < step ? n - done : step;
		uint8_t *piece = mem_zalloc(part, 1);
		size_t walked;

		memcpy(piece, p + done, part);
		walked = codec_stream_feed(st, piece, part);
		assert_true(walked == part || (walked < part && (st->at_tags || st->err)));
		done += walked;
		mem_free(piece);
	}
	return done;
}

static const size_t steps[] = {1, 2, 3, 7, SIZE_MAX};

static void check_stream(const struct schema *s, int16_t version, const struct sample *m, size_t tags_at)
{
	bool flexible = schema_is_flexible(s, version);

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct codec_stream st;

		assert_int_equal(codec_stream_init(&st, s, version), ERR_OK);
		assert_int_equal(feed(&st, m->p, m->n, steps[i]), flexible ? tags_at : m->n);
		assert_int_equal(st.err, ERR_OK);
		assert_int_equal(st.at_tags, flexible);
		if (!flexible)
			assert_int_equal(st.depth, 0);
		else
			assert_int_equal(codec_stream_feed(&st, m->p, 1), 0);
	}
}

/* Where the message's own tags begin, found by the length of what they are: walks every other field by locate. */
static size_t tags_by_locate(const struct schema *s, int16_t version, const struct sample *m)
{
	const char *name = NULL;
	struct spans got;
	const struct codec_span *last;

	for (size_t i = 0; i < s->fields_n; i++)
		if (field_in_version(&s->fields[i], version) && !field_is_tagged(&s->fields[i]))
			name = s->fields[i].name;
	if (!name)
		return 0;
	locate(&got, s, version, m, &name, 1);
	assert_int_equal(got.n, 1);
	last = &got.v[0];
	return last->off + last->len;
}

static void test_stream_every_message(void **state)
{
	(void)state;
	for (size_t i = 0; i < schema_messages_n; i++) {
		const struct schema *s = schema_messages[i];

		for (int16_t v = schema_min_version(s); v <= schema_max_version(s); v++) {
			for (uint64_t seed = 0; seed < 5; seed++) {
				struct sample m;

				sample_init(&m, s, v, seed * 100 + i);
				check_stream(s, v, &m, tags_by_locate(s, v, &m));
				sample_release(&m);
			}
		}
	}
}

/* Fetch answers: the tags are where the body ends when nothing is in them, which needs no walk to know. */
static void test_stream_fetch(void **state)
{
	(void)state;
	for (int16_t v = 12; v <= 18; v++) {
		for (uint64_t seed = 0; seed < 40; seed++) {
			struct fetch_response *x, bare;
			struct sample m;
			uint8_t *p;
			size_t n;

			sample_init(&m, &fetch_response_schema, v, seed);
			x = m.x;
			bare = *x;
			bare.node_endpoints_n = 0;
			p = encode_copy(&fetch_response_schema, v, &bare, &n);
			check_stream(&fetch_response_schema, v, &m, n - 1);
			assert_int_equal(m.p[n - 1], x->node_endpoints_n ? 1 : 0);
			mem_free(p);
			sample_release(&m);
		}
	}
}

/* Records of two gigabytes are a number, not memory. */
static void test_stream_huge_records(void **state)
{
	/* v12: throttle, error, session; one topic "t"; one partition: index, error, three offsets, nothing aborted, no
	 * replica */
	static const uint8_t start[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 't', 2}, zeros[31] = {0};
	static const uint8_t length[] = {0xff, 0xff, 0xff, 0xff, 0x80, 0x80, 0x80, 0x80, 0x08};
	static const uint8_t tail[] = {1, 1, 9, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0}; /* CurrentLeader is tag 1 */
	uint64_t left = 0x7fffffff;
	uint8_t *block = mem_zalloc(1 << 20, 1);
	struct codec_stream st;

	(void)state;
	assert_int_equal(codec_stream_init(&st, &fetch_response_schema, 12), ERR_OK);
	assert_int_equal(codec_stream_feed(&st, start, sizeof(start)), sizeof(start));
	assert_int_equal(codec_stream_feed(&st, zeros, sizeof(zeros)), sizeof(zeros));
	assert_int_equal(codec_stream_feed(&st, length, sizeof(length)), sizeof(length));
	while (left > 0) {
		size_t part = left < 1 << 20 ? (size_t)left : 1 << 20;

		assert_int_equal(codec_stream_feed(&st, block, part), part);
		assert_false(st.at_tags);
		left -= part;
	}
	/* the partition's tags, the topic's tags, then the message's own */
	assert_int_equal(codec_stream_feed(&st, tail, sizeof(tail)), sizeof(tail) - 1);
	assert_true(st.at_tags);
	mem_free(block);
}

static void check_stream_fails(const struct schema *s, int16_t version, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct codec_stream st;

		assert_int_equal(codec_stream_init(&st, s, version), ERR_OK);
		feed(&st, p, n, steps[i]);
		assert_int_equal(st.err, ERR_MALFORMED);
		assert_false(st.at_tags);
	}
}

#define BYTES(...) ((const uint8_t[]){__VA_ARGS__}), sizeof((const uint8_t[]){__VA_ARGS__})

static void test_stream_refuses(void **state)
{
	struct codec_stream st;

	(void)state;
	assert_int_equal(codec_stream_init(&st, &fetch_response_schema, 19), ERR_UNSUPPORTED);
	assert_int_equal(codec_stream_init(&st, &fetch_response_schema, -1), ERR_UNSUPPORTED);
	/* a null array, a count over a million, a negative count, a null string, -2 as length, bytes behind the end */
	check_stream_fails(&produce_response_schema, 0, BYTES(0xff, 0xff, 0xff, 0xff));
	check_stream_fails(&produce_response_schema, 0, BYTES(0, 0x0f, 0x42, 0x41));
	check_stream_fails(&produce_response_schema, 0, BYTES(0x80, 0, 0, 0));
	check_stream_fails(&produce_response_schema, 0, BYTES(0, 0, 0, 1, 0xff, 0xff));
	check_stream_fails(&produce_response_schema, 0, BYTES(0, 0, 0, 1, 0xff, 0xfe));
	check_stream_fails(&produce_response_schema, 0, BYTES(0, 0, 0, 0, 1));
	check_stream_fails(&produce_response_schema, 9, BYTES(0));
	check_stream_fails(&produce_response_schema, 9, BYTES(0x80, 0x80, 0x80, 0x80, 0x10));
	check_stream_fails(&produce_response_schema, 9, BYTES(0xff, 0xff, 0xff, 0xff, 0xff));
	check_stream_fails(&produce_response_schema, 9, BYTES(2, 0x81, 0x80, 0x02)); /* a name of 32,768 bytes */
	/* one topic "t" without partitions whose tags descend, repeat, are too many or end at the largest number */
	check_stream_fails(&produce_response_schema, 9, BYTES(2, 2, 't', 1, 2, 4, 0, 3, 0));
	check_stream_fails(&produce_response_schema, 9, BYTES(2, 2, 't', 1, 2, 4, 0, 4, 0));
	check_stream_fails(&produce_response_schema, 9, BYTES(2, 2, 't', 1, 0x91, 0x4e));
	check_stream_fails(&produce_response_schema, 9, BYTES(2, 2, 't', 1, 2, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0));
	/* ShareFetch Records are never null */
	check_stream_fails(&share_fetch_response_schema, 2,
		BYTES(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0,
			0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
}

/* A message without fields is at its tags from the start. */
static void test_stream_without_fields(void **state)
{
	struct codec_stream st;

	(void)state;
	assert_int_equal(codec_stream_init(&st, &list_config_resources_request_schema, 0), ERR_OK);
	assert_true(st.at_tags);
	assert_int_equal(codec_stream_init(&st, &api_versions_request_schema, 0), ERR_OK);
	assert_false(st.at_tags);
	assert_int_equal(st.depth, 0);
}

/* Bytes that random changes broke: the walk agrees with decode exactly, and the stream refuses nothing that decode
 * takes. */
static void test_agreement_on_broken_bodies(void **state)
{
	size_t ok = 0, bad = 0;

	(void)state;
	for (size_t i = 0; i < schema_messages_n; i++) {
		const struct schema *s = schema_messages[i];

		for (int16_t v = schema_min_version(s); v <= schema_max_version(s); v++) {
			for (uint64_t seed = 0; seed < 40; seed++) {
				struct codec_stream st;
				struct sample m;
				struct reader r;
				struct fill rnd;
				enum err decoded;

				sample_init(&m, s, v, seed);
				rnd = (struct fill){.seed = seed + 77};
				for (uint64_t k = fill_random(&rnd) % 3 + 1; k > 0 && m.n > 0; k--)
					m.p[fill_random(&rnd) % m.n] ^= (uint8_t)(1 << fill_random(&rnd) % 8);
				decoded = decode_bytes_of(s, v, m.p, m.n, &m.a, m.x, NULL);
				r = rd_init(m.p, m.n);
				assert_int_equal(codec_locate(s, v, &r, NULL, 0, collect, NULL), decoded);
				assert_int_equal(codec_stream_init(&st, s, v), ERR_OK);
				feed(&st, m.p, m.n, 3);
				if (decoded)
					bad++;
				else
					ok++;
				if (!decoded)
					assert_true(!st.err && st.at_tags == schema_is_flexible(s, v));
				sample_release(&m);
			}
		}
	}
	assert_true(ok > 1000 && bad > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_metadata_brokers),
		cmocka_unit_test(test_edit),
		cmocka_unit_test(test_tagged_spans),
		cmocka_unit_test(test_whole_and_parts),
		cmocka_unit_test(test_prefix_walk),
		cmocka_unit_test(test_stream_every_message),
		cmocka_unit_test(test_stream_fetch),
		cmocka_unit_test(test_stream_huge_records),
		cmocka_unit_test(test_stream_refuses),
		cmocka_unit_test(test_stream_without_fields),
		cmocka_unit_test(test_agreement_on_broken_bodies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
