// SPDX-License-Identifier: MIT
// The facts of all hosts at once: one command a host. A host that hangs costs its own deadline and
// delays no other's answer.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/loop.h"
#include "boot/check.h"
#include "boot/facts.h"
#include "ssh/transport.h"

// What came from a host.
struct boot_gathered {
	bool is_known;      // the facts are there
	bool is_left_alone; // set by the caller before boot_gather_check: nothing is done there
	struct boot_facts facts;
	struct err failure;            // why they are not; "ssh: …", without the host's name
	int64_t asked_ms, answered_ms; // wall time here
};

struct boot_gather {
	struct loop *loop;
	const struct clock *clock;     // its wall time
	struct ssh_link *const *links; // one a host; NULL: it is not asked, and no failure
	size_t count;
	const char *endpoint; // host name of the cluster's; NULL: none
	int64_t timeout_ms;   // of the command on a host; 0: 60 s
	// Called when a host has answered or failed. NULL: nobody is.
	void (*progress)(void *context, size_t index, size_t done, size_t total);
	void *context;
};

// Asks and waits for all. RET has COUNT zeroed items. Fails on memory and on the loop's faults alone:
// what a host fails in is in its item.
bool boot_gather(const struct boot_gather *gather, struct boot_gathered *ret,
                 struct err *err) _nodiscard_;

// The hosts whose facts are not known, "NAME: why" a line: ERR_AUTH where that is what all of them
// failed by, else ERR_HOSTS. True if there are none, or the links were NULL.
bool boot_gather_failures(const struct boot_inventory *inventory,
                          const struct boot_gathered *gathered, struct err *err) _nodiscard_;

// Completes the inventory's node addresses from the facts, and adds what boot_check_hosts finds.
void boot_gather_check(struct boot_inventory *inventory, const struct boot_gathered *gathered,
                       struct faults *faults);

// Releases the COUNT items, not the array.
void boot_gathered_release(struct boot_gathered *gathered, size_t count);
