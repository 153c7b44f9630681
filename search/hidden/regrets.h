// SPDX-License-Identifier: MIT
// The moves of a role in one information set, with their regrets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gdl/machine/vocabulary.h"

namespace ludens::search::hidden {

struct Regrets {
  static constexpr std::size_t kBytesOfMove = sizeof(gdl::MoveId) + 2 * sizeof(double);

  std::vector<gdl::MoveId> moves;         // in the order in which they were first legal
  std::vector<double> regrets, averages;  // [move]: summed up

  void reserve(std::size_t count);
  /// Indices of legal moves; new ones are added.
  void find(std::span<const gdl::MoveId> legal, std::vector<std::uint32_t>& out);
  /// Probabilities of the moves at these places: in proportion to the positive regrets, uniform if
  /// there are none (regret matching, Hart and Mas-Colell 2000).
  void match(std::span<const std::uint32_t> places, std::vector<double>& out) const;
  /// The same in proportion to the averages.
  void mean(std::span<const std::uint32_t> places, std::vector<double>& out) const;
};

}  // namespace ludens::search::hidden
