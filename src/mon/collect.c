// SPDX-License-Identifier: MIT
#include "mon/collect.h"

#include <string.h>

#include "base/mem.h"
#include "kube/discovery.h"
#include "kube/list.h"
#include "kube/usage_info.h"

enum { PATH_MAX_BYTES = 4096 };

static const struct kube_collection metrics_v1 = {"metrics.k8s.io/v1", "nodes", "node metrics",
                                                  "NodeMetrics", true};
static const struct kube_collection metrics_v1beta1 = {"metrics.k8s.io/v1beta1", "nodes",
                                                       "node metrics", "NodeMetrics", true};

// A page that is on its way.
struct page {
	struct page *next;
	struct round *round;
	char *node;
	struct mon_prom *prom;
	struct mon_gpu_page gpus;
	uint64_t call_id;
	bool is_running;
};

// What a node uses, until the newest sample of the list is known.
struct usages {
	struct kube_usage_info *items;
	size_t count;
};

// All that is asked at once.
struct round {
	const struct mon_collect_options *options;
	struct mon_store *store;
	struct kube_list *nodes, *pods, *metrics;
	struct usages usages;
	struct page *pages;
	struct loop_timer limit; // of all exporters together
	size_t waiting;          // answers that are due
	bool has_exporter, is_pods_whole;
	struct err failure; // that ends it
};

static int64_t now_ms(const struct round *round)
{
	return round->options->clock->wall_ms(round->options->clock->context);
}

// Memory alone ends a round; ERR is cleared otherwise.
static void end_on(struct round *round, const struct err *err)
{
	if (err->kind != ERR_NONE && round->failure.kind == ERR_NONE)
		err_copy(&round->failure, err);
}

static void note(struct round *round, enum mon_store_source source, const char *what)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (!mon_store_set_failure(round->store, source, what, now_ms(round), &err))
		end_on(round, &err);
}

static bool on_node(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct round *round = context;
	struct kube_node_info *node = record;

	(void)change;
	return !node->name || mon_store_put_node(round->store, node, err);
}

static bool on_pod(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct round *round = context;
	struct kube_pod_info *pod = record;

	(void)change;
	return !pod->name || mon_store_put_pod(round->store, pod, err);
}

static bool on_usage(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct round *round = context;
	struct kube_usage_info *usage = record;

	(void)change;
	if (!usage->name)
		return true;
	if (!mem_append(&round->usages.items, &round->usages.count, usage, sizeof(*usage)))
		return err_memory(err);
	*usage = (struct kube_usage_info){NULL};
	return true;
}

static void forget_nodes(void *context)
{
	mon_store_clear_nodes(((struct round *)context)->store);
}

static void forget_pods(void *context)
{
	mon_store_clear_pods(((struct round *)context)->store);
}

static void forget_usages(void *context)
{
	struct usages *usages = &((struct round *)context)->usages;

	for (size_t i = 0; i < usages->count; i++)
		kube_usage_info_release(&usages->items[i]);
	mem_free(TAKE(usages->items));
	usages->count = 0;
}

static void on_nodes_done(void *context, const char *version, const struct err *failure)
{
	struct round *round = context;

	(void)version;
	round->waiting--;
	if (failure)
		end_on(round, failure);
}

static bool on_body(void *context, const char *data, size_t len, struct err *err)
{
	return mon_prom_feed(((struct page *)context)->prom, data, len, err);
}

static bool on_restart(void *context)
{
	struct page *page = context;

	mon_prom_reset(page->prom);
	mon_gpu_page_release(&page->gpus);
	return true;
}

static bool fail_page(struct page *page, const char *why, struct err *err)
{
	return mon_store_fail_gpus(page->round->store, page->node, why, err);
}

static bool take_page(struct page *page, struct err *err)
{
	int64_t malformed;

	if (!mon_prom_finish(page->prom, err))
		return false;
	malformed = mon_prom_malformed(page->prom);
	if (!page->gpus.count)
		return fail_page(page, "dcgm-exporter: its page has no GPU", err);
	return mon_store_put_gpus(page->round->store, page->node, &page->gpus, malformed,
	                          now_ms(page->round), err);
}

static void on_page(void *context, const struct kube_result *result)
{
	struct page *page = context;
	_cleanup_err_ struct err err = ERR_INIT;
	_cleanup_strbuf_ struct strbuf why = STRBUF_INIT(PATH_MAX_BYTES);
	bool is_ok;

	page->is_running = false;
	page->round->waiting--;
	if (!result->failure) {
		is_ok = take_page(page, &err);
	} else {
		strbuf_addf(&why, "dcgm-exporter: %s", err_message(result->failure));
		is_ok = fail_page(page, strbuf_get(&why), &err);
	}
	if (!is_ok)
		end_on(page->round, &err);
}

void mon_exporter_path(struct strbuf *out, const char *namespace, const char *pod)
{
	kube_path_write(out, &kube_pods, namespace, pod);
	strbuf_addf(out, ":%d/proxy/metrics", MON_EXPORTER_PORT);
}

static struct page *page_new(struct round *round, const char *node, struct err *err)
{
	struct page *page = mem_alloc(sizeof(*page));

	if (!page) {
		err_memory(err);
		return NULL;
	}
	page->round = round;
	page->next = round->pages;
	round->pages = page;
	page->node = mem_dup(node);
	page->prom = mon_prom_new(mon_gpu_page_take, &page->gpus, err);
	if (!page->node)
		err_memory(err);
	return page->node && page->prom ? page : NULL;
}

static bool ask_exporter(void *context, const char *namespace, const char *pod, const char *node,
                         struct err *err)
{
	struct round *round = context;
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);
	struct page *page = page_new(round, node, err);
	struct kube_call call = {.method = "GET",
	                         .timeout_ms = MON_EXPORTER_TIMEOUT_MS,
	                         .is_tried_once = true,
	                         .wants_no_json = true,
	                         .body = on_body,
	                         .restart = on_restart,
	                         .done = on_page,
	                         .context = page};

	if (!page)
		return false;
	mon_exporter_path(&path, namespace, pod);
	call.path = strbuf_get(&path);
	if (!strbuf_ok(&path, err) ||
	    !kube_client_start(round->options->client, &call, &page->call_id, err))
		return false;
	page->is_running = round->has_exporter = true;
	round->waiting++;
	return true;
}

// Those that have not answered by now: only so many are asked at a time, and dead ones must not add up.
static void on_limit(void *context)
{
	struct round *round = context;
	_cleanup_err_ struct err err = ERR_INIT;

	for (struct page *page = round->pages; page; page = page->next) {
		if (!page->is_running)
			continue;
		kube_client_cancel(round->options->client, page->call_id);
		page->is_running = false;
		round->waiting--;
		if (!fail_page(page, "dcgm-exporter: no answer in time", &err)) {
			end_on(round, &err);
			return;
		}
	}
}

static void on_pods_done(void *context, const char *version, const struct err *failure)
{
	struct round *round = context;
	_cleanup_err_ struct err err = ERR_INIT;

	(void)version;
	round->waiting--;
	round->is_pods_whole = !failure;
	if (failure)
		note(round, MON_STORE_PODS, err_message(failure));
	else if (round->options->wants_gpus) {
		loop_timer_set(kube_client_loop(round->options->client), &round->limit,
		               MON_EXPORTERS_LIMIT_MS, on_limit, round);
		if (!mon_store_each_exporter(round->store, ask_exporter, round, &err))
			end_on(round, &err);
	}
}

// Ages count from the newest sample of the list, so that the server's clock may differ from ours.
static bool put_usages(struct round *round, struct err *err)
{
	int64_t newest_ms = 0;

	for (size_t i = 0; i < round->usages.count; i++)
		if (round->usages.items[i].sampled_ms > newest_ms)
			newest_ms = round->usages.items[i].sampled_ms;
	for (size_t i = 0; i < round->usages.count; i++) {
		const struct kube_usage_info *usage = &round->usages.items[i];
		int64_t behind_ms = usage->sampled_ms ? newest_ms - usage->sampled_ms : 0;

		if (usage->has_cpu && usage->has_memory &&
		    !mon_store_put_usage(round->store, usage->name, usage->cpu_milli, usage->memory_bytes,
		                         now_ms(round) - behind_ms, err))
			return false;
	}
	return true;
}

static void on_metrics_done(void *context, const char *version, const struct err *failure)
{
	struct round *round = context;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(PATH_MAX_BYTES);
	_cleanup_err_ struct err err = ERR_INIT;

	(void)version;
	round->waiting--;
	if (failure)
		strbuf_addf(&text, "metrics.k8s.io: %s", err_message(failure));
	if (failure)
		note(round, MON_STORE_METRICS, strbuf_get(&text));
	else if (!round->usages.count)
		note(round, MON_STORE_METRICS,
		     "metrics.k8s.io has no samples yet: metrics-server needs two, about 30 s");
	else if (!put_usages(round, &err))
		end_on(round, &err);
}

static struct kube_list *start_list(struct round *round, const struct kube_collection *collection,
                                    const struct kube_record_kind *kind, kube_record_fn *on_record,
                                    void (*on_restart_)(void *),
                                    void (*on_done)(void *, const char *, const struct err *),
                                    struct err *err)
{
	struct kube_list_options options = {.collection = collection,
	                                    .kind = kind,
	                                    .is_tried_once = kind == &kube_usage_record,
	                                    .on_record = on_record,
	                                    .on_restart = on_restart_,
	                                    .on_done = on_done,
	                                    .context = round};
	struct kube_list *list = kube_list_start(round->options->client, &options, err);

	round->waiting += list != NULL;
	return list;
}

// The group first: which version it has, or that it is not there at all.
static bool ask_metrics(struct round *round, struct err *err)
{
	_cleanup_err_ struct err failure = ERR_INIT;
	const char *version;

	if (!kube_discover(round->options->client, "metrics.k8s.io", kube_metrics_versions, &version,
	                   &failure)) {
		note(round, MON_STORE_METRICS, err_message(&failure));
		return true;
	}
	if (!version) {
		note(round, MON_STORE_METRICS,
		     "metrics.k8s.io is not there: without metrics-server nobody says what nodes use");
		return true;
	}
	round->metrics = start_list(round, !strcmp(version, "v1") ? &metrics_v1 : &metrics_v1beta1,
	                            &kube_usage_record, on_usage, forget_usages, on_metrics_done, err);
	return round->metrics;
}

// A node that metrics-server is silent about.
static void note_silent(struct round *round)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(PATH_MAX_BYTES);
	size_t silent = mon_store_silent_count(round->store);

	if (!silent || mon_store_has_failed(round->store, MON_STORE_METRICS))
		return;
	strbuf_addf(&text,
	            "metrics.k8s.io says nothing of %zu of %zu nodes: a new node needs two samples, "
	            "about 30 s",
	            silent, mon_store_node_count(round->store));
	note(round, MON_STORE_METRICS, strbuf_get(&text));
}

static void note_exporters(struct round *round)
{
	if (round->options->wants_gpus && mon_store_has_gpus(round->store) && round->is_pods_whole &&
	    !round->has_exporter)
		note(round, MON_STORE_EXPORTERS,
		     "no dcgm-exporter runs: nobody says what GPUs do, or which pod has which");
}

static bool run(struct round *round, struct err *err)
{
	round->nodes = start_list(round, &kube_nodes, &kube_node_record, on_node, forget_nodes,
	                          on_nodes_done, err);
	round->pods = round->nodes ? start_list(round, &kube_pods, &kube_pod_record, on_pod,
	                                        forget_pods, on_pods_done, err)
	                           : NULL;
	if (!round->pods || !ask_metrics(round, err))
		return false;
	while (round->waiting && round->failure.kind == ERR_NONE)
		if (!loop_run(kube_client_loop(round->options->client), -1, err))
			return false;
	if (round->failure.kind != ERR_NONE)
		return err_copy(err, &round->failure);
	note_silent(round);
	note_exporters(round);
	return round->failure.kind == ERR_NONE || err_copy(err, &round->failure);
}

static void release_pages(struct round *round)
{
	while (round->pages) {
		struct page *page = round->pages;

		round->pages = page->next;
		if (page->is_running)
			kube_client_cancel(round->options->client, page->call_id);
		mem_free(page->node);
		mon_prom_free(page->prom);
		mon_gpu_page_release(&page->gpus);
		mem_free(page);
	}
}

bool mon_collect(const struct mon_collect_options *options, struct mon_store *store,
                 struct err *err)
{
	struct round round = {.options = options, .store = store, .failure = ERR_INIT};
	bool is_ok = run(&round, err);

	loop_timer_stop(&round.limit);
	kube_list_free(round.nodes);
	kube_list_free(round.pods);
	kube_list_free(round.metrics);
	forget_usages(&round);
	release_pages(&round);
	err_clear(&round.failure);
	return is_ok;
}
