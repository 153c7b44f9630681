// SPDX-License-Identifier: MIT
#include "server/http/asio_scheduler.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <mutex>

namespace ludens::server {

/// Shared with the pending handlers, which may run after the scheduler is destroyed.
class AsioScheduler::Timers : public std::enable_shared_from_this<Timers> {
 public:
  TimerId add(boost::asio::io_context& context, agent::TimePoint when,
              std::function<void()> function) {
    std::lock_guard lock(mutex_);
    const TimerId id = ++last_id_;
    auto [entry, inserted] =
        entries_.try_emplace(id, boost::asio::steady_timer(context, when), std::move(function));
    entry->second.timer.async_wait(
        [self = shared_from_this(), id](const boost::system::error_code&) { self->run(id); });
    return id;
  }

  /// The function is destroyed outside the lock: what it holds may call back.
  void cancel(TimerId id) {
    std::unique_lock lock(mutex_);
    const auto node = entries_.extract(id);
    lock.unlock();
  }

  void clear() {
    std::unique_lock lock(mutex_);
    const auto all = std::move(entries_);
    entries_.clear();
    lock.unlock();
  }

 private:
  struct Entry {
    Entry(boost::asio::steady_timer t, std::function<void()> f)
        : timer(std::move(t)), function(std::move(f)) {}
    boost::asio::steady_timer timer;
    std::function<void()> function;
  };

  /// A cancelled timer has no entry any more, so there is nothing to run.
  void run(TimerId id) {
    std::unique_lock lock(mutex_);
    auto node = entries_.extract(id);
    lock.unlock();
    if (!node.empty()) node.mapped().function();
  }

  std::mutex mutex_;
  TimerId last_id_ = 0;
  std::unordered_map<TimerId, Entry> entries_;
};

AsioScheduler::AsioScheduler(boost::asio::io_context& context)
    : context_(context), timers_(std::make_shared<Timers>()) {}

AsioScheduler::~AsioScheduler() {
  timers_->clear();
}

void AsioScheduler::post(std::function<void()> function) {
  boost::asio::post(context_, std::move(function));
}

AsioScheduler::TimerId AsioScheduler::at(agent::TimePoint when, std::function<void()> function) {
  return timers_->add(context_, when, std::move(function));
}

void AsioScheduler::cancel(TimerId timer) {
  timers_->cancel(timer);
}

}  // namespace ludens::server
