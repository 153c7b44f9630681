// SPDX-License-Identifier: MIT
// A short search for a person who asks what to play.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "search/strategy/factory.h"
#include "server/game/rulesheet.h"
#include "server/match/match_player.h"

namespace ludens::server {

/// Thinks on a separate thread about one question at a time.
class Adviser {
 public:
  /// Thinks for `time` about each question, in addition to the preparation for the first one of a
  /// role. The game must outlive it.
  Adviser(const Rulesheet& game, search::StrategySpec strategy, std::chrono::milliseconds time,
          std::size_t memory_bytes);
  /// Aborts the search.
  ~Adviser();
  Adviser(const Adviser&) = delete;
  Adviser& operator=(const Adviser&) = delete;

  /// Asks what `role` might play after these joint moves from the initial state. The answer is a
  /// text, or another kind with the problem, and comes on the adviser's thread. An earlier question
  /// that is still open is aborted and gets no answer. Any thread may call it.
  void ask(const std::string& role, std::vector<std::vector<std::string>> moves,
           std::function<void(const Answer&)> done);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ludens::server
