// SPDX-License-Identifier: MIT
#include "gdl/interpreter/compiler.h"

#include "gdl/interpreter/clause_compiler.h"

namespace ludens::gdl::interpreter {

void Compiler::finish() {
  Program& program = procedures_.program();
  while (const auto task = procedures_.take()) {
    const std::uint32_t relation = program.procedures[task->procedure].relation;
    const auto first = static_cast<std::uint32_t>(program.clauses.size());
    const std::vector<Clause>& clauses = procedures_.clauses()[relation].clauses;
    for (std::size_t i = 0; i < clauses.size(); ++i) {
      if (i < task->left_out.size() && task->left_out[i]) continue;
      ClauseCompiler(procedures_, clauses[i], relation, task->mode).run();
    }
    Procedure& procedure = program.procedures[task->procedure];
    procedure.first_clause = first;
    procedure.clause_count = static_cast<std::uint32_t>(program.clauses.size()) - first;
  }
}

}  // namespace ludens::gdl::interpreter
