// SPDX-License-Identifier: MIT
// What hosts tell only together: clones, addresses twice, clocks.
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "boot/check_parts.h"

enum { NAMES_MAX_BYTES = 4096, SKEW_MAX_MS = 30 * 1000 };

typedef const char *text_of_fn(const struct boot_facts *facts);

static const char *host_name_of(const struct boot_facts *facts)
{
	return facts->host_name;
}

static const char *machine_id_of(const struct boot_facts *facts)
{
	return facts->machine_id;
}

static const char *product_uuid_of(const struct boot_facts *facts)
{
	return facts->product_uuid;
}

static const char *mac_of(const struct boot_facts *facts)
{
	for (size_t i = 0; i < facts->interface_count; i++)
		if (strcmp(facts->interfaces[i].mac, "00:00:00:00:00:00") != 0)
			return facts->interfaces[i].mac;
	return NULL;
}

static bool is_text_same(const struct boot_checks *checks, size_t a, size_t b, text_of_fn *text_of)
{
	const char *left = check_facts(checks, a) ? text_of(check_facts(checks, a)) : NULL;
	const char *right = check_facts(checks, b) ? text_of(check_facts(checks, b)) : NULL;

	return left && right && !strcmp(left, right);
}

// Adds "a, b and c": the hosts that have the same text as host FIRST, which is before them. False if
// there is no other, or FIRST is not the first.
static bool name_twins(const struct boot_checks *checks, size_t first, text_of_fn *text_of,
                       struct strbuf *out)
{
	size_t count = checks->inventory->host_count, twins = 0, last = first;

	for (size_t i = 0; i < count; i++) {
		if (i == first || !is_text_same(checks, first, i, text_of))
			continue;
		if (i < first)
			return false;
		twins++;
		last = i;
	}
	strbuf_add(out, check_host(checks, first)->name);
	for (size_t i = first + 1; i <= last; i++)
		if (is_text_same(checks, first, i, text_of))
			strbuf_addf(out, "%s%s", i == last ? " and " : ", ", check_host(checks, i)->name);
	return twins;
}

static void check_twins(struct boot_checks *checks, text_of_fn *text_of, const char *what,
                        bool is_fault)
{
	for (size_t i = 0; i < checks->inventory->host_count; i++) {
		_cleanup_strbuf_ struct strbuf names = STRBUF_INIT(NAMES_MAX_BYTES);

		if (!check_facts(checks, i) || !text_of(check_facts(checks, i)) ||
		    !name_twins(checks, i, text_of, &names))
			continue;
		(is_fault ? faults_add : faults_warn)(checks->faults, "%s: %s", strbuf_get(&names), what);
	}
}

static void check_clones(struct boot_checks *checks)
{
	check_twins(checks, host_name_of,
	            "they have one host name; give each its own with hostnamectl set-hostname", true);
	check_twins(checks, machine_id_of,
	            "they have one machine-id, as clones do; remove /etc/machine-id and run "
	            "systemd-machine-id-setup",
	            false);
	check_twins(checks, product_uuid_of, "they have one product_uuid, as clones do", false);
	check_twins(checks, mac_of, "they have one MAC address, as clones do", false);
}

static void check_addresses(struct boot_checks *checks)
{
	const struct boot_inventory *inventory = checks->inventory;

	for (size_t a = 0; a < inventory->host_count; a++)
		for (size_t b = a + 1; b < inventory->host_count; b++) {
			const struct boot_ip *left = &inventory->hosts[a].node_ip;
			_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(NAMES_MAX_BYTES);

			if (!left->is_set || !inventory->hosts[b].node_ip.is_set ||
			    !boot_ip_equal(left, &inventory->hosts[b].node_ip))
				continue;
			boot_ip_write(&text, left);
			faults_add(checks->faults, "%s and %s: they have one address, %s; give each its nodeIP",
			           inventory->hosts[a].name, inventory->hosts[b].name, strbuf_get(&text));
		}
}

// Clocks are compared with each other: this machine's may be wrong.

static int by_number(const void *a, const void *b)
{
	const int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

	return (left > right) - (left < right);
}

// How far the host's clock is ahead of ours, give or take half of what the question took.
static int64_t offset_ms(const struct boot_seen *seen)
{
	return seen->facts->clock_s * 1000 + 500 - (seen->asked_ms + seen->answered_ms) / 2;
}

static bool has_clock(const struct boot_seen *seen)
{
	return seen->facts && seen->facts->clock_s > 0;
}

static void check_clock(struct boot_checks *checks, size_t index, int64_t median_ms)
{
	const struct boot_seen *seen = &checks->seen[index];
	int64_t skew_ms = offset_ms(seen) - median_ms;
	int64_t doubt_ms = (seen->answered_ms - seen->asked_ms) / 2;

	if (llabs(skew_ms) - doubt_ms <= SKEW_MAX_MS)
		return;
	faults_add(
		checks->faults,
		"%s: its clock is %lld s %s those of the other hosts; set it right: timedatectl set-ntp "
		"true",
		check_host(checks, index)->name, llabs(skew_ms) / 1000,
		skew_ms < 0 ? "behind" : "ahead of");
}

// Of two, nobody can say which is wrong.
static void check_two_clocks(struct boot_checks *checks, int64_t difference_ms)
{
	const char *names[2] = {NULL, NULL};
	int64_t doubt_ms = 0;

	for (size_t i = 0; i < checks->inventory->host_count; i++) {
		const struct boot_seen *seen = &checks->seen[i];

		if (!has_clock(seen))
			continue;
		names[names[0] != NULL] = check_host(checks, i)->name;
		doubt_ms += (seen->answered_ms - seen->asked_ms) / 2;
	}
	if (difference_ms - doubt_ms > SKEW_MAX_MS)
		faults_add(
			checks->faults,
			"%s and %s: their clocks are %lld s apart; set them right: timedatectl set-ntp true",
			names[0], names[1], (long long)difference_ms / 1000);
}

static void check_clocks(struct boot_checks *checks)
{
	size_t count = 0, hosts = checks->inventory->host_count;
	_cleanup_free_ int64_t *offsets = mem_alloc((hosts + 1) * sizeof(*offsets));

	if (!offsets) {
		checks->faults->is_out_of_memory = true;
		return;
	}
	for (size_t i = 0; i < hosts; i++)
		if (has_clock(&checks->seen[i]))
			offsets[count++] = offset_ms(&checks->seen[i]);
	if (count == 2) {
		check_two_clocks(checks, llabs(offsets[0] - offsets[1]));
		return;
	}
	qsort(offsets, count, sizeof(*offsets), by_number);
	for (size_t i = 0; i < hosts; i++)
		if (has_clock(&checks->seen[i]))
			check_clock(checks, i, offsets[count / 2]);
}

void check_between_hosts(struct boot_checks *checks)
{
	check_clones(checks);
	check_addresses(checks);
	check_clocks(checks);
}
