// SPDX-License-Identifier: MIT
#include "search/mcts/playout_contestant.h"

#include "search/strategy/processor_time.h"

namespace ludens::search::mcts {

std::optional<gdl::MoveId> PlayoutContestant::choose(const Position& position,
                                                     const Deadline& end) {
  Position own = position;
  own.machine = machine_;
  Incumbent incumbent;
  search_->think(own, end, incumbent);
  const auto choice = incumbent.get();
  if (!choice) return std::nullopt;
  return choice->move;
}

std::optional<double> search_rate(const std::shared_ptr<const gdl::Machine>& machine,
                                  const Position& position, Strategy& search, const Deadline& end) {
  Position own = position;
  own.machine = machine;
  Incumbent incumbent;
  const double before = processor_seconds();
  search.think(own, end, incumbent);
  const double seconds = processor_seconds() - before;
  const auto choice = incumbent.get();
  if (!choice || choice->iterations == 0 || end.stop_requested()) return std::nullopt;
  return static_cast<double>(choice->iterations) / seconds;
}

}  // namespace ludens::search::mcts
