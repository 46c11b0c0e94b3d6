/* SPDX-License-Identifier: Apache-2.0 */
/* Which connections are let in: limits on all, on each address, and on those that have not logged in yet. For
 * src/proxy's session files.
 *
 * A connection has logged in when its first request that is no part of a login has arrived whole: a broker that does
 * not see it so closes it. */
#ifndef SLUICE_PROXY_ADMISSION_H
#define SLUICE_PROXY_ADMISSION_H

#include <sys/queue.h>

#include "base/types.h"

#define ADMISSION_ADDRESS_SIZE 16 /* IPv6, or IPv4 in mapped form */

struct proxy;
struct session;
struct admission_address;

TAILQ_HEAD(admission_queue, session);

struct admission {
	struct admission_address *addresses; /* hash table: those with connections */
	struct admission_queue strangers;    /* sessions that have not logged in, oldest first */
	uint32_t strangers_n;
	int64_t logged_at; /* of the last line about a refusal */
	uint64_t unlogged; /* refusals since */
};

/* What a session keeps. */
struct admission_pass {
	struct admission_address *address;
	bool stranger;
};

void admission_init(struct admission *a);

/* False: one limit is reached; counted, and told at most once a second. */
bool admission_allows(struct proxy *p, const uint8_t address[ADMISSION_ADDRESS_SIZE]);

/* Counts a session that was let in. Too many that have not logged in: the oldest of them is closed, so that those who
 * do not mean to log in cannot keep out those who do. */
void admission_enter(struct session *s, const uint8_t address[ADMISSION_ADDRESS_SIZE]);

/* The session has logged in; or it has ended and counts as a stranger no more. */
void admission_end_login(struct session *s);

/* The session is gone for good. */
void admission_leave(struct session *s);

/* It has had its time to log in. Who sends a large first request at a fair pace is given longer. */
bool admission_is_overdue(const struct session *s, int64_t now);

#endif
