/* SPDX-License-Identifier: Apache-2.0 */
/* Which address a listener shows for each broker: node id N stands at port base + N, the same in every sluice and after
 * each start. */
#ifndef SLUICE_ROUTE_ADDRESS_MAP_H
#define SLUICE_ROUTE_ADDRESS_MAP_H

#include "base/types.h"

struct address_map {
	struct str host; /* advertised; owned by whoever owns the listener's configuration */
	int32_t port_base;
	int32_t count; /* node ids 0 .. count - 1 are mapped */
	bool identity; /* leaves every address as it is */
};

/* What becomes of one address. */
enum address_verdict {
	ADDRESS_KEEP,    /* as it is: no address (empty host), or already the right one */
	ADDRESS_REPLACE, /* by the mapped one */
	ADDRESS_DROP,    /* the node has no port here: its address must not reach the client */
};

/* Fills in the map of one listener: host (not empty, at most 255 bytes), port_base (1 at least), count (1 at least),
 * all ports at most 65535; the configuration has checked them. */
void address_map_init(struct address_map *m, struct str host, int32_t port_base, int32_t count);

/* A map that changes nothing. */
void address_map_init_identity(struct address_map *m);

/* True when the node has an address here. Always true for the identity map. */
bool address_map_has(const struct address_map *m, int32_t node_id);

/* Decides about the address *host, *port of a node and, for ADDRESS_REPLACE, overwrites both (host is then a view on
 * the map's). A null or empty host is kept whatever the node id: so Kafka says "no coordinator". */
enum address_verdict address_map_apply(const struct address_map *m, int32_t node_id, struct str *host, int32_t *port);

#endif
