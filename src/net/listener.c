/* SPDX-License-Identifier: Apache-2.0 */
/* Listening sockets are opened and accept here; at the descriptor limit they rest instead of spinning. */
#include "net/listener.h"

#include <errno.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "loop_priv.h"

#define LISTENER_BACKLOG 1024
/* Addresses of one host name. */
#define LISTENER_SOCKETS 8
/* Connections of one socket in one turn. */
#define LISTENER_BUDGET 64
/* How long accepting rests at the descriptor limit: twice as long each time. */
#define LISTENER_REST_MIN_MS 100
#define LISTENER_REST_MAX_MS 1000

struct listener_socket {
	struct listener *listener;
	int fd;
	struct event ev;
};

struct listener {
	struct loop *loop;
	listener_accept_cb on_accept;
	void *arg;
	struct timer timer; /* set: resting */
	int64_t rest_ms;
	uint16_t port;
	bool dead;
	uint32_t n;
	struct listener_socket sockets[LISTENER_SOCKETS];
};

static void listener_rest(struct listener *l, int error)
{
	int64_t now = loop_now(l->loop);

	for (uint32_t i = 0; i < l->n; i++)
		event_del(&l->sockets[i].ev);
	timer_set(&l->timer, now + l->rest_ms);
	if (loop_may_log_limit(l->loop))
		log_warn(loop_log(l->loop), &(struct log_ctx){.reason = "descriptor_limit"},
			"port %u accepts no connections for %d ms: %s; raise the limit of open descriptors, or let "
			"fewer clients connect",
			(unsigned)l->port, (int)l->rest_ms, strerror(error));
	l->rest_ms = l->rest_ms * 2 < LISTENER_REST_MAX_MS ? l->rest_ms * 2 : LISTENER_REST_MAX_MS;
}

static void listener_on_rested(void *arg)
{
	struct listener *l = arg;

	for (uint32_t i = 0; i < l->n; i++)
		event_add(&l->sockets[i].ev, NULL);
}

/* Errors that stay while we do: out of descriptors or memory. All others are about the one connection that is gone. */
static bool is_limit(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

static void listener_on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct listener_socket *s = arg;
	struct listener *l = s->listener;

	(void)what;
	for (int i = 0; i < LISTENER_BUDGET && !l->dead; i++) {
		int conn_fd = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (conn_fd != -1) {
			l->rest_ms = LISTENER_REST_MIN_MS;
			l->on_accept(l->arg, conn_fd);
		} else if (errno == EAGAIN || errno == EWOULDBLOCK) {
			return;
		} else if (is_limit(errno)) {
			listener_rest(l, errno);
			return;
		}
	}
}

/* A bound and listening socket, or -1 with errno. */
static int listener_bind(const struct addrinfo *a, uint16_t port, bool v6_only)
{
	union {
		struct sockaddr sa;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	} addr;
	const int on = 1, only = v6_only;
	int fd, error;

	memset(&addr, 0, sizeof(addr));
	memcpy(&addr, a->ai_addr, a->ai_addrlen < sizeof(addr) ? a->ai_addrlen : sizeof(addr));
	if (a->ai_family == AF_INET6)
		addr.in6.sin6_port = htons(port);
	else
		addr.in.sin_port = htons(port);
	fd = socket(a->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
	if (fd == -1)
		return -1;
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == -1 ||
		(a->ai_family == AF_INET6 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &only, sizeof(only)) == -1) ||
		bind(fd, &addr.sa, a->ai_addrlen) == -1 || listen(fd, LISTENER_BACKLOG) == -1) {
		error = errno;
		close(fd);
		errno = error;
		return -1;
	}
	return fd;
}

static uint16_t socket_port(int fd)
{
	union {
		struct sockaddr sa;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	} addr = {.in6 = {0}};
	socklen_t len = sizeof(addr);

	if (getsockname(fd, &addr.sa, &len) == -1)
		return 0;
	return ntohs(addr.sa.sa_family == AF_INET6 ? addr.in6.sin6_port : addr.in.sin_port);
}

static enum err listener_add(struct listener *l, int fd)
{
	struct listener_socket *s = &l->sockets[l->n];

	s->listener = l;
	s->fd = fd;
	event_assign(&s->ev, loop_event_base(l->loop), fd, EV_READ | EV_PERSIST, listener_on_readable, s);
	if (event_add(&s->ev, NULL) == -1) {
		close(fd);
		return ERR_IO;
	}
	l->n++;
	l->port = socket_port(fd);
	return ERR_OK;
}

/* Opens every address of the list; those that this machine does not have are left out when another one works. */
static enum err listener_open(
	struct listener *l, const struct addrinfo *list, uint16_t port, bool v6_only, int *ret_error)
{
	*ret_error = EADDRNOTAVAIL;
	for (const struct addrinfo *a = list; a && l->n < LISTENER_SOCKETS; a = a->ai_next) {
		int fd = listener_bind(a, l->n > 0 ? l->port : port, v6_only);

		if (fd != -1) {
			if (listener_add(l, fd))
				return ERR_IO;
			continue;
		}
		*ret_error = errno;
		if (errno != EADDRNOTAVAIL && errno != EAFNOSUPPORT)
			return ERR_IO;
	}
	return l->n > 0 ? ERR_OK : ERR_IO;
}

/* "" and "[::]" mean all addresses of both families in one socket; where there is no IPv6, "" falls back to IPv4. */
static enum err listener_open_host(struct listener *l, const char *host, uint16_t port, char errbuf[256])
{
	struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
	struct addrinfo *list = NULL;
	bool any = host[0] == '\0';
	size_t n = strlen(any ? "::" : host);
	char name[256];
	int error, r;
	enum err e;

	if (host[0] == '[' && host[n - 1] == ']') {
		host++;
		n -= 2;
	}
	snprintf(name, sizeof(name), "%.*s", (int)n, any ? "::" : host);
	r = getaddrinfo(name, NULL, &hints, &list);
	if (r != 0) {
		snprintf(errbuf, 256,
			"can not listen on host '%.100s': %s; expected an address or name of this machine", name,
			gai_strerror(r));
		return ERR_IO;
	}
	e = listener_open(l, list, port, strcmp(name, "::") != 0, &error);
	freeaddrinfo(list);
	if (e && any && (error == EAFNOSUPPORT || error == EADDRNOTAVAIL))
		return listener_open_host(l, "0.0.0.0", port, errbuf);
	if (e)
		snprintf(errbuf, 256, "can not listen on '%.100s' port %u: %s", name, (unsigned)port, strerror(error));
	return e;
}

enum err listener_new(struct loop *lp, const char *host, uint16_t port, listener_accept_cb on_accept, void *arg,
	struct listener **ret, char errbuf[256])
{
	struct listener *l = mem_zalloc(1, sizeof(*l));
	enum err e;

	l->loop = lp;
	l->on_accept = on_accept;
	l->arg = arg;
	l->rest_ms = LISTENER_REST_MIN_MS;
	timer_init(&l->timer, lp, listener_on_rested, l);
	e = listener_open_host(l, host, port, errbuf);
	if (e)
		listener_free(l);
	else
		*ret = l;
	return e;
}

static void listener_finish(void *arg)
{
	mem_free(arg);
}

void listener_free(struct listener *l)
{
	if (!l || l->dead)
		return;
	l->dead = true;
	timer_clear(&l->timer);
	for (uint32_t i = 0; i < l->n; i++) {
		event_del(&l->sockets[i].ev);
		close(l->sockets[i].fd);
	}
	/* Perhaps this is inside on_accept. */
	loop_defer(l->loop, listener_finish, l);
}

uint16_t listener_port(const struct listener *l)
{
	return l->port;
}
