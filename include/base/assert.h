/* SPDX-License-Identifier: Apache-2.0 */
/* The assert that stays on in production: it means "a bug of ours", never "bad input". */
#ifndef SLUICE_BASE_ASSERT_H
#define SLUICE_BASE_ASSERT_H

/* Prints the failed condition to standard error and aborts. */
_Noreturn void sl_assert_failed(const char *cond, const char *file, int line);

#define sl_assert(cond) ((cond) ? (void)0 : sl_assert_failed(#cond, __FILE__, __LINE__))

#endif
