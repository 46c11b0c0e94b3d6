/* SPDX-License-Identifier: Apache-2.0 */
/* uthash with the project's own memory functions. */
#ifndef SLUICE_STATELOG_HASH_H
#define SLUICE_STATELOG_HASH_H

#include "base/mem.h"

#define uthash_malloc(size) mem_zalloc(1, (size))
#define uthash_free(p, size) mem_free(p)
#include <uthash.h>

#endif
