#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A clone that was moved after it was built builds where it is now, without an error of CMake and
# without compiling what ccache knows; and so does the page, where Emscripten is installed. Both in
# folders with a space in their name. Argument: the project. Skipped (77) without ccache.
set -euo pipefail
command -v ccache >/dev/null || { echo "ccache is missing"; exit 77; }
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
cd "$1"
mkdir "$scratch/first"
cp -r .ci CMakeLists.txt CMakePresets.json gdl search agent server bindings tests config "$scratch/first"
export CCACHE_DIR=$scratch/ccache
object=gdl/CMakeFiles/ludens_gdl.dir/Unity/unity_gdl_text_cxx.cxx.o

fail() { { echo "$1"; cat "$scratch/log"; } >&2; exit 1; }
build() {  # build FOLDER [PRESET]: says on standard output what was not in the cache
  local preset=${2:-release}
  ccache --zero-stats >/dev/null
  (cd "$1" && . ./.ci/prepare && ludens_build "$preset" "$object") >"$scratch/log" 2>&1 ||
    fail "does not build in $1"
  ! grep -q 'CMake Error' "$scratch/log" || fail "has errors in $1"
  [ -f "$1/build/$preset/$object" ] || fail "$1 has nothing built"
  ccache --print-stats | sed -n 's/^cache_miss\t//p'
}
[ "$(build "$scratch/first")" -gt 0 ] || fail "the first build compiled nothing"
mv "$scratch/first" "$scratch/a second"
misses=$(build "$scratch/a second")
grep -q 'configuring it again' "$scratch/log" || fail "did not notice"
[ "$misses" = 0 ] || fail "the moved clone compiled $misses files that ccache should have"
cp -r "$scratch/a second" "$scratch/a third"
misses=$(build "$scratch/a third")
[ "$misses" = 0 ] || fail "the copied clone compiled $misses files that ccache should have"
# Nothing was written to where it came from.
[ ! -e "$scratch/first" ] || fail "built in the old place"
if command -v em++ >/dev/null; then
  build "$scratch/a third" wasm >/dev/null
fi
echo "a moved and a copied clone build where they are, out of the cache"
