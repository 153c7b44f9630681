// SPDX-License-Identifier: MIT
// The game that the cases play.
#pragma once

#include <memory>
#include <string>

#include "gdl/rules/rules.h"
#include "gdl/text/error.h"
#include "server/game/rulesheet.h"

namespace ludens::server {

struct TestGame {
  std::string description;  // `( rule rule ... )`, on one line
  std::shared_ptr<const gdl::Rules> rules;
  gdl::RoleIndex role = 0;  // the player's: the first that has a choice in the initial state
};

/// Fails with a sentence if the game can't be played, or if no role has a choice in the initial
/// state.
gdl::Result<TestGame> make_test_game(const Rulesheet& rulesheet);

/// The same game in capitals, like Dresden's host sends it.
TestGame shouted(const TestGame& game);

}  // namespace ludens::server
