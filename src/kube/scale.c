// SPDX-License-Identifier: MIT
#include "kube/scale.h"

#include "base/json_build.h"
#include "kube/collection.h"

enum { PATH_MAX_BYTES = 8192 };

static bool call(struct kube_client *client, const char *method, const char *namespace,
                 const char *name, const char *content, struct kube_reply *ret, struct err *err)
{
	_cleanup_strbuf_ struct strbuf path = STRBUF_INIT(PATH_MAX_BYTES);

	kube_path_write(&path, &kube_deployments, namespace, name);
	strbuf_add(&path, "/scale");
	if (content)
		kube_query_add(&path, "fieldManager", "vpsml");
	*ret = (struct kube_reply){0};
	if (!strbuf_ok(&path, err))
		return false;
	return kube_client_call(client, method, strbuf_get(&path),
	                        content ? "application/merge-patch+json" : NULL, content, NULL, ret,
	                        err) ||
	       err_wrap(err, "%s \"%s\"", kube_deployments.word, name);
}

bool kube_scale_get(struct kube_client *client, const char *namespace, const char *name,
                    int64_t *ret_replicas, bool *ret_is_missing, struct err *err)
{
	_cleanup_kube_reply_ struct kube_reply reply = {0};
	_cleanup_json_ struct json *tree = NULL;
	bool is_ok = call(client, "GET", namespace, name, NULL, &reply, err);

	*ret_is_missing = reply.status == 404;
	*ret_replicas = 0;
	tree = is_ok ? json_parse(reply.body, reply.body_len, err) : NULL;
	return tree && json_get_i64_optional(tree, "spec.replicas", ret_replicas, err);
}

static struct json *build_patch(int64_t replicas, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	json_build_open_object(&b, NULL);
	json_build_open_object(&b, "spec");
	json_put_i64(&b, "replicas", replicas);
	json_build_close(&b);
	json_build_close(&b);
	return json_build_take(&b, err);
}

bool kube_scale_set(struct kube_client *client, const char *namespace, const char *name,
                    int64_t replicas, struct err *err)
{
	_cleanup_kube_reply_ struct kube_reply reply = {0};
	_cleanup_json_ struct json *patch = build_patch(replicas, err);
	_cleanup_strbuf_ struct strbuf content = STRBUF_INIT(PATH_MAX_BYTES);

	if (!patch)
		return false;
	json_write(&content, patch);
	return strbuf_ok(&content, err) &&
	       call(client, "PATCH", namespace, name, strbuf_get(&content), &reply, err);
}
