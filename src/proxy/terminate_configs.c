/* SPDX-License-Identifier: Apache-2.0 */
/* DescribeConfigs and IncrementalAlterConfigs: share.* configs of GROUP resources are sluice's own, everything else is
 * the broker's; one request may mix both.
 *
 *   request -> without GROUP: forwarded as it is
 *           -> describe: forwarded whole, share.* entries of its GROUP results replaced
 *           -> alter: what is the broker's is forwarded, then what is ours goes to the engine; one result a resource,
 * in the request's order
 */
#include <stdlib.h>

#include "proxy/authorize.h"
#include "proxy/service_priv.h"
#include "proxy/terminate.h"
#include "wire/kafka_errors.h"
#include "wire/messages.h"

#define RESOURCE_TOPIC 2
#define RESOURCE_GROUP 32
#define LIST_TYPES 1 /* first version of ListConfigResources that asks for other types than client metrics */

#define describe_rq_resource describe_configs_request_describe_configs_resource
#define describe_rs_result describe_configs_response_describe_configs_result
#define describe_rs_entry describe_configs_response_describe_configs_resource_result
#define describe_rs_synonym describe_configs_response_describe_configs_synonym
#define alter_rq_resource incremental_alter_configs_request_alter_configs_resource
#define alter_rq_config incremental_alter_configs_request_alterable_config
#define replace_rq_resource alter_configs_request_alter_configs_resource
#define replace_rq_config alter_configs_request_alterable_config
#define list_resource list_config_resources_response_config_resource
#define alter_rs_result incremental_alter_configs_response_alter_configs_resource_response

#define REPEATED "Each resource must appear at most once."

/* Configs of one GROUP resource in a request that alters them: there are not nearly as many. */
#define ALTER_CONFIGS_MAX 1000

static const struct uuid no_id;

enum { OP_SET, OP_DELETE, OP_APPEND, OP_SUBTRACT };

static bool config_is_ours(struct str name)
{
	for (uint32_t i = 0; i < share_group_config_names(); i++) {
		if (str_eq(share_group_config_name(i), name))
			return true;
	}
	return name.n >= 6 && memcmp(name.p, "share.", 6) == 0;
}

/* ---- DescribeConfigs ---- */

struct describe_job {
	struct service *sv;
	const struct describe_configs_request *rq;
};

static bool key_is_wanted(const struct describe_rq_resource *r, struct str name)
{
	if (!r->configuration_keys)
		return true;
	for (uint32_t i = 0; i < r->configuration_keys_n; i++) {
		if (str_eq(r->configuration_keys[i], name))
			return true;
	}
	return false;
}

static bool describe_entry(
	struct describe_job *d, struct slot *s, struct str group, uint32_t i, struct describe_rs_entry *out)
{
	struct share_config_source sources[SHARE_CONFIG_SOURCES];
	uint32_t n = share_group_config_sources(d->sv->engine, group, i, slot_arena(s), sources);

	out->name = share_group_config_name(i);
	out->value = sources[0].value;
	out->is_default = sources[0].type == SHARE_CONFIG_DEFAULT && slot_get_request(s)->header.api_version == 0;
	out->config_source = (int8_t)sources[0].type;
	out->config_type = share_group_config_type(i);
	if (d->rq->include_documentation)
		out->documentation = str_of(share_group_config_doc(i));
	out->synonyms_n = d->rq->include_synonyms ? n : 0;
	out->synonyms = terminate_alloc(s, out->synonyms_n, sizeof(*out->synonyms));
	if (!out->synonyms)
		return false;
	for (uint32_t k = 0; k < out->synonyms_n; k++)
		out->synonyms[k] =
			(struct describe_rs_synonym){sources[k].name, sources[k].value, (int8_t)sources[k].type};
	return true;
}

/* The broker's entries without share.*, then ours. A broker that does not know the resource type answers 42: then ours
 * stand alone. */
static bool describe_merge(
	struct describe_job *d, struct slot *s, const struct describe_rq_resource *asked, struct describe_rs_result *rs)
{
	uint32_t max = rs->configs_n + share_group_config_names(), n = 0;
	struct describe_rs_entry *v;
	int32_t sp;

	if (rs->error_code && rs->error_code != KAFKA_ERR_INVALID_REQUEST)
		return true;
	if (asked->resource_name.n == 0)
		return true;
	if (rs->error_code && !authorize_cluster(d->sv, s, RIGHT_DESCRIBE_CONFIGS)) {
		rs->error_code = KAFKA_ERR_GROUP_AUTHORIZATION_FAILED;
		return true;
	}
	rs->error_code = service_group_partition(d->sv, rs->resource_name, &sp);
	rs->error_message = STR_LIT("");
	v = terminate_alloc(s, max, sizeof(*v));
	if (!v)
		return false;
	for (uint32_t i = 0; i < rs->configs_n && !rs->error_code; i++) {
		if (!config_is_ours(rs->configs[i].name))
			v[n++] = rs->configs[i];
	}
	for (uint32_t i = 0; i < share_group_config_names() && !rs->error_code; i++) {
		if (key_is_wanted(asked, share_group_config_name(i)) &&
			!describe_entry(d, s, rs->resource_name, i, &v[n++]))
			return false;
	}
	rs->configs = v;
	rs->configs_n = n;
	return true;
}

/* The resource that result i answers. Brokers answer in the request's order, so the search begins there. */
static const struct describe_rq_resource *describe_asked(
	const struct describe_job *d, uint32_t i, const struct describe_rs_result *rs)
{
	for (uint32_t k = 0; k < d->rq->resources_n; k++) {
		const struct describe_rq_resource *r = &d->rq->resources[(i + k) % d->rq->resources_n];

		if (r->resource_type == RESOURCE_GROUP && str_eq(r->resource_name, rs->resource_name))
			return r;
	}
	return NULL;
}

static void describe_forwarded(struct job *j, struct bytes body)
{
	struct describe_job *d = j->data;
	struct slot *s = j->slot;
	struct describe_configs_response *rs = terminate_forwarded(s, &describe_configs_response_schema, body);

	if (!rs) {
		job_drop(j);
		return;
	}
	for (uint32_t i = 0; i < rs->results_n; i++) {
		const struct describe_rq_resource *asked =
			rs->results[i].resource_type == RESOURCE_GROUP ? describe_asked(d, i, &rs->results[i]) : NULL;

		if (asked && !describe_merge(d, s, asked, &rs->results[i])) {
			job_drop(j);
			return;
		}
	}
	job_encode(j, &describe_configs_response_schema, rs);
}

static const struct job_ops describe_ops = {NULL, NULL, NULL};

void terminate_describe_configs(struct service *sv, struct slot *s, const void *msg)
{
	const struct describe_configs_request *rq = msg;
	struct describe_job *d;
	struct job *j;
	bool any = false;

	for (uint32_t i = 0; i < rq->resources_n; i++)
		any |= rq->resources[i].resource_type == RESOURCE_GROUP;
	if (!any) {
		terminate_pass(s);
		return;
	}
	d = terminate_alloc(s, 1, sizeof(*d));
	if (!d)
		return;
	*d = (struct describe_job){sv, rq};
	j = job_begin(sv, s, &describe_ops, d);
	job_forward_whole(j, describe_forwarded);
	job_release(j);
}

/* ---- IncrementalAlterConfigs ---- */

/* A resource of the request with what of it is ours. */
struct alter_part {
	const struct alter_rq_resource *asked;
	struct alter_rs_result result;
	struct share_config_entry *ours;
	uint32_t ours_n;
	struct alter_rq_config *theirs;
	uint32_t theirs_n;
};

struct alter_job {
	struct service *sv;
	bool replace; /* AlterConfigs: configs that are not named go back to their defaults */
	const struct incremental_alter_configs_request *rq;
	struct alter_part *parts; /* as rq->resources */
	uint32_t *calls;          /* part of each call */
};

static void alter_refuse(struct alter_part *p, int16_t error, struct str message)
{
	if (p->result.error_code || !error)
		return;
	p->result.error_code = error;
	p->result.error_message = message;
}

static void alter_take(struct slot *s, struct alter_part *p, const struct alter_rq_config *c)
{
	if (p->result.error_code)
		return;
	for (uint32_t i = 0; i < p->ours_n; i++) {
		if (str_eq(p->ours[i].name, c->name))
			alter_refuse(p, KAFKA_ERR_INVALID_REQUEST, STR_LIT("Error due to duplicate config keys"));
	}
	if (c->config_operation == OP_APPEND || c->config_operation == OP_SUBTRACT)
		alter_refuse(p, KAFKA_ERR_INVALID_CONFIG,
			arena_printf(slot_arena(s), "Can't %s to key %.*s because its type is not LIST.",
				c->config_operation == OP_APPEND ? "APPEND" : "SUBTRACT", (int)c->name.n, c->name.p));
	else if (c->config_operation != OP_SET && c->config_operation != OP_DELETE)
		alter_refuse(p, KAFKA_ERR_INVALID_REQUEST,
			arena_printf(slot_arena(s), "Unknown operation type %d", c->config_operation));
	else if (c->config_operation == OP_SET && !c->value.p)
		alter_refuse(p, KAFKA_ERR_INVALID_REQUEST,
			arena_printf(slot_arena(s), "Null value not supported for : %.*s", (int)c->name.n, c->name.p));
	p->ours[p->ours_n++] =
		(struct share_config_entry){c->name, c->config_operation == OP_SET ? c->value : STR_NULL};
}

/* What AlterConfigs does not name of ours is deleted. */
static void alter_add_deletes(struct alter_part *p)
{
	for (uint32_t i = 0; i < share_group_config_names(); i++) {
		struct str name = share_group_config_name(i);
		bool named = false;

		for (uint32_t k = 0; k < p->ours_n; k++)
			named |= str_eq(p->ours[k].name, name);
		if (!named)
			p->ours[p->ours_n++] = (struct share_config_entry){name, STR_NULL};
	}
}

/* Sorts a resource's configs into ours and the broker's. False: the slot is closed. */
static bool alter_split(
	struct slot *s, const struct alter_job *a, const struct alter_rq_resource *r, struct alter_part *p)
{
	p->asked = r;
	p->result.resource_type = r->resource_type;
	p->result.resource_name = r->resource_name;
	if (r->resource_type == RESOURCE_TOPIC && service_is_internal(a->sv, r->resource_name, no_id))
		alter_refuse(p, KAFKA_ERR_TOPIC_AUTHORIZATION_FAILED, terminate_internal_text(a->sv, s));
	if (r->resource_type != RESOURCE_GROUP)
		return true;
	alter_refuse(p, authorize_group(a->sv, s, r->resource_name, RIGHT_ALTER_CONFIGS), STR_NULL);
	if (r->configs_n > ALTER_CONFIGS_MAX) {
		alter_refuse(p, KAFKA_ERR_INVALID_REQUEST,
			arena_printf(slot_arena(s), "%u configs for one group, at most %d can be altered at once",
				r->configs_n, ALTER_CONFIGS_MAX));
		return true;
	}
	p->ours = terminate_alloc(s, (size_t)r->configs_n + share_group_config_names(), sizeof(*p->ours));
	p->theirs = p->ours ? terminate_alloc(s, r->configs_n, sizeof(*p->theirs)) : NULL;
	if (!p->theirs)
		return false;
	for (uint32_t i = 0; i < r->configs_n; i++) {
		if (config_is_ours(r->configs[i].name))
			alter_take(s, p, &r->configs[i]);
		else
			p->theirs[p->theirs_n++] = r->configs[i];
	}
	if (a->replace)
		alter_add_deletes(p);
	if (r->resource_name.n == 0)
		alter_refuse(p, KAFKA_ERR_INVALID_REQUEST, STR_LIT("Default group resources are not allowed."));
	return true;
}

static int alter_part_cmp(const void *a, const void *b)
{
	const struct alter_rq_resource *x = (*(struct alter_part *const *)a)->asked;
	const struct alter_rq_resource *y = (*(struct alter_part *const *)b)->asked;

	return x->resource_type != y->resource_type ? (x->resource_type < y->resource_type ? -1 : 1)
						    : str_cmp(x->resource_name, y->resource_name);
}

/* Which of two entries for one resource is meant cannot be known: none is. False: the slot is closed. */
static bool alter_refuse_repeated(struct slot *s, struct alter_job *a)
{
	struct alter_part **v = terminate_alloc(s, a->rq->resources_n, sizeof(*v));

	if (!v)
		return false;
	for (uint32_t i = 0; i < a->rq->resources_n; i++)
		v[i] = &a->parts[i];
	qsort(v, a->rq->resources_n, sizeof(struct alter_part *), alter_part_cmp);
	for (uint32_t i = 1; i < a->rq->resources_n; i++) {
		if (alter_part_cmp(&v[i - 1], &v[i]) != 0)
			continue;
		alter_refuse(v[i - 1], KAFKA_ERR_INVALID_REQUEST, STR_LIT(REPEATED));
		alter_refuse(v[i], KAFKA_ERR_INVALID_REQUEST, STR_LIT(REPEATED));
	}
	return true;
}

/* Replacing all configs of a group by ours alone clears the broker's. */
static bool part_is_forwarded(const struct alter_job *a, const struct alter_part *p)
{
	return !p->result.error_code && (p->asked->resource_type != RESOURCE_GROUP || p->theirs_n || a->replace);
}

static void alter_on_reply(struct job *j, uint32_t i, const struct share_effect *fx)
{
	struct alter_job *a = j->data;
	struct alter_part *p = &a->parts[a->calls[i]];

	p->result.error_code = fx->u.config.error;
	p->result.error_message = terminate_copy(j->slot, fx->u.config.error_message);
}

static void alter_on_lost(struct job *j, uint32_t i)
{
	struct alter_job *a = j->data;

	a->parts[a->calls[i]].result.error_code = KAFKA_ERR_COORDINATOR_NOT_AVAILABLE;
}

static void alter_on_done(struct job *j)
{
	struct alter_job *a = j->data;
	struct incremental_alter_configs_response rs;

	codec_init(&incremental_alter_configs_response_schema, &rs);
	rs.responses = arena_zalloc(slot_arena(j->slot), a->rq->resources_n, sizeof(*rs.responses));
	if (!rs.responses) {
		j->failed = true;
		return;
	}
	rs.responses_n = a->rq->resources_n;
	for (uint32_t i = 0; i < rs.responses_n; i++)
		rs.responses[i] = a->parts[i].result;
	/* The two answers have one layout. */
	job_encode(j, a->replace ? &alter_configs_response_schema : &incremental_alter_configs_response_schema, &rs);
}

static const struct job_ops alter_ops = {alter_on_reply, alter_on_lost, alter_on_done};

/* What is ours goes to the engine, for each resource whose broker part (if any) was accepted. */
static void alter_own_parts(struct job *j)
{
	struct alter_job *a = j->data;

	for (uint32_t i = 0; i < a->rq->resources_n; i++) {
		struct alter_part *p = &a->parts[i];
		struct share_event ev = {.type = SHARE_EV_ALTER_CONFIG};

		if (!p->ours_n || p->result.error_code)
			continue;
		p->result.error_code = service_group_partition(a->sv, p->asked->resource_name, &ev.state_partition);
		if (p->result.error_code)
			continue;
		ev.u.config.group_id = p->asked->resource_name;
		ev.u.config.entries = p->ours;
		ev.u.config.entries_n = p->ours_n;
		ev.u.config.validate_only = a->rq->validate_only;
		a->calls[j->calls_n] = i;
		job_call(j, &ev);
	}
}

static void alter_forwarded(struct job *j, struct bytes body)
{
	struct alter_job *a = j->data;
	struct incremental_alter_configs_response *rs = terminate_forwarded(j->slot,
		a->replace ? &alter_configs_response_schema : &incremental_alter_configs_response_schema, body);

	if (!rs) {
		job_drop(j);
		return;
	}
	/* The broker answers in the order of what it was sent: the search goes on behind the last part found. */
	for (uint32_t i = 0, next = 0; i < rs->responses_n; i++) {
		for (uint32_t k = 0; k < a->rq->resources_n; k++) {
			uint32_t at = (next + k) % a->rq->resources_n;
			struct alter_part *p = &a->parts[at];

			if (!part_is_forwarded(a, p) || p->asked->resource_type != rs->responses[i].resource_type ||
				!str_eq(p->asked->resource_name, rs->responses[i].resource_name))
				continue;
			p->result.error_code = rs->responses[i].error_code;
			p->result.error_message = terminate_copy(j->slot, rs->responses[i].error_message);
			next = at + 1;
			break;
		}
	}
	alter_own_parts(j);
}

/* The part of the request that is the broker's, in the layout of IncrementalAlterConfigs; false: the slot is closed. */
static bool alter_broker_part(struct slot *s, const struct alter_job *a, struct incremental_alter_configs_request *rq)
{
	*rq = *a->rq;
	rq->resources_n = 0;
	rq->resources = terminate_alloc(s, a->rq->resources_n, sizeof(*rq->resources));
	for (uint32_t i = 0; rq->resources && i < a->rq->resources_n; i++) {
		const struct alter_part *p = &a->parts[i];
		struct alter_rq_resource *out = &rq->resources[rq->resources_n];

		if (!part_is_forwarded(a, p))
			continue;
		*out = *p->asked;
		if (p->asked->resource_type == RESOURCE_GROUP) {
			out->configs = p->theirs;
			out->configs_n = p->theirs_n;
		}
		rq->resources_n++;
	}
	return rq->resources != NULL;
}

/* The same request as AlterConfigs. False: the slot is closed. */
static bool replace_from(
	struct slot *s, const struct incremental_alter_configs_request *in, struct alter_configs_request *out)
{
	codec_init(&alter_configs_request_schema, out);
	out->validate_only = in->validate_only;
	out->resources_n = in->resources_n;
	out->resources = terminate_alloc(s, in->resources_n, sizeof(*out->resources));
	for (uint32_t i = 0; out->resources && i < in->resources_n; i++) {
		const struct alter_rq_resource *r = &in->resources[i];
		struct replace_rq_resource *to = &out->resources[i];

		to->resource_type = r->resource_type;
		to->resource_name = r->resource_name;
		to->configs_n = r->configs_n;
		to->configs = terminate_alloc(s, r->configs_n, sizeof(*to->configs));
		for (uint32_t k = 0; to->configs && k < r->configs_n; k++)
			to->configs[k] = (struct replace_rq_config){r->configs[k].name, r->configs[k].value};
		if (!to->configs)
			return false;
	}
	return out->resources != NULL;
}

/* AlterConfigs as an IncrementalAlterConfigs that sets everything. NULL: the slot is closed. */
static const struct incremental_alter_configs_request *replace_to(
	struct slot *s, const struct alter_configs_request *in)
{
	struct incremental_alter_configs_request *out = terminate_alloc(s, 1, sizeof(*out));

	if (!out)
		return NULL;
	codec_init(&incremental_alter_configs_request_schema, out);
	out->validate_only = in->validate_only;
	out->resources_n = in->resources_n;
	out->resources = terminate_alloc(s, in->resources_n, sizeof(*out->resources));
	for (uint32_t i = 0; out->resources && i < in->resources_n; i++) {
		const struct replace_rq_resource *r = &in->resources[i];
		struct alter_rq_resource *to = &out->resources[i];

		to->resource_type = r->resource_type;
		to->resource_name = r->resource_name;
		to->configs_n = r->configs_n;
		to->configs = terminate_alloc(s, r->configs_n, sizeof(*to->configs));
		for (uint32_t k = 0; to->configs && k < r->configs_n; k++)
			to->configs[k] = (struct alter_rq_config){r->configs[k].name, OP_SET, r->configs[k].value};
		if (!to->configs)
			return NULL;
	}
	return out->resources ? out : NULL;
}

static void alter_forward(struct job *j)
{
	struct alter_job *a = j->data;
	struct incremental_alter_configs_request theirs;
	struct alter_configs_request replaced;

	if (!alter_broker_part(j->slot, a, &theirs) || (a->replace && !replace_from(j->slot, &theirs, &replaced)))
		job_drop(j);
	else if (theirs.resources_n == 0)
		alter_own_parts(j);
	else if (a->replace)
		terminate_forward(j, &alter_configs_request_schema, &replaced, alter_forwarded);
	else
		terminate_forward(j, &incremental_alter_configs_request_schema, &theirs, alter_forwarded);
}

static bool alter_concerns_us(const struct service *sv, const struct incremental_alter_configs_request *rq)
{
	for (uint32_t i = 0; i < rq->resources_n; i++) {
		const struct alter_rq_resource *r = &rq->resources[i];

		if (r->resource_type == RESOURCE_GROUP)
			return true;
		if (r->resource_type == RESOURCE_TOPIC && service_is_internal(sv, r->resource_name, no_id))
			return true;
	}
	return false;
}

static void alter_begin(
	struct service *sv, struct slot *s, const struct incremental_alter_configs_request *rq, bool replace)
{
	struct alter_job *a;
	struct job *j;

	if (!alter_concerns_us(sv, rq)) {
		terminate_pass(s);
		return;
	}
	a = terminate_alloc(s, 1, sizeof(*a));
	if (!a)
		return;
	a->parts = terminate_alloc(s, rq->resources_n, sizeof(*a->parts));
	a->calls = a->parts ? terminate_alloc(s, rq->resources_n, sizeof(*a->calls)) : NULL;
	if (!a->calls)
		return;
	a->sv = sv;
	a->replace = replace;
	a->rq = rq;
	for (uint32_t i = 0; i < rq->resources_n; i++) {
		if (!alter_split(s, a, &rq->resources[i], &a->parts[i]))
			return;
	}
	if (!alter_refuse_repeated(s, a))
		return;
	j = job_begin(sv, s, &alter_ops, a);
	alter_forward(j);
	job_release(j);
}

void terminate_alter_configs(struct service *sv, struct slot *s, const void *msg)
{
	alter_begin(sv, s, msg, false);
}

void terminate_replace_configs(struct service *sv, struct slot *s, const void *msg)
{
	const struct incremental_alter_configs_request *rq = replace_to(s, msg);

	if (rq)
		alter_begin(sv, s, rq, true);
}

/* ---- ListConfigResources: groups with configs of their own ---- */

static bool group_has_configs(const struct service *sv, struct slot *s, struct str group)
{
	for (uint32_t i = 0; i < share_group_config_names(); i++) {
		bool is_set = false;

		share_group_config_value(sv->engine, group, share_group_config_name(i), slot_arena(s), &is_set);
		if (is_set)
			return true;
	}
	return false;
}

struct list_job {
	struct service *sv;
	const struct list_config_resources_request *rq;
};

/* Counts or (v not NULL, up to max) writes those that the broker has not listed itself. */
static uint32_t list_own(struct slot *s, const struct list_job *d, struct list_resource *v, uint32_t max)
{
	uint32_t n = 0;

	for (int32_t sp = 0; sp < state_store_partitions(d->sv->store); sp++) {
		struct str id = STR_NULL;

		while (!str_is_null(id = share_next_group(d->sv->engine, sp, id))) {
			if (!group_has_configs(d->sv, s, id))
				continue;
			if (v && n < max)
				v[n] = (struct list_resource){terminate_copy(s, id), RESOURCE_GROUP};
			n++;
		}
	}
	return n;
}

static void list_forwarded(struct job *j, struct bytes body)
{
	const struct list_job *d = j->data;
	struct list_config_resources_response *rs =
		terminate_forwarded(j->slot, &list_config_resources_response_schema, body);
	uint32_t n = rs && !rs->error_code ? list_own(j->slot, d, NULL, 0) : 0, kept = 0;
	struct list_resource *all =
		rs ? terminate_alloc(j->slot, (size_t)rs->config_resources_n + n, sizeof(*all)) : NULL;

	if (!all) {
		job_drop(j);
		return;
	}
	for (uint32_t i = 0; i < rs->config_resources_n; i++) {
		const struct list_resource *r = &rs->config_resources[i];

		if (n == 0 || r->resource_type != RESOURCE_GROUP ||
			!group_has_configs(d->sv, j->slot, r->resource_name))
			all[kept++] = *r;
	}
	if (n)
		list_own(j->slot, d, all + kept, n);
	rs->config_resources = all;
	rs->config_resources_n = kept + n;
	job_encode(j, &list_config_resources_response_schema, rs);
}

static const struct job_ops list_ops = {NULL, NULL, NULL};

void terminate_list_config_resources(struct service *sv, struct slot *s, const void *msg)
{
	const struct list_config_resources_request *rq = msg;
	bool asked = slot_get_request(s)->header.api_version >= LIST_TYPES && rq->resource_types_n == 0;
	struct list_job *d;
	struct job *j;

	for (uint32_t i = 0; i < rq->resource_types_n; i++)
		asked |= rq->resource_types[i] == RESOURCE_GROUP;
	if (!asked) {
		terminate_pass(s);
		return;
	}
	d = terminate_alloc(s, 1, sizeof(*d));
	if (!d)
		return;
	*d = (struct list_job){sv, rq};
	j = job_begin(sv, s, &list_ops, d);
	job_forward_whole(j, list_forwarded);
	job_release(j);
}
