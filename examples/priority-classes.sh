#!/bin/sh
# SPDX-License-Identifier: MIT
# The four classes that vpsml sets up, and one of your own below them.
set -e
vpsml render priority
echo ---
vpsml render priority nightly --value 500 --description "what may wait until the night"
