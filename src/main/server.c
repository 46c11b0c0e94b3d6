/* SPDX-License-Identifier: Apache-2.0 */
/* The parts are started here in order, steered by signals, and stopped in the reverse order.
 *
 *   start:  log -> loop -> proxy -> admin -> loop_run
 *   stop:   SIGTERM -> proxy_shutdown ... on_done -> loop_stop -> admin, proxy, loop, log
 */
#include "main/server.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "main/admin.h"

/* Descriptors that are not left to clients: listeners, the log, sluice's own connections. */
#define DESCRIPTORS_KEPT 256u
#define CONNECTIONS_MAX 10000000u

struct server {
	struct config *started; /* what the parts were built from: lives as long as they */
	struct config *current; /* what was read last: started, or a later one */
	struct log *log;
	struct loop *loop;
	struct proxy *proxy;
	struct admin *admin;
	bool stopping, failed;
};

/* The soft limit is low by tradition; the hard one is what the system's owner allows. */
static rlim_t raise_descriptor_limit(struct log *l)
{
	struct rlimit rl;

	if (getrlimit(RLIMIT_NOFILE, &rl) == -1)
		return 1024;
	if (rl.rlim_cur < rl.rlim_max) {
		rlim_t soft = rl.rlim_cur;

		rl.rlim_cur = rl.rlim_max;
		if (setrlimit(RLIMIT_NOFILE, &rl) == -1) {
			log_warn(l, NULL, "the limit of open descriptors stays at %llu: %s", (unsigned long long)soft,
				strerror(errno));
			rl.rlim_cur = soft;
		}
	}
	return rl.rlim_cur;
}

/* A client connection takes two descriptors: its own and the one to a broker. False, with a sentence in err, when the
 * limit does not allow as many as are asked for. */
static bool fill_max_connections(struct config *c, struct log *l, char err[CONFIG_ERROR_MAX])
{
	rlim_t limit = raise_descriptor_limit(l);
	rlim_t kept = DESCRIPTORS_KEPT + (rlim_t)c->listeners.n;
	rlim_t n;

	/* Where there are few, clients are to get most of them. */
	if (kept > limit / 4)
		kept = limit / 4;
	n = (limit - kept) / 2;
	if (c->proxy.max_connections == 0) {
		c->proxy.max_connections = n < CONNECTIONS_MAX ? (uint32_t)n : CONNECTIONS_MAX;
		return true;
	}
	if (c->proxy.max_connections <= n)
		return true;
	snprintf(err, CONFIG_ERROR_MAX,
		"max.connections=%u does not fit the limit of %llu open descriptors: with two for each connection and "
		"%llu for sluice itself, expected at most %llu; raise the limit (ulimit -n, LimitNOFILE=) or lower the "
		"number",
		(unsigned)c->proxy.max_connections, (unsigned long long)limit, (unsigned long long)kept,
		(unsigned long long)n);
	return false;
}

/* Changes are told against what is in force: the last file for what can be reloaded, the first one for what can not. */
static void tell_reloaded(void *arg, const char *name, struct str from, struct str to, bool reloadable)
{
	struct server *s = arg;

	if (reloadable)
		log_info(s->log, NULL, "%s changes from '%s' to '%s'", name, from.p, to.p);
}

static void tell_restart(void *arg, const char *name, struct str from, struct str to, bool reloadable)
{
	struct server *s = arg;

	if (!reloadable)
		log_warn(s->log, NULL, "%s stays '%s': '%s' needs a restart", name, from.p, to.p);
}

static void server_on_hup(void *arg, int signo)
{
	struct server *s = arg;
	struct config *next = NULL;
	char err[CONFIG_ERROR_MAX];

	(void)signo;
	if (config_load(s->started->file, &next, err) || !fill_max_connections(next, s->log, err)) {
		log_error(s->log, NULL, "nothing was reloaded: %s", err);
		config_free(next);
		return;
	}
	config_diff(s->current, next, tell_reloaded, s);
	config_diff(s->started, next, tell_restart, s);
	log_set_level(s->log, (enum log_level)next->log_level);
	log_set_format(s->log, (enum log_format)next->log_format);
	proxy_reconfigure(s->proxy, &next->proxy);
	if (s->current != s->started)
		config_free(s->current);
	s->current = next;
	log_info(s->log, NULL, "reloaded %s", s->started->file);
}

static void server_on_stopped(void *arg)
{
	struct server *s = arg;

	loop_stop(s->loop);
}

static void server_on_failed(void *arg)
{
	struct server *s = arg;

	s->failed = true;
	loop_stop(s->loop);
}

static void server_on_term(void *arg, int signo)
{
	struct server *s = arg;

	if (s->stopping) {
		log_warn(s->log, NULL, "a second signal (%s): ending at once", strsignal(signo));
		_exit(1);
	}
	s->stopping = true;
	log_info(s->log, NULL, "%s: stopping within %d ms", strsignal(signo), s->current->shutdown_timeout_ms);
	proxy_shutdown(s->proxy, s->current->shutdown_timeout_ms, server_on_stopped, s);
}

static bool server_start(struct server *s)
{
	const struct config *c = s->started;
	char err[256] = "";

	s->loop = loop_new(s->log);
	if (!s->loop)
		return false;
	s->proxy = proxy_new(s->loop, &c->proxy);
	proxy_on_failure(s->proxy, server_on_failed, s);
	if (c->admin.n && admin_new(s->loop, c->admin.list[0].host, c->admin.list[0].port, s->proxy, &s->admin, err)) {
		log_error(s->log, NULL, "%s", err);
		return false;
	}
	loop_on_signal(s->loop, SIGTERM, server_on_term, s);
	loop_on_signal(s->loop, SIGINT, server_on_term, s);
	loop_on_signal(s->loop, SIGHUP, server_on_hup, s);
	return true;
}

static void server_release(struct server *s)
{
	admin_free(s->admin);
	proxy_free(s->proxy);
	loop_free(s->loop);
	log_free(s->log);
	if (s->current != s->started)
		config_free(s->current);
	config_free(s->started);
}

int server_run(struct config *cfg)
{
	struct server s = {.started = cfg, .current = cfg};
	char err[CONFIG_ERROR_MAX];
	int status = 1;

	signal(SIGPIPE, SIG_IGN);
	s.log = log_new(STDERR_FILENO, (enum log_level)cfg->log_level, (enum log_format)cfg->log_format);
	if (!fill_max_connections(cfg, s.log, err)) {
		log_error(s.log, NULL, "%s", err);
	} else if (server_start(&s)) {
		log_info(s.log, NULL, "sluice " PACKAGE_VERSION " serves %.*s in front of %.*s",
			(int)cfg->listeners.list[0].text.n, cfg->listeners.list[0].text.p,
			(int)cfg->bootstrap.list[0].text.n, cfg->bootstrap.list[0].text.p);
		loop_run(s.loop);
		log_info(s.log, NULL, "stopped");
		status = s.failed;
	}
	server_release(&s);
	return status;
}
