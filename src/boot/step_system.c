// SPDX-License-Identifier: MIT
// The host itself: cloud-init, swap, kernel modules, sysctl, time.
#include <string.h>

#include "boot/step_list.h"

static void add_cloud_init(struct step_list *list)
{
	struct boot_step *step;

	if (!list->facts->is_cloud_init_running)
		return;
	step = step_add(list, BOOT_PREPARE, BOOT_WORK_PACKAGES, "cloud-init", 900,
	                "wait for cloud-init to end");
	step_text(list, &step->why, "cloud-init is still at work");
	step_text(list, &step->act, "timeout 840 cloud-init status --wait >/dev/null 2>&1 || :\n");
}

// Adds TEXT, a fstab, with every line whose type is swap made a comment.
static void add_fstab(struct strbuf *out, const char *text, const struct strv *lines)
{
	while (*text) {
		size_t len = strcspn(text, "\n");
		size_t whole = len + (text[len] == '\n');

		for (size_t i = 0; i < lines->count; i++) {
			if (strlen(lines->items[i]) == len && !strncmp(lines->items[i], text, len)) {
				strbuf_add(out, "# by vpsml: ");
				break;
			}
		}
		strbuf_add_n(out, text, whole);
		text += whole;
	}
}

static void add_swap(struct step_list *list)
{
	const struct boot_facts *facts = list->facts;
	const struct boot_file_fact *fstab = boot_facts_file(facts, "/etc/fstab");
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(1 << 20);
	const struct json *kept = json_find(list->inventory->kubelet, "failSwapOn");
	struct boot_step *step;

	if (kept && json_type(kept) == JSON_BOOL && !json_is_true(kept))
		return; // the kubelet is told to live with it
	if (!facts->swaps.count && !facts->fstab_swaps.count && !facts->swap_units.count &&
	    !facts->has_zram_generator)
		return;
	step = step_add(list, BOOT_PREPARE, BOOT_WORK_OWN, "swap", 120,
	                "switch swap off, now and at boot");
	step_text(list, &step->why, "the kubelet does not start with swap: %s",
	          facts->swaps.count         ? facts->swaps.items[0]
	          : facts->fstab_swaps.count ? "a line in /etc/fstab"
	          : facts->swap_units.count  ? facts->swap_units.items[0]
	                                     : "zram-generator");
	step_text(list, &step->act, "swapoff -a\n");
	if (facts->fstab_swaps.count && fstab && fstab->text) {
		add_fstab(&text, fstab->text, &facts->fstab_swaps);
		step_file(list, step, "/etc/fstab", fstab->mode, strbuf_get(&text))->is_backed_up = true;
	}
	if (facts->has_zram_generator)
		step_file(list, step, "/etc/systemd/zram-generator.conf", 0644, "")->is_backed_up = true;
	step_text(list, &step->act,
	          "systemctl daemon-reload\n"
	          "for unit in $(systemctl list-units --type=swap --no-legend --plain "
	          "| awk '{print $1}') \\\n"
	          "\t$(systemctl list-unit-files --type=swap --no-legend --plain | awk "
	          "'$2 !~ /masked/ {print $1}'); do\n"
	          "\tsystemctl mask --now \"$unit\" || :\ndone\n");
	step_text(list, &step->verify,
	          "if [ \"$(wc -l </proc/swaps)\" -gt 1 ]; then\n"
	          "\techo \"swap is still on: $(awk 'NR == 2 {print $1}' /proc/swaps)\" >&2\n"
	          "\texit 1\nfi\n");
}

static void add_modules(struct step_list *list)
{
	static const char path[] = "/etc/modules-load.d/vpsml.conf", text[] = "overlay\nbr_netfilter\n";
	bool is_kept = !step_file_differs(list, path, text);
	struct boot_step *step;

	if (is_kept && list->facts->has_overlay && list->facts->has_br_netfilter)
		return;
	step = step_add(list, BOOT_PREPARE, BOOT_WORK_OWN, "modules", 60,
	                "load overlay and br_netfilter, now and at boot");
	step_text(list, &step->why, "%s",
	          !list->facts->has_br_netfilter ? "br_netfilter is not loaded"
	          : !list->facts->has_overlay    ? "overlay is not loaded"
	                                         : "they would not be loaded at boot");
	step_file(list, step, path, 0644, text);
	step_text(list, &step->act,
	          "modprobe overlay || grep -qw overlay /proc/filesystems\n"
	          "modprobe br_netfilter || [ -d /proc/sys/net/bridge ]\n");
}

static void add_sysctl(struct step_list *list)
{
	static const char path[] = "/etc/sysctl.d/99-vpsml.conf";
	const struct boot_facts *facts = list->facts;
	bool is_v6 = list->inventory->network.pod_cidr.ip.is_v6 || list->node_ip.is_v6;
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(1024);
	struct boot_step *step;

	strbuf_add(&text, "net.ipv4.ip_forward = 1\nnet.bridge.bridge-nf-call-iptables = 1\n"
	                  "net.bridge.bridge-nf-call-ip6tables = 1\n");
	if (is_v6)
		strbuf_add(&text, "net.ipv6.conf.all.forwarding = 1\n");
	strbuf_add(&text, "fs.inotify.max_user_watches = 1048576\nfs.inotify.max_user_instances = "
	                  "8192\n");
	if (!step_file_differs(list, path, strbuf_get(&text)) && facts->ip_forward == 1 &&
	    facts->bridge_iptables == 1 && (!is_v6 || facts->ip6_forward == 1))
		return;
	step = step_add(list, BOOT_PREPARE, BOOT_WORK_OWN, "sysctl", 60,
	                "let the kernel forward packets, and show bridged ones to the firewall");
	step_text(list, &step->why, "%s",
	          facts->ip_forward != 1 ? "net.ipv4.ip_forward is not 1" : "it is not kept for boot");
	step_file(list, step, path, 0644, strbuf_get(&text));
	step_text(list, &step->act, "sysctl -q -e -p %s || :\n", path); // verified below
	step_text(list, &step->verify,
	          "for key in ipv4/ip_forward bridge/bridge-nf-call-iptables%s; do\n"
	          "\tif [ \"$(cat /proc/sys/net/$key)\" != 1 ]; then\n"
	          "\t\techo \"net/$key is not 1\" >&2\n\t\texit 1\n\tfi\ndone\n",
	          is_v6 ? " ipv6/conf/all/forwarding" : "");
}

static bool is_container(const struct boot_facts *facts)
{
	static const char *const words[] = {"docker",          "lxc",    "podman", "systemd-nspawn",
	                                    "container-other", "openvz", "wsl"};

	for (size_t i = 0; facts->virtualization && i < COUNT_OF(words); i++)
		if (!strcmp(facts->virtualization, words[i]))
			return true;
	return false;
}

static void add_time(struct step_list *list)
{
	struct boot_step *step;

	if (list->facts->is_time_synchronized || is_container(list->facts))
		return; // a container has the machine's time
	step = step_add(list, BOOT_PREPARE, BOOT_WORK_PACKAGES, "time", 600,
	                "keep the clock right: systemd-timesyncd, else chrony");
	step_text(list, &step->why, "no service keeps the clock");
	step_text(list, &step->act,
	          "systemctl enable --now systemd-timesyncd ||\n"
	          "\tapt_get install systemd-timesyncd || apt_get install chrony\n");
}

void step_add_system(struct step_list *list)
{
	add_cloud_init(list);
	add_swap(list);
	add_modules(list);
	add_sysctl(list);
	add_time(list);
}
