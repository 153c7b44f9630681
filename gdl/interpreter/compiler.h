// SPDX-License-Identifier: MIT
// From clauses to plans.
#pragma once

#include <cstdint>
#include <utility>

#include "gdl/interpreter/clauses.h"
#include "gdl/interpreter/procedures.h"
#include "gdl/interpreter/program.h"

namespace ludens::gdl::interpreter {

/// Compiles the procedures that are required, with those they call.
class Compiler {
 public:
  /// The signal may be null. Plans that are made once stopped are correct, but slower.
  Compiler(Program& program, const Clauses& clauses, Choices choices,
           const StopSignal* stop = nullptr)
      : procedures_(program, clauses, std::move(choices), stop) {}

  /// The procedure for a derived relation. It is compiled after `finish`.
  ProcedureId require(std::uint32_t relation, const Mode& mode) {
    return procedures_.require(relation, mode);
  }
  /// Compiles all that has been required.
  void finish();

 private:
  Procedures procedures_;
};

}  // namespace ludens::gdl::interpreter
