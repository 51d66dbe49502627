// SPDX-License-Identifier: MIT
// Prints what is to be done on a host of an inventory, whose facts are given as the host says them.
//
// usage: render_steps list|script|init|join|reset|reset-list INVENTORY FACTS HOST
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "boot/kubeadm.h"
#include "boot/script.h"

static const struct boot_join join = {
	.token = "abcdef.0123456789abcdef",
	.certificate_key = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
	.ca_pin = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
};

static void list_steps(const struct boot_steps *steps)
{
	for (size_t i = 0; i < steps->count; i++) {
		const struct boot_step *step = &steps->items[i];

		printf("%s: %s: %s%s%s\n", boot_phase_word(step->phase), step->name, step->title,
		       step->why ? " - " : "", step->why ? step->why : "");
		for (size_t j = 0; j < step->file_count; j++)
			printf("    %s %04o\n", step->files[j].path, step->files[j].mode);
	}
}

static bool print(const char *what, const struct boot_inventory *inventory, size_t index,
                  const struct boot_steps *steps, struct err *err)
{
	_cleanup_strbuf_ struct strbuf out = STRBUF_INIT(BOOT_SCRIPT_MAX_BYTES);
	struct boot_script script = {
		.cluster = inventory->name,
		.run = "run",
		.token = "vpsml-0123",
		.steps = steps,
		.phases = ~0u,
		.is_last = true,
		.payload = "/etc/kubernetes/admin.conf",
	};
	bool is_ok = true;

	if (!strcmp(what, "init"))
		is_ok = boot_kubeadm_init(inventory, index, &join, &out, err);
	else if (!strcmp(what, "join"))
		is_ok = boot_kubeadm_join(inventory, index, &join, &out, err);
	else if (strstr(what, "list"))
		list_steps(steps);
	else
		is_ok = boot_script_render(&script, &out, err);
	fputs(strbuf_get(&out), stdout);
	return is_ok;
}

static bool run(char **argv, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(BOOT_FACTS_MAX_BYTES);
	_cleanup_boot_inventory_ struct boot_inventory inventory = {0};
	_cleanup_boot_facts_ struct boot_facts facts = {0};
	_cleanup_boot_steps_ struct boot_steps steps = {0};
	_cleanup_boot_texts_ struct boot_texts texts = {0};
	const struct boot_facts **all;
	const struct boot_host *host;
	size_t index;
	bool is_ok;

	if (!boot_inventory_load(argv[2], &inventory, err))
		return false;
	host = boot_inventory_host(&inventory, argv[4]);
	if (!host)
		return err_set(err, ERR_USAGE, "no host %s", argv[4]);
	index = (size_t)(host - inventory.hosts);
	if (!file_read(argv[3], &text, err) ||
	    !boot_facts_parse(strbuf_get(&text), text.len, &facts, err) ||
	    !boot_texts_load(&inventory, &texts, err))
		return false;
	all = mem_alloc(inventory.host_count * sizeof(*all));
	all[index] = &facts;
	boot_inventory_complete(&inventory, all);
	mem_free(all);
	for (size_t i = 0; i < inventory.host_count; i++) { // the others have not been asked
		_cleanup_err_ struct err ignored = ERR_INIT;

		if (!inventory.hosts[i].node_ip.is_set &&
		    !boot_ip_parse(inventory.hosts[i].ssh.address, &inventory.hosts[i].node_ip, &ignored))
			return false;
	}
	is_ok = strncmp(argv[1], "reset", 5) != 0
	            ? boot_steps_for_host(&inventory, index, &facts, &texts, &join, &steps, err)
	            : boot_steps_for_reset(&inventory, &facts, &steps, err);
	return is_ok && print(argv[1], &inventory, index, &steps, err);
}

int main(int argc, char **argv)
{
	_cleanup_err_ struct err err = ERR_INIT;

	if (argc < 5 || !run(argv, &err)) {
		fprintf(stderr, "%s\n", argc < 5 ? "usage: see the source" : err_message(&err));
		return 1;
	}
	return 0;
}
