// SPDX-License-Identifier: MIT
// Games of config/games on a machine of choice.
#pragma once

#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>

#include "gdl/registry/machines.h"
#include "gdl/rules/read.h"
#include "tests/project_folder.h"

namespace ludens::search::test {

inline std::shared_ptr<const gdl::Machine> bundled(const std::string& game, const char* machine) {
  std::ifstream file(project_folder() + "/config/games/" + game + ".kif");
  if (!file) throw std::runtime_error("no bundled game " + game);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  auto rules = gdl::read_rules(text).normalised.rules;
  return gdl::make_machine(machine, std::make_shared<gdl::Vocabulary>(std::move(rules))).value();
}

}  // namespace ludens::search::test
