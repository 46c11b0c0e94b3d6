/* SPDX-License-Identifier: Apache-2.0 */
/* Executes what the engine wants from the cluster: record batches, kept in the chunks they arrived in, and start
 * offsets. */
#ifndef SLUICE_PROXY_READ_AHEAD_H
#define SLUICE_PROXY_READ_AHEAD_H

#include "base/chunk.h"
#include "cluster/cluster.h"
#include "proxy/proxy.h"
#include "share/share.h"

struct read_ahead;
struct service;

struct read_ahead *read_ahead_new(struct service *sv);
void read_ahead_free(struct read_ahead *ra);

/* Executes SHARE_FX_WANT_RECORDS, SHARE_FX_RESOLVE_OFFSET and SHARE_FX_RELEASE; the events that answer come in later
 * turns. */
void read_ahead_want(struct read_ahead *ra, const struct share_effect *fx);
void read_ahead_resolve(struct read_ahead *ra, const struct share_effect *fx);
void read_ahead_drop(void *arg, void *batch_ref);

/* The stored bytes of a batch that a reply names. */
struct slice read_ahead_slice(void *batch_ref);

void read_ahead_metrics(const struct read_ahead *ra, proxy_metric_cb cb, void *arg);

#endif
