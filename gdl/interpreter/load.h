// A rulesheet made ready to play.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gdl/interpreter/compiler.h"
#include "gdl/interpreter/program.h"
#include "gdl/memory/limits.h"
#include "gdl/rules/rules.h"

namespace ludens::gdl::interpreter {

/// Immutable once made; shared by all contexts of a machine.
struct LoadedGame {
  Program program;
  ProcedureId initial = 0;   // () -> fluent; static
  ProcedureId terminal = 0;  // ()
  ProcedureId legal = 0;     // (role) -> move
  ProcedureId goal = 0;      // (role) -> value
  ProcedureId next = 0;      // () -> fluent
  /// The fluents true at first, unless deriving them takes too long to do at once.
  std::optional<std::vector<TermId>> initial_fluents;
};

/// Compiles what is asked of every state for a program whose static part is ready. `base` is
/// copied.
std::unique_ptr<LoadedGame> compile_play(const LoadedGame& base, const Clauses& clauses,
                                         const Choices& choices);

/// Compiles the rules. Static relations whose extension is small are derived on the way and become
/// facts; the sizes of all facts and of the initial state give the order of the joins; a few states
/// of a random playout decide what has more than one way to be evaluated. Takes milliseconds: the
/// work is bounded. Where `limits` are met before, what is known by then has to do.
std::unique_ptr<const LoadedGame> load(const Rules& rules, const Limits& limits);

}  // namespace ludens::gdl::interpreter
