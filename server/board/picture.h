// SPDX-License-Identifier: MIT
// The visible parts of a state: squares, what is on them, and how it is drawn.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace ludens::server {

/// The layout of squares, the same in all states and layers of a game.
struct Geometry {
  std::vector<std::string> rows, columns;  // coordinates, from top to bottom and left to right
  std::vector<std::string> top;            // above the board, if columns have two names
  std::vector<int> shift;                  // of each row, in half squares to the right; empty: none
  bool hexagons = false;                   // squares touch six others
  std::size_t block = 0;   // a heavier line after this many squares each way; 0: none
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

/// A thing between squares; in the same units.
struct Mark {
  int x = 0, y = 0;
  std::string thing;
};

/// A grid as people see it.
struct Grid {
  std::string title;  // of one of several layers; otherwise empty
  /// [row][column]: what is there, by name. Empty: an empty square, or no square at all.
  std::vector<std::vector<std::vector<std::string>>> cells;
};

/// A place: indices into `rows` and `columns` of the geometry, and of the layer.
struct Square {
  std::size_t row = 0, column = 0, layer = 0;
  std::strong_ordering operator<=>(const Square&) const = default;
};

/// What a move says about the board.
struct SquaresOfMove {
  std::vector<Square> squares;  // in the order of the move, `( move a 2 a 3 )`; may be empty
  /// Whether the move only names a column, `( drop 3 )`, or only a row: `squares` are all of its
  /// squares.
  bool line = false;
};

struct FactGroup {
  std::string name;                // of the fluents
  std::vector<std::string> facts;  // their arguments, `white king`; one empty text for `p` alone
};

/// Everything visible. Every fluent of the state is in exactly one place, or is shown together with
/// others.
struct Picture {
  std::vector<Grid> grids;  // none: nothing looks like a board
  std::vector<Line> lines;  // including walls that the rules state permanently
  std::vector<Mark> marks;
  std::vector<FactGroup> controls;  // what only names a role or a number: `control`, `step`
  std::vector<FactGroup> facts;     // everything else
};

/// How names of things on the board are written in one or two characters.
struct Symbols {
  std::map<std::string, std::string> by_name;
  std::string empty_name;  // the thing that means 'nothing here'; empty if there is none
};

/// How a thing on the board, or a role, looks on a page. English words are considered here: a
/// colour's name is that colour. Anything else gets the colour of its side, by the order of roles.
struct Appearance {
  enum class Shape {
    Nothing,  // the empty square
    Disc,     // a stone or man, with `text` on it unless it is plain
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
  std::string role = {};  // its owner; empty: none, or not known
};

}  // namespace ludens::server
