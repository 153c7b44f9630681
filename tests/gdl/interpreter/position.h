// SPDX-License-Identifier: MIT
// A position of a game on the interpreter, for tests: asks and answers in text.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "gdl/interpreter/interpreter.h"
#include "tests/gdl/rules/rulesheet.h"

namespace ludens::gdl {

using Names = std::vector<std::string>;

inline std::shared_ptr<const Machine> interpreter_of(const std::string& rulesheet) {
  return make_interpreter(std::make_shared<Vocabulary>(normalise_text(rulesheet).rules));
}

class Position {
 public:
  explicit Position(const std::string& rulesheet, const Limits& limits = {})
      : machine_(interpreter_of(rulesheet)), context_(machine_->make_context(limits)) {
    EXPECT_EQ(machine_->initial(*context_, state_), Status::Ok);
  }

  [[nodiscard]] const Machine& machine() const { return *machine_; }
  [[nodiscard]] Machine::Context& context() { return *context_; }
  [[nodiscard]] const State& state() const { return state_; }

  [[nodiscard]] std::string facts() { return machine_->print(*context_, state_); }
  [[nodiscard]] Names legal(RoleIndex role = 0) {
    std::vector<MoveId> moves;
    EXPECT_EQ(machine_->legal(*context_, state_, role, moves), Status::Ok);
    EXPECT_TRUE(std::ranges::is_sorted(moves));
    Names names;
    for (const MoveId m : moves) names.push_back(machine_->vocabulary()->move_name(m));
    std::ranges::sort(names);
    return names;
  }
  [[nodiscard]] bool terminal() {
    bool ended = false;
    EXPECT_EQ(machine_->terminal(*context_, state_, ended), Status::Ok);
    return ended;
  }
  [[nodiscard]] std::vector<int> goals() {
    std::vector<int> values(machine_->role_count());
    EXPECT_EQ(machine_->goals(*context_, state_, values), Status::Ok);
    return values;
  }
  /// Makes a joint move; its moves must have been legal once.
  void make(const Names& moves) {
    std::vector<MoveId> joint;
    for (RoleIndex r = 0; r < machine_->role_count(); ++r) (void)legal(r);
    for (const std::string& move : moves) {
      const auto id = machine_->vocabulary()->find_move(move);
      ASSERT_TRUE(id) << move;
      joint.push_back(*id);
    }
    State after;
    ASSERT_EQ(machine_->next(*context_, state_, joint, after), Status::Ok);
    state_ = after;
  }

 private:
  std::shared_ptr<const Machine> machine_;
  std::unique_ptr<Machine::Context> context_;
  State state_;
};

}  // namespace ludens::gdl
