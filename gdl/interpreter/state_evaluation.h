// A state's answers outside of a machine: what the loader and the tuner need.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/interpreter/engine.h"
#include "gdl/interpreter/load.h"
#include "gdl/interpreter/workspace.h"

namespace ludens::gdl::interpreter {

/// One state at a time, in terms. Adds to the terms of the game's own program; work is bounded.
class StateEvaluation {
 public:
  explicit StateEvaluation(LoadedGame& game)
      : game_(game), workspace_(game.program), engine_(game.program, workspace_, nullptr) {}

  void load(std::span<const TermId> fluents);
  void load_moves(std::span<const TermId> moves);
  /// False: over the limit, or an answer missing.
  bool answers(ProcedureId procedure, const TermId* key, std::vector<TermId>& out);
  [[nodiscard]] std::uint64_t work() const { return engine_.work(); }
  /// Work that may still be done.
  void limit_work(std::uint64_t steps) { limit_ = work() + steps; }
  [[nodiscard]] StateTables& tables() { return workspace_.slot(0); }
  [[nodiscard]] bool evaluate(ProcedureId procedure, const TermId* key, std::uint32_t& call);
  void extend() { workspace_.extend(); }

 private:
  LoadedGame& game_;
  Workspace workspace_;
  Engine engine_;
  std::uint64_t limit_ = 0;
};

}  // namespace ludens::gdl::interpreter
