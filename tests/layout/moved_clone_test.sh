#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A clone that was moved after it was built builds where it is now, without an error of CMake and
# without compiling what ccache knows. Argument: the project. Skipped (77) without ccache.
set -euo pipefail
command -v ccache >/dev/null || { echo "ccache is missing"; exit 77; }
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
cd "$1"
mkdir "$scratch/first"
cp -r .ci CMakeLists.txt CMakePresets.json gdl search agent server bindings tests config "$scratch/first"
export CCACHE_DIR=$scratch/ccache
object=gdl/CMakeFiles/ludens_gdl.dir/Unity/unity_gdl_text_cxx.cxx.o

build() {  # build FOLDER: says on standard output what was not in the cache
  ccache --zero-stats >/dev/null
  (cd "$1" && . ./.ci/prepare && ludens_build release "$object") >"$scratch/log" 2>&1 ||
    { echo "does not build in $1:"; cat "$scratch/log"; exit 1; }
  ! grep 'CMake Error' "$scratch/log" || { cat "$scratch/log"; exit 1; }
  [ -f "$1/build/release/$object" ] || { echo "$1 has nothing built"; exit 1; }
  ccache --print-stats | sed -n 's/^cache_miss\t//p'
}
[ "$(build "$scratch/first")" -gt 0 ] || { echo "the first build compiled nothing"; exit 1; }
mv "$scratch/first" "$scratch/second"
misses=$(build "$scratch/second")
grep -q 'configuring it again' "$scratch/log" || { echo "did not notice:"; cat "$scratch/log"; exit 1; }
[ "$misses" = 0 ] || { echo "the moved clone compiled $misses files that ccache should have"; exit 1; }
cp -r "$scratch/second" "$scratch/third"
misses=$(build "$scratch/third")
[ "$misses" = 0 ] || { echo "the copied clone compiled $misses files that ccache should have"; exit 1; }
# Nothing was written to where it came from.
[ ! -e "$scratch/first" ] || { echo "built in the old place"; exit 1; }
echo "a moved and a copied clone build where they are, out of the cache"
