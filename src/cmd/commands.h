// SPDX-License-Identifier: MIT
// Every command of vpsml. One file each: cmd_NAME.c.
#pragma once

#include "cli/command.h"

extern const struct cli_command cmd_root; // its verbs are the commands, in the order of --help

extern const struct cli_command cmd_autoscale;
extern const struct cli_command cmd_cancel;
extern const struct cli_command cmd_complete; // hidden
extern const struct cli_command cmd_completion;
extern const struct cli_command cmd_get;
extern const struct cli_command cmd_cordon;
extern const struct cli_command cmd_drain;
extern const struct cli_command cmd_help;
extern const struct cli_command cmd_options;
extern const struct cli_command cmd_init;
extern const struct cli_command cmd_join;
extern const struct cli_command cmd_list;
extern const struct cli_command cmd_logs;
extern const struct cli_command cmd_plan;
extern const struct cli_command cmd_nodes;
extern const struct cli_command cmd_render;
extern const struct cli_command cmd_render_affinity;
extern const struct cli_command cmd_render_hpa;
extern const struct cli_command cmd_render_priority;
extern const struct cli_command cmd_resume;
extern const struct cli_command cmd_run;
extern const struct cli_command cmd_scale;
extern const struct cli_command cmd_setup;
extern const struct cli_command cmd_up;
extern const struct cli_command cmd_kubeconfig;
extern const struct cli_command cmd_remove;
extern const struct cli_command cmd_down;
extern const struct cli_command cmd_ssh;
extern const struct cli_command cmd_status;
extern const struct cli_command cmd_submit;
extern const struct cli_command cmd_suspend;
extern const struct cli_command cmd_top;
extern const struct cli_command cmd_uncordon;
extern const struct cli_command cmd_version;
extern const struct cli_command cmd_wait;
