// SPDX-License-Identifier: MIT
// Terms to columns.
#include <algorithm>
#include <map>

#include "gdl/ground/flat_program.h"
#include "gdl/ground/shape_inference.h"

namespace ludens::gdl {

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

// For all flat rules together, a few hundred megabytes: a larger game is too large to be grounded.
constexpr std::size_t kMaxLiterals = 1'000'000;

class Flattener {
 public:
  Flattener(std::shared_ptr<const Rules> rules, const StopSignal* stop, GroundScope scope)
      : rules_(*rules),
        terms_(rules->terms),
        program_{std::move(rules), {}, {}, {}},
        work_{StopPoll(stop)},
        shapes_(rules_, scope, program_.shapes, work_) {}

  Result<FlatProgram, GroundingFailure> run() {
    shapes_.run();
    for (std::uint32_t i = 0; i < rules_.rules.size() && !work_.failure; ++i) {
      if (shapes_.is_needed(rules_.rules[i].head)) flatten_rule(i);
    }
    if (work_.failure) return *work_.failure;
    link_keywords();
    return std::move(program_);
  }

 private:
  using Binding = ShapeInference::Binding;
  static constexpr std::uint64_t kShapeWork = ShapeInference::kShapeWork;
  static constexpr Shapes::Id kUnchosen = ShapeInference::kUnchosen;

  // One flat rule for every combination of shapes of the variables.
  void flatten_rule(std::uint32_t index) {
    const Rule& rule = rules_.rules[index];
    const auto bound = shapes_.bind(rule);
    if (!bound) return;
    std::vector<Shapes::Id> chosen(rule.variables.size(), kUnchosen);
    std::vector<std::size_t> several;  // variables that have a choice
    for (std::size_t v = 0; v < chosen.size(); ++v) {
      if ((*bound)[v].size() > 1) several.push_back(v);
      if (!(*bound)[v].empty()) chosen[v] = *(*bound)[v].begin();
    }
    if (leaves_open(rule, chosen)) {
      work_.failure = {GroundingFailure::Kind::UnsafeRule,
                       "a variable is bound by no positive literal", index};
      return;
    }
    do {
      emit(index, chosen);
    } while (!work_.failure && advance(*bound, several, chosen));
  }

  // Whether something else than a negation needs a variable that nothing binds.
  [[nodiscard]] bool leaves_open(const Rule& rule, const std::vector<Shapes::Id>& chosen) const {
    std::vector<std::uint32_t> needed;
    for (const Term t : rule.arguments) terms_.append_variables(t, needed);
    for (const Literal& l : rule.body) {
      if (l.kind != Literal::Kind::Distinct) continue;
      for (const Term t : l.arguments) terms_.append_variables(t, needed);
    }
    return std::ranges::any_of(needed, [&](auto v) { return chosen[v] == kUnchosen; });
  }

  // Goes on to the next choice of shapes, the last variable first; false behind the last choice.
  static bool advance(const Binding& bound, const std::vector<std::size_t>& several,
                      std::vector<Shapes::Id>& chosen) {
    for (std::size_t i = several.size(); i-- > 0;) {
      const std::size_t v = several[i];
      const auto next = bound[v].upper_bound(chosen[v]);
      if (next != bound[v].end()) {
        chosen[v] = *next;
        return true;
      }
      chosen[v] = *bound[v].begin();
    }
    return false;
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
      f.shapes.push_back(shapes_.shape_of(t, chosen));
      columns_of(t, chosen, first, f.columns);
    }
    return f;
  }

  void emit(std::uint32_t index, const std::vector<Shapes::Id>& chosen) {
    const Rule& rule = rules_.rules[index];
    if (!work_.go_on(kShapeWork * (rule.body.size() + 1))) return;
    std::vector<std::uint32_t> first;
    FlatRule out{0, {}, {}, 0, index};
    for (const Shapes::Id shape : chosen) {
      first.push_back(out.variables);
      if (shape != kUnchosen) out.variables += program_.shapes.width(shape);
    }
    const std::uint32_t bound = out.variables;
    std::vector<std::vector<FlatLiteral>> alternatives;  // of `distinct` over compounds
    for (const Literal& l : rule.body) {
      if (l.kind == Literal::Kind::Distinct) {
        if (!flatten_distinct(l, chosen, first, out, alternatives)) return;
        continue;
      }
      if (l.kind == Literal::Kind::Negative) {
        if (!flatten_negation(l, chosen, first, bound, out)) return;
        continue;
      }
      Flat f = flat(l.arguments, chosen, first);
      if (!work_.go_on(program_.relations.size())) return;
      if (!shapes_.derivable(l.relation, f.shapes)) return;
      out.body.push_back({l.kind, program_.relation(l.relation, f.shapes), std::move(f.columns)});
    }
    Flat head = flat(rule.arguments, chosen, first);
    out.head = program_.relation(rule.head, head.shapes);
    out.columns = std::move(head.columns);
    make_safe(rule, out);
    if (!count_literals(out, alternatives)) return;
    multiply(std::move(out), alternatives, 0);
  }

  // Variables of its own, numbered from `own` on, may stand for terms of several forms: there must
  // be none of any of them. False if the game is refused.
  bool flatten_negation(const Literal& l, const std::vector<Shapes::Id>& chosen,
                        const std::vector<std::uint32_t>& first, std::uint32_t own, FlatRule& out) {
    for (const auto& form : shapes_.forms(l, chosen, out.source)) {
      std::vector<std::uint32_t> places = first;
      std::uint32_t end = own;
      for (std::size_t v = 0; v < form.size(); ++v) {
        if (chosen[v] != kUnchosen || form[v] == kUnchosen) continue;
        places[v] = end;
        end += program_.shapes.width(form[v]);
      }
      Flat f = flat(l.arguments, form, places);
      if (!work_.go_on(program_.relations.size() + form.size())) break;
      if (!shapes_.derivable(l.relation, f.shapes)) continue;
      out.variables = std::max(out.variables, end);
      out.body.push_back({l.kind, program_.relation(l.relation, f.shapes), std::move(f.columns)});
    }
    return !work_.failure;
  }

  // False if the two terms are always the same. Compounds differ in any of several columns: a
  // choice.
  bool flatten_distinct(const Literal& l, const std::vector<Shapes::Id>& chosen,
                        const std::vector<std::uint32_t>& first, FlatRule& out,
                        std::vector<std::vector<FlatLiteral>>& alternatives) {
    if (shapes_.shape_of(l.arguments[0], chosen) != shapes_.shape_of(l.arguments[1], chosen))
      return true;
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

  // One flat rule for each choice from all alternatives; false if these are too many. A rule that
  // passes has few alternatives, because each at least doubles their number.
  bool count_literals(const FlatRule& rule,
                      const std::vector<std::vector<FlatLiteral>>& alternatives) {
    std::size_t count = rule.body.size() + alternatives.size() + 1;
    for (const auto& choices : alternatives) {
      if (count <= kMaxLiterals) count *= choices.size();
    }
    literals_ += count;
    if (literals_ <= kMaxLiterals) return true;
    work_.failure = {GroundingFailure::Kind::OverBudget, "terms of too many forms meet in a rule",
                     rule.source};
    return false;
  }

  void multiply(FlatRule rule, const std::vector<std::vector<FlatLiteral>>& alternatives,
                std::size_t k) {
    if (k == alternatives.size()) {
      program_.flat_rules.push_back(std::move(rule));
      return;
    }
    for (const FlatLiteral& l : alternatives[k]) {
      FlatRule copy = rule;
      copy.body.push_back(l);
      multiply(std::move(copy), alternatives, k + 1);
    }
  }

  // Binds the role where no positive literal does, and projects away what negations have of their
  // own.
  void make_safe(const Rule& rule, FlatRule& out) {
    std::vector<bool> bound(out.variables, false);
    for (const FlatLiteral& l : out.body) {
      if (l.kind == Literal::Kind::Positive) mark(l.columns, bound);
    }
    if (shapes_.free_role(rule) && out.columns[0].variable && !bound[out.columns[0].value]) {
      const std::uint32_t roles = program_.relation(kRole, {Shapes::kConstant});
      out.body.push_back({Literal::Kind::Positive, roles, {out.columns[0]}});
      bound[out.columns[0].value] = true;
    }
    for (FlatLiteral& l : out.body) {
      if (l.kind == Literal::Kind::Negative) quantify(l, bound, out.source);
    }
  }

  static void mark(const std::vector<FlatTerm>& columns, std::vector<bool>& bound) {
    for (const FlatTerm& t : columns) {
      if (t.variable) bound[t.value] = true;
    }
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
  FlatteningWork work_;
  ShapeInference shapes_;
  std::size_t literals_ = 0;  // of the flat rules
};

}  // namespace

Result<FlatProgram, GroundingFailure> flatten(std::shared_ptr<const Rules> rules,
                                              const StopSignal* stop, GroundScope scope) {
  return Flattener(std::move(rules), stop, scope).run();
}

}  // namespace ludens::gdl
