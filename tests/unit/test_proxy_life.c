/* SPDX-License-Identifier: Apache-2.0 */
/* How sessions begin and end: junk, broken brokers, sides that go away, limits, time limits, shutdown. */
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "test_proxy_env.h"

#include "base/mem.h"
#include "route/versions.h"

static int setup(void **state)
{
	struct env *e = mem_zalloc(1, sizeof(*e));

	env_start(e);
	*state = e;
	return 0;
}

/* The broker closes connections that are idle for 0.9 s. */
static int setup_idle(void **state)
{
	struct env *e = mem_zalloc(1, sizeof(*e));

	e->broker_idle_ms = 900;
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

static double closes(struct env *e, const char *reason)
{
	char labels[80];

	snprintf(labels, sizeof(labels), "reason=\"%s\"", reason);
	return env_metric(e, "sluice_closes_total", labels);
}

static bool no_sessions(struct env *e)
{
	return e->proxy->sessions_n == 0;
}

#define CLIENT_ID "\x00\x04test"

/* What is no request of Kafka ends the connection with a word for it. */
static void test_junk(void **state)
{
	static const struct {
		const char *bytes;
		size_t n;
		const char *reason;
	} cases[] = {
		{"\x16\x03\x01\x02\x00\x01\x00", 7, "tls_hello"},
		{"\x15\x03\x03\x00\x02\x02\x28", 7, "tls_alert"},
		{"GET / HTTP/1.1\r\n\r\n", 18, "http"},
		{"\xff\xff\xff\xff", 4, "frame_length_negative"},
		{"\x00\x00\x00\x00", 4, "frame_too_short"},
		{"\x00\x00\x00\x03", 4, "frame_too_short"},
		{"\x7f\xff\xff\xff", 4, "frame_too_large"},
		{"\x00\x00\x00\x10\x7f\xff\x00\x00\x00\x00\x00\x01" CLIENT_ID, 18, "api_key_out_of_range"},
		{"\x00\x00\x00\x10\xff\xff\x00\x00\x00\x00\x00\x01" CLIENT_ID, 18, "api_key_out_of_range"},
		{"\x00\x00\x00\x0e\x00\x02\x00\x00\x00\x00\x00\x01\x7f\xfftest", 18, "header_malformed"},
		{"\x00\x00\x00\x0e\x00\x02\x00\x00\x00\x00\x00\x01\x80\x00test", 18, "header_malformed"},
		{"\x00\x00\x00\x0f\x00\x03\x00\x63\x00\x00\x00\x01" CLIENT_ID "\x00", 19, "unsupported_version"},
		{"\x00\x00\x00\x0f\x00\x4c\x00\x00\x00\x00\x00\x01" CLIENT_ID "\x00", 19, "unsupported_version"},
		{"\x00\x00\x00\x12\x00\x11\x00\x00\x00\x00\x00\x01" CLIENT_ID "\x00\x05PLAIN", 22, "sasl_handshake_v0"},
		{"\x00\x00\x00\x10\x00\x00\x00\x07\x00\x00\x00\x01" CLIENT_ID "\x7f\xff", 20, "front_malformed"},
		{"\x01\x00\x00\x00\x00\x4c\x00\x01\x00\x00\x00\x01" CLIENT_ID "\x00", 19, "request_too_large"},
	};
	struct env *e = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double before = closes(e, cases[i].reason);
		struct peer *c = env_connect(e, e->port);

		peer_send_bytes(e, c, cases[i].bytes, cases[i].n);
		env_wait_closed(e, c);
		assert_int_equal(buf_len(&c->in), 0);
		assert_int_equal((int)(closes(e, cases[i].reason) - before), 1);
		peer_close(c);
	}
	env_wait(e, no_sessions);
	assert_true(env_metric(e, "sluice_collected_bytes", "") < 1);
}

/* An ApiVersions request from the future is told what to ask instead, and the connection goes on (KIP-511). */
static void test_future_api_versions(void **state)
{
	struct env *e = *state;
	struct peer *c = env_connect(e, e->port), *b;
	struct writer in, body, out;
	uint8_t flat[64];

	wr_init(&in, 256);
	wr_init(&out, 256);
	wr_init(&body, 64);
	put_request(&in, 18, 9, 77, "what is this", 12);
	peer_send(e, c, &in);
	versions_write_unsupported(&body);
	wr_flatten(&body, flat);
	put_answer(&out, 18, 0, 77, flat, wr_size(&body));
	peer_expect(e, c, &out);
	wr_release(&in);
	put_request(&in, 2, 5, 78, "x", 1);
	peer_send(e, c, &in);
	b = env_upstream(e, wr_size(&in));
	peer_expect(e, b, &in);
	wr_release(&in);
	wr_release(&out);
	wr_release(&body);
}

/* A broker that breaks the protocol ends this pair and no other. */
static void test_broken_broker(void **state)
{
	static const struct {
		const char *bytes;
		size_t n;
		const char *reason;
	} cases[] = {
		{"\x00\x00\x00\x05\x00\x00\x00\x02x", 9, "wrong_correlation_id"},
		{"\x00\x00\x00\x05\x00\x00\x00\x01y\x00\x00\x00\x05\x00\x00\x00\x01y", 18, "unexpected_answer"},
		{"\x15\x03\x03\x00\x02\x02\x28", 7, "tls_alert"},
		{"\x00\x00\x00\x03\x00\x00\x00", 7, "frame_too_short"},
		{"\xff\xff\xff\xff", 4, "frame_length_negative"},
	};
	struct env *e = *state;
	struct peer *other = env_connect(e, e->port), *other_b;
	struct writer in, meta;

	wr_init(&in, 256);
	wr_init(&meta, 256);
	put_request(&in, 2, 5, 1, "", 0);
	put_request(&meta, 3, 12, 1, "", 0);
	peer_send(e, other, &in);
	other_b = env_upstream(e, wr_size(&in));
	peer_expect(e, other_b, &in);
	for (size_t i = 0; i <= sizeof(cases) / sizeof(cases[0]); i++) {
		bool last = i == sizeof(cases) / sizeof(cases[0]);
		struct peer *c = env_connect(e, e->port), *b;

		peer_send(e, c, last ? &meta : &in);
		b = env_upstream(e, wr_size(&in));
		if (last)
			peer_send_bytes(e, b, "\x00\x00\x00\x07\x00\x00\x00\x01\x00\xff\xff", 11);
		else
			peer_send_bytes(e, b, cases[i].bytes, cases[i].n);
		env_wait_closed(e, c);
		env_wait_closed(e, b);
		assert_int_equal((int)closes(e, last ? "bad_answer" : cases[i].reason), 1);
		peer_close(c);
		peer_close(b);
	}
	peer_send_bytes(e, other_b, "\x00\x00\x00\x05\x00\x00\x00\x01z", 9);
	env_wait_bytes(e, other, 9);
	assert_int_equal(e->proxy->sessions_n, 1);
	wr_release(&in);
	wr_release(&meta);
}

/* Answers that are changed on their way, with bodies that are not what their version says: the pair ends, others do
 * not. Tags and bytes that nobody knows are no reason. */
static void test_answers_that_do_not_fit(void **state)
{
	static const struct {
		int16_t key, version;
		const char *body;
		size_t n;
		bool good;
	} cases[] = {
		{3, 1, "\x00\x00\x00\x01\x00\x00\x00\x03\x00\x01h", 11, false},       /* ends within a broker */
		{3, 1, "\x7f\xff\xff\xff", 4, false},                                 /* more brokers than bytes */
		{3, 1, "\xff\xff\xff\xff", 4, false},                                 /* null where none is allowed */
		{3, 9, "\x00\x00\x00\x00\x00", 5, false},                             /* the same, compact */
		{3, 9, "\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff", 10, false},        /* no number at all */
		{10, 3, "\x00\x00\x00\x00\x00\x00\x00", 7, false},                    /* ends before the address */
		{10, 3, "\0\0\0\0\0\0\0\0\0\0\x03\2h\0\0\x23\x84\1\7\2zz", 22, true}, /* a tag from the future */
		{60, 0, "\0\0\0\0\0\0\0\2c\0\0\0\3", 13, false},                      /* no brokers */
		{18, 3, "\0\0\2\0\x03\0\0", 7, false},                                /* ends within an API */
		{18, 3, "\0\0\1\0\0\0\0\1\x63\2zz", 12, true},
	};
	struct env *e = *state;
	struct peer *other = env_connect(e, e->port), *other_b;
	struct writer in;

	wr_init(&in, 256);
	put_request(&in, 2, 5, 1, "", 0);
	peer_send(e, other, &in);
	other_b = env_upstream(e, wr_size(&in));
	peer_expect(e, other_b, &in);
	wr_release(&in);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double before = closes(e, "bad_answer");
		struct peer *c = env_connect(e, e->port), *b;

		wr_init(&in, 256);
		put_request(&in, cases[i].key, cases[i].version, 1, "", 0);
		peer_send(e, c, &in);
		b = env_upstream(e, wr_size(&in));
		wr_release(&in);
		wr_init(&in, 256);
		put_answer(&in, cases[i].key, cases[i].version, 1, cases[i].body, cases[i].n);
		peer_send(e, b, &in);
		if (cases[i].good) {
			env_wait_bytes(e, c, 12);
		} else {
			env_wait_closed(e, c);
			env_wait_closed(e, b);
		}
		assert_int_equal((int)(closes(e, "bad_answer") - before), !cases[i].good);
		peer_close(c);
		peer_close(b);
		wr_release(&in);
	}
	peer_send_bytes(e, other_b, "\x00\x00\x00\x05\x00\x00\x00\x01z", 9);
	env_wait_bytes(e, other, 9);
}

/* What the broker said before it went away arrives; then the client is cut. */
static void test_upstream_goes_away(void **state)
{
	struct env *e = *state;
	struct peer *c = env_connect(e, e->port), *b;
	struct writer in, out;

	wr_init(&in, 256);
	wr_init(&out, 256);
	put_request(&in, 2, 5, 1, "", 0);
	put_request(&in, 2, 5, 2, "", 0);
	put_request(&in, 76, 1, 3, "", 0);
	peer_send(e, c, &in);
	b = env_upstream(e, 1);
	env_wait_slots(e, 1);
	put_answer(&out, 2, 5, 1, "whole", 5);
	peer_send(e, b, &out);
	peer_send_bytes(e, b, "\x00\x00\x00\x10\x00\x00\x00\x02half", 12);
	peer_close(b);
	peer_expect(e, c, &out);
	env_wait_closed(e, c);
	assert_int_equal((int)closes(e, "upstream_closed"), 1);
	assert_int_equal(e->slots_gone, 1);
	assert_int_equal(e->conns_closed, 1);
	env_wait(e, no_sessions);
	wr_release(&in);
	wr_release(&out);
}

/* A client that goes away takes its broker connection and its waiting requests with it. */
static void test_client_goes_away(void **state)
{
	struct env *e = *state;
	struct peer *c = env_connect(e, e->port), *b;
	struct writer in;

	wr_init(&in, 256);
	put_request(&in, 2, 5, 1, "", 0);
	put_request(&in, 76, 1, 2, "", 0);
	peer_send(e, c, &in);
	b = env_upstream(e, 1);
	env_wait_slots(e, 1);
	peer_reset(c);
	env_wait_closed(e, b);
	assert_int_equal(e->slots_gone, 1);
	assert_int_equal(e->slots_n, 0);
	assert_int_equal(e->conns_closed, 1);
	env_wait(e, no_sessions);
	wr_release(&in);
}

/* A client may shut its side and still get its answers; one that has asked nothing is closed at once. */
static void test_half_close(void **state)
{
	struct env *e = *state;
	struct peer *c = env_connect(e, e->port), *b;
	struct writer in, out;

	wr_init(&in, 256);
	wr_init(&out, 256);
	put_request(&in, 2, 5, 1, "", 0);
	peer_send(e, c, &in);
	assert_int_equal(shutdown(c->fd, SHUT_WR), 0);
	b = env_upstream(e, wr_size(&in));
	env_turn(e, 30);
	assert_false(c->eof);
	put_answer(&out, 2, 5, 1, "late", 4);
	peer_send(e, b, &out);
	peer_expect(e, c, &out);
	env_wait_closed(e, c);
	env_wait_closed(e, b);
	c = env_connect(e, e->port);
	assert_int_equal(shutdown(c->fd, SHUT_WR), 0);
	env_wait_closed(e, c);
	/* Half a request is no reason to stay. */
	c = env_connect(e, e->port);
	peer_send_bytes(e, c, buf_head(&in.own), 15);
	env_turn(e, 10);
	assert_int_equal(shutdown(c->fd, SHUT_WR), 0);
	env_wait_closed(e, c);
	assert_int_equal((int)closes(e, "client_closed"), 3);
	/* Nobody answers: the wait ends. */
	e->proxy->half_close_ms = 50;
	c = env_connect(e, e->port);
	peer_send(e, c, &in);
	assert_int_equal(shutdown(c->fd, SHUT_WR), 0);
	env_wait_closed(e, c);
	assert_int_equal((int)closes(e, "half_close_timeout"), 1);
	wr_release(&in);
	wr_release(&out);
}

/* A handler that refuses a request ends its connection. */
static void test_slot_close(void **state)
{
	struct env *e = *state;
	struct peer *c = env_connect(e, e->port);
	struct writer in;

	wr_init(&in, 256);
	put_request(&in, 78, 1, 1, "junk", 4);
	put_request(&in, 78, 1, 2, "junk", 4);
	peer_send(e, c, &in);
	env_wait_slots(e, 1);
	slot_close(e->slots[--e->slots_n], "malformed_request", "topics");
	env_wait_closed(e, c);
	assert_int_equal((int)closes(e, "malformed_request"), 1);
	assert_int_equal(e->slots_gone, 0);
	assert_int_equal(e->conns_closed, 1);
	wr_release(&in);
}

/* Brokers are reached through their own ports; a broker that cannot be reached looks like a dead one. */
static void test_broker_ports(void **state)
{
	struct env *e = *state;
	struct peer *c = env_connect(e, (uint16_t)(e->port + 1 + ENV_BROKER_ID)), *b;
	struct writer in;

	wr_init(&in, 256);
	put_request(&in, 76, 1, 1, "", 0);
	put_request(&in, 2, 5, 2, "", 0);
	peer_send(e, c, &in);
	b = env_upstream(e, 1);
	env_wait_slots(e, 1);
	assert_int_equal(slot_get_request(e->slots[0])->node_id, ENV_BROKER_ID);
	assert_true(str_eq(slot_get_address_map(e->slots[0])->host, STR_LIT("proxy.test")));
	assert_true(b->fd != -1);
	close(e->broker_fd);
	c = env_connect(e, (uint16_t)(e->port + 1 + ENV_BROKER_ID));
	env_wait_closed(e, c);
	/* On a bootstrap port a broker is only looked for when something is asked. */
	c = env_connect(e, e->port);
	peer_send(e, c, &in);
	env_wait_closed(e, c);
	assert_int_equal((int)closes(e, "connect_refused"), 2);
	assert_int_equal((int)env_metric(e, "sluice_upstream_failures_total", ""), 2);
	e->broker_fd = socket(AF_INET, SOCK_STREAM, 0);
	wr_release(&in);
}

static bool broker_has_moved(struct env *e)
{
	const struct cluster_broker *b = cluster_find_broker(e->proxy->cluster, e->broker_id);

	return b && b->port == e->broker_port;
}

/* Sends a request to a port and waits for it at the broker. */
static void check_reaches_broker(struct env *e, uint16_t port)
{
	struct peer *c = env_connect(e, port), *b;
	struct writer in;

	wr_init(&in, 256);
	put_request(&in, 2, 5, 1, "", 0);
	peer_send(e, c, &in);
	b = env_upstream(e, wr_size(&in));
	peer_expect(e, b, &in);
	assert_int_equal(b->port, e->broker_port);
	peer_reset(c);
	env_wait_closed(e, b);
	peer_close(b);
	wr_release(&in);
}

/* New connections follow a broker that moves; a broker that has left looks dead, and is found again when it comes back.
 */
static void test_brokers_change(void **state)
{
	struct env *e = *state;
	const uint16_t port = (uint16_t)(e->port + 1 + ENV_BROKER_ID);
	struct peer *c;

	check_reaches_broker(e, port);
	env_open_broker(e);
	env_wait(e, broker_has_moved);
	check_reaches_broker(e, port);
	e->broker_id = ENV_BROKER_ID + 1;
	env_wait(e, broker_has_moved);
	check_reaches_broker(e, (uint16_t)(port + 1));
	check_reaches_broker(e, e->port);
	c = env_connect(e, port);
	env_wait_closed(e, c);
	assert_int_equal((int)closes(e, "broker_unknown"), 1);
	e->broker_id = ENV_BROKER_ID;
	env_wait(e, broker_has_moved);
	check_reaches_broker(e, port);
	/* No port for this one: a word about it, and nothing else changes. */
	e->broker_id = 77;
	env_wait(e, broker_has_moved);
	env_turn(e, 10);
	assert_int_equal(e->proxy->listeners[0].outside_n, 1);
	assert_int_equal(e->proxy->listeners[0].outside[0], 77);
	assert_true(endpoints_are_open(e->proxy));
	check_reaches_broker(e, e->port);
}

static void test_limits(void **state)
{
	struct env *e = *state;
	struct proxy_config cfg = e->proxy->cfg;
	struct peer *c = env_connect(e, e->port), *late;

	assert_true(sizeof(struct session) < 1536);
	env_turn(e, 10);
	cfg.max_connections = 1;
	proxy_reconfigure(e->proxy, &cfg);
	late = env_connect(e, e->port);
	env_wait_closed(e, late);
	assert_int_equal((int)env_metric(e, "sluice_connections_refused_total", ""), 1);
	assert_int_equal((int)env_metric(e, "sluice_connections", ""), 1);
	cfg.max_connections = 0;
	proxy_reconfigure(e->proxy, &cfg);
	peer_close(late);
	/* Half a frame, then nothing. */
	e->proxy->stall_ms = 100;
	late = env_connect(e, e->port);
	peer_send_bytes(e, late, "\x00\x00\x10\x00\x00\x02", 6);
	env_wait_closed(e, late);
	assert_int_equal((int)closes(e, "stalled_frame"), 1);
	assert_false(c->eof);
	cfg.connections_max_idle_ms = 100;
	proxy_reconfigure(e->proxy, &cfg);
	env_wait_closed(e, c);
	assert_int_equal((int)closes(e, "idle"), 1);
}

/* A client that has asked something, with the answer that it got. */
static struct peer *connect_and_ask(struct env *e, int16_t key)
{
	struct peer *c = env_connect(e, e->port), *b;
	struct writer w;

	wr_init(&w, 256);
	put_request(&w, key, 1, 1, "", 0);
	peer_send(e, c, &w);
	b = env_upstream(e, wr_size(&w));
	peer_expect(e, b, &w);
	wr_release(&w);
	put_answer(&w, key, 1, 1, "x", 1);
	peer_send(e, b, &w);
	env_wait_bytes(e, c, wr_size(&w));
	wr_release(&w);
	return c;
}

static void test_limits_before_login(void **state)
{
	struct env *e = *state;
	struct proxy_config cfg = e->proxy->cfg;
	struct peer *known, *shaking, *silent, *quiet;

	cfg.max_connections_before_login = 2;
	cfg.login_timeout_ms = 300;
	proxy_reconfigure(e->proxy, &cfg);
	known = connect_and_ask(e, 2);
	shaking = connect_and_ask(e, 17);
	silent = env_connect(e, e->port);
	env_turn(e, 50);
	assert_false(shaking->eof || silent->eof);
	/* The oldest stranger has to go. */
	quiet = connect_and_ask(e, 36);
	env_wait_closed(e, shaking);
	assert_int_equal((int)closes(e, "login_crowded"), 1);
	/* Two seconds are enough for the sweep to come; who waits between requests without having begun to log in may
	 * wait on. */
	env_wait_closed(e, silent);
	env_turn(e, 1100);
	assert_int_equal((int)closes(e, "login_timeout"), 1);
	assert_false(known->eof || quiet->eof);
	assert_int_equal(e->proxy->admission.strangers_n, 1);
	cfg.max_connections_per_ip = 2;
	proxy_reconfigure(e->proxy, &cfg);
	silent = env_connect(e, e->port);
	env_wait_closed(e, silent);
	peer_close(known);
	env_turn(e, 50);
	(void)connect_and_ask(e, 2);
	assert_int_equal((int)env_metric(e, "sluice_connections_refused_total", ""), 1);
}

/* While sluice answers, the broker hears something now and then; the client notices nothing. */
static void test_keep_alive(void **state)
{
	static const char ping[] = "\x00\x00\x00\x0e\x00\x12\x00\x00\x00\x00\x00\x00\x00\x04test";
	struct env *e = *state;
	struct peer *c = env_connect(e, e->port), *b, *ordinary, *other;
	struct writer in, out, broker;

	wr_init(&in, 256);
	wr_init(&out, 256);
	wr_init(&broker, 256);
	put_request(&in, 76, 1, 1, "", 0);
	peer_send(e, c, &in);
	b = env_upstream(e, sizeof(ping) - 1);
	assert_memory_equal(buf_head(&b->in), ping, sizeof(ping) - 1);
	buf_consume(&b->in, sizeof(ping) - 1);
	put_answer(&broker, 18, 0, 0, "versions", 8);
	peer_send(e, b, &broker);
	put_request(&broker, 2, 5, 2, "", 0);
	wr_release(&in);
	put_request(&in, 2, 5, 2, "", 0);
	peer_send(e, c, &in);
	peer_expect(e, b, &in);
	wr_release(&broker);
	put_answer(&broker, 2, 5, 2, "b", 1);
	peer_send(e, b, &broker);
	env_turn(e, 20);
	assert_int_equal(buf_len(&c->in), 0);
	{
		struct writer w;

		wr_init(&w, 16);
		wr_raw(&w, "a", 1);
		slot_answer(e->slots[--e->slots_n], &w);
	}
	put_answer(&out, 76, 1, 1, "a", 1);
	put_answer(&out, 2, 5, 2, "b", 1);
	peer_expect(e, c, &out);
	/* What it holds may take the client long: our own limit of idle time decides. A client that has asked nothing
	 * of sluice is not kept alive. */
	ordinary = env_connect(e, e->port);
	peer_send(e, ordinary, &in);
	other = env_upstream(e, wr_size(&in));
	peer_expect(e, other, &in);
	wr_release(&broker);
	put_answer(&broker, 2, 5, 2, "b", 1);
	peer_send(e, other, &broker);
	peer_expect(e, ordinary, &broker);
	env_wait_bytes(e, b, sizeof(ping) - 1);
	env_turn(e, 1500);
	assert_memory_equal(buf_head(&b->in), ping, sizeof(ping) - 1);
	assert_int_equal(buf_len(&other->in), 0);
	wr_release(&in);
	wr_release(&out);
	wr_release(&broker);
}

static void on_stopped(void *arg)
{
	struct env *e = arg;

	e->stopped = true;
}

static bool is_stopped(struct env *e)
{
	return e->stopped;
}

/* Idle connections end at once, others with their last answer. */
static void test_shutdown(void **state)
{
	struct env *e = *state;
	struct peer *idle = env_connect(e, e->port), *c = env_connect(e, e->port), *b;
	struct writer in, out;
	const char *why;

	wr_init(&in, 256);
	wr_init(&out, 256);
	put_request(&in, 2, 5, 1, "", 0);
	peer_send(e, c, &in);
	b = env_upstream(e, wr_size(&in));
	proxy_shutdown(e->proxy, 8000, on_stopped, e);
	env_wait_closed(e, idle);
	assert_false(c->eof);
	assert_false(e->stopped);
	assert_false(proxy_is_ready(e->proxy, &why));
	/* A new request is not taken any more. */
	peer_send(e, c, &in);
	put_answer(&out, 2, 5, 1, "done", 4);
	peer_send(e, b, &out);
	peer_expect(e, c, &out);
	env_wait_closed(e, c);
	assert_int_equal(buf_len(&c->in), 0);
	env_wait(e, is_stopped);
	assert_true(loop_now(e->loop) < e->proxy->stop_at - 4000);
	wr_release(&in);
	wr_release(&out);
}

/* What does not end by itself is not waited for longer than told. */
static void test_shutdown_deadline(void **state)
{
	struct env *e = *state;
	struct peer *c = env_connect(e, e->port);
	struct writer in;

	wr_init(&in, 256);
	put_request(&in, 76, 1, 1, "", 0);
	peer_send(e, c, &in);
	env_wait_slots(e, 1);
	proxy_shutdown(e->proxy, 200, on_stopped, e);
	env_wait(e, is_stopped);
	assert_int_equal(e->proxy->sessions_n, 1);
	wr_release(&in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_junk, setup, teardown),
		cmocka_unit_test_setup_teardown(test_future_api_versions, setup, teardown),
		cmocka_unit_test_setup_teardown(test_broken_broker, setup, teardown),
		cmocka_unit_test_setup_teardown(test_answers_that_do_not_fit, setup, teardown),
		cmocka_unit_test_setup_teardown(test_upstream_goes_away, setup, teardown),
		cmocka_unit_test_setup_teardown(test_client_goes_away, setup, teardown),
		cmocka_unit_test_setup_teardown(test_half_close, setup, teardown),
		cmocka_unit_test_setup_teardown(test_slot_close, setup, teardown),
		cmocka_unit_test_setup_teardown(test_broker_ports, setup, teardown),
		cmocka_unit_test_setup_teardown(test_brokers_change, setup, teardown),
		cmocka_unit_test_setup_teardown(test_limits, setup, teardown),
		cmocka_unit_test_setup_teardown(test_limits_before_login, setup, teardown),
		cmocka_unit_test_setup_teardown(test_keep_alive, setup_idle, teardown),
		cmocka_unit_test_setup_teardown(test_shutdown, setup, teardown),
		cmocka_unit_test_setup_teardown(test_shutdown_deadline, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
