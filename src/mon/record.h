// SPDX-License-Identifier: MIT
// Snapshots as text and back: one JSON object a line (NDJSON), with what was poured, so that reading a line
// and finishing the snapshot gives the same screen again. `--record` writes it, `--replay` and the tests
// read it.
//
//     {"vpsml_record":1,"time_ms":1796095800000,"cluster":"prod","link":"live","interval_ms":5000,
//      "nodes":[{"name":"gpu-a","is_in_api":true,"ready":"yes","resources":{"nvidia.com/gpu":8},
//                "values":{"cpu_milli":[24320,2000,"api"]},
//                "gpus":[{"index":0,"uuid":"GPU-1f","values":{"util_pct":[97,2000,"ssh"],
//                         "power_w":[null,2000,"ssh"]},"owners":[{"namespace":"ml","pod":"a"}]}]}],
//      "pods":[…],"jobs":[…],"notes":[…]}
//
// A value is [number, age in ms, source]; null stands for "not available". A member that is left out is 0,
// false or "", a value that is left out was never heard. Other members are passed over.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/strbuf.h"

struct mon_snapshot;

enum { MON_RECORD_VERSION = 1, MON_RECORD_MAX_LINE_BYTES = 256 * 1024 * 1024 };

// Adds the snapshot as one line, with its line feed. With IS_FIRST the graphs go along.
bool mon_record_write(struct strbuf *out, const struct mon_snapshot *s, bool is_first,
                      struct err *err) _nodiscard_;

// The snapshot in one line of LEN bytes, poured and not finished, owned by the caller; *RET_NOW_MS is
// its time. The error names the member that is wrong.
struct mon_snapshot *mon_record_parse(const char *line, size_t len, int64_t *ret_now_ms,
                                      struct err *err) _nodiscard_;
