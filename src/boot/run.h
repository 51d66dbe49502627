// SPDX-License-Identifier: MIT
// Carrying out what is due on the hosts: a state machine a host, all in the caller's loop. Hosts are
// prepared at once; the first control plane is initialized; then other control planes join one at a
// time, and workers at once. A host that hangs or fails delays no other. A lost connection is made
// anew, and what the host is then decides how it goes on: what is done is never done again.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/loop.h"
#include "base/secret.h"
#include "base/strv.h"
#include "boot/plan.h"
#include "ssh/transport.h"

struct boot_run;

enum boot_event_kind {
	BOOT_EVENT_STEP,    // a step begins
	BOOT_EVENT_SKIPPED, // it was done already
	BOOT_EVENT_ENDED,   // it is done
	BOOT_EVENT_NOTE,    // text: what is waited for
	BOOT_EVENT_LOST,    // text: the connection is lost, and made anew
	BOOT_EVENT_WAITING, // text: for whom
	BOOT_EVENT_DONE,    // nothing more is due on the host
	BOOT_EVENT_FAILED,  // failure, lines, log
};

struct boot_event {
	enum boot_event_kind kind;
	size_t index; // of the host
	const char *host;
	const struct boot_step *step; // STEP, SKIPPED, ENDED, FAILED; may be NULL
	const char *text;             // harmless
	int64_t ms;                   // ENDED: how long it took; DONE: since the run began
	const struct err *failure;
	const struct strv *lines; // the last that matter of what the step wrote, harmless
	const char *log;          // path of the host's log
	bool is_changed;          // DONE: something was done
};

enum boot_mode { BOOT_MODE_UP, BOOT_MODE_RESET };

struct boot_run_options {
	enum boot_mode mode;
	struct loop *loop;                     // borrowed
	struct boot_inventory *inventory;      // borrowed; node addresses are completed in it
	struct ssh_link *const *links;         // borrowed; one a host
	const struct boot_facts *const *facts; // borrowed; one a host, NULL: not reached, and then
	const struct err *failures;            // why; one a host; NULL: all were reached
	const bool *wanted;                    // one a host; the others are left alone
	const struct boot_texts *texts;
	const char *id;     // of this run
	const char *folder; // for the hosts' logs; is made
	void (*event)(void *context, const struct boot_event *event);
	void *context;
};

// Starts it: the machines run when the loop does. Strings of OPTIONS are borrowed.
struct boot_run *boot_run_new(const struct boot_run_options *options, struct err *err) _nodiscard_;

// Has the cluster's first control plane come so far that its API server answers?
bool boot_run_has_cluster(const struct boot_run *run);
// Is that decided: it has, or cannot any more?
bool boot_run_is_decided(const struct boot_run *run);
// Is nothing left to do, on any host?
bool boot_run_is_over(const struct boot_run *run);

// Is nothing left to do on host number INDEX, and did nothing fail there?
bool boot_run_host_is_done(const struct boot_run *run, size_t index);

// admin.conf of the first control plane, where the run has come by it; else data is NULL.
const struct secret *boot_run_admin_conf(const struct boot_run *run);

struct boot_run_summary {
	size_t done, changed, failed;
	size_t execs_max;                 // commands on one host, the most
	int64_t wall_ms;                  // since it began
	int64_t work_ms[BOOT_WORK_COUNT]; // while at least one host was at work of this kind
	int64_t outside_ms; // while at least one host was at work of a kind that is not our own
};

// What has come of it so far.
void boot_run_sum(const struct boot_run *run, struct boot_run_summary *ret);

// Sets *err to one line a host that failed, of kind ERR_AUTH if all were refused so, else ERR_HOSTS;
// true where none failed.
bool boot_run_conclude(const struct boot_run *run, struct err *err) _nodiscard_;

// Ends it, whatever runs on the hosts. NULL is taken too.
void boot_run_free(struct boot_run *run);
void boot_run_freep(struct boot_run **run);
#define _cleanup_boot_run_ _cleanup_(boot_run_freep)

// One run on a cluster at a time, on the host of LINK: held until boot_lock_free or the end of the
// connection. Waits for the answer. Somebody else's run is ERR_FAILED and named.
struct boot_lock;
struct boot_lock *boot_lock_take(struct loop *loop, struct ssh_link *link, const char *holder,
                                 struct err *err) _nodiscard_;
void boot_lock_free(struct boot_lock *lock);
void boot_lock_freep(struct boot_lock **lock);
#define _cleanup_boot_lock_ _cleanup_(boot_lock_freep)

// Reads a file on a host as root, of at most 1 MiB. Waits for it.
bool boot_fetch_file(struct loop *loop, struct ssh_link *link, const char *path, struct secret *ret,
                     struct err *err) _nodiscard_;
