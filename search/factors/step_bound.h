// SPDX-License-Identifier: MIT
// How long a game for one takes at least to a goal, from what each of its parts needs by itself.
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

/// For a game that falls into independent parts, of which the role moves one in each step. A goal
/// asks for conditions of single parts (others are left out of account), so an end after n steps
/// needs, for each part, a way to its condition in exactly n steps, and no more than n moves for
/// all of them together. That is a bound, and never more: which part moves when is left to the
/// search that uses it. It adds up where pattern databases over parts that share moves don't (Korf
/// and Felner, Disjoint Pattern Database Heuristics, 2002). One thread.
class StepBound {
 public:
  static constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

  /// `machine` and `memory` (null: no limit) outlive it.
  StepBound(const gdl::Machine& machine, gdl::StateView root, gdl::MemoryBudget* memory);

  /// Of how many parts with moves a goal better than 0 asks something, as far as the structure
  /// tells; 0 as well where there is but one part and no clock, so that there is nothing to take
  /// apart.
  [[nodiscard]] static std::size_t moved_parts(const gdl::Machine& machine);
  /// Explores the parts. Ok: done, see `tells`. Stopped: called again, it goes on. `visits`
  /// counts the states looked at.
  gdl::Status explore(gdl::Machine::Context& context, std::uint64_t& visits);
  /// Whether something is known now: some part with moves was not too large.
  [[nodiscard]] bool tells() const;

  /// Makes ready for one goal of the role. False: stopped; called again, it goes on.
  bool aim(int goal, const gdl::StopSignal* stop);
  /// Steps from a state that play can come to from the root until an end with that goal, at least;
  /// kNever: there is none. 0 as well where nothing is known.
  std::uint32_t steps(gdl::Machine::Context& context, gdl::StateView state);

 private:
  /// What must come about together.
  struct Conjunction {
    struct Requirement {
      std::size_t part;
      const Demand* demand;
    };
    std::vector<Requirement> requirements;
    std::uint32_t shorter_than = kNever;  // it does not work in so many steps, nor in more
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
  std::deque<Part> parts_;  // those that goals or end look at
  std::size_t explored_ = 0, states_ = 0;
  std::vector<Limit> limits_;
  std::uint32_t most_steps_ = 0;  // of the whole game; 0: no limit is known

  int goal_ = -1;
  std::vector<Conditions> asked_;                              // ways to the goal
  std::vector<Conjunction> conjunctions_;                      // those of them that were looked at
  std::vector<std::vector<std::unique_ptr<Demand>>> demands_;  // [part]
  std::vector<Part::Index> current_;                           // [part]
};

}  // namespace ludens::search::factors
