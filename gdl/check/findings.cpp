// SPDX-License-Identifier: MIT
#include "gdl/check/findings.h"

#include <algorithm>
#include <cctype>
#include <tuple>

namespace ludens::gdl {

Findings::Findings(const NormalisedRules& normalised, const Dependencies& dependencies,
                   const Limits& limits, std::size_t max_findings)
    : rules_(*normalised.rules),
      dependencies_(dependencies),
      left_out_(rules_.relations.size()),
      unfolded_(rules_.relations.size()),
      diagnostics_(max_findings),
      memory_(limits.memory),
      poll_(limits.stop) {
  for (const Diagnostic& known : normalised.diagnostics) diagnostics_.add(known);
  for (const RelationId head : normalised.left_out) left_out_[head] = true;
  for (const RelationId relation : normalised.unfolded) unfolded_[relation] = true;
}

bool Findings::hold(std::size_t bytes) {
  exhausted_ = exhausted_ || !held_.reserve(bytes, memory_);
  return !exhausted_;
}

bool Findings::left_out(RelationId head) const {
  return left_out_[head];
}

std::string Findings::shown(Term t, const Rule& rule) const {
  constexpr std::uint32_t kMostSymbols = 30;
  if (rules_.terms.symbol_count(t) <= kMostSymbols) {
    return rules_.to_user_language(rules_.print(t, &rule));
  }
  const std::string& name = rules_.symbols.spelling(rules_.terms.value(t));
  return rules_.source->is_translated() ? name + "(...)" : "( " + name + " ... )";
}

std::string_view Findings::negation() const {
  return rules_.source->is_translated() ? "'~'" : "'not'";
}

namespace {

/// Names of variables without the question marks, which only prefix GDL has.
std::string without_marks(const std::string& text) {
  const auto is_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = i == 0 || !is_name(text[i - 1]);
    if (text[i] == '?' && begins && i + 1 < text.size() && is_name(text[i + 1])) continue;
    out += text[i];
  }
  return out;
}

}  // namespace

void Findings::add(Severity severity, std::string code, std::string text, NodeIndex where) {
  if (rules_.source->is_translated()) text = without_marks(text);
  diagnostics_.add({severity, std::move(code), std::move(text), rules_.location(where)});
}

void Findings::add(Severity severity, std::string code, std::string text) {
  diagnostics_.add({severity, std::move(code), std::move(text), Location{}});
}

Diagnostics Findings::take() {
  Diagnostics all = diagnostics_.take();
  const auto key = [](const Diagnostic& d) {
    return std::tuple(d.where.offset, -static_cast<int>(d.severity), std::string_view(d.code),
                      std::string_view(d.text));
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
  const auto last =
      std::unique(all.begin(), all.end(),
                  [&](const Diagnostic& a, const Diagnostic& b) { return key(a) == key(b); });
  all.erase(last, all.end());
  return all;
}

NodeIndex Findings::head(const Rule& rule) const {
  const SyntaxTree& tree = *rules_.source;
  if (tree.is_atom(rule.where)) return rule.where;
  const NodeIndex first = rule.where + 1;
  const bool is_rule = tree.is_atom(first) && tree.atom(first) == "<=";
  return is_rule ? first + 1 : rule.where;
}

NodeIndex Findings::argument(NodeIndex sentence, std::size_t k) const {
  const NodeIndex found = rules_.source->child(sentence, k + 1);
  return found == kNoNode ? sentence : found;
}

void Findings::index_variables(NodeIndex form) {
  if (indexed_form_ == form) return;
  indexed_form_ = form;
  variable_nodes_.clear();
  const SyntaxTree& tree = *rules_.source;
  for (NodeIndex n = form; n < tree.end(form); ++n) {
    if (tree.is_atom(n) && tree.atom(n)[0] == '?') {
      variable_nodes_[fold_case(tree.atom(n))].push_back(n);
    }
  }
}

NodeIndex Findings::variable(NodeIndex below, const Rule& rule, std::uint32_t variable) {
  index_variables(rule.where);
  const auto& nodes = variable_nodes_[fold_case(rule.variables[variable])];
  const auto first = std::lower_bound(nodes.begin(), nodes.end(), below);
  return first != nodes.end() && *first < rules_.source->end(below) ? *first : below;
}

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

}  // namespace ludens::gdl
