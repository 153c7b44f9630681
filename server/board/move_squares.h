// SPDX-License-Identifier: MIT
// Which squares a move names.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gdl/rules/rules.h"
#include "server/board/layout.h"

namespace ludens::server {

/// Found by following variables: an argument of a move is a coordinate if a rule has the same
/// variable there and as a coordinate of something on the board. If no rule has, consecutive
/// arguments that look like coordinates are taken for coordinates.
class MoveSquares {
 public:
  MoveSquares(const gdl::Rules& rules, const BoardLayout& layout);

  [[nodiscard]] SquaresOfMove squares(const BoardLayout& layout, const std::string& move) const;
  /// Some move names two squares: things are moved, not put.
  [[nodiscard]] bool between_squares() const;

 private:
  using Functor = std::pair<std::string, std::size_t>;  // name, arity
  /// For each argument: which of the coordinates it is, in the order of a fluent.
  using Meaning = std::vector<std::optional<std::size_t>>;

  [[nodiscard]] Meaning meaning_of(const BoardLayout& layout, const Fact& move) const;
  /// The board, of several, on which the move is made.
  [[nodiscard]] const Placement& board_of(const BoardLayout& layout, const Fact& move) const;
  [[nodiscard]] std::optional<Square> square_at(const BoardLayout& layout, const Fact& move,
                                                const Meaning& meaning, std::size_t first) const;

  std::map<Functor, Meaning> meanings_;
  std::map<Functor, std::size_t> boards_;  // placements, by number
};

}  // namespace ludens::server
