#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What finds a build folder that was made for less, or in another place, makes it its own: .ci/package,
# .ci/run and `pip install .`, here in a project with targets of the same names that compile nothing.
# Argument: the project. Skipped (77) without Python.
set -eu
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
fail() { echo "$1"; cat "$scratch/log"; exit 1; }
toy="$scratch/a clone"
mkdir -p "$toy/bindings/python" "$toy/tests/fuzz"
cp -r "$1/.ci" "$1/CMakePresets.json" "$toy"
cp "$1/bindings/python/build_backend.py" "$toy/bindings/python"
cat >"$toy/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(Toy LANGUAGES NONE)
set(LUDENS_PYTHON AUTO CACHE STRING "")
add_custom_target(ludens)
if(LUDENS_PYTHON STREQUAL ON)
  add_custom_target(ludens_python_package COMMAND ${CMAKE_COMMAND} -E echo ${Python_EXECUTABLE})
endif()
END
echo 'ludens_install() { :; }' >>"$toy/.ci/prepare"
for step in test .ci/headers .ci/tidy .ci/sanitized tests/fuzz/run; do
  printf '#!/bin/sh\n' >"$toy/$step" && chmod +x "$toy/$step"
done

program() { (cd "$toy" && . ./.ci/prepare && ludens_build release ludens); }
packages() { (cd "$toy" && . ./.ci/prepare && eval "$(grep '^ludens_build_python ' .ci/package)"); }
checks() { "$toy/.ci/run"; }
wheel() { (cd "$toy/bindings/python" && python3 -Bc 'import build_backend; build_backend._build()'); }
# works STEP: it does, and builds in this place.
works() {
  "$1" >"$scratch/log" 2>&1 || fail "$1 fails$place"
  ! grep -q 'CMake Error' "$scratch/log" || fail "$1 has errors$place"
}
place=" where the program was built"
works program
works packages
grep -qx '/usr/bin/python3' "$scratch/log" || fail "the package is for another Python than Debian's"
works wheel
works checks
for step in packages checks wheel; do
  place=" in a clone that was moved"
  mv "$toy" "$scratch/$step"
  toy=$scratch/$step
  works $step
done
echo "build folders are made fit before they are used"
