// SPDX-License-Identifier: MIT
// Numbers for the names of a rulesheet that do not depend on how they are spelled.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gdl/memory/limits.h"
#include "gdl/rules/rules.h"

namespace ludens::gdl {

/// Two rulesheets with one fingerprint are the same game: renaming each symbol of the one to the
/// symbol of the other that has its number makes them equal, but for the order of rules. So what is
/// known of a game can be kept under its fingerprint, in terms of these numbers, and be found again
/// when a host has scrambled the names.
struct CanonicalNames {
  static constexpr std::uint32_t kUnnumbered = std::numeric_limits<std::uint32_t>::max();

  std::string fingerprint;             // 32 hexadecimal digits
  std::vector<std::uint32_t> numbers;  // [symbol]: 0 .. n-1; kUnnumbered if no rule has it

  /// A ground term (in the cells of `GroundTerm`) of a machine of these rules, with numbers in
  /// place of symbols.
  [[nodiscard]] std::vector<std::uint32_t> renumber(std::span<const std::uint32_t> term) const;
};

/// Keywords, `random` and integers keep their meaning and are told by their spelling; all other
/// symbols by the places at which they stand. Colours are refined (Weisfeiler and Leman 1968) until
/// no two symbols with different surroundings have the same; of symbols that nothing tells apart
/// one is singled out, and so on, as in McKay, Practical graph isomorphism, 1981, but without going
/// back: where such symbols are not exchangeable, which takes a regular structure made for it, a
/// scrambled rulesheet may get another fingerprint. Roles are told by their order, too. nullopt if
/// stopped.
std::optional<CanonicalNames> canonical_names(const Rules& rules, const StopSignal* stop = nullptr);

}  // namespace ludens::gdl
