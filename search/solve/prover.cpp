// SPDX-License-Identifier: MIT
#include "search/solve/prover.h"

#include <algorithm>

#include "search/registry/registry.h"
#include "search/tree/backup.h"

namespace ludens::search {

namespace {

using gdl::Status;

class SearchProver final : public Prover {
 public:
  SearchProver(const gdl::Machine& machine, const Deadline& deadline, gdl::MemoryBudget* memory)
      : deadline_(deadline) {
    StrategySpec spec{"exhaustive", {{"ties", "first"}}};
    if (machine.role_count() > 1) {
      spec = {"alphabeta", {{"evaluation", "none"}, {"quiescence", "off"}, {"ties", "first"}}};
      // Below chance every value counts: nothing is cut off, whatever was found at lower depths.
      if (machine.random_role()) spec.options.emplace("iterative", "off");
    }
    strategy_ = make_strategy(spec, {.threads = 1, .memory = memory, .trace = nullptr}).value();
  }

  Solution solve(const Position& position) override {
    Incumbent incumbent;
    strategy_->think(position, deadline_, incumbent);
    Solution solution;
    const auto choice = incumbent.get();
    if (!choice) return solution;
    solution.move = choice->move;
    solution.nodes = choice->nodes;
    solution.exact = choice->exact;
    solution.low = std::ranges::max(choice->root, {}, &RootMove::low).low;
    solution.high = std::ranges::max(choice->root, {}, &RootMove::high).high;
    return solution;
  }

 private:
  const Deadline& deadline_;
  std::unique_ptr<Strategy> strategy_;
};

/// The joint moves from a position, and their successors.
class MoveValues {
 public:
  MoveValues(const Position& position, Prover& prover, const Deadline& deadline)
      : child_(position),
        root_(position.state),
        prover_(prover),
        context_(position.machine->make_context({.stop = &deadline, .memory = nullptr})),
        legal_(position.machine->role_count()) {}

  std::vector<RootMove> all(std::uint64_t& nodes) {
    const gdl::Machine& machine = *child_.machine;
    for (gdl::RoleIndex role = 0; role < legal_.size(); ++role) {
      if (machine.legal(*context_, root_, role, legal_[role]) != Status::Ok) return {};
    }
    std::vector<RootMove> moves;
    const std::vector<gdl::MoveId> mine = legal_[child_.role];
    for (const gdl::MoveId move : mine) {
      legal_[child_.role].assign(1, move);
      joint_.clear();
      visited_ = 0;
      const Backup worth = after(0);
      moves.push_back({move, (worth.low + worth.high) / 2, visited_, worth.low, worth.high});
      nodes += visited_;
    }
    return moves;
  }

 private:
  /// The roles decide in turns: the others in their order, then chance.
  [[nodiscard]] std::vector<gdl::RoleIndex> order() const {
    std::vector<gdl::RoleIndex> roles{child_.role};
    const auto chance = child_.machine->random_role();
    for (gdl::RoleIndex role = 0; role < legal_.size(); ++role) {
      if (role != child_.role && role != chance) roles.push_back(role);
    }
    if (chance && *chance != child_.role) roles.push_back(*chance);
    return roles;
  }

  /// The value of the moves decided so far, by `decided` roles; recurses at most one level per
  /// role.
  Backup after(std::size_t decided) {
    if (decided == legal_.size()) return reached();
    const gdl::RoleIndex role = order()[decided];
    const bool mean = child_.machine->random_role() == role;
    Backup worth = mean ? Backup::exact(0) : Backup::before_min();
    joint_.resize(legal_.size());
    for (const gdl::MoveId move : legal_[role]) {
      joint_[role] = move;
      const Backup below = after(decided + 1);
      mean ? worth.add(below) : worth.minimise(below);
    }
    if (mean) worth.divide(static_cast<double>(legal_[role].size()));
    return worth;
  }

  Backup reached() {
    const gdl::Machine& machine = *child_.machine;
    bool terminal = false;
    std::vector<int> goals(legal_.size());
    if (machine.next(*context_, root_, joint_, child_.state) != Status::Ok ||
        machine.terminal(*context_, child_.state, terminal) != Status::Ok ||
        machine.goals(*context_, child_.state, goals) != Status::Ok) {
      return {50, 0, 100};
    }
    ++visited_;
    if (terminal) return Backup::exact(goals[child_.role]);
    const Solution solution = prover_.solve(child_);
    visited_ += solution.nodes;
    return {solution.value(), solution.low, solution.high};
  }

  Position child_;
  gdl::State root_;
  Prover& prover_;
  std::unique_ptr<gdl::Machine::Context> context_;
  std::vector<std::vector<gdl::MoveId>> legal_;  // [role]
  std::vector<gdl::MoveId> joint_;
  std::uint64_t visited_ = 0;
};

}  // namespace

std::unique_ptr<Prover> make_search_prover(const gdl::Machine& machine, const Deadline& deadline,
                                           gdl::MemoryBudget* memory) {
  return std::make_unique<SearchProver>(machine, deadline, memory);
}

std::vector<RootMove> value_moves(const Position& position, Prover& prover,
                                  const Deadline& deadline, std::uint64_t& nodes) {
  return MoveValues(position, prover, deadline).all(nodes);
}

}  // namespace ludens::search
