/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the share engine call of each other, by file; comes with engine.h, which has the types. */
#ifndef SLUICE_SHARE_CALLS_H
#define SLUICE_SHARE_CALLS_H

#include "engine.h"

/* engine.c */
struct share_effect *share_emit(struct share_engine *e, enum share_effect_type type);
struct share_effect *share_emit_reply(
	struct share_engine *e, enum share_event_type type, int32_t state_partition, uint64_t token);
void *share_fx_alloc(struct share_engine *e, size_t n, size_t size); /* in the effects' arena, zeroed, never NULL */
struct str share_fx_copy(struct share_engine *e, struct str s);
struct str share_str_dup(struct str s); /* null stays null */
void share_str_free(struct str *s);
void share_flush(struct share_engine *e); /* writes the notes of all dirty partitions as PERSIST effects */
void *share_grow(void *p, uint32_t *cap, uint32_t n, size_t size); /* room for n objects */

/* deadline.c */
void share_deadline_set(struct share_engine *e, struct share_deadline *d, enum share_deadline_kind kind, int64_t at);
void share_deadline_clear(struct share_engine *e, struct share_deadline *d);
int64_t share_deadline_next(const struct share_engine *e);
struct share_deadline *share_deadline_pop(struct share_engine *e, int64_t now); /* NULL: none has passed */

/* topic.c */
struct share_topic_name *share_topic_name_get(
	struct share_engine *e, struct str name); /* makes it; takes a reference */
void share_topic_name_put(struct share_engine *e, struct share_topic_name *n);
struct share_topic *share_topic_find(struct share_engine *e, struct uuid id);
struct share_topic *share_topic_get(struct share_engine *e, struct uuid id, struct str name); /* makes it */
void share_topic_put(struct share_engine *e, struct share_topic *t); /* frees it when nothing needs it */
void share_topic_event(struct share_engine *e, struct uuid id, struct str name, int32_t partitions);
void share_topic_gone(struct share_engine *e, struct uuid id);
int share_topic_partition_cmp(const void *a, const void *b);

/* group.c */
struct share_group *share_group_find(const struct share_engine *e, struct str id);

/* "Group G not found.", as Kafka says it, in the arena of the step's effects. */
struct str share_group_not_found(struct share_engine *e, struct str id);
struct share_group *share_group_first(
	struct share_engine *e, int32_t state_partition); /* of it or the next ones, by state partition and id */
struct share_group *share_group_get(
	struct share_engine *e, struct str id, int32_t state_partition); /* makes it; NULL: limit */
void share_group_put(struct share_engine *e, struct share_group *g);     /* frees it when nothing is left */
void share_group_create(struct share_engine *e, struct share_group *g);  /* exists from now on */
void share_group_persist(struct share_engine *e, struct share_group *g);
void share_group_bump(struct share_group *g);
void share_group_assign_if_due(struct share_engine *e, struct share_group *g);
void share_group_state_lost(struct share_engine *e, int32_t state_partition);
void share_group_drop(
	struct share_engine *e, struct share_group *g); /* all of it, silently, after its waiters were answered */
void share_group_delete(struct share_engine *e, struct share_group *g); /* durably; its configs stay */
struct share_effect *share_group_change(
	struct share_engine *e, const struct share_group *g, enum share_change_type type);
struct share_subscription *share_subscription_find(struct share_group *g, struct str name);
struct share_subscription *share_subscription_get(
	struct share_engine *e, struct share_group *g, struct str name); /* counts a member */
void share_subscription_put(struct share_engine *e, struct share_subscription *sub);

/* lease.c */
void share_lease_event(struct share_engine *e, const struct share_event *ev);
void share_lease_opens(struct share_engine *e, struct share_lease *l); /* not_before has passed */
void share_lease_lost(struct share_engine *e, int32_t state_partition);
bool share_lease_is_open(const struct share_engine *e, int32_t state_partition);
void share_leases_free(struct share_engine *e);

/* assignor.c */
void share_assignor_run(struct share_group *g);

/* member.c */
struct share_member *share_member_find(struct share_group *g, struct str id);
struct share_member *share_member_new(struct share_engine *e, struct share_group *g, struct str id);
void share_member_stop_waiting(struct share_engine *e, struct share_member *m);
void share_member_free(struct share_engine *e, struct share_member *m);
void share_member_remove(struct share_engine *e, struct share_member *m); /* persisted, waiting heartbeat answered */
bool share_member_subscribe(struct share_engine *e, struct share_member *m, const struct str *topics, uint32_t n);
bool share_member_state_of(
	const struct share_member *m, struct arena *a, struct share_member_state *ret); /* false: no room in a */
const struct share_topic_partitions *share_member_assignment(
	const struct share_member *m, struct arena *a, uint32_t *ret_n);
void share_member_persist(struct share_engine *e, struct share_member *m); /* when it is dirty */
bool share_member_reconcile(struct share_member *m);                       /* true: its assignment changed */

/* heartbeat.c */
void share_heartbeat(struct share_engine *e, const struct share_event *ev);
void share_heartbeat_resume(
	struct share_engine *e, struct share_group *g); /* answers those that need not wait any more */
void share_heartbeat_answer(struct share_engine *e, struct share_member *m); /* the waiting one, with what there is */
void share_heartbeat_refuse(struct share_engine *e, struct share_member *m, int16_t error, const char *message);

/* resolve.c */
void share_resolve_subscription(struct share_engine *e, struct share_subscription *sub);
bool share_resolve_pending(const struct share_member *m); /* a subscribed partition waits for its start offset */
void share_resolve_answer(struct share_engine *e, const struct share_event *ev);
void share_resolve_retry(struct share_engine *e, struct share_partition *sp);
void share_resolve_settled(struct share_partition *sp); /* it has a start offset, or never will */

/* session.c */
struct share_session *share_session_find(struct share_group *g, struct str member_id, int32_t node_id);
struct share_session *share_session_open(struct share_engine *e, struct share_group *g, struct str member_id,
	int32_t node_id, uint64_t conn_id); /* NULL: limit */
void share_session_close(struct share_engine *e, struct share_session *s, bool release);
void share_session_conn_closed(struct share_engine *e, uint64_t conn_id);
bool share_session_has_room(struct share_engine *e, struct share_group *g, struct str member_id, int32_t node_id);
struct share_session_partition *share_session_add(
	struct share_engine *e, struct share_session *s, struct uuid topic_id, int32_t partition, bool denied);
/* The member may not read the topic, or may again: its next answer tells. Nothing of the session waits. */
void share_session_deny(struct share_engine *e, struct share_session_partition *p, bool denied);
/* The event says that its member may not read this topic. */
bool share_is_denied(const struct share_event *ev, struct uuid topic_id);
struct share_session_partition *share_session_lookup(struct share_session *s, struct uuid topic_id, int32_t partition);
void share_session_remove(struct share_engine *e, struct share_session_partition *p);
void share_session_bind(struct share_engine *e, struct share_session_partition *p);
int16_t share_session_partition_error(struct share_engine *e, const struct share_session_partition *p);
void share_session_advance(struct share_session *s);
void share_owner_put(struct share_engine *e, struct share_owner *o);

/* fetch.c */
void share_fetch(struct share_engine *e, const struct share_event *ev);
void share_fetch_expired(struct share_engine *e, struct share_session *s);
void share_fetch_displace(struct share_engine *e, struct share_session *s, int16_t error, const char *message);
void share_fetch_serve(struct share_engine *e, struct share_partition *sp); /* hands what is there to waiting fetches */
void share_fetch_orphan(struct share_engine *e, struct share_partition *sp); /* its topic is gone */
void share_fetch_answer_orphaned(struct share_engine *e);
void share_fetch_lost(struct share_engine *e, struct share_session *s); /* its group is no longer ours */
void share_fetch_stop(struct share_engine *e);
void share_fetch_refuse_expired(struct share_engine *e, struct share_refusal *r);
void share_serve_hot(struct share_engine *e);

/* answer.c */
void share_answer_fetch(struct share_engine *e, struct share_session *s,
	const struct share_fetch_params *q); /* with the engine's grabs */
void share_answer_error(struct share_engine *e, enum share_event_type type, int32_t state_partition, uint64_t token,
	int16_t error, struct str message);
void share_answer_acks(struct share_engine *e, const struct share_group *g, enum share_event_type type, uint64_t token,
	const struct share_ack_result *acks, uint32_t n);
void share_answer_not_ours(struct share_engine *e, struct share_session *s, const struct share_fetch_params *q);

/* acquire.c */
struct share_budget {
	int64_t records, bytes;
	int32_t batch_size;
	bool record_limit;
	bool any; /* something was taken already */
};
bool share_acquire(
	struct share_engine *e, struct share_session_partition *p, struct share_budget *b); /* true: a grab was made */
int64_t share_acquire_bytes(const struct share_engine *e, const struct share_partition *sp, int64_t enough);

/* ack.c */
/* Validates and applies all acknowledgements of a request; *ret in fresh memory (mem_free): one result for each
 * different partition, in order of appearance. */
uint32_t share_ack_request(struct share_engine *e, struct share_group *g, struct share_owner *o,
	const struct share_event *ev, struct share_ack_result **ret);
void share_acknowledge(struct share_engine *e, const struct share_event *ev);
const char *share_request_malformed(
	const struct share_event *ev); /* what of a fetch or acknowledge request needs no state; NULL: well */

/* partition.c */
struct share_partition *share_partition_find(struct share_group *g, struct uuid topic_id, int32_t partition);
struct share_partition *share_partition_get(
	struct share_engine *e, struct share_group *g, struct share_topic *t, int32_t partition);
void share_partition_put(struct share_engine *e, struct share_partition *sp); /* frees it when nothing needs it */
void share_partition_start(struct share_engine *e, struct share_partition *sp, int64_t start); /* READY, empty */
void share_partition_delete(struct share_engine *e, struct share_partition *sp); /* state gone, persisted */
void share_partition_clear(struct share_engine *e, struct share_partition *sp);
bool share_partition_available(const struct share_engine *e, const struct share_partition *sp,
	const struct share_owner *o, int64_t from, struct share_candidate *ret);
int64_t share_partition_room(const struct share_partition *sp);                /* new records that may be handed out */
void share_partition_trim(struct share_engine *e, struct share_partition *sp); /* moves the start over what is done */
void share_partition_log_start(struct share_engine *e, struct share_partition *sp, int64_t log_start);
void share_partition_truncate(struct share_engine *e, struct share_partition *sp, int64_t log_end);
void share_partition_release_holder(struct share_engine *e, struct share_holder *h);
void share_partition_locks_expired(struct share_engine *e, struct share_holder *h, int64_t *work);
void share_partition_expire_owner(struct share_engine *e, struct share_partition *sp, struct share_owner *o);
void share_partition_note(
	struct share_engine *e, struct share_partition *sp, int64_t first, int64_t last, uint8_t state, int16_t count);
void share_partition_flush(struct share_engine *e, struct share_partition *sp);
void share_partition_heat(struct share_engine *e, struct share_partition *sp); /* may serve a waiting fetch */
void share_partition_report_stalled(struct share_engine *e, struct share_partition *sp);
const struct share_state_range *share_partition_ranges(
	const struct share_partition *sp, struct arena *a, uint32_t *ret_n);

/* range.c */
struct share_range *share_range_at(const struct share_partition *sp, int64_t offset); /* start <= offset < end */
struct share_range *share_range_next(struct share_range *r);
struct share_range *share_range_append(struct share_engine *e, struct share_partition *sp, int64_t last,
	enum share_record_state state, int16_t count, struct share_holder *h, int64_t until);
void share_range_split(
	struct share_engine *e, struct share_partition *sp, struct share_range *r, int64_t at); /* r ends before at */
void share_range_set(struct share_engine *e, struct share_partition *sp, struct share_range *r,
	enum share_record_state state, int16_t count, struct share_holder *h, int64_t until);
struct share_range *share_range_merge(
	struct share_engine *e, struct share_partition *sp, struct share_range *r); /* with neighbours */
void share_range_free(struct share_engine *e, struct share_partition *sp, struct share_range *r);
struct share_range *share_range_first_available(
	const struct share_partition *sp, int64_t from); /* that ends at or after from */
struct share_holder *share_holder_get(struct share_partition *sp, struct share_owner *o);
void share_holder_reap_idle(struct share_engine *e);
void share_holder_free(struct share_engine *e, struct share_holder *h);
bool share_state_is_done(enum share_record_state s);

/* log.c, window.c */
void share_log_attach(struct share_engine *e, struct share_partition *sp);
void share_log_detach(struct share_engine *e, struct share_partition *sp);
void share_log_start_changed(
	struct share_engine *e, struct share_partition *sp, int64_t new_start); /* sets sp->start */
void share_log_records(struct share_engine *e, const struct share_event *ev);
void share_log_start_told(struct share_engine *e, const struct share_event *ev);
void share_log_need(struct share_engine *e, struct share_partition *sp, uint32_t which, int64_t offset);
bool share_log_need_is_coming(const struct share_partition *sp, uint32_t which); /* asked for: its answer wakes sp */
void share_log_need_none(struct share_partition *sp, uint32_t which);
void share_log_waiting(struct share_engine *e, struct share_partition *sp, bool waiting);
void share_log_heat(struct share_engine *e, struct share_log *l);
void share_log_pump(struct share_engine *e, struct share_log *l);
struct share_kept *share_kept_at(const struct share_log *l, int64_t offset); /* that covers offset, or NULL */
struct share_kept *share_kept_after(
	const struct share_log *l, int64_t offset); /* first that ends at or after offset, or NULL */
void share_kept_use(struct share_engine *e, struct share_kept *k);
void share_kept_insert(struct share_engine *e, struct share_log *l, const struct share_batch *b, int64_t cover_first,
	bool has_records);
void share_kept_drop_below(struct share_engine *e, struct share_log *l, int64_t offset);
void share_kept_drop_from(struct share_engine *e, struct share_log *l, int64_t offset);
void share_kept_evict(struct share_engine *e);
int64_t share_kept_ahead(const struct share_log *l, int64_t from,
	int64_t *ret_edge); /* bytes kept from there on, first offset not kept */
void share_release(struct share_engine *e, void *ref);

/* admin.c, config.c */
void share_admin_describe(struct share_engine *e, const struct share_event *ev);
void share_admin_offsets(struct share_engine *e, const struct share_event *ev);
void share_admin_alter(struct share_engine *e, const struct share_event *ev);
void share_admin_delete(struct share_engine *e, const struct share_event *ev);
void share_admin_config(struct share_engine *e, const struct share_event *ev);
void share_admin_delete_group(struct share_engine *e, const struct share_event *ev);
void share_admin_config_effective(struct share_engine *e, const struct share_group *g, struct share_group_config *ret);

/* group_config.c */
enum err share_group_config_set_clamped(const struct share_group_config_bounds *b, struct share_group_config *c,
	struct str name, struct str value) ERR_CHECKED;

#endif
