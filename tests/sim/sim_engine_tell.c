/* SPDX-License-Identifier: Apache-2.0 */
/* Events in words, for who has to understand a failed run. */
#include <inttypes.h>
#include <stdio.h>

#include "sim_engine.h"

static const char *event_name(enum share_event_type t)
{
	static const char *const names[] = {
		[SHARE_EV_TICK] = "time",
		[SHARE_EV_TOPIC] = "topic",
		[SHARE_EV_TOPIC_GONE] = "topic gone",
		[SHARE_EV_HEARTBEAT] = "heartbeat",
		[SHARE_EV_FETCH] = "fetch",
		[SHARE_EV_ACKNOWLEDGE] = "acknowledge",
		[SHARE_EV_DESCRIBE] = "describe",
		[SHARE_EV_DESCRIBE_OFFSETS] = "describe offsets",
		[SHARE_EV_ALTER_OFFSETS] = "alter offsets",
		[SHARE_EV_DELETE_OFFSETS] = "delete offsets",
		[SHARE_EV_DELETE_GROUP] = "delete group",
		[SHARE_EV_ALTER_CONFIG] = "alter config",
		[SHARE_EV_RECORDS] = "records",
		[SHARE_EV_OFFSET] = "offset",
		[SHARE_EV_LOG_START] = "log start",
		[SHARE_EV_CONN_CLOSED] = "connection closed",
		[SHARE_EV_STATE_LOST] = "state lost",
		[SHARE_EV_LEASE] = "lease",
		[SHARE_EV_STOP] = "stop",
	};

	return (size_t)t < sizeof(names) / sizeof(names[0]) && names[t] ? names[t] : "event";
}

static void tell_acks(const struct sim *s, const struct share_partition_acks *a)
{
	fprintf(stderr, " %s-%d",
		sim_topic_of(s, a->topic_id) < 0 ? "?" : sim_topic_name(sim_topic_of(s, a->topic_id)).p, a->partition);
	for (uint32_t i = 0; i < a->batches_n; i++) {
		const struct share_ack_batch *b = &a->batches[i];

		fprintf(stderr, "[%" PRId64 "-%" PRId64 " types", b->first, b->last);
		for (uint32_t j = 0; j < b->types_n && j < 20; j++)
			fprintf(stderr, " %d", b->types[j]);
		fprintf(stderr, "]");
	}
}

static void tell_fetch(const struct sim *s, const struct share_event *ev)
{
	fprintf(stderr, " %.*s %.*s node %d connection %" PRIu64 " epoch %d", (int)ev->u.fetch.group_id.n,
		ev->u.fetch.group_id.p, (int)ev->u.fetch.member_id.n, ev->u.fetch.member_id.p, ev->u.fetch.node_id,
		ev->u.fetch.conn_id, ev->u.fetch.session_epoch);
	if (ev->type == SHARE_EV_FETCH)
		fprintf(stderr, " wait %d bytes %d-%d records %d batch %d%s%s", ev->u.fetch.max_wait_ms,
			ev->u.fetch.min_bytes, ev->u.fetch.max_bytes, ev->u.fetch.max_records, ev->u.fetch.batch_size,
			ev->u.fetch.acquire_mode ? " exact" : "", ev->u.fetch.is_renew_ack ? " renews" : "");
	for (uint32_t i = 0; i < ev->u.fetch.partitions_n; i++)
		tell_acks(s, &ev->u.fetch.partitions[i]);
	for (uint32_t i = 0; i < ev->u.fetch.forgotten_n; i++)
		fprintf(stderr, " forgets topic %d-%d", sim_topic_of(s, ev->u.fetch.forgotten[i].topic_id),
			ev->u.fetch.forgotten[i].partition);
}

static void tell_records(const struct sim *s, const struct share_event *ev)
{
	fprintf(stderr, " topic %d-%d%s from %" PRId64 " error %d start %" PRId64 " end %" PRId64 " stable %" PRId64,
		sim_topic_of(s, ev->u.records.log.topic_id), ev->u.records.log.partition,
		ev->u.records.log.read_committed ? " committed" : "", ev->u.records.from_offset, ev->u.records.error,
		ev->u.records.log_start_offset, ev->u.records.high_watermark, ev->u.records.last_stable_offset);
	for (uint32_t i = 0; i < ev->u.records.batches_n; i++)
		fprintf(stderr, " %" PRId64 "-%" PRId64 "%s", ev->u.records.batches[i].base_offset,
			ev->u.records.batches[i].last_offset,
			ev->u.records.batches[i].control || ev->u.records.batches[i].empty ? " (none)" : "");
}

void sim_tell(const struct sim *s, const struct share_event *ev)
{
	fprintf(stderr, "step %" PRIu64 " at %" PRId64 ": %s", s->step, s->now, event_name(ev->type));
	switch (ev->type) {
	case SHARE_EV_FETCH:
	case SHARE_EV_ACKNOWLEDGE:
		tell_fetch(s, ev);
		break;
	case SHARE_EV_RECORDS:
		tell_records(s, ev);
		break;
	case SHARE_EV_HEARTBEAT:
		fprintf(stderr, " %.*s %.*s epoch %d topics %u", (int)ev->u.heartbeat.group_id.n,
			ev->u.heartbeat.group_id.p, (int)ev->u.heartbeat.member_id.n, ev->u.heartbeat.member_id.p,
			ev->u.heartbeat.member_epoch, ev->u.heartbeat.topics_n);
		break;
	case SHARE_EV_ALTER_CONFIG:
		fprintf(stderr, " %.*s %s=%s", (int)ev->u.config.group_id.n, ev->u.config.group_id.p,
			ev->u.config.entries[0].name.p,
			ev->u.config.entries[0].value.p ? ev->u.config.entries[0].value.p : "(none)");
		break;
	case SHARE_EV_OFFSET:
		fprintf(stderr, " %.*s topic %d-%d error %d offset %" PRId64, (int)ev->u.offset.group_id.n,
			ev->u.offset.group_id.p, sim_topic_of(s, ev->u.offset.topic_id), ev->u.offset.partition,
			ev->u.offset.error, ev->u.offset.offset);
		break;
	case SHARE_EV_LOG_START:
		fprintf(stderr, " topic %d-%d at %" PRId64, sim_topic_of(s, ev->u.log_start.topic_id),
			ev->u.log_start.partition, ev->u.log_start.offset);
		break;
	case SHARE_EV_TOPIC:
		fprintf(stderr, " %s partitions %d", ev->u.topic.name.p, ev->u.topic.partitions);
		break;
	case SHARE_EV_LEASE:
		fprintf(stderr, " of state partition %d from %" PRId64 " until %" PRId64, ev->u.lease.state_partition,
			ev->u.lease.not_before, ev->u.lease.until);
		break;
	case SHARE_EV_CONN_CLOSED:
		fprintf(stderr, " %" PRIu64, ev->u.conn_id);
		break;
	default:
		break;
	}
	fprintf(stderr, "\n");
}

void sim_tell_answer(const struct sim *s, const struct sim_pending *p, const struct share_effect *fx)
{
	fprintf(stderr, "	answers %s g%d m%d", event_name(p->type), p->g, p->member);
	if (p->type != SHARE_EV_FETCH && p->type != SHARE_EV_ACKNOWLEDGE) {
		fprintf(stderr, "\n");
		return;
	}
	fprintf(stderr, " node %d error %d", p->node, fx->u.fetch.error);
	for (uint32_t i = 0; i < fx->u.fetch.partitions_n; i++) {
		const struct share_fetch_partition_reply *r = &fx->u.fetch.partitions[i];
		int t = sim_topic_of(s, r->topic_id);

		fprintf(stderr, " %s-%d", t < 0 ? "?" : sim_topic_name(t).p, r->partition);
		if (r->error || r->ack_error)
			fprintf(stderr, " errors %d %d", r->error, r->ack_error);
		for (uint32_t j = 0; j < r->acquired_n; j++)
			fprintf(stderr, "[%" PRId64 "-%" PRId64 " %d times]", r->acquired[j].first, r->acquired[j].last,
				r->acquired[j].delivery_count);
	}
	fprintf(stderr, "\n");
}
