// SPDX-License-Identifier: MIT
// A thread that works on files, so that nobody else waits for a disk.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>

#include "agent/thread/worker.h"

namespace ludens::agent {

/// Does pieces of work one after the other, in the order in which they were posted. A disk may
/// stall for any length of time: then they wait here, up to a number of bytes. Like the worker's,
/// all calls are made by one thread, and the work shares all that it uses.
class FileThread {
 public:
  /// `last` runs in the thread when it ends.
  FileThread(std::size_t most_bytes, Worker::Job last);
  ~FileThread() = default;
  FileThread(const FileThread&) = delete;
  FileThread& operator=(const FileThread&) = delete;

  /// `bytes`: what the work holds until it is done. Returns whether it is done some time: not if it
  /// holds something and, with all that waits already, more than the limit.
  [[nodiscard]] bool post(std::size_t bytes, Worker::Job work);
  /// Waits until everything that was posted is done, for as long as the disk takes.
  void flush();
  /// Takes no more work, and waits for what was posted until `until` at the latest. Returns how
  /// many pieces are not done; the thread goes on with them as long as the process lives.
  std::size_t leave(std::chrono::steady_clock::time_point until);

 private:
  struct Pending {
    std::atomic<std::size_t> pieces = 0, bytes = 0;
  };
  struct Held;

  const std::size_t most_bytes_;
  const std::shared_ptr<Pending> pending_ = std::make_shared<Pending>();
  Worker worker_;
};

}  // namespace ludens::agent
