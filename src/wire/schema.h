/* SPDX-License-Identifier: Apache-2.0 */
/* The tables behind wire/messages.h that the codec walks. Private to src/wire (and to the codec's own tests). */
#ifndef SLUICE_WIRE_SCHEMA_H
#define SLUICE_WIRE_SCHEMA_H

#include "wire/codec.h"

enum field_type {
	FIELD_BOOL,
	FIELD_INT8,
	FIELD_INT16,
	FIELD_UINT16,
	FIELD_INT32,
	FIELD_INT64,
	FIELD_FLOAT64,
	FIELD_UUID,
	FIELD_STRING,
	FIELD_BYTES,
	FIELD_RECORDS,
	FIELD_STRUCT,
};

#define FIELD_ARRAY 0x01          /* []type: pointer at offset, count at offset_n */
#define FIELD_POINTER 0x02        /* a struct that may be null: pointer at offset */
#define FIELD_TAGGED 0x04         /* travels in the tagged section, never in order */
#define FIELD_IGNORABLE 0x08      /* a value that the version has no place for is dropped silently */
#define FIELD_DEFAULT_NULL 0x10   /* default of a string, array or struct: null instead of empty */
#define FIELD_EMPTY_FOR_NULL 0x20 /* null is written as empty where the version does not allow null */

/* Version ranges are inclusive; SCHEMA_NO_VERSION as both ends is the empty range. */
#define SCHEMA_OPEN INT16_MAX
#define SCHEMA_NO_VERSION (-1)

/* Elements of one array, as in the reader. */
#define SCHEMA_ARRAY_MAX 1000000u
/* Fields in one tagged section, known and unknown. */
#define SCHEMA_TAGS_MAX 10000u

struct schema_field {
	const char *name;  /* as in Kafka: "TopicId" */
	const char *ident; /* as in C: "topic_id" */
	uint8_t type;      /* enum field_type */
	uint8_t flags;
	int16_t min, max;           /* versions that have the field */
	int16_t null_min, null_max; /* versions that allow null */
	uint16_t tag;
	uint16_t offset, offset_n;
	int64_t default_int; /* of the integer types and bool */
	const struct schema *sub;
};

/* One struct: a message or something nested in it. */
struct schema {
	const char *name; /* of a message: with Request or Response; nested: Kafka's type name */
	const struct schema_field *fields;
	uint16_t fields_n;
	uint16_t size;
	int16_t min, max;
	int16_t flexible; /* first flexible version, SCHEMA_OPEN when there is none */
	int16_t api_key;  /* -1 when nested */
	bool response;
};

/* All messages, by API key, request before response; printed by tools/schemagen. */
extern const struct schema *const schema_messages[];
extern const size_t schema_messages_n;

static inline bool field_in_version(const struct schema_field *f, int16_t version)
{
	return f->min <= version && version <= f->max;
}

static inline bool field_is_nullable(const struct schema_field *f, int16_t version)
{
	return f->null_min <= version && version <= f->null_max;
}

static inline bool field_is_array(const struct schema_field *f)
{
	return (f->flags & FIELD_ARRAY) != 0;
}

static inline bool field_is_tagged(const struct schema_field *f)
{
	return (f->flags & FIELD_TAGGED) != 0;
}

/* Pointer fields have many C types: they are moved as bytes. */
static inline void field_set_pointer(uint8_t *at, void *p)
{
	memcpy(at, &p, sizeof(p));
}

static inline void *field_pointer(const uint8_t *at)
{
	void *p;

	memcpy(&p, at, sizeof(p));
	return p;
}

static inline void field_set_array(const struct schema_field *f, uint8_t *base, void *p, uint32_t n)
{
	field_set_pointer(base + f->offset, p);
	memcpy(base + f->offset_n, &n, sizeof(n));
}

static inline uint32_t field_array_count(const struct schema_field *f, const uint8_t *base)
{
	uint32_t n;

	memcpy(&n, base + f->offset_n, sizeof(n));
	return n;
}

/* The tagged field with this tag in this version, NULL when it is unknown. */
const struct schema_field *schema_tag_find(const struct schema *s, int16_t version, uint32_t tag);

/* sizeof one element of f in memory (of the field itself when it is no array). */
size_t field_elem_size(const struct schema_field *f);

/* The fewest bytes that one element of f, or one struct s, takes on the wire in this version; at least 1. */
size_t field_elem_min(const struct schema_field *f, int16_t version, bool flexible);
size_t schema_min_size(const struct schema *s, int16_t version, bool flexible);

/* An address that is not null and holds nothing: what an empty array points to. */
void *schema_empty_array(void);

#endif
