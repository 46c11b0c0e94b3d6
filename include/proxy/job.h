/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs: terminated requests that wait for the engine, for durability or for the cluster.
 *
 * A job is one request and consists of calls, one for each event that it puts to the engine. A call ends when the
 * engine has replied and what the reply depends on is durable; the job ends with its last call:
 *
 *   job_begin(slot) -> job_call(event) ... -> [engine REPLY] -> on_reply -> (durable) -> last one: on_done ->
 * slot_answer
 */
#ifndef SLUICE_PROXY_JOB_H
#define SLUICE_PROXY_JOB_H

#include <sys/queue.h>

#include <uthash.h>

#include "proxy/service.h"
#include "proxy/session.h"
#include "share/share.h"
#include "wire/codec.h"

struct job;
struct job_memory;

struct job_ops {
	/* The engine's reply to call number i: views in fx end with this function. Like the others not called when the
	 * connection is gone, and it puts no event to the engine. */
	void (*on_reply)(struct job *j, uint32_t i, const struct share_effect *fx);
	/* The state partition was lost before the reply of call i was durable (or came): make it an error instead. */
	void (*on_lost)(struct job *j, uint32_t i);
	/* Everything is there: job_encode the answer. NULL: on_reply has done it. */
	void (*on_done)(struct job *j);
};

struct job {
	struct service *service;
	struct slot
		*slot; /* NULL: the connection is gone; nothing of the job's data in the slot's arena may be touched */
	const struct job_ops *ops;
	void *data;                /* of the ops, in the slot's arena */
	struct job_memory *memory; /* job_alloc */
	struct writer body;
	void (*on_forwarded)(struct job *j, struct bytes response_body); /* a hold: the broker is asked */
	bool failed; /* the answer does not fit: the connection closes instead */
	LIST_ENTRY(job) link;
	uint32_t calls_n;   /* begun so far */
	uint32_t waiting_n; /* not ended yet, holds included */
};

/* Begins a job for a request; it ends after the last job_call and job_release. */
struct job *job_begin(struct service *sv, struct slot *s, const struct job_ops *ops, void *data);

/* Puts one event to the engine for this job; ev->token is set here, ev->state_partition by the caller from
 * service_group_partition. */
void job_call(struct job *j, struct share_event *ev);

/* The beginner's own hold, and further ones while something else (an offset of the cluster) is waited for. */
void job_hold(struct job *j);
void job_release(struct job *j);

/* Makes msg the answer, replacing an earlier one. Record batches are referred to, everything else is copied. */
void job_encode(struct job *j, const struct schema *s, const void *msg);

/* Zeroed memory that lives as long as the job, which may outlive its slot: contexts of calls to the cluster. */
void *job_alloc(struct job *j, size_t size);

/* Sends a request of the same API with this body (content taken over) to the session's broker; its answer comes by cb,
 * behind which the job goes on. At most one at a time. */
void job_forward(struct job *j, struct writer *body, void (*cb)(struct job *j, struct bytes response_body));

/* The same with the body that the client sent. */
void job_forward_whole(struct job *j, void (*cb)(struct job *j, struct bytes response_body));

/* The slot goes away since its connection closed. */
void job_slot_gone(struct job *j);

/* The slot has been closed by its handler: the job ends without an answer. */
void job_drop(struct job *j);

/* Frees a job whatever it waits for; when the service ends. */
void job_abort(struct job *j);

#endif
