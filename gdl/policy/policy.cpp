// SPDX-License-Identifier: MIT
#include "gdl/policy/policy.h"

#include <algorithm>
#include <iterator>

namespace ludens::gdl {

std::string_view to_string(PlayoutPolicy policy) {
  return kPlayoutPolicies[static_cast<std::size_t>(policy)].name;
}

std::optional<PlayoutPolicy> find_policy(std::string_view name) {
  const auto* const found = std::ranges::find_if(
      kPlayoutPolicies, [&](const PolicyInfo& p) { return p.name == name || p.letter == name; });
  if (found == std::end(kPlayoutPolicies)) return std::nullopt;
  return found->policy;
}

}  // namespace ludens::gdl
