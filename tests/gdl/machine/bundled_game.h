// SPDX-License-Identifier: MIT
// The bundled games, for tests of the library alone.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "gdl/machine/vocabulary.h"
#include "gdl/rules/read.h"
#include "tests/project_folder.h"

namespace ludens::gdl::tests {

inline std::shared_ptr<Vocabulary> bundled_game(const std::string& name) {
  std::ifstream file(std::filesystem::path(project_folder()) / "config/games" / (name + ".kif"));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return std::make_shared<Vocabulary>(read_rules(text).normalised.rules);
}

}  // namespace ludens::gdl::tests
