// SPDX-License-Identifier: MIT
#include "search/value/learning.h"

#include <algorithm>
#include <cstdio>
#include <new>
#include <system_error>

namespace ludens::search::value {

namespace {

using Seconds = std::chrono::duration<double>;
using Clock = std::chrono::steady_clock;

/// If only a stop token ends the time: the time given out at once, and what counts as the whole.
constexpr Seconds kLearningSlice{0.2}, kPondering{10};

}  // namespace

Learning::Learning(const LearningPlan& plan, const Resources& resources, std::uint64_t seed)
    : given_(resources.values),
      store_(resources.knowledge),
      memory_(resources.memory),
      plan_(plan) {
  options_.seed = seed;
  options_.threads = std::max(1U, resources.threads);
}

void Learning::learn(const Position& position, const Deadline& deadline) {
  if (given_) {
    values_ = given_(*position.machine);
    if (values_ != nullptr) return;
  }
  if (position.machine != machine_) use(position.machine);
  if (begun_ && plan_.games != 0) return;
  learn_until(position, share_of(deadline));
}

void Learning::learn_until(const Position& position, const Deadline& end) {
  if (position.machine != machine_) use(position.machine);
  if (!problem_.empty() || end.stop_requested()) return;
  learn_now(end, options_.threads);
  take_snapshot();
}

Learning::Beside::Beside(Learning& learning, const Position& position) {
  if (learning.options_.threads < 2) return;
  if (position.machine != learning.machine_) learning.use(position.machine);
  if (!learning.problem_.empty()) return;
  try {
    thread_ = std::jthread([&learning](const std::stop_token& stop) {
      try {
        learning.learn_now(Deadline(stop), learning.options_.threads - 1);
      } catch (const std::bad_alloc&) {
        learning.problem_ = "memory is used up";
      }
    });
  } catch (const std::system_error&) {  // no thread is available: nothing is learned meanwhile
  }
}

/// Does not change the values.
void Learning::learn_now(const Deadline& end, unsigned threads) {
  const auto begin = Clock::now();
  if (learner_ == nullptr) start(end);
  if (learner_ == nullptr) return;
  (void)learner_->learn(end, {.games = plan_.games, .threads = threads});
  seconds_ += Seconds(Clock::now() - begin).count();
}

void Learning::take_snapshot() {
  begun_ = learner_ != nullptr && learner_->statistics().games > 0;
  if (!begun_) return;
  if (auto snapshot = learner_->snapshot()) values_ = std::move(snapshot);
}

/// States of the previous machine mean nothing to this one, but its fluents have the same names if
/// the game is the same.
void Learning::use(std::shared_ptr<const gdl::Machine> machine) {
  const bool same_game = machine_ != nullptr && machine_->vocabulary() == machine->vocabulary();
  machine_ = std::move(machine);
  values_.reset();
  problem_.clear();
  refused_.clear();
  if (same_game && learner_ != nullptr && begun_) {
    auto made = Learner::resume(machine_, learner_->knowledge(), options_, memory_);
    if (made) {
      learner_ = *std::move(made);
      values_ = learner_->snapshot();
      return;
    }
  }
  learner_.reset();
  begun_ = false;
  seconds_ = 0;
  recalled_ = 0;
}

void Learning::start(const Deadline& deadline) {
  if (store_ != nullptr && recall(deadline)) return;
  auto made = Learner::make(machine_, options_, memory_, deadline);
  if (made) {
    learner_ = *std::move(made);
  } else if (!deadline.stop_requested()) {
    problem_ = made.error().text;
  }
}

bool Learning::recalls(const Position& position, const Deadline& deadline) {
  if (position.machine != machine_) use(position.machine);
  return learner_ != nullptr || (store_ != nullptr && recall(deadline));
}

/// False if nothing valid is stored for the game.
bool Learning::recall(const Deadline& deadline) {
  const gdl::Vocabulary& vocabulary = *machine_->vocabulary();
  const auto names = gdl::canonical_names(vocabulary.rules(), &deadline);
  const std::string bytes = names ? store_->find(names->fingerprint) : std::string();
  if (bytes.empty()) return false;
  const auto knowledge = read_knowledge(bytes, vocabulary, *names);
  if (!knowledge) {
    refused_ = knowledge.error().text;
    return false;
  }
  auto made = Learner::resume(machine_, *knowledge, options_, memory_);
  if (!made) {
    refused_ = made.error().text;
    return false;
  }
  learner_ = *std::move(made);
  recalled_ = learner_->statistics().games;
  return true;
}

Deadline Learning::share_of(const Deadline& deadline) const {
  if (plan_.games != 0) return deadline;
  const auto now = Clock::now();
  const bool ponders = deadline.at() == TimePoint::max();
  const Seconds left = ponders ? kLearningSlice : Seconds(deadline.at() - now);
  const Seconds whole = ponders ? kPondering : left;
  const double missing = 1 - seconds_ / std::max(1e-3, whole.count());
  const Seconds share = std::max(plan_.later, plan_.first * missing) * left;
  return deadline.no_later_than(now + std::chrono::duration_cast<Clock::duration>(share));
}

double Learning::length_of_games() const {
  if (learner_ == nullptr) return 0;
  const LearningStatistics done = learner_->statistics();
  return done.games == 0 ? 0 : static_cast<double>(done.plies) / static_cast<double>(done.games);
}

std::string Learning::explanation() const {
  return (refused_.empty() ? "" : "knowledge refused: " + refused_ + "; ") + source();
}

std::string Learning::source() const {
  if (learner_ == nullptr) {
    return values_ != nullptr ? "values given"
                              : "no values: " + (problem_.empty() ? "no time" : problem_);
  }
  char text[96];
  std::snprintf(text, sizeof text, "values of %llu games in %.1f s",
                static_cast<unsigned long long>(learner_->statistics().games - recalled_),
                seconds_);
  return text + (recalled_ == 0 ? "" : " and " + std::to_string(recalled_) + " of knowledge");
}

}  // namespace ludens::search::value
