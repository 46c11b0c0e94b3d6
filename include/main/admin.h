/* SPDX-License-Identifier: Apache-2.0 */
/* The admin pages: /metrics, /livez and /readyz over HTTP. */
#ifndef SLUICE_MAIN_ADMIN_H
#define SLUICE_MAIN_ADMIN_H

#include "base/err.h"
#include "base/types.h"
#include "net/loop.h"
#include "proxy/proxy.h"

struct admin;

/* Serves on host ("": all addresses) and port, in the loop, about p, which must live as long. ERR_IO with a sentence in
 * errbuf when the port can not be bound. GET /metrics  Prometheus' text format GET /livez    200 as long as the loop
 * turns GET /readyz   200, or 503 and one line that says what is missing Other paths are 404, other methods 405. */
enum err admin_new(struct loop *lp, struct str host, int32_t port, struct proxy *p, struct admin **ret,
	char errbuf[256]) ERR_CHECKED;

/* Stops serving. NULL is allowed. */
void admin_free(struct admin *a);

#endif
