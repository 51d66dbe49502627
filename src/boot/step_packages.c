// SPDX-License-Identifier: MIT
// Packages, and where they come from: apt's repositories with their keys, proxies, authorities.
#include <string.h>

#include "base/mem.h"
#include "boot/containerd.h"
#include "boot/step_list.h"
#include "boot/upstream.h"
#include "ssh/quote.h"

#define KEYRINGS "/etc/apt/keyrings/"
#define SOURCES "/etc/apt/sources.list.d/"

// What step_packages.c knows of one repository.
struct repository {
	const char *name; // of its files
	char *line;       // behind the key's option
	const struct boot_source *key;
	const char *key_text; // of the file that the inventory names
	char *default_key;    // URL
};

static void quoted(struct strbuf *out, const char *word)
{
	quote_word(out, word);
}

static bool is_none(const char *repository)
{
	return !repository || !strcmp(repository, "none");
}

// Proxies

static void add_no_proxy(struct strbuf *out, const struct boot_inventory *inventory)
{
	strbuf_add(out, "localhost,127.0.0.1,::1,.svc,.cluster.local,");
	boot_cidr_write(out, &inventory->network.pod_cidr);
	strbuf_add_char(out, ',');
	boot_cidr_write(out, &inventory->network.svc_cidr);
	// kubeadm#324: programs that do not know CIDRs in it need each address
	for (size_t i = 0; i < inventory->host_count; i++) {
		const struct boot_host *host = &inventory->hosts[i];

		strbuf_addf(out, ",%s", host->name);
		if (!host->node_ip.is_set)
			continue;
		strbuf_add_char(out, ',');
		boot_ip_write(out, &host->node_ip);
	}
	if (inventory->endpoint)
		strbuf_addf(out, ",%s", inventory->endpoint);
	for (size_t i = 0; i < inventory->proxy.no.count; i++)
		strbuf_addf(out, ",%s", inventory->proxy.no.items[i]);
}

// systemd and apt both keep a value between double quotes.
static void add_setting(struct strbuf *out, const char *format, const char *value)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(16 << 10);

	for (; *value; value++) {
		if (*value == '%')
			strbuf_add(&text, "%%"); // systemd's own sign
		else if (*value != '"' && *value != '\\' && *value != '\n')
			strbuf_add_char(&text, *value);
	}
	for (const char *at = format; *at; at++) {
		if (*at == '@')
			strbuf_add(out, strbuf_get(&text));
		else
			strbuf_add_char(out, *at);
	}
}

static void add_proxy(struct step_list *list)
{
	static const char apt_path[] = "/etc/apt/apt.conf.d/95vpsml-proxy";
	static const char unit_path[] = "/etc/systemd/system/containerd.service.d/vpsml-proxy.conf";
	const struct boot_proxy *proxy = &list->inventory->proxy;
	_cleanup_strbuf_ struct strbuf apt = STRBUF_INIT(64 << 10), unit = STRBUF_INIT(64 << 10);
	_cleanup_strbuf_ struct strbuf no = STRBUF_INIT(64 << 10);
	struct boot_step *step;

	if (!proxy->http && !proxy->https)
		return;
	add_no_proxy(&no, list->inventory);
	strbuf_add(&unit, "[Service]\n");
	if (proxy->http) {
		strbuf_addf(&apt, "Acquire::http::Proxy \"%s\";\n", proxy->http);
		add_setting(&unit, "Environment=\"HTTP_PROXY=@\"\n", proxy->http);
	}
	if (proxy->https) {
		strbuf_addf(&apt, "Acquire::https::Proxy \"%s\";\n", proxy->https);
		add_setting(&unit, "Environment=\"HTTPS_PROXY=@\"\n", proxy->https);
	}
	add_setting(&unit, "Environment=\"NO_PROXY=@\"\n", strbuf_get(&no));
	if (!step_file_differs(list, apt_path, strbuf_get(&apt)) &&
	    !step_file_differs(list, unit_path, strbuf_get(&unit)))
		return;
	step = step_add(list, BOOT_PREPARE, BOOT_WORK_OWN, "proxy", 60,
	                "let apt and containerd go through the proxy");
	step_file(list, step, apt_path, 0600, strbuf_get(&apt))->is_secret = true;
	step_file(list, step, unit_path, 0600, strbuf_get(&unit))->is_secret = true;
	step_text(list, &step->act,
	          "systemctl daemon-reload\n"
	          "if systemctl -q is-active containerd; then systemctl restart containerd; fi\n");
}

// Repositories

static const char *distribution(const struct boot_facts *facts)
{
	if (facts->os_id &&
	    (!strcmp(facts->os_id, "ubuntu") || (facts->os_like && strstr(facts->os_like, "ubuntu"))))
		return "ubuntu";
	return "debian";
}

static void add_repository(struct step_list *list, struct boot_step **step,
                           const struct repository *repository)
{
	_cleanup_strbuf_ struct strbuf key = STRBUF_INIT(256), path = STRBUF_INIT(256);
	_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(8192), url = STRBUF_INIT(8192);
	bool has_key;

	strbuf_addf(&key, KEYRINGS "vpsml-%s.asc", repository->name);
	strbuf_addf(&path, SOURCES "vpsml-%s.list", repository->name);
	strbuf_addf(&line, "deb [signed-by=%s] %s\n", strbuf_get(&key), repository->line);
	has_key = repository->key_text
	              ? !step_file_differs(list, strbuf_get(&key), repository->key_text)
	              : boot_facts_file(list->facts, strbuf_get(&key)) != NULL;
	if (has_key && !step_file_differs(list, strbuf_get(&path), strbuf_get(&line)))
		return;
	if (!*step)
		*step = step_add(list, BOOT_PREPARE, BOOT_WORK_PACKAGES, "repositories", 300,
		                 "add package repositories and their keys");
	step_text(list, &(*step)->why, "%s%s", (*step)->why ? ", " : "not there: ", repository->name);
	step_file(list, *step, strbuf_get(&path), 0644, strbuf_get(&line));
	if (repository->key_text) {
		step_file(list, *step, strbuf_get(&key), 0644, repository->key_text);
		return;
	}
	quoted(&url, repository->key->url ? repository->key->url : repository->default_key);
	step_text(list, &(*step)->act, "fetch %s %s\n", strbuf_get(&url), strbuf_get(&key));
}

static bool is_wanted_version(const struct step_list *list, const struct boot_version *found)
{
	return found->major &&
	       (list->is_member || !boot_version_compare(found, &list->inventory->kubernetes));
}

// Adds "NAME=VERSION-*" for those that kubeadm's repository has.
static void add_kubernetes_packages(const struct step_list *list, struct strbuf *names)
{
	const struct boot_version *wanted = &list->inventory->kubernetes;
	const struct boot_facts *facts = list->facts;
	const struct {
		const char *name;
		bool is_there;
	} packages[] = {
		{"kubelet", is_wanted_version(list, &facts->kubelet)},
		{"kubeadm", is_wanted_version(list, &facts->kubeadm)},
		{"kubectl", boot_facts_has_command(facts, "kubectl")},
	};

	for (size_t i = 0; i < COUNT_OF(packages); i++)
		if (!packages[i].is_there)
			strbuf_addf(names, " '%s=%d.%d.%d-*'", packages[i].name, wanted->major, wanted->minor,
			            wanted->patch);
	if (!boot_facts_has_command(facts, "crictl"))
		strbuf_add(names, " cri-tools");
	if (names->len && !boot_facts_package(facts, "kubernetes-cni"))
		strbuf_add(names, " kubernetes-cni");
}

// Where they came from elsewhere, and nothing is to be installed, our repository has no business.
static bool needs_kubernetes(const struct step_list *list)
{
	_cleanup_strbuf_ struct strbuf names = STRBUF_INIT(4096);

	add_kubernetes_packages(list, &names);
	return names.len || boot_facts_file(list->facts, SOURCES "vpsml-kubernetes.list");
}

static char *text_of(struct step_list *list, struct strbuf *text)
{
	char *taken = list->is_failed ? NULL : strbuf_take(text, list->err);

	list->is_failed |= !taken;
	return taken;
}

static void add_kubernetes_repository(struct step_list *list, struct boot_step **step)
{
	const struct boot_packages *packages = &list->inventory->packages;
	_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(4096), key = STRBUF_INIT(4096);
	struct repository repository = {.name = "kubernetes", .key = &packages->key};

	if (is_none(packages->repository) || !needs_kubernetes(list))
		return;
	strbuf_addf(&line, "%s/v%d.%d/deb/ /", packages->repository, list->inventory->kubernetes.major,
	            list->inventory->kubernetes.minor);
	strbuf_addf(&key, "%s/v%d.%d/deb/Release.key", packages->repository,
	            list->inventory->kubernetes.major, list->inventory->kubernetes.minor);
	repository.key_text = list->texts ? list->texts->kubernetes_key : NULL;
	repository.line = text_of(list, &line);
	repository.default_key = text_of(list, &key);
	if (!list->is_failed)
		add_repository(list, step, &repository);
	mem_free(repository.line);
	mem_free(repository.default_key);
}

static void add_containerd_repository(struct step_list *list, struct boot_step **step)
{
	const struct boot_packages *packages = &list->inventory->packages;
	const char *package = step_containerd_package(list), *base = packages->containerd_repository;
	_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(4096), key = STRBUF_INIT(4096);
	struct repository repository = {.name = "containerd", .key = &packages->containerd_key};

	if (!package || strcmp(package, "containerd.io") != 0 || is_none(base))
		return;
	if (boot_facts_package(list->facts, package) &&
	    !boot_facts_file(list->facts, SOURCES "vpsml-containerd.list"))
		return; // it came from elsewhere
	strbuf_addf(&line, "%s/%s %s stable", base, distribution(list->facts),
	            list->facts->os_codename ? list->facts->os_codename : "stable");
	strbuf_addf(&key, "%s/%s/gpg", base, distribution(list->facts));
	repository.key_text = list->texts ? list->texts->containerd_key : NULL;
	repository.line = text_of(list, &line);
	repository.default_key = text_of(list, &key);
	if (!list->is_failed)
		add_repository(list, step, &repository);
	mem_free(repository.line);
	mem_free(repository.default_key);
}

static bool wants_toolkit(const struct step_list *list)
{
	return list->has_gpu && list->facts->driver && !list->inventory->gpu.is_toolkit_installed &&
	       !boot_facts_has_command(list->facts, "nvidia-container-runtime");
}

static void add_nvidia_repository(struct step_list *list, struct boot_step **step)
{
	const struct boot_packages *packages = &list->inventory->packages;
	_cleanup_strbuf_ struct strbuf line = STRBUF_INIT(4096), key = STRBUF_INIT(4096);
	struct repository repository = {.name = "nvidia", .key = &packages->nvidia_key};

	if (!wants_toolkit(list) || is_none(packages->nvidia_repository))
		return;
	strbuf_addf(&line, "%s/$(ARCH) /", packages->nvidia_repository);
	strbuf_add(&key, boot_upstream_nvidia_key);
	repository.key_text = list->texts ? list->texts->nvidia_key : NULL;
	repository.line = text_of(list, &line);
	repository.default_key = text_of(list, &key);
	if (!list->is_failed)
		add_repository(list, step, &repository);
	mem_free(repository.line);
	mem_free(repository.default_key);
}

// Packages

// "NAME VERSION" among the candidates.
static bool candidate(const struct boot_facts *facts, const char *name, struct boot_version *ret)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < facts->candidates.count; i++) {
		const char *item = facts->candidates.items[i];

		if (!strncmp(item, name, len) && item[len] == ' ')
			return boot_version_scan(item + len + 1, ret);
	}
	return false;
}

const char *step_containerd_package(const struct step_list *list)
{
	const struct boot_facts *facts = list->facts;
	const struct boot_version *kubernetes = &list->inventory->kubernetes;
	struct boot_version offered;

	if (list->is_member && facts->containerd.major)
		return NULL;
	switch (list->inventory->packages.containerd) {
	case BOOT_CONTAINERD_INSTALLED:
		return NULL;
	case BOOT_CONTAINERD_DISTRIBUTION:
		return "containerd";
	case BOOT_CONTAINERD_IO:
		return "containerd.io";
	default:
		break;
	}
	if (facts->containerd.major && boot_containerd_serves(&facts->containerd, kubernetes))
		return NULL;
	if (candidate(facts, "containerd", &offered) && boot_containerd_serves(&offered, kubernetes))
		return "containerd";
	return "containerd.io";
}

static void add_other_packages(const struct step_list *list, struct strbuf *names)
{
	const char *containerd = step_containerd_package(list);
	const struct boot_facts *facts = list->facts;

	if (containerd && !boot_facts_package(facts, containerd))
		strbuf_addf(names, " %s", containerd);
	if (!boot_facts_has_command(facts, "iptables"))
		strbuf_add(names, " iptables");
	if (!boot_facts_has_command(facts, "conntrack"))
		strbuf_add(names, " conntrack");
	if (wants_toolkit(list))
		strbuf_add(names, " nvidia-container-toolkit");
}

static void add_packages(struct step_list *list)
{
	_cleanup_strbuf_ struct strbuf names = STRBUF_INIT(4096);
	struct boot_step *step;

	add_kubernetes_packages(list, &names);
	add_other_packages(list, &names);
	if (!names.len)
		return;
	step = step_add(list, BOOT_PREPARE, BOOT_WORK_PACKAGES, "packages", 1800, "install%s",
	                strbuf_get(&names));
	if (list->facts->package_lock)
		step_text(list, &step->why, "apt is held by process %s, which is waited for",
		          list->facts->package_lock);
	// Held packages of another version are ours to change: the host is of no cluster yet.
	step_text(list, &step->act,
	          "apt_update\n"
	          "apt_get install --no-install-recommends --allow-downgrades "
	          "--allow-change-held-packages%s\n",
	          strbuf_get(&names));
	step_text(
		list, &step->act,
		"for name in kubelet kubeadm kubectl%s; do\n"
		"\tif dpkg -s \"$name\" >/dev/null 2>&1; then apt-mark hold \"$name\" >/dev/null; fi\n"
		"done\n",
		list->has_gpu ? " $(dpkg-query -W -f '${Package}\\n' 'nvidia-driver-*' 2>/dev/null)" : "");
	step_text(list, &step->verify,
	          "for name in kubelet kubeadm kubectl containerd crictl; do\n"
	          "\tif ! command -v \"$name\" >/dev/null; then\n"
	          "\t\techo \"$name is still not there\" >&2\n\t\texit 1\n\tfi\ndone\n");
}

// Without it apt trusts no server that speaks TLS.
static void add_certificates(struct step_list *list)
{
	struct boot_step *step;

	if (boot_facts_package(list->facts, "ca-certificates"))
		return;
	step = step_add(list, BOOT_PREPARE, BOOT_WORK_PACKAGES, "ca-certificates", 900,
	                "install ca-certificates");
	step_text(list, &step->why, "without it apt trusts no server that speaks TLS");
	step_text(list, &step->act,
	          "apt_update\napt_get install --no-install-recommends ca-certificates\n");
}

static void add_authority(struct step_list *list)
{
	static const char path[] = "/usr/local/share/ca-certificates/vpsml-images.crt";
	const char *text = list->texts ? list->texts->images_ca : NULL;
	struct boot_step *step;

	if (!text || !step_file_differs(list, path, text))
		return;
	step = step_add(list, BOOT_PREPARE, BOOT_WORK_OWN, "authority", 120,
	                "trust the authority of the image registry");
	step_file(list, step, path, 0644, text);
	step_text(list, &step->act,
	          "update-ca-certificates >/dev/null\n"
	          "if systemctl -q is-active containerd; then systemctl restart containerd; fi\n");
}

void step_add_packages(struct step_list *list)
{
	struct boot_step *repositories = NULL;

	add_proxy(list);
	add_certificates(list);
	add_authority(list);
	add_kubernetes_repository(list, &repositories);
	add_containerd_repository(list, &repositories);
	add_nvidia_repository(list, &repositories);
	add_packages(list);
}
