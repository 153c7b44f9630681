// SPDX-License-Identifier: MIT
#include "search/auto/auto.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "search/auto/hidden_play.h"
#include "search/auto/part.h"
#include "search/auto/plan.h"
#include "search/auto/proofs.h"
#include "search/auto/race.h"
#include "search/mcts/mcts.h"
#include "search/mcts/playout_policy.h"
#include "search/strategy/first_choice.h"
#include "search/value/learning.h"

namespace ludens::search {

namespace {

using Seconds = std::chrono::duration<double>;

/// What counts as the whole time if only a stop token ends it.
constexpr Seconds kUnlimited{5};
constexpr Seconds kLongestAnalysis{1};
constexpr Seconds kLongestBounded{0.5};
/// A slice of pondering, which has a turn of learning and a turn of searching.
constexpr Seconds kPonderedSlice{1};
/// With less for the first move of a match, nothing is learned.
constexpr Seconds kLearnedWithin{1};
/// With less time, proof numbers are not raced: the other searches need it.
constexpr Seconds kProofNumbersWithin{30};
/// The share of learning in the first thinking time that a race leaves, if values won it.
constexpr double kLearnedOfRest = 0.6;
/// The share of the first thinking time in which an equilibrium is looked for.
constexpr double kEquilibrium = 0.2;
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
/// States that a tree search may visit for each playout of `playouts`.
constexpr std::uint64_t kStatesPerPlayout = 10;

TimePoint after(Seconds seconds) {
  return std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(seconds);
}

Seconds time_left(const Deadline& deadline) {
  if (deadline.at() == TimePoint::max()) return kUnlimited;
  return std::max(Seconds(0), Seconds(deadline.at() - std::chrono::steady_clock::now()));
}

Racer mcts_racer() {
  return {.name = "mcts", .options = {{"memory", kRacingMemory}}, .warms_up = true};
}

/// `mcts` with proof numbers. They gain much in games like reversi and lose as much where pieces
/// march, and nothing says in advance which these are.
void add_proof_numbers(OptionTexts& options) {
  options.emplace("pn", "0.5");
  options.emplace("pn_bias", "sum");
}

Racer proof_number_racer() {
  Racer racer = mcts_racer();
  add_proof_numbers(racer.options);
  racer.title = "mcts with proof numbers";
  racer.errors = 2;
  return racer;
}

Racer value_racer() {
  return {.name = "value", .options = {{"memory", kRacingMemory}}, .bar = kBarOfValues};
}

/// A line of play that was found once, and is followed as long as the game follows it.
struct KnownLine {
  std::vector<gdl::MoveId> moves;  // from the initial state, stored contiguously
  double value = -1;               // the guaranteed value of its end
  bool exact = false;              // and nothing is better
};

class Auto final : public Strategy {
 public:
  Auto(const Options& options, const Resources& resources, StrategyFactory make);
  [[nodiscard]] std::string_view name() const override { return "auto"; }
  void think(const Position& position, const Deadline& deadline, Incumbent& incumbent) override;
  [[nodiscard]] std::string explanation() const override { return explanation_; }

 private:
  void look_at(const Position& position);
  void make_plan(const Position& position, const Deadline& deadline);
  bool follow_line(const Position& position, Incumbent& incumbent);
  bool look_for_a_win(const Position& position, const Deadline& deadline, Incumbent& incumbent);
  bool search_fully(const Position& position, const Deadline& deadline, Incumbent& incumbent);
  bool solve_game(const Position& position, const Deadline& deadline, Incumbent& incumbent);
  bool play_equilibrium(const Position& position, const Deadline& deadline, Incumbent& incumbent);
  void put_off_solving(double made);
  static void publish_unproved(Choice choice, Incumbent& incumbent);
  void search_alone(const Position& position, const Deadline& deadline, Incumbent& incumbent);
  bool adopt(const Position& position, std::string_view by, Choice choice, Incumbent& incumbent);
  [[nodiscard]] static double plies_made(const Position& position) {
    return static_cast<double>(position.history.size()) /
           static_cast<double>(position.machine->role_count());
  }
  [[nodiscard]] bool will_finish(const Position& position, const Choice& trial, Seconds taken);
  void compare(const Position& position, const Deadline& deadline);
  void choose_playouts(const Position& position, const Deadline& deadline);
  void hold_comparison(const Position& position, const Deadline& deadline);
  void compare_again(const Position& position, const Deadline& deadline);
  void hold_race(const Position& position, std::span<const Racer> racers, const Deadline& end);
  void keep_proof_numbers(bool keep);
  [[nodiscard]] bool learns(const Position& position) const;
  bool search_by_evaluation(const Position& position, const Deadline& deadline,
                            Incumbent& incumbent);
  void search_on(std::optional<Part>& slot, std::string_view name, const Position& position,
                 const Deadline& deadline, Incumbent& incumbent);
  void search_by_values(const Position& position, const Deadline& deadline, Incumbent& incumbent);
  void learn(const Position& position, const Deadline& end);
  void remember_line(const Position& position, const Choice& choice);

  Part& part(std::optional<Part>& slot, std::string_view name);
  [[nodiscard]] double share_of(std::string_view option) const {
    return static_cast<double>(options_.count(option)) / 100;
  }
  [[nodiscard]] Seconds share(std::string_view option) const { return time_ * share_of(option); }
  [[nodiscard]] Deadline within(const Deadline& deadline, Seconds seconds) const {
    return repeatable() ? deadline : deadline.no_later_than(after(seconds));
  }
  /// With a cap on playouts, all parts are limited by counts instead of time.
  [[nodiscard]] bool repeatable() const { return options_.count("playouts") != 0; }
  [[nodiscard]] double threshold() const {
    return static_cast<double>(options_.count("threshold"));
  }
  void say(const std::string& text) { explanation_ += (explanation_.empty() ? "" : "; ") + text; }

  Options options_;
  Resources resources_;
  StrategyFactory make_;
  gdl::Rng rng_;
  value::Learning learning_;
  mcts::PlayoutPolicyChoice playouts_{"auto", repeatable(), make_uniform_search};
  std::optional<Part> bounded_, retrograde_, full_, mcts_, value_;
  HiddenPlay hidden_;

  // For the match.
  std::shared_ptr<gdl::Vocabulary> game_;
  AutoPlan plan_;
  bool analysed_ = false;
  bool compared_ = false;
  std::string best_ = "mcts";   // the search that gets the rest of the time of each move
  bool proof_numbers_ = false;  // whether `mcts` keeps them
  bool hopeful_ = false;        // values may still become the best when more is learned
  double raced_after_ = 0;      // seconds of learning, before the last race
  KnownLine line_;

  // For the current position.
  std::vector<gdl::MoveId> history_;
  gdl::State state_;
  Seconds time_ = kUnlimited;
  Seconds clock_ = kUnlimited;  // the last time that was not for pondering
  Proofs proofs_;
  double next_solving_ = 0;  // the number of joint moves before which the game is not solved
  double next_trial_ = 0;    // the number of joint moves before which a full search is not tried
  bool bounded_done_ = false, full_done_ = false;  // they can't find anything more
  std::string explanation_;
};

Auto::Auto(const Options& options, const Resources& resources, StrategyFactory make)
    : options_(options),
      resources_(resources),
      make_(make),
      rng_(options.rng()),
      learning_({}, resources, rng_()),
      hidden_(options, resources, make, options.rng()()) {
  resources_.values = [this](const gdl::Machine& machine) { return learning_.values_of(machine); };
  resources_.playouts = [this](const gdl::Machine& machine) { return playouts_.decision(machine); };
}

/// Creates the part if it does not exist yet. It has the options of the whole; for tree searches
/// the cap on playouts becomes a cap on states.
Part& Auto::part(std::optional<Part>& slot, std::string_view name) {
  if (slot) return *slot;
  OptionTexts options;
  for (const std::string_view key : {"threads", "depth", "threshold", "ties"}) {
    options.emplace(key, options_.text(key));
  }
  options.emplace("seed", std::to_string(rng_() | 1));
  if (name == "retrograde") {
    const double trial = 100 * share_of("trial") / std::max(0.01, share_of("full"));
    options.emplace("trial", std::to_string(std::lround(std::min(100.0, trial))));
  }
  if (name == "puzzle") options.emplace("factors", options_.text("factors"));
  if (name == "mcts") {
    options.emplace("playouts", options_.text("playouts"));
    if (proof_numbers_) add_proof_numbers(options);
  } else if (repeatable()) {
    options.emplace("nodes", std::to_string(kStatesPerPlayout * options_.count("playouts")));
  }
  return slot.emplace(make_(name, options, resources_));
}

void Auto::think(const Position& position, const Deadline& deadline, Incumbent& incumbent) {
  explanation_.clear();
  time_ = time_left(deadline);
  if (!position.known) {
    look_at(position);
    if (follow_line(position, incumbent)) return;
    if (analysed_ && plan_.alone) return search_alone(position, deadline, incumbent);
  }
  const std::size_t moves = publish_first(position, deadline, incumbent).size();
  if (moves == 0) return;
  if (position.known) {
    hidden_.think(position, deadline, incumbent);
    return say(hidden_.explanation());
  }
  if (!analysed_) {
    std::optional<value::Learning::Beside> beside;
    if (learns(position)) beside.emplace(learning_, position, deadline);
    make_plan(position, deadline);
  }
  if (plan_.alone) return search_alone(position, deadline, incumbent);
  say(plan_.kind);
  const bool mixes = plan_.equilibrium && moves > 1 && !repeatable();  // counts are for mcts
  if (mixes && play_equilibrium(position, deadline, incumbent)) return;
  const bool looks = plan_.look_for_a_win && moves > 1;
  if (looks && look_for_a_win(position, deadline, incumbent)) return;
  if (plan_.few_states && !repeatable() && solve_game(position, deadline, incumbent)) return;
  if (!compared_) compare(position, deadline);
  if (deadline.at() == TimePoint::max()) {
    compare_again(position, deadline);
  } else {
    clock_ = time_;
  }
  if (moves > 1) {
    if (best_ == "alphabeta") {
      if (search_by_evaluation(position, deadline, incumbent)) return;
    } else if (!plan_.full_search.empty() && !plan_.equilibrium &&
               search_fully(position, deadline, incumbent)) {
      return;
    }
  }
  if (best_ == "value") return search_by_values(position, deadline, incumbent);
  search_on(mcts_, "mcts", position, deadline, incumbent);
}

/// Forgets what belonged to another position or another match.
void Auto::look_at(const Position& position) {
  if (game_ != position.machine->vocabulary()) {
    game_ = position.machine->vocabulary();
    analysed_ = compared_ = false;
    best_ = "mcts";
    keep_proof_numbers(false);
    hopeful_ = false;
    full_.reset();
    line_ = {};
    next_solving_ = next_trial_ = 0;
  } else if (history_ == position.history &&
             gdl::StateView(state_) == gdl::StateView(position.state)) {
    return;
  }
  history_ = position.history;
  state_ = position.state;
  proofs_.clear();
  bounded_done_ = full_done_ = false;
}

void Auto::make_plan(const Position& position, const Deadline& deadline) {
  AnalysisBudget budget;
  if (repeatable()) {
    budget.playouts = 50;
    budget.states = 5000;
  }
  const auto context =
      position.machine->make_context({.stop = nullptr, .memory = resources_.memory});
  const Deadline end = within(deadline, std::min(kLongestAnalysis, share("analysis")));
  const GameAnalysis game = analyse(*position.machine, *context, position.state, budget, end, rng_);
  plan_ = plan_for(game);
  plan_.length += static_cast<std::uint32_t>(position.history.size() / game.roles);
  analysed_ = (game.playouts > 0 || game.explored()) && !deadline.interrupted();
}

/// Follows a line that can't be improved; notes the guaranteed value of another one.
bool Auto::follow_line(const Position& position, Incumbent& incumbent) {
  const std::size_t made = position.history.size();
  if (line_.moves.size() <= made ||
      !std::ranges::equal(position.history, std::span(line_.moves).first(made))) {
    line_ = {};
    return false;
  }
  const RootMove move{.move = line_.moves[made + position.role],
                      .value = line_.value,
                      .visits = 0,
                      .low = line_.value,
                      .high = line_.exact ? line_.value : 100};
  proofs_.add({&move, 1}, true);
  if (!line_.exact) return false;
  Choice choice;
  choice.move = move.move;
  choice.value = line_.value;
  choice.exact = true;
  choice.root = {move};
  choice.variation.assign(line_.moves.begin() + static_cast<std::ptrdiff_t>(made),
                          line_.moves.end());
  incumbent.publish(std::move(choice));
  say("follows the line found before, worth " + std::to_string(std::lround(line_.value)));
  return true;
}

void Auto::remember_line(const Position& position, const Choice& choice) {
  const auto chosen = std::ranges::find(choice.root, choice.move, &RootMove::move);
  if (chosen == choice.root.end() || choice.variation.empty() || chosen->low < line_.value) return;
  line_.moves = position.history;
  line_.moves.insert(line_.moves.end(), choice.variation.begin(), choice.variation.end());
  line_.value = chosen->low;
  line_.exact = choice.exact;
}

bool Auto::look_for_a_win(const Position& position, const Deadline& deadline,
                          Incumbent& incumbent) {
  if (bounded_done_) return false;
  Part& bounded = part(bounded_, "bounded");
  const auto choice =
      bounded.think(position, within(deadline, std::min(kLongestBounded, share("bounded"))));
  say(bounded.explanation());
  if (!choice) return false;
  bounded_done_ = choice->exact;
  return adopt(position, "bounded", *choice, incumbent);
}

bool Auto::search_fully(const Position& position, const Deadline& deadline, Incumbent& incumbent) {
  if (full_done_) return false;
  if (!repeatable() && plies_made(position) < next_trial_) return false;
  Part& full = part(full_, plan_.full_search);
  for (const std::string_view time : {"trial", "full"}) {
    const auto begin = std::chrono::steady_clock::now();
    const auto choice = full.think(position, within(deadline, share(time)));
    say(full.explanation());
    if (!choice) return false;
    if (plan_.full_search == "maxn") {  // each role plays for itself: values are not bounds
      if (choice->exact) {
        publish_unproved(*choice, incumbent);
        return true;
      }
    } else {
      full_done_ = choice->exact;
      if (adopt(position, plan_.full_search, *choice, incumbent)) return true;
    }
    const Seconds taken = std::chrono::steady_clock::now() - begin;
    if (full_done_ || repeatable() || deadline.interrupted()) break;
    if (!will_finish(position, *choice, taken)) break;
  }
  return false;
}

/// Solves the game from here if it has few states: what is found holds for the rest of the match.
/// If it has too many, that is tried again after a quarter of the moves that are left.
bool Auto::solve_game(const Position& position, const Deadline& deadline, Incumbent& incumbent) {
  const double made = plies_made(position);
  if (made < next_solving_) return false;
  Part& retrograde = part(retrograde_, "retrograde");
  const auto choice = retrograde.think(position, within(deadline, share("full")));
  say("retrograde: " + retrograde.explanation());
  if (choice && choice->exact) {
    bounded_done_ = full_done_ = true;
    return adopt(position, "retrograde", *choice, incumbent);
  }
  if (!deadline.interrupted()) put_off_solving(made);
  return false;
}

/// Until a quarter of the moves that are left have been made.
void Auto::put_off_solving(double made) {
  next_solving_ = made + std::max(1.0, (plan_.length - made) / 4);
}

/// Draws the move by the equilibrium of the game from here, if it can be found in a share of the
/// time; it is looked for again after a quarter of the moves that are left.
bool Auto::play_equilibrium(const Position& position, const Deadline& deadline,
                            Incumbent& incumbent) {
  const double made = plies_made(position);
  if (made < next_solving_) return false;
  Part& nash = part(full_, plan_.full_search);
  const Seconds given = compared_ ? share("trial") : kEquilibrium * time_;
  const auto choice = nash.think(position, within(deadline, given));
  say(nash.explanation());
  if (choice && choice->exact) {
    publish_unproved(*choice, incumbent);
    return true;
  }
  if (!deadline.interrupted()) put_off_solving(made);
  return false;
}

/// Publishes a choice that is right if the others play as assumed, and proves nothing.
void Auto::publish_unproved(Choice choice, Incumbent& incumbent) {
  for (RootMove& move : choice.root) {
    move.low = 0;
    move.high = 100;
  }
  incumbent.publish(std::move(choice));
}

/// Runs a search that keeps its own plans and needs nothing from others.
void Auto::search_alone(const Position& position, const Deadline& deadline, Incumbent& incumbent) {
  say(plan_.kind);
  Part& full = part(full_, plan_.full_search);
  full.think(position, deadline, [&](Choice choice) { incumbent.publish(std::move(choice)); });
  say(full.explanation());
}

/// Uses what a tree search found. True if there is nothing left to choose: a win is certain, or the
/// best line for one player is known. If a game is lost or drawn in theory, `mcts` finds the moves
/// that are hardest to answer.
bool Auto::adopt(const Position& position, std::string_view by, Choice choice,
                 Incumbent& incumbent) {
  // Only these do not treat chance as an adversary.
  const bool by_mean = by == "expectimax" || by == "retrograde";
  const bool upper = plan_.adversarial && (!plan_.chance || by_mean);
  proofs_.add(choice.root, upper);
  const bool alone = by == "compulsive";
  if (alone) remember_line(position, choice);
  const bool known = choice.exact, sure = known && (alone || choice.value >= threshold());
  proofs_.improve(choice, threshold());
  choice.exact = sure;  // otherwise it would count as final
  if (known || choice.depth > 0) incumbent.publish(std::move(choice));
  return sure;
}

/// Whether the search, as it grew in a trial, will reach the end of the game within its full share.
/// If not, the next trial waits for half of the missing moves, because the tree narrows towards the
/// end.
bool Auto::will_finish(const Position& position, const Choice& trial, Seconds taken) {
  if (!plan_.measured) return true;
  const double made = plies_made(position);
  const double depth = trial.depth;
  const double left = std::max(0.0, plan_.length - made - depth);
  if (depth < 1 || trial.nodes == 0) return false;
  const double growth = std::max(1.01, std::pow(static_cast<double>(trial.nodes), 1 / depth));
  const double in_reach = std::log(share("full") / taken) / std::log(growth);  // plies
  next_trial_ = made + std::max(0.0, left - in_reach) / 2;
  char text[96];
  std::snprintf(text, sizeof text, "grows by %.1f a ply, %.0f plies left: %s", growth, left,
                left <= in_reach ? "goes on" : "left alone");
  say(text);
  return left <= in_reach;
}

/// Lets the candidate searches play each other, once per match and if there is time, as soon as the
/// machine for many states at once is ready: another machine would be unfair to playouts, and
/// nothing could be learned on it. If a faster machine or the next move cuts the comparison short,
/// the next thinking time has another one; what was learned stays.
void Auto::compare(const Position& position, const Deadline& deadline) {
  if (position.machine->preferred_batch() == 1) return;
  hold_comparison(position, deadline);
  compared_ = !deadline.interrupted();
}

void Auto::hold_comparison(const Position& position, const Deadline& deadline) {
  if (repeatable() || share("race").count() == 0) return;
  choose_playouts(position, deadline);
  std::vector<Racer> racers{mcts_racer()};
  if (learns(position) || learning_.recalls(position, deadline)) {
    learn(position, within(deadline, share("learn")));
  }
  if (learning_.values() != nullptr) racers.push_back(value_racer());
  if (plan_.measured) racers.push_back({"alphabeta"});
  if (plan_.measured && time_ >= kProofNumbersWithin) racers.push_back(proof_number_racer());
  if (racers.size() == 1) return;
  hold_race(position, racers, within(deadline, share("race")));
  if (best_ == "value") learn(position, within(deadline, kLearnedOfRest * time_left(deadline)));
}

/// Chooses the policy of playouts for all searches of the match that make them.
void Auto::choose_playouts(const Position& position, const Deadline& deadline) {
  if (share("policy") < kShortestPolicyTrial || playouts_.decision(*position.machine)) return;
  playouts_.reset(position.machine);
  playouts_.decide(position, within(deadline, share("policy")), resources_.memory);
}

/// Whether there is time to learn values on this machine, and a use for them.
bool Auto::learns(const Position& position) const {
  return position.machine->preferred_batch() > 1 && position.machine->role_count() > 1 &&
         !repeatable() && share("race").count() > 0 && time_ >= kLearnedWithin;
}

/// While pondering, continues to learn if values may still become better than the chosen search.
/// When twice as much was learned as before the last race, the two have another race.
void Auto::compare_again(const Position& position, const Deadline& deadline) {
  if (best_ == "value" || !hopeful_ || learning_.values_of(*position.machine).function == nullptr) {
    return;
  }
  learn(position, within(deadline, share_of("more") * clock_));
  if (learning_.seconds() < 2 * raced_after_) return;
  const Racer best = proof_numbers_    ? proof_number_racer()
                     : best_ == "mcts" ? mcts_racer()
                                       : Racer{best_};
  const std::vector<Racer> racers{best, value_racer()};
  hold_race(position, racers, within(deadline, share_of("race") * clock_));
}

/// Learning continues meanwhile if there are threads for it.
void Auto::hold_race(const Position& position, std::span<const Racer> racers, const Deadline& end) {
  raced_after_ = learning_.seconds();
  const double learned = learning_.length_of_games();
  const double whole = learned > 0 ? learned : kShortened * plan_.usual_length;
  const double length = std::max(1.0, whole - plies_made(position));
  RaceResult result;
  {
    std::optional<value::Learning::Beside> beside;
    if (learning_.values() != nullptr) beside.emplace(learning_, position, end);
    result = race(racers, position, length, end, make_, resources_, rng_());
  }
  const Racer& winner = racers[result.winner];
  best_ = winner.name;
  keep_proof_numbers(winner.options.contains("pn"));
  if (!result.explanation.empty()) say(result.explanation + ": " + winner.told() + " plays");
  hopeful_ = false;
  for (std::size_t i = 0; i < result.scores.size(); ++i) {
    const Score& score = result.scores[i];
    hopeful_ |=
        racers[i].name == "value" && score.mean() + 2 * score.standard_error() >= kHopefulScore;
  }
}

void Auto::keep_proof_numbers(bool keep) {
  if (std::exchange(proof_numbers_, keep) != keep) mcts_.reset();
}

void Auto::learn(const Position& position, const Deadline& end) {
  learning_.learn_until(position, end);
  say(learning_.explanation());
}

/// Gives all of the time to the search by evaluation. False if it has reached the end of the game
/// and does not win: playouts then show which moves are hard to answer.
bool Auto::search_by_evaluation(const Position& position, const Deadline& deadline,
                                Incumbent& incumbent) {
  if (full_done_) return false;
  Part& full = part(full_, plan_.full_search);
  bool sure = false;
  full.think(position, deadline, [&](Choice choice) {
    full_done_ = choice.exact;
    sure = adopt(position, plan_.full_search, std::move(choice), incumbent);
  });
  say(full.explanation());
  return sure || !full_done_;
}

/// Gives all of the time to the search on learned values, except for further learning.
void Auto::search_by_values(const Position& position, const Deadline& deadline,
                            Incumbent& incumbent) {
  const bool ponders = deadline.at() == TimePoint::max();
  const std::string said = explanation_;
  for (;;) {
    const Deadline end = ponders ? deadline.no_later_than(after(kPonderedSlice)) : deadline;
    learning_.learn_until(position, within(end, share_of("more") * time_left(end)));
    search_on(value_, "value", position, end, incumbent);
    const bool out_of_time = time_left(end).count() == 0;
    if (!ponders || !out_of_time || deadline.stop_requested()) return;
    explanation_ = said;
  }
}

/// Every choice is made consistent with what is proved.
void Auto::search_on(std::optional<Part>& slot, std::string_view name, const Position& position,
                     const Deadline& deadline, Incumbent& incumbent) {
  Part& search = part(slot, name);
  search.think(position, deadline, [&](Choice choice) {
    // Its first choice, before any visit, is no better than the current one.
    if (std::ranges::all_of(choice.root, [](const RootMove& m) { return m.visits == 0; })) return;
    proofs_.improve(choice, threshold());
    incumbent.publish(std::move(choice));
  });
  say(std::string(name) + ": " + search.explanation());
}

}  // namespace

std::unique_ptr<Strategy> make_auto(const Options& options, const Resources& resources,
                                    StrategyFactory make) {
  return std::make_unique<Auto>(options, resources, make);
}

}  // namespace ludens::search
