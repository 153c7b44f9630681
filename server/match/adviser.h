// SPDX-License-Identifier: MIT
// A short search on behalf of a person who asks what to play.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "search/registry/registry.h"
#include "server/game/rulesheet.h"
#include "server/match/match_player.h"

namespace ludens::server {

/// Thinks on a thread of its own about one question at a time.
class Adviser {
 public:
  /// Thinks for `time` about each question, beside getting ready for the first one of a role. The
  /// game must outlive it.
  Adviser(const Rulesheet& game, search::StrategySpec strategy, std::chrono::milliseconds time,
          std::size_t memory_bytes);
  /// Breaks off.
  ~Adviser();
  Adviser(const Adviser&) = delete;
  Adviser& operator=(const Adviser&) = delete;

  /// What `role` might play after these joint moves from the initial state, as a text; or of
  /// another kind, with the problem. The answer comes on the adviser's thread. A question before it
  /// that is still open is broken off, and has no answer then. Any thread.
  void ask(const std::string& role, std::vector<std::vector<std::string>> moves,
           std::function<void(const Answer&)> done);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ludens::server
