// SPDX-License-Identifier: MIT
// What a command may use of the world: streams, environment, clock, and what was typed.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/faults.h"
#include "base/strv.h"
#include "base/xdg.h"

// Options that every command takes.
struct cli_general {
	bool is_help_wanted;
	bool is_quiet; // no warnings
	int verbosity; // 1: each request and step; 2: more of each
};

struct cli_context {
	FILE *out;           // data
	FILE *err;           // messages
	const char *program; // what the user types to start us; NULL: the root command's name
	xdg_getenv_fn *getenv;
	const struct clock *clock;
	struct cli_general general;
	struct strv words;   // arguments that are no options
	struct strv command; // arguments after "--"
	bool has_command;    // "--" was there
	bool has_progress;   // a line of cli/progress.h is shown
	struct strv given;   // long names of the options that were typed

	// Set by commands that stand for a job: what to exit with after a success, and after a failure
	// of our own in place of its kind's status (0: that).
	int exit_status, failure_status;
};

// Reads an environment variable: NULL where it is not set.
const char *cli_getenv(const struct cli_context *context, const char *name);

// Are colours wanted on STREAM: a terminal, TERM other than dumb, NO_COLOR unset or empty?
bool cli_use_colour(const struct cli_context *context, FILE *stream);

// Shows each line of an error ("vpsml: …") and its hint, or a warning, on context->err. Outside
// text in them is made harmless. Warnings are left out with --quiet.
void cli_show_error(struct cli_context *context, const struct err *err);
void cli_show_warnings(struct cli_context *context, const struct faults *faults);

// The same for a note ("vpsml: TEXT"), which is left out with --quiet.
void cli_show_note(struct cli_context *context, const char *text);

// The same for a line of the log, which is shown where -v was given LEVEL times or more, even with
// --quiet.
void cli_show_log(struct cli_context *context, int level, const char *text);

void cli_context_release(struct cli_context *context);
