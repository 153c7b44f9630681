// SPDX-License-Identifier: MIT
#include "agent/journal/file_thread.h"

#include <algorithm>
#include <future>
#include <utility>

namespace ludens::agent {

/// Counts a piece of work until it is done or dropped.
struct FileThread::Held {
  Held(std::shared_ptr<Pending> of, std::size_t size) : pending(std::move(of)), bytes(size) {
    ++pending->pieces;
    pending->bytes += bytes;
  }
  ~Held() {
    --pending->pieces;
    pending->bytes -= bytes;
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  const std::shared_ptr<Pending> pending;
  const std::size_t bytes;
};

FileThread::FileThread(std::size_t most_bytes, Worker::Job last)
    : most_bytes_(most_bytes), worker_(std::move(last)) {}

bool FileThread::post(std::size_t bytes, Worker::Job work) {
  const std::size_t waiting = pending_->bytes;
  if (bytes > 0 && waiting > 0 && bytes > most_bytes_ - std::min(waiting, most_bytes_)) {
    return false;
  }
  worker_.post(
      [held = std::make_shared<const Held>(pending_, bytes), work = std::move(work)] { work(); });
  return true;
}

void FileThread::flush() {
  const auto done = std::make_shared<std::promise<void>>();
  worker_.post([done] { done->set_value(); });
  done->get_future().wait();
}

std::size_t FileThread::leave(std::chrono::steady_clock::time_point until) {
  worker_.finish();
  worker_.wait_ended(until);
  return pending_->pieces;
}

}  // namespace ludens::agent
