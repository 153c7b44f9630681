// SPDX-License-Identifier: MIT
#include "agent/reasoner/acceleration.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "gdl/registry/machines.h"
#include "search/registry/registry.h"

namespace ludens::agent {

using search::Deadline;
using search::Position;

namespace {
/// The share of its time for which work waits for the machine if it must not begin without it.
constexpr double kToWait = 0.75;
}  // namespace

/// The machine that is being built.
class Acceleration::Build {
 public:
  Build(std::string kind, std::shared_ptr<gdl::Vocabulary> vocabulary, gdl::MemoryBudget* memory,
        const Deadline& deadline)
      : kind_(std::move(kind)), begun_(std::chrono::steady_clock::now()) {
    const auto build = [this, vocabulary = std::move(vocabulary), memory](const Deadline& until) {
      auto made = gdl::make_machine(kind_, vocabulary, {&until, memory},
                                    [this](auto machine) { deliver(std::move(machine), false); });
      deliver(std::move(made), true);
    };
    try {
      thread_ = std::jthread([this, build](std::stop_token token) {
        try {
          build(Deadline(std::move(token)));
        } catch (const std::exception&) {  // no memory, not even for a longer reason
          deliver(gdl::Error{"not built"}, true);
        }
      });
    } catch (const std::system_error&) {
      build(deadline.share(kToWait));
    }
  }

  /// Calls `f` from the building thread when there is something to take, or now if there already
  /// is.
  void when_news(std::function<void()> f) {
    const std::lock_guard lock(mutex_);
    on_news_ = std::move(f);
    if (news_ && on_news_) on_news_();
  }
  /// Waits until the build ends, or the time does.
  void wait(const Deadline& until) {
    std::unique_lock lock(mutex_);
    if (until.at() == search::TimePoint::max()) {
      ended_.wait(lock, until.token(), [this] { return done_; });
    } else {
      ended_.wait_until(lock, until.token(), until.at(), [this] { return done_; });
    }
  }
  /// Whether there is something that was not taken yet.
  [[nodiscard]] bool news() const { return news_; }

  struct Built {
    std::shared_ptr<const gdl::Machine> machine;  // null: there is none
    std::string summary;                          // for logs
    bool last;                                    // nothing more will come
  };
  /// The newest machine, or why there is none.
  Built take() {
    const std::lock_guard lock(mutex_);
    news_ = false;
    if (!made_) return {nullptr, made_.error().text, done_};
    auto machine = *made_;
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(took_).count();
    std::string summary = "on the " + std::string(machine->name()) + " machine, " +
                          std::to_string(machine->gates()) + " gates, ready after " +
                          std::to_string(ms) + " ms";
    return {std::move(machine), std::move(summary), done_};
  }

 private:
  void deliver(gdl::MachineOrReason made, bool last) {
    const std::lock_guard lock(mutex_);
    if (made || !made_) {  // an early machine stays if the last one could not be built
      made_ = std::move(made);
      took_ = std::chrono::steady_clock::now() - begun_;
    }
    done_ = last;
    news_ = true;
    if (on_news_) on_news_();
    ended_.notify_all();
  }

  const std::string kind_;
  const std::chrono::steady_clock::time_point begun_;
  std::mutex mutex_;
  std::condition_variable_any ended_;
  gdl::MachineOrReason made_{gdl::Error{"not built"}};
  std::chrono::steady_clock::duration took_{};
  std::function<void()> on_news_;
  bool done_ = false;
  std::atomic<bool> news_{false};
  std::jthread thread_;  // last: it uses the rest
};

/// Asks work to stop at news of the build, as long as it lives.
class Acceleration::StopAtNews {
 public:
  StopAtNews(Build& build, std::stop_source& stop) : build_(build) {
    build_.when_news([&stop] { stop.request_stop(); });
  }
  ~StopAtNews() { build_.when_news({}); }
  StopAtNews(const StopAtNews&) = delete;
  StopAtNews& operator=(const StopAtNews&) = delete;

 private:
  Build& build_;
};

Acceleration::Acceleration(const std::string& kind,
                           const std::shared_ptr<gdl::Vocabulary>& vocabulary,
                           gdl::MemoryBudget* memory, const Deadline& deadline)
    : memory_(memory), build_(std::make_unique<Build>(kind, vocabulary, memory, deadline)) {}

Acceleration::~Acceleration() = default;

void Acceleration::wait(const Deadline& until) {
  if (build_ != nullptr) build_->wait(until);
}

std::shared_ptr<const gdl::Machine> Acceleration::machine() {
  adopt();
  return machine_;
}

bool Acceleration::building() {
  adopt();
  return build_ != nullptr;
}

void Acceleration::adopt() {
  if (build_ == nullptr || !build_->news()) return;
  Build::Built result = build_->take();
  if (result.machine != nullptr) {
    machine_ = std::move(result.machine);
    summary_ = std::move(result.summary);
  } else if (machine_ == nullptr) {
    why_not_ = result.summary;
    summary_ = "on the interpreter: " + why_not_;
  }
  if (result.last) build_.reset();
}

void Acceleration::run(const Position& position, const Deadline& deadline, const Work& work) {
  while (true) {
    adopt();
    Position moved = position;
    const bool there = machine_ == nullptr || translate(deadline, moved);
    const Position& here = there ? moved : position;
    if (build_ == nullptr) {
      (void)work(here, deadline);
      return;
    }
    std::stop_source stop;
    std::stop_callback forward(deadline.token(), [&stop] { stop.request_stop(); });
    bool ended = false;
    {
      const StopAtNews listener(*build_, stop);
      ended = work(here, Deadline(deadline.at(), stop.get_token()));
    }
    if (ended || !build_->news() || deadline.stop_requested()) return;
  }
}

/// Moves the position to the faster machine by replaying its history; false if there was no time.
bool Acceleration::translate(const Deadline& deadline, Position& position) const {
  if (position.machine == machine_) return true;
  const auto context = machine_->make_context({&deadline, memory_});
  gdl::State state, next;
  if (machine_->initial(*context, state) != gdl::Status::Ok) return false;
  const std::size_t roles = machine_->role_count();
  for (std::size_t i = 0; i + roles <= position.history.size(); i += roles) {
    const auto joint = std::span(position.history).subspan(i, roles);
    if (machine_->next(*context, state, joint, next) != gdl::Status::Ok) return false;
    std::swap(state, next);
  }
  position.machine = machine_;
  position.state = std::move(state);
  return true;
}

namespace {

class Accelerated final : public search::Strategy {
 public:
  Accelerated(std::unique_ptr<search::Strategy> strategy, std::string kind, bool wait,
              gdl::MemoryBudget* memory)
      : strategy_(std::move(strategy)), kind_(std::move(kind)), wait_(wait), memory_(memory) {}

  [[nodiscard]] std::string_view name() const override { return strategy_->name(); }

  void think(const Position& position, const Deadline& deadline,
             search::Incumbent& incumbent) override {
    if (vocabulary_ !=
        position.machine->vocabulary()) {  // for another game, the old one is useless
      acceleration_.reset();
      vocabulary_ = position.machine->vocabulary();
      acceleration_ = std::make_unique<Acceleration>(kind_, vocabulary_, memory_, deadline);
    }
    if (wait_) acceleration_->wait(deadline.share(kToWait));
    acceleration_->run(position, deadline, [&](const Position& here, const Deadline& until) {
      strategy_->think(here, until, incumbent);
      return false;
    });
  }

  [[nodiscard]] std::string explanation() const override {
    std::string text = strategy_->explanation();
    const std::string summary = acceleration_ == nullptr ? "" : acceleration_->summary();
    if (summary.empty()) return text;
    return text.empty() ? summary : text + "; " + summary;
  }

 private:
  std::unique_ptr<search::Strategy> strategy_;
  const std::string kind_;
  const bool wait_;
  gdl::MemoryBudget* memory_;
  std::shared_ptr<gdl::Vocabulary> vocabulary_;  // of the game that is played
  std::unique_ptr<Acceleration> acceleration_;
};

}  // namespace

std::unique_ptr<search::Strategy> accelerate(std::unique_ptr<search::Strategy> strategy,
                                             const search::StrategySpec& spec,
                                             gdl::MemoryBudget* memory) {
  if (!strategy->looks_ahead()) return strategy;
  const auto found = spec.options.find("machine");
  const std::string machine = found == spec.options.end() ? "auto" : found->second;
  if (machine == "interpreter") return strategy;
  const auto playouts = spec.options.find("playouts");
  const bool stay = playouts != spec.options.end() && playouts->second != "0";
  if (machine == "auto" && stay) return strategy;
  const bool wait = machine != "auto" || search::limited_by_counts(spec);
  return std::make_unique<Accelerated>(std::move(strategy), machine == "auto" ? "sliced" : machine,
                                       wait, memory);
}

}  // namespace ludens::agent
