// SPDX-License-Identifier: MIT
// Which fluents of a game are squares, and where each is.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "server/board/fact.h"
#include "server/board/picture.h"

namespace ludens::server {

/// A board of more squares than this, in all its layers together, is none: nobody could look at it,
/// and the constants of a rulesheet make billions of squares with ease.
inline constexpr std::size_t kMostSquares = 10'000;
/// A fluent of more arguments than this stands on no board; pairs of arguments are looked at.
inline constexpr std::size_t kMostArguments = 64;

/// One kind of fluent that places things on squares.
struct Placement {
  std::string name;
  std::size_t arity = 0;
  /// Which arguments are column and row: one each; two each, the outer first, on a board of boards;
  /// the same one if squares have names of their own.
  std::vector<std::size_t> across, up_or_down;
  std::vector<std::size_t> layers;   // further coordinates
  std::vector<std::size_t> content;  // the rest; empty: the name says it
  bool board = false;                // not an overlay: the content alone says what is there
  std::string title = {};            // of its layer, if boards of several names are side by side
};

struct BoardLayout {
  Geometry geometry;
  std::map<std::string, Square> named;  // empty: squares have two coordinates
  std::vector<Placement> placements;    // the first is the board, others are drawn on it
  std::vector<std::string> layers;      // titles, in order; empty: none, or too many to show all
  std::optional<Placement> links;       // of two squares, the second one two arguments later
  bool complete = false;                // initially every square holds something
  bool mostly = false;                  // initially half of the squares or more do
  bool constant = false;                // the facts of the board itself never change
  bool counts = false;                  // its content is numbers of things
};

/// The squares of all layers that are always shown.
std::size_t size_of(const BoardLayout& layout);

/// The arguments that name a square, in their order: across, up or down, layers.
std::vector<std::size_t> coordinates_of(const Placement& placement);

/// The title of the layer of a fact with these arguments.
std::string layer_title(const Placement& placement, const std::vector<std::string>& arguments);

/// The square that the arguments of a fluent name. Its layer is 0 if layers are not in order.
std::optional<Square> square_of(const BoardLayout& layout, const Placement& placement,
                                const std::vector<std::string>& arguments);

/// What a fact puts on its square: its content (`x`, `white pawn`), or its own name if it has none
/// or does not belong to the board itself (`visited`, `position red`).
std::string thing_name(const Placement& placement, const Fact& fact);

}  // namespace ludens::server
