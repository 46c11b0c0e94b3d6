/* SPDX-License-Identifier: Apache-2.0 */
/* Each broker is asked for its connections.max.idle.ms here, again and again, since a restart may change it. */
#include "proxy/broker_idle.h"

#include <stdlib.h>
#include <sys/queue.h>

#include "base/mem.h"

/* Between two questions to one broker. */
#define ASK_INTERVAL_MS (60 * 1000)
/* While no limit is known: inside the four to ten minutes of what usually stands between. */
#define KEEPALIVE_UNKNOWN_MS (60 * 1000)
/* Firewalls and balancers on the way have limits too, which nobody tells. */
#define KEEPALIVE_MAX_MS (4 * 60 * 1000)
#define KEEPALIVE_MIN_MS 100
/* Two that are lost in a row do no harm. */
#define KEEPALIVE_SHARE 3

struct broker {
	SLIST_ENTRY(broker) link;
	struct broker_idle *owner;
	int32_t id;
	int64_t idle_ms; /* 0: not known; INT64_MAX: no limit */
	int64_t ask_at;
	bool asking;
};

struct broker_idle {
	struct loop *loop;
	struct cluster *cluster;
	SLIST_HEAD(, broker) brokers;
	int64_t keepalive_ms;
};

struct broker_idle *broker_idle_new(struct loop *lp, struct cluster *cluster)
{
	struct broker_idle *b = mem_zalloc(1, sizeof(*b));

	b->loop = lp;
	b->cluster = cluster;
	b->keepalive_ms = KEEPALIVE_UNKNOWN_MS;
	SLIST_INIT(&b->brokers);
	return b;
}

void broker_idle_free(struct broker_idle *b)
{
	struct broker *k;

	if (!b)
		return;
	while ((k = SLIST_FIRST(&b->brokers))) {
		SLIST_REMOVE_HEAD(&b->brokers, link);
		mem_free(k);
	}
	mem_free(b);
}

int64_t broker_idle_keepalive_ms(const struct broker_idle *b)
{
	return b->keepalive_ms;
}

static void update_keepalive(struct broker_idle *b)
{
	int64_t shortest = INT64_MAX, ms = KEEPALIVE_UNKNOWN_MS;
	const struct broker *k;

	SLIST_FOREACH(k, &b->brokers, link)
	if (k->idle_ms > 0 && k->idle_ms < shortest)
		shortest = k->idle_ms;
	if (!SLIST_EMPTY(&b->brokers))
		ms = shortest / KEEPALIVE_SHARE;
	/* One that does not say may have any limit. */
	SLIST_FOREACH(k, &b->brokers, link)
	if (k->idle_ms == 0 && ms > KEEPALIVE_UNKNOWN_MS)
		ms = KEEPALIVE_UNKNOWN_MS;
	if (ms > KEEPALIVE_MAX_MS)
		ms = KEEPALIVE_MAX_MS;
	if (ms < KEEPALIVE_MIN_MS)
		ms = KEEPALIVE_MIN_MS;
	if (ms != b->keepalive_ms)
		log_info(loop_log(b->loop), NULL, "idle connections of share consumers are kept alive every %lld ms",
			(long long)ms);
	b->keepalive_ms = ms;
}

/* A number in digits; what is none counts as not known. */
static void on_config(void *arg, struct str name, struct str value)
{
	struct broker *k = arg;
	char digits[24], *end;
	int64_t ms;

	(void)name;
	if (str_is_null(value) || value.n == 0 || value.n >= sizeof(digits))
		return;
	memcpy(digits, value.p, value.n);
	digits[value.n] = '\0';
	ms = strtoll(digits, &end, 10);
	if (*end == '\0')
		k->idle_ms = ms > 0 ? ms : INT64_MAX;
}

/* Errors: not allowed, or not there now; what it said before stays good. */
static void on_answered(void *arg, int16_t error, struct str message)
{
	struct broker *k = arg;

	(void)message;
	k->asking = false;
	k->ask_at = loop_now(k->owner->loop) + ASK_INTERVAL_MS;
	if (error)
		log_debug(loop_log(k->owner->loop), NULL,
			"broker %d does not tell its connections.max.idle.ms: error %d", k->id, error);
	update_keepalive(k->owner);
}

static struct broker *find_or_add(struct broker_idle *b, int32_t id)
{
	struct broker *k;

	SLIST_FOREACH(k, &b->brokers, link)
	if (k->id == id)
		return k;
	k = mem_zalloc(1, sizeof(*k));
	k->owner = b;
	k->id = id;
	SLIST_INSERT_HEAD(&b->brokers, k, link);
	return k;
}

/* Those that have left the cluster are forgotten, unless an answer is still on its way. */
static void forget_gone(struct broker_idle *b)
{
	struct broker *k, *next;

	for (k = SLIST_FIRST(&b->brokers); k; k = next) {
		next = SLIST_NEXT(k, link);
		if (k->asking || cluster_find_broker(b->cluster, k->id))
			continue;
		SLIST_REMOVE(&b->brokers, k, broker, link);
		mem_free(k);
	}
}

void broker_idle_sweep(struct broker_idle *b)
{
	const struct cluster_metadata *md = cluster_get_metadata(b->cluster);
	int64_t now = loop_now(b->loop);

	if (!md)
		return;
	forget_gone(b);
	for (uint32_t i = 0; i < md->brokers_n; i++) {
		struct broker *k = find_or_add(b, md->brokers[i].id);

		if (k->asking || now < k->ask_at)
			continue;
		k->asking = true;
		cluster_describe_broker_config(
			b->cluster, k->id, STR_LIT("connections.max.idle.ms"), on_config, on_answered, k);
	}
}
