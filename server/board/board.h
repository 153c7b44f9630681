// SPDX-License-Identifier: MIT
// A picture of a state without a stylesheet: found in the rules, drawn by others as text or page.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gdl/rules/rules.h"
#include "server/board/fact.h"
#include "server/board/picture.h"

namespace ludens::server {

/// What of a game's state is a board, and how it lies. Found once from the rules (successor chains,
/// digits and letters as coordinates, which constants can stand where) and the initial state, never
/// from names; words of English are looked at only where a choice makes no difference but for the
/// eye. Immutable and thread-safe.
class Board {
 public:
  /// `initial` is `( f1 f2 ... )`.
  Board(const gdl::Rules& rules, const std::string& initial);
  ~Board();
  Board(Board&&) noexcept;
  Board& operator=(Board&&) noexcept;

  [[nodiscard]] bool found() const;
  [[nodiscard]] const Symbols& symbols() const;
  /// Empty where nothing is found.
  [[nodiscard]] const Geometry& geometry() const;
  /// Of everything that the rules can put on the board, and of anything else on request. `THING of
  /// PIECE` is a thing in the colour of a piece, see Trails.
  [[nodiscard]] Appearance appearance(const std::string& thing) const;
  /// The colour of a role; `grey` if it is none.
  [[nodiscard]] std::string role_colour(const std::string& role) const;
  [[nodiscard]] SquaresOfMove squares_of(const std::string& move) const;
  /// Of any state of the game, as text; what the rules do not know is a fact like others.
  [[nodiscard]] Picture picture(const std::string& state) const;

 private:
  struct Layout;
  void find(const gdl::Rules& rules, std::vector<FluentShape>& shapes, std::vector<Fact>& facts);
  void find_details(const gdl::Rules& rules, const std::vector<FluentShape>& shapes,
                    const std::vector<Fact>& facts, const std::string& initial);

  std::unique_ptr<Layout> layout_;  // changed by the constructor only
};

}  // namespace ludens::server
