// SPDX-License-Identifier: MIT
#include "search/auto/race.h"

#include <algorithm>
#include <cstdio>
#include <memory>

#include "search/self_play/self_match.h"

namespace ludens::search {

namespace {

using Seconds = std::chrono::duration<double>;
using Clock = std::chrono::steady_clock;

/// The pairs of matches of the first challenger and of each other one for which there must be time.
constexpr double kPairsOfFirst = 2, kPairsOfOthers = 1;
constexpr std::uint32_t kMostPairs = 12;
/// The share of the time that these matches are to take; the rest is for more where they don't
/// decide.
constexpr double kPlanned = 0.6;
/// With less time per move, a search by playouts has no tree yet.
constexpr Seconds kShortestMove{0.004};
constexpr Seconds kLongestMove{0.1};
/// The share of the time in which a strategy analyses the game.
constexpr double kWarmUp = 0.15;
/// Standard errors from the bar with which no more matches are needed.
constexpr double kSure = 2;

/// A strategy that plays against the first.
struct Challenger {
  std::size_t racer;  // its number
  double bar;
  std::unique_ptr<Contestant> contestant;
  Score score = {};

  // How far above its bar.
  [[nodiscard]] double mean() const { return score.mean() - bar; }
  [[nodiscard]] double at_least(double errors) const {
    return mean() - errors * score.standard_error();
  }
  [[nodiscard]] double at_most() const { return mean() + kSure * score.standard_error(); }
  [[nodiscard]] bool surely_better() const { return score.pairs >= 2 && at_least(kSure) > 0; }
};

class Race {
 public:
  Race(std::span<const Racer> racers, const Position& position, const Deadline& end,
       StrategyFactory make, const Resources& resources, std::uint64_t seed)
      : racers_(racers),
        position_(position),
        end_(end),
        make_(make),
        resources_(resources),
        seed_(seed),
        match_(position, end, resources.memory, seed) {}

  RaceResult run(double length) {
    const Seconds time = end_.at() - Clock::now();
    if (!match_.possible()) return {};
    std::size_t racing = racers_.size();
    while (!plan(racing, time, length)) {
      if (--racing < 2) return {0, {}, std::vector<Score>(racers_.size())};
    }
    const auto first = contestant(racers_[0], time);
    for (std::size_t i = 1; i < racing; ++i) {
      challengers_.push_back({i, racers_[i].bar, contestant(racers_[i], time)});
    }
    while (Challenger* next = next_to_play()) {
      const auto share = match_.play_pair(*next->contestant, *first);
      if (!share) break;
      next->score.add(*share);
    }
    return result();
  }

 private:
  /// Chooses the time of a move for that many racers; false if it is too short.
  bool plan(std::size_t racing, Seconds time, double length) {
    const auto warm = std::ranges::count(racers_.first(racing), true, &Racer::warms_up);
    const double others = static_cast<double>(racing) - 2;
    const double matches = 2 * (kPairsOfFirst + kPairsOfOthers * others);
    const Seconds most =
        time * (1 - kWarmUp * static_cast<double>(warm)) / (matches * (length + 1));
    a_move_ = std::min(kLongestMove, std::max(kPlanned * most, std::min(kShortestMove, most)));
    return a_move_ >= kShortestMove;
  }

  std::unique_ptr<Contestant> contestant(const Racer& racer, Seconds time) {
    OptionTexts options = racer.options;
    options.emplace("seed", std::to_string(seed_ | 1));
    auto strategy = make_(racer.name, options,
                          {1, resources_.memory, nullptr, resources_.values, resources_.playouts});
    if (racer.warms_up) {
      Incumbent incumbent;
      const auto share = std::chrono::duration_cast<Clock::duration>(time * kWarmUp);
      strategy->think(position_, end_.no_later_than(Clock::now() + share), incumbent);
    }
    return std::make_unique<TimedContestant>(std::move(strategy), a_move_);
  }

  /// The one that may be best; null if more matches would change nothing.
  Challenger* next_to_play() {
    const auto best = std::ranges::max_element(challengers_, {}, &Challenger::at_most);
    if (best->at_most() < 0 || best->score.pairs == kMostPairs) return nullptr;
    const auto worse = [&](const Challenger& other) {
      return &other == &*best || other.at_most() < best->mean();
    };
    return best->surely_better() && std::ranges::all_of(challengers_, worse) ? nullptr : &*best;
  }

  [[nodiscard]] RaceResult result() const {
    RaceResult result;
    const auto probable = [&](const Challenger& c) { return c.at_least(racers_[c.racer].errors); };
    const auto best = std::ranges::max_element(challengers_, {}, probable);
    if (probable(*best) > 0) result.winner = best->racer;
    result.scores.resize(racers_.size());
    for (const Challenger& c : challengers_) result.scores[c.racer] = c.score;
    for (const Challenger& c : challengers_) {
      if (c.score.pairs == 0) continue;
      char text[128];
      std::snprintf(text, sizeof text, "%s%s %.0f %% of %u", result.explanation.empty() ? "" : ", ",
                    racers_[c.racer].told().c_str(), 100 * c.score.mean(), 2 * c.score.pairs);
      result.explanation += text;
    }
    if (result.explanation.empty()) return result;
    char text[64];
    std::snprintf(text, sizeof text, " against %s at %.0f ms a move", racers_[0].told().c_str(),
                  1000 * a_move_.count());
    result.explanation += text;
    return result;
  }

  std::span<const Racer> racers_;
  const Position& position_;
  const Deadline& end_;
  StrategyFactory make_;
  const Resources& resources_;
  std::uint64_t seed_;
  SelfMatch match_;
  Seconds a_move_{0};
  std::vector<Challenger> challengers_;
};

}  // namespace

RaceResult race(std::span<const Racer> racers, const Position& position, double length,
                const Deadline& end, StrategyFactory make, const Resources& resources,
                std::uint64_t seed) {
  return Race(racers, position, end, make, resources, seed).run(length);
}

}  // namespace ludens::search
