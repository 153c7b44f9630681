// SPDX-License-Identifier: MIT
#include "search/learning/reach_images.h"

#include <set>

namespace ludens::search {

ReachImages::ReachImages(const StateBits& bits, const std::vector<Variable>& variables)
    : bits_(bits), group_of_(bits.size(), kNone) {
  std::set<std::uint32_t> groups;
  for (const gdl::ReachBit& bit : bits.reach()) {
    groups.insert(bit.group);
    bit_of_.emplace(std::tuple(bit.group, bit.role, bit.moves), bit.fluent);
  }
  if (groups.empty()) return;
  const auto bit_of = bits.bit_of();
  for (const Variable& variable : variables) {
    std::uint32_t group = kNone;
    for (const gdl::FluentId fluent : variable.fluents) {
      if (groups.contains(bit_of.at(fluent))) group = bit_of.at(fluent);
    }
    for (const gdl::FluentId fluent : variable.fluents) group_of_[bit_of.at(fluent)] = group;
  }
}

bool ReachImages::complete(BitPermutation& image, bool exchange_roles) const {
  for (const gdl::ReachBit& bit : bits_.reach()) {
    const gdl::RoleIndex role = exchange_roles ? 1 - bit.role : bit.role;
    const auto at = bit_of_.find({group_of_[image[bit.group]], role, bit.moves});
    if (at == bit_of_.end()) return false;
    image[bit.fluent] = at->second;
  }
  return true;
}

}  // namespace ludens::search
