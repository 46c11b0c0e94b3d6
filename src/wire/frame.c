/* SPDX-License-Identifier: Apache-2.0 */
/* The length in front of a frame is read and judged here: the one place where bytes may still be missing. */
#include "wire/frame.h"

/* First four bytes of what is spoken to a Kafka port by mistake. */
static const struct {
	const char *start;
	size_t n;
	const char *reason;
} strangers[] = {
	{"\x16\x03", 2, "tls_hello"},
	{"\x15\x03", 2, "tls_alert"},
	{"GET ", 4, "http"},
	{"PUT ", 4, "http"},
	{"PRI ", 4, "http"},
	{"POST", 4, "http"},
	{"HEAD", 4, "http"},
	{"HTTP", 4, "http"},
	{"OPTI", 4, "http"},
	{"DELE", 4, "http"},
	{"PATC", 4, "http"},
	{"CONN", 4, "http"},
	{"TRAC", 4, "http"},
};

/* A word for a length that cannot be. */
static const char *bad_length_reason(const uint8_t *p, int32_t len, uint32_t min)
{
	for (size_t i = 0; i < sizeof(strangers) / sizeof(strangers[0]); i++)
		if (memcmp(p, strangers[i].start, strangers[i].n) == 0)
			return strangers[i].reason;
	if (len < 0)
		return "frame_length_negative";
	return (uint32_t)len < min ? "frame_too_short" : "frame_too_large";
}

enum frame_status frame_length(const uint8_t *p, size_t n, uint32_t min, uint32_t max, uint32_t *ret_len,
	size_t *ret_need, const char **ret_reason)
{
	struct reader r;
	int32_t len;

	if (n < FRAME_LEN_SIZE) {
		*ret_need = FRAME_LEN_SIZE - n;
		return FRAME_NEED_MORE;
	}
	r = rd_init(p, FRAME_LEN_SIZE);
	len = rd_i32(&r);
	if (len < 0 || (uint32_t)len < min || (uint32_t)len > max) {
		*ret_reason = bad_length_reason(p, len, min);
		return FRAME_BAD;
	}
	*ret_len = (uint32_t)len;
	return FRAME_READY;
}
