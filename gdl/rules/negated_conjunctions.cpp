// SPDX-License-Identifier: MIT
#include "gdl/rules/negated_conjunctions.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_map>
#include <utility>

#include "gdl/rules/rule_size.h"
#include "gdl/rules/substitution.h"

namespace ludens::gdl {

namespace {

using Kind = FormulaNode::Kind;

}  // namespace

std::optional<std::vector<Clause>> NegatedConjunctions::lift(Clause clause) {
  std::vector<Clause> all;
  all.push_back(std::move(clause));
  made_.clear();
  made_bytes_ = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto is_and = [](const FormulaNode& node) { return node.kind == Kind::And; };
    if (std::ranges::none_of(all[i].body, is_and)) continue;
    find_places(all[i]);
    find_bound(all[i]);
    if (!find_whole(all[i])) continue;
    const std::size_t size = symbols_of_rule(rules_.terms, all[i]) + all[i].variables.size();
    if (size > budget_) return std::nullopt;
    budget_ -= size;
    if (!rewrite(all[i])) return std::nullopt;
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

/// False if the allowance ends.
bool NegatedConjunctions::rewrite(Clause& clause) {
  const auto size = static_cast<std::uint32_t>(clause.body.size());
  std::vector<FormulaNode> body;
  std::vector<std::uint32_t> moved(size + 1, kNone);  // by node: where it is now
  for (std::uint32_t i = 0; i < size;) {
    moved[i] = static_cast<std::uint32_t>(body.size());
    const std::uint32_t next = whole_[i] ? clause.body[i].end : i + 1;
    if (whole_[i]) {
      body.push_back(give_relation(clause, i));
      made_bytes_ += sizeof(Clause) + bytes_of_rule(made_.back());
      if (!go_on_(symbols_of_rule(rules_.terms, made_.back()), made_bytes_)) return false;
    } else {
      body.push_back(std::move(clause.body[i]));
    }
    i = next;
  }
  moved[size] = static_cast<std::uint32_t>(body.size());
  for (FormulaNode& node : body) node.end = moved[node.end];
  clause.body = std::move(body);
  return true;
}

/// The sentence that stands for the conjunction.
FormulaNode NegatedConjunctions::give_relation(const Clause& clause, std::uint32_t conjunction) {
  const FormulaNode& node = clause.body[conjunction];
  std::vector<std::uint32_t> variables = variables_in(clause, conjunction), own;
  FormulaNode sentence{Kind::Sentence, 0, node.end, {}, node.where};
  for (const std::uint32_t v : variables) {
    if (uses_[v].outside) {
      sentence.arguments.push_back(rules_.terms.variable(v));
    } else {
      own.push_back(v);
    }
  }
  warn(clause, own, node.where);
  // In their order: of two equal variables, the one of the smaller number stays.
  std::ranges::sort(variables);
  Clause made{clause.form, 0, {}, node.where, {}, {}, true};
  Substitution renumbering(rules_.terms, Substitution::Mode::Once);
  for (const std::uint32_t v : variables) {
    const auto number = static_cast<std::uint32_t>(made.variables.size());
    renumbering.bind(v, rules_.terms.variable(number));
    made.variables.push_back(clause.variables[v]);
  }
  for (const Term t : sentence.arguments) made.arguments.push_back(renumbering.apply(t));
  for (std::uint32_t i = conjunction + 1; i < node.end; ++i) {
    FormulaNode& inner = made.body.emplace_back(clause.body[i]);
    inner.end -= conjunction + 1;
    for (Term& t : inner.arguments) t = renumbering.apply(t);
  }
  made.head = fresh_.make("some_condition", static_cast<std::uint32_t>(made.arguments.size()));
  sentence.relation = made.head;
  made_.push_back(std::move(made));
  return sentence;
}

/// The variables of a conjunction in the order in which they occur.
std::vector<std::uint32_t> NegatedConjunctions::variables_in(const Clause& clause,
                                                             std::uint32_t conjunction) {
  std::vector<std::uint32_t> variables;
  for (std::uint32_t i = conjunction + 1; i < clause.body[conjunction].end; ++i) {
    for (const std::uint32_t v : variables_of(clause.body[i].arguments)) {
      if (std::exchange(uses_[v].inside, conjunction) != conjunction) variables.push_back(v);
    }
  }
  return variables;
}

/// Says of variables that they are the conjunction's own. All are looked for in one walk.
void NegatedConjunctions::warn(const Clause& clause, const std::vector<std::uint32_t>& own,
                               NodeIndex where) {
  const SyntaxTree& tree = *rules_.source;
  std::unordered_map<std::string, NodeIndex> places;  // by folded name
  for (NodeIndex n = where; n < tree.end(where) && !own.empty(); ++n) {
    const bool is_variable = tree.is_atom(n) && tree.atom(n)[0] == '?';
    if (is_variable) places.try_emplace(fold_case(tree.atom(n)), n);
  }
  for (const std::uint32_t v : own) {
    const std::string& name = clause.variables[v];
    const auto place = places.try_emplace(fold_case(name), where).first;
    diagnostics_.add({Severity::Warning, "unsafe-variable",
                      name + " occurs only under 'not'; read as 'there is none'",
                      rules_.location(place->second)});
  }
}

}  // namespace ludens::gdl
