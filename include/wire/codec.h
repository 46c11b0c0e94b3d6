/* SPDX-License-Identifier: Apache-2.0 */
/* The interpreter that walks message schemas: decode, encode, skip, locate, stream.
 *
 * A schema describes one message in all its versions (see messages.h, printed from src/wire/schema by tools/schemagen).
 * Decoded messages are plain structs:
 * - int8..int64, uint16, float64, bool, uuid: the C type
 * - string: struct str (null: p == NULL)
 * - bytes: struct bytes (null: p == NULL)
 * - records: struct records
 * - []T: T *name; uint32_t name_n; null: name == NULL (and 0 elements: not NULL)
 * - nullable struct: pointer, null: NULL
 *
 * A field that the version does not have gets its default. */
#ifndef SLUICE_WIRE_CODEC_H
#define SLUICE_WIRE_CODEC_H

#include "base/arena.h"
#include "wire/reader.h"
#include "wire/writer.h"

struct schema; /* opaque table, one a message */

/* Stored record batches. Decoding gives one slice without a chunk, a view into the frame; encoding writes the slices
 * one behind the other. v == NULL is null, v != NULL with total 0 is empty. */
struct records {
	const struct slice *v;
	uint32_t v_n;
};

/* The schema of a request or response by API key, or NULL when this program does not have it. */
const struct schema *schema_find(int16_t api_key, bool response);

/* Name as in Kafka ("ShareFetchRequest"), version range, whether version v has compact lengths and tagged fields. */
const char *schema_name(const struct schema *s);
int16_t schema_min_version(const struct schema *s);
int16_t schema_max_version(const struct schema *s);
bool schema_is_flexible(const struct schema *s, int16_t version);

/* sizeof the struct of the message. */
size_t schema_struct_size(const struct schema *s);

/* Sets every field of *msg to its default. Nested structs have schemas too (messages.h): those that are filled by hand,
 * such as the elements of an array, start with this call, since zeroed memory is not every field's default. */
void codec_init(const struct schema *s, void *msg);

/* Decodes the whole body into *msg, arrays and tagged structs from a; strings are views into the body. The reader must
 * be consumed exactly; after an error *msg holds nothing of use. ERR_MALFORMED, ERR_UNSUPPORTED (version outside the
 * schema), ERR_TOO_LARGE (arena ceiling). On an error path (if not NULL) names the field, such as
 * "topics[2].partitions[0].partition_index". */
#define CODEC_PATH_MAX 160
enum err codec_decode(const struct schema *s, int16_t version, struct reader *r, struct arena *a, void *msg,
	char path[CODEC_PATH_MAX]) ERR_CHECKED;

/* Encodes *msg behind what w holds. ERR_INVALID when null stands where the version does not allow it or a value has no
 * place in the version while it differs from its default and the schema does not mark it ignorable (null and empty both
 * count as unset there). Null records of a field that the schema marks empty-for-null (ShareFetch answers) are written
 * as empty. Also the errors of the writer, which keeps the first. */
enum err codec_encode(const struct schema *s, int16_t version, struct writer *w, const void *msg) ERR_CHECKED;

/* Where a field lies in a body, for edit lists. */
struct codec_span {
	size_t off, len;    /* byte range of the field's value in the body, its length prefix included */
	int field;          /* what was asked for: index into the list of names */
	uint32_t tag_depth; /* > 0: inside a tagged field whose size must follow */
	/* the uvarint before the tagged field that holds the span, if tag_depth > 0 */
	size_t tag_size_off, tag_size_len, tag_size_value;
};

/* Walks a body and reports, in order of the bytes, every occurrence of the named fields (Kafka's names with dots, such
 * as "Brokers.Host"; n names). on_span returning false stops the walk early: what follows is not even checked (a prefix
 * walk). ERR_MALFORMED, ERR_UNSUPPORTED. Allocates nothing. At most 32 names, each of them in the schema (without any,
 * the body is only checked); a field is reported before what is inside it, the span of an array begins with its count,
 * that of a tagged field is its value.
 */
typedef bool (*codec_span_cb)(void *arg, const struct codec_span *span);
enum err codec_locate(const struct schema *s, int16_t version, struct reader *r, const char *const *names, size_t n,
	codec_span_cb on_span, void *arg) ERR_CHECKED;

/* A resumable walk over a body that is not collected: bytes are fed as they come, memory is fixed. It tells where the
 * top-level tagged section (flexible versions) begins, so that a tag at the very end of a Fetch answer of any size can
 * be changed. */
#define CODEC_STREAM_DEPTH 12
struct codec_stream {
	const struct schema *schema;
	int16_t version;
	enum err err;
	bool at_tags; /* the next byte is the first of the message's own tagged section */
	uint64_t skip;
	uint8_t pending[16];
	uint8_t pending_n;
	uint8_t depth;
	struct {
		const void *node; /* sub-table */
		uint32_t field, left, tags_left;
		uint32_t state;
	} stack[CODEC_STREAM_DEPTH];
};

/* Starts a walk; ERR_UNSUPPORTED. */
enum err codec_stream_init(struct codec_stream *st, const struct schema *s, int16_t version) ERR_CHECKED;

/* Feeds n bytes; returns how many were walked: all of them, or fewer when at_tags became true (then the rest is the
 * caller's) or err was set. In versions without tags the walk is over when depth is 0, and bytes behind it are
 * malformed. What it checks is what can be known without the rest of the body; values of tagged fields are skipped by
 * their size. */
size_t codec_stream_feed(struct codec_stream *st, const uint8_t *p, size_t n);

#endif
