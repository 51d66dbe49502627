// SPDX-License-Identifier: MIT
// References to container images: [HOST[:PORT]/]PATH[:TAG][@DIGEST] (distribution's grammar).
#pragma once

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"

// Refuses what kubelet would answer with InvalidImageName, after the job was accepted.
bool kube_image_check(const char *image, struct err *err) _nodiscard_;
