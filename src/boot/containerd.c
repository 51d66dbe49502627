// SPDX-License-Identifier: MIT
#include "boot/containerd.h"

#include <string.h>

#include "boot/toml.h"

// Where the CRI plugin keeps what we set.
struct layout {
	int version;
	const char *runtime, *images; // tables
	const char *sandbox_table, *sandbox_key;
};

static const struct layout layouts[] = {
	{2, "plugins.\"io.containerd.grpc.v1.cri\"", "plugins.\"io.containerd.grpc.v1.cri\"",
     "plugins.\"io.containerd.grpc.v1.cri\"", "sandbox_image"},
	{3, "plugins.\"io.containerd.cri.v1.runtime\"", "plugins.\"io.containerd.cri.v1.images\"",
     "plugins.\"io.containerd.cri.v1.images\".pinned_images", "sandbox"},
	{4, "plugins.\"io.containerd.cri.v1.runtime\"", "plugins.\"io.containerd.cri.v1.images\"",
     "plugins.\"io.containerd.cri.v1.images\".pinned_images", "sandbox"},
};

const char *boot_pause_image(const struct boot_version *kubernetes)
{
	if (kubernetes->major > 1 || kubernetes->minor >= 34)
		return "pause:3.10.1";
	return kubernetes->minor >= 31 ? "pause:3.10" : "pause:3.9";
}

bool boot_containerd_serves(const struct boot_version *containerd,
                            const struct boot_version *kubernetes)
{
	static const struct {
		int kubernetes;               // from this minor version on
		struct boot_version first[3]; // oldest of each branch, newest branch first
	} rows[] = {
		{36, {{2, 2, 0}, {2, 2, 0}, {2, 2, 0}}},
		{35, {{2, 1, 5}, {1, 7, 28}, {1, 7, 28}}},
		{34, {{2, 0, 6}, {1, 7, 28}, {1, 6, 39}}},
		{0, {{2, 0, 0}, {1, 7, 0}, {1, 6, 15}}},
	};
	size_t row = 0;

	while (kubernetes->minor < rows[row].kubernetes)
		row++;
	if (boot_version_compare(containerd, &rows[row].first[0]) >= 0)
		return true;
	for (size_t i = 1; i < COUNT_OF(rows[row].first); i++)
		if (containerd->major == rows[row].first[i].major &&
		    containerd->minor == rows[row].first[i].minor &&
		    containerd->patch >= rows[row].first[i].patch)
			return true;
	return false;
}

// The version of a file: what it says, or what the containerd that is there would write.
static const struct layout *layout_of(const struct toml *toml,
                                      const struct boot_version *containerd, struct err *err)
{
	const char *said = toml_get(toml, "", "version");

	for (size_t i = 0; !said && i < toml->count; i++) {
		if (strncmp(toml->items[i].table, "plugins", 7) != 0)
			continue;
		err_set(err, ERR_FAILED, BOOT_CONTAINERD_ROOT ": of version 1, which is not supported");
		err_hint(err, "move it away, or write a newer one by `containerd config migrate`");
		return NULL;
	}
	if (!said)
		return &layouts[containerd->major >= 2 ? 1 : 0];
	for (size_t i = 0; i < COUNT_OF(layouts); i++)
		if (said[0] == '0' + layouts[i].version && !said[1])
			return &layouts[i];
	err_set(err, ERR_FAILED, BOOT_CONTAINERD_ROOT ": version %.20s is not supported", said);
	return NULL;
}

// A JSON value as TOML.
static void add_value(struct strbuf *out, const struct json *value)
{
	const struct json *item;

	switch (json_type(value)) {
	case JSON_STRING:
		toml_quote(out, json_string(value));
		break;
	case JSON_ARRAY:
		strbuf_add_char(out, '[');
		for (item = json_first(value); item; item = json_next(item)) {
			add_value(out, item);
			if (json_next(item))
				strbuf_add(out, ", ");
		}
		strbuf_add_char(out, ']');
		break;
	default:
		json_write(out, value);
	}
}

static bool set_text(struct toml *toml, const char *table, const char *below, const char *key,
                     const char *value, struct err *err)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(1024);

	strbuf_addf(&path, "%s%s", table, below);
	return strbuf_ok(&path, err) && toml_set(toml, strbuf_get(&path), key, value, err);
}

static bool set_string(struct toml *toml, const char *table, const char *below, const char *key,
                       const char *value, struct err *err)
{
	_cleanup_strbuf_ struct strbuf quoted = STRBUF_INIT(4096);

	toml_quote(&quoted, value);
	return strbuf_ok(&quoted, err) && set_text(toml, table, below, key, strbuf_get(&quoted), err);
}

static bool set_runtime(struct toml *toml, const struct layout *layout, const char *name,
                        const char *program, struct err *err)
{
	_cleanup_strbuf_ struct strbuf runtime = STRBUF_INIT(256), options = STRBUF_INIT(256);

	strbuf_addf(&runtime, ".containerd.runtimes.%s", name);
	strbuf_addf(&options, "%s.options", strbuf_get(&runtime));
	if (!set_string(toml, layout->runtime, strbuf_get(&runtime), "runtime_type",
	                "io.containerd.runc.v2", err))
		return false;
	if (program &&
	    !set_string(toml, layout->runtime, strbuf_get(&options), "BinaryName", program, err))
		return false;
	return set_text(toml, layout->runtime, strbuf_get(&options), "SystemdCgroup", "true", err);
}

// Settings of the inventory that stand below the plugin's own table.
static const struct {
	const char *key, *below;
	bool is_of_images;
} places[] = {
	{"bin_dir", ".cni", false},
	{"bin_dirs", ".cni", false},
	{"conf_dir", ".cni", false},
	{"config_path", ".registry", true},
	{"SystemdCgroup", ".containerd.runtimes.runc.options", false},
};

static bool set_own(struct toml *toml, const struct layout *layout, const struct json *settings,
                    struct err *err);

static bool set_setting(struct toml *toml, const char *table, const char *below,
                        const struct json *setting, struct err *err)
{
	_cleanup_strbuf_ struct strbuf value = STRBUF_INIT(64 << 10), path = STRBUF_INIT(1024);

	if (json_type(setting) == JSON_OBJECT) {
		strbuf_addf(&path, "%s.%s", below, json_name(setting));
		for (const struct json *item = json_first(setting); item; item = json_next(item))
			if (!set_setting(toml, table, strbuf_get(&path), item, err))
				return false;
		return strbuf_ok(&path, err);
	}
	add_value(&value, setting);
	return strbuf_ok(&value, err) &&
	       set_text(toml, table, below, json_name(setting), strbuf_get(&value), err);
}

static bool set_own(struct toml *toml, const struct layout *layout, const struct json *settings,
                    struct err *err)
{
	for (const struct json *item = json_first(settings); item; item = json_next(item)) {
		const char *below = "", *table = layout->runtime;

		for (size_t i = 0; i < COUNT_OF(places); i++) {
			if (strcmp(places[i].key, json_name(item)) != 0)
				continue;
			below = places[i].below;
			if (places[i].is_of_images)
				table = layout->images;
		}
		if (!set_setting(toml, table, below, item, err))
			return false;
	}
	return true;
}

// nvidia's runtime has runc's cgroup driver.
static bool set_nvidia(struct toml *toml, const struct layout *layout, struct err *err)
{
	_cleanup_strbuf_ struct strbuf options = STRBUF_INIT(256);
	const char *systemd;

	if (!set_runtime(toml, layout, "nvidia", "/usr/bin/nvidia-container-runtime", err))
		return false;
	strbuf_addf(&options, "%s.containerd.runtimes.runc.options", layout->runtime);
	systemd = toml_get(toml, strbuf_get(&options), "SystemdCgroup");
	return set_text(toml, layout->runtime, ".containerd.runtimes.nvidia.options", "SystemdCgroup",
	                systemd ? systemd : "true", err);
}

static bool set_all(struct toml *toml, const struct layout *layout,
                    const struct boot_inventory *inventory, bool has_gpu, struct err *err)
{
	_cleanup_strbuf_ struct strbuf pause = STRBUF_INIT(1024);

	strbuf_addf(&pause, "%s/%s", inventory->images.repository,
	            boot_pause_image(&inventory->kubernetes));
	return strbuf_ok(&pause, err) &&
	       set_string(toml, layout->sandbox_table, "", layout->sandbox_key, strbuf_get(&pause),
	                  err) &&
	       set_string(toml, layout->runtime, ".cni", "bin_dir", "/opt/cni/bin", err) &&
	       set_runtime(toml, layout, "runc", NULL, err) &&
	       (!inventory->containerd || set_own(toml, layout, inventory->containerd, err)) &&
	       (!has_gpu || set_nvidia(toml, layout, err));
}

// config.toml: its text with lines changed or put in before its first table.

static void add_without_cri(struct strbuf *out, const char *list)
{
	static const char *const names[] = {"\"cri\"", "'cri'", "\"io.containerd.grpc.v1.cri\"",
	                                    "'io.containerd.grpc.v1.cri'"};

	for (const char *at = list; *at;) {
		size_t len = 0;

		for (size_t i = 0; i < COUNT_OF(names); i++)
			if (!strncmp(at, names[i], strlen(names[i])))
				len = strlen(names[i]);
		at += len;
		if (len)
			at += strspn(at, ", \t\r\n");
		else
			strbuf_add_char(out, *at++);
	}
}

static void add_imports(struct strbuf *out, const char *list)
{
	static const char own[] = "\"/etc/containerd/conf.d/*.toml\"";
	const char *open = list ? strchr(list, '[') : NULL;

	if (!open) {
		strbuf_addf(out, "[%s]", own);
		return;
	}
	strbuf_addf(out, "[%s", own);
	open++;
	open += strspn(open, " \t\r\n");
	strbuf_addf(out, "%s%s", *open == ']' ? "" : ", ", open);
}

static bool is_disabled(const char *list)
{
	return list && (strstr(list, "\"cri\"") || strstr(list, "'cri'") ||
	                strstr(list, "io.containerd.grpc.v1.cri"));
}

// Adds TEXT with the values of imports and disabled_plugins replaced.
static void add_replaced(struct strbuf *out, const struct toml *toml, const char *text)
{
	size_t at = 0;

	for (size_t i = 0; i < toml->count && !toml->items[i].table[0]; i++) {
		const struct toml_entry *entry = &toml->items[i];

		strbuf_add_n(out, text + at, entry->start - at);
		if (!strcmp(entry->key, "imports") && !strstr(entry->value, "/etc/containerd/conf.d/"))
			add_imports(out, entry->value);
		else if (!strcmp(entry->key, "disabled_plugins") && is_disabled(entry->value))
			add_without_cri(out, entry->value);
		else
			strbuf_add(out, entry->value);
		at = entry->end;
	}
	strbuf_add(out, text + at);
}

static void render_root(struct strbuf *out, const struct toml *toml, const char *text,
                        const struct layout *layout)
{
	if (!toml_get(toml, "", "version"))
		strbuf_addf(out, "version = %d\n", layout->version);
	if (!toml_get(toml, "", "imports")) {
		strbuf_add(out, "imports = ");
		add_imports(out, NULL);
		strbuf_add_char(out, '\n');
	}
	add_replaced(out, toml, text);
}

bool boot_containerd_render(const struct boot_inventory *inventory, const char *text,
                            const struct boot_version *containerd, bool has_gpu,
                            struct strbuf *root, struct strbuf *drop_in, struct err *err)
{
	_cleanup_toml_ struct toml toml = {0};
	const struct layout *layout;

	if (!text)
		text = "";
	if (!toml_parse(text, strlen(text), &toml, err))
		return err_wrap(err, BOOT_CONTAINERD_ROOT);
	layout = layout_of(&toml, containerd, err);
	if (!layout)
		return false;
	render_root(root, &toml, text, layout);
	if (!set_all(&toml, layout, inventory, has_gpu, err))
		return false;
	strbuf_addf(
		drop_in,
		"# Written by vpsml. It repeats what config.toml has for the CRI plugin, because an\n"
		"# import replaces the whole section; `vpsml up` writes it anew.\nversion = %d\n",
		layout->version);
	toml_write_table(drop_in, &toml, layout->runtime);
	if (layout->images != layout->runtime && strcmp(layout->images, layout->runtime) != 0)
		toml_write_table(drop_in, &toml, layout->images);
	return strbuf_ok(root, err) && strbuf_ok(drop_in, err);
}
