/* SPDX-License-Identifier: Apache-2.0 */
/* The configs of share groups whose state partition is not ours at the moment, to be named if it never comes back. */
#ifndef SLUICE_PROXY_LOST_CONFIGS_H
#define SLUICE_PROXY_LOST_CONFIGS_H

#include <stdint.h>

#include "base/log.h"
#include "share/share.h"

struct lost_configs; /* NULL: none are kept */

/* Keeps what the engine has of a state partition that is about to be dropped, instead of what was kept of it before;
 * at most as much as the engine itself may hold. */
void lost_configs_keep(struct lost_configs **lc, const struct share_engine *e, int32_t state_partition);

/* The partition is loaded again: the engine knows them. */
void lost_configs_forget(struct lost_configs **lc, int32_t state_partition);

/* Names all of them in the log, in a few long lines that end with the number of groups that found no room, and frees
 * them. */
void lost_configs_tell(struct lost_configs **lc, struct log *log);
void lost_configs_free(struct lost_configs **lc);

#endif
