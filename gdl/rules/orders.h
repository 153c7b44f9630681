// SPDX-License-Identifier: MIT
// Orders of constants: what may be the coordinates of a board.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gdl/rules/rules.h"

namespace ludens::gdl {

/// The successor chains of a rulesheet, which are relations of two arguments with only facts, and
/// its lists, which are relations of one.
class Orders {
 public:
  explicit Orders(const Rules& rules);

  /// The constants in order, if there is one: integers by value; consecutive letters of the
  /// alphabet; a prefix with integers (`y1`, `y2`); or a relation of the rulesheet that leads
  /// through all of them in one chain (`(succ one two)`). nullopt for fewer than two.
  [[nodiscard]] std::optional<std::vector<std::string>> order(
      std::vector<std::string> constants) const;
  /// The lists that have an order, in it; the longest first.
  [[nodiscard]] std::vector<std::vector<std::string>> lists() const;

 private:
  struct Edge {
    std::string from, to;
  };
  std::vector<std::vector<Edge>> chains_;        // by relation
  std::vector<std::vector<std::string>> lists_;  // by relation
};

/// Single letters, as files of a chess board.
bool are_letters(const std::vector<std::string>& constants);

}  // namespace ludens::gdl
