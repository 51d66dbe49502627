// SPDX-License-Identifier: MIT
// An Event (core/v1) as the API server shows it: what happened to an object, and why.
#pragma once

#include <stdint.h>

#include "kube/record.h"

struct kube_event_info {
	char *name, *namespace;
	char *object_kind, *object_name, *object_uid;
	char *type, *reason, *message; // type: Normal, Warning
	int64_t count;
	int64_t created_ms, last_ms; // last: 0 where the event says no time of its own
};

extern const struct kube_record_kind kube_event_record; // of struct kube_event_info

void kube_event_info_release(struct kube_event_info *event);
