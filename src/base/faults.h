// SPDX-License-Identifier: MIT
// What is wrong with an input, all of it: checks go on after the first fault, so that
// the user can mend everything at once.
#pragma once

#include "base/err.h"
#include "base/strv.h"

struct faults {
	struct strv errors;   // each stops the command
	struct strv warnings; // each is shown, and the command goes on
	bool is_out_of_memory;
};

#define FAULTS_INIT                 \
	{                               \
		STRV_INIT, STRV_INIT, false \
	}
#define _cleanup_faults_ _cleanup_(faults_release)

// Adds one error, or one warning, which is shown but refuses nothing. Memory that is short is
// remembered and comes out of faults_none.
void faults_add(struct faults *faults, const char *format, ...) _printf_(2, 3);
void faults_warn(struct faults *faults, const char *format, ...) _printf_(2, 3);

// Adds the message (and hint) of ERR and clears it.
void faults_take(struct faults *faults, struct err *err);

// Is there an error about OPTION: "OPTION: …"? Then its value was given and refused, and must not be
// called missing too.
bool faults_has(const struct faults *faults, const char *option) _nodiscard_;

// True if no error was added; else *err is one ERR_USAGE with an error a line.
bool faults_none(const struct faults *faults, struct err *err) _nodiscard_;

void faults_release(struct faults *faults);
