// SPDX-License-Identifier: MIT
#include "agent/runtime/thinker.h"

#include <atomic>
#include <exception>
#include <utility>

#include "agent/thread/freed_memory.h"

namespace ludens::agent {

/// What the thread shares with the thinker. Only the thread touches the strategy.
struct Thinker::Shared {
  Make make;
  std::unique_ptr<search::Strategy> strategy;
  std::atomic<unsigned> running{0};  // number of the search that runs, 0 if none does
  /// When it was last asked to stop.
  std::atomic<search::TimePoint> told{search::TimePoint::min()};

  Thought think(const search::Position& position, const search::Deadline& deadline,
                search::Incumbent& incumbent);
};

Thought Thinker::Shared::think(const search::Position& position, const search::Deadline& deadline,
                               search::Incumbent& incumbent) {
  Thought thought;
  thought.failed = true;
  try {
    if (strategy == nullptr) strategy = make();
    if (strategy == nullptr) return thought;
    strategy->think(position, deadline, incumbent);
    thought.explanation = strategy->explanation();
    thought.failed = false;
    return thought;
  } catch (const std::exception& exception) {
    thought.problem = exception.what();
  } catch (...) {
    thought.problem = "an exception of unknown type";
  }
  strategy.reset();
  return thought;
}

Thinker::Thinker(Make make) : shared_(std::make_shared<Shared>()) {
  shared_->make = std::move(make);
  worker_ = std::make_unique<Worker>([shared = shared_] {
    shared->strategy.reset();
    return_memory();
  });
}

void Thinker::think(search::Position position, std::optional<search::TimePoint> deadline,
                    std::shared_ptr<search::Incumbent> incumbent, Done done) {
  stop();
  stop_ = std::stop_source();
  const unsigned number = ++asked_;
  worker_->post([shared = shared_, number, position = std::move(position),
                 token = stop_.get_token(), at = deadline.value_or(search::TimePoint::max()),
                 incumbent = std::move(incumbent), done = std::move(done)] {
    if (token.stop_requested()) return;
    shared->running = number;
    Thought thought = shared->think(position, search::Deadline(at, token), *incumbent);
    shared->running = 0;
    if (token.stop_requested())
      thought.lag = std::chrono::steady_clock::now() - shared->told.load();
    done(std::move(thought));
  });
}

void Thinker::stop() {
  if (!stop_.stop_requested()) shared_->told = std::chrono::steady_clock::now();
  stop_.request_stop();
  stopped_ = asked_;
}

unsigned Thinker::unresponsive() const {
  const unsigned running = shared_->running;
  return running <= stopped_ ? running : 0;
}

std::unique_ptr<Worker> Thinker::release() {
  stop();
  worker_->close();
  return std::move(worker_);
}

}  // namespace ludens::agent
