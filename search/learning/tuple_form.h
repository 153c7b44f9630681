// SPDX-License-Identifier: MIT
// What a learned value depends on, as plain data that can be bound to any machine of the game.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gdl/machine/vocabulary.h"
#include "search/learning/mobility.h"

namespace ludens::search {

/// Fluents of which at most one holds, proved or observed. Its value is the number of the fluent
/// that holds: counted from 0 if one always does, otherwise from 1, and 0 for none.
struct Variable {
  std::vector<gdl::FluentId> fluents;
  bool always_one = false;

  friend bool operator==(const Variable&, const Variable&) = default;

  [[nodiscard]] std::size_t values() const { return fluents.size() + (always_one ? 0 : 1); }
  [[nodiscard]] std::uint32_t value_of(std::size_t place) const {
    return static_cast<std::uint32_t>(place + (always_one ? 0 : 1));
  }
};

/// The most variables of a form. Choosing tuples takes a number for each pair of them.
inline constexpr std::size_t kMostVariables = 256;

/// A permutation of fluents under which the game stays the same, such as a reflection of its board:
/// [variable][place]: the image of `variables[variable].fluents[place]`.
using Symmetry = std::vector<std::vector<gdl::FluentId>>;

/// Each tuple is a row of variables, ascending; the product of their values is its number of
/// entries.
struct TupleForm {
  static constexpr std::size_t kMostEntries = 6'561;  // of a tuple: eight variables of three values

  /// The eight symmetries of a square need no more, and the identity is not stored.
  static constexpr std::size_t kMostSymmetries = 7;

  std::vector<Variable> variables;
  std::vector<std::vector<std::uint32_t>> tuples;
  /// Each tuple is also looked up at its images under these, with the same weights.
  std::vector<Symmetry> symmetries;
  /// If not empty, the game stays the same after this one if its two roles change places. A state
  /// in which role 1 chooses is then looked up as its image, with the weights for role 0.
  Symmetry exchange;
  /// Fluents of one kind. The number of them that hold is treated like a tuple; these come after
  /// the tuples.
  std::vector<std::vector<gdl::FluentId>> counts;

  /// The freedom of the roles to choose (see `mobility.h`) is treated like one more tuple, which
  /// comes last.
  [[nodiscard]] std::size_t mobility() const { return tuples.size() + counts.size(); }

  /// Includes counts and mobility.
  [[nodiscard]] std::size_t tuple_count() const { return mobility() + 1; }
  /// Places of a tuple: its own and its images.
  [[nodiscard]] std::size_t images() const { return symmetries.size() + 1; }
  /// How many weights make up a value: those of all images of the tuples, of counts and of
  /// mobility, in this order, the images of a tuple together.
  [[nodiscard]] std::size_t lookup_count() const {
    return tuples.size() * images() + counts.size() + 1;
  }
  [[nodiscard]] std::size_t entries(std::size_t tuple) const {
    if (tuple == mobility()) return kMobilities;
    if (tuple >= tuples.size()) return counts[tuple - tuples.size()].size() + 1;
    std::size_t entries = 1;
    for (const std::uint32_t v : tuples[tuple]) entries *= variables[v].values();
    return entries;
  }
};

}  // namespace ludens::search
