// SPDX-License-Identifier: MIT
// A game on a page of its own: people and the program play it in one thread.
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

namespace ludens::server::wasm {

struct TableSetup {
  std::string game;                       // its name
  std::string text;                       // of the rules, in prefix GDL or HRF
  std::vector<std::size_t> people;        // roles that people play
  std::chrono::milliseconds clock{1000};  // of the program's moves
  std::uint64_t seed = 1;                 // of the dice
  std::size_t memory_bytes = std::size_t{256} << 20;
};

/// A match that reports the events of the page of `--watch` (server/web/match_feed.h). Not
/// thread-safe.
class Table {
 public:
  using Tell = std::function<void(std::string_view event, const boost::json::value&)>;

  /// A table with a new match, or a sentence that says what is wrong with the rules.
  static gdl::Result<std::unique_ptr<Table>> make(TableSetup setup, Tell tell);
  ~Table();
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  /// The id of the match that is played now, or of the last one that has ended.
  [[nodiscard]] const std::string& match_id() const;
  /// Whether there is something to do without people: `go` does a part of it, a piece of advice, a
  /// choice of the program or a step, for as long as a move's clock.
  [[nodiscard]] bool busy() const;
  void go();

  // Actions of people. The result says why it can't be done, and is empty if it was done.
  std::string move(std::size_t role, std::size_t step, std::string_view move);
  std::string hint(std::size_t role, std::size_t step);
  std::string undo();
  std::string resign(std::size_t role);
  /// Begins another match; `person`: the role that a person plays in it instead of the one before.
  std::string restart(std::optional<std::size_t> person);

 private:
  class Implementation;
  explicit Table(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ludens::server::wasm
