/* SPDX-License-Identifier: Apache-2.0 */
/* Connections over socket pairs: order and completeness of bytes, watermarks, pausing, closing from everywhere. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "net/conn.h"

#define KIB ((size_t)1024)
#define MIB (1024 * KIB)

enum where { NOWHERE, IN_DATA, IN_DRAINED, IN_EOF };

/* One end of a pair: what it still sends, what it got. Byte number i of a stream is pattern(i). */
struct end {
	struct fixture *f;
	struct conn *conn;
	size_t send_left, sent, got, max_out;
	size_t expect; /* stop the loop when so many bytes came */
	enum where close_in;
	bool close_flush_at_eof;
	int data_n, drained_n, eof_n, closed_n;
	bool keep_input;
	const char *reason;
};

struct fixture {
	struct log *log;
	struct loop *loop;
	struct end a, b;
	int alive;
	struct timer timer;
};

static const struct conn_limits limits = {
	.in_max = 32 * KIB, .out_high = 64 * KIB, .out_low = 16 * KIB, .out_max = MIB};

static uint8_t pattern(size_t i)
{
	return (uint8_t)(i * 31 + i / 251);
}

static void fill(struct end *e)
{
	uint8_t part[5000];

	while (e->send_left > 0 && !conn_is_full(e->conn)) {
		size_t n = e->send_left < sizeof(part) ? e->send_left : sizeof(part);

		for (size_t i = 0; i < n; i++)
			part[i] = pattern(e->sent + i);
		conn_write(e->conn, part, n);
		e->sent += n;
		e->send_left -= n;
		if (conn_out_len(e->conn) > e->max_out)
			e->max_out = conn_out_len(e->conn);
	}
}

static void take(struct end *e)
{
	struct buf *in = conn_in(e->conn);

	for (size_t i = 0; i < buf_len(in); i++)
		assert_int_equal(buf_head(in)[i], pattern(e->got + i));
	e->got += buf_len(in);
	buf_consume(in, buf_len(in));
	if (e->expect && e->got >= e->expect)
		loop_stop(e->f->loop);
}

static void on_data(struct conn *c, void *arg)
{
	struct end *e = arg;

	assert_ptr_equal(c, e->conn);
	assert_int_equal(e->closed_n, 0);
	assert_true(buf_len(conn_in(c)) > 0);
	assert_true(buf_len(conn_in(c)) <= limits.in_max);
	e->data_n++;
	if (!e->keep_input)
		take(e);
	if (e->close_in == IN_DATA)
		conn_close(c, "test_data");
}

static void on_drained(struct conn *c, void *arg)
{
	struct end *e = arg;

	assert_false(conn_is_full(c));
	e->drained_n++;
	if (e->close_in == IN_DRAINED)
		conn_close(c, "test_drained");
	else
		fill(e);
}

static void on_eof(struct conn *c, void *arg)
{
	struct end *e = arg;

	e->eof_n++;
	if (e->close_in == IN_EOF)
		conn_close(c, "test_eof");
	else if (e->close_flush_at_eof)
		conn_close_flush(c, "test_flush", 5000);
}

static void on_closed(struct conn *c, void *arg, const char *reason)
{
	struct end *e = arg;

	assert_ptr_equal(c, e->conn);
	e->closed_n++;
	e->reason = reason;
	e->conn = NULL;
	if (--e->f->alive == 0)
		loop_stop(e->f->loop);
}

static const struct conn_callbacks callbacks = {
	.on_data = on_data, .on_drained = on_drained, .on_eof = on_eof, .on_closed = on_closed};

static void on_too_long(void *arg)
{
	(void)arg;
	fail_msg("the loop still runs after 30 s");
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->log = log_new(STDERR_FILENO, LOG_LEVEL_ERROR, LOG_FORMAT_TEXT);
	f->loop = loop_new(f->log);
	f->a.f = f->b.f = f;
	timer_init(&f->timer, f->loop, on_too_long, f);
	timer_set(&f->timer, clock_mono_ms() + 30000);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	if (f->a.conn)
		conn_close(f->a.conn, "teardown");
	if (f->b.conn)
		conn_close(f->b.conn, "teardown");
	timer_clear(&f->timer);
	loop_free(f->loop);
	assert_int_equal(f->alive, 0);
	log_free(f->log);
	free(f);
	return 0;
}

static void make_pair(int fd[2], int sndbuf)
{
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fd), 0);
	for (int i = 0; sndbuf && i < 2; i++)
		setsockopt(fd[i], SOL_SOCKET, SO_SNDBUF, &sndbuf, sizeof(sndbuf));
}

static void attach(struct end *e, int fd, const struct conn_callbacks *cb)
{
	e->conn = conn_accept(e->f->loop, fd, &limits, cb, e);
	e->f->alive++;
}

/* Both ends are connections of the loop. */
static void attach_both(struct fixture *f, int sndbuf)
{
	int fd[2];

	make_pair(fd, sndbuf);
	attach(&f->a, fd[0], &callbacks);
	attach(&f->b, fd[1], &callbacks);
}

/* The loop's end is a, the test holds the other descriptor. */
static int attach_one(struct fixture *f, const struct conn_callbacks *cb, int sndbuf)
{
	int fd[2];

	make_pair(fd, sndbuf);
	attach(&f->a, fd[0], cb);
	return fd[1];
}

static void stop_cb(void *arg)
{
	struct fixture *f = arg;

	loop_stop(f->loop);
}

/* Lets the loop run for about ms. */
static void run_for(struct fixture *f, int64_t ms)
{
	struct timer t;

	timer_init(&t, f->loop, stop_cb, f);
	timer_set(&t, clock_mono_ms() + ms);
	loop_run(f->loop);
	timer_clear(&t);
}

static void test_bytes_arrive_in_order(void **state)
{
	struct fixture *f = *state;

	attach_both(f, 4096);
	f->a.send_left = f->b.expect = 8 * MIB;
	fill(&f->a);
	loop_run(f->loop);
	assert_int_equal(f->b.got, 8 * MIB);
	assert_int_equal(conn_bytes_out(f->a.conn), 8 * MIB);
	assert_int_equal(conn_bytes_in(f->b.conn), 8 * MIB);
	assert_true(f->a.drained_n > 10);
	assert_true(f->a.max_out < limits.out_high + 5000);
	assert_int_equal(conn_out_len(f->a.conn), 0);
}

static void test_idle_connection_holds_no_buffer(void **state)
{
	struct fixture *f = *state;

	attach_both(f, 0);
	f->a.send_left = f->b.expect = 1000;
	fill(&f->a);
	loop_run(f->loop);
	assert_null(conn_in(f->b.conn)->mem);
	assert_null(conn_in(f->a.conn)->mem);
}

static ssize_t tiny_read(struct conn *c, void *p, size_t n)
{
	return recv(conn_fd(c), p, n > 1 ? 1 : n, 0);
}

/* Sends a byte, says "not now", fails with EINTR, in turn. */
static ssize_t tiny_writev(struct conn *c, const struct iovec *v, int n)
{
	static const int errors[] = {0, EAGAIN, EINTR};
	uint64_t turn = conn_bytes_out(c) * 7 + (uint64_t)rand() % 3;

	assert_true(n >= 1 && n <= 64);
	if (errors[turn % 3]) {
		errno = errors[turn % 3];
		return -1;
	}
	return send(conn_fd(c), v[0].iov_base, 1, MSG_NOSIGNAL);
}

static const struct conn_ops tiny_ops = {.read = tiny_read, .writev = tiny_writev};

static void test_one_byte_at_a_time(void **state)
{
	struct fixture *f = *state;

	attach_both(f, 0);
	conn_set_ops(f->a.conn, &tiny_ops);
	conn_set_ops(f->b.conn, &tiny_ops);
	f->a.send_left = f->b.expect = 20000;
	fill(&f->a);
	loop_run(f->loop);
	assert_int_equal(f->b.got, 20000);
	assert_int_equal(f->b.data_n, 20000);
}

static int count_writes(int fd, uint8_t *p, size_t n)
{
	/* Datagrams keep the borders of the writes. */
	int writes = 0;
	size_t got = 0;

	while (got < n) {
		ssize_t r = recv(fd, p + got, n - got, 0);

		assert_true(r > 0);
		got += (size_t)r;
		writes++;
	}
	return writes;
}

static void test_one_write_a_turn(void **state)
{
	struct fixture *f = *state;
	struct chunk *k = chunk_try_new(5000);
	uint8_t got[5000 + 6 * 10];
	int fd[2];

	memset(k->data, 'k', k->size);
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, fd), 0);
	attach(&f->a, fd[0], &callbacks);
	for (int i = 0; i < 5; i++)
		conn_write(f->a.conn, "0123456789", 10);
	conn_write_slice(f->a.conn, (struct slice){.chunk = k, .p = k->data, .n = k->size});
	conn_write(f->a.conn, "0123456789", 10);
	assert_int_equal(k->refs, 2);
	run_for(f, 10);
	assert_int_equal(count_writes(fd[1], got, sizeof(got)), 1);
	assert_memory_equal(got + 40, "0123456789", 10);
	assert_int_equal(got[50], 'k');
	assert_int_equal(got[5049], 'k');
	assert_memory_equal(got + 5050, "0123456789", 10);
	assert_int_equal(k->refs, 1);
	chunk_unref(k);
	close(fd[1]);
}

static void test_slices_are_released_on_close(void **state)
{
	struct fixture *f = *state;
	struct chunk *k = chunk_try_new(300 * KIB);
	int fd = attach_one(f, &callbacks, 4096);

	memset(k->data, 0, k->size);
	conn_write_slice(f->a.conn, (struct slice){.chunk = k, .p = k->data + 7, .n = k->size - 7});
	conn_write_slice(f->a.conn, (struct slice){.chunk = k, .p = k->data, .n = 3});
	run_for(f, 5);
	assert_int_equal(k->refs, 2);
	conn_close(f->a.conn, "test");
	assert_int_equal(k->refs, 1);
	conn_write_slice(f->a.conn, (struct slice){.chunk = k, .p = k->data, .n = k->size});
	conn_write(f->a.conn, "x", 1);
	assert_int_equal(k->refs, 1);
	chunk_unref(k);
	loop_run(f->loop);
	assert_string_equal(f->a.reason, "test");
	close(fd);
}

static void test_slow_reader_is_bounded(void **state)
{
	struct fixture *f = *state;
	int fd = attach_one(f, &callbacks, 4096);
	uint8_t part[1000];
	size_t got = 0;

	f->a.send_left = MIB;
	fill(&f->a);
	while (got < MIB) {
		ssize_t r = recv(fd, part, sizeof(part), 0);

		for (ssize_t i = 0; i < r; i++)
			assert_int_equal(part[i], pattern(got + (size_t)i));
		got += r > 0 ? (size_t)r : 0;
		run_for(f, 0);
	}
	assert_true(f->a.max_out < limits.out_high + 5000);
	close(fd);
}

static void test_output_limit(void **state)
{
	struct fixture *f = *state;
	int fd = attach_one(f, &callbacks, 4096);
	uint8_t *big = calloc(1, MIB);

	conn_write(f->a.conn, big, MIB - 1);
	assert_false(conn_is_closing(f->a.conn));
	conn_write(f->a.conn, big, 2);
	assert_true(conn_is_closing(f->a.conn));
	loop_run(f->loop);
	assert_string_equal(f->a.reason, "output_limit");
	free(big);
	close(fd);
}

static void test_full_input_pauses(void **state)
{
	struct fixture *f = *state;

	attach_both(f, 0);
	f->b.keep_input = true;
	f->a.send_left = f->b.expect = MIB;
	fill(&f->a);
	for (int i = 0; i < 1000 && buf_len(conn_in(f->b.conn)) < limits.in_max; i++)
		run_for(f, 5);
	run_for(f, 20);
	assert_int_equal(buf_len(conn_in(f->b.conn)), limits.in_max);
	assert_true(f->a.send_left > 0);
	/* Consumed outside of on_data: reading goes on by itself. */
	f->b.keep_input = false;
	take(&f->b);
	loop_run(f->loop);
	assert_int_equal(f->b.got, MIB);
}

static void test_owner_pauses(void **state)
{
	struct fixture *f = *state;

	attach_both(f, 0);
	conn_set_reading(f->b.conn, false);
	f->a.send_left = f->b.expect = 10000;
	fill(&f->a);
	run_for(f, 20);
	assert_int_equal(f->b.data_n, 0);
	conn_set_reading(f->b.conn, true);
	loop_run(f->loop);
	assert_int_equal(f->b.got, 10000);
}

static void test_close_in_data(void **state)
{
	struct fixture *f = *state;
	int fd = attach_one(f, &callbacks, 0);

	f->a.close_in = IN_DATA;
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(send(fd, &(uint8_t){pattern(i)}, 1, 0), 1);
	loop_run(f->loop);
	assert_int_equal(f->a.closed_n, 1);
	assert_int_equal(f->a.data_n, 1);
	assert_string_equal(f->a.reason, "test_data");
	close(fd);
}

static void test_close_in_drained(void **state)
{
	struct fixture *f = *state;

	attach_both(f, 4096);
	f->a.close_in = IN_DRAINED;
	f->b.close_in = IN_EOF;
	f->a.send_left = MIB;
	fill(&f->a);
	loop_run(f->loop);
	assert_string_equal(f->a.reason, "test_drained");
	assert_string_equal(f->b.reason, "test_eof");
	assert_int_equal(f->a.drained_n, 1);
	assert_int_equal(f->a.closed_n + f->b.closed_n, 2);
}

static void test_closed_comes_after_close(void **state)
{
	struct fixture *f = *state;
	int fd = attach_one(f, &callbacks, 0);
	struct conn *c = f->a.conn;

	conn_close(c, "first");
	conn_close(c, "second");
	conn_close_flush(c, "third", 10);
	conn_set_reading(c, false);
	conn_set_reading(c, true);
	assert_int_equal(buf_len(conn_in(c)), 0);
	assert_true(conn_is_closing(c));
	assert_int_equal(f->a.closed_n, 0);
	loop_run(f->loop);
	assert_int_equal(f->a.closed_n, 1);
	assert_string_equal(f->a.reason, "first");
	close(fd);
}

static void test_eof_without_callback_closes(void **state)
{
	struct fixture *f = *state;
	const struct conn_callbacks cb = {.on_data = on_data, .on_closed = on_closed};
	int fd = attach_one(f, &cb, 0);

	close(fd);
	loop_run(f->loop);
	assert_string_equal(f->a.reason, "peer_closed");
}

/* The peer shuts its side while a large answer is on its way: it gets all of it, then the end. */
static void test_half_close_with_pending_output(void **state)
{
	struct fixture *f = *state;
	int fd = attach_one(f, &callbacks, 4096);
	uint8_t part[3000], *big = malloc(MIB);
	size_t got = 0;
	ssize_t r;

	for (size_t i = 0; i < MIB; i++)
		big[i] = pattern(i);
	f->a.close_flush_at_eof = true;
	conn_write(f->a.conn, big, MIB);
	free(big);
	shutdown(fd, SHUT_WR);
	do {
		run_for(f, 0);
		r = recv(fd, part, sizeof(part), 0);
		for (ssize_t i = 0; i < r; i++)
			assert_int_equal(part[i], pattern(got + (size_t)i));
		got += r > 0 ? (size_t)r : 0;
	} while (r != 0);
	assert_int_equal(got, MIB);
	assert_int_equal(f->a.eof_n, 1);
	assert_int_equal(f->a.closed_n, 1);
	assert_string_equal(f->a.reason, "test_flush");
	close(fd);
}

static void test_close_flush_lingers_only_so_long(void **state)
{
	struct fixture *f = *state;
	int fd = attach_one(f, &callbacks, 4096);
	int64_t before = clock_mono_ms();

	f->a.send_left = 60 * KIB;
	fill(&f->a);
	conn_close_flush(f->a.conn, "slow_peer", 100);
	/* Its input is dropped without a callback. */
	assert_int_equal(send(fd, "x", 1, 0), 1);
	loop_run(f->loop);
	assert_string_equal(f->a.reason, "slow_peer");
	assert_int_equal(f->a.data_n, 0);
	assert_true(clock_mono_ms() - before >= 95 && clock_mono_ms() - before < 10000);
	close(fd);
}

/* The peer has all output but keeps its side open: it is not waited for until the end of the linger time. */
static void test_close_flush_does_not_wait_for_peer(void **state)
{
	struct fixture *f = *state;
	int fd = attach_one(f, &callbacks, 0);
	int64_t before = clock_mono_ms();
	uint8_t part[10];

	conn_write(f->a.conn, "bye", 3);
	conn_close_flush(f->a.conn, "done", 20000);
	conn_write(f->a.conn, "late", 4);
	loop_run(f->loop);
	assert_string_equal(f->a.reason, "done");
	assert_true(clock_mono_ms() - before < 15000);
	assert_int_equal(recv(fd, part, sizeof(part), 0), 3);
	assert_int_equal(recv(fd, part, sizeof(part), 0), 0);
	close(fd);
}

static void test_close_ends_close_flush(void **state)
{
	struct fixture *f = *state;
	int fd = attach_one(f, &callbacks, 4096);

	f->a.send_left = 60 * KIB;
	fill(&f->a);
	conn_close_flush(f->a.conn, "flush", 20000);
	run_for(f, 5);
	assert_int_equal(f->a.closed_n, 0);
	conn_close(f->a.conn, "now");
	loop_run(f->loop);
	assert_string_equal(f->a.reason, "flush");
	close(fd);
}

static void test_peer_gone_while_writing(void **state)
{
	struct fixture *f = *state;
	int fd = attach_one(f, &callbacks, 4096);

	conn_set_reading(f->a.conn, false);
	f->a.send_left = 60 * KIB;
	fill(&f->a);
	run_for(f, 5);
	close(fd);
	loop_run(f->loop);
	assert_string_equal(f->a.reason, "peer_reset");
}

static void test_ten_thousand_closes_in_a_turn(void **state)
{
	struct fixture *f = *state;
	struct end *ends = calloc(10000, sizeof(*ends));

	for (int i = 0; i < 10000; i++) {
		int fd[2];

		ends[i].f = f;
		make_pair(fd, 0);
		attach(&ends[i], fd[0], &callbacks);
		conn_write(ends[i].conn, "x", 1);
		conn_close(ends[i].conn, "many");
		close(fd[1]);
	}
	loop_run(f->loop);
	for (int i = 0; i < 10000; i++)
		assert_int_equal(ends[i].closed_n, 1);
	free(ends);
}

/* A busy peer does not keep the loop from its timers. */
static void test_busy_peer_starves_nobody(void **state)
{
	struct fixture *f = *state;
	int64_t before = clock_mono_ms();

	attach_both(f, 0);
	f->a.send_left = SIZE_MAX;
	fill(&f->a);
	run_for(f, 50);
	assert_true(clock_mono_ms() - before < 10000);
	assert_true(f->b.got > 0);
	f->a.send_left = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		T(test_bytes_arrive_in_order),
		T(test_idle_connection_holds_no_buffer),
		T(test_one_byte_at_a_time),
		T(test_one_write_a_turn),
		T(test_slices_are_released_on_close),
		T(test_slow_reader_is_bounded),
		T(test_output_limit),
		T(test_full_input_pauses),
		T(test_owner_pauses),
		T(test_close_in_data),
		T(test_close_in_drained),
		T(test_closed_comes_after_close),
		T(test_eof_without_callback_closes),
		T(test_half_close_with_pending_output),
		T(test_close_flush_lingers_only_so_long),
		T(test_close_flush_does_not_wait_for_peer),
		T(test_close_ends_close_flush),
		T(test_peer_gone_while_writing),
		T(test_ten_thousand_closes_in_a_turn),
		T(test_busy_peer_starves_nobody),
#undef T
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
