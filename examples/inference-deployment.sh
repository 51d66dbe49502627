#!/bin/sh
# SPDX-License-Identifier: MIT
# Serving: a Deployment that grows from one to five pods, with its autoscaler.
set -e
vpsml render deployment inference --image inference:1 --cpu 500m --memory 1Gi \
	--autoscale 1-5 --cpu-target 50% -- serve --port 8080
