// SPDX-License-Identifier: MIT
// Games as Python has them, and what all bindings share.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <functional>
#include <memory>
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
  /// For single states, as calls come one at a time.
  [[nodiscard]] gdl::Machine::Context& context() const { return loaded_->context(); }
  /// Room for a joint move and for legal moves, likewise.
  struct Scratch {
    std::vector<gdl::MoveId> joint, legal;
  };
  [[nodiscard]] Scratch& scratch() { return scratch_; }

 private:
  std::shared_ptr<LoadedGame> loaded_;
  std::vector<pybind11::object> names_;  // [move]
  pybind11::dict moves_;                 // by name
  Scratch scratch_;
};

/// Lets Python's other threads run. A thread that comes back while the interpreter ends waits for
/// the end of the process: Python would unwind it, which code of C++ does not survive.
class Unlocked {
 public:
  Unlocked() : thread_(PyEval_SaveThread()) {}
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* thread_;
};

/// What a machine says went wrong, as an exception.
void expect_ok(gdl::Status status);

/// Does the work on a thread of its own while Python's other threads run and this one looks for
/// signals: what a signal's handler raises asks the work to end, and is thrown then. So does who
/// has `stop`, and nothing is thrown.
void run_interruptibly(const std::function<void(std::stop_token)>& work,
                       std::stop_source stop = std::stop_source());

void bind_games(pybind11::module_& module);
void bind_states(pybind11::module_& module);
void bind_knowledge(pybind11::module_& module);
void bind_environments(pybind11::module_& module);
void bind_evaluators(pybind11::module_& module);
void bind_searches(pybind11::module_& module);
void bind_records(pybind11::module_& module);
void bind_tournaments(pybind11::module_& module);
void bind_servers(pybind11::module_& module);

}  // namespace ludens::bindings
