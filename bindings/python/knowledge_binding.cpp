// SPDX-License-Identifier: MIT
#include "bindings/python/knowledge_binding.h"

#include <pybind11/stl.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "search/hidden/belief.h"
#include "server/game/position.h"

namespace ludens::bindings {

namespace py = pybind11;

namespace {

/// The number of histories of which the likeliest is taken; the referee of a match keeps as many.
constexpr std::size_t kHistories = 64;

bool hides_moves(const PythonState& state) {
  return state.game()->machine().vocabulary()->rules().has_rule(gdl::kSees);
}

/// Calls `visit(state, joint)` for each joint move since the initial state.
template <typename Visit>
void for_each_turn(const PythonState& state, Visit&& visit) {
  if (state.origin() != nullptr) {
    throw py::value_error(
        "what a role knows follows from the moves since the initial state, and this state was made "
        "without them: play to it from `game.initial`");
  }
  const std::size_t roles = state.game()->machine().role_count();
  const std::vector<gdl::MoveId> history = state.history();
  gdl::State now = state.game()->loaded()->initial(), next;
  for (std::size_t at = 0; at < history.size(); at += roles) {
    const auto joint = std::span(history).subspan(at, roles);
    visit(gdl::StateView(now), joint);
    expect_ok(state.game()->machine().next(state.game()->context(), now, joint, next));
    std::swap(now, next);
  }
}

search::KnownTurn known_turn(const PythonState& state, gdl::RoleIndex role, gdl::StateView now,
                             gdl::JointMove joint) {
  search::KnownTurn turn{joint[role]};
  expect_ok(
      state.game()->machine().percepts(state.game()->context(), now, joint, role, turn.percepts));
  return turn;
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

/// [turn][role]: what records store; empty if the rules hide nothing.
std::vector<std::vector<std::vector<std::string>>> percepts(const PythonState& state) {
  std::vector<std::vector<std::vector<std::string>>> turns;
  if (!hides_moves(state)) return turns;
  for_each_turn(state, [&](gdl::StateView now, gdl::JointMove joint) {
    auto& roles = turns.emplace_back();
    for (gdl::RoleIndex role = 0; role < joint.size(); ++role) {
      roles.push_back(percept_names(state, known_turn(state, role, now, joint)));
    }
  });
  return turns;
}

}  // namespace

std::optional<std::vector<search::KnownTurn>> knowledge_of(const PythonState& state,
                                                           gdl::RoleIndex role) {
  if (!hides_moves(state)) return std::nullopt;
  std::vector<search::KnownTurn> turns;
  for_each_turn(state, [&](gdl::StateView now, gdl::JointMove joint) {
    turns.push_back(known_turn(state, role, now, joint));
  });
  return turns;
}

PythonState believed_state(const PythonState& state, gdl::RoleIndex role,
                           std::span<const search::KnownTurn> known) {
  using search::hidden::Belief;
  const PythonGame& game = *state.game();
  Belief belief(game.loaded()->machine(), role,
                {.most = kHistories, .memory = game.loaded()->memory()});
  const auto at_the_end =
      state.terminal() ? search::hidden::Match::IsOver : search::hidden::Match::GoesOn;
  auto status = gdl::Status::Ok;
  run_interruptibly([&](const std::stop_token& stop) {
    const search::Deadline stopped(stop);
    for (std::size_t turn = 0; turn < known.size() && status == gdl::Status::Ok; ++turn) {
      const bool last = turn + 1 == known.size();
      status =
          belief.advance(known[turn], stopped, last ? at_the_end : search::hidden::Match::GoesOn);
    }
  });
  expect_ok(status);
  if (belief.empty()) throw std::runtime_error("no state was found that fits what the role knows");
  const std::size_t likeliest = belief.likeliest();
  std::shared_ptr<Step> steps;
  const auto history = belief.history(likeliest);
  const std::size_t roles = game.machine().role_count();
  for (std::size_t at = 0; at < history.size(); at += roles) {
    steps = std::make_shared<Step>(std::move(steps), history.subspan(at, roles));
  }
  return {state.game(), gdl::State(belief.state(likeliest)), std::move(steps)};
}

void bind_knowledge(py::module_& module) {
  module.def("knowledge_of", &knowledge);
  module.def("percepts_of", &percepts);
  module.def("believed_of", [](const PythonState& state, gdl::RoleIndex role) {
    const auto known = knowledge_of(state, role);
    return NewState{known ? believed_state(state, role, *known) : state};
  });
}

}  // namespace ludens::bindings
