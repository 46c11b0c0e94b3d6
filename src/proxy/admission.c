/* SPDX-License-Identifier: Apache-2.0 */
/* Connections are counted here, by address and by whether they have logged in. */
#include "proxy/admission.h"

#include "base/mem.h"
#include "proxy/proxy_priv.h"

#define uthash_malloc(size) mem_zalloc(1, (size))
#define uthash_free(p, size) mem_free(p)
#include <uthash.h>

#define LOG_INTERVAL_MS 1000

struct admission_address {
	UT_hash_handle hh;
	uint8_t address[ADMISSION_ADDRESS_SIZE];
	uint32_t connections;
};

void admission_init(struct admission *a)
{
	*a = (struct admission){.logged_at = INT64_MIN / 2};
	TAILQ_INIT(&a->strangers);
}

static struct admission_address *find_address(const struct admission *a, const uint8_t address[ADMISSION_ADDRESS_SIZE])
{
	struct admission_address *found;

	HASH_FIND(hh, a->addresses, address, ADMISSION_ADDRESS_SIZE, found);
	return found;
}

static bool refuse(struct proxy *p, const char *limit, uint32_t open, uint32_t allowed)
{
	struct admission *a = &p->admission;
	int64_t now = loop_now(p->loop);

	p->count.refused++;
	a->unlogged++;
	if (now - a->logged_at < LOG_INTERVAL_MS)
		return false;
	log_warn(p->log, (&(struct log_ctx){.reason = "connection_refused"}),
		"%llu connections refused: %u are open, %s=%u allows no more", (unsigned long long)a->unlogged, open,
		limit, allowed);
	a->logged_at = now;
	a->unlogged = 0;
	return false;
}

bool admission_allows(struct proxy *p, const uint8_t address[ADMISSION_ADDRESS_SIZE])
{
	const struct admission_address *from = find_address(&p->admission, address);
	uint32_t mine = from ? from->connections : 0;

	if (p->cfg.max_connections && p->sessions_n >= p->cfg.max_connections)
		return refuse(p, "max.connections", p->sessions_n, p->cfg.max_connections);
	if (mine >= p->cfg.max_connections_per_ip)
		return refuse(p, "max.connections.per.ip", mine, p->cfg.max_connections_per_ip);
	return true;
}

/* The limit before login, at most half of all connections: those who come must find room. */
static uint32_t max_strangers(const struct proxy *p)
{
	uint32_t half = p->cfg.max_connections / 2, max = p->cfg.max_connections_before_login;

	if (half > 0 && half < max)
		max = half;
	return max > 0 ? max : 1;
}

void admission_enter(struct session *s, const uint8_t address[ADMISSION_ADDRESS_SIZE])
{
	struct admission *a = &s->proxy->admission;
	struct admission_address *from = find_address(a, address);

	while (a->strangers_n >= max_strangers(s->proxy))
		session_close(TAILQ_FIRST(&a->strangers), "login_crowded",
			"max.connections.before.login allows no more connections that have not logged in, and this was "
			"the oldest",
			false);
	if (!from) {
		from = mem_zalloc(1, sizeof(*from));
		memcpy(from->address, address, ADMISSION_ADDRESS_SIZE);
		HASH_ADD(hh, a->addresses, address, ADMISSION_ADDRESS_SIZE, from);
	}
	from->connections++;
	s->admission = (struct admission_pass){from, true};
	TAILQ_INSERT_TAIL(&a->strangers, s, stranger_entry);
	a->strangers_n++;
}

void admission_end_login(struct session *s)
{
	struct admission *a = &s->proxy->admission;

	if (!s->admission.stranger)
		return;
	s->admission.stranger = false;
	TAILQ_REMOVE(&a->strangers, s, stranger_entry);
	a->strangers_n--;
}

void admission_leave(struct session *s)
{
	struct admission *a = &s->proxy->admission;
	struct admission_address *from = s->admission.address;

	admission_end_login(s);
	if (--from->connections > 0)
		return;
	HASH_DEL(a->addresses, from);
	mem_free(from);
}

bool admission_is_overdue(const struct session *s, int64_t now)
{
	int64_t since = now - s->opened_at;

	if (!s->admission.stranger || since < s->proxy->cfg.login_timeout_ms)
		return false;
	/* Between two requests nobody is overdue: it may have asked for ApiVersions only, to be ready. */
	if (s->greeted && !s->logging_in && s->request_state == REQUEST_FRAME && buf_len(conn_in(s->client)) == 0)
		return false;
	/* One that sends a KiB a second, or waits for its broker, goes on. */
	return s->state != SESSION_CONNECTING && conn_bytes_in(s->client) < (uint64_t)since;
}
