#!/bin/sh
# SPDX-License-Identifier: MIT
# Sixteen light tasks, four at a time, each with its number. They keep off GPU nodes where they can.
set -e
# shellcheck disable=SC2016 # the shell in the container is to read it
vpsml render job sweep --image nlp:1 --array 0-15%4 --cpu 2 --memory 4Gi --time 2h \
	--shell -- 'python sweep.py --seed "$VPSML_ARRAY_TASK_ID"'
