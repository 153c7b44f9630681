// SPDX-License-Identifier: MIT
#include "search/learning/learner.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "search/learning/kinds.h"
#include "search/learning/observations.h"
#include "search/learning/self_play_lanes.h"
#include "search/learning/tuples.h"
#include "search/learning/variables.h"

namespace ludens::search {

namespace {

using gdl::Status;

class SelfPlayLearner final : public Learner {
 public:
  SelfPlayLearner(std::shared_ptr<const gdl::Machine> machine, const LearningOptions& options,
                  gdl::MemoryBudget* memory, TupleForm form,
                  std::shared_ptr<const ValueFunction::Parts> parts)
      : machine_(std::move(machine)),
        options_(options),
        memory_(memory),
        form_(std::move(form)),
        parts_(std::move(parts)) {}

  /// False if there is no memory for one thread.
  [[nodiscard]] bool prepare() {
    const std::size_t tables = parts_->shape.tables();
    if (!held_.reserve(Training::bytes(parts_->layout, tables) + parts_->index.bytes(), memory_)) {
      return false;
    }
    const std::size_t a_ply = parts_->index.stride() * sizeof(std::uint16_t) + 16;
    const std::size_t a_thread = options_.games_at_once * options_.most_plies * a_ply;
    training_.emplace(parts_->layout, tables, options_.rate);
    gdl::Rng seeds(options_.seed);
    while (lanes_.size() < options_.threads && (lanes_.empty() || leaves_half(a_thread)) &&
           held_.reserve(a_thread, memory_)) {
      const std::uint64_t seed = lanes_.empty() ? options_.seed : seeds();
      lanes_.push_back(
          std::make_unique<SelfPlayLanes>(*machine_, *parts_, *training_, options_, seed));
    }
    done_.resize(lanes_.size());
    return !lanes_.empty();
  }

  /// Restores the learner that this one continues; nothing may have been learned yet.
  void restore(const Knowledge& knowledge) {
    before_ = knowledge.statistics;
    training_->restore(knowledge.weights);
  }

  Status learn(const Deadline& deadline, const LearningLimits& limits) override {
    const auto begin = std::chrono::steady_clock::now();
    const Status status = play(deadline, limits);
    const std::lock_guard lock(mutex_);
    before_.seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return status;
  }

  [[nodiscard]] std::shared_ptr<const ValueFunction> snapshot() const override {
    auto held = std::make_unique<gdl::HeldMemory>();
    if (!held->reserve(training_->weight_count() * sizeof(float), memory_)) return nullptr;
    return std::make_shared<ValueFunction>(parts_, training_->copy_of_weights(), std::move(held));
  }
  [[nodiscard]] LearningStatistics statistics() const override {
    const std::lock_guard lock(mutex_);
    LearningStatistics all = before_;
    for (const LearningStatistics& done : done_) all += done;
    return all;
  }
  [[nodiscard]] Knowledge knowledge() const override {
    return {statistics(), form_, parts_->shape, parts_->movers.waits(), training_->trained()};
  }
  [[nodiscard]] std::string explanation() const override {
    char text[160];
    std::snprintf(text, sizeof text,
                  "%zu variables, %zu tuples, %zu counts, %zu values, %zu tables of %zu weights",
                  form_.variables.size(), form_.tuples.size(), form_.counts.size(),
                  parts_->shape.outputs(), parts_->shape.tables(), parts_->layout.entries());
    return text;
  }

 private:
  /// Whether half of the memory is left to others.
  [[nodiscard]] bool leaves_half(std::size_t bytes) const {
    return memory_ == nullptr || memory_->used() + bytes <= memory_->limit() / 2;
  }

  Status play(const Deadline& deadline, const LearningLimits& limits) {
    const std::uint64_t end = limits.games == 0 ? std::numeric_limits<std::uint64_t>::max()
                                                : statistics().games + limits.games;
    const std::size_t threads =
        limits.threads == 0 ? lanes_.size() : std::min<std::size_t>(limits.threads, lanes_.size());
    if (threads == 0) return Status::OverBudget;
    std::vector<Status> ends(threads, Status::Stopped);
    {
      std::vector<std::jthread> others;
      try {
        for (std::size_t i = 1; i < threads; ++i) {
          others.emplace_back([&, i] { ends[i] = play_on(i, deadline, end); });
        }
      } catch (const std::system_error&) {  // no more threads available: the running ones are
                                            // enough
      }
      ends[0] = play_on(0, deadline, end);
    }
    drop_failed();
    return std::ranges::find(ends, Status::Ok) != ends.end() ? Status::Ok : ends[0];
  }

  /// One thread's games, until `end` games of all threads have ended.
  Status play_on(std::size_t thread, const Deadline& deadline, std::uint64_t end) {
    try {
      const auto context = machine_->make_context({&deadline, memory_});
      while (!deadline.stop_requested()) {
        const Status status = lanes_[thread]->step(*context);
        if (status != Status::Ok) return status;
        if (take_up(thread) >= end) return Status::Ok;
      }
      return Status::Stopped;
    } catch (const std::bad_alloc&) {
      lanes_[thread].reset();  // games are unfinished
      return Status::OverBudget;
    }
  }

  /// Threads whose memory has failed learn no more.
  void drop_failed() {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = lanes_.size(); i-- > 0;) {
      if (lanes_[i] != nullptr) continue;
      before_ += done_[i];
      lanes_.erase(lanes_.begin() + static_cast<std::ptrdiff_t>(i));
      done_.erase(done_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  /// Adds what a thread has done. Returns the games of all threads.
  std::uint64_t take_up(std::size_t thread) {
    const std::lock_guard lock(mutex_);
    done_[thread] = lanes_[thread]->statistics();
    std::uint64_t games = before_.games;
    for (const LearningStatistics& done : done_) games += done.games;
    return games;
  }

  std::shared_ptr<const gdl::Machine> machine_;
  LearningOptions options_;
  gdl::MemoryBudget* memory_;
  TupleForm form_;
  std::shared_ptr<const ValueFunction::Parts> parts_;
  gdl::HeldMemory held_;
  std::optional<Training> training_;
  std::vector<std::unique_ptr<SelfPlayLanes>> lanes_;  // [thread]

  mutable std::mutex mutex_;
  // Guarded by it:
  LearningStatistics before_;             // of the learner that this one continues
  std::vector<LearningStatistics> done_;  // [thread]
};

/// Creates a learner that is ready to learn; null if there is not enough memory.
std::unique_ptr<SelfPlayLearner> assemble(std::shared_ptr<const gdl::Machine> machine,
                                          const StateBits& bits, TupleForm form, ValueShape shape,
                                          Movers movers, const LearningOptions& options,
                                          gdl::MemoryBudget* memory) {
  auto parts = std::make_shared<const ValueFunction::Parts>(ValueFunction::Parts{
      TupleIndex(form, bits), TableLayout(form), std::move(shape), std::move(movers)});
  auto learner = std::make_unique<SelfPlayLearner>(std::move(machine), options, memory,
                                                   std::move(form), std::move(parts));
  return learner->prepare() ? std::move(learner) : nullptr;
}

/// A count may take the place of one tuple in this many.
constexpr std::size_t kTuplesACount = 4;
constexpr const char* kNoNetwork = "the machine has no network to learn from";
constexpr const char* kNoMemory = "memory is used up";

}  // namespace

gdl::Result<std::unique_ptr<Learner>> Learner::make(std::shared_ptr<const gdl::Machine> machine,
                                                    const LearningOptions& options,
                                                    gdl::MemoryBudget* memory,
                                                    const Deadline& deadline) {
  if (machine->role_count() < 2) {
    return gdl::Error{"a game for one role is not learned by self-play"};
  }
  const auto bits = StateBits::of(*machine);
  if (!bits) return gdl::Error{kNoNetwork};
  const auto context = machine->make_context({&deadline, memory});
  gdl::Rng rng(options.seed);
  Observations::Settings settings;
  settings.most_plies = options.most_plies;
  gdl::HeldMemory held;
  if (!held.reserve(settings.most_bytes, memory)) return gdl::Error{kNoMemory};
  const auto seen = Observations::make(*machine, *context, bits->size(), settings, rng);
  if (!seen) return gdl::Error{"no time to look at random games"};
  TupleForm form{find_variables(*machine, *bits, *seen), {}, {}};
  if (form.variables.empty()) return gdl::Error{"nothing varies but with the clock"};
  const std::size_t tuples =
      options.tuples > 0 ? options.tuples : usual_tuple_count(form.variables);
  form.counts = find_kinds(*machine->vocabulary(), form.variables, tuples / kTuplesACount);
  const std::size_t others = form.counts.size() + 1;  // mobility is one
  form.tuples = choose_tuples(*bits, form.variables, tuples - others, rng);
  ValueShape shape = ValueShape::of(*machine, *seen);
  auto learner = assemble(std::move(machine), *bits, std::move(form), std::move(shape),
                          seen->movers(), options, memory);
  if (learner == nullptr) return gdl::Error{kNoMemory};
  return learner;
}

gdl::Result<std::unique_ptr<Learner>> Learner::resume(std::shared_ptr<const gdl::Machine> machine,
                                                      const Knowledge& knowledge,
                                                      const LearningOptions& options,
                                                      gdl::MemoryBudget* memory) {
  const auto bits = StateBits::of(*machine);
  if (!bits) return gdl::Error{kNoNetwork};
  auto learner = assemble(std::move(machine), *bits, knowledge.form, knowledge.shape,
                          Movers(knowledge.waits), options, memory);
  if (learner == nullptr) return gdl::Error{kNoMemory};
  learner->restore(knowledge);
  return learner;
}

}  // namespace ludens::search
