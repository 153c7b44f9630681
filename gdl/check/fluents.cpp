// SPDX-License-Identifier: MIT
// A pass of the checker: conditions on the state or on moves that no rule can make true.
#include <algorithm>
#include <initializer_list>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "gdl/check/passes.h"
#include "gdl/rules/unifier.h"
#include "gdl/text/nearest_name.h"

namespace ludens::gdl {

namespace {

/// Pairs of condition and head that may be compared; beyond that the rest counts as possible.
constexpr std::size_t kMaxFluentPairs = 2'000'000;

/// The heads that can make one kind of condition true: those of `init` and `next` for `true`, those
/// of `legal` for `does`. It does not look for what only grounding would find.
class Supply {
 public:
  Supply(Findings& findings, std::initializer_list<Keyword> heads)
      : findings_(findings), rules_(findings.rules()), unifier_(findings.rules().terms) {
    for (const Keyword keyword : heads) {
      for (const std::uint32_t i : findings.dependencies().rules_of[keyword]) add(rules_.rules[i]);
    }
  }

  /// `asked` are the arguments of the condition; the last one is the fluent or move.
  bool provides(const std::vector<Term>& asked) {
    if (is_variable(asked.back())) return true;
    if (ground_.contains(asked) || matches(anything_, asked)) return true;
    const Shape& shape = shapes_[signature(asked.back())];
    if (matches(shape.open, asked)) return true;
    return !is_ground(asked) && matches(shape.ground, asked);
  }

  [[nodiscard]] std::vector<std::string_view> names() const {
    return {names_.begin(), names_.end()};
  }

 private:
  using Heads = std::vector<const std::vector<Term>*>;
  struct Shape {
    Heads open, ground;  // with variables and without
  };

  [[nodiscard]] bool is_ground(const std::vector<Term>& arguments) const {
    return std::all_of(arguments.begin(), arguments.end(),
                       [&](Term t) { return rules_.terms.is_ground(t); });
  }

  [[nodiscard]] bool is_variable(Term t) const {
    return rules_.terms.kind(t) == Terms::Kind::Variable;
  }

  /// Name and arity; the arity distinguishes a constant from a function of the same name.
  [[nodiscard]] std::uint64_t signature(Term t) const {
    return (std::uint64_t{rules_.terms.value(t)} << 32) | rules_.terms.arguments(t).size();
  }

  void add(const Rule& rule) {
    const Term last = rule.arguments.back();
    if (is_variable(last)) {
      anything_.push_back(&rule.arguments);
    } else {
      Shape& shape = shapes_[signature(last)];
      const bool ground = is_ground(rule.arguments);
      (ground ? shape.ground : shape.open).push_back(&rule.arguments);
      if (ground) ground_.insert(rule.arguments);
      names_.insert(rules_.symbols.spelling(rules_.terms.value(last)));
    }
  }

  bool matches(const Heads& heads, const std::vector<Term>& asked) {
    return std::any_of(heads.begin(), heads.end(), [&](const std::vector<Term>* head) {
      if (pairs_ == 0 || !findings_.go_on_unifying(asked, *head)) return true;
      --pairs_;
      return unifiable(unifier_, asked, *head);
    });
  }

  Findings& findings_;
  const Rules& rules_;
  Unifier unifier_;
  std::size_t pairs_ = kMaxFluentPairs;
  Heads anything_;
  std::unordered_map<std::uint64_t, Shape> shapes_;  // by name and arity
  std::set<std::vector<Term>> ground_;               // equal terms are one number
  std::unordered_set<std::string_view> names_;
};

void check_conditions(Findings& findings, Keyword asked, Supply supply,
                      const std::string& sentence) {
  const Rules& rules = findings.rules();
  const std::vector<std::string_view> names = supply.names();
  const auto go_on = [&](std::size_t steps) { return findings.go_on(steps); };
  std::size_t suggestions = 50;  // each looks at all names
  for (const Rule& rule : rules.rules) {
    for (const Literal& l : rule.body) {
      if (l.kind == Literal::Kind::Distinct || l.relation != asked) continue;
      if (!findings.go_on()) return;
      if (supply.provides(l.arguments)) continue;
      const Term last = l.arguments.back();
      std::string text = sentence + findings.shown(last, rule);
      const std::string& name = rules.symbols.spelling(rules.terms.value(last));
      const auto nearest = suggestions > 0 ? nearest_name(name, names, go_on) : std::nullopt;
      suggestions -= suggestions > 0 ? 1 : 0;
      if (nearest && *nearest != name) text += "; did you mean " + quoted(*nearest) + "?";
      findings.add(Severity::Warning, "impossible-condition", std::move(text), l.where);
    }
  }
}

}  // namespace

void check_fluents(Findings& findings) {
  if (!findings.left_out(kInit) && !findings.left_out(kNext)) {
    check_conditions(findings, kTrue, Supply(findings, {kInit, kNext}), "no state can contain ");
  }
  if (!findings.left_out(kLegal)) {
    check_conditions(findings, kDoes, Supply(findings, {kLegal}), "no rule for 'legal' allows ");
  }
}

}  // namespace ludens::gdl
