// SPDX-License-Identifier: MIT
// Where vpsml's own files live (XDG Base Directory Specification 0.8).
#pragma once

#include "base/err.h"

enum xdg_kind { XDG_CONFIG, XDG_CACHE, XDG_STATE };

// Reads an environment variable; NULL where it is not set. getenv fits.
typedef char *xdg_getenv_fn(const char *name);

// The path of vpsml's folder of this kind (it need not exist), owned by the caller: under
// $XDG_…_HOME, which is ignored unless absolute, else under $HOME.
char *xdg_folder(enum xdg_kind kind, xdg_getenv_fn *getenv_fn, struct err *err) _nodiscard_;
