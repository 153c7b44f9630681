// SPDX-License-Identifier: MIT
// A lower bound on the steps of a one-player game to a goal, from what each of its parts needs
// alone.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "search/factors/condition.h"
#include "search/factors/demand.h"

namespace ludens::search::factors {

/// For a game with independent parts, of which the role moves one in each step. A goal requires
/// conditions of single parts (other conditions are ignored). So an end after n steps needs, for
/// each part, a way to its condition in exactly n steps, and no more than n moves for all of them
/// together. That is only a bound: the search that uses it decides which part moves when. It adds
/// up where pattern databases over parts that share moves don't (Korf and Felner, Disjoint Pattern
/// Database Heuristics, 2002). One thread.
class StepBound {
 public:
  static constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

  /// `machine` and `memory` (null: no limit) must outlive it.
  StepBound(const gdl::Machine& machine, gdl::StateView root, gdl::MemoryBudget* memory);

  /// The number of parts with moves on which a goal better than 0 depends, as far as the structure
  /// shows; also 0 if there is only one part and no clock, so that there is nothing to decompose.
  [[nodiscard]] static std::size_t moved_parts(const gdl::Machine& machine);
  /// Explores the parts. Ok: done, see `tells`. Stopped: if called again, it continues. `visits`
  /// counts the visited states.
  gdl::Status explore(gdl::Machine::Context& context, std::uint64_t& visits);
  /// Whether something is known now: some part with moves was not too large.
  [[nodiscard]] bool tells() const;

  /// Prepares for one goal of the role. False: stopped; if called again, it continues.
  bool aim(int goal, const gdl::StopSignal* stop);
  /// A lower bound on the steps from a state that is reachable from the root to an end with that
  /// goal; kNever: there is none. Also 0 if nothing is known.
  std::uint32_t steps(gdl::Machine::Context& context, gdl::StateView state);

 private:
  /// Conditions that must hold together.
  struct Conjunction {
    struct Requirement {
      std::size_t part;
      const Demand* demand;
    };
    std::vector<Requirement> requirements;
    std::uint32_t shorter_than = kNever;  // it is impossible in this many steps or more
  };
  /// A clock at the end of which the game is over.
  struct Limit {
    std::size_t part;
    std::vector<std::uint32_t> left;  // [state of the part]: steps
  };
  using Conditions = std::vector<const gdl::Structure::Condition*>;

  void add_parts();
  std::size_t part_of(std::uint32_t factor) const;
  void find_limits();
  std::vector<bool> where(const Part& part, const Conditions& conditions);
  std::vector<Conditions> conditions_of(int goal) const;
  void add_conjunction(const Conditions& conditions);
  void find_longest(Conjunction& conjunction) const;
  [[nodiscard]] std::uint32_t steps_left() const;
  [[nodiscard]] std::uint32_t steps_by(const Conjunction& conjunction, std::uint32_t left) const;

  const gdl::Machine& machine_;
  gdl::MemoryBudget* memory_;
  gdl::State root_;
  Projection projection_;
  ConditionReader reader_;
  std::deque<Part> parts_;  // those on which goals or end depend
  std::size_t explored_ = 0, states_ = 0;
  std::vector<Limit> limits_;
  std::uint32_t most_steps_ = 0;  // of the whole game; 0: no limit is known

  int goal_ = -1;
  std::vector<Conditions> asked_;                              // ways to the goal
  std::vector<Conjunction> conjunctions_;                      // those of them that were examined
  std::vector<std::vector<std::unique_ptr<Demand>>> demands_;  // [part]
  std::vector<Part::Index> current_;                           // [part]
};

}  // namespace ludens::search::factors
