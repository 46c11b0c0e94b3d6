/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the body of any message: decode, encode, locate and stream have to agree about them.
 *
 *   byte 0   API key, highest bit: response
 *   byte 1   version
 *   byte 2   size of the pieces for the stream, 0: all at once
 *   rest     the body */
#include "../../src/wire/schema.h"
#include "base/assert.h"
#include "base/mem.h"

#define ARENA_MAX (4u << 20)
#define NAMES_MAX 32u
#define NAME_BYTES 128

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct names {
	char text[NAMES_MAX][NAME_BYTES];
	const char *v[NAMES_MAX];
	size_t n;
};

struct walk {
	const uint8_t *body;
	size_t n, last_off;
};

static void names_add(struct names *names, const struct schema *s, const char *prefix, size_t prefix_n)
{
	for (size_t i = 0; i < s->fields_n && names->n < NAMES_MAX; i++) {
		const struct schema_field *f = &s->fields[i];
		size_t n = strlen(f->name);
		char *to = names->text[names->n];

		sl_assert(prefix_n + n + 1 < NAME_BYTES);
		memcpy(to, prefix, prefix_n);
		memcpy(to + prefix_n, f->name, n);
		to[prefix_n + n] = 0;
		names->v[names->n++] = to;
		if (f->sub) {
			char below[NAME_BYTES];

			memcpy(below, to, prefix_n + n);
			below[prefix_n + n] = '.';
			names_add(names, f->sub, below, prefix_n + n + 1);
		}
	}
}

static bool on_span(void *arg, const struct codec_span *span)
{
	struct walk *w = arg;

	sl_assert(span->off >= w->last_off && span->off <= w->n && span->len <= w->n - span->off);
	w->last_off = span->off;
	if (span->tag_depth > 0) {
		struct reader r = rd_init(w->body + span->tag_size_off, span->tag_size_len);
		size_t from = span->tag_size_off + span->tag_size_len;

		sl_assert(rd_uvarint(&r) == span->tag_size_value && !r.err && rd_left(&r) == 0);
		sl_assert(span->off >= from && span->off + span->len <= from + span->tag_size_value);
	}
	return true;
}

static enum err walk(const struct schema *s, int16_t version, const uint8_t *p, size_t n, const struct names *names)
{
	struct walk w = {p, n, 0};
	struct reader r = rd_init(p, n);
	enum err e = codec_locate(s, version, &r, names->v, names->n, on_span, &w);

	sl_assert(e == ERR_OK || e == ERR_MALFORMED);
	sl_assert(e || rd_left(&r) == 0);
	return e;
}

/* How far the stream walks; what it says at the end is in *ret. */
static size_t stream(
	const struct schema *s, int16_t version, const uint8_t *p, size_t n, size_t piece, struct codec_stream *ret)
{
	size_t done = 0, walked;
	enum err e = codec_stream_init(ret, s, version);

	sl_assert(!e);
	while (done < n && !ret->err && !ret->at_tags) {
		size_t part = piece && piece < n - done ? piece : n - done;

		walked = codec_stream_feed(ret, p + done, part);
		sl_assert(walked <= part && (walked == part || ret->err || ret->at_tags));
		done += walked;
	}
	return done;
}

static void check_stream(const struct schema *s, int16_t version, const uint8_t *p, size_t n, size_t piece, bool valid)
{
	struct codec_stream st, whole;
	size_t done = stream(s, version, p, n, piece, &st);

	sl_assert(done == stream(s, version, p, n, 0, &whole));
	sl_assert(st.err == whole.err && st.at_tags == whole.at_tags && st.depth == whole.depth);
	if (!valid)
		return;
	sl_assert(!st.err && st.at_tags == schema_is_flexible(s, version));
	if (st.at_tags) {
		struct reader r = rd_init(p + done, n - done);

		rd_skip_tags(&r);
		sl_assert(!r.err && rd_left(&r) == 0);
	} else {
		sl_assert(st.depth == 0 && done == n);
	}
}

static uint8_t *encode(const struct schema *s, int16_t version, const void *msg, size_t *ret_n)
{
	struct writer w;
	uint8_t *p;
	enum err e;

	wr_init(&w, 64u << 20);
	e = codec_encode(s, version, &w, msg);
	sl_assert(!e);
	*ret_n = wr_size(&w);
	p = mem_zalloc(*ret_n ? *ret_n : 1, 1);
	wr_flatten(&w, p);
	wr_release(&w);
	return p;
}

/* What was decoded encodes, and that decodes to what encodes to the same bytes. */
static void check_again(const struct schema *s, int16_t version, const void *msg)
{
	void *again = mem_zalloc(1, schema_struct_size(s));
	struct arena a;
	struct reader r;
	size_t n, m;
	uint8_t *p = encode(s, version, msg, &n), *q;
	enum err e;

	arena_init(&a, 2 * ARENA_MAX);
	r = rd_init(p, n);
	e = codec_decode(s, version, &r, &a, again, NULL);
	sl_assert(!e);
	q = encode(s, version, again, &m);
	sl_assert(n == m && memcmp(p, q, n) == 0);
	arena_release(&a);
	mem_free(again);
	mem_free(p);
	mem_free(q);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct schema *s = size >= 3 ? schema_find(data[0] & 0x7f, data[0] & 0x80) : NULL;
	static const struct names none;
	char path[CODEC_PATH_MAX];
	struct reader r;
	struct arena a;
	struct names *names;
	int16_t version;
	enum err e;
	void *msg;

	if (!s)
		return 0;
	version = data[1];
	arena_init(&a, ARENA_MAX);
	r = rd_init(data + 3, size - 3);
	msg = mem_zalloc(1, schema_struct_size(s));
	e = codec_decode(s, version, &r, &a, msg, path);
	sl_assert(a.used <= ARENA_MAX && strlen(path) < CODEC_PATH_MAX);
	if (e == ERR_UNSUPPORTED) {
		sl_assert(version < schema_min_version(s) || version > schema_max_version(s));
		goto out;
	}
	names = mem_zalloc(1, sizeof(*names));
	names_add(names, s, "", 0);
	if (e != ERR_TOO_LARGE) {
		sl_assert(walk(s, version, data + 3, size - 3, &none) == e);
		sl_assert(walk(s, version, data + 3, size - 3, names) == e);
	}
	mem_free(names);
	check_stream(s, version, data + 3, size - 3, data[2], e == ERR_OK);
	if (!e)
		check_again(s, version, msg);
out:
	mem_free(msg);
	arena_release(&a);
	return 0;
}
