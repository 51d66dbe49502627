// SPDX-License-Identifier: MIT
#include "boot/cidr.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/parse.h"

enum { TEXT_MAX_BYTES = 64 };

static int bits_of(const struct boot_ip *ip)
{
	return ip->is_v6 ? 128 : 32;
}

static bool read_ip(const char *text, struct boot_ip *ret)
{
	struct boot_ip ip = {.is_set = true, .is_v6 = strchr(text, ':') != NULL};

	if (inet_pton(ip.is_v6 ? AF_INET6 : AF_INET, text, ip.bytes) != 1)
		return false;
	*ret = ip;
	return true;
}

bool boot_ip_parse(const char *text, struct boot_ip *ret, struct err *err)
{
	if (read_ip(text, ret))
		return true;
	return err_set(err, ERR_USAGE, "\"%s\" is not an IP address", text);
}

static void clear_host_bits(struct boot_cidr *cidr)
{
	for (int bit = cidr->prefix; bit < bits_of(&cidr->ip); bit++)
		cidr->ip.bytes[bit / 8] &= (uint8_t) ~(0x80U >> bit % 8);
}

// Splits ADDRESS/PREFIX; without a prefix, one address. Host bits stay.
static bool read_cidr(const char *text, bool is_prefix_needed, struct boot_cidr *ret)
{
	const char *slash = strchr(text, '/');
	size_t len = slash ? (size_t)(slash - text) : strlen(text);
	_cleanup_err_ struct err unused = ERR_INIT;
	char address[TEXT_MAX_BYTES];
	int64_t prefix;

	if (len >= sizeof(address) || (!slash && is_prefix_needed))
		return false;
	memcpy(address, text, len);
	address[len] = '\0';
	if (!read_ip(address, &ret->ip))
		return false;
	prefix = bits_of(&ret->ip);
	if (slash && (slash[1] == '+' || !parse_i64(slash + 1, 0, prefix, &prefix, &unused)))
		return false;
	ret->prefix = (int)prefix;
	return true;
}

bool boot_cidr_parse(const char *text, struct boot_cidr *ret, struct err *err)
{
	struct boot_cidr typed, cleared;
	_cleanup_strbuf_ struct strbuf meant = STRBUF_INIT(TEXT_MAX_BYTES);

	if (!read_cidr(text, true, &typed)) {
		err_set(err, ERR_USAGE, "\"%s\" is not a network", text);
		return err_hint(err, "such as 10.244.0.0/16");
	}
	cleared = typed;
	clear_host_bits(&cleared);
	if (!boot_ip_equal(&typed.ip, &cleared.ip)) {
		boot_cidr_write(&meant, &cleared);
		err_set(err, ERR_USAGE, "\"%s\" has bits set behind its prefix", text);
		return err_hint(err, "%s?", strbuf_get(&meant));
	}
	*ret = cleared;
	return true;
}

bool boot_cidr_of_address(const char *text, struct boot_cidr *ret, struct err *err)
{
	struct boot_cidr cidr;

	if (!read_cidr(text, false, &cidr))
		return err_set(err, ERR_USAGE, "\"%s\" is neither an address nor a network", text);
	clear_host_bits(&cidr);
	*ret = cidr;
	return true;
}

bool boot_ip_equal(const struct boot_ip *a, const struct boot_ip *b)
{
	return a->is_v6 == b->is_v6 && !memcmp(a->bytes, b->bytes, (size_t)bits_of(a) / 8);
}

static bool is_same_up_to(const struct boot_ip *a, const struct boot_ip *b, int bits)
{
	unsigned rest = 0xFF00U >> bits % 8 & 0xFFU;

	if (memcmp(a->bytes, b->bytes, (size_t)bits / 8))
		return false;
	return !(bits % 8) || !((a->bytes[bits / 8] ^ b->bytes[bits / 8]) & rest);
}

bool boot_cidr_contains(const struct boot_cidr *cidr, const struct boot_ip *ip)
{
	return cidr->ip.is_v6 == ip->is_v6 && is_same_up_to(&cidr->ip, ip, cidr->prefix);
}

bool boot_cidr_overlap(const struct boot_cidr *a, const struct boot_cidr *b)
{
	int shorter = a->prefix < b->prefix ? a->prefix : b->prefix;

	return a->ip.is_v6 == b->ip.is_v6 && is_same_up_to(&a->ip, &b->ip, shorter);
}

bool boot_ip_is_public(const struct boot_ip *ip)
{
	static const char *const others[] = {
		"0.0.0.0/8",     "10.0.0.0/8",   "100.64.0.0/10",  "127.0.0.0/8",   "169.254.0.0/16",
		"172.16.0.0/12", "192.0.0.0/24", "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/3",
		"::/8",          "fc00::/7",     "fe80::/10",      "ff00::/8",
	};

	for (size_t i = 0; i < COUNT_OF(others); i++) {
		struct boot_cidr cidr;

		if (read_cidr(others[i], true, &cidr) && boot_cidr_contains(&cidr, ip))
			return false;
	}
	return ip->is_set;
}

size_t boot_cidr_count(const struct boot_cidr *cidr, int prefix)
{
	int bits = prefix - cidr->prefix;

	if (bits < 0)
		return 0;
	return bits >= (int)(8 * sizeof(size_t)) ? SIZE_MAX : (size_t)1 << bits;
}

void boot_ip_write(struct strbuf *out, const struct boot_ip *ip)
{
	char text[TEXT_MAX_BYTES];

	if (inet_ntop(ip->is_v6 ? AF_INET6 : AF_INET, ip->bytes, text, sizeof(text)))
		strbuf_add(out, text);
}

void boot_cidr_write(struct strbuf *out, const struct boot_cidr *cidr)
{
	boot_ip_write(out, &cidr->ip);
	strbuf_addf(out, "/%d", cidr->prefix);
}
