// SPDX-License-Identifier: MIT
// What a permutation of a game's fluents does to the bits that say what roles can reach.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "search/learning/renamings.h"
#include "search/learning/state_bits.h"
#include "search/learning/tuple_form.h"

namespace ludens::search {

/// Permutes these bits as the places that they belong to, so that they need no names that can be
/// compared. The bits must outlive it.
class ReachImages {
 public:
  ReachImages(const StateBits& bits, const std::vector<Variable>& variables);

  /// The permutation of all bits, from one that leaves the bits of reach as they are. False if some
  /// bit has no image. `exchange_roles`: the two roles change places.
  [[nodiscard]] bool complete(BitPermutation& image, bool exchange_roles) const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  const StateBits& bits_;
  std::vector<std::uint32_t> group_of_;  // [bit]: as in ReachBit
  std::map<std::tuple<std::uint32_t, gdl::RoleIndex, std::uint32_t>, std::uint32_t> bit_of_;
};

}  // namespace ludens::search
