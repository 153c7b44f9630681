// SPDX-License-Identifier: MIT
// Threads that wait for the parts of one task after the other.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace ludens::gdl {

/// A few threads that do the same with different numbers. They look for work for a
/// fifth of a millisecond before they sleep, as steps of an environment follow each other closely.
class WorkerTeam {
 public:
  /// `size` with the thread that calls `run`; at least 1.
  explicit WorkerTeam(std::size_t size);
  ~WorkerTeam();
  WorkerTeam(const WorkerTeam&) = delete;
  WorkerTeam& operator=(const WorkerTeam&) = delete;

  [[nodiscard]] std::size_t size() const { return threads_.size() + 1; }
  /// Whether the threads are those of this process: a fork has none of them.
  [[nodiscard]] bool alive() const;
  /// Calls `part(0)` to `part(size() - 1)` at once, each on a thread of its own, and waits for all.
  /// `part` does not throw. One call at a time. Allocates nothing.
  template <typename Part>
  void run(const Part& part) {
    call_ = [](const void* p, std::size_t worker) { (*static_cast<const Part*>(p))(worker); };
    argument_ = &part;
    run_all();
  }

 private:
  void run_all();
  void work(std::size_t worker);

  std::vector<std::thread> threads_;
  long process_;
  void (*call_)(const void*, std::size_t) = nullptr;
  const void* argument_ = nullptr;
  std::atomic<std::uint32_t> task_{0};     // of the tasks so far
  std::atomic<std::uint32_t> working_{0};  // threads that have not done theirs
  std::atomic<bool> ending_{false};
};

}  // namespace ludens::gdl
