#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A source that is compiled for more instructions than every processor has may only run where all of
# them were asked for. Argument: the project's folder.
set -u
cd "$1" || exit 3
failed=0
# check CMAKELISTS SOURCE CHOOSER VARIANT: SOURCE has the variant that CHOOSER chooses.
check() {
  local flags asked flag
  flags=$(tr '\n' ' ' <"$1" | grep -oE "$2 +PROPERTIES +COMPILE_OPTIONS +\"[^\"]*\"" |
    grep -oE -- '-m[a-z0-9]+(;|")' | tr -d ';"' | cut -c 3-)
  asked=$(awk -v RS='}' -v variant="&$4," 'index($0, variant)' "$3")
  [ -n "$flags" ] && [ -n "$asked" ] || { printf '%s\n' "$2: found no flags, or no $4 in $3"; failed=1; }
  for flag in $flags; do
    grep -q "__builtin_cpu_supports(\"$flag\")" <<<"$asked" && continue
    printf '%s\n' "$2 is compiled with -m$flag, which $3 does not ask for where it chooses $4"
    failed=1
  done
}
check gdl/CMakeLists.txt kernel/kernel_256.cpp gdl/kernel/kernel.cpp kLanes256
check gdl/CMakeLists.txt kernel/kernel_512.cpp gdl/kernel/kernel.cpp kLanes512
check search/CMakeLists.txt learning/table_kernel_avx2.cpp search/learning/table_kernel.cpp kAvx2
check search/CMakeLists.txt learning/table_kernel_avx512.cpp search/learning/table_kernel.cpp kAvx512
[ $failed -eq 0 ] && echo "processors are asked for all instructions that they are given"
exit $failed
