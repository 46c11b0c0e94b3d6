/* SPDX-License-Identifier: Apache-2.0 */
/* How often stable offsets that do not change are committed again follows from how long the brokers keep them. */
#include <stdlib.h>

#include "proxy/mirror_priv.h"

/* While no broker has told: it keeps them for a day at the least then, by Kafka's own defaults for a week. */
#define FALLBACK_MS (60 * 60 * 1000)
#define ASK_AGAIN_MS (60 * 60 * 1000)
#define PART_OF_RETENTION 8
#define MOST_MS ((int64_t)12 * 60 * 60 * 1000)

int64_t mirror_refresh_ms(const struct mirror *m)
{
	return m->refresh_ms ? m->refresh_ms : FALLBACK_MS;
}

static void retention_config_cb(void *arg, struct str name, struct str value)
{
	struct mirror *m = arg;
	int64_t minutes = 0, ms;

	(void)name;
	for (size_t i = 0; i < value.n && minutes < INT32_MAX; i++) {
		if (value.p[i] < '0' || value.p[i] > '9')
			return;
		minutes = minutes * 10 + (value.p[i] - '0');
	}
	if (minutes <= 0)
		return;
	ms = minutes * 60 * 1000 / PART_OF_RETENTION;
	if (ms > MOST_MS)
		ms = MOST_MS;
	/* The broker that forgets first counts. */
	if (!m->refresh_ms || ms < m->refresh_ms)
		m->refresh_ms = ms;
}

static void retention_cb(void *arg, int16_t error, struct str message)
{
	struct mirror *m = arg;
	const struct cluster_metadata *md = cluster_get_metadata(m->sv->cluster);

	(void)error;
	(void)message;
	m->refresh_asking = false;
	/* One after the other, then all again after a while. */
	m->refresh_turn++;
	if (m->refresh_turn >= md->brokers_n) {
		m->refresh_turn = 0;
		m->refresh_ask_at = loop_now(m->sv->loop) + ASK_AGAIN_MS;
	}
}

void mirror_refresh_ask(struct mirror *m)
{
	const struct cluster_metadata *md = cluster_get_metadata(m->sv->cluster);

	if (m->refresh_asking || loop_now(m->sv->loop) < m->refresh_ask_at || !md || !md->brokers_n)
		return;
	m->refresh_asking = true;
	cluster_describe_broker_config(m->sv->cluster, md->brokers[m->refresh_turn % md->brokers_n].id,
		STR_LIT("offsets.retention.minutes"), retention_config_cb, retention_cb, m);
}
