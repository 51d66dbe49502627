// SPDX-License-Identifier: MIT
// What every API object has: who it is, and which request made it.
#pragma once

#include <stdint.h>

#include "kube/record.h"

struct kube_object_info {
	char *name, *namespace, *uid;
	char *request_id;   // annotation vpsml.dev/request-id; NULL: none
	int64_t deleted_ms; // 0: is not being deleted
};

extern const struct kube_record_kind kube_object_record; // of struct kube_object_info

void kube_object_info_release(struct kube_object_info *object);
