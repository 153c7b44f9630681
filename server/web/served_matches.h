// SPDX-License-Identifier: MIT
// The matches that a player plays for hosts elsewhere, shown by a feed.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "server/player/service.h"
#include "server/web/match_feed.h"

namespace ludens::server {

/// Follows matches by the messages of their hosts: reads the rules of START, and makes the moves of
/// each PLAY with an interpreter of its own, on a thread of its own. What the hosts don't tell (who
/// the others are, the last move of a match that is aborted) is not known.
class ServedMatches {
 public:
  /// `name` is the player's, `most` how many matches it plays at the same time: what it has left
  /// behind is forgotten. `memory_bytes` are for all matches together, and a match that needs more
  /// is shown no further. The feed must outlive it.
  ServedMatches(MatchFeed& feed, std::string name, std::size_t most, std::size_t memory_bytes);
  /// Stops at once.
  ~ServedMatches();
  ServedMatches(const ServedMatches&) = delete;
  ServedMatches& operator=(const ServedMatches&) = delete;

  /// A message that was answered, with its body. Returns at once, from any thread.
  void served(const Served& served);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ludens::server
