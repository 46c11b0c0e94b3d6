/* SPDX-License-Identifier: Apache-2.0 */
/* The mark of an offset commit that the mirror made is written and recognised here.
 *
 *   sluice 1 TOPIC-ID OWNER-EPOCH LOG-ID */
#include "proxy/mirror_mark.h"

#include <stdio.h>
#include <string.h>

#define MARK "sluice 1 "

void mirror_mark_write(char mark[MIRROR_MARK_MAX], struct uuid topic_id, int64_t owner_epoch, struct uuid log_id)
{
	char id[23], log[23];

	uuid_format(topic_id, id);
	uuid_format(log_id, log);
	snprintf(mark, MIRROR_MARK_MAX, MARK "%s %lld %s", id, (long long)owner_epoch, log);
}

bool mirror_mark_is_ours(
	struct str metadata, struct uuid topic_id, struct uuid log_id, bool *ret_same, bool *ret_other_log)
{
	const size_t n = sizeof(MARK) - 1;
	char id[23], log[23], zero[23];

	uuid_format(topic_id, id);
	uuid_format(log_id, log);
	uuid_format((struct uuid){{0}}, zero);
	if (metadata.n < n || memcmp(metadata.p, MARK, n) != 0)
		return false;
	*ret_same = metadata.n >= n + 23 && memcmp(metadata.p + n, id, 22) == 0 && metadata.p[n + 22] == ' ';
	/* Marks of early versions do not name the log; without topic ids it has no name. */
	*ret_other_log = metadata.n >= n + 23 + 2 + 22 && metadata.p[metadata.n - 23] == ' ' &&
			 memcmp(metadata.p + metadata.n - 22, log, 22) != 0 &&
			 memcmp(metadata.p + metadata.n - 22, zero, 22) != 0 && !uuid_is_zero(log_id);
	return true;
}
