// SPDX-License-Identifier: MIT
#include "gdl/hrf/hrf.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gdl/hrf/conditions.h"
#include "gdl/hrf/operations.h"
#include "gdl/hrf/parser.h"
#include "gdl/hrf/passes.h"
#include "gdl/hrf/turns.h"

namespace ludens::gdl {

namespace {

using hrf::Expression;
using Kind = Expression::Kind;

hrf::PrefixRules translate(const std::vector<hrf::Statement>& statements) {
  hrf::PrefixRules rules;
  hrf::Sheet sheet(statements);
  sheet.report_spellings(rules.problems);
  const hrf::TurnNames names = hrf::turn_names(sheet);
  hrf::Conditions conditions(sheet, names, rules);
  hrf::Turns turns(sheet, conditions, names, rules);
  for (const hrf::Statement& s : statements) {
    if (s.kind != hrf::Statement::Kind::Operation) turns.translate(s);
  }
  hrf::Operations(sheet, conditions, rules).translate();
  turns.complete();
  hrf::condense(rules);
  hrf::bind_open_columns(sheet, rules);
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

}  // namespace

bool is_hrf(std::string_view text) {
  return hrf::looks_like_hrf(text);
}

ParsedHrf parse_hrf(std::string text, const ParseLimits& limits) {
  hrf::ParsedStatements parsed = hrf::parse_statements(text, limits);
  hrf::PrefixRules rules = translate(parsed.statements);
  Writer writer;
  for (const hrf::PrefixRule& rule : rules.rules) writer.rule(rule);
  ParsedHrf result{
      translated(std::move(writer.text_), std::move(writer.places_), std::move(text)), {}, {}};
  const bool torn = !parsed.problems.empty();
  auto& problems = torn ? parsed.problems : rules.problems;
  for (hrf::Problem& p : problems) {
    auto& list = p.severity == Severity::Error ? result.errors : result.remarks;
    list.push_back({p.severity, p.code, std::move(p.text), result.tree.place(p.where)});
  }
  return result;
}

}  // namespace ludens::gdl
