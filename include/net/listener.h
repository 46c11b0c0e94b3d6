/* SPDX-License-Identifier: Apache-2.0 */
/* Listening sockets. */
#ifndef SLUICE_NET_LISTENER_H
#define SLUICE_NET_LISTENER_H

#include "base/err.h"
#include "net/loop.h"

struct listener;

/* Accepts on host (address or name, "" or 0.0.0.0 or [::] for all) and port (0: any). on_accept gets a non-blocking
 * descriptor that it owns. At the descriptor limit accepting pauses for a while and resumes, with one log line a second
 * at most. ERR_IO with a sentence in errbuf. */
typedef void (*listener_accept_cb)(void *arg, int fd);
enum err listener_new(struct loop *lp, const char *host, uint16_t port, listener_accept_cb on_accept, void *arg,
	struct listener **ret, char errbuf[256]) ERR_CHECKED;

/* Stops listening and frees; accepted connections live on. NULL is allowed. */
void listener_free(struct listener *l);

uint16_t listener_port(const struct listener *l);

#endif
