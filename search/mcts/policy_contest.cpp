// SPDX-License-Identifier: MIT
#include "search/mcts/policy_contest.h"

#include <algorithm>

namespace ludens::search::mcts {

namespace {

/// How many standard errors above one half the score of a policy must be.
constexpr double kMargin = 1.65;
constexpr std::uint32_t kLeastPairs = 6, kMostPairs = 100;
/// The pairs that each policy plays, whatever the first ones say, and how many standard errors
/// below the best of the others it is dropped afterwards.
constexpr std::uint32_t kFirstPairs = 3;
constexpr double kSure = 2;
/// The same for a match between two policies, where a wrong winner is not found out later.
constexpr double kSurest = 3;

}  // namespace

PolicyContest::PolicyContest(std::vector<std::string_view> names, PlayPair play)
    : names_(std::move(names)), play_(std::move(play)), scores_(names_.size()) {}

void PolicyContest::run(const Deadline& half, const Deadline& end) {
  play_uniform(half);
  if (winners().size() < 2) play_uniform(end);
  for (std::size_t p = 0; p < names_.size(); ++p) add_score(explanation_, names_[p], scores_[p]);
  for (const std::size_t p : winners()) {
    if (!winner_ || beats(p, *winner_, end)) winner_ = p;
  }
}

/// Whether more matches against uniform playouts may show that it is the best.
bool PolicyContest::may_be_best(const Score& score) const {
  if (score.pairs < kFirstPairs) return true;
  double least = 0.5;
  for (const Score& s : scores_) {
    if (s.pairs >= kFirstPairs) least = std::max(least, s.bound(-1));
  }
  return score.bound(kSure) >= least;
}

void PolicyContest::play_uniform(const Deadline& end) {
  while (!end.stop_requested()) {
    std::optional<std::size_t> next;
    for (std::size_t p = 0; p < scores_.size(); ++p) {
      if (!may_be_best(scores_[p])) continue;
      if (!next || scores_[p].pairs < scores_[*next].pairs) next = p;
    }
    if (!next || scores_[*next].pairs == kMostPairs) return;
    const auto share = play_(*next, kUniform);
    if (!share) return;
    scores_[*next].add(*share);
  }
}

/// Those that are surely better than uniform playouts, and may be the best. The best comes first.
std::vector<std::size_t> PolicyContest::winners() const {
  std::vector<std::size_t> found;
  for (std::size_t p = 0; p < scores_.size(); ++p) {
    const bool wins = scores_[p].pairs >= kLeastPairs && scores_[p].bound(-kMargin) > 0.5;
    if (wins && may_be_best(scores_[p])) found.push_back(p);
  }
  std::stable_sort(found.begin(), found.end(), [&](std::size_t a, std::size_t b) {
    return scores_[a].mean() > scores_[b].mean();
  });
  return found;
}

/// False if there is no time to find out.
bool PolicyContest::beats(std::size_t one, std::size_t other, const Deadline& end) {
  Score score;
  while (score.pairs < kMostPairs && !end.stop_requested()) {
    const bool sure = score.bound(kSurest) < 0.5 || score.bound(-kSurest) > 0.5;
    if (score.pairs >= kLeastPairs && sure) break;
    const auto share = play_(one, other);
    if (!share) break;
    score.add(*share);
  }
  if (score.pairs > 0) {
    add_score(explanation_, names_[one], score);
    explanation_ += " against ";
    explanation_ += names_[other];
  }
  return score.mean() > 0.5;
}

}  // namespace ludens::search::mcts
