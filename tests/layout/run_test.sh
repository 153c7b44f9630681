#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# ./run builds in its clone, and starts the program where it is called, here with a build and a program
# that say where they are. Argument: the project.
set -eu
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
clone="$scratch/a clone"
mkdir -p "$clone/.ci" "$clone/build/release" "$scratch/elsewhere"
cp "$1/run" "$clone"
cat >"$clone/.ci/prepare" <<'END'
ludens_install() { :; }
ludens_build() { echo "builds in $PWD"; }
END
cat >"$clone/build/release/ludens" <<'END'
#!/bin/sh
echo "runs in $(pwd): $*"
END
chmod +x "$clone/build/release/ludens"
cd "$scratch/elsewhere"
# expect OUTPUT ARGUMENT...: what ./run writes, called from here.
expect() {
  local said
  said=$("$clone/run" "${@:2}" 2>"$scratch/log")
  [ "$said" = "$1" ] || { echo "it said '$said' in place of '$1'"; exit 1; }
  grep -qx "builds in $clone" "$scratch/log" || { cat "$scratch/log"; exit 1; }
}
expect "runs in $scratch/elsewhere: check game.kif" check game.kif
expect "runs in $scratch/elsewhere: demo"
echo "./run starts the program where it is called"
