// SPDX-License-Identifier: MIT
#include "search/auto/hidden_play.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "search/auto/plan.h"
#include "search/strategy/first_choice.h"
#include "search/strategy/half_of_memory.h"
#include "search/strategy/thinking_time.h"

namespace ludens::search {

namespace {

/// Shares of thinking time: of the first one, to follow all histories of the game, and of each, to
/// improve a strategy that is not good enough yet.
constexpr double kToFollow = 0.3, kToImprove = 0.3;
/// If less than this many goal points can be gained against it, the strategy is played.
constexpr double kGoodEnough = 3;
/// The share of the rest of the first one for trial matches, if that is long enough.
constexpr double kToCompare = 0.6;
constexpr Seconds kComparedWithin{1};
/// MiB of information sets in each search that is compared.
constexpr const char* kComparedMemory = "128";
/// Playouts that estimate the length of a match, and how much shorter a match of good players is.
constexpr std::uint32_t kLengthPlayouts = 64;
constexpr double kShorter = 0.75;
/// Playouts that show whether players choose in turn, one by one. They take more time.
constexpr std::uint64_t kTurnPlayouts = 4;
constexpr std::uint32_t kLengthCap = 1000;  // joint moves of a playout
/// Histories that may be followed for each playout of `playouts`, and iterations.
constexpr std::uint64_t kHistoriesPerPlayout = 100;

/// The candidate searches. They play against the first, which is the simplest.
std::vector<Racer> racers() {
  return {{"pimc"},
          {"ismcts",
           {{"memory", kComparedMemory}, {"observers", "defence"}},
           false,
           "ismcts against the best defence"},
          {"ismcts", {{"memory", kComparedMemory}}}};
}
constexpr std::size_t kBaseline = 0, kUsual = 1;

/// The default search, unless the matches show that another is better by one standard error.
std::size_t best_of(const std::vector<Score>& scores) {
  std::size_t best = kUsual;
  const auto ahead = [&](double mean, double error) {
    const Score& usual = scores[best];
    return usual.pairs > 1 &&
           mean - usual.cautious_mean() > std::hypot(error, usual.standard_error());
  };
  for (std::size_t i = kUsual + 1; i < scores.size(); ++i) {
    if (ahead(scores[i].cautious_mean(), scores[i].standard_error())) best = i;
  }
  return ahead(0.5, 0) ? kBaseline : best;
}

}  // namespace

double choices_in_match(const Position& position, const Deadline& deadline,
                        gdl::MemoryBudget* memory, gdl::Rng& rng) {
  const auto context = position.machine->make_context({.stop = &deadline, .memory = memory});
  const gdl::StateView start = position.state;
  gdl::PlayoutSums sums;
  const auto status = position.machine->playouts(
      *context, {&start, 1}, {.per_start = kLengthPlayouts, .step_cap = kLengthCap}, rng, sums);
  if (status != gdl::Status::Ok || sums.playouts[0] == 0) return 0;
  const AnalysisBudget few{.playouts = kTurnPlayouts, .step_cap = kLengthCap, .states = 0};
  const GameAnalysis game = analyse(*position.machine, *context, start, few, deadline, rng);
  return static_cast<double>(sums.steps) / sums.playouts[0] * static_cast<double>(choosers(game));
}

HiddenPlay::HiddenPlay(const Options& options, const Resources& resources, StrategyFactory make,
                       std::uint64_t seed)
    : options_(options),
      resources_(resources),
      make_(make),
      rng_(seed),
      memory_(half_of(resources.memory)) {}

void HiddenPlay::think(const Position& position, const Deadline& deadline, Incumbent& incumbent) {
  explanation_ = "hidden information";
  if (game_ != position.machine->vocabulary()) {
    game_ = position.machine->vocabulary();
    search_.reset();
    find_equilibrium(position, deadline);
    choose_search(position, deadline);
    if (equilibrium_ == nullptr && deadline.interrupted()) game_.reset();  // both once more
  }
  if (equilibrium_ == nullptr || !play_by_equilibrium(position, deadline, incumbent)) {
    search(position, deadline, incumbent);
  }
}

void HiddenPlay::find_equilibrium(const Position& position, const Deadline& deadline) {
  equilibrium_.reset();
  const std::uint64_t most = options_.count("playouts", kHistoriesPerPlayout);
  auto built =
      hidden::Equilibrium::build(*position.machine, within(deadline, kToFollow), &memory_, most);
  why_ = built ? "" : built.error().text;
  if (built) equilibrium_ = *std::move(built);
}

/// False if the strategy is not good enough, or does not know the position. What is good is
/// published before it is improved; after that, nobody waits for another choice if it was
/// interrupted.
bool HiddenPlay::play_by_equilibrium(const Position& position, const Deadline& deadline,
                                     Incumbent& incumbent) {
  const std::vector<gdl::MoveId> legal = legal_moves(position, deadline);
  if (legal.empty()) return false;
  const bool good = equilibrium_->exploitability() <= kGoodEnough;
  const std::uint64_t before = equilibrium_->iterations();
  if (good && !deadline.interrupted() && !publish_by_equilibrium(position, legal, incumbent)) {
    return false;
  }
  equilibrium_->improve(good ? deadline : within(deadline, kToImprove), options_.count("playouts"));
  char text[128];
  std::snprintf(text, sizeof text,
                "CFR+ over %zu histories: exploitability %.3g after %llu iterations",
                equilibrium_->form().histories().size(), equilibrium_->exploitability(),
                static_cast<unsigned long long>(equilibrium_->iterations()));
  why_ = text;
  if (equilibrium_->exploitability() > kGoodEnough) return false;
  const bool answered = good && (deadline.interrupted() || equilibrium_->iterations() == before);
  if (!answered && !publish_by_equilibrium(position, legal, incumbent)) return false;
  explanation_ += "; " + why_;
  return true;
}

/// Draws a move by the strategy; false if it does not know the position.
bool HiddenPlay::publish_by_equilibrium(const Position& position,
                                        std::span<const gdl::MoveId> legal, Incumbent& incumbent) {
  auto choice = equilibrium_->choose(position, legal, gdl::Rng(rng_()));
  if (!choice) return legal.size() < 2;
  incumbent.publish(*std::move(choice));
  return true;
}

/// Plays trial matches if the game begins here and there is no equilibrium to play.
void HiddenPlay::choose_search(const Position& position, const Deadline& deadline) {
  const std::vector<Racer> all = racers();
  best_ = all[kUsual];
  compared_.clear();
  const bool timed = deadline.at() != TimePoint::max() && !repeatable();
  const bool in_time = timed && time_left(deadline) >= kComparedWithin;
  if (!in_time || equilibrium_ || !position.known->empty()) return;
  const Deadline end = within(deadline, kToCompare);
  const double choices = kShorter * choices_in_match(position, end, resources_.memory, rng_);
  if (choices == 0) return;
  const RaceResult result =
      race(all, position, std::max(1.0, choices), end, make_, resources_, rng_());
  if (result.explanation.empty()) return;
  best_ = all[best_of(result.scores)];
  compared_ = result.explanation + ": " + best_.label() + " plays";
}

void HiddenPlay::search(const Position& position, const Deadline& deadline, Incumbent& incumbent) {
  if (!search_) {
    OptionTexts texts = best_.options;
    texts.erase("memory");
    texts.emplace("seed", std::to_string(rng_() | 1));
    for (const std::string_view key : {"threads", "depth", "threshold", "ties", "playouts"}) {
      texts.emplace(key, options_.text(key));
    }
    search_.emplace(make_(best_.name, texts, resources_));
  }
  search_->think(position, deadline, [&](Choice choice) { incumbent.publish(std::move(choice)); });
  explanation_ += "; " + why_ + (compared_.empty() ? "" : "; " + compared_) + "; " + best_.label() +
                  ": " + search_->explanation();
}

Deadline HiddenPlay::within(const Deadline& deadline, double share) const {
  if (repeatable()) return deadline;
  if (deadline.at() != TimePoint::max()) return deadline.share(share);
  return search::within(deadline, Seconds(1));
}

}  // namespace ludens::search
