#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# same_results.py finds a build that prints something else, ends by another code, or is refused what it
# is asked. Arguments: the project, the program. Skipped (77) without Python.
set -u
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
compare=$1/tests/conformance/same_results.py
program=$(realpath "$2")
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
fail() { echo "$1"; cat "$scratch/log"; exit 1; }

# other NAME TEXT: a program that does what the text says, in which $program is the real one.
other() {
  printf '#!/bin/sh\nprogram="%s"\n%s\n' "$program" "$2" >"$scratch/$1"
  chmod +x "$scratch/$1"
}
# compared PROGRAM ONLY: what the script says of the real program and this one.
compared() { python3 "$compare" "$program" "$1" --only "$2" >"$scratch/log" 2>&1; }

other same 'exec "$program" "$@"'
for task in "check nim" "show nim" "perft nim" "solve nim" "think three_player maxn"; do
  compared "$scratch/same" "$task" || fail "$task: the same program differs, or refuses"
  grep -q '^1 results compared, 0 differ$' "$scratch/log" || fail "$task: nothing was compared"
done
other counts_wrong '"$program" "$@" | sed "s/206 paths/207 paths/"'
! compared "$scratch/counts_wrong" "perft nim" || fail "another count is not found"
grep -q '^perft nim: DIFFERS$' "$scratch/log" || fail "another count is not named"
other ends_wrong '"$program" "$@"; exit 1'
! compared "$scratch/ends_wrong" "show nim" || fail "another exit code is not found"
other refuses '"$program" "$@" --no-such-option'
! python3 "$compare" "$scratch/refuses" "$scratch/refuses" --only "show nim" >"$scratch/log" 2>&1 ||
  fail "two programs that refuse a command count as the same"
grep -q 'no-such-option' "$scratch/log" || fail "what is refused is not said"
echo "differences of output, of exit codes and refusals are found"
