// SPDX-License-Identifier: MIT
// The options that describe an autoscaler: flags → struct kube_hpa.
#pragma once

#include "cli/option.h"
#include "kube/hpa.h"

// Their fields are in struct kube_hpa.
extern const struct cli_group cmd_hpa_group;

// Takes the target from the arguments: "deploy/NAME" or, as kubectl has it too, "deploy NAME".
bool cmd_hpa_take_target(const struct cli_context *context, struct kube_hpa *hpa,
                         struct err *err) _nodiscard_;
