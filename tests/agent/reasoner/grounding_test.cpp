// SPDX-License-Identifier: MIT
// How often strategies have a game grounded in a match, from its first position on the interpreter
// to its end.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "agent/reasoner/acceleration.h"
#include "gdl/interpreter/interpreter.h"
#include "search/registry/registry.h"
#include "tests/gdl/machine/bundled_game.h"
#include "tests/search/thinking.h"

namespace ludens::agent {
namespace {

using search::Position;

/// A match that one strategy plays for all roles, as the agent lets it think.
class Match {
 public:
  Match(const std::string& game, std::string_view strategy)
      : vocabulary_(gdl::tests::bundled_game(game)),
        position_(search::test::initial_position(gdl::make_interpreter(vocabulary_))) {
    const auto spec = search::parse_strategy(strategy).value();
    strategy_ = accelerate(search::make_strategy(spec, {}).value(), spec, nullptr);
  }

  [[nodiscard]] bool over() const { return search::test::is_terminal(position_); }
  [[nodiscard]] std::uint64_t groundings() const { return vocabulary_->network().groundings(); }
  [[nodiscard]] std::string explanation() const { return strategy_->explanation(); }
  [[nodiscard]] const Position& position() const { return position_; }

  /// Thinks about each role's move, for so long at most, and makes them.
  void step(std::chrono::milliseconds time) {
    make_moves([&] { return think(time); });
  }
  search::Choice think(std::chrono::milliseconds time) {
    const search::Deadline end(std::chrono::steady_clock::now() + time);
    return search::test::think(*strategy_, position_, end);
  }
  /// Makes the first move that is published for each role.
  void step_at_once() {
    make_moves([&] {
      std::stop_source stop;
      search::Incumbent incumbent([&](bool) { stop.request_stop(); });
      strategy_->think(position_, search::Deadline(stop.get_token()), incumbent);
      return incumbent.get().value();
    });
  }

 private:
  template <class Choose>
  void make_moves(Choose choose) {
    std::vector<gdl::MoveId> joint;
    for (gdl::RoleIndex role = 0; role < position_.machine->role_count(); ++role) {
      position_.role = role;
      joint.push_back(choose().move);
    }
    search::test::make_move(position_, joint);
  }

  std::shared_ptr<gdl::Vocabulary> vocabulary_;
  Position position_;
  std::unique_ptr<search::Strategy> strategy_;
};

TEST(Grounding, HappensOnceWhereAPlayoutPolicyIsChosen) {
  Match match("connect_four_small", "mcts:policy=decisive,seed=1");
  // However slow the processor is, there is a time that is enough to decide.
  std::chrono::milliseconds time{200};
  while (match.explanation().find("decisive in ") == std::string::npos) {
    (void)match.think(time);
    time *= 2;
  }
  while (!match.over()) match.step_at_once();
  EXPECT_EQ(match.groundings(), 1U);
}

TEST(Grounding, DoesNotHappenWhereNoNetworkIsAskedFor) {
  Match match("tic_tac_toe", "mcts:machine=interpreter,playouts=50,seed=1");
  while (!match.over()) match.step(std::chrono::minutes(10));
  EXPECT_EQ(match.groundings(), 0U);
}

}  // namespace
}  // namespace ludens::agent
