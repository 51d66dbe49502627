// SPDX-License-Identifier: MIT
// containerd and the kubelet's unit.
#include <string.h>

#include "boot/containerd.h"
#include "boot/step_list.h"
#include "boot/toml.h"

#define CRICTL_PATH "/etc/crictl.yaml"

static const char crictl[] = "runtime-endpoint: unix:///run/containerd/containerd.sock\n"
							 "image-endpoint: unix:///run/containerd/containerd.sock\n";

// What the packages will bring, where containerd is not there yet.
static struct boot_version expected_version(const struct step_list *list)
{
	const char *package = step_containerd_package(list);
	struct boot_version version = list->facts->containerd;

	if (version.major && (!package || boot_facts_package(list->facts, package)))
		return version;
	version = (struct boot_version){2, 0, 0};
	if (package && !strcmp(package, "containerd"))
		version = (struct boot_version){1, 7, 0};
	for (size_t i = 0; package && i < list->facts->candidates.count; i++) {
		const char *item = list->facts->candidates.items[i];
		size_t len = strlen(package);

		if (!strncmp(item, package, len) && item[len] == ' ')
			(void)!boot_version_scan(item + len + 1, &version);
	}
	return version;
}

static void add_verify(struct step_list *list, struct boot_step *step, bool has_runtime)
{
	step_text(list, &step->verify,
	          "for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do\n"
	          "\tif crictl info >/dev/null 2>&1; then break; fi\n"
	          "\tif [ $try = 20 ]; then\n"
	          "\t\tcrictl info 2>&1 | tail -n 3 >&2 || :\n"
	          "\t\tjournalctl -u containerd -n 10 --no-pager -o cat >&2 || :\n"
	          "\t\techo 'containerd does not serve the kubelet' >&2\n\t\texit 1\n\tfi\n"
	          "\tsleep 1\ndone\n");
	if (!has_runtime)
		return;
	// nvidia-ctk ends with 0 where nothing came of it (toolkit#1430, #1956); we look
	step_text(
		list, &step->verify,
		"containerd config dump | awk '/^ *\\[/ {in_it = /runtimes\\.nvidia\\]/}\n"
		"\tin_it && $1 == \"runtime_type\" && $3 ~ /io\\.containerd\\.runc\\.v2/ {found = 1}\n"
		"\tEND {exit !found}' || {\n"
		"\techo 'containerd has no runtime nvidia after all: does another file that "
		"config.toml imports replace it?' >&2\n\texit 1\n}\n");
}

static void add_containerd(struct step_list *list)
{
	const struct boot_facts *facts = list->facts;
	const struct boot_file_fact *root = boot_facts_file(facts, BOOT_CONTAINERD_ROOT);
	struct boot_version version = expected_version(list);
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(2 * TOML_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf drop_in = STRBUF_INIT(2 * TOML_MAX_BYTES);
	bool has_runtime = list->has_gpu && facts->driver;
	struct boot_step *step;

	if (list->is_failed)
		return;
	if (!boot_containerd_render(list->inventory, root ? root->text : NULL, &version, has_runtime,
	                            &text, &drop_in, list->err)) {
		list->is_failed = true;
		return;
	}
	if (!step_file_differs(list, BOOT_CONTAINERD_ROOT, strbuf_get(&text)) &&
	    !step_file_differs(list, BOOT_CONTAINERD_DROP_IN, strbuf_get(&drop_in)) &&
	    !step_file_differs(list, CRICTL_PATH, crictl) &&
	    strv_contains(&facts->active_units, "containerd") &&
	    strv_contains(&facts->enabled_units, "containerd"))
		return;
	step = step_add(list, BOOT_CONFIGURE, BOOT_WORK_OWN, "containerd", 180,
	                "configure containerd %s", has_runtime ? "with NVIDIA's runtime" : "");
	while (step->title && *step->title && step->title[strlen(step->title) - 1] == ' ')
		step->title[strlen(step->title) - 1] = '\0';
	step_file(list, step, BOOT_CONTAINERD_ROOT, 0644, strbuf_get(&text))->is_backed_up = true;
	step_file(list, step, BOOT_CONTAINERD_DROP_IN, 0644, strbuf_get(&drop_in));
	step_file(list, step, CRICTL_PATH, 0644, crictl);
	step_text(list, &step->act,
	          "systemctl daemon-reload\nsystemctl enable containerd\n"
	          "systemctl restart containerd\n");
	add_verify(list, step, has_runtime);
}

static void add_kubelet(struct step_list *list)
{
	struct boot_step *step;

	if (strv_contains(&list->facts->enabled_units, "kubelet"))
		return;
	step =
		step_add(list, BOOT_CONFIGURE, BOOT_WORK_OWN, "kubelet", 60, "start the kubelet at boot");
	step_text(list, &step->act, "systemctl enable kubelet\n");
}

void step_add_runtime(struct step_list *list)
{
	add_containerd(list);
	add_kubelet(list);
}
