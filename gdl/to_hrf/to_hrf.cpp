// SPDX-License-Identifier: MIT
#include "gdl/to_hrf/to_hrf.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "gdl/text/keywords.h"
#include "gdl/to_hrf/control.h"
#include "gdl/to_hrf/prefix_game.h"
#include "gdl/to_hrf/steps.h"

namespace ludens::gdl {

namespace {

using hrf::Expression;
using hrf::PrefixRule;
using hrf::Statement;

/// Writes everything except `next` and what depends on moves, rule by rule.
class Writer {
 public:
  explicit Writer(const Rules& rules) : game_(rules) {}

  WrittenHrf run() {
    refuse_percepts();
    if (!has_error(game_.diagnostics)) write();
    WrittenHrf written;
    written.diagnostics = std::move(game_.diagnostics);
    if (has_error(written.diagnostics)) return written;
    for (const Statement& s : statements_) written.text += print(s) + '\n';
    written.statements = statements_.size();
    written.names = game_.names.constants();
    return written;
  }

 private:
  void write() {
    refuse_next_in_conditions();
    hrf::Control control(game_);
    if (has_error(game_.diagnostics)) return;
    forget_waiting(control);
    std::vector<Statement> operations;
    hrf::Steps steps(game_, control, operations);
    if (auto definition = control.definition()) statements_.push_back(*std::move(definition));
    for (const PrefixRule& rule : game_.rules) state_rule(rule, control, steps);
    state_an_end();
    steps.write();
    for (Statement& s : operations) statements_.push_back(std::move(s));
  }

  /// Also where no rule for `sees` ever applies: roles are then not told of moves.
  void refuse_percepts() {
    const std::vector<Rule>& rules = game_.source.rules;
    const auto sees = std::ranges::find(rules, kSees, &Rule::head);
    if (sees == rules.end()) return;
    game_.report(Severity::Error, "sees",
                 "'sees' says what roles see, and HRF is for games of perfect information",
                 static_cast<std::uint32_t>(sees - rules.begin()));
  }

  void refuse_next_in_conditions() {
    for (const PrefixRule& rule : game_.rules) {
      for (const Expression& literal : rule.body) {
        if (hrf::atom_of(literal).name != "next") continue;
        game_.report(Severity::Error, "next-in-condition",
                     "a rule asks for 'next', and conditions of HRF are about the present state",
                     rule.where);
        break;
      }
    }
  }

  /// Whether what a rule makes legal is legal for a role: HRF expresses the role by who is in
  /// control, and drops the name.
  [[nodiscard]] bool is_for_roles(const Expression& role) const {
    return role.kind == Expression::Kind::Variable ||
           std::ranges::find(game_.roles, role.name) != game_.roles.end();
  }

  /// Adds that a variable is a role if no condition says so.
  static void require_role(const Expression& role, std::vector<Expression>& body) {
    if (role.kind != Expression::Kind::Variable) return;
    const bool said = std::ranges::any_of(body, [&](const Expression& e) {
      return (e.name == "role" || e.name == "control") && e.arguments.size() == 1 &&
             e.arguments[0] == role;
    });
    if (!said) body.push_back(hrf::compound("role", {role}, role.where));
  }

  /// Waiting is not a move in HRF, unless the role in control has one of that name.
  void forget_waiting(const hrf::Control& control) {
    if (!control.in_turn()) return;
    const bool somebody_chooses_it = std::ranges::any_of(game_.rules, [&](const PrefixRule& rule) {
      return rule.head.name == "legal" && rule.head.arguments.size() == 2 &&
             rule.head.arguments[1] == hrf::waiting_move() && !control.is_waiting(rule);
    });
    if (!somebody_chooses_it) game_.moves.erase(signature(hrf::waiting_move()));
  }

  /// Before a move is made, none is known.
  void refuse_keyword_of_moves(const PrefixRule& rule) {
    if (!is_reserved(fold_case(rule.head.name))) return;
    game_.report(
        Severity::Error, "depends-on-moves",
        "'" + rule.head.name + "' depends on the moves made, and in HRF only what is next does",
        rule.where);
  }

  void state_rule(const PrefixRule& rule, const hrf::Control& control, hrf::Steps& steps) {
    const Expression& head = rule.head;
    if (head.name == "next") return;
    if (game_.dependent.contains(signature(head))) return refuse_keyword_of_moves(rule);
    Statement s{rule.body.empty() ? Statement::Kind::Sentence : Statement::Kind::Rule,
                head,
                {},
                {},
                rule.where};
    if (head.name == "legal" && head.arguments.size() == 2) {
      if (control.is_waiting(rule) || !is_for_roles(head.arguments[0])) return;
      s.head = hrf::compound("legal", {head.arguments[1]}, rule.where);
    } else if (head.name == "input" && head.arguments.size() == 2) {
      if (head.arguments[1] == hrf::waiting_move() && control.in_turn()) return;
      s.head = hrf::compound("action", {head.arguments[1]}, rule.where);
    }
    for (const Expression& e : rule.body) s.body.push_back(steps.state_literal(e, rule.where));
    if (head.name == "legal" && head.arguments.size() == 2) {
      require_role(head.arguments[0], s.body);
    }
    if (std::ranges::find(s.body, s.head) != s.body.end()) return;  // says nothing
    hrf::sort_for_reading(s.body);
    statements_.push_back(std::move(s));
  }

  /// A game whose end asks for what never holds still says that it has one.
  void state_an_end() {
    const bool stated = std::ranges::any_of(
        statements_, [](const Statement& s) { return s.head == hrf::constant("terminal", 0); });
    if (stated || game_.roles.empty()) return;  // without a role, no constant is at hand
    const Expression any = hrf::constant(game_.roles.front(), 0);
    statements_.push_back({Statement::Kind::Rule,
                           hrf::constant("terminal", 0),
                           {hrf::compound("distinct", {any, any}, 0)},
                           {},
                           0});
  }

  static std::string list(const std::vector<Expression>& parts) {
    std::string text;
    for (const Expression& e : parts) text += (text.empty() ? "" : " & ") + print(e);
    return text;
  }

  static std::string print(const Expression& e) { return hrf::print(e); }

  /// The venue's reader wants variables to begin with a capital letter.
  static Statement with_capitals(const Statement& s) {
    hrf::Names taken = hrf::variables_of(s.head);
    for (const auto* list : {&s.body, &s.effects}) {
      for (const Expression& e : *list) hrf::add_variables(e, taken);
    }
    hrf::Substitution by;
    for (const std::string& name : hrf::Names(taken)) {
      if (!name.starts_with('_')) continue;
      std::string capital = "X" + name.substr(1);
      while (!taken.insert(capital).second) capital += "_";
      by.emplace(name, hrf::variable(capital, 0));
    }
    Statement result = s;
    result.head = hrf::substitute(s.head, by);
    for (auto* list : {&result.body, &result.effects}) {
      for (Expression& e : *list) e = hrf::substitute(e, by);
    }
    return result;
  }

  static std::string print(const Statement& statement) {
    const Statement s = with_capitals(statement);
    const std::string head = print(s.head);
    if (s.kind == Statement::Kind::Operation) {
      return head + " :: " + (s.body.empty() ? "" : list(s.body) + " ==> ") + list(s.effects);
    }
    return s.body.empty() ? head : head + " :- " + list(s.body);
  }

  hrf::PrefixGame game_;
  std::vector<Statement> statements_;
};

}  // namespace

WrittenHrf write_hrf(const Rules& rules) {
  return Writer(rules).run();
}

std::string with_names(const std::string& terms, const std::map<std::string, std::string>& names) {
  const SyntaxTree tree = parse(terms).tree;
  std::string text;
  std::size_t copied = 0;
  for (NodeIndex n = 0; n < tree.size(); ++n) {
    if (!tree.is_atom(n)) continue;
    const auto found = names.find(fold_case(tree.atom(n)));
    if (found == names.end()) continue;
    const auto at = static_cast<std::size_t>(tree.atom(n).data() - tree.text().data());
    text += tree.text().substr(copied, at - copied) + found->second;
    copied = at + tree.atom(n).size();
  }
  return text + tree.text().substr(copied);
}

}  // namespace ludens::gdl
