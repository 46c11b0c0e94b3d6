/* SPDX-License-Identifier: Apache-2.0 */
/* ListGroups and DeleteGroups: the cluster's groups and the share groups in one answer. */
#include <strings.h>

#include "proxy/authorize.h"
#include "proxy/service_priv.h"
#include "proxy/terminate.h"
#include "wire/kafka_errors.h"
#include "wire/messages.h"

#define FORWARD_MAX_BYTES (8 * 1024 * 1024)

#define listed_group list_groups_response_listed_group
#define deleted_group delete_groups_response_deletable_group_result

/* ---- ListGroups ---- */

struct list_job {
	struct service *sv;
	const struct list_groups_request *rq;
};

/* An empty filter lets everything through; names are compared without case, as Kafka does. */
static bool filter_has(const struct str *v, uint32_t n, const char *name)
{
	for (uint32_t i = 0; i < n; i++) {
		if (v[i].n == strlen(name) && strncasecmp(v[i].p, name, v[i].n) == 0)
			return true;
	}
	return n == 0;
}

/* Every share group that the filters let through, counted or (ret not NULL) written. */
static uint32_t list_share_groups(struct slot *s, const struct list_job *d, struct listed_group *ret, uint32_t max)
{
	int16_t version = slot_get_request(s)->header.api_version;
	bool stable = filter_has(d->rq->states_filter, d->rq->states_filter_n, "Stable");
	bool empty = filter_has(d->rq->states_filter, d->rq->states_filter_n, "Empty");
	uint32_t n = 0;

	bool sees_all = authorize_cluster(d->sv, s, RIGHT_DESCRIBE);

	if (!filter_has(d->rq->types_filter, d->rq->types_filter_n, "share"))
		return 0;
	for (int32_t sp = 0; sp < state_store_partitions(d->sv->store); sp++) {
		struct str id = STR_NULL;

		while (!str_is_null(id = share_next_group(d->sv->engine, sp, id))) {
			const char *state = share_group_state_name(d->sv->engine, id);

			if (!state || !(strcmp(state, "Stable") == 0 ? stable : empty))
				continue;
			if (!sees_all && authorize_group(d->sv, s, id, RIGHT_DESCRIBE))
				continue;
			if (ret && n < max) {
				ret[n].group_id = terminate_copy(s, id);
				ret[n].protocol_type = STR_LIT("share");
				ret[n].group_state = version >= 4 ? str_of(state) : STR_LIT("");
				ret[n].group_type = version >= 5 ? STR_LIT("share") : STR_LIT("");
			}
			n++;
		}
	}
	return n;
}

/* A share group of ours stands for whatever the cluster has under its id: ids do not repeat. */
static void list_forwarded(struct job *j, struct bytes body)
{
	const struct list_job *d = j->data;
	struct list_groups_response *rs = terminate_forwarded(j->slot, &list_groups_response_schema, body);
	struct listed_group *all;
	uint32_t n, kept = 0;

	if (!rs) {
		job_drop(j);
		return;
	}
	n = rs->error_code ? 0 : list_share_groups(j->slot, d, NULL, 0);
	all = terminate_alloc(j->slot, (size_t)rs->groups_n + n, sizeof(*all));
	if (!all) {
		job_drop(j);
		return;
	}
	for (uint32_t i = 0; i < rs->groups_n; i++) {
		if (!service_has_group(d->sv, rs->groups[i].group_id))
			all[kept++] = rs->groups[i];
	}
	if (n)
		list_share_groups(j->slot, d, all + kept, n);
	rs->groups = all;
	rs->groups_n = kept + n;
	job_encode(j, &list_groups_response_schema, rs);
}

static const struct job_ops list_ops = {NULL, NULL, NULL};

void terminate_list_groups(struct service *sv, struct slot *s, const void *msg)
{
	struct list_job *d = terminate_alloc(s, 1, sizeof(*d));
	struct job *j;

	if (!d)
		return;
	*d = (struct list_job){sv, msg};
	j = job_begin(sv, s, &list_ops, d);
	job_forward_whole(j, list_forwarded);
	job_release(j);
}

/* ---- DeleteGroups ---- */

struct delete_job {
	struct service *sv;
	const struct delete_groups_request *rq;
	struct deleted_group *results; /* as rq->groups_names */
	bool *ours;
	uint32_t *calls; /* group of each call */
};

static void delete_on_reply(struct job *j, uint32_t i, const struct share_effect *fx)
{
	struct delete_job *d = j->data;

	d->results[d->calls[i]].error_code = fx->u.config.error;
}

static void delete_on_lost(struct job *j, uint32_t i)
{
	struct delete_job *d = j->data;

	d->results[d->calls[i]].error_code = KAFKA_ERR_NOT_COORDINATOR;
}

static void delete_on_done(struct job *j)
{
	struct delete_job *d = j->data;
	struct delete_groups_response rs;

	codec_init(&delete_groups_response_schema, &rs);
	rs.results = d->results;
	rs.results_n = d->rq->groups_names_n;
	job_encode(j, &delete_groups_response_schema, &rs);
}

static const struct job_ops delete_ops = {delete_on_reply, delete_on_lost, delete_on_done};

static void delete_forwarded(struct job *j, struct bytes body)
{
	struct delete_job *d = j->data;
	struct delete_groups_response *rs = terminate_forwarded(j->slot, &delete_groups_response_schema, body);

	if (!rs) {
		job_drop(j);
		return;
	}
	/* The broker answers in the order of what it was sent: the search goes on behind the last name found. */
	for (uint32_t i = 0, next = 0; i < rs->results_n; i++) {
		for (uint32_t k = 0; k < d->rq->groups_names_n; k++) {
			uint32_t at = (next + k) % d->rq->groups_names_n;

			if (d->ours[at] || !str_eq(d->rq->groups_names[at], rs->results[i].group_id))
				continue;
			d->results[at].error_code = rs->results[i].error_code;
			d->results[at].error_message = terminate_copy(j->slot, rs->results[i].error_message);
			next = at + 1;
			break;
		}
	}
}

/* The names that no share group has are the broker's; false when there are none. */
static bool delete_broker_part(struct slot *s, const struct delete_job *d, struct writer *w)
{
	struct delete_groups_request rq;

	codec_init(&delete_groups_request_schema, &rq);
	rq.groups_names = arena_zalloc(slot_arena(s), d->rq->groups_names_n, sizeof(*rq.groups_names));
	for (uint32_t i = 0; rq.groups_names && i < d->rq->groups_names_n; i++) {
		if (!d->ours[i])
			rq.groups_names[rq.groups_names_n++] = d->rq->groups_names[i];
	}
	return rq.groups_names_n &&
	       !codec_encode(&delete_groups_request_schema, slot_get_request(s)->header.api_version, w, &rq);
}

static struct delete_job *delete_new(struct service *sv, struct slot *s, const struct delete_groups_request *rq)
{
	struct delete_job *d = terminate_alloc(s, 1, sizeof(*d));

	if (!d)
		return NULL;
	d->sv = sv;
	d->rq = rq;
	d->results = terminate_alloc(s, rq->groups_names_n, sizeof(*d->results));
	d->ours = d->results ? terminate_alloc(s, rq->groups_names_n, sizeof(*d->ours)) : NULL;
	d->calls = d->ours ? terminate_alloc(s, rq->groups_names_n, sizeof(*d->calls)) : NULL;
	if (!d->calls)
		return NULL;
	for (uint32_t i = 0; i < rq->groups_names_n; i++) {
		d->results[i].group_id = rq->groups_names[i];
		d->ours[i] = share_group_state_name(sv->engine, rq->groups_names[i]) != NULL;
	}
	return d;
}

/* One group whose shadow goes first: what is left of it would be taken for the beginning of the next group of that id.
 */
struct delete_one {
	struct job *job;
	uint32_t i;
};

static void delete_engine(struct job *j, uint32_t i)
{
	struct delete_job *d = j->data;
	struct share_event ev = {.type = SHARE_EV_DELETE_GROUP};

	d->results[i].error_code = service_group_partition(j->service, d->rq->groups_names[i], &ev.state_partition);
	if (d->results[i].error_code)
		return;
	ev.u.group.group_id = d->rq->groups_names[i];
	d->calls[j->calls_n] = i;
	job_call(j, &ev);
}

static void delete_mirrored_cb(void *arg, int16_t error)
{
	struct delete_one *one = arg;
	struct job *j = one->job;

	if (j->slot && error)
		((struct delete_job *)j->data)->results[one->i].error_code = error;
	else if (j->slot)
		delete_engine(j, one->i);
	job_release(j);
}

static void delete_begin(struct service *sv, struct job *j, uint32_t i)
{
	struct delete_job *d = j->data;
	const char *state = share_group_state_name(sv->engine, d->rq->groups_names[i]);
	struct delete_one *one;

	if (!mirror_is_on(sv->mirror) || !state || strcmp(state, "Empty") != 0) {
		delete_engine(j, i);
		return;
	}
	one = job_alloc(j, sizeof(*one));
	*one = (struct delete_one){j, i};
	job_hold(j);
	mirror_delete_group(sv->mirror, d->rq->groups_names[i], delete_mirrored_cb, one);
}

void terminate_delete_groups(struct service *sv, struct slot *s, const void *msg)
{
	const struct delete_groups_request *rq = msg;
	struct delete_job *d = delete_new(sv, s, rq);
	struct writer w;
	struct job *j;

	if (!d)
		return;
	j = job_begin(sv, s, &delete_ops, d);
	for (uint32_t i = 0; i < rq->groups_names_n; i++) {
		if (d->ours[i])
			d->results[i].error_code = authorize_group(sv, s, rq->groups_names[i], RIGHT_DELETE);
		if (d->ours[i] && !d->results[i].error_code)
			delete_begin(sv, j, i);
	}
	wr_init(&w, FORWARD_MAX_BYTES);
	if (delete_broker_part(s, d, &w))
		job_forward(j, &w, delete_forwarded);
	wr_release(&w);
	job_release(j);
}
