// SPDX-License-Identifier: MIT
// Inside src/kube only: a program that is run for what it prints.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/strv.h"

struct program {
	const struct strv *argv; // argv[0] is looked up in PATH unless it has a slash
	const struct strv *env;  // NAME=VALUE on top of our environment
	bool is_interactive;     // has our standard input and error; else an empty one, and what it
							 // says is kept for the message
	int64_t limit_ms;        // then it is killed; 0: none
};

// Runs it to its end and appends its standard output to OUT; more than OUT's cap ends it. Fails
// where it cannot be started, takes too long or does not exit with 0.
bool program_run(const struct program *program, struct strbuf *out, struct err *err) _nodiscard_;
