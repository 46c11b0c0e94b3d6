/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of broker addresses as they stand in answers. Private to src/route. */
#ifndef SLUICE_SRC_ROUTE_ENDPOINT_H
#define SLUICE_SRC_ROUTE_ENDPOINT_H

#include "route/address_map.h"
#include "route/rewrite.h"
#include "wire/reader.h"
#include "wire/writer.h"

/* Which form the elements have: node id, host, port, then these. */
struct endpoint_form {
	bool flexible; /* compact strings, tags */
	bool rack;
	bool fenced;
};

/* Metadata's Brokers, DescribeCluster's Brokers, NodeEndpoints of Produce and Fetch. */
struct endpoint_form endpoint_form_of(int16_t api_key, int16_t version);

/* One element, with the address that the client may see. */
struct endpoint {
	int32_t node_id;
	struct str host;
	int32_t port;
	enum address_verdict verdict;
	struct bytes raw;  /* the whole element as it came */
	struct bytes rest; /* what stands behind the port */
};

/* Reads the next element and puts it through the map. */
struct endpoint endpoint_read(struct reader *r, struct endpoint_form form, const struct address_map *map);

/* Bytes of an element that is not dropped, as it is written now; a replaced one may have been given another rest. */
size_t endpoint_size(const struct endpoint *e, struct endpoint_form form);
void endpoint_write(struct writer *w, const struct endpoint *e, struct endpoint_form form);

/* A list as it stands in an answer, its count included, and what the map makes of it. */
struct endpoint_list {
	struct endpoint_form form;
	const struct address_map *map;
	struct bytes elements; /* behind the count */
	uint32_t n;            /* elements */
	uint32_t kept_n;
	size_t kept_size; /* bytes of the kept ones after the change, without the count */
	bool changed;
};

/* Reads the list that raw consists of, notes the nodes that are dropped. ERR_MALFORMED. */
enum err endpoint_list_read(struct endpoint_list *l, struct endpoint_form form, struct bytes raw,
	const struct address_map *map, struct rewrite_dropped *dropped) ERR_CHECKED;

/* Bytes of the changed list, its count included. */
size_t endpoint_list_size(const struct endpoint_list *l);

/* Writes the changed list, its count included. */
void endpoint_list_write(struct writer *w, const struct endpoint_list *l);

/* Adds a node to those that the caller logs. */
void rewrite_dropped_add(struct rewrite_dropped *d, int32_t node_id);

/* Bytes of v as an unsigned varint. */
size_t uvarint_size(uint32_t v);

#endif
