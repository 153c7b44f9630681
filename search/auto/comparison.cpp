// SPDX-License-Identifier: MIT
#include "search/auto/comparison.h"

#include <algorithm>
#include <utility>

#include "search/learning/state_bits.h"
#include "search/mcts/mcts.h"
#include "search/strategy/thinking_time.h"

namespace ludens::search {

namespace {

using Clock = std::chrono::steady_clock;

/// With less for the first move of a match, nothing is learned.
constexpr Seconds kLearnedWithin{1};
/// With less time, proof numbers are not raced: the other searches need it.
constexpr Seconds kProofNumbersWithin{30};
/// With less time, there is no second learning, of values that see farther.
constexpr Seconds kLearnedAnewWithin{20};
/// The first look at values takes this share of the times of learning and of racing. `kOnlyLook`
/// replaces it if the rest of these times could only go to the same values; the look then gets at
/// least the whole times that there are in a thinking time of `kShortestLook`.
constexpr double kFirstLook = 0.4, kOnlyLook = 0.15;
constexpr Seconds kShortestLook{8};
/// With less time, values are only raced when all of them are learned.
constexpr Seconds kLookedAtWithin{8};
/// How many moves ahead values look at reach, if values without reach do not win.
constexpr std::uint32_t kReach = 2;
/// The share of learning in the first thinking time that a race leaves, if values won it.
constexpr double kLearnedOfRest = 0.6;
/// The share of racing in which values that see farther race without others: they gain from the
/// time of a move, and a few matches hardly show it.
constexpr double kRaceFar = 0.6;
/// The standard errors by which they must be better, and the pairs of matches that should show it.
constexpr double kErrorsOfFar = 0.5;
constexpr std::uint32_t kPairsOfFar = 4;
/// MiB of each tree in a race.
constexpr const char* kRacingMemory = "128";
/// Without self-play, the length of a match is estimated from random ones: good players usually win
/// sooner.
constexpr double kShortened = 0.75;
/// With less time, no trial of policies of playouts is worth its while.
constexpr Seconds kShortestPolicyTrial{0.5};
/// The score in a race that values must exceed: with sixteen times the time of a move, they are 100
/// to 300 Elo points weaker against `mcts` in games of lines.
constexpr double kBarOfValues = 0.65;
/// The score of values in a race from which more learning may make them better than the others.
constexpr double kHopefulScore = 0.4;
/// Pairs of matches of searches by values that must have been played before these are doubted.
constexpr std::uint32_t kPairsToDoubt = 3;
/// Standard errors between a score of values and a bar that it surely passes, or misses.
constexpr double kSureOfValues = 2;
/// Their share in the leaves of `mcts`.
constexpr const char* kShareOfValues = "0.5";

Racer mcts_racer() {
  return {.name = "mcts", .options = {{"memory", kRacingMemory}}, .warms_up = true};
}

/// Proof numbers gain much in games like reversi and lose as much where pieces march, and nothing
/// says in advance which these are.
Racer proof_number_racer() {
  Racer racer = mcts_racer();
  racer.options.emplace("pn", "0.5");
  racer.options.emplace("pn_bias", "sum");
  racer.title = "mcts with proof numbers";
  racer.errors = 2;
  return racer;
}

/// The mean of playouts and values: better than either where each knows what the other does not.
Racer mixed_racer() {
  Racer racer = mcts_racer();
  racer.options.emplace("values", kShareOfValues);
  racer.warms_up = false;
  racer.rematch = true;
  racer.title = "mcts with values";
  return racer;
}

Racer value_racer() {
  return {.name = "value",
          .options = {{"memory", kRacingMemory}},
          .bar = kBarOfValues,
          .rematch = true};
}

bool uses_values(const Racer& racer) {
  return racer.name == "value" || racer.options.contains("values");
}

/// The one with the highest score against the first, if it is above a half; otherwise the first.
std::size_t best_guess(const RaceResult& result) {
  std::size_t best = 0;
  double highest = 0.5;
  for (std::size_t i = 0; i < result.scores.size(); ++i) {
    if (result.scores[i].mean() <= highest) continue;
    highest = result.scores[i].mean();
    best = i;
  }
  return best;
}

/// Whether the game is one for matches between two searches.
bool is_for_two(const gdl::Machine& machine) {
  return machine.role_count() == (machine.random_role() ? 3U : 2U);
}

bool surely_win(const RaceResult& result) {
  return result.winner > 0 && result.scores[result.winner].bound(-kSureOfValues) > 0.5;
}

}  // namespace

Comparison::Comparison(const Options& options, const Resources& resources, StrategyFactory make,
                       bool repeatable, gdl::Rng& rng)
    : options_(options),
      make_(make),
      repeatable_(repeatable),
      rng_(rng),
      learning_(std::make_unique<MatchLearning>(LearningPlan{}, resources, rng())),
      playouts_("auto", repeatable, make_uniform_search),
      shared_(resources),
      best_{.name = "mcts"} {
  shared_.values = [this](const gdl::Machine& machine) { return learning_->values_of(machine); };
  shared_.playouts = [this](const gdl::Machine& machine) { return playouts_.decision(machine); };
}

void Comparison::forget() {
  compared_ = looked_ = lost_ = hopeful_ = false;
  near_.reset();
  unfinished_ = {};
  best_ = {.name = "mcts"};
}

bool Comparison::best_uses_values() const {
  return uses_values(best_);
}

bool Comparison::learns(const Position& position, Seconds time) const {
  return position.machine->preferred_batch() > 1 && is_for_two(*position.machine) && !repeatable_ &&
         share("learn") > 0 && share("race") > 0 && time >= kLearnedWithin;
}

void Comparison::compare(const Position& position, const AutoPlan& plan, Seconds time,
                         const Deadline& deadline) {
  if (position.machine->preferred_batch() == 1) return;
  hold(position, plan, time, deadline);
  compared_ = !deadline.interrupted();
}

void Comparison::hold(const Position& position, const AutoPlan& plan, Seconds time,
                      const Deadline& deadline) {
  if (repeatable_ || share("race") == 0) return;
  choose_playouts(position, time, deadline);
  // Others have no races, and without a race nothing uses values.
  if (!is_for_two(*position.machine)) return;
  double left = 1;  // of the share of learning
  raced_ = Seconds{0};
  Seconds racing = time * share("race");
  if (learns(position, time) || learning_->recalls(position, deadline)) {
    if (looks_first(time)) {
      left = 1 - look_at_values(position, plan, time, deadline);
    }
    if (!lost_) {
      const Deadline learned = within(deadline, time * share("learn") * left);
      learn(position, learned);
      // Where much is known already, learning leaves its time.
      if (learning_->values() != nullptr) racing += time_left(learned);
    }
  }
  racing -= raced_;
  const Deadline end = within(deadline, racing);
  if (!far_values_win(position, plan, within(deadline, kRaceFar * racing))) {
    race_all(position, plan, time, end);
  }
  if (best_uses_values()) {
    learn(position, within(deadline, kLearnedOfRest * time_left(deadline)));
  }
}

/// Whether values depend on what roles can reach.
bool Comparison::sees_far(const Position& position) const {
  return learning_->values_of(*position.machine).machine != nullptr;
}

/// Whether values that were learned anew after a first look win against the best search so far.
/// Otherwise those before them come back.
bool Comparison::far_values_win(const Position& position, const AutoPlan& plan,
                                const Deadline& end) {
  if (!looked_ || !sees_far(position)) return false;
  Racer first = best_uses_values() ? best_ : mcts_racer();
  if (near_ != nullptr) {
    (void)near_->recalls(position, end);  // on this machine, which may be a new one
    first.values = [this](const gdl::Machine& machine) { return near_->values_of(machine); };
  }
  Racer mixed = mixed_racer();
  mixed.errors = kErrorsOfFar;
  mixed.rematch = false;
  mixed.pairs = kPairsOfFar;
  mixed.title += " that see far";
  const bool win =
      learning_->values() != nullptr &&
      race_between({std::move(first), std::move(mixed)}, position, plan, end).winner > 0;
  if (end.interrupted()) return false;  // there will be another race
  if (!win && near_ != nullptr) learning_ = std::move(near_);
  near_.reset();
  return win;
}

/// Lets all searches race that suit the game. Values that were learned anew have had their race.
void Comparison::race_all(const Position& position, const AutoPlan& plan, Seconds time,
                          const Deadline& end) {
  std::vector<Racer> racers{mcts_racer()};
  if (learning_->values() != nullptr && !lost_ && !(looked_ && sees_far(position))) {
    add_value_racers(position, racers);
  }
  if (plan.extends_trial) racers.push_back({.name = "alphabeta", .depth_first = true});
  if (plan.extends_trial && time >= kProofNumbersWithin) racers.push_back(proof_number_racer());
  if (racers.size() > 1) race_between(racers, position, plan, end);
}

/// The searches that use values. With reach, `value` is left out: it wins at a few milliseconds and
/// loses at the time of a real move.
void Comparison::add_value_racers(const Position& position, std::vector<Racer>& racers) const {
  if (!sees_far(position)) racers.push_back(value_racer());
  racers.push_back(mixed_racer());
}

/// Chooses the policy of playouts for all searches of the match that make them.
void Comparison::choose_playouts(const Position& position, Seconds time, const Deadline& deadline) {
  const Seconds trial = time * share("policy");
  if (trial < kShortestPolicyTrial || playouts_.decision(*position.machine)) return;
  playouts_.reset(position.machine);
  playouts_.decide(position, within(deadline, trial), shared_.memory);
}

/// Whether there is time to see early whether values are any good, and this is not known yet.
bool Comparison::looks_first(Seconds time) const {
  return !looked_ && time >= kLookedAtWithin && !learning_->recalled();
}

/// If values don't surely win and `value` is not ahead, others are learned that depend on what
/// roles can reach, too: in games of territory values are no good without it, and elsewhere it only
/// costs time. If they don't win, and there is nothing else to learn from, or no time for it, the
/// rest of the time is for the search. Returns the share of the time of learning that it took.
double Comparison::look_at_values(const Position& position, const AutoPlan& plan, Seconds time,
                                  const Deadline& deadline) {
  const bool anew = time >= kLearnedAnewWithin && !sees_far(position);
  auto far = anew ? learning_that_sees_far(position, deadline) : nullptr;
  const bool only = anew && far == nullptr;
  const double taken = only ? std::max(kOnlyLook, kShortestLook / time) : kFirstLook;
  learn(position, within(deadline, time * share("learn") * taken));
  if (learning_->values() == nullptr) return taken;
  std::vector<Racer> racers{mcts_racer()};
  add_value_racers(position, racers);
  const RaceResult result =
      race_between(racers, position, plan, within(deadline, time * share("race") * taken));
  looked_ = !deadline.interrupted();
  std::uint32_t pairs = 0;
  for (const Score& score : result.scores) pairs += score.pairs;
  if (!looked_ || pairs < kPairsToDoubt || surely_win(result)) return taken;
  lost_ = far == nullptr && result.winner == 0;
  const Racer& ahead = racers[best_guess(result)];
  if (far == nullptr || ahead.name == "value") return taken;
  std::swap(learning_, far);
  if (hopeful_) near_ = std::move(far);
  best_ = ahead;
  return taken;
}

/// Null if there is no machine for it, or if what roles can reach tells nothing.
std::unique_ptr<MatchLearning> Comparison::learning_that_sees_far(const Position& position,
                                                                  const Deadline& deadline) {
  Resources resources = shared_;
  resources.values = {};
  auto far = std::make_unique<MatchLearning>(LearningPlan{}, resources, rng_());
  if (!far->look_farther(position, kReach, deadline)) return nullptr;
  const auto bits = StateBits::of(*far->values_of(*position.machine).machine);
  if (!bits->roles_reach_differently()) {
    say("all roles reach the same places");
    return nullptr;
  }
  return far;
}

void Comparison::compare_again(const Position& position, const AutoPlan& plan, Seconds time,
                               const Deadline& deadline) {
  if (best_uses_values() || !hopeful_) return;
  if (learning_->values_of(*position.machine).function == nullptr) return;
  std::vector<Racer> racers{best_};
  add_value_racers(position, racers);
  RaceResult before = std::exchange(unfinished_, {});
  if (before.scores.size() != racers.size()) {
    before = {};
    learn(position, within(deadline, time * share("more")));
    if (learning_->seconds() < 2 * raced_after_) return;
  }
  const double raced_after = raced_after_;
  if (!deadline.interrupted()) {
    const Deadline end = within(deadline, time * share("race") - before.taken);
    before = race_between(racers, position, plan, end, before);
  }
  if (!deadline.interrupted()) return;
  raced_after_ = raced_after;
  hopeful_ = true;
  unfinished_ = std::move(before);
}

/// Learning continues meanwhile if there are threads for it.
RaceResult Comparison::race_between(const std::vector<Racer>& racers, const Position& position,
                                    const AutoPlan& plan, const Deadline& end,
                                    const RaceResult& before) {
  raced_after_ = learning_->seconds();
  const double made = static_cast<double>(position.history.size()) /
                      static_cast<double>(position.machine->role_count());
  const double learned = learning_->length_of_games();
  const double whole = learned > 0 ? learned : kShortened * plan.usual_length;
  const double choices = std::max(1.0, whole - made) * static_cast<double>(plan.choosers);
  RaceResult result;
  const TimePoint begin = Clock::now();
  {
    std::optional<MatchLearning::Beside> beside;
    if (learning_->values() != nullptr) beside.emplace(*learning_, position, end);
    result = race(racers, position, choices, end, make_, shared_, rng_(), before);
  }
  raced_ += Clock::now() - begin;
  best_ = racers[result.winner];
  best_.values = {};
  if (!result.explanation.empty()) say(result.explanation + ": " + best_.label() + " plays");
  if (std::ranges::any_of(racers, uses_values)) hopeful_ = false;
  for (std::size_t i = 0; i < result.scores.size(); ++i) {
    hopeful_ |= uses_values(racers[i]) && result.scores[i].bound(kSureOfValues) >= kHopefulScore;
  }
  return result;
}

void Comparison::learn(const Position& position, const Deadline& end) {
  learning_->learn_until(position, end);
  say(learning_->explanation());
}

OptionTexts Comparison::options_of_best() const {
  OptionTexts options = best_.options;
  options.erase("memory");  // is that of a race
  return options;
}

}  // namespace ludens::search
