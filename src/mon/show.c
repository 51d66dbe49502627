// SPDX-License-Identifier: MIT
#include "mon/show.h"

enum { MINUTE_S = 60, HOUR_S = 3600, DAY_S = 86400 };
enum { LONG_HOURS = 10, DAYS_WITH_HOURS = 10, DAYS_MAX = 9999 };

void mon_show_age(struct strbuf *out, int64_t seconds)
{
	long long s = seconds < 0 ? 0 : (long long)seconds;

	if (s < MINUTE_S)
		strbuf_addf(out, "%llds", s);
	else if (s < HOUR_S)
		strbuf_addf(out, "%lldm", s / MINUTE_S);
	else if (s < LONG_HOURS * HOUR_S)
		strbuf_addf(out, "%lldh%02lldm", s / HOUR_S, s % HOUR_S / MINUTE_S);
	else if (s < DAY_S)
		strbuf_addf(out, "%lldh", s / HOUR_S);
	else if (s < (long long)DAYS_WITH_HOURS * DAY_S)
		strbuf_addf(out, "%lldd%02lldh", s / DAY_S, s % DAY_S / HOUR_S);
	else
		strbuf_addf(out, "%lldd", s / DAY_S > DAYS_MAX ? DAYS_MAX : s / DAY_S);
}

// Adds NUMBER with the first of UNITS, a STEP apart, that brings it below 1000.
static void scaled(struct strbuf *out, double number, double step, const char *units)
{
	double size = number < 0 ? 0 : number;

	while (units[1] && size >= 999.5) {
		size /= step;
		units++;
	}
	if (size > 99999)
		size = 99999;
	strbuf_addf(out, "%.*f", *units != ' ' && size < 99.95 ? 1 : 0, size);
	if (*units != ' ')
		strbuf_add_char(out, *units);
}

void mon_show_bytes(struct strbuf *out, double bytes)
{
	scaled(out, bytes, 1024, " KMGTPE");
}

void mon_show_count(struct strbuf *out, double number)
{
	scaled(out, number, 1000, " kMGT");
}
