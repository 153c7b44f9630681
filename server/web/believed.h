// SPDX-License-Identifier: MIT
// What a role may believe about a match with hidden information, in the form that pages draw.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gdl/machine/machine.h"
#include "gdl/rules/rules.h"
#include "search/hidden/belief.h"
#include "server/board/board.h"

namespace ludens::server {

/// The machine on which beliefs of a game are followed; created on first use, and then shared.
/// Thread-safe.
class BelievedGame {
 public:
  explicit BelievedGame(std::shared_ptr<const gdl::Rules> rules) : rules_(std::move(rules)) {}
  /// Null if there is no memory for one.
  [[nodiscard]] std::shared_ptr<const gdl::Machine> machine() const;
  [[nodiscard]] gdl::MemoryBudget* memory() const { return memory_.get(); }

 private:
  std::shared_ptr<const gdl::Rules> rules_;
  /// For the machine, which must not outlive it.
  std::shared_ptr<gdl::MemoryBudget> memory_ = std::make_shared<gdl::MemoryBudget>(kMostBytes);
  mutable std::once_flag made_;
  mutable std::shared_ptr<const gdl::Machine> machine_;
  static constexpr std::size_t kMostBytes = std::size_t{256} << 20;
};

/// The probability, 0..1, if all others move at random.
using Chance = double;

/// What is where, by the histories that fit.
struct Believed {
  std::size_t histories = 0;
  bool exact = false;  // whether these are all that fit
  /// By layer title, row and column: things.
  std::map<std::tuple<std::string, std::size_t, std::size_t>, std::map<std::string, Chance>> cells;
  std::map<Line, Chance> lines;
  /// By group and text.
  std::map<std::pair<std::string, std::string>, Chance> controls, facts;
};

/// One role of one match. Its beliefs follow only from the moves and percepts of the role, and from
/// the rules.
class Believer {
 public:
  /// `game`: null for a role without beliefs. `random` has no beliefs.
  Believer(std::shared_ptr<const BelievedGame> game, const std::string& role);

  /// Adds one more turn, by names as in a record; `over`: the match ends after it.
  void follow(const std::string& move, const std::vector<std::string>& percepts, bool over,
              const gdl::StopSignal& stop);
  /// nullopt if it is unknown what fits: the rules allow nothing, or there was no time or no memory
  /// to find it. This is permanent.
  [[nodiscard]] std::optional<Believed> look(const Board& board, const gdl::StopSignal& stop);

 private:
  [[nodiscard]] std::optional<search::KnownTurn> read(
      const std::string& move, const std::vector<std::string>& percepts) const;

  std::shared_ptr<const BelievedGame> game_;
  std::optional<search::hidden::Belief> belief_;  // nullopt: lost
};

}  // namespace ludens::server
