/* SPDX-License-Identifier: Apache-2.0 */
/* The order of answers when brokers and sluice answer on one connection, and how the two share it. */
#include "test_proxy_env.h"

#include "base/mem.h"

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

/* Answers the i-th waiting terminated request with one byte. */
static void answer(struct env *e, uint32_t i, uint8_t byte)
{
	struct slot *s = e->slots[i];
	struct writer w;

	assert_true(i < e->slots_n);
	memmove(&e->slots[i], &e->slots[i + 1], (size_t)(e->slots_n - i - 1) * sizeof(e->slots[0]));
	e->slots_n--;
	wr_init(&w, 16);
	wr_raw(&w, &byte, 1);
	slot_answer(s, &w);
}

/* Whoever is ready first, the client sees its own order. */
static void test_order_of_answers(void **state)
{
	struct env *e = *state;
	struct peer *c = env_connect(e, e->port), *b;
	struct writer in, out, rest, sent;

	wr_init(&in, 4096);
	wr_init(&out, 4096);
	wr_init(&rest, 4096);
	wr_init(&sent, 4096);
	put_request(&in, 2, 5, 1, "aaaa", 4);
	put_request(&in, 76, 1, 2, "", 0);
	put_request(&in, 2, 5, 3, "bb", 2);
	put_request(&in, 23, 2, 4, "cc", 2);
	peer_send(e, c, &in);
	put_request(&sent, 2, 5, 1, "aaaa", 4);
	put_request(&sent, 2, 5, 3, "bb", 2);
	put_request(&sent, 23, 2, 4, "cc", 2);
	b = env_upstream(e, wr_size(&sent));
	peer_expect(e, b, &sent);
	env_wait_slots(e, 1);
	/* The local answer is there first, the last answers of the broker next. */
	answer(e, 0, 22);
	env_turn(e, 20);
	assert_int_equal(buf_len(&c->in), 0);
	put_answer(&out, 2, 5, 1, "A", 1);
	peer_send(e, b, &out);
	put_answer(&out, 76, 1, 2, "\x16", 1);
	peer_expect(e, c, &out);
	put_answer(&rest, 2, 5, 3, "B", 1);
	put_answer(&rest, 23, 2, 4, "C", 1);
	peer_send(e, b, &rest);
	peer_expect(e, c, &rest);
	wr_release(&in);
	wr_release(&out);
	wr_release(&rest);
	wr_release(&sent);
}

/* While a local answer is missing, the broker's answers behind it stay unread. */
static void test_local_head_holds_the_rest(void **state)
{
	struct env *e = *state;
	struct peer *c = env_connect(e, e->port), *b;
	struct writer in, broker, out;
	uint8_t *big = mem_zalloc(8 << 20, 1);

	wr_init(&in, 4096);
	wr_init(&broker, 16 << 20);
	wr_init(&out, 16 << 20);
	put_request(&in, 76, 1, 7, "", 0);
	put_request(&in, 2, 5, 8, "x", 1);
	peer_send(e, c, &in);
	b = env_upstream(e, 1);
	env_wait_slots(e, 1);
	put_answer(&broker, 2, 5, 8, big, 8 << 20);
	peer_send(e, b, &broker);
	env_turn(e, 100);
	assert_int_equal(buf_len(&c->in), 0);
	assert_true(env_metric(e, "sluice_bytes_total", "side=\"upstream\",direction=\"in\"") < 512 * 1024);
	answer(e, 0, 1);
	put_answer(&out, 76, 1, 7, "\x01", 1);
	peer_expect(e, c, &out);
	peer_expect(e, c, &broker);
	wr_release(&in);
	wr_release(&broker);
	wr_release(&out);
	mem_free(big);
}

/* Terminated requests of one connection run one after the other, as on a broker. */
static void test_local_requests_are_serial(void **state)
{
	struct env *e = *state;
	struct peer *c = env_connect(e, e->port);
	struct writer in, out;

	wr_init(&in, 4096);
	wr_init(&out, 4096);
	for (int32_t i = 0; i < 5; i++) {
		put_request(&in, 76, 1, i, "hello", 5);
		put_answer(&out, 76, 1, i, "\x09", 1);
	}
	peer_send(e, c, &in);
	for (int32_t i = 0; i < 5; i++) {
		const struct slot_request *rq;

		env_wait_slots(e, 1);
		env_turn(e, 5);
		assert_int_equal(e->slots_n, 1);
		rq = slot_get_request(e->slots[0]);
		assert_int_equal(rq->header.correlation_id, i);
		assert_int_equal(rq->header.api_key, 76);
		assert_true(str_eq(rq->header.client_id, STR_LIT("test")));
		assert_int_equal(rq->body.n, 5);
		assert_memory_equal(rq->body.p, "hello", 5);
		assert_int_equal(rq->node_id, -1);
		assert_true(str_eq(rq->client_host, STR_LIT("/127.0.0.1")));
		answer(e, 0, 9);
	}
	peer_expect(e, c, &out);
	wr_release(&in);
	wr_release(&out);
}

static void on_forwarded(struct slot *s, struct bytes body)
{
	struct writer w;

	wr_init(&w, 64);
	wr_raw(&w, "local+", 6);
	wr_raw(&w, body.p, body.n);
	slot_answer(s, &w);
}

/* A split request holds back what follows until it is decided, so that the broker sees the client's order. */
static void test_forwarded_request(void **state)
{
	struct env *e = *state;
	struct peer *c = env_connect(e, e->port), *b;
	struct writer in, sent, body, out;

	wr_init(&in, 4096);
	wr_init(&sent, 4096);
	wr_init(&body, 64);
	wr_init(&out, 4096);
	put_request(&in, 2, 5, 1, "first", 5);
	put_request(&in, 32, 4, 2, "split", 5);
	put_request(&in, 2, 5, 3, "third", 5);
	peer_send(e, c, &in);
	put_request(&sent, 2, 5, 1, "first", 5);
	b = env_upstream(e, wr_size(&sent));
	env_wait_slots(e, 1);
	env_turn(e, 20);
	assert_int_equal(buf_len(&b->in), wr_size(&sent));
	wr_raw(&body, "part", 4);
	slot_forward(e->slots[--e->slots_n], &body, on_forwarded);
	put_request(&sent, 32, 4, 2, "part", 4);
	put_request(&sent, 2, 5, 3, "third", 5);
	peer_expect(e, b, &sent);
	put_answer(&out, 2, 5, 1, "1", 1);
	put_answer(&out, 32, 4, 2, "2", 1);
	put_answer(&out, 2, 5, 3, "3", 1);
	peer_send(e, b, &out);
	wr_release(&out);
	put_answer(&out, 2, 5, 1, "1", 1);
	put_answer(&out, 32, 4, 2, "local+2", 7);
	put_answer(&out, 2, 5, 3, "3", 1);
	peer_expect(e, c, &out);
	wr_release(&in);
	wr_release(&sent);
	wr_release(&body);
	wr_release(&out);
}

/* No more requests than allowed are in flight. */
static void test_queue_limit(void **state)
{
	struct env *e = *state;
	struct peer *c = env_connect(e, e->port), *b;
	struct writer in, one, out;

	wr_init(&in, 65536);
	wr_init(&one, 4096);
	wr_init(&out, 65536);
	put_request(&one, 2, 5, 0, "x", 1);
	for (int32_t i = 0; i < 200; i++) {
		put_request(&in, 2, 5, i, "x", 1);
		put_answer(&out, 2, 5, i, "y", 1);
	}
	peer_send(e, c, &in);
	b = env_upstream(e, 100 * wr_size(&one));
	env_turn(e, 30);
	assert_int_equal(buf_len(&b->in), 100 * wr_size(&one));
	peer_send(e, b, &out);
	peer_expect(e, c, &out);
	assert_int_equal(buf_len(&b->in), 200 * wr_size(&one));
	wr_release(&in);
	wr_release(&one);
	wr_release(&out);
}

/* The acks of every version are found: 0 leaves no place in the queue, anything else does. */
static void test_produce_acks(void **state)
{
	static const struct {
		int16_t from, to;
		const char *body;
		size_t n;
		bool answered;
	} cases[] = {
		{0, 2, "\x00\x00rest", 6, false},
		{0, 2, "\xff\xffrest", 6, true},
		{0, 2, "\x00\x01rest", 6, true},
		{3, 8, "\xff\xff\x00\x00rest", 8, false},
		{3, 8, "\x00\x02tx\xff\xffrest", 10, true},
		{3, 8, "\x00\x02tx\x00\x00rest", 10, false},
		{9, 13, "\x00\x00\x00rest", 7, false},
		{9, 13, "\x03tx\x00\x00rest", 9, false},
		{9, 13, "\x03tx\x00\x01rest", 9, true},
	};
	struct env *e = *state;
	int32_t correlation = 0;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct peer *c = env_connect(e, e->port);

		for (int16_t v = cases[i].from; v <= cases[i].to; v++) {
			struct writer in, out;
			struct peer *b;

			wr_init(&in, 4096);
			wr_init(&out, 4096);
			put_request(&in, 0, v, ++correlation, cases[i].body, cases[i].n);
			if (cases[i].answered)
				put_answer(&out, 0, v < 10 ? v : 9, correlation, "p", 1);
			put_request(&in, 2, 5, ++correlation, "next", 4);
			put_answer(&out, 2, 5, correlation, "n", 1);
			peer_send(e, c, &in);
			b = env_upstream(e, wr_size(&in));
			peer_expect(e, b, &in);
			/* The body of an answer from v10 on is read, so it has to make sense. */
			if (!cases[i].answered || v < 10) {
				peer_send(e, b, &out);
				peer_expect(e, c, &out);
			} else {
				assert_int_equal(TAILQ_FIRST(&TAILQ_FIRST(&e->proxy->sessions)->queue)->api_key, 0);
				assert_int_equal(TAILQ_FIRST(&e->proxy->sessions)->queue_n, 2);
				peer_reset(c);
				env_wait_closed(e, b);
				peer_close(b);
				env_turn(e, 5);
				c = env_connect(e, e->port);
			}
			wr_release(&in);
			wr_release(&out);
		}
		peer_close(c);
		env_turn(e, 5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_order_of_answers, setup, teardown),
		cmocka_unit_test_setup_teardown(test_local_head_holds_the_rest, setup, teardown),
		cmocka_unit_test_setup_teardown(test_local_requests_are_serial, setup, teardown),
		cmocka_unit_test_setup_teardown(test_forwarded_request, setup, teardown),
		cmocka_unit_test_setup_teardown(test_queue_limit, setup, teardown),
		cmocka_unit_test_setup_teardown(test_produce_acks, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
