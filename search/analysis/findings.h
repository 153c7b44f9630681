// SPDX-License-Identifier: MIT
// What an analysis has seen so far.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "gdl/machine/machine.h"

namespace ludens::search {

/// Examples and counterexamples, gathered state by state.
class Findings {
 public:
  Findings(std::size_t roles, std::optional<gdl::RoleIndex> random)
      : goal_fell(roles, false), random_(random) {}

  /// The numbers of legal moves of all roles in a state that is not terminal.
  void see_choices(std::span<const std::uint32_t> counts);
  /// The goals of all roles at the end of a game.
  void see_end(std::span<const int> goals);
  /// The goals in two states, one following the other.
  void see_step(std::span<const int> before, std::span<const int> after);

  bool several_choose = false;  // several roles other than `random` have a choice simultaneously
  bool chance = false;
  bool sums_differ = false;
  bool ended = false;  // some game was seen to end
  bool recurred = false;
  std::vector<bool> goal_fell;  // [role]

 private:
  std::optional<gdl::RoleIndex> random_;
  std::optional<int> sum_;
};

}  // namespace ludens::search
