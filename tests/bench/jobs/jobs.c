/* SPDX-License-Identifier: Apache-2.0 */
/* A job queue's workers, as light as they can be: share consumers that take one record, work on it, acknowledge it and
 * wait for the confirmation before they take the next one. All of them live in one thread, so that on a small machine
 * the server is measured and not its clients.
 *
 *   bench-jobs --bootstrap HOST:PORT --topic T --group G --records N [--clients K] [--work MS] [--limit SECONDS]
 *
 * Every client has a connection to its group's coordinator and one to each node, as real clients have. None takes a
 * record before all have partitions. One line of JSON with the figures goes to standard output. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/queue.h>
#include <time.h>

#include "base/mem.h"
#include "peer.h"

#define NODES_MAX 8
#define PARTITIONS_MAX 64
#define EVENTS_MAX 256
#define ARENA_MAX (16 * 1024 * 1024)

#define API_METADATA 3
#define API_FIND_COORDINATOR 10
#define API_HEARTBEAT 76
#define API_FETCH 78
#define API_ACKNOWLEDGE 79

#define MAX_WAIT_MS 500
#define MAX_BYTES (50 * 1024 * 1024)
#define RETRY_US 100000
#define RETRIABLE(e) ((e) == 14 || (e) == 15 || (e) == 16)
#define SESSION_GONE(e) ((e) == 121 || (e) == 122)
#define ACQUIRE_RECORD_LIMIT 1
#define ACCEPT 1

struct options {
	char host[256];
	int port;
	const char *topic, *group;
	int64_t records;
	int clients;
	int64_t work_us, limit_us;
};

struct node {
	int32_t id;
	char host[256];
	int port;
	uint64_t leads; /* partitions, a bit each */
};

struct client;

/* The share session of a client at one node. */
struct session {
	struct peer peer;
	struct client *client;
	const struct node *node;
	int32_t epoch;
	uint64_t has; /* partitions that the session knows */
};

struct client {
	struct jobs *jobs;
	struct peer coordinator;
	struct session sessions[NODES_MAX];
	char member_id[24];
	int32_t member_epoch;
	int64_t heartbeat_us; /* when the next one is due */
	uint64_t assigned;
	int turn;           /* node that is asked next */
	struct session *at; /* where the record in hand came from */
	int32_t partition;
	int64_t offset;
	int64_t done_us; /* when the work on the record in hand is over */
	TAILQ_ENTRY(client) working;
};

struct jobs {
	struct options o;
	struct arena arena;
	int epoll;
	struct uuid topic_id;
	struct node nodes[NODES_MAX];
	int nodes_n, partitions;
	struct client *clients;
	TAILQ_HEAD(, client) working; /* in the order of done_us: all work takes equally long */
	bool started;
	uint8_t *confirmed[PARTITIONS_MAX]; /* by offset */
	int64_t confirmed_cap[PARTITIONS_MAX];
	int64_t done, handed, failed, twice;
	int64_t begin_us, first_us, end_us;
	int64_t *times;
};

static uint8_t *confirmed_at(struct jobs *j, int32_t partition, int64_t offset)
{
	int64_t *cap = &j->confirmed_cap[partition];

	if (offset >= *cap) {
		int64_t more = offset * 2 + 1024;

		j->confirmed[partition] = mem_resize(j->confirmed[partition], (size_t)more, 1);
		memset(j->confirmed[partition] + *cap, 0, (size_t)(more - *cap));
		*cap = more;
	}
	return &j->confirmed[partition][offset];
}

static void send_heartbeat(struct client *c)
{
	struct str topic = str_of(c->jobs->o.topic);
	struct share_group_heartbeat_request m;

	codec_init(&share_group_heartbeat_request_schema, &m);
	m.group_id = str_of(c->jobs->o.group);
	m.member_id = str_of(c->member_id);
	m.member_epoch = c->member_epoch;
	if (c->member_epoch == 0) {
		m.subscribed_topic_names = &topic;
		m.subscribed_topic_names_n = 1;
	}
	peer_send(&c->coordinator, API_HEARTBEAT, 1, &m);
}

static void on_heartbeat(struct client *c, const struct share_group_heartbeat_response *m)
{
	c->heartbeat_us = now_us() + RETRY_US;
	if (RETRIABLE(m->error_code))
		return;
	if (m->error_code)
		fail("heartbeat: error %d, %.*s", (int)m->error_code, (int)m->error_message.n, m->error_message.p);
	c->member_epoch = m->member_epoch;
	if (m->assignment) {
		c->assigned = 0;
		for (uint32_t t = 0; t < m->assignment->topic_partitions_n; t++) {
			for (uint32_t i = 0; i < m->assignment->topic_partitions[t].partitions_n; i++)
				c->assigned |= (uint64_t)1 << m->assignment->topic_partitions[t].partitions[i];
		}
	}
	if (c->assigned)
		c->heartbeat_us = now_us() + (int64_t)m->heartbeat_interval_ms * 1000;
}

static void send_fetch(struct session *s)
{
	struct jobs *j = s->client->jobs;
	uint64_t want = s->client->assigned & s->node->leads;
	struct share_fetch_request_fetch_partition add[PARTITIONS_MAX];
	struct share_fetch_request_fetch_topic topic = {.topic_id = j->topic_id, .partitions = add};
	struct share_fetch_request_forgotten_topic gone = {.topic_id = j->topic_id};
	int32_t gone_ids[PARTITIONS_MAX];
	struct share_fetch_request m;

	codec_init(&share_fetch_request_schema, &m);
	gone.partitions = gone_ids;
	for (int32_t i = 0; i < j->partitions; i++) {
		uint64_t bit = (uint64_t)1 << i;

		if (want & ~s->has & bit) {
			codec_init(&share_fetch_request_fetch_partition_schema, &add[topic.partitions_n]);
			add[topic.partitions_n++].partition_index = i;
		}
		if (s->has & ~want & bit)
			gone_ids[gone.partitions_n++] = i;
	}
	m.group_id = str_of(j->o.group);
	m.member_id = str_of(s->client->member_id);
	m.share_session_epoch = s->epoch;
	m.max_wait_ms = MAX_WAIT_MS;
	m.min_bytes = 1;
	m.max_bytes = MAX_BYTES;
	m.max_records = 1;
	m.batch_size = 1;
	m.share_acquire_mode = ACQUIRE_RECORD_LIMIT;
	m.topics = &topic;
	m.topics_n = topic.partitions_n > 0;
	m.forgotten_topics_data = &gone;
	m.forgotten_topics_data_n = gone.partitions_n > 0;
	s->has = want;
	s->epoch++;
	peer_send(&s->peer, API_FETCH, 2, &m);
}

static void send_acknowledge(struct client *c)
{
	struct session *s = c->at;
	int8_t type = ACCEPT;
	struct share_acknowledge_request_acknowledgement_batch batch = {c->offset, c->offset, &type, 1};
	struct share_acknowledge_request_acknowledge_partition partition = {c->partition, &batch, 1};
	struct share_acknowledge_request_acknowledge_topic topic = {c->jobs->topic_id, &partition, 1};
	struct share_acknowledge_request m;

	codec_init(&share_acknowledge_request_schema, &m);
	m.group_id = str_of(c->jobs->o.group);
	m.member_id = str_of(c->member_id);
	m.share_session_epoch = s->epoch++;
	m.topics = &topic;
	m.topics_n = 1;
	peer_send(&s->peer, API_ACKNOWLEDGE, 2, &m);
}

static void begin_again(struct session *s)
{
	s->epoch = 0;
	s->has = 0;
}

/* Asks the next node that leads a partition of this client. */
static void take_next(struct client *c)
{
	struct jobs *j = c->jobs;

	for (int i = 0; i < j->nodes_n; i++) {
		struct session *s = &c->sessions[c->turn++ % j->nodes_n];

		if (c->assigned & s->node->leads) {
			send_fetch(s);
			return;
		}
	}
	fail("client %s has no partitions any more", c->member_id);
}

static void on_job(struct session *s, int32_t partition, int64_t offset)
{
	struct client *c = s->client;
	struct jobs *j = c->jobs;

	j->handed++;
	if (!j->first_us)
		j->first_us = now_us();
	j->twice += *confirmed_at(j, partition, offset);
	c->at = s;
	c->partition = partition;
	c->offset = offset;
	if (!j->o.work_us) {
		send_acknowledge(c);
		return;
	}
	c->done_us = now_us() + j->o.work_us;
	TAILQ_INSERT_TAIL(&j->working, c, working);
}

static void on_fetch(struct session *s, const struct share_fetch_response *m)
{
	const struct share_fetch_response_partition_data *found = NULL;

	if (SESSION_GONE(m->error_code))
		begin_again(s);
	else if (m->error_code && !RETRIABLE(m->error_code))
		fail("fetch: error %d, %.*s", (int)m->error_code, (int)m->error_message.n, m->error_message.p);
	for (uint32_t t = 0; t < m->responses_n; t++) {
		for (uint32_t i = 0; i < m->responses[t].partitions_n; i++) {
			const struct share_fetch_response_partition_data *p = &m->responses[t].partitions[i];

			if (p->acquired_records_n == 0)
				continue;
			if (found || p->acquired_records_n > 1 ||
				p->acquired_records->first_offset != p->acquired_records->last_offset)
				fail("more than the one record that was asked for");
			found = p;
		}
	}
	if (found)
		on_job(s, found->partition_index, found->acquired_records->first_offset);
	else
		take_next(s->client);
}

static void on_acknowledge(struct session *s, const struct share_acknowledge_response *m)
{
	struct client *c = s->client;
	struct jobs *j = c->jobs;
	int16_t error = m->error_code;

	if (SESSION_GONE(error))
		begin_again(s);
	for (uint32_t t = 0; !error && t < m->responses_n; t++) {
		for (uint32_t i = 0; !error && i < m->responses[t].partitions_n; i++)
			error = m->responses[t].partitions[i].error_code;
	}
	if (error) {
		j->failed++;
	} else if (j->done < j->o.records) {
		j->times[j->done++] = now_us() - s->peer.sent_us;
		*confirmed_at(j, c->partition, c->offset) = 1;
		j->end_us = now_us();
	}
	take_next(c);
}

/* What one connection has received. */
union answer {
	struct share_group_heartbeat_response heartbeat;
	struct share_fetch_response fetch;
	struct share_acknowledge_response acknowledge;
};

static void on_readable(struct jobs *j, struct peer *p)
{
	struct client *c = p->owner;
	struct session *s = NULL;
	union answer m;
	int16_t api_key = p->api_key;

	for (int i = 0; i < j->nodes_n && !s; i++)
		s = &c->sessions[i].peer == p ? &c->sessions[i] : NULL;
	if (!peer_receive(p, &j->arena, &m))
		return;
	if (api_key == API_HEARTBEAT)
		on_heartbeat(c, &m.heartbeat);
	else if (api_key == API_FETCH)
		on_fetch(s, &m.fetch);
	else
		on_acknowledge(s, &m.acknowledge);
	peer_consume(p);
	arena_release(&j->arena);
}

static void heartbeats(struct jobs *j)
{
	int64_t now = now_us();
	bool ready = true;

	for (int i = 0; i < j->o.clients; i++) {
		struct client *c = &j->clients[i];

		ready = ready && c->assigned;
		if (c->coordinator.api_key < 0 && c->heartbeat_us <= now)
			send_heartbeat(c);
	}
	for (int i = 0; ready && !j->started && i < j->o.clients; i++)
		take_next(&j->clients[i]);
	j->started = j->started || ready;
}

/* Acknowledges what is worked on; returns in how many ms the next record is done, at most 20. */
static int work(struct jobs *j)
{
	struct client *c;

	while ((c = TAILQ_FIRST(&j->working)) != NULL) {
		int64_t left = c->done_us - now_us();

		if (left > 0)
			return left < 20000 ? (int)(left / 1000) + 1 : 20;
		TAILQ_REMOVE(&j->working, c, working);
		send_acknowledge(c);
	}
	return 20;
}

static void run(struct jobs *j)
{
	struct epoll_event events[EVENTS_MAX];
	int64_t beat_us = 0;

	while (j->done < j->o.records && now_us() < j->begin_us + j->o.limit_us) {
		int n = epoll_wait(j->epoll, events, EVENTS_MAX, work(j));

		if (n < 0 && errno != EINTR)
			fail("epoll_wait: %s", strerror(errno));
		for (int i = 0; i < n; i++)
			on_readable(j, events[i].data.ptr);
		if (now_us() >= beat_us) {
			heartbeats(j);
			beat_us = now_us() + 10000;
		}
	}
}

static void watch(struct jobs *j, struct peer *p)
{
	struct epoll_event e = {.events = EPOLLIN, .data = {.ptr = p}};

	if (epoll_ctl(j->epoll, EPOLL_CTL_ADD, p->fd, &e) != 0)
		fail("epoll_ctl: %s", strerror(errno));
}

static void add_node(struct jobs *j, int32_t id, struct str host, int port)
{
	struct node *n = &j->nodes[j->nodes_n++];

	if (j->nodes_n > NODES_MAX || host.n >= sizeof(n->host))
		fail("more than %d nodes or a host name of %zu bytes", NODES_MAX, host.n);
	n->id = id;
	n->port = port;
	memcpy(n->host, host.p, host.n);
}

static void look_up_topic(struct jobs *j, struct peer *p)
{
	struct metadata_request_metadata_request_topic topic = {.name = str_of(j->o.topic)};
	struct metadata_request m;
	struct metadata_response r;

	codec_init(&metadata_request_schema, &m);
	m.topics = &topic;
	m.topics_n = 1;
	m.allow_auto_topic_creation = false;
	peer_ask(p, API_METADATA, 12, &m, &j->arena, &r);
	if (r.topics_n != 1 || r.topics->error_code || r.topics->partitions_n > PARTITIONS_MAX)
		fail("topic %s: error %d", j->o.topic, r.topics_n == 1 ? (int)r.topics->error_code : -1);
	j->topic_id = r.topics->topic_id;
	j->partitions = (int)r.topics->partitions_n;
	for (uint32_t b = 0; b < r.brokers_n; b++) {
		add_node(j, r.brokers[b].node_id, r.brokers[b].host, r.brokers[b].port);
		for (uint32_t i = 0; i < r.topics->partitions_n; i++) {
			if (r.topics->partitions[i].leader_id == r.brokers[b].node_id)
				j->nodes[b].leads |= (uint64_t)1 << r.topics->partitions[i].partition_index;
		}
	}
	peer_consume(p);
	arena_release(&j->arena);
}

static const struct node *look_up_coordinator(struct jobs *j, struct peer *p)
{
	struct str key = str_of(j->o.group);
	struct find_coordinator_request m;
	struct find_coordinator_response r;
	const struct node *found = NULL;

	codec_init(&find_coordinator_request_schema, &m);
	m.coordinator_keys = &key;
	m.coordinator_keys_n = 1;
	while (!found) {
		peer_ask(p, API_FIND_COORDINATOR, 6, &m, &j->arena, &r);
		if (r.coordinators_n != 1 || (r.coordinators->error_code && !RETRIABLE(r.coordinators->error_code)))
			fail("coordinator of %s: error %d", j->o.group,
				r.coordinators_n == 1 ? (int)r.coordinators->error_code : -1);
		for (int i = 0; i < j->nodes_n; i++) {
			if (!r.coordinators->error_code && r.coordinators->node_id == j->nodes[i].id)
				found = &j->nodes[i];
		}
		if (!found)
			nanosleep(&(struct timespec){.tv_nsec = RETRY_US * 1000}, NULL);
		peer_consume(p);
		arena_release(&j->arena);
	}
	return found;
}

static void connect_clients(struct jobs *j)
{
	const struct node *coordinator;
	struct peer p;

	peer_connect(&p, j->o.host, j->o.port, NULL);
	look_up_topic(j, &p);
	coordinator = look_up_coordinator(j, &p);
	peer_close(&p);
	for (int i = 0; i < j->o.clients; i++) {
		struct client *c = &j->clients[i];

		c->jobs = j;
		c->turn = i;
		/* A uuid in base64, as clients make them: 22 characters. */
		snprintf(c->member_id, sizeof(c->member_id), "bench%017d", i);
		peer_connect(&c->coordinator, coordinator->host, coordinator->port, c);
		watch(j, &c->coordinator);
		for (int n = 0; n < j->nodes_n; n++) {
			struct session *s = &c->sessions[n];

			s->client = c;
			s->node = &j->nodes[n];
			peer_connect(&s->peer, s->node->host, s->node->port, c);
			watch(j, &s->peer);
		}
	}
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void print_figures(struct jobs *j)
{
	double p50 = 0, p99 = 0;

	if (j->done > 0) {
		qsort(j->times, (size_t)j->done, sizeof(*j->times), by_value);
		p50 = (double)j->times[(j->done - 1) * 50 / 100] / 1000;
		p99 = (double)j->times[(j->done - 1) * 99 / 100] / 1000;
	}
	printf("{\"records\": %lld, \"seconds\": %.6f, \"lost\": %lld, \"twice\": %lld, \"handed_out\": %lld, "
	       "\"failed_acks\": %lld, \"p50_ms\": %.3f, \"p99_ms\": %.3f, \"first_record_seconds\": %.3f}\n",
		(long long)j->done, (double)(j->end_us - j->first_us) / 1e6, (long long)(j->o.records - j->done),
		(long long)j->twice, (long long)j->handed, (long long)j->failed, p50, p99,
		(double)(j->first_us - j->begin_us) / 1e6);
}

static int64_t number(const char *text, int64_t max)
{
	char *end;
	long long v = strtoll(text, &end, 10);

	if (!*text || *end || v < 0 || v > max)
		fail("'%s', expected a number from 0 to %lld", text, (long long)max);
	return v;
}

static void read_bootstrap(struct options *o, const char *text)
{
	const char *colon = strrchr(text, ':');

	if (!colon || (size_t)(colon - text) >= sizeof(o->host))
		fail("--bootstrap '%s', expected HOST:PORT", text);
	memcpy(o->host, text, (size_t)(colon - text));
	o->port = (int)number(colon + 1, 65535);
}

static void read_options(struct options *o, int argc, char **argv)
{
	static const struct option known[] = {{"bootstrap", 1, NULL, 'b'}, {"topic", 1, NULL, 't'},
		{"group", 1, NULL, 'g'}, {"records", 1, NULL, 'n'}, {"clients", 1, NULL, 'k'}, {"work", 1, NULL, 'w'},
		{"limit", 1, NULL, 'l'}, {NULL, 0, NULL, 0}};
	int c;

	while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (c == 'b')
			read_bootstrap(o, optarg);
		else if (c == 't')
			o->topic = optarg;
		else if (c == 'g')
			o->group = optarg;
		else if (c == 'n')
			o->records = number(optarg, 1000000000);
		else if (c == 'k')
			o->clients = (int)number(optarg, 10000);
		else if (c == 'w')
			o->work_us = number(optarg, 3600000) * 1000;
		else if (c == 'l')
			o->limit_us = number(optarg, 86400) * 1000000;
		else
			exit(2);
	}
	if (!o->port || !o->topic || !o->group || o->records < 1 || o->clients < 1)
		fail("expected --bootstrap HOST:PORT --topic T --group G --records N [--clients K] [--work MS] "
		     "[--limit SECONDS]");
}

int main(int argc, char **argv)
{
	struct jobs j = {.o = {.clients = 1, .limit_us = 120000000}};

	read_options(&j.o, argc, argv);
	arena_init(&j.arena, ARENA_MAX);
	TAILQ_INIT(&j.working);
	j.epoll = epoll_create1(EPOLL_CLOEXEC);
	j.clients = mem_zalloc((size_t)j.o.clients, sizeof(*j.clients));
	j.times = mem_zalloc((size_t)j.o.records, sizeof(*j.times));
	j.begin_us = now_us();
	connect_clients(&j);
	run(&j);
	print_figures(&j);
	return 0;
}
