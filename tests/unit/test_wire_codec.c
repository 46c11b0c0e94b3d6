/* SPDX-License-Identifier: Apache-2.0 */
/* Decode and encode: every message in every version, then what must be refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/mem.h"
#include "wire/messages.h"
#include "wire_fill.h"

#define ARENA_MAX (64u << 20)
#define BYTES(...) ((const uint8_t[]){__VA_ARGS__}), sizeof((const uint8_t[]){__VA_ARGS__})

/* Every type that the codec knows, also those that no message of ours has. */
struct all_sub {
	int32_t a;
	struct str tagged;
};

struct all {
	bool flag;
	int8_t i8;
	int16_t i16;
	uint16_t u16;
	int32_t i32;
	int64_t i64;
	double f64;
	struct uuid id;
	struct str s, s_null;
	struct bytes b, b_null;
	struct records r, r_null;
	struct all_sub sub, *sub_null;
	double *doubles;
	uint32_t doubles_n;
	struct str *strings;
	uint32_t strings_n;
	struct bytes *blobs;
	uint32_t blobs_n;
	struct uuid *ids;
	uint32_t ids_n;
	struct all_sub *subs;
	uint32_t subs_n;
	uint16_t t_u16;
	double t_f64;
	struct bytes t_b;
	struct all_sub t_sub;
	struct all_sub *t_subs;
	uint32_t t_subs_n;
	int32_t late;
};

#define NEVER SCHEMA_NO_VERSION, SCHEMA_NO_VERSION
#define ALWAYS 0, SCHEMA_OPEN
#define AT(type, member) offsetof(struct type, member)

static const struct schema_field all_sub_fields[] = {
	{"A", "a", FIELD_INT32, 0, ALWAYS, NEVER, 0, AT(all_sub, a), 0, 5, NULL},
	{"Tagged", "tagged", FIELD_STRING, FIELD_TAGGED | FIELD_DEFAULT_NULL, 1, SCHEMA_OPEN, 1, SCHEMA_OPEN, 3,
		AT(all_sub, tagged), 0, 0, NULL},
};
static const struct schema all_sub_schema = {"AllSub", all_sub_fields, 2, sizeof(struct all_sub), 0, 2, 1, -1, false};

static const struct schema_field all_fields[] = {
	{"Flag", "flag", FIELD_BOOL, 0, ALWAYS, NEVER, 0, AT(all, flag), 0, 1, NULL},
	{"I8", "i8", FIELD_INT8, 0, ALWAYS, NEVER, 0, AT(all, i8), 0, -8, NULL},
	{"I16", "i16", FIELD_INT16, 0, ALWAYS, NEVER, 0, AT(all, i16), 0, -16, NULL},
	{"U16", "u16", FIELD_UINT16, 0, ALWAYS, NEVER, 0, AT(all, u16), 0, 65535, NULL},
	{"I32", "i32", FIELD_INT32, 0, ALWAYS, NEVER, 0, AT(all, i32), 0, 0, NULL},
	{"I64", "i64", FIELD_INT64, 0, ALWAYS, NEVER, 0, AT(all, i64), 0, INT64_MIN, NULL},
	{"F64", "f64", FIELD_FLOAT64, 0, ALWAYS, NEVER, 0, AT(all, f64), 0, 0, NULL},
	{"Id", "id", FIELD_UUID, 0, ALWAYS, NEVER, 0, AT(all, id), 0, 0, NULL},
	{"S", "s", FIELD_STRING, 0, ALWAYS, NEVER, 0, AT(all, s), 0, 0, NULL},
	{"SNull", "s_null", FIELD_STRING, FIELD_DEFAULT_NULL, ALWAYS, ALWAYS, 0, AT(all, s_null), 0, 0, NULL},
	{"B", "b", FIELD_BYTES, 0, ALWAYS, NEVER, 0, AT(all, b), 0, 0, NULL},
	{"BNull", "b_null", FIELD_BYTES, 0, ALWAYS, ALWAYS, 0, AT(all, b_null), 0, 0, NULL},
	{"R", "r", FIELD_RECORDS, FIELD_EMPTY_FOR_NULL, ALWAYS, NEVER, 0, AT(all, r), 0, 0, NULL},
	{"RNull", "r_null", FIELD_RECORDS, FIELD_DEFAULT_NULL, ALWAYS, ALWAYS, 0, AT(all, r_null), 0, 0, NULL},
	{"Sub", "sub", FIELD_STRUCT, 0, ALWAYS, NEVER, 0, AT(all, sub), 0, 0, &all_sub_schema},
	{"SubNull", "sub_null", FIELD_STRUCT, FIELD_POINTER | FIELD_DEFAULT_NULL, ALWAYS, 1, SCHEMA_OPEN, 0,
		AT(all, sub_null), 0, 0, &all_sub_schema},
	{"Doubles", "doubles", FIELD_FLOAT64, FIELD_ARRAY, ALWAYS, NEVER, 0, AT(all, doubles), AT(all, doubles_n), 0,
		NULL},
	{"Strings", "strings", FIELD_STRING, FIELD_ARRAY, ALWAYS, ALWAYS, 0, AT(all, strings), AT(all, strings_n), 0,
		NULL},
	{"Blobs", "blobs", FIELD_BYTES, FIELD_ARRAY | FIELD_DEFAULT_NULL, ALWAYS, ALWAYS, 0, AT(all, blobs),
		AT(all, blobs_n), 0, NULL},
	{"Ids", "ids", FIELD_UUID, FIELD_ARRAY, ALWAYS, NEVER, 0, AT(all, ids), AT(all, ids_n), 0, NULL},
	{"Subs", "subs", FIELD_STRUCT, FIELD_ARRAY, ALWAYS, NEVER, 0, AT(all, subs), AT(all, subs_n), 0,
		&all_sub_schema},
	{"TU16", "t_u16", FIELD_UINT16, FIELD_TAGGED | FIELD_IGNORABLE, 1, SCHEMA_OPEN, NEVER, 7, AT(all, t_u16), 0, 3,
		NULL},
	{"TF64", "t_f64", FIELD_FLOAT64, FIELD_TAGGED, 1, SCHEMA_OPEN, NEVER, 2, AT(all, t_f64), 0, 0, NULL},
	{"TB", "t_b", FIELD_BYTES, FIELD_TAGGED, 1, SCHEMA_OPEN, NEVER, 1000, AT(all, t_b), 0, 0, NULL},
	{"TSub", "t_sub", FIELD_STRUCT, FIELD_TAGGED, 1, SCHEMA_OPEN, NEVER, 0, AT(all, t_sub), 0, 0, &all_sub_schema},
	{"TSubs", "t_subs", FIELD_STRUCT, FIELD_ARRAY | FIELD_TAGGED, 1, SCHEMA_OPEN, NEVER, 1, AT(all, t_subs),
		AT(all, t_subs_n), 0, &all_sub_schema},
	{"Late", "late", FIELD_INT32, 0, 2, 2, NEVER, 0, AT(all, late), 0, -1, NULL},
};
static const struct schema all_schema = {
	"All", all_fields, sizeof(all_fields) / sizeof(all_fields[0]), sizeof(struct all), 0, 2, 1, -1, false};

static bool no_span(void *arg, const struct codec_span *span)
{
	(void)arg;
	(void)span;
	fail();
	return false;
}

static enum err walk(const struct schema *s, int16_t version, const uint8_t *p, size_t n)
{
	struct reader r = rd_init(p, n);

	return codec_locate(s, version, &r, NULL, 0, no_span, NULL);
}

static void check_round_trip(const struct schema *s, int16_t version, uint64_t seed)
{
	void *x = mem_zalloc(1, schema_struct_size(s)), *y = mem_zalloc(1, schema_struct_size(s));
	char path[CODEC_PATH_MAX];
	struct arena a;
	struct fill f;
	uint8_t *p, *q;
	size_t n, m;

	arena_init(&a, ARENA_MAX);
	f = (struct fill){&a, version, seed, 1 + (uint32_t)(seed % 20)};
	fill_message(&f, s, x);
	p = encode_copy(s, version, x, &n);
	if (decode_bytes_of(s, version, p, n, &a, y, path))
		fail_msg("%s v%d seed %u: %s", schema_name(s), version, (unsigned)seed, path);
	assert_string_equal(path, "");
	if (!messages_equal(s, x, y))
		fail_msg("%s v%d seed %u: decode(encode(x)) differs from x", schema_name(s), version, (unsigned)seed);
	q = encode_copy(s, version, y, &m);
	assert_int_equal(n, m);
	assert_memory_equal(p, q, n);
	assert_int_equal(walk(s, version, p, n), ERR_OK);
	mem_free(p);
	mem_free(q);
	mem_free(x);
	mem_free(y);
	arena_release(&a);
}

/* Whatever is missing at the end, and one byte too many, is malformed for decode and for the walk alike. */
static void check_truncation(const struct schema *s, int16_t version, uint64_t seed)
{
	void *x = mem_zalloc(1, schema_struct_size(s));
	struct arena a, b;
	struct fill f;
	uint8_t *p;
	size_t n;

	arena_init(&a, ARENA_MAX);
	arena_init(&b, ARENA_MAX);
	f = (struct fill){&a, version, seed, 5};
	fill_message(&f, s, x);
	p = encode_copy(s, version, x, &n);
	for (size_t cut = 0; cut <= n + 1; cut++) {
		uint8_t *part = mem_zalloc(cut ? cut : 1, 1);
		char path[CODEC_PATH_MAX];

		memcpy(part, p, cut < n ? cut : n);
		if (cut != n) {
			assert_int_equal(decode_bytes_of(s, version, part, cut, &b, x, path), ERR_MALFORMED);
			if (cut > 0 && path[0] == 0 && s->flexible > version)
				fail_msg("%s v%d cut at %zu: no path", schema_name(s), version, cut);
			assert_int_equal(walk(s, version, part, cut), ERR_MALFORMED);
		}
		arena_release(&b);
		mem_free(part);
	}
	mem_free(p);
	mem_free(x);
	arena_release(&a);
}

static void each_message(void (*check)(const struct schema *s, int16_t version, uint64_t seed), uint64_t seeds)
{
	for (size_t i = 0; i <= schema_messages_n; i++) {
		const struct schema *s = i < schema_messages_n ? schema_messages[i] : &all_schema;

		for (int16_t v = schema_min_version(s); v <= schema_max_version(s); v++)
			for (uint64_t seed = 0; seed < seeds; seed++)
				check(s, v, seed * 1000 + i * 20 + (uint64_t)v);
	}
}

static void test_round_trips(void **state)
{
	(void)state;
	each_message(check_round_trip, 25);
}

static void test_truncations(void **state)
{
	(void)state;
	each_message(check_truncation, 2);
}

/* Defaults alone go through every version: the smallest body of each message. */
static void check_defaults(const struct schema *s, int16_t version, uint64_t seed)
{
	void *x = mem_zalloc(1, schema_struct_size(s)), *y = mem_zalloc(1, schema_struct_size(s));
	struct arena a;
	uint8_t *p;
	size_t n;

	(void)seed;
	if (s == &all_schema && version == 0)
		goto out; /* its SubNull may not be null there */
	arena_init(&a, ARENA_MAX);
	codec_init(s, x);
	p = encode_copy(s, version, x, &n);
	assert_true(n >= schema_min_size(s, version, schema_is_flexible(s, version)) || n == 0);
	assert_int_equal(decode_bytes_of(s, version, p, n, &a, y, NULL), ERR_OK);
	assert_true(messages_equal(s, x, y));
	mem_free(p);
	arena_release(&a);
out:
	mem_free(x);
	mem_free(y);
}

static void test_defaults(void **state)
{
	struct all x;

	(void)state;
	each_message(check_defaults, 1);
	memset(&x, 0xaa, sizeof(x));
	codec_init(&all_schema, &x);
	assert_true(x.flag);
	assert_int_equal(x.i8, -8);
	assert_int_equal(x.u16, 65535);
	assert_true(x.i64 == INT64_MIN);
	assert_true(x.f64 == 0);
	assert_true(x.s.p && x.s.n == 0 && !x.s_null.p);
	assert_true(x.b_null.p && x.r.v && x.r.v_n == 0 && !x.r_null.v);
	assert_int_equal(x.sub.a, 5);
	assert_null(x.sub_null);
	assert_true(x.doubles && x.doubles_n == 0 && !x.blobs && x.t_subs);
	assert_int_equal(x.late, -1);
}

static void test_unsupported_versions(void **state)
{
	struct fetch_response m;
	struct reader r = rd_init(BYTES(0));
	struct writer w;
	struct arena a;

	(void)state;
	arena_init(&a, 1000);
	wr_init(&w, 1000);
	codec_init(&fetch_response_schema, &m);
	for (int v = -1; v <= 19; v += 20) {
		assert_int_equal(codec_decode(&fetch_response_schema, (int16_t)v, &r, &a, &m, NULL), ERR_UNSUPPORTED);
		assert_int_equal(codec_encode(&fetch_response_schema, (int16_t)v, &w, &m), ERR_UNSUPPORTED);
		assert_int_equal(
			codec_locate(&fetch_response_schema, (int16_t)v, &r, NULL, 0, no_span, NULL), ERR_UNSUPPORTED);
	}
	wr_release(&w);
	arena_release(&a);
}

static void check_path(
	const struct schema *s, int16_t version, const uint8_t *p, size_t n, enum err want, const char *path)
{
	void *x = mem_zalloc(1, schema_struct_size(s));
	char got[CODEC_PATH_MAX];
	struct arena a;

	arena_init(&a, 4096);
	assert_int_equal(decode_bytes_of(s, version, p, n, &a, x, got), want);
	assert_string_equal(got, path);
	mem_free(x);
	arena_release(&a);
}

static void test_error_names_the_field(void **state)
{
	(void)state;
	/* Metadata v0 answer: one broker, then two topics, the second with a partition that ends early. */
	check_path(&metadata_response_schema, 0,
		BYTES(0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 't', 0, 0, 0, 0, 0, 0, 0, 1, 'u', 0, 0, 0, 1, 0, 0, 0, 0),
		ERR_MALFORMED, "topics[1].partitions");
	check_path(&metadata_response_schema, 0,
		BYTES(0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 'u', 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xff, 0xff,
			0xff, 0xfe, 0, 0, 0, 0),
		ERR_MALFORMED, "topics[0].partitions[0].replica_nodes");
	check_path(&metadata_response_schema, 0, BYTES(0, 0, 0, 0, 0, 0, 0, 0, 7), ERR_MALFORMED,
		"1 bytes behind the message");
	check_path(&sasl_handshake_request_schema, 0, BYTES(0xff, 0xff), ERR_MALFORMED, "mechanism");
	/* NodeEndpoints[0].Host in a tagged field: null. */
	check_path(&fetch_response_schema, 16,
		BYTES(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 12, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0), ERR_MALFORMED,
		"node_endpoints[0].host");
}

/* A count that the bytes cannot hold allocates nothing; one that they can hold stops at the ceiling. */
static void test_allocation_is_bounded(void **state)
{
	uint8_t *p = mem_zalloc(100000, 1);
	struct describe_groups_request m;
	struct list_offsets_request lo;
	struct arena a;
	char path[CODEC_PATH_MAX];

	(void)state;
	arena_init(&a, ARENA_MAX);
	assert_int_equal(
		decode_bytes_of(&describe_groups_request_schema, 0, BYTES(0, 0x0f, 0x42, 0x40, 0, 0), &a, &m, NULL),
		ERR_MALFORMED);
	assert_int_equal(a.used, 0);
	/* 1,000 topics of at least 6 bytes each (an empty name, no partitions), once with a byte missing */
	p[6] = 0x03;
	p[7] = 0xe8;
	assert_int_equal(decode_bytes_of(&list_offsets_request_schema, 1, p, 8 + 5999, &a, &lo, NULL), ERR_MALFORMED);
	assert_int_equal(a.used, 0);
	assert_int_equal(decode_bytes_of(&list_offsets_request_schema, 1, p, 8 + 6000, &a, &lo, NULL), ERR_OK);
	assert_int_equal(lo.topics_n, 1000);
	arena_release(&a);

	/* 99,990 empty compact strings: sixteen times their size in memory */
	arena_init(&a, 100000);
	memset(p, 1, 100000);
	memcpy(p, (const uint8_t[]){0x97, 0x8d, 0x06}, 3);
	assert_int_equal(decode_bytes_of(&describe_groups_request_schema, 5, p, 100000, &a, &m, path), ERR_TOO_LARGE);
	assert_string_equal(path, "groups");
	assert_true(a.used <= 100000);
	arena_release(&a);
	mem_free(p);
}

/* Arrays without elements inside of arrays cost no memory of their own. */
static void test_empty_arrays_are_free(void **state)
{
	uint8_t *p = mem_zalloc(3 + 1000 * 3 + 1, 1);
	struct alter_share_group_offsets_request m;
	struct arena a;

	(void)state;
	p[0] = 1;
	p[1] = 0xe9; /* 1,000 topics, each: empty name, no partitions, no tags */
	p[2] = 0x07;
	for (size_t i = 0; i < 1000; i++)
		memcpy(p + 3 + i * 3, (const uint8_t[]){1, 1, 0}, 3);
	arena_init(&a, 1000 * sizeof(m.topics[0]) + 64);
	assert_int_equal(
		decode_bytes_of(&alter_share_group_offsets_request_schema, 0, p, 3 + 3000 + 1, &a, &m, NULL), ERR_OK);
	assert_int_equal(m.topics_n, 1000);
	assert_non_null(m.topics[999].partitions);
	assert_int_equal(m.topics[999].partitions_n, 0);
	mem_free(p);
	arena_release(&a);
}

static void check_heartbeat_tail(enum err want, const uint8_t *tail, size_t tail_n)
{
	uint8_t p[64] = {2, 'g', 2, 'm', 0, 0, 0, 5, 0, 0};
	struct share_group_heartbeat_request m;
	struct arena a;

	arena_init(&a, 1000);
	memcpy(p + 10, tail, tail_n);
	assert_int_equal(decode_bytes_of(&share_group_heartbeat_request_schema, 1, p, 10 + tail_n, &a, &m, NULL), want);
	assert_int_equal(walk(&share_group_heartbeat_request_schema, 1, p, 10 + tail_n), want);
	if (!want) {
		assert_int_equal(m.member_epoch, 5);
		assert_null(m.subscribed_topic_names);
	}
	arena_release(&a);
}

static void test_tag_sections(void **state)
{
	(void)state;
	check_heartbeat_tail(ERR_OK, BYTES(0));
	check_heartbeat_tail(ERR_OK, BYTES(2, 0, 3, 1, 2, 3, 9, 0));
	check_heartbeat_tail(ERR_MALFORMED, BYTES(2, 3, 0, 3, 0));
	check_heartbeat_tail(ERR_MALFORMED, BYTES(2, 3, 0, 2, 0));
	check_heartbeat_tail(ERR_MALFORMED, BYTES(1, 3, 2, 0));
	check_heartbeat_tail(ERR_MALFORMED, BYTES(0, 0));
	check_heartbeat_tail(ERR_MALFORMED, BYTES(0x91, 0x4e));
}

static void check_fetch_request_tags(enum err want, const uint8_t *tags, size_t n)
{
	/* v12: replica, wait, min, max, isolation, session id and epoch, no topics, nothing forgotten, empty rack */
	uint8_t p[64] = {0};
	struct fetch_request m;
	struct arena a;

	arena_init(&a, 1000);
	p[25] = p[26] = p[27] = 1;
	memcpy(p + 28, tags, n);
	assert_int_equal(decode_bytes_of(&fetch_request_schema, 12, p, 28 + n, &a, &m, NULL), want);
	assert_int_equal(walk(&fetch_request_schema, 12, p, 28 + n), want);
	if (!want)
		assert_true(str_eq(m.cluster_id, STR_LIT("ab")));
	arena_release(&a);
}

/* The value of a known tagged field fills its size exactly. */
static void test_known_tags(void **state)
{
	(void)state;
	check_fetch_request_tags(ERR_OK, BYTES(1, 0, 3, 3, 'a', 'b'));
	check_fetch_request_tags(ERR_OK, BYTES(2, 0, 3, 3, 'a', 'b', 1, 1, 7)); /* ReplicaState is not known in v12 */
	check_fetch_request_tags(ERR_MALFORMED, BYTES(1, 0, 4, 3, 'a', 'b', 'c'));
	check_fetch_request_tags(ERR_MALFORMED, BYTES(1, 0, 2, 3, 'a'));
	check_fetch_request_tags(ERR_MALFORMED, BYTES(1, 0, 2, 3, 'a', 'b'));
	check_fetch_request_tags(ERR_MALFORMED, BYTES(1, 0, 0));
	check_fetch_request_tags(ERR_MALFORMED, BYTES(2, 0, 3, 3, 'a', 'b', 0, 3, 3, 'a', 'b'));
}

static enum err try_encode(const struct schema *s, int16_t version, const void *msg, size_t max)
{
	struct writer w;
	enum err e;

	wr_init(&w, max);
	e = codec_encode(s, version, &w, msg);
	assert_int_equal(w.err, e);
	wr_release(&w);
	return e;
}

static void test_encode_refuses(void **state)
{
	struct fetch_request_fetch_topic topic;
	struct fetch_request_fetch_partition part;
	struct metadata_request md;
	struct fetch_request m;
	struct all all;

	(void)state;
	codec_init(&fetch_request_schema, &m);
	codec_init(&fetch_request_fetch_topic_schema, &topic);
	codec_init(&fetch_request_fetch_partition_schema, &part);
	assert_int_equal(part.last_fetched_epoch, -1);
	m.topics = &topic;
	m.topics_n = 1;
	topic.topic = STR_LIT("t");
	topic.partitions = &part;
	topic.partitions_n = 1;
	assert_int_equal(try_encode(&fetch_request_schema, 4, &m, 1000), ERR_OK);
	assert_int_equal(try_encode(&fetch_request_schema, 4, &m, 20), ERR_TOO_LARGE);
	part.current_leader_epoch = 3; /* ignorable before v9 */
	assert_int_equal(try_encode(&fetch_request_schema, 4, &m, 1000), ERR_OK);
	part.last_fetched_epoch = 3; /* not ignorable before v12 */
	assert_int_equal(try_encode(&fetch_request_schema, 11, &m, 1000), ERR_INVALID);
	assert_int_equal(try_encode(&fetch_request_schema, 12, &m, 1000), ERR_OK);
	topic.topic = STR_NULL; /* null where the version has the field */
	assert_int_equal(try_encode(&fetch_request_schema, 12, &m, 1000), ERR_INVALID);
	assert_int_equal(try_encode(&fetch_request_schema, 13, &m, 1000), ERR_OK);
	topic.partitions = NULL;
	topic.partitions_n = 0;
	assert_int_equal(try_encode(&fetch_request_schema, 13, &m, 1000), ERR_INVALID);
	topic.partitions_n = 1;
	assert_int_equal(try_encode(&fetch_request_schema, 13, &m, 1000), ERR_INVALID);

	codec_init(&metadata_request_schema, &md);
	md.topics = NULL; /* null from v1 on */
	assert_int_equal(try_encode(&metadata_request_schema, 0, &md, 1000), ERR_INVALID);
	assert_int_equal(try_encode(&metadata_request_schema, 1, &md, 1000), ERR_OK);

	codec_init(&all_schema, &all);
	assert_int_equal(try_encode(&all_schema, 0, &all, 1000), ERR_INVALID); /* SubNull may be null from v1 on */
	assert_int_equal(try_encode(&all_schema, 1, &all, 1000), ERR_OK);
	all.sub_null = &all.sub;
	assert_int_equal(try_encode(&all_schema, 0, &all, 1000), ERR_OK);
	all.late = 0;
	assert_int_equal(try_encode(&all_schema, 1, &all, 1000), ERR_INVALID);
	assert_int_equal(try_encode(&all_schema, 2, &all, 1000), ERR_OK);
	all.b = (struct bytes){NULL, 0};
	assert_int_equal(try_encode(&all_schema, 2, &all, 1000), ERR_INVALID);
	codec_init(&all_schema, &all);
	all.doubles_n = 1000001;
	assert_int_equal(try_encode(&all_schema, 2, &all, 1 << 24), ERR_INVALID);
}

/* Clients stop for good on null Records: whatever is set, at least an empty set goes out. */
static void test_share_fetch_records_are_never_null(void **state)
{
	struct share_fetch_response_share_fetchable_topic_response topic;
	struct share_fetch_response_partition_data part;
	struct share_fetch_response m;
	struct records empty;
	uint8_t *p, *q;
	size_t n, k;

	(void)state;
	codec_init(&share_fetch_response_schema, &m);
	codec_init(&share_fetch_response_share_fetchable_topic_response_schema, &topic);
	codec_init(&share_fetch_response_partition_data_schema, &part);
	m.responses = &topic;
	m.responses_n = 1;
	topic.partitions = &part;
	topic.partitions_n = 1;
	empty = part.records;
	assert_non_null(empty.v);
	for (int16_t v = 1; v <= 2; v++) {
		part.records = empty;
		p = encode_copy(&share_fetch_response_schema, v, &m, &n);
		part.records = (struct records){NULL, 0};
		q = encode_copy(&share_fetch_response_schema, v, &m, &k);
		assert_int_equal(n, k);
		assert_memory_equal(p, q, n);
		/* partition: index, error, null text, error, null text, leader and epoch, tags, then Records of length
		 * 0 */
		assert_int_equal(p[4 + 2 + 1 + 4 + 1 + 16 + 1 + 4 + 2 + 1 + 2 + 1 + 4 + 4 + 1], 1);
		mem_free(p);
		mem_free(q);
	}
}

/* Stored batches reach the writer as slices, one behind the other. */
static void test_records_are_not_copied(void **state)
{
	struct chunk *c = chunk_try_new(10000);
	struct slice v[2];
	struct share_fetch_response_share_fetchable_topic_response topic;
	struct share_fetch_response_partition_data part;
	struct share_fetch_response m, got;
	struct arena a;
	struct writer w;
	uint8_t *p;

	(void)state;
	assert_non_null(c);
	memset(c->data, 7, c->size);
	v[0] = (struct slice){c, c->data, 4000};
	v[1] = (struct slice){c, c->data + 4000, 6000};
	codec_init(&share_fetch_response_schema, &m);
	codec_init(&share_fetch_response_share_fetchable_topic_response_schema, &topic);
	codec_init(&share_fetch_response_partition_data_schema, &part);
	m.responses = &topic;
	m.responses_n = 1;
	topic.partitions = &part;
	topic.partitions_n = 1;
	part.records = (struct records){v, 2};
	wr_init(&w, 1000);
	arena_init(&a, 10000);
	assert_int_equal(codec_encode(&share_fetch_response_schema, 2, &w, &m), ERR_OK);
	assert_int_equal(w.refs_n, 2);
	assert_int_equal(c->refs, 3);
	p = writer_copy(&w);
	assert_int_equal(decode_bytes_of(&share_fetch_response_schema, 2, p, wr_size(&w), &a, &got, NULL), ERR_OK);
	assert_int_equal(got.responses[0].partitions[0].records.v_n, 1);
	assert_int_equal(got.responses[0].partitions[0].records.v[0].n, 10000);
	assert_true(messages_equal(&share_fetch_response_schema, &m, &got));
	wr_release(&w);
	mem_free(p);
	arena_release(&a);
	chunk_unref(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trips),
		cmocka_unit_test(test_truncations),
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_unsupported_versions),
		cmocka_unit_test(test_error_names_the_field),
		cmocka_unit_test(test_allocation_is_bounded),
		cmocka_unit_test(test_empty_arrays_are_free),
		cmocka_unit_test(test_tag_sections),
		cmocka_unit_test(test_known_tags),
		cmocka_unit_test(test_encode_refuses),
		cmocka_unit_test(test_share_fetch_records_are_never_null),
		cmocka_unit_test(test_records_are_not_copied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
