// SPDX-License-Identifier: MIT
// A strategy in a thread of its own.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "agent/thread/worker.h"
#include "search/strategy/strategy.h"

namespace ludens::agent {

/// How a call of `Strategy::think` ended.
struct Thought {
  bool failed = false;      // it threw, or there is no strategy
  std::string problem;      // what it threw
  std::string explanation;  // the strategy's own line; empty if it has none
  /// The time from the request to stop to the end of the search; 0 if there was no request.
  std::chrono::steady_clock::duration lag{};
};

/// Thinks about one position at a time; a new request stops the current one. The strategy is
/// created, used and freed in the thread; one that has thrown is replaced by a new one. I/O thread
/// only; the thread shares ownership of everything that it uses, so that it can be abandoned.
class Thinker {
 public:
  /// May throw; called in the thread.
  using Make = std::function<std::unique_ptr<search::Strategy>()>;
  /// Called in the thread.
  using Done = std::function<void(Thought)>;

  explicit Thinker(Make make);

  /// Stops the current search and thinks about this position until the deadline (none: until the
  /// next call). `done` is called unless the search is stopped before it begins.
  void think(search::Position position, std::optional<search::TimePoint> deadline,
             std::shared_ptr<search::Incumbent> incumbent, Done done);
  void stop();
  /// The number of the search that was asked to stop and still runs; 0 if there is none.
  [[nodiscard]] unsigned unresponsive() const;
  /// Stops and hands over the thread, which ends by itself. The thinker must not be used
  /// afterwards.
  std::unique_ptr<Worker> release();

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
  std::unique_ptr<Worker> worker_;
  std::stop_source stop_;
  unsigned asked_ = 0;    // number of requested searches; they are numbered from 1
  unsigned stopped_ = 0;  // those up to this number were asked to stop
};

}  // namespace ludens::agent
