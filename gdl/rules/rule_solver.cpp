// SPDX-License-Identifier: MIT
#include "gdl/rules/rule_solver.h"

#include "gdl/rules/substitution.h"

namespace ludens::gdl {

std::vector<bool> bound_variables(const Terms& terms, const Rule& rule, std::size_t count) {
  std::vector<bool> bound(count, false);
  std::vector<std::uint32_t> variables;
  for (const Literal& l : rule.body) {
    if (l.kind != Literal::Kind::Positive) continue;
    for (const Term t : l.arguments) terms.append_variables(t, variables);
  }
  for (const std::uint32_t v : variables) bound[v] = true;
  return bound;
}

void RuleSolver::begin() {
  unifier_.reset();
  equated_ = false;
}

bool RuleSolver::equate(Term a, Term b) {
  equated_ = true;
  return unifier_.unify(a, Unifier::Side::Left, b, Unifier::Side::Left);
}

RuleSolver::Outcome RuleSolver::solve(Rule& rule, std::size_t count) {
  if (equated_) {
    if (!unifier_.acyclic()) return Outcome::Impossible;
    Substitution substitution(terms_, Substitution::Mode::Follow);
    for (std::uint32_t v = 0; v < count; ++v) {
      if (const auto image = unifier_.binding(terms_.variable(v))) substitution.bind(v, *image);
    }
    bool small = true;
    for_each_argument(rule, [&](Term& t) {
      t = substitution.apply(t);
      small = small && terms_.symbol_count(t) <= max_term_size_;
    });
    if (!small) return Outcome::TooLarge;
  }
  return decide_distinct(rule) ? Outcome::Solved : Outcome::Impossible;
}

/// False if two terms never differ.
bool RuleSolver::decide_distinct(Rule& rule) const {
  const auto distinct = [](const Literal& l) { return l.kind == Literal::Kind::Distinct; };
  for (const Literal& l : rule.body) {
    if (distinct(l) && l.arguments[0] == l.arguments[1]) return false;
  }
  std::erase_if(rule.body, [&](const Literal& l) {
    return distinct(l) && terms_.is_ground(l.arguments[0]) && terms_.is_ground(l.arguments[1]);
  });
  return true;
}

void RuleSolver::number(Rule& rule, const std::vector<std::string>& names) {
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(names.size());
  for_each_argument(rule, [&](const Term& t) {
    occurrences_.clear();
    terms_.append_variables(t, occurrences_);
    for (const std::uint32_t v : occurrences_) {
      if (!seen[v]) order.push_back(v);
      seen[v] = true;
    }
  });
  bool same = true;
  for (std::uint32_t i = 0; i < order.size(); ++i) same = same && order[i] == i;
  if (!same) {
    Substitution renaming(terms_, Substitution::Mode::Once);
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      renaming.bind(order[i], terms_.variable(i));
    }
    for_each_argument(rule, [&](Term& t) { t = renaming.apply(t); });
  }
  std::vector<std::string> numbered;
  for (const std::uint32_t v : order) numbered.push_back(names[v]);
  rule.variables = std::move(numbered);
}

}  // namespace ludens::gdl
