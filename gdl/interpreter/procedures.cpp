// SPDX-License-Identifier: MIT
#include "gdl/interpreter/procedures.h"

#include <algorithm>

namespace ludens::gdl::interpreter {

ProcedureId Procedures::require(std::uint32_t relation, const Mode& mode) {
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

std::optional<Procedures::Task> Procedures::take() {
  if (tasks_.empty()) return std::nullopt;
  Task task = std::move(tasks_.back());
  tasks_.pop_back();
  return task;
}

std::uint32_t Procedures::inline_size(std::uint32_t relation) {
  constexpr std::uint32_t kTooLarge = 1000;
  inline_sizes_.resize(clauses_.size(), kNone);
  if (inline_sizes_[relation] != kNone) return inline_sizes_[relation];
  inline_sizes_[relation] = kTooLarge;  // while it is being examined, and if it is recursive
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

bool Procedures::unfolded(std::uint32_t relation) {
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

}  // namespace ludens::gdl::interpreter
