// SPDX-License-Identifier: MIT
// A strategy that works for another one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "search/strategy/incumbent.h"
#include "search/strategy/strategy.h"

namespace ludens::search {

/// Thinks on demand and reports its choice only to its owner. Keeps what the strategy keeps.
class SubStrategy {
 public:
  explicit SubStrategy(std::unique_ptr<Strategy> strategy) : strategy_(std::move(strategy)) {}

  /// The last choice; nullopt if there was none in time.
  std::optional<Choice> think(const Position& position, const Deadline& deadline);
  /// Reports every choice as it comes, in the thread of the call.
  void think(const Position& position, const Deadline& deadline,
             const std::function<void(Choice)>& tell);
  [[nodiscard]] std::string_view name() const { return strategy_->name(); }
  [[nodiscard]] std::string explanation() const { return strategy_->explanation(); }

 private:
  std::unique_ptr<Strategy> strategy_;
};

}  // namespace ludens::search
