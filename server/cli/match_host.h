// SPDX-License-Identifier: MIT
// The matches that `match`, `play` and `demo` host on this machine, with or without people in front
// of browsers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "gdl/text/error.h"
#include "server/game/rulesheet.h"
#include "server/match/match.h"
#include "server/match/player_spec.h"

namespace ludens::server {

bool has_people(const std::vector<PlayerSpec>& players);

/// Creates the folder, and reserves a record in it for a match that begins at `now_ms`. Returns the
/// match's id. No other match with a record in the folder has this id, even if another process
/// hosts it. The error is a sentence.
gdl::Result<std::string> reserve_match_id(const std::filesystem::path& folder,
                                          const std::string& game, std::int64_t now_ms);

/// A number that people can type again.
std::uint64_t fresh_seed();

struct MatchHostOptions {
  std::string command;      // for error messages: `match`, `play` or `demo`
  std::string port_option;  // for error messages: `--watch` or `--port`
  int watch = -1;           // port of the page; 0: a free one; -1: no page, and no people
  int human_clock = 300;    // seconds that people have for a move
  bool quiet = false;       // no moves and boards on standard error
  bool json = false;        // results as objects
  bool open_page = false;   // the page in the desktop's browser, if there is one
};

/// Hosts `match` between the players, who are in role order without `random` roles, under an id
/// that it makes; `stop` aborts it. If people play, it begins when a browser has connected, and
/// more matches follow until no one wants another. Moves can be taken back, and hints are
/// available, if all others are strategies of this program and nothing is hidden. Results go to
/// standard output. Returns an exit code: 0: all matches were played to the end, to the step cap,
/// or until people asked for another one, without a fault; 1: with faults, or aborted; 2: a
/// strategy was given knowledge that it can't use, or several people would see what the rules hide
/// from each other.
int host_matches(const MatchHostOptions& options, const Rulesheet& game,
                 std::vector<PlayerSpec> players, MatchOptions match, const std::stop_token& stop);

/// Removes what `reserve_match_id` has reserved for a match that ended before its first state.
void drop_reserved(const MatchRecord& record, const std::filesystem::path& folder);

}  // namespace ludens::server
