/* SPDX-License-Identifier: Apache-2.0 */
/* The share.* configs of a group as one table: how each is read from text, bounded and printed. */
#include "share/group_config.h"

#include <ctype.h>
#include <stdio.h>

#include "engine.h"

enum row_kind { ROW_INT, ROW_RESET, ROW_ISOLATION, ROW_BOOL };

/* A number lies in the config at field, its broker value and bounds in the bounds at value, value + 1 and value + 2. */
struct row {
	const char *name;
	enum row_kind kind;
	int32_t own_min;
	size_t field, value;
	const char *broker; /* middle part of the broker options' names */
	const char *doc;
};

#define FIELD(f) offsetof(struct share_group_config, f), offsetof(struct share_group_config_bounds, f)

static const struct row rows[] = {
	{"share.session.timeout.ms", ROW_INT, 1, FIELD(session_timeout_ms), "session.timeout.ms",
		"The timeout to detect failures of members that do not send heartbeats any more."},
	{"share.heartbeat.interval.ms", ROW_INT, 1, FIELD(heartbeat_interval_ms), "heartbeat.interval.ms",
		"The heartbeat interval given to the members."},
	{"share.record.lock.duration.ms", ROW_INT, 1000, FIELD(record_lock_duration_ms), "record.lock.duration.ms",
		"The time for which a record is held by the member that acquired it."},
	{"share.delivery.count.limit", ROW_INT, 2, FIELD(delivery_count_limit), "delivery.count.limit",
		"The number of deliveries after which a record that was not accepted is archived."},
	{"share.partition.max.record.locks", ROW_INT, 100, FIELD(partition_max_record_locks),
		"partition.max.record.locks", "The number of records of a share-partition that may be in flight."},
	{"share.assignment.interval.ms", ROW_INT, 0, FIELD(assignment_interval_ms), "assignment.interval.ms",
		"The least time between two assignments of a group."},
	{"share.auto.offset.reset", ROW_RESET, 0, 0, 0, NULL,
		"Where a share-partition starts that has no start offset: latest, earliest, or "
		"by_duration:PnDTnHnMn.nS back in time."},
	{"share.isolation.level", ROW_ISOLATION, 0, 0, 0, NULL,
		"Whether records of transactions are delivered when they are written (read_uncommitted) or committed "
		"(read_committed)."},
	{"share.renew.acknowledge.enable", ROW_BOOL, 0, 0, 0, NULL,
		"Whether members may renew the acquisition lock of a record."},
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static int32_t *int_at(struct share_group_config *c, const struct row *r)
{
	return (int32_t *)(void *)((char *)c + r->field);
}

static int32_t bound_at(const struct share_group_config_bounds *b, const struct row *r, size_t i)
{
	int32_t v;

	memcpy(&v, (const char *)b + r->value + i * sizeof(v), sizeof(v));
	return v;
}

static const struct row *row_find(struct str name)
{
	for (size_t i = 0; i < ROWS; i++) {
		if (str_eq(name, str_of(rows[i].name)))
			return &rows[i];
	}
	return NULL;
}

void share_group_config_bounds_default(struct share_group_config_bounds *b)
{
	*b = (struct share_group_config_bounds){
		.session_timeout_ms = 45000,
		.min_session_timeout_ms = 45000,
		.max_session_timeout_ms = 60000,
		.heartbeat_interval_ms = 5000,
		.min_heartbeat_interval_ms = 5000,
		.max_heartbeat_interval_ms = 15000,
		.record_lock_duration_ms = 30000,
		.min_record_lock_duration_ms = 15000,
		.max_record_lock_duration_ms = 60000,
		.delivery_count_limit = 5,
		.min_delivery_count_limit = 2,
		.max_delivery_count_limit = 10,
		.partition_max_record_locks = 2000,
		.min_partition_max_record_locks = 100,
		.max_partition_max_record_locks = 4000,
		.assignment_interval_ms = 1000,
		.min_assignment_interval_ms = 0,
		.max_assignment_interval_ms = 15000,
	};
}

void share_group_config_default(const struct share_group_config_bounds *b, struct share_group_config *ret)
{
	*ret = (struct share_group_config){.auto_offset_reset = SHARE_RESET_LATEST,
		.renew_acknowledge_enable = true,
		.record_locks_span = b->record_locks_span};
	for (size_t i = 0; i < ROWS; i++) {
		if (rows[i].kind == ROW_INT)
			*int_at(ret, &rows[i]) = bound_at(b, &rows[i], 0);
	}
}

uint32_t share_group_config_names(void)
{
	return ROWS;
}

struct str share_group_config_name(uint32_t i)
{
	sl_assert(i < ROWS);
	return str_of(rows[i].name);
}

int8_t share_group_config_type(uint32_t i)
{
	sl_assert(i < ROWS);
	return rows[i].kind == ROW_INT ? 3 : rows[i].kind == ROW_BOOL ? 1 : 2;
}

const char *share_group_config_doc(uint32_t i)
{
	sl_assert(i < ROWS);
	return rows[i].doc;
}

/* ---- reading ---- */

static struct str trimmed(struct str s)
{
	while (s.n && isspace((unsigned char)s.p[0])) {
		s.p++;
		s.n--;
	}
	while (s.n && isspace((unsigned char)s.p[s.n - 1]))
		s.n--;
	return s;
}

static bool parse_int(struct str s, int32_t *ret)
{
	bool negative = s.n && s.p[0] == '-';
	int64_t v = 0;
	size_t i = s.n && (s.p[0] == '-' || s.p[0] == '+') ? 1 : 0;

	if (i == s.n)
		return false;
	for (; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9' || v > INT32_MAX)
			return false;
		v = v * 10 + (s.p[i] - '0');
	}
	v = negative ? -v : v;
	if (v > INT32_MAX || v < INT32_MIN)
		return false;
	*ret = (int32_t)v;
	return true;
}

static bool equals_ignoring_case(struct str s, const char *word)
{
	for (size_t i = 0; i < s.n; i++) {
		if (!word[i] || tolower((unsigned char)s.p[i]) != word[i])
			return false;
	}
	return word[s.n] == 0;
}

struct duration {
	struct str rest;
	int64_t ms;
	bool any; /* a field was read */
};

/* Reads "<number><unit>" when the next unit is this one; false: malformed or too long. */
static bool duration_field(struct duration *d, char unit, int64_t unit_ms)
{
	int64_t v = 0, fraction = 0, scale = 1000;
	size_t i = 0, digits = 0;

	if (i < d->rest.n && d->rest.p[i] == '+')
		i++;
	for (; i < d->rest.n && isdigit((unsigned char)d->rest.p[i]); i++, digits++) {
		if (v > INT64_MAX / 100000)
			return false;
		v = v * 10 + (d->rest.p[i] - '0');
	}
	if (unit == 's' && digits && i < d->rest.n && (d->rest.p[i] == '.' || d->rest.p[i] == ',')) {
		size_t from = ++i;

		for (; i < d->rest.n && isdigit((unsigned char)d->rest.p[i]); i++) {
			scale /= 10;
			fraction += (d->rest.p[i] - '0') * scale;
		}
		if (i - from > 9)
			return false;
	}
	if (!digits || i >= d->rest.n || tolower((unsigned char)d->rest.p[i]) != unit)
		return true; /* another unit's turn */
	if (v > (INT64_MAX - d->ms - fraction) / unit_ms)
		return false;
	d->ms += v * unit_ms + fraction;
	d->any = true;
	d->rest.p += i + 1;
	d->rest.n -= i + 1;
	return true;
}

/* An ISO-8601 duration of days, hours, minutes and seconds that is not negative: "P1DT2H", "PT0.5S". */
static bool parse_duration(struct str s, int64_t *ret_ms)
{
	struct duration d = {.rest = s};
	bool has_days;

	if (d.rest.n && d.rest.p[0] == '+') {
		d.rest.p++;
		d.rest.n--;
	}
	if (d.rest.n < 2 || tolower((unsigned char)d.rest.p[0]) != 'p')
		return false;
	d.rest.p++;
	d.rest.n--;
	if (!duration_field(&d, 'd', 86400000))
		return false;
	has_days = d.any;
	if (d.rest.n) {
		if (tolower((unsigned char)d.rest.p[0]) != 't')
			return false;
		d.rest.p++;
		d.rest.n--;
		d.any = false;
		if (!duration_field(&d, 'h', 3600000) || !duration_field(&d, 'm', 60000) ||
			!duration_field(&d, 's', 1000) || !d.any)
			return false;
	}
	if (d.rest.n || (!d.any && !has_days))
		return false;
	*ret_ms = d.ms;
	return true;
}

static const char BY_DURATION[] = "by_duration:";

static bool set_reset(struct share_group_config *c, struct str value)
{
	const size_t n = sizeof(BY_DURATION) - 1;
	int64_t ms;

	if (str_eq(value, STR_LIT("latest"))) {
		c->auto_offset_reset = SHARE_RESET_LATEST;
		return true;
	}
	if (str_eq(value, STR_LIT("earliest"))) {
		c->auto_offset_reset = SHARE_RESET_EARLIEST;
		return true;
	}
	if (value.n <= n || memcmp(value.p, BY_DURATION, n) != 0 ||
		!parse_duration((struct str){value.p + n, value.n - n}, &ms))
		return false;
	c->auto_offset_reset = SHARE_RESET_BY_DURATION;
	c->auto_offset_reset_duration_ms = ms;
	return true;
}

/* ---- setting ---- */

/* As much of a text of the client's as a message repeats. */
static int shown(struct str s)
{
	return (int)(s.n < 256 ? s.n : 256);
}

static enum err refuse(struct arena *a, const struct row *r, struct str value, const char *why, struct str *ret_message)
{
	*ret_message =
		arena_printf(a, "Invalid value %.*s for configuration %s: %s", shown(value), value.p, r->name, why);
	return ERR_INVALID;
}

static enum err refuse_word(struct arena *a, const struct row *r, struct str value, struct str *ret_message)
{
	struct str why;

	switch (r->kind) {
	case ROW_RESET:
		why = arena_printf(a,
			"Invalid value `%.*s` for configuration %s. The value must be either 'earliest', 'latest' or "
			"of the format 'by_duration:<PnDTnHnMn.nS>'.",
			shown(value), value.p, r->name);
		return refuse(a, r, value, why.p, ret_message);
	case ROW_ISOLATION:
		return refuse(a, r, value, "String must be one of: read_committed, read_uncommitted", ret_message);
	case ROW_BOOL:
	case ROW_INT:
	default:
		return refuse(a, r, value, "Expected value to be either true or false", ret_message);
	}
}

static enum err set_int(const struct share_group_config_bounds *b, struct share_group_config *c, const struct row *r,
	struct str value, struct arena *a, struct str *ret_message)
{
	char why[64];
	int32_t v;

	if (!parse_int(value, &v))
		return refuse(a, r, value, "Not a number of type INT", ret_message);
	if (v < r->own_min) {
		(void)snprintf(why, sizeof(why), "Value must be at least %d", r->own_min);
		return refuse(a, r, value, why, ret_message);
	}
	if (v < bound_at(b, r, 1) || v > bound_at(b, r, 2)) {
		*ret_message = arena_printf(a, "%s must be in the range %d to %d inclusive.", r->name,
			bound_at(b, r, 1), bound_at(b, r, 2));
		return ERR_INVALID;
	}
	*int_at(c, r) = v;
	return ERR_OK;
}

static bool set_word(struct share_group_config *c, const struct row *r, struct str value)
{
	switch (r->kind) {
	case ROW_RESET:
		return set_reset(c, value);
	case ROW_ISOLATION:
		c->read_committed = str_eq(value, STR_LIT("read_committed"));
		return c->read_committed || str_eq(value, STR_LIT("read_uncommitted"));
	case ROW_BOOL:
		c->renew_acknowledge_enable = equals_ignoring_case(value, "true");
		return c->renew_acknowledge_enable || equals_ignoring_case(value, "false");
	case ROW_INT:
	default:
		return false;
	}
}

enum err share_group_config_set(const struct share_group_config_bounds *b, struct share_group_config *c,
	struct str name, struct str value, struct arena *a, struct str *ret_message)
{
	const struct row *r = row_find(name);
	struct share_group_config changed = *c;
	enum err err;

	if (!r) {
		*ret_message = arena_printf(a, "Unknown group config name: %.*s", shown(name), name.p);
		return ERR_NOT_FOUND;
	}
	value = trimmed(value);
	if (r->kind == ROW_INT)
		err = set_int(b, &changed, r, value, a, ret_message);
	else
		err = set_word(&changed, r, value) ? ERR_OK : refuse_word(a, r, value, ret_message);
	if (err == ERR_OK)
		*c = changed;
	return err;
}

/* Sets a value that was accepted once: one that lies outside today's bounds counts as the nearest that is inside. */
enum err share_group_config_set_clamped(
	const struct share_group_config_bounds *b, struct share_group_config *c, struct str name, struct str value)
{
	const struct row *r = row_find(name);
	struct share_group_config changed = *c;
	int32_t v;

	if (!r)
		return ERR_NOT_FOUND;
	value = trimmed(value);
	if (r->kind != ROW_INT) {
		if (!set_word(&changed, r, value))
			return ERR_INVALID;
		*c = changed;
		return ERR_OK;
	}
	if (!parse_int(value, &v))
		return ERR_INVALID;
	if (v < bound_at(b, r, 1))
		v = bound_at(b, r, 1);
	if (v > bound_at(b, r, 2))
		v = bound_at(b, r, 2);
	*int_at(c, r) = v;
	return ERR_OK;
}

enum err share_group_config_check(const struct share_group_config *c, struct arena *a, struct str *ret_message)
{
	if (c->session_timeout_ms > c->heartbeat_interval_ms)
		return ERR_OK;
	*ret_message = arena_printf(a, "share.session.timeout.ms must be greater than share.heartbeat.interval.ms");
	return ERR_INVALID;
}

/* ---- printing ---- */

static struct str reset_text(const struct share_group_config *c, struct arena *a)
{
	int64_t ms = c->auto_offset_reset_duration_ms;

	if (c->auto_offset_reset == SHARE_RESET_EARLIEST)
		return STR_LIT("earliest");
	if (c->auto_offset_reset == SHARE_RESET_LATEST)
		return STR_LIT("latest");
	if (ms % 1000)
		return arena_printf(a, "%sPT%lld.%03dS", BY_DURATION, (long long)(ms / 1000), (int)(ms % 1000));
	return arena_printf(a, "%sPT%lldS", BY_DURATION, (long long)(ms / 1000));
}

struct str share_group_config_get(const struct share_group_config *c, struct str name, struct arena *a)
{
	const struct row *r = row_find(name);
	int32_t v;

	if (!r)
		return STR_NULL;
	switch (r->kind) {
	case ROW_RESET:
		return reset_text(c, a);
	case ROW_ISOLATION:
		return c->read_committed ? STR_LIT("read_committed") : STR_LIT("read_uncommitted");
	case ROW_BOOL:
		return c->renew_acknowledge_enable ? STR_LIT("true") : STR_LIT("false");
	case ROW_INT:
	default:
		memcpy(&v, (const char *)c + r->field, sizeof(v));
		return arena_printf(a, "%d", v);
	}
}

uint32_t share_group_config_broker(const struct share_group_config_bounds *b, uint32_t i, struct arena *a,
	struct share_config_source ret[SHARE_CONFIG_BROKER_SOURCES])
{
	const struct row *r = &rows[i];
	struct share_group_config_bounds kafka;
	struct share_group_config cfg;
	uint32_t n = 0;
	struct str name;

	sl_assert(i < ROWS);
	share_group_config_bounds_default(&kafka);
	share_group_config_default(&kafka, &cfg);
	if (r->kind != ROW_INT) {
		ret[0] = (struct share_config_source){
			SHARE_CONFIG_DEFAULT, str_of(r->name), share_group_config_get(&cfg, str_of(r->name), a)};
		return 1;
	}
	name = arena_printf(a, "group.share.%s", r->broker);
	if (bound_at(b, r, 0) != bound_at(&kafka, r, 0))
		ret[n++] = (struct share_config_source){
			SHARE_CONFIG_STATIC_BROKER, name, arena_printf(a, "%d", bound_at(b, r, 0))};
	ret[n++] =
		(struct share_config_source){SHARE_CONFIG_DEFAULT, name, arena_printf(a, "%d", bound_at(&kafka, r, 0))};
	return n;
}
