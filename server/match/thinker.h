// What a built-in player knows of its match, and how it comes to a move.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "agent/runtime/interrupt.h"
#include "agent/runtime/referee.h"
#include "search/registry/registry.h"
#include "search/strategy/incumbent.h"
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

/// When an answer is due, and until when it may be thought about. Following the rules is not
/// thinking: it may take as long as the host waits.
struct AnswerTimes {
  search::Deadline due;
  search::TimePoint think_until;
};

/// Rules, state and strategy of one player in one match at a time. One call at a time. What was not
/// followed in time is followed in a later call.
class Thinker {
 public:
  /// `spec` must be one that `search::parse_strategy` accepts. The referee and the search have a
  /// share of the memory each, so that neither takes the other's.
  Thinker(search::StrategySpec spec, std::size_t memory_bytes);

  /// Reads the rules, and thinks until the deadline, if there is time to: a fast machine is built
  /// meanwhile, and what the strategy finds out it keeps. Where a count limits the search, which
  /// makes matches repeatable, it thinks for moves only. `ready`, or `busy` if the rules give
  /// nothing to play, or nothing for that role.
  Answer start(const MatchInvitation& invitation, const AnswerTimes& times, Thought& thought);
  /// Follows the joint move, and thinks. What is published on the way goes into `thought`. With one
  /// legal move there is nothing to think about.
  Answer play(const std::vector<std::string>& moves, const AnswerTimes& times, Thought& thought);
  /// Follows the joint move without thinking of the next.
  Answer follow(const std::vector<std::string>& moves, const search::Deadline& due);

 private:
  using Working = std::stop_callback<std::function<void()>>;
  Working work_until(const search::Deadline& due);
  std::optional<std::string> make_strategy();
  std::optional<std::string> adopt(const std::vector<std::string>& moves);
  void think(const AnswerTimes& times, search::Incumbent& incumbent);

  search::StrategySpec spec_;
  agent::MatchMemory memory_;
  agent::Interrupt interrupt_;
  std::unique_ptr<agent::Referee> referee_;  // null: no match
  std::unique_ptr<search::Strategy> strategy_;
};

}  // namespace ludens::server
