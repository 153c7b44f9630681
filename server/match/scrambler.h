// SPDX-License-Identifier: MIT
// Other names for a match, so that no player can recognise a game by its words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "gdl/text/syntax.h"

namespace ludens::server {

/// A one-to-one map from the words of a rulesheet to made-up, pronounceable ones. Keywords of GDL
/// and integers stay; constants, functions, relations and variables change. The same seed gives the
/// same map. Case does not matter, as in GDL.
class Scrambler {
 public:
  /// Maps nothing.
  Scrambler() = default;
  Scrambler(const gdl::SyntaxTree& rulesheet, std::uint64_t seed);

  /// Scrambles a text in KIF without comments. Words that the map does not know stay.
  [[nodiscard]] std::string scramble(std::string_view text) const;
  /// Restores the spelling that came first in the rulesheet.
  [[nodiscard]] std::string unscramble(std::string_view text) const;

 private:
  std::unordered_map<std::string, std::string> there_, back_;  // keys folded
};

}  // namespace ludens::server
