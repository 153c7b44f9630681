// SPDX-License-Identifier: MIT
// Threads that work together on one task at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace ludens::gdl {

/// A few threads that run the same function with different numbers. They poll for work for a fifth
/// of a millisecond before they sleep, because the steps of an environment follow each other
/// closely.
class WorkerTeam {
 public:
  /// `size` includes the thread that calls `run`; at least 1. If the system gives no more threads,
  /// the team is smaller.
  explicit WorkerTeam(std::size_t size);
  ~WorkerTeam();
  WorkerTeam(const WorkerTeam&) = delete;
  WorkerTeam& operator=(const WorkerTeam&) = delete;

  [[nodiscard]] std::size_t size() const { return threads_.size() + 1; }
  /// Whether the threads belong to this process: a forked process does not have them.
  [[nodiscard]] bool alive() const;
  /// Calls `part(0)` to `part(size() - 1)` at once, each on a thread of its own, and waits until
  /// all are done. `part` does not throw. One call at a time. Allocates nothing.
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
  std::atomic<std::uint32_t> task_{0};     // number of tasks so far
  std::atomic<std::uint32_t> working_{0};  // threads that are not done with their part
  std::atomic<bool> ending_{false};
};

}  // namespace ludens::gdl
