/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration: plain data, read from a file of key=value lines by one table of options. */
#ifndef SLUICE_MAIN_CONFIG_H
#define SLUICE_MAIN_CONFIG_H

#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/log.h"
#include "base/types.h"
#include "proxy/proxy.h"

#define CONFIG_ERROR_MAX 1024

/* One entry of an address list; host without brackets. */
struct config_address {
	struct str text; /* as written */
	struct str name; /* before "://" */
	struct str host;
	int32_t port;
};

struct config_addresses {
	struct config_address *list;
	uint32_t n;
};

/* TLS options as written, of listeners or of the connections to brokers. */
struct config_tls {
	struct str keystore_location, keystore_certificate_chain, keystore_key, key_password;
	struct str truststore_location, truststore_certificates;
	struct str enabled_protocols, cipher_suites;
	int32_t client_auth; /* enum tls_client_auth */
};

/* A line listener.name.NAME.OPTION=TEXT. */
struct config_override {
	struct str name, text;
	size_t row;
	int line;
};

/* What was written for one option. */
struct config_value {
	struct str text; /* the default when line is 0; null when there is none */
	int line;
};

struct config {
	struct arena arena; /* all memory of the fields below */
	char *file;
	struct config_value *values; /* by row of the option table */

	struct config_addresses bootstrap, listeners, advertised, admin;
	struct str protocol_map; /* listener.security.protocol.map */
	struct config_tls ssl;   /* of listeners, where they do not say otherwise */
	struct config_override *overrides;
	uint32_t overrides_n;
	int32_t security_protocol; /* to the brokers */
	struct config_tls cluster_ssl;
	struct str cluster_host_check; /* ssl.endpoint.identification.algorithm */
	struct {
		struct str mechanism, username, password, password_file, jaas_config, token_file;
	} sasl; /* to the brokers */
	struct str clients_keystore_location, clients_key_password;
	int32_t broker_port_base, broker_port_count;
	int32_t log_level, log_format; /* enum log_level, enum log_format */
	int32_t shutdown_timeout_ms;

	struct proxy_config proxy; /* ready for proxy_new; points into this struct */
};

/* Reads and checks a file. On failure nothing is left behind and err holds one line: "FILE:LINE: key=value: what was
 * expected". ERR_IO when the file can not be read, ERR_INVALID. */
enum err config_load(const char *file, struct config **ret, char err[CONFIG_ERROR_MAX]) ERR_CHECKED;

/* The same for text that is in memory; file is the name used in messages. */
enum err config_parse(const char *file, struct str text, struct config **ret, char err[CONFIG_ERROR_MAX]) ERR_CHECKED;

/* NULL is allowed. */
void config_free(struct config *c);

/* Calls cb for each option whose value differs between the two; reloadable tells whether it takes effect without a
 * restart. */
typedef void (*config_change_cb)(void *arg, const char *name, struct str from, struct str to, bool reloadable);
void config_diff(const struct config *from, const struct config *to, config_change_cb cb, void *arg);

/* Prints the option table: for a terminal, as the roff of the manual's option list, as an example file. */
void config_print_help(FILE *f);
void config_print_man(FILE *f);
void config_print_example(FILE *f);

#endif
