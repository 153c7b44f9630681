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

/// How much is learned in one call.
struct LearningLimits {
  std::uint64_t games = 0;  // finished games; 0: any number
  unsigned threads = 0;     // the most to use; 0: as many as the learner has
};

/// Learns by playing against itself, from the rules alone: TD(lambda) on n-tuples. One thread at a
/// time may call `learn`, which starts others while it runs. Any thread may call all other
/// functions, even meanwhile.
class Learner {
 public:
  /// Plays random games first, to find the variables of the game: about 10 ms, up to a second for
  /// thousands of fluents. Fails with a sentence if the game can't be learned (or not for a file,
  /// if the options want that), or if the deadline came first. `memory` (null: no limit) must
  /// outlive the learner and everything that it published.
  static gdl::Result<std::unique_ptr<Learner>> make(std::shared_ptr<const gdl::Machine> machine,
                                                    const LearningOptions& options,
                                                    gdl::MemoryBudget* memory,
                                                    const Deadline& deadline);

  /// Continues where another learner of the game stopped, on this machine. Fails with a sentence if
  /// the machine has no network, or if there is not enough memory.
  static gdl::Result<std::unique_ptr<Learner>> resume(std::shared_ptr<const gdl::Machine> machine,
                                                      const Knowledge& knowledge,
                                                      const LearningOptions& options,
                                                      gdl::MemoryBudget* memory);

  virtual ~Learner() = default;

  /// Plays until the deadline or the token stops it (Stopped), until this many more games have
  /// ended (Ok), or until no thread has memory to go on (OverBudget). On one thread, with a limit
  /// on games and without a deadline, the same seed learns the same. May be called again to
  /// continue. When enough was learned, it adds tuples, which takes up to a tenth of a second and
  /// does not stop early.
  virtual gdl::Status learn(const Deadline& deadline, const LearningLimits& limits = {}) = 0;
  /// A copy of what is known now, a few megabytes; null if there is no memory for it.
  [[nodiscard]] virtual std::shared_ptr<const ValueFunction> snapshot() const = 0;
  [[nodiscard]] virtual LearningStatistics statistics() const = 0;
  /// Everything that is known now, to continue with later.
  [[nodiscard]] virtual Knowledge knowledge() const = 0;
  /// One line about what the values depend on, for logs.
  [[nodiscard]] virtual std::string explanation() const = 0;
};

}  // namespace ludens::search
