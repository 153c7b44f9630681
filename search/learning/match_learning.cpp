// SPDX-License-Identifier: MIT
#include "search/learning/match_learning.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <system_error>
#include <tuple>

#include "search/learning/reach.h"

namespace ludens::search {

namespace {

using Clock = std::chrono::steady_clock;

/// What counts as the whole of the time if only a stop token ends it.
constexpr Seconds kPondering{10};

/// How many times as long as an attempt to begin that failed another one may last at least.
constexpr double kMuchLonger = 2;

/// Learning does not pay if more than so many times as much time went into what is known already.
constexpr double kMuchKnown = 20;

}  // namespace

MatchLearning::MatchLearning(const LearningPlan& plan, const Resources& resources,
                             std::uint64_t seed)
    : given_(resources.values),
      store_(resources.knowledge),
      memory_(resources.memory),
      plan_(plan),
      reach_(plan.reach) {
  options_.seed = seed;
  options_.threads = std::max(1U, resources.threads);
}

void MatchLearning::prepare(const Position& position, const Deadline& deadline) {
  given_values_ = take_given(position.machine);
  if (!given_values_) (void)turn_to(position, deadline);
}

/// False if nothing was learned elsewhere.
bool MatchLearning::take_given(const std::shared_ptr<const gdl::Machine>& machine) {
  if (!given_) return false;
  LearnedValues given = given_(*machine);
  // A search that asks for reach does not take values without it.
  if (given.function == nullptr || (given.machine == nullptr && reach_ > 0)) return false;
  forget();
  values_ = std::move(given.function);
  wide_ = std::move(given.machine);
  machine_ = machine;
  ready_ = true;
  return true;
}

std::optional<Position> MatchLearning::widened(const Position& position,
                                               const Deadline& deadline) const {
  if (wide_ == nullptr || machine_ != position.machine) return std::nullopt;
  return position_on(wide_, position, {&deadline, memory_});
}

bool MatchLearning::learn(const Position& position, const Deadline& deadline, Seconds turn) {
  if (given_values_ || !use(position.machine, deadline)) return false;
  if (begun_ && plan_.games != 0) return false;
  return learn_until(position, share_of(deadline, turn));
}

bool MatchLearning::learn_until(const Position& position, const Deadline& end) {
  if (!turn_to_learn(position, end) || end.stop_requested()) return false;
  const std::uint64_t before = plies();
  learn_now(end, options_.threads);
  take_snapshot();
  return begun_ && plies() > before;
}

MatchLearning::Beside::Beside(MatchLearning& learning, const Position& position,
                              const Deadline& deadline) {
  if (learning.options_.threads < 2) return;
  // What is recalled changes the values: not in the other thread.
  if (!learning.turn_to_learn(position, deadline)) return;
  try {
    thread_ = std::jthread([&learning](const std::stop_token& stop) {
      try {
        learning.learn_now(Deadline(stop), learning.options_.threads - 1);
      } catch (const std::bad_alloc&) {
        learning.give_up("memory is used up");
      } catch (const std::exception& problem) {
        learning.give_up(problem.what());
      }
    });
  } catch (const std::system_error&) {  // no thread is available: nothing is learned meanwhile
  }
}

/// Learns no more, and says why; also where there is no memory to say it.
void MatchLearning::give_up(const char* why) noexcept {
  try {
    problem_ = why;
  } catch (const std::bad_alloc&) {
    problem_ = "no memory";  // so short that it takes none
  }
}

/// Does not change the values.
void MatchLearning::learn_now(const Deadline& end, unsigned threads) {
  const auto begin = Clock::now();
  if (learner_ == nullptr) start(end);
  if (learner_ != nullptr) {
    (void)learner_->learn(end, {.games = plan_.games, .threads = threads});
  }
  seconds_ += Seconds(Clock::now() - begin).count();
}

void MatchLearning::take_snapshot() {
  begun_ = learner_ != nullptr && learner_->statistics().games > 0;
  if (!begun_) return;
  if (auto snapshot = learner_->snapshot()) values_ = std::move(snapshot);
}

/// False if the machine can't be used yet.
bool MatchLearning::use(const std::shared_ptr<const gdl::Machine>& machine,
                        const Deadline& deadline) {
  if (machine_ != machine) turn_to_machine(machine);
  if (ready_) return true;
  if (reach_ > 0) {
    if (is_too_short(deadline)) return false;
    const auto begin = Clock::now();
    if (!widen(reach_, deadline) && deadline.stop_requested()) {
      const Seconds taken = Clock::now() - begin;
      note_too_short(taken);
      seconds_ += taken.count();
      return false;
    }
  }
  ready_ = true;
  if (begun_) resume();
  return true;
}

void MatchLearning::turn_to_machine(const std::shared_ptr<const gdl::Machine>& machine) {
  if (vocabulary_ != machine->vocabulary()) {
    vocabulary_ = machine->vocabulary();
    reach_ = plan_.reach;
    begun_ = false;
  }
  if (!begun_) {
    forget();
    asked_store_ = false;
  }
  machine_ = machine;
  ready_ = false;
  too_short_ = Seconds(0);
  wide_.reset();
  values_.reset();
  problem_.clear();
  refused_.clear();
}

/// States of the previous machine mean nothing to this one, but its fluents have the same names if
/// the game is the same.
void MatchLearning::resume() {
  const Knowledge known = learner_->knowledge();
  learner_.reset();  // there may be no memory for two
  begun_ = false;
  auto made = Learner::resume(learned_on(), known, options_, memory_);
  if (made) {
    learner_ = *std::move(made);
    begun_ = true;
    values_ = learner_->snapshot();
  } else {
    forget();
    asked_store_ = false;
  }
}

/// Whether less time is left than an attempt to begin needs that ended too early before.
bool MatchLearning::is_too_short(const Deadline& deadline) const {
  const bool has_clock = deadline.at() != TimePoint::max();
  return has_clock && time_left(deadline) < kMuchLonger * too_short_;
}

void MatchLearning::note_too_short(Seconds taken) {
  too_short_ = std::max(too_short_, taken);
}

/// Forgets what was learned in this match.
void MatchLearning::forget() {
  learner_.reset();
  values_.reset();
  problem_.clear();
  refused_.clear();
  begun_ = false;
  seconds_ = 0;
  recalled_ = {};
}

/// Makes the machine with what roles can reach. False, and nothing changes, if there is none.
bool MatchLearning::widen(std::uint32_t moves, const Deadline& deadline) {
  auto made = with_reach(machine_, moves, memory_, deadline);
  reach_refused_ = made ? std::string() : made.error().text;
  if (!made) return false;
  wide_ = *std::move(made);
  reach_ = moves;
  return true;
}

bool MatchLearning::look_farther(const Position& position, std::uint32_t moves,
                                 const Deadline& deadline) {
  if (reach_ >= moves || !use(position.machine, deadline) || !widen(moves, deadline)) return false;
  forget();
  return true;
}

/// Makes a learner. An attempt that the time ends leaves nothing: another one needs more.
void MatchLearning::start(const Deadline& deadline) {
  if (is_too_short(deadline)) return;
  const auto begin = Clock::now();
  auto made = Learner::make(learned_on(), options_, memory_, deadline);
  if (made) {
    learner_ = *std::move(made);
  } else if (deadline.stop_requested()) {
    note_too_short(Clock::now() - begin);
  } else {
    problem_ = made.error().text;
  }
}

bool MatchLearning::recalls(const Position& position, const Deadline& deadline) {
  return turn_to(position, deadline) && learner_ != nullptr;
}

/// Uses the position's machine, and what is stored about its game. False if the machine can't be
/// used yet.
bool MatchLearning::turn_to(const Position& position, const Deadline& deadline) {
  if (!use(position.machine, deadline)) return false;
  if (learner_ == nullptr) recall(deadline);
  return true;
}

/// The same, and false if nothing can be learned, or if it does not pay.
bool MatchLearning::turn_to_learn(const Position& position, const Deadline& end) {
  return turn_to(position, end) && problem_.empty() && pays(end);
}

/// Whether learning until then adds much to what is known from earlier matches.
bool MatchLearning::pays(const Deadline& end) const {
  const bool has_clock = end.at() != TimePoint::max();
  return !has_clock || time_left(end).count() * kMuchKnown >= recalled_.seconds;
}

/// Continues with what is stored about the game, which is asked for once.
void MatchLearning::recall(const Deadline& deadline) {
  if (store_ == nullptr || asked_store_) return;
  const auto names = gdl::canonical_names(machine_->vocabulary()->rules(), &deadline);
  if (!names) return;
  asked_store_ = true;
  const std::string bytes = store_->find(names->fingerprint);
  if (bytes.empty()) return;
  const auto before = std::tuple(wide_, reach_, reach_refused_);
  const auto why = go_on_from(bytes, *names, deadline);
  refused_ = why.value_or("");
  if (why) std::tie(wide_, reach_, reach_refused_) = before;
}

/// Makes a learner of the bytes of a file, on a machine that reaches as far. Returns why there is
/// none, as a sentence.
std::optional<std::string> MatchLearning::go_on_from(const std::string& bytes,
                                                     const gdl::CanonicalNames& names,
                                                     const Deadline& deadline) {
  // The names of what roles can reach come with the machine that says it.
  const auto reach = reach_of_knowledge(bytes, names);
  if (!reach) return reach.error().text;
  if (*reach != reach_ && *reach > 0 && !widen(*reach, deadline)) {
    if (deadline.stop_requested()) asked_store_ = false;  // there was no time for it
    return reach_refused_;
  }
  const auto knowledge = read_knowledge(bytes, *machine_->vocabulary(), names);
  if (!knowledge) return knowledge.error().text;
  auto made = Learner::resume(learned_on(), *knowledge, options_, memory_);
  if (!made) return made.error().text;
  learner_ = *std::move(made);
  recalled_ = learner_->statistics();
  take_snapshot();
  return std::nullopt;
}

Deadline MatchLearning::share_of(const Deadline& deadline, Seconds turn) const {
  if (plan_.games != 0) return deadline;
  const bool ponders = deadline.at() == TimePoint::max();
  const Seconds left = ponders ? turn : time_left(deadline);
  const Seconds whole = ponders ? kPondering : left;
  const double missing = 1 - seconds_ / std::max(1e-3, whole.count());
  const Seconds share = std::max(plan_.later, plan_.first * missing) * left;
  return within(deadline, share);
}

double MatchLearning::length_of_games() const {
  if (learner_ == nullptr) return 0;
  const LearningStatistics done = learner_->statistics();
  return done.games == 0 ? 0 : static_cast<double>(done.plies) / static_cast<double>(done.games);
}

std::string MatchLearning::explanation() const {
  return (refused_.empty() ? "" : "knowledge refused: " + refused_ + "; ") + source() +
         (reach_refused_.empty() ? "" : ", without reach: " + reach_refused_);
}

std::string MatchLearning::source() const {
  if (learner_ == nullptr) {
    return values_ != nullptr ? "values given"
                              : "no values: " + (problem_.empty() ? "no time" : problem_);
  }
  const std::uint64_t known = recalled_.games, learned = learner_->statistics().games - known;
  std::string games;
  if (known == 0 || learned > 0) {
    char text[96];
    std::snprintf(text, sizeof text, "%llu games in %.1f s",
                  static_cast<unsigned long long>(learned), seconds_);
    games = text;
  }
  if (known > 0) {
    games += (games.empty() ? "" : " and ") + std::to_string(known) + " games of knowledge";
  }
  return "values of " + games +
         (wide_ == nullptr ? "" : " that see " + std::to_string(reach_) + " moves far");
}

}  // namespace ludens::search
