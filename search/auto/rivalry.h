// Which of two searches plays a game better: matches between them.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "search/strategy/factory.h"

namespace ludens::search {

/// What matches between two searches showed.
struct RivalryVerdict {
  bool decided = false;       // there was time for matches, and one side is clearly better
  bool first_better = false;  // of those
  std::string explanation;    // for people
};

/// Lets two strategies of the factory play each other from positions a few plies behind
/// `position`, at equal time and from both seats, until one is clearly better or `end` comes.
/// `length` is that of a usual match, in joint moves. Nothing is played where moves would have to
/// be made in less time than says anything about a search, or in games of more than two roles.
RivalryVerdict compare_searches(std::string_view first, std::string_view second,
                                const Position& position, double length, const Deadline& end,
                                StrategyFactory make, const Resources& resources,
                                std::uint64_t seed);

}  // namespace ludens::search
