#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every C++ file of the project is formatted by .clang-format.
set -u
cd "$1" || exit 3
tool=$(command -v clang-format-14 || command -v clang-format) || { echo "clang-format is missing"; exit 1; }
find gdl search agent server bindings tests \( -name '*.h' -o -name '*.cpp' \) -print0 |
  xargs -0 -r "$tool" --dry-run --Werror
