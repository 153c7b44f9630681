// The bundled games, for tests of the library alone.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "gdl/machine/vocabulary.h"
#include "gdl/rules/rules.h"
#include "gdl/text/syntax.h"

namespace ludens::gdl::testing {

inline std::shared_ptr<Vocabulary> bundled_game(const std::string& name) {
  std::ifstream file(std::filesystem::path(LUDENS_SOURCE_DIR) / "config/games" / (name + ".kif"));
  auto parsed = parse({std::istreambuf_iterator<char>(file), {}});
  const auto tree = std::make_shared<const SyntaxTree>(std::move(parsed.tree));
  return std::make_shared<Vocabulary>(normalise(tree).rules);
}

}  // namespace ludens::gdl::testing
