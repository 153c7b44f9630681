// SPDX-License-Identifier: MIT
// The settings of a player.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "agent/runtime/thinking_options.h"
#include "search/strategy/factory.h"

namespace spdlog {
class logger;
}

namespace ludens::agent {

struct PlayerOptions {
  std::string name = "Ludens";
  search::StrategySpec strategy{"auto", {}};
  unsigned threads = 1;  // distributed over the running matches
  std::size_t memory_bytes = std::size_t{2} << 30;
  int margin_ms = 1000;          // a reply leaves this long before its clock ends
  unsigned matches = 1;          // at the same time; see `capacity`
  unsigned peer_matches = 0;     // of one peer at the same time; 0: no limit of its own
  int max_clock_seconds = 3600;  // longer clocks of a host are cut, and its match gives way
  bool ponder = true;
  bool answer_forced_at_once = true;    // with one legal move, don't wait
  std::string journal_dir;              // empty: no journal; matches found there are taken up again
  std::uint64_t seed = 0;               // 0: from the system; each role of a match gets its own
  std::shared_ptr<spdlog::logger> log;  // null: nothing is logged; used on the I/O thread only
  /// Creates the strategy of a match; empty: `search::make_strategy` with `strategy`. Tests put
  /// doubles here.
  MakeStrategy make_strategy;
  /// Creates the machine of a match; empty: `gdl::make_interpreter`.
  MakeMachine make_machine;

  /// The most matches at the same time: one, if none is wanted.
  [[nodiscard]] unsigned capacity() const { return std::max(1u, matches); }
};

}  // namespace ludens::agent
