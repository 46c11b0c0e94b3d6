/* SPDX-License-Identifier: Apache-2.0 */
/* Operators' questions over HTTP are answered here. */
#include "main/admin.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/http.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

#define ADMIN_HEADERS_MAX 8192
#define ADMIN_BODY_MAX 1024
/* An idle or slow connection is closed after so many seconds. */
#define ADMIN_TIMEOUT_S 10

struct admin {
	struct evhttp *http;
	struct proxy *proxy;
};

/* A page of metrics under construction. */
struct page {
	struct evbuffer *out;
	const char *last; /* name of the metric before: help and type stand before its first sample only */
};

static void add_sample(
	void *arg, const char *name, const char *help, const char *type, const char *labels, double value)
{
	struct page *pg = arg;
	const char *open = *labels ? "{" : "", *close = *labels ? "}" : "";

	if (!pg->last || strcmp(pg->last, name) != 0)
		evbuffer_add_printf(pg->out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
	pg->last = name;
	if (fabs(value) < 9007199254740992.0 && value == trunc(value))
		evbuffer_add_printf(pg->out, "%s%s%s%s %.0f\n", name, open, labels, close, value);
	else
		evbuffer_add_printf(pg->out, "%s%s%s%s %.17g\n", name, open, labels, close, value);
}

static int make_metrics(struct admin *a, struct evbuffer *out)
{
	struct page pg = {.out = out};

	proxy_metrics(a->proxy, add_sample, &pg);
	return HTTP_OK;
}

static int make_livez(struct admin *a, struct evbuffer *out)
{
	(void)a;
	evbuffer_add_printf(out, "ok\n");
	return HTTP_OK;
}

static int make_readyz(struct admin *a, struct evbuffer *out)
{
	const char *why = "";

	if (proxy_is_ready(a->proxy, &why)) {
		evbuffer_add_printf(out, "ok\n");
		return HTTP_OK;
	}
	evbuffer_add_printf(out, "%s\n", why);
	return HTTP_SERVUNAVAIL;
}

struct admin_page {
	const char *path, *content_type;
	int (*make)(struct admin *a, struct evbuffer *out); /* returns the status */
};

static const struct admin_page pages[] = {
	{"/metrics", "text/plain; version=0.0.4; charset=utf-8", make_metrics},
	{"/livez", "text/plain; charset=utf-8", make_livez},
	{"/readyz", "text/plain; charset=utf-8", make_readyz},
};

static const char *status_phrase(int status)
{
	switch (status) {
	case HTTP_OK:
		return "OK";
	case HTTP_SERVUNAVAIL:
		return "Service Unavailable";
	case HTTP_BADMETHOD:
		return "Method Not Allowed";
	default:
		return "Not Found";
	}
}

static const struct admin_page *page_find(struct evhttp_request *rq)
{
	const struct evhttp_uri *uri = evhttp_request_get_evhttp_uri(rq);
	const char *path = uri ? evhttp_uri_get_path(uri) : NULL;

	for (size_t i = 0; path && i < sizeof(pages) / sizeof(pages[0]); i++)
		if (strcmp(path, pages[i].path) == 0)
			return &pages[i];
	return NULL;
}

/* HEAD is answered as GET, without the body; evhttp would send it. */
static void drop_body(struct evkeyvalq *headers, struct evbuffer *out)
{
	char length[24];

	snprintf(length, sizeof(length), "%zu", evbuffer_get_length(out));
	evhttp_add_header(headers, "Content-Length", length);
	evbuffer_drain(out, evbuffer_get_length(out));
}

static void admin_on_request(struct evhttp_request *rq, void *arg)
{
	struct evkeyvalq *headers = evhttp_request_get_output_headers(rq);
	enum evhttp_cmd_type method = evhttp_request_get_command(rq);
	const struct admin_page *page = page_find(rq);
	struct evbuffer *out = evbuffer_new();
	int status;

	if (!out) {
		evhttp_send_error(rq, HTTP_INTERNAL, NULL);
		return;
	}
	if (!page) {
		status = HTTP_NOTFOUND;
		evbuffer_add_printf(out, "not found; there are /metrics, /livez and /readyz\n");
	} else if (method != EVHTTP_REQ_GET && method != EVHTTP_REQ_HEAD) {
		status = HTTP_BADMETHOD;
		evhttp_add_header(headers, "Allow", "GET, HEAD");
		evbuffer_add_printf(out, "method not allowed; use GET\n");
	} else {
		status = page->make(arg, out);
	}
	evhttp_add_header(headers, "Content-Type", page ? page->content_type : "text/plain; charset=utf-8");
	/* One answer a connection: whoever asks once a minute holds no descriptor meanwhile. */
	evhttp_add_header(headers, "Connection", "close");
	if (method == EVHTTP_REQ_HEAD)
		drop_body(headers, out);
	evhttp_send_reply(rq, status, status_phrase(status), out);
	evbuffer_free(out);
}

enum err admin_new(
	struct loop *lp, struct str host, int32_t port, struct proxy *p, struct admin **ret, char errbuf[256])
{
	struct admin *a = mem_zalloc(1, sizeof(*a));

	a->proxy = p;
	a->http = evhttp_new(loop_event_base(lp));
	if (!a->http) {
		snprintf(errbuf, 256, "the admin pages can not be set up");
		admin_free(a);
		return ERR_IO;
	}
	evhttp_set_max_headers_size(a->http, ADMIN_HEADERS_MAX);
	evhttp_set_max_body_size(a->http, ADMIN_BODY_MAX);
	evhttp_set_timeout(a->http, ADMIN_TIMEOUT_S);
	evhttp_set_allowed_methods(a->http, EVHTTP_REQ_GET | EVHTTP_REQ_HEAD | EVHTTP_REQ_POST | EVHTTP_REQ_PUT |
						    EVHTTP_REQ_DELETE | EVHTTP_REQ_OPTIONS | EVHTTP_REQ_PATCH);
	evhttp_set_gencb(a->http, admin_on_request, a);
	errno = 0;
	if (evhttp_bind_socket(a->http, host.n ? host.p : "0.0.0.0", (uint16_t)port) == -1) {
		snprintf(errbuf, 256, "admin.listener can not use port %d of %s: %s", port,
			host.n ? host.p : "all addresses", errno ? strerror(errno) : "the name has no address");
		admin_free(a);
		return ERR_IO;
	}
	*ret = a;
	return ERR_OK;
}

void admin_free(struct admin *a)
{
	if (!a)
		return;
	if (a->http)
		evhttp_free(a->http);
	mem_free(a);
}
