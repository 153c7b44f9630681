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

/// Found by following variables: an argument of a move is a coordinate where a rule has the same
/// variable there and as a coordinate of something on the board. Where no rule has, arguments that
/// follow one another like coordinates are taken for some.
class MoveSquares {
 public:
  MoveSquares(const gdl::Rules& rules, const BoardLayout& layout);

  [[nodiscard]] SquaresOfMove squares(const BoardLayout& layout, const std::string& move) const;
  /// Some move names two squares: things are moved, not put.
  [[nodiscard]] bool between_squares() const;

 private:
  using Functor = std::pair<std::string, std::size_t>;  // name, arity
  /// Of each argument: which of the coordinates it is, in the order in which a fluent has them.
  using Meaning = std::vector<std::optional<std::size_t>>;

  [[nodiscard]] Meaning meaning_of(const BoardLayout& layout, const Fact& move) const;
  /// The one of several boards that the move is made on.
  [[nodiscard]] const Placement& board_of(const BoardLayout& layout, const Fact& move) const;
  [[nodiscard]] std::optional<Square> square_at(const BoardLayout& layout, const Fact& move,
                                                const Meaning& meaning, std::size_t first) const;

  std::map<Functor, Meaning> meanings_;
  std::map<Functor, std::size_t> boards_;  // placements, by number
};

}  // namespace ludens::server
