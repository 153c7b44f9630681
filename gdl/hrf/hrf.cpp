// SPDX-License-Identifier: MIT
#include "gdl/hrf/hrf.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gdl/hrf/conditions.h"
#include "gdl/hrf/operations.h"
#include "gdl/hrf/parser.h"
#include "gdl/hrf/passes.h"
#include "gdl/hrf/recognise.h"
#include "gdl/hrf/turns.h"

namespace ludens::gdl {

namespace {

using hrf::Expression;
using Kind = Expression::Kind;

hrf::PrefixRules translate(const hrf::ParsedStatements& parsed, Dialect dialect) {
  const std::vector<hrf::Statement>& statements = parsed.statements;
  hrf::PrefixRules rules;
  hrf::Sheet sheet(statements, dialect);
  sheet.report_spellings(rules.problems);
  if (dialect == Dialect::Prolog) sheet.report_undefined(parsed.declared, rules.problems);
  const hrf::TurnNames names = hrf::turn_names(sheet);
  hrf::Conditions conditions(sheet, names, rules);
  hrf::Turns turns(sheet, conditions, names, rules);
  for (const hrf::Statement& s : statements) {
    if (s.kind != hrf::Statement::Kind::Operation) turns.translate(s);
  }
  if (!sheet.is_gdl()) hrf::Operations(sheet, conditions, rules).translate();
  turns.complete();
  if (!sheet.is_gdl()) {
    hrf::condense(rules);
    hrf::bind_open_columns(sheet, rules);
  }
  hrf::write_out_builtins(sheet, rules);
  return rules;
}

/// Writes rules as prefix GDL, with the place of each node.
class Writer {
 public:
  void rule(const hrf::PrefixRule& rule) {
    variables_.clear();
    folded_.clear();
    if (rule.body.empty()) {
      sentence(rule.head, true);
    } else {
      open(rule.where);
      token("<=", rule.where);
      sentence(rule.head, false);
      for (const Expression& literal : rule.body) expression(literal);
      text_ += ')';
    }
    text_ += '\n';
  }

  std::string text_;
  std::vector<std::uint32_t> places_;

 private:
  void open(std::uint32_t where) {
    if (!text_.empty() && text_.back() != '(' && text_.back() != '\n') text_ += ' ';
    text_ += '(';
    places_.push_back(where);
  }

  void token(const std::string& text, std::uint32_t where) {
    if (text_.back() != '(') text_ += ' ';
    text_ += text;
    places_.push_back(where);
  }

  /// A fact without arguments is written in parentheses.
  void sentence(const Expression& e, bool fact) {
    if (e.kind != Kind::Constant || !fact) return expression(e);
    open(e.where);
    token(e.name, e.where);
    text_ += ')';
  }

  void expression(const Expression& e) {
    if (e.kind == Kind::Variable) return token(variable(e.name), e.where);
    if (e.kind == Kind::Constant) return token(e.name, e.where);
    open(e.where);
    token(name(e), e.where);
    for (const Expression& a : e.arguments) expression(a);
    text_ += ')';
  }

  static std::string name(const Expression& e) {
    if (e.kind == Kind::And) return "and";
    if (e.kind == Kind::Or) return "or";
    return e.kind == Kind::Not ? "not" : e.name;
  }

  /// The case of variables does not matter in prefix GDL.
  const std::string& variable(const std::string& name) {
    const auto [entry, is_new] = variables_.try_emplace(name);
    if (is_new) {
      entry->second = "?" + name;
      while (!folded_.insert(fold_case(entry->second)).second) entry->second += "_";
    }
    return entry->second;
  }

  std::map<std::string, std::string> variables_;
  std::set<std::string> folded_;
};

/// The dialect once it is known who has the moves: infix GDL of which all moves are of each role.
Dialect with_moves(Dialect dialect, const std::vector<hrf::Statement>& statements) {
  if (dialect != Dialect::Infix) return dialect;
  bool without_role = false;
  for (const hrf::Statement& s : statements) {
    if (!hrf::is_atom(s.head)) continue;
    const hrf::Signature head = hrf::signature(s.head);
    if (head == hrf::Signature{"legal", 2}) return dialect;
    without_role = without_role || head == hrf::Signature{"legal", 1};
  }
  return without_role ? Dialect::Simultaneous : dialect;
}

Diagnostic note_of(Dialect dialect, const std::vector<hrf::Statement>& statements,
                   const SyntaxTree& tree) {
  std::string text = "the rules are read as " + std::string(name_of(dialect));
  if (dialect == Dialect::Simultaneous) {
    text +=
        ": 'legal' names no role, so that a move is legal for each role that is in control, or "
        "for all if there is no 'control'";
  }
  const std::uint32_t where = statements.empty() ? 0 : statements.front().where;
  return {Severity::Note, "dialect", std::move(text), tree.place(where)};
}

/// What can't be read is refused with the name of its dialect; HRF is what infix texts are taken
/// for, unless they show otherwise.
void name_dialect(Dialect dialect, std::string& error) {
  if (is_gdl(dialect)) error = "read as " + std::string(name_of(dialect)) + ": " + error;
}

}  // namespace

ParsedHrf parse_hrf(std::string text, const ParseLimits& limits) {
  Dialect dialect = dialect_of(text);
  if (dialect == Dialect::Prefix) dialect = Dialect::Hrf;
  hrf::ParsedStatements parsed = hrf::parse_statements(text, dialect, limits);
  dialect = with_moves(dialect, parsed.statements);
  hrf::PrefixRules rules = translate(parsed, dialect);
  Writer writer;
  for (const hrf::PrefixRule& rule : rules.rules) writer.rule(rule);
  ParsedHrf result{translated(std::move(writer.text_), std::move(writer.places_), std::move(text)),
                   {},
                   {},
                   dialect};
  if (is_gdl(dialect)) result.remarks.push_back(note_of(dialect, parsed.statements, result.tree));
  const bool torn = std::ranges::any_of(
      parsed.problems, [](const auto& p) { return p.severity == Severity::Error; });
  if (torn) rules.problems.clear();
  for (auto* problems : {&parsed.problems, &rules.problems}) {
    for (hrf::Problem& p : *problems) {
      auto& list = p.severity == Severity::Error ? result.errors : result.remarks;
      list.push_back({p.severity, p.code, std::move(p.text), result.tree.place(p.where)});
      if (p.severity == Severity::Error) name_dialect(dialect, list.back().text);
    }
  }
  return result;
}

}  // namespace ludens::gdl
