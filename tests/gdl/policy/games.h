// SPDX-License-Identifier: MIT
// Games for tests of playout policies.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "gdl/registry/machines.h"
#include "gdl/rules/read.h"
#include "tests/project_folder.h"

namespace ludens::gdl {

/// `bundled:NAME`, or `public:NAME` beside the project. Empty if the file is not there.
inline std::string rulesheet_text(const std::string& game) {
  const std::filesystem::path root(project_folder());
  const std::string name = game.substr(game.find(':') + 1) + ".kif";
  std::ifstream file(game.starts_with("bundled:") ? root / "config/games" / name
                                                  : root / "../shared/games" / name);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Three roles in turn fill seven cells in a row. Two neighbouring marks of a role win. A wall
/// keeps the turn if `walls_keep_turn`.
inline std::string marks_and_walls(bool walls_keep_turn) {
  const std::string after_wall = walls_keep_turn
                                     ? "(<= (next (control ?r)) (does ?r (wall ?i)))"
                                     : "(<= (next (control ?s)) (does ?r (wall ?i)) (then ?r ?s))";
  return after_wall + R"(
    (role x) (role o) (role z) (then x o) (then o z) (then z x) (init (control x))
    (init (cell 1 blank)) (init (cell 2 blank)) (init (cell 3 blank)) (init (cell 4 blank))
    (init (cell 5 blank)) (init (cell 6 blank)) (init (cell 7 blank))
    (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
    (<= (legal ?r (mark ?i)) (true (control ?r)) (true (cell ?i blank)))
    (<= (legal ?r (wall ?i)) (true (control ?r)) (true (cell ?i blank)))
    (<= (legal ?r noop) (role ?r) (true (control ?s)) (distinct ?r ?s))
    (<= (filled ?i) (does ?r (mark ?i)))
    (<= (filled ?i) (does ?r (wall ?i)))
    (<= (next (cell ?i ?r)) (does ?r (mark ?i)))
    (<= (next (cell ?i wall)) (does ?r (wall ?i)))
    (<= (next (cell ?i ?c)) (true (cell ?i ?c)) (not (filled ?i)))
    (<= (next (control ?s)) (does ?r (mark ?i)) (then ?r ?s))
    (<= (pair ?r) (role ?r) (true (cell ?i ?r)) (true (cell ?j ?r)) (succ ?i ?j))
    (<= open (true (cell ?i blank)))
    (<= decided (pair ?r))
    (<= terminal (pair ?r))
    (<= terminal (not open))
    (<= (goal ?r 100) (pair ?r))
    (<= (goal ?r 0) (role ?r) (pair ?s) (distinct ?r ?s))
    (<= (goal ?r 50) (role ?r) (not decided)))";
}

inline std::shared_ptr<Vocabulary> vocabulary_of_text(const std::string& text) {
  return std::make_shared<Vocabulary>(read_rules(text).normalised.rules);
}

/// A machine by name; nullptr where this processor does not have it.
inline std::shared_ptr<const Machine> machine_of_text(const std::string& text,
                                                      const std::string& machine) {
  auto made = make_machine(machine, vocabulary_of_text(text));
  if (made.has_error()) return nullptr;
  return *made;
}

inline std::string test_name(std::string game) {
  for (char& c : game) {
    if (c == ':') c = '_';
  }
  return game;
}

}  // namespace ludens::gdl
