// SPDX-License-Identifier: MIT
#include "mon/alerts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "mon/model.h"
#include "mon/show.h"

enum { MAX_TEXT_BYTES = 4096 };

const struct mon_thresholds mon_thresholds_default = {
	.idle_pct = 5,
	.idle_s = 600,
	.temperature_c = 85,
	.no_data_s = 30,
	.pending_s = 900,
	.oom_s = 3600,
	.memory_pct = 95,
};

const char *const mon_alert_words[MON_ALERT_KINDS + 1] = {
	"gpu-lost", "xid",  "ecc", "not-ready", "no-data", "thermal",
	"pressure", "idle", "oom", "pending",   "source",  NULL,
};

// Adds an alert about SUBJECT, whose text is the subject and TEXT.
static bool add(struct mon_snapshot *s, struct mon_alert alert, const char *subject,
                const struct strbuf *text, struct err *err)
{
	_cleanup_strbuf_ struct strbuf whole = STRBUF_INIT(2 * MAX_TEXT_BYTES);

	s->alerts.of_kind[alert.kind]++;
	if (s->alerts.count >= MON_ALERTS_MAX) {
		s->alerts.is_cut = true;
		return true;
	}
	alert.subject = mon_snapshot_text(s, subject);
	strbuf_addf(&whole, "%s%s%s", subject, *subject ? " " : "", strbuf_get(text));
	alert.text = mon_snapshot_text_n(s, strbuf_get(&whole), whole.len);
	if (whole.failed || text->failed ||
	    !mem_append(&s->alerts.items, &s->alerts.count, &alert, sizeof alert))
		return err_memory(err);
	return true;
}

static struct mon_alert alert_of(enum mon_alert_kind kind, int64_t since_ms)
{
	return (struct mon_alert){.kind = kind,
	                          .since_ms = since_ms,
	                          .node = MON_NO_INDEX,
	                          .gpu = MON_NO_INDEX,
	                          .pod = MON_NO_INDEX,
	                          .job = MON_NO_INDEX};
}

static bool add_of_gpu(struct mon_snapshot *s, size_t gpu, struct mon_alert alert,
                       const struct strbuf *text, struct err *err)
{
	_cleanup_strbuf_ struct strbuf subject = STRBUF_INIT(MAX_TEXT_BYTES);

	strbuf_addf(&subject, "%s#%lld", s->nodes[s->gpus[gpu].node].name,
	            (long long)s->gpus[gpu].index);
	alert.gpu = (int64_t)gpu;
	alert.node = s->gpus[gpu].node;
	return add(s, alert, strbuf_get(&subject), text, err);
}

static bool gpu_alert(struct mon_snapshot *s, size_t at, enum mon_alert_kind kind, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
	const struct mon_gpu *gpu = &s->gpus[at];
	struct mon_alert alert = alert_of(kind, 0);

	switch (kind) {
	case MON_ALERT_GPU_LOST:
		strbuf_add(&text, "LOST");
		alert.since_ms = gpu->lost_since_ms;
		break;
	case MON_ALERT_XID:
		strbuf_addf(&text, "XID %.0f", mon_value_or(&gpu->values[MON_GPU_XID], 0));
		alert.since_ms = gpu->xid_first_ms;
		alert.is_older = gpu->is_xid_old;
		break;
	case MON_ALERT_ECC:
		strbuf_addf(&text, "%.0f uncorrected ECC errors",
		            mon_value_or(&gpu->values[MON_GPU_ECC], 0));
		break;
	case MON_ALERT_THERMAL:
		strbuf_addf(&text, "%.0f C", mon_value_or(&gpu->values[MON_GPU_TEMPERATURE_C], 0));
		break;
	default:
		return true;
	}
	return add_of_gpu(s, at, alert, &text, err);
}

static bool find_of_gpus(struct mon_snapshot *s, enum mon_alert_kind kind, struct err *err)
{
	for (size_t i = 0; i < s->gpu_count; i++) {
		const struct mon_gpu *gpu = &s->gpus[i];
		bool is_wrong;

		if (gpu->kind == MON_GPU_MIG_INSTANCE && kind != MON_ALERT_XID)
			continue; // its device says it
		if (kind == MON_ALERT_GPU_LOST)
			is_wrong = gpu->is_lost;
		else if (kind == MON_ALERT_XID)
			is_wrong = mon_value_or(&gpu->values[MON_GPU_XID], 0) > 0;
		else if (kind == MON_ALERT_ECC)
			is_wrong = mon_value_or(&gpu->values[MON_GPU_ECC], 0) > 0;
		else
			is_wrong =
				mon_value_or(&gpu->values[MON_GPU_TEMPERATURE_C], 0) >= s->thresholds.temperature_c;
		if (is_wrong && !gpu_alert(s, i, kind, err))
			return false;
	}
	return true;
}

static bool not_ready(struct mon_snapshot *s, size_t at, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
	struct mon_alert alert = alert_of(MON_ALERT_NOT_READY, s->nodes[at].not_ready_since_ms);

	if (!s->nodes[at].is_in_api || s->nodes[at].ready == MON_YES)
		return true;
	strbuf_add(&text,
	           s->nodes[at].ready == MON_NO ? "NotReady" : "does not report (Ready: Unknown)");
	alert.node = (int64_t)at;
	return add(s, alert, s->nodes[at].name, &text, err);
}

static bool no_data(struct mon_snapshot *s, size_t at, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
	const struct mon_node *node = &s->nodes[at];
	struct mon_alert alert = alert_of(MON_ALERT_NO_DATA, node->heard_ms);

	if (s->now_ms - node->heard_ms <= s->thresholds.no_data_s * 1000)
		return true;
	strbuf_add(&text, "no data");
	if (*node->complaint)
		strbuf_addf(&text, ": %s", node->complaint);
	alert.node = (int64_t)at;
	return add(s, alert, node->name, &text, err);
}

static bool pressure(struct mon_snapshot *s, size_t at, struct err *err)
{
	static const struct {
		enum mon_pressure bit;
		const char *word;
	} words[] = {{MON_PRESSURE_MEMORY, "MemoryPressure"},
	             {MON_PRESSURE_DISK, "DiskPressure"},
	             {MON_PRESSURE_PID, "PIDPressure"},
	             {MON_PRESSURE_NETWORK, "NetworkUnavailable"}};
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
	const struct mon_node *node = &s->nodes[at];
	double used = mon_value_or(&node->values[MON_NODE_MEMORY_BYTES], 0);
	struct mon_alert alert = alert_of(MON_ALERT_PRESSURE, 0);

	for (size_t i = 0; i < COUNT_OF(words); i++)
		if (node->pressure & words[i].bit)
			strbuf_addf(&text, "%s%s", text.len ? ", " : "", words[i].word);
	if (node->memory_capacity_bytes > 0 &&
	    used / (double)node->memory_capacity_bytes * 100 >= s->thresholds.memory_pct)
		strbuf_addf(&text, "%smemory %.0f%%", text.len ? ", " : "",
		            used / (double)node->memory_capacity_bytes * 100);
	if (!text.len)
		return true;
	alert.node = (int64_t)at;
	return add(s, alert, node->name, &text, err);
}

static bool find_of_nodes(struct mon_snapshot *s, struct err *err,
                          bool (*find)(struct mon_snapshot *, size_t, struct err *))
{
	for (size_t i = 0; i < s->node_count; i++)
		if (!find(s, i, err))
			return false;
	return true;
}

// GPUs of one pod, or of nobody known on one node, that are idle.
struct idle {
	int64_t gpus, longest_s, gpu;
};

static void add_idle(struct idle *idle, int64_t gpu, int64_t idle_s)
{
	idle->gpus++;
	if (idle_s > idle->longest_s) {
		idle->longest_s = idle_s;
		idle->gpu = gpu;
	}
}

// "8 GPU idle 41m on gpu-203", of a pod or, POD MON_NO_INDEX, of an unknown owner.
static bool say_idle(struct mon_snapshot *s, const struct idle *idle, int64_t pod, struct err *err)
{
	_cleanup_strbuf_ struct strbuf subject = STRBUF_INIT(MAX_TEXT_BYTES);
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
	struct mon_alert alert = alert_of(MON_ALERT_IDLE, s->now_ms - idle->longest_s * 1000);

	if (!idle->gpus)
		return true;
	alert.gpu = idle->gpu;
	alert.node = s->gpus[idle->gpu].node;
	alert.pod = pod;
	if (pod != MON_NO_INDEX) {
		strbuf_addf(&subject, "%s/%s", s->pods[pod].namespace, s->pods[pod].name);
		alert.job = s->pods[pod].job;
	} else {
		strbuf_add(&subject, s->nodes[alert.node].name);
	}
	strbuf_addf(&text, "%lld GPU idle ", (long long)idle->gpus);
	mon_show_age(&text, idle->longest_s);
	if (pod != MON_NO_INDEX)
		strbuf_addf(&text, " on %s", s->nodes[alert.node].name);
	else
		strbuf_add(&text, ", owner unknown");
	return add(s, alert, strbuf_get(&subject), &text, err);
}

static bool find_idle(struct mon_snapshot *s, struct err *err)
{
	_cleanup_free_ struct idle *idles =
		mem_alloc((s->pod_count + s->node_count + 1) * sizeof *idles);

	if (!idles)
		return err_memory(err);
	for (size_t i = 0; i < s->gpu_count; i++) {
		const struct mon_gpu *gpu = &s->gpus[i];
		int64_t idle_s = mon_gpu_idle_s(s, gpu);
		int64_t pod = gpu->owner_count ? s->owners[gpu->owner_first].pod_index : MON_NO_INDEX;
		size_t place = pod == MON_NO_INDEX ? s->pod_count + (size_t)gpu->node : (size_t)pod;

		if (idle_s)
			add_idle(&idles[place], (int64_t)i, idle_s);
	}
	for (size_t i = 0; i < s->pod_count + s->node_count; i++)
		if (!say_idle(s, &idles[i], i < s->pod_count ? (int64_t)i : MON_NO_INDEX, err))
			return false;
	return true;
}

static bool find_oom(struct mon_snapshot *s, struct err *err)
{
	for (size_t i = 0; i < s->pod_count; i++) {
		_cleanup_strbuf_ struct strbuf subject = STRBUF_INIT(MAX_TEXT_BYTES);
		_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
		const struct mon_pod *pod = &s->pods[i];
		struct mon_alert alert = alert_of(MON_ALERT_OOM, pod->oom_ms);

		if (!pod->is_oom_killed || s->now_ms - pod->oom_ms > s->thresholds.oom_s * 1000)
			continue;
		strbuf_addf(&subject, "%s/%s", pod->namespace, pod->name);
		strbuf_add(&text, "OOMKilled");
		if (*pod->node_name)
			strbuf_addf(&text, " on %s", pod->node_name);
		alert.pod = (int64_t)i;
		alert.job = pod->job;
		alert.node = pod->node;
		if (!add(s, alert, strbuf_get(&subject), &text, err))
			return false;
	}
	return true;
}

static bool find_pending(struct mon_snapshot *s, struct err *err)
{
	for (size_t i = 0; i < s->queue_count; i++) {
		_cleanup_strbuf_ struct strbuf subject = STRBUF_INIT(MAX_TEXT_BYTES);
		_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);
		const struct mon_waiting *waiting = &s->queue[i];
		struct mon_alert alert = alert_of(MON_ALERT_PENDING, waiting->since_ms);

		if (s->now_ms - waiting->since_ms <= s->thresholds.pending_s * 1000)
			continue;
		if (waiting->job != MON_NO_INDEX)
			strbuf_addf(&subject, "%s/%s", s->jobs[waiting->job].namespace,
			            s->jobs[waiting->job].name);
		else
			strbuf_addf(&subject, "%s/%s", s->pods[waiting->pod].namespace,
			            s->pods[waiting->pod].name);
		strbuf_add(&text, "pending");
		if (*waiting->why)
			strbuf_addf(&text, ": %s", waiting->why);
		alert.job = waiting->job;
		alert.pod = waiting->pod;
		if (!add(s, alert, strbuf_get(&subject), &text, err))
			return false;
	}
	return true;
}

static bool find_sources(struct mon_snapshot *s, struct err *err)
{
	for (size_t i = 0; i < s->note_count; i++) {
		_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(MAX_TEXT_BYTES);

		strbuf_add(&text, s->notes[i].text);
		if (!add(s, alert_of(MON_ALERT_SOURCE, s->notes[i].since_ms), "", &text, err))
			return false;
	}
	return true;
}

bool mon_alerts_find(struct mon_snapshot *s, struct err *err)
{
	return find_of_gpus(s, MON_ALERT_GPU_LOST, err) && find_of_gpus(s, MON_ALERT_XID, err) &&
	       find_of_gpus(s, MON_ALERT_ECC, err) && find_of_nodes(s, err, not_ready) &&
	       find_of_nodes(s, err, no_data) && find_of_gpus(s, MON_ALERT_THERMAL, err) &&
	       find_of_nodes(s, err, pressure) && find_idle(s, err) && find_oom(s, err) &&
	       find_pending(s, err) && find_sources(s, err);
}

void mon_alerts_release(struct mon_alerts *alerts)
{
	mem_free(alerts->items);
}
