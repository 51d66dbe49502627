// SPDX-License-Identifier: MIT
// The options that describe a workload: flags → struct kube_workload. Each row names its parser;
// rules that concern several values are in kube/workload_check.c.
#pragma once

#include "cli/option.h"
#include "kube/workload.h"

// Their fields are in struct kube_workload.
extern const struct cli_group cmd_container_group;
extern const struct cli_group cmd_resources_group;
extern const struct cli_group cmd_environment_group;
extern const struct cli_group cmd_storage_group;
extern const struct cli_group cmd_placement_group;
extern const struct cli_group cmd_metadata_group;
extern const struct cli_group cmd_namespace_group;  // where no cluster is asked
extern const struct cli_group cmd_time_group;       // Job, Pod
extern const struct cli_group cmd_job_group;        // Job
extern const struct cli_group cmd_deployment_group; // Deployment

// Takes the name and the command from the context's arguments.
bool cmd_workload_take_args(struct cli_context *context, struct kube_workload *workload,
                            struct err *err) _nodiscard_;
