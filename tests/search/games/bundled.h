// SPDX-License-Identifier: MIT
// Games on a machine of choice.
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

inline std::shared_ptr<const gdl::Machine> machine_of(std::string rulesheet, const char* machine) {
  auto rules = gdl::read_rules(std::move(rulesheet)).normalised.rules;
  return gdl::make_machine(machine, std::make_shared<gdl::Vocabulary>(std::move(rules))).value();
}

/// A game of config/games.
inline std::shared_ptr<const gdl::Machine> bundled(const std::string& game, const char* machine) {
  std::ifstream file(project_folder() + "/config/games/" + game + ".kif");
  if (!file) throw std::runtime_error("no bundled game " + game);
  return machine_of({std::istreambuf_iterator<char>(file), {}}, machine);
}

}  // namespace ludens::search::test
