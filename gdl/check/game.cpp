// SPDX-License-Identifier: MIT
// A pass of the checker: roles, keyword relations without rules, goals and their values.
#include "gdl/check/passes.h"

namespace ludens::gdl {

namespace {

/// Reads the arguments off the rules: a role that a rule names or leaves open has the relation.
class GameCheck {
 public:
  explicit GameCheck(Findings& findings) : findings_(findings), rules_(findings.rules()) {
    is_role_.resize(rules_.terms.size());
    for (const Term role : rules_.roles) is_role_[role] = true;
  }

  void run() {
    check_presence();
    check_roles(kGoal, "role-without-goal", " has no goal");
    check_roles(kLegal, "role-without-moves", " has no rule for 'legal'");
    check_range();
    for (const Rule& rule : rules_.rules) {
      if (!findings_.go_on(1 + rule.body.size())) return;
      check_arguments(rule, rule.head, rule.arguments, findings_.head(rule));
      if (rule.head == kGoal) check_value(rule);
      for (const Literal& l : rule.body) {
        if (l.kind == Literal::Kind::Distinct) continue;
        check_arguments(rule, l.relation, l.arguments, l.where);
      }
    }
  }

 private:
  [[nodiscard]] bool defined(RelationId relation) const {
    return !findings_.dependencies().rules_of[relation].empty();
  }

  void check_presence() {
    for (const Keyword keyword : {kRole, kLegal, kTerminal}) {
      if (defined(keyword) || findings_.left_out(keyword)) continue;
      findings_.add(Severity::Error, "missing-keyword",
                    "no rule for " + quoted(keyword_form(keyword).name));
    }
    if (!defined(kInit) && !findings_.left_out(kInit)) {
      findings_.add(Severity::Note, "no-init",
                    "no rule for 'init': the game begins with the empty state");
    }
    if (!defined(kNext) && !findings_.left_out(kNext)) {
      findings_.add(Severity::Note, "no-next",
                    "no rule for 'next': after the first step the state is empty");
    }
  }

  void check_roles(Keyword keyword, const char* code, const std::string& what) {
    const bool said_already = keyword == kLegal && !defined(kLegal);
    if (said_already || findings_.left_out(keyword)) return;
    std::vector<bool> has(rules_.terms.size());
    for (const std::uint32_t i : findings_.dependencies().rules_of[keyword]) {
      const Term who = rules_.rules[i].arguments[0];
      if (rules_.terms.kind(who) == Terms::Kind::Variable) return;
      has[who] = true;
    }
    for (const std::uint32_t i : findings_.dependencies().rules_of[kRole]) {
      const Rule& rule = rules_.rules[i];
      const Term role = rule.arguments[0];
      const bool is_random = rules_.random && rules_.roles[*rules_.random] == role;
      if (has[role] || (keyword == kGoal && is_random)) continue;
      findings_.add(Severity::Warning, code, "role " + quoted(rules_.print(role)) + what,
                    findings_.argument(findings_.head(rule), 0));
    }
  }

  void check_arguments(const Rule& rule, RelationId relation, const std::vector<Term>& arguments,
                       NodeIndex where) {
    if (relation != kLegal && relation != kGoal && relation != kDoes && relation != kInput &&
        relation != kSees) {
      return;
    }
    if (rules_.roles.empty() || findings_.left_out(kRole)) return;
    const Term who = arguments[0];
    if (rules_.terms.kind(who) == Terms::Kind::Variable || is_role_[who]) return;
    findings_.add(Severity::Warning, "not-a-role",
                  quoted(findings_.shown(who, rule)) + " is not a role",
                  findings_.argument(where, 0));
  }

  void check_value(const Rule& rule) {
    const Term value = rule.arguments[1];
    if (rules_.terms.kind(value) == Terms::Kind::Variable || is_goal_value(value)) return;
    findings_.add(Severity::Warning, "goal-value", "a goal value is an integer from 0 to 100",
                  findings_.argument(findings_.head(rule), 1));
  }

  [[nodiscard]] bool is_goal_value(Term value) const {
    if (rules_.terms.kind(value) != Terms::Kind::Constant) return false;
    const auto number = rules_.number(rules_.terms.value(value));
    return number && *number >= 0 && *number <= GoalScale::kBest;
  }

  /// What a variable says in place of a number that `check_value` reports.
  void check_range() {
    const GoalScale& goals = rules_.goals;
    if (goals.is_plain()) return;
    for (const std::uint32_t i : findings_.dependencies().rules_of[kGoal]) {
      const Rule& rule = rules_.rules[i];
      if (rules_.terms.kind(rule.arguments[1]) != Terms::Kind::Variable) continue;
      findings_.add(Severity::Warning, "goal-value",
                    "goals from " + std::to_string(goals.least()) + " to " +
                        std::to_string(goals.greatest()) +
                        " may follow, and 0 to 100 is the rule; they count as they are",
                    findings_.argument(findings_.head(rule), 1));
      return;
    }
  }

  Findings& findings_;
  const Rules& rules_;
  std::vector<bool> is_role_;  // by term
};

}  // namespace

void check_game(Findings& findings) {
  GameCheck(findings).run();
}

}  // namespace ludens::gdl
