// SPDX-License-Identifier: MIT
#include "kube/meta.h"

// One of our labels, unless the user gave one with this key.
static void put_label(const struct kube_workload *workload, const char *key, const char *value,
                      struct json_build *b)
{
	if (!kube_pairs_get(&workload->labels, key))
		json_put_string(b, key, value);
}

static void put_labels(const struct kube_workload *workload, bool has_queue, struct json_build *b)
{
	json_build_open_object(b, "labels");
	put_label(workload, KUBE_LABEL_NAME, workload->name, b);
	put_label(workload, KUBE_LABEL_MANAGED_BY, "vpsml", b);
	if (workload->user)
		put_label(workload, KUBE_LABEL_USER, workload->user, b);
	if (has_queue && workload->queue)
		put_label(workload, KUBE_LABEL_QUEUE, workload->queue, b);
	kube_pairs_put(&workload->labels, b);
	json_build_close(b);
}

static void put_annotations(const struct kube_workload *workload, const char *request_id,
                            struct json_build *b)
{
	if (!workload->annotations.count && !request_id)
		return;
	json_build_open_object(b, "annotations");
	if (request_id)
		json_put_string(b, KUBE_ANNOTATION_REQUEST_ID, request_id);
	kube_pairs_put(&workload->annotations, b);
	json_build_close(b);
}

static void put_name(const struct kube_workload *workload, struct json_build *b)
{
	json_put_string(b, "name", workload->name);
	if (workload->namespace)
		json_put_string(b, "namespace", workload->namespace);
}

void kube_meta_put(const struct kube_workload *workload, struct json_build *b)
{
	json_build_open_object(b, "metadata");
	put_name(workload, b);
	put_labels(workload, true, b);
	put_annotations(workload, workload->request_id, b);
	json_build_close(b);
}

void kube_meta_put_template(const struct kube_workload *workload, struct json_build *b)
{
	json_build_open_object(b, "metadata");
	put_labels(workload, false, b);
	put_annotations(workload, NULL, b);
	json_build_close(b);
}

static void put_owner(const struct kube_workload *workload, struct json_build *b)
{
	if (!workload->owner_uid)
		return;
	json_build_open_array(b, "ownerReferences");
	json_build_open_object(b, NULL);
	json_put_string(b, "apiVersion", "batch/v1");
	json_put_string(b, "kind", "Job");
	json_put_string(b, "name", workload->name);
	json_put_string(b, "uid", workload->owner_uid);
	json_build_close(b);
	json_build_close(b);
}

void kube_meta_put_companion(const struct kube_workload *workload, struct json_build *b)
{
	json_build_open_object(b, "metadata");
	put_name(workload, b);
	json_build_open_object(b, "labels");
	json_put_string(b, KUBE_LABEL_NAME, workload->name);
	json_put_string(b, KUBE_LABEL_MANAGED_BY, "vpsml");
	json_build_close(b);
	if (workload->request_id) {
		json_build_open_object(b, "annotations");
		json_put_string(b, KUBE_ANNOTATION_REQUEST_ID, workload->request_id);
		json_build_close(b);
	}
	put_owner(workload, b);
	json_build_close(b);
}
