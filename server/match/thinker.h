// What a built-in player knows of its match, and how it comes to a move.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gdl/machine/machine.h"
#include "search/strategy/incumbent.h"
#include "search/strategy/registry.h"
#include "server/match/match_player.h"

namespace ludens::server {

/// One search under way, looked at by the thread that must answer in time. The vocabulary is set
/// before the first publication and left alone from then on, so that whoever sees a choice may use
/// it.
struct Thought {
  search::Incumbent incumbent;
  std::shared_ptr<gdl::Vocabulary> vocabulary;
  /// The rules are read: START has its answer, whatever is thought about meanwhile.
  std::atomic<bool> ready{false};

  /// The best so far as an answer, or that the player is ready; nullopt if there is neither.
  [[nodiscard]] std::optional<Answer> answer() const;
};

/// Rules, state and strategy of one player in one match at a time. One call at a time.
class Thinker {
 public:
  /// `spec` must be one that `search::parse_strategy` accepts.
  Thinker(search::StrategySpec spec, std::size_t memory_bytes);

  /// Reads the rules, and thinks until the deadline: a fast machine is built meanwhile, and what
  /// the strategy finds out it keeps. Where a count limits the search, which makes matches
  /// repeatable, it thinks for moves only. `ready`, or `busy` if the rules give nothing to play, or
  /// nothing for that role.
  Answer start(const MatchInvitation& invitation, const search::Deadline& deadline,
               Thought& thought);
  /// Follows the joint move, and thinks. What is published on the way goes into `thought`. With one
  /// legal move, or after a failure of the strategy, there is nothing to think about.
  Answer play(const std::vector<std::string>& moves, const search::Deadline& deadline,
              Thought& thought);
  /// Follows the joint move without thinking of the next.
  Answer follow(const std::vector<std::string>& moves, const search::Deadline& deadline);

 private:
  [[nodiscard]] bool adopt(const std::vector<std::string>& moves);
  void think(const search::Deadline& deadline, search::Incumbent& incumbent);
  [[nodiscard]] std::optional<gdl::MoveId> find_move(gdl::RoleIndex role, const std::string& text);

  search::StrategySpec spec_;
  gdl::MemoryBudget memory_;
  std::unique_ptr<search::Strategy> strategy_;
  search::Position position_;
  std::unique_ptr<gdl::Machine::Context> context_;
};

}  // namespace ludens::server
