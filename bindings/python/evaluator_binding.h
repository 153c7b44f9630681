// SPDX-License-Identifier: MIT
// Evaluators written in Python, for the engine's searches.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <vector>

#include "bindings/python/state_binding.h"
#include "search/value/evaluator.h"

namespace ludens::bindings {

/// A Python object that threads without the GIL may keep and release.
using HeldObject = std::shared_ptr<pybind11::object>;
/// With the GIL.
HeldObject hold(pybind11::object object);

/// The Python object for the game of a machine: the same object as long as the machine is the same.
/// With the GIL, which is released while a game is made.
class MachineGame {
 public:
  void use(const std::shared_ptr<PythonGame>& game);
  std::shared_ptr<PythonGame> of(const std::shared_ptr<const gdl::Machine>& machine);
  /// The Python object of the current game.
  [[nodiscard]] const pybind11::object& object() const { return *held_; }

 private:
  HeldObject held_;
};

/// An evaluator that continues although the search is over.
class EvaluatorLeft : public std::runtime_error {
 public:
  EvaluatorLeft();
};

/// A batch that Python evaluates: one thread waits for it, and a thread of Python delivers the
/// result. If Python's thread hangs, it ends with the interpreter; a C++ thread would not.
class Evaluation {
 public:
  Evaluation(pybind11::ssize_t states, pybind11::ssize_t players, pybind11::ssize_t actions)
      : states_(states), players_(players), actions_(actions) {}

  /// With the GIL: float32 [states, players] and [states, actions]; or the exception that was
  /// raised.
  void finish(const pybind11::object& values, const pybind11::object& priors);
  void fail(const pybind11::object& error);

  /// Without it. Throws EvaluatorLeft if there is no result a second after the deadline, or
  /// rethrows what was raised.
  void wait(const search::Deadline& deadline);
  [[nodiscard]] std::span<const float> values() const { return values_; }
  [[nodiscard]] std::span<const float> priors() const { return priors_; }

 private:
  void end();

  const pybind11::ssize_t states_, players_, actions_;
  std::vector<float> values_, priors_;
  HeldObject error_;
  std::mutex mutex_;
  std::condition_variable change_;
  bool over_ = false;
};

/// `make` returns an object with `put(batch)`. `batch` is None if there are no further ones, or
/// `(game, states, masks, evaluation)`: a GameCore, uint64 [n, words], bool [n, actions] and the
/// Evaluation, which another thread must finish. `ludens/evaluator.py` makes it from what users
/// write.
class PythonEvaluator final : public search::Evaluator {
 public:
  explicit PythonEvaluator(HeldObject make) : make_(std::move(make)) {}
  ~PythonEvaluator() override;
  /// Sets the game whose machine comes next. With the GIL.
  void use(const std::shared_ptr<PythonGame>& game) { games_.use(game); }

  void begin(const search::Position& position, const search::Deadline& deadline) override;
  void evaluate(const gdl::Expansion& batch, std::span<float> values,
                std::span<float> weights) override;

 private:
  std::shared_ptr<Evaluation> ask(const gdl::Expansion& batch);
  template <typename Visit>
  void each_move(const gdl::Expansion& batch, const Visit& visit) const;

  HeldObject make_, batches_;
  pid_t process_ = 0;  // that made `batches_`; a forked process does not have its thread
  search::Deadline deadline_;
  MachineGame games_;
  std::shared_ptr<const gdl::EnvironmentGame> environment_;
  std::vector<std::vector<std::uint32_t>> columns_;  // [player][move]: in a row of the mask
};

}  // namespace ludens::bindings
