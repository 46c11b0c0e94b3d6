/* SPDX-License-Identifier: Apache-2.0 */
/* The logs that are ours are looked at from time to time here: their ends, for the lease, their starts, in case
 * somebody else deletes records, and how long changes have been waiting. */
#include <stdio.h>

#include "base/clock.h"
#include "proxy/state_store_priv.h"
#include "wire/kafka_errors.h"

/* How often in a lease the end of the log is asked for: some answers may be late. */
#define POLLS_A_LEASE 4
#define POLL_MAX_MS 1000
#define STARTS_MS 5000

/* What has waited for too long to be confirmed is given up: clients are told to come again, and whether it is in the
 * log after all shows when the partition was claimed anew, which makes a late write of it void. */
static void partition_check_waiting(struct state_partition *p, int64_t now)
{
	struct state_store *ss = p->store;
	uint64_t durable = statelog_durable(p->log);
	char reason[256];
	int16_t error;

	if (!p->loaded || statelog_awaited(p->log) == durable) {
		p->waiting_since = 0;
		return;
	}
	if (!p->waiting_since || durable != p->waiting_at) {
		p->waiting_since = now;
		p->waiting_at = durable;
	}
	if (now - p->waiting_since < ss->cfg->delivery_timeout_ms)
		return;
	error = p->writing ? cluster_produce_last_error(p->writing) : 0;
	snprintf(reason, sizeof(reason), "no write was confirmed for delivery.timeout.ms=%d (%s%s)",
		ss->cfg->delivery_timeout_ms,
		!p->writing ? "written, but not read back"
		: error     ? "last answer: "
			    : "none answered",
		error ? kafka_error_name(error) : "");
	statelog_abandon(p->log, reason);
	state_partition_pump(p);
}

static void poll_answer_cb(void *arg, int16_t error, int64_t offset)
{
	struct state_partition *p = arg;

	p->polling = false;
	if (error || offset < 0 || !p->loaded)
		return;
	statelog_end_seen(p->log, offset, p->polled_at);
	state_partition_lease(p);
	state_partition_queue_pump(p);
}

static void start_answer_cb(void *arg, int16_t error, int64_t offset)
{
	struct state_partition *p = arg;
	const struct state_store *ss = p->store;

	p->asking_start = false;
	if (error || offset < 0 || !p->loaded || !statelog_start_seen(p->log, offset))
		return;
	log_error(loop_log(ss->loop), NULL,
		"records of state partition %.*s-%d before offset %lld were deleted, and not by the sluice that owns "
		"it; "
		"nothing is lost: a checkpoint is written at once",
		(int)ss->cfg->state_topic.n, ss->cfg->state_topic.p, p->index, (long long)offset);
	state_partition_queue_pump(p);
}

static void partition_ask_start(struct state_partition *p)
{
	struct state_store *ss = p->store;

	if (!p->loaded || p->asking_start)
		return;
	p->asking_start = true;
	cluster_list_offset(
		ss->cluster, ss->cfg->state_topic, p->index, CLUSTER_OFFSET_EARLIEST, false, start_answer_cb, p);
}

/* What waits in our logs, and their ends; the questions of one broker share a request. */
static void poll_cb(void *arg)
{
	struct state_store *ss = arg;
	int32_t every = ss->cfg->state_lease_ms / POLLS_A_LEASE;
	bool starts = loop_now(ss->loop) >= ss->starts_at;

	for (int32_t i = 0; i < ss->partitions_n; i++) {
		struct state_partition *p = &ss->partitions[i];

		partition_check_waiting(p, loop_now(ss->loop));
		if (starts)
			partition_ask_start(p);
		if (!p->loaded || p->polling)
			continue;
		p->polling = true;
		p->polled_at = clock_mono_ms();
		cluster_list_offset(
			ss->cluster, ss->cfg->state_topic, p->index, CLUSTER_OFFSET_LATEST, false, poll_answer_cb, p);
	}
	if (starts)
		ss->starts_at = loop_now(ss->loop) + STARTS_MS;
	timer_set(&ss->poll, loop_now(ss->loop) + (every < POLL_MAX_MS ? every : POLL_MAX_MS));
}

void state_watch_init(struct state_store *ss)
{
	timer_init(&ss->poll, ss->loop, poll_cb, ss);
}

void state_watch_begin(struct state_store *ss)
{
	timer_set(&ss->poll, loop_now(ss->loop));
}

void state_watch_release(struct state_store *ss)
{
	timer_clear(&ss->poll);
}
