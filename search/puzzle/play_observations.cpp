// SPDX-License-Identifier: MIT
#include "search/puzzle/play_observations.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace ludens::search::puzzle {

namespace {

/// A longer play is abandoned.
constexpr std::uint32_t kLongestLine = 1000;
/// All plays are abandoned when they have filled this part of the memory.
constexpr std::size_t kTrailShare = 8;

}  // namespace

Ended PlayObservations::gather(SearchProblem& problem, std::size_t count) {
  std::vector<Play> plays(count);
  for (Play& play : plays) {
    play.state = gdl::State(problem.root());
    play.moves.assign(problem.root_moves().begin(), problem.root_moves().end());
  }
  Passes passes(problem);
  depth_ = 0;
  Ended ended = observe(problem, plays);
  const std::size_t longest = std::min<std::size_t>(kLongestLine, problem.most_moves);
  while (ended == Ended::Limited && depth_ < longest) {
    ended = step(problem, passes, plays);
    if (ended == Ended::Limited) ended = observe(problem, plays);
  }
  conclude();
  find_recurrences(problem, plays);
  find_uses(problem, plays);
  plays.clear();
  trails_.release();
  return problem.solved() ? Ended::Solved : ended;
}

/// Makes one move in every play that is not over. Exhausted: all are over.
Ended PlayObservations::step(SearchProblem& problem, Passes& passes, std::vector<Play>& plays) {
  std::uint32_t next = 0;
  bool any = false;
  while (next < plays.size()) {
    passes.clear();
    for (; next < plays.size() && !passes.full(); ++next) {
      const Play& play = plays[next];
      if (play.over) continue;
      const auto choice = problem.rng().below(static_cast<std::uint32_t>(play.moves.size()));
      passes.add(play.state, play.moves[choice], next);
    }
    if (passes.run() == gdl::Status::Stopped) return Ended::Stopped;
    any |= passes.size() > 0;
    for (std::size_t i = 0; i < passes.children(); ++i) {
      const Child child = passes[i];
      Play& play = plays[child.tag];
      play.line.push_back(child.move);
      play.over = child.terminal || child.moves.empty();
      if (child.terminal) problem.offer(child.goal, play.line);
      play.state.assign(child.state);
      play.moves.assign(child.moves.begin(), child.moves.end());
      choices_ += child.moves.size();
      ++steps_;
    }
    if (passes.children() < passes.size()) {
      for (std::size_t i = 0; i < passes.size(); ++i) plays[passes.tag(i)].over = true;
    }
  }
  ++depth_;
  problem.deepest = std::max(problem.deepest, depth_);
  return any ? Ended::Limited : Ended::Exhausted;
}

/// Observes the current states of the plays.
Ended PlayObservations::observe(SearchProblem& problem, std::vector<Play>& plays) {
  const gdl::Machine& machine = problem.machine();
  std::size_t alive = 0;
  std::ranges::fill(count_, 0);
  for (Play& play : plays) {
    if (play.over) continue;
    ++alive;
    if (machine.fluents(problem.context(), play.state, fluents_) == gdl::Status::Stopped) {
      return Ended::Stopped;
    }
    for (const gdl::FluentId fluent : fluents_) {
      if (fluent >= count_.size()) count_.resize(fluent + 1);
      ++count_[fluent];
    }
    if (!follow(problem, play)) return Ended::Exhausted;
    int goal = 0;
    if (machine.goals(problem.context(), play.state, {&goal, 1}) == gdl::Status::Stopped) {
      return Ended::Stopped;
    }
    goals_tell_ |= play.goal >= 0 && goal != play.goal;
    play.goal = goal;
  }
  if (alive > 0) note_fluents(alive);
  return Ended::Limited;
}

/// Stores the current state of the play; false if there is no memory for that.
bool PlayObservations::follow(const SearchProblem& problem, Play& play) {
  constexpr std::size_t kAllocation = 16;
  gdl::MemoryBudget* const memory = problem.memory();
  // The array of arrays may have grown to twice its size.
  const std::size_t more =
      fluents_.size() * sizeof fluents_[0] + 2 * sizeof(decltype(fluents_)) + kAllocation;
  if (memory != nullptr && trails_.bytes() + more > memory->limit() / kTrailShare) return false;
  if (!trails_.reserve(more, memory)) return false;
  play.trail.push_back(fluents_);
  return true;
}

void PlayObservations::note_fluents(std::size_t alive) {
  if (disputed_.size() < count_.size()) {
    disputed_.resize(count_.size());
    held_.resize(count_.size());
    // A fluent not seen before did not hold at earlier depths.
    missed_.resize(count_.size(), depth_ > 0);
  }
  for (std::size_t fluent = 0; fluent < count_.size(); ++fluent) {
    const std::uint32_t holds = count_[fluent];
    if (holds == 0) {
      missed_[fluent] = 1;
    } else if (holds == alive) {
      held_[fluent] = 1;
    } else {
      disputed_[fluent] = 1;
    }
  }
}

/// Finds whether any play returned to an earlier position, except for the time.
void PlayObservations::find_recurrences(const SearchProblem& problem,
                                        const std::vector<Play>& plays) {
  std::set<std::vector<gdl::FluentId>> positions;
  for (const Play& play : plays) {
    positions.clear();
    for (const auto& state : play.trail) {
      if (problem.stopped()) return;
      auto position = state;
      std::erase_if(position, [&](gdl::FluentId fluent) { return is_clock(fluent); });
      has_clock_ |= !positions.insert(std::move(position)).second;
    }
    if (has_clock_) return;
  }
}

/// Finds the fluents that each move made false every time.
void PlayObservations::find_uses(const SearchProblem& problem, const std::vector<Play>& plays) {
  std::vector<gdl::FluentId> ended, common;
  for (const Play& play : plays) {
    for (std::size_t i = 0; i + 1 < play.trail.size() && !problem.stopped(); ++i) {
      const gdl::MoveId move = play.line[i];
      if (move >= used_.size()) used_.resize(move + 1);
      Use& use = used_[move];
      ended.clear();
      std::ranges::set_difference(play.trail[i], play.trail[i + 1], std::back_inserter(ended));
      if (!use.seen) {
        std::erase_if(ended, [&](gdl::FluentId fluent) { return is_clock(fluent); });
        use.fluents = ended;
      } else {
        common.clear();
        std::ranges::set_intersection(use.fluents, ended, std::back_inserter(common));
        use.fluents = common;
      }
      use.seen = true;
    }
  }
  usable_.assign(count_.size(), 0);
  for (const Use& use : used_) {
    for (const gdl::FluentId fluent : use.fluents) usable_[fluent] = 1;
  }
}

void PlayObservations::conclude() {
  clock_.assign(count_.size(), 0);
  for (std::size_t fluent = 0; fluent < held_.size(); ++fluent) {
    clock_[fluent] = disputed_[fluent] == 0 && held_[fluent] != 0 && missed_[fluent] != 0;
  }
  mean_moves_ = steps_ == 0 ? 0 : static_cast<double>(choices_) / static_cast<double>(steps_);
  mean_length_ = depth_;
}

}  // namespace ludens::search::puzzle
