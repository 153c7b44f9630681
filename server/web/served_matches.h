// SPDX-License-Identifier: MIT
// The matches that a player plays for remote hosts, shown by a feed.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "server/player/service.h"
#include "server/web/match_feed.h"

namespace ludens::server {

/// Follows matches by the messages of their hosts: reads the rules of START, and makes the moves of
/// each PLAY with its own interpreter, on a separate thread. What the hosts don't send (who the
/// others are, the last move of an aborted match) is unknown.
class ServedMatches {
 public:
  /// `name` is the player's, `most` how many matches it plays at the same time: abandoned matches
  /// are forgotten. `memory_bytes` are for all matches together, and a match that needs more is not
  /// shown further. The feed must outlive it.
  ServedMatches(MatchFeed& feed, std::string name, std::size_t most, std::size_t memory_bytes);
  /// Stops at once.
  ~ServedMatches();
  ServedMatches(const ServedMatches&) = delete;
  ServedMatches& operator=(const ServedMatches&) = delete;

  /// Records an answered message, with its body. Returns immediately; any thread may call it.
  void served(const Served& served);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ludens::server
