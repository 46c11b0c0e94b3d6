/* SPDX-License-Identifier: Apache-2.0 */
/* Whether another sluice is alive: a connection to the address in its claim, on which it is asked for something that it
 * answers by itself, several times in a lease.
 *
 *   standby: owner_watch_new -> ShareGroupDescribe of no group, again and again -> on_alive ... on_dead
 *   owner:   a session that begins with such a request needs no broker: owner_watch_is_request, owner_watch_answer */
#ifndef SLUICE_PROXY_OWNER_WATCH_H
#define SLUICE_PROXY_OWNER_WATCH_H

#include "base/types.h"
#include "net/loop.h"
#include "wire/frame.h"
#include "wire/writer.h"

struct owner_watch;
struct tls_context;

struct owner_watch_callbacks {
	/* The first answer came. */
	void (*on_alive)(void *arg);
	/* The connection ended, was not made, or was silent for a lease: once, the last callback. reason is static. */
	void (*on_dead)(void *arg, const char *reason);
};

/* Watches the sluice at address ("host:port", or "ssl://host:port") until it is dead or the watch is freed. Callbacks
 * never come from inside these calls. lease_ms: state.lease.ms. own: the context of our own listener, whose certificate
 * is shown to who wants one; NULL: none. One that does not want it either says so, and lives. */
struct owner_watch *owner_watch_new(struct loop *lp, struct str address, const struct tls_context *own,
	int32_t lease_ms, const struct owner_watch_callbacks *cb, void *arg);
void owner_watch_free(struct owner_watch *w);

/* A request that a watch sends, as it stands at the front of n bytes (length included). FRAME_READY: it is one, of
 * *ret_size bytes; FRAME_NEED_MORE; FRAME_BAD: it is none. */
enum frame_status owner_watch_is_request(const uint8_t *p, size_t n, struct request_header *ret, size_t *ret_size);

/* Writes the answer, length included. */
void owner_watch_answer(struct writer *w, const struct request_header *h);

#endif
