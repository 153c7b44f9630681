// SPDX-License-Identifier: MIT
// Lines on a board: walls between squares, and links from square to square.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gdl/rules/orders.h"
#include "gdl/rules/rules.h"
#include "server/board/domains.h"
#include "server/board/layout.h"

namespace ludens::server {

/// Which facts are lines. A wall is a fluent or a relation with a word for it in its name that
/// names a square and one of its sides, in its name (`blockedeast 3 4`) or after the square (`wall
/// 3 4 east`). North is up on boards whose rows go upwards; on others it is unknown. Immutable.
class Lines {
 public:
  Lines() = default;
  /// For a board with two coordinates. Then `fixed` contains the walls that the rules state.
  Lines(const gdl::Rules& rules, const std::vector<FluentShape>& shapes, const BoardLayout& layout);

  /// The line of a fact in a board of that geometry; nullopt if it is not a line, or is outside.
  [[nodiscard]] std::optional<Line> line(const Geometry& geometry, const Fact& fact) const;
  /// Facts of relations that are lines.
  [[nodiscard]] const std::vector<Fact>& fixed() const { return fixed_; }

 private:
  struct Kind {
    std::string name;
    std::size_t arity = 0;
    std::size_t across = 0, up_or_down = 1;
    std::string side;  // empty: the argument after the square says it
  };
  void add_kind(const std::string& name, const std::vector<std::vector<std::string>>& arguments,
                const BoardLayout& layout);

  std::vector<Kind> kinds_;
  std::vector<Fact> fixed_;
  std::optional<Placement> links_;  // the first of its two squares
};

/// Whether a name contains that of a side: `blockedeastcell`.
bool names_side(const std::string& name);

/// A board of dots: a fluent names two neighbours of a grid, never the same square twice, and
/// initially the squares are empty. Fluents of one dot are drawn between four dots. nullopt if
/// there is no such fluent.
std::optional<BoardLayout> find_links(const gdl::Rules& rules,
                                      const std::vector<FluentShape>& shapes,
                                      const std::vector<Fact>& initial, const gdl::Orders& orders);

/// Removes the outermost rows and columns that walls separate from all others and that are empty:
/// they only exist for the rules.
void drop_outside(Geometry& geometry, const std::vector<Line>& walls, const Grid& grid);

}  // namespace ludens::server
