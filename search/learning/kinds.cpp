// SPDX-License-Identifier: MIT
#include "search/learning/kinds.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "search/learning/fluent_parts.h"

namespace ludens::search {

namespace {

/// With fewer, a count says little that the variables don't.
constexpr std::size_t kLeastFluents = 4;

using Cells = std::vector<std::uint32_t>;
/// A name and the number of its arguments.
using Name = std::pair<std::uint32_t, std::size_t>;

Name name_of(const FluentParts& parts) {
  return {parts.name, parts.arguments.size()};
}

/// The bits of what roles can reach, by their fluents.
std::map<gdl::FluentId, gdl::ReachBit> reach_by_fluent(const StateBits& bits) {
  std::map<gdl::FluentId, gdl::ReachBit> reach;
  for (const gdl::ReachBit& bit : bits.reach()) reach.emplace(bits.fluents()[bit.fluent], bit);
  return reach;
}

/// In which arguments two values of one variable differ, by name.
std::map<Name, std::set<std::size_t>> open_arguments(const gdl::Vocabulary& vocabulary,
                                                     const std::vector<Variable>& variables) {
  std::map<Name, std::set<std::size_t>> open;
  for (const Variable& variable : variables) {
    std::map<Name, FluentParts> first;
    for (const gdl::FluentId fluent : variable.fluents) {
      const FluentParts parts = fluent_parts(vocabulary.fluent_term(fluent));
      const FluentParts& other = first.emplace(name_of(parts), parts).first->second;
      for (std::size_t i = 0; i < parts.arguments.size(); ++i) {
        if (parts.arguments[i] != other.arguments[i]) open[name_of(parts)].insert(i);
      }
    }
  }
  return open;
}

}  // namespace

std::vector<std::vector<gdl::FluentId>> find_kinds(const gdl::Vocabulary& vocabulary,
                                                   const StateBits& bits,
                                                   const std::vector<Variable>& variables,
                                                   std::size_t most) {
  auto open = open_arguments(vocabulary, variables);
  const auto reach = reach_by_fluent(bits);
  std::map<std::pair<Name, std::vector<Cells>>, std::vector<gdl::FluentId>> kinds;
  std::map<std::pair<gdl::RoleIndex, std::uint32_t>, std::vector<gdl::FluentId>> reached;
  for (const Variable& variable : variables) {
    for (const gdl::FluentId fluent : variable.fluents) {
      if (const auto bit = reach.find(fluent); bit != reach.end()) {
        reached[{bit->second.role, bit->second.moves}].push_back(fluent);
        continue;
      }
      const FluentParts parts = fluent_parts(vocabulary.fluent_term(fluent));
      std::vector<Cells> values;
      for (const std::size_t i : open[name_of(parts)]) values.push_back(parts.arguments[i]);
      kinds[{name_of(parts), std::move(values)}].push_back(fluent);
    }
  }
  std::vector<std::vector<gdl::FluentId>> out;
  const auto add = [&](std::vector<gdl::FluentId>& fluents) {
    if (fluents.size() >= kLeastFluents && fluents.size() < TupleForm::kMostEntries) {
      out.push_back(std::move(fluents));
    }
  };
  for (auto& [kind, fluents] : kinds) add(fluents);
  for (auto& [kind, fluents] : reached) add(fluents);
  std::ranges::stable_sort(out, std::greater(), [](const auto& fluents) { return fluents.size(); });
  if (out.size() > most) out.resize(most);
  return out;
}

}  // namespace ludens::search
