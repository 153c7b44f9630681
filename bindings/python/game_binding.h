// SPDX-License-Identifier: MIT
// Games for Python, and what all bindings share.
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

/// A game, and the Python objects for its moves. All calls need the GIL.
class PythonGame {
 public:
  explicit PythonGame(std::shared_ptr<LoadedGame> loaded);

  [[nodiscard]] const std::shared_ptr<LoadedGame>& loaded() const { return loaded_; }
  [[nodiscard]] const gdl::Machine& machine() const { return *loaded_->machine(); }
  /// `( drop 3 )`, the same object each time.
  pybind11::object move_name(gdl::MoveId move);
  /// Finds a move by its name; case does not matter. kNoMove if there is none.
  gdl::MoveId find_move(const pybind11::handle& name);
  /// A role by its name or index; IndexError, KeyError or TypeError otherwise.
  [[nodiscard]] gdl::RoleIndex role(const pybind11::handle& name) const;
  /// For single states, because calls come one at a time.
  [[nodiscard]] gdl::Machine::Context& context() const { return loaded_->context(); }
  /// Scratch memory for a joint move and for legal moves, for the same reason.
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

/// Lets Python's other threads run. A thread that returns when the interpreter is about to end
/// waits for the end of the process: Python would unwind it, which C++ code does not survive. The
/// thread that ends the interpreter returns.
class Unlocked {
 public:
  Unlocked() : thread_(PyEval_SaveThread()) {}
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* thread_;
};

/// A str in UTF-8; nullopt if it has none, because Python allows halves of characters.
std::optional<std::string> utf8_of(const pybind11::handle& text);
/// The same for messages, where such a str is shown as Python writes it.
std::string shown(const pybind11::handle& text);

/// Throws a machine's failure as an exception.
void expect_ok(gdl::Status status);

/// Does the work on a separate thread while Python's other threads run and this one polls for
/// signals. If a signal's handler raises, the work is stopped and the exception is thrown. `stop`
/// also stops the work, and so does `stopped()` once it is true, if it is no None; then nothing is
/// thrown.
void run_interruptibly(const std::function<void(std::stop_token)>& work,
                       std::stop_source stop = std::stop_source(),
                       const pybind11::object& stopped = pybind11::none());

/// The game for environments; GameError if it can't have one. Making it may take long: Python's
/// other threads run meanwhile, and Ctrl-C ends it.
std::shared_ptr<const gdl::EnvironmentGame> environment_of(const PythonGame& game);

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
