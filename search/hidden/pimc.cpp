// SPDX-License-Identifier: MIT
#include "search/hidden/pimc.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "search/hidden/roots.h"
#include "search/hidden/sampling.h"
#include "search/mcts/mcts.h"
#include "search/strategy/first_choice.h"

namespace ludens::search {

namespace {

using std::chrono::steady_clock;

/// If there is less time than this for each, fewer histories are searched.
constexpr auto kLeastForOne = std::chrono::milliseconds(4);
/// The time for each if only a stop token ends the search.
constexpr auto kPonderedOne = std::chrono::milliseconds(20);

/// The mean of several searches of one position's moves.
class MeanOfWorlds {
 public:
  explicit MeanOfWorlds(const std::vector<gdl::MoveId>& legal) {
    for (const gdl::MoveId move : legal) rows_.push_back({.move = move});
  }
  void add(const Choice& choice) {
    iterations_ += choice.iterations;
    nodes_ += choice.nodes;
    depth_ = std::max(depth_, choice.depth);
    for (const RootMove& move : choice.root) {
      const auto row = std::ranges::find(rows_, move.move, &Row::move);
      const bool settled = move.low == move.high;
      if (row == rows_.end() || (move.visits == 0 && !settled)) continue;
      row->visits += move.visits;
      row->value += move.value;
      ++row->worlds;
    }
  }
  [[nodiscard]] Choice choice() const {
    Choice choice;
    choice.iterations = iterations_;
    choice.nodes = nodes_;
    choice.depth = depth_;
    const Row* best = &rows_.front();
    for (const Row& row : rows_) {
      choice.root.push_back({.move = row.move, .value = row.mean(), .visits = row.visits});
      if (row.mean() > best->mean()) best = &row;
    }
    choice.move = best->move;
    choice.value = best->mean();
    return choice;
  }

 private:
  struct Row {
    gdl::MoveId move;
    double value = 0;  // summed over worlds
    std::uint64_t visits = 0;
    std::uint32_t worlds = 0;  // in which it was searched
    [[nodiscard]] double mean() const { return worlds == 0 ? kUnknownValue : value / worlds; }
  };
  std::vector<Row> rows_;
  std::uint64_t iterations_ = 0, nodes_ = 0;
  std::uint32_t depth_ = 0;
};

class Pimc final : public Strategy {
 public:
  Pimc(const Options& options, const Resources& resources)
      : rng_(options.rng()),
        roots_({.seed = rng_(), .memory = resources.memory}),
        playouts_(options.count("playouts")),
        worlds_(playouts_ == 0 ? options.count("worlds")
                               : std::min(options.count("worlds"), playouts_)) {
    OptionTexts texts{{"policy", "uniform"}, {"seed", std::to_string(rng_() | 1)}};
    for (const std::string_view key : {"threads", "depth", "threshold", "ties"}) {
      texts.emplace(key, options.text(key));
    }
    if (playouts_ != 0) {
      texts.emplace("playouts", std::to_string(playouts_ / worlds_));
    }
    search_ = make_mcts(Options::read("mcts", kMctsOptions, texts).value(), resources);
  }
  [[nodiscard]] std::string_view name() const override { return "pimc"; }
  [[nodiscard]] std::string explanation() const override { return explanation_; }

  void think(const Position& position, const Deadline& deadline, Incumbent& incumbent) override {
    explanation_.clear();
    const auto legal = publish_first(position, deadline, incumbent);
    if (legal.empty() || !roots_.take(position, deadline)) return;
    const hidden::Histories& histories = roots_.histories();
    const std::uint64_t worlds = worlds_within(deadline);
    MeanOfWorlds mean(legal);
    hidden::LowDiscrepancySequence sequence(rng_);
    std::uint64_t done = 0;
    for (; !deadline.stop_requested() && (done < worlds || worlds == 0); ++done) {
      const std::size_t i = roots_.at(sequence.next());
      const auto history = histories.history(i);
      const Position world{position.machine,
                           gdl::State(histories.states[i]),
                           position.role,
                           {history.begin(), history.end()}};
      Incumbent one;
      search_->think(world, slice(deadline, worlds - done), one);
      if (const auto choice = one.get()) mean.add(*choice);
      incumbent.publish(mean.choice());
    }
    explanation_ = std::to_string(done) + " worlds";
    if (const std::string told = roots_.told(); !told.empty()) explanation_ += " of " + told;
  }

 private:
  /// How many there is time for; 0: as many as possible until a token stops it.
  [[nodiscard]] std::uint64_t worlds_within(const Deadline& deadline) const {
    if (playouts_ != 0) return worlds_;
    if (deadline.at() == TimePoint::max()) return 0;
    const auto left = deadline.at() - steady_clock::now();
    return std::clamp<std::int64_t>(left / kLeastForOne, 1, static_cast<std::int64_t>(worlds_));
  }
  [[nodiscard]] Deadline slice(const Deadline& deadline, std::uint64_t worlds_left) const {
    if (playouts_ != 0) return deadline;
    const auto now = steady_clock::now();
    if (deadline.at() == TimePoint::max()) return deadline.no_later_than(now + kPonderedOne);
    return deadline.no_later_than(now +
                                  (deadline.at() - now) / static_cast<std::int64_t>(worlds_left));
  }

  gdl::Rng rng_;
  hidden::Roots roots_;
  const std::uint64_t playouts_, worlds_;
  std::unique_ptr<Strategy> search_;
  std::string explanation_;
};

}  // namespace

std::unique_ptr<Strategy> make_pimc(const Options& options, const Resources& resources) {
  return std::make_unique<Pimc>(options, resources);
}

}  // namespace ludens::search
