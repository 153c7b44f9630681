// SPDX-License-Identifier: MIT
// Exact distances in small games for one, by looking at all of it.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "gdl/machine/machine.h"

namespace ludens::search::test {

/// Every state that play comes to, with the fewest steps to an end with a goal.
class Distances {
 public:
  Distances(const gdl::Machine& machine, int goal)
      : machine_(machine), goal_(goal), context_(machine.make_context()) {
    gdl::State initial;
    EXPECT_EQ(machine.initial(*context_, initial), gdl::Status::Ok);
    number(initial);
    for (std::size_t i = 0; i < states.size(); ++i) visit(i);
    // States come in the order of their depth in games with a clock, so that this is enough.
    for (std::size_t i = states.size(); i-- > 0;) {
      for (const std::size_t next : next_[i]) {
        if (steps[next] != kNever) steps[i] = std::min(steps[i], steps[next] + 1);
      }
    }
  }

  static constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();
  std::vector<gdl::State> states;
  std::vector<std::uint32_t> steps;

 private:
  std::size_t number(const gdl::State& state) {
    const auto words = gdl::StateView(state).words();
    const auto [at, fresh] =
        numbers_.emplace(std::vector(words.begin(), words.end()), states.size());
    if (fresh) {
      states.push_back(state);
      steps.push_back(kNever);
      next_.emplace_back();
    }
    return at->second;
  }
  void visit(std::size_t i) {
    bool over = false;
    int goal = 0;
    EXPECT_EQ(machine_.terminal(*context_, states[i], over), gdl::Status::Ok);
    EXPECT_EQ(machine_.goals(*context_, states[i], {&goal, 1}), gdl::Status::Ok);
    if (over) {
      if (goal == goal_) steps[i] = 0;
      return;
    }
    std::vector<gdl::MoveId> legal;
    EXPECT_EQ(machine_.legal(*context_, states[i], 0, legal), gdl::Status::Ok);
    for (const gdl::MoveId move : legal) {
      gdl::State next;
      EXPECT_EQ(machine_.next(*context_, states[i], {&move, 1}, next), gdl::Status::Ok);
      const std::size_t to = number(next);
      next_[i].push_back(to);
    }
  }

  const gdl::Machine& machine_;
  int goal_;
  std::unique_ptr<gdl::Machine::Context> context_;
  std::map<std::vector<std::uint64_t>, std::size_t> numbers_;
  std::vector<std::vector<std::size_t>> next_;
};

}  // namespace ludens::search::test
