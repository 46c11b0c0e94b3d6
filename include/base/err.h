/* SPDX-License-Identifier: Apache-2.0 */
/* What a fallible function returns. Kafka's own error codes, which travel on the wire, are in wire/kafka_errors.h. */
#ifndef SLUICE_BASE_ERR_H
#define SLUICE_BASE_ERR_H

#define ERR_LIST(X)                                                                                                    \
	X(ERR_OK, "ok")                                                                                                \
	X(ERR_MALFORMED, "malformed data")                                                                             \
	X(ERR_TOO_LARGE, "larger than its limit")                                                                      \
	X(ERR_NO_MEMORY, "out of memory")                                                                              \
	X(ERR_UNSUPPORTED, "unsupported version")                                                                      \
	X(ERR_CORRUPT, "checksum mismatch")                                                                            \
	X(ERR_NOT_FOUND, "not found")                                                                                  \
	X(ERR_INVALID, "invalid value")                                                                                \
	X(ERR_IO, "input or output failed")                                                                            \
	X(ERR_TIMEOUT, "timed out")                                                                                    \
	X(ERR_CLOSED, "connection closed")                                                                             \
	X(ERR_FULL, "no room")

enum err {
#define ERR_ENUM(name, text) name,
	ERR_LIST(ERR_ENUM)
#undef ERR_ENUM
};

#define ERR_CHECKED __attribute__((warn_unused_result))

/* A short English phrase for e, static storage. */
const char *err_text(enum err e);

#endif
