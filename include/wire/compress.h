/* SPDX-License-Identifier: Apache-2.0 */
/* Decompression of record batches with a ceiling: gzip, snappy (raw and Java's framing), lz4 frames, zstd (several
 * frames, no stored size). */
#ifndef SLUICE_WIRE_COMPRESS_H
#define SLUICE_WIRE_COMPRESS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/types.h"
#include "wire/batch.h"

/* Expands in with the given codec into memory of a; never more than max bytes. ERR_MALFORMED, ERR_TOO_LARGE,
 * ERR_UNSUPPORTED, ERR_NO_MEMORY. */
enum err decompress(
	enum compression codec, struct bytes in, size_t max, struct arena *a, struct bytes *ret) ERR_CHECKED;

#endif
