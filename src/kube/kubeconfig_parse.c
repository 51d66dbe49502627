// SPDX-License-Identifier: MIT
// One kubeconfig file: from YAML (or JSON, which is YAML too) to entries.
#include <string.h>

#include "base/digest.h"
#include "base/mem.h"
#include "kube/kubeconfig.h"
#include "yaml/yaml.h"

enum { DATA_MAX_BYTES = 1024 * 1024, PATH_MAX_BYTES = 4096, LINE_MAX_BYTES = 64 * 1024 };

struct reader {
	struct kube_config *config;
	const struct yaml_document *document;
	const char *folder;
};

enum field_type {
	FIELD_TEXT,
	FIELD_PATH, // relative to the file's folder
	FIELD_DATA, // base64
	FIELD_FLAG,
};

struct field {
	const char *name;
	enum field_type type;
	size_t offset; // in its struct
};

static bool fault(const struct reader *reader, const struct json *value, const char *what,
                  struct err *err)
{
	return yaml_error_at(err, reader->document, yaml_value_span(reader->document, value), "%s",
	                     what);
}

// The member NAME of OBJECT in *RET, NULL where it is absent or null; false where it is of
// another type.
static bool member(const struct reader *reader, const struct json *object, const char *name,
                   enum json_type type, const struct json **ret, struct err *err)
{
	static const char *const types[] = {
		[JSON_BOOL] = "true or false", [JSON_NUMBER] = "a number", [JSON_STRING] = "a text",
		[JSON_ARRAY] = "a list",       [JSON_OBJECT] = "a map",    [JSON_NULL] = "nothing"};
	const struct json *value = json_find(object, name);

	*ret = NULL;
	if (!value || json_type(value) == JSON_NULL)
		return true;
	if (json_type(value) != type)
		return yaml_error_at(err, reader->document, yaml_value_span(reader->document, value),
		                     "\"%s\" is not %s", name, types[type]);
	*ret = value;
	return true;
}

static bool set_text(char **ret, const char *text, struct err *err)
{
	char *copy = *text ? mem_dup(text) : NULL;

	if (*text && !copy)
		return err_memory(err);
	mem_free(*ret);
	*ret = copy;
	return true;
}

static bool set_path(const struct reader *reader, char **ret, const char *text, struct err *err)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);

	if (*text && *text != '/' && *reader->folder) {
		strbuf_addf(&path, "%s/", reader->folder);
		while (!strncmp(text, "./", 2)) // one way to write it, for rules about programs
			text += 2;
	}
	strbuf_add(&path, text);
	return strbuf_ok(&path, err) && set_text(ret, strbuf_get(&path), err);
}

// Base64, in as many lines as the writer liked.
static bool set_data(const struct reader *reader, char **ret, const struct json *value,
                     struct err *err)
{
	_cleanup_strbuf_ struct strbuf joined = STRBUF_INIT(DATA_MAX_BYTES);
	_cleanup_strbuf_ struct strbuf data = STRBUF_INIT(DATA_MAX_BYTES);
	bool is_base64;

	for (const char *c = json_string(value); *c; c++)
		if (!strchr(" \t\r\n", *c))
			strbuf_add_char(&joined, *c);
	if (!strbuf_ok(&joined, err))
		return false;
	is_base64 = base64_decode(&data, strbuf_get(&joined), joined.len);
	if (!strbuf_ok(&data, err))
		return false;
	if (!is_base64 || strlen(strbuf_get(&data)) != data.len)
		return fault(reader, value, "not base64 of a text", err);
	return set_text(ret, strbuf_get(&data), err);
}

static bool read_field(const struct reader *reader, const struct json *object,
                       const struct field *field, void *record, struct err *err)
{
	void *place = (char *)record + field->offset;
	const struct json *value;

	if (!member(reader, object, field->name, field->type == FIELD_FLAG ? JSON_BOOL : JSON_STRING,
	            &value, err))
		return false;
	if (!value)
		return true;
	switch (field->type) {
	case FIELD_TEXT:
		return set_text(place, json_string(value), err);
	case FIELD_PATH:
		return set_path(reader, place, json_string(value), err);
	case FIELD_DATA:
		return set_data(reader, place, value, err);
	case FIELD_FLAG:
	default:
		*(bool *)place = json_is_true(value);
		return true;
	}
}

static bool read_fields(const struct reader *reader, const struct json *object,
                        const struct field *fields, size_t count, void *record, struct err *err)
{
	for (size_t i = 0; i < count; i++)
		if (!read_field(reader, object, &fields[i], record, err))
			return false;
	return true;
}

static bool read_texts(const struct reader *reader, const struct json *object, const char *name,
                       struct strv *ret, struct err *err)
{
	const struct json *list, *item;

	if (!member(reader, object, name, JSON_ARRAY, &list, err))
		return false;
	for (item = list ? json_first(list) : NULL; item; item = json_next(item)) {
		if (json_type(item) != JSON_STRING)
			return fault(reader, item, "not a text", err);
		if (!strv_add(ret, json_string(item), err))
			return false;
	}
	return true;
}

static bool add_pair(struct strv *list, const char *name, const char *value, struct err *err)
{
	_cleanup_strbuf_ struct strbuf pair = STRBUF_INIT(LINE_MAX_BYTES);

	strbuf_addf(&pair, "%s=%s", name, value);
	return strbuf_ok(&pair, err) && strv_add(list, strbuf_get(&pair), err);
}

// Clusters

// The setting that a cluster has for exec plugins stays JSON.
static bool read_extensions(const struct reader *reader, const struct json *object,
                            struct kube_cluster *cluster, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = STRBUF_INIT(LINE_MAX_BYTES);
	const struct json *list, *item, *value;

	if (!member(reader, object, "extensions", JSON_ARRAY, &list, err))
		return false;
	for (item = list ? json_first(list) : NULL; item; item = json_next(item)) {
		if (!member(reader, item, "name", JSON_STRING, &value, err))
			return false;
		if (!value || strcmp(json_string(value), "client.authentication.k8s.io/exec") != 0)
			continue;
		value = json_find(item, "extension");
		if (value)
			json_write(&text, value);
	}
	return strbuf_ok(&text, err) && set_text(&cluster->exec_config, strbuf_get(&text), err);
}

static bool read_cluster(const struct reader *reader, const struct json *object, void *record,
                         struct err *err)
{
	static const struct field fields[] = {
		{"server", FIELD_TEXT, offsetof(struct kube_cluster, server)},
		{"tls-server-name", FIELD_TEXT, offsetof(struct kube_cluster, tls_server_name)},
		{"insecure-skip-tls-verify", FIELD_FLAG, offsetof(struct kube_cluster, is_insecure)},
		{"certificate-authority", FIELD_PATH, offsetof(struct kube_cluster, ca_path)},
		{"certificate-authority-data", FIELD_DATA, offsetof(struct kube_cluster, ca_data)},
		{"proxy-url", FIELD_TEXT, offsetof(struct kube_cluster, proxy_url)},
		{"disable-compression", FIELD_FLAG, offsetof(struct kube_cluster, is_uncompressed)},
	};

	return read_fields(reader, object, fields, COUNT_OF(fields), record, err) &&
	       read_extensions(reader, object, record, err);
}

// Users

static bool read_exec_env(const struct reader *reader, const struct json *object,
                          struct kube_exec *exec, struct err *err)
{
	const struct json *list, *item, *name, *value;

	if (!member(reader, object, "env", JSON_ARRAY, &list, err))
		return false;
	for (item = list ? json_first(list) : NULL; item; item = json_next(item)) {
		if (!member(reader, item, "name", JSON_STRING, &name, err) ||
		    !member(reader, item, "value", JSON_STRING, &value, err))
			return false;
		if (!name || !*json_string(name))
			return fault(reader, item, "an environment variable without a name", err);
		if (!add_pair(&exec->env, json_string(name), value ? json_string(value) : "", err))
			return false;
	}
	return true;
}

static bool read_exec_mode(const struct reader *reader, const struct json *object,
                           struct kube_exec *exec, struct err *err)
{
	static const char *const words[] = {"", "Never", "IfAvailable", "Always"};
	const struct json *value;

	if (!member(reader, object, "interactiveMode", JSON_STRING, &value, err))
		return false;
	for (size_t i = 0; value && i < COUNT_OF(words); i++) {
		if (!strcmp(json_string(value), words[i])) {
			exec->mode = (enum kube_exec_mode)i;
			return true;
		}
	}
	return !value || fault(reader, value, "not one of Never, IfAvailable and Always", err);
}

static bool read_exec(const struct reader *reader, const struct json *user, struct kube_exec *exec,
                      struct err *err)
{
	static const struct field fields[] = {
		{"command", FIELD_TEXT, offsetof(struct kube_exec, command)},
		{"apiVersion", FIELD_TEXT, offsetof(struct kube_exec, api_version)},
		{"installHint", FIELD_TEXT, offsetof(struct kube_exec, install_hint)},
		{"provideClusterInfo", FIELD_FLAG, offsetof(struct kube_exec, wants_cluster)},
	};
	const struct json *object;

	if (!member(reader, user, "exec", JSON_OBJECT, &object, err))
		return false;
	if (!object)
		return true;
	if (!read_fields(reader, object, fields, COUNT_OF(fields), exec, err) ||
	    !read_texts(reader, object, "args", &exec->args, err) ||
	    !read_exec_env(reader, object, exec, err) || !read_exec_mode(reader, object, exec, err))
		return false;
	if (!exec->command)
		return fault(reader, object, "\"exec\" without a command", err);
	// A bare name is looked up in PATH; one with a slash belongs to the file's folder.
	if (strchr(exec->command, '/')) {
		_cleanup_free_ char *command = TAKE(exec->command);

		return set_path(reader, &exec->command, command, err);
	}
	return true;
}

static bool read_extra(const struct reader *reader, const struct json *object,
                       struct kube_user *user, struct err *err)
{
	const struct json *map, *values, *item;

	if (!member(reader, object, "as-user-extra", JSON_OBJECT, &map, err))
		return false;
	for (values = map ? json_first(map) : NULL; values; values = json_next(values)) {
		if (json_type(values) != JSON_ARRAY)
			return fault(reader, values, "not a list", err);
		for (item = json_first(values); item; item = json_next(item))
			if (!add_pair(&user->as_extra, json_name(values), json_string(item), err))
				return false;
	}
	return true;
}

static bool read_auth_provider(const struct reader *reader, const struct json *object,
                               struct kube_user *user, struct err *err)
{
	const struct json *provider, *name;

	if (!member(reader, object, "auth-provider", JSON_OBJECT, &provider, err))
		return false;
	if (!provider)
		return true;
	return member(reader, provider, "name", JSON_STRING, &name, err) &&
	       set_text(&user->auth_provider, name ? json_string(name) : "unnamed", err);
}

static bool read_user(const struct reader *reader, const struct json *object, void *record,
                      struct err *err)
{
	static const struct field fields[] = {
		{"client-certificate", FIELD_PATH, offsetof(struct kube_user, certificate_path)},
		{"client-certificate-data", FIELD_DATA, offsetof(struct kube_user, certificate_data)},
		{"client-key", FIELD_PATH, offsetof(struct kube_user, key_path)},
		{"client-key-data", FIELD_DATA, offsetof(struct kube_user, key_data)},
		{"token", FIELD_TEXT, offsetof(struct kube_user, token)},
		{"tokenFile", FIELD_PATH, offsetof(struct kube_user, token_path)},
		{"username", FIELD_TEXT, offsetof(struct kube_user, username)},
		{"password", FIELD_TEXT, offsetof(struct kube_user, password)},
		{"as", FIELD_TEXT, offsetof(struct kube_user, as)},
		{"as-uid", FIELD_TEXT, offsetof(struct kube_user, as_uid)},
	};
	struct kube_user *user = record;

	return read_fields(reader, object, fields, COUNT_OF(fields), user, err) &&
	       read_texts(reader, object, "as-groups", &user->as_groups, err) &&
	       read_extra(reader, object, user, err) && read_auth_provider(reader, object, user, err) &&
	       read_exec(reader, object, &user->exec, err);
}

static bool read_context(const struct reader *reader, const struct json *object, void *record,
                         struct err *err)
{
	static const struct field fields[] = {
		{"cluster", FIELD_TEXT, offsetof(struct kube_context, cluster)},
		{"user", FIELD_TEXT, offsetof(struct kube_context, user)},
		{"namespace", FIELD_TEXT, offsetof(struct kube_context, namespace_)},
	};

	return read_fields(reader, object, fields, COUNT_OF(fields), record, err);
}

// Lists of named entries

struct section {
	const char *list, *entry; // "clusters", "cluster"
	size_t size;              // of the struct, which starts with its name
	size_t items, count;      // offsets in struct kube_config
	bool (*read)(const struct reader *reader, const struct json *object, void *record,
	             struct err *err);
};

static const struct section sections[] = {
	{"clusters", "cluster", sizeof(struct kube_cluster), offsetof(struct kube_config, clusters),
     offsetof(struct kube_config, cluster_count), read_cluster},
	{"users", "user", sizeof(struct kube_user), offsetof(struct kube_config, users),
     offsetof(struct kube_config, user_count), read_user},
	{"contexts", "context", sizeof(struct kube_context), offsetof(struct kube_config, contexts),
     offsetof(struct kube_config, context_count), read_context},
};

static bool has_entry(const struct kube_config *config, const struct section *section,
                      const char *name)
{
	const char *items = *(char *const *)((const char *)config + section->items);
	size_t count = *(const size_t *)((const char *)config + section->count);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(*(char *const *)(items + i * section->size), name))
			return true;
	return false;
}

// A zeroed entry with a name at the end of the section's array.
static void *add_entry(struct kube_config *config, const struct section *section, const char *name,
                       struct err *err)
{
	char **items = (char **)((char *)config + section->items);
	size_t *count = (size_t *)((char *)config + section->count);
	char *longer = mem_resize(*items, (*count + 1) * section->size);
	char *entry;

	if (!longer) {
		err_memory(err);
		return NULL;
	}
	*items = longer;
	entry = longer + *count * section->size;
	memset(entry, 0, section->size);
	*(char **)entry = mem_dup(name);
	if (!*(char **)entry) {
		err_memory(err);
		return NULL;
	}
	++*count;
	return entry;
}

static bool is_twice(const struct json *list, const struct json *item, const char *name)
{
	for (const struct json *other = json_first(list); other != item; other = json_next(other)) {
		const struct json *value = json_find(other, "name");

		if (value && !strcmp(json_string(value), name))
			return true;
	}
	return false;
}

static bool read_entry(const struct reader *reader, const struct section *section,
                       const struct json *list, const struct json *item, struct err *err)
{
	const struct json *value, *object;
	const char *name;
	void *entry;

	if (json_type(item) != JSON_OBJECT)
		return fault(reader, item, "not a map", err);
	if (!member(reader, item, "name", JSON_STRING, &value, err) ||
	    !member(reader, item, section->entry, JSON_OBJECT, &object, err))
		return false;
	name = value ? json_string(value) : "";
	if (is_twice(list, item, name))
		return fault(reader, item, "a name that stands in this list before", err);
	if (has_entry(reader->config, section, name))
		return true; // an earlier file's, as a whole
	entry = add_entry(reader->config, section, name, err);
	return entry && (!object || section->read(reader, object, entry, err));
}

static bool read_section(const struct reader *reader, const struct section *section,
                         const struct json *root, struct err *err)
{
	const struct json *list, *item;

	if (!member(reader, root, section->list, JSON_ARRAY, &list, err))
		return false;
	for (item = list ? json_first(list) : NULL; item; item = json_next(item))
		if (!read_entry(reader, section, list, item, err))
			return false;
	return true;
}

static bool check_constant(const struct reader *reader, const struct json *root, const char *name,
                           const char *expected, struct err *err)
{
	const struct json *value;

	if (!member(reader, root, name, JSON_STRING, &value, err))
		return false;
	if (!value || !*json_string(value) || !strcmp(json_string(value), expected))
		return true;
	return yaml_error_at(err, reader->document, yaml_value_span(reader->document, value),
	                     "%s is \"%s\", not %s", name, json_string(value), expected);
}

static bool read_root(const struct reader *reader, struct err *err)
{
	const struct json *root = reader->document->root, *current;
	struct kube_config *config = reader->config;

	if (json_type(root) != JSON_OBJECT)
		return fault(reader, root, "not a kubeconfig", err);
	if (!check_constant(reader, root, "kind", "Config", err) ||
	    !check_constant(reader, root, "apiVersion", "v1", err) ||
	    !member(reader, root, "current-context", JSON_STRING, &current, err))
		return false;
	if (current && !config->current_context &&
	    !set_text(&config->current_context, json_string(current), err))
		return false;
	for (size_t i = 0; i < COUNT_OF(sections); i++)
		if (!read_section(reader, &sections[i], root, err))
			return false;
	return true;
}

bool kube_config_add(struct kube_config *config, const char *name, const char *folder,
                     const char *text, size_t len, struct err *err)
{
	_cleanup_yaml_documents_ struct yaml_documents documents = YAML_DOCUMENTS_INIT;
	struct reader reader = {.config = config, .folder = folder};

	if (!yaml_parse(name, text, len, &yaml_limits_aliases, &documents, err))
		return false;
	if (!documents.count)
		return true;
	// What stands behind a second "---" is not read by client-go either.
	reader.document = &documents.items[0];
	return read_root(&reader, err);
}
