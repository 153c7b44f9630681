// SPDX-License-Identifier: MIT
#include "gdl/interpreter/procedures.h"

#include <algorithm>
#include <utility>

#include "gdl/interpreter/unify.h"

namespace ludens::gdl::interpreter {

Procedures::Procedures(Program& program, const Clauses& clauses, Choices choices,
                       const StopSignal* stop)
    : program_(program),
      clauses_(clauses),
      choices_(std::move(choices)),
      in_place_(clauses.size()),
      poll_(stop) {
  for (const std::uint32_t r : clauses.order()) in_place_[r] = in_place(r);
}

ProcedureId Procedures::require(std::uint32_t relation, const Mode& mode,
                                std::vector<bool> left_out) {
  const auto id = static_cast<ProcedureId>(program_.procedures.size());
  const auto [entry, added] = procedures_.emplace(std::tuple(relation, mode, left_out), id);
  if (!added) return entry->second;
  Procedure procedure;
  procedure.relation = relation;
  procedure.level = clauses_[relation].level;
  procedure.key_width = static_cast<std::uint32_t>(std::ranges::count(mode, 'b'));
  procedure.width = static_cast<std::uint32_t>(std::ranges::count(mode, 'f'));
  program_.procedures.push_back(std::move(procedure));
  tasks_.push_back({id, mode, std::move(left_out)});
  return id;
}

std::vector<bool> Procedures::clauses_that_cannot_match(const Atom& call) const {
  constexpr std::size_t kMostClauses = 100;  // each call may become a procedure of its own
  std::vector<bool> result;
  const Relation& relation = clauses_[call.relation];
  if (!relation.negates_itself || relation.clauses.size() > kMostClauses || !may_grow()) {
    return result;
  }
  std::uint32_t variables = 0;
  for (const Pattern& p : call.arguments) {
    each_variable(p, [&](auto v) { variables = std::max(variables, v + 1); });
  }
  for (const Clause& clause : relation.clauses) {
    Unifier unifier(variables + clause.variables, program_.terms);
    bool possible = true;
    for (std::size_t i = 0; i < call.arguments.size() && possible; ++i) {
      possible = unifier.unify(call.arguments[i], shifted(clause.head[i], variables));
    }
    result.push_back(!possible && !unifier.given_up());
  }
  return result;
}

std::optional<Procedures::Task> Procedures::take() {
  if (tasks_.empty()) return std::nullopt;
  Task task = std::move(tasks_.back());
  tasks_.pop_back();
  return task;
}

bool Procedures::weighs(std::size_t literals) {
  constexpr std::size_t kMost = 500, kWork = 16;  // of weighing a literal
  return literals <= kMost && !poll_(literals * kWork);
}

/// The relations that it depends on must be known.
Procedures::InPlace Procedures::in_place(std::uint32_t relation) const {
  constexpr std::uint32_t kDeepest = 50;  // the compiler recurses once for each level
  const Relation& r = clauses_[relation];
  if (r.stored || r.recursive || r.level == Level::Static) return {};
  if (whole(relation)) return {};
  InPlace result{0, 1};
  for (const Clause& clause : r.clauses) {
    for (const Atom& a : clause.body) {
      if (a.kind == Atom::Kind::Distinct) continue;
      if (clauses_[a.relation].needs_bound) return {};
      const InPlace inner = clauses_[a.relation].stored ? InPlace{1, 0} : in_place_[a.relation];
      if (inner.literals > choices_.inline_size - result.literals) return {};
      result.literals += inner.literals;
      result.depth = std::max(result.depth, inner.depth + 1);
      if (result.depth > kDeepest) return {};
    }
  }
  return result;
}

bool Procedures::unfolded(std::uint32_t relation) {
  const Relation& r = clauses_[relation];
  if (r.stored || r.recursive || r.level == Level::Static || r.clauses.size() != 1) return false;
  if (whole(relation) || !may_grow()) return false;
  if (r.needs_bound) return false;
  const auto& body = r.clauses[0].body;
  const auto derived = std::ranges::count_if(body, [&](const Atom& a) {
    return a.kind == Atom::Kind::Positive && !clauses_[a.relation].stored;
  });
  return body.size() <= choices_.unfold_size && derived <= 1;
}

}  // namespace ludens::gdl::interpreter
