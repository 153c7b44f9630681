// SPDX-License-Identifier: MIT
// A thread that runs jobs one after the other and can be left behind.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <thread>

namespace ludens::agent {

/// Owned by one thread (the I/O thread), which makes all calls; jobs run in the worker's own
/// thread, in the order in which they were posted. Jobs must own (share) everything that they use:
/// a job that does not end outlives the worker object.
class Worker {
 public:
  using Job = std::function<void()>;  // an exception ends the job and is dropped

  /// `last` runs in the thread when it ends; it frees what should not be freed elsewhere.
  explicit Worker(Job last = {});
  /// Closes; joins the thread if it has ended or is between two jobs, otherwise detaches it.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void post(Job job);
  /// Ends after the current job; the others are dropped.
  void close();
  /// Ends when all jobs posted so far are done.
  void finish();
  [[nodiscard]] bool ended() const;
  /// Waits for the end of the thread, until `until` at the latest; returns whether it has ended.
  bool wait_ended(std::chrono::steady_clock::time_point until) const;

 private:
  struct Shared;
  static void run(const std::shared_ptr<Shared>& shared);

  std::shared_ptr<Shared> shared_;
  std::thread thread_;
};

}  // namespace ludens::agent
