#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The unit is one that systemd understands, sandboxed as well as server/DEPLOYMENT.md says, and starts
# the program with options that it has. Arguments: the project, the program. Skipped (77) without
# systemd-analyze.
set -u
cd "$1" || exit 3
unit=config/systemd/ludens.service
command -v systemd-analyze >/dev/null || { echo "systemd-analyze is missing"; exit 77; }
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
# The program is elsewhere here, where the name of a folder may have spaces, and no other file must be
# looked up.
program=$scratch/ludens
ln -s "$(realpath "$2")" "$program"
sed "s|/usr/local/bin/ludens|$program|" "$unit" >"$scratch/ludens.service"
problems=$(systemd-analyze verify --man=no "$scratch/ludens.service" 2>&1 | grep 'ludens.service')
[ -z "$problems" ] || { echo "$problems"; exit 1; }
exposure=$(systemd-analyze security --offline=true --no-pager "$scratch/ludens.service" 2>/dev/null |
  sed -n 's/.*Overall exposure level.*: \([0-9.]*\) .*/\1/p')
[ -n "$exposure" ] || { echo "systemd-analyze security says nothing"; exit 1; }
awk -v e="$exposure" 'BEGIN { exit !(e <= 2.0) }' || { echo "exposure is $exposure, not at most 2.0"; exit 1; }
for option in $(grep -o -- '--[a-z-]*' <<<"$(grep '^ExecStart=' "$unit")"); do
  "$program" serve --help | grep -q -- "$option " || { echo "serve has no $option"; exit 1; }
done
echo "the unit is right; exposure $exposure"
