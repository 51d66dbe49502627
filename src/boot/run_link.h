// SPDX-License-Identifier: MIT
// Inside src/boot only: the run and its hosts.
#pragma once

#include "boot/host_log.h"
#include "boot/run.h"
#include "boot/script.h"

enum host_state {
	HOST_READY,   // its next step is to be found
	HOST_WORKING, // a script runs there
	HOST_PROBING, // the facts are asked for
	HOST_PAUSED,  // before it is tried again
	HOST_WAITING, // for the cluster, or its turn
	HOST_DONE,
	HOST_FAILED,
};

struct host_run {
	struct boot_run *run;
	size_t index;
	const struct boot_host *host;
	struct ssh_link *link;
	enum host_state state;
	const struct boot_facts *facts; // the last ones
	struct boot_facts fresh;        // where they were asked for anew
	struct boot_steps steps;
	bool has_steps;

	// The command at hand.
	uint64_t exec;
	unsigned phases;  // that it carries out
	bool is_finished; // the script has said that it is done
	bool has_said;    // anything
	struct strbuf script, answer;
	char hash[65];
	const char *argv[6];
	struct boot_output output;
	const struct boot_step *step;
	int64_t step_began_ms;
	struct loop_timer deadline, pause;

	// Losses of the connection.
	int64_t lost_ms; // since when; 0: it is not lost
	unsigned tries, losses;

	struct host_log log;
	struct err failure;
	size_t execs;
	bool is_changed;
	bool is_inviting;
	bool is_busy; // that was told
};

struct boot_run {
	struct boot_run_options options;
	struct host_run *hosts;
	size_t count, first;
	bool has_cluster;
	bool is_invited, is_inviting;
	int64_t invited_ms, began_ms;
	struct secret admin_conf;
	char token[24], certificate_key[65], pin[72];
	size_t at_work[BOOT_WORK_COUNT], outside; // hosts now
	int64_t since_ms[BOOT_WORK_COUNT], outside_since_ms;
	struct boot_run_summary sum;
	struct loop_deferred turn;
};

// run_host.c

// Goes on with the host. Never from inside a call of its own.
void host_advance(struct host_run *host);
void host_fail(struct host_run *host, struct err *failure); // takes it over
void host_event(struct host_run *host, struct boot_event event);
void host_release(struct host_run *host);

// run_exec.c

// Starts the script for PHASES, or the facts; the end comes to run_host.c's functions.
bool host_start_script(struct host_run *host, unsigned phases, struct err *err) _nodiscard_;
bool host_start_probe(struct host_run *host, struct err *err) _nodiscard_;
void host_script_ended(struct host_run *host, const struct err *failure, int status);
void host_probe_ended(struct host_run *host, const struct err *failure);

// run.c

// Something has changed that others wait for.
void run_changed(struct boot_run *run);
// The secrets for joins; the texts are borrowed.
struct boot_join run_join(const struct boot_run *run);
// The first control plane has sent its admin.conf, in base64.
bool run_take_admin_conf(struct boot_run *run, const char *base64, struct err *err) _nodiscard_;
void run_work_began(struct boot_run *run, enum boot_work work);
void run_work_ended(struct boot_run *run, enum boot_work work);
