// SPDX-License-Identifier: MIT
// A case: one behaviour that hosts rely on, tested on a player.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "server/compliance/game.h"
#include "server/compliance/peer.h"

namespace ludens::server {

/// What a case found. `sent` and `got` are those of the request that decided.
struct Outcome {
  enum class Verdict {
    Passed,
    Failed,
    Skipped,  // could not be tried: the player is busy, or answers before it could be disturbed
  };
  Verdict verdict = Verdict::Passed;
  std::string sent;
  std::string got;
  double milliseconds = 0;
  std::string why;  // what was expected, unless it passed
};

/// What all cases share.
struct Trial {
  Peer& peer;
  const TestGame& game;
  int start_clock_seconds;
  int play_clock_seconds;
  std::string id_prefix;  // of match ids, new with every run
  int matches = 0;        // begun so far

  std::string new_match_id() { return id_prefix + "." + std::to_string(++matches); }
};

struct Case {
  std::string_view name;  // stable, lower-case with dashes
  std::string_view what;  // a line for people
  Outcome (*run)(Trial&);
};

/// All cases in the order in which they are best tried. Each leaves the player without a match.
std::span<const Case> framing_cases();
std::span<const Case> bad_input_cases();
std::span<const Case> message_cases();
std::span<const Case> match_cases();
std::span<const Case> hidden_cases();
std::span<const Case> search_cases();
std::vector<Case> compliance_cases();

}  // namespace ludens::server
