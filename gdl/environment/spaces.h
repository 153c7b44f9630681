// SPDX-License-Identifier: MIT
// What the numbers in the arrays of an environment mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/machine/vocabulary.h"
#include "gdl/network/network.h"

namespace ludens::gdl {

/// Players, fluents and actions by number. The same for every machine, width, thread and run of a
/// rulesheet; names are in natural order: word by word, numbers by value and before words such as
/// `1a`, so that `( drop 9 )` comes before `( drop 10 )`. A fluent that nothing depends on has no
/// number, and neither has a move that is proved never to be legal.
struct Spaces {
  std::vector<RoleIndex> players;  // all roles but `random`, in their order
  std::vector<std::string> player_names;
  std::vector<FluentId> fluents;  // [number]
  std::vector<std::string> fluent_names;
  std::vector<std::vector<MoveId>> actions;  // [player][number]
  std::vector<std::vector<std::string>> action_names;

  /// FNV-1a of 64 bits over the lines `player NAME`, `fluent NAME` and `action NAME`, each ended by
  /// a newline, in lower case: each player, followed by its actions, then all fluents. What was
  /// learned for one hash fits every game with the same hash.
  [[nodiscard]] std::uint64_t hash() const;
  /// The number of the action with this name; case does not matter.
  [[nodiscard]] std::optional<std::uint32_t> find_action(std::size_t player,
                                                         std::string_view name) const;
};

Spaces find_spaces(const Vocabulary& vocabulary, const Network& network);

}  // namespace ludens::gdl
