/* SPDX-License-Identifier: Apache-2.0 */
/* Names of Kafka's error codes, for logs and answers. */
#include "wire/kafka_errors.h"

const char *kafka_error_name(int16_t code)
{
	switch (code) {
#define KAFKA_ERROR_CASE(number, constant, name)                                                                       \
	case number:                                                                                                   \
		return name;
		KAFKA_ERROR_LIST(KAFKA_ERROR_CASE)
#undef KAFKA_ERROR_CASE
	default:
		return "unknown error code";
	}
}
