#!/bin/sh
# SPDX-License-Identifier: MIT
# One to five replicas of a Deployment, half of their requested CPU in use.
set -e
vpsml render hpa deploy/training-deployment --name training-hpa --min 1 --max 5 --cpu-target 50%
