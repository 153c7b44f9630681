// Threads on their way out.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "agent/thread/worker.h"

namespace ludens::agent {

/// Keeps the workers that nobody waits for: those of ended matches, and those abandoned because a
/// strategy did not return when told to. They are joined once they have ended. I/O thread only.
class RetiredThreads {
 public:
  using Owner = std::uint64_t;
  /// More abandoned threads than this are not borne: they hold memory and processors.
  static constexpr std::size_t kMostAbandoned = 8;
  /// How long a thread that is to end by itself may take before it counts as abandoned.
  static constexpr std::chrono::seconds kEnding{3};

  [[nodiscard]] Owner new_owner() { return ++last_owner_; }
  /// A worker that has been told to end, and was abandoned by `owner` because it did not.
  void take(std::unique_ptr<Worker> worker, Owner owner);
  /// A worker that has been told to end and does so soon, as far as is known.
  void take_ending(std::unique_ptr<Worker> worker);
  /// Joins those that have ended.
  void reap();
  /// Abandoned threads of one owner that still run.
  [[nodiscard]] std::size_t abandoned(Owner owner) const;
  /// Abandoned threads that still run, of all.
  [[nodiscard]] std::size_t abandoned() const;
  /// Those of them that were to end by themselves.
  [[nodiscard]] std::size_t overdue() const { return abandoned(kNobody); }
  [[nodiscard]] bool crowded() const { return abandoned() >= kMostAbandoned; }
  /// Waits for all, at most until then, and lets go of the rest; their number. They live on with
  /// what they share, until they return or the process ends.
  std::size_t leave(std::chrono::steady_clock::time_point until);

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr Owner kNobody = 0;
  struct Retired {
    std::unique_ptr<Worker> worker;
    Owner owner;
    Clock::time_point abandoned_at;
  };
  [[nodiscard]] std::size_t count(const std::function<bool(const Retired&)>& wanted) const;

  Owner last_owner_ = kNobody;
  std::vector<Retired> threads_;
};

}  // namespace ludens::agent
