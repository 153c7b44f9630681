#include "gdl/interpreter/state_evaluation.h"

namespace ludens::gdl::interpreter {

void StateEvaluation::load(std::span<const TermId> fluents) {
  StateTables& tables = workspace_.oldest_slot();
  tables.rows[game_.program.does]->clear();
  for (const TermId fluent : fluents) workspace_.add_fluent(tables, fluent);
}

void StateEvaluation::load_moves(std::span<const TermId> moves) {
  Rows& does = *tables().rows[game_.program.does];
  does.clear();
  tables().epochs[static_cast<int>(Level::Move)] = workspace_.new_epoch();
  for (std::size_t role = 0; role < moves.size(); ++role) {
    std::uint32_t* row = does.add();
    row[0] = game_.program.roles[role];
    row[1] = moves[role];
  }
}

bool StateEvaluation::evaluate(ProcedureId procedure, const TermId* key, std::uint32_t& call) {
  if (work() >= limit_) return false;
  engine_.limit_work(limit_ - work());
  return engine_.evaluate(tables(), procedure, key, call) == Status::Ok;
}

bool StateEvaluation::answers(ProcedureId procedure, const TermId* key, std::vector<TermId>& out) {
  std::uint32_t call = 0;
  if (!evaluate(procedure, key, call)) return false;
  out.clear();
  Memo& memo = *tables().memos[procedure];
  for (std::uint32_t a = memo.call(call).first; a != kNone; a = memo.next_answer(a)) {
    out.push_back(*memo.answer(a));
  }
  return true;
}

}  // namespace ludens::gdl::interpreter
