// SPDX-License-Identifier: MIT
#include "search/game/move_chooser.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "gdl/text/error.h"
#include "search/strategy/first_choice.h"

namespace ludens::search {

namespace {

/// Returns the value, or throws its problem as an exception.
template <typename T>
T value_of(gdl::Result<T> made) {
  if (!made) throw std::invalid_argument(made.error().text);
  return *std::move(made);
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
  Choice first;
  first.move = legal.front();
  first.value = kUnknownValue;
  Incumbent incumbent;
  incumbent.publish(first);
  const auto cap = thinking_cap(spec_);
  strategy_->think(position, Deadline(start + std::min(time, cap.value_or(time))), incumbent);
  return *incumbent.get();
}

}  // namespace ludens::search
