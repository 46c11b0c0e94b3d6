/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the few bytes of a request that decide what happens to it. */
#ifndef SLUICE_ROUTE_PEEK_H
#define SLUICE_ROUTE_PEEK_H

#include "base/types.h"
#include "wire/frame.h"

/* Reads the acks of a Produce request: with 0 the broker never answers. p: the n bytes of the body (behind the header)
 * that have arrived of body_len in all. FRAME_NEED_MORE: *ret_need more at least (the transactional id in front has at
 * most 32767 bytes). FRAME_BAD: the body cannot be a Produce request; *ret_reason is a short stable word. */
enum frame_status peek_produce_acks(int16_t version, const uint8_t *p, size_t n, uint32_t body_len, int16_t *ret_acks,
	size_t *ret_need, const char **ret_reason);

/* What the front of a request of an ordinary group tells (ROUTE_PEEK_GROUP). */
struct peek_group {
	struct str id; /* the first group id, a view on the body; null: none */
	bool more;     /* OffsetFetch v8+: other groups follow, unread */
};

/* Finds the group id in the first bytes of a request body; parameters and results as for peek_produce_acks. An id is at
 * most 32767 bytes long and stands at most behind one more string. */
enum frame_status peek_group(int16_t api_key, int16_t version, const uint8_t *p, size_t n, uint32_t body_len,
	struct peek_group *ret, size_t *ret_need, const char **ret_reason);

#endif
