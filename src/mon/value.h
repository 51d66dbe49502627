// SPDX-License-Identifier: MIT
// A measured value: a number, not available, or a number that is too old. Never 0 for unknown.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum mon_state {
	MON_NONE, // nothing was heard yet
	MON_NUMBER,
	MON_NA,    // the source answers, but cannot say this
	MON_STALE, // the last number; its source is gone
	MON_STATES,
};

enum mon_source {
	MON_SOURCE_NONE,
	MON_SOURCE_API,      // metrics.k8s.io: every 15 s
	MON_SOURCE_KUBELET,  // stats/summary: every 15 s
	MON_SOURCE_EXPORTER, // dcgm-exporter and its like: every 30 s
	MON_SOURCE_SSH,      // nvidia-smi -l 5: every 5 s
	MON_SOURCES,
};

struct mon_value {
	double number; // of MON_NUMBER; the last one of MON_STALE
	int64_t at_ms; // when it was measured; of MON_NA, when the source said so
	enum mon_state state;
	enum mon_source source;
};

// Words as records have them ("number", "ssh"), and how often a source measures, in ms.
extern const char *const mon_state_words[MON_STATES + 1];   // NULL-terminated
extern const char *const mon_source_words[MON_SOURCES + 1]; // NULL-terminated
int64_t mon_source_interval_ms(enum mon_source source);

// Takes a number, or "not available", in. Of two sources a number wins over n/a, then the later one; a
// number that is not finite is not available.
void mon_value_set(struct mon_value *value, double number, int64_t at_ms, enum mon_source source);
void mon_value_set_na(struct mon_value *value, int64_t at_ms, enum mon_source source);

// Is there a number that is true now?
bool mon_value_is_known(const struct mon_value *value);

// The number where it is true now, else OTHERWISE.
double mon_value_or(const struct mon_value *value, double otherwise);

// Makes the value MON_STALE where it is older than three intervals of its source.
void mon_value_age(struct mon_value *value, int64_t now_ms);
