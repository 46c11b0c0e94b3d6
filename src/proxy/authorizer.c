/* SPDX-License-Identifier: Apache-2.0 */
/* The cluster is asked here for its ACLs, to see whether it has any. */
#include "proxy/authorizer.h"

#include "base/mem.h"
#include "wire/kafka_errors.h"

#define ASK_MIN_MS 1000

struct authorizer {
	struct loop *loop;
	struct cluster *cluster;
	const int32_t *max_age_ms;
	struct timer timer;
	bool none;
};

static void answered_cb(void *arg, int16_t error, struct str message)
{
	struct authorizer *a = arg;
	int32_t wait = *a->max_age_ms > ASK_MIN_MS ? *a->max_age_ms : ASK_MIN_MS;

	(void)message;
	/* Whoever may not see them is told so: then somebody has decided it. Other errors say nothing. */
	if (error == KAFKA_ERR_SECURITY_DISABLED)
		a->none = true;
	else if (error == KAFKA_ERR_NONE || error == KAFKA_ERR_CLUSTER_AUTHORIZATION_FAILED)
		a->none = false;
	timer_set(&a->timer, loop_now(a->loop) + wait);
}

static void timer_cb(void *arg)
{
	struct authorizer *a = arg;

	cluster_describe_acls(a->cluster, answered_cb, a);
}

struct authorizer *authorizer_new(struct loop *lp, struct cluster *c, const int32_t *max_age_ms)
{
	struct authorizer *a = mem_zalloc(1, sizeof(*a));

	a->loop = lp;
	a->cluster = c;
	a->max_age_ms = max_age_ms;
	timer_init(&a->timer, lp, timer_cb, a);
	cluster_describe_acls(c, answered_cb, a);
	return a;
}

void authorizer_free(struct authorizer *a)
{
	timer_clear(&a->timer);
	mem_free(a);
}

bool authorizer_is_there(const struct authorizer *a)
{
	return !a->none;
}
