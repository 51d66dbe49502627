// SPDX-License-Identifier: MIT
// What is to be done on a host, as a list of steps. Pure: it follows from the inventory and from what
// the host was found to be, so that `plan` shows what `up` does, and a second `up` does nothing.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "boot/facts.h"
#include "boot/inventory.h"

// In the order of time. Each is one command on the host.
enum boot_phase {
	BOOT_PREPARE,   // the system and its packages, all hosts at once
	BOOT_CONFIGURE, // what can be rendered only when the packages are there: containerd, GPU runtime
	BOOT_INIT,      // kubeadm init, on the first control plane
	BOOT_INVITE,    // on a control plane: a token and certificates for those that join
	BOOT_JOIN_CONTROL, // kubeadm join --control-plane, one host at a time
	BOOT_JOIN_WORKER,  // kubeadm join, all at once
	BOOT_RESET,        // of `remove`, `down`, and of a host whose earlier run broke off
	BOOT_PHASE_COUNT
};

// Where a step's time goes, for the summary.
enum boot_work {
	BOOT_WORK_OWN,
	BOOT_WORK_PACKAGES, // apt
	BOOT_WORK_PULL,     // images
	BOOT_WORK_KUBEADM,
	BOOT_WORK_WAIT, // for the cluster: nodes that become ready
	BOOT_WORK_COUNT
};

// A file as it is to be on the host.
struct boot_file {
	char *path; // "run:NAME": in the folder of the run, gone after it
	unsigned mode;
	char *content;     // NULL: it is to go
	bool is_secret;    // shown by nobody, and kept in no log
	bool is_backed_up; // what was there before is kept once, as PATH.before-vpsml
};

struct boot_step {
	const char *name; // "modules", "kubeadm-init": in logs, and in the mark on the host
	enum boot_phase phase;
	enum boot_work work;
	char *title;             // what it does: "load overlay and br_netfilter"
	char *why;               // what was found: "br_netfilter is not loaded"
	struct boot_file *files; // written before `act`, where they differ
	size_t file_count;
	// Text for /bin/sh, as root; NULL: none. `check` ends with 0 where nothing is to be done any more
	// (the host may have changed since the facts); `act` runs with set -e; `verify` fails with a
	// reason on standard error.
	char *check, *act, *verify;
	int64_t timeout_s;
};

struct boot_steps {
	struct boot_step *items;
	size_t count;
};

#define _cleanup_boot_steps_ _cleanup_(boot_steps_release)

// What hosts that join must know. The texts are borrowed; NULL in a plan that is only shown, which
// has "…" in their place.
struct boot_join {
	const char *server;          // ADDRESS:PORT of an API server that answers
	const char *token;           // a bootstrap token
	const char *certificate_key; // 64 hex digits
	const char *ca_pin;          // sha256:…
};

// What the files say that the inventory names. NULL: it names none.
struct boot_texts {
	char *images_ca, *kubernetes_key, *containerd_key, *nvidia_key;
};

#define _cleanup_boot_texts_ _cleanup_(boot_texts_release)

// Reads them. All that cannot be read are one ERR_USAGE.
bool boot_texts_load(const struct boot_inventory *inventory, struct boot_texts *ret,
                     struct err *err) _nodiscard_;
void boot_texts_release(struct boot_texts *texts);

// Sets the node addresses that the inventory leaves open from FACTS, one for each host, NULL: not
// known. To be called before steps are made.
void boot_inventory_complete(struct boot_inventory *inventory,
                             const struct boot_facts *const *facts);

// The steps that are due on host number INDEX, in order. A step that the facts show as done is not
// among them; nothing to do is an empty list. Facts must have been checked (boot/check.h): a host of
// another cluster is an error here, ERR_FAILED. TEXTS and JOIN may be NULL where nothing is to be done
// but to show the plan.
bool boot_steps_for_host(const struct boot_inventory *inventory, size_t index,
                         const struct boot_facts *facts, const struct boot_texts *texts,
                         const struct boot_join *join, struct boot_steps *ret,
                         struct err *err) _nodiscard_;

// The steps on a control plane that lets others in: JOIN's token, and its certificate key where a
// control plane is to join. GUESTS has an item a host: the facts of those that wait to join, else
// NULL; the Node that such a host has left behind goes first, for kubeadm refuses a name that is
// Ready.
bool boot_steps_for_invite(const struct boot_inventory *inventory, const struct boot_join *join,
                           const struct boot_facts *const *guests, struct boot_steps *ret,
                           struct err *err) _nodiscard_;

// The steps that take a host out of its cluster again: kubeadm reset and what that leaves behind.
bool boot_steps_for_reset(const struct boot_inventory *inventory, const struct boot_facts *facts,
                          struct boot_steps *ret, struct err *err) _nodiscard_;

// "prepare", "configure", "init", …
const char *boot_phase_word(enum boot_phase phase);

void boot_steps_release(struct boot_steps *steps);
