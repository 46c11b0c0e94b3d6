/* SPDX-License-Identifier: Apache-2.0 */
/* A broker's address is turned into the one under which a listener shows it. */
#include "route/address_map.h"

#include "base/assert.h"

#define HOST_MAX 255
#define PORT_MAX 65535

void address_map_init(struct address_map *m, struct str host, int32_t port_base, int32_t count)
{
	sl_assert(host.p && host.n > 0 && host.n <= HOST_MAX);
	sl_assert(port_base > 0 && count > 0 && port_base <= PORT_MAX && count - 1 <= PORT_MAX - port_base);
	*m = (struct address_map){.host = host, .port_base = port_base, .count = count};
}

void address_map_init_identity(struct address_map *m)
{
	*m = (struct address_map){.identity = true};
}

bool address_map_has(const struct address_map *m, int32_t node_id)
{
	return m->identity || (node_id >= 0 && node_id < m->count);
}

enum address_verdict address_map_apply(const struct address_map *m, int32_t node_id, struct str *host, int32_t *port)
{
	int32_t mapped;

	if (m->identity || host->n == 0)
		return ADDRESS_KEEP;
	if (!address_map_has(m, node_id))
		return ADDRESS_DROP;
	mapped = m->port_base + node_id;
	if (*port == mapped && str_eq(*host, m->host))
		return ADDRESS_KEEP;
	*host = m->host;
	*port = mapped;
	return ADDRESS_REPLACE;
}
