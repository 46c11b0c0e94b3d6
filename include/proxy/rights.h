/* SPDX-License-Identifier: Apache-2.0 */
/* What one client may do, as the broker has said over its connection: a cache with a ceiling and an age. */
#ifndef SLUICE_PROXY_RIGHTS_H
#define SLUICE_PROXY_RIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/types.h"

/* Kafka's numbers of resource types and, as bits, of operations. */
enum { RIGHTS_TOPIC = 2, RIGHTS_GROUP = 3, RIGHTS_CLUSTER = 4 };
enum {
	RIGHT_READ = 1 << 3,
	RIGHT_DELETE = 1 << 6,
	RIGHT_DESCRIBE = 1 << 8,
	RIGHT_DESCRIBE_CONFIGS = 1 << 10,
	RIGHT_ALTER_CONFIGS = 1 << 11,
};

enum rights_verdict { RIGHTS_UNKNOWN, RIGHTS_DENIED, RIGHTS_ALLOWED };

struct rights;

struct rights *rights_new(void);
/* NULL is allowed. */
void rights_free(struct rights *r);

/* Which of these operations have to be asked about: neither known since less than max_age_ms nor asked about already.
 * They count as asked from now on, until rights_set or rights_unknown. Makes room when there is too much. */
uint32_t rights_want(struct rights *r, int kind, struct str name, uint32_t operations, int64_t now, int32_t max_age_ms);

/* The broker has said of these operations which are allowed. */
void rights_set(struct rights *r, int kind, struct str name, uint32_t operations, uint32_t allowed, int64_t now);

/* It could not be asked about these. */
void rights_unknown(struct rights *r, int kind, struct str name, uint32_t operations);

/* What was said last, however long ago. */
enum rights_verdict rights_get(const struct rights *r, int kind, struct str name, uint32_t operation);

#endif
