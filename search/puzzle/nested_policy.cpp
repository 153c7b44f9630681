// SPDX-License-Identifier: MIT
#include "search/puzzle/nested_policy.h"

#include <algorithm>
#include <cmath>

#include "gdl/machine/rng.h"

namespace ludens::search::puzzle {

namespace {

/// Plays of one search at the lowest level, from one policy.
constexpr std::size_t kLanesEach = 32;
/// A longer play is abandoned.
constexpr std::size_t kLongest = 1000;
/// Legal moves stored for all running plays.
constexpr double kMovesKept = 16e6;
/// Pairs of moves share this many weights.
constexpr std::size_t kPairCodes = std::size_t{1} << 14;
/// Step of the policy towards the best play (Rosin takes 1).
constexpr float kStep = 1;
constexpr double kScoreOfGoalPoint = 1e4;

std::size_t lanes_for(const Passes& passes, const PlayObservations& observations) {
  const double moves = std::max(1.0, observations.mean_length() * observations.mean_moves());
  const auto most = static_cast<std::size_t>(kMovesKept / moves);
  return std::max<std::size_t>(1, std::min(passes.capacity(), most));
}

}  // namespace

NestedPolicy::NestedPolicy(SearchProblem& problem, Guide& guide, const NestedSettings& settings)
    : problem_(problem), guide_(guide), settings_(settings), passes_(problem) {
  const std::size_t lanes = lanes_for(passes_, guide.observations());
  lanes_each_ = std::min(kLanesEach, lanes);
  searches_.resize(lanes / lanes_each_);
  lanes_.resize(searches_.size() * lanes_each_);
  const int tie_breaks = guide.observations().goals_tell() ? 3 : 2;
  for (std::size_t s = 0; s < searches_.size(); ++s) {
    searches_[s].levels.resize(std::max(1U, settings.level));
    searches_[s].tie_break = static_cast<TieBreak>(s % static_cast<std::size_t>(tie_breaks));
    searches_[s].pairs = s / static_cast<std::size_t>(tie_breaks) % 2 == 1;
  }
}

Ended NestedPolicy::run() {
  for (;;) {
    if (problem_.solved()) return Ended::Solved;
    if (!playing_) start_plays();
    if (play_on() == Ended::Stopped) return Ended::Stopped;
    playing_ = false;
    learn();
    if (problem_.stopped()) return Ended::Stopped;
  }
}

void NestedPolicy::start_plays() {
  for (Lane& lane : lanes_) {
    lane.play.line.clear();
    lane.play.moves.clear();
    lane.play.begin.clear();
    lane.play.score = -1;
    lane.state = gdl::State(problem_.root());
    lane.legal.assign(problem_.root_moves().begin(), problem_.root_moves().end());
    lane.on_the_way = 0;
    lane.over = false;
  }
  next_ = 0;
  playing_ = true;
}

/// Plays all lanes to their ends, one move in each at a time.
Ended NestedPolicy::play_on() {
  for (;;) {
    for (; next_ < lanes_.size() && !passes_.full(); ++next_) {
      Lane& lane = lanes_[next_];
      if (lane.over) continue;
      passes_.add(lane.state, choose(lane, search_of(next_)), static_cast<std::uint32_t>(next_));
    }
    if (passes_.size() == 0) return Ended::Limited;
    if (passes_.run() == gdl::Status::Stopped) return Ended::Stopped;
    if (passes_.children() < passes_.size()) {
      for (std::size_t i = 0; i < passes_.size(); ++i) lanes_[passes_.tag(i)].over = true;
    }
    for (std::size_t i = 0; i < passes_.children(); ++i) land(passes_[i]);
    passes_.clear();
    if (next_ == lanes_.size()) next_ = 0;
  }
}

void NestedPolicy::land(const Child& child) {
  Lane& lane = lanes_[child.tag];
  const Search& search = search_of(child.tag);
  lane.state.assign(child.state);
  lane.legal.assign(child.moves.begin(), child.moves.end());
  problem_.deepest = std::max(problem_.deepest, static_cast<std::uint32_t>(lane.play.line.size()));
  if (child.terminal) problem_.offer(child.goal, lane.play.line);
  const std::size_t longest = std::min(kLongest, problem_.most_moves);
  if (child.terminal || child.moves.empty() || lane.play.line.size() >= longest) {
    finish(lane, search, child.goal);
  } else if (search.tie_break == TieBreak::GoalOnTheWay) {
    lane.on_the_way += guide_.goal_of(child.state);
  }
}

void NestedPolicy::finish(Lane& lane, const Search& search, int goal) {
  lane.over = true;
  const auto length = static_cast<double>(lane.play.line.size());
  double tie_break = 0;
  switch (search.tie_break) {
    case TieBreak::Longer:
      tie_break = length;
      break;
    case TieBreak::Shorter:
      tie_break = -length;
      break;
    case TieBreak::GoalOnTheWay:
      tie_break = lane.on_the_way / length;
      break;
  }
  lane.play.score = kScoreOfGoalPoint * (goal + 1) + tie_break;
}

/// Every search moves its policies towards the best of its plays.
void NestedPolicy::learn() {
  for (std::size_t s = 0; s < searches_.size(); ++s) {
    Search& search = searches_[s];
    const auto first = lanes_.begin() + static_cast<std::ptrdiff_t>(s * lanes_each_);
    const auto best =
        std::max_element(first, first + static_cast<std::ptrdiff_t>(lanes_each_),
                         [](const Lane& a, const Lane& b) { return a.play.score < b.play.score; });
    if (best->play.score < 0) continue;
    Level& lowest = search.levels[0];
    if (best->play.score >= lowest.best.score) std::swap(lowest.best, best->play);
    climb(search, 0);
  }
}

/// A level has made an iteration; after the last, the level above has.
void NestedPolicy::climb(Search& search, std::size_t level) {
  Level& here = search.levels[level];
  adapt(search, here.policy, here.best);
  if (++here.iteration < settings_.iterations) {
    // The levels below start from what this one has learnt.
    for (std::size_t below = 0; below < level; ++below) search.levels[below].policy = here.policy;
    return;
  }
  here.iteration = 0;
  if (level + 1 == search.levels.size()) {
    for (Level& each : search.levels) each = {};
    return;
  }
  Level& above = search.levels[level + 1];
  if (here.best.score >= above.best.score) above.best = std::move(here.best);
  here.best = {};
  climb(search, level + 1);
}

void NestedPolicy::adapt(const Search& search, Policy& policy, const Play& play) {
  // All probabilities are those of the policy before the change.
  gdl::MoveId before = gdl::kNoMove;
  std::vector<std::pair<std::size_t, float>> changes;
  for (std::size_t step = 0; step < play.line.size(); ++step) {
    const std::size_t end = step + 1 < play.begin.size() ? play.begin[step + 1] : play.moves.size();
    const auto legal = std::span(play.moves).subspan(play.begin[step], end - play.begin[step]);
    double sum = 0;
    for (const gdl::MoveId move : legal) {
      const std::size_t c = code(search, before, move);
      make_room(policy, c);
      sum += policy.chance[c];
    }
    for (const gdl::MoveId move : legal) {
      const std::size_t c = code(search, before, move);
      changes.emplace_back(c, -kStep * policy.chance[c] / static_cast<float>(sum));
    }
    changes.emplace_back(code(search, before, play.line[step]), kStep);
    before = play.line[step];
  }
  for (const auto& [c, change] : changes) policy.weight[c] += change;
  for (const auto& [c, change] : changes) {
    policy.chance[c] = std::exp(std::clamp(policy.weight[c], -40.0F, 40.0F));
  }
}

gdl::MoveId NestedPolicy::choose(Lane& lane, Search& search) {
  Policy& policy = search.levels[0].policy;
  Play& play = lane.play;
  const gdl::MoveId before = play.line.empty() ? gdl::kNoMove : play.line.back();
  chances_.clear();
  double sum = 0;
  for (const gdl::MoveId move : lane.legal) {
    const std::size_t c = code(search, before, move);
    make_room(policy, c);
    sum += policy.chance[c];
    chances_.push_back(policy.chance[c]);
  }
  const std::size_t i = gdl::draw_index(chances_, problem_.rng().uniform() * sum);
  play.begin.push_back(static_cast<std::uint32_t>(play.moves.size()));
  play.moves.insert(play.moves.end(), lane.legal.begin(), lane.legal.end());
  play.line.push_back(lane.legal[i]);
  return lane.legal[i];
}

std::size_t NestedPolicy::code(const Search& search, gdl::MoveId before, gdl::MoveId move) {
  if (!search.pairs) return move;
  return (before * std::size_t{0x9e3779b1} + move * std::size_t{0x85ebca6b}) % kPairCodes;
}

void NestedPolicy::make_room(Policy& policy, std::size_t code) {
  if (code < policy.weight.size()) return;
  policy.weight.resize(code + 1, 0);
  policy.chance.resize(code + 1, 1);
}

}  // namespace ludens::search::puzzle
