/* SPDX-License-Identifier: Apache-2.0 */
/* When metadata is asked for, whom, and what follows from the answer. */
#include "base/mem.h"
#include "cluster_priv.h"
#include "wire/messages.h"

/* Between two questions, whatever the reasons for asking. */
#define REFRESH_MIN_MS 100

bool is_leadership_error(int16_t error)
{
	switch (error) {
	case KAFKA_ERR_UNKNOWN_TOPIC_OR_PARTITION:
	case KAFKA_ERR_LEADER_NOT_AVAILABLE:
	case KAFKA_ERR_NOT_LEADER_OR_FOLLOWER:
	case KAFKA_ERR_REPLICA_NOT_AVAILABLE:
	case KAFKA_ERR_NETWORK_EXCEPTION:
	case KAFKA_ERR_KAFKA_STORAGE_ERROR:
	case KAFKA_ERR_FENCED_LEADER_EPOCH:
	case KAFKA_ERR_UNKNOWN_LEADER_EPOCH:
	case KAFKA_ERR_UNKNOWN_TOPIC_ID:
	case KAFKA_ERR_INCONSISTENT_TOPIC_ID:
		return true;
	default:
		return false;
	}
}

static enum err metadata_build(struct rq *rq, struct writer *w)
{
	struct metadata_request m;

	codec_init(&metadata_request_schema, &m);
	m.topics = NULL;
	m.allow_auto_topic_creation = false;
	return codec_encode(&metadata_request_schema, rq->version, w, &m);
}

static void metadata_end(struct rq *rq, bool ok)
{
	struct cluster *c = rq->cluster;
	uint32_t brokers = c->picture ? c->picture->md.brokers_n : c->cfg.bootstrap_n;

	c->metadata_rq = NULL;
	mem_free(rq);
	cluster_wake(c);
	if (ok) {
		c->metadata_at = loop_now(c->loop);
		c->metadata_failures = 0;
		c->metadata_answers++;
		c->connected = true;
		return;
	}
	c->refresh_wanted = true;
	/* One broker of several that is down does not mean that the cluster is. */
	if (++c->metadata_failures < brokers || !c->connected || c->freed)
		return;
	c->connected = false;
	log_warn(loop_log(c->loop), NULL,
		"no broker of the cluster answers; trying all of them and the bootstrap servers in turn");
}

static enum err metadata_answered(struct rq *rq, struct reader *body, struct chunk *chunk)
{
	struct cluster *c = rq->cluster;
	struct picture *p = NULL;
	int32_t throttle = 0;
	enum err e = picture_new(c->picture, body, rq->version, &p, &throttle);

	(void)chunk;
	if (e == ERR_NOT_FOUND) {
		/* Well formed, but the broker knows nothing yet: the next one may. */
		metadata_end(rq, false);
		return ERR_OK;
	}
	if (e)
		return e;
	c->counts.throttle_ms += throttle > 0 ? (uint64_t)throttle : 0;
	picture_free(c->next_picture);
	c->next_picture = p;
	metadata_end(rq, true);
	return ERR_OK;
}

static void metadata_failed(struct rq *rq, int16_t error)
{
	(void)error;
	metadata_end(rq, false);
}

static const struct rq_ops metadata_ops = {
	.api_key = 3,
	.version_min = 4,
	.version_max = 13,
	.answer_max = ANSWER_LARGE,
	.build = metadata_build,
	.answered = metadata_answered,
	.failed = metadata_failed,
};

/* Brokers in turn while one of them may be tried now, else the bootstrap servers in turn, else whoever may be tried
 * first. */
static struct node *metadata_node(struct cluster *c, int64_t now)
{
	struct node *n, *first[2] = {NULL, NULL}, *soonest = NULL;
	uint32_t count[2] = {0, 0}, turn[2];

	TAILQ_FOREACH(n, &c->nodes, entry)
	{
		if (!soonest || n->retry_at < soonest->retry_at)
			soonest = n;
		if (n->retry_at <= now)
			count[n->id < 0]++;
	}
	c->metadata_turn++;
	for (int i = 0; i < 2; i++)
		turn[i] = count[i] ? c->metadata_turn % count[i] : 0;
	TAILQ_FOREACH(n, &c->nodes, entry)
	{
		int seed = n->id < 0;

		if (n->retry_at <= now && turn[seed]-- == 0)
			first[seed] = n;
	}
	return first[0] ? first[0] : first[1] ? first[1] : soonest;
}

void metadata_pump(struct cluster *c)
{
	int64_t now = loop_now(c->loop), due = c->metadata_at + c->cfg.metadata_max_age_ms;
	struct node *n;

	if (c->metadata_rq)
		return;
	if (!c->metadata_at || c->refresh_wanted)
		due = c->metadata_asked_at + REFRESH_MIN_MS;
	if (now < due) {
		cluster_wake_at(c, due);
		return;
	}
	n = metadata_node(c, now);
	if (!n)
		return;
	c->refresh_wanted = false;
	c->metadata_asked_at = now;
	c->metadata_rq = mem_zalloc(1, sizeof(*c->metadata_rq));
	c->metadata_rq->ops = &metadata_ops;
	c->metadata_rq->version_cap = metadata_ops.version_max;
	c->metadata_rq->timeout_ms = c->cfg.request_timeout_ms;
	link_submit(node_link(n, LINK_CONTROL), c->metadata_rq);
}

void metadata_release(struct cluster *c)
{
	picture_free(c->picture);
	picture_free(c->next_picture);
	c->picture = c->next_picture = NULL;
}

static void metadata_log(struct cluster *c)
{
	const struct cluster_metadata *md = &c->picture->md;

	if (c->reached)
		return;
	c->reached = true;
	log_info(loop_log(c->loop), NULL, "cluster %.*s reached: %u brokers, %u topics", (int)md->cluster_id.n,
		md->cluster_id.p ? md->cluster_id.p : "", (unsigned)md->brokers_n, (unsigned)md->topics_n);
}

void metadata_adopt(struct cluster *c)
{
	struct picture *old = c->picture, *now = c->next_picture;
	struct node *n;

	if (!now)
		return;
	c->next_picture = NULL;
	if (old && picture_equal(old, now)) {
		old->md.controller_id = now->md.controller_id;
		picture_free(now);
		return;
	}
	c->picture = now;
	nodes_adopt(c, &now->md);
	TAILQ_FOREACH(n, &c->nodes, entry)
	fetches_rehome(c, n);
	tps_purge(c);
	metadata_log(c);
	if (c->cb.on_metadata)
		c->cb.on_metadata(c->arg, &now->md, old ? &old->md : NULL);
	picture_free(old);
}

void cluster_refresh(struct cluster *c)
{
	if (c->freed)
		return;
	c->refresh_wanted = true;
	cluster_wake(c);
}

bool cluster_is_connected(const struct cluster *c)
{
	return c->connected;
}

uint64_t cluster_metadata_answers(const struct cluster *c)
{
	return c->metadata_answers;
}
