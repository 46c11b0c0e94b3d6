/* SPDX-License-Identifier: Apache-2.0 */
/* Balance of the assignor, seen through heartbeats: every partition has members, nobody has more than his share, what
 * can stay stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "share_env.h"

enum { MEMBERS = 40 };

static const char *const alpha[] = {"alpha"};
static const char *const beta[] = {"beta"};
static const char *const both[] = {"alpha", "beta"};

struct assignment {
	bool has[ENV_TOPICS][ENV_PARTS];
	uint32_t n;
	int32_t epoch;
};

static void take(const struct env *v, const struct share_heartbeat_reply *r, struct assignment *a)
{
	a->epoch = r->member_epoch;
	if (!r->has_assignment)
		return;
	memset(a->has, 0, sizeof(a->has));
	a->n = 0;
	for (uint32_t i = 0; i < r->assignment_n; i++) {
		int t = 0;

		while (!uuid_eq(v->topics[t], r->assignment[i].topic_id))
			t++;
		for (uint32_t j = 0; j < r->assignment[i].partitions_n; j++) {
			assert_false(a->has[t][r->assignment[i].partitions[j]]);
			a->has[t][r->assignment[i].partitions[j]] = true;
			a->n++;
		}
	}
}

static void beat(struct env *v, int m, struct assignment *a, const char *const *topics, uint32_t n)
{
	char id[16];
	uint64_t token;

	(void)snprintf(id, sizeof(id), "m%02d", m);
	token = env_heartbeat(v, "g", id, a->epoch, a->epoch ? NULL : topics, a->epoch ? 0 : n);
	if (!env_reply(v, token))
		env_resolve(v, 0);
	if (!env_reply(v, token))
		env_time(v, 1000);
	take(v, &env_reply(v, token)->u.heartbeat, a);
	env_clear(v);
}

/* Members join one after the other, then everybody learns the last assignment. */
static void settle(struct env *v, struct assignment *a, int members, const char *const *topics, uint32_t n)
{
	for (int m = 0; m < members; m++)
		beat(v, m, &a[m], topics, n);
	env_time(v, 1000);
	for (int m = 0; m < members; m++)
		beat(v, m, &a[m], topics, n);
}

static void check_balance(const struct assignment *a, int members, int partitions)
{
	uint32_t sharing = (uint32_t)((members + partitions - 1) / partitions), least = UINT32_MAX, most = 0;

	for (int m = 0; m < members; m++) {
		least = a[m].n < least ? a[m].n : least;
		most = a[m].n > most ? a[m].n : most;
	}
	assert_true(least >= 1 || members > partitions);
	assert_true(most - least <= 1);
	for (int p = 0; p < partitions; p++) {
		uint32_t n = 0;

		for (int m = 0; m < members; m++)
			n += a[m].has[0][p] ? 1 : 0;
		assert_true(n >= 1 && n <= sharing);
	}
}

static void test_balance(void **state)
{
	(void)state;
	for (int partitions = 1; partitions <= ENV_PARTS; partitions++) {
		for (int members = 1; members <= 20; members++) {
			struct env *v = env_new(NULL);
			struct assignment a[MEMBERS] = {{.n = 0}};

			env_topic(v, 0, partitions);
			settle(v, a, members, alpha, 1);
			check_balance(a, members, partitions);
			env_free(v);
		}
	}
}

static void test_stays_where_it_can(void **state)
{
	struct env *v = env_new(NULL);
	struct assignment a[MEMBERS] = {{.n = 0}}, before[2];
	uint32_t kept = 0;

	(void)state;
	env_topic(v, 0, 8);
	settle(v, a, 2, alpha, 1);
	assert_int_equal(a[0].n, 4);
	before[0] = a[0];
	before[1] = a[1];
	env_time(v, 1000);
	settle(v, a, 4, alpha, 1);
	for (int m = 0; m < 2; m++) {
		assert_int_equal(a[m].n, 2);
		for (int p = 0; p < 8; p++)
			kept += a[m].has[0][p] && before[m].has[0][p] ? 1 : 0;
	}
	assert_int_equal(kept, 4); /* all that the two still have they had before */
	check_balance(a, 4, 8);
	env_free(v);
}

static void test_different_subscriptions(void **state)
{
	struct env *v = env_new(NULL);
	struct assignment a[3] = {{.n = 0}};

	(void)state;
	env_topic(v, 0, 4);
	env_topic(v, 1, 6);
	for (int round = 0; round < 2; round++) {
		beat(v, 0, &a[0], alpha, 1);
		beat(v, 1, &a[1], beta, 1);
		beat(v, 2, &a[2], both, 2);
		env_time(v, 1000);
	}
	for (int p = 0; p < 4; p++) {
		assert_false(a[1].has[0][p]);
		assert_true(a[0].has[0][p] != a[2].has[0][p]);
	}
	for (int p = 0; p < 6; p++) {
		assert_false(a[0].has[1][p]);
		assert_true(a[1].has[1][p] != a[2].has[1][p]);
	}
	assert_int_equal(a[2].n, 5);
	env_free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_balance),
		cmocka_unit_test(test_stays_where_it_can),
		cmocka_unit_test(test_different_subscriptions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
