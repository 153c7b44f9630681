// SPDX-License-Identifier: MIT
#include "search/learning/fluent_shapes.h"

#include <numeric>
#include <string>
#include <utility>

#include "gdl/rules/orders.h"
#include "search/learning/fluent_parts.h"

namespace ludens::search {

namespace {

/// Each once; a reversal first.
std::vector<Renaming> renamings_of(const ArgumentDomain& domain) {
  const std::size_t size = domain.constants.size();
  std::vector<Renaming> renamings;
  if (size < 2) return renamings;
  Renaming all(size);
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (domain.ordered) renamings.emplace_back(all.rbegin(), all.rend());
  if (size > kAllPermutations) return renamings;
  while (std::next_permutation(all.begin(), all.end())) {
    if (std::ranges::find(renamings, all) == renamings.end()) renamings.push_back(all);
  }
  return renamings;
}

ArgumentDomain domain_of(const std::vector<Constants>& arguments, std::size_t argument,
                         const gdl::Rules& rules, const gdl::Orders& orders) {
  std::map<std::string, std::uint32_t> by_name;
  for (const Constants& constants : arguments) {
    by_name.emplace(rules.symbols.folded(constants[argument] / 2), constants[argument]);
  }
  std::vector<std::string> names;
  names.reserve(by_name.size());
  for (const auto& [name, constant] : by_name) names.push_back(name);
  const auto order = orders.order(names);
  ArgumentDomain domain;
  domain.ordered = order.has_value();
  for (const std::string& name : order.value_or(names)) {
    if (const auto at = by_name.find(name); at != by_name.end()) {
      domain.constants.push_back(at->second);
    }
  }
  domain.renamings = renamings_of(domain);
  return domain;
}

}  // namespace

std::vector<FluentShape> fluent_shapes(const gdl::Vocabulary& vocabulary, const StateBits& bits) {
  std::map<std::pair<std::uint32_t, std::size_t>, FluentShape> by_name;
  const std::vector<bool> reach_bit = bits.are_reach();
  for (std::uint32_t bit = 0; bit < bits.size(); ++bit) {
    if (reach_bit[bit]) continue;
    const FluentParts parts = fluent_parts(vocabulary.fluent_term(bits.fluents()[bit]));
    Constants arguments;
    for (const auto& argument : parts.arguments) {
      if (argument.size() == 1) arguments.push_back(argument[0]);
    }
    if (arguments.size() != parts.arguments.size()) continue;
    FluentShape& shape = by_name[{parts.name, arguments.size()}];
    shape.bits.push_back(bit);
    shape.bit_of.emplace(arguments, bit);
    shape.arguments.push_back(std::move(arguments));
  }
  const gdl::Orders orders(vocabulary.rules());
  std::vector<FluentShape> shapes;
  for (auto& [name, shape] : by_name) {
    for (std::size_t i = 0; i < name.second; ++i) {
      shape.domains.push_back(domain_of(shape.arguments, i, vocabulary.rules(), orders));
    }
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

}  // namespace ludens::search
