// SPDX-License-Identifier: MIT
// A match as pages get it: JSON that says where everything lies, so that a page only draws.
#pragma once

#include <boost/json/fwd.hpp>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/board/board.h"
#include "server/board/trails.h"
#include "server/records/match_record.h"

namespace ludens::server {

/// What all matches of a game share: how its squares lie and how its things look.
///
///     {"rows":[..],"columns":[..],"top":[..],"shift":[half squares],"hexagons":b,"block":n,
///      "dots":b,"chequered":b,"tints":[[square,colour],..],
///      "holes":[square],"things":[{"name":..,"shape":..,"colour":..,"text":..,"size":..}],
///      "hidden":true}
///
/// A square is a number: row * columns + column; in layer L, that plus L * rows * columns. A thing
/// is an index into `things`; its `size` is left out where it is 1. Where there is no board, `rows`
/// is empty. `hidden` stands where the rules hide moves from the roles (`sees`).
class GameDocument {
 public:
  explicit GameDocument(std::shared_ptr<const Board> board, bool hidden = false);

  [[nodiscard]] const Board& board() const { return *board_; }
  [[nodiscard]] std::string json() const;
  [[nodiscard]] const std::map<std::string, std::size_t>& things() const { return things_; }
  [[nodiscard]] std::size_t square(std::size_t row, std::size_t column, std::size_t layer) const;
  /// {"move":..,"squares":[..],"line":true}, see SquaresOfMove; the last two where they say
  /// something.
  [[nodiscard]] std::string move_json(const std::string& move) const;

 private:
  std::shared_ptr<const Board> board_;
  std::vector<std::string> names_;  // of things, by index
  std::map<std::string, std::size_t> things_;
  bool hidden_;
};

/// Writes one match piece by piece, as it goes on; each state as what is new in it.
///
/// Header: {"id":..,"game":..,"roles":[{"name":..,"player":..,"colour":..,"human":b}],
///          "started":ms,
///          "start_clock":s,"play_clock":s,"tournament":..,
///          "sight":role}             (where the steps tell what that role knows, and no more)
/// Step:   {"moves":[..],"errors":[..],"ms":[..],"values":[number or null],   (not in the first)
///          "percepts":[[..],..],     (of each role, where information is hidden)
///          "things":[new ones, as in the game],"layers":[titles of new ones],
///          "cells":[[square,[thing,..]],..],"controls":[[name,text,colour],..],
///          "lines":[[x1,y1,x2,y2,link],..],"between":[[x,y,thing],..],  (both in half squares)
///          "facts":[[name,[text,..]],..],                          (groups that changed alone)
///          "marked":[square,..]}     (where the last move is seen, if not in the cells that
///          changed)
/// End:    {"completed":b,"goals":[..],"reason":..,"warnings":[..]}
///
/// Members that would be empty are left out; `controls`, `lines` and `between` stand wherever they
/// have changed.
class MatchDocument {
 public:
  /// `sight`: the role whose knowledge alone is written, its own moves and percepts; nullopt: all.
  explicit MatchDocument(std::shared_ptr<const GameDocument> game,
                         std::optional<std::size_t> sight = std::nullopt);

  [[nodiscard]] std::string header(const MatchRecord& record) const;
  /// State number `step` of the record, from 0; to be called for one after the other.
  std::string step(const MatchRecord& record, std::size_t step);

 private:
  using Cells = std::map<std::size_t, std::vector<std::size_t>>;

  /// How many squares have changed.
  std::size_t add_cells(boost::json::object& out, const Picture& picture);
  void add_marks(boost::json::object& out, const std::vector<std::string>& moves,
                 std::size_t changed) const;
  Cells cells_of(boost::json::object& out, const Picture& picture);
  std::size_t number_of(const std::string& thing, boost::json::array& new_things);
  void add_facts(boost::json::object& out, const Picture& picture);

  [[nodiscard]] std::string known_step(const MatchRecord& record, std::size_t step) const;

  std::shared_ptr<const GameDocument> game_;
  std::optional<std::size_t> sight_;
  Trails trails_;
  std::map<std::string, std::size_t> things_;
  std::vector<std::string> layers_;
  Cells cells_;
  std::string controls_, lines_, marks_;      // as written last
  std::map<std::string, std::string> facts_;  // likewise, by group
};

/// How a match ended; `goals` is empty where it was not completed.
std::string ending_json(bool completed, const std::vector<int>& goals, const std::string& reason,
                        const std::vector<std::string>& warnings = {});
std::string ending_json(const MatchRecord& record);

/// The whole match: its header's members, `steps` and `end`.
std::string match_json(const MatchRecord& record, std::shared_ptr<const GameDocument> game);

/// The picture of a game, from the rulesheet in the record and its first state; a board that finds
/// nothing where the record has no rulesheet.
std::shared_ptr<const GameDocument> game_of(const MatchRecord& record);

}  // namespace ludens::server
