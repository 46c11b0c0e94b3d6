/* SPDX-License-Identifier: Apache-2.0 */
/* Engine and state log together: two sluices over one simulated state partition, clients at random, crashes and pauses
 * between any two steps.
 *
 *   clients -> share_apply -> PERSIST -> statelog -> fake partition        a reply that depends on changes waits until
 *      ^----------------------- REPLY <----------------- durable           they are durable; then it is told
 *
 * A sluice follows the log until it claims: when the log names no living owner, or on a suspicion, right or wrong. An
 * owner is paused for a while, resigns, fails, or is taken from. One owner at a time means:
 *
 *   - Delivery: a fetch answer with acquired records is told to a client whose connection is there. Ownerships are
 *     ordered by their epochs. Once one has delivered, no earlier one ever delivers.
 *   - Confirmation: an owner learns that changes are durable. Between its claim and the record that holds the last of
 *     them there is no other claim in the log. */
#ifndef SLUICE_TESTS_SIM_SIM_H
#define SLUICE_TESTS_SIM_SIM_H

#include "fake_partition.h"
#include "share/share.h"
#include "statelog/statelog.h"
#include "world.h"

enum {
	GROUPS = 3,
	TOPICS = 2,
	PARTS = 2,
	CLIENTS = 5, /* of each group */
	SLUICES = 2,
	REQUESTS_MAX = 128,
	WANTS_MAX = 256,
	ACKS_MAX = 24,
	HELD_MAX = 40,
	RING = 1024, /* of the last offsets that were handed out */
	LATE_MAX = 8,
	STARTS_MAX = 4096,
	SESSION_MS = 6000,
	LOCK_MS = 1000,
	LEASE_MS = 800,
};

/* A rule that is broken on purpose, to see that the checks bite. */
enum sim_break {
	BREAK_NOTHING,
	BREAK_NO_OFFSET_CHECK,
	BREAK_TRIM_EARLY,
	BREAK_ANSWER_EARLY,
	BREAK_IGNORE_LEASE,
	BREAK_IGNORE_WAIT,
};

struct ack {
	int t, p;
	int64_t first, last;
	int8_t type;
	int16_t error;
};

/* A request that a sluice has to answer exactly once, and its answer while that may not be told yet. */
struct request {
	uint64_t token;
	enum share_event_type type;
	int g, c;
	uint32_t conn; /* on which it came */
	struct ack acks[ACKS_MAX];
	uint32_t acks_n;
	bool is_leave, is_close, is_first; /* of a heartbeat, of a session */
	bool answered;
	uint64_t seq; /* told when this change is durable */
	int16_t error;
	int32_t member_epoch;
	struct ack *acquired;
	uint32_t acquired_n;
};

struct client {
	int at;        /* sluice that it talks to */
	uint32_t conn; /* connections so far */
	int32_t member_epoch, session_epoch;
	bool heartbeating, fetching;
	uint32_t gen; /* what was handed out before it changed is no longer held */
	int64_t last_heartbeat;
	struct ack held[HELD_MAX];
	uint32_t held_n;
};

struct slot {
	int64_t offset, until;
	int c;
	uint32_t gen;
};

struct start_note {
	uint64_t seq;
	int g, t, p;
	int64_t start;
};

/* A read, and its answer while that is on its way. */
struct sim_read {
	bool asked, answered;
	int64_t offset;
	struct buf data;
	int64_t end, log_start; /* as the answer tells */
};

/* A question for the end of the log, and its answer while that is on its way. */
struct sim_poll {
	bool asked, answered;
	int64_t sent, next;
	int64_t end;
};

enum sluice_leaving {
	STAYS,
	DRAINS,  /* takes no requests any more, to resign when all is written */
	RESIGNS, /* asked its log to */
	LEAVES,  /* handed over: to be stopped */
};

/* One process. */
struct sluice {
	struct sim *s;
	int index;
	bool up, serving, stale;
	int64_t restart_at; /* next start, or end of being lost */
	struct uuid id;     /* of the process */
	int64_t paused_until;
	enum sluice_leaving leaving;
	int64_t claimed_at;        /* when its claim was confirmed */
	int64_t not_before, until; /* lease */
	struct sim_poll poll;
	bool any_closed, closed[GROUPS][CLIENTS]; /* connections that were closed while it was paused */
	struct share_engine *e;
	struct statelog *l;
	struct share_effects fx;
	struct chunk *flight;
	bool landed;
	int64_t base, write_sent;
	struct sim_read read;
	int64_t trim;  /* -1: none to be answered */
	int64_t begin; /* last begin mark that landed, -1 */
	struct request requests[REQUESTS_MAX];
	uint32_t requests_n;
	struct {
		struct share_log_key log;
		int64_t offset;
	} wants[WANTS_MAX];
	uint32_t wants_n;
	struct {
		int g;
		struct uuid topic_id;
		int32_t partition;
	} resolves[WANTS_MAX];
	uint32_t resolves_n;
	struct slot ring[GROUPS][TOPICS][PARTS][RING];
	int64_t start[GROUPS][TOPICS][PARTS]; /* as last written, -1: none */
	struct start_note notes[STARTS_MAX];
	uint32_t notes_n;
	uint64_t live_refs;
	uint64_t durable; /* as last looked at */
	bool refused;     /* a change of this step was not taken: the ownership has ended, or is resigned */
};

/* What was told about the records of a share-partition. */
struct told {
	uint8_t *done; /* 1: told to be accepted or rejected */
	int64_t cap;
	int64_t start; /* durable start offset, -1: none */
};

struct sim {
	struct rng rng;
	enum sim_break broken;
	uint64_t seed, step;
	int64_t now;
	uint64_t last_token;
	struct share_engine_config cfg;
	struct statelog_config log_cfg;
	struct fake_partition p;
	struct sluice sluices[SLUICES];
	struct client clients[GROUPS][CLIENTS];
	struct uuid topics[TOPICS];
	uint32_t generation[TOPICS];
	struct world_log logs[TOPICS][PARTS];
	struct told told[GROUPS][TOPICS][PARTS];
	struct chunk *late[LATE_MAX];
	uint32_t late_n;
	int64_t late_trim;
	uint64_t processes;
	int64_t *claims; /* offsets of all claims that landed */
	size_t claims_n, claims_cap;
	int64_t delivered_epoch; /* newest ownership that has delivered, -1: none */
	bool quiet;              /* the end: nothing goes wrong any more */
	uint64_t crashes, pauses, handovers, follows, suspicions, loads, losses, told_acks, told_answers, handed_out,
		deliveries, exact_checks, starts, checkpoints, late_writes;
};

/* A failed check prints what it was about and aborts. */
#define sim_check(s, cond) ((cond) ? (void)0 : sim_failed(s, #cond, __FILE__, __LINE__))
_Noreturn void sim_failed(const struct sim *s, const char *cond, const char *file, int line);

struct str sim_group(int g);
struct str sim_member(int c);
struct str sim_topic(int t);
int sim_group_index(struct str id);
int sim_topic_index(const struct sim *s, struct uuid id); /* -1: gone */

/* sim_sluice.c */
void sluice_start(struct sluice *n);
void sluice_crash(struct sluice *n);
void sluice_free(struct sluice *n);
void sluice_apply(struct sluice *n, struct share_event *ev);
void sluice_claim(struct sluice *n);
void sluice_follow(struct sluice *n);
void sluice_pump(struct sluice *n); /* does what the log wants, and tells what may be told by then */
void sluice_step_log(struct sluice *n);
void sluice_step_cluster(struct sluice *n);
void sluice_announce(struct sluice *n, int t);
void sluice_late(struct sim *s, struct chunk *c); /* may land later */

/* sim_exact.c */
void sluice_check_exact(struct sluice *n);

/* sim_partition.c: the state partition's side */
int64_t sim_produce(struct sim *s, const struct chunk *c);  /* that may be a claim */
int64_t sim_next_claim(const struct sim *s, int64_t epoch); /* the first one behind it; INT64_MAX: none */
void partition_step(struct sluice *n);                      /* one of the things on their way goes on */
void partition_step_paused(struct sluice *n);               /* ... as far as it can without the sluice */

/* sim_owner.c: who owns, and until when */
bool sluice_is_paused(const struct sluice *n);
void owner_loaded(struct sluice *n);
void owner_step(struct sluice *n);
void owner_fate(struct sluice *n);
bool owner_may_deliver(const struct sluice *n);
void owner_delivers(struct sluice *n, const struct request *rq);
void owner_confirms(struct sluice *n);

/* sim_clients.c */
void client_step(struct sim *s);
void client_leave(struct sim *s, int g, int c);
bool client_is_there(const struct sluice *n, const struct request *rq); /* on the connection that it asked on */
void client_told(struct sluice *n, struct request *rq);
void client_conn_lost(struct sim *s, int g, int c);
void clients_expire(struct sim *s);
void clients_answered(struct sluice *n, struct request *rq);
void told_forget(struct sim *s, int t);
void told_check(struct sluice *n, const struct share_group_state *st, int g);

#endif
