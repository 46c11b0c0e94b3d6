/* SPDX-License-Identifier: Apache-2.0 */
/* What the state store counts is told here. */
#include "proxy/state_store_priv.h"

static void role_metrics(const struct ownership *o, proxy_metric_cb cb, void *arg)
{
	static const char *const labels[] = {"role=\"undecided\"", "role=\"standby\"", "role=\"owner\""};

	for (int i = 0; i < 3; i++)
		cb(arg, "sluice_state_role", "Whether this sluice owns the share groups or stands by.", "gauge",
			labels[i], (int)o->role == i);
	cb(arg, "sluice_state_takeovers_total", "Times that this sluice took over from another.", "counter", "",
		(double)o->takeovers);
	cb(arg, "sluice_state_demotions_total", "Times that another sluice took over from this one.", "counter", "",
		(double)o->demotions);
}

void state_store_metrics(const struct state_store *ss, proxy_metric_cb cb, void *arg)
{
	uint64_t lag = 0, bytes = 0, batches = 0, checkpoints = 0, foreign = 0, pending = 0, since = 0;

	for (int32_t i = 0; i < ss->partitions_n; i++) {
		struct statelog_counts n;

		statelog_get_counts(ss->partitions[i].log, &n);
		lag += statelog_awaited(ss->partitions[i].log) - statelog_durable(ss->partitions[i].log);
		bytes += n.bytes;
		batches += n.batches;
		checkpoints += n.checkpoints;
		foreign += n.foreign_batches;
		pending += n.pending_bytes;
		since += n.bytes_since_checkpoint;
	}
	role_metrics(&ss->own, cb, arg);
	cb(arg, "sluice_state_partitions", "State partitions of the internal topic.", "gauge", "", ss->partitions_n);
	cb(arg, "sluice_state_partitions_loaded", "State partitions that are owned and loaded.", "gauge", "",
		ss->loaded_n);
	cb(arg, "sluice_state_log_lag_changes", "Changes that are not durable yet.", "gauge", "", (double)lag);
	cb(arg, "sluice_state_log_pending_bytes", "Bytes that wait for a write.", "gauge", "", (double)pending);
	cb(arg, "sluice_state_log_bytes_total", "Bytes written to the internal topic.", "counter", "", (double)bytes);
	cb(arg, "sluice_state_log_batches_total", "Record batches written to the internal topic.", "counter", "",
		(double)batches);
	cb(arg, "sluice_state_log_since_checkpoint_bytes", "Log since the last checkpoints.", "gauge", "",
		(double)since);
	cb(arg, "sluice_state_log_checkpoints_total", "Checkpoints completed.", "counter", "", (double)checkpoints);
	cb(arg, "sluice_state_log_foreign_batches_total", "Batches of other writers that were ignored.", "counter", "",
		(double)foreign);
	cb(arg, "sluice_state_log_writes_total", "Writes that ended.", "counter", "", (double)ss->writes);
	cb(arg, "sluice_state_log_write_seconds_total", "Time from sending a write to its answer, summed up.",
		"counter", "", (double)ss->write_us_sum / 1e6);
	cb(arg, "sluice_state_partitions_lost_total", "Times that a state partition was lost.", "counter", "",
		(double)ss->losses);
	cb(arg, "sluice_state_topic_losses_total",
		"Times that the internal topic, and with it all state, was found to be gone.", "counter", "",
		(double)ss->loss.losses);
}
