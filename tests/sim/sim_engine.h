/* SPDX-License-Identifier: Apache-2.0 */
/* The engine in a simulated world: clients, cluster and state log are played, everything that the engine answers is
 * compared with the model. */
#ifndef SLUICE_TESTS_SIM_SIM_ENGINE_H
#define SLUICE_TESTS_SIM_SIM_ENGINE_H

#include "model.h"

enum {
	SIM_GROUPS = 3,
	SIM_TOPICS = 2,
	SIM_PARTS = 3,
	SIM_MEMBERS = 5,
	SIM_NODES = 2,
	SIM_PENDING = 1024,
	SIM_WANTS = 256,
	SIM_ACKS = 16,
};

/* A request that has to be answered. */
struct sim_pending {
	uint64_t token;
	enum share_event_type type;
	int g, member, node;
	int64_t answer_by;
	int16_t error; /* expected */
	struct {
		struct uuid topic_id;
		int32_t partition;
		int16_t error;
	} acks[SIM_ACKS];
	uint32_t acks_n;
	bool no_records; /* it may not be answered with records any more */
	bool lost;       /* its group went to another owner: every partition has error 6 */
	uint64_t conn_id;
	int32_t min_bytes;
};

struct sim_session {
	bool open;
	int32_t next_epoch;
	uint64_t conn_id;
	bool in[SIM_TOPICS][SIM_PARTS];
	uint64_t waiting; /* token of its fetch, or 0 */
};

/* A member as it was written. */
struct sim_member {
	bool present;
	int32_t epoch, previous_epoch;
	uint32_t topics; /* bit for each subscribed topic */
	struct share_topic_partition assigned[SIM_TOPICS * SIM_PARTS];
	uint32_t assigned_n;
	uint64_t waiting; /* token of its heartbeat, or 0 */
	int64_t expires;
};

struct sim_group {
	bool exists;
	int32_t group_epoch, assignment_epoch;
	struct model_limits limits;
	bool read_committed;
	char configs[4][2][40];
	uint32_t configs_n;
	struct sim_member members[SIM_MEMBERS];
	struct sim_session sessions[SIM_NODES][SIM_MEMBERS];
	struct model_part parts[SIM_TOPICS][SIM_PARTS];
};

struct sim_want {
	struct share_log_key log;
	int64_t offset;
};

struct sim_resolve {
	int g;
	struct uuid topic_id;
	int32_t partition;
};

/* When the groups of a state partition may hand out records. */
struct sim_lease {
	bool is_limited;
	int64_t not_before, until;
};

struct sim {
	struct rng rng;
	uint64_t seed, step;
	bool plain;
	bool tells;     /* prints its events */
	uint8_t broken; /* enum model_break */
	struct share_engine_config cfg;
	struct share_engine *e;
	struct share_effects fx;
	int64_t now;
	uint64_t last_token, last_conn;
	struct uuid topics[SIM_TOPICS];
	uint32_t generation[SIM_TOPICS];
	int32_t partitions[SIM_TOPICS];
	struct world_log logs[SIM_TOPICS][SIM_PARTS];
	int64_t quiet_from[SIM_TOPICS][SIM_PARTS]; /* the engine may hold back from reading until then */
	struct sim_group groups[SIM_GROUPS];
	bool leased; /* leases come */
	struct sim_lease leases[2];
	struct sim_want wants[SIM_WANTS];
	uint32_t wants_n;
	struct sim_resolve resolves[SIM_WANTS];
	uint32_t resolves_n;
	struct sim_pending pending[SIM_PENDING];
	uint32_t pending_n;
	uint64_t live_refs;
	bool altering; /* SHARE_CHANGE_PARTITION begins anew */
	uint64_t acquired, acked, restarts, persists, answered, events;
};

/* sim_engine_play.c: what happens */
void sim_start(struct sim *s, uint64_t seed, uint8_t broken); /* enum model_break */
void sim_step(struct sim *s, uint64_t step);                  /* what happens depends on seed, step and state */
void sim_finish(struct sim *s);                               /* everybody leaves; all counts must be zero */
void sim_apply(struct sim *s, struct share_event *ev);
void sim_check(struct sim *s);
bool sim_may_hand_out(const struct sim *s, int g);
int sim_topic_of(const struct sim *s, struct uuid id); /* -1: not there any more */
struct str sim_group_id(int g);
struct str sim_member_id(int m);
struct str sim_topic_name(int t);

/* sim_engine_cluster.c */
void sim_announce(struct sim *s, int t);
struct uuid sim_topic_id(int t, uint32_t generation);
void sim_answer_want(struct sim *s, uint32_t i, uint32_t max, int16_t error);
bool sim_want_has_data(const struct sim *s, uint32_t i);
bool sim_session_has(const struct sim_group *g, int t, int p);
void sim_play_want(struct sim *s);
void sim_play_resolve(struct sim *s);
void sim_play_produce(struct sim *s);
void sim_play_truncate(struct sim *s);
void sim_play_topic(struct sim *s);

/* sim_engine_clients.c */
void sim_play_client(struct sim *s);
void sim_play_conn_closed(struct sim *s);
void sim_close_conn(struct sim *s, uint64_t conn_id);

/* sim_engine_tell.c: one line on standard error for an event */
void sim_tell(const struct sim *s, const struct share_event *ev);
void sim_tell_answer(const struct sim *s, const struct sim_pending *p, const struct share_effect *fx);

/* sim_engine_shrink.c: runs steps 1 .. n in a process of its own; when that fails, finds a short list of steps that
 * fails in the same way and prints it. Returns the exit status. */
int sim_run(uint64_t seed, uint64_t steps, uint8_t broken);

/* sim_engine_effects.c: what the engine did about it */
void sim_effects(struct sim *s);
struct sim_pending *sim_pend(struct sim *s, const struct share_event *ev, int g, int member, int node);
struct sim_pending *sim_pending_find(struct sim *s, uint64_t token);
void sim_pending_remove(struct sim *s, struct sim_pending *p);
void sim_check_group(struct sim *s, int g);

#endif
