/* SPDX-License-Identifier: Apache-2.0 */
/* Replacing the broker addresses in a whole answer by an edit list: what is not an address stays byte for byte. */
#ifndef SLUICE_ROUTE_REWRITE_H
#define SLUICE_ROUTE_REWRITE_H

#include "base/chunk.h"
#include "base/err.h"
#include "route/address_map.h"
#include "wire/writer.h"

/* Nodes whose addresses were taken out because the map does not have them: for the caller's log. */
#define REWRITE_DROPPED_MAX 16
struct rewrite_dropped {
	uint32_t n;                      /* addresses taken out, may exceed the array */
	int32_t id[REWRITE_DROPPED_MAX]; /* node ids of the first of them */
};

/* Rewrites the body of an answer (behind the response header): Metadata v0-13, FindCoordinator v0-6, DescribeCluster
 * v0-2, Produce v10-13, Fetch v16-18, ShareFetch and ShareAcknowledge v1-2; lower versions of Produce and Fetch are
 * never changed. *ret_changed false: send the body as it is, w was not touched. True: the new body stands behind what w
 * held, with slices of body.chunk (if it has one) instead of copies; the caller gave w a ceiling of own bytes, the new
 * body may be longer than the old one. A node without a port in the map: Metadata          out of Brokers; partitions
 * that it leads get leader -1 and LEADER_NOT_AVAILABLE, a controller becomes -1 FindCoordinator
 * COORDINATOR_NOT_AVAILABLE with node -1, host "", port -1 DescribeCluster   out of Brokers (also where these are
 * controllers), the controller becomes -1 Produce, Fetch out of NodeEndpoints and its id in *ret_dropped.
 * ERR_MALFORMED, ERR_UNSUPPORTED (any other key or version), ERR_TOO_LARGE, ERR_NO_MEMORY: the answer must not be sent,
 * w is as useless as after any of its errors. */
enum err rewrite_response(int16_t api_key, int16_t version, struct slice body, const struct address_map *map,
	struct writer *w, bool *ret_changed, struct rewrite_dropped *ret_dropped) ERR_CHECKED;

#endif
