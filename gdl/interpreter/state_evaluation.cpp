// SPDX-License-Identifier: MIT
#include "gdl/interpreter/state_evaluation.h"

namespace ludens::gdl::interpreter {

/// When memory runs out in the middle of something, the tables are no longer valid.
template <class Work>
bool StateEvaluation::guarded(const Work& work) {
  if (over_) return false;
  try {
    return work();
  } catch (const BudgetExhausted&) {
    over_ = true;
    return false;
  }
}

bool StateEvaluation::load(std::span<const TermId> fluents) {
  return guarded([&] {
    StateTables& tables = workspace_.oldest_slot();
    tables.rows[game_.program.does]->clear();
    for (const TermId fluent : fluents) workspace_.add_fluent(tables, fluent);
    return true;
  });
}

bool StateEvaluation::load_moves(std::span<const TermId> moves) {
  return guarded([&] {
    Rows& does = *tables().rows[game_.program.does];
    does.clear();
    tables().epochs[static_cast<int>(Level::Move)] = workspace_.new_epoch();
    for (std::size_t role = 0; role < moves.size(); ++role) {
      std::uint32_t* row = does.add();
      row[0] = game_.program.roles[role];
      row[1] = moves[role];
    }
    return true;
  });
}

bool StateEvaluation::spend(std::uint64_t steps) {
  aside_ += steps;
  return work() < limit_;
}

bool StateEvaluation::evaluate(ProcedureId procedure, const TermId* key, std::uint32_t& call) {
  if (work() >= limit_) return false;
  engine_.limit_work(limit_ - work());
  return guarded([&] {
    const Status status = engine_.evaluate(tables(), procedure, key, call);
    over_ = status == Status::Stopped;
    return status == Status::Ok;
  });
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
