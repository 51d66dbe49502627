// SPDX-License-Identifier: MIT
// Steps as one shell script, and what it says while it runs. Pure.
//
// The script goes to the host on standard input, whole: boot_script_command keeps it in a folder that
// only root can read, compares its SHA-256, so that a cut transfer runs nothing, and runs it apart from
// our connection, so that a lost one ends nothing half-way. It holds a lock on the host, so that the
// next run waits for it.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "boot/plan.h"

enum {
	BOOT_SCRIPT_MAX_BYTES = 4 << 20,
	BOOT_TOKEN_BYTES = 40,
	BOOT_OUTPUT_LINE_MAX_BYTES = 256 << 10,
};

// The text that every script begins with.
extern const char boot_script_script[];

struct boot_script {
	const char *cluster, *run; // its name; the id of this run
	const char *token;         // our own lines start with it: cannot be guessed on the host
	const struct boot_steps *steps;
	unsigned phases;     // those of enum boot_phase to be run, a bit each
	bool is_last;        // the host is part of the cluster when it ends
	const char *payload; // path of a file to send back when it ends; NULL: none
};

// Adds the script. Holds the secrets that its steps' files have.
bool boot_script_render(const struct boot_script *script, struct strbuf *out,
                        struct err *err) _nodiscard_;

// The script that keeps TEXT on the host and runs it: for /bin/sh -c, with the SHA-256 of TEXT in hex
// as $1 and TEXT as standard input.
extern const char boot_script_keeper[];

// What the script says.

enum boot_word {
	BOOT_SAYS_BEGIN,   // a step
	BOOT_SAYS_SKIP,    // it was done already
	BOOT_SAYS_END,     // it is done
	BOOT_SAYS_FAIL,    // it failed
	BOOT_SAYS_NOTE,    // a line for the person who waits
	BOOT_SAYS_JOURNAL, // lines of a unit's journal follow
	BOOT_SAYS_PAYLOAD, // the file, in base64
	BOOT_SAYS_DONE,    // the script
	BOOT_SAYS_COUNT
};

struct boot_output_calls {
	// TEXT is what follows the word: a step's name, a note, base64. Not harmless.
	void (*say)(void *context, enum boot_word word, const char *text);
	// A line of a program, without its line feed; not harmless.
	void (*line)(void *context, const char *line);
	void *context;
};

struct boot_output {
	char token[BOOT_TOKEN_BYTES];
	struct boot_output_calls calls;
	struct strbuf line;
};

void boot_output_init(struct boot_output *output, const char *token,
                      const struct boot_output_calls *calls);
// Takes in a piece. A line over the cap is cut.
void boot_output_feed(struct boot_output *output, const char *data, size_t len);
void boot_output_release(struct boot_output *output);

// Why a step failed, where its output tells: sets *err to a message and a hint. LINES are the last
// ones that it and the kubelet wrote. False where nothing is known.
bool boot_cause(const struct strv *lines, struct err *ret);
