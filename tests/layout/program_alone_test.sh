#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The program can be built where nothing of the tests is installed, and in the same folder later with
# them; and ./test installs what scripts of tests call. Argument: the project.
set -euo pipefail
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
fail() { echo "$1"; cat "$scratch/log"; exit 1; }
cd "$1"
: >"$scratch/log"
. ./.ci/prepare
for package in libgtest-dev libgmock-dev libbenchmark-dev clang-14 chromium; do
  [[ " $ludens_packages_program " != *[[:space:]]$package[[:space:]]* ]] || fail "./run installs $package"
done
grep -q '^ *ludens_install program$' run || fail "./run installs more than the program needs"

# Neither a compiler nor CMake brings these along. CMake takes Ninja for make only where it is told to.
! grep -rlw pkg-config tests --include='*.sh' --exclude=program_alone_test.sh >"$scratch/log" ||
  [[ " $ludens_packages_test " == *[[:space:]]pkgconf[[:space:]]* ]] || fail "./test does not install pkg-config:"
! grep -rn 'cmake -S' tests --include='*.sh' --exclude=program_alone_test.sh |
  grep -v -- '-G Ninja' >"$scratch/log" || fail "./test does not install make:"

configure() { cmake --preset release -B "$scratch/build" "$@" >"$scratch/log" 2>&1; }
has_tests() { ninja -C "$scratch/build" -t query gdl_tests >/dev/null 2>&1; }
configure -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON -DCMAKE_DISABLE_FIND_PACKAGE_benchmark=ON ||
  fail "does not configure without GoogleTest"
! has_tests || fail "there are tests without GoogleTest"
ninja -C "$scratch/build" -t query ludens >"$scratch/log" 2>&1 || fail "there is no program"
configure -DCMAKE_DISABLE_FIND_PACKAGE_GTest=OFF -DCMAKE_DISABLE_FIND_PACKAGE_benchmark=OFF \
  -DLUDENS_TESTS=ON || fail "does not configure with tests afterwards"
has_tests || fail "./test would find no tests in a folder that ./run made"
echo "the program needs nothing of the tests"
