// SPDX-License-Identifier: MIT
#include "boot/finish.h"

#include <string.h>

#include "base/text.h"
#include "boot/addons.h"
#include "boot/node_change.h"
#include "boot/setup.h"
#include "kube/create.h"
#include "kube/ready.h"

enum {
	ADDONS_MS = 300000,
	GPU_MS = 180000,
	POLL_MS = 2000,
	TRIES_MAX = 5, // of a change that races with the server's own
};

bool boot_host_has_gpu(const struct boot_host *host, const struct boot_facts *facts)
{
	if (host->gpu == BOOT_NO || !facts || !facts->driver)
		return false;
	return host->gpu == BOOT_YES || facts->gpu_count > 0;
}

static void say(struct boot_finish *finish, const char *text)
{
	_cleanup_strbuf_ struct strbuf harmless = STRBUF_INIT(8192);

	text_sanitize(&harmless, text, strlen(text), TEXT_ONE_LINE);
	if (finish->say)
		finish->say(finish->context, strbuf_get(&harmless));
}

static void on_object(void *data, const struct boot_object *object, enum kube_apply_outcome outcome)
{
	struct boot_finish *finish = data;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(2048);

	if (outcome == KUBE_APPLY_UNCHANGED)
		return;
	finish->is_changed = true;
	strbuf_addf(&text, "%s/%s %s", boot_object_kind(object), boot_object_name(object),
	            kube_apply_words[outcome]);
	say(finish, strbuf_get(&text));
}

static bool apply(struct boot_finish *finish, const struct boot_objects *objects, struct err *err)
{
	const struct boot_apply apply = {
		.client = finish->client,
		.is_dry_run = finish->is_dry_run,
		.on_object = on_object,
		.context = finish,
	};

	return boot_objects_apply(objects, &apply, err);
}

static struct boot_addons_facts addons_facts(const struct boot_finish *finish)
{
	const struct boot_inventory *inventory = finish->inventory;
	struct boot_addons_facts facts = {false, false};

	for (size_t i = 0; i < inventory->host_count; i++) {
		const struct boot_host *host = &inventory->hosts[i];

		facts.has_public_addresses |= host->node_ip.is_set && boot_ip_is_public(&host->node_ip);
		facts.has_gpus |= boot_host_has_gpu(host, finish->facts[i]);
	}
	return facts;
}

bool boot_finish_network(struct boot_finish *finish, struct err *err)
{
	struct boot_addons_facts facts = addons_facts(finish);
	_cleanup_boot_objects_ struct boot_objects objects = BOOT_OBJECTS_INIT;
	bool is_flannel = finish->inventory->network.plugin == BOOT_PLUGIN_FLANNEL;

	if (is_flannel && !boot_addons_network(finish->inventory, &facts, &objects, err))
		return false;
	if (!is_flannel && !boot_manifest_load(&finish->inventory->network, finish->fetch,
	                                       finish->fetch_context, &objects, err))
		return false;
	return apply(finish, &objects, err) || err_wrap(err, "network");
}

// Nodes

static bool read_node(const struct boot_finish *finish, const char *name, struct json **ret,
                      struct err *err)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(1024);
	_cleanup_kube_reply_ struct kube_reply reply = {0};

	kube_path_write(&path, &kube_nodes, NULL, name);
	if (!strbuf_ok(&path, err) ||
	    !kube_client_call(finish->client, "GET", strbuf_get(&path), NULL, NULL, NULL, &reply, err))
		return false;
	*ret = json_parse(reply.body, reply.body_len, err);
	return *ret;
}

bool boot_finish_node(struct boot_finish *finish, size_t index, int64_t limit_ms, struct err *err)
{
	const struct boot_host *host = &finish->inventory->hosts[index];
	const struct boot_facts *facts = finish->facts[index];
	_cleanup_json_ struct json *node = NULL;
	const char *id = NULL;

	if (!kube_ready_wait(finish->client, &kube_nodes, NULL, host->name, limit_ms, err) ||
	    !read_node(finish, host->name, &node, err) ||
	    !json_get_string_optional(node, "status.nodeInfo.machineID", &id, err))
		return false;
	if (!id || !facts || !facts->machine_id || !strcmp(id, facts->machine_id))
		return true;
	err_set(err, ERR_HOSTS, "the node of this name is another machine (%.64s, not %.64s)", id,
	        facts->machine_id);
	return err_hint(err, "does another host have this name?");
}

static bool change_labels(struct boot_finish *finish, const struct boot_host *host, struct err *err)
{
	const struct boot_node_wants wants = {
		.labels = host->labels.items,
		.label_count = host->labels.count,
	};
	_cleanup_json_ struct json *node = NULL, *patch = NULL;
	_cleanup_strbuf_ struct strbuf words = STRBUF_INIT(8192), text = STRBUF_INIT(10000);

	if (!read_node(finish, host->name, &node, err) ||
	    !boot_node_change(node, &wants, &patch, &words, err))
		return false;
	if (!patch)
		return true;
	if (!finish->is_dry_run &&
	    !kube_patch(finish->client, &kube_nodes, NULL, host->name, patch, NULL, err))
		return false;
	finish->is_changed = true;
	strbuf_addf(&text, "node/%s %s", host->name, strbuf_get(&words));
	say(finish, strbuf_get(&text));
	return true;
}

static bool label(struct boot_finish *finish, struct err *err)
{
	for (size_t i = 0; i < finish->inventory->host_count; i++) {
		const struct boot_host *host = &finish->inventory->hosts[i];
		bool is_ok = !finish->joined[i] || !host->labels.count;

		for (int try = 0; !is_ok && try < TRIES_MAX; try++) {
			err_clear(err);
			is_ok = change_labels(finish, host, err);
			if (!is_ok && err->kind != ERR_REFUSED)
				break;
		}
		if (!is_ok)
			return err_wrap(err, "%s: labels", host->name);
	}
	return true;
}

// What jobs count on

static void on_setup(void *data, const char *object, enum kube_apply_outcome outcome,
                     const char *detail)
{
	struct boot_finish *finish = data;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(4096);

	if (outcome == KUBE_APPLY_UNCHANGED)
		return;
	finish->is_changed = true;
	strbuf_addf(&text, "%s %s%s%s", object, kube_apply_words[outcome], detail ? ": " : "",
	            detail ? detail : "");
	say(finish, strbuf_get(&text));
}

static bool set_up(struct boot_finish *finish, struct faults *faults, struct err *err)
{
	const struct boot_inventory *inventory = finish->inventory;
	_cleanup_strv_ struct strv gpu_nodes = STRV_INIT;
	struct boot_setup setup = {
		.client = finish->client,
		.gpu_resource = inventory->gpu.resource,
		.taint_effect = inventory->gpu.taint_effect,
		.gpu_nodes = &gpu_nodes,
		.is_dry_run = finish->is_dry_run,
		.on_object = on_setup,
		.context = finish,
	};

	for (size_t i = 0; i < inventory->host_count; i++)
		if (finish->joined[i] && boot_host_has_gpu(&inventory->hosts[i], finish->facts[i]) &&
		    !strv_add(&gpu_nodes, inventory->hosts[i].name, err))
			return false;
	setup.has_runtime_class = gpu_nodes.count > 0;
	if (boot_setup(&setup, faults, err))
		return true;
	return err->kind == ERR_NONE ? faults_none(faults, err) : err_wrap(err, "setup");
}

// The proof: the node offers GPUs to pods.

static int64_t gpus_of(const struct json *node, const char *resource)
{
	const struct json *allocatable = json_find(node, "status.allocatable");

	for (const struct json *item = json_first(allocatable); item; item = json_next(item)) {
		int64_t count = 0;

		if (strcmp(json_name(item), resource) != 0)
			continue;
		for (const char *at = json_string(item); *at >= '0' && *at <= '9' && count < 1000; at++)
			count = count * 10 + (*at - '0');
		return count;
	}
	return 0;
}

struct pause {
	struct loop_timer timer;
	bool is_over;
};

static void on_pause(void *data)
{
	((struct pause *)data)->is_over = true;
}

static bool pause_a_little(struct loop *loop, struct err *err)
{
	struct pause pause = {.is_over = false};

	loop_timer_set(loop, &pause.timer, POLL_MS, on_pause, &pause);
	while (!pause.is_over) {
		if (!loop_run(loop, -1, err)) {
			loop_timer_stop(&pause.timer);
			return false;
		}
	}
	return true;
}

static bool prove_gpus(struct boot_finish *finish, size_t index, struct err *err)
{
	const struct boot_host *host = &finish->inventory->hosts[index];
	const char *resource = finish->inventory->gpu.resource;
	int64_t until = loop_now_ms(finish->loop) + GPU_MS, count = 0;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(512);

	for (;;) {
		_cleanup_json_ struct json *node = NULL;

		if (!read_node(finish, host->name, &node, err))
			return false;
		count = gpus_of(node, resource);
		if (count > 0 || loop_now_ms(finish->loop) > until)
			break;
		if (!pause_a_little(finish->loop, err))
			return false;
	}
	if (!count) {
		err_set(err, ERR_HOSTS, "it has GPUs and a driver, but offers no %s", resource);
		return err_hint(err, "look at the device plugin's pod on %s", host->name);
	}
	strbuf_addf(&text, "node/%s offers %lld %s", host->name, (long long)count, resource);
	say(finish, strbuf_get(&text));
	return true;
}

bool boot_finish_rest(struct boot_finish *finish, struct faults *faults, struct err *err)
{
	const struct boot_inventory *inventory = finish->inventory;
	struct boot_addons_facts facts = addons_facts(finish);
	_cleanup_boot_objects_ struct boot_objects objects = BOOT_OBJECTS_INIT;

	if (!label(finish, err) || !set_up(finish, faults, err) ||
	    !boot_addons_rest(inventory, &facts, &objects, err) || !apply(finish, &objects, err))
		return false;
	if (finish->is_dry_run)
		return true;
	if (!boot_objects_wait(&objects, finish->client, ADDONS_MS, err))
		return false;
	for (size_t i = 0; i < inventory->host_count; i++)
		if (finish->joined[i] && inventory->gpu.has_device_plugin &&
		    boot_host_has_gpu(&inventory->hosts[i], finish->facts[i]) &&
		    !prove_gpus(finish, i, err))
			return err_wrap(err, "%s", inventory->hosts[i].name);
	return true;
}
