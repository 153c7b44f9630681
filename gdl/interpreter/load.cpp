#include "gdl/interpreter/load.h"

#include "gdl/interpreter/clauses.h"
#include "gdl/interpreter/compiler.h"
#include "gdl/interpreter/engine.h"
#include "gdl/interpreter/workspace.h"

namespace ludens::gdl::interpreter {

namespace {

/// Steps that deriving one static relation may take, all of them, and the initial state.
constexpr std::uint64_t kRelationWork = 60'000, kStaticWork = 400'000, kInitialWork = 200'000;

class Loader {
 public:
  explicit Loader(const Rules& rules)
      : game_(std::make_unique<LoadedGame>()),
        clauses_(rules, game_->program),
        compiler_(game_->program, clauses_),
        workspace_(game_->program),
        engine_(game_->program, workspace_, nullptr) {}

  std::unique_ptr<const LoadedGame> run() {
    find_reachable();
    for (const std::uint32_t r : clauses_.order()) {
      if (worth_storing(r)) store(r);
    }
    derive_initial_state();
    game_->terminal = compiler_.require(kTerminal, "");
    game_->legal = compiler_.require(kLegal, "bf");
    game_->goal = compiler_.require(kGoal, "bf");
    game_->next = compiler_.require(kNext, "f");
    compiler_.finish();
    for (const Program::Storage& storage : game_->program.storages) {
      if (storage.rows) storage.rows->ensure_all();
    }
    return std::move(game_);
  }

 private:
  /// What play may ask for. `base` and `input` are never needed.
  void find_reachable() {
    reachable_.assign(clauses_.size(), false);
    std::vector<std::uint32_t> todo{kInit, kNext, kLegal, kGoal, kTerminal};
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
    if (r < kKeywordCount || !reachable_[r] || relation.stored) return false;
    if (relation.level != Level::Static) return false;
    for (const bool needed : relation.needs_bound) {
      if (needed) return false;
    }
    return true;
  }

  Status evaluate(ProcedureId procedure, std::uint64_t work, std::uint32_t& call) {
    compiler_.finish();
    workspace_.extend();
    engine_.limit_work(work);
    return engine_.evaluate(workspace_.slot(0), procedure, nullptr, call);
  }

  void store(std::uint32_t r) {
    if (engine_.work() > kStaticWork) return;
    const ProcedureId procedure = compiler_.require(r, Mode(clauses_[r].arity, 'f'));
    std::uint32_t call = 0;
    if (evaluate(procedure, kRelationWork, call) != Status::Ok) return;
    const std::uint32_t arity = clauses_[r].arity;
    const auto rows = std::make_shared<Rows>(std::max<std::uint32_t>(1, arity), nullptr);
    Memo& memo = *workspace_.slot(0).memos[procedure];
    for (std::uint32_t a = memo.call(call).first; a != kNone; a = memo.next_answer(a)) {
      std::copy_n(memo.answer(a), arity, rows->add());
    }
    clauses_.make_stored(r, rows);
    workspace_.extend();
  }

  void derive_initial_state() {
    game_->initial = compiler_.require(kInit, "f");
    std::uint32_t call = 0;
    if (evaluate(game_->initial, kInitialWork, call) != Status::Ok) return;
    game_->initial_fluents.emplace();
    StateTables& tables = workspace_.slot(0);
    Memo& memo = *tables.memos[game_->initial];
    for (std::uint32_t a = memo.call(call).first; a != kNone; a = memo.next_answer(a)) {
      game_->initial_fluents->push_back(*memo.answer(a));
      workspace_.add_fluent(tables, *memo.answer(a));
    }
    for (const auto& [functor, relation] : clauses_.fluent_relations()) {
      const Rows& rows = *tables.rows[clauses_[relation].storage];
      if (rows.count() != 0) clauses_.measure(relation, rows);
    }
  }

  std::unique_ptr<LoadedGame> game_;
  Clauses clauses_;
  Compiler compiler_;
  Workspace workspace_;
  Engine engine_;
  std::vector<bool> reachable_;
};

}  // namespace

std::unique_ptr<const LoadedGame> load(const Rules& rules) {
  return Loader(rules).run();
}

}  // namespace ludens::gdl::interpreter
