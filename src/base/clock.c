/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the system's clocks. */
#include "base/clock.h"

#include <time.h>

#include "base/assert.h"

static int64_t clock_read_us(clockid_t id)
{
	struct timespec ts;

	sl_assert(clock_gettime(id, &ts) == 0);
	return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

int64_t clock_mono_us(void)
{
	/* It goes on while the machine is suspended: what has run out meanwhile must be seen to have. */
	return clock_read_us(CLOCK_BOOTTIME);
}

int64_t clock_mono_ms(void)
{
	return clock_mono_us() / 1000;
}

int64_t clock_wall_ms(void)
{
	return clock_read_us(CLOCK_REALTIME) / 1000;
}
