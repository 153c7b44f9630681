// SPDX-License-Identifier: MIT
// The names of the playout policies, as the option `policy` takes them.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "gdl/policy/policy.h"

namespace ludens::search::mcts {

/// The name that leaves the choice of a policy to a trial.
inline constexpr std::string_view kTrialPolicy = "auto";
/// This name and every policy, separated by bars.
inline constexpr auto kPolicyNameText = [] {
  constexpr std::size_t kSize = [] {
    std::size_t size = kTrialPolicy.size();
    for (const gdl::PolicyInfo& policy : gdl::kPlayoutPolicies) size += 1 + policy.name.size();
    return size;
  }();
  std::array<char, kSize> text{};
  auto* end = std::copy(kTrialPolicy.begin(), kTrialPolicy.end(), text.begin());
  for (const gdl::PolicyInfo& policy : gdl::kPlayoutPolicies) {
    *end++ = '|';
    end = std::copy(policy.name.begin(), policy.name.end(), end);
  }
  return text;
}();
inline constexpr std::string_view kPolicyNames(kPolicyNameText.data(), kPolicyNameText.size());

}  // namespace ludens::search::mcts
