// SPDX-License-Identifier: MIT
#include "search/auto/comparison.h"

#include <algorithm>
#include <utility>

#include "search/mcts/mcts.h"
#include "search/strategy/thinking_time.h"

namespace ludens::search {

namespace {

/// With less for the first move of a match, nothing is learned.
constexpr Seconds kLearnedWithin{1};
/// With less time, proof numbers are not raced: the other searches need it.
constexpr Seconds kProofNumbersWithin{30};
/// With less time, values are only raced when all of them are learned.
constexpr Seconds kLookedAtWithin{20};
/// The share of the times of learning and of racing after which one sees whether values are any
/// good.
constexpr double kFirstLook = 0.4;
/// Moves of a role for which values depend on what it could change, where others are no good.
constexpr std::uint32_t kReach = 2;
/// The share of learning in the first thinking time that a race leaves, if values won it.
constexpr double kLearnedOfRest = 0.6;
/// The share of racing in which values that see farther race without others: they gain from the
/// time of a move, and a few matches hardly show it.
constexpr double kRaceAlone = 0.6;
/// The standard errors by which they must be better.
constexpr double kErrorsAlone = 0.5;
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
/// Pairs of matches of searches by values that must have been played before these are given up.
constexpr std::uint32_t kPairsToGiveUp = 3;
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
  racer.title = "mcts with values";
  return racer;
}

Racer value_racer() {
  return {.name = "value", .options = {{"memory", kRacingMemory}}, .bar = kBarOfValues};
}

bool uses_values(const Racer& racer) {
  return racer.name == "value" || racer.options.contains("values");
}

}  // namespace

Comparison::Comparison(const Options& options, const Resources& resources, StrategyFactory make,
                       bool repeatable, gdl::Rng& rng)
    : options_(options),
      make_(make),
      repeatable_(repeatable),
      rng_(rng),
      learning_({}, resources, rng()),
      playouts_("auto", repeatable, make_uniform_search),
      shared_(resources),
      best_{.name = "mcts"} {
  shared_.values = [this](const gdl::Machine& machine) { return learning_.values_of(machine); };
  shared_.playouts = [this](const gdl::Machine& machine) { return playouts_.decision(machine); };
}

void Comparison::forget() {
  compared_ = looked_ = hopeful_ = false;
  best_ = {.name = "mcts"};
}

bool Comparison::best_uses_values() const {
  return uses_values(best_);
}

bool Comparison::learns(const Position& position, Seconds time) const {
  return position.machine->preferred_batch() > 1 && position.machine->role_count() > 1 &&
         !repeatable_ && share("race") > 0 && time >= kLearnedWithin;
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
  double left = 1;  // of the shares of learning and racing
  if (learns(position, time) || learning_.recalls(position, deadline)) {
    if (looks_first(time)) {
      look_at_values(position, plan, time * kFirstLook, deadline);
      left = 1 - kFirstLook;
    }
    learn(position, within(deadline, time * share("learn") * left));
  }
  const Seconds racing = time * share("race") * left;
  const Deadline end = within(deadline, racing);
  const bool alone = looked_ && learning_.values() != nullptr && sees_far(position);
  if (!alone || !win_alone(position, plan, within(deadline, kRaceAlone * racing))) {
    std::vector<Racer> racers{mcts_racer()};
    if (learning_.values() != nullptr && !alone) add_value_racers(position, racers);
    if (plan.measured) racers.push_back({"alphabeta"});
    if (plan.measured && time >= kProofNumbersWithin) racers.push_back(proof_number_racer());
    if (racers.size() > 1) (void)race_between(racers, position, plan, end);
  }
  if (best_uses_values()) {
    learn(position, within(deadline, kLearnedOfRest * time_left(deadline)));
  }
}

/// Whether values depend on what roles can reach.
bool Comparison::sees_far(const Position& position) const {
  return learning_.values_of(*position.machine).machine != nullptr;
}

/// Whether values that were learned anew win.
bool Comparison::win_alone(const Position& position, const AutoPlan& plan, const Deadline& end) {
  Racer mixed = mixed_racer();
  mixed.errors = kErrorsAlone;
  (void)race_between({mcts_racer(), std::move(mixed)}, position, plan, end);
  return best_uses_values();
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
  return !looked_ && time >= kLookedAtWithin && !learning_.recalled();
}

/// Values that win no race are learned anew, from what roles can reach, too: in games of territory
/// they are no good without it, and elsewhere it only costs time.
void Comparison::look_at_values(const Position& position, const AutoPlan& plan, Seconds time,
                                const Deadline& deadline) {
  learn(position, within(deadline, time * share("learn")));
  if (learning_.values() == nullptr) return;
  std::vector<Racer> racers{mcts_racer()};
  add_value_racers(position, racers);
  const std::uint32_t pairs =
      race_between(racers, position, plan, within(deadline, time * share("race")));
  looked_ = !deadline.interrupted();
  if (!looked_ || pairs < kPairsToGiveUp || best_uses_values()) return;
  (void)learning_.look_farther(position, kReach, deadline);
}

void Comparison::compare_again(const Position& position, const AutoPlan& plan, Seconds time,
                               const Deadline& deadline) {
  if (best_uses_values() || !hopeful_) return;
  if (learning_.values_of(*position.machine).function == nullptr) return;
  learn(position, within(deadline, time * share("more")));
  if (learning_.seconds() < 2 * raced_after_) return;
  std::vector<Racer> racers{best_};
  add_value_racers(position, racers);
  (void)race_between(racers, position, plan, within(deadline, time * share("race")));
}

/// Learning continues meanwhile if there are threads for it. Returns the pairs of matches that
/// searches with values have played.
std::uint32_t Comparison::race_between(const std::vector<Racer>& racers, const Position& position,
                                       const AutoPlan& plan, const Deadline& end) {
  raced_after_ = learning_.seconds();
  const double made = static_cast<double>(position.history.size()) /
                      static_cast<double>(position.machine->role_count());
  const double learned = learning_.length_of_games();
  const double whole = learned > 0 ? learned : kShortened * plan.usual_length;
  RaceResult result;
  {
    std::optional<MatchLearning::Beside> beside;
    if (learning_.values() != nullptr) beside.emplace(learning_, position, end);
    result = race(racers, position, std::max(1.0, whole - made), end, make_, shared_, rng_());
  }
  best_ = racers[result.winner];
  if (!result.explanation.empty()) say(result.explanation + ": " + best_.told() + " plays");
  if (std::ranges::any_of(racers, uses_values)) hopeful_ = false;
  std::uint32_t pairs = 0;
  for (std::size_t i = 0; i < result.scores.size(); ++i) {
    if (!uses_values(racers[i])) continue;
    const Score& score = result.scores[i];
    hopeful_ |= score.mean() + 2 * score.standard_error() >= kHopefulScore;
    pairs += score.pairs;
  }
  return pairs;
}

void Comparison::learn(const Position& position, const Deadline& end) {
  learning_.learn_until(position, end);
  say(learning_.explanation());
}

OptionTexts Comparison::options_of_best() const {
  OptionTexts options = best_.options;
  options.erase("memory");  // is that of a race
  return options;
}

}  // namespace ludens::search
