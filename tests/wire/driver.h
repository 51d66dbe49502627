// SPDX-License-Identifier: MIT
// The commands of the wire cases' driver; each takes the arguments behind its name.
#pragma once

#include "base/err.h"

bool driver_fetch(char **argv, struct err *err) _nodiscard_;
bool driver_pods(char **argv, struct err *err) _nodiscard_;
bool driver_poll(char **argv, struct err *err) _nodiscard_;
bool driver_watches(char **argv, struct err *err) _nodiscard_;
bool driver_watch(char **argv, struct err *err) _nodiscard_;
bool driver_create(char **argv, struct err *err) _nodiscard_;
bool driver_get(char **argv, struct err *err) _nodiscard_;
