#include "search/value/learning.h"

#include <algorithm>
#include <cstdio>

namespace ludens::search::value {

namespace {

using Seconds = std::chrono::duration<double>;
using Clock = std::chrono::steady_clock;

/// What counts as the time where only a stop token ends it.
constexpr Seconds kSlice{0.2};

}  // namespace

Learning::Learning(const LearningPlan& plan, const Resources& resources, std::uint64_t seed)
    : given_(resources.values), memory_(resources.memory), seed_(seed), plan_(plan) {}

void Learning::learn(const Position& position, const Deadline& deadline) {
  if (given_) {
    values_ = given_(*position.machine);
    if (values_ != nullptr) return;
  }
  if (position.machine != machine_) {
    machine_ = position.machine;
    values_.reset();
    learner_.reset();
    problem_.clear();
    begun_ = false;
    seconds_ = 0;
  }
  if (!problem_.empty() || (begun_ && plan_.games != 0)) return;
  const Deadline end = share_of(deadline);
  if (end.stop_requested()) return;
  const auto begin = Clock::now();
  if (learner_ == nullptr) start(position, end);
  if (learner_ == nullptr) return;
  (void)learner_->learn(end, plan_.games);
  seconds_ += Seconds(Clock::now() - begin).count();
  begun_ = learner_->statistics().games > 0;
  if (begun_) values_ = learner_->snapshot();
}

void Learning::start(const Position& position, const Deadline& deadline) {
  LearningOptions options;
  options.seed = seed_;
  auto made = Learner::make(position.machine, options, memory_, deadline);
  if (auto* problem = std::get_if<std::string>(&made)) {
    if (!deadline.stop_requested()) problem_ = std::move(*problem);
    return;
  }
  learner_ = std::get<std::unique_ptr<Learner>>(std::move(made));
}

Deadline Learning::share_of(const Deadline& deadline) const {
  if (plan_.games != 0) return deadline;
  const auto now = Clock::now();
  const Seconds left = deadline.at() == TimePoint::max() ? kSlice : Seconds(deadline.at() - now);
  const Seconds share = (begun_ ? plan_.later : plan_.first) * left;
  return deadline.no_later_than(now + std::chrono::duration_cast<Clock::duration>(share));
}

std::string Learning::explanation() const {
  if (learner_ == nullptr) {
    return values_ != nullptr ? "values given"
                              : "no values: " + (problem_.empty() ? "no time" : problem_);
  }
  char text[96];
  std::snprintf(text, sizeof text, "values of %llu games in %.1f s",
                static_cast<unsigned long long>(learner_->statistics().games), seconds_);
  return text;
}

}  // namespace ludens::search::value
