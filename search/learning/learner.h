// SPDX-License-Identifier: MIT
// Learning a value function by self-play.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "gdl/machine/machine.h"
#include "gdl/text/error.h"
#include "search/learning/knowledge.h"
#include "search/learning/learning_options.h"
#include "search/learning/value_function.h"
#include "search/strategy/stopping.h"

namespace ludens::search {

/// How much is learned in a call.
struct LearningLimits {
  std::uint64_t games = 0;  // that end; 0: any number
  unsigned threads = 0;     // at most; 0: as many as the learner has
};

/// Learns by playing against itself, from the rules alone: TD(lambda) on n-tuples. `learn` is
/// called by one thread at a time, and makes others while it runs; all other functions by any
/// thread, also meanwhile.
class Learner {
 public:
  /// Plays random games first, to find the variables of the game: some 10 ms, up to a second for
  /// thousands of fluents. A sentence where the game can't be learned, or where the deadline came
  /// before. `memory` (null: no limit) outlives the learner and all that it published.
  static gdl::Result<std::unique_ptr<Learner>> make(std::shared_ptr<const gdl::Machine> machine,
                                                    const LearningOptions& options,
                                                    gdl::MemoryBudget* memory,
                                                    const Deadline& deadline);

  /// Goes on where another learner of the game stopped, on this machine. A sentence where the
  /// machine has no network, or for want of memory.
  static gdl::Result<std::unique_ptr<Learner>> resume(std::shared_ptr<const gdl::Machine> machine,
                                                      const Knowledge& knowledge,
                                                      const LearningOptions& options,
                                                      gdl::MemoryBudget* memory);

  virtual ~Learner() = default;

  /// Plays until the deadline or the token says stop (Stopped), or until so many more games have
  /// ended (Ok). On one thread, with a limit of games and without a deadline, the same seed learns
  /// the same. May be called again, to go on.
  virtual gdl::Status learn(const Deadline& deadline, const LearningLimits& limits = {}) = 0;
  /// A copy of what is known now, some megabytes; null where there is no memory for it.
  [[nodiscard]] virtual std::shared_ptr<const ValueFunction> snapshot() const = 0;
  [[nodiscard]] virtual LearningStatistics statistics() const = 0;
  /// All that is known now, to go on with at another time.
  [[nodiscard]] virtual Knowledge knowledge() const = 0;
  /// One line on what is looked at, for logs.
  [[nodiscard]] virtual std::string explanation() const = 0;
};

}  // namespace ludens::search
