// SPDX-License-Identifier: MIT
#include "gdl/interpreter/interpreter.h"

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "gdl/interpreter/engine.h"
#include "gdl/interpreter/load.h"
#include "gdl/interpreter/workspace.h"

namespace ludens::gdl {

namespace {

using namespace interpreter;  // NOLINT: this file is its face

/// How many states' tables a context keeps: a search goes back and forth between a state and its
/// children.
constexpr std::size_t kSlots = 4;

/// Engine steps that a call costs before it evaluates anything.
constexpr std::int64_t kCallWork = 100;
/// The engine steps that giving an id to an answer costs.
constexpr std::int64_t kAnswerWork = 2;

/// Ascending. Ids are dense: setting and collecting bits beats sorting.
class IdSorter {
 public:
  void sort(std::vector<std::uint32_t>& ids) {
    constexpr std::size_t kFew = 8, kSparse = 32;
    const std::uint32_t last = ids.empty() ? 0 : *std::ranges::max_element(ids);
    if (ids.size() < kFew || last / 64 > ids.size() * kSparse) {
      std::ranges::sort(ids);
      return;
    }
    if (bits_.size() <= last / 64) bits_.resize(last / 64 + 1, 0);
    for (const std::uint32_t id : ids) bits_[id / 64] |= std::uint64_t{1} << (id % 64);
    ids.clear();
    for (std::uint32_t w = 0; w <= last / 64; ++w) {
      for (std::uint64_t bits = bits_[w]; bits != 0; bits &= bits - 1) {
        ids.push_back(w * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)));
      }
      bits_[w] = 0;
    }
  }

 private:
  std::vector<std::uint64_t> bits_;  // all 0 between calls
};

template <class Visit>
void each_fluent(StateView state, const Visit& visit) {
  for (const std::uint64_t word : state.words()) {
    visit(static_cast<FluentId>(word));
    if ((word >> 32) != kNone) visit(static_cast<FluentId>(word >> 32));
  }
}

/// The ids of terms in the vocabulary, and back, so that its lock is taken once for each term.
class IdCache {
 public:
  explicit IdCache(Account* account)
      : id_of_(Counted<std::uint32_t>(account)), term_of_(Counted<TermId>(account)) {}

  template <class Intern>
  std::uint32_t id(TermId term, const TermStore& terms, const Intern& intern) {
    if (term < id_of_.size() && id_of_[term] != kNone) return id_of_[term];
    cells_.clear();
    terms.write(term, cells_);
    const std::uint32_t id = intern(GroundTerm(cells_));
    enter(id, term);
    return id;
  }
  template <class Fetch>
  TermId term(std::uint32_t id, TermStore& terms, const Fetch& fetch) {
    if (id < term_of_.size() && term_of_[id] != kNone) return term_of_[id];
    const TermId term = terms.read(fetch(id));
    enter(id, term);
    return term;
  }

 private:
  static void set(CountedVector<std::uint32_t>& map, std::uint32_t from, std::uint32_t to) {
    if (from >= map.size()) map.resize(std::max<std::size_t>(from + 1, map.size() * 2), kNone);
    map[from] = to;
  }
  void enter(std::uint32_t id, TermId term) {
    set(id_of_, term, id);
    set(term_of_, id, term);
  }

  CountedVector<std::uint32_t> id_of_;
  CountedVector<TermId> term_of_;
  std::vector<std::uint32_t> cells_;
};

/// Everything that a context has built up. It is discarded as a whole when memory runs out.
struct Knowledge {
  Knowledge(const LoadedGame& game, MemoryBudget* budget)
      : account(budget),
        workspace(game.program, &account, kSlots),
        engine(game.program, workspace, &account),
        fluents(&account),
        moves(&account),
        percepts(&account),
        at_first(account.used()) {}

  Account account;
  Workspace workspace;
  Engine engine;
  IdCache fluents, moves, percepts;
  std::size_t at_first;  // bytes
  bool used = false;
};

class InterpreterContext final : public Machine::Context {
 public:
  using Context::Context;
  std::unique_ptr<Knowledge> knowledge;
  std::vector<std::uint32_t> ids;
  IdSorter sorter;
};

class Interpreter final : public Machine {
 public:
  Interpreter(std::shared_ptr<Vocabulary> vocabulary, const Limits& limits)
      : vocabulary_(std::move(vocabulary)), game_(load(vocabulary_->rules(), limits)) {}

  [[nodiscard]] std::string_view name() const override { return "interpreter"; }
  [[nodiscard]] const std::shared_ptr<Vocabulary>& vocabulary() const override {
    return vocabulary_;
  }
  [[nodiscard]] std::unique_ptr<Context> make_context(const Limits& limits) const override {
    return std::make_unique<InterpreterContext>(limits);
  }

  Status initial(Context& context, State& out) const override;
  Status legal(Context& context, StateView state, RoleIndex role,
               std::vector<MoveId>& out) const override;
  Status some_legal(Context& context, StateView state, RoleIndex role, std::vector<MoveId>& out,
                    bool& all) const override;
  Status next(Context& context, StateView state, JointMove move, State& out) const override;
  Status percepts(Context& context, StateView state, JointMove move, RoleIndex role,
                  std::vector<PerceptId>& out) const override;
  Status terminal(Context& context, StateView state, bool& out) const override;
  Status goals(Context& context, StateView state, std::span<int> out) const override {
    return all_goals(context, state, &Rules::goal_value, out);
  }
  Status stated_goals(Context& context, StateView state, std::span<int> out) const override {
    return all_goals(context, state, &Rules::number, out);
  }
  Status fluents(Context&, StateView state, std::vector<FluentId>& out) const override {
    unpack_fluents(state, out);
    return Status::Ok;
  }

 private:
  using Answers = std::vector<TermId>;

  template <class Work>
  Status guarded(Context& context, const Work& work) const;
  StateTables& load_state(Knowledge& k, StateView state) const;
  StateTables& load_state_alone(Knowledge& k, StateView state, ProcedureId asked) const;
  void drop_move(Knowledge& k, StateTables& tables) const;
  void load_move(Knowledge& k, StateTables& tables, JointMove move) const;
  template <class Evaluate>
  Status legal_by(Context& context, StateView state, RoleIndex role, std::vector<MoveId>& out,
                  const Evaluate& evaluate) const;
  template <class Enter>
  Status each_answer(Knowledge& k, Memo& memo, std::uint32_t call, const Enter& enter) const;
  Status collect_fluents(InterpreterContext& context, Memo& memo, std::uint32_t call,
                         State& out) const;
  /// What the constant of a goal means.
  using GoalReading = std::optional<int> (Rules::*)(SymbolId) const;
  Status all_goals(Context& context, StateView state, GoalReading read, std::span<int> out) const;
  Status goal(Context& context, StateView state, RoleIndex role, GoalReading read, int& out,
              std::optional<Flaw::Kind>& flaw) const;
  std::uint32_t fluent_id(Knowledge& k, TermId t) const {
    return k.fluents.id(t, k.workspace.terms(),
                        [&](GroundTerm cells) { return vocabulary_->fluent(cells); });
  }
  std::uint32_t move_id(Knowledge& k, TermId t) const {
    return k.moves.id(t, k.workspace.terms(),
                      [&](GroundTerm cells) { return vocabulary_->move(cells); });
  }
  std::uint32_t percept_id(Knowledge& k, TermId t) const {
    return k.percepts.id(t, k.workspace.terms(),
                         [&](GroundTerm cells) { return vocabulary_->percept(cells); });
  }

  std::shared_ptr<Vocabulary> vocabulary_;
  std::unique_ptr<const LoadedGame> game_;
};

/// Does work in the context's knowledge. When memory runs out, tries once more with empty
/// knowledge.
template <class Work>
Status Interpreter::guarded(Context& context, const Work& work) const {
  auto& c = static_cast<InterpreterContext&>(context);
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      if (c.knowledge) {
        const Account& account = c.knowledge->account;
        const std::size_t limit =
            c.limits.memory != nullptr ? c.limits.memory->limit() : kUnbudgetedBytes;
        const bool large = account.used() > c.knowledge->at_first + limit / 8;
        if (large || account.budget() != c.limits.memory) c.knowledge.reset();
      }
      if (!c.knowledge) c.knowledge = std::make_unique<Knowledge>(*game_, c.limits.memory);
      c.knowledge->engine.set_stop(c.limits.stop);
      if (!c.knowledge->engine.spend(kCallWork)) return Status::Stopped;
      const Status status = work(c, *c.knowledge);
      c.knowledge->used = true;
      return status;
    } catch (const std::bad_alloc&) {
      const bool pointless = !c.knowledge || !c.knowledge->used;
      c.knowledge.reset();
      if (pointless) break;
    }
  }
  return Status::OverBudget;
}

StateTables& Interpreter::load_state(Knowledge& k, StateView state) const {
  Workspace& w = k.workspace;
  for (std::size_t i = 0; i < w.slot_count(); ++i) {
    StateTables& tables = w.slot(i);
    if (tables.loaded && StateView(tables.words) == state) {
      w.touch(tables);
      return tables;
    }
  }
  StateTables& tables = w.oldest_slot();
  each_fluent(state, [&](FluentId f) {
    w.add_fluent(tables, k.fluents.term(f, w.terms(),
                                        [&](FluentId id) { return vocabulary_->fluent_term(id); }));
  });
  tables.words.assign(state.words().begin(), state.words().end());
  tables.loaded = true;
  return tables;
}

/// Loads a state for a procedure that no joint move belongs to. The rules of flawed games ask for
/// moves even there, and must not see those of an earlier call.
StateTables& Interpreter::load_state_alone(Knowledge& k, StateView state, ProcedureId asked) const {
  StateTables& tables = load_state(k, state);
  const bool asks_for_moves = game_->program.procedures[asked].level == Level::Move;
  if (asks_for_moves && !tables.moves.empty()) drop_move(k, tables);
  return tables;
}

void Interpreter::drop_move(Knowledge& k, StateTables& tables) const {
  tables.rows[game_->program.does]->clear();
  tables.moves.clear();
  tables.epochs[static_cast<int>(Level::Move)] = k.workspace.new_epoch();
}

void Interpreter::load_move(Knowledge& k, StateTables& tables, JointMove move) const {
  if (!tables.moves.empty() && std::ranges::equal(tables.moves, move)) return;
  drop_move(k, tables);
  Rows& does = *tables.rows[game_->program.does];
  for (RoleIndex role = 0; role < move.size(); ++role) {
    if (move[role] == kNoMove) continue;
    const TermId term = k.moves.term(move[role], k.workspace.terms(),
                                     [&](MoveId id) { return vocabulary_->move_term(id); });
    std::uint32_t* row = does.add();
    row[0] = game_->program.roles[role];
    row[1] = term;
  }
  tables.moves.assign(move.begin(), move.end());
}

/// Answers of one column; there may be a million of them, so stops are polled.
template <class Enter>
Status Interpreter::each_answer(Knowledge& k, Memo& memo, std::uint32_t call,
                                const Enter& enter) const {
  for (std::uint32_t a = memo.call(call).first; a != kNone; a = memo.next_answer(a)) {
    if (!k.engine.spend(kAnswerWork)) return Status::Stopped;
    enter(*memo.answer(a));
  }
  return Status::Ok;
}

Status Interpreter::collect_fluents(InterpreterContext& context, Memo& memo, std::uint32_t call,
                                    State& out) const {
  context.ids.clear();
  Knowledge& k = *context.knowledge;
  const Status s =
      each_answer(k, memo, call, [&](TermId t) { context.ids.push_back(fluent_id(k, t)); });
  if (s != Status::Ok) return s;
  context.sorter.sort(context.ids);
  pack_fluents(context.ids, out.words());
  return s;
}

Status Interpreter::initial(Context& context, State& out) const {
  return guarded(context, [&](InterpreterContext& c, Knowledge& k) {
    if (!game_->initial_fluents) {
      StateTables& tables = load_state_alone(k, StateView(), game_->initial);
      std::uint32_t call = 0;
      const Status s = k.engine.evaluate(tables, game_->initial, nullptr, call);
      return s == Status::Ok ? collect_fluents(c, *tables.memos[game_->initial], call, out) : s;
    }
    c.ids.clear();
    for (const TermId t : *game_->initial_fluents) c.ids.push_back(fluent_id(k, t));
    c.sorter.sort(c.ids);
    pack_fluents(c.ids, out.words());
    return Status::Ok;
  });
}

/// Legal moves that `evaluate` finds, given the tables of the state, the role and a place for the
/// number of the call. If it ends early, `out` has what it has put there.
template <class Evaluate>
Status Interpreter::legal_by(Context& context, StateView state, RoleIndex role,
                             std::vector<MoveId>& out, const Evaluate& evaluate) const {
  const Status status = guarded(context, [&](InterpreterContext& c, Knowledge& k) {
    StateTables& tables = load_state_alone(k, state, game_->legal);
    std::uint32_t call = 0;
    Status s = evaluate(k, tables, call);
    if (s != Status::Ok) return s;
    out.clear();
    s = each_answer(k, *tables.memos[game_->legal], call,
                    [&](TermId t) { out.push_back(move_id(k, t)); });
    if (s == Status::Ok) c.sorter.sort(out);
    return s;
  });
  if (status != Status::Ok || !out.empty()) return status;
  bool ended = false;
  if (const Status s = terminal(context, state, ended); s != Status::Ok) return s;
  if (!ended) context.report(Flaw::Kind::NoLegalMove, role, brief(context, state));
  return status;
}

Status Interpreter::legal(Context& context, StateView state, RoleIndex role,
                          std::vector<MoveId>& out) const {
  return legal_by(
      context, state, role, out, [&](Knowledge& k, StateTables& tables, std::uint32_t& call) {
        return k.engine.evaluate(tables, game_->legal, &game_->program.roles[role], call);
      });
}

Status Interpreter::some_legal(Context& context, StateView state, RoleIndex role,
                               std::vector<MoveId>& out, bool& all) const {
  std::vector<TermId> found;
  std::vector<MoveId> some;
  const Status status = legal_by(
      context, state, role, out, [&](Knowledge& k, StateTables& tables, std::uint32_t& call) {
        const Status s =
            k.engine.evaluate_some(tables, game_->legal, &game_->program.roles[role], call, found);
        some.clear();
        for (const TermId t : found) some.push_back(move_id(k, t));
        return s;
      });
  all = status == Status::Ok;
  if (all || some.empty()) return status;
  std::ranges::sort(some);
  out = std::move(some);
  return Status::Ok;
}

Status Interpreter::next(Context& context, StateView state, JointMove move, State& out) const {
  return guarded(context, [&](InterpreterContext& c, Knowledge& k) {
    StateTables& tables = load_state(k, state);
    load_move(k, tables, move);
    std::uint32_t call = 0;
    const Status s = k.engine.evaluate(tables, game_->next, nullptr, call);
    return s == Status::Ok ? collect_fluents(c, *tables.memos[game_->next], call, out) : s;
  });
}

Status Interpreter::percepts(Context& context, StateView state, JointMove move, RoleIndex role,
                             std::vector<PerceptId>& out) const {
  out.clear();
  if (!game_->sees) return Status::Ok;
  return guarded(context, [&](InterpreterContext& c, Knowledge& k) {
    StateTables& tables = load_state(k, state);
    load_move(k, tables, move);
    std::uint32_t call = 0;
    Status s = k.engine.evaluate(tables, *game_->sees, &game_->program.roles[role], call);
    if (s != Status::Ok) return s;
    out.clear();
    s = each_answer(k, *tables.memos[*game_->sees], call,
                    [&](TermId t) { out.push_back(percept_id(k, t)); });
    if (s == Status::Ok) c.sorter.sort(out);
    return s;
  });
}

Status Interpreter::terminal(Context& context, StateView state, bool& out) const {
  return guarded(context, [&](InterpreterContext&, Knowledge& k) {
    StateTables& tables = load_state_alone(k, state, game_->terminal);
    std::uint32_t call = 0;
    const Status s = k.engine.evaluate(tables, game_->terminal, nullptr, call);
    if (s == Status::Ok) out = tables.memos[game_->terminal]->call(call).count != 0;
    return s;
  });
}

Status Interpreter::goal(Context& context, StateView state, RoleIndex role, GoalReading read,
                         int& out, std::optional<Flaw::Kind>& flaw) const {
  return guarded(context, [&](InterpreterContext&, Knowledge& k) {
    StateTables& tables = load_state_alone(k, state, game_->goal);
    std::uint32_t call = 0;
    const Status s = k.engine.evaluate(tables, game_->goal, &game_->program.roles[role], call);
    if (s != Status::Ok) return s;
    Memo& memo = *tables.memos[game_->goal];
    std::optional<int> largest;
    flaw.reset();
    if (memo.call(call).count == 0) flaw = Flaw::Kind::GoalMissing;
    if (memo.call(call).count > 1) flaw = Flaw::Kind::GoalDoubled;
    for (std::uint32_t a = memo.call(call).first; a != kNone; a = memo.next_answer(a)) {
      const TermStore& terms = k.workspace.terms();
      const TermId t = *memo.answer(a);
      const auto value =
          terms.is_constant(t) ? (vocabulary_->rules().*read)(terms.symbol_of(t)) : std::nullopt;
      if (!value) flaw = Flaw::Kind::GoalNotANumber;
      largest = std::max(largest, value);  // nothing is less than any value
    }
    out = largest.value_or(0);
    return s;
  });
}

Status Interpreter::all_goals(Context& context, StateView state, GoalReading read,
                              std::span<int> out) const {
  std::vector<std::pair<Flaw::Kind, RoleIndex>> flaws;
  for (RoleIndex role = 0; role < role_count(); ++role) {
    std::optional<Flaw::Kind> flaw;
    if (const Status s = goal(context, state, role, read, out[role], flaw); s != Status::Ok)
      return s;
    if (flaw) flaws.emplace_back(*flaw, role);
  }
  if (flaws.empty()) return Status::Ok;
  bool ended = false;
  if (const Status s = terminal(context, state, ended); s != Status::Ok) return s;
  for (const auto& [kind, role] : flaws) {
    if (ended) context.report(kind, role, brief(context, state));
  }
  return Status::Ok;
}

}  // namespace

std::shared_ptr<const Machine> make_interpreter(std::shared_ptr<Vocabulary> vocabulary,
                                                const Limits& limits) {
  return std::make_shared<Interpreter>(std::move(vocabulary), limits);
}

/// Two per word; an unpaired last one is followed by kNone.
void pack_fluents(std::span<const FluentId> fluents, std::vector<std::uint64_t>& words) {
  words.clear();
  for (std::size_t i = 0; i < fluents.size(); i += 2) {
    const std::uint64_t high = i + 1 < fluents.size() ? fluents[i + 1] : kNone;
    words.push_back(fluents[i] | high << 32);
  }
}

void unpack_fluents(StateView state, std::vector<FluentId>& out) {
  out.clear();
  each_fluent(state, [&](FluentId f) { out.push_back(f); });
}

}  // namespace ludens::gdl
