/* SPDX-License-Identifier: Apache-2.0 */
/* What the two files of the mirror share: its groups, what is to be done for them, what their shadows have. */
#ifndef SLUICE_PROXY_MIRROR_PRIV_H
#define SLUICE_PROXY_MIRROR_PRIV_H

#include "proxy/mirror.h"
#include "proxy/mirror_mark.h"
#include "proxy/service_priv.h"

enum mirror_op_type { MIRROR_CHECK, MIRROR_TRAIL, MIRROR_COMMIT, MIRROR_DELETE_TOPICS, MIRROR_DELETE_GROUP };

struct mirror_op {
	enum mirror_op_type type;
	struct mirror_offset *v;
	uint32_t n;
	uint32_t merged; /* how many behind it were made part of it */
	bool all;        /* v is all that the group has */
	uint64_t seq;    /* of a TRAIL: what v says is durable with this change */
	mirror_cb cb;    /* NULL: a TRAIL */
	void *arg;
	TAILQ_ENTRY(mirror_op) link;
};

/* What the shadow has of a partition. */
struct mirror_seen {
	struct mirror_key {
		struct uuid topic_id;
		int32_t partition;
	} key;
	int64_t offset;
	bool is_other_log; /* committed when the state was kept in another internal topic */
	UT_hash_handle hh;
};

struct mirror_group {
	struct mirror *m;
	int32_t state_partition;
	bool checked; /* no other group of the cluster had this id */
	bool stopped; /* somebody else uses it: nothing is mirrored any more */
	bool dirty, trailing, running;
	bool lost; /* not in the table any more: ends with the call on its way */
	bool has_offsets;
	bool told;      /* that its state is gone */
	int64_t all_at; /* last time that everything was committed; 0: never */
	struct mirror_seen *seen;
	TAILQ_HEAD(, mirror_op) ops; /* the first one runs */
	bool waiting;                /* for durability */
	TAILQ_ENTRY(mirror_group) wait_link;
	TAILQ_ENTRY(mirror_group) lost_link;
	UT_hash_handle hh;
	struct str id;
	char text[];
};
TAILQ_HEAD(mirror_group_list, mirror_group);

struct mirror {
	struct service *sv;
	struct mirror_group *groups; /* by id */
	struct mirror_group_list lost, waiting;
	struct timer tick; /* the interval */
	struct timer pump; /* operations are begun and ended from the loop */
	uint32_t trails;   /* running */
	uint64_t commits, errors, stopped, gone;
	bool failing;                       /* said in the log */
	int64_t refresh_ms, refresh_ask_at; /* 0: no broker has told */
	uint32_t refresh_turn;              /* which broker is asked */
	bool refresh_asking;
};

/* NULL: there is none. */
struct mirror_group *mirror_group_find(struct mirror *m, struct str id);
struct mirror_group *mirror_group_get(struct mirror *m, struct str id);

/* With operations that are left, which are not told. */
void mirror_group_free(struct mirror_group *g);
void mirror_op_free(struct mirror_op *op);

struct mirror_seen *mirror_seen_find(struct mirror_group *g, struct uuid topic_id, int32_t partition);
struct mirror_seen *mirror_seen_set(struct mirror_group *g, struct uuid topic_id, int32_t partition, int64_t offset);
void mirror_seen_clear(struct mirror_group *g);

/* After how long offsets that do not change are committed again. */
int64_t mirror_refresh_ms(const struct mirror *m);

/* Asks the brokers for it, one a call, from time to time. */
void mirror_refresh_ask(struct mirror *m);

#endif
