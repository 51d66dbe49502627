#!/bin/sh
# SPDX-License-Identifier: MIT
# A Job that trains on one GPU.
set -e
vpsml render job cnn-training-job --image pytorch:2.0-gpu --container training-container \
	--gpus 1 --cpu 1 --memory 2Gi --cpu-limit 2 --memory-limit 4Gi
