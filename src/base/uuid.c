/* SPDX-License-Identifier: Apache-2.0 */
/* Kafka's text form of a uuid. */
#include "base/types.h"

void uuid_format(struct uuid u, char out[23])
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	uint32_t acc = 0;
	unsigned bits = 0;
	size_t n = 0;

	for (size_t i = 0; i < sizeof(u.b); i++) {
		acc = (acc << 8 | u.b[i]) & 0xffff;
		bits += 8;
		while (bits >= 6) {
			bits -= 6;
			out[n++] = digits[acc >> bits & 63];
		}
	}
	out[n++] = digits[acc << (6 - bits) & 63];
	out[n] = '\0';
}
