// SPDX-License-Identifier: MIT
#include "bindings/python/knowledge_binding.h"

#include <pybind11/stl.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "server/game/position.h"

namespace ludens::bindings {

namespace py = pybind11;

namespace {

/// What a role knows, one turn for each joint move since the initial state; nullopt if the rules
/// hide nothing. ValueError if the state was made without the moves that led to it.
std::optional<std::vector<search::KnownTurn>> knowledge_of(const PythonState& state,
                                                           gdl::RoleIndex role) {
  if (!state.game()->machine().vocabulary()->rules().has_rule(gdl::kSees)) return std::nullopt;
  if (state.origin() != nullptr) {
    throw py::value_error(
        "what a role knows follows from the moves since the initial state, and this state was made "
        "without them: play to it from `game.initial`");
  }
  std::vector<search::KnownTurn> turns;
  expect_ok(search::hidden::perceive(state.game()->machine(), state.game()->context(),
                                     state.history(), role, turns));
  return turns;
}

std::vector<std::string> percept_names(const PythonState& state, const search::KnownTurn& turn) {
  return server::percept_names(*state.game()->machine().vocabulary(), turn);
}

/// [turn]: (own move, percepts), or None if the rules hide nothing.
py::object knowledge(const PythonState& state, gdl::RoleIndex role) {
  const auto known = knowledge_of(state, role);
  if (!known) return py::none();
  py::list turns;
  for (const search::KnownTurn& turn : *known) {
    turns.append(py::make_tuple(state.game()->move_name(turn.own),
                                py::tuple(py::cast(percept_names(state, turn)))));
  }
  return turns;
}

/// The state that a role believes in; nullopt if none was found in a quarter of the time, or before
/// a call of `stopped` returned true. It is called repeatedly unless it is None.
std::optional<NewState> believed(const PythonState& state, gdl::RoleIndex role, double seconds,
                                 const py::object& stopped) {
  search::Position position = known_position(state, role);
  if (!position.known) return NewState{state};
  const auto match =
      state.terminal() ? search::hidden::MatchPhase::IsOver : search::hidden::MatchPhase::GoesOn;
  gdl::MemoryBudget* const memory = state.game()->loaded()->memory();
  bool found = false;
  run_interruptibly(
      [&](const std::stop_token& stop) {
        found = believe(position, match, search::Deadline::in(seconds, stop), memory);
      },
      {}, stopped);
  if (!found) return std::nullopt;
  const std::size_t roles = state.game()->machine().role_count();
  return NewState{{state.game(), std::move(position.state), steps_of(position.history, roles)}};
}

/// [turn][role]: what records store; empty if the rules hide nothing.
std::vector<std::vector<std::vector<std::string>>> percepts(const PythonState& state) {
  std::vector<std::vector<std::vector<std::string>>> turns;
  for (gdl::RoleIndex role = 0; role < state.game()->machine().role_count(); ++role) {
    const auto known = knowledge_of(state, role);
    if (!known) break;
    turns.resize(known->size());
    for (std::size_t turn = 0; turn < known->size(); ++turn) {
      turns[turn].push_back(percept_names(state, (*known)[turn]));
    }
  }
  return turns;
}

}  // namespace

search::Position known_position(const PythonState& state, gdl::RoleIndex role) {
  return {state.game()->loaded()->machine(), state.state(), role, state.history(),
          knowledge_of(state, role)};
}

bool believe(search::Position& position, search::hidden::MatchPhase match,
             const search::Deadline& deadline, gdl::MemoryBudget* memory) {
  if (!position.known) return true;
  bool found = false;
  const auto status = search::hidden::believe(position, match, deadline, memory, found);
  if (found || status == gdl::Status::Stopped) return found;
  expect_ok(status);
  throw std::runtime_error("no state fits what the role knows");
}

void bind_knowledge(py::module_& module) {
  module.def("knowledge_of", &knowledge);
  module.def("percepts_of", &percepts);
  module.def("believed_of", &believed);
}

}  // namespace ludens::bindings
