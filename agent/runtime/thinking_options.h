// SPDX-License-Identifier: MIT
// When a player thinks, and what ends a search.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "gdl/machine/machine.h"
#include "search/strategy/factory.h"

namespace ludens::agent {

/// Creates the strategy of a match, usually that of the spec.
using MakeStrategy = std::function<std::unique_ptr<search::Strategy>(const search::StrategySpec&,
                                                                     const search::Resources&)>;
/// Creates the machine on which the rules of a match are followed.
using MakeMachine =
    std::function<std::shared_ptr<const gdl::Machine>(std::shared_ptr<gdl::Vocabulary>)>;

struct ThinkingOptions {
  search::StrategySpec strategy{"auto", {}};
  unsigned threads = 1;  // of the strategy
  /// Caps for a move, and while START waits; nullopt: until the answer is due.
  std::optional<std::chrono::nanoseconds> think_at_most, think_at_most_at_start;
  /// A search should end this long before its answer is due, so that the answer comes with the
  /// search's own explanation; the timer is for searches that do not end.
  std::chrono::milliseconds head_start{10};
  bool think_at_start = true;         // while START waits for its answer
  bool ponder_at_start = true;        // from then until the first PLAY
  bool ponder = true;                 // between the answer to a PLAY and the next one
  bool answer_forced_at_once = true;  // with one legal move, don't think
  /// A match in which counts limit the search is the same each time: nothing is derived during a
  /// search, so that ids don't depend on other threads, and a search that has proved its value is
  /// still awaited.
  bool repeatable = false;
  /// Empty: `search::make_strategy` with `strategy`. Tests put doubles here.
  MakeStrategy make_strategy;
  /// Empty: `gdl::make_interpreter`.
  MakeMachine make_machine;
};

}  // namespace ludens::agent
