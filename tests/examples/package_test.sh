#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what was built, and builds and runs the examples against it, as a stranger would.
# Arguments: the project, its build folder, the compiler.
set -euo pipefail
project=$1 build=$2 compiler=$3
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
fail() { echo "$1"; exit 1; }
run() { "$@" >"$scratch/log" 2>&1 || { echo "failed: $*"; cat "$scratch/log"; exit 1; }; }

run cmake --install "$build" --prefix "$scratch/installed"
for example in random_game playouts best_move; do
  [ "$(wc -l <"$project/tests/examples/$example.cpp")" -le 40 ] || fail "$example is too long to show"
done
# Elsewhere, so that nothing of the project is found by accident; with warnings of the user's own.
cp -r "$project/tests/examples" "$scratch/examples"
run cmake -S "$scratch/examples" -B "$scratch/build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_PREFIX_PATH="$scratch/installed" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
  -DCMAKE_CXX_FLAGS="-Wall -Wextra ${4:-}"
run cmake --build "$scratch/build" -j 2
! grep -n 'warning:' "$scratch/log" || fail "headers warn"
! grep -nE -- '-Werror|_GLIBCXX_ASSERTIONS|BOOST_ENABLE_ASSERT_HANDLER|_FORTIFY_SOURCE|cmake_pch|-Wconversion' \
  "$scratch/build/compile_commands.json" || fail "options of the build reach users of the package"
! grep -rn -- "$project/" "$scratch/installed/lib/cmake" || fail "the package names the project's folder"

game=$scratch/installed/share/ludens/games/tic_tac_toe.kif
"$scratch/build/random_game" "$game" | grep -q '^x: ' || fail "random_game shows no end"
"$scratch/build/playouts" "$game" 20000 | grep -q '^20000 playouts of ' || fail "playouts counts wrong"
"$scratch/build/best_move" "$game" alphabeta 60 | grep -q 'worth 50 (proved)' || fail "best_move proves no draw"
! "$scratch/build/random_game" /nowhere.kif 2>"$scratch/log" || fail "a missing file is no error"
grep -q "can't be read" "$scratch/log" || fail "a missing file is not reported"

# The C interface, from what is installed alone.
cat >"$scratch/mine.c" <<'END'
#include <ludens.h>
#include <stdio.h>
int main(int argc, char** argv) {
  ludens_game* game;
  if (argc != 2 || ludens_game_open(argv[1], &game) != LUDENS_OK) return puts(ludens_error()), 1;
  printf("%s has %zu actions\n", ludens_role_name(game, 0), ludens_action_count(game, 0));
  ludens_game_close(game);
  return 0;
}
END
export PKG_CONFIG_PATH=$scratch/installed/lib/pkgconfig
for library in ludens ludens-static; do
  # shellcheck disable=SC2046
  run cc -std=c99 -Wall -Wextra -Werror "$scratch/mine.c" $(pkg-config --cflags --libs $library) \
    -Wl,-rpath,"$scratch/installed/lib" ${4:-} -o "$scratch/$library"
  "$scratch/$library" "$game" | grep -q '^x has 10 actions$' || fail "$library counts wrong"
done
! readelf -d "$scratch/ludens-static" | grep -q 'NEEDED.*libludens' || fail "the archive was not linked"
for library in c c_static; do
  mkdir "$scratch/$library"
  cat >"$scratch/$library/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(Mine LANGUAGES C)
find_package(Ludens 0.2 REQUIRED COMPONENTS $library)
add_executable(mine ../mine.c)
target_link_libraries(mine PRIVATE Ludens::$library)
END
  run cmake -S "$scratch/$library" -B "$scratch/$library/build" -G Ninja -DCMAKE_C_FLAGS="${4:-}" \
    -DCMAKE_PREFIX_PATH="$scratch/installed"
  run cmake --build "$scratch/$library/build"
  "$scratch/$library/build/mine" "$game" | grep -q '^x has 10 actions$' || fail "Ludens::$library counts wrong"
done

# A component that is not there is one clear sentence.
mkdir "$scratch/wrong"
printf 'cmake_minimum_required(VERSION 3.25)\nproject(W LANGUAGES CXX)\nfind_package(Ludens REQUIRED COMPONENTS chess)\n' \
  >"$scratch/wrong/CMakeLists.txt"
! cmake -S "$scratch/wrong" -B "$scratch/wrong/build" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/installed" \
  -DCMAKE_CXX_COMPILER="$compiler" >"$scratch/log" 2>&1 || fail "an unknown component is found"
grep -q "no component 'chess'" "$scratch/log" || { cat "$scratch/log"; fail "an unknown component is not reported"; }

# As a subproject: no tests, no warnings, nothing that gdl and search don't need.
mkdir "$scratch/super"
cat >"$scratch/super/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(Super LANGUAGES CXX)
set(CMAKE_DISABLE_FIND_PACKAGE_GTest ON)
set(CMAKE_DISABLE_FIND_PACKAGE_benchmark ON)
set(CMAKE_DISABLE_FIND_PACKAGE_spdlog ON)
set(CMAKE_DISABLE_FIND_PACKAGE_CLI11 ON)
set(CMAKE_DISABLE_FIND_PACKAGE_pugixml ON)
add_subdirectory("$project" ludens)
add_executable(playouts "$project/tests/examples/playouts.cpp")
target_link_libraries(playouts PRIVATE Ludens::gdl)
foreach(target gdl_tests search_tests ludens_agent ludens)
  if(TARGET \${target})
    message(FATAL_ERROR "a subproject has \${target}")
  endif()
endforeach()
END
run cmake -S "$scratch/super" -B "$scratch/super/build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
grep '"command".*examples/playouts.cpp' "$scratch/super/build/compile_commands.json" >"$scratch/command"
! grep -E -- ' -W|_GLIBCXX_ASSERTIONS|-include' "$scratch/command" || fail "a subproject forces its options"
! grep -- '-Werror' "$scratch/super/build/compile_commands.json" || fail "a subproject fails by warnings"

# The program finds its games wherever it was installed to.
[ "$(cd / && "$scratch/installed/bin/ludens" perft tic_tac_toe 1)" = "depth 1: 9 paths, 0 end the game" ] ||
  fail "the installed program does not find its games"
man=$scratch/installed/share/man/man1/ludens.1
grep -q '^.TH LUDENS 1' "$man" || fail "no man page"
for file in bash-completion/completions/ludens fish/vendor_completions.d/ludens.fish zsh/site-functions/_ludens; do
  grep -q -e '-clock' "$scratch/installed/share/$file" || fail "no completion: share/$file"
done
echo "installed, found, built and run"
