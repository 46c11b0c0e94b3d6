/* SPDX-License-Identifier: Apache-2.0 */
/* The list of APIs that a client is shown: the broker's own, lowered to what sluice can read, with the share APIs that
 * sluice serves. */
#ifndef SLUICE_ROUTE_VERSIONS_H
#define SLUICE_ROUTE_VERSIONS_H

#include "base/err.h"
#include "base/types.h"
#include "route/api.h"
#include "wire/writer.h"

/* A set of terminated APIs. */
#define VERSIONS_SERVED(key) (1u << ((key)-76))

/* Instead of a set: the brokers serve them, and are lowered to what is known here as others are. */
#define VERSIONS_NATIVE (1u << 31)

/* The set of APIs whose row says "served". */
uint32_t versions_served(void);

/* Writes a changed ApiVersions answer behind what w holds. body: the broker's answer behind the header (always v0);
 * version: of the request. Keys that sluice reads are lowered to what it knows (a key whose minimum is above that is
 * taken out), 83-87 (between brokers only) and terminated APIs that are not in served are taken out, those in served
 * are added in key order or override the broker's. Everything else (features, their epoch, throttle time, unknown keys
 * and tags) stays byte for byte. A body with UNSUPPORTED_VERSION is in v0 form whatever was asked (KIP-511); on any
 * error nothing is added. ERR_MALFORMED, ERR_UNSUPPORTED (a version that route_api_is_known() refuses), ERR_TOO_LARGE,
 * ERR_NO_MEMORY. */
enum err versions_edit(int16_t version, struct bytes body, uint32_t served, struct writer *w) ERR_CHECKED;

/* Calls each for every API of a broker's answer that versions_edit() lowers or takes out since the broker offers more
 * than is known here, with the broker's highest version. A malformed answer ends it early. */
void versions_each_lowered(int16_t version, struct bytes body,
	void (*each)(void *arg, const struct route_api *api, int16_t broker_max), void *arg);

/* Writes the answer to an ApiVersions request whose version sluice does not know: v0 form, UNSUPPORTED_VERSION,
 * ApiVersions alone with the range that it can be asked again in (KIP-511). Its header is v0. */
void versions_write_unsupported(struct writer *w);

#endif
