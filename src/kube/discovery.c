// SPDX-License-Identifier: MIT
#include "kube/discovery.h"

#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "http/url.h"

enum { PATH_MAX_BYTES = 1024 };

const char *const kube_autoscaling_versions[] = {"v2", "v2beta2", "v1", NULL};
const char *const kube_metrics_versions[] = {"v1", "v1beta1", NULL};

static bool has_version(const struct json *list, const char *version)
{
	for (const struct json *item = json_first(list); item; item = json_next(item)) {
		const struct json *own = json_find(item, "version");

		if (own && !strcmp(json_string(own), version))
			return true;
	}
	return false;
}

bool kube_discovery_parse(const char *text, size_t len, const char *const *versions,
                          const char **ret, struct err *err)
{
	_cleanup_json_ struct json *tree = json_parse(text, len, err);
	const struct json *list;

	*ret = NULL;
	if (!tree || !json_get_array(tree, "versions", &list, err))
		return false;
	while (*versions && !has_version(list, *versions))
		versions++;
	*ret = *versions;
	return true;
}

bool kube_discover(struct kube_client *client, const char *group, const char *const *versions,
                   const char **ret, struct err *err)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);
	_cleanup_kube_reply_ struct kube_reply reply = {0};
	_cleanup_err_ struct err failure = ERR_INIT;

	*ret = NULL;
	strbuf_add(&path, "/apis/");
	http_url_encode(&path, group);
	if (!strbuf_ok(&path, err))
		return false;
	if (!kube_client_call(client, "GET", strbuf_get(&path), NULL, NULL, NULL, &reply, &failure)) {
		if (reply.status == 404)
			return true;
		err_copy(err, &failure);
		return err_wrap(err, "versions of %s", group);
	}
	return kube_discovery_parse(reply.body, reply.body_len, versions, ret, err) ||
	       err_wrap(err, "versions of %s", group);
}

// "pods/log" and its like are parts of another one.
static bool is_kind(const struct json *item, const char *kind)
{
	const struct json *own = json_find(item, "kind"), *name = json_find(item, "name");

	return own && name && !strcmp(json_string(own), kind) && !strchr(json_string(name), '/');
}

bool kube_discovery_parse_kind(const char *text, size_t len, const char *kind,
                               struct kube_kind *ret, struct err *err)
{
	_cleanup_json_ struct json *tree = json_parse(text, len, err);
	const struct json *list, *item;
	const char *name;

	if (!tree || !json_get_array(tree, "resources", &list, err))
		return false;
	item = json_first(list);
	while (item && !is_kind(item, kind))
		item = json_next(item);
	if (!item)
		return true;
	if (!json_get_string(item, "name", &name, err) ||
	    !json_get_bool(item, "namespaced", &ret->is_namespaced, err))
		return false;
	ret->plural = mem_dup(name);
	return ret->plural || err_memory(err);
}

bool kube_discover_kind(struct kube_client *client, const char *group_version, const char *kind,
                        struct kube_kind *ret, struct err *err)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);
	_cleanup_kube_reply_ struct kube_reply reply = {0};
	_cleanup_err_ struct err failure = ERR_INIT;

	*ret = (struct kube_kind){NULL, false};
	// Characters of a path's own would lead elsewhere.
	if (strpbrk(group_version, "?#%") || strstr(group_version, ".."))
		return err_set(err, ERR_USAGE, "\"%s\" is no version of an API", group_version);
	strbuf_addf(&path, "%s%s", strchr(group_version, '/') ? "/apis/" : "/api/", group_version);
	if (!strbuf_ok(&path, err))
		return false;
	if (!kube_client_call(client, "GET", strbuf_get(&path), NULL, NULL, NULL, &reply, &failure)) {
		if (reply.status == 404)
			return true;
		err_copy(err, &failure);
		return err_wrap(err, "kinds of %s", group_version);
	}
	return kube_discovery_parse_kind(reply.body, reply.body_len, kind, ret, err) ||
	       err_wrap(err, "kinds of %s", group_version);
}

void kube_kind_release(struct kube_kind *kind)
{
	mem_free(kind->plural);
	*kind = (struct kube_kind){NULL, false};
}
