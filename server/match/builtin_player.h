// A strategy of this program as a player of a match, without a network in between.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
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
  bool think_at_start = true;            // else START is answered as soon as the rules are read
  std::chrono::milliseconds margin{50};  // of each clock, kept for handing the move over
};

/// Thinks on a thread of its own, reads the rules it is sent as a remote player would, and keeps
/// the strategy, and what it has learned, from move to move. Does not think while others do. A
/// strategy that overruns its clock is answered for with the best it has published. The context
/// must outlive the player; destruction stops the search and waits for its thread.
std::unique_ptr<MatchPlayer> make_builtin_player(const BuiltinOptions& options,
                                                 boost::asio::io_context& context);

}  // namespace ludens::server
