// SPDX-License-Identifier: MIT
// The pair of arguments that are the coordinates of a board.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gdl/rules/orders.h"
#include "server/board/fact.h"

namespace ludens::server {

/// Two ordered arguments of one kind of fluent, and how much they look like a board.
struct GridAxes {
  const FluentShape* shape = nullptr;
  std::size_t i = 0, j = 0;
  std::vector<std::string> i_order, j_order;
  bool known = false;     // whether there are facts initially
  bool single = false;    // a square (of a layer) holds at most one fact, initially
  bool complete = false;  // every square holds a fact, initially
  bool mostly = false;    // half of them or more do
  double score = 0;
};

/// The constants of an argument in order, if they have one: those that the rules allow, or if these
/// are too many, those that occur initially. Numbers far beyond the initial ones (the flow of
/// constants can't distinguish a counter's numbers from a board's) are cut to a set that the rules
/// list and that contains the initial ones.
std::optional<std::vector<std::string>> coordinates(const FluentShape& shape, std::size_t argument,
                                                    const gdl::Orders& orders,
                                                    const std::vector<Fact>& initial);

/// The unordered argument that distinguishes the facts of a square, `(cell left 2 3 red)`: boards
/// side by side. nullopt if none does, or if nothing would be left for the squares.
std::optional<std::size_t> naming_layers(const FluentShape& shape,
                                         const std::vector<std::size_t>& key,
                                         const std::vector<Fact>& initial);

/// The pair that looks most like a board: large, square, full. nullopt if there is none.
std::optional<GridAxes> find_grid_axes(const std::vector<FluentShape>& shapes,
                                       const gdl::Orders& orders, const std::vector<Fact>& initial);

}  // namespace ludens::server
