// SPDX-License-Identifier: MIT
// Runs the strategy of one match, and replaces it if it hangs or throws.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agent/runtime/environment.h"
#include "agent/runtime/thinker.h"
#include "agent/runtime/thinking_options.h"

namespace ludens::agent {

/// Runs the strategy of a match in a thread. A strategy that does not return when asked to is
/// abandoned with its thread, and a new one in a new thread takes over. When two of them are still
/// running, or eight in the whole environment, the match continues without a strategy. A strategy
/// that has thrown three times in a row is dropped. I/O thread only.
class Deliberation : public std::enable_shared_from_this<Deliberation> {
 public:
  /// Called once, on the I/O thread, when the search has ended by itself, has proved its value and
  /// looks for nothing else, or there is none.
  using Enough = std::function<void()>;

  /// `match`: the name of the match in the log. `peer`: the peer that owns the match. `memory`:
  /// what all its strategies may use together. The options must outlive it.
  Deliberation(Environment& environment, const ThinkingOptions& options, std::string match,
               const std::string& peer, std::shared_ptr<gdl::MemoryBudget> memory);

  /// Thinks until `until`. An earlier choice for the same position stays until there is a better
  /// one; if there can't be one, `enough` is called at once, unless the match must repeat.
  void think(search::Position position, TimePoint until, Enough enough);
  /// Thinks until the next call, with no answer due.
  void ponder(search::Position position);
  /// Ends the present search; the thread should be free well before `needed`, if given.
  void stop(std::optional<TimePoint> needed = std::nullopt);
  /// Ends thinking and releases the thread, which frees the strategy. To be called before
  /// destruction; a later search makes a new strategy.
  void leave();
  /// Sets the peer that owns the match.
  void belong_to(std::string peer) { owner_.peer = std::move(peer); }

  /// The best choice for the position of the last `think` or `ponder`. If information is hidden,
  /// nothing in it counts as proved.
  [[nodiscard]] std::optional<search::Choice> choice() const;
  /// The strategy's account of the last search, if it has ended.
  [[nodiscard]] const std::string& explanation() const { return explanation_; }

 private:
  struct Task {
    unsigned number;
    search::Position position;
    std::optional<TimePoint> until;
    std::shared_ptr<search::Incumbent> incumbent;
    Enough enough;  // empty once called
    bool wanted;    // false: it is not to be searched, or no longer
  };
  void begin(search::Position position, std::optional<TimePoint> until, Enough enough);
  void launch();
  bool have_thinker();
  Thinker::Make maker() const;
  void on_thought(unsigned number, const Thought& thought);
  void on_enough(unsigned number);
  void watch(TimePoint::duration grace);
  void on_watch(unsigned suspect);

  Environment& environment_;
  const ThinkingOptions& options_;
  std::string match_;
  RetiredThreads::Owner owner_;
  std::shared_ptr<gdl::MemoryBudget> memory_;
  std::unique_ptr<Thinker> thinker_;
  std::optional<Task> task_;
  unsigned numbers_ = 0;
  unsigned failures_ = 0;  // in a row
  std::optional<Scheduler::TimerId> watch_;
  std::string explanation_;
};

}  // namespace ludens::agent
