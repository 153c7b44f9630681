#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fails where two files define types of the same name in the same namespace. Compilers see one of them
# at a time and linkers take either, so that a program that holds both breaks at run time.
set -uo pipefail
cd "$1" || exit 3
twice=$(find gdl search agent server bindings \( -name '*.h' -o -name '*.cpp' \) -print0 | sort -z |
  xargs -0 awk '
    FNR == 1 { depth = 0; hidden = 0 }
    /^(inline )?namespace[ {]/ {
      name = $0; sub(/^(inline )?namespace ?/, "", name); sub(/ ?\{.*/, "", name)
      spaces[++depth] = name
      if (name == "") ++hidden
      next
    }
    /^}  \/\/ namespace/ { if (depth > 0 && spaces[depth--] == "") --hidden; next }
    hidden == 0 && /^(struct|class|enum|enum class) [A-Za-z]/ && (/{/ || !/;$/) && $0 !~ /^[a-z ]*[A-Za-z0-9_]+::/ {
      name = $0; sub(/^(enum class|enum|struct|class) /, "", name); sub(/[^A-Za-z0-9_].*/, "", name)
      for (i = depth; i > 0; --i) name = spaces[i] "::" name
      if (name in file && file[name] != FILENAME) print name ": " file[name] " and " FILENAME
      file[name] = FILENAME
    }') || exit 3
[ -z "$twice" ] || { echo "defined twice:"; echo "$twice"; exit 1; }
echo "each type is defined once"
