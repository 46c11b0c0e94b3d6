/* SPDX-License-Identifier: Apache-2.0 */
/* The command line is read here. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "main/compatibility.h"
#include "main/config.h"
#include "main/server.h"
#include "main/state_command.h"

#define EXIT_USAGE 2

enum { OPT_CHECK = 256, OPT_VERSION, OPT_MAN, OPT_EXAMPLE, OPT_COMPATIBILITY };

static const struct option long_options[] = {
	{"config", required_argument, NULL, 'c'},
	{"check-config", no_argument, NULL, OPT_CHECK},
	{"version", no_argument, NULL, OPT_VERSION},
	{"help", no_argument, NULL, 'h'},
	{"print-man-options", no_argument, NULL, OPT_MAN},
	{"print-example", no_argument, NULL, OPT_EXAMPLE},
	{"print-compatibility", no_argument, NULL, OPT_COMPATIBILITY},
	{NULL, 0, NULL, 0},
};

static void print_help(void)
{
	puts("sluice stands between Kafka clients and a Kafka cluster and adds share groups (KIP-932).\n"
	     "\n"
	     "  sluice -c FILE                  serve, with the configuration in FILE\n"
	     "  sluice -c FILE --check-config   say whether FILE is a valid configuration, and exit\n"
	     "  sluice --version                print the version\n"
	     "  sluice --print-example          print a configuration file with all options\n"
	     "  sluice --print-man-options      print the options as the manual shows them\n"
	     "  sluice --print-compatibility    print what is done with each API of Kafka");
	state_command_help();
	puts("\n"
	     "SIGTERM and SIGINT stop in order, a second one at once; SIGHUP reads FILE again.\n"
	     "\n"
	     "Options in FILE, one key=value a line, # for comments:\n");
	config_print_help(stdout);
}

static int run(const char *file, bool check_only)
{
	struct config *cfg = NULL;
	char err[CONFIG_ERROR_MAX];

	if (!file) {
		fputs("sluice: no configuration: expected sluice -c FILE, see sluice --help\n", stderr);
		return EXIT_USAGE;
	}
	if (config_load(file, &cfg, err)) {
		fprintf(stderr, "sluice: %s\n", err);
		return 1;
	}
	if (!check_only)
		return server_run(cfg);
	printf("%s: valid\n", file);
	config_free(cfg);
	return 0;
}

/* What one option does that prints and exits; -1: none of those. */
static int print_and_exit(int opt)
{
	switch (opt) {
	case OPT_VERSION:
		puts("sluice " PACKAGE_VERSION);
		break;
	case OPT_MAN:
		config_print_man(stdout);
		break;
	case OPT_EXAMPLE:
		config_print_example(stdout);
		break;
	case OPT_COMPATIBILITY:
		compatibility_print(stdout);
		break;
	case 'h':
		print_help();
		break;
	default:
		return -1;
	}
	return fflush(stdout) == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
	const char *file = NULL;
	bool check_only = false;
	int opt, status;

	if (argc > 1 && strcmp(argv[1], "state") == 0)
		return state_command(argc - 1, argv + 1);
	while ((opt = getopt_long(argc, argv, "c:h", long_options, NULL)) != -1) {
		status = print_and_exit(opt);
		if (status != -1)
			return status;
		if (opt == 'c')
			file = optarg;
		else if (opt == OPT_CHECK)
			check_only = true;
		else
			return EXIT_USAGE;
	}
	if (optind < argc) {
		fprintf(stderr, "sluice: '%s' is not expected here, see sluice --help\n", argv[optind]);
		return EXIT_USAGE;
	}
	return run(file, check_only);
}
