/* SPDX-License-Identifier: Apache-2.0 */
/* Views on bytes that something else owns, and Kafka's uuid. */
#ifndef SLUICE_BASE_TYPES_H
#define SLUICE_BASE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A string that is not terminated. p == NULL is Kafka's null; an empty string has p != NULL and n == 0. */
struct str {
	const char *p;
	size_t n;
};

/* Raw bytes, the same rule for null. */
struct bytes {
	const uint8_t *p;
	size_t n;
};

/* Kafka's uuid: 16 raw bytes; all zero means "none" (Uuid.ZERO_UUID). */
struct uuid {
	uint8_t b[16];
};

#define STR_NULL ((struct str){NULL, 0})
/* A view on a string literal. */
#define STR_LIT(s) ((struct str){(s), sizeof(s) - 1})

/* A view on a terminated string; NULL gives the null string. */
static inline struct str str_of(const char *s)
{
	return (struct str){s, s ? strlen(s) : 0};
}

static inline bool str_is_null(struct str s)
{
	return s.p == NULL;
}

/* Equal bytes; null equals only null. */
static inline bool str_eq(struct str a, struct str b)
{
	if (!a.p || !b.p)
		return a.p == b.p;
	return a.n == b.n && memcmp(a.p, b.p, a.n) == 0;
}

/* Order by bytes, shorter first on a common prefix; both must not be null. */
static inline int str_cmp(struct str a, struct str b)
{
	int d = memcmp(a.p, b.p, a.n < b.n ? a.n : b.n);

	return d ? d : (a.n > b.n) - (a.n < b.n);
}

static inline bool uuid_eq(struct uuid a, struct uuid b)
{
	return memcmp(a.b, b.b, sizeof(a.b)) == 0;
}

static inline int uuid_cmp(struct uuid a, struct uuid b)
{
	return memcmp(a.b, b.b, sizeof(a.b));
}

static inline bool uuid_is_zero(struct uuid a)
{
	return uuid_eq(a, (struct uuid){{0}});
}

/* Writes the 22 characters of Kafka's base64url form and a terminator into out. */
void uuid_format(struct uuid u, char out[23]);

#endif
