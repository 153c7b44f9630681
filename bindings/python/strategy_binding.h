// SPDX-License-Identifier: MIT
// Players and evaluators written in Python, for the engine's searches.
#pragma once

#include <memory>
#include <string>

#include "bindings/python/evaluator_binding.h"
#include "search/registry/registry.h"

namespace ludens::bindings {

/// A player written in Python. `make` returns an object for each match, with `start(game, role,
/// deadline)` and `think(state, role, deadline)`. Both return a running call, whose `wait(seconds)`
/// returns None or a tuple of the results. Deadlines are times of `time.monotonic()`. What they
/// raise is thrown, and so are illegal moves.
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

/// Parses a strategy; ValueError if it is wrong, names knowledge that can't be read, or, with an
/// evaluator, is not `value`.
search::StrategySpec strategy_of(const std::string& text, bool evaluated);
/// `evaluator` may be null. ValueError if it can't be made.
std::unique_ptr<search::Strategy> make_player_strategy(
    const search::StrategySpec& spec, const search::Resources& resources,
    const std::shared_ptr<PythonEvaluator>& evaluator);

}  // namespace ludens::bindings
