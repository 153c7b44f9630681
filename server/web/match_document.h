// SPDX-License-Identifier: MIT
// A match as JSON for pages, which says where everything is, so that a page only draws.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/board/board.h"
#include "server/board/trails.h"
#include "server/game/notation.h"
#include "server/records/match_record.h"
#include "server/web/believed.h"

namespace ludens::server {

/// What all matches of a game share: the layout of its squares and the look of its things.
///
///     {"rows":[..],"columns":[..],"top":[..],"shift":[half squares],"hexagons":b,"block":n,
///      "dots":b,"chequered":b,"tints":[[square,colour],..],
///      "holes":[square],"things":[{"name":..,"shape":..,"colour":..,"text":..,"size":..}],
///      "hidden":true}
///
/// A square is a number: row * columns + column; in layer L, that plus L * rows * columns. A thing
/// is an index into `things`; its `size` is omitted if it is 1. If there is no board, `rows` is
/// empty. `hidden` is there if the rules hide moves from the roles (`sees`).
class GameDocument {
 public:
  /// `hidden`: set if the rules hide moves from the roles; otherwise null.
  explicit GameDocument(std::shared_ptr<const Board> board, Notation notation = Notation::Prefix,
                        std::shared_ptr<const BelievedGame> hidden = nullptr);

  [[nodiscard]] const Board& board() const { return *board_; }
  [[nodiscard]] const std::shared_ptr<const BelievedGame>& hidden() const { return hidden_; }
  [[nodiscard]] boost::json::object json() const;
  [[nodiscard]] const std::map<std::string, std::size_t>& things() const { return things_; }
  [[nodiscard]] std::size_t square(std::size_t row, std::size_t column, std::size_t layer) const;
  /// {"move":..,"text":..,"squares":[..],"line":true}, see SquaresOfMove: `move` in prefix GDL,
  /// `text` for people if it differs, and the last two if they are not trivial.
  [[nodiscard]] boost::json::object move_json(const std::string& move) const;
  /// The notation in which people read moves and facts. A page always sends back prefix GDL.
  [[nodiscard]] Notation notation() const { return notation_; }

 private:
  std::shared_ptr<const Board> board_;
  std::vector<std::string> names_;  // of things, by index
  std::map<std::string, std::size_t> things_;
  Notation notation_;
  std::shared_ptr<const BelievedGame> hidden_;
};

/// Writes one match piece by piece, as it goes on; each state as what is new in it.
///
/// Header: {"id":..,"game":..,"roles":[{"name":..,"player":..,"colour":..,"human":b}],
///          "started":ms,"start_clock":s,"play_clock":s,"tournament":..,
///          "sight":role}             (where the steps tell what that role knows, and no more)
/// Step:   {"moves":[..],"errors":[..],"ms":[..],"values":[number or null],   (not in the first)
///          "percepts":[[..],..],     (of each role, where information is hidden)
///          "beliefs":[..],           (likewise: by role, null where it is not known; see below)
///          "things":[new ones, as in the game],"layers":[titles of new ones],
///          "cells":[[square,[thing,..]],..],"controls":[[name,text,colour],..],
///          "lines":[[x1,y1,x2,y2,link],..],"between":[[x,y,thing],..],  (both in half squares)
///          "facts":[[name,[text,..]],..],                          (groups that changed alone)
///          "marked":[square,..]}     (of the last move, if it is not seen in "cells")
/// End:    {"completed":b,"goals":[..],"reason":..,"warnings":[..]}
///
/// Belief: {"histories":n,"exact":b,"cells":[[square,[[thing,percent],..]],..],
///          "controls":[[name,text,colour,percent],..],"facts":[[name,[[text,percent],..]],..],
///          "lines":[[x1,y1,x2,y2,link],..]}     (the sure ones)
///
/// A belief is what a role could think from its own moves and percepts, if all others move at
/// random. It is complete in each step, and percentages below a half are omitted.
///
/// Moves, percepts and facts are in the game's notation. Members that would be empty are omitted;
/// `controls`, `lines` and `between` are there if they have changed.
class MatchDocument {
 public:
  /// `sight`: only the knowledge of this role is written, its own moves and percepts; nullopt:
  /// everything. `thought`: how long beliefs may be followed, for all roles and steps together;
  /// after that, the other steps have none.
  explicit MatchDocument(std::shared_ptr<const GameDocument> game,
                         std::optional<std::size_t> sight = std::nullopt,
                         std::chrono::duration<double> thought = std::chrono::seconds(4));

  [[nodiscard]] boost::json::object header(const MatchRecord& record) const;
  /// State number `step` of the record, from 0; must be called in order. `over`: the match ends
  /// there, although the record may not say so yet.
  boost::json::object step(const MatchRecord& record, std::size_t step, bool over = false);

 private:
  using Cells = std::map<std::size_t, std::vector<std::size_t>>;

  /// Returns how many squares have changed.
  std::size_t add_cells(boost::json::object& out, const Picture& picture);
  void add_marks(boost::json::object& out, const std::vector<std::string>& moves,
                 std::size_t changed) const;
  void add_moves(boost::json::object& out, const MatchRecord& record, std::size_t step) const;
  Cells cells_of(boost::json::object& out, const Picture& picture);
  std::size_t number_of(const std::string& thing);
  std::size_t first_square(const std::string& layer);
  void number_layers();
  void add_facts(boost::json::object& out, const Picture& picture);
  void add_beliefs(boost::json::object& out, const MatchRecord& record, std::size_t step,
                   bool over);
  [[nodiscard]] boost::json::object belief_json(const Believed& believed);
  void add_new_names(boost::json::object& out);

  [[nodiscard]] boost::json::object known_step(const MatchRecord& record, std::size_t step) const;

  std::shared_ptr<const GameDocument> game_;
  std::optional<std::size_t> sight_;
  Trails trails_;
  std::map<std::string, std::size_t> things_;
  std::vector<std::string> layers_;
  std::vector<std::string> new_things_, new_layers_;  // not written yet
  Cells cells_;
  std::vector<Believer> believers_;                          // [role]; none in an open game
  std::chrono::duration<double> thought_, thought_of_step_;  // left
  boost::json::array controls_, lines_, marks_;              // as written last
  std::map<std::string, boost::json::array> facts_;          // as written last, by group
};

/// How a match ended; `goals` is empty if it was not completed.
boost::json::object ending_json(bool completed, const std::vector<int>& goals,
                                const std::string& reason,
                                const std::vector<std::string>& warnings = {});
boost::json::object ending_json(const MatchRecord& record);

/// The whole match: its header's members, `steps` and `end`.
boost::json::object match_json(const MatchRecord& record, std::shared_ptr<const GameDocument> game,
                               std::chrono::duration<double> thought = std::chrono::seconds(4));

/// The picture of a game, from the rulesheet in the record and its first state; no board is found
/// if the record has no rulesheet. `notation`: nullopt means that of the rulesheet.
std::shared_ptr<const GameDocument> game_of(const MatchRecord& record,
                                            std::optional<Notation> notation = std::nullopt);

}  // namespace ludens::server
