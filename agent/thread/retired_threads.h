// SPDX-License-Identifier: MIT
// Threads that no match uses any more, until they have ended.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/thread/scheduler.h"
#include "agent/thread/worker.h"

namespace ludens::agent {

/// Keeps the workers that no match waits for: those of ended matches, and those abandoned because a
/// strategy did not return when asked to. They are joined once they have ended. I/O thread only.
class RetiredThreads {
 public:
  /// The clock determines when a thread has had its time to end; it must outlive this.
  explicit RetiredThreads(const Clock& clock) : clock_(clock) {}

  /// The match for which a thread has worked.
  struct Owner {
    std::uint64_t strategy = 0;  // number of the owner of the strategies; 0: it followed the rules
    std::string peer = {};       // of the host; empty: not known
  };
  /// The most abandoned threads that are tolerated: they hold memory and processors.
  static constexpr std::size_t kMostAbandoned = 8;
  /// The most of one peer, so that it does not use up the limit of others.
  static constexpr std::size_t kMostOfPeer = kMostAbandoned / 2;
  /// How long a thread that should end by itself may take before it counts as abandoned.
  static constexpr std::chrono::seconds kEnding{3};

  /// A new one for the strategies of a match.
  [[nodiscard]] Owner new_owner(std::string peer = {}) { return {++last_owner_, std::move(peer)}; }
  /// Takes a worker that was asked to end, and was abandoned by `owner` because it did not.
  void take(std::unique_ptr<Worker> worker, const Owner& owner);
  /// Takes a worker that was asked to end and is expected to do so soon.
  void take_ending(std::unique_ptr<Worker> worker, const Owner& owner);
  /// Joins those that have ended.
  void reap();
  /// The number of abandoned threads of one owner that still run.
  [[nodiscard]] std::size_t abandoned(const Owner& owner) const;
  /// The same for all matches of one peer.
  [[nodiscard]] std::size_t abandoned_of(std::string_view peer) const;
  /// The same for all owners.
  [[nodiscard]] std::size_t abandoned() const;
  /// The number of those that followed the rules of a match.
  [[nodiscard]] std::size_t overdue() const { return abandoned(Owner{}); }
  [[nodiscard]] bool crowded() const { return abandoned() >= kMostAbandoned; }
  /// Whether some still have time to end by themselves.
  [[nodiscard]] bool some_end() const;
  /// Waits for all threads until `until` at the latest, detaches the rest and returns their number.
  /// These keep running, with the data that they share, until they return or the process ends.
  std::size_t leave(TimePoint until);

 private:
  struct Retired {
    std::unique_ptr<Worker> worker;
    Owner owner;
    TimePoint abandoned_at;
  };
  [[nodiscard]] std::size_t count(const std::function<bool(const Retired&)>& wanted) const;

  const Clock& clock_;
  std::uint64_t last_owner_ = 0;
  std::vector<Retired> threads_;
};

}  // namespace ludens::agent
