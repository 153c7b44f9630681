// SPDX-License-Identifier: MIT
#include "gdl/rules/dependencies.h"

#include <algorithm>

namespace ludens::gdl {

namespace {

/// Calls use(literal) for the sentences of a rule's body.
template <typename Use>
void for_each_sentence(const Rule& rule, const Use& use) {
  for (const Literal& l : rule.body) {
    if (l.kind != Literal::Kind::Distinct) use(l);
  }
}

void find_edges(const Rules& rules, Dependencies& result) {
  result.needs.resize(rules.relations.size());
  result.rules_of.resize(rules.relations.size());
  for (std::uint32_t i = 0; i < rules.rules.size(); ++i) {
    const Rule& rule = rules.rules[i];
    result.rules_of[rule.head].push_back(i);
    auto& needs = result.needs[rule.head];
    for_each_sentence(rule, [&](const Literal& l) { needs.push_back(l.relation); });
  }
  for (auto& needs : result.needs) {
    std::sort(needs.begin(), needs.end());
    needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
  }
}

void find_recursion(const Rules& rules, Dependencies& result) {
  result.recursive.resize(result.components.count);
  result.negative.resize(result.components.count);
  for (const Rule& rule : rules.rules) {
    const std::uint32_t c = result.components.of[rule.head];
    for_each_sentence(rule, [&](const Literal& l) {
      if (!result.in_same_component(rule.head, l.relation)) return;
      result.recursive[c] = true;
      if (l.kind == Literal::Kind::Negative) result.negative[c] = true;
    });
  }
}

}  // namespace

Dependencies dependencies(const Rules& rules) {
  Dependencies result;
  find_edges(rules, result);
  result.components = strong_components(result.needs);
  find_recursion(rules, result);
  return result;
}

}  // namespace ludens::gdl
