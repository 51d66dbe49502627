// SPDX-License-Identifier: MIT
// Which option sets a field of a workload's objects: what the API server says of a field is shown to the
// user under the option that they typed.
#pragma once

#include "kube/status.h"

kube_flag_of_field_fn cmd_flag_of_field;
