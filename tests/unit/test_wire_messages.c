/* SPDX-License-Identifier: Apache-2.0 */
/* The schemas against bytes that Kafka's own serializer and real clients have written. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/mem.h"
#include "wire/kafka_errors.h"
#include "wire/messages.h"
#include "wire_fill.h"

#define LINE_MAX_BYTES 65536
#define VERSIONS_MAX 32

struct hex {
	uint8_t *p;
	size_t n;
};

static struct hex hex_parse(const char *text)
{
	size_t n = strcmp(text, "-") == 0 ? 0 : strlen(text) / 2;
	struct hex h = {mem_zalloc(n ? n : 1, 1), n};

	for (size_t i = 0; i < n; i++) {
		unsigned v;

		assert_int_equal(sscanf(text + 2 * i, "%2x", &v), 1);
		h.p[i] = (uint8_t)v;
	}
	return h;
}

static void check_bytes(const struct schema *s, int16_t version, const void *msg, struct hex want)
{
	size_t n;
	uint8_t *p = encode_copy(s, version, msg, &n);

	if (n != want.n || memcmp(p, want.p, n) != 0)
		fail_msg("%s v%d: encoding gives other bytes", schema_name(s), version);
	mem_free(p);
}

static bool no_span(void *arg, const struct codec_span *span)
{
	(void)arg;
	(void)span;
	fail();
	return false;
}

/* Defaults, and one element of defaults in each array that the version has. */
static void init_with_elements(const struct schema *s, int16_t version, struct arena *a, uint8_t *base)
{
	codec_init(s, base);
	for (size_t i = 0; i < s->fields_n; i++) {
		const struct schema_field *f = &s->fields[i];
		uint8_t *elem = base + f->offset;

		if (!field_in_version(f, version) || (!field_is_array(f) && (!f->sub || f->flags & FIELD_POINTER)))
			continue;
		if (field_is_array(f)) {
			elem = arena_zalloc(a, 1, field_elem_size(f));
			assert_non_null(elem);
			field_set_array(f, base, elem, 1);
			if (f->type == FIELD_STRING)
				*(struct str *)(void *)elem = STR_LIT("");
		}
		if (f->sub)
			init_with_elements(f->sub, version, a, elem);
	}
}

/* What a vector holds, by its place among those of a message and version. */
enum content { CONTENT_DEFAULTS, CONTENT_ELEMENTS, CONTENT_RANDOM };

/* Kafka's bytes decode, encode to the same, and the walks agree; our own defaults give the same bytes as Kafka's. */
static void check_vector(const struct schema *s, int16_t version, struct hex h, enum content content)
{
	void *x = mem_zalloc(1, schema_struct_size(s));
	char path[CODEC_PATH_MAX];
	struct codec_stream st;
	struct reader r = rd_init(h.p, h.n);
	struct arena a;

	arena_init(&a, 1 << 24);
	if (decode_bytes_of(s, version, h.p, h.n, &a, x, path))
		fail_msg("%s v%d does not decode: %s", schema_name(s), version, path);
	check_bytes(s, version, x, h);
	assert_int_equal(codec_locate(s, version, &r, NULL, 0, no_span, NULL), ERR_OK);
	assert_int_equal(codec_stream_init(&st, s, version), ERR_OK);
	codec_stream_feed(&st, h.p, h.n);
	assert_int_equal(st.err, ERR_OK);
	assert_int_equal(st.at_tags, schema_is_flexible(s, version));
	if (content == CONTENT_DEFAULTS)
		codec_init(s, x);
	if (content == CONTENT_ELEMENTS)
		init_with_elements(s, version, &a, x);
	check_bytes(s, version, x, h);
	mem_free(x);
	arena_release(&a);
}

struct seen {
	uint32_t n[256][VERSIONS_MAX]; /* vectors of each schema and version */
};

static size_t schema_index(const char *name)
{
	for (size_t i = 0; i < schema_messages_n; i++)
		if (strcmp(schema_name(schema_messages[i]), name) == 0)
			return i;
	fail_msg("%s is in a vector, but has no schema", name);
	return 0;
}

static void check_file(const char *path, struct seen *seen)
{
	char *line = mem_zalloc(LINE_MAX_BYTES, 1), *text = mem_zalloc(LINE_MAX_BYTES, 1), name[64];
	FILE *f = fopen(path, "r");
	int version;

	if (!f)
		fail_msg("cannot open %s", path);
	while (fgets(line, LINE_MAX_BYTES, f)) {
		size_t i;
		struct hex h;

		assert_int_equal(sscanf(line, "%63s %d %65535s", name, &version, text), 3);
		i = schema_index(name);
		assert_true(version >= 0 && version < VERSIONS_MAX);
		h = hex_parse(text);
		check_vector(schema_messages[i], (int16_t)version, h,
			seen->n[i][version] < 2 ? (enum content)seen->n[i][version] : CONTENT_RANDOM);
		seen->n[i][version]++;
		mem_free(h.p);
	}
	fclose(f);
	mem_free(line);
	mem_free(text);
}

static void check_dir(const char *name, struct seen *seen)
{
	const char *srcdir = getenv("top_srcdir");
	char dir[1024], path[2048];
	struct dirent *e;
	DIR *d;

	snprintf(dir, sizeof(dir), "%s/tests/unit/%s", srcdir ? srcdir : ".", name);
	d = opendir(dir);
	if (!d)
		fail_msg("cannot open %s", dir);
	while ((e = readdir(d)) != NULL) {
		size_t n = strlen(e->d_name);

		if (n < 4 || strcmp(e->d_name + n - 4, ".hex") != 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		check_file(path, seen);
	}
	closedir(d);
}

/* Every message in every version is compared with what Kafka writes. */
static void test_kafka_vectors(void **state)
{
	struct seen *seen = mem_zalloc(1, sizeof(*seen));

	(void)state;
	check_dir("vectors", seen);
	check_dir("vectors/old", seen);
	for (size_t i = 0; i < schema_messages_n; i++)
		for (int16_t v = schema_min_version(schema_messages[i]); v <= schema_max_version(schema_messages[i]);
			v++)
			if (seen->n[i][v] < 6)
				fail_msg("%s v%d has no vectors", schema_name(schema_messages[i]), v);
	mem_free(seen);
}

/* A request as a client sent it, header in front; the body is decoded into msg. */
static const struct schema *decode_request(
	const char *text, struct arena *a, void *msg, size_t msg_size, struct hex *ret)
{
	struct hex h = hex_parse(text);
	struct reader r = rd_init(h.p, h.n);
	int16_t key = rd_i16(&r), version = rd_i16(&r);
	const struct schema *s = schema_find(key, false);
	struct hex body;

	assert_non_null(s);
	rd_i32(&r);
	rd_str(&r);
	if (schema_is_flexible(s, version))
		rd_skip_tags(&r);
	assert_int_equal(r.err, ERR_OK);
	body = (struct hex){mem_zalloc(rd_left(&r) + 1, 1), rd_left(&r)};
	memcpy(body.p, r.p, body.n);
	mem_free(h.p);
	check_vector(s, version, body, CONTENT_RANDOM);
	if (msg) {
		assert_int_equal(schema_struct_size(s), msg_size);
		assert_int_equal(decode_bytes_of(s, version, body.p, body.n, a, msg, NULL), ERR_OK);
	}
	*ret = body;
	return s;
}

#define REQUEST(text, msg) assert_ptr_equal(decode_request(text, &a, &(msg), sizeof(msg), &h), schema_of(&(msg)))
#define schema_of(m)                                                                                                   \
	_Generic((m), struct api_versions_request *                                                                    \
		 : &api_versions_request_schema, struct metadata_request *                                             \
		 : &metadata_request_schema, struct find_coordinator_request *                                         \
		 : &find_coordinator_request_schema, struct share_group_heartbeat_request *                            \
		 : &share_group_heartbeat_request_schema, struct share_fetch_request *                                 \
		 : &share_fetch_request_schema, struct share_acknowledge_request *                                     \
		 : &share_acknowledge_request_schema, struct share_group_describe_request *                            \
		 : &share_group_describe_request_schema, struct describe_share_group_offsets_request *                 \
		 : &describe_share_group_offsets_request_schema, struct alter_share_group_offsets_request *            \
		 : &alter_share_group_offsets_request_schema, struct delete_share_group_offsets_request *              \
		 : &delete_share_group_offsets_request_schema, struct list_groups_request *                            \
		 : &list_groups_request_schema, struct delete_groups_request *                                         \
		 : &delete_groups_request_schema, struct list_config_resources_request *                               \
		 : &list_config_resources_request_schema, struct describe_configs_request *                            \
		 : &describe_configs_request_schema, struct incremental_alter_configs_request *                        \
		 : &incremental_alter_configs_request_schema)

static const struct uuid topic_id = {
	{0x11, 0x11, 0x11, 0x11, 0x22, 0x22, 0x33, 0x33, 0x44, 0x44, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55}};

static void assert_str(struct str got, const char *want)
{
	assert_true(str_eq(got, str_of(want)));
}

static void test_client_bootstrap(void **state)
{
	struct find_coordinator_request fc;
	struct api_versions_request av;
	struct metadata_request md;
	struct arena a;
	struct hex h;

	(void)state;
	arena_init(&a, 100000);
	REQUEST("001200050000000100016300126170616368652d6b61666b612d6a61766108756e6b6e6f776e00ffffffff00", av);
	assert_str(av.client_software_name, "apache-kafka-java");
	assert_str(av.client_software_version, "unknown");
	assert_str(av.cluster_id, NULL);
	assert_int_equal(av.node_id, -1);
	mem_free(h.p);
	REQUEST("001200050000000900016300126170616368652d6b61666b612d6a61766108756e6b6e6f776e0c66616b65636c757374657200"
		"00000100",
		av);
	assert_str(av.cluster_id, "fakecluster");
	assert_int_equal(av.node_id, 1);
	mem_free(h.p);
	REQUEST("0003000d00000005000163000200000000000000000000000000000000027400010000", md);
	assert_int_equal(md.topics_n, 1);
	assert_str(md.topics[0].name, "t");
	assert_true(uuid_is_zero(md.topics[0].topic_id));
	assert_true(md.allow_auto_topic_creation);
	mem_free(h.p);
	REQUEST("0003000d00000004000772646b61666b610002111111112222333344445555555555550000000000", md);
	assert_int_equal(md.topics_n, 1);
	assert_str(md.topics[0].name, NULL);
	assert_true(uuid_eq(md.topics[0].topic_id, topic_id));
	assert_false(md.allow_auto_topic_creation);
	mem_free(h.p);
	REQUEST("000a000600000006000163000002026700", fc);
	assert_int_equal(fc.key_type, 0);
	assert_int_equal(fc.coordinator_keys_n, 1);
	assert_str(fc.coordinator_keys[0], "g");
	mem_free(h.p);
	REQUEST("000a000200000003000772646b61666b6100016700", fc);
	assert_str(fc.key, "g");
	assert_int_equal(fc.coordinator_keys_n, 0);
	mem_free(h.p);
	arena_release(&a);
}

static void check_heartbeat(const char *text, const char *member, int32_t epoch, bool null_topics, const char *topic)
{
	struct share_group_heartbeat_request hb;
	struct arena a;
	struct hex h;

	arena_init(&a, 100000);
	REQUEST(text, hb);
	assert_str(hb.group_id, "g");
	assert_str(hb.member_id, member);
	assert_int_equal(hb.member_epoch, epoch);
	assert_str(hb.rack_id, NULL);
	assert_int_equal(!hb.subscribed_topic_names, null_topics);
	assert_int_equal(hb.subscribed_topic_names_n, topic ? 1 : 0);
	if (topic)
		assert_str(hb.subscribed_topic_names[0], topic);
	mem_free(h.p);
	arena_release(&a);
}

static void test_client_heartbeats(void **state)
{
	(void)state;
	check_heartbeat("004c00010000000c000163000267176a7753795f72346b546d574a33515273783872774467000000000002027400",
		"jwSy_r4kTmWJ3QRsx8rwDg", 0, false, "t");
	check_heartbeat("004c000100000010000163000267176a7753795f72346b546d574a3351527378387277446700000001000000",
		"jwSy_r4kTmWJ3QRsx8rwDg", 1, true, NULL);
	check_heartbeat("004c00010000001e000163000267176a7753795f72346b546d574a33515273783872774467ffffffff000100",
		"jwSy_r4kTmWJ3QRsx8rwDg", -1, false, NULL);
	check_heartbeat(
		"004c000100000007000772646b61666b6100026717334b747830725933546a4b6456477245517576694841ffffffff000000",
		"3Ktx0rY3TjKdVGrEQuviHA", -1, true, NULL);
}

struct want_fetch {
	int32_t epoch, max_wait_ms, max_bytes, max_records;
	bool renew;
	uint32_t topics, acks;
	int8_t type;
};

static void check_share_fetch(const char *text, const struct want_fetch *want)
{
	struct share_fetch_request sf;
	struct arena a;
	struct hex h;

	arena_init(&a, 100000);
	REQUEST(text, sf);
	assert_str(sf.group_id, "g");
	assert_int_equal(sf.share_session_epoch, want->epoch);
	assert_int_equal(sf.max_wait_ms, want->max_wait_ms);
	assert_int_equal(sf.max_bytes, want->max_bytes);
	assert_int_equal(sf.max_records, want->max_records);
	assert_int_equal(sf.batch_size, want->max_records);
	assert_int_equal(sf.is_renew_ack, want->renew);
	assert_int_equal(sf.topics_n, want->topics);
	assert_int_equal(sf.forgotten_topics_data_n, 0);
	if (want->topics) {
		const struct share_fetch_request_fetch_partition *p = sf.topics[0].partitions;

		assert_true(uuid_eq(sf.topics[0].topic_id, topic_id));
		assert_int_equal(sf.topics[0].partitions_n, 1);
		assert_int_equal(p->partition_index, 0);
		assert_int_equal(p->acknowledgement_batches_n, want->acks);
		if (want->acks) {
			assert_int_equal(p->acknowledgement_batches[0].first_offset, 0);
			assert_int_equal(p->acknowledgement_batches[0].last_offset, 2);
			assert_int_equal(p->acknowledgement_batches[0].acknowledge_types_n, 1);
			assert_int_equal(p->acknowledgement_batches[0].acknowledge_types[0], want->type);
		}
	}
	mem_free(h.p);
	arena_release(&a);
}

static void test_client_share_fetches(void **state)
{
	(void)state;
	check_share_fetch("004e000200000012000163000267176a7753795f72346b546d574a3351527378387277446700000000000001f400"
			  "00000103200000000001f400"
			  "0001f40000021111111122223333444455555555555502000000000100000100",
		&(struct want_fetch){0, 500, 52428800, 500, false, 1, 0, 0});
	check_share_fetch("004e000200000014000163000267176a7753795f72346b546d574a3351527378387277446700000002000001f400"
			  "00000103200000000001f400"
			  "0001f40000010100",
		&(struct want_fetch){2, 500, 52428800, 500, false, 0, 0, 0});
	check_share_fetch(
		"004e000200000019000163000267175159376b317454495370696e553532564232657555670000000100000000000000000000"
		"000000000000000000"
		"00000102111111112222333344445555555555550200000000020000000000000000000000000000000202040000000100",
		&(struct want_fetch){1, 0, 0, 0, true, 1, 1, 4});
	check_share_fetch("004e00010000001100016300026717573076786764544652564b6637425f5f612d314b615100000000000001f400"
			  "00000103200000000001f400"
			  "0001f4021111111122223333444455555555555502000000000100000100",
		&(struct want_fetch){0, 500, 52428800, 500, false, 1, 0, 0});
	check_share_fetch("004e000100000006000772646b61666b6100026717334b747830725933546a4b6456477245517576694841000000"
			  "01000001f400000001032000"
			  "00000001f4000001f402111111112222333344445555555555550200000000020000000000000000000000000000"
			  "00020201000000"
			  "0100",
		&(struct want_fetch){1, 500, 52428800, 500, false, 1, 1, 1});
}

static void test_client_acknowledges(void **state)
{
	struct share_acknowledge_request sa;
	struct arena a;
	struct hex h;

	(void)state;
	arena_init(&a, 100000);
	REQUEST("004f000200000013000163000267176a7753795f72346b546d574a335152737838727744670000000100021111111122223333"
		"444455555555555502000000"
		"000200000000000000000000000000000002020100000000",
		sa);
	assert_int_equal(sa.share_session_epoch, 1);
	assert_false(sa.is_renew_ack);
	assert_int_equal(sa.topics_n, 1);
	assert_int_equal(sa.topics[0].partitions[0].acknowledgement_batches[0].last_offset, 2);
	assert_int_equal(sa.topics[0].partitions[0].acknowledgement_batches[0].acknowledge_types[0], 1);
	mem_free(h.p);
	REQUEST("004f00020000001d000163000267176a7753795f72346b546d574a33515273783872774467ffffffff000100", sa);
	assert_int_equal(sa.share_session_epoch, -1);
	assert_int_equal(sa.topics_n, 0);
	mem_free(h.p);
	REQUEST("004f00010000001a00016300026717573076786764544652564b6637425f5f612d314b6151ffffffff0100", sa);
	assert_int_equal(sa.share_session_epoch, -1);
	assert_str(sa.member_id, "W0vxgdTFRVKf7B__a-1KaQ");
	mem_free(h.p);
	arena_release(&a);
}

static void test_client_admin(void **state)
{
	struct describe_share_group_offsets_request describe_offsets;
	struct delete_share_group_offsets_request delete_offsets;
	struct alter_share_group_offsets_request alter_offsets;
	struct incremental_alter_configs_request alter;
	struct list_config_resources_request resources;
	struct share_group_describe_request describe;
	struct describe_configs_request configs;
	struct delete_groups_request delete;
	struct list_groups_request list;
	struct arena a;
	struct hex h;

	(void)state;
	arena_init(&a, 100000);
	REQUEST("004d000100000004000d61646d696e636c69656e742d31000202670000", describe);
	assert_int_equal(describe.group_ids_n, 1);
	assert_false(describe.include_authorized_operations);
	mem_free(h.p);
	REQUEST("005a000100000006000d61646d696e636c69656e742d3100020267000000", describe_offsets);
	assert_str(describe_offsets.groups[0].group_id, "g");
	assert_null(describe_offsets.groups[0].topics);
	mem_free(h.p);
	REQUEST("005b00000000000e000d61646d696e636c69656e742d310002670202740200000000000000000000000c000000",
		alter_offsets);
	assert_str(alter_offsets.topics[0].topic_name, "t");
	assert_int_equal(alter_offsets.topics[0].partitions[0].start_offset, 12);
	mem_free(h.p);
	REQUEST("005c000000000004000d61646d696e636c69656e742d310002670202740000", delete_offsets);
	assert_str(delete_offsets.topics[0].topic_name, "t");
	mem_free(h.p);
	REQUEST("0010000500000004000d61646d696e636c69656e742d3100010206536861726500", list);
	assert_int_equal(list.states_filter_n, 0);
	assert_str(list.types_filter[0], "Share");
	mem_free(h.p);
	REQUEST("002a000200000006000d61646d696e636c69656e742d310002026700", delete);
	assert_str(delete.groups_names[0], "g");
	mem_free(h.p);
	REQUEST("004a000100000005000d61646d696e636c69656e742d3100022000", resources);
	assert_int_equal(resources.resource_types_n, 1);
	assert_int_equal(resources.resource_types[0], 32);
	mem_free(h.p);
	REQUEST("0020000400000006000d61646d696e636c69656e742d3100022002670000010000", configs);
	assert_int_equal(configs.resources[0].resource_type, 32);
	assert_null(configs.resources[0].configuration_keys);
	assert_true(configs.include_synonyms);
	assert_false(configs.include_documentation);
	mem_free(h.p);
	REQUEST("002c000100000003000d61646d696e636c69656e742d310002200267021873686172652e6175746f2e6f66667365742e726573"
		"657400096561726c69"
		"65737400000000",
		alter);
	assert_str(alter.resources[0].configs[0].name, "share.auto.offset.reset");
	assert_str(alter.resources[0].configs[0].value, "earliest");
	assert_int_equal(alter.resources[0].configs[0].config_operation, 0);
	assert_false(alter.validate_only);
	mem_free(h.p);
	arena_release(&a);
}

static void test_schema_find(void **state)
{
	const struct schema *s = schema_find(78, true);

	(void)state;
	assert_ptr_equal(s, &share_fetch_response_schema);
	assert_string_equal(schema_name(s), "ShareFetchResponse");
	assert_int_equal(schema_min_version(s), 1);
	assert_int_equal(schema_max_version(s), 2);
	assert_int_equal(schema_struct_size(s), sizeof(struct share_fetch_response));
	assert_ptr_equal(schema_find(0, false), &produce_request_schema);
	assert_null(schema_find(-1, false)); /* what nested structs have */
	assert_null(schema_find(43, true));
	assert_true(schema_is_flexible(&fetch_request_schema, 12));
	assert_false(schema_is_flexible(&fetch_request_schema, 11));
	assert_false(schema_is_flexible(&sasl_handshake_request_schema, 1));
	assert_string_equal(schema_name(&metadata_response_metadata_response_broker_schema), "MetadataResponseBroker");
}

static void test_error_names(void **state)
{
	(void)state;
	assert_string_equal(kafka_error_name(KAFKA_ERR_NONE), "NONE");
	assert_string_equal(kafka_error_name(-1), "UNKNOWN_SERVER_ERROR");
	assert_string_equal(kafka_error_name(121), "INVALID_RECORD_STATE");
	assert_int_equal(KAFKA_ERR_SHARE_SESSION_LIMIT_REACHED, 133);
	assert_string_equal(kafka_error_name(-2), "unknown error code");
	assert_string_equal(kafka_error_name(INT16_MAX), "unknown error code");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kafka_vectors),
		cmocka_unit_test(test_client_bootstrap),
		cmocka_unit_test(test_client_heartbeats),
		cmocka_unit_test(test_client_share_fetches),
		cmocka_unit_test(test_client_acknowledges),
		cmocka_unit_test(test_client_admin),
		cmocka_unit_test(test_schema_find),
		cmocka_unit_test(test_error_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
