#include "gdl/interpreter/compiler.h"

#include <algorithm>
#include <cmath>

#include "gdl/interpreter/clause_compiler.h"

namespace ludens::gdl::interpreter {

ProcedureId Compiler::require(std::uint32_t relation, const Mode& mode) {
  const auto id = static_cast<ProcedureId>(program_.procedures.size());
  const auto [entry, added] = procedures_.emplace(std::pair(relation, mode), id);
  if (!added) return entry->second;
  Procedure procedure;
  procedure.relation = relation;
  procedure.level = clauses_[relation].level;
  procedure.key_width = static_cast<std::uint32_t>(std::ranges::count(mode, 'b'));
  procedure.width = static_cast<std::uint32_t>(std::ranges::count(mode, 'f'));
  program_.procedures.push_back(std::move(procedure));
  tasks_.push_back({id, mode});
  return id;
}

void Compiler::finish() {
  while (!tasks_.empty()) {
    const Task task = tasks_.back();
    tasks_.pop_back();
    const std::uint32_t relation = program_.procedures[task.procedure].relation;
    const auto first = static_cast<std::uint32_t>(program_.clauses.size());
    for (const Clause& clause : clauses_[relation].clauses) {
      ClauseCompiler(*this, clause, relation, task.mode).run();
    }
    Procedure& procedure = program_.procedures[task.procedure];
    procedure.first_clause = first;
    procedure.clause_count = static_cast<std::uint32_t>(program_.clauses.size()) - first;
  }
}

std::uint32_t Compiler::inline_size(std::uint32_t relation) {
  constexpr std::uint32_t kTooLarge = 1000;
  inline_sizes_.resize(clauses_.size(), kNone);
  if (inline_sizes_[relation] != kNone) return inline_sizes_[relation];
  inline_sizes_[relation] = kTooLarge;  // while it is looked at, and if it is recursive
  const Relation& r = clauses_[relation];
  if (r.stored || r.recursive || r.level == Level::Static) return kTooLarge;
  if (choices_.is_whole(relation)) return kTooLarge;
  std::uint32_t size = 0;
  for (const Clause& clause : r.clauses) {
    for (const Atom& a : clause.body) {
      if (a.kind == Atom::Kind::Distinct) continue;
      const auto& needs = clauses_[a.relation].needs_bound;
      if (std::ranges::find(needs, true) != needs.end()) return kTooLarge;
      size += clauses_[a.relation].stored ? 1 : inline_size(a.relation);
      if (size > choices_.inline_size) return kTooLarge;
    }
  }
  return inline_sizes_[relation] = size;
}

bool Compiler::unfolded(std::uint32_t relation) {
  const Relation& r = clauses_[relation];
  if (r.stored || r.recursive || r.level == Level::Static || r.clauses.size() != 1) return false;
  if (choices_.is_whole(relation)) return false;
  if (std::ranges::find(r.needs_bound, true) != r.needs_bound.end()) return false;
  const auto& body = r.clauses[0].body;
  const auto derived = std::ranges::count_if(body, [&](const Atom& a) {
    return a.kind == Atom::Kind::Positive && !clauses_[a.relation].stored;
  });
  return body.size() <= choices_.unfold_size && derived <= 1;
}

bool is_bound(const Pattern& p, const std::vector<bool>& bound) {
  bool all = true;
  each_variable(p, [&](auto v) { all = all && bound[v]; });
  return all;
}

double Estimate::rows(const Atom& atom, const std::vector<bool>& bound) const {
  const Relation& r = clauses_[atom.relation];
  if (r.stored || r.measured) {
    double rows = r.rows;
    for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
      const Pattern& p = atom.arguments[i];
      if (is_bound(p, bound)) {
        rows /= r.distinct[i];
      } else if (p.kind == Pattern::Kind::Compound) {
        rows /= 2;
      }
    }
    return r.stored ? rows : std::max(rows, 0.1);
  }
  int free = 0;
  for (const Pattern& p : atom.arguments) free += is_bound(p, bound) ? 0 : 1;
  if (free == 0) return 0.6;
  return std::min(200.0, 2 * std::pow(3.0, free));
}

}  // namespace ludens::gdl::interpreter
