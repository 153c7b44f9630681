#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# .ci/tidy and .ci/headers pass what their tools pass, and nothing else: not what a tool complains of,
# and not what it was ended over without a word, as by a machine that is out of memory. Argument: the
# project. Skipped (77) without Python.
set -eu
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
fail() { echo "$1"; cat "$scratch/log"; exit 1; }
cp -r "$1/.ci" "$scratch/.ci"
mkdir -p "$scratch/gdl" "$scratch/build/lint" "$scratch/tools"
cd "$scratch"
touch gdl/one.cpp gdl/one.h
printf '[{"directory": "%s", "file": "%s", "command": "%s -o one.o -c gdl/one.cpp"}]' \
  "$scratch" "$scratch/gdl/one.cpp" "$scratch/tools/compiler" >build/lint/compile_commands.json

# tools WORDS: what both tools do from now on.
tools() {
  printf '#!/bin/sh\n%s\n' "$1" | tee tools/clang-tidy-14 >tools/compiler
  chmod +x tools/clang-tidy-14 tools/compiler
}
passes() { PATH=$scratch/tools:$PATH .ci/"$1" gdl/one.h >log 2>&1; }
for check in tidy headers; do
  tools 'exit 0'
  passes $check || fail "$check: a clean file does not pass"
  tools 'echo "one.h: a warning" | tee /dev/stderr; exit 1'
  ! passes $check || fail "$check: a warning passes"
  grep -q 'a warning' log || fail "$check: the warning is not shown"
  tools 'kill -9 $$'
  ! passes $check || fail "$check: a tool that was killed passes"
  grep -q 'gdl/one.* ended with -9' log || fail "$check: it is not said which file it was killed at"
done
echo "the checks pass what their tools pass"
