// SPDX-License-Identifier: MIT
#include "kube/deployment.h"

#include "base/json_build.h"
#include "kube/meta.h"
#include "kube/pod.h"

static void put_selector(const struct kube_workload *workload, struct json_build *b)
{
	const char *name = kube_pairs_get(&workload->labels, KUBE_LABEL_NAME);

	json_build_open_object(b, "selector");
	json_build_open_object(b, "matchLabels");
	json_put_string(b, KUBE_LABEL_NAME, name ? name : workload->name);
	json_build_close(b);
	json_build_close(b);
}

struct json *kube_deployment_build(const struct kube_workload *workload, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;

	json_build_open_object(&b, NULL);
	json_put_string(&b, "apiVersion", "apps/v1");
	json_put_string(&b, "kind", "Deployment");
	kube_meta_put(workload, &b);
	json_build_open_object(&b, "spec");
	if (!workload->hpa.max_replicas)
		json_put_i64(&b, "replicas", workload->replicas == KUBE_UNSET ? 1 : workload->replicas);
	put_selector(workload, &b);
	json_build_open_object(&b, "template");
	kube_meta_put_template(workload, &b);
	kube_pod_put_spec(workload, &b);
	json_build_close(&b);
	json_build_close(&b);
	json_build_close(&b);
	return json_build_take(&b, err);
}
