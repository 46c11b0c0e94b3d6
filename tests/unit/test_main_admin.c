/* SPDX-License-Identifier: Apache-2.0 */
/* The admin pages over real sockets, about a proxy whose cluster does not answer. The questions come from a child
 * process. */
#include <arpa/inet.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "main/admin.h"
#include "main/config.h"

struct fixture {
	struct log *log;
	struct loop *loop;
	struct config *cfg;
	struct proxy *proxy;
	struct admin *admin;
	int32_t port;
	int status; /* of the child */
	char answer[1 << 20];
};

/* A port that was free a moment ago. */
static int32_t free_port(void)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t n = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &n), 0);
	close(fd);
	return ntohs(a.sin_port);
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	char text[200], err[CONFIG_ERROR_MAX] = "";

	assert_non_null(f);
	*state = f;
	f->log = log_new(STDERR_FILENO, LOG_LEVEL_ERROR, LOG_FORMAT_TEXT);
	f->loop = loop_new(f->log);
	assert_non_null(f->loop);
	/* Nothing listens on port 1. */
	snprintf(text, sizeof(text),
		"bootstrap.servers=127.0.0.1:1\nlisteners=PLAINTEXT://127.0.0.1:%d\nbroker.port.count=1\n"
		"broker.port.base=%d\n",
		free_port(), free_port());
	assert_int_equal(config_parse("test", str_of(text), &f->cfg, err), ERR_OK);
	f->proxy = proxy_new(f->loop, &f->cfg->proxy);
	f->port = free_port();
	assert_int_equal(admin_new(f->loop, STR_LIT("127.0.0.1"), f->port, f->proxy, &f->admin, err), ERR_OK);
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	admin_free(f->admin);
	proxy_free(f->proxy);
	loop_free(f->loop);
	log_free(f->log);
	config_free(f->cfg);
	free(f);
	return 0;
}

/* In the child: sends the request and copies the answer into the pipe until the server closes. */
static void child(int32_t port, const char *request, int out)
{
	struct sockaddr_in a = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)port)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	char buf[4096];
	ssize_t n;

	if (connect(fd, (struct sockaddr *)&a, sizeof(a)) == -1 || write(fd, request, strlen(request)) == -1)
		_exit(1);
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		if (write(out, buf, (size_t)n) != n)
			_exit(1);
	_exit(0);
}

static void on_child(void *arg, int signo)
{
	struct fixture *f = arg;

	(void)signo;
	if (waitpid(-1, &f->status, WNOHANG) > 0)
		loop_stop(f->loop);
}

/* The whole answer, headers included. */
static const char *ask(struct fixture *f, const char *request)
{
	FILE *file = tmpfile();
	size_t n;
	pid_t pid;

	assert_non_null(file);
	loop_on_signal(f->loop, SIGCHLD, on_child, f);
	pid = fork();
	assert_int_not_equal(pid, -1);
	if (pid == 0)
		child(f->port, request, fileno(file));
	loop_run(f->loop);
	assert_true(WIFEXITED(f->status));
	rewind(file);
	n = fread(f->answer, 1, sizeof(f->answer) - 1, file);
	f->answer[n] = '\0';
	fclose(file);
	return f->answer;
}

static void assert_begins(const char *text, const char *with)
{
	if (strncmp(text, with, strlen(with)) != 0)
		fail_msg("'%.60s', expected '%s'", text, with);
}

static const char *body(const char *answer)
{
	const char *p = strstr(answer, "\r\n\r\n");

	assert_non_null(p);
	return p + 4;
}

static void test_livez(void **state)
{
	const char *a = ask(*state, "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");

	assert_begins(a, "HTTP/1.1 200 OK\r\n");
	assert_string_equal(body(a), "ok\n");
}

static void test_readyz_says_what_is_missing(void **state)
{
	const char *a = ask(*state, "GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n");

	assert_begins(a, "HTTP/1.1 503 Service Unavailable\r\n");
	assert_string_equal(body(a), "no bootstrap server has answered yet\n");
}

/* Each name has its help and type once, and its samples stand together. */
static void check_page(const char *text)
{
	char name[128], seen[512][64];
	size_t n = 0;

	for (const char *p = text; (p = strstr(p, "# TYPE ")); p++) {
		assert_int_equal(sscanf(p, "# TYPE %63s", name), 1);
		for (size_t i = 0; i < n; i++)
			assert_string_not_equal(seen[i], name);
		assert_true(n < 512);
		memcpy(seen[n++], name, 64);
	}
	assert_true(n > 10);
}

static void test_metrics(void **state)
{
	const char *a = ask(*state, "GET /metrics?x=y HTTP/1.1\r\nHost: x\r\n\r\n");

	assert_begins(a, "HTTP/1.1 200 OK\r\n");
	assert_non_null(strstr(a, "Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"));
	assert_non_null(strstr(a, "\n# TYPE sluice_ready gauge\nsluice_ready 0\n"));
	assert_non_null(strstr(a, "\nsluice_bytes_total{side=\"client\",direction=\"in\"} 0\n"));
	check_page(body(a));
}

static void test_head_has_no_body(void **state)
{
	const char *a = ask(*state, "HEAD /livez HTTP/1.1\r\nHost: x\r\n\r\n");

	assert_begins(a, "HTTP/1.1 200 OK\r\n");
	assert_non_null(strstr(a, "\r\nContent-Length: 3\r\n"));
	assert_string_equal(body(a), "");
}

static void test_other_paths_and_methods(void **state)
{
	assert_begins(ask(*state, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"), "HTTP/1.1 404 Not Found\r\n");
	assert_begins(ask(*state, "GET /livez/x HTTP/1.1\r\nHost: x\r\n\r\n"), "HTTP/1.1 404 Not Found\r\n");
	assert_begins(ask(*state, "POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"),
		"HTTP/1.1 405 Method Not Allowed\r\n");
}

/* Headers and bodies above the limits are not collected; the pages are served on afterwards. */
static void test_limits(void **state)
{
	char request[20000];
	size_t n = (size_t)snprintf(request, sizeof(request), "GET /livez HTTP/1.1\r\nX: ");

	memset(request + n, 'a', 15000);
	snprintf(request + n + 15000, 20, "\r\n\r\n");
	assert_null(strstr(ask(*state, request), " 200 "));
	assert_null(strstr(ask(*state, "POST /livez HTTP/1.1\r\nContent-Length: 2000000000\r\n\r\nx"), " 200 "));
	assert_begins(ask(*state, "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"), "HTTP/1.1 200 OK\r\n");
}

static void test_port_that_is_taken(void **state)
{
	struct fixture *f = *state;
	struct admin *second = NULL;
	char err[256] = "", expected[256];

	assert_int_equal(admin_new(f->loop, STR_LIT("127.0.0.1"), f->port, f->proxy, &second, err), ERR_IO);
	assert_null(second);
	snprintf(expected, sizeof(expected), "admin.listener can not use port %d of 127.0.0.1: Address already in use",
		f->port);
	assert_string_equal(err, expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_livez, setup, teardown),
		cmocka_unit_test_setup_teardown(test_readyz_says_what_is_missing, setup, teardown),
		cmocka_unit_test_setup_teardown(test_metrics, setup, teardown),
		cmocka_unit_test_setup_teardown(test_head_has_no_body, setup, teardown),
		cmocka_unit_test_setup_teardown(test_other_paths_and_methods, setup, teardown),
		cmocka_unit_test_setup_teardown(test_limits, setup, teardown),
		cmocka_unit_test_setup_teardown(test_port_that_is_taken, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
