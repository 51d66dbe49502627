// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/mem.h"
#include "boot/step_list.h"

static const char *const phase_words[BOOT_PHASE_COUNT] = {
	"prepare", "configure", "init", "invite", "join", "join", "reset",
};

const char *boot_phase_word(enum boot_phase phase)
{
	return phase_words[phase];
}

static bool list_fail(struct step_list *list)
{
	if (!list->is_failed)
		err_memory(list->err);
	list->is_failed = true;
	return false;
}

struct boot_step *step_add(struct step_list *list, enum boot_phase phase, enum boot_work work,
                           const char *name, int64_t timeout_s, const char *title, ...)
{
	static struct boot_step nowhere; // never read
	struct boot_step step = {.name = name, .phase = phase, .work = work, .timeout_s = timeout_s};
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(4096);
	va_list args;

	va_start(args, title);
	strbuf_vaddf(&text, title, args);
	va_end(args);
	step.title = text.failed ? NULL : mem_dup(strbuf_get(&text));
	if (step.title && mem_append(&list->steps->items, &list->steps->count, &step, sizeof(step)))
		return &list->steps->items[list->steps->count - 1];
	mem_free(step.title);
	list_fail(list);
	nowhere = (struct boot_step){.name = name};
	return &nowhere;
}

void step_text(struct step_list *list, char **field, const char *format, ...)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(STEP_TEXT_MAX_BYTES);
	_cleanup_err_ struct err err = ERR_INIT;
	va_list args;

	if (list->is_failed)
		return;
	strbuf_add(&text, *field ? *field : "");
	va_start(args, format);
	strbuf_vaddf(&text, format, args);
	va_end(args);
	mem_free(*field);
	*field = strbuf_take(&text, &err);
	if (!*field)
		list_fail(list);
}

struct boot_file *step_file(struct step_list *list, struct boot_step *step, const char *path,
                            unsigned mode, const char *content)
{
	static struct boot_file nowhere; // never read
	struct boot_file file = {.path = mem_dup(path), .mode = mode};

	file.content = content ? mem_dup(content) : NULL;
	if (!list->is_failed && file.path && (file.content || !content) &&
	    mem_append(&step->files, &step->file_count, &file, sizeof(file)))
		return &step->files[step->file_count - 1];
	mem_free(file.path);
	mem_free(file.content);
	list_fail(list);
	nowhere = (struct boot_file){NULL};
	return &nowhere;
}

bool step_file_differs(const struct step_list *list, const char *path, const char *content)
{
	const struct boot_file_fact *file = boot_facts_file(list->facts, path);

	if (!content || !file)
		return content || file;
	return !file->text || strcmp(file->text, content) != 0;
}

void step_add_endpoint(struct strbuf *out, const struct boot_inventory *inventory)
{
	const struct boot_host *first = &inventory->hosts[boot_inventory_first(inventory)];

	if (inventory->endpoint) {
		strbuf_addf(out, strchr(inventory->endpoint, ':') ? "[%s]:%u" : "%s:%u",
		            inventory->endpoint, (unsigned)inventory->endpoint_port);
	} else if (first->node_ip.is_set) {
		strbuf_add(out, first->node_ip.is_v6 ? "[" : "");
		boot_ip_write(out, &first->node_ip);
		strbuf_addf(out, first->node_ip.is_v6 ? "]:%u" : ":%u", (unsigned)inventory->endpoint_port);
	}
}

void boot_inventory_complete(struct boot_inventory *inventory,
                             const struct boot_facts *const *facts)
{
	for (size_t i = 0; i < inventory->host_count; i++)
		if (facts[i])
			inventory->hosts[i].node_ip =
				boot_facts_node_ip(facts[i], &inventory->hosts[i].node_ip);
}

static bool is_member(const struct step_list *list)
{
	const char *server;

	return boot_facts_membership(list->facts, list->inventory->name,
	                             list->join ? list->join->ca_pin : NULL, &server) == BOOT_MEMBER;
}

// A host of another cluster is left alone.
static bool check_membership(const struct step_list *list)
{
	const char *server;

	if (boot_facts_membership(list->facts, list->inventory->name,
	                          list->join ? list->join->ca_pin : NULL, &server) != BOOT_FOREIGN)
		return true;
	err_set(list->err, ERR_FAILED, "it is part of another cluster%s%s", server ? ": " : "",
	        server ? server : "");
	return err_hint(list->err, "take it out there, or run `kubeadm reset` on it, if it may go");
}

bool boot_steps_for_host(const struct boot_inventory *inventory, size_t index,
                         const struct boot_facts *facts, const struct boot_texts *texts,
                         const struct boot_join *join, struct boot_steps *ret, struct err *err)
{
	const struct boot_host *host = &inventory->hosts[index];
	struct step_list list = {
		.inventory = inventory,
		.host = host,
		.facts = facts,
		.texts = texts,
		.join = join,
		.index = index,
		.is_first = index == boot_inventory_first(inventory),
		.has_gpu = host->gpu == BOOT_YES || (host->gpu == BOOT_AUTO && facts->gpu_count > 0),
		.node_ip = boot_facts_node_ip(facts, &host->node_ip),
		.steps = ret,
		.err = err,
	};

	*ret = (struct boot_steps){NULL};
	if (!check_membership(&list))
		return false;
	list.is_member = is_member(&list);
	step_add_system(&list);
	step_add_packages(&list);
	step_add_firewall(&list);
	step_add_runtime(&list);
	step_add_cluster(&list);
	if (list.is_failed)
		boot_steps_release(ret);
	return !list.is_failed;
}

void boot_steps_release(struct boot_steps *steps)
{
	for (size_t i = 0; i < steps->count; i++) {
		struct boot_step *step = &steps->items[i];

		for (size_t j = 0; j < step->file_count; j++) {
			mem_free(step->files[j].path);
			mem_free(step->files[j].content);
		}
		mem_free(step->files);
		mem_free(step->title);
		mem_free(step->why);
		mem_free(step->check);
		mem_free(step->act);
		mem_free(step->verify);
	}
	mem_free(steps->items);
	*steps = (struct boot_steps){NULL};
}
