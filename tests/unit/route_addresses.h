/* SPDX-License-Identifier: Apache-2.0 */
/* The addresses in a decoded answer: for tests and fuzz targets of address rewriting. */
#ifndef SLUICE_TESTS_ROUTE_ADDRESSES_H
#define SLUICE_TESTS_ROUTE_ADDRESSES_H

#include "base/types.h"

/* Calls on_address for each address of an answer that carries some (Metadata, FindCoordinator, DescribeCluster,
 * Produce, Fetch, ShareFetch, ShareAcknowledge); a FindCoordinator answer without a coordinator gives node -1 with an
 * empty host. */
typedef void (*address_cb)(void *arg, int32_t id, struct str host, int32_t port, struct str rack);
void addresses_each(int16_t key, int16_t version, const void *decoded, address_cb on_address, void *arg);

#endif
