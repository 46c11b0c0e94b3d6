/* SPDX-License-Identifier: Apache-2.0 */
/* sluice state dump|verify: the internal topic read to its end and printed, or checked. */
#ifndef SLUICE_MAIN_STATE_COMMAND_H
#define SLUICE_MAIN_STATE_COMMAND_H

/* Runs the command line behind the word state (argv[0] is that word) and returns the exit status: 0 when all could be
 * read and no rule is broken, 1 when something could not be read, 2 for a wrong command line, 3 when a rule is broken.
 * Never writes to the cluster; works while sluices run. */
int state_command(int argc, char **argv);

/* Prints how it is used. */
void state_command_help(void);

#endif
