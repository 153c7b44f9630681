// SPDX-License-Identifier: MIT
#include "search/hidden/known_position.h"

#include <algorithm>
#include <utility>

#include "search/hidden/belief.h"
#include "search/strategy/first_choice.h"

namespace ludens::search::hidden {

namespace {

/// How many histories are searched for; the likeliest is used. Strategies that work with several
/// build their own belief.
constexpr std::size_t kHistories = 64;

/// The share of the time that the search for them may take.
constexpr double kShare = 0.25;

}  // namespace

gdl::Status perceive(const gdl::Machine& machine, gdl::Machine::Context& context,
                     std::span<const gdl::MoveId> history, gdl::RoleIndex role,
                     std::vector<KnownTurn>& known) {
  known.clear();
  const std::size_t roles = machine.role_count();
  gdl::State now, next;
  gdl::Status status = machine.initial(context, now);
  for (std::size_t at = 0; at < history.size() && status == gdl::Status::Ok; at += roles) {
    const gdl::JointMove joint = history.subspan(at, roles);
    KnownTurn& turn = known.emplace_back(KnownTurn{.own = joint[role]});
    status = machine.percepts(context, now, joint, role, turn.percepts);
    if (status == gdl::Status::Ok) status = machine.next(context, now, joint, next);
    std::swap(now, next);
  }
  return status;
}

gdl::Status believe(Position& position, MatchPhase match, const Deadline& deadline,
                    gdl::MemoryBudget* memory, bool& found) {
  found = false;
  const Deadline stop = deadline.share(kShare);
  const std::span<const KnownTurn> known(*position.known);
  const std::size_t before = known.empty() ? 0 : known.size() - 1;
  Belief belief(position.machine, position.role, {.most = kHistories, .memory = memory});
  gdl::Status status = belief.follow(known.first(before), stop);
  if (status == gdl::Status::Ok && !known.empty()) {
    status = belief.advance(known.back(), stop, match);
  }
  if (status != gdl::Status::Ok || belief.empty()) return status;
  const std::size_t likeliest = belief.likeliest();
  const auto history = belief.history(likeliest);
  position.state.assign(belief.state(likeliest));
  position.history.assign(history.begin(), history.end());
  found = true;
  return status;
}

void forget_proofs(const Position& position, Choice& choice) {
  if (position.known) forget_proofs(choice);
}

void forget_proofs(Choice& choice) {
  choice.exact = false;
  for (RootMove& move : choice.root) {
    move.low = RootMove{}.low;
    move.high = RootMove{}.high;
  }
}

void make_legal(Choice& choice, std::span<const gdl::MoveId> legal) {
  const auto is_legal = [&](gdl::MoveId move) { return std::ranges::binary_search(legal, move); };
  std::erase_if(choice.root, [&](const RootMove& move) { return !is_legal(move.move); });
  if (is_legal(choice.move)) return;
  RootMove other{.move = legal.front(), .value = kUnknownValue};
  if (!choice.root.empty()) other = *std::ranges::max_element(choice.root, {}, &RootMove::value);
  choice.move = other.move;
  choice.value = other.value;
  choice.exact = false;
  choice.variation = std::move(other.variation);
}

}  // namespace ludens::search::hidden
