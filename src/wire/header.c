/* SPDX-License-Identifier: Apache-2.0 */
/* Request and response headers are read and written here; a request header may still be arriving. */
#include "base/assert.h"
#include "wire/frame.h"

#define PEEK_SIZE 8
#define CLIENT_ID_LEN_SIZE 2
#define UVARINT_MAX 5
#define TAGS_MAX 10000

/* A walk over a header of which n of frame_len bytes have arrived; the first pos are read. */
struct walk {
	const uint8_t *p;
	size_t n;
	uint32_t frame_len;
	size_t pos;
	size_t *ret_need;
	const char **ret_reason;
};

static enum frame_status walk_bad(struct walk *k, const char *reason)
{
	*k->ret_reason = reason;
	return FRAME_BAD;
}

/* READY when want more bytes are there. */
static enum frame_status walk_want(struct walk *k, size_t want)
{
	if (want > k->frame_len - k->pos)
		return walk_bad(k, "header_malformed");
	if (k->pos > REQUEST_HEADER_MAX || want > REQUEST_HEADER_MAX - k->pos)
		return walk_bad(k, "header_too_large");
	if (want > k->n - k->pos) {
		*k->ret_need = want - (k->n - k->pos);
		return FRAME_NEED_MORE;
	}
	return FRAME_READY;
}

static enum frame_status walk_uvarint(struct walk *k, uint32_t *ret)
{
	size_t there = k->n - k->pos;
	struct reader r = rd_init(k->p + k->pos, there < UVARINT_MAX ? there : UVARINT_MAX);
	uint32_t v = rd_uvarint(&r);

	if (r.err)
		return there < UVARINT_MAX ? walk_want(k, there + 1) : walk_bad(k, "header_malformed");
	k->pos = (size_t)(r.p - k->p);
	*ret = v;
	return FRAME_READY;
}

/* Skips the tagged fields of header version 2. */
static enum frame_status walk_tags(struct walk *k)
{
	uint32_t n, tag, size, last = 0;
	enum frame_status s = walk_uvarint(k, &n);

	if (s == FRAME_READY && n > TAGS_MAX)
		return walk_bad(k, "header_malformed");
	for (uint32_t i = 0; s == FRAME_READY && i < n; i++) {
		s = walk_uvarint(k, &tag);
		if (s != FRAME_READY)
			break;
		if (i > 0 && tag <= last)
			return walk_bad(k, "header_malformed");
		last = tag;
		s = walk_uvarint(k, &size);
		if (s != FRAME_READY)
			break;
		s = walk_want(k, size);
		if (s == FRAME_READY)
			k->pos += size;
	}
	return s;
}

static enum frame_status walk_client_id(struct walk *k, struct str *ret)
{
	enum frame_status s = walk_want(k, CLIENT_ID_LEN_SIZE);
	struct reader r;
	int16_t len;

	if (s != FRAME_READY)
		return s;
	r = rd_init(k->p + k->pos, CLIENT_ID_LEN_SIZE);
	len = rd_i16(&r);
	if (len < -1)
		return walk_bad(k, "header_malformed");
	s = walk_want(k, CLIENT_ID_LEN_SIZE + (len < 0 ? 0 : (size_t)len));
	if (s != FRAME_READY)
		return s;
	r = rd_init(k->p + k->pos, k->n - k->pos);
	*ret = rd_str(&r);
	k->pos = (size_t)(r.p - k->p);
	return FRAME_READY;
}

enum frame_status request_header_peek(const uint8_t *p, size_t n, struct request_header *ret, size_t *ret_need)
{
	struct reader r;

	if (n < PEEK_SIZE) {
		*ret_need = PEEK_SIZE - n;
		return FRAME_NEED_MORE;
	}
	r = rd_init(p, PEEK_SIZE);
	memset(ret, 0, sizeof(*ret));
	ret->api_key = rd_i16(&r);
	ret->api_version = rd_i16(&r);
	ret->correlation_id = rd_i32(&r);
	ret->size = PEEK_SIZE;
	return FRAME_READY;
}

enum frame_status request_header_read(const uint8_t *p, size_t n, uint32_t frame_len, int8_t header_version,
	struct request_header *ret, size_t *ret_need, const char **ret_reason)
{
	struct walk k = {p, n < frame_len ? n : frame_len, frame_len, 0, ret_need, ret_reason};
	struct request_header h;
	enum frame_status s = walk_want(&k, PEEK_SIZE);

	sl_assert(header_version >= 0 && header_version <= 2);
	if (s != FRAME_READY)
		return s;
	s = request_header_peek(p, k.n, &h, ret_need);
	sl_assert(s == FRAME_READY);
	k.pos = PEEK_SIZE;
	if (header_version >= 1)
		s = walk_client_id(&k, &h.client_id);
	if (s == FRAME_READY && header_version >= 2)
		s = walk_tags(&k);
	if (s != FRAME_READY)
		return s;
	h.header_version = header_version;
	h.size = k.pos;
	*ret = h;
	return FRAME_READY;
}

void request_header_write(struct writer *w, const struct request_header *h)
{
	wr_i16(w, h->api_key);
	wr_i16(w, h->api_version);
	wr_i32(w, h->correlation_id);
	if (h->header_version >= 1)
		wr_str(w, h->client_id);
	if (h->header_version >= 2)
		wr_uvarint(w, 0);
}

void response_header_write(struct writer *w, int8_t header_version, int32_t correlation_id)
{
	wr_i32(w, correlation_id);
	if (header_version >= 1)
		wr_uvarint(w, 0);
}
