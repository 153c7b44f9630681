// SPDX-License-Identifier: MIT
// Lines on a board: walls between squares, and links from square to square.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gdl/rules/rules.h"
#include "server/board/domains.h"
#include "server/board/layout.h"

namespace ludens::server {

/// Which facts are lines. A wall is a fluent or a relation with a word for it in its name that
/// names a square and one of its sides, in its name (`blockedeast 3 4`) or behind the square (`wall
/// 3 4 east`). North is up, on boards whose rows run upwards; on others nobody knows. Immutable.
class Lines {
 public:
  Lines() = default;
  /// Of a board with two coordinates. `fixed` are then the walls that the rules state.
  Lines(const gdl::Rules& rules, const std::vector<FluentShape>& shapes, const BoardLayout& layout);

  /// The line of a fact in a board of that geometry; nullopt if it is none, or lies outside.
  [[nodiscard]] std::optional<Line> line(const Geometry& geometry, const Fact& fact) const;
  /// Facts of relations that are lines.
  [[nodiscard]] const std::vector<Fact>& fixed() const { return fixed_; }

 private:
  struct Kind {
    std::string name;
    std::size_t arity = 0;
    std::size_t across = 0, up_or_down = 1;
    std::string side;  // empty: the argument behind the square says it
  };
  void add_kind(const std::string& name, const std::vector<std::vector<std::string>>& arguments,
                const BoardLayout& layout);

  std::vector<Kind> kinds_;
  std::vector<Fact> fixed_;
  std::optional<Placement> links_;  // the first of its two squares
};

/// Does a name hold that of a side: `blockedeastcell`?
bool names_side(const std::string& name);

/// A board of dots, where a fluent names two neighbours of a grid, never the same square twice, and
/// nothing lies on the squares initially; fluents of one of the dots lie between four of them.
/// Nullopt if there is no such fluent.
std::optional<BoardLayout> find_links(const gdl::Rules& rules,
                                      const std::vector<FluentShape>& shapes,
                                      const std::vector<Fact>& initial);

/// Takes away the outermost rows and columns that walls part from all others and where nothing
/// lies: they are there for the rules alone.
void drop_outside(Geometry& geometry, const std::vector<Line>& walls, const Grid& grid);

}  // namespace ludens::server
