#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fails where a page names a file that is not there, where a folder with more than five source files has no README,
# and where a README is longer than a map should be.
set -u
cd "$1" || exit 3
failed=0
fail() { printf '%s\n' "$1"; failed=1; }
# named_file PAGE NAME: whether NAME is a file as seen from the page, from its library or from the root.
named_file() {
  local here=${1%/*} library=${1%%/*}
  [ "$here" != "$1" ] || here=. library=.
  [ -e "$here/$2" ] || [ -e "$library/$2" ] || [ -e "$2" ] && return
  case "$2" in */*) return 1 ;; esac
  [ -n "$(find "$here" -name "$2" -print -quit)" ]
}
pages=$(find . -maxdepth 1 -name '*.md'; find gdl search agent server bindings config tests -name '*.md')
for page in $pages; do
  page=${page#./}
  for link in $(grep -oE '\]\([^)# ]+' "$page" | cut -c3- | grep -v '^[a-z]*://'); do
    named_file "$page" "$link" || fail "$page: a link leads nowhere: $link"
  done
  for name in $(grep -oE '`[a-z0-9_/.]+\.(h|cpp|js|cmake|py|sh)`' "$page" | tr -d '`' | sort -u); do
    named_file "$page" "$name" || fail "$page: there is no file $name"
  done
done
for folder in $(find gdl search agent server bindings -type d); do
  sources=$(find "$folder" -maxdepth 1 \( -name '*.h' -o -name '*.cpp' \) | wc -l)
  [ "$sources" -le 5 ] || [ -f "$folder/README.md" ] || fail "$folder: $sources source files and no README.md"
done
for page in README.md $(find gdl search agent server bindings -name README.md); do
  lines=$(wc -l < "$page")
  [ "$lines" -le 160 ] || fail "$page: $lines lines; a README is a map of about 150"
done
[ $failed -eq 0 ] && echo "all pages name files that are there, and every larger folder has a README"
exit $failed
