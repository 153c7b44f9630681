// SPDX-License-Identifier: MIT
#include "search/minimax/compulsive.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "search/minimax/minimax_search.h"
#include "search/minimax/reach_search.h"
#include "search/strategy/starts_with.h"

namespace ludens::search {

namespace {

class Compulsive final : public TreeStrategy {
 public:
  Compulsive(const Options& options, const Resources& resources)
      : TreeStrategy("compulsive", options, resources),
        threshold_(static_cast<double>(options.count("threshold"))) {}

 private:
  std::unique_ptr<TreeSearch> make_search(const Position& position) override {
    if (position.machine->role_count() == 1) {
      follow(position);
      return std::make_unique<ReachSearch>(threshold_, resources().memory, play_);
    }
    MinimaxRules rules;
    rules.nothing = 0;
    rules.enough = threshold_;
    rules.mean = true;
    return std::make_unique<MinimaxSearch>(rules, make_no_evaluation(), resources().trace);
  }

  /// Leaves of the play found before what the match has not made yet; nothing if it made other
  /// moves.
  void follow(const Position& position) {
    std::vector<gdl::MoveId> planned = std::exchange(history_, position.history);
    planned.insert(planned.end(), play_.begin(), play_.end());
    play_.clear();
    if (!starts_with(planned, history_)) return;
    play_.assign(planned.begin() + static_cast<std::ptrdiff_t>(history_.size()), planned.end());
  }

  double threshold_;
  std::vector<gdl::MoveId> history_;  // of the last position
  std::vector<gdl::MoveId> play_;     // the best found from there
};

}  // namespace

std::unique_ptr<Strategy> make_compulsive(const Options& options, const Resources& resources) {
  return std::make_unique<Compulsive>(options, resources);
}

}  // namespace ludens::search
