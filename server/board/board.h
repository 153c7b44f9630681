// A picture of a state without a stylesheet: found in the rules, drawn by others as text or page.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gdl/rules/rules.h"

namespace ludens::server {

/// A grid as people look at it: rows from top to bottom, columns from left to right.
struct Grid {
  std::string title;                       // of one of several layers; else empty
  std::vector<std::string> rows, columns;  // coordinates
  /// [row][column]: what lies there, by name. Nothing: an empty square, or no square at all.
  std::vector<std::vector<std::vector<std::string>>> cells;
};

struct FactGroup {
  std::string name;                // of the fluents
  std::vector<std::string> facts;  // their arguments, `white king`; one empty text for `p` alone
};

/// All that there is to see. Every fluent of the state stands in exactly one place.
struct Picture {
  std::vector<Grid> grids;          // none: nothing looks like a board
  std::vector<FactGroup> controls;  // what names a role or a number alone: `control`, `step`
  std::vector<FactGroup> facts;     // everything else
};

/// How names of things on the board are written in one or two characters.
struct Symbols {
  std::map<std::string, std::string> by_name;
  std::string empty_name;    // the thing that means 'nothing here'; empty if there is none
  bool all_squares = false;  // a square without anything is no square of the board
};

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
  /// Of any state of the game, as text; what the rules do not know is a fact like others.
  [[nodiscard]] Picture picture(const std::string& state) const;

 private:
  struct Layout;
  std::unique_ptr<const Layout> layout_;
};

}  // namespace ludens::server
