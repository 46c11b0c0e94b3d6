/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses are picked out of decoded answers here. */
#include "route_addresses.h"

#include "route/api.h"
#include "wire/messages.h"

/* The messages differ, their lists of addresses do not. */
#define EACH(list, id)                                                                                                 \
	for (uint32_t i = 0; i < list##_n; i++)                                                                        \
	on_address(arg, list[i].id, list[i].host, list[i].port, list[i].rack)

void addresses_each(int16_t key, int16_t version, const void *decoded, address_cb on_address, void *arg)
{
	const struct find_coordinator_response *co = decoded;
	const struct describe_cluster_response *dc = decoded;
	const struct metadata_response *md = decoded;
	const struct produce_response *pr = decoded;
	const struct fetch_response *fe = decoded;
	const struct share_fetch_response *sf = decoded;
	const struct share_acknowledge_response *sa = decoded;

	switch (key) {
	case ROUTE_KEY_METADATA:
		EACH(md->brokers, node_id);
		break;
	case ROUTE_KEY_DESCRIBE_CLUSTER:
		EACH(dc->brokers, broker_id);
		break;
	case ROUTE_KEY_PRODUCE:
		EACH(pr->node_endpoints, node_id);
		break;
	case ROUTE_KEY_FETCH:
		EACH(fe->node_endpoints, node_id);
		break;
	case ROUTE_KEY_SHARE_FETCH:
		EACH(sf->node_endpoints, node_id);
		break;
	case ROUTE_KEY_SHARE_ACKNOWLEDGE:
		EACH(sa->node_endpoints, node_id);
		break;
	case ROUTE_KEY_FIND_COORDINATOR:
		if (version < 4)
			on_address(arg, co->node_id, co->host, co->port, STR_NULL);
		for (uint32_t i = 0; i < co->coordinators_n; i++)
			on_address(arg, co->coordinators[i].node_id, co->coordinators[i].host, co->coordinators[i].port,
				STR_NULL);
		break;
	default:
		break;
	}
}
