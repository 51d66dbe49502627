// SPDX-License-Identifier: MIT
#include "mon/value.h"

#include <math.h>
#include <stddef.h>

const char *const mon_state_words[MON_STATES + 1] = {"none", "number", "na", "stale", NULL};
const char *const mon_source_words[MON_SOURCES + 1] = {"none",     "api", "kubelet",
                                                       "exporter", "ssh", NULL};

int64_t mon_source_interval_ms(enum mon_source source)
{
	switch (source) {
	case MON_SOURCE_SSH:
		return 5000;
	case MON_SOURCE_EXPORTER:
		return 30000;
	case MON_SOURCE_API:
	case MON_SOURCE_KUBELET:
	case MON_SOURCE_NONE:
	case MON_SOURCES:
		break;
	}
	return 15000;
}

void mon_value_set(struct mon_value *value, double number, int64_t at_ms, enum mon_source source)
{
	if (!isfinite(number)) {
		mon_value_set_na(value, at_ms, source);
		return;
	}
	if (value->state == MON_NUMBER && value->at_ms > at_ms)
		return;
	*value = (struct mon_value){number, at_ms, MON_NUMBER, source};
}

void mon_value_set_na(struct mon_value *value, int64_t at_ms, enum mon_source source)
{
	if (value->state == MON_NONE || value->state == MON_NA)
		*value = (struct mon_value){0, at_ms, MON_NA, source};
}

bool mon_value_is_known(const struct mon_value *value)
{
	return value->state == MON_NUMBER;
}

double mon_value_or(const struct mon_value *value, double otherwise)
{
	return value->state == MON_NUMBER ? value->number : otherwise;
}

void mon_value_age(struct mon_value *value, int64_t now_ms)
{
	if (value->state == MON_NUMBER &&
	    now_ms - value->at_ms > 3 * mon_source_interval_ms(value->source))
		value->state = MON_STALE;
}
