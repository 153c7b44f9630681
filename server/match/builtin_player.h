// SPDX-License-Identifier: MIT
// A strategy of this program as a player of a match, without a network in between.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "search/strategy/factory.h"
#include "server/match/match_player.h"

namespace boost::asio {
class io_context;
}

namespace ludens::server {

struct BuiltinOptions {
  search::StrategySpec strategy;
  std::uint64_t seed = 1;  // used if the strategy's options have none
  std::size_t memory_bytes = std::size_t{1} << 30;
  bool think_at_start = true;  // otherwise START is answered as soon as the rules are read
  /// The cap for a move; nullopt: the strategy's `seconds`.
  std::optional<std::chrono::nanoseconds> think_at_most;
  std::chrono::milliseconds margin{50};  // the part of each clock reserved for handing the move
                                         // over
};

/// Runs the agent's runtime for a host in this process: it gets rules and moves as objects, and
/// returns a move. It keeps its own machine and vocabulary, and the strategy, with what it has
/// learned, from move to move. It does not think while others do. If a strategy overruns its clock,
/// the answer is the best move that it has published. The context must outlive the player;
/// destruction stops the search and waits for its threads.
std::unique_ptr<MatchPlayer> make_builtin_player(const BuiltinOptions& options,
                                                 boost::asio::io_context& context);

}  // namespace ludens::server
