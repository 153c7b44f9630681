// SPDX-License-Identifier: MIT
// `ludens analyze`: what is known of a game, how, and what `auto` makes of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ludens::server {

struct AnalyzeOptions {
  std::string game;
  double seconds = 5;              // for the analysis
  std::uint64_t seed = 1;          // of the random playouts
  std::uint64_t playouts = 0;      // at most; 0: as many as half of the time allows
  std::size_t states = 1'000'000;  // a game with more is not visited completely
  std::string dot;                 // write a drawing of the network there
  std::vector<std::string> skip;   // names of passes that are left out
  double start_clock = 0;  // seconds in which `auto` then chooses its search; 0: it does not
  bool verify = false;     // compare the network before and after each pass in random games
  bool json = false;
};

/// Analyses the game from its initial state. With `json`, one object:
///
///     {"game":..,"machine":..,"ready_ms":..,"roles":[..],"players":N,
///      "single_player":b,"turn_taking":b,"simultaneous":b,"zero_sum":b,"chance":b,
///      "states_recur":b,"monotone_goals":[b,..],"proved":[KEY,..],
///      "states":N|null,"longest_game":N|null,
///      "playouts":N,"cut":N,"mean_length":..,"longest_playout":N,"branching":..,
///      "tree_magnitude":..,"mean_goals":[..],"steps_per_s":..,
///      "network":{"stages":[{"pass":..,"ms":..,"gates":..,"two_input_gates":..,"depth":..,
///                            "fluents":N,"moves":N},..],
///                 "factors":[{"fluents":N,"moves":N},..],"differences":[..]},
///      "strategy":..,"kind":..,"why":..,"start_clock":TEXT|null}
///
/// `network` is {"refused":WHY} where there is none; `differences` stands there with `verify`.
/// `proved` names the keys that are certain; the other facts are as the playouts show them.
/// `states` and `longest_game` are null where not all states could be visited, the latter also
/// where games need not end. `tree_magnitude` is the decimal logarithm of the number of ways to
/// play. `start_clock` is what `auto` says of its first move, for people: what it learned, which
/// searches played each other, how often they won and which it took.
int analyze_command(const AnalyzeOptions& options);

}  // namespace ludens::server
