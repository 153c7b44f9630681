// SPDX-License-Identifier: MIT
// Games in HRF, played by the interpreter move by move.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "gdl/check/check.h"
#include "gdl/interpreter/interpreter.h"
#include "tests/gdl/rules/rulesheet.h"

namespace ludens::gdl {

inline std::string hrf_game(const std::string& name) {
  return read_file(project_folder() + "/tests/gdl/hrf/games/" + name + ".hrf").value();
}

/// The diagnostics of a text: of reader, normaliser and checker; what is only noted is left out.
inline std::string problems_of(std::string text) {
  ReadRules read = read_rules(std::move(text));
  Diagnostics all = read.errors.empty() ? check(read.normalised) : read.errors;
  std::erase_if(all, [](const Diagnostic& d) { return d.severity == Severity::Note; });
  return lines_of(all);
}

/// A position of a game. Terms are written and printed in HRF; lists are sorted, and one string.
class Played {
 public:
  explicit Played(std::string text) {
    EXPECT_EQ(problems_of(text), "");
    names_ = std::make_shared<Vocabulary>(read_rules(std::move(text)).normalised.rules);
    machine_ = make_interpreter(names_);
    context_ = machine_->make_context();
    EXPECT_EQ(machine_->initial(*context_, state_), Status::Ok);
  }

  std::string state() {
    std::vector<FluentId> ids;
    EXPECT_EQ(machine_->fluents(*context_, state_, ids), Status::Ok);
    std::vector<std::string> texts;
    for (const FluentId id : ids) texts.push_back(names_->fluent_text(id));
    return joined(std::move(texts));
  }

  std::string legal(RoleIndex role) {
    std::vector<std::string> texts;
    for (const MoveId id : legal_moves(role)) texts.push_back(names_->move_text(id));
    return joined(std::move(texts));
  }

  /// One move a role, as ( m1 m2 ) without the parentheses.
  void make(const std::vector<std::string>& moves) {
    std::vector<MoveId> joint;
    for (RoleIndex role = 0; role < moves.size(); ++role) {
      const auto legal = legal_moves(role);
      const auto move = names_->find_move(moves[role]);
      ASSERT_TRUE(move && std::ranges::count(legal, *move) == 1) << moves[role];
      joint.push_back(*move);
    }
    State after;
    ASSERT_EQ(machine_->next(*context_, state_, joint, after), Status::Ok);
    state_ = after;
  }

  bool terminal() {
    bool terminal = false;
    EXPECT_EQ(machine_->terminal(*context_, state_, terminal), Status::Ok);
    return terminal;
  }

  /// No role's goal is missing or one of several.
  std::vector<int> goals() {
    std::vector<int> goals(machine_->role_count());
    context_->flaws.clear();
    EXPECT_EQ(machine_->goals(*context_, state_, goals), Status::Ok);
    EXPECT_TRUE(context_->flaws.empty());
    return goals;
  }

 private:
  std::vector<MoveId> legal_moves(RoleIndex role) {
    std::vector<MoveId> ids;
    EXPECT_EQ(machine_->legal(*context_, state_, role, ids), Status::Ok);
    return ids;
  }

  static std::string joined(std::vector<std::string> texts) {
    std::ranges::sort(texts);
    std::string all;
    for (const std::string& text : texts) all += (all.empty() ? "" : " ") + text;
    return all;
  }

  std::shared_ptr<Vocabulary> names_;
  std::shared_ptr<const Machine> machine_;
  std::unique_ptr<Machine::Context> context_;
  State state_;
};

/// A game of one role that plays `go` until `over` holds, with these further statements.
inline std::string solo(const std::string& statements) {
  return "role(r) init(control(r)) base(control(r)) legal(go) terminal :- over\n"
         "base(over) goal(r,100) :- over\n" +
         statements;
}

}  // namespace ludens::gdl
