// Which fluents of a game are squares, and which way up they lie.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gdl/rules/rules.h"
#include "server/board/domains.h"
#include "server/board/order.h"

namespace ludens::server {

/// A fluent taken apart; everything folded. A compound argument is one text.
struct Fact {
  std::string name;
  std::vector<std::string> arguments;
};

/// The facts of `( f1 f2 ... )`.
std::vector<Fact> parse_state(const std::string& state);

/// One kind of fluent that places things on squares.
struct Placement {
  std::string name;
  std::size_t arity = 0;
  std::size_t across = 0, up_or_down = 0;  // which arguments are column and row
  std::vector<std::size_t> layers;         // further coordinates
  std::vector<std::size_t> content;        // the rest; empty: the name says it
};

struct BoardLayout {
  std::vector<std::string> columns;   // left to right
  std::vector<std::string> rows;      // top to bottom
  std::vector<Placement> placements;  // the first is the board, others lie on it
  bool complete = false;              // initially every square holds something
  bool mostly = false;                // initially half of the squares or more do
};

/// Looks among the shapes for the pair of ordered arguments that looks most like a board; nullopt
/// if none does.
std::optional<BoardLayout> find_layout(const std::vector<FluentShape>& shapes, const Orders& orders,
                                       const std::vector<Fact>& initial);

}  // namespace ludens::server
