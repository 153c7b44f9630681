// SPDX-License-Identifier: MIT
#include "gdl/interpreter/load.h"

#include <algorithm>

#include "gdl/interpreter/clauses.h"
#include "gdl/interpreter/compiler.h"
#include "gdl/interpreter/state_evaluation.h"
#include "gdl/interpreter/tuner.h"

namespace ludens::gdl::interpreter {

namespace {

/// Steps that deriving one static relation may take, all of them, and the initial state.
constexpr std::uint64_t kRelationWork = 60'000, kStaticWork = 400'000, kInitialWork = 200'000;

/// Extending the tables visits all of them, this many per step.
constexpr std::size_t kExtended = 16;

/// Brings the static part of a game into its program.
class Loader {
 public:
  Loader(const Rules& rules, const Limits& limits)
      : limits_(limits),
        clauses_(rules, game_.program),
        compiler_(game_.program, clauses_, {}, limits.stop),
        evaluation_(game_, limits) {}

  std::unique_ptr<const LoadedGame> run() {
    find_reachable();
    for (const std::uint32_t r : clauses_.order()) {
      if (limits_.stop != nullptr && limits_.stop->stop_requested()) break;
      if (worth_storing(r)) store(r);
    }
    derive_initial_state();
    return Tuner(game_, clauses_, limits_).run();
  }

 private:
  /// What play may ask for. `base` and `input` are never needed.
  void find_reachable() {
    reachable_.assign(clauses_.size(), false);
    std::vector<std::uint32_t> todo{kInit, kNext, kLegal, kSees, kGoal, kTerminal};
    while (!todo.empty()) {
      const std::uint32_t r = todo.back();
      todo.pop_back();
      if (reachable_[r]) continue;
      reachable_[r] = true;
      for (const Clause& clause : clauses_[r].clauses) {
        for (const Atom& a : clause.body) {
          if (a.kind != Atom::Kind::Distinct) todo.push_back(a.relation);
        }
      }
    }
  }

  [[nodiscard]] bool worth_storing(std::uint32_t r) const {
    const Relation& relation = clauses_[r];
    return r >= kKeywordCount && reachable_[r] && !relation.stored &&
           relation.level == Level::Static && !relation.needs_bound;
  }

  bool evaluate(ProcedureId procedure, std::uint64_t work, std::uint32_t& call) {
    compiler_.finish();
    evaluation_.extend();
    evaluation_.limit_work(work);
    if (!evaluation_.spend(game_.program.procedures.size() / kExtended)) return false;
    return evaluation_.evaluate(procedure, nullptr, call);
  }

  void store(std::uint32_t r) {
    if (evaluation_.work() > kStaticWork) return;
    const std::uint32_t arity = clauses_[r].arity;
    const ProcedureId procedure = compiler_.require(r, Mode(arity, 'f'));
    std::uint32_t call = 0;
    if (!evaluate(procedure, kRelationWork, call)) return;
    const auto rows = std::make_shared<Rows>(std::max<std::uint32_t>(1, arity), nullptr);
    evaluation_.tables().memos[procedure]->copy_answers(call, *rows);
    clauses_.make_stored(r, rows);
    evaluation_.extend();
  }

  void derive_initial_state() {
    game_.initial = compiler_.require(kInit, "f");
    std::uint32_t call = 0;
    if (!evaluate(game_.initial, kInitialWork, call)) return;
    std::vector<TermId> fluents;
    if (evaluation_.answers(game_.initial, nullptr, fluents)) {
      game_.initial_fluents = std::move(fluents);
    }
  }

  const Limits limits_;
  LoadedGame game_;
  Clauses clauses_;
  Compiler compiler_;
  StateEvaluation evaluation_;
  std::vector<bool> reachable_;
};

}  // namespace

std::unique_ptr<const LoadedGame> load(const Rules& rules, const Limits& limits) {
  auto game = Loader(rules, limits).run();
  for (const Program::Storage& storage : game->program.storages) {
    if (storage.rows) storage.rows->ensure_all();
  }
  return game;
}

}  // namespace ludens::gdl::interpreter
