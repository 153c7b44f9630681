// SPDX-License-Identifier: MIT
// A position posed to the searches of puzzles, and small games for one that are known completely.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "search/puzzle/guide.h"
#include "search/puzzle/play_observations.h"
#include "search/puzzle/search_problem.h"
#include "tests/search/native_machine.h"

namespace ludens::search::puzzle {

/// A number, 1 at first, that is made greater by one (move 0) or doubled (move 1): 100, or `worth`,
/// for the number wanted, 10 for a larger one.
class Doubling final : public test::NativeGame {
 public:
  explicit Doubling(std::uint64_t wanted, int worth = 100) : wanted_(wanted), worth_(worth) {}
  [[nodiscard]] std::size_t role_count() const override { return 1; }
  [[nodiscard]] std::uint64_t start() const override { return 1; }
  [[nodiscard]] std::vector<gdl::MoveId> legal(std::uint64_t, gdl::RoleIndex) const override {
    return {0, 1};
  }
  [[nodiscard]] std::uint64_t next(std::uint64_t state, gdl::JointMove move) const override {
    return move[0] == 0 ? state + 1 : state * 2;
  }
  [[nodiscard]] std::optional<std::vector<int>> result(std::uint64_t state) const override {
    if (state < wanted_) return std::nullopt;
    return std::vector{state == wanted_ ? worth_ : 10};
  }

 private:
  std::uint64_t wanted_;
  int worth_;
};

inline std::shared_ptr<const gdl::Machine> doubling(std::uint64_t wanted, int worth = 100) {
  return std::make_shared<test::NativeMachine>(std::make_shared<Doubling>(wanted, worth));
}

/// The initial position of a machine as a problem, with what guides its searches.
struct Posed {
  explicit Posed(std::shared_ptr<const gdl::Machine> game, int enough = 100,
                 gdl::MemoryBudget* memory = nullptr, std::uint64_t seed = 1)
      : machine(std::move(game)), rng(seed) {
    const auto context = machine->make_context();
    gdl::State root;
    std::vector<gdl::MoveId> moves;
    EXPECT_EQ(machine->initial(*context, root), gdl::Status::Ok);
    EXPECT_EQ(machine->legal(*context, root, 0, moves), gdl::Status::Ok);
    problem = std::make_unique<SearchProblem>(machine, root, moves, enough, memory, rng);
    guide = std::make_unique<Guide>(*problem, observations);
  }

  /// The goal to which a line of moves leads; -1 where it does not lead to the end.
  [[nodiscard]] int goal_of(std::span<const gdl::MoveId> line) const {
    const auto context = machine->make_context();
    gdl::State now(problem->root()), after;
    bool ended = false;
    for (const gdl::MoveId move : line) {
      EXPECT_FALSE(ended) << "moves behind the end";
      EXPECT_EQ(machine->next(*context, now, {&move, 1}, after), gdl::Status::Ok);
      std::swap(now, after);
      EXPECT_EQ(machine->terminal(*context, now, ended), gdl::Status::Ok);
    }
    if (!ended) return -1;
    int goal = 0;
    EXPECT_EQ(machine->goals(*context, now, {&goal, 1}), gdl::Status::Ok);
    return goal;
  }

  std::shared_ptr<const gdl::Machine> machine;
  gdl::Rng rng;
  PlayObservations observations;
  std::unique_ptr<SearchProblem> problem;
  std::unique_ptr<Guide> guide;
};

/// Stops a search when it has visited this many states.
class AtStates final : public gdl::StopSignal {
 public:
  AtStates(const SearchProblem& problem, std::uint64_t states)
      : problem_(problem), states_(states) {}
  [[nodiscard]] bool stop_requested() const noexcept override { return problem_.states >= states_; }

 private:
  const SearchProblem& problem_;
  std::uint64_t states_;
};

}  // namespace ludens::search::puzzle
