/* SPDX-License-Identifier: Apache-2.0 */
/* A run that fails is repeated with fewer and fewer of its steps, as long as it fails in the same way. What a step does
 * is drawn from its own number, so leaving others out changes little of it. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim_engine.h"

#include "base/assert.h"
#include "base/mem.h"

enum { MESSAGE_MAX = 400, SHRINK_SECONDS = 60 };

struct list {
	uint64_t *v; /* numbers of steps */
	uint64_t n;
};

struct shrink {
	uint64_t seed;
	uint8_t broken;
	uint64_t *reached; /* shared with the child: index of the step that runs */
	char message[MESSAGE_MAX];
	struct timespec begin;
	uint64_t runs;
};

static double seconds_since(const struct timespec *begin)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)(t.tv_sec - begin->tv_sec) + (double)(t.tv_nsec - begin->tv_nsec) / 1e9;
}

/* In the child. */
static void run_list(struct shrink *h, const struct list *l, bool tells, bool sums_up)
{
	struct sim *s = mem_zalloc(1, sizeof(*s));
	double took;

	sim_start(s, h->seed, h->broken);
	s->tells = tells;
	for (uint64_t i = 0; i < l->n; i++) {
		*h->reached = i;
		sim_step(s, l->v[i]);
	}
	*h->reached = l->n;
	sim_finish(s);
	took = seconds_since(&h->begin);
	if (sums_up)
		printf("sim_engine: ok, %" PRIu64 " events, %" PRIu64 " records acquired, %" PRIu64
		       " acknowledgement batches, %" PRIu64 " answers, %" PRIu64 " changes, %" PRIu64
		       " restarts, %.2f s, %.0f ns an event\n",
			s->events, s->acquired, s->acked, s->answered, s->persists, s->restarts, took,
			took * 1e9 / (double)(s->events ? s->events : 1));
	mem_free(s);
}

/* First line that tells what is wrong: of an invariant itself, of anything else only that it is something else. */
static void read_message(int fd, char *ret)
{
	char text[4096];
	ssize_t n;
	char *end;

	(void)lseek(fd, 0, SEEK_SET);
	n = read(fd, text, sizeof(text) - 1);
	text[n < 0 ? 0 : n] = 0;
	end = strchr(text, '\n');
	if (end)
		*end = 0;
	(void)snprintf(ret, MESSAGE_MAX, "%.*s", MESSAGE_MAX - 1, strstr(text, "broken invariant") ? text : "a crash");
}

/* True: the run ended well. Otherwise what it said first is in ret_message. tells: its events go to standard error. */
static bool run_ok(struct shrink *h, const struct list *l, bool tells, bool sums_up, char *ret_message)
{
	FILE *said = tells ? NULL : tmpfile();
	int status = 0;
	pid_t pid;

	h->runs++;
	(void)fflush(stdout);
	pid = fork();
	sl_assert(pid != -1 && (tells || said));
	if (pid == 0) {
		if (said)
			(void)dup2(fileno(said), STDERR_FILENO);
		run_list(h, l, tells, sums_up);
		(void)fflush(stdout);
		_exit(0);
	}
	sl_assert(waitpid(pid, &status, 0) == pid);
	if (said) {
		if (ret_message)
			read_message(fileno(said), ret_message);
		(void)fclose(said);
	}
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool fails_alike(struct shrink *h, const struct list *l)
{
	char message[MESSAGE_MAX];

	return !run_ok(h, l, false, false, message) && !strcmp(message, h->message);
}

/* Leaves out runs of n steps wherever the failure stays; true: some were. */
static bool leave_out(struct shrink *h, struct list *l, uint64_t n)
{
	bool any = false;

	for (uint64_t end = l->n; end > 0 && seconds_since(&h->begin) < SHRINK_SECONDS;) {
		uint64_t from = end > n ? end - n : 0;
		struct list shorter = {mem_zalloc((size_t)l->n + 1, sizeof(*l->v)), l->n - (end - from)};

		memcpy(shorter.v, l->v, (size_t)from * sizeof(*l->v));
		memcpy(shorter.v + from, l->v + end, (size_t)(l->n - end) * sizeof(*l->v));
		if (fails_alike(h, &shorter)) {
			mem_free(l->v);
			*l = shorter;
			if (l->n > *h->reached + 1) /* it failed earlier than before */
				l->n = *h->reached + 1;
			any = true;
		} else {
			mem_free(shorter.v);
		}
		end = from < l->n ? from : l->n;
	}
	return any;
}

static void shrink(struct shrink *h, struct list *l)
{
	uint64_t n;

	(void)clock_gettime(CLOCK_MONOTONIC, &h->begin);
	for (n = l->n / 2; n >= 1; n /= 2)
		(void)leave_out(h, l, n);
	while (leave_out(h, l, 1)) {
	}
}

int sim_run(uint64_t seed, uint64_t steps, uint8_t broken)
{
	struct shrink h = {.seed = seed, .broken = broken};
	struct list l = {mem_zalloc((size_t)steps + 1, sizeof(*l.v)), steps};

	h.reached = mmap(NULL, sizeof(*h.reached), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sl_assert(h.reached != MAP_FAILED);
	(void)clock_gettime(CLOCK_MONOTONIC, &h.begin);
	for (uint64_t i = 0; i < steps; i++)
		l.v[i] = i + 1;
	printf("sim_engine: seed %" PRIu64 " steps %" PRIu64 "\n", seed, steps);
	if (run_ok(&h, &l, false, true, h.message)) {
		mem_free(l.v);
		return 0;
	}
	printf("sim: seed %" PRIu64 " FAILED: step %" PRIu64 ": %s\n", seed, *h.reached + 1, h.message);
	if (l.n > *h.reached + 1)
		l.n = *h.reached + 1;
	shrink(&h, &l);
	printf("sim_engine: %" PRIu64 " steps are enough to fail (%" PRIu64 " runs):\n", l.n, h.runs);
	(void)run_ok(&h, &l, true, false, NULL);
	mem_free(l.v);
	return 1;
}
