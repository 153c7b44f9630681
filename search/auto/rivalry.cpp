#include "search/auto/rivalry.h"

#include <cstdio>

#include "search/self_play/self_match.h"
#include "search/self_play/timed_contestant.h"

namespace ludens::search {

namespace {

using Seconds = std::chrono::duration<double>;
using Clock = std::chrono::steady_clock;

constexpr double kPairsAtLeast = 2;  // of matches, for which there must be time
constexpr std::uint32_t kMostPairs = 6;
/// Of the length of random matches; who knows what he does wins sooner. Where that is too hopeful,
/// time runs out and nothing is decided.
constexpr double kShortened = 0.5;
/// With less a move, a search by playouts has made no tree yet.
constexpr Seconds kShortestMove{0.004};
constexpr Seconds kLongestMove{0.1};
constexpr double kStandardErrors = 2;
constexpr std::string_view kMemory = "128";  // MiB of each tree

std::unique_ptr<Strategy> make_rival(std::string_view name, StrategyFactory make,
                                     const Resources& resources, std::uint64_t seed) {
  OptionTexts options{{"seed", std::to_string(seed | 1)}};
  if (name == "mcts") {
    options.emplace("policy", "uniform");  // which one suits is tried later, and takes its time
    options.emplace("memory", kMemory);
  }
  return make(name, options, {1, resources.memory});
}

}  // namespace

RivalryVerdict compare_searches(std::string_view first, std::string_view second,
                                const Position& position, double length, const Deadline& end,
                                StrategyFactory make, const Resources& resources,
                                std::uint64_t seed) {
  SelfMatch match(position, end, resources.memory, seed);
  const Seconds time = end.at() - Clock::now();
  const Seconds a_move =
      std::min(kLongestMove, time / (kPairsAtLeast * 2 * (kShortened * length + 1)));
  if (!match.possible() || a_move < kShortestMove) return {};
  TimedContestant one(make_rival(first, make, resources, seed), a_move);
  TimedContestant other(make_rival(second, make, resources, seed), a_move);
  Score score;
  RivalryVerdict verdict;
  while (score.pairs < kMostPairs && !verdict.decided) {
    const auto share = match.play_pair(one, other);
    if (!share) break;
    score.add(*share);
    const double margin = kStandardErrors * score.standard_error();
    verdict.decided = score.pairs >= 2 && std::abs(score.mean() - 0.5) > margin;
    verdict.first_better = score.mean() > 0.5;
  }
  char text[128];
  std::snprintf(text, sizeof text, "%.*s against %.*s: %.0f %% of %u matches at %.0f ms a move",
                static_cast<int>(first.size()), first.data(), static_cast<int>(second.size()),
                second.data(), 100 * score.mean(), 2 * score.pairs, 1000 * a_move.count());
  verdict.explanation = text;
  return verdict;
}

}  // namespace ludens::search
