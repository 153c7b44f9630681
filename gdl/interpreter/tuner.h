// SPDX-License-Identifier: MIT
// Tries ways of evaluating a game on a few of its states.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "gdl/interpreter/clauses.h"
#include "gdl/interpreter/loaded_game.h"
#include "gdl/memory/limits.h"

namespace ludens::gdl::interpreter {

/// Whether a relation is better evaluated whole or call by call depends on how many calls a state
/// makes, which the rules do not show. Nor do they show how large relations are in play. The tuner
/// plays a little, at random, and compares the work of alternatives on the states that it reached.
/// Work is counted in steps of the engine, so the outcome does not depend on the clock.
class Tuner {
 public:
  /// The measured sizes are stored in `clauses`.
  Tuner(LoadedGame& base, Clauses& clauses, const Limits& limits)
      : base_(base), clauses_(clauses), limits_(limits) {}

  std::unique_ptr<const LoadedGame> run();

 private:
  struct Sample {
    std::vector<TermId> fluents;
    std::vector<TermId> moves;  // by role; empty if terminal
  };
  static constexpr std::uint64_t kNoCost = ~std::uint64_t{0};
  static constexpr std::uint64_t kPlayoutWork = 150'000, kTuningWork = 800'000;
  static constexpr std::uint64_t kCompileWork = 20;  // what compiling an operation costs
  /// The basic cost of a step of the playout, even if it evaluates no rules.
  static constexpr std::uint64_t kStepWork = 100;

  bool play();
  void measure_fluents();
  void measure_derived();
  void try_choices(const Choices& choices);
  void try_whole_relations();
  std::uint64_t cost(const LoadedGame& game, std::uint64_t limit);

  LoadedGame& base_;
  Clauses& clauses_;
  const Limits limits_;
  std::vector<Sample> samples_;
  Choices best_choices_;
  std::unique_ptr<const LoadedGame> best_;
  std::uint64_t best_cost_ = 0;
  std::uint64_t spent_ = 0;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> callees_;  // calls in the samples, relation
};

}  // namespace ludens::gdl::interpreter
