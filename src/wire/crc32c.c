/* SPDX-License-Identifier: Apache-2.0 */
/* CRC-32C, by ISA-L, whose function keeps the register as it is: the inversion before and after is done here. */
#include <isa-l/crc.h>

#include "wire/batch.h"

/* ISA-L takes the length as int. */
#define STEP ((size_t)1 << 30)

uint32_t crc32c(uint32_t crc, const void *p, size_t n)
{
	uintptr_t at = (uintptr_t)p; /* ISA-L's parameter is not const, though it only reads */
	uint32_t state = ~crc;

	while (n > 0) {
		size_t step = n < STEP ? n : STEP;

		state = crc32_iscsi((unsigned char *)at, (int)step, state);
		at += step;
		n -= step;
	}
	return ~state;
}
