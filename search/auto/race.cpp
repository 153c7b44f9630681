// SPDX-License-Identifier: MIT
#include "search/auto/race.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "search/self_play/self_match.h"
#include "search/strategy/thinking_time.h"

namespace ludens::search {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kMostPairs = 12;
/// The share of the time that is planned for the pairs of matches that racers ask for; the rest is
/// for further pairs if these decide nothing.
constexpr double kPlanned = 0.6;
/// With less time per move, a search by playouts has no tree yet.
constexpr Seconds kShortestMove{0.004};
constexpr Seconds kLongestMove{0.1};
/// The share of the time in which a strategy analyses the game.
constexpr double kWarmUp = 0.15;
/// Standard errors from the bar with which no more matches are needed, and the pairs of matches
/// before which none is sure to be better: of two equals, one wins two pairs in a race of 16.
constexpr double kSure = 2;
constexpr std::uint32_t kSurePairs = 3;

/// How many times the time of a move the first has in a rematch.
constexpr double kLeastPatience = 2, kMostPatience = 8;
/// The share of the time after which a rematch begins, if one is due. It is planned to take as long
/// as `kRematchTakes` pairs of matches.
constexpr double kBeforeRematch = 0.5, kRematchTakes = 1.5;
constexpr std::uint32_t kRematchPairs = 4;
/// More time than anything takes.
constexpr Seconds kAlways{1e9};

/// Whether more matches would not change on which side of the bar the score is.
bool decided(const Score& score, double bar) {
  if (score.pairs == kMostPairs || score.bound(kSure) < bar) return true;
  return score.pairs >= kSurePairs && score.bound(-kSure) > bar;
}

/// A strategy that plays against the first.
struct Challenger {
  std::size_t racer;  // its number
  std::unique_ptr<Contestant> contestant;
  Score score = {};
};

class Race {
 public:
  Race(std::span<const Racer> racers, const Position& position, const Deadline& end,
       StrategyFactory make, const Resources& resources, std::uint64_t seed,
       const RaceResult& before)
      : racers_(racers),
        position_(position),
        end_(end),
        make_(make),
        resources_(resources),
        seed_(seed),
        before_(before),
        finals_(before.finals),
        match_(position, end, resources.memory, seed),
        made_(before.iterations) {}

  RaceResult run(double length) {
    const auto begin = Clock::now() - before_.taken;
    const Seconds time = end_.at() - begin;
    if (!match_.possible()) return {};
    length_ = length;
    std::size_t racing = racers_.size();
    auto a_move = time_of_a_move(racers_, length, time);
    for (; !a_move; a_move = time_of_a_move(racers_.first(racing), length, time)) {
      if (--racing < 2) return {0, {}, std::vector<Score>(racers_.size())};
    }
    a_move_ = *a_move;
    first_ = contestant(racers_[0], time);
    for (std::size_t i = 1; i < racing; ++i) {
      challengers_.push_back({i, contestant(racers_[i], time)});
      if (i < before_.scores.size()) challengers_.back().score = before_.scores[i];
    }
    while (Challenger* next = next_to_play()) {
      if (Clock::now() - begin > kBeforeRematch * time && rematch_is_due()) break;
      if (!play_pair(*next->contestant, *first_, next->score)) break;
      if (const auto made = first_->iterations_per_legal_move()) made_ = made;
    }
    RaceResult found = result();
    found.finals = std::move(finals_);
    found.iterations = made_;
    found.taken = Clock::now() - begin;
    return found;
  }

 private:
  std::unique_ptr<TimedContestant> contestant(const Racer& racer, Seconds time) {
    OptionTexts options = racer.options;
    options.emplace("seed", std::to_string(seed_ | 1));
    const ValueProvider& values = racer.values ? racer.values : resources_.values;
    auto strategy =
        make_(racer.name, options, {1, resources_.memory, nullptr, values, resources_.playouts});
    if (racer.warms_up) {
      Incumbent incumbent;
      strategy->think(position_, within(end_, time * kWarmUp), incumbent);
    }
    return std::make_unique<TimedContestant>(std::move(strategy), a_move_);
  }

  /// False if there was no time.
  bool play_pair(Contestant& one, Contestant& other, Score& score) {
    const auto share = match_.play_pair(one, other);
    if (share) score.add(*share);
    return share.has_value();
  }

  [[nodiscard]] const Racer& racer(const Challenger& c) const { return racers_[c.racer]; }
  [[nodiscard]] bool is_decided(const Challenger& c) const {
    return decided(c.score, racer(c).bar);
  }
  /// Whether it most probably is better than the first.
  [[nodiscard]] bool is_better(const Challenger& c) const {
    return c.score.pairs > 0 && c.score.bound(-racer(c).errors) > racer(c).bar;
  }

  /// The one that may have the highest score; null if more matches against the first would change
  /// nothing.
  Challenger* next_to_play() {
    double known = 0;  // the highest score of those that are better than the first
    for (const Challenger& c : challengers_) {
      if (is_decided(c) && is_better(c)) known = std::max(known, c.score.mean());
    }
    Challenger* next = nullptr;
    for (Challenger& c : challengers_) {
      if (is_decided(c) || c.score.bound(kSure) < known) continue;
      if (next == nullptr || c.score.bound(kSure) > next->score.bound(kSure)) next = &c;
    }
    return next;
  }

  RaceResult result() {
    RaceResult result;
    result.scores.resize(racers_.size());
    for (const Challenger& c : challengers_) {
      result.scores[c.racer] = c.score;
      if (c.score.pairs > 0) add_score(result.explanation, racer(c).label(), c.score);
    }
    if (result.explanation.empty()) return result;
    result.explanation += " against " + racers_[0].label();
    char text[32];
    std::snprintf(text, sizeof text, " at %.0f ms a move", 1000 * a_move_.count());
    std::string conditions = text;
    while (const Challenger* winner = play_final(result.explanation)) {
      const std::optional<Score> rematch = play_rematch(*winner, conditions);
      if (!rematch || rematch->mean() > 0.5) {
        result.winner = winner->racer;
        break;
      }
      if (rematch->pairs > 0) result.scores[winner->racer] = *rematch;
      std::erase_if(challengers_, [&](const Challenger& c) { return &c == winner; });
    }
    result.explanation += conditions;
    if (end_.interrupted()) result.winner = 0;  // more matches, or a rematch, were to come
    return result;
  }

  [[nodiscard]] std::optional<Seconds> time_in_rematch() const {
    return made_ ? search::time_in_rematch(*made_, a_move_, length_, time_left(end_))
                 : std::nullopt;
  }

  /// Whether a depth-first search is better than the first, which then won't play in any case.
  [[nodiscard]] bool first_is_out() const {
    return std::ranges::any_of(
        challengers_, [&](const Challenger& c) { return racer(c).depth_first && is_better(c); });
  }

  [[nodiscard]] bool needs_rematch(const Challenger& c) const {
    return racer(c).rematch && !first_is_out();
  }

  [[nodiscard]] bool rematch_is_due() const {
    return time_in_rematch() && std::ranges::any_of(challengers_, [&](const Challenger& c) {
             return needs_rematch(c) && is_better(c);
           });
  }

  /// nullopt if none is due. Without a pair of matches, and so not won, if the time ran out, or if
  /// the rematch of another has left none.
  std::optional<Score> play_rematch(const Challenger& winner, std::string& explanation) {
    const auto time = time_in_rematch();
    if (!needs_rematch(winner) || !(time || rematches_)) return std::nullopt;
    rematches_ = true;
    Score score;
    if (!time) return score;
    first_->set_time_per_move(*time);
    while (score.pairs < kRematchPairs && !decided(score, 0.5) &&
           play_pair(*winner.contestant, *first_, score)) {
    }
    first_->set_time_per_move(a_move_);
    if (score.pairs == 0) return score;
    add_score(explanation, racer(winner).label(), score);
    char text[32];
    std::snprintf(text, sizeof text, " against %.0f ms of it", 1000 * time->count());
    explanation += text;
    return score;
  }

  /// Whether the better one of two has its rematch even if they play another pair of matches.
  [[nodiscard]] bool has_time_for_final(const Challenger& one, const Challenger& other) const {
    if (!made_ || !(needs_rematch(one) || needs_rematch(other))) return true;
    return leaves_a_rematch(*made_, a_move_, length_, time_left(end_));
  }

  /// Those that are better than the first play each other, each one the best of those before it.
  /// Null if there are none.
  Challenger* play_final(std::string& explanation) {
    Challenger* best = nullptr;
    for (Challenger& c : challengers_) {
      if (!is_better(c)) continue;
      if (best == nullptr) {
        best = &c;
        continue;
      }
      Score& score = finals_[{c.racer, best->racer}];
      while (!decided(score, 0.5) && has_time_for_final(c, *best) &&
             play_pair(*c.contestant, *best->contestant, score)) {
      }
      if (score.pairs > 0) {
        add_score(explanation, racer(c).label(), score);
        explanation += " against " + racer(*best).label();
      }
      const bool better =
          score.pairs > 0 ? score.mean() > 0.5 : c.score.mean() > best->score.mean();
      if (better) best = &c;
    }
    return best;
  }

  std::span<const Racer> racers_;
  const Position& position_;
  const Deadline& end_;
  StrategyFactory make_;
  const Resources& resources_;
  std::uint64_t seed_;
  const RaceResult& before_;
  std::map<std::pair<std::size_t, std::size_t>, Score> finals_;
  SelfMatch match_;
  double length_ = 0;
  Seconds a_move_{0};
  std::optional<double> made_;  // iterations of the first for each legal move, before rematches
  bool rematches_ = false;      // whether there was one
  std::unique_ptr<TimedContestant> first_;
  std::vector<Challenger> challengers_;
};

}  // namespace

std::optional<Seconds> time_of_a_move(std::span<const Racer> racers, double length, Seconds time) {
  double wanted = 1, warm = 0;
  if (std::ranges::any_of(racers, &Racer::rematch)) wanted += kRematchTakes;
  for (const Racer& racer : racers) {
    if (&racer != racers.data()) wanted += racer.pairs;
    if (racer.warms_up) ++warm;
  }
  const Seconds a_pair = time * (1 - kWarmUp * warm) / (2 * (length + 1));
  const Seconds most = a_pair / static_cast<double>(racers.size());
  const Seconds a_move =
      std::min(kLongestMove, std::max(kPlanned * a_pair / wanted, std::min(kShortestMove, most)));
  return a_move < kShortestMove ? std::nullopt : std::optional(a_move);
}

std::optional<Seconds> time_in_rematch(double made, Seconds a_move, double length, Seconds left) {
  if (made * kLeastPatience > kIterationsForATree) return std::nullopt;
  const Seconds tree = a_move * std::min(kMostPatience, kIterationsForATree / made);
  const Seconds there_is = left / (length + 1) - a_move;
  if (there_is < kLeastPatience * a_move) return std::nullopt;
  return std::min(tree, there_is);
}

bool leaves_a_rematch(double made, Seconds a_move, double length, Seconds left) {
  const auto wanted = time_in_rematch(made, a_move, length, kAlways);
  const Seconds a_pair = 2 * (length + 1) * a_move;
  return !wanted || time_in_rematch(made, a_move, length, left - a_pair) == wanted;
}

RaceResult race(std::span<const Racer> racers, const Position& position, double length,
                const Deadline& end, StrategyFactory make, const Resources& resources,
                std::uint64_t seed, const RaceResult& before) {
  return Race(racers, position, end, make, resources, seed, before).run(length);
}

}  // namespace ludens::search
