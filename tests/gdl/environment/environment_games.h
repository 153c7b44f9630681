// SPDX-License-Identifier: MIT
// Games for tests of environments.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "gdl/environment/environment_game.h"
#include "gdl/registry/machines.h"
#include "tests/gdl/machine/bundled_game.h"

namespace ludens::gdl {

inline std::shared_ptr<const EnvironmentGame> environment_game(
    const std::shared_ptr<Vocabulary>& vocabulary, std::size_t lanes = 0) {
  auto machine = make_machine("auto", vocabulary);
  return EnvironmentGame::make(machine.value(), {}, lanes).value();
}

inline std::shared_ptr<const EnvironmentGame> environment_game(const std::string& name,
                                                               std::size_t lanes = 0) {
  return environment_game(tests::bundled_game(name), lanes);
}

}  // namespace ludens::gdl
