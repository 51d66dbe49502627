// SPDX-License-Identifier: MIT
#include "kube/priority.h"

#include <string.h>

#include "base/json_build.h"
#include "kube/name.h"

const struct kube_priority kube_priority_defaults[] = {
	{"vpsml-low", 1000, false, "runs when nothing else waits"},
	{"vpsml-normal", 10000, false, "training jobs in general"},
	{"vpsml-high", 100000, false, "goes first, evicts nothing"},
	{"vpsml-urgent", 1000000, true, "goes first and evicts jobs of lower priority"},
};
const size_t kube_priority_default_count = COUNT_OF(kube_priority_defaults);

bool kube_priority_check(const struct kube_priority *priority, struct err *err)
{
	static const char reserved[] = "system-";

	if (!strncmp(priority->name, reserved, strlen(reserved)))
		return err_set(err, ERR_USAGE, "\"%s\": names that begin with \"%s\" are the system's",
		               priority->name, reserved);
	return kube_name_check_subdomain(priority->name, err);
}

struct json *kube_priority_build(const struct kube_priority *priority, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	json_build_open_object(&b, NULL);
	json_put_string(&b, "apiVersion", "scheduling.k8s.io/v1");
	json_put_string(&b, "kind", "PriorityClass");
	json_build_open_object(&b, "metadata");
	json_put_string(&b, "name", priority->name);
	json_build_close(&b);
	json_put_i64(&b, "value", priority->value);
	json_put_string(&b, "preemptionPolicy", priority->preempts ? "PreemptLowerPriority" : "Never");
	if (priority->description)
		json_put_string(&b, "description", priority->description);
	json_build_close(&b);
	return json_build_take(&b, err);
}
