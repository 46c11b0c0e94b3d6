/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs are begun, held and ended here. */
#include "proxy/job.h"

#include "base/assert.h"
#include "base/mem.h"
#include "proxy/service_priv.h"

/* Own bytes of one answer; record batches are referred to and do not count. */
#define ANSWER_MAX_BYTES (64 * 1024 * 1024)

struct job_memory {
	struct job_memory *next;
	max_align_t data[];
};

struct job *job_begin(struct service *sv, struct slot *s, const struct job_ops *ops, void *data)
{
	struct job *j = mem_zalloc(1, sizeof(*j));

	j->service = sv;
	j->slot = s;
	j->ops = ops;
	j->data = data;
	j->waiting_n = 1;
	wr_init(&j->body, ANSWER_MAX_BYTES);
	slot_set_user(s, j);
	sv->jobs_n++;
	LIST_INSERT_HEAD(&sv->jobs, j, link);
	return j;
}

void job_call(struct job *j, struct share_event *ev)
{
	struct service *sv = j->service;
	struct call *c = mem_zalloc(1, sizeof(*c));

	c->token = ++sv->last_token;
	c->job = j;
	c->index = j->calls_n++;
	c->state_partition = ev->state_partition;
	j->waiting_n++;
	HASH_ADD(hh, sv->calls, token, sizeof(c->token), c);
	ev->token = c->token;
	service_apply(sv, ev);
}

void job_hold(struct job *j)
{
	j->waiting_n++;
}

void *job_alloc(struct job *j, size_t size)
{
	struct job_memory *m = mem_zalloc(1, sizeof(*m) + size);

	m->next = j->memory;
	j->memory = m;
	return m->data;
}

static void forwarded_cb(struct slot *s, struct bytes response_body)
{
	struct job *j = slot_get_user(s);
	void (*cb)(struct job * j, struct bytes response_body) = j->on_forwarded;

	j->on_forwarded = NULL;
	cb(j, response_body);
	job_release(j);
}

void job_forward(struct job *j, struct writer *body, void (*cb)(struct job *j, struct bytes response_body))
{
	sl_assert(!j->on_forwarded);
	j->on_forwarded = cb;
	job_hold(j);
	slot_forward(j->slot, body, forwarded_cb);
}

void job_forward_whole(struct job *j, void (*cb)(struct job *j, struct bytes response_body))
{
	struct bytes body = slot_get_request(j->slot)->body;
	struct writer w;

	wr_init(&w, body.n);
	wr_raw(&w, body.p, body.n);
	job_forward(j, &w, cb);
	wr_release(&w);
}

void job_slot_gone(struct job *j)
{
	j->slot = NULL;
	if (j->on_forwarded) {
		j->on_forwarded = NULL;
		job_release(j);
	}
}

void job_drop(struct job *j)
{
	if (j->slot)
		slot_set_user(j->slot, NULL);
	j->slot = NULL;
}

void job_abort(struct job *j)
{
	struct job_memory *m;

	LIST_REMOVE(j, link);
	j->service->jobs_n--;
	wr_release(&j->body);
	while ((m = j->memory)) {
		j->memory = m->next;
		mem_free(m);
	}
	mem_free(j);
}

void job_release(struct job *j)
{
	sl_assert(j->waiting_n > 0);
	if (--j->waiting_n)
		return;
	if (j->slot) {
		struct slot *s = j->slot;

		slot_set_user(s, NULL);
		if (j->ops->on_done)
			j->ops->on_done(j);
		if (j->failed)
			slot_close(s, "answer_too_large", NULL);
		else
			slot_answer(s, &j->body);
	}
	job_abort(j);
}

void job_encode(struct job *j, const struct schema *s, const void *msg)
{
	int16_t version = slot_get_request(j->slot)->header.api_version;

	wr_release(&j->body);
	wr_init(&j->body, ANSWER_MAX_BYTES);
	j->failed = codec_encode(s, version, &j->body, msg) != ERR_OK;
}
