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

/// Two rulesheets with one fingerprint are the same game: renaming each symbol of one to the symbol
/// of the other with the same number makes them equal, except for the order of rules. So knowledge
/// about a game can be stored under its fingerprint, in terms of these numbers, and found again
/// after a host has scrambled the names.
struct CanonicalNames {
  static constexpr std::uint32_t kUnnumbered = std::numeric_limits<std::uint32_t>::max();

  std::string fingerprint;             // 32 hexadecimal digits
  std::vector<std::uint32_t> numbers;  // [symbol]: 0 .. n-1; kUnnumbered if no rule has it

  /// A ground term (in the cells of `GroundTerm`) of a machine of these rules, with numbers instead
  /// of symbols.
  [[nodiscard]] std::vector<std::uint32_t> renumber(std::span<const std::uint32_t> term) const;
};

/// Keywords, `random` and integers keep their meaning and are identified by their spelling, all
/// other symbols by the places where they occur. Colours are refined (Weisfeiler and Leman 1968)
/// until no two symbols with different surroundings have the same colour. If several symbols can't
/// be distinguished, one of them is individualised, and so on, as in McKay, Practical graph
/// isomorphism, 1981, but without backtracking. If such symbols are not exchangeable, which takes a
/// regular structure made for the purpose, a scrambled rulesheet may get another fingerprint. The
/// order of roles counts, too. nullopt if stopped.
std::optional<CanonicalNames> canonical_names(const Rules& rules, const StopSignal* stop = nullptr);

}  // namespace ludens::gdl
