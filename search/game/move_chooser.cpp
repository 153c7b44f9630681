// SPDX-License-Identifier: MIT
#include "search/game/move_chooser.h"

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gdl/text/error.h"
#include "search/hidden/belief.h"
#include "search/strategy/first_choice.h"

namespace ludens::search {

namespace {

/// Returns the value, or throws its problem as an exception.
template <typename T>
T value_of(gdl::Result<T> made) {
  if (!made) throw std::invalid_argument(made.error().text);
  return *std::move(made);
}

/// The number of histories of which the likeliest is taken.
constexpr std::size_t kHistories = 64;
/// Share of the time to find one; strategies that believe in several do that themselves.
constexpr double kBelief = 0.25;

/// What the role perceived of each turn; nullopt if the rules hide nothing.
std::optional<std::vector<KnownTurn>> knowledge_of(const gdl::GameState& state,
                                                   gdl::RoleIndex role) {
  const gdl::Machine& machine = *state.game().machine();
  if (!machine.vocabulary()->rules().has_rule(gdl::kSees)) return std::nullopt;
  const auto context = machine.make_context();
  const std::size_t roles = machine.role_count();
  std::vector<KnownTurn> turns;
  gdl::State now, next;
  gdl::Status status = machine.initial(*context, now);
  for (std::size_t at = 0; at < state.history().size() && status == gdl::Status::Ok; at += roles) {
    const gdl::JointMove joint = std::span(state.history()).subspan(at, roles);
    KnownTurn& turn = turns.emplace_back(KnownTurn{.own = joint[role]});
    status = machine.percepts(*context, now, joint, role, turn.percepts);
    if (status == gdl::Status::Ok) status = machine.next(*context, now, joint, next);
    std::swap(now, next);
  }
  if (status != gdl::Status::Ok) {
    throw gdl::GameError("what the role perceived takes more memory than there is");
  }
  return turns;
}

/// Replaces state and history by the likeliest ones that fit what the role knows. If there is not
/// enough time or memory to find any, they stay.
void believe(Position& position, const Deadline& deadline, gdl::MemoryBudget* memory) {
  hidden::Belief belief(position.machine, position.role, {.most = kHistories, .memory = memory});
  if (belief.follow(*position.known, deadline) != gdl::Status::Ok || belief.empty()) return;
  const std::size_t likeliest = belief.likeliest();
  const auto history = belief.history(likeliest);
  position.state.assign(belief.state(likeliest));
  position.history.assign(history.begin(), history.end());
}

}  // namespace

MoveChooser::MoveChooser(std::string_view strategy, const MoveChooserOptions& options)
    : spec_(value_of(parse_strategy(strategy))),
      memory_(std::make_unique<gdl::MemoryBudget>(options.memory_bytes)) {
  Resources resources;
  resources.threads = options.threads;
  resources.memory = memory_.get();
  strategy_ = value_of(make_strategy(spec_, resources));
}

Choice MoveChooser::choose(const gdl::GameState& state, gdl::RoleIndex role,
                           std::chrono::nanoseconds time) {
  const TimePoint start = std::chrono::steady_clock::now();
  const std::vector<gdl::MoveId> legal = state.legal_moves(role);
  if (legal.empty()) throw std::invalid_argument("the role has no legal move in this state");
  Position position;
  position.machine = state.game().machine();
  position.state = gdl::State(state.view());
  position.role = role;
  position.history = state.history();
  position.known = knowledge_of(state, role);
  const auto cap = thinking_cap(spec_);
  const Deadline deadline(start + std::min(time, cap.value_or(time)));
  if (position.known) believe(position, deadline.share(kBelief), memory_.get());
  Choice first;
  first.move = legal.front();
  first.value = kUnknownValue;
  Incumbent incumbent;
  incumbent.publish(first);
  strategy_->think(position, deadline, incumbent);
  return *incumbent.get();
}

}  // namespace ludens::search
