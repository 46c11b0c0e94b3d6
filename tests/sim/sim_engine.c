/* SPDX-License-Identifier: Apache-2.0 */
/* sim_engine [--seed N] [--steps N] [--break RULE]: runs the engine against the model; the same start value gives the
 * same run. A run that fails is cut down to a short list of events. */
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

static uint8_t arg_rule(const char *s)
{
	static const char *const rules[] = {"", "lock-time", "delivery-limit", "release"};

	for (uint8_t i = 1; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (!strcmp(s, rules[i]))
			return i;
	}
	fprintf(stderr, "sim_engine: %s: expected lock-time, delivery-limit or release\n", s);
	exit(2);
}

int main(int argc, char **argv)
{
	uint64_t seed = (uint64_t)time(NULL) * 1000003u + (uint64_t)getpid(), steps = 1000000;
	uint8_t broken = MODEL_BREAK_NOTHING;

	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--seed"))
			seed = arg_number(argv[i + 1]);
		else if (!strcmp(argv[i], "--steps"))
			steps = arg_number(argv[i + 1]);
		else if (!strcmp(argv[i], "--break"))
			broken = arg_rule(argv[i + 1]);
	}
	return sim_run(seed, steps, broken);
}
