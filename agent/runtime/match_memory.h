// SPDX-License-Identifier: MIT
// The memory of one match, in parts.
#pragma once

#include <cstddef>
#include <memory>

#include "gdl/memory/limits.h"

namespace ludens::agent {

/// The memory of a match in parts. Each part has a share that the others cannot take, so that a
/// legal move can be derived and named even when the search has used all that it may. Shared by all
/// threads that work for the match: abandoned threads keep what they hold until they return, and it
/// stays counted.
struct MatchMemory {
  /// `whole`: what all matches may use together; null if there is only one match.
  explicit MatchMemory(std::size_t bytes, const std::shared_ptr<gdl::MemoryBudget>& whole = nullptr)
      : rules(std::make_shared<gdl::MemoryBudget>(bytes / 16 * 3, whole)) {
    const auto rest = std::make_shared<gdl::MemoryBudget>(bytes / 16 * 13, whole);
    names = std::make_shared<gdl::MemoryBudget>(bytes / 4, rest);
    search = std::make_shared<gdl::MemoryBudget>(bytes / 4 * 3, rest);
  }

  std::shared_ptr<gdl::MemoryBudget> rules;   // the referee's
  std::shared_ptr<gdl::MemoryBudget> names;   // of fluents and moves; a sixteenth is reserved for
                                              // them
  std::shared_ptr<gdl::MemoryBudget> search;  // for strategies and their machines
};

}  // namespace ludens::agent
