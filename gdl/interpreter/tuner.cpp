// SPDX-License-Identifier: MIT
#include "gdl/interpreter/tuner.h"

#include <algorithm>
#include <map>

#include "gdl/interpreter/compiler.h"
#include "gdl/interpreter/state_evaluation.h"
#include "gdl/machine/rng.h"

namespace ludens::gdl::interpreter {

std::unique_ptr<const LoadedGame> Tuner::run() {
  auto first = compile_play(base_, clauses_, best_choices_, limits_.stop);
  if (!base_.initial_fluents || !play()) return first;
  measure_fluents();
  best_ = compile_play(base_, clauses_, best_choices_, limits_.stop);
  best_cost_ = cost(*best_, kTuningWork);
  if (best_cost_ == kNoCost) return first;
  measure_derived();
  try_choices(best_choices_);
  try_whole_relations();
  for (const std::uint32_t size : {2U, 12U}) {
    Choices choices = best_choices_;
    choices.inline_size = size;
    try_choices(choices);
  }
  for (const std::uint32_t size : {0U, 6U}) {
    Choices choices = best_choices_;
    choices.unfold_size = size;
    try_choices(choices);
  }
  try_whole_relations();
  return std::move(best_);
}

/// One random playout, cut short when it takes long; samples three states of it, not only the easy
/// ones.
bool Tuner::play() {
  const auto game = compile_play(base_, clauses_, best_choices_, limits_.stop);
  StateEvaluation evaluation(*game, limits_);
  evaluation.limit_work(kPlayoutWork);
  Rng rng(1);
  std::vector<Sample> way;
  std::vector<TermId> now = *base_.initial_fluents, answers;
  std::uint32_t call = 0;
  while (true) {
    const std::size_t size = now.size() + game->program.roles.size();
    if (!evaluation.spend(kStepWork + size) || !evaluation.load(now)) break;
    if (!evaluation.evaluate(game->terminal, nullptr, call)) break;
    way.push_back({now, {}});
    if (evaluation.tables().memos[game->terminal]->call(call).count != 0) break;
    std::vector<TermId> moves;
    for (const TermId& role : game->program.roles) {
      if (!evaluation.answers(game->legal, &role, answers) || answers.empty()) break;
      moves.push_back(answers[rng.below(static_cast<std::uint32_t>(answers.size()))]);
    }
    if (moves.size() != game->program.roles.size()) break;
    way.back().moves = moves;
    if (!evaluation.load_moves(moves)) break;
    if (!evaluation.answers(game->next, nullptr, now)) break;
  }
  base_.program.terms = game->program.terms;
  if (way.empty()) return false;
  std::vector<std::size_t> picked{way.size() / 4, way.size() / 2, way.size() * 3 / 4};
  if (way.back().moves.empty()) picked.push_back(way.size() - 1);  // the end
  picked.erase(std::unique(picked.begin(), picked.end()), picked.end());
  for (const std::size_t i : picked) samples_.push_back(way[i]);
  return true;
}

/// Sizes of fluent relations, summed over the samples and divided by their number.
void Tuner::measure_fluents() {
  StateEvaluation evaluation(base_, limits_);
  std::map<std::uint32_t, std::pair<double, std::vector<double>>> sums;
  for (const Sample& sample : samples_) {
    if (!evaluation.load(sample.fluents)) return;
    for (const auto& [functor, relation] : clauses_.fluent_relations()) {
      const Rows& rows = *evaluation.tables().rows[clauses_[relation].storage];
      clauses_.measure(relation, rows);
      auto& [count, distinct] = sums[relation];
      count += clauses_[relation].rows;
      distinct.resize(rows.width(), 0);
      for (std::size_t c = 0; c < rows.width(); ++c) {
        distinct[c] += clauses_[relation].distinct[c];
      }
    }
  }
  const auto n = static_cast<double>(samples_.size());
  for (auto& [relation, sum] : sums) {
    clauses_[relation].rows = std::max(sum.first / n, 0.5);
    for (double& d : sum.second) d = std::max(1.0, d / n);
    clauses_[relation].distinct = sum.second;
  }
}

/// Sizes of derived relations in one sample, if that costs no more than about playing it.
void Tuner::measure_derived() {
  const auto sample =
      std::ranges::find_if(samples_, [](const Sample& s) { return !s.moves.empty(); });
  if (sample == samples_.end()) return;
  LoadedGame game = base_;
  StateEvaluation evaluation(game, limits_);
  for (const auto& [calls, relation] : callees_) {
    if (spent_ > kTuningWork / 2) break;
    const std::uint64_t before = evaluation.work();
    Compiler compiler(game.program, clauses_, best_choices_, limits_.stop);
    const ProcedureId whole = compiler.require(relation, Mode(clauses_[relation].arity, 'f'));
    compiler.finish();
    spent_ += kCompileWork * 20;
    evaluation.extend();
    if (!evaluation.load(sample->fluents) || !evaluation.load_moves(sample->moves)) return;
    evaluation.limit_work(std::max<std::uint64_t>(best_cost_ / 2, 4000));
    std::uint32_t call = 0;
    if (evaluation.evaluate(whole, nullptr, call)) {
      Rows rows(std::max<std::uint32_t>(1, clauses_[relation].arity), nullptr);
      evaluation.tables().memos[whole]->copy_answers(call, rows);
      clauses_.measure(relation, rows);
      clauses_[relation].measured = true;
    }
    spent_ += evaluation.work() - before;
  }
}

/// The work of everything that play evaluates in the samples; kNoCost beyond the limit.
std::uint64_t Tuner::cost(const LoadedGame& game, std::uint64_t limit) {
  LoadedGame copy = game;
  StateEvaluation evaluation(copy, limits_);
  evaluation.limit_work(limit);
  std::vector<TermId> answers;
  std::uint32_t call = 0;
  bool within = true;
  std::map<std::uint32_t, std::uint64_t> calls;
  for (const Sample& sample : samples_) {
    within = within && evaluation.load(sample.fluents);
    within = within && evaluation.evaluate(copy.terminal, nullptr, call);
    for (const TermId& role : copy.program.roles) {
      const ProcedureId asked = sample.moves.empty() ? copy.goal : copy.legal;
      within = within && evaluation.answers(asked, &role, answers);
    }
    if (!sample.moves.empty()) {
      within = within && evaluation.load_moves(sample.moves);
      within = within && evaluation.answers(copy.next, nullptr, answers);
    }
    if (!within) break;
    for (ProcedureId p = 0; p < copy.program.procedures.size(); ++p) {
      const Procedure& procedure = copy.program.procedures[p];
      if (procedure.level == Level::Static || procedure.key_width == 0) continue;
      calls[procedure.relation] += evaluation.tables().memos[p]->call_count(
          evaluation.tables().epochs[static_cast<int>(procedure.level)]);
    }
  }
  spent_ += evaluation.work();
  if (!within) return kNoCost;
  callees_.clear();
  for (const auto& [relation, count] : calls) {
    if (relation >= kKeywordCount && count > samples_.size())
      callees_.emplace_back(count, relation);
  }
  std::ranges::sort(callees_, std::greater());
  return evaluation.work();
}

/// Takes these choices if they are clearly better than the best so far.
void Tuner::try_choices(const Choices& choices) {
  if (spent_ > kTuningWork) return;
  if (limits_.stop != nullptr && limits_.stop->stop_requested()) return;
  auto game = compile_play(base_, clauses_, choices, limits_.stop);
  spent_ += kCompileWork * game->program.ops.size() + game->program.terms.size();
  const auto callees = callees_;
  const std::uint64_t limit = best_cost_ - best_cost_ / 32;
  const std::uint64_t found = cost(*game, limit);
  if (found >= limit) {
    callees_ = callees;
    return;
  }
  best_ = std::move(game);
  best_cost_ = found;
  best_choices_ = choices;
}

/// What is called most first.
void Tuner::try_whole_relations() {
  const auto callees = callees_;
  for (const auto& [calls, relation] : callees) {
    if (clauses_[relation].needs_bound || clauses_[relation].negates_itself) continue;
    Choices choices = best_choices_;
    choices.whole.resize(clauses_.size(), false);
    if (choices.whole[relation]) continue;
    choices.whole[relation] = true;
    try_choices(choices);
  }
}

}  // namespace ludens::gdl::interpreter
