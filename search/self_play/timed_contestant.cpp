// SPDX-License-Identifier: MIT
#include "search/self_play/timed_contestant.h"

namespace ludens::search {

TimedContestant::TimedContestant(std::unique_ptr<Strategy> strategy,
                                 std::chrono::duration<double> a_move)
    : strategy_(std::move(strategy)),
      time_(std::chrono::duration_cast<TimePoint::duration>(a_move)) {}

std::optional<gdl::MoveId> TimedContestant::choose(const Position& position, const Deadline& end) {
  Incumbent incumbent;
  strategy_->think(position, end.no_later_than(std::chrono::steady_clock::now() + time_),
                   incumbent);
  const auto choice = incumbent.get();
  if (!choice || end.stop_requested()) return std::nullopt;
  return choice->move;
}

}  // namespace ludens::search
