// SPDX-License-Identifier: MIT
// Players and evaluators that are written in Python, as searches of the engine have them.
#pragma once

#include <memory>
#include <string>

#include "bindings/python/evaluator_binding.h"
#include "search/registry/registry.h"

namespace ludens::bindings {

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
