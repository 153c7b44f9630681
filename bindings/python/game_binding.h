// SPDX-License-Identifier: MIT
// Games and states as Python has them.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "bindings/game/loaded_game.h"

namespace ludens::bindings {

/// A game, and the Python objects that stand for its moves. All calls with the interpreter's lock.
class PythonGame {
 public:
  explicit PythonGame(std::shared_ptr<LoadedGame> loaded);

  [[nodiscard]] const std::shared_ptr<LoadedGame>& loaded() const { return loaded_; }
  [[nodiscard]] const gdl::Machine& machine() const { return *loaded_->machine(); }
  /// `( drop 3 )`, the same object each time.
  pybind11::object move_name(gdl::MoveId move);
  /// By its name, without regard to case; kNoMove if there is none.
  gdl::MoveId find_move(const pybind11::handle& name);
  /// A role by its name or index; IndexError, KeyError or TypeError otherwise.
  [[nodiscard]] gdl::RoleIndex role(const pybind11::handle& name) const;

 private:
  std::shared_ptr<LoadedGame> loaded_;
  std::vector<pybind11::object> names_;  // [move]
  pybind11::dict moves_;                 // by name
};

/// The joint moves that led to a state, from the last one back.
struct Step {
  std::shared_ptr<const Step> before;
  std::vector<gdl::MoveId> joint;
};

/// Immutable.
class PythonState {
 public:
  /// `origin`: the state that the history begins at; null: the initial one.
  PythonState(std::shared_ptr<PythonGame> game, gdl::State state,
              std::shared_ptr<const Step> history,
              std::shared_ptr<const gdl::State> origin = nullptr);

  [[nodiscard]] const std::shared_ptr<PythonGame>& game() const { return game_; }
  [[nodiscard]] const gdl::State& state() const { return state_; }
  [[nodiscard]] bool terminal() const;
  [[nodiscard]] std::vector<gdl::MoveId> legal(gdl::RoleIndex role) const;
  [[nodiscard]] const std::shared_ptr<const gdl::State>& origin() const { return origin_; }
  /// Joint moves from there on, behind one another.
  [[nodiscard]] std::vector<gdl::MoveId> history() const;
  /// A move of each role, or the one of the only role that has a choice.
  [[nodiscard]] PythonState play(const pybind11::args& moves) const;
  [[nodiscard]] PythonState advance(const std::vector<gdl::MoveId>& joint) const;

 private:
  [[nodiscard]] std::vector<gdl::MoveId> joint_move(const pybind11::sequence& moves) const;
  /// The move of that name, which must be one of `legal`, those of the role.
  [[nodiscard]] gdl::MoveId chosen(const pybind11::handle& name, gdl::RoleIndex role,
                                   const std::vector<gdl::MoveId>& legal) const;
  [[nodiscard]] std::vector<gdl::MoveId> forced_beside(const pybind11::handle& move) const;

  std::shared_ptr<PythonGame> game_;
  gdl::State state_;
  std::shared_ptr<const Step> history_;
  std::shared_ptr<const gdl::State> origin_;
  /// Once it was asked for: who looks at many successors does not ask it of all of them.
  mutable std::optional<bool> terminal_;
};

/// What a machine says went wrong, as an exception.
void expect_ok(gdl::Status status);

/// Does the work on a thread of its own while Python's other threads run and this one looks for
/// signals: what a signal's handler raises asks the work to end, and is thrown then. So does who
/// has `stop`, and nothing is thrown.
void run_interruptibly(const std::function<void(std::stop_token)>& work,
                       std::stop_source stop = std::stop_source());

void bind_games(pybind11::module_& module);
void bind_environments(pybind11::module_& module);
void bind_searches(pybind11::module_& module);
void bind_records(pybind11::module_& module);
void bind_servers(pybind11::module_& module);

}  // namespace ludens::bindings
