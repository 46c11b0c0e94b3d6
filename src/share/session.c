/* SPDX-License-Identifier: Apache-2.0 */
/* Share sessions, one for each (node, group, member): their partitions, their epochs, and the owners that locks are
 * held by. */
#include "engine.h"

static int share_session_cmp(const struct share_session *a, const struct share_session *b)
{
	int d = str_cmp(a->owner->id, b->owner->id);

	return d ? d : (a->node->id > b->node->id) - (a->node->id < b->node->id);
}

static int share_conn_cmp(const struct share_session *a, const struct share_session *b)
{
	if (a->conn_id != b->conn_id)
		return a->conn_id < b->conn_id ? -1 : 1;
	return (a->serial > b->serial) - (a->serial < b->serial);
}

static int share_waiting_conn_cmp(const struct share_session *a, const struct share_session *b)
{
	if (a->fetch.conn_id != b->fetch.conn_id)
		return a->fetch.conn_id < b->fetch.conn_id ? -1 : 1;
	return (a->serial > b->serial) - (a->serial < b->serial);
}

static int share_node_cmp(const struct share_node *a, const struct share_node *b)
{
	return (a->id > b->id) - (a->id < b->id);
}

static int share_owner_cmp(const struct share_owner *a, const struct share_owner *b)
{
	return str_cmp(a->id, b->id);
}

static int share_session_partition_cmp(const struct share_session_partition *a, const struct share_session_partition *b)
{
	int d = uuid_cmp(a->topic_id, b->topic_id);

	return d ? d : (a->partition > b->partition) - (a->partition < b->partition);
}

RB_GENERATE(share_session_tree, share_session, by_member, share_session_cmp)
RB_GENERATE(share_conn_tree, share_session, by_conn, share_conn_cmp)
RB_GENERATE(share_waiting_conn_tree, share_session, by_waiting_conn, share_waiting_conn_cmp)
RB_GENERATE(share_node_tree, share_node, by_id, share_node_cmp)
RB_GENERATE(share_owner_tree, share_owner, by_id, share_owner_cmp)
RB_GENERATE(share_session_partition_tree, share_session_partition, by_key, share_session_partition_cmp)

/* ---- owners and nodes ---- */

static struct share_owner *owner_find(struct share_group *g, struct str id)
{
	struct share_owner key = {.id = id};

	return RB_FIND(share_owner_tree, &g->owners, &key);
}

static struct share_owner *owner_get(struct share_group *g, struct str id)
{
	struct share_owner *o = owner_find(g, id);

	if (o)
		return o;
	o = mem_zalloc(1, sizeof(*o));
	o->g = g;
	o->id = share_str_dup(id);
	RB_INIT(&o->holders);
	RB_INSERT(share_owner_tree, &g->owners, o);
	return o;
}

/* Frees the owner when it has no session and holds nothing; holders that are left empty go too. */
void share_owner_put(struct share_engine *e, struct share_owner *o)
{
	struct share_holder *h, *next;

	if (o->sessions)
		return;
	RB_FOREACH_SAFE(h, share_holder_tree, &o->holders, next)
	{
		if (TAILQ_EMPTY(&h->ranges))
			share_holder_free(e, h);
	}
	if (!RB_EMPTY(&o->holders))
		return;
	RB_REMOVE(share_owner_tree, &o->g->owners, o);
	share_str_free(&o->id);
	mem_free(o);
}

static struct share_node *node_get(struct share_engine *e, int32_t id)
{
	struct share_node key = {.id = id}, *n;

	n = RB_FIND(share_node_tree, &e->nodes, &key);
	if (n)
		return n;
	n = mem_zalloc(1, sizeof(*n));
	n->id = id;
	RB_INSERT(share_node_tree, &e->nodes, n);
	return n;
}

static void node_put(struct share_engine *e, struct share_node *n)
{
	if (--n->sessions)
		return;
	RB_REMOVE(share_node_tree, &e->nodes, n);
	mem_free(n);
}

/* ---- sessions ---- */

struct share_session *share_session_find(struct share_group *g, struct str member_id, int32_t node_id)
{
	struct share_owner o = {.id = member_id};
	struct share_node n = {.id = node_id};
	struct share_session key = {.owner = &o, .node = &n};

	return RB_FIND(share_session_tree, &g->sessions, &key);
}

bool share_session_has_room(struct share_engine *e, struct share_group *g, struct str member_id, int32_t node_id)
{
	struct share_node key = {.id = node_id}, *n;

	n = RB_FIND(share_node_tree, &e->nodes, &key);
	return !n || n->sessions < e->cfg.max_share_sessions || (g && share_session_find(g, member_id, node_id));
}

/* A session at its first epoch. One that is there already begins anew in place: its locks stay, as its client may still
 * work on the records; its partitions stay until the caller has removed those that are not listed again. */
struct share_session *share_session_open(
	struct share_engine *e, struct share_group *g, struct str member_id, int32_t node_id, uint64_t conn_id)
{
	struct share_session *s = share_session_find(g, member_id, node_id);
	struct share_session_partition *p;

	if (s) {
		RB_REMOVE(share_conn_tree, &e->conns, s);
		TAILQ_FOREACH(p, &s->order, in_session)
		{
			if (!p->fresh && !p->had_error)
				s->flagged_n++;
			p->fresh = true;
			p->had_error = false;
		}
	} else {
		s = mem_zalloc(1, sizeof(*s));
		s->g = g;
		s->owner = owner_get(g, member_id);
		s->owner->sessions++;
		s->node = node_get(e, node_id);
		s->node->sessions++;
		s->serial = ++e->session_serial;
		RB_INIT(&s->parts);
		TAILQ_INIT(&s->order);
		RB_INSERT(share_session_tree, &g->sessions, s);
		e->counts.sessions++;
	}
	s->conn_id = conn_id;
	RB_INSERT(share_conn_tree, &e->conns, s);
	s->next_epoch = 1;
	return s;
}

void share_session_advance(struct share_session *s)
{
	s->next_epoch = s->next_epoch == INT32_MAX ? 1 : s->next_epoch + 1;
}

/* Gives back what the session's member acquired through it. */
static void session_release(struct share_engine *e, struct share_session *s)
{
	struct share_holder *h, *next;

	RB_FOREACH_SAFE(h, share_holder_tree, &s->owner->holders, next)
	{
		if (h->node_id == s->node->id && share_session_lookup(s, h->sp->topic->id, h->sp->partition))
			share_partition_release_holder(e, h);
	}
}

/* Ends the session; a waiting fetch must have been answered. The group is the caller's to put. */
void share_session_close(struct share_engine *e, struct share_session *s, bool release)
{
	struct share_group *g = s->g;
	struct share_owner *o = s->owner;
	struct share_session_partition *p;

	sl_assert(!s->waiting);
	if (release)
		session_release(e, s);
	while ((p = TAILQ_FIRST(&s->order)))
		share_session_remove(e, p);
	RB_REMOVE(share_conn_tree, &e->conns, s);
	RB_REMOVE(share_session_tree, &g->sessions, s);
	node_put(e, s->node);
	mem_free(s);
	e->counts.sessions--;
	o->sessions--;
	share_owner_put(e, o);
}

static struct share_session *conn_first(struct share_engine *e, uint64_t conn_id)
{
	struct share_session key = {.conn_id = conn_id}, *s;

	s = RB_NFIND(share_conn_tree, &e->conns, &key);
	return s && s->conn_id == conn_id ? s : NULL;
}

static struct share_session *waiting_conn_first(struct share_engine *e, uint64_t conn_id)
{
	struct share_session key = {.fetch = {.conn_id = conn_id}}, *s;

	s = RB_NFIND(share_waiting_conn_tree, &e->waiting_conns, &key);
	return s && s->fetch.conn_id == conn_id ? s : NULL;
}

void share_session_conn_closed(struct share_engine *e, uint64_t conn_id)
{
	struct share_session *s;

	while ((s = waiting_conn_first(e, conn_id))) /* nothing may be acquired for them any more */
		share_fetch_displace(
			e, s, SHARE_ERR_SHARE_SESSION_NOT_FOUND, "The connection of the request is closed.");
	while ((s = conn_first(e, conn_id))) {
		struct share_group *g = s->g;

		if (s->waiting)
			share_fetch_displace(e, s, SHARE_ERR_SHARE_SESSION_NOT_FOUND,
				"The connection of the share session is closed.");
		share_session_close(e, s, true);
		share_group_put(e, g);
	}
}

/* ---- partitions of a session ---- */

struct share_session_partition *share_session_lookup(struct share_session *s, struct uuid topic_id, int32_t partition)
{
	struct share_session_partition key = {.topic_id = topic_id, .partition = partition};

	return RB_FIND(share_session_partition_tree, &s->parts, &key);
}

/* Finds the share-partition for p once its topic is known. */
void share_session_bind(struct share_engine *e, struct share_session_partition *p)
{
	struct share_group *g = p->s->g;
	struct share_partition *sp = share_partition_find(g, p->topic_id, p->partition);
	struct share_topic *t = sp ? NULL : share_topic_find(e, p->topic_id);

	if (p->denied)
		return;
	if (!sp && t && p->partition >= 0 && p->partition < t->partitions)
		sp = share_partition_get(e, g, t, p->partition);
	if (!sp)
		return;
	p->sp = sp;
	p->known = true;
	LIST_INSERT_HEAD(&sp->sessions, p, in_partition);
	share_log_attach(e, sp);
}

/* Why a partition of a session can not be served: without a start offset a group can read nothing. A topic that is gone
 * is still called by its name in a session that knew it. */
int16_t share_session_partition_error(struct share_engine *e, const struct share_session_partition *p)
{
	const struct share_topic *t;

	if (p->denied)
		return SHARE_ERR_TOPIC_AUTHORIZATION_FAILED;
	if (p->sp)
		return p->sp->phase == SHARE_PARTITION_UNKNOWN ? SHARE_ERR_UNKNOWN_SERVER_ERROR : SHARE_ERR_NONE;
	t = share_topic_find(e, p->topic_id);
	return p->known || (t && t->partitions) ? SHARE_ERR_UNKNOWN_TOPIC_OR_PARTITION : SHARE_ERR_UNKNOWN_TOPIC_ID;
}

struct share_session_partition *share_session_add(
	struct share_engine *e, struct share_session *s, struct uuid topic_id, int32_t partition, bool denied)
{
	struct share_session_partition *p = mem_zalloc(1, sizeof(*p));

	p->s = s;
	p->topic_id = topic_id;
	p->partition = partition;
	p->fresh = true;
	p->denied = denied;
	s->denied_n += denied;
	RB_INSERT(share_session_partition_tree, &s->parts, p);
	TAILQ_INSERT_TAIL(&s->order, p, in_session);
	s->parts_n++;
	s->flagged_n++;
	share_session_bind(e, p);
	return p;
}

/* Takes p from its share-partition, which may be left without sessions. */
static void session_unbind(struct share_engine *e, struct share_session_partition *p)
{
	struct share_partition *sp = p->sp;

	sl_assert(!p->waiting);
	if (!sp)
		return;
	LIST_REMOVE(p, in_partition);
	p->sp = NULL;
	if (LIST_EMPTY(&sp->sessions)) {
		share_log_detach(e, sp);
		share_partition_put(e, sp);
	}
}

void share_session_deny(struct share_engine *e, struct share_session_partition *p, bool denied)
{
	if (p->denied == denied)
		return;
	p->denied = denied;
	p->s->denied_n = denied ? p->s->denied_n + 1 : p->s->denied_n - 1;
	if (denied)
		session_unbind(e, p);
	if (!p->fresh && !p->had_error)
		p->s->flagged_n++;
	p->fresh = true;
}

uint32_t share_session_topics(const struct share_engine *e, struct str group_id, struct str member_id, int32_t node_id,
	struct uuid *v, uint32_t max)
{
	struct share_group *g = share_group_find(e, group_id);
	const struct share_session *s = g ? share_session_find(g, member_id, node_id) : NULL;
	const struct share_session_partition *p;
	uint32_t n = 0;

	if (!s)
		return 0;
	TAILQ_FOREACH(p, &s->order, in_session)
	{
		if (v && n < max)
			v[n] = p->topic_id;
		n++;
	}
	return n;
}

void share_session_remove(struct share_engine *e, struct share_session_partition *p)
{
	struct share_session *s = p->s;

	session_unbind(e, p);
	RB_REMOVE(share_session_partition_tree, &s->parts, p);
	TAILQ_REMOVE(&s->order, p, in_session);
	s->parts_n--;
	s->denied_n -= p->denied;
	if (p->fresh || p->had_error)
		s->flagged_n--;
	mem_free(p);
}
