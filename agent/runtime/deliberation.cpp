// SPDX-License-Identifier: MIT
#include "agent/runtime/deliberation.h"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <utility>

#include "agent/knowledge/knowledge_files.h"
#include "agent/reasoner/acceleration.h"
#include "agent/runtime/match_log.h"
#include "search/hidden/known_position.h"
#include "search/registry/registry.h"
#include "search/strategy/stated_choice.h"

namespace ludens::agent {
namespace {

using std::chrono::milliseconds;

/// A strategy returns within 5 ms of the request; under load it may take longer until that is
/// noticed.
constexpr milliseconds kGrace{500};
constexpr milliseconds kShortestGrace{100};
constexpr std::size_t kAbandonedPerMatch = 2;
constexpr unsigned kFailuresInARow = 3;
constexpr std::size_t kLongestExplanation = 400;

/// Whether a choice for one position is also valid for the other. Knowledge is compared, too,
/// because the same history may be assumed for different percepts.
bool same(const search::Position& one, const search::Position& other) {
  return one.history == other.history && one.known == other.known;
}

}  // namespace

Deliberation::Deliberation(Environment& environment, const ThinkingOptions& options,
                           std::string match, const std::string& peer,
                           std::shared_ptr<gdl::MemoryBudget> memory)
    : environment_(environment),
      options_(options),
      match_(std::move(match)),
      owner_(environment.retired.new_owner(peer)),
      memory_(std::move(memory)) {}

void Deliberation::think(search::Position position, TimePoint until, Enough enough) {
  begin(std::move(position), until, std::move(enough));
}

void Deliberation::ponder(search::Position position) {
  begin(std::move(position), std::nullopt, {});
}

void Deliberation::begin(search::Position position, std::optional<TimePoint> until, Enough enough) {
  stop(until);
  std::optional<search::Choice> known;
  if (task_ && same(task_->position, position)) known = task_->incumbent->get();
  const bool wanted = !known || !known->is_last() || options_.repeatable;
  const unsigned number = ++numbers_;
  auto listener = [line = environment_.line, weak = weak_from_this(), number,
                   wait = options_.repeatable](bool last) {
    if (!last || wait) return;
    line->post([weak, number] {
      if (const auto self = weak.lock()) self->on_enough(number);
    });
  };
  auto incumbent = std::make_shared<search::Incumbent>(std::move(listener));
  if (known) incumbent->publish(std::move(*known));
  task_ = Task{number, std::move(position), until, std::move(incumbent), std::move(enough), wanted};
  if (!wanted) return;
  explanation_.clear();
  launch();
}

void Deliberation::launch() {
  const unsigned number = task_->number;
  if (!have_thinker()) {
    environment_.line->post([weak = weak_from_this(), number] {
      if (const auto self = weak.lock()) self->on_enough(number);
    });
    return;
  }
  std::optional<search::TimePoint> deadline;
  if (task_->until) {
    deadline = std::chrono::steady_clock::now() + (*task_->until - environment_.clock.now());
  }
  thinker_->think(task_->position, deadline, task_->incumbent,
                  [line = environment_.line, weak = weak_from_this(), number](Thought thought) {
                    line->post([weak, number, thought = std::move(thought)] {
                      if (const auto self = weak.lock()) self->on_thought(number, thought);
                    });
                  });
}

bool Deliberation::have_thinker() {
  if (thinker_ != nullptr) return true;
  if (failures_ >= kFailuresInARow) return false;
  const RetiredThreads& retired = environment_.retired;
  if (retired.abandoned(owner_) >= kAbandonedPerMatch || retired.crowded()) {
    environment_.log->error("match={} no strategy: too many abandoned threads still run", match_);
    return false;
  }
  try {
    thinker_ = std::make_unique<Thinker>(maker());
  } catch (const std::exception& failure) {  // the system has no more threads, or no memory
    environment_.log->error("match={} no strategy: {}", match_, failure.what());
  }
  return thinker_ != nullptr;
}

Thinker::Make Deliberation::maker() const {
  return [make = options_.make_strategy, spec = options_.strategy, memory = memory_,
          threads = options_.threads] {
    const search::Resources resources{
        .threads = threads, .memory = memory.get(), .knowledge = knowledge_of(spec)};
    if (make) return make(spec, resources);
    auto made = search::make_strategy(spec, resources);
    return accelerate(std::move(made).value(), spec, memory.get());
  };
}

void Deliberation::on_thought(unsigned number, const Thought& thought) {
  if (thought.lag >= kShortestGrace) {
    environment_.log->warn("match={} the strategy took {} ms to stop; {}", match_,
                           std::chrono::duration_cast<milliseconds>(thought.lag).count(),
                           printable(thought.explanation, kLongestExplanation));
  }
  if (thought.failed) {
    ++failures_;
    environment_.log->error("match={} the strategy failed: {}", match_,
                            thought.problem.empty() ? "there is none" : thought.problem);
    if (failures_ >= kFailuresInARow && thinker_ != nullptr) {
      environment_.log->error("match={} going on without strategy", match_);
      environment_.retired.take_ending(thinker_->release(), owner_);
      thinker_.reset();
    }
  } else {
    failures_ = 0;
    if (task_ && task_->number == number) explanation_ = thought.explanation;
  }
  on_enough(number);
}

void Deliberation::on_enough(unsigned number) {
  if (!task_ || task_->number != number || !task_->enough) return;
  const Enough enough = std::exchange(task_->enough, {});
  enough();
}

void Deliberation::stop(std::optional<TimePoint> needed) {
  if (task_) task_->wanted = false;
  if (thinker_ == nullptr) return;
  thinker_->stop();
  TimePoint::duration grace = kGrace;
  if (needed) {
    const TimePoint::duration quarter = (*needed - environment_.clock.now()) / 4;
    grace = std::clamp<TimePoint::duration>(quarter, kShortestGrace, kGrace);
  }
  if (!watch_) watch(grace);
}

void Deliberation::watch(TimePoint::duration grace) {
  const unsigned suspect = thinker_->unresponsive();
  if (suspect == 0) return;
  watch_ = environment_.scheduler.at(environment_.clock.now() + grace,
                                     [weak = weak_from_this(), suspect] {
                                       if (const auto self = weak.lock()) self->on_watch(suspect);
                                     });
}

void Deliberation::on_watch(unsigned suspect) {
  watch_.reset();
  if (thinker_ == nullptr) return;
  const unsigned now = thinker_->unresponsive();
  if (now != 0 && now != suspect) watch(kShortestGrace);
  if (now != suspect) return;
  environment_.log->error("match={} the strategy did not stop when told to: abandoned", match_);
  environment_.retired.take(thinker_->release(), owner_);
  thinker_.reset();
  if (task_ && task_->wanted) launch();
}

void Deliberation::leave() {
  if (watch_) environment_.scheduler.cancel(*watch_);
  watch_.reset();
  if (thinker_ != nullptr) environment_.retired.take_ending(thinker_->release(), owner_);
  thinker_.reset();
  task_.reset();
}

std::optional<search::Choice> Deliberation::choice() const {
  if (!task_) return std::nullopt;
  auto choice = task_->incumbent->get();
  if (!choice) return std::nullopt;
  search::hidden::forget_proofs(task_->position, *choice);
  return search::stated(*std::move(choice), task_->position.machine->vocabulary()->rules().goals);
}

}  // namespace ludens::agent
