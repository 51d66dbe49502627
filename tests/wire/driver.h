// SPDX-License-Identifier: MIT
// The commands of the wire cases' driver; each takes the arguments behind its name.
#pragma once

#include "base/err.h"

bool driver_fetch(char **argv, struct err *err) _nodiscard_;
