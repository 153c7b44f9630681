// SPDX-License-Identifier: MIT
// Shape inference and flattening: terms to columns.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "gdl/ground/flat_program.h"

namespace ludens::gdl {

namespace {

// Columns of one argument: terms in terms have as many as the product of their arguments.
constexpr unsigned kMaxWidth = 10'000;

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

std::uint32_t FlatProgram::relation(RelationId name, const std::vector<Shapes::Id>& of) {
  for (std::uint32_t i = 0; i < relations.size(); ++i) {
    if (relations[i].relation == name && relations[i].shapes == of) return i;
  }
  FlatRelation made{name, of, 0};
  for (const Shapes::Id shape : of) made.columns += shapes.width(shape);
  relations.push_back(std::move(made));
  return static_cast<std::uint32_t>(relations.size() - 1);
}

std::uint32_t FlatProgram::auxiliary(std::uint32_t columns) {
  relations.push_back({kAuxiliary, std::vector<Shapes::Id>(columns, Shapes::kConstant), columns});
  return static_cast<std::uint32_t>(relations.size() - 1);
}

std::string FlatProgram::name(std::uint32_t flat_relation) const {
  const FlatRelation& r = relations[flat_relation];
  if (r.relation == kAuxiliary) return "a part of a rule's body";
  const Relation& relation = rules->relations[r.relation];
  return rules->symbols.spelling(relation.name) + "/" + std::to_string(relation.arity);
}

namespace {

using ShapeSet = std::set<Shapes::Id>;

// Deeper terms than any playable public game has; beyond it lists and counters grow for ever.
constexpr unsigned kMaxDepth = 6;
constexpr std::size_t kMaxShapes = 4000;
// All flat rules together, some hundred megabytes: what is larger is too large to be grounded.
constexpr std::size_t kMaxLiterals = 1'000'000;

class Flattener {
 public:
  Flattener(std::shared_ptr<const Rules> rules, const StopSignal* stop, GroundScope scope)
      : rules_(*rules),
        terms_(rules->terms),
        program_{std::move(rules), {}, {}, {}},
        scope_(scope),
        poll_(stop) {}

  Result<FlatProgram, GroundingFailure> run() {
    find_needed();
    infer();
    if (failure_ && !poll_.stopped()) infer_rows();
    if (failure_) return *failure_;
    for (std::uint32_t i = 0; i < rules_.rules.size() && !failure_; ++i) {
      if (needed_[rules_.rules[i].head]) flatten_rule(i);
    }
    if (failure_) return *failure_;
    link_keywords();
    return std::move(program_);
  }

 private:
  using Binding =
      std::vector<ShapeSet>;  // of each variable; empty: not bound by a positive literal

  // Elementary steps of looking at one shape.
  static constexpr std::uint64_t kShapeWork = 16;

  // False, with the failure set, where the stop signal says so.
  bool go_on(std::uint64_t work) {
    if (poll_(work)) failure_ = {GroundingFailure::Kind::Stopped, "stopped"};
    return !failure_;
  }

  // What `role`, `init`, `next`, `legal`, `goal`, `terminal` depend on, and what was asked for.
  void find_needed() {
    needed_.assign(rules_.relations.size(), false);
    for (const RelationId k : {kRole, kInit, kNext, kLegal, kGoal, kTerminal}) needed_[k] = true;
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

  // What may be true or done is kept with what derives it.
  static RelationId source_of(RelationId relation) {
    return relation == kTrue ? kNext : relation == kDoes ? kLegal : relation;
  }
  ShapeSet& at(RelationId relation, std::size_t argument) {
    return shapes_[{source_of(relation), argument}];
  }

  // Which shapes the variables of `t` take where `t` has `shape`.
  bool match(Term t, Shapes::Id shape, Binding& out) const {
    if (terms_.kind(t) == Terms::Kind::Variable) {
      out[terms_.value(t)].insert(shape);
      return true;
    }
    if (terms_.kind(t) == Terms::Kind::Constant) return shape == Shapes::kConstant;
    const auto arguments = terms_.arguments(t);
    const auto& children = program_.shapes.children(shape);
    if (shape == Shapes::kConstant || program_.shapes.functor(shape) != terms_.value(t) ||
        children.size() != arguments.size()) {
      return false;
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (!match(arguments[i], children[i], out)) return false;
    }
    return true;
  }

  // The shapes of each variable that all positive literals allow; nullopt if the body can't hold.
  std::optional<Binding> bind(const Rule& rule) {
    Binding bound(rule.variables.size());
    std::vector<bool> seen(rule.variables.size(), false);
    for (const Literal& l : rule.body) {
      if (l.kind != Literal::Kind::Positive) continue;
      for (std::size_t i = 0; i < l.arguments.size(); ++i) {
        Binding here(rule.variables.size());
        bool any = false;
        for (const Shapes::Id shape : at(l.relation, i)) {
          if (!go_on(kShapeWork + rule.variables.size())) return std::nullopt;
          Binding trial(rule.variables.size());
          if (!match(l.arguments[i], shape, trial)) continue;
          any = true;
          for (std::size_t v = 0; v < trial.size(); ++v)
            here[v].insert(trial[v].begin(), trial[v].end());
        }
        if (!any || !narrow(bound, seen, here)) return std::nullopt;
      }
    }
    bind_roles(rule, bound);
    return bound;
  }

  static bool narrow(Binding& bound, std::vector<bool>& seen, const Binding& here) {
    for (std::size_t v = 0; v < here.size(); ++v) {
      if (here[v].empty()) continue;
      if (!seen[v]) {
        bound[v] = here[v];
        seen[v] = true;
        continue;
      }
      std::erase_if(bound[v], [&](Shapes::Id s) { return !here[v].contains(s); });
      if (bound[v].empty()) return false;
    }
    return true;
  }

  // A role variable of `legal` and `goal` that nothing binds ranges over the roles.
  void bind_roles(const Rule& rule, Binding& bound) const {
    const auto v = free_role(rule);
    if (v && bound[*v].empty()) bound[*v].insert(Shapes::kConstant);
  }

  [[nodiscard]] std::optional<std::uint32_t> free_role(const Rule& rule) const {
    if (rule.head != kLegal && rule.head != kGoal) return std::nullopt;
    const Term role = rule.arguments[0];
    if (terms_.kind(role) != Terms::Kind::Variable) return std::nullopt;
    return terms_.value(role);
  }

  // All shapes that a term can have, given those of its variables.
  ShapeSet shapes_of(Term t, const Binding& bound) {
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
      if (program_.shapes.size() > kMaxShapes || !go_on(program_.shapes.size())) break;
      out.insert(program_.shapes.compound(terms_.value(t), c));
    }
    return out;
  }

  void infer() {
    for (bool changed = true; changed && !failure_;) {
      changed = false;
      for (std::uint32_t i = 0; i < rules_.rules.size() && !failure_; ++i) {
        changed = infer_rule(i) || changed;
      }
    }
  }

  bool infer_rule(std::uint32_t index) {
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

  // `true` holds what `init` and `next` derive; it is looked up under `next`.
  bool add_shape(RelationId head, std::size_t argument, Shapes::Id shape, std::uint32_t rule) {
    bool changed = shapes_[{head, argument}].insert(shape).second;
    if (head == kInit) changed = shapes_[{kNext, argument}].insert(shape).second || changed;
    if (failure_) return changed;
    if (program_.shapes.depth(shape) > kMaxDepth || program_.shapes.width(shape) > kMaxWidth ||
        program_.shapes.size() > kMaxShapes) {
      failure_ = {GroundingFailure::Kind::EndlessTerms, "terms can grow without bound", rule};
    }
    return changed;
  }

  // Where shapes grow without end if each argument is looked at alone, whole rows of them may not:
  // a recursion can be kept at bay by a literal that ties two arguments together.
  void infer_rows() {
    const GroundingFailure endless = *failure_;
    failure_.reset();
    shapes_.clear();
    program_.shapes = Shapes();
    for (bool changed = true; changed && !failure_;) {
      const std::size_t before = row_count_;
      for (std::uint32_t i = 0; i < rules_.rules.size() && !failure_; ++i) {
        if (!needed_[rules_.rules[i].head]) continue;
        match_rows(i, 0, std::vector<Shapes::Id>(rules_.rules[i].variables.size(), kUnbound));
      }
      changed = row_count_ != before;
    }
    if (failure_ && !poll_.stopped()) failure_ = endless;
  }

  // Goes on with the literals of a rule's body from one on.
  void match_rows(std::uint32_t index, std::size_t literal, std::vector<Shapes::Id> chosen) {
    const Rule& rule = rules_.rules[index];
    while (literal < rule.body.size() && rule.body[literal].kind != Literal::Kind::Positive) {
      ++literal;
    }
    if (literal == rule.body.size()) return derive_row(index, std::move(chosen));
    const Literal& l = rule.body[literal];
    const auto rows = rows_[source_of(l.relation)];  // a copy: it may grow
    if (!go_on(kShapeWork * rows.size())) return;
    for (const auto& row : rows) {
      if (failure_) return;
      if (--row_work_ == 0) {
        failure_ = {GroundingFailure::Kind::EndlessTerms, "", index};
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

  bool choose_shape(Term t, Shapes::Id shape, std::vector<Shapes::Id>& chosen) const {
    Binding met(chosen.size());
    if (!match(t, shape, met)) return false;
    for (std::size_t v = 0; v < met.size(); ++v) {
      if (met[v].empty()) continue;
      const Shapes::Id here = *met[v].begin();
      if (met[v].size() > 1 || (chosen[v] != kUnbound && chosen[v] != here)) return false;
      chosen[v] = here;
    }
    return true;
  }

  void derive_row(std::uint32_t index, std::vector<Shapes::Id> chosen) {
    const Rule& rule = rules_.rules[index];
    std::ranges::replace(chosen, kUnbound, Shapes::kConstant);
    std::vector<Shapes::Id> row;
    for (std::size_t i = 0; i < rule.arguments.size(); ++i) {
      row.push_back(shape_of(rule.arguments[i], chosen));
      add_shape(rule.head, i, row.back(), index);
    }
    row_count_ += rows_[source_of(rule.head)].insert(row).second;
    if (rule.head == kInit) row_count_ += rows_[kNext].insert(row).second;
  }

  // One flat rule for every combination of shapes of the variables.
  void flatten_rule(std::uint32_t index) {
    const Rule& rule = rules_.rules[index];
    const auto bound = bind(rule);
    if (!bound) return;
    std::vector<Shapes::Id> chosen(rule.variables.size(), Shapes::kConstant);
    choose(index, *bound, 0, chosen);
  }

  void choose(std::uint32_t index, const Binding& bound, std::size_t v,
              std::vector<Shapes::Id>& chosen) {
    if (failure_) return;
    if (v == chosen.size()) {
      emit(index, chosen);
      return;
    }
    if (bound[v].empty()) {  // only under `not` or `distinct`
      if (!only_constants(rules_.rules[index], static_cast<std::uint32_t>(v))) {
        refuse(index);
        return;
      }
      chosen[v] = Shapes::kConstant;
      choose(index, bound, v + 1, chosen);
    }
    for (const Shapes::Id shape : bound[v]) {
      chosen[v] = shape;
      choose(index, bound, v + 1, chosen);
    }
  }

  // Whether an unbound variable can only meet constants where it stands under `not`.
  bool only_constants(const Rule& rule, std::uint32_t variable) {
    for (const Literal& l : rule.body) {
      if (l.kind != Literal::Kind::Negative) continue;
      for (std::size_t i = 0; i < l.arguments.size(); ++i) {
        for (const Shapes::Id shape : at(l.relation, i)) {
          Binding met(rule.variables.size());
          if (!match(l.arguments[i], shape, met)) continue;
          if (met[variable].size() > met[variable].count(Shapes::kConstant)) return false;
        }
      }
    }
    return true;
  }

  Shapes::Id shape_of(Term t, const std::vector<Shapes::Id>& chosen) {
    if (terms_.kind(t) == Terms::Kind::Constant) return Shapes::kConstant;
    if (terms_.kind(t) == Terms::Kind::Variable) return chosen[terms_.value(t)];
    std::vector<Shapes::Id> children;
    for (const Term argument : terms_.arguments(t)) children.push_back(shape_of(argument, chosen));
    return program_.shapes.compound(terms_.value(t), children);
  }

  // `first[v]`: the flat variable of v's first leaf.
  void columns_of(Term t, const std::vector<Shapes::Id>& chosen,
                  const std::vector<std::uint32_t>& first, std::vector<FlatTerm>& out) const {
    switch (terms_.kind(t)) {
      case Terms::Kind::Constant:
        out.push_back({false, terms_.value(t)});
        return;
      case Terms::Kind::Variable: {
        const std::uint32_t v = terms_.value(t);
        for (unsigned i = 0; i < program_.shapes.width(chosen[v]); ++i) {
          out.push_back({true, first[v] + i});
        }
        return;
      }
      case Terms::Kind::Compound:
        for (const Term a : terms_.arguments(t)) columns_of(a, chosen, first, out);
    }
  }

  struct Flat {
    std::vector<Shapes::Id> shapes;
    std::vector<FlatTerm> columns;
  };

  Flat flat(std::span<const Term> arguments, const std::vector<Shapes::Id>& chosen,
            const std::vector<std::uint32_t>& first) {
    Flat f;
    for (const Term t : arguments) {
      f.shapes.push_back(shape_of(t, chosen));
      columns_of(t, chosen, first, f.columns);
    }
    return f;
  }

  [[nodiscard]] bool derivable(RelationId relation, const std::vector<Shapes::Id>& shapes) {
    if (row_count_ != 0) return rows_[source_of(relation)].contains(shapes);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      if (!at(relation, i).contains(shapes[i])) return false;
    }
    return true;
  }

  void emit(std::uint32_t index, const std::vector<Shapes::Id>& chosen) {
    const Rule& rule = rules_.rules[index];
    if (!go_on(kShapeWork * (rule.body.size() + 1))) return;
    std::vector<std::uint32_t> first;
    FlatRule out{0, {}, {}, 0, index};
    for (const Shapes::Id shape : chosen) {
      first.push_back(out.variables);
      out.variables += program_.shapes.width(shape);
    }
    std::vector<std::vector<FlatLiteral>> alternatives;  // of `distinct` over compounds
    for (const Literal& l : rule.body) {
      if (l.kind == Literal::Kind::Distinct) {
        if (!flatten_distinct(l, chosen, first, out, alternatives)) return;
        continue;
      }
      Flat f = flat(l.arguments, chosen, first);
      if (!go_on(program_.relations.size())) return;
      if (!derivable(l.relation, f.shapes)) {
        if (l.kind == Literal::Kind::Positive) return;
        continue;
      }
      out.body.push_back({l.kind, program_.relation(l.relation, f.shapes), std::move(f.columns)});
    }
    Flat head = flat(rule.arguments, chosen, first);
    out.head = program_.relation(rule.head, head.shapes);
    out.columns = std::move(head.columns);
    if (!make_safe(rule, out)) return;
    multiply(std::move(out), alternatives, 0);
  }

  // False if the two terms are always the same. Compounds differ in any of several columns: a
  // choice.
  bool flatten_distinct(const Literal& l, const std::vector<Shapes::Id>& chosen,
                        const std::vector<std::uint32_t>& first, FlatRule& out,
                        std::vector<std::vector<FlatLiteral>>& alternatives) {
    if (shape_of(l.arguments[0], chosen) != shape_of(l.arguments[1], chosen)) return true;
    std::vector<FlatTerm> a, b;
    columns_of(l.arguments[0], chosen, first, a);
    columns_of(l.arguments[1], chosen, first, b);
    std::vector<FlatLiteral> choices;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i] == b[i]) continue;
      if (!a[i].variable && !b[i].variable) return true;
      choices.push_back({Literal::Kind::Distinct, 0, {a[i], b[i]}});
    }
    if (choices.empty()) return false;
    if (choices.size() == 1) {
      out.body.push_back(std::move(choices[0]));
    } else {
      alternatives.push_back(std::move(choices));
    }
    return true;
  }

  void multiply(FlatRule rule, const std::vector<std::vector<FlatLiteral>>& alternatives,
                std::size_t k) {
    if (k == alternatives.size()) {
      literals_ += rule.body.size() + 1;
      if (literals_ > kMaxLiterals) {
        failure_ = {GroundingFailure::Kind::OverBudget, "terms of too many forms meet in a rule",
                    rule.source};
        return;
      }
      program_.flat_rules.push_back(std::move(rule));
      return;
    }
    for (const FlatLiteral& l : alternatives[k]) {
      if (failure_) return;
      FlatRule copy = rule;
      copy.body.push_back(l);
      multiply(std::move(copy), alternatives, k + 1);
    }
  }

  // Binds what no positive literal binds, where that has a meaning. False, with the failure set
  // where the whole game is refused, if it has none.
  bool make_safe(const Rule& rule, FlatRule& out) {
    std::vector<bool> bound(out.variables, false);
    for (const FlatLiteral& l : out.body) {
      if (l.kind == Literal::Kind::Positive) mark(l.columns, bound);
    }
    if (free_role(rule) && out.columns[0].variable && !bound[out.columns[0].value]) {
      const std::uint32_t roles = program_.relation(kRole, {Shapes::kConstant});
      out.body.push_back({Literal::Kind::Positive, roles, {out.columns[0]}});
      bound[out.columns[0].value] = true;
    }
    for (const FlatTerm& t : out.columns) {
      if (t.variable && !bound[t.value]) return refuse(out.source);
    }
    for (std::size_t i = 0; i < out.body.size(); ++i) {
      if (out.body[i].kind == Literal::Kind::Negative) quantify(out.body[i], bound, out.source);
      if (out.body[i].kind != Literal::Kind::Distinct) continue;
      for (const FlatTerm& t : out.body[i].columns) {
        if (t.variable && !bound[t.value]) return refuse(out.source);
      }
    }
    return true;
  }

  static void mark(const std::vector<FlatTerm>& columns, std::vector<bool>& bound) {
    for (const FlatTerm& t : columns) {
      if (t.variable) bound[t.value] = true;
    }
  }

  bool refuse(std::uint32_t rule) {
    failure_ = {GroundingFailure::Kind::UnsafeRule, "a variable is bound by no positive literal",
                rule};
    return false;
  }

  // `not p(x, y)` with y nowhere else means that there is no y: p is projected onto x.
  void quantify(FlatLiteral& l, const std::vector<bool>& bound, std::uint32_t source) {
    FlatRule projection{0, {}, {}, 0, source};
    FlatLiteral body{Literal::Kind::Positive, l.relation, {}};
    std::vector<FlatTerm> kept;
    std::map<std::uint32_t, std::uint32_t> renamed;
    bool free = false;
    for (const FlatTerm& t : l.columns) {
      if (!t.variable) {
        body.columns.push_back(t);
        continue;
      }
      const auto [it, fresh] = renamed.try_emplace(t.value, projection.variables);
      if (fresh) ++projection.variables;
      body.columns.push_back({true, it->second});
      if (!bound[t.value]) {
        free = true;
      } else if (fresh) {
        kept.push_back(t);
        projection.columns.push_back({true, it->second});
      }
    }
    if (!free) return;
    projection.head = program_.auxiliary(static_cast<std::uint32_t>(kept.size()));
    projection.body.push_back(std::move(body));
    l = {Literal::Kind::Negative, projection.head, std::move(kept)};
    program_.flat_rules.push_back(std::move(projection));
  }

  // What may be true is what may hold initially or next; what may be done is what may be legal.
  void link_keywords() {
    const std::size_t count = program_.relations.size();
    for (std::uint32_t i = 0; i < count; ++i) {
      const RelationId k = program_.relations[i].relation;
      if (k != kInit && k != kNext && k != kLegal) continue;
      const std::vector<Shapes::Id> shapes = program_.relations[i].shapes;
      FlatRule link{program_.relation(k == kLegal ? kDoes : kTrue, shapes), {}, {}, 0, 0, true};
      for (std::uint32_t c = 0; c < program_.relations[i].columns; ++c) {
        link.columns.push_back({true, link.variables++});
      }
      link.body.push_back({Literal::Kind::Positive, i, link.columns});
      program_.flat_rules.push_back(std::move(link));
    }
  }

  const Rules& rules_;
  const Terms& terms_;
  FlatProgram program_;
  const GroundScope scope_;
  StopPoll poll_;
  std::size_t literals_ = 0;  // of the flat rules
  std::vector<bool> needed_;
  std::map<std::pair<RelationId, std::size_t>, ShapeSet> shapes_;
  // Only where arguments alone would not do:
  static constexpr Shapes::Id kUnbound = 0xffffffff;
  std::map<RelationId, std::set<std::vector<Shapes::Id>>> rows_;
  std::size_t row_count_ = 0;
  std::uint32_t row_work_ = 20'000;
  std::optional<GroundingFailure> failure_;
};

}  // namespace

Result<FlatProgram, GroundingFailure> flatten(std::shared_ptr<const Rules> rules,
                                              const StopSignal* stop, GroundScope scope) {
  return Flattener(std::move(rules), stop, scope).run();
}

}  // namespace ludens::gdl
