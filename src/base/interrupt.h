// SPDX-License-Identifier: MIT
// SIGINT and SIGTERM as a flag that commands look at. The flag is the program's one piece of global state
// that changes.
#pragma once

#include <stdbool.h>

// From now on the signals are counted, and end a poll(2) that waits. Before it they end the program.
void interrupt_catch(void);

// How many came since interrupt_catch.
int interrupt_count(void);

// The last one, or 0.
int interrupt_signal(void);
