// SPDX-License-Identifier: MIT
// Fluents by name, with the constants that can be in their arguments.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "gdl/machine/vocabulary.h"
#include "search/learning/state_bits.h"

namespace ludens::search {

/// Domains of at most this many constants are permuted in all ways.
inline constexpr std::size_t kAllPermutations = 4;

/// Cells of ground terms (`gdl::GroundTerm`).
using Constants = std::vector<std::uint32_t>;
/// [i]: which constant of a domain is the image of constant i.
using Renaming = std::vector<std::size_t>;

/// Constants that can be in one argument, in their order if they have one (`gdl::Orders`).
struct ArgumentDomain {
  Constants constants;
  bool ordered = false;
  /// Without the identity: the reversal of an order, and all permutations of few constants.
  std::vector<Renaming> renamings;

  /// Its number in `constants`; their number if it is not one of them.
  [[nodiscard]] std::size_t place(std::uint32_t constant) const {
    return static_cast<std::size_t>(std::ranges::find(constants, constant) - constants.begin());
  }
  [[nodiscard]] bool includes(const ArgumentDomain& other) const {
    return std::ranges::all_of(other.constants,
                               [&](std::uint32_t c) { return place(c) < constants.size(); });
  }
  friend bool operator==(const ArgumentDomain& a, const ArgumentDomain& b) {
    return a.constants == b.constants;
  }
};

/// Fluents with one name and one number of arguments, all of them constants.
struct FluentShape {
  std::vector<std::uint32_t> bits;            // [fluent]
  std::vector<Constants> arguments;           // [fluent]
  std::vector<ArgumentDomain> domains;        // [argument]
  std::map<Constants, std::uint32_t> bit_of;  // by arguments
};

/// The shapes of all fluents of a machine, except fluents with compound arguments and bits of
/// reach.
std::vector<FluentShape> fluent_shapes(const gdl::Vocabulary& vocabulary, const StateBits& bits);

}  // namespace ludens::search
