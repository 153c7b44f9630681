// Threads on their way out.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "agent/thread/worker.h"

namespace ludens::agent {

/// Keeps the workers that nobody waits for: those of ended matches, and those abandoned because a
/// strategy did not return when told to. They are joined once they have ended. I/O thread only.
class Leavers {
 public:
  using Owner = std::uint64_t;
  static constexpr Owner kNobody = 0;

  [[nodiscard]] Owner new_owner() { return ++last_owner_; }
  /// A worker that has been told to end. `owner`: whose abandoned thread it is; kNobody for one
  /// that is sure to end.
  void take(std::unique_ptr<Worker> worker, Owner owner = kNobody);
  /// Joins those that have ended.
  void reap();
  /// Abandoned threads that still run: of one owner, of all.
  [[nodiscard]] std::size_t abandoned(Owner owner) const;
  [[nodiscard]] std::size_t abandoned() const;
  /// Waits for all, at most until then, and lets go of the rest; their number. They live on with
  /// what they share, until they return or the process ends.
  std::size_t leave(std::chrono::steady_clock::time_point until);

 private:
  struct Leaver {
    std::unique_ptr<Worker> worker;
    Owner owner;
  };
  Owner last_owner_ = kNobody;
  std::vector<Leaver> leavers_;
};

}  // namespace ludens::agent
