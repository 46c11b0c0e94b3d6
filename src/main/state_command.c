/* SPDX-License-Identifier: Apache-2.0 */
/* The internal topic is read partition by partition here, as far as it goes now, and printed or checked.
 *
 *   metadata -> for each partition: its first offset -> its end -> fetch ... fetch -> summary -> the next one */
#include "main/state_command.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cluster/cluster.h"
#include "main/config.h"
#include "main/state_print.h"
#include "share/share.h"
#include "wire/kafka_errors.h"

#define READ_BYTES (1024 * 1024)
#define RETRY_MS 200
/* Nothing came for so long: that is told, and the end. */
#define STALL_MS 30000
/* A log that is trimmed while it is read is read again, so often. */
#define RESTARTS_MAX 100
/* So many records that are left out are shown of a partition. */
#define LEFT_OUT_SHOWN 20

enum { STATUS_OK, STATUS_UNREAD, STATUS_USAGE, STATUS_BROKEN };

struct state_reading {
	struct config *cfg;
	struct log *log;
	struct loop *loop;
	struct cluster *cluster;
	struct str topic;
	bool is_dump;
	int32_t first, last; /* partitions wanted; last -1: all */
	int32_t partition;   /* the one in hand, -1: none yet */
	int32_t partitions_n;
	int64_t start, end;
	struct state_audit *audit;
	uint32_t restarts;
	uint64_t shown;     /* left out records that were printed */
	struct timer retry; /* of a fetch */
	struct timer stall;
	struct state_print_groups groups; /* of the partition in hand */
	uint64_t records, left_out, broken_partitions, bad_groups;
	int status;
};

static void reading_end(struct state_reading *r, int status)
{
	r->status = status;
	loop_stop(r->loop);
}

static void reading_fail(struct state_reading *r, const char *what, const char *why)
{
	if (r->partition >= 0)
		fprintf(stderr, "sluice: partition %d of %.*s: %s: %s\n", r->partition, (int)r->topic.n, r->topic.p,
			what, why);
	else
		fprintf(stderr, "sluice: %.*s: %s: %s\n", (int)r->topic.n, r->topic.p, what, why);
	reading_end(r, STATUS_UNREAD);
}

static void progress(struct state_reading *r)
{
	timer_set(&r->stall, loop_now(r->loop) + STALL_MS);
}

static void stall_cb(void *arg)
{
	reading_fail(arg, "can not be read", "no broker has answered for 30 s");
}

static void batch_cb(void *arg, const struct state_batch *b, enum state_audit_verdict verdict, const char *why)
{
	struct state_reading *r = arg;

	if (r->is_dump) {
		printf("partition %d, ", r->partition);
		state_print_batch(stdout, b, verdict, why, state_audit_replay(r->audit));
	} else if (verdict == STATE_AUDIT_LEFT_OUT && r->shown++ < LEFT_OUT_SHOWN) {
		printf("partition %d: left out at offset %" PRId64 ": %s\n", r->partition, b->base_offset, why);
	}
}

/* ---- one partition ---- */

static void partition_begin(struct state_reading *r);

static void group_cb(void *arg, const struct share_group_state *st)
{
	struct state_reading *r = arg;
	const char *why = share_state_unsound(st);

	r->groups.groups++;
	r->groups.members += st->members_n;
	r->groups.configs += st->configs_n;
	r->groups.partitions += st->partitions_n;
	for (uint32_t i = 0; i < st->partitions_n; i++)
		r->groups.ranges += st->partitions[i].ranges_n;
	if (!why)
		return;
	r->bad_groups++;
	printf("partition %d: BROKEN: group ", r->partition);
	state_print_str(stdout, st->group_id);
	printf(" contradicts itself: %s\n", why);
}

static void partition_end(struct state_reading *r)
{
	const struct state_audit_result *res = state_audit_get(r->audit);

	state_audit_end(r->audit);
	r->groups = (struct state_print_groups){0};
	if (!r->is_dump) {
		if (r->shown > LEFT_OUT_SHOWN)
			printf("partition %d: ... and %" PRIu64 " more are left out\n", r->partition,
				r->shown - LEFT_OUT_SHOWN);
		state_replay_each(state_audit_replay(r->audit), group_cb, r);
		state_print_summary(
			stdout, r->partition, r->start, r->end, res, state_audit_replay(r->audit), &r->groups);
	} else if (res->is_broken) {
		printf("partition %d: BROKEN at offset %" PRId64 ": %s\n", r->partition, res->broken_offset,
			res->broken);
	}
	r->records += res->batches;
	r->left_out += res->left_out;
	r->broken_partitions += res->is_broken;
	state_audit_free(r->audit);
	r->audit = NULL;
	r->partition++;
	r->restarts = 0;
	partition_begin(r);
}

static void fetch_cb(void *arg, const struct cluster_fetch_result *res);

static void partition_read(struct state_reading *r)
{
	int64_t next = state_audit_next(r->audit);

	if (next < 0 || next >= r->end)
		partition_end(r);
	else
		cluster_fetch(r->cluster, r->topic, r->partition, next, READ_BYTES, false, fetch_cb, r);
}

static void retry_cb(void *arg)
{
	struct state_reading *r = arg;

	if (r->audit)
		partition_read(r);
	else
		partition_begin(r);
}

/* Somebody has trimmed the log past the place where we read. */
static void partition_restart(struct state_reading *r)
{
	if (++r->restarts > RESTARTS_MAX) {
		reading_fail(r, "can not be read", "its log is trimmed faster than it is read");
		return;
	}
	if (r->is_dump)
		printf("partition %d: trimmed meanwhile, goes on at the new start\n", r->partition);
	state_audit_free(r->audit);
	r->audit = NULL;
	partition_begin(r);
}

static void fetch_cb(void *arg, const struct cluster_fetch_result *res)
{
	struct state_reading *r = arg;
	int64_t before = state_audit_next(r->audit);

	if (res->error == KAFKA_ERR_OFFSET_OUT_OF_RANGE) {
		partition_restart(r);
		return;
	}
	if (res->error) {
		timer_set(&r->retry, loop_now(r->loop) + RETRY_MS);
		return;
	}
	state_audit_data(r->audit, (struct bytes){res->records.p, res->records.n});
	if (state_audit_next(r->audit) != before)
		progress(r);
	partition_read(r);
}

static void end_cb(void *arg, int16_t error, int64_t offset)
{
	struct state_reading *r = arg;

	if (error) {
		reading_fail(r, "ListOffsets answered", kafka_error_name(error));
		return;
	}
	progress(r);
	r->end = offset;
	r->shown = 0;
	r->audit = state_audit_new(r->partition, r->partitions_n, r->start, batch_cb, r);
	partition_read(r);
}

static void start_cb(void *arg, int16_t error, int64_t offset)
{
	struct state_reading *r = arg;

	if (error) {
		reading_fail(r, "ListOffsets answered", kafka_error_name(error));
		return;
	}
	r->start = offset;
	cluster_list_offset(r->cluster, r->topic, r->partition, CLUSTER_OFFSET_LATEST, false, end_cb, r);
}

static void reading_done(struct state_reading *r)
{
	bool is_broken = r->broken_partitions || r->bad_groups;

	if (r->is_dump) {
		reading_end(r, STATUS_OK);
		return;
	}
	printf("%.*s: %d of %d partitions, %" PRIu64 " records, %" PRIu64 " left out: ", (int)r->topic.n, r->topic.p,
		r->last - r->first + 1, r->partitions_n, r->records, r->left_out);
	if (is_broken)
		printf("%" PRIu64 " partitions and %" PRIu64 " groups break a rule\n", r->broken_partitions,
			r->bad_groups);
	else
		puts("no rule is broken");
	reading_end(r, is_broken ? STATUS_BROKEN : STATUS_OK);
}

static void partition_begin(struct state_reading *r)
{
	if (r->partition > r->last)
		reading_done(r);
	else
		cluster_list_offset(r->cluster, r->topic, r->partition, CLUSTER_OFFSET_EARLIEST, false, start_cb, r);
}

/* ---- the whole ---- */

static void metadata_cb(void *arg, const struct cluster_metadata *now, const struct cluster_metadata *old)
{
	struct state_reading *r = arg;
	const struct cluster_topic *t = NULL;

	(void)old;
	if (r->partition >= 0)
		return;
	for (uint32_t i = 0; i < now->topics_n && !t; i++)
		if (str_eq(now->topics[i].name, r->topic))
			t = &now->topics[i];
	if (!t) {
		reading_fail(r, "not found", "the cluster has no topic of this name, see --topic and state.topic");
		return;
	}
	r->partitions_n = t->partitions_n;
	if (r->last < 0)
		r->last = t->partitions_n - 1;
	if (r->last >= t->partitions_n) {
		reading_fail(r, "not found", "it has no partition of the number that --partition gives");
		return;
	}
	r->partition = r->first;
	progress(r);
	partition_begin(r);
}

static void reading_run(struct state_reading *r)
{
	const struct cluster_callbacks callbacks = {metadata_cb};

	signal(SIGPIPE, SIG_IGN);
	r->log = log_new(STDERR_FILENO, LOG_LEVEL_WARN, (enum log_format)r->cfg->log_format);
	r->loop = loop_new(r->log);
	if (r->loop) {
		timer_init(&r->retry, r->loop, retry_cb, r);
		timer_init(&r->stall, r->loop, stall_cb, r);
		r->cluster = cluster_new(r->loop, &r->cfg->proxy.cluster, &callbacks, r);
		progress(r);
		loop_run(r->loop);
		timer_clear(&r->retry);
		timer_clear(&r->stall);
		cluster_free(r->cluster);
		loop_free(r->loop);
	}
	log_free(r->log);
	state_audit_free(r->audit);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fprintf(stderr, "sluice: what was read could not be printed: %s\n", strerror(errno));
		r->status = STATUS_UNREAD;
	}
}

/* ---- the command line ---- */

struct state_options {
	const char *file, *servers, *topic, *partition;
	bool is_dump;
};

static const struct option long_options[] = {
	{"config", required_argument, NULL, 'c'},
	{"bootstrap-server", required_argument, NULL, 'b'},
	{"topic", required_argument, NULL, 't'},
	{"partition", required_argument, NULL, 'p'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

void state_command_help(void)
{
	puts("  sluice state dump   -c FILE | --bootstrap-server HOST:PORT [--topic NAME] [--partition N]\n"
	     "                                  print every record of the internal topic\n"
	     "  sluice state verify -c FILE | --bootstrap-server HOST:PORT [--topic NAME] [--partition N]\n"
	     "                                  replay it by every rule and say what it holds; 3 when a rule is "
	     "broken");
}

static int usage(const char *what, const char *value)
{
	fprintf(stderr, "sluice: state: %s%s, see sluice state --help\n", what, value);
	return STATUS_USAGE;
}

/* Without a file every option has its default. */
static enum err config_for(const struct state_options *o, struct config **ret, char err[CONFIG_ERROR_MAX])
{
	char text[2000];
	int n;

	if (o->file)
		return config_load(o->file, ret, err);
	n = snprintf(text, sizeof(text), "bootstrap.servers=%s\nlisteners=PLAINTEXT://127.0.0.1:9092\n", o->servers);
	if (n < 0 || (size_t)n >= sizeof(text)) {
		snprintf(err, CONFIG_ERROR_MAX, "--bootstrap-server: expected less than %zu characters", sizeof(text));
		return ERR_INVALID;
	}
	return config_parse("--bootstrap-server", (struct str){text, (size_t)n}, ret, err);
}

static bool partition_number(const char *text, int32_t *ret)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	if (errno || *end || end == text || n < 0 || n > INT32_MAX)
		return false;
	*ret = (int32_t)n;
	return true;
}

static int run(const struct state_options *o)
{
	struct state_reading r = {.is_dump = o->is_dump, .last = -1, .partition = -1, .status = STATUS_UNREAD};
	char err[CONFIG_ERROR_MAX];

	if (o->partition && !partition_number(o->partition, &r.first))
		return usage("expected a number, not --partition ", o->partition);
	if (o->partition)
		r.last = r.first;
	if (config_for(o, &r.cfg, err)) {
		fprintf(stderr, "sluice: %s\n", err);
		return STATUS_UNREAD;
	}
	r.topic = o->topic ? str_of(o->topic) : r.cfg->proxy.state_topic;
	reading_run(&r);
	config_free(r.cfg);
	return r.status;
}

int state_command(int argc, char **argv)
{
	struct state_options o = {0};
	int opt;

	optind = 1;
	while ((opt = getopt_long(argc, argv, "c:h", long_options, NULL)) != -1) {
		if (opt == 'c')
			o.file = optarg;
		else if (opt == 'b')
			o.servers = optarg;
		else if (opt == 't')
			o.topic = optarg;
		else if (opt == 'p')
			o.partition = optarg;
		else if (opt == 'h') {
			state_command_help();
			return STATUS_OK;
		} else
			return STATUS_USAGE;
	}
	if (optind + 1 != argc)
		return usage("expected dump or verify", "");
	o.is_dump = strcmp(argv[optind], "dump") == 0;
	if (!o.is_dump && strcmp(argv[optind], "verify") != 0)
		return usage("expected dump or verify, not ", argv[optind]);
	if (!o.file == !o.servers)
		return usage("expected either -c FILE or --bootstrap-server HOST:PORT", "");
	return run(&o);
}
