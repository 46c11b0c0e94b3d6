/* SPDX-License-Identifier: Apache-2.0 */
/* The running process: configuration, log, loop, proxy and admin pages wired together, and the signals that steer them.
 */
#ifndef SLUICE_MAIN_SERVER_H
#define SLUICE_MAIN_SERVER_H

#include "main/config.h"

/* Runs until SIGTERM or SIGINT; takes the configuration over. SIGHUP reads its file again. Returns the exit status: 0
 * after an orderly end, 1 when something could not be started (the log says what). */
int server_run(struct config *cfg);

#endif
