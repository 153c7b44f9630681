// SPDX-License-Identifier: MIT
#include "gdl/ground/shape_inference.h"

#include <algorithm>

namespace ludens::gdl {

namespace {

// Columns of one argument: terms in terms have as many as the product of their arguments.
constexpr unsigned kMaxWidth = 10'000;
// Deeper terms than any playable public game has; beyond it lists and counters grow forever.
constexpr unsigned kMaxDepth = 6;
// Terms of the rules, over which inference recurses.
constexpr unsigned kMaxNesting = 1000;
constexpr std::size_t kMaxShapes = 4000;

// The shapes of `true` and `does` are kept with the relations that derive them.
RelationId source_of(RelationId relation) {
  return relation == kTrue ? kNext : relation == kDoes ? kLegal : relation;
}

}  // namespace

Shapes::Id Shapes::compound(SymbolId functor, const std::vector<Id>& children) {
  for (Id id = 1; id < entries_.size(); ++id) {
    if (entries_[id].functor == functor && entries_[id].children == children) return id;
  }
  Entry entry{functor, children, 0, 0};
  for (const Id child : children) {
    entry.depth = std::max(entry.depth, depth(child));
    if (entry.width <= kMaxWidth) entry.width += width(child);
  }
  ++entry.depth;
  entries_.push_back(std::move(entry));
  return static_cast<Id>(entries_.size() - 1);
}

bool FlatteningWork::go_on(std::uint64_t steps) {
  if (poll(steps)) failure = {GroundingFailure::Kind::Stopped, "stopped"};
  return !failure;
}

ShapeInference::ShapeInference(const Rules& rules, GroundScope scope, Shapes& shapes,
                               FlatteningWork& work)
    : rules_(rules), terms_(rules.terms), scope_(scope), shapes_(shapes), work_(work) {}

void ShapeInference::run() {
  find_needed();
  if (!terms_are_shallow()) return;
  infer();
  if (work_.failure && !work_.poll.stopped()) infer_rows();
}

bool ShapeInference::terms_are_shallow() {
  const auto deep = [&](Term t) { return terms_.depth(t) > kMaxNesting; };
  for (std::uint32_t i = 0; i < rules_.rules.size(); ++i) {
    const Rule& rule = rules_.rules[i];
    if (!needed_[rule.head]) continue;
    if (!work_.go_on(rule.body.size() + 1)) return false;
    if (std::ranges::any_of(rule.arguments, deep) ||
        std::ranges::any_of(
            rule.body, [&](const Literal& l) { return std::ranges::any_of(l.arguments, deep); })) {
      work_.failure = {GroundingFailure::Kind::EndlessTerms, "a term is nested too deeply", i};
      return false;
    }
  }
  return true;
}

void ShapeInference::find_needed() {
  needed_.assign(rules_.relations.size(), false);
  for (const RelationId k : {kRole, kInit, kNext, kLegal, kSees, kGoal, kTerminal}) {
    needed_[k] = true;
  }
  needed_[kBase] = needed_[kInput] = scope_ == GroundScope::WithDeclarations;
  std::vector<std::vector<std::uint32_t>> rules_of(rules_.relations.size());
  for (std::uint32_t i = 0; i < rules_.rules.size(); ++i) {
    rules_of[rules_.rules[i].head].push_back(i);
  }
  std::vector<RelationId> todo;
  for (RelationId r = 0; r < needed_.size(); ++r) {
    if (needed_[r]) todo.push_back(r);
  }
  while (!todo.empty()) {
    const RelationId relation = todo.back();
    todo.pop_back();
    for (const std::uint32_t i : rules_of[relation]) {
      for (const Literal& l : rules_.rules[i].body) {
        if (l.kind == Literal::Kind::Distinct || needed_[l.relation]) continue;
        needed_[l.relation] = true;
        todo.push_back(l.relation);
      }
    }
  }
}

ShapeInference::ShapeSet& ShapeInference::at(RelationId relation, std::size_t argument) {
  return found_[{source_of(relation), argument}];
}

bool ShapeInference::match(Term t, Shapes::Id shape, Met& out) const {
  if (terms_.kind(t) == Terms::Kind::Variable) {
    out.emplace_back(terms_.value(t), shape);
    return true;
  }
  if (terms_.kind(t) == Terms::Kind::Constant) return shape == Shapes::kConstant;
  const auto arguments = terms_.arguments(t);
  const auto& children = shapes_.children(shape);
  if (shape == Shapes::kConstant || shapes_.functor(shape) != terms_.value(t) ||
      children.size() != arguments.size()) {
    return false;
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!match(arguments[i], children[i], out)) return false;
  }
  return true;
}

std::optional<ShapeInference::Binding> ShapeInference::bind(const Rule& rule) {
  Binding bound(rule.variables.size());
  std::vector<bool> seen(rule.variables.size(), false);
  Met here;
  for (const Literal& l : rule.body) {
    if (l.kind != Literal::Kind::Positive) continue;
    for (std::size_t i = 0; i < l.arguments.size(); ++i) {
      here.clear();
      bool any = false;
      for (const Shapes::Id shape : at(l.relation, i)) {
        const std::size_t before = here.size();
        const bool matches = match(l.arguments[i], shape, here);
        if (!work_.go_on(kShapeWork + here.size() - before)) return std::nullopt;
        any = any || matches;
        if (!matches) here.resize(before);
      }
      if (!any || !narrow(bound, seen, here)) return std::nullopt;
    }
  }
  bind_roles(rule, bound);
  return bound;
}

bool ShapeInference::narrow(Binding& bound, std::vector<bool>& seen, Met& here) {
  std::ranges::sort(here);
  for (auto first = here.begin(); first != here.end();) {
    const std::uint32_t v = first->first;
    const auto last = std::find_if(first, here.end(), [&](auto& met) { return met.first != v; });
    if (!seen[v]) {
      std::for_each(first, last, [&](auto& met) { bound[v].insert(met.second); });
      seen[v] = true;
    } else {
      std::erase_if(bound[v], [&](Shapes::Id shape) {
        return !std::binary_search(first, last, std::pair(v, shape));
      });
      if (bound[v].empty()) return false;
    }
    first = last;
  }
  return true;
}

void ShapeInference::bind_roles(const Rule& rule, Binding& bound) const {
  const auto v = free_role(rule);
  if (v && bound[*v].empty()) bound[*v].insert(Shapes::kConstant);
}

std::optional<std::uint32_t> ShapeInference::free_role(const Rule& rule) const {
  if (rule.head != kLegal && rule.head != kGoal && rule.head != kSees) return std::nullopt;
  const Term role = rule.arguments[0];
  if (terms_.kind(role) != Terms::Kind::Variable) return std::nullopt;
  return terms_.value(role);
}

ShapeInference::ShapeSet ShapeInference::shapes_of(Term t, const Binding& bound) {
  if (terms_.kind(t) == Terms::Kind::Constant) return {Shapes::kConstant};
  if (terms_.kind(t) == Terms::Kind::Variable) return bound[terms_.value(t)];
  std::vector<std::vector<Shapes::Id>> combinations{{}};
  for (const Term argument : terms_.arguments(t)) {
    const ShapeSet of = shapes_of(argument, bound);
    std::vector<std::vector<Shapes::Id>> longer;
    for (const auto& c : combinations) {
      if (longer.size() > kMaxShapes) break;
      for (const Shapes::Id shape : of) {
        longer.push_back(c);
        longer.back().push_back(shape);
      }
    }
    combinations = std::move(longer);
    if (combinations.size() > kMaxShapes) break;
  }
  ShapeSet out;
  for (const auto& c : combinations) {
    if (shapes_.size() > kMaxShapes || !work_.go_on(shapes_.size())) break;
    out.insert(shapes_.compound(terms_.value(t), c));
  }
  return out;
}

void ShapeInference::infer() {
  for (bool changed = true; changed && !work_.failure;) {
    changed = false;
    for (std::uint32_t i = 0; i < rules_.rules.size() && !work_.failure; ++i) {
      changed = infer_rule(i) || changed;
    }
  }
}

bool ShapeInference::infer_rule(std::uint32_t index) {
  const Rule& rule = rules_.rules[index];
  if (!needed_[rule.head]) return false;
  const auto bound = bind(rule);
  if (!bound) return false;
  bool changed = false;
  for (std::size_t i = 0; i < rule.arguments.size(); ++i) {
    for (const Shapes::Id shape : shapes_of(rule.arguments[i], *bound)) {
      changed = add_shape(rule.head, i, shape, index) || changed;
    }
  }
  return changed;
}

bool ShapeInference::add_shape(RelationId head, std::size_t argument, Shapes::Id shape,
                               std::uint32_t rule) {
  bool changed = found_[{head, argument}].insert(shape).second;
  if (head == kInit) changed = found_[{kNext, argument}].insert(shape).second || changed;
  if (work_.failure) return changed;
  if (shapes_.depth(shape) > kMaxDepth || shapes_.width(shape) > kMaxWidth ||
      shapes_.size() > kMaxShapes) {
    work_.failure = {GroundingFailure::Kind::EndlessTerms, "terms can grow without bound", rule};
  }
  return changed;
}

void ShapeInference::infer_rows() {
  const GroundingFailure endless = *work_.failure;
  work_.failure.reset();
  found_.clear();
  shapes_ = Shapes();
  for (bool changed = true; changed && !work_.failure;) {
    const std::size_t before = row_count_;
    for (std::uint32_t i = 0; i < rules_.rules.size() && !work_.failure; ++i) {
      if (!needed_[rules_.rules[i].head]) continue;
      match_rows(i, 0, std::vector<Shapes::Id>(rules_.rules[i].variables.size(), kUnchosen));
    }
    changed = row_count_ != before;
  }
  if (work_.failure && !work_.poll.stopped()) work_.failure = endless;
}

void ShapeInference::match_rows(std::uint32_t index, std::size_t literal,
                                std::vector<Shapes::Id> chosen) {
  const Rule& rule = rules_.rules[index];
  while (literal < rule.body.size() && rule.body[literal].kind != Literal::Kind::Positive) {
    ++literal;
  }
  if (literal == rule.body.size()) return derive_row(index, std::move(chosen));
  const Literal& l = rule.body[literal];
  const auto rows = rows_[source_of(l.relation)];  // a copy: it may grow
  if (!work_.go_on(kShapeWork * rows.size())) return;
  for (const auto& row : rows) {
    if (work_.failure) return;
    if (--row_work_ == 0) {
      work_.failure = {GroundingFailure::Kind::EndlessTerms, "", index};
      return;
    }
    std::vector<Shapes::Id> trial = chosen;
    bool fits = true;
    for (std::size_t i = 0; i < row.size() && fits; ++i) {
      fits = choose_shape(l.arguments[i], row[i], trial);
    }
    if (fits) match_rows(index, literal + 1, std::move(trial));
  }
}

bool ShapeInference::choose_shape(Term t, Shapes::Id shape, std::vector<Shapes::Id>& chosen) const {
  Met met;
  if (!match(t, shape, met)) return false;
  for (const auto& [v, here] : met) {
    if (chosen[v] != kUnchosen && chosen[v] != here) return false;
    chosen[v] = here;
  }
  return true;
}

void ShapeInference::derive_row(std::uint32_t index, std::vector<Shapes::Id> chosen) {
  const Rule& rule = rules_.rules[index];
  std::ranges::replace(chosen, kUnchosen, Shapes::kConstant);
  std::vector<Shapes::Id> row;
  for (std::size_t i = 0; i < rule.arguments.size(); ++i) {
    row.push_back(shape_of(rule.arguments[i], chosen));
    add_shape(rule.head, i, row.back(), index);
  }
  row_count_ += rows_[source_of(rule.head)].insert(row).second;
  if (rule.head == kInit) row_count_ += rows_[kNext].insert(row).second;
}

std::vector<std::vector<Shapes::Id>> ShapeInference::forms(const Literal& literal,
                                                           const std::vector<Shapes::Id>& chosen,
                                                           std::uint32_t rule) {
  std::vector<std::vector<Shapes::Id>> all{chosen};
  std::vector<std::uint32_t> variables;
  for (std::size_t i = 0; i < literal.arguments.size(); ++i) {
    variables.clear();
    terms_.append_variables(literal.arguments[i], variables);
    if (std::ranges::none_of(variables, [&](auto v) { return chosen[v] == kUnchosen; })) continue;
    std::vector<std::vector<Shapes::Id>> longer;
    for (const auto& form : all) {
      for (const Shapes::Id shape : at(literal.relation, i)) {
        if (!work_.go_on(kShapeWork + form.size())) return {};
        std::vector<Shapes::Id> trial = form;
        if (choose_shape(literal.arguments[i], shape, trial)) longer.push_back(std::move(trial));
        if (longer.size() <= kMaxShapes) continue;
        work_.failure = {GroundingFailure::Kind::OverBudget,
                         "terms of too many forms meet in a negation", rule};
        return {};
      }
    }
    all = std::move(longer);
  }
  return all;
}

Shapes::Id ShapeInference::shape_of(Term t, const std::vector<Shapes::Id>& chosen) {
  if (terms_.kind(t) == Terms::Kind::Constant) return Shapes::kConstant;
  if (terms_.kind(t) == Terms::Kind::Variable) return chosen[terms_.value(t)];
  std::vector<Shapes::Id> children;
  for (const Term argument : terms_.arguments(t)) children.push_back(shape_of(argument, chosen));
  return shapes_.compound(terms_.value(t), children);
}

bool ShapeInference::derivable(RelationId relation, const std::vector<Shapes::Id>& shapes) {
  if (row_count_ != 0) return rows_[source_of(relation)].contains(shapes);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (!at(relation, i).contains(shapes[i])) return false;
  }
  return true;
}

}  // namespace ludens::gdl
