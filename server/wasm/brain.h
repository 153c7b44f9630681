// SPDX-License-Identifier: MIT
// A strategy that thinks in the caller's thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "gdl/memory/limits.h"
#include "search/strategy/factory.h"
#include "search/strategy/strategy.h"

namespace ludens::server::wasm {

/// Thinks for one role of one match. Not thread-safe.
class Brain {
 public:
  /// Called with choices as they come, a few times a second.
  using Told = std::function<void(const search::Choice&)>;

  /// `memory_bytes`: for the search and its machine. `spec` must be one that `parse_strategy`
  /// takes.
  explicit Brain(std::size_t memory_bytes, Told told = {},
                 search::StrategySpec spec = {"auto", {}});

  /// Thinks about a position with a legal move, until then. nullopt if nothing was found in time.
  std::optional<search::Choice> think(const search::Position& position,
                                      const search::Deadline& until);
  /// The strategy's account of the last search.
  [[nodiscard]] std::string explanation() const;

 private:
  std::unique_ptr<search::Strategy> make();

  Told told_;
  const search::StrategySpec spec_;
  gdl::MemoryBudget memory_;
  std::unique_ptr<search::Strategy> strategy_;  // null before the first search, and after a failure
  std::vector<gdl::MoveId> history_;            // of the last position that it thought about
  std::optional<search::Choice> known_;         // of it
};

}  // namespace ludens::server::wasm
