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
