// SPDX-License-Identifier: MIT
// A strategy of this program as a player of a match, without a network in between.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "search/registry/registry.h"
#include "server/match/match_player.h"

namespace boost::asio {
class io_context;
}

namespace ludens::server {

struct BuiltinOptions {
  search::StrategySpec strategy;
  std::uint64_t seed = 1;  // used where the strategy's options have none
  std::size_t memory_bytes = std::size_t{1} << 30;
  bool think_at_start = true;  // else START is answered as soon as the rules are read
  /// About a move; nullopt: as the strategy's `seconds` says.
  std::optional<std::chrono::nanoseconds> think_at_most;
  std::chrono::milliseconds margin{50};  // of each clock, kept for handing the move over
};

/// The runtime of the agent behind the requests of a host in this process: it gets rules and moves
/// as what they are, and hands back a move. It keeps a machine and a vocabulary of its own, and the
/// strategy, with what it has learned, from move to move. It does not think while others do. A
/// strategy that overruns its clock is answered for with the best it has published. The context
/// must outlive the player; destruction stops the search and waits for its threads.
std::unique_ptr<MatchPlayer> make_builtin_player(const BuiltinOptions& options,
                                                 boost::asio::io_context& context);

}  // namespace ludens::server
