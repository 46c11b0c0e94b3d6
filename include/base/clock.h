/* SPDX-License-Identifier: Apache-2.0 */
/* The two clocks. Pure layers get the time with the event instead. */
#ifndef SLUICE_BASE_CLOCK_H
#define SLUICE_BASE_CLOCK_H

#include <stdint.h>

/* Milliseconds or microseconds of a clock that never goes back. */
int64_t clock_mono_ms(void);
int64_t clock_mono_us(void);

/* Milliseconds since 1970, as Kafka's timestamps. */
int64_t clock_wall_ms(void);

#endif
