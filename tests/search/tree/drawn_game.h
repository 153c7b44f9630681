// SPDX-License-Identifier: MIT
// Worked trees in tests: drawn as text, searched by strategies named as on the command line.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "search/minimax/minimax.h"
#include "search/registry/registry.h"
#include "search/strategy/trace.h"
#include "tests/search/tree/tree_machine.h"

namespace ludens::search {

/// A drawn game with what was asked of it.
struct DrawnGame {
  explicit DrawnGame(const std::string& text) {
    auto parsed = TreeMachine::parse(text, &log);
    if (!parsed) {
      for (const auto& error : parsed.error()) ADD_FAILURE() << gdl::format(error, "tree");
      throw std::runtime_error("the drawn game is wrong");
    }
    machine = *parsed;
  }

  [[nodiscard]] std::string name(TreeNode node) const { return machine->node_name(node); }
  [[nodiscard]] std::vector<std::string> names(const std::vector<TreeNode>& nodes) const {
    std::vector<std::string> all;
    for (const TreeNode node : nodes) all.push_back(name(node));
    return all;
  }
  /// The first role's goals at the leaves read, in order.
  [[nodiscard]] std::vector<int> goals_read() const {
    std::vector<int> all;
    const auto context = machine->make_context({});
    for (const TreeNode node : std::vector<TreeNode>(log.read)) {
      std::vector<std::uint64_t> word{node};
      std::vector<int> goals(machine->role_count());
      (void)machine->goals(*context, gdl::StateView(word), goals);
      all.push_back(goals[0]);
    }
    return all;
  }
  [[nodiscard]] std::string move_name(gdl::MoveId move) const {
    return machine->vocabulary()->move_name(move);
  }

  TreeLog log;
  std::shared_ptr<const TreeMachine> machine;
};

/// What a strategy finds for a role in the initial state of a machine. Without limits of its own it
/// thinks to its end.
inline Choice think(const std::shared_ptr<const gdl::Machine>& machine, Strategy& strategy,
                    gdl::RoleIndex role = 0) {
  Position position{machine, {}, role, {}};
  const auto context = machine->make_context({});
  if (machine->initial(*context, position.state) != gdl::Status::Ok) {
    throw std::runtime_error("no initial state");
  }
  Incumbent incumbent;
  strategy.think(position, Deadline(), incumbent);
  return incumbent.get().value();
}

/// The same with the name of the strategy, `NAME:key=value,...`, finds
/// written out.
inline Choice think(const std::shared_ptr<const gdl::Machine>& machine, const std::string& text,
                    gdl::RoleIndex role = 0, SearchTrace* trace = nullptr) {
  auto spec = parse_strategy(text);
  if (!spec) throw std::runtime_error(spec.error().text);
  Resources resources;
  resources.trace = trace;
  return think(machine, **make_strategy(*spec, resources), role);
}

/// The same in a drawn game; its log holds what this search asked.
inline Choice think(DrawnGame& game, Strategy& strategy, gdl::RoleIndex role = 0) {
  game.log = {};
  return think(std::shared_ptr<const gdl::Machine>(game.machine), strategy, role);
}
inline Choice think(DrawnGame& game, const std::string& text, gdl::RoleIndex role = 0,
                    SearchTrace* trace = nullptr) {
  game.log = {};
  Choice choice = think(std::shared_ptr<const gdl::Machine>(game.machine), text, role, trace);
  return choice;
}

/// As the books search: one pass over the whole tree, in the order of the moves.
inline const std::string kPlainMinimax = "minimax:iterative=off,ties=first";
inline const std::string kPlainBounded = "bounded:iterative=off,ties=first";
inline const std::string kPlainAlphaBeta =
    "alphabeta:iterative=off,table=off,order=off,bounds=off,quiescence=off,ties=first";

/// The settings of such a search.
inline TreeSettings plain_settings() {
  TreeSettings settings;
  settings.iterative = false;
  settings.ties = Ties::First;
  return settings;
}

}  // namespace ludens::search
