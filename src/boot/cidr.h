// SPDX-License-Identifier: MIT
// IP addresses and networks, of both families. Pure: no names are looked up.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/strbuf.h"

struct boot_ip {
	uint8_t bytes[16]; // IPv4: the first 4
	bool is_v6;
	bool is_set; // false: there is none
};

struct boot_cidr {
	struct boot_ip ip; // bits behind the prefix are 0
	int prefix;        // bits
};

// "10.0.0.5" or "fd00::5", without brackets, zone or prefix.
bool boot_ip_parse(const char *text, struct boot_ip *ret, struct err *err) _nodiscard_;

// "10.244.0.0/16". Bits set behind the prefix are refused, with the network that is meant as hint.
bool boot_cidr_parse(const char *text, struct boot_cidr *ret, struct err *err) _nodiscard_;

// The network of an address with a prefix ("10.0.0.5/24", as `ip addr` prints), or of an address
// alone (/32, /128). Bits behind the prefix are cleared.
bool boot_cidr_of_address(const char *text, struct boot_cidr *ret, struct err *err) _nodiscard_;

// Of two families nothing is equal, contained or overlapping.
bool boot_ip_equal(const struct boot_ip *a, const struct boot_ip *b);
bool boot_cidr_contains(const struct boot_cidr *cidr, const struct boot_ip *ip);
bool boot_cidr_overlap(const struct boot_cidr *a, const struct boot_cidr *b);

// Is IP one that anybody on the internet can send to? Not so: private (RFC 1918), shared
// (RFC 6598), loopback, link-local, unique local (fc00::/7), multicast.
bool boot_ip_is_public(const struct boot_ip *ip);

// The number of networks of PREFIX bits in CIDR; 0 if PREFIX is shorter than CIDR's, SIZE_MAX if
// there are too many to count.
size_t boot_cidr_count(const struct boot_cidr *cidr, int prefix);

// As text: "10.0.0.5", "fd00::5"; with "/PREFIX" behind.
void boot_ip_write(struct strbuf *out, const struct boot_ip *ip);
void boot_cidr_write(struct strbuf *out, const struct boot_cidr *cidr);
