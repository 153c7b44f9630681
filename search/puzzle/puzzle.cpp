// SPDX-License-Identifier: MIT
#include "search/puzzle/puzzle.h"

#include <algorithm>

#include "search/puzzle/portfolio.h"
#include "search/strategy/first_choice.h"
#include "search/strategy/smaller_cap.h"
#include "search/strategy/starts_with.h"

namespace ludens::search {

namespace {

using puzzle::Ended;
using puzzle::Method;
using puzzle::Portfolio;
using puzzle::SearchProblem;

/// States visited for each playout of `playouts`.
constexpr std::uint64_t kStatesPerPlayout = 10;

Method method_of(std::string_view text) {
  if (text == "breadth") return Method::Breadth;
  if (text == "beam") return Method::Beam;
  if (text == "astar") return Method::AStar;
  if (text == "ida") return Method::Ida;
  if (text == "nested") return Method::Nested;
  if (text == "parts") return Method::Parts;
  return Method::Auto;
}

PuzzleSettings settings_of(const Options& options) {
  PuzzleSettings settings;
  settings.portfolio.method = method_of(options.text("search"));
  settings.portfolio.factors = options.on("factors");
  settings.portfolio.states =
      smaller_cap(options.count("nodes"), options.count("playouts", kStatesPerPlayout));
  if (const std::uint64_t depth = options.count("depth"); depth != 0) settings.most_moves = depth;
  settings.enough = static_cast<int>(options.count("threshold"));
  settings.ties = options.ties();
  settings.rng = options.rng();
  return settings;
}

class Puzzle final : public Strategy {
 public:
  Puzzle(const PuzzleSettings& settings, const Resources& resources)
      : settings_(settings), resources_(resources), rng_(settings.rng) {}
  [[nodiscard]] std::string_view name() const override { return "puzzle"; }
  void think(const Position& position, const Deadline& deadline, Incumbent& incumbent) override;
  [[nodiscard]] std::string explanation() const override { return explanation_; }

 private:
  [[nodiscard]] bool follow_play(const Position& position, Incumbent& incumbent) const;
  void look_at(const Position& position);
  [[nodiscard]] std::vector<gdl::MoveId> root_moves();
  void publish(const SearchProblem& problem, Incumbent& incumbent) const;
  void publish_endless(Incumbent& incumbent) const;

  PuzzleSettings settings_;
  Resources resources_;
  gdl::Rng rng_;
  std::string explanation_;

  // For the match: the best play found, from the initial state on.
  std::shared_ptr<gdl::Vocabulary> game_;
  std::vector<gdl::MoveId> play_;
  int goal_ = -1;
  bool best_ = false;  // nothing is better

  // For the current position.
  std::shared_ptr<const gdl::Machine> machine_;
  std::vector<gdl::MoveId> history_;
  gdl::State state_;
  std::vector<gdl::MoveId> legal_;
  std::unique_ptr<SearchProblem> problem_;
  std::unique_ptr<Portfolio> portfolio_;
};

void Puzzle::think(const Position& position, const Deadline& deadline, Incumbent& incumbent) {
  const bool follows = follow_play(position, incumbent);
  explanation_ = follows ? "puzzle: follows the play found before" : "puzzle: not a game for one";
  if (follows && best_) return;
  std::vector<gdl::MoveId> legal =
      follows ? legal_moves(position, deadline) : publish_first(position, deadline, incumbent);
  if (legal.empty() || position.machine->role_count() != 1 || position.machine->random_role()) {
    return;
  }
  legal_ = std::move(legal);
  look_at(position);
  if (problem_->best() >= 0) publish(*problem_, incumbent);
  if (problem_->solved()) return;
  problem_->tell([&](const SearchProblem& problem) { publish(problem, incumbent); });
  const Ended ended = portfolio_->run(deadline);
  problem_->tell({});
  best_ = ended == Ended::Exhausted;
  if (problem_->best() >= 0) {
    goal_ = problem_->best();
    play_ = position.history;
    play_.insert(play_.end(), problem_->line().begin(), problem_->line().end());
    publish(*problem_, incumbent);
  } else if (best_) {
    publish_endless(incumbent);
  }
  explanation_ = "puzzle: " + portfolio_->summary();
}

/// Publishes the next move of the play found before, if the match follows it: before the legal
/// moves are derived, because in some games that alone takes longer than there is time.
bool Puzzle::follow_play(const Position& position, Incumbent& incumbent) const {
  const std::size_t made = position.history.size();
  if (game_ != position.machine->vocabulary() || play_.size() <= made ||
      !starts_with(play_, position.history)) {
    return false;
  }
  Choice choice;
  choice.move = play_[made];
  choice.value = goal_;
  choice.exact = best_;
  const double value = goal_;
  choice.root = {{.move = choice.move, .value = value, .low = value, .high = best_ ? value : 100}};
  choice.variation.assign(play_.begin() + static_cast<std::ptrdiff_t>(made), play_.end());
  incumbent.publish(std::move(choice));
  return true;
}

/// Continues what was begun at the same position; otherwise starts again, with the play found
/// before as long as the match follows it.
void Puzzle::look_at(const Position& position) {
  if (game_ != position.machine->vocabulary()) {
    game_ = position.machine->vocabulary();
    play_.clear();
  }
  const bool same = problem_ && machine_ == position.machine && history_ == position.history &&
                    gdl::StateView(state_) == gdl::StateView(position.state);
  if (same) return;
  const std::size_t made = position.history.size();
  const bool along = play_.size() > made && starts_with(play_, position.history) &&
                     std::ranges::find(legal_, play_[made]) != legal_.end();
  if (!along) {
    play_.clear();
    best_ = false;
  }
  portfolio_.reset();
  machine_ = position.machine;
  history_ = position.history;
  state_ = position.state;
  problem_ = std::make_unique<SearchProblem>(machine_, state_, root_moves(), settings_.enough,
                                             resources_.memory, rng_);
  problem_->most_moves = settings_.most_moves;
  if (along) problem_->offer(goal_, std::span(play_).subspan(made));
  portfolio_ = std::make_unique<Portfolio>(*problem_, settings_.portfolio);
}

/// The root moves in the order in which they are tried, which decides among equally good plays.
std::vector<gdl::MoveId> Puzzle::root_moves() {
  std::vector<gdl::MoveId> moves = legal_;
  if (settings_.ties == Ties::Random) std::ranges::shuffle(moves, rng_);
  return moves;
}

/// No play ends: every move is worth 0.
void Puzzle::publish_endless(Incumbent& incumbent) const {
  Choice choice;
  choice.move = legal_.front();
  choice.exact = true;
  choice.nodes = problem_->states;
  choice.depth = problem_->deepest;
  for (const gdl::MoveId move : legal_) choice.root.push_back({.move = move, .high = 0});
  incumbent.publish(std::move(choice));
}

void Puzzle::publish(const SearchProblem& problem, Incumbent& incumbent) const {
  Choice choice;
  choice.move = problem.line().front();
  choice.value = problem.best();
  choice.exact = best_ || problem.best() >= problem.highest();
  choice.depth = problem.deepest;
  choice.nodes = problem.states;
  for (const gdl::MoveId move : legal_) {
    RootMove& root = choice.root.emplace_back();
    root.move = move;
    root.value = std::min(kUnknownValue, choice.value);  // nothing better is known
    if (choice.exact) root.high = choice.value;
    if (move != choice.move) continue;
    root.value = root.low = choice.value;
  }
  choice.variation.assign(problem.line().begin(), problem.line().end());
  incumbent.publish(std::move(choice));
}

}  // namespace

std::unique_ptr<Strategy> make_puzzle(const PuzzleSettings& settings, const Resources& resources) {
  return std::make_unique<Puzzle>(settings, resources);
}

std::unique_ptr<Strategy> make_puzzle(const Options& options, const Resources& resources) {
  return make_puzzle(settings_of(options), resources);
}

}  // namespace ludens::search
