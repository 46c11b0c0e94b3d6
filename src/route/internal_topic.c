/* SPDX-License-Identifier: Apache-2.0 */
/* One byte of Metadata and DescribeTopicPartitions answers is changed here: whether a topic is internal. */
#include "route/internal_topic.h"

#include "route/api.h"
#include "wire/codec.h"

#define METADATA_HAS_INTERNAL 1

struct mark {
	const struct schema *schema;
	int16_t version;
	const uint8_t *body;
	struct str topic;
	bool found;    /* the name that was read last is the topic's */
	bool has_flag; /* at is set */
	size_t at;     /* of the flag */
};

static bool name_matches(const struct mark *m, const struct codec_span *span)
{
	struct reader r = rd_init(m->body + span->off, span->len);
	struct str name = schema_is_flexible(m->schema, m->version) ? rd_cstr(&r) : rd_str(&r);

	return !r.err && !str_is_null(name) && str_eq(name, m->topic);
}

static bool on_span(void *arg, const struct codec_span *span)
{
	struct mark *m = arg;

	if (span->field == 0) {
		m->found = name_matches(m, span);
	} else if (m->found) {
		m->at = span->off;
		m->has_flag = true;
		return false;
	}
	return true;
}

enum err internal_topic_mark(int16_t api_key, int16_t version, uint8_t *body, size_t n, struct str topic)
{
	static const char *const fields[] = {"Topics.Name", "Topics.IsInternal"};
	struct mark m = {.version = version, .body = body, .topic = topic};
	struct reader r = rd_init(body, n);
	enum err e;

	if (api_key != ROUTE_KEY_DESCRIBE_TOPIC_PARTITIONS &&
		(api_key != ROUTE_KEY_METADATA || version < METADATA_HAS_INTERNAL))
		return ERR_OK;
	/* Nearly always it is not there, and a search is much faster than a walk. */
	if (topic.n == 0 || !memmem(body, n, topic.p, topic.n))
		return ERR_OK;
	m.schema = schema_find(api_key, true);
	e = codec_locate(m.schema, version, &r, fields, 2, on_span, &m);
	if (!e && m.has_flag)
		body[m.at] = 1;
	return e;
}
