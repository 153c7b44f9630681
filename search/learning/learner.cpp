// SPDX-License-Identifier: MIT
#include "search/learning/learner.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "search/learning/growth.h"
#include "search/learning/kinds.h"
#include "search/learning/observations.h"
#include "search/learning/self_play_lanes.h"
#include "search/learning/symmetries.h"
#include "search/learning/tuples.h"
#include "search/learning/variables.h"
#include "search/strategy/work_together.h"

namespace ludens::search {

namespace {

using gdl::Status;

using Parts = ValueFunction::Parts;

/// Weights for one set of tuples, and the games that they learn from. Replaced as a whole when
/// tuples are added.
struct Generation {
  Generation(TupleForm f, std::shared_ptr<const Parts> p, std::uint32_t moves, double rate)
      : form(std::move(f)),
        reach(moves),
        parts(std::move(p)),
        training(parts->layout, parts->shape.tables(), rate) {}

  [[nodiscard]] Knowledge knowledge(const LearningStatistics& statistics) const {
    return {statistics, form, parts->shape, parts->movers.waits(), training.trained(), reach};
  }

  const TupleForm form;
  const std::uint32_t reach;  // as in Knowledge
  const std::shared_ptr<const Parts> parts;
  Training training;
  std::vector<std::unique_ptr<SelfPlayLanes>> lanes;  // [thread]
  std::unique_ptr<gdl::HeldMemory> held;
};

class SelfPlayLearner final : public Learner {
 public:
  SelfPlayLearner(std::shared_ptr<const gdl::Machine> machine, const LearningOptions& options,
                  gdl::MemoryBudget* memory)
      : machine_(std::move(machine)), options_(options), memory_(memory), seeds_(options.seed) {}

  /// False if there is no memory for one thread.
  [[nodiscard]] bool prepare(const StateBits& bits, TupleForm form, ValueShape shape,
                             Movers movers) {
    now_ = make_generation(bits, std::move(form), std::move(shape), std::move(movers));
    if (now_ == nullptr) return false;
    done_.resize(now_->lanes.size());
    plan_growth();
    return true;
  }

  /// Restores the learner that this one continues; nothing may have been learned yet.
  void restore(const Knowledge& knowledge) {
    before_ = knowledge.statistics;
    now_->training.restore(knowledge.weights);
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
    const auto now = current();
    auto held = std::make_unique<gdl::HeldMemory>();
    if (!held->reserve(now->training.weight_count() * sizeof(float), memory_)) return nullptr;
    return std::make_shared<ValueFunction>(now->parts, now->training.copy_of_weights(),
                                           std::move(held));
  }
  [[nodiscard]] LearningStatistics statistics() const override {
    const std::lock_guard lock(mutex_);
    return sum_of_statistics();
  }
  [[nodiscard]] Knowledge knowledge() const override { return current()->knowledge(statistics()); }
  [[nodiscard]] std::string explanation() const override {
    const auto now = current();
    char text[200];
    std::snprintf(text, sizeof text,
                  "%zu variables, %zu tuples in %zu places each%s, %zu counts, %zu values, "
                  "%zu tables of %zu weights",
                  now->form.variables.size(), now->form.tuples.size(), now->form.images(),
                  now->parts->shape.exchanges_roles ? " for both roles" : "",
                  now->form.counts.size(), now->parts->shape.outputs(), now->parts->shape.tables(),
                  now->parts->layout.entries());
    return text;
  }

 private:
  [[nodiscard]] std::shared_ptr<const Generation> current() const {
    const std::lock_guard lock(mutex_);
    return now_;
  }
  [[nodiscard]] LearningStatistics sum_of_statistics() const {
    LearningStatistics all = before_;
    for (const LearningStatistics& done : done_) all += done;
    return all;
  }

  /// With as many threads as there is memory for; null if there is none for one.
  [[nodiscard]] std::shared_ptr<Generation> make_generation(const StateBits& bits, TupleForm form,
                                                            ValueShape shape, Movers movers) {
    TableLayout layout(form);
    auto held = std::make_unique<gdl::HeldMemory>();
    const std::size_t bytes =
        Training::bytes(layout, shape.tables()) + TupleIndex::bytes(form, bits);
    if (!held->reserve(bytes, memory_)) return nullptr;
    auto parts = std::make_shared<const Parts>(
        Parts{TupleIndex(form, bits), std::move(layout), std::move(shape), std::move(movers)});
    auto made = std::make_shared<Generation>(std::move(form), std::move(parts), bits.most_reach(),
                                             options_.rate);
    const std::size_t a_ply = made->parts->index.stride() * sizeof(std::uint16_t) + 16;
    const std::size_t a_thread = options_.games_at_once * options_.most_plies * a_ply;
    auto& lanes = made->lanes;
    while (lanes.size() < options_.threads && (lanes.empty() || leaves_half(a_thread)) &&
           held->reserve(a_thread, memory_)) {
      const std::uint64_t seed = lanes.empty() && now_ == nullptr ? options_.seed : seeds_();
      lanes.push_back(
          std::make_unique<SelfPlayLanes>(*machine_, *made->parts, made->training, options_, seed));
    }
    made->held = std::move(held);
    return lanes.empty() ? nullptr : made;
  }

  /// Whether half of the memory is left to others when a generation takes the place of the one
  /// before.
  [[nodiscard]] bool leaves_half(std::size_t bytes) const {
    const std::size_t given_back = now_ == nullptr ? 0 : now_->held->bytes();
    return memory_ == nullptr || memory_->used() + bytes <= memory_->limit() / 2 + given_back;
  }

  /// Tuples are added when there were enough plies for every weight of a value, as long as twice as
  /// many may fit into a file.
  void plan_growth() {
    const Parts& parts = *now_->parts;
    const std::size_t bytes = parts.shape.tables() * parts.layout.used() * sizeof(TrainedWeight);
    const bool full =
        2 * now_->form.lookup_count() > std::min(options_.most_tuples, kMostLookups) ||
        2 * bytes > kMostKnowledge;
    grows_at_ = full ? std::numeric_limits<std::uint64_t>::max()
                     : options_.plies_per_weight * parts.layout.used() * parts.shape.groups;
  }

  Status play(const Deadline& deadline, const LearningLimits& limits) {
    const std::uint64_t end = limits.games == 0 ? std::numeric_limits<std::uint64_t>::max()
                                                : statistics().games + limits.games;
    while (true) {
      const Status status = play_until(deadline, end, limits.threads);
      const LearningStatistics done = statistics();
      if (status != Status::Ok || done.games >= end || done.plies < grows_at_) return status;
      try {
        grow();
      } catch (const std::bad_alloc&) {  // learns with the tuples that it has
      }
    }
  }

  /// Until `end` games of all threads have ended, or until it is time for more tuples.
  Status play_until(const Deadline& deadline, std::uint64_t end, unsigned most_threads) {
    const std::size_t threads = most_threads == 0
                                    ? now_->lanes.size()
                                    : std::min<std::size_t>(most_threads, now_->lanes.size());
    if (threads == 0) return Status::OverBudget;
    std::vector<Status> ends(threads, Status::Stopped);
    work_together(
        threads, [&](std::size_t i) { ends[i] = play_on(i, deadline, end); }, [] {});
    drop_failed();
    // What one thread has no memory for, another one may have.
    for (const Status status : {Status::Ok, Status::Stopped}) {
      if (std::ranges::find(ends, status) != ends.end()) return status;
    }
    return Status::OverBudget;
  }

  /// One thread's part of it.
  Status play_on(std::size_t thread, const Deadline& deadline, std::uint64_t end) {
    try {
      const auto context = machine_->make_context({&deadline, memory_});
      while (!deadline.stop_requested()) {
        const Status status = now_->lanes[thread]->step(*context);
        if (status != Status::Ok) return status;
        const LearningStatistics done = take_up(thread);
        if (done.games >= end || done.plies >= grows_at_) return Status::Ok;
      }
      return Status::Stopped;
    } catch (const std::bad_alloc&) {
      now_->lanes[thread].reset();  // games are unfinished
      return Status::OverBudget;
    }
  }

  /// Threads whose memory has failed learn no more.
  void drop_failed() {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = now_->lanes.size(); i-- > 0;) {
      if (now_->lanes[i] != nullptr) continue;
      before_ += done_[i];
      now_->lanes.erase(now_->lanes.begin() + static_cast<std::ptrdiff_t>(i));
      done_.erase(done_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  /// Adds what a thread has done. Returns what all have.
  LearningStatistics take_up(std::size_t thread) {
    const std::lock_guard lock(mutex_);
    done_[thread] = now_->lanes[thread]->statistics();
    return sum_of_statistics();
  }

  /// Doubles the tuples, if there are more, the knowledge fits into a file with them, and there is
  /// memory for them. Unfinished games are given up.
  void grow() {
    grows_at_ = std::numeric_limits<std::uint64_t>::max();
    const auto bits = StateBits::of(*machine_);
    Knowledge knowledge = this->knowledge();
    const TupleForm& form = knowledge.form;
    const std::size_t tuples = form.tuples.size();
    gdl::Rng rng(tuples);  // all learners that began with one form add the same
    add_untrained_tuples(knowledge, *bits, form.lookup_count() / form.images(), rng);
    if (form.tuples.size() == tuples || !fits_into_a_file(knowledge, *machine_->vocabulary())) {
      return;
    }
    auto grown = make_generation(*bits, knowledge.form, knowledge.shape, Movers(knowledge.waits));
    if (grown == nullptr || grown->lanes.size() < now_->lanes.size()) return;
    grown->training.restore(knowledge.weights);
    std::vector<LearningStatistics> done(grown->lanes.size());
    const std::lock_guard lock(mutex_);
    before_ = sum_of_statistics();
    done_.swap(done);
    now_.swap(grown);
    plan_growth();
  }

  std::shared_ptr<const gdl::Machine> machine_;
  LearningOptions options_;
  gdl::MemoryBudget* memory_;
  gdl::Rng seeds_;
  std::uint64_t grows_at_ = 0;  // plies of self-play

  mutable std::mutex mutex_;
  // Guarded by it:
  std::shared_ptr<Generation> now_;
  LearningStatistics before_;  // of the learner that this one continues, and of earlier generations
  std::vector<LearningStatistics> done_;  // [thread]
};

/// Creates a learner that is ready to learn; null if there is not enough memory.
std::unique_ptr<SelfPlayLearner> assemble(std::shared_ptr<const gdl::Machine> machine,
                                          const StateBits& bits, const Knowledge& knowledge,
                                          const LearningOptions& options,
                                          gdl::MemoryBudget* memory) {
  auto learner = std::make_unique<SelfPlayLearner>(std::move(machine), options, memory);
  const bool ready =
      learner->prepare(bits, knowledge.form, knowledge.shape, Movers(knowledge.waits));
  return ready ? std::move(learner) : nullptr;
}

/// Adds up to `count` tuples, fewer if the knowledge has to fit into a file. False if not even one
/// does.
bool add_first_tuples(Knowledge& knowledge, const StateBits& bits,
                      const gdl::Vocabulary& vocabulary, std::size_t count, bool for_a_file,
                      gdl::Rng& rng) {
  for (; count > 0; count /= 2) {
    add_tuples(knowledge.form, bits, count, rng);
    if (!for_a_file || fits_into_a_file(knowledge, vocabulary)) return true;
    knowledge.form.tuples.clear();
  }
  return false;
}

/// A count may take the place of one tuple in this many.
constexpr std::size_t kTuplesPerCount = 4;
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
  Knowledge first;
  TupleForm& form = first.form;
  form.variables = find_variables(*machine, *bits, *seen);
  if (form.variables.empty()) return gdl::Error{"nothing varies but with the clock"};
  const std::size_t tuples =
      options.tuples > 0 ? options.tuples : usual_tuple_count(form.variables);
  form.counts = find_kinds(*machine->vocabulary(), *bits, form.variables, tuples / kTuplesPerCount);
  first.shape = ValueShape::of(*machine, *seen);
  first.waits = seen->movers().waits();
  find_symmetries(*machine, *context, *bits, *seen, first.shape.may_exchange_roles(), rng, form);
  if (deadline.stop_requested()) return gdl::Error{"no time to look for symmetries"};
  if (!form.exchange.empty()) first.shape.exchange_roles();
  const std::size_t others = form.counts.size() + 1;  // mobility is one
  const std::size_t count = std::max<std::size_t>(1, (tuples - others) / form.images());
  const gdl::Vocabulary& vocabulary = *machine->vocabulary();
  if (!add_first_tuples(first, *bits, vocabulary, count, options.for_a_file, rng)) {
    return gdl::Error{"what is learned would not fit into a file: there would be " +
                      std::to_string(first.shape.tables()) + " tables of weights"};
  }
  auto learner = assemble(std::move(machine), *bits, first, options, memory);
  if (learner == nullptr) return gdl::Error{kNoMemory};
  return learner;
}

gdl::Result<std::unique_ptr<Learner>> Learner::resume(std::shared_ptr<const gdl::Machine> machine,
                                                      const Knowledge& knowledge,
                                                      const LearningOptions& options,
                                                      gdl::MemoryBudget* memory) {
  const auto bits = StateBits::of(*machine);
  if (!bits) return gdl::Error{kNoNetwork};
  if (knowledge.reach != bits->most_reach()) {
    return gdl::Error{"its values depend on what roles can reach by " +
                      std::to_string(knowledge.reach) + " moves, not by " +
                      std::to_string(bits->most_reach())};
  }
  auto learner = assemble(std::move(machine), *bits, knowledge, options, memory);
  if (learner == nullptr) return gdl::Error{kNoMemory};
  learner->restore(knowledge);
  return learner;
}

}  // namespace ludens::search
