// SPDX-License-Identifier: MIT
#include "search/auto/auto.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "search/auto/comparison.h"
#include "search/auto/hidden_play.h"
#include "search/auto/plan.h"
#include "search/auto/proofs.h"
#include "search/auto/solo_play.h"
#include "search/auto/sub_strategy.h"
#include "search/strategy/first_choice.h"
#include "search/strategy/starts_with.h"
#include "search/strategy/thinking_time.h"

namespace ludens::search {

namespace {

constexpr Seconds kLongestAnalysis{1};
constexpr Seconds kLongestBounded{0.5};
/// The share of the time for it to find again what the last move was proved to keep.
constexpr double kBoundedAgain = 0.5;
/// A turn of pondering, which is for learning first and for searching then.
constexpr Seconds kPonderedTurn{1};
/// The share of the first thinking time in which an equilibrium is looked for.
constexpr double kEquilibrium = 0.2;
/// States that a tree search may visit for each playout of `playouts`.
constexpr std::uint64_t kStatesPerPlayout = 10;

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
  void forget_position();
  void forget_findings();
  [[nodiscard]] double kept_by_last_move(const Position& position) const;
  void make_plan(const Position& position, const Deadline& deadline);
  bool follow_line(const Position& position, Incumbent& incumbent);
  bool look_for_a_win(const Position& position, const Deadline& deadline, Incumbent& incumbent);
  bool search_fully(const Position& position, const Deadline& deadline, Incumbent& incumbent);
  bool solve_game(const Position& position, const Deadline& deadline, Incumbent& incumbent);
  bool play_equilibrium(const Position& position, const Deadline& deadline, Incumbent& incumbent);
  void put_off_solving(double made);
  static void publish_unproved(Choice choice, Incumbent& incumbent);
  void search_alone(const Position& position, const Deadline& deadline, Incumbent& incumbent);
  bool play_solo(const Position& position, const Deadline& deadline, Incumbent& incumbent);
  bool adopt(const Position& position, std::string_view by, Choice choice, Incumbent& incumbent);
  [[nodiscard]] static double plies_made(const Position& position) {
    return static_cast<double>(position.history.size()) /
           static_cast<double>(position.machine->role_count());
  }
  [[nodiscard]] bool will_finish(const Position& position, const Choice& trial, Seconds taken);
  void compare(const Position& position, const Deadline& deadline);
  bool search_by_evaluation(const Position& position, const Deadline& deadline,
                            Incumbent& incumbent);
  void search_on(std::optional<SubStrategy>& slot, std::string_view name, const Position& position,
                 const Deadline& deadline, Incumbent& incumbent);
  void search_by_values(const Position& position, const Deadline& deadline, Incumbent& incumbent);
  void remember_line(const Position& position, const Choice& choice);

  SubStrategy& sub_strategy(std::optional<SubStrategy>& slot, std::string_view name);
  [[nodiscard]] OptionTexts options_of(std::string_view name);
  [[nodiscard]] double share_of(std::string_view option) const {
    return static_cast<double>(options_.count(option)) / 100;
  }
  [[nodiscard]] Seconds share(std::string_view option) const { return time_ * share_of(option); }
  [[nodiscard]] Deadline within(const Deadline& deadline, Seconds seconds) const {
    return repeatable() ? deadline : search::within(deadline, seconds);
  }
  /// With a cap on playouts, all sub-strategies are limited by counts instead of time.
  [[nodiscard]] bool repeatable() const { return options_.count("playouts") != 0; }
  [[nodiscard]] double threshold() const {
    return static_cast<double>(options_.count("threshold"));
  }
  void say(const std::string& text) { explanation_ += (explanation_.empty() ? "" : "; ") + text; }

  Options options_;
  StrategyFactory make_;
  gdl::Rng rng_;
  Comparison comparison_;
  std::optional<SubStrategy> bounded_, retrograde_, full_, mcts_, value_;
  OptionTexts mcts_options_;  // with which `mcts_` was compared
  HiddenPlay hidden_;
  SoloPlay solo_;

  // For the match.
  std::shared_ptr<gdl::Vocabulary> game_;
  AutoPlan plan_;
  bool analysed_ = false;
  std::vector<gdl::MoveId> planned_history_;  // of the position for which the plan was made
  KnownLine line_;

  // For the current position.
  gdl::RoleIndex role_ = 0;
  std::vector<gdl::MoveId> history_;
  std::weak_ptr<const gdl::Machine> machine_;  // of the state: others lay it out otherwise
  gdl::State state_;
  Seconds time_ = kUnlimited;
  Seconds clock_ = kUnlimited;  // the time of the last move
  Proofs proofs_;
  std::vector<RootMove> found_;  // by the search for a forced win
  double kept_ = 0;              // the goal that it proved of the role's last move
  std::optional<Choice> sure_;   // after which there is nothing left to choose
  /// The number of joint moves before which the game is not solved; 0: that was not tried yet.
  double next_solving_ = 0;
  double next_trial_ = 0;  // the number of joint moves before which a full search is not tried
  bool bounded_done_ = false, full_done_ = false;  // they can't find anything more
  std::string explanation_;
};

Auto::Auto(const Options& options, const Resources& resources, StrategyFactory make)
    : options_(options),
      make_(make),
      rng_(options.rng()),
      comparison_(options, resources, make, repeatable(), rng_),
      hidden_(options, resources, make, options.rng()()),
      solo_([this] { return make_("puzzle", options_of("puzzle"), comparison_.resources()); }) {}

/// Creates it if it does not exist yet.
SubStrategy& Auto::sub_strategy(std::optional<SubStrategy>& slot, std::string_view name) {
  if (slot) return *slot;
  return slot.emplace(make_(name, options_of(name), comparison_.resources()));
}

/// The options of the whole; for tree searches the cap on playouts becomes a cap on states.
OptionTexts Auto::options_of(std::string_view name) {
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
    options.insert(mcts_options_.begin(), mcts_options_.end());
  } else if (repeatable()) {
    options.emplace("nodes", std::to_string(options_.count("playouts", kStatesPerPlayout)));
  }
  return options;
}

void Auto::think(const Position& position, const Deadline& deadline, Incumbent& incumbent) {
  explanation_.clear();
  time_ = time_left(deadline);
  bool follows = false;
  if (!position.known) {
    look_at(position);
    follows = follow_line(position, incumbent);
    if (follows && line_.exact) {
      return say("follows the line found before, worth " +
                 std::to_string(std::lround(line_.value)));
    }
    if (sure_) {
      incumbent.publish(*sure_);
      return say("keeps to what was proved before");
    }
    if (analysed_ && plan_.alone) return search_alone(position, deadline, incumbent);
  }
  const auto legal =
      follows ? legal_moves(position, deadline) : publish_first(position, deadline, incumbent);
  const std::size_t moves = legal.size();
  if (moves == 0) return;
  if (position.known) {
    hidden_.think(position, deadline, incumbent);
    return say(hidden_.explanation());
  }
  if (play_solo(position, deadline, incumbent)) return;
  if (!analysed_) {
    std::optional<MatchLearning::Beside> beside;
    if (comparison_.learns(position, time_)) {
      beside.emplace(comparison_.learning(), position, deadline);
    }
    make_plan(position, deadline);
    if (!analysed_ && deadline.interrupted()) return say("the analysis was interrupted");
  }
  if (plan_.alone) return search_alone(position, deadline, incumbent);
  say(plan_.kind);
  const bool mixes = plan_.equilibrium && moves > 1 && !repeatable();  // counts are for mcts
  if (mixes && play_equilibrium(position, deadline, incumbent)) return;
  const bool looks = plan_.look_for_a_win && moves > 1;
  if (looks && look_for_a_win(position, deadline, incumbent)) return;
  if (plan_.few_states && !repeatable() && solve_game(position, deadline, incumbent)) return;
  compare(position, deadline);
  if (moves > 1) {
    if (comparison_.best() == "alphabeta") {
      if (search_by_evaluation(position, deadline, incumbent)) return;
    } else if (!plan_.full_search.empty() && !plan_.equilibrium &&
               search_fully(position, deadline, incumbent)) {
      return;
    }
  }
  if (comparison_.best_uses_values()) return search_by_values(position, deadline, incumbent);
  search_on(mcts_, "mcts", position, deadline, incumbent);
}

/// Forgets what belonged to another position, another role or another match. What the analysis of a
/// position found holds for those that follow from it; others may lead to ends that it never saw.
void Auto::look_at(const Position& position) {
  const bool other_game = game_ != position.machine->vocabulary();
  if (other_game || !starts_with(position.history, planned_history_)) {
    game_ = position.machine->vocabulary();
    planned_history_.clear();
    analysed_ = false;
    forget_findings();
  } else if (role_ != position.role) {
    line_ = {};
  } else if (history_ == position.history && machine_.lock() == position.machine &&
             gdl::StateView(state_) == gdl::StateView(position.state)) {
    return;
  }
  const double kept = role_ == position.role ? kept_by_last_move(position) : 0;
  role_ = position.role;
  history_ = position.history;
  machine_ = position.machine;
  state_ = position.state;
  forget_position();
  kept_ = kept;
}

/// The goal that the search for a forced win proved of the move that the role has made since.
double Auto::kept_by_last_move(const Position& position) const {
  const std::size_t made = history_.size();
  if (position.history.size() <= made || !starts_with(position.history, history_)) return 0;
  const auto move = std::ranges::find(found_, position.history[made + role_], &RootMove::move);
  return move == found_.end() ? 0 : move->low;
}

void Auto::forget_position() {
  proofs_.clear();
  found_.clear();
  kept_ = 0;
  sure_.reset();
  bounded_done_ = full_done_ = false;
}

/// Forgets what was found for another game, or under another plan, which may have been wrong.
void Auto::forget_findings() {
  comparison_.forget();
  full_.reset();
  line_ = {};
  next_solving_ = next_trial_ = 0;
  forget_position();
}

/// Makes a plan unless the analysis is interrupted: a few playouts may not show what kind of game
/// it is. A game that was hardly seen has another analysis, and perhaps another plan, next time.
void Auto::make_plan(const Position& position, const Deadline& deadline) {
  AnalysisBudget budget;
  if (repeatable()) {
    budget.playouts = 50;
    budget.states = 5000;
  }
  const auto context =
      position.machine->make_context({.stop = nullptr, .memory = comparison_.resources().memory});
  const Deadline end = within(deadline, std::min(kLongestAnalysis, share("analysis")));
  const GameAnalysis game = analyse(*position.machine, *context, position.state, budget, end, rng_);
  AutoPlan plan = plan_for(game);
  if (deadline.interrupted() && !plan.alone) return;  // the roles alone say who is alone
  if (plan.full_search != plan_.full_search || plan.adversarial != plan_.adversarial) {
    forget_findings();
  }
  plan_ = std::move(plan);
  planned_history_ = position.history;
  plan_.length += static_cast<std::uint32_t>(plies_made(position));
  plan_.usual_length += plies_made(position);
  analysed_ = plan_.alone || game.playouts > 0 || game.explored();
}

/// Publishes the next move of a line that the match follows, and notes its guaranteed value.
bool Auto::follow_line(const Position& position, Incumbent& incumbent) {
  const std::size_t made = position.history.size();
  if (line_.moves.size() <= made || !starts_with(line_.moves, position.history)) {
    line_ = {};
    return false;
  }
  const RootMove move{.move = line_.moves[made + position.role],
                      .value = line_.value,
                      .visits = 0,
                      .low = line_.value,
                      .high = line_.exact ? line_.value : 100};
  proofs_.add({&move, 1}, true);
  Choice choice;
  choice.move = move.move;
  choice.value = line_.value;
  choice.exact = line_.exact;
  choice.root = {move};
  choice.variation.assign(line_.moves.begin() + static_cast<std::ptrdiff_t>(made),
                          line_.moves.end());
  incumbent.publish(std::move(choice));
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

/// What was proved of the last move holds here. Usually it is found again in less time; if it is
/// not, because another program had the processor, the search gets more time.
bool Auto::look_for_a_win(const Position& position, const Deadline& deadline,
                          Incumbent& incumbent) {
  if (bounded_done_) return false;
  SubStrategy& bounded = sub_strategy(bounded_, "bounded");
  for (const double part : {share_of("bounded"), kBoundedAgain}) {
    const Seconds given = std::min(kLongestBounded, part * time_);
    auto choice = bounded.think(position, within(deadline, given));
    say(bounded.explanation());
    if (choice) {
      found_ = choice->root;
      bounded_done_ = choice->exact;
      if (adopt(position, "bounded", std::move(*choice), incumbent)) return true;
    }
    const auto keeps_it = [&](const RootMove& move) { return move.low >= kept_; };
    if (kept_ == 0 || repeatable() || std::ranges::any_of(found_, keeps_it)) break;
  }
  return false;
}

bool Auto::search_fully(const Position& position, const Deadline& deadline, Incumbent& incumbent) {
  if (full_done_) return false;
  if (!repeatable() && plies_made(position) < next_trial_) return false;
  SubStrategy& full = sub_strategy(full_, plan_.full_search);
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
  SubStrategy& retrograde = sub_strategy(retrograde_, "retrograde");
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
  SubStrategy& nash = sub_strategy(full_, plan_.full_search);
  const Seconds given = next_solving_ == 0 ? kEquilibrium * time_ : share("trial");
  const auto choice = nash.think(position, within(deadline, given));
  say(nash.explanation());
  if (choice && choice->nodes > 0) {  // the equilibrium, even if its value is a limit
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
  SubStrategy& full = sub_strategy(full_, plan_.full_search);
  full.think(position, deadline, [&](Choice choice) { incumbent.publish(std::move(choice)); });
  say(full.explanation());
}

/// Searches what counts for the role alone where the others have no say in it.
bool Auto::play_solo(const Position& position, const Deadline& deadline, Incumbent& incumbent) {
  if (!options_.on("factors") || position.machine->role_count() < 2) return false;
  const auto memory = comparison_.resources().memory;
  if (!solo_.think(position, deadline, memory, rng_, incumbent)) return false;
  say(solo_.explanation());
  return true;
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
  const bool alone = by == "exhaustive";
  if (alone) remember_line(position, choice);
  const bool known = choice.exact, sure = known && (alone || choice.value >= threshold());
  proofs_.improve(choice, threshold());
  choice.exact = sure;  // otherwise it would count as final
  if (sure) sure_ = choice;
  if (known || choice.depth > 0) incumbent.publish(std::move(choice));
  return sure;
}

/// Whether the search, as it grew in a trial, will reach the end of the game within its full share.
/// If not, the next trial waits for half of the missing moves, because the tree narrows towards the
/// end.
bool Auto::will_finish(const Position& position, const Choice& trial, Seconds taken) {
  if (!plan_.extends_trial) return true;
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

/// Finds the search for most of the time, in the first thinking time of a match, and again while
/// pondering.
void Auto::compare(const Position& position, const Deadline& deadline) {
  if (!comparison_.compared()) comparison_.compare(position, plan_, time_, deadline);
  if (deadline.at() == TimePoint::max()) {
    comparison_.compare_again(position, plan_, clock_, deadline);
  } else if (!position.at_start) {
    clock_ = time_;
  }
  if (const std::string text = comparison_.take_explanation(); !text.empty()) say(text);
  OptionTexts options;
  if (comparison_.best() == "mcts") options = comparison_.options_of_best();
  if (options == mcts_options_) return;
  mcts_options_ = std::move(options);
  mcts_.reset();
}

/// Gives all of the time to the search by evaluation. False if it has reached the end of the game
/// and does not win: playouts then show which moves are hard to answer.
bool Auto::search_by_evaluation(const Position& position, const Deadline& deadline,
                                Incumbent& incumbent) {
  if (full_done_) return false;
  SubStrategy& full = sub_strategy(full_, plan_.full_search);
  bool sure = false;
  full.think(position, deadline, [&](Choice choice) {
    full_done_ = choice.exact;
    sure = adopt(position, plan_.full_search, std::move(choice), incumbent);
  });
  say(full.explanation());
  return sure || !full_done_;
}

/// Gives all of the time to the search that uses values, except for further learning.
void Auto::search_by_values(const Position& position, const Deadline& deadline,
                            Incumbent& incumbent) {
  const std::string& name = comparison_.best();
  MatchLearning& learning = comparison_.learning();
  const bool ponders = deadline.at() == TimePoint::max();
  const std::string said = explanation_;
  Seconds turn = kPonderedTurn;
  for (;;) {
    const Deadline end = ponders ? search::within(deadline, turn) : deadline;
    // A turn that is too short for it is followed by one twice as long.
    if (!learning.learn_until(position, within(end, share_of("more") * time_left(end)))) turn *= 2;
    search_on(name == "value" ? value_ : mcts_, name, position, end, incumbent);
    const bool out_of_time = time_left(end).count() == 0;
    if (!ponders || !out_of_time || deadline.stop_requested()) return;
    explanation_ = said;
  }
}

/// Every choice is made consistent with what is proved.
void Auto::search_on(std::optional<SubStrategy>& slot, std::string_view name,
                     const Position& position, const Deadline& deadline, Incumbent& incumbent) {
  SubStrategy& search = sub_strategy(slot, name);
  search.think(position, deadline, [&](Choice choice) {
    // Its first choice, before any visit, is no better than the current one.
    if (std::ranges::all_of(choice.root, [](const RootMove& m) { return m.visits == 0; })) return;
    const bool ended = choice.is_last();
    proofs_.improve(choice, threshold());
    // What others have proved ends the search only if it is won.
    choice.goes_on = choice.exact && !ended && choice.value < threshold();
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
