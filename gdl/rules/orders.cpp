// SPDX-License-Identifier: MIT
#include "gdl/rules/orders.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace ludens::gdl {

namespace {

std::optional<long> integer(std::string_view text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The length of the text before the trailing digits.
std::size_t prefix_length(std::string_view text) {
  const auto last = text.find_last_not_of("0123456789");
  return last == std::string_view::npos ? 0 : last + 1;
}

/// Small gaps are filled: rows of a board that the rules reach in ways not followed here.
void fill_gaps(std::map<long, std::string>& sorted, const std::string& prefix) {
  const long first = sorted.begin()->first, last = sorted.rbegin()->first;
  // Unsigned: the difference of two numbers may be too large for a long.
  if (static_cast<unsigned long>(last) - static_cast<unsigned long>(first) >= 2 * sorted.size()) {
    return;
  }
  for (long number = first; number < last; ++number) {
    sorted.try_emplace(number, prefix + std::to_string(number));
  }
}

/// Sorts by the numbers after a prefix that all constants share; an empty prefix and a sign are
/// allowed.
bool sort_by_number(std::vector<std::string>& constants) {
  std::size_t prefix = prefix_length(constants.front());
  if (prefix == 1 && constants.front().front() == '-') prefix = 0;
  const std::string start = constants.front().substr(0, prefix);
  std::map<long, std::string> sorted;
  for (const std::string& constant : constants) {
    if (!constant.starts_with(start)) return false;
    const auto number = integer(std::string_view(constant).substr(prefix));
    if (!number || !sorted.emplace(*number, constant).second) return false;
  }
  fill_gaps(sorted, start);
  constants.clear();
  for (auto& [number, constant] : sorted) constants.push_back(std::move(constant));
  return true;
}

bool sort_letters(std::vector<std::string>& constants) {
  if (!are_letters(constants)) return false;
  std::vector<std::string> sorted = constants;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i][0] != sorted[i - 1][0] + 1) return false;
  }
  constants = std::move(sorted);
  return true;
}

}  // namespace

bool are_letters(const std::vector<std::string>& constants) {
  return std::all_of(constants.begin(), constants.end(), [](const std::string& c) {
    return c.size() == 1 && c[0] >= 'a' && c[0] <= 'z';
  });
}

Orders::Orders(const Rules& rules) {
  std::map<RelationId, std::vector<Edge>> pairs;
  std::map<RelationId, std::vector<std::string>> singles;
  std::set<RelationId> derived;
  for (const Rule& rule : rules.rules) {
    if (rule.head < kKeywordCount) continue;
    const bool ground = std::all_of(rule.arguments.begin(), rule.arguments.end(), [&](auto term) {
      return rules.terms.kind(term) == Terms::Kind::Constant;
    });
    if (!rule.body.empty() || !ground) {
      derived.insert(rule.head);
      continue;
    }
    const auto name = [&](std::size_t i) {
      return rules.symbols.folded(rules.terms.value(rule.arguments[i]));
    };
    if (rule.arguments.size() == 1) singles[rule.head].push_back(name(0));
    if (rule.arguments.size() == 2) pairs[rule.head].push_back({name(0), name(1)});
  }
  for (auto& [relation, edges] : pairs) {
    if (!derived.contains(relation)) chains_.push_back(std::move(edges));
  }
  for (auto& [relation, list] : singles) {
    if (!derived.contains(relation)) lists_.push_back(std::move(list));
  }
}

std::vector<std::vector<std::string>> Orders::lists() const {
  std::vector<std::vector<std::string>> ordered;
  for (const auto& list : lists_) {
    if (auto order = this->order(list)) ordered.push_back(std::move(*order));
  }
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return ordered;
}

std::optional<std::vector<std::string>> Orders::order(std::vector<std::string> constants) const {
  if (constants.size() < 2) return std::nullopt;
  if (sort_by_number(constants) || sort_letters(constants)) return constants;
  const std::set<std::string> wanted(constants.begin(), constants.end());
  for (const auto& edges : chains_) {
    std::map<std::string, std::string> next;
    std::set<std::string> reached;
    bool one_to_one = true;
    for (const Edge& edge : edges) {
      if (!wanted.contains(edge.from) || !wanted.contains(edge.to)) continue;
      one_to_one &= next.emplace(edge.from, edge.to).second && reached.insert(edge.to).second;
    }
    if (!one_to_one || next.size() + 1 != wanted.size()) continue;
    std::vector<std::string> chain;
    for (const std::string& constant : constants) {
      if (!reached.contains(constant)) chain.push_back(constant);
    }
    if (chain.size() != 1) continue;  // a cycle, or several pieces
    for (auto it = next.find(chain.back()); it != next.end(); it = next.find(chain.back())) {
      chain.push_back(it->second);
    }
    if (chain.size() == wanted.size()) return chain;
  }
  return std::nullopt;
}

}  // namespace ludens::gdl
