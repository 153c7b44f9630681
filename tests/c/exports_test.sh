#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The shared library shows its interface and nothing else, so that it gets along with whatever libraries
# its users have. Argument: the library.
set -euo pipefail
shown=$(nm -D --defined-only "$1" | awk '{print $NF}')
others=$(grep -v '^ludens_' <<<"$shown" || true)
[ -z "$others" ] || { echo "shown beside the interface:"; echo "$others"; exit 1; }
grep -q '^ludens_step$' <<<"$shown" || { echo "the interface is not there"; exit 1; }
echo "the library shows its interface alone"
