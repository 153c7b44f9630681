// SPDX-License-Identifier: MIT
// A match of a game with hidden information, step by step, with what each role knows of it.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gdl/registry/machines.h"
#include "gdl/rules/read.h"
#include "search/strategy/strategy.h"
#include "tests/project_folder.h"

namespace ludens::search::hidden::tests {

class HiddenMatch {
 public:
  explicit HiddenMatch(std::shared_ptr<const gdl::Machine> machine)
      : known(machine->role_count()),
        legal(machine->role_count()),
        machine_(std::move(machine)),
        context_(machine_->make_context()) {
    EXPECT_EQ(machine_->initial(*context_, state), gdl::Status::Ok);
    look();
  }

  void make(const std::vector<gdl::MoveId>& joint) {
    for (gdl::RoleIndex r = 0; r < known.size(); ++r) {
      KnownTurn turn{.own = joint[r]};
      EXPECT_EQ(machine_->percepts(*context_, state, joint, r, turn.percepts), gdl::Status::Ok);
      known[r].push_back(std::move(turn));
    }
    gdl::State after;
    EXPECT_EQ(machine_->next(*context_, state, joint, after), gdl::Status::Ok);
    state = std::move(after);
    history.insert(history.end(), joint.begin(), joint.end());
    look();
  }
  /// By the names of the moves, in role order.
  void play(const std::vector<std::string>& names) {
    std::vector<gdl::MoveId> joint;
    for (const auto& name : names) joint.push_back(move(name));
    make(joint);
  }
  [[nodiscard]] std::vector<gdl::MoveId> random_moves(gdl::Rng& rng) const {
    std::vector<gdl::MoveId> joint;
    for (const auto& moves : legal) {
      joint.push_back(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
    }
    return joint;
  }
  /// All that a strategy is told. The state is that of the match.
  [[nodiscard]] Position position(gdl::RoleIndex role) const {
    return {machine_, state, role, history, known[role]};
  }
  [[nodiscard]] std::vector<int> goals() const {
    std::vector<int> goals(known.size());
    EXPECT_EQ(machine_->goals(*context_, state, goals), gdl::Status::Ok);
    return goals;
  }
  [[nodiscard]] gdl::MoveId move(const std::string& name) const {
    const auto found = machine_->vocabulary()->find_move(name);
    EXPECT_TRUE(found.has_value()) << name;
    return found.value_or(gdl::kNoMove);
  }
  [[nodiscard]] gdl::PerceptId percept(const std::string& name) const {
    const auto found = machine_->vocabulary()->find_percept(name);
    EXPECT_TRUE(found.has_value()) << name;
    return found.value_or(0);
  }
  [[nodiscard]] const gdl::Machine& machine() const { return *machine_; }

  gdl::State state;
  std::vector<gdl::MoveId> history;
  std::vector<std::vector<KnownTurn>> known;    // [role]
  std::vector<std::vector<gdl::MoveId>> legal;  // [role]; empty at the end
  bool over = false;

 private:
  void look() {
    EXPECT_EQ(machine_->terminal(*context_, state, over), gdl::Status::Ok);
    for (gdl::RoleIndex r = 0; r < legal.size(); ++r) {
      legal[r].clear();
      if (over) continue;
      EXPECT_EQ(machine_->legal(*context_, state, r, legal[r]), gdl::Status::Ok);
    }
  }

  std::shared_ptr<const gdl::Machine> machine_;
  std::unique_ptr<gdl::Machine::Context> context_;
};

/// Where a bundled game, or one of GDL-II beside the project, is found; the latter may be missing.
inline std::filesystem::path rulesheet_of(const std::string& game) {
  const std::filesystem::path root(project_folder());
  const auto bundled = root / "config/games" / (game + ".kif");
  return std::filesystem::exists(bundled) ? bundled
                                          : root / "../shared/gdl2/rules" / (game + ".kif");
}

/// Null where the rulesheet is missing.
inline std::shared_ptr<gdl::Vocabulary> vocabulary_of(const std::string& game) {
  std::ifstream file(rulesheet_of(game));
  if (!file) return nullptr;
  std::string text{std::istreambuf_iterator<char>(file), {}};
  return std::make_shared<gdl::Vocabulary>(gdl::read_rules(std::move(text)).normalised.rules);
}

inline std::shared_ptr<const gdl::Machine> machine_of(
    const std::shared_ptr<gdl::Vocabulary>& vocabulary, std::string_view machine) {
  return gdl::make_machine(machine, vocabulary).value();
}

inline std::shared_ptr<const gdl::Machine> machine_of_text(const std::string& text,
                                                           std::string_view machine) {
  return machine_of(std::make_shared<gdl::Vocabulary>(gdl::read_rules(text).normalised.rules),
                    machine);
}

/// The picker picks one of so many numbers while chance deals another one. The seer sees both; then
/// it waits once more.
inline std::string two_numbers(int numbers) {
  std::string rules = R"((role seer) (role picker) (role random) (init (step 0))
    (<= (next (step 1)) (true (step 0))) (<= (next (step 2)) (true (step 1)))
    (<= terminal (true (step 2))) (legal seer wait)
    (<= (legal picker (pick ?n)) (number ?n) (true (step 0)))
    (<= (legal random (deal ?n)) (number ?n) (true (step 0)))
    (<= (legal picker wait) (true (step 1))) (<= (legal random wait) (true (step 1)))
    (<= (sees seer (picked ?n)) (does picker (pick ?n)))
    (<= (sees seer (dealt ?n)) (does random (deal ?n)))
    (<= (next (number_picked ?n)) (does picker (pick ?n)))
    (goal seer 50) (goal picker 50) (goal random 0))";
  for (int n = 0; n < numbers; ++n) rules += " (number " + std::to_string(n) + ")";
  return rules;
}

}  // namespace ludens::search::hidden::tests
