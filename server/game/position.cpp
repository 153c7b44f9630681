// SPDX-License-Identifier: MIT
#include "server/game/position.h"

#include <algorithm>

namespace ludens::server {

Position::Position(std::shared_ptr<const gdl::Machine> machine, const gdl::Limits& limits)
    : machine_(std::move(machine)),
      context_(machine_->make_context(limits)),
      legal_(machine_->role_count()),
      goals_(machine_->role_count()),
      known_(machine_->role_count()) {}

gdl::Status Position::begin() {
  context_->flaws.clear();
  for (auto& turns : known_) turns.clear();
  const gdl::Status status = machine_->initial(*context_, state_);
  return status == gdl::Status::Ok ? derive() : status;
}

gdl::Status Position::advance(gdl::JointMove move) {
  context_->flaws.clear();
  if (auto s = perceive(move); s != gdl::Status::Ok) return s;
  const gdl::Status status = machine_->next(*context_, state_, move, next_);
  if (status != gdl::Status::Ok) return status;
  std::swap(state_, next_);
  return derive();
}

/// Adds what the roles learn about the joint move that is now made.
gdl::Status Position::perceive(gdl::JointMove move) {
  if (!hides_moves()) return gdl::Status::Ok;
  for (gdl::RoleIndex role = 0; role < known_.size(); ++role) {
    search::KnownTurn turn{move[role]};
    const auto status = machine_->percepts(*context_, state_, move, role, turn.percepts);
    if (status != gdl::Status::Ok) return status;
    known_[role].push_back(std::move(turn));
  }
  return gdl::Status::Ok;
}

gdl::Status Position::derive() {
  using gdl::Status;
  if (auto s = machine_->fluents(*context_, state_, fluents_); s != Status::Ok) return s;
  if (auto s = machine_->terminal(*context_, state_, terminal_); s != Status::Ok) return s;
  std::fill(goals_.begin(), goals_.end(), 0);
  if (terminal_) {
    if (auto s = find_goals(); s != Status::Ok) return s;
  }
  for (gdl::RoleIndex role = 0; role < legal_.size(); ++role) {
    legal_[role].clear();
    if (terminal_) continue;
    if (auto s = machine_->legal(*context_, state_, role, legal_[role]); s != Status::Ok) return s;
  }
  return machine_->print(*context_, state_, text_);
}

gdl::Status Position::find_goals() {
  return machine_->stated_goals(*context_, state_, goals_);
}

std::optional<gdl::MoveId> Position::find_legal(gdl::RoleIndex role, std::string_view move) const {
  const auto id = vocabulary().find_move(move);
  const auto& legal = legal_[role];
  if (!id || std::find(legal.begin(), legal.end(), *id) == legal.end()) return std::nullopt;
  return id;
}

std::vector<std::string> percept_names(const gdl::Vocabulary& vocabulary,
                                       const search::KnownTurn& turn) {
  std::vector<std::string> names;
  for (const gdl::PerceptId percept : turn.percepts)
    names.push_back(vocabulary.percept_name(percept));
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::vector<std::string>> last_percepts(const Position& position) {
  std::vector<std::vector<std::string>> all;
  for (gdl::RoleIndex role = 0; role < position.roles(); ++role) {
    all.push_back(percept_names(position.vocabulary(), position.known(role).back()));
  }
  return all;
}

std::string_view explain(gdl::Status status) {
  switch (status) {
    case gdl::Status::Ok:
      return "nothing is wrong";
    case gdl::Status::Stopped:
      return "stopped";
    case gdl::Status::OverBudget:
      return "the rules derive more than fits into the memory limit";
  }
  return {};
}

std::string describe(const gdl::Flaw& flaw, const gdl::Machine& machine) {
  const std::string role = "role " + machine.role_name(flaw.role) + " has ";
  switch (flaw.kind) {
    case gdl::Flaw::Kind::NoLegalMove:
      return role + "no legal move";
    case gdl::Flaw::Kind::GoalMissing:
      return role + "no goal value at the end; counted as 0";
    case gdl::Flaw::Kind::GoalDoubled:
      return role + "several goal values at the end; the largest counts";
    case gdl::Flaw::Kind::GoalNotANumber:
      return role + "a goal at the end that is not an integer; counted as 0";
  }
  return {};
}

}  // namespace ludens::server
