/* SPDX-License-Identifier: Apache-2.0 */
/* sim_engine [--seed N] [--steps N]: runs the engine against the model; the same start value gives the same run. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "sim_engine.h"

static uint64_t arg_number(const char *s)
{
	char *end;
	unsigned long long v = strtoull(s, &end, 0);

	if (!*s || *end) {
		fprintf(stderr, "sim_engine: %s: expected a number\n", s);
		exit(2);
	}
	return v;
}

static double seconds(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	struct sim *s = calloc(1, sizeof(*s));
	uint64_t seed = (uint64_t)time(NULL) * 1000003u + (uint64_t)getpid(), steps = 1000000, trace = 0;
	double begin = seconds(), took;

	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--seed"))
			seed = arg_number(argv[i + 1]);
		else if (!strcmp(argv[i], "--steps"))
			steps = arg_number(argv[i + 1]);
		else if (!strcmp(argv[i], "--trace"))
			trace = arg_number(argv[i + 1]);
	}
	if (!s)
		return 1;
	printf("sim_engine: seed %" PRIu64 " steps %" PRIu64 "\n", seed, steps);
	(void)fflush(stdout); /* a failure aborts: the start value must be seen */
	sim_start(s, seed);
	while (s->step < steps) {
		sim_step(s);
		if (trace && s->step % trace == 0)
			fprintf(stderr, "step %" PRIu64 " now %" PRId64 "\n", s->step, s->now);
	}
	sim_finish(s);
	took = seconds() - begin;
	printf("sim_engine: ok, %" PRIu64 " events, %" PRIu64 " records acquired, %" PRIu64
	       " acknowledgement batches, %" PRIu64 " answers, %" PRIu64 " changes, %" PRIu64
	       " restarts, %.2f s, %.0f ns an event\n",
		s->events, s->acquired, s->acked, s->answered, s->persists, s->restarts, took,
		took * 1e9 / (double)(s->events ? s->events : 1));
	free(s);
	return 0;
}
