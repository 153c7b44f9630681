// SPDX-License-Identifier: MIT
// A short match that both record formats are tried on.
#pragma once

#include "server/records/match_record.h"

namespace ludens::server {

/// Two steps of a game of two roles, completed, with every optional part filled in and characters
/// that need escaping.
inline MatchRecord sample_record() {
  MatchRecord record;
  record.match_id = "sample.1400000000000";
  record.start_time_ms = 1400000000000;
  record.random_token = "0123456789abcdefghijklmnopqrstuv";
  record.game_meta_url = "ludens:sample";
  record.game = "sample";
  record.rulesheet = "; <sample> & \"more\"\n(role white) (role black)\n";
  record.roles = {"white", "black"};
  record.players = {"mcts:playouts=10", "127.0.0.1:9147 <&>"};
  record.human = {false, false};
  record.tournament = "cup";
  record.preview_clock = 5;
  record.start_clock = 30;
  record.play_clock = 15;
  record.scrambled = true;
  record.dialect = "ggp";
  record.seed = 0xffffffffffffffff;
  record.states = {"( ( at ( pair a 1 ) ) go )", "( ( cell 1 1 x ) ( step 1 ) )", "( )"};
  record.moves = {{"( mark 1 1 )", "noop"}, {"noop", "( put ( pair a 1 ) < )"}};
  record.state_times_ms = {1400000000001, 1400000000002, 1400000000003};
  record.errors = {{"", "CE"}, {"", "IL ( mark & 1 )"}, {"TO", ""}};
  record.completed = true;
  record.goals = {100, 0};
  record.latencies_ms = {{1.5, 2.25}, {0.125, 3}, {16000, 4}};
  record.values = {{{"white", 62.5}}, {}};
  record.claims = {{{"white", 50}}, {}};
  record.risked = {{}, {{"white", 50}}};
  record.replacements = {{1, "black", "IL", "( mark & 1 )", "noop"},
                         {2, "white", "TO", "", "noop"}};
  record.warnings = {"role black: no answer to START: refused"};
  return record;
}

}  // namespace ludens::server
