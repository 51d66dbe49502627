// SPDX-License-Identifier: MIT
#include "kube/discovery.h"

#include <string.h>

#include "base/json.h"
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
