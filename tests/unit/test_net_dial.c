/* SPDX-License-Identifier: Apache-2.0 */
/* Listening and connecting over loopback: names, refusals, timeouts, closing half way, the descriptor limit. */
#include <errno.h>
#include <event2/dns.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "net/conn.h"
#include "net/listener.h"

#define CLIENTS 40

struct client {
	struct fixture *f;
	struct conn *conn;
	int connected_n, closed_n;
	const char *reason;
	char peer[80];
};

struct fixture {
	struct log *log;
	int log_fd;
	struct loop *loop;
	struct listener *listener;
	struct client clients[CLIENTS];
	struct client servers[CLIENTS];
	int servers_n, accepted_n, connected_n;
	int stop_at_connected, stop_at_accepted, alive;
	bool free_in_accept;
	struct timer timer;
};

static const struct conn_limits limits = {.in_max = 4096, .out_high = 4096, .out_low = 1024, .out_max = 65536};

static void on_too_long(void *arg)
{
	(void)arg;
	fail_msg("the loop still runs after 30 s");
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	char name[] = "/tmp/test_net_dial_XXXXXX";

	f->log_fd = mkstemp(name);
	unlink(name);
	f->log = log_new(f->log_fd, LOG_LEVEL_WARN, LOG_FORMAT_TEXT);
	f->loop = loop_new(f->log);
	for (int i = 0; i < CLIENTS; i++)
		f->clients[i].f = f->servers[i].f = f;
	timer_init(&f->timer, f->loop, on_too_long, f);
	timer_set(&f->timer, clock_mono_ms() + 30000);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	listener_free(f->listener);
	for (int i = 0; i < CLIENTS; i++) {
		if (f->clients[i].conn)
			conn_close(f->clients[i].conn, "teardown");
		if (f->servers[i].conn)
			conn_close(f->servers[i].conn, "teardown");
	}
	timer_clear(&f->timer);
	loop_free(f->loop);
	assert_int_equal(f->alive, 0);
	log_free(f->log);
	close(f->log_fd);
	free(f);
	return 0;
}

static void on_connected(struct conn *c, void *arg)
{
	struct client *cl = arg;

	snprintf(cl->peer, sizeof(cl->peer), "%.*s", (int)conn_peer(c).n, conn_peer(c).p);
	cl->connected_n++;
	if (++cl->f->connected_n == cl->f->stop_at_connected)
		loop_stop(cl->f->loop);
}

static void on_connected_close(struct conn *c, void *arg)
{
	on_connected(c, arg);
	conn_close(c, "test_connected");
}

static void on_closed(struct conn *c, void *arg, const char *reason)
{
	struct client *cl = arg;

	(void)c;
	cl->closed_n++;
	cl->conn = NULL;
	cl->reason = reason;
	if (--cl->f->alive == 0)
		loop_stop(cl->f->loop);
}

static const struct conn_callbacks callbacks = {.on_connected = on_connected, .on_closed = on_closed};
static const struct conn_callbacks callbacks_close = {.on_connected = on_connected_close, .on_closed = on_closed};

static void on_accept(void *arg, int fd)
{
	struct fixture *f = arg;

	assert_true(fcntl(fd, F_GETFL) & O_NONBLOCK);
	if (f->servers_n == CLIENTS) {
		close(fd);
	} else {
		struct client *s = &f->servers[f->servers_n++];

		f->alive++;
		s->conn = conn_accept(f->loop, fd, &limits, &callbacks, s);
		snprintf(s->peer, sizeof(s->peer), "%.*s", (int)conn_peer(s->conn).n, conn_peer(s->conn).p);
	}
	if (f->free_in_accept) {
		listener_free(f->listener);
		f->listener = NULL;
	}
	if (++f->accepted_n == f->stop_at_accepted)
		loop_stop(f->loop);
}

static void listen_on(struct fixture *f, const char *host)
{
	char errbuf[256] = "";

	if (listener_new(f->loop, host, 0, on_accept, f, &f->listener, errbuf))
		fail_msg("%s", errbuf);
	assert_true(listener_port(f->listener) > 0);
}

static struct client *dial(
	struct fixture *f, int i, const char *host, int32_t port, int32_t timeout_ms, const struct conn_callbacks *cb)
{
	struct client *cl = &f->clients[i];

	f->alive++;
	cl->conn = conn_connect(f->loop, str_of(host), port, timeout_ms, &limits, cb, cl);
	assert_int_equal(cl->closed_n, 0);
	return cl;
}

static void stop_cb(void *arg)
{
	struct fixture *f = arg;

	loop_stop(f->loop);
}

static void run_for(struct fixture *f, int64_t ms)
{
	struct timer t;

	timer_init(&t, f->loop, stop_cb, f);
	timer_set(&t, clock_mono_ms() + ms);
	loop_run(f->loop);
	timer_clear(&t);
}

/* Both sides of a connection need not see it in the same turn. */
static void until_accepted(struct fixture *f, int n)
{
	for (int i = 0; i < 1000 && f->accepted_n < n; i++)
		run_for(f, 5);
}

static void expect_connection(struct fixture *f, const char *listen_host, const char *host, const char *peer)
{
	char text[80];
	struct client *cl;

	listen_on(f, listen_host);
	cl = dial(f, 0, host, listener_port(f->listener), 5000, &callbacks);
	f->stop_at_connected = 1;
	loop_run(f->loop);
	until_accepted(f, 1);
	assert_int_equal(cl->connected_n, 1);
	assert_int_equal(f->accepted_n, 1);
	snprintf(text, sizeof(text), "%s:%u", peer, (unsigned)listener_port(f->listener));
	assert_string_equal(cl->peer, text);
	assert_int_equal(strncmp(f->servers[0].peer, peer, strlen(peer)), 0);
}

static void test_numeric_v4(void **state)
{
	expect_connection(*state, "127.0.0.1", "127.0.0.1", "127.0.0.1");
}

static bool has_ipv6(void)
{
	struct sockaddr_in6 a = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	int fd = socket(AF_INET6, SOCK_STREAM, 0);
	bool yes = fd != -1 && bind(fd, (void *)&a, sizeof(a)) == 0;

	if (fd != -1)
		close(fd);
	return yes;
}

static void test_numeric_v6(void **state)
{
	if (!has_ipv6())
		skip();
	expect_connection(*state, "[::1]", "::1", "[::1]");
}

static void test_name(void **state)
{
	expect_connection(*state, "127.0.0.1", "localhost", "127.0.0.1");
}

/* A dual-stack socket shows IPv4 peers in their plain form. */
static void test_any_host(void **state)
{
	expect_connection(*state, "", "127.0.0.1", "127.0.0.1");
}

static void test_taken_port_is_refused_with_a_sentence(void **state)
{
	struct fixture *f = *state;
	struct listener *second = NULL;
	char errbuf[256] = "";

	listen_on(f, "127.0.0.1");
	assert_int_equal(
		listener_new(f->loop, "127.0.0.1", listener_port(f->listener), on_accept, f, &second, errbuf), ERR_IO);
	assert_null(second);
	assert_non_null(strstr(errbuf, "127.0.0.1"));
	assert_non_null(strstr(errbuf, strerror(EADDRINUSE)));
	assert_int_equal(listener_new(f->loop, "192.0.2.1", 0, on_accept, f, &second, errbuf), ERR_IO);
	assert_non_null(strstr(errbuf, "192.0.2.1"));
}

/* A port of loopback where nobody listens. */
static int32_t closed_port(void)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_int_equal(bind(fd, (void *)&a, sizeof(a)), 0);
	assert_int_equal(getsockname(fd, (void *)&a, &len), 0);
	close(fd);
	return ntohs(a.sin_port);
}

static void test_refused(void **state)
{
	struct fixture *f = *state;
	struct client *cl = dial(f, 0, "127.0.0.1", closed_port(), 5000, &callbacks);

	conn_write(cl->conn, "lost", 4);
	loop_run(f->loop);
	assert_int_equal(cl->closed_n, 1);
	assert_string_equal(cl->reason, "connect_refused");
	assert_int_equal(cl->connected_n, 0);
}

/* A listening socket whose queue is full swallows what comes: nobody answers. */
static void test_timeout(void **state)
{
	struct fixture *f = *state;
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM, 0), fill[3];
	int64_t before;
	struct client *cl;

	assert_int_equal(bind(fd, (void *)&a, sizeof(a)), 0);
	assert_int_equal(listen(fd, 0), 0);
	assert_int_equal(getsockname(fd, (void *)&a, &len), 0);
	for (int i = 0; i < 3; i++) {
		fill[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
		(void)connect(fill[i], (void *)&a, sizeof(a));
	}
	run_for(f, 20);
	dial(f, 1, "127.0.0.1", ntohs(a.sin_port), 5000, &callbacks);
	run_for(f, 5);
	conn_close(f->clients[1].conn, "test_connecting");
	run_for(f, 0);
	assert_string_equal(f->clients[1].reason, "test_connecting");
	before = clock_mono_ms();
	cl = dial(f, 0, "127.0.0.1", ntohs(a.sin_port), 150, &callbacks);
	loop_run(f->loop);
	assert_string_equal(cl->reason, "connect_timeout");
	assert_true(clock_mono_ms() - before >= 145 && clock_mono_ms() - before < 10000);
	for (int i = 0; i < 3; i++)
		close(fill[i]);
	close(fd);
}

/* A hosts file of our own. */
static void load_hosts(struct fixture *f, const char *text)
{
	char name[] = "/tmp/test_net_dial_XXXXXX";
	int fd = mkstemp(name);

	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	assert_int_equal(evdns_base_load_hosts(loop_evdns_base(f->loop), name), 0);
	unlink(name);
}

/* A name server that is asked and never answers; gives its descriptor. */
static int silent_name_server(struct fixture *f)
{
	struct evdns_base *dns = loop_evdns_base(f->loop);
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(a);
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	char text[40];

	assert_int_equal(bind(fd, (void *)&a, sizeof(a)), 0);
	assert_int_equal(getsockname(fd, (void *)&a, &len), 0);
	snprintf(text, sizeof(text), "127.0.0.1:%u", (unsigned)ntohs(a.sin_port));
	evdns_base_clear_nameservers_and_suspend(dns);
	assert_int_equal(evdns_base_nameserver_ip_add(dns, text), 0);
	evdns_base_resume(dns);
	return fd;
}

/* Two addresses behind one name, one of them refuses: whichever comes first, the other one is found. */
static void expect_one_of_two(struct fixture *f, const char *good)
{
	char text[40];
	struct client *cl;

	listen_on(f, good);
	load_hosts(f, "127.0.0.2 two.test\n127.0.0.1 two.test\n");
	cl = dial(f, 0, "two.test", listener_port(f->listener), 5000, &callbacks);
	f->stop_at_connected = 1;
	loop_run(f->loop);
	snprintf(text, sizeof(text), "%s:%u", good, (unsigned)listener_port(f->listener));
	assert_int_equal(cl->connected_n, 1);
	assert_string_equal(cl->peer, text);
}

static void test_addresses_are_tried_in_turn(void **state)
{
	expect_one_of_two(*state, "127.0.0.1");
}

static void test_addresses_are_tried_in_turn_back(void **state)
{
	expect_one_of_two(*state, "127.0.0.2");
}

static void test_all_addresses_refuse(void **state)
{
	struct fixture *f = *state;
	struct client *cl;

	load_hosts(f, "127.0.0.2 two.test\n127.0.0.1 two.test\n");
	cl = dial(f, 0, "two.test", closed_port(), 5000, &callbacks);
	loop_run(f->loop);
	assert_string_equal(cl->reason, "connect_refused");
}

static void test_silent_name_server(void **state)
{
	struct fixture *f = *state;
	int fd = silent_name_server(f);
	int64_t before = clock_mono_ms();
	struct client *cl = dial(f, 0, "host.test", 9, 200, &callbacks);

	loop_run(f->loop);
	assert_int_equal(cl->closed_n, 1);
	assert_string_equal(cl->reason, "dns_failed");
	assert_true(clock_mono_ms() - before >= 195 && clock_mono_ms() - before < 10000);
	close(fd);
}

static void test_close_while_connecting(void **state)
{
	struct fixture *f = *state;
	int fd = silent_name_server(f);
	int32_t port;

	listen_on(f, "127.0.0.1");
	port = listener_port(f->listener);
	/* Before it starts; while the name is looked up; in on_connected. */
	dial(f, 0, "127.0.0.1", port, 1000, &callbacks);
	conn_close(f->clients[0].conn, "test_early");
	dial(f, 1, "host.test", port, 10000, &callbacks);
	dial(f, 2, "127.0.0.1", port, 1000, &callbacks_close);
	until_accepted(f, 1);
	assert_int_equal(f->clients[1].closed_n, 0);
	conn_close_flush(f->clients[1].conn, "test_dns", 5000);
	run_for(f, 20);
	assert_string_equal(f->clients[0].reason, "test_early");
	assert_int_equal(f->clients[0].connected_n, 0);
	assert_string_equal(f->clients[1].reason, "test_dns");
	assert_string_equal(f->clients[2].reason, "test_connected");
	assert_int_equal(f->accepted_n, 1);
	close(fd);
}

/* The loop goes while a lookup is on its way, given up or not. */
static void test_loop_ends_while_dialing(void **state)
{
	struct fixture *f = *state;
	int fd = silent_name_server(f);

	dial(f, 0, "host.test", 9, 10000, &callbacks);
	dial(f, 1, "other.test", 9, 10000, &callbacks);
	run_for(f, 5);
	conn_close(f->clients[0].conn, "test_end");
	run_for(f, 0);
	assert_int_equal(f->clients[1].closed_n, 0);
	close(fd);
}

static void test_listener_freed_in_its_callback(void **state)
{
	struct fixture *f = *state;

	listen_on(f, "127.0.0.1");
	f->free_in_accept = true;
	f->stop_at_accepted = 1;
	for (int i = 0; i < 3; i++)
		dial(f, i, "127.0.0.1", listener_port(f->listener), 1000, &callbacks);
	loop_run(f->loop);
	run_for(f, 20);
	assert_int_equal(f->accepted_n, 1);
}

static int log_lines(struct fixture *f)
{
	char text[4096];
	ssize_t n = pread(f->log_fd, text, sizeof(text), 0);
	int lines = 0;

	for (ssize_t i = 0; i < n; i++)
		lines += text[i] == '\n';
	return lines;
}

static double cpu_seconds(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

/* At the limit accepting rests, quietly; it resumes when descriptors are free again. */
static void test_descriptor_limit(void **state)
{
	struct fixture *f = *state;
	struct rlimit old, low;
	int clients[4], next = dup(STDERR_FILENO);
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	double cpu;

	close(next);
	listen_on(f, "127.0.0.1");
	a.sin_port = htons(listener_port(f->listener));
	for (int i = 0; i < 4; i++) {
		clients[i] = socket(AF_INET, SOCK_STREAM, 0);
		assert_int_equal(connect(clients[i], (void *)&a, sizeof(a)), 0);
	}
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	low = old;
	low.rlim_cur = (rlim_t)clients[3] + 1;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	cpu = cpu_seconds();
	run_for(f, 1500);
	assert_int_equal(f->accepted_n, 0);
	assert_in_range(log_lines(f), 1, 2);
	assert_true(cpu_seconds() - cpu < 0.3);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
	f->stop_at_accepted = 4;
	run_for(f, 10000);
	assert_int_equal(f->accepted_n, 4);
	for (int i = 0; i < 4; i++)
		close(clients[i]);
}

static void test_many_connections(void **state)
{
	struct fixture *f = *state;

	listen_on(f, "127.0.0.1");
	for (int i = 0; i < CLIENTS; i++)
		dial(f, i, "127.0.0.1", listener_port(f->listener), 5000, &callbacks);
	f->stop_at_connected = CLIENTS;
	loop_run(f->loop);
	until_accepted(f, CLIENTS);
	assert_int_equal(f->accepted_n, CLIENTS);
	for (int i = 0; i < CLIENTS; i++)
		assert_int_equal(f->clients[i].connected_n, 1);
	assert_true(conn_id(f->clients[0].conn) != conn_id(f->clients[1].conn));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		T(test_numeric_v4),
		T(test_numeric_v6),
		T(test_name),
		T(test_any_host),
		T(test_taken_port_is_refused_with_a_sentence),
		T(test_refused),
		T(test_timeout),
		T(test_addresses_are_tried_in_turn),
		T(test_addresses_are_tried_in_turn_back),
		T(test_all_addresses_refuse),
		T(test_silent_name_server),
		T(test_close_while_connecting),
		T(test_loop_ends_while_dialing),
		T(test_listener_freed_in_its_callback),
		T(test_descriptor_limit),
		T(test_many_connections),
#undef T
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
