/* SPDX-License-Identifier: Apache-2.0 */
/* The acks of a Produce request and the group id of others are found here, behind bytes that may still be arriving. */
#include "route/peek.h"

#include "route/api.h"
#include "wire/reader.h"

#define FIRST_TRANSACTIONAL 3
#define FIRST_FLEXIBLE 9
#define LEN_SIZE 2
#define UVARINT_MAX 5
#define ACKS_SIZE 2

static enum frame_status bad(const char **ret_reason)
{
	*ret_reason = "front_malformed";
	return FRAME_BAD;
}

/* READY when n bytes have arrived at least; BAD when the body ends before. */
static enum frame_status want(size_t wanted, size_t n, uint32_t body_len, size_t *ret_need, const char **ret_reason)
{
	if (wanted > body_len)
		return bad(ret_reason);
	if (wanted <= n)
		return FRAME_READY;
	*ret_need = wanted - n;
	return FRAME_NEED_MORE;
}

/* Reads the length in front of a string (-1: null) and how many bytes it takes itself. */
static enum frame_status read_length(bool flexible, const uint8_t *p, size_t n, uint32_t body_len, int32_t *ret_len,
	size_t *ret_size, size_t *ret_need, const char **ret_reason)
{
	enum frame_status s;
	struct reader r;

	if (!flexible) {
		s = want(LEN_SIZE, n, body_len, ret_need, ret_reason);
		if (s != FRAME_READY)
			return s;
		r = rd_init(p, LEN_SIZE);
		*ret_len = rd_i16(&r);
	} else {
		uint32_t len;

		r = rd_init(p, n < UVARINT_MAX ? n : UVARINT_MAX);
		len = rd_uvarint(&r);
		if (r.err)
			return n < UVARINT_MAX ? want(n + 1, n, body_len, ret_need, ret_reason) : bad(ret_reason);
		*ret_len = len > INT16_MAX + 1 ? -2 : (int32_t)len - 1;
	}
	*ret_size = (size_t)(r.p - p);
	return *ret_len < -1 ? bad(ret_reason) : FRAME_READY;
}

enum frame_status peek_produce_acks(int16_t version, const uint8_t *p, size_t n, uint32_t body_len, int16_t *ret_acks,
	size_t *ret_need, const char **ret_reason)
{
	enum frame_status s;
	struct reader r;
	size_t at = 0;
	int32_t len;

	if (n > body_len)
		n = body_len;
	if (version >= FIRST_TRANSACTIONAL) {
		s = read_length(version >= FIRST_FLEXIBLE, p, n, body_len, &len, &at, ret_need, ret_reason);
		if (s != FRAME_READY)
			return s;
		at += len > 0 ? (size_t)len : 0;
	}
	s = want(at + ACKS_SIZE, n, body_len, ret_need, ret_reason);
	if (s != FRAME_READY)
		return s;
	r = rd_init(p + at, ACKS_SIZE);
	*ret_acks = rd_i16(&r);
	return FRAME_READY;
}

#define OFFSET_FETCH_GROUPS 8 /* first version with several */

/* Reads a string that begins at *at and moves behind it. */
static enum frame_status read_id(bool flexible, const uint8_t *p, size_t n, uint32_t body_len, size_t *at,
	struct str *ret, size_t *ret_need, const char **ret_reason)
{
	size_t size = 0, start;
	enum frame_status s;
	int32_t len = 0;

	s = read_length(flexible, p + *at, n - *at, body_len - (uint32_t)*at, &len, &size, ret_need, ret_reason);
	if (s != FRAME_READY)
		return s;
	start = *at + size;
	s = want(start + (len > 0 ? (size_t)len : 0), n, body_len, ret_need, ret_reason);
	if (s != FRAME_READY)
		return s;
	*ret = len < 0 ? STR_NULL : (struct str){(const char *)p + start, (size_t)len};
	*at = start + ret->n;
	return FRAME_READY;
}

/* The count in front of OffsetFetch's groups. */
static enum frame_status read_count(const uint8_t *p, size_t n, uint32_t body_len, size_t *at, uint32_t *ret,
	size_t *ret_need, const char **ret_reason)
{
	struct reader r = rd_init(p, n < UVARINT_MAX ? n : UVARINT_MAX);
	uint32_t count = rd_uvarint(&r);

	if (r.err)
		return n < UVARINT_MAX ? want(n + 1, n, body_len, ret_need, ret_reason) : bad(ret_reason);
	if (count == 0)
		return bad(ret_reason);
	*ret = count - 1;
	*at = (size_t)(r.p - p);
	return FRAME_READY;
}

enum frame_status peek_group(int16_t api_key, int16_t version, const uint8_t *p, size_t n, uint32_t body_len,
	struct peek_group *ret, size_t *ret_need, const char **ret_reason)
{
	bool flexible = route_request_header_version(api_key, version) > 1;
	struct peek_group found = {STR_NULL, false};
	enum frame_status s = FRAME_READY;
	uint32_t groups = 1;
	size_t at = 0;

	if (n > body_len)
		n = body_len;
	if (api_key == ROUTE_KEY_OFFSET_FETCH && version >= OFFSET_FETCH_GROUPS)
		s = read_count(p, n, body_len, &at, &groups, ret_need, ret_reason);
	else if (api_key == ROUTE_KEY_TXN_OFFSET_COMMIT)
		s = read_id(flexible, p, n, body_len, &at, &found.id, ret_need, ret_reason);
	found.id = STR_NULL;
	if (s == FRAME_READY && groups > 0)
		s = read_id(flexible, p, n, body_len, &at, &found.id, ret_need, ret_reason);
	if (s != FRAME_READY)
		return s;
	found.more = groups > 1;
	*ret = found;
	return FRAME_READY;
}
