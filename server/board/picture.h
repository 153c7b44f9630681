// SPDX-License-Identifier: MIT
// What there is to see of a state: squares, what lies on them, and how it is drawn.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace ludens::server {

/// How squares lie, the same in all states and layers of a game.
struct Geometry {
  std::vector<std::string> rows, columns;  // coordinates, from top to bottom and left to right
  std::vector<std::string> top;            // above the board, where columns have two names
  std::vector<int> shift;                  // of each row, in half squares to the right; empty: none
  bool hexagons = false;                   // squares touch six others
  std::size_t block = 0;   // a heavier line behind so many squares each way; 0: none
  bool dots = false;       // squares are points that lines link
  bool chequered = false;  // things move between squares: shading helps the eye
  /// [row][column]: no square there. Empty: there are no holes.
  std::vector<std::vector<bool>> holes;
  /// [row][column]: the colour that the rules give a square, see Appearance; empty: none. May be
  /// empty.
  std::vector<std::vector<std::string>> tints;
};

/// On a board without layers, in half squares from its upper left corner: a wall along the side of
/// a square, or a link from the middle of a square to that of another.
struct Line {
  int x1 = 0, y1 = 0, x2 = 0, y2 = 0;
  bool link = false;
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 finds a 0 in what is defaulted
  std::strong_ordering operator<=>(const Line&) const = default;
};

/// A thing that lies between squares; likewise.
struct Mark {
  int x = 0, y = 0;
  std::string thing;
};

/// A grid as people look at it.
struct Grid {
  std::string title;  // of one of several layers; else empty
  /// [row][column]: what lies there, by name. Nothing: an empty square, or no square at all.
  std::vector<std::vector<std::vector<std::string>>> cells;
};

/// Where something lies: indices into `rows` and `columns` of the geometry, and of the layer.
struct Square {
  std::size_t row = 0, column = 0, layer = 0;
  std::strong_ordering operator<=>(const Square&) const = default;
};

/// What a move says of the board.
struct SquaresOfMove {
  std::vector<Square> squares;  // in the order of the move, `( move a 2 a 3 )`; may be empty
  /// The move names a column alone, `( drop 3 )`, or a row alone: `squares` are all of its squares.
  bool line = false;
};

struct FactGroup {
  std::string name;                // of the fluents
  std::vector<std::string> facts;  // their arguments, `white king`; one empty text for `p` alone
};

/// All that there is to see. Every fluent of the state stands in exactly one place, or is shown
/// together with others.
struct Picture {
  std::vector<Grid> grids;  // none: nothing looks like a board
  std::vector<Line> lines;  // walls that the rules state once and for all are among them
  std::vector<Mark> marks;
  std::vector<FactGroup> controls;  // what names a role or a number alone: `control`, `step`
  std::vector<FactGroup> facts;     // everything else
};

/// How names of things on the board are written in one or two characters.
struct Symbols {
  std::map<std::string, std::string> by_name;
  std::string empty_name;  // the thing that means 'nothing here'; empty if there is none
};

/// How a thing on the board, or a role, looks on a page. Words of English are looked at here: a
/// colour's name is that colour. What has none gets the colour of its side, by the order of roles.
struct Appearance {
  enum class Shape {
    Nothing,  // the empty square
    Disc,     // a stone or man, with `text` on it where it is not plain
    Cross,    // noughts and crosses
    Ring,
    Chess,  // `text` is the Unicode sign of the piece
    Tile,   // fills the square
    Text,   // a number or a word
  };
  Shape shape = Shape::Text;
  std::string colour;     // white black red orange yellow green teal blue purple pink brown grey
  std::string text;       // may be empty
  double size = 1.0;      // of a disc; of a tile, its width; at most 1
  bool trace = false;     // left behind by pieces
  std::string role = {};  // whose it is; empty: nobody's, or not known
};

}  // namespace ludens::server
