/* SPDX-License-Identifier: Apache-2.0 */
/* The mark by which the mirror knows its own offset commits: the metadata of each. */
#ifndef SLUICE_PROXY_MIRROR_MARK_H
#define SLUICE_PROXY_MIRROR_MARK_H

#include "base/types.h"

#define MIRROR_MARK_MAX 96

/* The metadata of a commit. The owner epoch is an offset of a log of the internal topic with id log_id. */
void mirror_mark_write(char mark[MIRROR_MARK_MAX], struct uuid topic_id, int64_t owner_epoch, struct uuid log_id);

/* Whether an offset with this metadata is ours; *ret_same: and of this topic, not of one that had its name before;
 * *ret_other_log: and was made when another internal topic than log_id was in use. */
bool mirror_mark_is_ours(
	struct str metadata, struct uuid topic_id, struct uuid log_id, bool *ret_same, bool *ret_other_log);

#endif
