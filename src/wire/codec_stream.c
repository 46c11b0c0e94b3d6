/* SPDX-License-Identifier: Apache-2.0 */
/* The resumable walk over a body that goes by: one small stack frame for each struct that the walk is inside of.
 *
 *   NEXT -> COUNT -> ELEM -+-> (fixed size: skip)             -+-> ELEM or NEXT
 *     |                    +-> LEN (string, bytes: skip)      -+
 *     |                    +-> MARKER -> a frame for the struct
 *     +-> TAG_COUNT -> TAG -> TAG_SIZE (skip) -> TAG ... -> back to the struct around */
#include "base/assert.h"
#include "schema.h"

#define UVARINT_MAX_BYTES 5

enum stream_state {
	ST_NEXT,      /* look for the next field that is in order */
	ST_COUNT,     /* the count of an array */
	ST_ELEM,      /* left elements are still to come */
	ST_LEN,       /* the length of a string or bytes */
	ST_MARKER,    /* whether a struct is null */
	ST_TAG_COUNT, /* of a nested struct; those of the message are the caller's */
	ST_TAG,       /* tags_left are still to come, none below left */
	ST_TAG_SIZE,
};

static bool stream_flexible(const struct codec_stream *st)
{
	return schema_is_flexible(st->schema, st->version);
}

static const struct schema *top_node(const struct codec_stream *st)
{
	return st->stack[st->depth - 1].node;
}

static const struct schema_field *top_field(const struct codec_stream *st)
{
	return &top_node(st)->fields[st->stack[st->depth - 1].field];
}

static void stream_set_state(struct codec_stream *st, enum stream_state state)
{
	st->stack[st->depth - 1].state = (uint32_t)state;
}

static void stream_fail(struct codec_stream *st)
{
	st->err = ERR_MALFORMED;
}

static void stream_push(struct codec_stream *st, const struct schema *node)
{
	sl_assert(st->depth < CODEC_STREAM_DEPTH);
	st->depth++;
	st->stack[st->depth - 1].node = node;
	st->stack[st->depth - 1].field = st->stack[st->depth - 1].left = st->stack[st->depth - 1].tags_left = 0;
	stream_set_state(st, ST_NEXT);
}

/* The element of the current field that was begun is done, or will be when skip and the frames above are. */
static void elem_done(struct codec_stream *st)
{
	if (field_is_array(top_field(st))) {
		stream_set_state(st, ST_ELEM);
	} else {
		st->stack[st->depth - 1].field++;
		stream_set_state(st, ST_NEXT);
	}
}

static void begin_struct(struct codec_stream *st)
{
	const struct schema *sub = top_field(st)->sub;

	elem_done(st);
	stream_push(st, sub);
}

static void begin_elem(struct codec_stream *st)
{
	const struct schema_field *f = top_field(st);

	switch ((enum field_type)f->type) {
	case FIELD_STRING:
	case FIELD_BYTES:
	case FIELD_RECORDS:
		stream_set_state(st, ST_LEN);
		break;
	case FIELD_STRUCT:
		if (f->flags & FIELD_POINTER && field_is_nullable(f, st->version))
			stream_set_state(st, ST_MARKER);
		else
			begin_struct(st);
		break;
	default:
		st->skip = field_elem_min(f, st->version, stream_flexible(st));
		elem_done(st);
		break;
	}
}

static void step_next(struct codec_stream *st)
{
	const struct schema *node = top_node(st);
	uint32_t i = st->stack[st->depth - 1].field;

	while (i < node->fields_n &&
		(!field_in_version(&node->fields[i], st->version) || field_is_tagged(&node->fields[i])))
		i++;
	st->stack[st->depth - 1].field = i;
	if (i < node->fields_n) {
		if (field_is_array(&node->fields[i]))
			stream_set_state(st, ST_COUNT);
		else
			begin_elem(st);
	} else if (!stream_flexible(st)) {
		st->depth--;
	} else if (st->depth == 1) {
		st->at_tags = true;
	} else {
		stream_set_state(st, ST_TAG_COUNT);
	}
}

/* A count or length as stored, -1 for null where that is allowed; anything else that is negative fails. */
static int64_t stored_len(struct codec_stream *st, int64_t n)
{
	bool in_elem = st->stack[st->depth - 1].state == ST_LEN && field_is_array(top_field(st));

	if (n < -1 || (n == -1 && (in_elem || !field_is_nullable(top_field(st), st->version))))
		stream_fail(st);
	return n < 0 ? 0 : n;
}

static void step_len(struct codec_stream *st, int64_t n)
{
	n = stored_len(st, n);
	if (top_field(st)->type == FIELD_STRING && n > INT16_MAX)
		stream_fail(st);
	st->skip = (uint64_t)n;
	elem_done(st);
}

static void step_count(struct codec_stream *st, int64_t n)
{
	n = stored_len(st, n);
	if (n > SCHEMA_ARRAY_MAX) {
		stream_fail(st);
		return;
	}
	st->stack[st->depth - 1].left = (uint32_t)n;
	stream_set_state(st, ST_ELEM);
}

static void step_elem(struct codec_stream *st)
{
	if (st->stack[st->depth - 1].left == 0) {
		st->stack[st->depth - 1].field++;
		stream_set_state(st, ST_NEXT);
		return;
	}
	st->stack[st->depth - 1].left--;
	begin_elem(st);
}

static void step_tag(struct codec_stream *st, uint32_t tag)
{
	uint32_t *at_least = &st->stack[st->depth - 1].left;

	if (tag < *at_least || (tag == UINT32_MAX && st->stack[st->depth - 1].tags_left > 1)) {
		stream_fail(st);
		return;
	}
	*at_least = tag + 1;
	stream_set_state(st, ST_TAG_SIZE);
}

/* One step of the states that read a number. */
static void step_number(struct codec_stream *st, int64_t v)
{
	switch ((enum stream_state)st->stack[st->depth - 1].state) {
	case ST_COUNT:
		step_count(st, v);
		break;
	case ST_LEN:
		step_len(st, v);
		break;
	case ST_MARKER:
		if (v < 0)
			elem_done(st);
		else
			begin_struct(st);
		break;
	case ST_TAG_COUNT:
		if (v > SCHEMA_TAGS_MAX)
			stream_fail(st);
		st->stack[st->depth - 1].tags_left = (uint32_t)v;
		st->stack[st->depth - 1].left = 0;
		stream_set_state(st, ST_TAG);
		break;
	case ST_TAG:
		step_tag(st, (uint32_t)v);
		break;
	case ST_TAG_SIZE:
		st->skip = (uint64_t)v;
		st->stack[st->depth - 1].tags_left--;
		stream_set_state(st, ST_TAG);
		break;
	case ST_NEXT:
	case ST_ELEM:
		break;
	}
}

/* Reads the number that the top frame waits for out of the pending bytes (at least one); false when more of them are
 * needed. */
static bool pending_number(struct codec_stream *st, int64_t *ret)
{
	enum stream_state state = (enum stream_state)st->stack[st->depth - 1].state;
	struct reader r = rd_init(st->pending, st->pending_n);
	size_t need;

	if (state == ST_MARKER) {
		need = 1;
		*ret = rd_i8(&r);
	} else if (stream_flexible(st)) {
		bool more = st->pending[st->pending_n - 1] & 0x80 && st->pending_n < UVARINT_MAX_BYTES;

		need = more ? st->pending_n + 1u : st->pending_n;
		*ret = rd_uvarint(&r);
		if (state == ST_COUNT || state == ST_LEN)
			*ret -= 1;
	} else if (state == ST_LEN && top_field(st)->type == FIELD_STRING) {
		need = 2;
		*ret = rd_i16(&r);
	} else {
		need = 4;
		*ret = rd_i32(&r);
	}
	if (st->pending_n < need)
		return false;
	st->pending_n = 0;
	if (r.err)
		stream_fail(st);
	return true;
}

enum err codec_stream_init(struct codec_stream *st, const struct schema *s, int16_t version)
{
	*st = (struct codec_stream){.schema = s, .version = version};
	if (version < s->min || version > s->max)
		return ERR_UNSUPPORTED;
	stream_push(st, s);
	codec_stream_feed(st, NULL, 0);
	return ERR_OK;
}

/* The states that need no bytes; true when one of them was left. */
static bool step_silent(struct codec_stream *st)
{
	switch ((enum stream_state)st->stack[st->depth - 1].state) {
	case ST_NEXT:
		step_next(st);
		return true;
	case ST_ELEM:
		step_elem(st);
		return true;
	case ST_TAG:
		if (st->stack[st->depth - 1].tags_left > 0)
			return false;
		st->depth--;
		return true;
	default:
		return false;
	}
}

size_t codec_stream_feed(struct codec_stream *st, const uint8_t *p, size_t n)
{
	size_t done = 0;

	while (!st->err && !st->at_tags) {
		int64_t v = 0;

		if (st->skip > 0) {
			size_t part = n - done < st->skip ? n - done : (size_t)st->skip;

			done += part;
			st->skip -= part;
			if (st->skip > 0)
				break;
		}
		if (st->depth == 0) {
			if (done < n)
				stream_fail(st);
			break;
		}
		if (step_silent(st))
			continue;
		if (done == n)
			break;
		st->pending[st->pending_n++] = p[done++];
		if (pending_number(st, &v) && !st->err)
			step_number(st, v);
	}
	return done;
}
