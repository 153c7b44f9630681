// SPDX-License-Identifier: MIT
// `ludens learn`, run within the test for as long as it takes to learn something.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <string>

#include "tests/server/cli/command_run.h"

namespace ludens::server {

/// The number of games in the last line of `--json`; 0 without one.
inline std::uint64_t games_of(const CommandRun& run) {
  if (run.out.empty()) return 0;
  const std::string line = run.out.substr(run.out.rfind('\n', run.out.size() - 2) + 1);
  return boost::json::parse(line).at("games").to_number<std::uint64_t>();
}

/// Calls `run` with more and more seconds until it has played more than `games` games: where other
/// programs take the processor, there may be none in a moment.
template <class Run>
CommandRun until_learned(std::uint64_t games, Run run, double seconds = 0.3) {
  constexpr double kPatience = 60;  // seconds that a slow machine may take
  for (;; seconds *= 2) {
    CommandRun done = run(std::to_string(seconds));
    if (games_of(done) > games || seconds > kPatience) return done;
  }
}

}  // namespace ludens::server
