/* SPDX-License-Identifier: Apache-2.0 */
/* Sockets and frames of the load generator. */
#include "peer.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "wire/frame.h"

#define ANSWER_MAX (64 * 1024 * 1024)
#define REQUEST_MAX (64 * 1024)
#define READ_SIZE (32 * 1024)
#define ASK_TIMEOUT_MS 30000

void fail(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "bench-jobs: ");
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "\n");
	exit(1);
}

int64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

void peer_connect(struct peer *p, const char *host, int port, void *owner)
{
	struct addrinfo *list = NULL, hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
	char service[8];
	int one = 1;

	*p = (struct peer){.fd = -1, .api_key = -1, .owner = owner};
	buf_init(&p->in, ANSWER_MAX);
	snprintf(service, sizeof(service), "%d", port);
	if (getaddrinfo(host, service, &hints, &list) != 0)
		fail("%s:%d has no address", host, port);
	p->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (p->fd < 0 || connect(p->fd, list->ai_addr, list->ai_addrlen) != 0)
		fail("connecting to %s:%d: %s", host, port, strerror(errno));
	setsockopt(p->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	freeaddrinfo(list);
}

void peer_close(struct peer *p)
{
	close(p->fd);
	buf_release(&p->in);
}

void peer_send(struct peer *p, int16_t api_key, int16_t version, const void *msg)
{
	const struct schema *s = schema_find(api_key, false);
	struct request_header h = {.api_key = api_key,
		.api_version = version,
		.correlation_id = ++p->correlation_id,
		.client_id = STR_LIT("bench-jobs"),
		.header_version = schema_is_flexible(s, version) ? 2 : 1};
	struct writer w;
	uint8_t bytes[REQUEST_MAX];
	size_t size, sent = 0;

	if (p->api_key >= 0)
		fail("request %d while %d waits for its answer", (int)api_key, (int)p->api_key);
	wr_init(&w, REQUEST_MAX);
	wr_i32(&w, 0);
	request_header_write(&w, &h);
	if (codec_encode(s, version, &w, msg) != ERR_OK)
		fail("%s version %d does not fit", schema_name(s), (int)version);
	size = wr_size(&w);
	wr_patch_i32(&w, 0, (int32_t)(size - FRAME_LEN_SIZE));
	wr_flatten(&w, bytes);
	wr_release(&w);
	while (sent < size) {
		ssize_t n = send(p->fd, bytes + sent, size - sent, MSG_NOSIGNAL);

		if (n < 0 && errno != EINTR)
			fail("sending %s: %s", schema_name(s), strerror(errno));
		sent += n > 0 ? (size_t)n : 0;
	}
	p->api_key = api_key;
	p->api_version = version;
	p->sent_us = now_us();
}

static void peer_read(struct peer *p)
{
	ssize_t n;

	if (buf_reserve(&p->in, READ_SIZE) != ERR_OK)
		fail("an answer of more than %d bytes", ANSWER_MAX);
	n = recv(p->fd, buf_tail(&p->in), buf_room(&p->in), MSG_DONTWAIT);
	if (n > 0)
		buf_commit(&p->in, (size_t)n);
	else if (n == 0)
		fail("the connection was closed while request %d waited", (int)p->api_key);
	else if (errno != EAGAIN && errno != EINTR)
		fail("reading: %s", strerror(errno));
}

static size_t frame_size(const struct peer *p)
{
	const char *reason = "";
	uint32_t len = 0;
	size_t need;

	switch (frame_length(buf_head(&p->in), buf_len(&p->in), 4, ANSWER_MAX, &len, &need, &reason)) {
	case FRAME_READY:
		return buf_len(&p->in) - FRAME_LEN_SIZE >= len ? len : 0;
	case FRAME_BAD:
		fail("answer: %s", reason);
	case FRAME_NEED_MORE:
		break;
	}
	return 0;
}

bool peer_receive(struct peer *p, struct arena *a, void *msg)
{
	const struct schema *s;
	char path[CODEC_PATH_MAX];
	struct reader r;
	size_t len;

	peer_read(p);
	len = frame_size(p);
	if (len == 0)
		return false;
	if (p->api_key < 0)
		fail("an answer that nobody asked for");
	s = schema_find(p->api_key, true);
	r = rd_init(buf_head(&p->in) + FRAME_LEN_SIZE, len);
	if (rd_i32(&r) != p->correlation_id)
		fail("answer to another request than %d", (int)p->correlation_id);
	if (schema_is_flexible(s, p->api_version))
		rd_skip_tags(&r);
	if (codec_decode(s, p->api_version, &r, a, msg, path) != ERR_OK)
		fail("%s: malformed at %s", schema_name(s), path);
	p->api_key = -1;
	return true;
}

void peer_consume(struct peer *p)
{
	buf_consume(&p->in, frame_size(p) + FRAME_LEN_SIZE);
}

void peer_ask(struct peer *p, int16_t api_key, int16_t version, const void *msg, struct arena *a, void *answer)
{
	struct pollfd fd = {.fd = p->fd, .events = POLLIN};

	peer_send(p, api_key, version, msg);
	do {
		if (poll(&fd, 1, ASK_TIMEOUT_MS) == 0)
			fail("request %d was not answered in %d ms", (int)api_key, ASK_TIMEOUT_MS);
	} while (!peer_receive(p, a, answer));
}
