// SPDX-License-Identifier: MIT
// One call of a strategy, as tests make it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string_view>
#include <vector>

#include "search/registry/registry.h"

namespace ludens::search::test {

/// The strategy of a text as on the command line, which must be right.
inline std::unique_ptr<Strategy> strategy_of(std::string_view text,
                                             const Resources& resources = {}) {
  const auto spec = parse_strategy(text);
  if (!spec) {
    ADD_FAILURE() << spec.error().text;
    return nullptr;
  }
  auto strategy = make_strategy(*spec, resources);
  if (!strategy) {
    ADD_FAILURE() << strategy.error().text;
    return nullptr;
  }
  return *std::move(strategy);
}

inline Position initial_position(std::shared_ptr<const gdl::Machine> machine,
                                 gdl::RoleIndex role = 0) {
  Position position;
  const auto context = machine->make_context();
  EXPECT_EQ(machine->initial(*context, position.state), gdl::Status::Ok);
  position.machine = std::move(machine);
  position.role = role;
  return position;
}

/// Makes a joint move in the position.
inline void make_move(Position& position, gdl::JointMove move) {
  gdl::State next;
  const auto context = position.machine->make_context();
  ASSERT_EQ(position.machine->next(*context, position.state, move, next), gdl::Status::Ok);
  position.state = next;
  position.history.insert(position.history.end(), move.begin(), move.end());
}

inline std::vector<gdl::MoveId> legal_moves(const Position& position, gdl::RoleIndex role) {
  std::vector<gdl::MoveId> moves;
  const auto context = position.machine->make_context();
  EXPECT_EQ(position.machine->legal(*context, position.state, role, moves), gdl::Status::Ok);
  return moves;
}

inline bool is_terminal(const Position& position) {
  bool terminal = false;
  const auto context = position.machine->make_context();
  EXPECT_EQ(position.machine->terminal(*context, position.state, terminal), gdl::Status::Ok);
  return terminal;
}

inline std::vector<int> goals_of(const Position& position) {
  std::vector<int> goals(position.machine->role_count());
  const auto context = position.machine->make_context();
  EXPECT_EQ(position.machine->goals(*context, position.state, goals), gdl::Status::Ok);
  return goals;
}

/// What the strategy says when nothing but its own limits ends it.
inline Choice think(Strategy& strategy, const Position& position,
                    const Deadline& deadline = Deadline()) {
  Incumbent incumbent;
  strategy.think(position, deadline, incumbent);
  const auto choice = incumbent.get();
  EXPECT_TRUE(choice.has_value());
  return choice.value_or(Choice{});
}

/// What the strategy publishes, in order, when nothing but its own limits ends it.
struct Publication {
  Choice choice;
  bool last = false;  // as the listener is told
};
inline std::vector<Publication> publications(Strategy& strategy, const Position& position) {
  std::vector<Publication> all;
  Incumbent incumbent([&](bool last) { all.push_back({*incumbent.get(), last}); });
  strategy.think(position, Deadline(), incumbent);
  return all;
}

/// How often each move of the root was visited, in the order of the choice.
inline std::vector<std::uint64_t> visits(const Choice& choice) {
  std::vector<std::uint64_t> visits;
  for (const RootMove& m : choice.root) visits.push_back(m.visits);
  return visits;
}

}  // namespace ludens::search::test
