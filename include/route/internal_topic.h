/* SPDX-License-Identifier: Apache-2.0 */
/* Showing a topic of our own as internal, as Kafka shows its own. */
#ifndef SLUICE_ROUTE_INTERNAL_TOPIC_H
#define SLUICE_ROUTE_INTERNAL_TOPIC_H

#include "base/err.h"
#include "base/types.h"

/* Sets IsInternal of the topic of that name in the whole answer (behind its header) of Metadata v1+ or
 * DescribeTopicPartitions, in place; other APIs and versions, and answers without the topic, stay as they are.
 * ERR_MALFORMED, ERR_UNSUPPORTED: body is then unchanged. */
enum err internal_topic_mark(int16_t api_key, int16_t version, uint8_t *body, size_t n, struct str topic) ERR_CHECKED;

#endif
