// SPDX-License-Identifier: MIT
#include "search/learning/learner.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>
#include <utility>

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

  /// False where there is no memory.
  [[nodiscard]] bool prepare() {
    const std::size_t tables = parts_->shape.tables();
    const std::size_t a_ply = parts_->index.stride() * sizeof(std::uint16_t) + 16;
    if (!held_.reserve(Training::bytes(parts_->layout, tables) + parts_->index.bytes() +
                           options_.games_at_once * options_.most_plies * a_ply,
                       memory_)) {
      return false;
    }
    training_.emplace(parts_->layout, tables, options_.rate);
    lanes_.emplace(*machine_, *parts_, *training_, options_, options_.seed);
    return true;
  }

  /// As the learner was that this one goes on from; nothing has been learned yet.
  void restore(const Knowledge& knowledge) {
    before_ = knowledge.statistics;
    training_->restore(knowledge.weights);
  }

  Status learn(const Deadline& deadline, std::uint64_t games) override {
    const auto begin = std::chrono::steady_clock::now();
    const Status status = play(deadline, games);
    const std::lock_guard lock(mutex_);
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return status;
  }

  [[nodiscard]] std::shared_ptr<const ValueFunction> snapshot() const override {
    const Turn turn(*this);
    const auto& weights = training_->weights();
    auto held = std::make_unique<gdl::HeldMemory>();
    if (!held->reserve(gdl::bytes_of(weights), memory_)) return nullptr;
    return std::make_shared<ValueFunction>(parts_, weights, std::move(held));
  }
  [[nodiscard]] LearningStatistics statistics() const override {
    const Turn turn(*this);
    return all_statistics();
  }
  [[nodiscard]] Knowledge knowledge() const override {
    const Turn turn(*this);
    return {all_statistics(), form_, parts_->shape, parts_->movers.waits(), training_->trained()};
  }
  [[nodiscard]] std::string explanation() const override {
    char text[160];
    std::snprintf(text, sizeof text,
                  "%zu variables, %zu tuples, %zu values, %zu tables of %zu weights",
                  form_.variables.size(), form_.tuples.size(), parts_->shape.outputs(),
                  parts_->shape.tables(), parts_->layout.entries());
    return text;
  }

 private:
  /// Gets between two steps of `learn`, which lets it pass.
  class Turn {
   public:
    explicit Turn(const SelfPlayLearner& learner) : learner_(learner) {
      learner.waiting_.fetch_add(1, std::memory_order_relaxed);
      learner.mutex_.lock();
      learner.waiting_.fetch_sub(1, std::memory_order_relaxed);
    }
    ~Turn() { learner_.mutex_.unlock(); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    const SelfPlayLearner& learner_;
  };

  Status play(const Deadline& deadline, std::uint64_t games) {
    const auto context = machine_->make_context({&deadline, memory_});
    const std::uint64_t end = lanes_->statistics().games + games;
    while (!deadline.stop_requested()) {
      {
        const std::lock_guard lock(mutex_);
        const Status status = lanes_->step(*context);
        if (status != Status::Ok) return status;
        if (games > 0 && lanes_->statistics().games >= end) return Status::Ok;
      }
      while (waiting_.load(std::memory_order_relaxed) > 0) std::this_thread::yield();
    }
    return Status::Stopped;
  }

  /// Also of the learner that this one goes on from.
  [[nodiscard]] LearningStatistics all_statistics() const {
    const LearningStatistics& now = lanes_->statistics();
    return {before_.games + now.games,  before_.cut + now.cut,
            before_.plies + now.plies,  before_.judged + now.judged,
            before_.seconds + seconds_, before_.expanding + now.expanding};
  }

  std::shared_ptr<const gdl::Machine> machine_;
  LearningOptions options_;
  gdl::MemoryBudget* memory_;
  TupleForm form_;
  std::shared_ptr<const ValueFunction::Parts> parts_;
  LearningStatistics before_;
  double seconds_ = 0;
  gdl::HeldMemory held_;
  mutable std::mutex mutex_;
  mutable std::atomic<int> waiting_{0};
  std::optional<Training> training_;
  std::optional<SelfPlayLanes> lanes_;
};

/// Ready to learn; null for want of memory.
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

constexpr const char* kNoNetwork = "the machine has no network to learn from";
constexpr const char* kNoMemory = "memory is used up";

}  // namespace

std::variant<std::unique_ptr<Learner>, std::string> Learner::make(
    std::shared_ptr<const gdl::Machine> machine, const LearningOptions& options,
    gdl::MemoryBudget* memory, const Deadline& deadline) {
  if (machine->role_count() < 2) return "a game for one role is not learned by self-play";
  const auto bits = StateBits::of(*machine);
  if (!bits) return kNoNetwork;
  const auto context = machine->make_context({&deadline, memory});
  gdl::Rng rng(options.seed);
  Observations::Settings settings;
  settings.most_plies = options.most_plies;
  gdl::HeldMemory held;
  if (!held.reserve(settings.most_bytes, memory)) return kNoMemory;
  const auto seen = Observations::make(*machine, *context, bits->size(), settings, rng);
  if (!seen) return "no time to look at random games";
  TupleForm form{find_variables(*machine, *bits, *seen), {}};
  if (form.variables.empty()) return "nothing varies but with the clock";
  const std::size_t tuples =
      options.tuples > 0 ? options.tuples : usual_tuple_count(form.variables);
  form.tuples = choose_tuples(*bits, form.variables, tuples, rng);
  ValueShape shape = ValueShape::of(*machine, *seen);
  auto learner = assemble(std::move(machine), *bits, std::move(form), std::move(shape),
                          seen->movers(), options, memory);
  if (learner == nullptr) return kNoMemory;
  return learner;
}

std::variant<std::unique_ptr<Learner>, std::string> Learner::resume(
    std::shared_ptr<const gdl::Machine> machine, const Knowledge& knowledge,
    const LearningOptions& options, gdl::MemoryBudget* memory) {
  const auto bits = StateBits::of(*machine);
  if (!bits) return kNoNetwork;
  auto learner = assemble(std::move(machine), *bits, knowledge.form, knowledge.shape,
                          Movers(knowledge.waits), options, memory);
  if (learner == nullptr) return kNoMemory;
  learner->restore(knowledge);
  return learner;
}

}  // namespace ludens::search
