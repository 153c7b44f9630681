// SPDX-License-Identifier: MIT
// Players and evaluators that are written in Python, as searches of the engine have them.
#pragma once

#include <memory>
#include <string>

#include "bindings/python/game_binding.h"
#include "search/registry/registry.h"
#include "search/value/value.h"

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

/// Calls `evaluate(game, states, masks) -> (values, priors)`, in which `game` is a GameCore,
/// `states` uint64 [n, words], `masks` bool [n, actions], `values` float32 [n, players] and
/// `priors` float32 [n, actions]. `ludens/player.py` makes that of what users write.
class PythonEvaluator final : public search::Evaluator {
 public:
  explicit PythonEvaluator(HeldObject evaluate) : evaluate_(std::move(evaluate)) {}
  /// The game whose machine comes next. With the interpreter's lock.
  void use(const std::shared_ptr<PythonGame>& game) { games_.use(game); }

  void begin(const search::Position& position) override;
  void evaluate(const gdl::Expansion& batch, std::span<float> values,
                std::span<float> weights) override;

 private:
  HeldObject evaluate_;
  MachineGame games_;
  std::shared_ptr<const gdl::EnvironmentGame> environment_;
  std::vector<std::vector<std::uint32_t>> columns_;  // [player][move]: in a row of the mask
};

/// A player written in Python. `make` gives an object for each match, which has
/// `start(game, role, deadline)` and `think(state, role, deadline)`; both give a call that is under
/// way, whose `wait(seconds)` gives None or a tuple of what was returned. Deadlines are points of
/// `time.monotonic()`. What they raise, and moves that are not legal, are thrown.
class PythonStrategy final : public search::Strategy {
 public:
  explicit PythonStrategy(HeldObject make) : make_(std::move(make)) {}
  [[nodiscard]] std::string_view name() const override { return "python"; }
  void think(const search::Position& position, const search::Deadline& deadline,
             search::Incumbent& incumbent) override;

 private:
  void start(const search::Position& position, const search::Deadline& deadline);

  HeldObject make_, player_;
  MachineGame games_;
};

/// The strategy of a text; ValueError where it is wrong, or, with an evaluator, not `value`.
search::StrategySpec strategy_of(const std::string& text, bool evaluated);
/// `evaluator` may be null. ValueError where it can't be made.
std::unique_ptr<search::Strategy> make_player_strategy(
    const search::StrategySpec& spec, const search::Resources& resources,
    const std::shared_ptr<PythonEvaluator>& evaluator);

}  // namespace ludens::bindings
