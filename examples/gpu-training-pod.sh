#!/bin/sh
# SPDX-License-Identifier: MIT
# A Pod on a GPU node that holds no GPU there. vpsml warns of that, and of missing requests: -q.
set -e
vpsml render pod gpu-training-pod --image pytorch:2.0-gpu --container training-container \
	--affinity gpu=true -q
