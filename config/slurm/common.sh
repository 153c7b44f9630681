# SPDX-License-Identifier: MIT
# Sourced by the scripts `submit`, which say `set -eu` before.

# usage: prints the comment at the beginning of the script, and ends it.
usage() {
  sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

# The program: LUDENS, or that of this project's release build.
slurm=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ludens=$(realpath -e "${LUDENS:-$slurm/../../build/release/ludens}")
