// SPDX-License-Identifier: MIT
// Machines that fail, dawdle or never end: no search may break on them.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <new>
#include <thread>

#include "tests/gdl/machine/wrapped_machine.h"

namespace ludens::search {

using gdl::WrappedMachine;

/// Runs out of budget at every n-th call.
class PoorMachine final : public WrappedMachine {
 public:
  PoorMachine(std::shared_ptr<const gdl::Machine> inner, int every)
      : WrappedMachine(std::move(inner)), every_(every) {}

 private:
  gdl::Status before(Question, Context&) const override {
    return ++calls_ % every_ == 0 ? gdl::Status::OverBudget : gdl::Status::Ok;
  }
  int every_;
  mutable std::atomic<int> calls_{0};
};

/// Throws at the n-th call and at all after it, as if there were no more memory.
class ThrowingMachine final : public WrappedMachine {
 public:
  ThrowingMachine(std::shared_ptr<const gdl::Machine> inner, int from)
      : WrappedMachine(std::move(inner)), from_(from) {}

 private:
  gdl::Status before(Question, Context&) const override {
    if (++calls_ >= from_) throw std::bad_alloc();
    return gdl::Status::Ok;
  }
  int from_;
  mutable std::atomic<int> calls_{0};
};

/// Takes its time for every call, but looks at the stop signal.
class SlowMachine final : public WrappedMachine {
 public:
  SlowMachine(std::shared_ptr<const gdl::Machine> inner, std::chrono::milliseconds time)
      : WrappedMachine(std::move(inner)), time_(time) {}

 private:
  gdl::Status before(Question, Context& context) const override {
    for (auto passed = time_; passed.count() > 0; --passed) {
      const auto* stop = context.limits.stop;
      if (stop != nullptr && stop->stop_requested()) return gdl::Status::Stopped;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return gdl::Status::Ok;
  }
  std::chrono::milliseconds time_;
};

/// Likes to be asked for much at once; counts how often it was.
class BatchMachine final : public WrappedMachine {
 public:
  BatchMachine(std::shared_ptr<const gdl::Machine> inner, std::size_t batch)
      : WrappedMachine(std::move(inner)), batch_(batch) {}
  [[nodiscard]] std::size_t preferred_batch() const override { return batch_; }
  gdl::Status expand(Context& context, std::span<const gdl::StateMove> pairs,
                     gdl::Expansion& out) const override {
    ++expansions_;
    pairs_ += pairs.size();
    return WrappedMachine::expand(context, pairs, out);
  }
  [[nodiscard]] std::uint64_t expansions() const { return expansions_; }
  [[nodiscard]] std::uint64_t pairs() const { return pairs_; }

 private:
  gdl::Status before(Question, Context&) const override { return gdl::Status::Ok; }
  std::size_t batch_;
  mutable std::atomic<std::uint64_t> expansions_{0}, pairs_{0};
};

}  // namespace ludens::search
