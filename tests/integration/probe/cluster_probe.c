/* SPDX-License-Identifier: Apache-2.0 */
/* Tries the cluster client against a real cluster, step by step.
 *
 *   cluster_probe HOST:PORT [STOP START]     STOP and START: shell commands that stop and start a broker, for the last
 * steps
 *
 * Prints a line "PASS step" or "FAIL step: why" for each step and ends with 1 when one has failed. It makes a topic of
 * its own. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "cluster/cluster.h"
#include "wire/batch.h"
#include "wire/kafka_errors.h"

#define PARTITIONS 3
#define BATCHES 100
#define RECORDS 7
#define MAX_WAIT_MS 400

struct probe {
	struct log *log;
	struct loop *loop;
	struct cluster *cluster;
	char topic_text[64];
	struct str topic;
	int64_t producer_id;
	int16_t producer_epoch;
	int32_t sequence[PARTITIONS];
	int64_t end[PARTITIONS]; /* where the next write must go */
	int failed;
};

/* One answer that is waited for. */
struct answer {
	struct probe *p;
	int left;
	int16_t error;
	int64_t offset;
	enum cluster_produce_outcome outcome;
	char text[200];
	struct chunk *chunk;
	struct slice records;
	int64_t high_watermark, log_start;
	int found;
};

static void on_deadline(void *arg)
{
	struct answer *a = arg;

	loop_stop(a->p->loop);
}

/* Runs the loop until nothing is left or the time is over. */
static bool await(struct answer *a, int64_t ms)
{
	struct timer t;

	timer_init(&t, a->p->loop, on_deadline, a);
	timer_set(&t, clock_mono_ms() + ms);
	while (a->left > 0 && timer_is_set(&t))
		loop_run(a->p->loop);
	timer_clear(&t);
	return a->left == 0;
}

static void arrived(struct answer *a)
{
	if (--a->left == 0)
		loop_stop(a->p->loop);
}

static struct answer answer_for(struct probe *p, int n)
{
	return (struct answer){.p = p, .left = n, .offset = -1};
}

__attribute__((format(printf, 4, 5))) static bool step(struct probe *p, const char *name, bool ok, const char *fmt, ...)
{
	va_list ap;

	if (ok) {
		printf("PASS %s\n", name);
	} else {
		printf("FAIL %s: ", name);
		va_start(ap, fmt);
		vprintf(fmt, ap);
		va_end(ap);
		printf("\n");
		p->failed++;
	}
	fflush(stdout);
	return ok;
}

static void on_result(void *arg, int16_t error, struct str message)
{
	struct answer *a = arg;

	a->error = error;
	snprintf(a->text, sizeof(a->text), "%.*s", (int)message.n, message.p ? message.p : "");
	arrived(a);
}

static void on_offset(void *arg, int16_t error, int64_t offset)
{
	struct answer *a = arg;

	a->error = error;
	a->offset = offset;
	arrived(a);
}

static void on_producer(void *arg, int16_t error, int64_t id, int16_t epoch)
{
	struct answer *a = arg;

	a->error = error;
	a->p->producer_id = id;
	a->p->producer_epoch = epoch;
	arrived(a);
}

static void on_produced(void *arg, enum cluster_produce_outcome outcome, int16_t error, int64_t base_offset)
{
	struct answer *a = arg;

	a->outcome = outcome;
	a->error = error;
	a->offset = base_offset;
	arrived(a);
}

static void on_fetched(void *arg, const struct cluster_fetch_result *res)
{
	struct answer *a = arg;

	a->error = res->error;
	chunk_unref(a->chunk);
	a->chunk = chunk_ref(res->records.chunk);
	a->records = res->records;
	a->high_watermark = res->high_watermark;
	a->log_start = res->log_start_offset;
	arrived(a);
}

static void on_config(void *arg, struct str name, struct str value)
{
	struct answer *a = arg;

	if (str_eq(name, STR_LIT("retention.ms")) && str_eq(value, STR_LIT("-1")))
		a->found++;
}

static struct chunk *make_batch(struct probe *p, int32_t sequence, int records, size_t size)
{
	struct batch_builder b;
	uint8_t *value = calloc(1, size);

	batch_builder_init(&b, size * (size_t)records + 4096, clock_wall_ms());
	for (int i = 0; i < records; i++) {
		snprintf((char *)value, size, "record %d of the batch with sequence %d", i, (int)sequence);
		if (batch_builder_add(&b, (struct bytes){NULL, 0}, (struct bytes){value, size}))
			abort();
	}
	free(value);
	return batch_builder_end(&b, p->producer_id, p->producer_epoch, sequence);
}

static void produce(struct probe *p, int32_t partition, int32_t sequence, int records, size_t size, struct answer *a)
{
	struct chunk *k = make_batch(p, sequence, records, size);

	cluster_produce(p->cluster, p->topic, partition, k, on_produced, a);
	chunk_unref(k);
}

static void step_bootstrap(struct probe *p)
{
	struct answer a = answer_for(p, 1);
	int64_t until = clock_mono_ms() + 20000;

	while (!cluster_get_metadata(p->cluster) && clock_mono_ms() < until)
		await(&a, 20);
	step(p, "bootstrap", cluster_get_metadata(p->cluster) && cluster_is_connected(p->cluster),
		"no metadata in 20 s");
}

static void step_coordinator(struct probe *p)
{
	struct answer a = answer_for(p, 1);

	cluster_find_coordinator(p->cluster, STR_LIT("cluster-probe"), on_result, &a);
	step(p, "find coordinator", await(&a, 20000) && a.error == 0, "%s %s", kafka_error_name(a.error), a.text);
}

static void step_create(struct probe *p)
{
	const struct cluster_topic_config configs[] = {{STR_LIT("retention.ms"), STR_LIT("-1")}};
	struct answer a = answer_for(p, 1);
	int64_t until = clock_mono_ms() + 10000;
	int16_t replicas = cluster_get_metadata(p->cluster)->brokers_n >= 3 ? 3 : 1;
	const struct cluster_topic *t;

	cluster_create_topic(p->cluster, p->topic, PARTITIONS, replicas, configs, 1, on_result, &a);
	step(p, "create topic", await(&a, 20000) && a.error == 0, "%s %s", kafka_error_name(a.error), a.text);
	a = answer_for(p, 1);
	cluster_create_topic(p->cluster, p->topic, PARTITIONS, -1, configs, 1, on_result, &a);
	step(p, "create it again", await(&a, 20000) && a.error == KAFKA_ERR_TOPIC_ALREADY_EXISTS && a.text[0], "%s %s",
		kafka_error_name(a.error), a.text);
	while (!cluster_find_topic(p->cluster, p->topic) && clock_mono_ms() < until) {
		cluster_refresh(p->cluster);
		a = answer_for(p, 1);
		await(&a, 20);
	}
	t = cluster_find_topic(p->cluster, p->topic);
	step(p, "topic in metadata", t && t->partitions_n == PARTITIONS && t->replication_factor > 0,
		"not there after 10 s");
	step(p, "topic by id", t && (uuid_is_zero(t->id) || cluster_find_topic_id(p->cluster, t->id) == t),
		"not found");
}

static void step_describe(struct probe *p)
{
	struct answer a = answer_for(p, 1);

	cluster_describe_topic_config(p->cluster, p->topic, on_config, on_result, &a);
	step(p, "describe topic", await(&a, 20000) && a.error == 0 && a.found == 1, "%s, retention.ms=-1 seen %d times",
		kafka_error_name(a.error), a.found);
	a = answer_for(p, 1);
	cluster_describe_topic_config(p->cluster, STR_LIT("no-such-topic"), on_config, on_result, &a);
	step(p, "describe unknown topic", await(&a, 20000) && a.error == KAFKA_ERR_UNKNOWN_TOPIC_OR_PARTITION, "%s",
		kafka_error_name(a.error));
}

static void step_produce(struct probe *p)
{
	struct answer a = answer_for(p, 1), v[PARTITIONS];
	bool ok = true;

	cluster_init_producer_id(p->cluster, on_producer, &a);
	step(p, "producer id", await(&a, 20000) && a.error == 0 && p->producer_id >= 0, "%s",
		kafka_error_name(a.error));
	for (int i = 0; i < BATCHES && ok; i++) {
		for (int32_t part = 0; part < PARTITIONS; part++) {
			v[part] = answer_for(p, 1);
			produce(p, part, p->sequence[part], RECORDS, 100, &v[part]);
		}
		for (int32_t part = 0; part < PARTITIONS; part++) {
			ok = ok && await(&v[part], 20000) && v[part].outcome == CLUSTER_PRODUCE_DONE &&
			     v[part].offset == p->end[part];
			p->end[part] += RECORDS;
			p->sequence[part] += RECORDS;
		}
	}
	step(p, "produce", ok, "partition 0: outcome %d, %s, offset %lld", v[0].outcome, kafka_error_name(v[0].error),
		(long long)v[0].offset);
}

static void step_produce_queue(struct probe *p)
{
	struct answer a = answer_for(p, 20);
	struct cluster_produce *cancelled;
	struct chunk *k;

	/* Twenty writes to one partition without waiting: they go one after the other. One more is given up at once. */
	for (int i = 0; i < 20; i++) {
		produce(p, 1, p->sequence[1], RECORDS, 100, &a);
		p->sequence[1] += RECORDS;
		p->end[1] += RECORDS;
	}
	k = make_batch(p, p->sequence[1], 1, 100);
	cancelled = cluster_produce(p->cluster, p->topic, 1, k, on_produced, &a);
	cluster_produce_cancel(cancelled);
	chunk_unref(k);
	step(p, "produce in a queue",
		await(&a, 20000) && a.outcome == CLUSTER_PRODUCE_DONE && a.offset == p->end[1] - RECORDS, "%d left, %s",
		a.left, kafka_error_name(a.error));
}

static void step_produce_faults(struct probe *p)
{
	struct answer a = answer_for(p, 1);

	produce(p, 0, p->sequence[0] - RECORDS, RECORDS, 100, &a);
	step(p, "duplicate is recognised",
		await(&a, 20000) && a.outcome == CLUSTER_PRODUCE_DONE && a.offset == p->end[0] - RECORDS,
		"outcome %d, %s, offset %lld", a.outcome, kafka_error_name(a.error), (long long)a.offset);
	a = answer_for(p, 1);
	produce(p, 0, p->sequence[0] + 1000, RECORDS, 100, &a);
	step(p, "gap in the sequence is refused",
		await(&a, 20000) && a.outcome == CLUSTER_PRODUCE_FAILED &&
			a.error == KAFKA_ERR_OUT_OF_ORDER_SEQUENCE_NUMBER,
		"outcome %d, %s", a.outcome, kafka_error_name(a.error));
	a = answer_for(p, 1);
	produce(p, 0, p->sequence[0], 1, 3000000, &a);
	step(p, "too large is refused",
		await(&a, 20000) && a.outcome == CLUSTER_PRODUCE_FAILED && a.error == KAFKA_ERR_MESSAGE_TOO_LARGE,
		"outcome %d, %s", a.outcome, kafka_error_name(a.error));
}

/* Where the next fetch goes on; -1: not what was written. */
static int64_t check_batches(const struct answer *a, int64_t from)
{
	size_t at = 0;
	int64_t next = from;

	while (at < a->records.n) {
		struct batch_header h;

		if (batch_header_read(a->records.p + at, a->records.n - at, &h) != BATCH_READY)
			break;
		if (batch_check_crc(a->records.p + at, &h) || h.base_offset > next || batch_last_offset(&h) < next)
			return -1;
		next = batch_last_offset(&h) + 1;
		at += h.size;
	}
	return next > from ? next : -1;
}

static void read_partition(struct probe *p, const char *name, int32_t partition, int32_t max_bytes)
{
	int64_t at = 0;
	int turns = 0;
	struct answer a;

	while (at >= 0 && at < p->end[partition]) {
		int64_t next;

		a = answer_for(p, 1);
		cluster_fetch(p->cluster, p->topic, partition, at, max_bytes, partition == 2, on_fetched, &a);
		if (!await(&a, 20000) || a.error)
			break;
		next = check_batches(&a, at);
		chunk_unref(a.chunk);
		a.chunk = NULL;
		at = next;
		turns++;
	}
	step(p, name, at == p->end[partition], "stopped at %lld of %lld after %d fetches, %s", (long long)at,
		(long long)p->end[partition], turns, kafka_error_name(a.error));
}

static void step_fetch(struct probe *p)
{
	read_partition(p, "fetch in small pieces", 0, 3000);
	read_partition(p, "fetch in one piece", 1, 10000000);
	read_partition(p, "fetch committed", 2, 1);
}

static void step_fetch_end(struct probe *p)
{
	struct answer a = answer_for(p, 1), w = answer_for(p, 1), many = answer_for(p, 30);
	int64_t before = clock_mono_ms(), took;

	cluster_fetch(p->cluster, p->topic, 0, p->end[0], 10000, false, on_fetched, &a);
	await(&a, 20000);
	took = clock_mono_ms() - before;
	step(p, "fetch at the end waits",
		a.left == 0 && a.error == 0 && a.records.n == 0 && a.high_watermark == p->end[0] &&
			took >= MAX_WAIT_MS / 2 && took < MAX_WAIT_MS * 4,
		"%lld ms, %s, %zu bytes", (long long)took, kafka_error_name(a.error), a.records.n);
	/* Others wait too; the one whose data come is told at once. */
	for (int i = 0; i < 30; i++)
		cluster_fetch(p->cluster, p->topic, 1 + i % 2, p->end[1 + i % 2], 10000, i % 3 == 0, on_fetched, &many);
	a = answer_for(p, 1);
	cluster_fetch(p->cluster, p->topic, 0, p->end[0], 10000, false, on_fetched, &a);
	await(&w, 50);
	before = clock_mono_ms();
	w = answer_for(p, 1);
	produce(p, 0, p->sequence[0], RECORDS, 100, &w);
	p->sequence[0] += RECORDS;
	p->end[0] += RECORDS;
	await(&a, 20000);
	took = clock_mono_ms() - before;
	step(p, "fetch at the end is woken", a.left == 0 && a.records.n > 0 && took < MAX_WAIT_MS / 2,
		"%lld ms, %s, %zu bytes", (long long)took, kafka_error_name(a.error), a.records.n);
	chunk_unref(a.chunk);
	await(&w, 20000);
	step(p, "many fetches at the end", await(&many, 20000) && many.error == 0, "%d left, %s", many.left,
		kafka_error_name(many.error));
	/* A reader that is behind is not held up by those that wait. */
	many = answer_for(p, 20);
	for (int i = 0; i < 20; i++)
		cluster_fetch(p->cluster, p->topic, 1 + i % 2, p->end[1 + i % 2], 10000, false, on_fetched, &many);
	await(&many, 30);
	before = clock_mono_ms();
	for (int64_t at = 0; at >= 0 && at < p->end[0];) {
		a = answer_for(p, 1);
		cluster_fetch(p->cluster, p->topic, 0, at, 3000, false, on_fetched, &a);
		if (!await(&a, 20000))
			break;
		at = check_batches(&a, at);
		chunk_unref(a.chunk);
	}
	took = clock_mono_ms() - before;
	step(p, "reading is not held up by waiting", took < MAX_WAIT_MS * 3, "%lld ms for %lld records",
		(long long)took, (long long)p->end[0]);
	await(&many, 20000);
}

static void step_offsets(struct probe *p)
{
	struct answer e = answer_for(p, 1), l = answer_for(p, 1), t = answer_for(p, 1), u = answer_for(p, 1),
		      many = answer_for(p, 50);

	cluster_list_offset(p->cluster, p->topic, 0, CLUSTER_OFFSET_EARLIEST, false, on_offset, &e);
	cluster_list_offset(p->cluster, p->topic, 0, CLUSTER_OFFSET_LATEST, true, on_offset, &l);
	cluster_list_offset(p->cluster, p->topic, 0, clock_wall_ms() + 3600000, false, on_offset, &t);
	for (int i = 0; i < 50; i++)
		cluster_list_offset(
			p->cluster, p->topic, i % PARTITIONS, CLUSTER_OFFSET_LATEST, false, on_offset, &many);
	cluster_list_offset(p->cluster, STR_LIT("no-such-topic"), 0, CLUSTER_OFFSET_LATEST, false, on_offset, &u);
	step(p, "earliest offset", await(&e, 20000) && e.error == 0 && e.offset == 0, "%s, %lld",
		kafka_error_name(e.error), (long long)e.offset);
	step(p, "latest offset", await(&l, 20000) && l.error == 0 && l.offset == p->end[0], "%s, %lld",
		kafka_error_name(l.error), (long long)l.offset);
	step(p, "offset of the future", await(&t, 20000) && t.error == 0 && t.offset == -1, "%s, %lld",
		kafka_error_name(t.error), (long long)t.offset);
	step(p, "many offsets", await(&many, 20000) && many.error == 0, "%d left, %s", many.left,
		kafka_error_name(many.error));
	step(p, "offset of unknown topic", await(&u, 5000) && u.error == KAFKA_ERR_UNKNOWN_TOPIC_OR_PARTITION,
		"%d left, %s", u.left, kafka_error_name(u.error));
}

static void step_delete(struct probe *p)
{
	struct answer a = answer_for(p, 1);

	cluster_delete_records(p->cluster, p->topic, 1, 3 * RECORDS, on_result, &a);
	step(p, "delete records", await(&a, 20000) && a.error == 0, "%s", kafka_error_name(a.error));
	a = answer_for(p, 1);
	cluster_list_offset(p->cluster, p->topic, 1, CLUSTER_OFFSET_EARLIEST, false, on_offset, &a);
	step(p, "earliest offset has moved", await(&a, 20000) && a.offset == 3 * RECORDS, "%lld", (long long)a.offset);
	a = answer_for(p, 1);
	cluster_fetch(p->cluster, p->topic, 1, 0, 10000, false, on_fetched, &a);
	step(p, "deleted records are out of range", await(&a, 20000) && a.error == KAFKA_ERR_OFFSET_OUT_OF_RANGE,
		"%s, log starts at %lld", kafka_error_name(a.error), (long long)a.log_start);
	a = answer_for(p, 1);
	cluster_fetch(p->cluster, STR_LIT("no-such-topic"), 0, 0, 10000, false, on_fetched, &a);
	step(p, "fetch of unknown topic", await(&a, 20000) && a.error == KAFKA_ERR_UNKNOWN_TOPIC_OR_PARTITION, "%s",
		kafka_error_name(a.error));
}

/* Runs a shell command while the loop goes on. */
static bool run_command(struct probe *p, const char *command)
{
	struct answer a = answer_for(p, 1);
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	for (int i = 0; i < 6000; i++) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return WIFEXITED(status) && WEXITSTATUS(status) == 0;
		a.left = 1;
		await(&a, 10);
	}
	return false;
}

/* One partition is written all the time, one batch in flight. */
struct stream {
	struct probe *p;
	int written, bad;
	bool stop, busy;
	struct answer *waiter;
};

static void stream_write(struct stream *s);

static void on_stream(void *arg, enum cluster_produce_outcome outcome, int16_t error, int64_t base_offset)
{
	struct stream *s = arg;

	s->busy = false;
	if (outcome != CLUSTER_PRODUCE_DONE || base_offset != s->p->end[2]) {
		s->bad++;
		printf("stream: outcome %d, %s, offset %lld instead of %lld\n", outcome, kafka_error_name(error),
			(long long)base_offset, (long long)s->p->end[2]);
	}
	s->p->end[2] += RECORDS;
	s->p->sequence[2] += RECORDS;
	s->written++;
	if (!s->stop)
		stream_write(s);
	else if (s->waiter)
		arrived(s->waiter);
}

static void stream_write(struct stream *s)
{
	struct chunk *k = make_batch(s->p, s->p->sequence[2], RECORDS, 100);

	s->busy = true;
	cluster_produce(s->p->cluster, s->p->topic, 2, k, on_stream, s);
	chunk_unref(k);
}

static void step_restart(struct probe *p, const char *stop, const char *start)
{
	struct answer a = answer_for(p, 1), gone = answer_for(p, 1);
	struct stream s = {.p = p};
	struct chunk *k = make_batch(p, 0, 1, 100);
	char leader[16];
	int before;

	cluster_produce(p->cluster, STR_LIT("no-such-topic"), 0, k, on_produced, &gone);
	chunk_unref(k);
	snprintf(leader, sizeof(leader), "%d", (int)cluster_find_topic(p->cluster, p->topic)->partitions[2].leader);
	setenv("PROBE_LEADER", leader, 1);
	stream_write(&s);
	await(&a, 300);
	step(p, "stop command", run_command(p, stop), "'%s' failed", stop);
	before = s.written;
	a = answer_for(p, 1);
	cluster_fetch(p->cluster, p->topic, 0, 0, 1000, false, on_fetched, &a);
	await(&a, 1500);
	if (a.left)
		step(p, "fetch while a broker is down", false, "no answer in 1.5 s");
	chunk_unref(a.chunk);
	step(p, "start command", run_command(p, start), "'%s' failed", start);
	a = answer_for(p, 1);
	for (int i = 0; i < 100 && s.written < before + 20; i++) {
		a.left = 1;
		await(&a, 100);
	}
	s.stop = true;
	a = answer_for(p, 1);
	s.waiter = &a;
	step(p, "writes go on after the restart", await(&a, 30000) && s.bad == 0 && s.written >= before + 20,
		"%d written before the stop, %d in all, %d bad", before, s.written, s.bad);
	read_partition(p, "all is there, once", 2, 100000);
	step(p, "still connected", cluster_is_connected(p->cluster), "it is not");
	step(p, "write to a topic that is not there fails",
		await(&gone, 30000) && gone.outcome == CLUSTER_PRODUCE_FAILED &&
			gone.error == KAFKA_ERR_UNKNOWN_TOPIC_OR_PARTITION,
		"%d left, outcome %d, %s", gone.left, gone.outcome, kafka_error_name(gone.error));
}

static void run_steps(struct probe *p, char **commands)
{
	step_bootstrap(p);
	if (p->failed)
		return;
	step_coordinator(p);
	step_create(p);
	step_describe(p);
	if (p->failed)
		return;
	step_produce(p);
	step_produce_queue(p);
	step_produce_faults(p);
	step_fetch(p);
	step_fetch_end(p);
	step_offsets(p);
	step_delete(p);
	if (commands)
		step_restart(p, commands[0], commands[1]);
}

static void print_counts(const struct probe *p)
{
	struct cluster_counts c;

	cluster_get_counts(p->cluster, &c);
	printf("counts: %llu connections, %llu made, %llu failed, %llu requests, %llu answers, %llu bytes in, %llu "
	       "out, %llu retries\n",
		(unsigned long long)c.connections, (unsigned long long)c.connects,
		(unsigned long long)c.connect_failures, (unsigned long long)c.requests, (unsigned long long)c.responses,
		(unsigned long long)c.bytes_in, (unsigned long long)c.bytes_out, (unsigned long long)c.produce_retries);
}

int main(int argc, char **argv)
{
	static const struct cluster_callbacks callbacks = {.on_metadata = NULL};
	struct probe p = {.producer_id = -1};
	char *colon = argc > 1 ? strrchr(argv[1], ':') : NULL;
	struct cluster_server server;
	struct cluster_config cfg = {
		.bootstrap = &server,
		.bootstrap_n = 1,
		.client_id = STR_LIT("cluster-probe"),
		.request_timeout_ms = 10000,
		.connection_setup_timeout_ms = 5000,
		.reconnect_backoff_ms = 50,
		.reconnect_backoff_max_ms = 1000,
		.metadata_max_age_ms = 60000,
		.fetch_max_wait_ms = MAX_WAIT_MS,
		.fetch_connections = 3,
	};

	if (!colon || (argc != 2 && argc != 4)) {
		fprintf(stderr, "usage: cluster_probe HOST:PORT [STOP START]\n");
		return 2;
	}
	server.host = (struct str){argv[1], (size_t)(colon - argv[1])};
	server.port = (int32_t)strtol(colon + 1, NULL, 10);
	p.log = log_new(STDERR_FILENO, getenv("PROBE_DEBUG") ? LOG_LEVEL_DEBUG : LOG_LEVEL_INFO, LOG_FORMAT_TEXT);
	p.loop = loop_new(p.log);
	snprintf(
		p.topic_text, sizeof(p.topic_text), "cluster-probe-%d-%lld", (int)getpid(), (long long)clock_wall_ms());
	p.topic = str_of(p.topic_text);
	p.cluster = cluster_new(p.loop, &cfg, &callbacks, &p);
	run_steps(&p, argc == 4 ? argv + 2 : NULL);
	print_counts(&p);
	cluster_free(p.cluster);
	loop_free(p.loop);
	log_free(p.log);
	printf("%s\n", p.failed ? "FAILED" : "all steps passed");
	return p.failed ? 1 : 0;
}
