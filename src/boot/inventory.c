// SPDX-License-Identifier: MIT
#include "boot/inventory.h"

#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "boot/inventory_read.h"
#include "boot/upstream.h"

enum { FILE_MAX_BYTES = 1 << 20, API_PORT = 6443 };

static const struct boot_cidr flannel_pods = {{{10, 244}, false, true}, 16};
static const struct boot_cidr calico_pods = {{{10, 233, 64}, false, true}, 18};
static const struct boot_cidr services = {{{10, 96}, false, true}, 12};

static void set_default(struct boot_reader *reader, char **field, const char *text)
{
	if (!*field)
		boot_set_text(reader, field, text);
}

static void set_start(struct boot_inventory *inventory)
{
	*inventory = (struct boot_inventory){
		.endpoint_port = API_PORT,
		.network = {.svc_cidr = services},
		.has_firewall = true,
		.gpu = {.has_device_plugin = true, .taint_effect = "PreferNoSchedule"},
		.metrics = {.is_enabled = true, .is_tls_insecure = true},
	};
}

static void set_defaults(struct boot_reader *reader)
{
	struct boot_inventory *inventory = reader->inventory;
	struct boot_packages *packages = &inventory->packages;
	struct boot_images *images = &inventory->images;

	if (!inventory->network.pod_cidr.ip.is_set)
		inventory->network.pod_cidr =
			inventory->network.plugin == BOOT_PLUGIN_CALICO ? calico_pods : flannel_pods;
	set_default(reader, &packages->repository, boot_upstream_packages);
	set_default(reader, &packages->containerd_repository, boot_upstream_containerd_packages);
	set_default(reader, &packages->nvidia_repository, boot_upstream_nvidia_packages);
	if (!packages->nvidia_key.path)
		set_default(reader, &packages->nvidia_key.url, boot_upstream_nvidia_key);
	set_default(reader, &images->repository, boot_upstream_images);
	set_default(reader, &images->flannel, boot_upstream_flannel_image);
	set_default(reader, &images->flannel_cni, boot_upstream_flannel_cni_image);
	set_default(reader, &images->metrics_server, boot_upstream_metrics_server_image);
	set_default(reader, &images->device_plugin, boot_upstream_device_plugin_image);
	set_default(reader, &inventory->gpu.resource, "nvidia.com/gpu");
	if (inventory->network.plugin == BOOT_PLUGIN_CALICO && !inventory->network.manifest.path)
		set_default(reader, &inventory->network.manifest.url, boot_upstream_calico_manifest);
}

static void set_ssh(struct boot_reader *reader, struct boot_ssh *ssh)
{
	const struct boot_ssh *all = &reader->ssh;

	if (all->user)
		set_default(reader, &ssh->user, all->user);
	if (all->identity)
		set_default(reader, &ssh->identity, all->identity);
	if (all->jump)
		set_default(reader, &ssh->jump, all->jump);
	if (!ssh->port)
		ssh->port = all->port;
	if (!ssh->has_host_key) {
		ssh->host_key = all->host_key;
		ssh->has_host_key = all->has_host_key;
	}
}

static void read_all(struct boot_reader *reader)
{
	struct boot_inventory *inventory = reader->inventory;

	boot_read_root(reader);
	set_defaults(reader);
	for (size_t i = 0; i < inventory->host_count; i++)
		set_ssh(reader, &inventory->hosts[i].ssh);
	if (json_type(reader->document->root) == JSON_OBJECT)
		boot_check_inventory(reader);
}

static bool finish(struct boot_reader *reader, struct err *err)
{
	bool is_ok = faults_none(&reader->faults, err);

	reader->inventory->warnings = reader->faults.warnings;
	reader->faults.warnings = (struct strv)STRV_INIT;
	return is_ok;
}

bool boot_inventory_parse(const char *file, const char *folder, const char *text, size_t len,
                          struct boot_inventory *ret, struct err *err)
{
	_cleanup_yaml_document_ struct yaml_document document = YAML_DOCUMENT_INIT;
	_cleanup_boot_inventory_ struct boot_inventory inventory;
	struct boot_reader reader = {
		.document = &document,
		.folder = folder ? folder : ".",
		.inventory = &inventory,
		.faults = FAULTS_INIT,
	};
	bool is_ok;

	set_start(&inventory);
	if (!yaml_parse_one(file, text, len, &yaml_limits_aliases, &document, err))
		return false;
	boot_set_text(&reader, &inventory.file, file);
	boot_set_text(&reader, &inventory.folder, reader.folder);
	read_all(&reader);
	is_ok = finish(&reader, err);
	faults_release(&reader.faults);
	boot_ssh_release(&reader.ssh);
	if (!is_ok)
		return false;
	*ret = inventory;
	inventory = (struct boot_inventory){0};
	return true;
}

bool boot_inventory_load(const char *path, struct boot_inventory *ret, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(FILE_MAX_BYTES);
	_cleanup_free_ char *folder = mem_dup(path);
	char *slash;

	if (!folder)
		return err_memory(err);
	if (!file_read(path, &text, err))
		return false;
	slash = strrchr(folder, '/');
	if (slash)
		slash[slash == folder] = '\0';
	return boot_inventory_parse(path, slash ? folder : NULL, strbuf_get(&text), text.len, ret, err);
}

const struct boot_host *boot_inventory_host(const struct boot_inventory *inventory,
                                            const char *name)
{
	for (size_t i = 0; i < inventory->host_count; i++)
		if (!strcmp(inventory->hosts[i].name, name))
			return &inventory->hosts[i];
	return NULL;
}

size_t boot_inventory_control_planes(const struct boot_inventory *inventory)
{
	size_t count = 0;

	for (size_t i = 0; i < inventory->host_count; i++)
		count += inventory->hosts[i].is_control_plane;
	return count;
}

size_t boot_inventory_first(const struct boot_inventory *inventory)
{
	size_t index = 0;

	while (index + 1 < inventory->host_count && !inventory->hosts[index].is_control_plane)
		index++;
	return index;
}

bool boot_inventory_ignores(const struct boot_inventory *inventory, const char *check)
{
	return strv_contains(&inventory->ignore_preflight, check);
}

void boot_ssh_release(struct boot_ssh *ssh)
{
	mem_free(ssh->address);
	mem_free(ssh->user);
	mem_free(ssh->identity);
	mem_free(ssh->jump);
	*ssh = (struct boot_ssh){0};
}

static void source_release(struct boot_source *source)
{
	mem_free(source->url);
	mem_free(source->path);
}

static void host_release(struct boot_host *host)
{
	mem_free(host->name);
	boot_ssh_release(&host->ssh);
	for (size_t i = 0; i < host->labels.count; i++) {
		mem_free(host->labels.items[i].key);
		mem_free(host->labels.items[i].value);
	}
	mem_free(host->labels.items);
	for (size_t i = 0; i < host->taint_count; i++) {
		mem_free(host->taints[i].key);
		mem_free(host->taints[i].value);
	}
	mem_free(host->taints);
}

static void packages_release(struct boot_packages *packages)
{
	mem_free(packages->repository);
	source_release(&packages->key);
	mem_free(packages->containerd_repository);
	source_release(&packages->containerd_key);
	mem_free(packages->nvidia_repository);
	source_release(&packages->nvidia_key);
}

static void images_release(struct boot_images *images)
{
	mem_free(images->repository);
	mem_free(images->ca);
	mem_free(images->flannel);
	mem_free(images->flannel_cni);
	mem_free(images->metrics_server);
	mem_free(images->device_plugin);
}

void boot_inventory_release(struct boot_inventory *inventory)
{
	mem_free(inventory->file);
	mem_free(inventory->folder);
	mem_free(inventory->name);
	mem_free(inventory->endpoint);
	strv_release(&inventory->api_server_names);
	mem_free(inventory->network.interface);
	source_release(&inventory->network.manifest);
	mem_free(inventory->network.sha256);
	packages_release(&inventory->packages);
	images_release(&inventory->images);
	mem_free(inventory->proxy.http);
	mem_free(inventory->proxy.https);
	strv_release(&inventory->proxy.no);
	mem_free(inventory->gpu.resource);
	strv_release(&inventory->ignore_preflight);
	json_free(inventory->kubelet);
	json_free(inventory->kube_proxy);
	json_free(inventory->cluster_configuration);
	json_free(inventory->containerd);
	for (size_t i = 0; i < inventory->host_count; i++)
		host_release(&inventory->hosts[i]);
	mem_free(inventory->hosts);
	strv_release(&inventory->warnings);
	*inventory = (struct boot_inventory){0};
}
