/* SPDX-License-Identifier: Apache-2.0 */
/* Frames and headers: the only place where "incomplete" exists. Above it a body is whole, so running out of bytes is
 * malformed. */
#ifndef SLUICE_WIRE_FRAME_H
#define SLUICE_WIRE_FRAME_H

#include "base/types.h"
#include "wire/reader.h"
#include "wire/writer.h"

#define FRAME_LEN_SIZE 4
/* Kafka's socket.request.max.bytes. */
#define FRAME_MAX_DEFAULT (100 * 1024 * 1024)
/* Most bytes of a request header: a client id of any length and the tags that anybody sends. */
#define REQUEST_HEADER_MAX (64 * 1024)

enum frame_status {
	FRAME_NEED_MORE, /* *ret_need more bytes are needed at least */
	FRAME_READY,
	FRAME_BAD, /* the connection has to be closed; reason says why */
};

/* Reads the length in front of a frame. FRAME_READY: *ret_len is the number of bytes behind the length, between min and
 * max. FRAME_BAD: *ret_reason is a short stable word; a length that is the start of a TLS hello, of a TLS alert or of
 * HTTP is named as such. */
enum frame_status frame_length(const uint8_t *p, size_t n, uint32_t min, uint32_t max, uint32_t *ret_len,
	size_t *ret_need, const char **ret_reason);

struct request_header {
	int16_t api_key;
	int16_t api_version;
	int32_t correlation_id;
	struct str client_id;  /* nullable, int16 length in every header version; view into the frame */
	int8_t header_version; /* 0, 1 or 2 */
	size_t size;           /* bytes of the header, tags included */
};

/* Reads the request header in front of a frame's n bytes that have arrived (frame_len in all). header_version is what
 * header_version_request() says, so the caller reads key and version first with request_header_peek. FRAME_NEED_MORE,
 * FRAME_BAD as above. */
enum frame_status request_header_read(const uint8_t *p, size_t n, uint32_t frame_len, int8_t header_version,
	struct request_header *ret, size_t *ret_need, const char **ret_reason);

/* Key, version and correlation id, which stand at the same place in every header version: needs 8 bytes. */
enum frame_status request_header_peek(const uint8_t *p, size_t n, struct request_header *ret, size_t *ret_need);

/* Writes a request header of h->header_version, with empty tags in version 2. */
void request_header_write(struct writer *w, const struct request_header *h);

/* Writes a response header: version 0 is the correlation id alone, 1 adds empty tags. */
void response_header_write(struct writer *w, int8_t header_version, int32_t correlation_id);

#endif
