// SPDX-License-Identifier: MIT
// A strategy that plays short matches by the clock.
#pragma once

#include <chrono>
#include <memory>

#include "search/self_play/self_match.h"

namespace ludens::search {

/// Has so much time for each of its moves. What the strategies of a match share, such as learned
/// values, comes with their `Resources`.
class TimedContestant final : public Contestant {
 public:
  TimedContestant(std::unique_ptr<Strategy> strategy, std::chrono::duration<double> a_move);
  std::optional<gdl::MoveId> choose(const Position& position, const Deadline& end) override;

 private:
  std::unique_ptr<Strategy> strategy_;
  TimePoint::duration time_;
};

}  // namespace ludens::search
