/* SPDX-License-Identifier: Apache-2.0 */
/* The internal topic is created, or checked when it exists, here: a chain of steps that is tried again until it holds.
 */
#include "proxy/state_topic.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "wire/kafka_errors.h"

#define CONSUMER_OFFSETS STR_LIT("__consumer_offsets")
#define RETRY_MS 500
/* A topic that was there, or was made, and is not shown for so long is gone again. */
#define MISSING_MS 10000

enum state_topic_step {
	STEP_METADATA,    /* the cluster has not answered yet */
	STEP_COORDINATOR, /* __consumer_offsets is brought into being */
	STEP_OFFSETS,     /* ... and must show up in the metadata */
	STEP_CREATE,
	STEP_APPEAR, /* the topic must show up with a leader for each partition */
	STEP_CHECK,
	STEP_READY,
};

struct state_topic {
	struct loop *loop;
	struct cluster *cluster;
	const struct proxy_config *cfg;
	void (*on_ready)(void *arg, int32_t partitions);
	void *arg;
	struct timer retry;
	enum state_topic_step step;
	bool calling; /* a call to the cluster is on its way */
	bool was_made;
	int64_t missing_since; /* it should appear; 0: it has */
	char why[512];
	char unsafe[384]; /* the first setting that is not as it must be */
};

static void state_topic_step(struct state_topic *t);

static void state_topic_wait(struct state_topic *t, const char *what)
{
	snprintf(t->why, sizeof(t->why), "%s", what);
	timer_set(&t->retry, loop_now(t->loop) + RETRY_MS);
}

static void retry_cb(void *arg)
{
	state_topic_step(arg);
}

static bool topic_has_leaders(const struct cluster_topic *topic)
{
	if (!topic || topic->partitions_n <= 0)
		return false;
	for (int32_t i = 0; i < topic->partitions_n; i++) {
		if (topic->partitions[i].leader < 0)
			return false;
	}
	return true;
}

static void coordinator_cb(void *arg, int16_t error, struct str message)
{
	struct state_topic *t = arg;

	(void)message;
	t->calling = false;
	if (error) {
		snprintf(t->why, sizeof(t->why), "waiting for __consumer_offsets: FindCoordinator answered %s",
			kafka_error_name(error));
		timer_set(&t->retry, loop_now(t->loop) + RETRY_MS);
		return;
	}
	t->step = STEP_OFFSETS;
	cluster_refresh(t->cluster);
	state_topic_step(t);
}

static void create_cb(void *arg, int16_t error, struct str message)
{
	struct state_topic *t = arg;

	t->calling = false;
	if (error && error != KAFKA_ERR_TOPIC_ALREADY_EXISTS) {
		snprintf(t->why, sizeof(t->why), "creating %.*s failed: %s %.*s", (int)t->cfg->state_topic.n,
			t->cfg->state_topic.p, kafka_error_name(error), (int)message.n, message.p ? message.p : "");
		log_warn(loop_log(t->loop), NULL, "%s; trying again", t->why);
		timer_set(&t->retry, loop_now(t->loop) + RETRY_MS * 4);
		return;
	}
	t->was_made = !error;
	if (!error)
		log_info(loop_log(t->loop), NULL, "created the internal topic %.*s", (int)t->cfg->state_topic.n,
			t->cfg->state_topic.p);
	t->step = STEP_APPEAR;
	cluster_refresh(t->cluster);
	state_topic_step(t);
}

static void state_topic_create(struct state_topic *t, const struct cluster_topic *offsets)
{
	int32_t partitions = t->cfg->state_topic_partitions ? t->cfg->state_topic_partitions : offsets->partitions_n;
	int16_t replicas = t->cfg->state_topic_replication_factor ? t->cfg->state_topic_replication_factor
								  : offsets->replication_factor;
	/* Neither compaction nor retention may take a record: what is not needed is trimmed by position, after a
	 * checkpoint. */
	const struct cluster_topic_config configs[] = {
		{STR_LIT("cleanup.policy"), STR_LIT("delete")},
		{STR_LIT("retention.ms"), STR_LIT("-1")},
		{STR_LIT("retention.bytes"), STR_LIT("-1")},
		{STR_LIT("compression.type"), STR_LIT("producer")},
		{STR_LIT("unclean.leader.election.enable"), STR_LIT("false")},
		{STR_LIT("segment.bytes"), STR_LIT("16777216")},
		{STR_LIT("min.insync.replicas"), replicas >= 3 ? STR_LIT("2") : STR_LIT("1")},
	};

	t->calling = true;
	snprintf(t->why, sizeof(t->why), "creating the internal topic %.*s", (int)t->cfg->state_topic.n,
		t->cfg->state_topic.p);
	cluster_create_topic(t->cluster, t->cfg->state_topic, partitions, replicas, configs,
		sizeof(configs) / sizeof(configs[0]), create_cb, t);
}

static void state_topic_require(struct state_topic *t, struct str name, struct str value, struct str must)
{
	if (t->unsafe[0] || str_eq(value, must))
		return;
	snprintf(t->unsafe, sizeof(t->unsafe),
		"topic %.*s has %.*s=%.*s but must have %.*s, or acknowledgements could be lost; set it with "
		"kafka-configs "
		"--alter --entity-type topics --entity-name %.*s --add-config %.*s=%.*s",
		(int)t->cfg->state_topic.n, t->cfg->state_topic.p, (int)name.n, name.p, (int)value.n,
		value.p ? value.p : "", (int)must.n, must.p, (int)t->cfg->state_topic.n, t->cfg->state_topic.p,
		(int)name.n, name.p, (int)must.n, must.p);
}

/* A number that must not be smaller. What is no number is the broker's affair. */
static void state_topic_require_least(struct state_topic *t, struct str name, struct str value, int64_t least)
{
	char text[24], must[24], *end;
	long long v;

	if (str_is_null(value) || value.n >= sizeof(text))
		return;
	snprintf(text, sizeof(text), "%.*s", (int)value.n, value.p);
	v = strtoll(text, &end, 10);
	if (end == text || *end || v >= least)
		return;
	snprintf(must, sizeof(must), "%lld", (long long)least);
	state_topic_require(t, name, value, str_of(must));
}

/* An acknowledged write must outlive a broker where the topic has replicas enough for that. */
static bool has_three_replicas(const struct state_topic *t)
{
	const struct cluster_topic *topic = cluster_find_topic(t->cluster, t->cfg->state_topic);

	return topic && topic->replication_factor >= 3;
}

static void config_cb(void *arg, struct str name, struct str value)
{
	struct state_topic *t = arg;

	if (str_eq(name, STR_LIT("cleanup.policy")))
		state_topic_require(t, name, value, STR_LIT("delete"));
	else if (str_eq(name, STR_LIT("retention.ms")) || str_eq(name, STR_LIT("retention.bytes")))
		state_topic_require(t, name, value, STR_LIT("-1"));
	else if (str_eq(name, STR_LIT("unclean.leader.election.enable")))
		state_topic_require(t, name, value, STR_LIT("false"));
	else if (str_eq(name, STR_LIT("min.insync.replicas")) && has_three_replicas(t))
		state_topic_require_least(t, name, value, 2);
}

static void check_cb(void *arg, int16_t error, struct str message)
{
	struct state_topic *t = arg;
	const struct cluster_topic *topic;

	(void)message;
	t->calling = false;
	if (error) {
		snprintf(t->why, sizeof(t->why), "reading the settings of %.*s failed: %s", (int)t->cfg->state_topic.n,
			t->cfg->state_topic.p, kafka_error_name(error));
		timer_set(&t->retry, loop_now(t->loop) + RETRY_MS);
		return;
	}
	if (t->unsafe[0]) {
		log_error(loop_log(t->loop), NULL, "%s", t->unsafe);
		snprintf(t->why, sizeof(t->why), "%s", t->unsafe);
		timer_set(&t->retry, loop_now(t->loop) + RETRY_MS * 20);
		return;
	}
	topic = cluster_find_topic(t->cluster, t->cfg->state_topic);
	if (!topic_has_leaders(topic)) {
		t->step = STEP_APPEAR;
		state_topic_wait(t, "waiting for leaders of the internal topic");
		return;
	}
	t->step = STEP_READY;
	snprintf(t->why, sizeof(t->why), "loading the state");
	t->on_ready(t->arg, topic->partitions_n);
}

/* It must show up; one that does not was deleted meanwhile. */
static void state_topic_appear(struct state_topic *t, bool is_there)
{
	int64_t now = loop_now(t->loop);

	if (is_there)
		t->missing_since = 0;
	else if (!t->missing_since)
		t->missing_since = now;
	else if (now - t->missing_since >= MISSING_MS) {
		t->missing_since = 0;
		t->step = STEP_METADATA;
	}
	cluster_refresh(t->cluster);
	state_topic_wait(t, "waiting for leaders of the internal topic");
}

/* Goes on from where it stands; every way out either has a call on its way or the retry timer set. */
static void state_topic_step(struct state_topic *t)
{
	const struct cluster_topic *topic;

	if (t->calling || t->step == STEP_READY)
		return;
	if (!cluster_get_metadata(t->cluster)) {
		state_topic_wait(t, "no broker of bootstrap.servers has answered yet");
		return;
	}
	topic = cluster_find_topic(t->cluster, t->cfg->state_topic);
	if (t->step < STEP_APPEAR && topic)
		t->step = STEP_APPEAR;
	if (t->step == STEP_METADATA)
		t->step = STEP_COORDINATOR;
	if (t->step == STEP_COORDINATOR) {
		t->calling = true;
		snprintf(t->why, sizeof(t->why), "waiting for __consumer_offsets");
		cluster_find_coordinator(t->cluster, STR_LIT("sluice"), coordinator_cb, t);
		return;
	}
	if (t->step == STEP_OFFSETS) {
		const struct cluster_topic *offsets = cluster_find_topic(t->cluster, CONSUMER_OFFSETS);

		if (!topic_has_leaders(offsets)) {
			cluster_refresh(t->cluster);
			state_topic_wait(t, "waiting for leaders of __consumer_offsets");
			return;
		}
		state_topic_create(t, offsets);
		return;
	}
	if (!topic_has_leaders(topic)) {
		state_topic_appear(t, topic != NULL);
		return;
	}
	t->missing_since = 0;
	t->step = STEP_CHECK;
	t->calling = true;
	t->unsafe[0] = '\0';
	cluster_describe_topic_config(t->cluster, t->cfg->state_topic, config_cb, check_cb, t);
}

struct state_topic *state_topic_new(struct loop *lp, struct cluster *c, const struct proxy_config *cfg,
	void (*on_ready)(void *arg, int32_t partitions), void *arg)
{
	struct state_topic *t = mem_zalloc(1, sizeof(*t));

	t->loop = lp;
	t->cluster = c;
	t->cfg = cfg;
	t->on_ready = on_ready;
	t->arg = arg;
	timer_init(&t->retry, lp, retry_cb, t);
	state_topic_wait(t, "no broker of bootstrap.servers has answered yet");
	return t;
}

void state_topic_free(struct state_topic *t)
{
	if (!t)
		return;
	timer_clear(&t->retry);
	mem_free(t);
}

void state_topic_again(struct state_topic *t)
{
	t->step = STEP_METADATA;
	t->was_made = false;
	t->missing_since = 0;
	state_topic_wait(t, "the internal topic is gone");
}

bool state_topic_was_made(const struct state_topic *t)
{
	return t->was_made;
}

void state_topic_on_metadata(struct state_topic *t)
{
	state_topic_step(t);
}

const char *state_topic_why(const struct state_topic *t)
{
	return t->why;
}
