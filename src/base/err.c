/* SPDX-License-Identifier: Apache-2.0 */
/* Names for error values. */
#include "base/err.h"

#include <stddef.h>

const char *err_text(enum err e)
{
	static const char *const texts[] = {
#define ERR_TEXT(name, text) [name] = (text),
		ERR_LIST(ERR_TEXT)
#undef ERR_TEXT
	};

	if ((size_t)e >= sizeof(texts) / sizeof(texts[0]))
		return "unknown error";
	return texts[e];
}
