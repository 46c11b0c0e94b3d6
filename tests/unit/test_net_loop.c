/* SPDX-License-Identifier: Apache-2.0 */
/* The loop: order of timers, deferred calls, signals, the time of a turn. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "net/loop.h"

#define MANY 1000

struct shot {
	struct timer timer;
	int64_t due;
	struct fixture *f;
	int fired;
};

struct fixture {
	struct log *log;
	struct loop *loop;
	struct shot shots[MANY];
	int64_t last_due;
	int left;
	int calls[4], calls_n;
	int again;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->log = log_new(STDERR_FILENO, LOG_LEVEL_ERROR, LOG_FORMAT_TEXT);
	f->loop = loop_new(f->log);
	assert_non_null(f->loop);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	loop_free(f->loop);
	log_free(f->log);
	free(f);
	return 0;
}

static void shot_fired(void *arg)
{
	struct shot *s = arg;

	assert_false(timer_is_set(&s->timer));
	assert_true(s->due >= s->f->last_due);
	assert_true(loop_now(s->f->loop) >= s->due);
	s->f->last_due = s->due;
	s->fired++;
	if (--s->f->left == 0)
		loop_stop(s->f->loop);
}

static void test_timers_fire_in_order(void **state)
{
	struct fixture *f = *state;
	int64_t now = loop_now(f->loop);
	unsigned seed = 7;

	for (int i = 0; i < MANY; i++) {
		struct shot *s = &f->shots[i];

		s->f = f;
		timer_init(&s->timer, f->loop, shot_fired, s);
		/* Set twice: the second setting counts. */
		timer_set(&s->timer, now + rand_r(&seed) % 5000);
		s->due = now + rand_r(&seed) % 150;
		timer_set(&s->timer, s->due);
		assert_true(timer_is_set(&s->timer));
	}
	for (int i = 0; i < MANY; i += 3) {
		timer_clear(&f->shots[i].timer);
		timer_clear(&f->shots[i].timer);
	}
	for (int i = 0; i < MANY; i++)
		f->left += i % 3 != 0;
	loop_run(f->loop);
	for (int i = 0; i < MANY; i++)
		assert_int_equal(f->shots[i].fired, i % 3 != 0);
	assert_true(clock_mono_ms() - now >= 140 && clock_mono_ms() - now < 10000);
}

static void shot_again(void *arg)
{
	struct shot *s = arg;

	/* Due at once: it must not keep the turn from ending. */
	timer_set(&s->timer, loop_now(s->f->loop));
	if (++s->fired == 100)
		loop_stop(s->f->loop);
}

static void on_call(void *arg)
{
	struct fixture *f = arg;

	f->again++;
}

static void test_timer_sets_itself_anew(void **state)
{
	struct fixture *f = *state;
	struct shot *s = &f->shots[0];

	s->f = f;
	timer_init(&s->timer, f->loop, shot_again, s);
	timer_set(&s->timer, 0);
	loop_defer(f->loop, on_call, f);
	loop_run(f->loop);
	assert_int_equal(s->fired, 100);
	assert_int_equal(f->again, 1);
	timer_clear(&s->timer);
}

static void on_call_2(void *arg)
{
	struct fixture *f = arg;

	f->calls[f->calls_n++] = 2;
}

static void on_call_stop(void *arg)
{
	struct fixture *f = arg;

	f->calls[f->calls_n++] = 3;
	loop_stop(f->loop);
}

static void on_call_1(void *arg)
{
	struct fixture *f = arg;

	f->calls[f->calls_n++] = 1;
	loop_defer(f->loop, on_call_stop, f);
}

static void test_deferred_calls_keep_order(void **state)
{
	struct fixture *f = *state;

	loop_defer(f->loop, on_call_1, f);
	loop_defer(f->loop, on_call_2, f);
	assert_int_equal(f->calls_n, 0);
	loop_run(f->loop);
	assert_int_equal(f->calls_n, 3);
	assert_int_equal(f->calls[0], 1);
	assert_int_equal(f->calls[1], 2);
	assert_int_equal(f->calls[2], 3);
}

static void on_many(void *arg)
{
	struct fixture *f = arg;

	if (++f->again == 10000)
		loop_stop(f->loop);
}

static void test_many_deferred_calls(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < 10000; i++)
		loop_defer(f->loop, on_many, f);
	loop_run(f->loop);
	assert_int_equal(f->again, 10000);
}

static void test_deferred_calls_run_when_the_loop_goes(void **state)
{
	struct fixture *f = *state;

	loop_defer(f->loop, on_call, f);
	loop_free(f->loop);
	assert_int_equal(f->again, 1);
	f->loop = loop_new(f->log);
}

static void on_signal(void *arg, int signo)
{
	struct fixture *f = arg;

	f->calls[f->calls_n++] = signo;
	loop_stop(f->loop);
}

static void test_signal(void **state)
{
	struct fixture *f = *state;

	loop_on_signal(f->loop, SIGUSR1, on_signal, f);
	kill(getpid(), SIGUSR1);
	loop_run(f->loop);
	assert_int_equal(f->calls_n, 1);
	assert_int_equal(f->calls[0], SIGUSR1);
}

static void on_sleep(void *arg)
{
	struct fixture *f = arg;
	int64_t before = loop_now(f->loop), wall = loop_wall(f->loop);

	usleep(20000);
	assert_int_equal(loop_now(f->loop), before);
	assert_int_equal(loop_wall(f->loop), wall);
	f->last_due = before;
}

static void on_woken(void *arg)
{
	struct fixture *f = arg;

	assert_true(loop_now(f->loop) >= f->last_due + 20);
	loop_stop(f->loop);
}

static void test_time_stands_still_in_a_turn(void **state)
{
	struct fixture *f = *state;
	struct timer a, b;

	timer_init(&a, f->loop, on_sleep, f);
	timer_init(&b, f->loop, on_woken, f);
	timer_set(&a, loop_now(f->loop) + 1);
	timer_set(&b, loop_now(f->loop) + 15);
	loop_run(f->loop);
	timer_clear(&a);
	timer_clear(&b);
}

static void test_stop_before_run(void **state)
{
	struct fixture *f = *state;

	loop_stop(f->loop);
	loop_run(f->loop);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_timers_fire_in_order, setup, teardown),
		cmocka_unit_test_setup_teardown(test_timer_sets_itself_anew, setup, teardown),
		cmocka_unit_test_setup_teardown(test_deferred_calls_keep_order, setup, teardown),
		cmocka_unit_test_setup_teardown(test_many_deferred_calls, setup, teardown),
		cmocka_unit_test_setup_teardown(test_deferred_calls_run_when_the_loop_goes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_signal, setup, teardown),
		cmocka_unit_test_setup_teardown(test_time_stands_still_in_a_turn, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stop_before_run, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
