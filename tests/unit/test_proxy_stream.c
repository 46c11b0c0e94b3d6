/* SPDX-License-Identifier: Apache-2.0 */
/* Requests and answers that arrive in pieces, that are far larger than any buffer, or that carry addresses. */
#include "test_proxy_env.h"

#include "base/mem.h"
#include "route/versions.h"
#include "wire/messages.h"

#define BIG ((size_t)50 << 20)
#define SECRET STR_LIT("a-long-broker-name.internal.example")

static int setup(void **state)
{
	struct env *e = mem_zalloc(1, sizeof(*e));

	env_start(e);
	*state = e;
	return 0;
}

static int teardown(void **state)
{
	struct env *e = *state;

	env_stop(e);
	mem_free(e);
	return 0;
}

/* A Metadata answer that names one broker. */
static size_t metadata_body(uint8_t *out, int32_t node_id, struct str host, int32_t port)
{
	struct metadata_response_metadata_response_broker b;
	struct metadata_response m;
	struct writer w;
	size_t n;

	codec_init(&metadata_response_metadata_response_broker_schema, &b);
	codec_init(&metadata_response_schema, &m);
	b.node_id = node_id;
	b.host = host;
	b.port = port;
	m.brokers = &b;
	m.brokers_n = 1;
	m.cluster_id = STR_LIT("c");
	m.controller_id = node_id;
	m.topics = (void *)&m;
	wr_init(&w, 4096);
	assert_int_equal(codec_encode(&metadata_response_schema, 12, &w, &m), ERR_OK);
	n = wr_size(&w);
	wr_flatten(&w, out);
	wr_release(&w);
	return n;
}

/* Four requests of a client, what the broker sees of them, its answers, and what the client gets. */
struct dialogue {
	struct writer in, sent, answers, out;
};

static void dialogue_init(const struct env *e, struct dialogue *d)
{
	static const uint8_t versions[] = {0, 0, 3, 0, 3, 0, 0, 0, 12, 0, 0, 18, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0};
	uint8_t secret[256], shown[256];
	size_t secret_n = metadata_body(secret, 3, SECRET, 9092), shown_n;
	struct writer edited;
	uint8_t flat[512];

	shown_n = metadata_body(shown, 3, STR_LIT("proxy.test"), e->port + 1 + 3);
	wr_init(&d->in, 4096);
	wr_init(&d->sent, 4096);
	wr_init(&d->answers, 4096);
	wr_init(&d->out, 4096);
	wr_init(&edited, 4096);
	put_request(&d->sent, 18, 3, 1, "\x02x\x02y\x00", 5);
	put_request(&d->sent, 3, 12, 2, "\x00\x00\x00\x00", 4);
	wr_raw(&d->in, buf_head(&d->sent.own), buf_len(&d->sent.own));
	put_request(&d->in, 76, 1, 3, "local", 5);
	put_request(&d->in, 0, 3, 4, "\xff\xff\x00\x00no answer", 13);
	put_request(&d->sent, 0, 3, 4, "\xff\xff\x00\x00no answer", 13);
	put_request(&d->in, 500, 1, 5, "who knows", 9);
	put_request(&d->sent, 500, 1, 5, "who knows", 9);
	put_answer(&d->answers, 18, 3, 1, versions, sizeof(versions));
	put_answer(&d->answers, 3, 12, 2, secret, secret_n);
	put_answer(&d->answers, 500, 1, 5, "somebody", 8);
	assert_int_equal(
		versions_edit(3, (struct bytes){versions, sizeof(versions)}, versions_served(), &edited), ERR_OK);
	wr_flatten(&edited, flat);
	put_answer(&d->out, 18, 3, 1, flat, wr_size(&edited));
	put_answer(&d->out, 3, 12, 2, shown, shown_n);
	put_answer(&d->out, 76, 1, 3, "L", 1);
	put_answer(&d->out, 500, 1, 5, "somebody", 8);
	wr_release(&edited);
}

static void dialogue_release(struct dialogue *d)
{
	wr_release(&d->in);
	wr_release(&d->sent);
	wr_release(&d->answers);
	wr_release(&d->out);
}

/* Sends what a writer holds in two parts, or byte by byte when at is 0. */
static void send_split(struct env *e, struct peer *p, const struct writer *w, size_t at)
{
	const uint8_t *d = buf_head(&w->own);
	size_t n = buf_len(&w->own);

	if (at == 0) {
		for (size_t i = 0; i < n; i++) {
			peer_send_bytes(e, p, d + i, 1);
			env_turn(e, 0);
		}
		return;
	}
	if (at > n)
		at = n;
	peer_send_bytes(e, p, d, at);
	env_turn(e, 2);
	peer_send_bytes(e, p, d + at, n - at);
}

static void test_every_boundary(void **state)
{
	struct env *e = *state;
	struct dialogue d;

	dialogue_init(e, &d);
	for (size_t i = 0; i <= wr_size(&d.in); i++) {
		struct peer *c = env_connect(e, e->port), *b;
		struct writer w;

		send_split(e, c, &d.in, i);
		b = env_upstream(e, wr_size(&d.sent));
		peer_expect(e, b, &d.sent);
		env_wait_slots(e, 1);
		wr_init(&w, 16);
		wr_raw(&w, "L", 1);
		slot_answer(e->slots[--e->slots_n], &w);
		send_split(e, b, &d.answers, i);
		peer_expect(e, c, &d.out);
		assert_int_equal(buf_len(&c->in), 0);
		assert_int_equal(buf_len(&b->in), 0);
		peer_close(c);
		env_wait_closed(e, b);
		peer_close(b);
	}
	dialogue_release(&d);
}

/* Bytes that the proxy has taken in and not yet given out. */
static double bytes_inside(struct env *e)
{
	return env_metric(e, "sluice_bytes_total", "side=\"upstream\",direction=\"in\"") -
	       env_metric(e, "sluice_bytes_total", "side=\"client\",direction=\"out\"");
}

/* A client that does not read a big answer stops the broker, not the proxy. */
static void check_slow_client(struct env *e, int16_t key, int16_t version, const struct writer *answer)
{
	struct peer *c = env_connect(e, e->port), *b;
	double before = bytes_inside(e), most = 0;
	struct writer in;

	wr_init(&in, 256);
	put_request(&in, key, version, 1, "\x00\x00\x00\x00", 4);
	peer_send(e, c, &in);
	b = env_upstream(e, wr_size(&in));
	c->reading = false;
	peer_send(e, b, answer);
	for (int i = 0; i < 50; i++) {
		double now;

		env_turn(e, 4);
		now = bytes_inside(e) - before;
		most = now > most ? now : most;
	}
	assert_true(buf_len(&b->out) > BIG / 4);
	assert_true(most < 768 * 1024);
	assert_true(env_metric(e, "sluice_collected_bytes", "") < 1);
	c->reading = true;
	env_wait_bytes(e, c, wr_size(answer));
	assert_int_equal(buf_len(&c->in), wr_size(answer));
	assert_true(env_metric(e, "sluice_paused_reads_total", "side=\"upstream\"") > 0);
	wr_release(&in);
}

/* What is not read passes in every version, also in those to come, and so do APIs to come: the same bytes both ways. */
static void test_every_api_that_passes(void **state)
{
	static const int16_t versions[] = {0, 1, 5, 14, 99, INT16_MAX};
	static const int16_t unknown[] = {ROUTE_KEY_MAX + 1, 200, 1000};
	struct env *e = *state;
	struct peer *c = env_connect(e, e->port), *b = NULL;
	uint32_t passed = 0;
	uint8_t body[64];

	for (int16_t i = 0; i <= ROUTE_KEY_MAX + 3; i++) {
		int16_t key = i <= ROUTE_KEY_MAX ? i : unknown[i - ROUTE_KEY_MAX - 1];
		const struct route_api *api = route_api_find(key);

		if ((api && api->verdict != ROUTE_PASS) || key == ROUTE_KEY_SASL_HANDSHAKE)
			continue;
		for (size_t v = 0; v < sizeof(versions) / sizeof(versions[0]); v++, passed++) {
			struct writer w;

			for (size_t k = 0; k < sizeof(body); k++)
				body[k] = (uint8_t)(key * 31 + (int)v * 7 + (int)k * 13);
			wr_init(&w, 256);
			put_request(&w, key, versions[v], (int32_t)passed, body, (size_t)key % sizeof(body));
			peer_send(e, c, &w);
			if (!b)
				b = env_upstream(e, wr_size(&w));
			peer_expect(e, b, &w);
			wr_release(&w);
			wr_init(&w, 256);
			put_answer(&w, key, versions[v], (int32_t)passed, body, sizeof(body));
			peer_send(e, b, &w);
			peer_expect(e, c, &w);
			wr_release(&w);
		}
	}
	assert_true(passed > 300 && buf_len(&c->in) == 0 && buf_len(&b->in) == 0);
}

static void test_slow_client_pass(void **state)
{
	struct env *e = *state;
	uint8_t *body = mem_zalloc(BIG, 1);
	struct writer answer;

	for (size_t i = 0; i < BIG; i++)
		body[i] = (uint8_t)(i * 7919 >> 5);
	wr_init(&answer, BIG + 64);
	put_answer(&answer, 1, 11, 1, body, BIG);
	check_slow_client(e, 1, 11, &answer);
	assert_memory_equal(buf_head(&e->clients[0].in), buf_head(&answer.own), wr_size(&answer));
	wr_release(&answer);
	mem_free(body);
}

/* A Fetch answer of version 17 with n bytes of records that names a node. */
static void put_fetch_answer(struct writer *w, size_t n)
{
	uint8_t *bytes = mem_zalloc(n, 1);
	struct slice slice = {NULL, bytes, n};
	struct fetch_response_node_endpoint node;
	struct fetch_response_partition_data part;
	struct fetch_response_fetchable_topic_response topic;
	struct fetch_response m;

	codec_init(&fetch_response_node_endpoint_schema, &node);
	codec_init(&fetch_response_partition_data_schema, &part);
	codec_init(&fetch_response_fetchable_topic_response_schema, &topic);
	codec_init(&fetch_response_schema, &m);
	node = (struct fetch_response_node_endpoint){.node_id = 3, .host = SECRET, .port = 9092};
	part.records = (struct records){&slice, 1};
	part.error_code = 6;
	topic.partitions = &part;
	topic.partitions_n = 1;
	m.responses = &topic;
	m.responses_n = 1;
	m.node_endpoints = &node;
	m.node_endpoints_n = 1;
	wr_i32(w, 0);
	response_header_write(w, 1, 1);
	assert_int_equal(codec_encode(&fetch_response_schema, 17, w, &m), ERR_OK);
	wr_patch_i32(w, 0, (int32_t)(wr_size(w) - 4));
	mem_free(bytes);
}

/* The answer that came names the proxy where the broker named itself. */
static void check_fetch_answer(const struct env *e, const struct peer *c, size_t records)
{
	struct reader r = rd_init(buf_head(&c->in) + 9, buf_len(&c->in) - 9);
	char path[CODEC_PATH_MAX];
	struct fetch_response m;
	struct arena a;

	arena_init(&a, 1 << 20);
	assert_int_equal(codec_decode(&fetch_response_schema, 17, &r, &a, &m, path), ERR_OK);
	assert_int_equal(m.node_endpoints_n, 1);
	assert_true(str_eq(m.node_endpoints[0].host, STR_LIT("proxy.test")));
	assert_int_equal(m.node_endpoints[0].port, e->port + 1 + 3);
	assert_int_equal(m.responses[0].partitions[0].records.v[0].n, records);
	arena_release(&a);
}

static void test_slow_client_streamed_rewrite(void **state)
{
	struct env *e = *state;
	struct writer answer;

	wr_init(&answer, BIG + 4096);
	put_fetch_answer(&answer, BIG);
	check_slow_client(e, 1, 17, &answer);
	check_fetch_answer(e, &e->clients[0], BIG);
	assert_true(env_metric(e, "sluice_streamed_rewrites_total", "") > 0);
	wr_release(&answer);
}

/* Small enough to be changed whole; about the limit between the two ways. */
static void test_rewrite_around_the_limit(void **state)
{
	static const size_t sizes[] = {
		1, 1000, 65536 - 200, 65536 - 100, 65536, 65536 + 4096, 131072 - 8, 131072, 200000};
	struct env *e = *state;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct peer *c = env_connect(e, e->port), *b;
		struct writer in, answer;
		int32_t len;
		struct reader r;

		wr_init(&in, 256);
		wr_init(&answer, 1 << 20);
		put_request(&in, 1, 17, 1, "\x00", 1);
		peer_send(e, c, &in);
		b = env_upstream(e, wr_size(&in));
		put_fetch_answer(&answer, sizes[i]);
		peer_send(e, b, &answer);
		env_wait_bytes(e, c, 4);
		r = rd_init(buf_head(&c->in), 4);
		len = rd_i32(&r);
		env_wait_bytes(e, c, 4 + (size_t)len);
		check_fetch_answer(e, c, sizes[i]);
		peer_close(c);
		env_wait_closed(e, b);
		peer_close(b);
		wr_release(&in);
		wr_release(&answer);
	}
}

/* A broker that does not read a big request stops the client. */
static void test_slow_broker(void **state)
{
	struct env *e = *state;
	struct peer *c = env_connect(e, e->port), *b;
	uint8_t *body = mem_zalloc(BIG, 1);
	struct writer in, answer;

	body[1] = 1; /* acks */
	for (size_t i = 2; i < BIG; i++)
		body[i] = (uint8_t)(i * 7919 >> 5);
	wr_init(&in, BIG + 256);
	wr_init(&answer, 64);
	put_request(&in, 0, 2, 1, body, BIG);
	peer_send(e, c, &in);
	b = env_upstream(e, 1);
	b->reading = false;
	env_turn(e, 150);
	assert_true(buf_len(&c->out) > BIG / 4);
	assert_true(env_metric(e, "sluice_bytes_total", "side=\"client\",direction=\"in\"") -
			    env_metric(e, "sluice_bytes_total", "side=\"upstream\",direction=\"out\"") <
		    768 * 1024);
	b->reading = true;
	peer_expect(e, b, &in);
	put_answer(&answer, 0, 2, 1, "ok", 2);
	peer_send(e, b, &answer);
	peer_expect(e, c, &answer);
	wr_release(&in);
	wr_release(&answer);
	mem_free(body);
}

/* A client asks for Metadata and is told of one broker. */
static void tell_of_broker(struct env *e, int32_t node_id)
{
	struct peer *c = env_connect(e, e->port), *b;
	struct writer in, answer, out;
	uint8_t body[256];
	size_t n;

	wr_init(&in, 256);
	wr_init(&answer, 512);
	wr_init(&out, 512);
	put_request(&in, 3, 12, 1, "\x00\x00\x00\x00", 4);
	peer_send(e, c, &in);
	b = env_upstream(e, wr_size(&in));
	n = metadata_body(body, node_id, SECRET, 9092);
	put_answer(&answer, 3, 12, 1, body, n);
	peer_send(e, b, &answer);
	n = metadata_body(body, node_id, STR_LIT("proxy.test"), e->port + 1 + node_id);
	put_answer(&out, 3, 12, 1, body, n);
	peer_expect(e, c, &out);
	peer_close(c);
	env_wait_closed(e, b);
	peer_close(b);
	wr_release(&in);
	wr_release(&answer);
	wr_release(&out);
}

static bool knows_broker(struct env *e)
{
	return cluster_find_broker(e->proxy->cluster, e->broker_id) != NULL;
}

/* A port is open before a client is told of it, even if sluice itself has not heard of the broker, or not lately. */
static void test_announced_broker(void **state)
{
	struct env *e = *state;
	struct peer *c, *b;
	struct writer in;

	wr_init(&in, 256);
	put_request(&in, 2, 5, 1, "", 0);
	assert_null(e->proxy->listeners[0].brokers[4].socket);
	tell_of_broker(e, 4);
	assert_non_null(e->proxy->listeners[0].brokers[4].socket);
	c = env_connect(e, (uint16_t)(e->port + 1 + 4));
	peer_send(e, c, &in);
	env_turn(e, 50);
	e->broker_id = 4;
	b = env_upstream(e, wr_size(&in));
	peer_expect(e, b, &in);
	/* It leaves: closed at once. */
	e->broker_id = ENV_BROKER_ID;
	env_wait(e, knows_broker);
	c = env_connect(e, (uint16_t)(e->port + 1 + 4));
	env_turn(e, 100);
	assert_true(c->eof);
	/* It is heard of again but does not come: closed after the setup timeout. */
	tell_of_broker(e, 4);
	c = env_connect(e, (uint16_t)(e->port + 1 + 4));
	env_turn(e, 300);
	assert_false(c->eof);
	env_wait_closed(e, c);
	assert_int_equal((int)env_metric(e, "sluice_closes_total", "reason=\"broker_unknown\""), 2);
	wr_release(&in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_every_api_that_passes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_every_boundary, setup, teardown),
		cmocka_unit_test_setup_teardown(test_slow_client_pass, setup, teardown),
		cmocka_unit_test_setup_teardown(test_slow_client_streamed_rewrite, setup, teardown),
		cmocka_unit_test_setup_teardown(test_rewrite_around_the_limit, setup, teardown),
		cmocka_unit_test_setup_teardown(test_slow_broker, setup, teardown),
		cmocka_unit_test_setup_teardown(test_announced_broker, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
