// SPDX-License-Identifier: MIT
// A game on a page of its own: people, the program and pages of Gamemaster play it, in one thread.
#pragma once

#include <boost/json/value.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/text/error.h"
#include "search/strategy/factory.h"
#include "server/records/match_record.h"

namespace ludens::server::wasm {

/// Who plays a role.
struct TableSeat {
  enum class Kind : std::uint8_t { Program, Person, Page };
  Kind kind = Kind::Program;
  std::string page;                           // its identifier
  search::StrategySpec strategy{"auto", {}};  // of the program
  std::chrono::milliseconds clock{1000};      // of a step, shared by all seats of the program
};

struct TableSetup {
  std::string game;                       // its name
  std::string text;                       // of the rules, in prefix GDL or HRF
  std::vector<TableSeat> seats;           // by role; the program plays those that are left out
  int start_clock = 10, play_clock = 10;  // seconds, of pages
  std::uint64_t seed = 1;                 // of the dice
  std::optional<MatchRecord> record;      // of the match that goes on
  std::size_t memory_bytes = std::size_t{256} << 20;
};

/// A match that reports the events of the page of `--watch` (server/web/match_feed.h), and two
/// more:
///
///     thought  {"id","role","step","move":..,"value":n}   what the program would play now
///     pages    {"id","step","messages":[{"role","player","content","ms":n}]}  what a manager says
///              to the pages; `ms` is there if an answer is wanted, within that time
///
/// Not thread-safe.
class Table {
 public:
  using Tell = std::function<void(std::string_view event, const boost::json::value&)>;

  /// A table with a new match, or a sentence that says what is wrong with the setup.
  static gdl::Result<std::unique_ptr<Table>> make(TableSetup setup, Tell tell);
  ~Table();
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  /// The id of the match that is played now, or of the last one that has ended.
  [[nodiscard]] const std::string& match_id() const;
  /// The match so far; one that is still played is neither completed nor aborted.
  [[nodiscard]] const MatchRecord& record() const;
  /// Whether there is something to do without others: `go` does a part of it, a piece of advice, a
  /// choice of the program or a step, for as long as a move's clock.
  [[nodiscard]] bool busy() const;
  void go();

  // What others do. The result says why it can't be done, and is empty if it was done.

  /// The move of a role that has not chosen yet: a person's, or the program's that was known when
  /// it was interrupted.
  std::string move(std::size_t role, std::size_t step, std::string_view move,
                   std::chrono::milliseconds taken);
  /// What a page said to a message that wants an answer; nullopt: nothing in time.
  std::string answer(std::size_t role, std::size_t step, const std::optional<std::string>& said,
                     std::chrono::milliseconds taken);
  std::string hint(std::size_t role, std::size_t step);
  std::string undo();
  std::string resign(std::size_t role);
  /// Begins another match; `person`: the role in which a person takes the seat of who plays it, who
  /// gets the person's seat.
  std::string restart(std::optional<std::size_t> person);

 private:
  class Implementation;
  explicit Table(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ludens::server::wasm
