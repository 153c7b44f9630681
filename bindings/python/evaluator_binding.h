// SPDX-License-Identifier: MIT
// Evaluators that are written in Python, as searches of the engine ask them.
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

/// A Python object that is kept, and let go, by threads without the interpreter's lock.
using HeldObject = std::shared_ptr<pybind11::object>;
/// With the interpreter's lock.
HeldObject hold(pybind11::object object);

/// The game of a machine as Python sees it: the same object as long as the machine is the same.
/// With the interpreter's lock, which is released while a game is made.
class MachineGame {
 public:
  void use(const std::shared_ptr<PythonGame>& game);
  std::shared_ptr<PythonGame> of(const std::shared_ptr<const gdl::Machine>& machine);
  /// The object that Python has for the last one.
  [[nodiscard]] const pybind11::object& object() const { return *held_; }

 private:
  HeldObject held_;
};

/// An evaluator that goes on though the search is over.
class EvaluatorLeft : public std::runtime_error {
 public:
  EvaluatorLeft();
};

/// A batch that Python evaluates: one thread waits for it, another one of Python's own brings what
/// was found. That one may hang for ever, and ends with the interpreter then, as threads of C++
/// can't.
class Evaluation {
 public:
  Evaluation(pybind11::ssize_t states, pybind11::ssize_t players, pybind11::ssize_t actions)
      : states_(states), players_(players), actions_(actions) {}

  /// With the interpreter's lock: float32 [states, players] and [states, actions]; or what was
  /// raised.
  void finish(const pybind11::object& values, const pybind11::object& priors);
  void fail(const pybind11::object& error);

  /// Without it. Throws EvaluatorLeft where nothing came for a second behind the deadline, and what
  /// was raised.
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

/// `make` gives an object with `put(batch)`, in which `batch` is None where no further one comes,
/// or
/// `(game, states, masks, evaluation)`: a GameCore, uint64 [n, words], bool [n, actions] and the
/// Evaluation that is to be ended, on another thread. `ludens/evaluator.py` makes it of what users
/// write.
class PythonEvaluator final : public search::Evaluator {
 public:
  explicit PythonEvaluator(HeldObject make) : make_(std::move(make)) {}
  ~PythonEvaluator() override;
  /// The game whose machine comes next. With the interpreter's lock.
  void use(const std::shared_ptr<PythonGame>& game) { games_.use(game); }

  void begin(const search::Position& position, const search::Deadline& deadline) override;
  void evaluate(const gdl::Expansion& batch, std::span<float> values,
                std::span<float> weights) override;

 private:
  std::shared_ptr<Evaluation> ask(const gdl::Expansion& batch);
  template <typename Visit>
  void each_move(const gdl::Expansion& batch, const Visit& visit) const;

  HeldObject make_, batches_;
  search::Deadline deadline_;
  MachineGame games_;
  std::shared_ptr<const gdl::EnvironmentGame> environment_;
  std::vector<std::vector<std::uint32_t>> columns_;  // [player][move]: in a row of the mask
};

}  // namespace ludens::bindings
