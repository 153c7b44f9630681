// SPDX-License-Identifier: MIT
// Threads on their way out.
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

/// Keeps the workers that nobody waits for: those of ended matches, and those abandoned because a
/// strategy did not return when told to. They are joined once they have ended. I/O thread only.
class RetiredThreads {
 public:
  /// The clock tells when a thread has had its time to end; it must outlive this.
  explicit RetiredThreads(const Clock& clock) : clock_(clock) {}

  /// For whom a thread has worked.
  struct Owner {
    std::uint64_t strategy = 0;  // whose strategies; 0: it followed the rules
    std::string peer = {};       // of the host; empty: not known
  };
  /// More abandoned threads than this are not borne: they hold memory and processors.
  static constexpr std::size_t kMostAbandoned = 8;
  /// Those that one peer may have, so that it does not use up what others are to be borne.
  static constexpr std::size_t kMostOfPeer = kMostAbandoned / 2;
  /// How long a thread that is to end by itself may take before it counts as abandoned.
  static constexpr std::chrono::seconds kEnding{3};

  /// A new one for the strategies of a match.
  [[nodiscard]] Owner new_owner(std::string peer = {}) { return {++last_owner_, std::move(peer)}; }
  /// A worker that has been told to end, and was abandoned by `owner` because it did not.
  void take(std::unique_ptr<Worker> worker, const Owner& owner);
  /// A worker that has been told to end and does so soon, as far as is known.
  void take_ending(std::unique_ptr<Worker> worker, const Owner& owner);
  /// Joins those that have ended.
  void reap();
  /// Abandoned threads of one owner that still run.
  [[nodiscard]] std::size_t abandoned(const Owner& owner) const;
  /// Threads of all matches of one peer.
  [[nodiscard]] std::size_t abandoned_of(std::string_view peer) const;
  /// Abandoned threads that still run, of all.
  [[nodiscard]] std::size_t abandoned() const;
  /// Those of them that followed the rules of a match.
  [[nodiscard]] std::size_t overdue() const { return abandoned(Owner{}); }
  [[nodiscard]] bool crowded() const { return abandoned() >= kMostAbandoned; }
  /// Waits for all, at most until then, and lets go of the rest; their number. They live on with
  /// what they share, until they return or the process ends.
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
