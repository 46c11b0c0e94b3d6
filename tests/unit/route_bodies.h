/* SPDX-License-Identifier: Apache-2.0 */
/* Answers as real clusters send them, and the addresses in them: what the tests of address rewriting share. */
#ifndef SLUICE_TESTS_ROUTE_BODIES_H
#define SLUICE_TESTS_ROUTE_BODIES_H

#include "base/arena.h"
#include "base/chunk.h"

/* A broker as a cluster advertises it. */
struct node {
	int32_t id;
	const char *host;
	int32_t port;
	const char *rack;
};

/* The answers that carry addresses: their highest version and the lowest that does. */
struct addressed {
	int16_t key, min, max;
};
extern const struct addressed addressed[];
extern const size_t addressed_n;

/* Encodes an answer that names the nodes: Metadata with two topics led by them in turn, FindCoordinator with one of
 * them (below v4) or all, DescribeCluster, Produce and Fetch with leader errors (and records). A chunk with one
 * reference. */
struct chunk *body_new(int16_t key, int16_t version, const struct node *nodes, uint32_t n);

/* One address found in an answer. */
struct found {
	int32_t id;
	struct str host;
	int32_t port;
	struct str rack;
};
#define FOUND_MAX 400
struct addresses {
	struct found v[FOUND_MAX];
	size_t n;
};

/* Decodes an answer, which has to be whole, and lists its addresses. Views on the body. */
void addresses_read(int16_t key, int16_t version, struct bytes body, struct addresses *ret);

/* True when needle stands anywhere in the body. */
bool body_contains(struct bytes body, const char *needle);

#endif
