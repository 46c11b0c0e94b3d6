/* SPDX-License-Identifier: Apache-2.0 */
/* The acks of a Produce request are found here, behind a transactional id that may still be arriving. */
#include "route/peek.h"

#define FIRST_TRANSACTIONAL 3
#define FIRST_FLEXIBLE 9
#define LEN_SIZE 2
#define UVARINT_MAX 5
#define ACKS_SIZE 2

static enum frame_status bad(const char **ret_reason)
{
	*ret_reason = "produce_malformed";
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

/* Reads the length in front of the transactional id (-1: null) and how many bytes it takes itself. */
static enum frame_status read_id_length(int16_t version, const uint8_t *p, size_t n, uint32_t body_len,
	int32_t *ret_len, size_t *ret_size, size_t *ret_need, const char **ret_reason)
{
	enum frame_status s;
	struct reader r;

	if (version < FIRST_FLEXIBLE) {
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
		s = read_id_length(version, p, n, body_len, &len, &at, ret_need, ret_reason);
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
