// SPDX-License-Identifier: MIT
// A pass of the checker: variables that no positive literal binds, and the order of literals.
#include <algorithm>
#include <optional>

#include "gdl/check/passes.h"
#include "gdl/rules/bindings.h"

namespace ludens::gdl {

namespace {

/// How many rules may be examined again because a relation they call leaves an argument open.
constexpr std::size_t kMaxSafetySteps = 1'000'000;

/// Where a variable occurs in one rule, and the first literals that have it and bind it.
struct Uses {
  bool head = false, distinct = false, negative = false;
  std::size_t first = kNone;
  std::size_t binder = kNone;  // a positive literal
  bool loosely_bound = true;   // all binders leave it open themselves

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
};

class SafetyCheck {
 public:
  explicit SafetyCheck(Findings& findings)
      : findings_(findings), rules_(findings.rules()), bindings_(rules_) {
    open_.resize(rules_.relations.size());
    for (RelationId r = 0; r < open_.size(); ++r) open_[r].resize(rules_.relations[r].arity);
  }

  void run() {
    find_open_arguments();
    for (const Rule& rule : rules_.rules) {
      if (!findings_.go_on(symbols_of_rule(rules_.terms, rule))) return;
      check(rule);
    }
  }

 private:
  /// An argument of a plain relation is open if some rule leaves it unbound, or binds it only by
  /// open arguments of others. Repeated until nothing changes.
  void find_open_arguments() {
    std::vector<std::uint32_t> queue;
    std::vector<std::vector<std::uint32_t>> callers(rules_.relations.size());
    for (std::uint32_t i = 0; i < rules_.rules.size(); ++i) {
      const Rule& rule = rules_.rules[i];
      if (rule.variables.empty() || rule.head < kKeywordCount) continue;
      queue.push_back(i);
      for (const Literal& l : rule.body) {
        if (l.kind == Literal::Kind::Positive) callers[l.relation].push_back(i);
      }
    }
    for (std::size_t steps = 0; !queue.empty() && steps < kMaxSafetySteps; ++steps) {
      const Rule& rule = rules_.rules[queue.back()];
      queue.pop_back();
      if (!findings_.go_on(symbols_of_rule(rules_.terms, rule))) return;
      if (open_arguments_of(rule)) {
        const auto& again = callers[rule.head];
        if (!findings_.hold(again.size() * sizeof again[0])) return;
        queue.insert(queue.end(), again.begin(), again.end());
      }
    }
  }

  bool open_arguments_of(const Rule& rule) {
    const std::vector<Uses> uses = uses_in(rule);
    bool changed = false;
    for (std::size_t k = 0; k < rule.arguments.size(); ++k) {
      if (open_[rule.head][k]) continue;
      for (const std::uint32_t v : variables_of(rule.arguments[k])) {
        if (uses[v].loosely_bound) open_[rule.head][k] = changed = true;
      }
    }
    return changed;
  }

  const std::vector<std::uint32_t>& variables_of(Term t) {
    variables_.clear();
    rules_.terms.append_variables(t, variables_);
    return variables_;
  }

  std::vector<Uses> uses_in(const Rule& rule) {
    std::vector<Uses> uses(rule.variables.size());
    for (const Term t : rule.arguments) {
      for (const std::uint32_t v : variables_of(t)) uses[v].head = true;
    }
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
      const Literal& l = rule.body[i];
      for (std::size_t k = 0; k < l.arguments.size(); ++k) {
        for (const std::uint32_t v : variables_of(l.arguments[k])) note_use(l, i, k, uses[v]);
      }
    }
    return uses;
  }

  void note_use(const Literal& l, std::size_t literal, std::size_t argument, Uses& use) const {
    use.first = std::min(use.first, literal);
    if (l.kind == Literal::Kind::Distinct) use.distinct = true;
    if (l.kind == Literal::Kind::Negative) use.negative = true;
    if (l.kind != Literal::Kind::Positive) return;
    use.binder = std::min(use.binder, literal);
    if (!open_[l.relation][argument]) use.loosely_bound = false;
  }

  void check(const Rule& rule) {
    if (rule.variables.empty()) return;
    const std::vector<Uses> uses = uses_in(rule);
    const bool evaluable = bindings_.evaluable(rule);
    for (std::uint32_t v = 0; v < uses.size(); ++v) {
      if (!findings_.go_on()) return;
      if (uses[v].binder == Uses::kNone) {
        report_unbound(rule, v, uses[v]);
      } else if (uses[v].loosely_bound && !evaluable) {
        report_loose(rule, v, uses[v]);
      }
    }
    check_order(rule, uses);
  }

  void report_unbound(const Rule& rule, std::uint32_t v, const Uses& use) {
    const std::string& name = rule.variables[v];
    const NodeIndex where = first_place(rule, v, use);
    const auto warn = [&](const std::string& text) {
      findings_.add(Severity::Warning, "unsafe-variable", name + text, where);
    };
    const bool by_role = rule.head == kLegal || rule.head == kGoal || rule.head == kSees;
    if (by_role && is_variable(rule.arguments[0], v)) {
      warn(" is unbound; taken to range over all roles");
    } else if (use.negative && !use.head && !use.distinct) {
      warn(" occurs only under " + std::string(findings_.negation()) + "; read as 'there is none'");
    } else if (use.head && rule.head >= kKeywordCount) {
      warn(" is unbound; " + quoted(rules_.name(rule.head)) +
           " is taken to hold where it is called with a value for it");
    } else {
      findings_.add(Severity::Error, "unsafe-variable", name + " is bound by no positive literal",
                    where);
    }
  }

  /// Only recursive relations are still called where they leave a variable open.
  void report_loose(const Rule& rule, std::uint32_t v, const Uses& use) {
    const Literal& binder = rule.body[use.binder];
    findings_.add(Severity::Error, "loosely-bound-variable",
                  rule.variables[v] + " stays unbound: " + quoted(rules_.name(binder.relation)) +
                      " has a rule that leaves it open",
                  findings_.variable(binder.where, rule, v));
  }

  [[nodiscard]] bool is_variable(Term t, std::uint32_t v) const {
    return rules_.terms.kind(t) == Terms::Kind::Variable && rules_.terms.value(t) == v;
  }

  /// In the head, or otherwise in the first literal in which the variable is written. The first
  /// that has it may have it from an equality.
  NodeIndex first_place(const Rule& rule, std::uint32_t v, const Uses& use) {
    const NodeIndex head = findings_.head(rule);
    if (const NodeIndex n = findings_.variable(head, rule, v); is_written_at(n, rule, v)) return n;
    for (std::size_t i = use.first; i < rule.body.size() && findings_.go_on(); ++i) {
      const NodeIndex n = findings_.variable(rule.body[i].where, rule, v);
      if (is_written_at(n, rule, v)) return n;
    }
    return head;
  }

  [[nodiscard]] bool is_written_at(NodeIndex n, const Rule& rule, std::uint32_t v) const {
    const SyntaxTree& tree = *rules_.source;
    return tree.is_atom(n) && fold_case(tree.atom(n)) == fold_case(rule.variables[v]);
  }

  void check_order(const Rule& rule, const std::vector<Uses>& uses) {
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
      const Literal& l = rule.body[i];
      if (l.kind == Literal::Kind::Positive) continue;
      const auto late = late_variable(l, i, uses);
      if (!late) continue;
      const bool negated = l.kind == Literal::Kind::Negative;
      findings_.add(Severity::Note, "late-binder",
                    std::string(negated ? findings_.negation() : "'distinct'") +
                        " stands before the literal that binds " + rule.variables[*late] +
                        "; tested once it is bound",
                    l.where);
    }
  }

  /// A variable of the i-th literal that a later one binds.
  std::optional<std::uint32_t> late_variable(const Literal& l, std::size_t i,
                                             const std::vector<Uses>& uses) {
    for (const Term t : l.arguments) {
      for (const std::uint32_t v : variables_of(t)) {
        if (uses[v].binder != Uses::kNone && uses[v].binder > i) return v;
      }
    }
    return std::nullopt;
  }

  Findings& findings_;
  const Rules& rules_;
  Bindings bindings_;
  std::vector<std::vector<bool>> open_;  // by relation and argument
  std::vector<std::uint32_t> variables_;
};

}  // namespace

void check_safety(Findings& findings) {
  SafetyCheck(findings).run();
}

}  // namespace ludens::gdl
