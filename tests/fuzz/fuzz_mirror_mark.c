/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the metadata of an offset: only what begins as a mark is one, and a mark that is written is read as it
 * was.
 *
 * The first 40 bytes are a topic's id, a log's id and an owner epoch; the rest is the metadata. */
#include <string.h>

#include "base/assert.h"
#include "base/mem.h"
#include "proxy/mirror_mark.h"

#define HEAD 40u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char mark[MIRROR_MARK_MAX];
	struct uuid topic_id, log_id, other;
	bool same = false, other_log = false;
	size_t n = size - HEAD;
	int64_t epoch;
	char *copy;

	if (size < HEAD)
		return 0;
	memcpy(topic_id.b, data, 16);
	memcpy(log_id.b, data + 16, 16);
	memcpy(&epoch, data + 32, 8);
	/* A copy of its own, so that a read behind it is seen. */
	copy = mem_zalloc(n + (n == 0), 1);
	if (n)
		memcpy(copy, data + HEAD, n);
	if (mirror_mark_is_ours((struct str){copy, n}, topic_id, log_id, &same, &other_log))
		sl_assert(n >= 9 && memcmp(copy, "sluice 1 ", 9) == 0);
	else
		sl_assert(!same && !other_log);
	mem_free(copy);

	mirror_mark_write(mark, topic_id, epoch, log_id);
	sl_assert(mirror_mark_is_ours(str_of(mark), topic_id, log_id, &same, &other_log));
	sl_assert(same && !other_log);
	other = topic_id;
	other.b[5] ^= 1;
	sl_assert(mirror_mark_is_ours(str_of(mark), other, log_id, &same, &other_log) && !same);
	return 0;
}
