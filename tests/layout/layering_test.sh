#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fails on an #include that points right in gdl <- search <- agent <- server <- bindings, on a use of sockets or
# files where the layer must not know them, on an entry at the root that has no place there, and on a
# source without its licence.
set -u
cd "$1" || exit 3
failed=0
fail() { printf '%s\n' "$1"; failed=1; }
forbid() {  # forbid FOLDER REGEX: no include in FOLDER may match REGEX
  local hits
  hits=$(grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]($2)" "$1" --include='*.h' --include='*.cpp')
  [ -z "$hits" ] || fail "$1/ must not include $2:
$hits"
}
forbid gdl    'search/|agent/|server/|bindings/|tests/|boost/asio|boost/beast|sys/socket|spdlog|CLI/|pugixml'
forbid search 'agent/|server/|bindings/|tests/|boost/asio|boost/beast|sys/socket|spdlog|CLI/|pugixml|fstream'
forbid agent  'server/|bindings/|tests/|boost/asio|boost/beast|sys/socket|CLI/|pugixml'
forbid server 'bindings/|tests/'
forbid bindings 'tests/|server/cli/'
allowed=' agent bindings gdl search server tests config CMakeLists.txt CMakePresets.json README.md run test LICENSE '
allowed+='CONTRIBUTING.md CHANGELOG.md pyproject.toml '
# What the program writes where it is started, which .gitignore names.
written='build matches tournaments *.html'
for entry in *; do
  case "$allowed" in *" $entry "*) continue ;; esac
  for pattern in $written; do
    case "$entry" in $pattern) continue 2 ;; esac
  done
  fail "no place at the root for: $entry"
done
for folder in $(find gdl search agent server bindings tests -type d \
                \( -name util -o -name utils -o -name common -o -name misc -o -name base \)); do
  fail "a folder needs a name that says what it holds: $folder"
done
for file in $(find gdl search agent server bindings tests -name '*.h'); do
  grep -q '^#pragma once' "$file" || fail "$file: no #pragma once"
done
for file in $(find .ci agent bindings config gdl search server tests CMakeLists.txt run test -type f \
                \( -name '*.h' -o -name '*.cpp' -o -name '*.js' -o -name '*.css' -o -name '*.py' -o -name '*.sh' \
                   -o -name '*.cmake' -o -name CMakeLists.txt -o -perm /111 \) \
                -exec grep -L 'SPDX-License-Identifier: MIT' {} +); do
  fail "$file: no SPDX line"
done
[ $failed -eq 0 ] && echo "layers, folders and headers are as they should be"
exit $failed
