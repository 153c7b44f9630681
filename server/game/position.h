// SPDX-License-Identifier: MIT
// A state of a game with everything that a host must know about it, derived once.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/machine/machine.h"
#include "search/strategy/strategy.h"

namespace ludens::server {

/// The current position of a game. Advances by joint moves; not thread-safe. The stop signal and
/// the memory budget of `limits` must outlive it.
class Position {
 public:
  explicit Position(std::shared_ptr<const gdl::Machine> machine, const gdl::Limits& limits = {});

  /// Moves to the initial state. After anything but Ok the position is unspecified.
  gdl::Status begin();
  gdl::Status advance(gdl::JointMove move);
  /// Derives the goals of a state that is not terminal (0 may then stand for none). Hosts only need
  /// goals at the end, and they may be expensive.
  gdl::Status find_goals();

  [[nodiscard]] std::size_t roles() const { return machine_->role_count(); }
  [[nodiscard]] const gdl::Machine& machine() const { return *machine_; }
  [[nodiscard]] const gdl::Vocabulary& vocabulary() const { return *machine_->vocabulary(); }
  [[nodiscard]] gdl::StateView state() const { return state_; }
  /// `( f1 f2 ... )`, by name.
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::span<const gdl::FluentId> fluents() const { return fluents_; }
  [[nodiscard]] bool terminal() const { return terminal_; }
  /// Empty if terminal, or if the game is flawed.
  [[nodiscard]] std::span<const gdl::MoveId> legal(gdl::RoleIndex role) const {
    return legal_[role];
  }
  /// The goals of all roles; 0 if not terminal, unless `find_goals` was called.
  [[nodiscard]] std::span<const int> goals() const { return goals_; }
  /// Faults of the game found in this state.
  [[nodiscard]] std::span<const gdl::Flaw> flaws() const { return context_->flaws; }
  /// Whether the rules hide the joint moves from the roles (`sees`).
  [[nodiscard]] bool hides_moves() const { return vocabulary().rules().has_rule(gdl::kSees); }
  /// If they do: what the role knows, one turn for each `advance` since `begin`.
  [[nodiscard]] const std::vector<search::KnownTurn>& known(gdl::RoleIndex role) const {
    return known_[role];
  }
  [[nodiscard]] std::string move_name(gdl::MoveId move) const {
    return vocabulary().move_name(move);
  }
  /// For people, in the language of the rulesheet.
  [[nodiscard]] std::string move_text(gdl::MoveId move) const {
    return vocabulary().move_text(move);
  }
  /// The role's legal move with this name; case does not matter.
  [[nodiscard]] std::optional<gdl::MoveId> find_legal(gdl::RoleIndex role,
                                                      std::string_view move) const;

 private:
  gdl::Status derive();
  gdl::Status perceive(gdl::JointMove move);

  std::shared_ptr<const gdl::Machine> machine_;
  std::unique_ptr<gdl::Machine::Context> context_;
  gdl::State state_, next_;
  std::string text_;
  std::vector<gdl::FluentId> fluents_;
  bool terminal_ = false;
  std::vector<std::vector<gdl::MoveId>> legal_;
  std::vector<int> goals_;
  std::vector<std::vector<search::KnownTurn>> known_;  // [role]
};

/// The percepts of a turn, by name, in the order of the names.
std::vector<std::string> percept_names(const gdl::Vocabulary& vocabulary,
                                       const search::KnownTurn& turn);

/// What each role perceived of the last joint move, by name: [role]. For rules that hide moves,
/// after an `advance`.
std::vector<std::vector<std::string>> last_percepts(const Position& position);

/// Why a position could not be derived: it was stopped, or needs more memory than its budget.
std::string_view explain(gdl::Status status);

/// "role x has no legal move", ...: a fault of a game as a sentence, without the state.
std::string describe(const gdl::Flaw& flaw, const gdl::Machine& machine);

}  // namespace ludens::server
