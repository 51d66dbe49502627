// SPDX-License-Identifier: MIT
// Inside src/boot only: gathering the steps of a host. Pure. A failure (memory) is sticky and comes
// out at the end; what is added after it is lost.
#pragma once

#include <stdbool.h>

#include "base/attr.h"
#include "base/strbuf.h"
#include "boot/plan.h"

// Everything that steps are made from.
struct step_list {
	const struct boot_inventory *inventory;
	const struct boot_host *host;
	const struct boot_facts *facts;
	const struct boot_texts *texts;
	const struct boot_join *join;
	bool is_member; // already; then nothing is upgraded
	size_t index;
	bool is_first; // the control plane that is initialized
	bool has_gpu;  // by the inventory, else by the PCI bus
	struct boot_ip node_ip;
	struct boot_steps *steps;
	struct err *err;
	bool is_failed;
};

enum { STEP_TEXT_MAX_BYTES = 256 << 10 };

// Appends a step; TITLE is a format. The step is borrowed until the next one is added; a dummy where
// memory is short.
struct boot_step *step_add(struct step_list *list, enum boot_phase phase, enum boot_work work,
                           const char *name, int64_t timeout_s, const char *title, ...)
	_printf_(6, 7);

// Sets a text of a step (FIELD is one of its char pointers), or adds to it.
void step_text(struct step_list *list, char **field, const char *format, ...) _printf_(3, 4);

// Adds a file to the step. CONTENT is copied; NULL: the file is to go. Borrowed like the step.
struct boot_file *step_file(struct step_list *list, struct boot_step *step, const char *path,
                            unsigned mode, const char *content);

// The file is not on the host, or with other content. CONTENT NULL: it is there.
bool step_file_differs(const struct step_list *list, const char *path, const char *content);

// What each part adds, in order.
void step_add_system(struct step_list *list);   // swap, modules, sysctl, time
void step_add_packages(struct step_list *list); // repositories, packages
void step_add_firewall(struct step_list *list);
void step_add_runtime(struct step_list *list); // containerd, kubelet's unit
void step_add_cluster(struct step_list *list); // kubeadm init or join

// Which package containerd comes in, by the inventory and what apt offers; NULL: none is installed.
const char *step_containerd_package(const struct step_list *list);

// ADDRESS:PORT of the API server for everybody: the endpoint, else the first control plane's address.
// Adds nothing where that is not known yet.
void step_add_endpoint(struct strbuf *out, const struct boot_inventory *inventory);
