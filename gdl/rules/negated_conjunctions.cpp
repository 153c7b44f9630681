// SPDX-License-Identifier: MIT
#include "gdl/rules/negated_conjunctions.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace ludens::gdl {

namespace {

using Kind = FormulaNode::Kind;

}  // namespace

std::optional<std::vector<Clause>> NegatedConjunctions::lift(Clause clause) {
  std::vector<Clause> all;
  all.push_back(std::move(clause));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto is_and = [](const FormulaNode& node) { return node.kind == Kind::And; };
    if (std::ranges::none_of(all[i].body, is_and)) continue;
    find_places(all[i]);
    find_bound(all[i]);
    if (!find_whole(all[i])) continue;
    const std::size_t size = all[i].body.size() + all[i].variables.size();
    if (size > budget_) return std::nullopt;
    budget_ -= size;
    rewrite(all[i]);
    std::ranges::move(made_, std::back_inserter(all));
    made_.clear();
  }
  return all;
}

const std::vector<std::uint32_t>& NegatedConjunctions::variables_of(
    const std::vector<Term>& arguments) {
  variables_.clear();
  for (const Term t : arguments) rules_.terms.append_variables(t, variables_);
  return variables_;
}

void NegatedConjunctions::find_places(const Clause& clause) {
  places_.clear();
  std::vector<std::uint32_t> open;  // the nodes around the current one, the innermost last
  for (std::uint32_t i = 0; i < clause.body.size(); ++i) {
    while (!open.empty() && clause.body[open.back()].end <= i) open.pop_back();
    Place here{false, true, true};
    if (!open.empty()) {
      const Place around = places_[open.back()];
      const Kind kind = clause.body[open.back()].kind;
      here.negated = around.negated != (kind == Kind::Not);
      here.outside = around.outside && (kind != Kind::And || !around.negated);
      here.certain = here.outside && around.certain && (kind != Kind::Or || around.negated);
    }
    places_.push_back(here);
    if (clause.body[i].end > i + 1) open.push_back(i);
  }
}

void NegatedConjunctions::find_bound(const Clause& clause) {
  uses_.assign(clause.variables.size(), {});
  for (const std::uint32_t v : variables_of(clause.arguments)) {
    uses_[v].outside = true;
    uses_[v].bound = !clause.is_auxiliary;  // whose caller may bind it in some branches only
  }
  for (std::uint32_t i = 0; i < clause.body.size(); ++i) {
    const Place place = places_[i];
    const bool binds = clause.body[i].kind == Kind::Sentence && !place.negated;
    const bool equates = clause.body[i].kind == Kind::Distinct && place.negated;
    for (const std::uint32_t v : variables_of(clause.body[i].arguments)) {
      Uses& use = uses_[v];
      use.bound = use.bound || (binds && place.certain);
      use.outside = use.outside || ((binds || equates) && place.outside);
      if (std::exchange(use.last, i) != i) ++use.nodes;
    }
  }
}

/// Finds the outermost negated conjunctions that can't be split.
bool NegatedConjunctions::find_whole(const Clause& clause) {
  whole_.assign(clause.body.size(), false);
  bool any = false;
  for (std::uint32_t i = 0; i < clause.body.size(); ++i) {
    if (clause.body[i].kind != Kind::And || !places_[i].negated) continue;
    for (std::uint32_t k = i + 1; k < clause.body[i].end; ++k) {
      for (const std::uint32_t v : variables_of(clause.body[k].arguments)) {
        if (!uses_[v].bound && uses_[v].nodes > 1) whole_[i] = any = true;
      }
    }
    i = clause.body[i].end - 1;
  }
  return any;
}

void NegatedConjunctions::rewrite(Clause& clause) {
  const auto size = static_cast<std::uint32_t>(clause.body.size());
  std::vector<FormulaNode> body;
  std::vector<std::uint32_t> moved(size + 1, kNone);  // by node: where it is now
  for (std::uint32_t i = 0; i < size;) {
    moved[i] = static_cast<std::uint32_t>(body.size());
    const std::uint32_t next = whole_[i] ? clause.body[i].end : i + 1;
    body.push_back(whole_[i] ? give_relation(clause, i) : clause.body[i]);
    i = next;
  }
  moved[size] = static_cast<std::uint32_t>(body.size());
  for (FormulaNode& node : body) node.end = moved[node.end];
  clause.body = std::move(body);
}

/// The sentence that stands for the conjunction.
FormulaNode NegatedConjunctions::give_relation(const Clause& clause, std::uint32_t conjunction) {
  const FormulaNode& node = clause.body[conjunction];
  std::vector<bool> seen(clause.variables.size(), false);
  Clause made{clause.form, 0, {}, node.where, {}, clause.variables};
  made.is_auxiliary = true;
  for (std::uint32_t i = conjunction + 1; i < node.end; ++i) {
    made.body.push_back(clause.body[i]);
    made.body.back().end -= conjunction + 1;
    for (const std::uint32_t v : variables_of(clause.body[i].arguments)) {
      if (seen[v]) continue;
      seen[v] = true;
      if (uses_[v].outside) {
        made.arguments.push_back(rules_.terms.variable(v));
      } else {
        warn(clause, v, node.where);
      }
    }
  }
  made.head = fresh_.make("some_condition", static_cast<std::uint32_t>(made.arguments.size()));
  FormulaNode sentence{Kind::Sentence, made.head, node.end, made.arguments, node.where};
  made_.push_back(std::move(made));
  return sentence;
}

void NegatedConjunctions::warn(const Clause& clause, std::uint32_t variable, NodeIndex where) {
  const std::string& name = clause.variables[variable];
  diagnostics_.add({Severity::Warning, "unsafe-variable",
                    name + " occurs only under 'not'; read as 'there is none'",
                    rules_.location(rules_.place(name, where))});
}

}  // namespace ludens::gdl
