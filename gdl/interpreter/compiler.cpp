// SPDX-License-Identifier: MIT
#include "gdl/interpreter/compiler.h"

#include "gdl/interpreter/clause_compiler.h"

namespace ludens::gdl::interpreter {

void Compiler::finish() {
  Program& program = procedures_.program();
  while (const auto task = procedures_.take()) {
    const std::uint32_t relation = program.procedures[task->procedure].relation;
    const auto first = static_cast<std::uint32_t>(program.clauses.size());
    for (const Clause& clause : procedures_.clauses()[relation].clauses) {
      ClauseCompiler(procedures_, clause, relation, task->mode).run();
    }
    Procedure& procedure = program.procedures[task->procedure];
    procedure.first_clause = first;
    procedure.clause_count = static_cast<std::uint32_t>(program.clauses.size()) - first;
  }
}

}  // namespace ludens::gdl::interpreter
