/* SPDX-License-Identifier: Apache-2.0 */
/* Produce requests are walked here field by field as they arrive; records are skipped by their length. */
#include "route/produce_guard.h"

#include "route/api.h"
#include "wire/codec.h"
#include "wire/kafka_errors.h"
#include "wire/messages.h"

#define FIRST_TRANSACTIONAL 3
#define FIRST_BY_ID 13
#define UVARINT_MAX 5
#define ID_SIZE 16
#define SPOILT '!' /* no topic's name has it */

enum guard_state {
	GUARD_TRANSACTIONAL_ID,
	GUARD_ACKS,
	GUARD_TOPICS,
	GUARD_TOPIC,
	GUARD_PARTITIONS,
	GUARD_PARTITION,
	GUARD_TAGS,
	GUARD_TAG,
	GUARD_NEXT_PARTITION,
	GUARD_NEXT_TOPIC,
	GUARD_DONE,
};

static bool is_flexible(const struct produce_guard *g)
{
	return route_request_header_version(ROUTE_KEY_PRODUCE, g->version) > 1;
}

void produce_guard_init(struct produce_guard *g, int16_t version, uint64_t skip, struct str topic, struct uuid id)
{
	*g = (struct produce_guard){.version = version, .skip = skip, .topic = topic, .id = id};
	g->state = version >= FIRST_TRANSACTIONAL ? GUARD_TRANSACTIONAL_ID : GUARD_ACKS;
}

/* A spoilt id differs in every bit. */
static void spoil_id(uint8_t *p)
{
	for (size_t i = 0; i < ID_SIZE; i++)
		p[i] = (uint8_t)~p[i];
}

/* Goes to the tags that end an element, and from there to next. */
static void end_element(struct produce_guard *g, enum guard_state next)
{
	g->after_tags = (uint8_t)next;
	g->state = (uint8_t)(is_flexible(g) ? GUARD_TAGS : next);
}

/* Length of a string, of records or of an array; -1: null. */
static int64_t read_length(const struct produce_guard *g, struct reader *r, bool is_string)
{
	if (is_flexible(g))
		return (int64_t)rd_uvarint(r) - 1;
	return is_string ? rd_i16(r) : rd_i32(r);
}

static void read_topic(struct produce_guard *g, struct reader *r, uint8_t *p, size_t n)
{
	int64_t len = ID_SIZE;
	uint8_t *at;

	if (g->version < FIRST_BY_ID)
		len = read_length(g, r, true);
	if (r->err)
		return;
	at = p + (r->p - p);
	g->state = GUARD_PARTITIONS;
	if (g->version < FIRST_BY_ID && (len < 0 || (size_t)len != g->topic.n)) {
		g->skip = len > 0 ? (uint64_t)len : 0;
		return;
	}
	if (rd_left(r) < (size_t)len) {
		rd_fail(r);
		return;
	}
	g->skip = (uint64_t)len;
	if (g->version >= FIRST_BY_ID && !uuid_is_zero(g->id) && memcmp(at, g->id.b, ID_SIZE) == 0) {
		spoil_id(at);
		g->hit = true;
	} else if (g->version < FIRST_BY_ID && len > 0 && memcmp(at, g->topic.p, (size_t)len) == 0) {
		*at = SPOILT;
		g->hit = true;
	}
	(void)n;
}

static void read_count(const struct produce_guard *g, struct reader *r, uint32_t *ret)
{
	int64_t n = read_length(g, r, false);

	*ret = n > 0 ? (uint32_t)n : 0;
}

/* Reads one field; r->err: not all of it is there, or it is malformed. */
static void read_field(struct produce_guard *g, struct reader *r, uint8_t *p, size_t n)
{
	int64_t len;

	switch ((enum guard_state)g->state) {
	case GUARD_TRANSACTIONAL_ID:
		len = read_length(g, r, true);
		g->skip = len > 0 ? (uint64_t)len : 0;
		g->state = GUARD_ACKS;
		break;
	case GUARD_ACKS:
		g->skip = sizeof(int16_t) + sizeof(int32_t);
		g->state = GUARD_TOPICS;
		break;
	case GUARD_TOPICS:
		read_count(g, r, &g->topics);
		g->state = GUARD_NEXT_TOPIC;
		break;
	case GUARD_TOPIC:
		read_topic(g, r, p, n);
		break;
	case GUARD_PARTITIONS:
		read_count(g, r, &g->partitions);
		g->state = GUARD_NEXT_PARTITION;
		break;
	case GUARD_PARTITION:
		rd_i32(r);
		len = read_length(g, r, false);
		g->skip = len > 0 ? (uint64_t)len : 0;
		end_element(g, GUARD_NEXT_PARTITION);
		break;
	case GUARD_TAGS:
		g->tags = rd_uvarint(r);
		g->state = GUARD_TAG;
		break;
	case GUARD_TAG:
		rd_uvarint(r);
		g->skip = rd_uvarint(r);
		g->tags--;
		break;
	case GUARD_NEXT_PARTITION:
	case GUARD_NEXT_TOPIC:
	case GUARD_DONE:
		break;
	}
}

/* Moves on where no byte is needed for it. */
static void settle(struct produce_guard *g)
{
	if (g->state == GUARD_TAG && g->tags == 0)
		g->state = g->after_tags;
	if (g->state == GUARD_NEXT_PARTITION && g->partitions > 0) {
		g->partitions--;
		g->state = GUARD_PARTITION;
	} else if (g->state == GUARD_NEXT_PARTITION) {
		end_element(g, GUARD_NEXT_TOPIC);
	}
	if (g->state == GUARD_NEXT_TOPIC && g->topics > 0) {
		g->topics--;
		g->state = GUARD_TOPIC;
	} else if (g->state == GUARD_NEXT_TOPIC) {
		end_element(g, GUARD_DONE);
	}
}

/* Most bytes that a field takes before it is known to be malformed. */
static size_t field_max(const struct produce_guard *g)
{
	return UVARINT_MAX * 2 + (g->topic.n > ID_SIZE ? g->topic.n : ID_SIZE);
}

size_t produce_guard_feed(struct produce_guard *g, uint8_t *p, size_t n)
{
	size_t at = 0;

	while (at < n && !g->err) {
		struct produce_guard before;
		struct reader r;
		size_t k = n - at < g->skip ? n - at : (size_t)g->skip;

		at += k;
		g->skip -= k;
		settle(g);
		if (at == n || g->state == GUARD_DONE)
			break;
		before = *g;
		r = rd_init(p + at, n - at);
		read_field(g, &r, p + at, n - at);
		if (r.err) {
			*g = before;
			if (n - at >= field_max(g))
				g->err = ERR_MALFORMED;
			break;
		}
		at += (size_t)(r.p - (p + at));
	}
	if (g->state == GUARD_DONE && at < n)
		g->err = ERR_MALFORMED;
	return g->err ? 0 : at;
}

enum err produce_guard_restore(
	int16_t version, struct bytes body, struct str topic, struct uuid id, struct arena *a, struct writer *w)
{
	struct reader r = rd_init(body.p, body.n);
	struct produce_response rs;
	enum err e = codec_decode(&produce_response_schema, version, &r, a, &rs, NULL);

	for (uint32_t i = 0; !e && i < rs.responses_n; i++) {
		struct produce_response_topic_produce_response *t = &rs.responses[i];
		struct uuid plain = t->topic_id;
		bool spoilt;

		spoil_id(plain.b);
		spoilt = version >= FIRST_BY_ID ? uuid_eq(plain, id)
						: t->name.n == topic.n && topic.n > 0 && t->name.p[0] == SPOILT &&
							  memcmp(t->name.p + 1, topic.p + 1, topic.n - 1) == 0;
		if (!spoilt)
			continue;
		t->name = version >= FIRST_BY_ID ? t->name : topic;
		t->topic_id = version >= FIRST_BY_ID ? id : t->topic_id;
		for (uint32_t k = 0; k < t->partition_responses_n; k++)
			t->partition_responses[k].error_code = KAFKA_ERR_INVALID_TOPIC_EXCEPTION;
	}
	return e ? e : codec_encode(&produce_response_schema, version, w, &rs);
}
