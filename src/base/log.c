/* SPDX-License-Identifier: Apache-2.0 */
/* Log lines are made here, and held back when one of them comes too often.
 *
 *   log_write -> log_limit_admit --- admitted ---> log_emit -> write(2)
 *                     |                               ^
 *                     +--- held: counted ---> log_tick, or the next line of that kind
 */
#include "base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/clock.h"
#include "base/mem.h"

#define LOG_LINE_MAX 4096u    /* bytes of one line: room for all that follows and the names between */
#define LOG_MESSAGE_MAX 2560u /* bytes of the message, before and after it is escaped */
#define LOG_FIELD_MAX 400u    /* bytes of each other field after it is escaped */
#define LOG_KINDS 64u         /* kinds of lines that are counted at one time */
#define LOG_BURST 10u         /* lines of one kind that are written in each window */
#define LOG_WINDOW_MS 1000

/* Lines of one kind: same format, same reason. */
struct log_kind {
	const char *fmt; /* NULL: unused */
	enum log_level level;
	char reason[48];
	int64_t since; /* start of the window */
	uint32_t written;
	uint64_t held;
	char last[200]; /* the last message that was held back, perhaps cut */
};

struct log {
	int fd;
	enum log_level level;
	enum log_format format;
	bool torn; /* the last line could not be written to its end */
	struct log_kind kinds[LOG_KINDS];
};

/* A line under construction. */
struct line {
	size_t n;
	char p[LOG_LINE_MAX];
};

struct log *log_new(int fd, enum log_level level, enum log_format format)
{
	struct log *l = mem_zalloc(1, sizeof(*l));

	l->fd = fd;
	l->level = level;
	l->format = format;
	return l;
}

void log_set_level(struct log *l, enum log_level level)
{
	l->level = level;
}

void log_set_format(struct log *l, enum log_format format)
{
	l->format = format;
}

bool log_wants(const struct log *l, enum log_level level)
{
	return level <= l->level;
}

static void line_put(struct line *ln, const char *p, size_t n)
{
	sl_assert(n <= sizeof(ln->p) - ln->n);
	memcpy(ln->p + ln->n, p, n);
	ln->n += n;
}

static void line_puts(struct line *ln, const char *s)
{
	line_put(ln, s, strlen(s));
}

/* Length of the UTF-8 character at p, 0 when its bytes are not valid; *ret_cp is its code point. */
static size_t utf8_next(const unsigned char *p, size_t left, uint32_t *ret_cp)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t n = p[0] < 0x80 ? 1 : p[0] >> 5 == 6 ? 2 : p[0] >> 4 == 14 ? 3 : p[0] >> 3 == 30 ? 4 : 0;
	uint32_t cp = n == 1 ? p[0] : n ? p[0] & (0x7fu >> n) : 0;

	if (n == 0 || n > left)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if (p[i] >> 6 != 2)
			return 0;
		cp = cp << 6 | (p[i] & 0x3fu);
	}
	if (cp < smallest[n] || cp > 0x10ffff || (cp >= 0xd800 && cp < 0xe000))
		return 0;
	*ret_cp = cp;
	return n;
}

/* How a character of a field is written. */
struct escape {
	bool json;
	bool quoted; /* the field stands in quotes */
	size_t max;  /* bytes of the field on the line; the rest is cut */
};

/* One character, len bytes at p (0: not valid UTF-8, one byte is meant). Peers choose some of these bytes: nothing of
 * theirs may end the line, close a quote or steer a terminal. */
static void line_put_char(struct line *ln, const char *p, size_t len, uint32_t cp, const struct escape *how)
{
	char esc[8];

	if (len == 0)
		snprintf(esc, sizeof(esc), how->json ? "\\ufffd" : "\\x%02x", (unsigned)(unsigned char)*p);
	else if (cp == '\n' || cp == '\t' || cp == '\r')
		snprintf(esc, sizeof(esc), "\\%c", cp == '\n' ? 'n' : cp == '\t' ? 't' : 'r');
	else if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0))
		snprintf(esc, sizeof(esc), how->json ? "\\u%04x" : "\\x%02x", (unsigned)cp);
	else if (how->quoted && (cp == '"' || cp == '\\'))
		snprintf(esc, sizeof(esc), "\\%c", (char)cp);
	else
		snprintf(esc, sizeof(esc), "%.*s", (int)len, p);
	line_puts(ln, esc);
}

static void line_put_escaped(struct line *ln, const char *p, size_t n, const struct escape *how)
{
	size_t start = ln->n;

	for (size_t i = 0; i < n && ln->n - start <= how->max - 8;) {
		uint32_t cp = 0;
		size_t len = utf8_next((const unsigned char *)p + i, n - i, &cp);

		line_put_char(ln, p + i, len, cp, how);
		i += len ? len : 1;
	}
}

static void line_put_time(struct line *ln)
{
	int64_t ms = clock_wall_ms();
	time_t sec = (time_t)(ms / 1000);
	struct tm tm;
	char text[40];

	if (!gmtime_r(&sec, &tm))
		return;
	line_put(ln, text, strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm));
	snprintf(text, sizeof(text), ".%03dZ", (int)(ms % 1000));
	line_puts(ln, text);
}

static const char *log_level_name(enum log_level level)
{
	static const char *const names[] = {"ERROR", "WARN", "INFO", "DEBUG"};

	return names[level];
}

static void line_put_json_field(struct line *ln, const char *name, const char *p, size_t n, size_t max)
{
	const struct escape how = {.json = true, .quoted = true, .max = max};

	line_puts(ln, ",\"");
	line_puts(ln, name);
	line_puts(ln, "\":\"");
	line_put_escaped(ln, p, n, &how);
	line_puts(ln, "\"");
}

static void line_make_json(struct line *ln, enum log_level level, const struct log_ctx *ctx, const char *message)
{
	char number[32];

	line_puts(ln, "{\"time\":\"");
	line_put_time(ln);
	line_puts(ln, "\"");
	line_put_json_field(ln, "level", log_level_name(level), strlen(log_level_name(level)), LOG_FIELD_MAX);
	line_put_json_field(ln, "message", message, strlen(message), LOG_MESSAGE_MAX);
	if (ctx->conn) {
		snprintf(number, sizeof(number), ",\"conn\":%llu", (unsigned long long)ctx->conn);
		line_puts(ln, number);
	}
	if (!str_is_null(ctx->client_id))
		line_put_json_field(ln, "client_id", ctx->client_id.p, ctx->client_id.n, LOG_FIELD_MAX);
	if (!str_is_null(ctx->peer))
		line_put_json_field(ln, "peer", ctx->peer.p, ctx->peer.n, LOG_FIELD_MAX);
	if (ctx->reason)
		line_put_json_field(ln, "reason", ctx->reason, strlen(ctx->reason), LOG_FIELD_MAX);
	line_puts(ln, "}");
}

static void line_put_text_field(struct line *ln, const char *name, const char *p, size_t n)
{
	const struct escape how = {.json = false, .quoted = false, .max = LOG_FIELD_MAX};

	line_puts(ln, name);
	line_put_escaped(ln, p, n, &how);
}

static void line_make_text(struct line *ln, enum log_level level, const struct log_ctx *ctx, const char *message)
{
	const struct escape bare = {.json = false, .quoted = false, .max = LOG_MESSAGE_MAX};
	const struct escape quoted = {.json = false, .quoted = true, .max = LOG_FIELD_MAX};
	char number[32];

	line_put_time(ln);
	line_puts(ln, " ");
	line_puts(ln, log_level_name(level));
	line_puts(ln, " ");
	line_put_escaped(ln, message, strlen(message), &bare);
	if (ctx->conn) {
		snprintf(number, sizeof(number), " conn=%llu", (unsigned long long)ctx->conn);
		line_puts(ln, number);
	}
	if (!str_is_null(ctx->client_id)) {
		line_puts(ln, " client_id=\"");
		line_put_escaped(ln, ctx->client_id.p, ctx->client_id.n, &quoted);
		line_puts(ln, "\"");
	}
	if (!str_is_null(ctx->peer))
		line_put_text_field(ln, " peer=", ctx->peer.p, ctx->peer.n);
	if (ctx->reason)
		line_put_text_field(ln, " reason=", ctx->reason, strlen(ctx->reason));
}

/* An output that takes no more loses lines, never the service. */
static void log_output(struct log *l, const char *p, size_t n)
{
	if (l->torn && write(l->fd, "\n", 1) == 1)
		l->torn = false;
	for (size_t done = 0; done < n;) {
		ssize_t r = write(l->fd, p + done, n - done);

		if (r == -1 && errno == EINTR)
			continue;
		if (r <= 0) {
			l->torn = l->torn || done > 0;
			return;
		}
		done += (size_t)r;
	}
}

static void log_emit(struct log *l, enum log_level level, const struct log_ctx *ctx, const char *message)
{
	struct line ln;

	ln.n = 0;
	if (l->format == LOG_FORMAT_JSON)
		line_make_json(&ln, level, ctx, message);
	else
		line_make_text(&ln, level, ctx, message);
	line_puts(&ln, "\n");
	log_output(l, ln.p, ln.n);
}

/* Says how many lines of this kind were held back, and starts counting anew. */
static void log_kind_report(struct log *l, struct log_kind *k)
{
	struct log_ctx ctx = {.reason = k->reason[0] ? k->reason : NULL};
	char message[sizeof(k->last) + 64];

	if (k->held == 0)
		return;
	snprintf(message, sizeof(message), "repeated %llu times: %s", (unsigned long long)k->held, k->last);
	k->held = 0;
	log_emit(l, k->level, &ctx, message);
}

static void log_kind_clear(struct log *l, struct log_kind *k)
{
	log_kind_report(l, k);
	*k = (struct log_kind){.fmt = NULL};
}

/* The entry of this kind of line; when all are taken the oldest one makes room. */
static struct log_kind *log_kind_get(struct log *l, const char *fmt, const char *reason)
{
	struct log_kind *best = &l->kinds[0];
	char key[sizeof(best->reason)];

	snprintf(key, sizeof(key), "%s", reason ? reason : "");
	for (size_t i = 0; i < LOG_KINDS; i++) {
		struct log_kind *k = &l->kinds[i];

		if (k->fmt == fmt && strcmp(k->reason, key) == 0)
			return k;
		if (best->fmt && (!k->fmt || k->since < best->since))
			best = k;
	}
	log_kind_clear(l, best);
	best->fmt = fmt;
	memcpy(best->reason, key, sizeof(key));
	return best;
}

/* True when the line is to be written now. */
static bool log_limit_admit(
	struct log *l, enum log_level level, const struct log_ctx *ctx, const char *fmt, const char *message)
{
	struct log_kind *k = log_kind_get(l, fmt, ctx->reason);
	int64_t now = clock_mono_ms();

	if (k->written == 0 || now - k->since >= LOG_WINDOW_MS) {
		log_kind_report(l, k);
		k->since = now;
		k->written = 0;
	}
	k->level = level;
	if (k->written < LOG_BURST) {
		k->written++;
		return true;
	}
	k->held++;
	snprintf(k->last, sizeof(k->last), "%.*s", (int)sizeof(k->last) - 1, message);
	return false;
}

void log_write(struct log *l, enum log_level level, const struct log_ctx *ctx, const char *fmt, ...)
{
	static const struct log_ctx nobody = {.conn = 0};
	char message[LOG_MESSAGE_MAX];
	va_list ap;

	if (!log_wants(l, level))
		return;
	if (!ctx)
		ctx = &nobody;
	va_start(ap, fmt);
	if (vsnprintf(message, sizeof(message), fmt, ap) < 0)
		message[0] = '\0';
	va_end(ap);
	if (log_limit_admit(l, level, ctx, fmt, message))
		log_emit(l, level, ctx, message);
}

void log_tick(struct log *l, int64_t now)
{
	for (size_t i = 0; i < LOG_KINDS; i++) {
		struct log_kind *k = &l->kinds[i];

		if (k->fmt && now - k->since >= LOG_WINDOW_MS)
			log_kind_clear(l, k);
	}
}

void log_free(struct log *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < LOG_KINDS; i++)
		log_kind_clear(l, &l->kinds[i]);
	mem_free(l);
}
