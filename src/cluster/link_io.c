/* SPDX-License-Identifier: Apache-2.0 */
/* Requests become frames and frames become answers here; each answer is matched with the oldest request in flight. */
#include "base/assert.h"
#include "cluster_priv.h"
#include "wire/frame.h"
#include "wire/messages.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "0"
#endif

#define API_VERSIONS_KEY 18
#define API_VERSIONS_VERSION 3

/* ApiVersions answers have the oldest header in every version, so that a client can read the refusal of its version. */
static int8_t answer_header_version(const struct rq *rq)
{
	return rq->ops->api_key != API_VERSIONS_KEY &&
	       schema_is_flexible(schema_find(rq->ops->api_key, true), rq->version);
}

static void link_write(struct broker_link *l, const struct writer *w)
{
	const uint8_t *own = buf_head(&w->own);
	size_t at = 0;

	for (size_t i = 0; i < w->refs_n; i++) {
		conn_write(l->conn, own + at, w->refs[i].at - at);
		conn_write_slice(l->conn, w->refs[i].slice);
		at = w->refs[i].at;
	}
	conn_write(l->conn, own + at, buf_len(&w->own) - at);
}

static enum err link_encode(struct broker_link *l, struct rq *rq, struct writer *w)
{
	const struct schema *s = schema_find(rq->ops->api_key, false);
	struct request_header h = {
		.api_key = rq->ops->api_key,
		.api_version = rq->version,
		.correlation_id = rq->correlation_id,
		.client_id = l->cluster->cfg.client_id,
		.header_version = schema_is_flexible(s, rq->version) ? 2 : 1,
	};
	enum err e;

	wr_i32(w, 0);
	request_header_write(w, &h);
	e = rq->ops->build(rq, w);
	if (!e)
		wr_patch_i32(w, 0, (int32_t)(wr_size(w) - FRAME_LEN_SIZE));
	return e ? e : w->err;
}

/* The highest version that both sides and the request itself can have, -1: none. */
static int16_t link_version(const struct broker_link *l, const struct rq *rq)
{
	int16_t min = l->ranges[rq->ops->api_key].min, max = l->ranges[rq->ops->api_key].max;

	if (max > rq->version_cap)
		max = rq->version_cap;
	if (min < rq->ops->version_min)
		min = rq->ops->version_min;
	return min <= max ? max : -1;
}

bool link_send(struct broker_link *l, struct rq *rq, int16_t *ret_error)
{
	struct writer w;
	enum err e;

	if (rq != &l->versions_rq)
		rq->version = link_version(l, rq);
	if (rq->version < 0) {
		log_write(loop_log(l->cluster->loop), rq->ops->optional ? LOG_LEVEL_DEBUG : LOG_LEVEL_WARN, NULL,
			"broker at %s:%d offers %s in no version from %d to %d; a Kafka from 2.8 on is needed",
			l->node->host, (int)l->node->port, schema_name(schema_find(rq->ops->api_key, false)),
			rq->ops->version_min, rq->version_cap);
		*ret_error = KAFKA_ERR_UNSUPPORTED_VERSION;
		return false;
	}
	rq->correlation_id = l->correlation_id;
	wr_init(&w, REQUEST_MAX);
	e = link_encode(l, rq, &w);
	if (e) {
		wr_release(&w);
		*ret_error = KAFKA_ERR_INVALID_REQUEST;
		return false;
	}
	l->correlation_id = l->correlation_id == INT32_MAX ? 0 : l->correlation_id + 1;
	link_write(l, &w);
	wr_release(&w);
	rq->sent = true;
	TAILQ_INSERT_TAIL(&l->inflight, rq, entry);
	l->inflight_n++;
	l->cluster->counts.requests++;
	return true;
}

static enum err versions_build(struct rq *rq, struct writer *w)
{
	struct api_versions_request m;

	codec_init(&api_versions_request_schema, &m);
	m.client_software_name = STR_LIT("sluice");
	m.client_software_version = STR_LIT(PACKAGE_VERSION);
	return codec_encode(&api_versions_request_schema, rq->version, w, &m);
}

static struct broker_link *link_of_versions(struct rq *rq)
{
	return (struct broker_link *)(void *)((char *)rq - offsetof(struct broker_link, versions_rq));
}

/* Features are the cluster's, every broker tells the same. */
static void note_features(struct cluster *c, const struct api_versions_response *m)
{
	c->share_version = 0;
	for (uint32_t i = 0; i < m->finalized_features_n; i++)
		if (str_eq(m->finalized_features[i].name, STR_LIT("share.version")))
			c->share_version = m->finalized_features[i].max_version_level;
}

static enum err versions_decode(struct broker_link *l, struct reader *body)
{
	struct api_versions_response m;
	struct arena a;
	enum err e;

	arena_init(&a, ANSWER_ARENA_MAX);
	e = codec_decode(&api_versions_response_schema, l->versions_rq.version, body, &a, &m, NULL);
	if (!e && m.error_code)
		e = ERR_UNSUPPORTED;
	for (uint32_t i = 0; !e && i < m.api_keys_n; i++) {
		const struct api_versions_response_api_version *v = &m.api_keys[i];

		if (v->api_key >= 0 && v->api_key < LINK_API_KEYS) {
			l->ranges[v->api_key].min = v->min_version;
			l->ranges[v->api_key].max = v->max_version;
		}
	}
	if (!e)
		note_features(l->cluster, &m);
	arena_release(&a);
	return e;
}

static enum err versions_answered(struct rq *rq, struct reader *body, struct chunk *chunk)
{
	struct broker_link *l = link_of_versions(rq);
	struct reader peek = *body;
	enum err e;

	(void)chunk;
	/* The refusal has the form of version 0; its first field is the error in all of them. */
	if (!l->versions_v0 && rd_i16(&peek) == KAFKA_ERR_UNSUPPORTED_VERSION) {
		l->versions_v0 = true;
		link_ask_versions(l);
		return ERR_OK;
	}
	e = versions_decode(l, body);
	if (e)
		return e;
	if (l->cluster->cfg.login) {
		link_set_state(l, LINK_LOGIN);
		link_login(l);
	} else {
		link_set_ready(l);
	}
	return ERR_OK;
}

static void versions_failed(struct rq *rq, int16_t error)
{
	/* Only after an answer that could not be read: the link ends right behind. */
	(void)rq;
	(void)error;
}

static const struct rq_ops versions_ops = {
	.api_key = API_VERSIONS_KEY,
	.version_max = API_VERSIONS_VERSION,
	.answer_max = ANSWER_SMALL,
	.build = versions_build,
	.answered = versions_answered,
	.failed = versions_failed,
};

void link_ask_versions(struct broker_link *l)
{
	struct rq *rq = &l->versions_rq;
	int16_t error;

	rq->ops = &versions_ops;
	rq->cluster = l->cluster;
	rq->version = l->versions_v0 ? 0 : API_VERSIONS_VERSION;
	rq->deadline = loop_now(l->cluster->loop) + l->cluster->cfg.connection_setup_timeout_ms;
	if (!link_send(l, rq, &error))
		link_end(l, "api_versions_failed", true);
	else
		link_pump(l);
}

/* A whole answer has arrived. */
static void link_answered(struct broker_link *l, struct chunk *chunk)
{
	struct rq *rq = TAILQ_FIRST(&l->inflight);
	struct reader r = rd_init(chunk->data, chunk->size);
	enum err e;

	sl_assert(rq);
	TAILQ_REMOVE(&l->inflight, rq, entry);
	l->inflight_n--;
	l->cluster->counts.responses++;
	(void)rd_i32(&r);
	if (answer_header_version(rq) == 1)
		rd_skip_tags(&r);
	e = r.err ? r.err : rq->ops->answered(rq, &r, chunk);
	if (e) {
		log_warn(loop_log(l->cluster->loop), NULL, "an answer of %s:%d to %s version %d can not be used: %s",
			l->node->host, (int)l->node->port, schema_name(schema_find(rq->ops->api_key, false)),
			rq->version, err_text(e));
		rq->ops->failed(rq, KAFKA_ERR_NETWORK_EXCEPTION);
		link_end(l, "malformed_response", true);
	} else if (l->state != LINK_DEAD) {
		link_pump(l);
	}
}

/* Length and correlation id are there: is it the answer that comes next? False: not yet, or the link has ended. */
static bool link_begin_frame(struct broker_link *l, struct buf *in)
{
	const struct rq *rq = TAILQ_FIRST(&l->inflight);
	const char *reason = NULL;
	struct reader r;
	uint32_t len;
	size_t need;

	switch (frame_length(buf_head(in), buf_len(in), 4, (uint32_t)ANSWER_LARGE, &len, &need, &reason)) {
	case FRAME_NEED_MORE:
		return false;
	case FRAME_BAD:
		link_end(l, reason, true);
		return false;
	case FRAME_READY:
		break;
	}
	if (buf_len(in) < FRAME_LEN_SIZE + 4)
		return false;
	r = rd_init(buf_head(in) + FRAME_LEN_SIZE, 4);
	if (!rq)
		reason = "unexpected_response";
	else if (rd_i32(&r) != rq->correlation_id)
		reason = "wrong_correlation_id";
	else if (len > rq->ops->answer_max)
		reason = "response_too_large";
	else if ((l->frame = chunk_try_new(len)) == NULL)
		reason = "no_memory";
	if (reason) {
		link_end(l, reason, true);
		return false;
	}
	l->frame_n = 0;
	buf_consume(in, FRAME_LEN_SIZE);
	return true;
}

void link_on_data(struct conn *conn, void *arg)
{
	struct broker_link *l = arg;

	while (l->state != LINK_DEAD) {
		struct buf *in = conn_in(conn);
		struct chunk *frame;
		size_t n;

		if (!l->frame && !link_begin_frame(l, in))
			return;
		frame = l->frame;
		n = frame->size - l->frame_n;
		if (n > buf_len(in))
			n = buf_len(in);
		memcpy(frame->data + l->frame_n, buf_head(in), n);
		buf_consume(in, n);
		l->frame_n += n;
		if (l->frame_n < frame->size)
			return;
		l->frame = NULL;
		link_answered(l, frame);
		chunk_unref(frame);
	}
}
