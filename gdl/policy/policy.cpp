#include "gdl/policy/policy.h"

#include <algorithm>
#include <array>

namespace ludens::gdl {

std::span<const PolicyInfo> playout_policies() {
  static constexpr std::array<PolicyInfo, 5> policies{{
      {PlayoutPolicy::Uniform, "uniform", "U", "any legal move"},
      {PlayoutPolicy::Decisive, "decisive", "D", "a move that wins at once, else any"},
      {PlayoutPolicy::HalfBlock, "halfblock", "H", "decisive, and every other time block"},
      {PlayoutPolicy::Block, "block", "B", "decisive, else where the other role would win"},
      {PlayoutPolicy::Avoid, "avoid", "L", "decisive, else what leaves the other role no win"},
  }};
  return policies;
}

std::string_view to_string(PlayoutPolicy policy) {
  return playout_policies()[static_cast<std::size_t>(policy)].name;
}

std::optional<PlayoutPolicy> find_policy(std::string_view name) {
  const auto policies = playout_policies();
  const auto found = std::ranges::find_if(
      policies, [&](const PolicyInfo& p) { return p.name == name || p.letter == name; });
  if (found == policies.end()) return std::nullopt;
  return found->policy;
}

}  // namespace ludens::gdl
