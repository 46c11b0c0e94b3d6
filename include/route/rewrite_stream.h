/* SPDX-License-Identifier: Apache-2.0 */
/* Replacing the broker addresses in a Produce or Fetch answer of any size while it streams through.
 *
 *   body   [ ... topics, partitions, records ... | tagged fields ]
 *            passed on as it comes                 held, then given out changed, at the same length
 *
 * The frame's length has been sent long before the tagged fields arrive, so the new ones take exactly as many bytes:
 * NodeEndpoints as far as they fit (racks go first, then the last endpoints; without an endpoint a client refreshes its
 * metadata), and the rest is filled by a tagged field that no Kafka version knows, which every reader skips. */
#ifndef SLUICE_ROUTE_REWRITE_STREAM_H
#define SLUICE_ROUTE_REWRITE_STREAM_H

#include "base/buf.h"
#include "base/err.h"
#include "route/address_map.h"
#include "route/rewrite.h"
#include "wire/codec.h"

/* Most bytes of tagged fields that are held. */
#define REWRITE_STREAM_TAIL_MAX (64 * 1024)

struct rewrite_stream {
	struct codec_stream walk;
	const struct address_map *map;
	int16_t version;
	bool ready;      /* the last byte is in and the tail is changed */
	uint32_t left;   /* bytes of the body that have not been fed yet */
	struct buf tail; /* the tagged fields; changed when the last byte is in */
	struct rewrite_dropped dropped;
};

/* Starts on the answer to a request for which route_api_answer() said ROUTE_ANSWER_STREAM. body_len: bytes behind the
 * response header. The map must outlive the stream. ERR_UNSUPPORTED: any other key or version. Holds no memory until
 * the tail. */
enum err rewrite_stream_init(struct rewrite_stream *st, const struct address_map *map, int16_t api_key, int16_t version,
	uint32_t body_len) ERR_CHECKED;

/* Frees the tail. Allowed at any time, also after a failed init. */
void rewrite_stream_release(struct rewrite_stream *st);

/* Takes the next n bytes of the body (at most st->left). The first *ret_pass of them go to the client as they are, the
 * rest were copied into the tail. Feed with n == 0 once if body_len is 0. When the last byte is in (st->left == 0)
 * rewrite_stream_tail() is ready. ERR_MALFORMED, ERR_TOO_LARGE (the tail), ERR_NO_MEMORY: close the connection,
 * *ret_pass is 0. */
enum err rewrite_stream_feed(struct rewrite_stream *st, const uint8_t *p, size_t n, size_t *ret_pass) ERR_CHECKED;

/* The bytes that end the answer, as many as were held back; a view on st, empty before the last byte is in. st->dropped
 * names nodes that the map does not have. */
struct bytes rewrite_stream_tail(const struct rewrite_stream *st);

#endif
