/* SPDX-License-Identifier: Apache-2.0 */
/* The scripted broker and the raw clients of the proxy's tests. */
#include "test_proxy_env.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "wire/messages.h"

#define WAIT_MS 10000
#define PEER_MAX ((size_t)128 * 1024 * 1024)

/* The proxy under test calls these; the test answers the slots itself. */
struct service {
	struct env *env;
	struct service_callbacks cb;
	void *arg;
};

static struct env *env_of_service(const struct proxy *p)
{
	return p->service->env;
}

struct service *service_new(struct loop *lp, struct cluster *c, const struct proxy_config *cfg,
	const struct service_callbacks *cb, void *arg)
{
	struct service *sv = mem_zalloc(1, sizeof(*sv));

	(void)lp;
	(void)c;
	(void)cfg;
	sv->cb = *cb;
	sv->arg = arg;
	return sv;
}

void service_free(struct service *sv)
{
	mem_free(sv);
}

void service_on_metadata(struct service *sv, const struct cluster_metadata *now, const struct cluster_metadata *old)
{
	(void)sv;
	(void)now;
	(void)old;
}

bool service_has_group(const struct service *sv, struct str group_id)
{
	(void)sv;
	(void)group_id;
	return false;
}

struct str service_internal(const struct service *sv, struct uuid *ret_id)
{
	(void)sv;
	*ret_id = (struct uuid){{0}};
	return STR_NULL;
}

bool service_finds_internal(const struct service *sv, struct bytes request)
{
	(void)sv;
	(void)request;
	return false;
}

bool service_is_ready(const struct service *sv, const char **ret_why)
{
	(void)sv;
	*ret_why = "the test has no state";
	return false;
}

bool service_is_blind(const struct service *sv)
{
	(void)sv;
	return false;
}

void service_shutdown(struct service *sv)
{
	(void)sv;
}

bool service_hand_over(struct service *sv)
{
	(void)sv;
	return true;
}

size_t service_pending(const struct service *sv)
{
	return sv->env->slots_n;
}

void service_metrics(struct service *sv, proxy_metric_cb cb, void *arg)
{
	(void)sv;
	(void)cb;
	(void)arg;
}

void terminate_request(struct proxy *p, struct slot *s)
{
	struct env *e = env_of_service(p);

	assert_true(e->slots_n < ENV_SLOTS_MAX);
	e->slots[e->slots_n++] = s;
}

void terminate_slot_gone(struct proxy *p, struct slot *s)
{
	struct env *e = env_of_service(p);

	for (uint32_t i = 0; i < e->slots_n; i++)
		if (e->slots[i] == s)
			e->slots[i] = e->slots[--e->slots_n];
	e->slots_gone++;
}

void terminate_conn_closed(struct proxy *p, uint64_t conn_id)
{
	assert_true(conn_id > 0);
	env_of_service(p)->conns_closed++;
}

static void peer_init(struct peer *p, int fd)
{
	const int on = 1;
	struct sockaddr_in sa;
	socklen_t len = sizeof(sa);

	assert_int_equal(getsockname(fd, (struct sockaddr *)&sa, &len), 0);
	*p = (struct peer){.fd = fd, .reading = true, .port = ntohs(sa.sin_port)};
	buf_init(&p->in, PEER_MAX);
	buf_init(&p->out, PEER_MAX);
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

void peer_close(struct peer *p)
{
	if (p->fd != -1)
		close(p->fd);
	buf_release(&p->in);
	buf_release(&p->out);
	p->fd = -1;
}

void peer_reset(struct peer *p)
{
	const struct linger now = {.l_onoff = 1};

	(void)setsockopt(p->fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	peer_close(p);
}

static struct peer *peer_slot(struct peer *v)
{
	for (size_t i = 0; i < ENV_PEERS_MAX; i++)
		if (v[i].fd == -1)
			return &v[i];
	fail_msg("too many connections at once");
	return NULL;
}

static void peer_flush(struct peer *p)
{
	while (p->fd != -1 && buf_len(&p->out) > 0) {
		ssize_t n = send(p->fd, buf_head(&p->out), buf_len(&p->out), MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n <= 0)
			return;
		buf_consume(&p->out, (size_t)n);
	}
}

static void peer_receive(struct peer *p)
{
	while (p->fd != -1 && p->reading && !p->eof) {
		ssize_t n;

		assert_int_equal(buf_reserve(&p->in, 65536), ERR_OK);
		n = recv(p->fd, buf_tail(&p->in), buf_room(&p->in), MSG_DONTWAIT);
		if (n > 0)
			buf_commit(&p->in, (size_t)n);
		else if (n == 0 || errno != EAGAIN)
			p->eof = true;
		else
			return;
	}
}

/* Answers of the broker to sluice's own client: what it can do, and that it is alone. */
static void own_api_versions(struct writer *w)
{
	static const int16_t keys[][2] = {
		{0, 12}, {1, 16}, {2, 9}, {3, 12}, {10, 4}, {18, 3}, {19, 7}, {21, 2}, {22, 4}, {32, 4}};
	const size_t n = sizeof(keys) / sizeof(keys[0]);

	wr_i16(w, 0);
	wr_uvarint(w, (uint32_t)n + 1);
	for (size_t i = 0; i < n; i++) {
		wr_i16(w, keys[i][0]);
		wr_i16(w, 0);
		wr_i16(w, keys[i][1]);
		wr_uvarint(w, 0);
	}
	wr_i32(w, 0);
	wr_uvarint(w, 0);
}

static void own_metadata(const struct env *e, struct writer *w, int16_t version)
{
	struct metadata_response_metadata_response_broker b;
	struct metadata_response m;

	codec_init(&metadata_response_metadata_response_broker_schema, &b);
	codec_init(&metadata_response_schema, &m);
	b.node_id = e->broker_id;
	b.host = STR_LIT("127.0.0.1");
	b.port = e->broker_port;
	m.brokers = &b;
	m.brokers_n = 1;
	m.cluster_id = STR_LIT("test");
	m.controller_id = e->broker_id;
	m.topics = (void *)&m;
	m.topics_n = 0;
	assert_int_equal(codec_encode(&metadata_response_schema, version, w, &m), ERR_OK);
}

/* A broker's connections.max.idle.ms, or that it does not tell. */
static void own_configs(const struct env *e, struct writer *w, int16_t version)
{
	struct describe_configs_response_describe_configs_resource_result config;
	struct describe_configs_response_describe_configs_result result;
	struct describe_configs_response m;
	char id[16], value[16];

	snprintf(id, sizeof(id), "%d", e->broker_id);
	snprintf(value, sizeof(value), "%d", e->broker_idle_ms);
	codec_init(&describe_configs_response_describe_configs_resource_result_schema, &config);
	codec_init(&describe_configs_response_describe_configs_result_schema, &result);
	codec_init(&describe_configs_response_schema, &m);
	config.name = STR_LIT("connections.max.idle.ms");
	config.value = str_of(value);
	result.error_code = e->broker_idle_ms ? 0 : 31;
	result.resource_type = 4;
	result.resource_name = str_of(id);
	result.configs = &config;
	result.configs_n = e->broker_idle_ms ? 1 : 0;
	m.results = &result;
	m.results_n = 1;
	assert_int_equal(codec_encode(&describe_configs_response_schema, version, w, &m), ERR_OK);
}

static void own_answer(struct env *e, struct peer *p, const struct request_header *h)
{
	struct writer body, w;
	uint8_t flat[4096];

	wr_init(&body, sizeof(flat));
	wr_init(&w, 8192);
	if (h->api_key == ROUTE_KEY_API_VERSIONS)
		own_api_versions(&body);
	else if (h->api_key == ROUTE_KEY_METADATA)
		own_metadata(e, &body, h->api_version);
	else if (h->api_key == ROUTE_KEY_DESCRIBE_CONFIGS)
		own_configs(e, &body, h->api_version);
	assert_int_equal(body.err, ERR_OK);
	wr_flatten(&body, flat);
	if (wr_size(&body) > 0) {
		put_answer(&w, h->api_key, h->api_version, h->correlation_id, flat, wr_size(&body));
		peer_send(e, p, &w);
	}
	wr_release(&body);
	wr_release(&w);
}

/* Connections of sluice's own client are known by its client id, and served here. */
static void broker_serve(struct env *e, struct peer *p)
{
	const char *reason;
	uint32_t len;
	size_t need;
	struct request_header h;

	while (p->fd != -1 && (!p->judged || p->own) &&
		frame_length(buf_head(&p->in), buf_len(&p->in), 8, FRAME_MAX_DEFAULT, &len, &need, &reason) ==
			FRAME_READY &&
		buf_len(&p->in) >= FRAME_LEN_SIZE + 10) {
		if (!p->judged) {
			struct reader r = rd_init(buf_head(&p->in) + FRAME_LEN_SIZE + 8, buf_len(&p->in) - 12);

			p->own = str_eq(rd_str(&r), STR_LIT("sluice-test"));
			p->judged = !r.err;
			continue;
		}
		if (buf_len(&p->in) < FRAME_LEN_SIZE + len)
			return;
		assert_int_equal(request_header_peek(buf_head(&p->in) + FRAME_LEN_SIZE, len, &h, &need), FRAME_READY);
		own_answer(e, p, &h);
		buf_consume(&p->in, FRAME_LEN_SIZE + len);
	}
}

static void env_poll(struct env *e)
{
	int fd;

	while ((fd = accept(e->broker_fd, NULL, NULL)) != -1 || (fd = accept(e->bootstrap_fd, NULL, NULL)) != -1)
		peer_init(peer_slot(e->brokers), fd);
	for (size_t i = 0; i < ENV_PEERS_MAX; i++) {
		peer_receive(&e->brokers[i]);
		broker_serve(e, &e->brokers[i]);
		peer_flush(&e->brokers[i]);
		peer_receive(&e->clients[i]);
		peer_flush(&e->clients[i]);
		if (e->brokers[i].own && e->brokers[i].eof)
			peer_close(&e->brokers[i]);
	}
}

static void on_tick(void *arg)
{
	struct env *e = arg;
	int64_t now = loop_now(e->loop);

	env_poll(e);
	e->reached = e->until && e->until(e);
	if (e->reached || now >= e->deadline)
		loop_stop(e->loop);
	else
		timer_set(&e->tick, now + 1);
}

static void env_run(struct env *e, bool (*until)(struct env *e), int32_t ms)
{
	e->until = until;
	e->deadline = loop_now(e->loop) + ms;
	timer_set(&e->tick, loop_now(e->loop));
	loop_run(e->loop);
}

void env_wait(struct env *e, bool (*until)(struct env *e))
{
	env_run(e, until, WAIT_MS);
	assert_true(e->reached);
}

void env_turn(struct env *e, int32_t ms)
{
	env_run(e, NULL, ms);
}

static bool has_bytes(struct env *e)
{
	return buf_len(&e->peer->in) >= e->want;
}

static bool is_closed(struct env *e)
{
	return e->peer->eof;
}

static bool has_slots(struct env *e)
{
	return e->slots_n >= e->want;
}

void env_wait_bytes(struct env *e, struct peer *p, size_t n)
{
	e->peer = p;
	e->want = n;
	env_wait(e, has_bytes);
}

void env_wait_closed(struct env *e, struct peer *p)
{
	e->peer = p;
	env_wait(e, is_closed);
}

void env_wait_slots(struct env *e, uint32_t n)
{
	e->want = n;
	env_wait(e, has_slots);
}

static struct sockaddr_in loopback(uint16_t port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

struct peer *env_connect(struct env *e, uint16_t port)
{
	struct sockaddr_in sa = loopback(port);
	struct peer *p = peer_slot(e->clients);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_int_equal(connect(fd, (const struct sockaddr *)&sa, sizeof(sa)), 0);
	peer_init(p, fd);
	return p;
}

static bool has_upstream(struct env *e)
{
	e->peer = NULL;
	for (size_t i = 0; i < ENV_PEERS_MAX; i++)
		if (e->brokers[i].fd != -1 && e->brokers[i].judged && !e->brokers[i].own && !e->brokers[i].eof &&
			buf_len(&e->brokers[i].in) >= e->want)
			e->peer = &e->brokers[i];
	return e->peer != NULL;
}

struct peer *env_upstream(struct env *e, size_t n)
{
	e->want = n;
	env_wait(e, has_upstream);
	return e->peer;
}

void peer_send_bytes(struct env *e, struct peer *p, const void *d, size_t n)
{
	(void)e;
	assert_int_equal(buf_append(&p->out, d, n), ERR_OK);
	peer_flush(p);
}

void peer_send(struct env *e, struct peer *p, const struct writer *w)
{
	uint8_t *flat = mem_zalloc(wr_size(w) + 1, 1);

	assert_int_equal(w->err, ERR_OK);
	wr_flatten(w, flat);
	peer_send_bytes(e, p, flat, wr_size(w));
	mem_free(flat);
}

void peer_expect(struct env *e, struct peer *p, const struct writer *w)
{
	uint8_t *flat = mem_zalloc(wr_size(w) + 1, 1);

	assert_int_equal(w->err, ERR_OK);
	wr_flatten(w, flat);
	env_wait_bytes(e, p, wr_size(w));
	assert_memory_equal(buf_head(&p->in), flat, wr_size(w));
	buf_consume(&p->in, wr_size(w));
	mem_free(flat);
}

void put_request(struct writer *w, int16_t key, int16_t version, int32_t correlation, const void *body, size_t n)
{
	struct request_header h = {.api_key = key,
		.api_version = version,
		.correlation_id = correlation,
		.client_id = STR_LIT("test"),
		.header_version = route_request_header_version(key, version)};
	size_t at = wr_size(w);

	wr_i32(w, 0);
	request_header_write(w, &h);
	wr_raw(w, body, n);
	wr_patch_i32(w, at, (int32_t)(wr_size(w) - at - 4));
}

void put_answer(struct writer *w, int16_t key, int16_t version, int32_t correlation, const void *body, size_t n)
{
	size_t at = wr_size(w);

	wr_i32(w, 0);
	response_header_write(w, route_response_header_version(key, version), correlation);
	wr_raw(w, body, n);
	wr_patch_i32(w, at, (int32_t)(wr_size(w) - at - 4));
}

struct metric_search {
	const char *name, *labels;
	double value;
};

static void on_metric(void *arg, const char *name, const char *help, const char *type, const char *labels, double value)
{
	struct metric_search *m = arg;

	assert_true(strlen(help) > 10);
	assert_true(strcmp(type, "counter") == 0 || strcmp(type, "gauge") == 0);
	if (strcmp(name, m->name) == 0 && strcmp(labels, m->labels) == 0)
		m->value = value;
}

double env_metric(struct env *e, const char *name, const char *labels)
{
	struct metric_search m = {name, labels, 0};

	proxy_metrics(e->proxy, on_metric, &m);
	return m.value;
}

static bool broker_port_is_open(struct env *e)
{
	return e->proxy->listeners[0].brokers[ENV_BROKER_ID].socket != NULL;
}

void env_open_broker(struct env *e)
{
	struct sockaddr_in sa = loopback(0);
	socklen_t len = sizeof(sa);

	assert_int_equal(e->bootstrap_fd, -1);
	e->bootstrap_fd = e->broker_fd;
	e->broker_fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	assert_int_equal(bind(e->broker_fd, (const struct sockaddr *)&sa, sizeof(sa)), 0);
	assert_int_equal(listen(e->broker_fd, 64), 0);
	assert_int_equal(getsockname(e->broker_fd, (struct sockaddr *)&sa, &len), 0);
	e->broker_port = ntohs(sa.sin_port);
}

/* Several runs at once take turns in the range. */
#define PORTS_FROM 23000
#define PORTS_STEP 10
#define PORTS_N 99

/* False when the port is taken. */
static bool try_start(struct env *e, int32_t port)
{
	struct cluster_server server = {STR_LIT("127.0.0.1"), e->broker_port};
	struct proxy_listener_config l = {.name = STR_LIT("PLAINTEXT://127.0.0.1"),
		.host = STR_LIT("127.0.0.1"),
		.port = port,
		.advertised_host = STR_LIT("proxy.test"),
		.advertised_port = port,
		.broker_port_base = port + 1,
		.broker_port_count = 5};
	struct proxy_config cfg = {.listeners = &l,
		.listeners_n = 1,
		.request_max_bytes = FRAME_MAX_DEFAULT,
		.request_queue_max = 100,
		.connections_max_idle_ms = 660000,
		.max_connections_per_ip = INT32_MAX,
		.max_connections_before_login = 1000,
		.login_timeout_ms = 30000,
		.connection_setup_timeout_ms = 2000,
		.cluster = {.bootstrap = &server,
			.bootstrap_n = 1,
			.client_id = STR_LIT("sluice-test"),
			.request_timeout_ms = 5000,
			.connection_setup_timeout_ms = 2000,
			.reconnect_backoff_ms = 10,
			.reconnect_backoff_max_ms = 100,
			.metadata_max_age_ms = 300,
			.fetch_max_wait_ms = 100,
			.fetch_connections = 1}};
	struct service *sv;

	e->port = (uint16_t)port;
	e->proxy = proxy_new(e->loop, &cfg);
	sv = proxy_get_service(e->proxy);
	if (sv->cb.on_listen(sv->arg, true, true))
		return true;
	proxy_free(e->proxy);
	return false;
}

void env_start(struct env *e)
{
	int32_t turn = getpid();
	bool started = false;

	int32_t idle_ms = e->broker_idle_ms;

	memset(e, 0, sizeof(*e));
	e->broker_idle_ms = idle_ms;
	e->broker_fd = e->bootstrap_fd = -1;
	for (size_t i = 0; i < ENV_PEERS_MAX; i++)
		e->clients[i].fd = e->brokers[i].fd = -1;
	e->log = log_new(2, getenv("TEST_PROXY_LOG") ? LOG_LEVEL_DEBUG : LOG_LEVEL_ERROR, LOG_FORMAT_TEXT);
	e->loop = loop_new(e->log);
	env_open_broker(e);
	e->broker_id = ENV_BROKER_ID;
	timer_init(&e->tick, e->loop, on_tick, e);
	for (int32_t i = 0; !started && i < PORTS_N; i++)
		started = try_start(e, PORTS_FROM + (turn + i) % PORTS_N * PORTS_STEP);
	assert_true(started);
	e->proxy->service->env = e;
	env_wait(e, broker_port_is_open);
}

void env_stop(struct env *e)
{
	timer_clear(&e->tick);
	proxy_free(e->proxy);
	for (size_t i = 0; i < ENV_PEERS_MAX; i++) {
		peer_close(&e->clients[i]);
		peer_close(&e->brokers[i]);
	}
	close(e->broker_fd);
	close(e->bootstrap_fd);
	loop_free(e->loop);
	log_free(e->log);
}
