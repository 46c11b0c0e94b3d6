/* SPDX-License-Identifier: Apache-2.0 */
/* What sluice does with each API of Kafka, for people. */
#ifndef SLUICE_MAIN_COMPATIBILITY_H
#define SLUICE_MAIN_COMPATIBILITY_H

#include <stdio.h>

/* The table of the README, as Markdown: verdict, APIs with the highest versions that are offered (none: whatever the
 * broker offers), reason. */
void compatibility_print(FILE *f);

#endif
