// SPDX-License-Identifier: MIT
#include "search/game/move_chooser.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gdl/text/error.h"
#include "search/hidden/known_position.h"
#include "search/strategy/first_choice.h"

namespace ludens::search {

namespace {

/// Returns the value, or throws its problem as an exception.
template <typename T>
T value_of(gdl::Result<T> made) {
  if (!made) throw std::invalid_argument(made.error().text);
  return *std::move(made);
}

/// Files are read by the agent, which is not part of this library.
void refuse_knowledge(const StrategySpec& spec) {
  const auto given = spec.options.find("knowledge");
  if (given == spec.options.end() || given->second == "auto" || given->second == "none") return;
  throw std::invalid_argument("knowledge=" + given->second +
                              ": a MoveChooser reads no files; leave the option out");
}

/// What the role knows; nullopt if the rules hide nothing.
std::optional<std::vector<KnownTurn>> knowledge_of(const gdl::GameState& state,
                                                   gdl::RoleIndex role) {
  const gdl::Machine& machine = *state.game().machine();
  if (!machine.vocabulary()->rules().has_rule(gdl::kSees)) return std::nullopt;
  std::vector<KnownTurn> turns;
  const auto context = machine.make_context();
  if (hidden::perceive(machine, *context, state.history(), role, turns) != gdl::Status::Ok) {
    throw gdl::GameError("what the role perceived takes more memory than there is");
  }
  return turns;
}

}  // namespace

MoveChooser::MoveChooser(std::string_view strategy, const MoveChooserOptions& options)
    : spec_(value_of(parse_strategy(strategy))),
      memory_(std::make_unique<gdl::MemoryBudget>(options.memory_bytes)) {
  refuse_knowledge(spec_);
  resources_.threads = options.threads;
  resources_.memory = memory_.get();
  strategy_ = value_of(make_strategy(spec_, resources_));
}

Choice MoveChooser::choose(const gdl::GameState& state, gdl::RoleIndex role,
                           std::chrono::nanoseconds time) {
  const auto most = std::min(time, thinking_cap(spec_).value_or(time));
  const auto deadline = Deadline::in(std::chrono::duration<double>(most).count());
  const std::vector<gdl::MoveId> legal = state.legal_moves(role);
  if (legal.empty()) throw std::invalid_argument("the role has no legal move in this state");
  Position position;
  position.machine = state.game().machine();
  position.state = gdl::State(state.view());
  position.role = role;
  position.history = state.history();
  position.known = knowledge_of(state, role);
  bool found = true;
  if (position.known) {
    (void)hidden::believe(position, hidden::MatchPhase::GoesOn, deadline, memory_.get(), found);
  }
  Choice first;
  first.move = legal.front();
  first.value = kUnknownValue;
  Incumbent incumbent;
  incumbent.publish(first);
  if (found) {
    think(position, deadline, incumbent);
  } else {
    explanation_ = "nothing that fits what the role knows was found";
  }
  Choice choice = *incumbent.get();
  hidden::forget_proofs(position, choice);
  hidden::make_legal(choice, legal);
  return choice;
}

/// What a strategy keeps may be broken once it has thrown: the next call makes a new one.
void MoveChooser::think(const Position& position, const Deadline& deadline, Incumbent& incumbent) {
  if (strategy_ == nullptr) strategy_ = value_of(make_strategy(spec_, resources_));
  try {
    strategy_->think(position, deadline, incumbent);
    explanation_ = strategy_->explanation();
  } catch (...) {
    strategy_.reset();
    throw;
  }
}

}  // namespace ludens::search
