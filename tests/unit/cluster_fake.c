/* SPDX-License-Identifier: Apache-2.0 */
/* A broker and a client of the cluster layer for tests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "cluster_fake.h"

static const struct conn_limits limits = {
	.in_max = 1024 * 1024, .out_high = 1024 * 1024, .out_low = 1024, .out_max = 64 * 1024 * 1024};

static int8_t answer_header_version(const struct fake_request *rq)
{
	return rq->header.api_key != 18 &&
	       schema_is_flexible(schema_find(rq->header.api_key, true), rq->header.api_version);
}

size_t fake_encode(struct fake_request *rq, const void *msg, uint8_t *out, size_t out_max)
{
	struct writer w;
	size_t n;

	wr_init(&w, out_max);
	wr_i32(&w, 0);
	response_header_write(&w, answer_header_version(rq), rq->header.correlation_id);
	assert_int_equal(codec_encode(schema_find(rq->header.api_key, true), rq->header.api_version, &w, msg), ERR_OK);
	assert_int_equal(w.err, ERR_OK);
	n = wr_size(&w);
	wr_patch_i32(&w, 0, (int32_t)(n - 4));
	assert_true(n <= out_max);
	wr_flatten(&w, out);
	wr_release(&w);
	return n;
}

void fake_answer_raw(struct fake_request *rq, const void *p, size_t n)
{
	conn_write(rq->conn, p, n);
}

void fake_answer(struct fake_request *rq, const void *msg)
{
	size_t max = 8 * 1024 * 1024;
	uint8_t *out = malloc(max);

	fake_answer_raw(rq, out, fake_encode(rq, msg, out, max));
	free(out);
}

void *fake_zalloc(struct fake_request *rq, size_t n, size_t size)
{
	void *p = arena_zalloc(rq->arena, n, size);

	assert_non_null(p);
	return p;
}

void fake_decode(struct fake_request *rq, void *msg)
{
	char path[CODEC_PATH_MAX];

	if (codec_decode(
		    schema_find(rq->header.api_key, false), rq->header.api_version, &rq->body, rq->arena, msg, path))
		fail_msg("request %d v%d is malformed at %s", rq->header.api_key, rq->header.api_version, path);
}

static void answer_versions(struct fake_request *rq)
{
	struct fake *f = rq->fake;
	struct api_versions_response m;
	struct api_versions_response_api_version *v = fake_zalloc(rq, FAKE_KEYS, sizeof(*v));

	codec_init(&api_versions_response_schema, &m);
	m.api_keys = v;
	for (int16_t key = 0; key < FAKE_KEYS; key++) {
		if (f->max_version[key] < 0)
			continue;
		v[m.api_keys_n].api_key = key;
		v[m.api_keys_n++].max_version = f->max_version[key];
	}
	if (rq->header.api_version > f->max_version[18]) {
		m.error_code = KAFKA_ERR_UNSUPPORTED_VERSION;
		rq->header.api_version = 0;
	}
	fake_answer(rq, &m);
}

static void fake_fill_topic(
	struct fake_request *rq, const struct fake_topic *t, struct metadata_response_metadata_response_topic *to)
{
	to->name = str_of(t->name);
	to->topic_id = t->id;
	to->partitions = fake_zalloc(rq, (size_t)t->partitions_n, sizeof(*to->partitions));
	to->partitions_n = (uint32_t)t->partitions_n;
	for (int32_t i = 0; i < t->partitions_n; i++) {
		struct metadata_response_metadata_response_partition *p = &to->partitions[i];

		codec_init(&metadata_response_metadata_response_partition_schema, p);
		p->partition_index = i;
		p->leader_id = t->leader[i];
		p->leader_epoch = t->epoch[i];
		p->replica_nodes = fake_zalloc(rq, 2, sizeof(int32_t));
		p->replica_nodes_n = 2;
		p->isr_nodes = p->replica_nodes;
		p->isr_nodes_n = 1;
		p->offline_replicas = p->replica_nodes;
	}
}

void fake_metadata(struct fake_request *rq, struct metadata_response *m)
{
	struct fake *f = rq->fake;

	codec_init(&metadata_response_schema, m);
	m->brokers = fake_zalloc(rq, 4, sizeof(*m->brokers));
	m->cluster_id = STR_LIT("fake");
	m->controller_id = f->id;
	m->error_code = f->metadata_error;
	for (int i = -1; i < 3; i++) {
		struct fake *b = i < 0 ? f : f->others[i];
		struct metadata_response_metadata_response_broker *to = &m->brokers[m->brokers_n];

		if (!b)
			continue;
		to->node_id = b->id;
		to->host = STR_LIT("127.0.0.1");
		to->port = b->port;
		m->brokers_n++;
	}
	m->topics = fake_zalloc(rq, FAKE_TOPICS, sizeof(*m->topics));
	for (int i = 0; i < FAKE_TOPICS; i++) {
		if (!f->topics[i].name)
			continue;
		codec_init(&metadata_response_metadata_response_topic_schema, &m->topics[m->topics_n]);
		fake_fill_topic(rq, &f->topics[i], &m->topics[m->topics_n++]);
	}
}

static void fake_handle(struct fake_request *rq)
{
	struct fake *f = rq->fake;
	struct metadata_response m;

	assert_in_range(rq->header.api_key, 0, FAKE_KEYS - 1);
	f->requests[rq->header.api_key]++;
	f->version[rq->header.api_key] = rq->header.api_version;
	if (f->handler && f->handler(f->arg, rq))
		return;
	if (rq->header.api_key == 18) {
		answer_versions(rq);
	} else if (rq->header.api_key == 3) {
		fake_metadata(rq, &m);
		fake_answer(rq, &m);
	} else {
		fail_msg("nobody answers request %d", rq->header.api_key);
	}
}

static void fake_on_data(struct conn *c, void *arg)
{
	struct fake *f = arg;

	while (!conn_is_closing(c)) {
		struct buf *in = conn_in(c);
		struct fake_request rq = {.fake = f, .conn = c};
		struct arena a;
		uint32_t len;
		size_t need, have = buf_len(in);
		const char *reason;
		int8_t version;

		if (frame_length(buf_head(in), have, 8, 1 << 20, &len, &need, &reason) != FRAME_READY || have - 4 < len)
			return;
		assert_int_equal(request_header_peek(buf_head(in) + 4, len, &rq.header, &need), FRAME_READY);
		version = schema_is_flexible(schema_find(rq.header.api_key, false), rq.header.api_version) ? 2 : 1;
		assert_int_equal(request_header_read(buf_head(in) + 4, len, len, version, &rq.header, &need, &reason),
			FRAME_READY);
		assert_true(str_eq(rq.header.client_id, STR_LIT("test-client")));
		rq.body = rd_init(buf_head(in) + 4 + rq.header.size, len - rq.header.size);
		arena_init(&a, 64 * 1024 * 1024);
		rq.arena = &a;
		fake_handle(&rq);
		arena_release(&a);
		buf_consume(in, 4 + (size_t)len);
	}
}

static void fake_on_closed(struct conn *c, void *arg, const char *reason)
{
	struct fake *f = arg;

	(void)reason;
	for (int i = 0; i < 64; i++) {
		if (f->conns[i] == c)
			f->conns[i] = NULL;
	}
}

static void fake_on_accept(void *arg, int fd)
{
	static const struct conn_callbacks callbacks = {.on_data = fake_on_data, .on_closed = fake_on_closed};
	struct fake *f = arg;

	f->accepted++;
	for (int i = 0; i < 64; i++) {
		if (!f->conns[i]) {
			f->conns[i] = conn_accept(f->loop, fd, &limits, &callbacks, f);
			return;
		}
	}
	fail_msg("more than 64 connections");
}

static void fake_listen(struct fake *f)
{
	char errbuf[256];

	if (listener_new(f->loop, "127.0.0.1", (uint16_t)f->port, fake_on_accept, f, &f->listener, errbuf))
		fail_msg("%s", errbuf);
	f->port = listener_port(f->listener);
}

void fake_start(struct fake *f, struct loop *lp, int32_t id, fake_handler handler, void *arg)
{
	static const struct {
		int16_t key, max;
	} offered[] = {{0, 12}, {1, 15}, {2, 8}, {3, 12}, {10, 4}, {18, 3}, {19, 7}, {21, 2}, {22, 4}, {32, 4}};

	*f = (struct fake){.loop = lp, .id = id, .handler = handler, .arg = arg};
	for (int i = 0; i < FAKE_KEYS; i++)
		f->max_version[i] = -1;
	for (size_t i = 0; i < sizeof(offered) / sizeof(offered[0]); i++)
		f->max_version[offered[i].key] = offered[i].max;
	f->topics[0] = (struct fake_topic){.name = "t", .id = {{1, 2, 3}}, .partitions_n = 3, .leader = {id, id, id}};
	fake_listen(f);
}

bool fake_has_conn(const struct fake *f, const struct conn *c)
{
	for (int i = 0; i < 64; i++) {
		if (c && f->conns[i] == c)
			return true;
	}
	return false;
}

void fake_cut(struct fake *f)
{
	for (int i = 0; i < 64; i++) {
		if (f->conns[i])
			conn_close(f->conns[i], "cut");
	}
}

void fake_stop(struct fake *f)
{
	listener_free(f->listener);
	f->listener = NULL;
	fake_cut(f);
}

void fake_restart(struct fake *f)
{
	fake_listen(f);
}

static void client_on_metadata(void *arg, const struct cluster_metadata *now, const struct cluster_metadata *old)
{
	struct client *cl = arg;

	assert_ptr_equal(now, cluster_get_metadata(cl->cluster));
	assert_true((old != NULL) == (cl->metadata_n > 0));
	cl->metadata_n++;
	if (cl->free_in_metadata) {
		cluster_free(cl->cluster);
		cl->cluster = NULL;
	}
}

void client_init(struct client *cl, fake_handler handler, void *arg)
{
	char name[] = "/tmp/test_cluster_XXXXXX";

	*cl = (struct client){.log_fd = mkstemp(name)};
	unlink(name);
	cl->log = log_new(cl->log_fd, LOG_LEVEL_DEBUG, LOG_FORMAT_TEXT);
	cl->loop = loop_new(cl->log);
	cl->cfg = (struct cluster_config){
		.bootstrap = cl->servers,
		.bootstrap_n = 1,
		.client_id = STR_LIT("test-client"),
		.request_timeout_ms = 5000,
		.connection_setup_timeout_ms = 5000,
		.reconnect_backoff_ms = 5,
		.reconnect_backoff_max_ms = 20,
		.metadata_max_age_ms = 60000,
		.fetch_max_wait_ms = 100,
		.fetch_connections = 2,
	};
	fake_start(&cl->fake, cl->loop, 1, handler, arg);
	cl->servers[0] = (struct cluster_server){STR_LIT("127.0.0.1"), cl->fake.port};
}

void client_start(struct client *cl, bool wait)
{
	static const struct cluster_callbacks callbacks = {.on_metadata = client_on_metadata};

	cl->cluster = cluster_new(cl->loop, &cl->cfg, &callbacks, cl);
	if (!wait)
		return;
	client_run(cl, &cl->metadata_n, 20000);
	assert_int_equal(cl->metadata_n, 1);
	assert_true(cluster_is_connected(cl->cluster));
}

void client_release(struct client *cl)
{
	cluster_free(cl->cluster);
	if (cl->fake.loop)
		fake_stop(&cl->fake);
	if (cl->second.loop)
		fake_stop(&cl->second);
	loop_free(cl->loop);
	log_free(cl->log);
	close(cl->log_fd);
}

static void on_deadline(void *arg)
{
	struct client *cl = arg;

	cl->late = true;
}

static void on_tick(void *arg)
{
	struct client *cl = arg;

	loop_stop(cl->loop);
}

void client_run(struct client *cl, const int *done, int64_t ms)
{
	struct timer deadline, tick;

	cl->late = false;
	timer_init(&deadline, cl->loop, on_deadline, cl);
	timer_init(&tick, cl->loop, on_tick, cl);
	timer_set(&deadline, clock_mono_ms() + ms);
	while (!cl->late && !(done && *done)) {
		timer_set(&tick, clock_mono_ms() + 1);
		loop_run(cl->loop);
	}
	timer_clear(&deadline);
	timer_clear(&tick);
}

bool client_logged(struct client *cl, const char *words)
{
	static const size_t max = 1024 * 1024;
	char *text = calloc(1, max);
	bool found;

	assert_true(pread(cl->log_fd, text, max - 1, 0) >= 0);
	found = strstr(text, words) != NULL;
	free(text);
	return found;
}
