// SPDX-License-Identifier: MIT
#include "kube/service.h"

#include "base/json_build.h"
#include "kube/meta.h"

struct json *kube_service_build(const struct kube_workload *workload, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	json_build_open_object(&b, NULL);
	json_put_string(&b, "apiVersion", "v1");
	json_put_string(&b, "kind", "Service");
	kube_meta_put_companion(workload, &b);
	json_build_open_object(&b, "spec");
	json_put_string(&b, "clusterIP", "None");
	json_put_bool(&b, "publishNotReadyAddresses", true);
	json_build_open_object(&b, "selector");
	json_put_string(&b, "job-name", workload->name);
	json_build_close(&b);
	json_build_close(&b);
	json_build_close(&b);
	return json_build_take(&b, err);
}
