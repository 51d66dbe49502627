// SPDX-License-Identifier: MIT
#include "kube/kubeconfig_merge.h"

#include <string.h>

#include "base/json_build.h"
#include "base/mem.h"
#include "base/strv.h"
#include "yaml/yaml.h"

enum { NAME_MAX_BYTES = 512, MAX_SUFFIX = 99 };

// The texts that are merged, parsed. `old` may have no root.
struct merge {
	struct yaml_document old, fresh;
	const struct json *cluster, *user; // of FRESH
	const char *server;
	struct strbuf name, user_name;
};

static const char *text_at(const struct json *tree, const char *path)
{
	const struct json *value = tree ? json_find(tree, path) : NULL;

	return value ? json_string(value) : "";
}

// The entry called NAME of the list at LIST, or NULL.
static const struct json *entry(const struct json *root, const char *list, const char *name)
{
	const struct json *items = root ? json_find(root, list) : NULL;
	const struct json *item = items ? json_first(items) : NULL;

	while (item && strcmp(text_at(item, "name"), name) != 0)
		item = json_next(item);
	return item;
}

static bool read_fresh(struct merge *merge, const char *text, size_t len, struct err *err)
{
	static const char name[] = "the cluster's kubeconfig";
	const struct json *context, *root;

	if (!yaml_parse_one(name, text, len, &yaml_limits_aliases, &merge->fresh, err))
		return false;
	root = merge->fresh.root;
	context = entry(root, "contexts", text_at(root, "current-context"));
	merge->cluster = entry(root, "clusters", text_at(context, "context.cluster"));
	merge->user = entry(root, "users", text_at(context, "context.user"));
	return (merge->cluster && merge->user) ||
	       err_set(err, ERR_FAILED, "%s: no context with a cluster and a user", name);
}

static bool is_list(const struct yaml_document *document, const char *name, struct err *err)
{
	const struct json *value = json_find(document->root, name);

	if (!value || json_type(value) == JSON_ARRAY || json_type(value) == JSON_NULL)
		return true;
	return yaml_error_at(err, document, yaml_value_span(document, value), "\"%s\" is not a list",
	                     name);
}

// An empty file, or one with comments alone, is no document.
static bool read_old(struct merge *merge, const char *name, const char *text, size_t len,
                     struct err *err)
{
	_cleanup_yaml_documents_ struct yaml_documents all = YAML_DOCUMENTS_INIT;

	if (!yaml_parse(name, text, len, &yaml_limits_aliases, &all, err))
		return false;
	if (!all.count)
		return true;
	if (all.count > 1)
		return err_set(err, ERR_USAGE, "%s: has several documents", name);
	merge->old = all.items[0];
	all.items[0] = (struct yaml_document)YAML_DOCUMENT_INIT;
	if (json_type(merge->old.root) != JSON_OBJECT)
		return yaml_error_at(err, &merge->old, yaml_value_span(&merge->old, merge->old.root),
		                     "is no kubeconfig");
	return is_list(&merge->old, "clusters", err) && is_list(&merge->old, "users", err) &&
	       is_list(&merge->old, "contexts", err);
}

// Is CLUSTER, an entry of a kubeconfig, the one that we bring? Where one has no authority in the file,
// the address must do.
static bool is_same_cluster(const struct merge *merge, const struct json *cluster)
{
	static const char authority[] = "cluster.certificate-authority-data";
	const char *a = text_at(cluster, authority), *b = text_at(merge->cluster, authority);

	if (*a && *b)
		return !strcmp(a, b);
	return !strcmp(text_at(cluster, "cluster.server"), merge->server);
}

// May the entries be called so? Nobody else's are then touched.
static bool is_name_ours(const struct merge *merge)
{
	const struct json *root = merge->old.root;
	const char *name = strbuf_get(&merge->name), *user = strbuf_get(&merge->user_name);
	const struct json *context = entry(root, "contexts", name);
	const struct json *cluster = entry(root, "clusters", name);

	if (cluster && !is_same_cluster(merge, cluster))
		return false;
	if (context) {
		const struct json *of_context =
			entry(root, "clusters", text_at(context, "context.cluster"));

		return !of_context || is_same_cluster(merge, of_context);
	}
	return cluster || !entry(root, "users", user);
}

static bool choose_name(struct merge *merge, const char *wanted, struct err *err)
{
	for (int i = 1; i <= MAX_SUFFIX; i++) {
		strbuf_clear(&merge->name);
		strbuf_clear(&merge->user_name);
		strbuf_add(&merge->name, wanted);
		if (i > 1)
			strbuf_addf(&merge->name, "-%d", i);
		strbuf_addf(&merge->user_name, "%s-admin", strbuf_get(&merge->name));
		if (!strbuf_ok(&merge->name, err) || !strbuf_ok(&merge->user_name, err))
			return false;
		if (is_name_ours(merge))
			return true;
	}
	return err_set(err, ERR_FAILED, "%s: all names from \"%s\" to \"%s\" are taken",
	               merge->old.name, wanted, strbuf_get(&merge->name));
}

// Puts all members of OBJECT but those in the NULL-terminated LEFT_OUT.
static void put_members(struct json_build *b, const struct json *object,
                        const char *const *left_out)
{
	for (const struct json *child = object ? json_first(object) : NULL; child;
	     child = json_next(child)) {
		bool is_left_out = false;

		for (const char *const *name = left_out; *name; name++)
			is_left_out |= !strcmp(json_name(child), *name);
		if (!is_left_out)
			json_put_tree(b, json_name(child), json_dup(child));
	}
}

static void put_cluster(struct json_build *b, const struct merge *merge)
{
	static const char *const own[] = {"server", NULL};

	json_build_open_object(b, NULL);
	json_build_open_object(b, "cluster");
	put_members(b, json_find(merge->cluster, "cluster"), own);
	json_put_string(b, "server", merge->server);
	json_build_close(b);
	json_put_string(b, "name", strbuf_get(&merge->name));
	json_build_close(b);
}

static void put_context(struct json_build *b, const struct merge *merge)
{
	static const char *const own[] = {"cluster", "user", NULL};
	const struct json *old = entry(merge->old.root, "contexts", strbuf_get(&merge->name));

	json_build_open_object(b, NULL);
	json_build_open_object(b, "context");
	json_put_string(b, "cluster", strbuf_get(&merge->name));
	put_members(b, old ? json_find(old, "context") : NULL, own);
	json_put_string(b, "user", strbuf_get(&merge->user_name));
	json_build_close(b);
	json_put_string(b, "name", strbuf_get(&merge->name));
	json_build_close(b);
}

static void put_user(struct json_build *b, const struct merge *merge)
{
	const struct json *user = json_find(merge->user, "user");

	json_build_open_object(b, NULL);
	json_put_string(b, "name", strbuf_get(&merge->user_name));
	json_put_tree(b, "user", user ? json_dup(user) : NULL);
	json_build_close(b);
}

// The list called LIST, with ours in the place of the one called NAME, or at its end.
static void put_list(struct json_build *b, const struct merge *merge, const char *list,
                     const char *name, void (*put)(struct json_build *, const struct merge *))
{
	const struct json *items = merge->old.root ? json_find(merge->old.root, list) : NULL;
	bool is_put = false;

	json_build_open_array(b, list);
	for (const struct json *item = items ? json_first(items) : NULL; item; item = json_next(item)) {
		if (strcmp(text_at(item, "name"), name) != 0) {
			json_put_tree(b, NULL, json_dup(item));
		} else if (!is_put) {
			put(b, merge);
			is_put = true;
		}
	}
	if (!is_put)
		put(b, merge);
	json_build_close(b);
}

static bool write_tree(struct json_build *b, struct strbuf *out, struct err *err)
{
	_cleanup_json_ struct json *tree = json_build_take(b, err);

	return tree && yaml_write(out, tree, err);
}

static bool write_merged(const struct merge *merge, bool keeps_current, struct strbuf *out,
                         struct err *err)
{
	static const char *const own[] = {"apiVersion", "clusters",        "contexts", "users",
	                                  "kind",       "current-context", NULL};
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	const char *name = strbuf_get(&merge->name), *current;

	current = text_at(merge->old.root, "current-context");
	json_build_open_object(&b, NULL);
	json_put_string(&b, "apiVersion", "v1");
	put_list(&b, merge, "clusters", name, put_cluster);
	put_list(&b, merge, "contexts", name, put_context);
	json_put_string(&b, "current-context", keeps_current && *current ? current : name);
	json_put_string(&b, "kind", "Config");
	put_members(&b, merge->old.root, own);
	put_list(&b, merge, "users", strbuf_get(&merge->user_name), put_user);
	json_build_close(&b);
	return write_tree(&b, out, err);
}

static void release(struct merge *merge)
{
	yaml_document_release(&merge->old);
	yaml_document_release(&merge->fresh);
	strbuf_release(&merge->name);
	strbuf_release(&merge->user_name);
}

#define MERGE_INIT                                                                    \
	{                                                                                 \
		.old = YAML_DOCUMENT_INIT, .fresh = YAML_DOCUMENT_INIT,                       \
		.name = STRBUF_INIT(NAME_MAX_BYTES), .user_name = STRBUF_INIT(NAME_MAX_BYTES) \
	}

bool kube_config_merge(const char *old_name, const char *old, size_t old_len,
                       const struct kube_config_addition *addition, struct strbuf *out,
                       char **ret_context, struct err *err)
{
	_cleanup_(release) struct merge merge = MERGE_INIT;

	if (!read_fresh(&merge, addition->fresh, addition->fresh_len, err) ||
	    !read_old(&merge, old_name, old, old_len, err))
		return false;
	merge.server = addition->server ? addition->server : text_at(merge.cluster, "cluster.server");
	if (!choose_name(&merge, addition->name, err) ||
	    !write_merged(&merge, addition->keeps_current, out, err))
		return false;
	*ret_context = strbuf_take(&merge.name, err);
	return *ret_context;
}

// Names that go: clusters, the contexts of these, the users of those.
struct gone {
	struct strv clusters, contexts, users;
};

static bool find_clusters(const struct merge *merge, struct gone *gone, struct err *err)
{
	const struct json *items = json_find(merge->old.root, "clusters");

	for (const struct json *item = items ? json_first(items) : NULL; item; item = json_next(item))
		if (is_same_cluster(merge, item) && !strv_add(&gone->clusters, text_at(item, "name"), err))
			return false;
	return true;
}

// A user goes with its contexts, unless another one has it too.
static bool find_contexts(const struct merge *merge, struct gone *gone, struct err *err)
{
	_cleanup_strv_ struct strv kept = STRV_INIT, used = STRV_INIT;
	const struct json *items = json_find(merge->old.root, "contexts");

	for (const struct json *item = items ? json_first(items) : NULL; item; item = json_next(item)) {
		bool goes = strv_contains(&gone->clusters, text_at(item, "context.cluster"));

		if (!strv_add(goes ? &used : &kept, text_at(item, "context.user"), err) ||
		    (goes && !strv_add(&gone->contexts, text_at(item, "name"), err)))
			return false;
	}
	for (size_t i = 0; i < used.count; i++)
		if (!strv_contains(&kept, used.items[i]) && !strv_add(&gone->users, used.items[i], err))
			return false;
	return true;
}

static void put_rest(struct json_build *b, const struct json *list, const struct strv *gone)
{
	json_build_open_array(b, json_name(list));
	for (const struct json *item = json_first(list); item; item = json_next(item))
		if (!strv_contains(gone, text_at(item, "name")))
			json_put_tree(b, NULL, json_dup(item));
	json_build_close(b);
}

static bool write_rest(const struct merge *merge, const struct gone *gone, struct strbuf *out,
                       struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	json_build_open_object(&b, NULL);
	for (const struct json *child = json_first(merge->old.root); child; child = json_next(child)) {
		const char *name = json_name(child);
		bool is_array = json_type(child) == JSON_ARRAY;

		if (is_array && !strcmp(name, "clusters"))
			put_rest(&b, child, &gone->clusters);
		else if (is_array && !strcmp(name, "contexts"))
			put_rest(&b, child, &gone->contexts);
		else if (is_array && !strcmp(name, "users"))
			put_rest(&b, child, &gone->users);
		else if (!strcmp(name, "current-context") &&
		         strv_contains(&gone->contexts, json_string(child)))
			json_put_string(&b, name, "");
		else
			json_put_tree(&b, name, json_dup(child));
	}
	json_build_close(&b);
	return write_tree(&b, out, err);
}

bool kube_config_forget(const char *old_name, const char *old, size_t old_len, const char *fresh,
                        size_t fresh_len, struct strbuf *out, size_t *ret_count, struct err *err)
{
	_cleanup_(release) struct merge merge = MERGE_INIT;
	struct gone gone = {STRV_INIT, STRV_INIT, STRV_INIT};
	bool is_ok;

	*ret_count = 0;
	if (!read_fresh(&merge, fresh, fresh_len, err) ||
	    !read_old(&merge, old_name, old, old_len, err))
		return false;
	if (!merge.old.root)
		return true;
	merge.server = text_at(merge.cluster, "cluster.server");
	is_ok = find_clusters(&merge, &gone, err) && find_contexts(&merge, &gone, err);
	*ret_count = gone.contexts.count;
	if (is_ok && gone.clusters.count)
		is_ok = write_rest(&merge, &gone, out, err);
	strv_release(&gone.clusters);
	strv_release(&gone.contexts);
	strv_release(&gone.users);
	return is_ok;
}
