// SPDX-License-Identifier: MIT
// Evaluates states outside of a machine, for the loader and the tuner.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/interpreter/engine.h"
#include "gdl/interpreter/loaded_game.h"
#include "gdl/interpreter/workspace.h"
#include "gdl/memory/limits.h"

namespace ludens::gdl::interpreter {

/// Evaluates one state at a time, in terms. Adds to the terms of the game's own program. Work is
/// bounded, and tables are counted against the budget. Once it was stopped or ran out of memory, it
/// gives no more answers.
class StateEvaluation {
 public:
  StateEvaluation(LoadedGame& game, const Limits& limits)
      : game_(game),
        account_(limits.memory),
        workspace_(game.program, &account_),
        engine_(game.program, workspace_, &account_) {
    engine_.set_stop(limits.stop);
  }

  /// Like all calls, returns false if it is over the limit, stopped, or out of memory.
  bool load(std::span<const TermId> fluents);
  bool load_moves(std::span<const TermId> moves);
  bool answers(ProcedureId procedure, const TermId* key, std::vector<TermId>& out);
  [[nodiscard]] std::uint64_t work() const { return engine_.work() + aside_; }
  /// Limits the work that may still be done.
  void limit_work(std::uint64_t steps) { limit_ = work() + steps; }
  [[nodiscard]] StateTables& tables() { return workspace_.slot(0); }
  [[nodiscard]] bool evaluate(ProcedureId procedure, const TermId* key, std::uint32_t& call);
  /// Counts work done elsewhere, for example a step of a playout. False: no more may be done.
  [[nodiscard]] bool spend(std::uint64_t steps);
  void extend() { workspace_.extend(); }

 private:
  template <class Work>
  bool guarded(const Work& work);

  LoadedGame& game_;
  Account account_;
  Workspace workspace_;
  Engine engine_;
  std::uint64_t limit_ = 0, aside_ = 0;
  bool over_ = false;
};

}  // namespace ludens::gdl::interpreter
