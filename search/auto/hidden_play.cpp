// SPDX-License-Identifier: MIT
#include "search/auto/hidden_play.h"

#include <chrono>
#include <cstdio>
#include <utility>

#include "search/strategy/first_choice.h"

namespace ludens::search {

namespace {

/// Shares of a thinking time: of the first one for all histories of the game, and of each for a
/// strategy that is not good enough yet.
constexpr double kToFollow = 0.3, kToImprove = 0.3;
/// With less to gain from it than so many goal points, the strategy is played.
constexpr double kGoodEnough = 3;
/// Histories that may be followed for each playout of `playouts`, and iterations.
constexpr std::uint64_t kHistoriesPerPlayout = 100;

}  // namespace

HiddenPlay::HiddenPlay(const Options& options, const Resources& resources, StrategyFactory make,
                       std::uint64_t seed)
    : options_(options),
      resources_(resources),
      make_(make),
      rng_(seed),
      memory_(resources.memory == nullptr ? gdl::kUnbudgetedBytes : resources.memory->limit() / 2,
              {std::shared_ptr<void>(), resources.memory}) {}

void HiddenPlay::think(const Position& position, const Deadline& deadline, Incumbent& incumbent) {
  explanation_ = "hidden information";
  if (game_ != position.machine->vocabulary()) {
    game_ = position.machine->vocabulary();
    ismcts_.reset();
    find_equilibrium(position, deadline);
  }
  if (equilibrium_ == nullptr || !play_by_equilibrium(position, deadline, incumbent)) {
    search(position, deadline, incumbent);
  }
}

void HiddenPlay::find_equilibrium(const Position& position, const Deadline& deadline) {
  equilibrium_.reset();
  const std::uint64_t most = kHistoriesPerPlayout * options_.count("playouts");
  auto built =
      hidden::Equilibrium::build(*position.machine, within(deadline, kToFollow), &memory_, most);
  why_ = built ? "" : built.error().text;
  if (built) equilibrium_ = *std::move(built);
}

/// False where the strategy is not good enough, or does not know the position.
bool HiddenPlay::play_by_equilibrium(const Position& position, const Deadline& deadline,
                                     Incumbent& incumbent) {
  const bool good = equilibrium_->exploitability() <= kGoodEnough;
  equilibrium_->improve(good ? deadline : within(deadline, kToImprove), options_.count("playouts"));
  char text[128];
  std::snprintf(text, sizeof text,
                "CFR+ over %zu histories: exploitability %.3g after %llu iterations",
                equilibrium_->form().histories().size(), equilibrium_->exploitability(),
                static_cast<unsigned long long>(equilibrium_->iterations()));
  why_ = text;
  if (equilibrium_->exploitability() > kGoodEnough) return false;
  std::vector<gdl::MoveId> legal;
  const auto context = position.machine->make_context();
  if (position.machine->legal(*context, position.state, position.role, legal) != gdl::Status::Ok) {
    return false;
  }
  auto choice = equilibrium_->choose(position, legal, gdl::Rng(rng_()));
  if (!choice && legal.size() > 1) return false;
  if (choice) incumbent.publish(*std::move(choice));
  explanation_ += "; " + why_;
  return true;
}

void HiddenPlay::search(const Position& position, const Deadline& deadline, Incumbent& incumbent) {
  if (!ismcts_) {
    OptionTexts texts{{"seed", std::to_string(rng_() | 1)}};
    for (const std::string_view key : {"threads", "depth", "threshold", "ties", "playouts"}) {
      texts.emplace(key, options_.text(key));
    }
    ismcts_.emplace(make_("ismcts", texts, resources_));
  }
  ismcts_->think(position, deadline, [&](Choice choice) { incumbent.publish(std::move(choice)); });
  explanation_ += "; " + why_ + "; ismcts: " + ismcts_->explanation();
}

Deadline HiddenPlay::within(const Deadline& deadline, double share) const {
  if (repeatable()) return deadline;
  if (deadline.at() != TimePoint::max()) return deadline.share(share);
  return deadline.no_later_than(std::chrono::steady_clock::now() + std::chrono::seconds(1));
}

}  // namespace ludens::search
