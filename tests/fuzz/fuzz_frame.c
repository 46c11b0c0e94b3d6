/* SPDX-License-Identifier: Apache-2.0 */
/* Frame lengths, request headers and Produce's acks from any bytes, arriving in one piece or byte by byte. */
#include <stdlib.h>

#include "base/assert.h"
#include "route/peek.h"
#include "wire/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One step of reading that n bytes have arrived for; what is found goes into out. */
struct input {
	int8_t header_version;
	int16_t produce_version;
	uint32_t frame_len;
};
struct output {
	struct request_header header;
	int16_t acks;
};

static enum frame_status read_header(
	const struct input *in, const uint8_t *p, size_t n, struct output *out, size_t *need)
{
	const char *reason = NULL;
	enum frame_status s = request_header_read(p, n, in->frame_len, in->header_version, &out->header, need, &reason);

	sl_assert((s == FRAME_BAD) == (reason != NULL));
	return s;
}

static enum frame_status read_acks(const struct input *in, const uint8_t *p, size_t n, struct output *out, size_t *need)
{
	const char *reason = NULL;
	enum frame_status s = peek_produce_acks(in->produce_version, p, n, in->frame_len, &out->acks, need, &reason);

	sl_assert((s == FRAME_BAD) == (reason != NULL));
	return s;
}

typedef enum frame_status (*step)(const struct input *in, const uint8_t *p, size_t n, struct output *out, size_t *need);

/* Whatever the pieces, the result is that of the whole, and no more is asked for than the frame has. */
static enum frame_status in_pieces(step read, const struct input *in, const uint8_t *p, size_t n, struct output *out)
{
	struct output whole = {.acks = 0};
	size_t need = 0, at = 0, whole_need = 0;
	enum frame_status s, want = read(in, p, n, &whole, &whole_need);

	*out = (struct output){.acks = 0};
	for (;;) {
		uint8_t *part = malloc(at + 1);

		sl_assert(part);
		if (at)
			memcpy(part, p, at);
		s = read(in, part, at, out, &need);
		free(part);
		if (s != FRAME_NEED_MORE)
			break;
		sl_assert(need > 0 && need <= in->frame_len - at);
		if (need > n - at)
			break;
		at += need;
	}
	sl_assert(s == want);
	if (s == FRAME_READY)
		sl_assert(out->acks == whole.acks && out->header.size == whole.header.size &&
			  out->header.correlation_id == whole.header.correlation_id);
	*out = whole; /* its client id is a view on p, not on a part that is gone */
	return s;
}

/* A header without tags is written again as it was. */
static void write_again(const struct request_header *h, const uint8_t *p)
{
	uint8_t again[REQUEST_HEADER_MAX];
	struct writer w;

	wr_init(&w, REQUEST_HEADER_MAX);
	request_header_write(&w, h);
	sl_assert(!w.err && wr_size(&w) <= h->size);
	wr_flatten(&w, again);
	if (wr_size(&w) == h->size)
		sl_assert(memcmp(again, p, h->size) == 0);
	wr_release(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct output out = {.acks = 0};
	const char *reason = NULL;
	size_t need = 0;
	uint32_t len = 0;
	struct input in;

	if (size < 4)
		return 0;
	in.header_version = (int8_t)(data[0] % 3);
	in.produce_version = (int16_t)(data[1] % 16);
	in.frame_len = (uint32_t)(size - 4) + data[2] * (data[3] % 2 ? 1u : 5000u);
	data += 4;
	size -= 4;
	switch (frame_length(data, size, 8, 1 << 20, &len, &need, &reason)) {
	case FRAME_READY:
		sl_assert(len >= 8 && len <= 1 << 20 && size >= 4);
		break;
	case FRAME_NEED_MORE:
		sl_assert(size + need == 4);
		break;
	case FRAME_BAD:
		sl_assert(reason && size >= 4);
	}
	if (in_pieces(read_header, &in, data, size, &out) == FRAME_READY) {
		sl_assert(out.header.size <= size && out.header.size <= in.frame_len);
		write_again(&out.header, data);
	}
	in_pieces(read_acks, &in, data, size, &out);
	return 0;
}
