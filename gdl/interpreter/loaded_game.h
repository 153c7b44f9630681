// SPDX-License-Identifier: MIT
// A rulesheet in its compiled form.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gdl/interpreter/procedures.h"
#include "gdl/interpreter/program.h"

namespace ludens::gdl::interpreter {

/// Immutable once made; shared by all contexts of a machine.
struct LoadedGame {
  Program program;
  ProcedureId initial = 0;          // () -> fluent; static
  ProcedureId terminal = 0;         // ()
  ProcedureId legal = 0;            // (role) -> move
  ProcedureId goal = 0;             // (role) -> value
  ProcedureId next = 0;             // () -> fluent
  std::optional<ProcedureId> sees;  // (role) -> percept; for a game whose rules have `sees`
  /// The fluents that hold initially, unless deriving them takes too long to do while loading.
  std::optional<std::vector<TermId>> initial_fluents;
};

/// Compiles the procedures that every state needs, for a program whose static part is complete.
/// `base` is copied. The signal may be null.
std::unique_ptr<LoadedGame> compile_play(const LoadedGame& base, const Clauses& clauses,
                                         const Choices& choices, const StopSignal* stop = nullptr);

}  // namespace ludens::gdl::interpreter
