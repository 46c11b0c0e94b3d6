/* SPDX-License-Identifier: Apache-2.0 */
/* The log: one line an event on standard error, text or JSON; repeated lines are counted, not repeated. */
#ifndef SLUICE_BASE_LOG_H
#define SLUICE_BASE_LOG_H

#include <stdint.h>

#include "base/types.h"

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARN, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };
enum log_format { LOG_FORMAT_TEXT, LOG_FORMAT_JSON };

struct log; /* one a process, given to whoever logs */

/* Who the line is about; members that are null or 0 are left out of the line. */
struct log_ctx {
	uint64_t conn;        /* number of the connection */
	struct str client_id; /* as the client sent it; escaped when printed */
	struct str peer;      /* address of the peer */
	const char *reason;   /* why, a short stable word such as a close reason: lines are grouped by it */
};

/* A log that writes to fd, which it does not own. */
struct log *log_new(int fd, enum log_level level, enum log_format format);

/* Prints what was held back, frees. NULL is allowed. */
void log_free(struct log *l);

void log_set_level(struct log *l, enum log_level level);
void log_set_format(struct log *l, enum log_format format);

/* True when a line of this level would be written: to skip expensive arguments. */
bool log_wants(const struct log *l, enum log_level level);

/* Writes one line. Lines with the same fmt and the same ctx reason are limited: the first few of each second are
 * written, the rest are counted and reported by one line ("repeated N times") when a second has passed. ctx may be
 * NULL. A full or failed output is ignored: sluice serves on with a full disk. */
void log_write(struct log *l, enum log_level level, const struct log_ctx *ctx, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Writes the counts that are due; called about once a second by the loop. now is clock_mono_ms(). */
void log_tick(struct log *l, int64_t now);

#define log_error(l, ctx, ...) log_write(l, LOG_LEVEL_ERROR, ctx, __VA_ARGS__)
#define log_warn(l, ctx, ...) log_write(l, LOG_LEVEL_WARN, ctx, __VA_ARGS__)
#define log_info(l, ctx, ...) log_write(l, LOG_LEVEL_INFO, ctx, __VA_ARGS__)
#define log_debug(l, ctx, ...)                                                                                         \
	do {                                                                                                           \
		if (log_wants(l, LOG_LEVEL_DEBUG))                                                                     \
			log_write(l, LOG_LEVEL_DEBUG, ctx, __VA_ARGS__);                                               \
	} while (0)

#endif
