#!/bin/sh
# SPDX-License-Identifier: MIT
# Three workers with two GPUs each train together. torchrun finds its settings in the environment.
set -e
vpsml render job gan --image pytorch:2.0-gpu --workers 3 --gpus 2 --cpu 8 --memory 32Gi \
	--data datasets:/data:ro --priority vpsml-high --time 12h --grace 2m -- torchrun train.py /data
