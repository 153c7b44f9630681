// SPDX-License-Identifier: MIT
#include "search/hidden/roots.h"

#include "search/hidden/known_hash.h"

namespace ludens::search::hidden {

namespace {

/// The share of the time that a belief may take. The histories found by then are a sample.
constexpr double kToBelieve = 0.5;

/// What a role knows after joint moves that all roles see.
std::uint64_t known_by_moves(std::span<const gdl::MoveId> history, std::size_t roles,
                             gdl::RoleIndex role) {
  std::uint64_t known = kNothingKnown;
  for (std::size_t at = 0; at + roles <= history.size(); at += roles) {
    known = known_after(known, role, history.subspan(at, roles), {}, true);
  }
  return known;
}

}  // namespace

bool Roots::take(const Position& position, const Deadline& deadline) {
  all_is_seen_ = !position.machine->vocabulary()->rules().has_rule(gdl::kSees);
  alone_ = !position.known || !believe(position, deadline.share(kToBelieve));
  return !alone_ || take_alone(position, deadline);
}

/// False if no history was found.
bool Roots::believe(const Position& position, const Deadline& deadline) {
  const bool same_seat =
      belief_ && belief_->role() == position.role && game_ == position.machine->vocabulary();
  if (!same_seat) {
    game_ = position.machine->vocabulary();
    belief_.emplace(position.machine, position.role, options_);
  } else if (belief_->machine() != position.machine &&
             belief_->change_machine(position.machine, deadline) != gdl::Status::Ok) {
    return false;
  }
  return belief_->follow(*position.known, deadline) == gdl::Status::Ok && !belief_->empty() &&
         belief_->turns() == position.known->size();
}

bool Roots::take_alone(const Position& position, const Deadline& deadline) {
  const gdl::Machine& machine = *position.machine;
  const auto context = machine.make_context({.stop = &deadline, .memory = options_.memory});
  single_ = Histories{.roles = machine.role_count(),
                      .turns = position.history.size() / machine.role_count()};
  single_.states.push_back(position.state);
  single_.joints = position.history;
  single_.weights = {1};
  single_.chances = {0};
  std::vector<gdl::MoveId> legal;
  for (gdl::RoleIndex r = 0; r < single_.roles; ++r) {
    if (machine.legal(*context, position.state, r, legal) != gdl::Status::Ok) return false;
    single_.moves.insert(single_.moves.end(), legal.begin(), legal.end());
    single_.begin.push_back(single_.moves.size());
    single_.knowledge.push_back(known_by_moves(single_.history(0), single_.roles, r));
  }
  return true;
}

std::string Roots::told() const {
  if (alone_) return all_is_seen_ ? "" : "no history was found that fits: one is guessed";
  const std::size_t count = histories().size();
  if (!belief_->exact()) return "a sample of " + std::to_string(count) + " histories that fit";
  return count == 1 ? "the only history that fits"
                    : "all " + std::to_string(count) + " histories that fit";
}

std::uint64_t known_after(std::uint64_t before, gdl::RoleIndex role, gdl::JointMove joint,
                          std::span<const gdl::PerceptId> percepts, bool all_is_seen) {
  return learned(before, joint[role], all_is_seen ? joint : percepts);
}

std::uint64_t known_in(const Position& position) {
  if (!position.known) {
    return known_by_moves(position.history, position.machine->role_count(), position.role);
  }
  std::uint64_t known = kNothingKnown;
  for (const KnownTurn& turn : *position.known) known = learned(known, turn.own, turn.percepts);
  return known;
}

}  // namespace ludens::search::hidden
