// SPDX-License-Identifier: MIT
// A picture of a state without a stylesheet: it is found in the rules; other code draws it as text
// or page.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gdl/rules/rules.h"
#include "server/board/fact.h"
#include "server/board/picture.h"

namespace ludens::server {

/// Which part of a game's state is a board, and its layout. It is found once from the rules
/// (successor chains, digits and letters as coordinates, which constants each argument can have)
/// and the initial state, never from names; English words are considered only if a choice is purely
/// visual. Immutable and thread-safe.
class Board {
 public:
  /// `initial` is `( f1 f2 ... )`.
  Board(const gdl::Rules& rules, const std::string& initial);
  ~Board();
  Board(Board&&) noexcept;
  Board& operator=(Board&&) noexcept;

  [[nodiscard]] bool found() const;
  [[nodiscard]] const Symbols& symbols() const;
  /// Empty if nothing is found.
  [[nodiscard]] const Geometry& geometry() const;
  /// The appearance of everything that the rules can put on the board, and of anything else on
  /// request. `THING of PIECE` is a thing in the colour of a piece, see Trails.
  [[nodiscard]] Appearance appearance(const std::string& thing) const;
  /// The colour of a role; `grey` for other names.
  [[nodiscard]] std::string role_colour(const std::string& role) const;
  [[nodiscard]] SquaresOfMove squares_of(const std::string& move) const;
  /// The picture of any state of the game, given as text; facts unknown to the rules are treated
  /// like others.
  [[nodiscard]] Picture picture(const std::string& state) const;

 private:
  struct Layout;
  void find(const gdl::Rules& rules, std::vector<FluentShape>& shapes, std::vector<Fact>& facts);
  void find_details(const gdl::Rules& rules, const std::vector<FluentShape>& shapes,
                    const std::vector<Fact>& facts, const std::string& initial);

  std::unique_ptr<Layout> layout_;  // changed only by the constructor
};

}  // namespace ludens::server
