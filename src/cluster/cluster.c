/* SPDX-License-Identifier: Apache-2.0 */
/* The cluster client begins and ends here, and its turn: first tell users what has ended, then send what is to be sent.
 */
#include <sys/random.h>

#include "base/assert.h"
#include "base/mem.h"
#include "cluster_priv.h"

/* Retries of calls and writes: leadership moves within a second or so. */
#define RETRY_MIN_MS 50
#define RETRY_MAX_MS 1000

int64_t backoff_ms(int32_t base, int32_t max, uint32_t n)
{
	int64_t ms = base;
	uint32_t r = 0;

	for (uint32_t i = 0; i < n && ms < max; i++)
		ms *= 2;
	if (ms > max)
		ms = max;
	/* Without random numbers all clients come back together, which works too. */
	if (getrandom(&r, sizeof(r), GRND_NONBLOCK) != sizeof(r))
		r = UINT32_MAX / 2;
	return ms * 4 / 5 + ms * 2 / 5 * (int64_t)(r % 1024) / 1024;
}

int64_t cluster_retry_at(const struct cluster *c, uint32_t attempts)
{
	return loop_now(c->loop) + backoff_ms(RETRY_MIN_MS, RETRY_MAX_MS, attempts);
}

void cluster_complete(struct cluster *c, struct completion *d)
{
	sl_assert(!d->queued);
	d->queued = true;
	TAILQ_INSERT_TAIL(&c->completions, d, entry);
	cluster_wake(c);
}

void cluster_cancel_completion(struct cluster *c, struct completion *d)
{
	sl_assert(d->queued);
	d->queued = false;
	TAILQ_REMOVE(&c->completions, d, entry);
}

/* Users may do anything in their callbacks, cluster_free too. */
static void cluster_deliver(struct cluster *c)
{
	struct completion *d;

	metadata_adopt(c);
	while (!c->freed && (d = TAILQ_FIRST(&c->completions)) != NULL) {
		cluster_cancel_completion(c, d);
		d->deliver(d);
	}
}

static void cluster_turn(void *arg)
{
	struct cluster *c = arg;

	if (c->freed)
		return;
	cluster_deliver(c);
	c->wake_pending = false;
	if (c->freed)
		return;
	c->timer_at = INT64_MAX;
	metadata_pump(c);
	calls_pump(c);
	produces_pump(c);
	fetches_pump(c);
	if (c->timer_at == INT64_MAX)
		timer_clear(&c->timer);
}

void cluster_wake(struct cluster *c)
{
	if (c->wake_pending || c->freed)
		return;
	c->wake_pending = true;
	loop_defer(c->loop, cluster_turn, c);
}

void cluster_wake_at(struct cluster *c, int64_t at)
{
	if (c->freed || at >= c->timer_at)
		return;
	c->timer_at = at;
	timer_set(&c->timer, at);
}

static void cluster_on_timer(void *arg)
{
	struct cluster *c = arg;

	c->timer_at = INT64_MAX;
	cluster_wake(c);
}

static struct str cfg_copy(struct cluster *c, struct str s)
{
	char *p = str_is_null(s) ? NULL : arena_copy_string(&c->cfg_arena, s);

	return p ? (struct str){p, s.n} : STR_NULL;
}

static void cluster_copy_config(struct cluster *c, const struct cluster_config *cfg)
{
	struct cluster_server *v;

	arena_init(&c->cfg_arena, (size_t)1024 * 1024);
	c->cfg = *cfg;
	v = arena_zalloc(&c->cfg_arena, cfg->bootstrap_n, sizeof(*v));
	c->cfg.bootstrap = v;
	c->cfg.bootstrap_n = 0;
	for (uint32_t i = 0; v && i < cfg->bootstrap_n; i++) {
		v[i].host = cfg_copy(c, cfg->bootstrap[i].host);
		v[i].port = cfg->bootstrap[i].port;
		if (!str_is_null(v[i].host))
			c->cfg.bootstrap_n = i + 1;
	}
	c->cfg.client_id = cfg_copy(c, cfg->client_id);
	tls_context_ref(c->cfg.tls);
	login_ref(c->cfg.login);
	if (c->cfg.fetch_connections == 0)
		c->cfg.fetch_connections = 1;
}

struct cluster *cluster_new(
	struct loop *lp, const struct cluster_config *cfg, const struct cluster_callbacks *cb, void *arg)
{
	struct cluster *c = mem_zalloc(1, sizeof(*c));

	c->loop = lp;
	c->cb = *cb;
	c->arg = arg;
	c->timer_at = INT64_MAX;
	TAILQ_INIT(&c->completions);
	TAILQ_INIT(&c->nodes);
	TAILQ_INIT(&c->links);
	TAILQ_INIT(&c->calls);
	TAILQ_INIT(&c->produces);
	TAILQ_INIT(&c->homeless);
	timer_init(&c->timer, lp, cluster_on_timer, c);
	cluster_copy_config(c, cfg);
	for (uint32_t i = 0; i < c->cfg.bootstrap_n; i++)
		node_new(c, -1, c->cfg.bootstrap[i].host, c->cfg.bootstrap[i].port);
	cluster_wake(c);
	return c;
}

static void cluster_finish(void *arg)
{
	struct cluster *c = arg;

	tls_context_unref(c->cfg.tls);
	login_unref(c->cfg.login);
	arena_release(&c->cfg_arena);
	mem_free(c);
}

void cluster_set_tls(struct cluster *c, struct tls_context *t)
{
	tls_context_ref(t);
	tls_context_unref(c->cfg.tls);
	c->cfg.tls = t;
}

void cluster_set_login(struct cluster *c, struct login *l)
{
	struct node *n;

	sl_assert(l && c->cfg.login);
	login_ref(l);
	login_unref(c->cfg.login);
	c->cfg.login = l;
	/* Perhaps a wrong password was put right: no reason to wait longer. */
	TAILQ_FOREACH(n, &c->nodes, entry)
	n->retry_at = 0;
	links_retry(c);
}

const char *cluster_login_error(const struct cluster *c)
{
	return c->login_error;
}

void cluster_free(struct cluster *c)
{
	struct completion *d;

	if (!c || c->freed)
		return;
	c->freed = true;
	timer_clear(&c->timer);
	while (!TAILQ_EMPTY(&c->nodes))
		node_free(TAILQ_FIRST(&c->nodes), "cluster_free");
	/* What was on the links is back in the lists now. */
	calls_free(c);
	coordinators_free(c);
	produces_free(c);
	fetches_free(c);
	while ((d = TAILQ_FIRST(&c->completions)) != NULL) {
		cluster_cancel_completion(c, d);
		d->drop(d);
	}
	tps_purge(c);
	metadata_release(c);
	/* Perhaps this is inside a callback of cluster_turn. */
	loop_defer(c->loop, cluster_finish, c);
}

int16_t cluster_get_share_version(const struct cluster *c)
{
	return c->share_version;
}

void cluster_get_counts(const struct cluster *c, struct cluster_counts *ret)
{
	const struct broker_link *l;

	*ret = c->counts;
	ret->connections = 0;
	TAILQ_FOREACH(l, &c->links, entry)
	{
		if (!l->conn)
			continue;
		ret->connections += l->state >= LINK_VERSIONS && l->state <= LINK_READY;
		ret->bytes_in += conn_bytes_in(l->conn);
		ret->bytes_out += conn_bytes_out(l->conn);
	}
}
