// SPDX-License-Identifier: MIT
// metadata of the objects that we create.
#pragma once

#include "base/json_build.h"
#include "kube/workload.h"

#define KUBE_LABEL_MANAGED_BY "app.kubernetes.io/managed-by"
#define KUBE_LABEL_NAME "app.kubernetes.io/name"
#define KUBE_LABEL_QUEUE "kueue.x-k8s.io/queue-name"
#define KUBE_LABEL_USER "vpsml.dev/user"
#define KUBE_ANNOTATION_REQUEST_ID "vpsml.dev/request-id"

// Puts "metadata" of the workload's main object: name, namespace, labels, annotations.
void kube_meta_put(const struct kube_workload *workload, struct json_build *b);

// Puts "metadata" of the pods that it makes: labels and annotations alone.
void kube_meta_put_template(const struct kube_workload *workload, struct json_build *b);

// Puts "metadata" of an object that serves it, of the same name: labels of ours alone, and its Job as
// owner, where its uid is known, so that it goes with the Job.
void kube_meta_put_companion(const struct kube_workload *workload, struct json_build *b);
