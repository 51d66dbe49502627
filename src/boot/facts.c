// SPDX-License-Identifier: MIT
#include "boot/facts.h"

#include <string.h>

#include "base/certificate.h"
#include "base/digest.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"

enum { LINES_MAX = 20000, WORD_MAX_BYTES = 4096, FILE_MAX_BYTES = 256 << 10 };

// One reader a kind of value. VALUE is the text behind "KEY=", NUL-terminated; it may be cut up. A
// value that does not read as it should is left out; false is memory, or over a cap.

static bool read_text(void *field, char *value, struct err *err)
{
	char **text = field;

	if (!*value || *text)
		return true;
	*text = mem_dup(value);
	return *text || err_memory(err);
}

static bool read_flag(void *field, char *value, struct err *err)
{
	(void)err;
	*(bool *)field = !strcmp(value, "1");
	return true;
}

static bool read_number(void *field, char *value, struct err *err)
{
	_cleanup_err_ struct err ignored = ERR_INIT;

	(void)err;
	if (!parse_i64(value, 0, INT64_MAX / 2, field, &ignored))
		*(int64_t *)field = -1;
	return true;
}

static bool read_item(void *field, char *value, struct err *err)
{
	struct strv *list = field;

	if (!*value || strv_contains(list, value))
		return true;
	if (list->count >= BOOT_FACTS_MAX_ITEMS)
		return err_set(err, ERR_FAILED, "facts: too many items");
	return strv_add(list, value, err);
}

static bool read_version(void *field, char *value, struct err *err)
{
	(void)err;
	(void)!boot_version_scan(value, field);
	return true;
}

static bool read_ip(void *field, char *value, struct err *err)
{
	_cleanup_err_ struct err ignored = ERR_INIT;
	struct boot_ip ip;

	(void)err;
	if (boot_ip_parse(value, &ip, &ignored))
		*(struct boot_ip *)field = ip;
	return true;
}

static bool read_cgroup(void *field, char *value, struct err *err)
{
	struct boot_facts *facts = field;

	(void)err;
	facts->is_cgroup_known = *value;
	facts->is_cgroup_v2 = !strcmp(value, "cgroup2fs");
	return true;
}

static bool read_selinux(void *field, char *value, struct err *err)
{
	(void)err;
	*(bool *)field = !strcmp(value, "Enforcing");
	return true;
}

static bool read_cloud_init(void *field, char *value, struct err *err)
{
	(void)err;
	*(bool *)field = !strcmp(value, "running");
	return true;
}

// Values of several words

// Cuts the next word off *REST, or NULL.
static char *next_word(char **rest)
{
	char *word = *rest, *blank;

	if (!word || !*word)
		return NULL;
	blank = strchr(word, ' ');
	if (blank)
		*blank++ = '\0';
	*rest = blank;
	return word;
}

static bool add(void *items, size_t *count, const void *item, size_t size, struct err *err)
{
	if (*count >= BOOT_FACTS_MAX_ITEMS)
		return err_set(err, ERR_FAILED, "facts: too many items");
	return mem_append(items, count, item, size) || err_memory(err);
}

static bool read_interface(void *data, char *value, struct err *err)
{
	struct boot_facts *facts = data;
	const char *name = next_word(&value), *mac = next_word(&value);
	struct boot_interface_fact fact;

	if (!name || !mac)
		return true;
	fact = (struct boot_interface_fact){mem_dup(name), mem_dup(mac)};
	if (fact.name && fact.mac &&
	    add(&facts->interfaces, &facts->interface_count, &fact, sizeof(fact), err))
		return true;
	mem_free(fact.name);
	mem_free(fact.mac);
	return err->kind == ERR_NONE ? err_memory(err) : false;
}

static bool read_address(void *data, char *value, struct err *err)
{
	struct boot_facts *facts = data;
	const char *name = next_word(&value);
	char *address = next_word(&value), *slash = address ? strchr(address, '/') : NULL;
	_cleanup_err_ struct err ignored = ERR_INIT;
	struct boot_address_fact fact = {0};

	if (!address || !boot_cidr_of_address(address, &fact.network, &ignored))
		return true;
	if (slash)
		*slash = '\0';
	if (!boot_ip_parse(address, &fact.ip, &ignored))
		return true;
	fact.interface = mem_dup(name);
	if (fact.interface && add(&facts->addresses, &facts->address_count, &fact, sizeof(fact), err))
		return true;
	mem_free(fact.interface);
	return err->kind == ERR_NONE ? err_memory(err) : false;
}

static bool read_route(void *data, char *value, struct err *err)
{
	struct boot_facts *facts = data;
	const char *to = next_word(&value), *name = next_word(&value);
	_cleanup_err_ struct err ignored = ERR_INIT;
	struct boot_route_fact fact = {.is_default = to && !strcmp(to, "default")};

	if (!name || (!fact.is_default && !boot_cidr_of_address(to, &fact.network, &ignored)))
		return true;
	fact.interface = mem_dup(name);
	if (fact.interface && add(&facts->routes, &facts->route_count, &fact, sizeof(fact), err))
		return true;
	mem_free(fact.interface);
	return err->kind == ERR_NONE ? err_memory(err) : false;
}

static bool read_listener(void *data, char *value, struct err *err)
{
	struct boot_facts *facts = data;
	const char *protocol = next_word(&value), *port = next_word(&value);
	const char *process = next_word(&value);
	_cleanup_err_ struct err ignored = ERR_INIT;
	struct boot_listener_fact fact = {.is_udp = protocol && !strcmp(protocol, "udp")};
	int64_t number;

	if (!process || !parse_i64(port, 1, 65535, &number, &ignored))
		return true;
	fact.port = (uint16_t)number;
	fact.process = strcmp(process, "-") ? mem_dup(process) : NULL;
	if (add(&facts->listeners, &facts->listener_count, &fact, sizeof(fact), err))
		return true;
	mem_free(fact.process);
	return false;
}

static bool read_package(void *data, char *value, struct err *err)
{
	struct boot_facts *facts = data;
	const char *state = next_word(&value), *name = next_word(&value);
	const char *version = next_word(&value);
	struct boot_package_fact fact;

	if (!version)
		return true;
	fact = (struct boot_package_fact){mem_dup(name), mem_dup(version), *state == 'h'};
	if (fact.name && fact.version &&
	    add(&facts->packages, &facts->package_count, &fact, sizeof(fact), err))
		return true;
	mem_free(fact.name);
	mem_free(fact.version);
	return err->kind == ERR_NONE ? err_memory(err) : false;
}

static bool read_gpu(void *data, char *value, struct err *err)
{
	struct boot_facts *facts = data;
	const char *bus = next_word(&value), *device = next_word(&value);
	struct boot_gpu_fact fact;

	if (!bus)
		return true;
	fact = (struct boot_gpu_fact){mem_dup(bus), mem_dup(device ? device : "")};
	if (fact.bus && fact.device && add(&facts->gpus, &facts->gpu_count, &fact, sizeof(fact), err))
		return true;
	mem_free(fact.bus);
	mem_free(fact.device);
	return err->kind == ERR_NONE ? err_memory(err) : false;
}

// Values in base64

static bool decode(const char *word, size_t max, struct strbuf *out)
{
	size_t len = strlen(word);

	return len / 4 * 3 <= max + 3 && base64_decode(out, word, len) && out->len <= max;
}

static bool read_base64(void *field, char *value, struct err *err)
{
	char **text = field;
	_cleanup_strbuf_ struct strbuf decoded = STRBUF_INIT(BOOT_FACTS_MAX_BYTES);

	if (*text || !*value || !decode(value, FILE_MAX_BYTES, &decoded) ||
	    memchr(strbuf_get(&decoded), '\0', decoded.len))
		return true;
	*text = strbuf_take(&decoded, err);
	return *text;
}

static bool read_mode(const char *word, unsigned *ret)
{
	*ret = 0;
	for (; *word >= '0' && *word <= '7' && *ret < 01000; word++)
		*ret = *ret * 8 + (unsigned)(*word - '0');
	return !*word;
}

static bool read_file(void *data, char *value, struct err *err)
{
	struct boot_facts *facts = data;
	const char *path = next_word(&value), *mode = next_word(&value), *text = next_word(&value);
	_cleanup_strbuf_ struct strbuf decoded = STRBUF_INIT(BOOT_FACTS_MAX_BYTES);
	struct boot_file_fact fact = {0};

	if (!mode || !read_mode(mode, &fact.mode) || boot_facts_file(facts, path))
		return true;
	if (decode(text ? text : "", FILE_MAX_BYTES, &decoded) &&
	    text_is_utf8(strbuf_get(&decoded), decoded.len) &&
	    !memchr(strbuf_get(&decoded), '\0', decoded.len)) {
		fact.len = decoded.len;
		fact.text = mem_dup(strbuf_get(&decoded));
		if (!fact.text)
			return err_memory(err);
	}
	fact.path = mem_dup(path);
	if (fact.path && add(&facts->files, &facts->file_count, &fact, sizeof(fact), err))
		return true;
	mem_free(fact.path);
	mem_free(fact.text);
	return err->kind == ERR_NONE ? err_memory(err) : false;
}

// The authority's certificate gives the pin, the kubelet's the node's name.
static bool note_certificate(struct boot_facts *facts, const char *path,
                             struct certificate *certificate, struct err *err)
{
	static const char user[] = "system:node:";

	if (!strcmp(path, "/etc/kubernetes/pki/ca.crt") &&
	    !read_text(&facts->ca_pin, certificate->pin, err))
		return false;
	if (!strcmp(path, "/var/lib/kubelet/pki/kubelet-client-current.pem") && certificate->name &&
	    !strncmp(certificate->name, user, strlen(user)))
		return read_text(&facts->node_name, certificate->name + strlen(user), err);
	return true;
}

static bool read_certificate(void *data, char *value, struct err *err)
{
	struct boot_facts *facts = data;
	const char *path = next_word(&value), *text = next_word(&value);
	_cleanup_strbuf_ struct strbuf pem = STRBUF_INIT(BOOT_FACTS_MAX_BYTES);
	_cleanup_certificate_ struct certificate certificate = {0};
	_cleanup_err_ struct err ignored = ERR_INIT;
	struct boot_certificate_fact fact;

	if (!text || !decode(text, FILE_MAX_BYTES, &pem) ||
	    !certificate_parse(strbuf_get(&pem), pem.len, &certificate, &ignored))
		return true;
	if (!note_certificate(facts, path, &certificate, err))
		return false;
	fact = (struct boot_certificate_fact){mem_dup(path), certificate.ends_s};
	if (fact.path && add(&facts->certificates, &facts->certificate_count, &fact, sizeof(fact), err))
		return true;
	mem_free(fact.path);
	return err->kind == ERR_NONE ? err_memory(err) : false;
}

// The lines

struct fact_key {
	const char *key;
	bool (*read)(void *field, char *value, struct err *err);
	size_t offset; // 0: the facts as a whole
};

#define FIELD(name) offsetof(struct boot_facts, name)

static const struct fact_key keys[] = {
	{"root", read_flag, FIELD(is_root)},
	{"clock", read_number, FIELD(clock_s)},
	{"os_id", read_text, FIELD(os_id)},
	{"os_like", read_text, FIELD(os_like)},
	{"os_version", read_text, FIELD(os_version)},
	{"os_codename", read_text, FIELD(os_codename)},
	{"os_name", read_text, FIELD(os_name)},
	{"kernel", read_text, FIELD(kernel)},
	{"machine", read_text, FIELD(machine)},
	{"host_name", read_text, FIELD(host_name)},
	{"machine_id", read_text, FIELD(machine_id)},
	{"product_uuid", read_text, FIELD(product_uuid)},
	{"virtualization", read_text, FIELD(virtualization)},
	{"interface", read_interface, 0},
	{"cpus", read_number, FIELD(cpus)},
	{"memory_kib", read_number, FIELD(memory_kib)},
	{"disk_free_kib", read_number, FIELD(disk_free_kib)},
	{"cgroup", read_cgroup, 0},
	{"selinux", read_selinux, FIELD(is_selinux_enforcing)},
	{"noexec", read_item, FIELD(noexec)},
	{"swap", read_item, FIELD(swaps)},
	{"fstab_swap", read_item, FIELD(fstab_swaps)},
	{"swap_unit", read_item, FIELD(swap_units)},
	{"zram_generator", read_flag, FIELD(has_zram_generator)},
	{"overlay", read_flag, FIELD(has_overlay)},
	{"br_netfilter", read_flag, FIELD(has_br_netfilter)},
	{"wireguard", read_flag, FIELD(has_wireguard)},
	{"ip_forward", read_number, FIELD(ip_forward)},
	{"bridge_iptables", read_number, FIELD(bridge_iptables)},
	{"bridge_ip6tables", read_number, FIELD(bridge_ip6tables)},
	{"ip6_forward", read_number, FIELD(ip6_forward)},
	{"inotify_watches", read_number, FIELD(inotify_watches)},
	{"inotify_instances", read_number, FIELD(inotify_instances)},
	{"cloud_init", read_cloud_init, FIELD(is_cloud_init_running)},
	{"package_lock", read_text, FIELD(package_lock)},
	{"busy", read_text, FIELD(busy)},
	{"address", read_address, 0},
	{"route", read_route, 0},
	{"listener", read_listener, 0},
	{"ssh_address", read_ip, FIELD(ssh_address)},
	{"endpoint_address", read_item, FIELD(endpoint_addresses)},
	{"own_name", read_flag, FIELD(is_own_name_known)},
	{"proxy", read_item, FIELD(proxies)},
	{"ufw", read_flag, FIELD(is_ufw_active)},
	{"firewalld", read_flag, FIELD(is_firewalld_running)},
	{"nft", read_flag, FIELD(has_nft)},
	{"nft_drop", read_flag, FIELD(has_nft_drop)},
	{"vpsml_firewall", read_flag, FIELD(is_vpsml_firewall_active)},
	{"command", read_item, FIELD(commands)},
	{"package", read_package, 0},
	{"candidate", read_item, FIELD(candidates)},
	{"active", read_item, FIELD(active_units)},
	{"enabled", read_item, FIELD(enabled_units)},
	{"containerd", read_version, FIELD(containerd)},
	{"kubelet", read_version, FIELD(kubelet)},
	{"kubeadm", read_version, FIELD(kubeadm)},
	{"containerd_dump", read_base64, FIELD(containerd_dump)},
	{"path", read_item, FIELD(paths)},
	{"file", read_file, 0},
	{"kubelet_server", read_text, FIELD(kubelet_server)},
	{"admin_server", read_text, FIELD(admin_server)},
	{"certificate", read_certificate, 0},
	{"api_ready", read_flag, FIELD(is_api_ready)},
	{"link", read_item, FIELD(links)},
	{"gpu", read_gpu, 0},
	{"driver", read_text, FIELD(driver)},
	{"gpus_working", read_number, FIELD(gpus_working)},
};

static bool read_line(struct boot_facts *facts, char *line, struct err *err)
{
	char *equals = strchr(line, '=');

	if (!equals)
		return true;
	*equals = '\0';
	for (size_t i = 0; i < COUNT_OF(keys); i++)
		if (!strcmp(keys[i].key, line))
			return keys[i].read((char *)facts + keys[i].offset, equals + 1, err);
	return true; // a newer script's
}

// The mark that a run of ours has left, lines of KEY=VALUE.
static bool read_mark(struct boot_facts *facts, struct err *err)
{
	const struct boot_file_fact *file = boot_facts_file(facts, "/var/lib/vpsml/state");
	_cleanup_strv_ struct strv lines = STRV_INIT;
	struct boot_mark *mark = &facts->mark;

	if (!file || !file->text)
		return true;
	mark->is_set = true;
	if (!strv_split(&lines, file->text, '\n', err))
		return false;
	for (size_t i = 0; i < lines.count; i++) {
		char *value = strchr(lines.items[i], '=');
		char **field = NULL;

		if (!value)
			continue;
		*value++ = '\0';
		if (!strcmp(lines.items[i], "cluster"))
			field = &mark->cluster;
		else if (!strcmp(lines.items[i], "run"))
			field = &mark->run;
		else if (!strcmp(lines.items[i], "step"))
			field = &mark->step;
		else if (!strcmp(lines.items[i], "done"))
			mark->is_done = !strcmp(value, "1");
		if (field && !read_text(field, value, err))
			return false;
	}
	return true;
}

// What follows from several facts.
static bool conclude(struct boot_facts *facts, struct err *err)
{
	static const char *const services[] = {"systemd-timesyncd", "chrony", "chronyd", "ntp",
	                                       "ntpsec"};

	for (size_t i = 0; i < COUNT_OF(services); i++)
		facts->is_time_synchronized |= strv_contains(&facts->active_units, services[i]);
	return read_mark(facts, err);
}

static void facts_init(struct boot_facts *facts)
{
	int64_t *const numbers[] = {
		&facts->clock_s,           &facts->cpus,         &facts->memory_kib,
		&facts->disk_free_kib,     &facts->ip_forward,   &facts->bridge_iptables,
		&facts->bridge_ip6tables,  &facts->ip6_forward,  &facts->inotify_watches,
		&facts->inotify_instances, &facts->gpus_working,
	};

	*facts = (struct boot_facts){.is_root = false};
	for (size_t i = 0; i < COUNT_OF(numbers); i++)
		*numbers[i] = -1;
}

static bool read_lines(struct boot_facts *facts, char *text, struct err *err)
{
	bool has_begun = false, has_ended = false;
	size_t lines = 0;

	for (char *line = text, *end; line; line = end) {
		end = strchr(line, '\n');
		if (end)
			*end++ = '\0';
		if (++lines > LINES_MAX)
			return err_set(err, ERR_FAILED, "facts: more than %d lines", LINES_MAX);
		has_begun |= !strcmp(line, "facts=1");
		has_ended |= has_begun && !strcmp(line, "facts_end=1");
		if (has_begun && !has_ended && !read_line(facts, line, err))
			return false;
	}
	if (!has_ended)
		return err_set(err, ERR_FAILED, "facts: the host's answer is cut off");
	return conclude(facts, err);
}

bool boot_facts_parse(const char *text, size_t len, struct boot_facts *ret, struct err *err)
{
	_cleanup_free_ char *copy = NULL;

	facts_init(ret);
	if (len > BOOT_FACTS_MAX_BYTES)
		return err_set(err, ERR_FAILED, "facts: more than %d bytes", BOOT_FACTS_MAX_BYTES);
	copy = mem_dup_n(text, len);
	if (!copy)
		return err_memory(err);
	if (read_lines(ret, copy, err))
		return true;
	boot_facts_release(ret);
	return false;
}

static void release_lists(struct boot_facts *facts)
{
	struct strv *const lists[] = {
		&facts->noexec,  &facts->swaps,    &facts->fstab_swaps,  &facts->swap_units,
		&facts->proxies, &facts->commands, &facts->active_units, &facts->enabled_units,
		&facts->paths,   &facts->links,    &facts->candidates,   &facts->endpoint_addresses,
	};

	for (size_t i = 0; i < COUNT_OF(lists); i++)
		strv_release(lists[i]);
}

static void release_arrays(struct boot_facts *facts)
{
	for (size_t i = 0; i < facts->interface_count; i++) {
		mem_free(facts->interfaces[i].name);
		mem_free(facts->interfaces[i].mac);
	}
	for (size_t i = 0; i < facts->address_count; i++)
		mem_free(facts->addresses[i].interface);
	for (size_t i = 0; i < facts->route_count; i++)
		mem_free(facts->routes[i].interface);
	for (size_t i = 0; i < facts->listener_count; i++)
		mem_free(facts->listeners[i].process);
	for (size_t i = 0; i < facts->package_count; i++) {
		mem_free(facts->packages[i].name);
		mem_free(facts->packages[i].version);
	}
	for (size_t i = 0; i < facts->file_count; i++) {
		mem_free(facts->files[i].path);
		mem_free(facts->files[i].text);
	}
	for (size_t i = 0; i < facts->certificate_count; i++)
		mem_free(facts->certificates[i].path);
	for (size_t i = 0; i < facts->gpu_count; i++) {
		mem_free(facts->gpus[i].bus);
		mem_free(facts->gpus[i].device);
	}
}

void boot_facts_release(struct boot_facts *facts)
{
	if (!facts)
		return;
	release_lists(facts);
	release_arrays(facts);
	for (size_t i = 0; i < COUNT_OF(keys); i++)
		if (keys[i].read == read_text || keys[i].read == read_base64)
			mem_free(*(char **)(void *)((char *)facts + keys[i].offset));
	mem_free(facts->node_name);
	mem_free(facts->ca_pin);
	mem_free(facts->mark.cluster);
	mem_free(facts->mark.run);
	mem_free(facts->mark.step);
	mem_free(facts->interfaces);
	mem_free(facts->addresses);
	mem_free(facts->routes);
	mem_free(facts->listeners);
	mem_free(facts->packages);
	mem_free(facts->files);
	mem_free(facts->certificates);
	mem_free(facts->gpus);
	facts_init(facts);
}
