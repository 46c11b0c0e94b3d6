/* SPDX-License-Identifier: Apache-2.0 */
/* The process ends here when it finds that it is wrong itself. */
#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void sl_assert_failed(const char *cond, const char *file, int line)
{
	dprintf(STDERR_FILENO, "sluice: %s:%d: broken invariant: %s\n", file, line, cond);
	abort();
}
