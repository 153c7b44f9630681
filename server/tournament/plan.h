// SPDX-License-Identifier: MIT
// A tournament: players, games, clocks and format, with every choice made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/text/error.h"

namespace ludens::server {

/// Limits of a plan, in a tournament's file and in its log.
inline constexpr int kLongestClock = 86'400;  // seconds
inline constexpr std::size_t kMostOpeningSteps = 1000;
inline constexpr std::size_t kMost = 1'000'000'000;  // rounds, steps, players at a table
inline constexpr int kMostMatchesOfAPlayer = 1024;
inline constexpr int kHighestPort = 65'535;

/// Whether a clock of a plan may have these seconds.
bool is_clock(double seconds);

/// Which players meet in a game. A table is a set of players that play a block together.
enum class Format : std::uint8_t {
  RoundRobin,    // all tables of as many players as the game has roles
  Gauntlet,      // those tables with the first player
  HeadToHead,    // two players
  SinglePlayer,  // games with one role; every player plays alone, all in the same block
};

/// `round-robin`, `gauntlet`, `head-to-head`, `single-player`.
std::string_view format_name(Format format);
std::optional<Format> find_format(std::string_view name);
/// In the order of the enumeration.
std::vector<std::string_view> format_names();

struct PlannedPlayer {
  enum class Kind : std::uint8_t {
    Builtin,  // a strategy of this program
    Remote,   // already listening
    Command,  // started, restarted and ended by the tournament, on this machine
    Page,     // a page in a separate browser, opened for each match
  };
  std::string name;  // unique in the tournament; what tables and logs call it
  Kind kind = Kind::Builtin;
  std::string strategy;  // Builtin, Page: as on the command line, `mcts:playouts=100`, `page:FILE`
  std::string hash;      // of the knowledge or page that `strategy` names, like that of a game
  std::string url;       // Remote
  std::string command;   // Command: for the shell, `{port}` stands for the port
  int port = 0;          // Command: where it listens; 0: a free one for each start
  int matches = 1;       // Remote, Command: how many at the same time

  /// Whether it listens at an address, and must be lent to a match.
  [[nodiscard]] bool listens() const { return kind == Kind::Remote || kind == Kind::Command; }
};

struct PlannedGame {
  std::string name;  // unique in the tournament
  std::string file;  // as it was found, for people
  std::string hash;  // of the rulesheet's text: 16 hexadecimal digits
  std::vector<std::string> roles;
  std::vector<bool> chance;  // by role: whether the host plays it, like `random`
  double start_clock = 10;   // seconds; a tournament's file has whole ones
  double play_clock = 5;
  std::size_t opening = 0;   // first steps, drawn by the host: the same in all of a block
  std::size_t step_cap = 0;  // 0: none

  /// The number of roles that need a player.
  [[nodiscard]] std::size_t seats() const;
};

/// Sequential probability ratio test of the first player against the second. Elo differences are
/// logistic.
struct SprtPlan {
  double elo0 = 0, elo1 = 10;  // H0: at most elo0; H1: at least elo1
  double alpha = 0.05;         // the probability of accepting H1 if H0 is true
  double beta = 0.05;          // the probability of accepting H0 if H1 is true
};

/// A sentence that says what is wrong with the parameters, or nullopt: elo0 < elo1, both within
/// +-1000; alpha and beta within 0..1 and together less than 1.
std::optional<std::string> complaint(const SprtPlan& plan);

enum class RecordPolicy : std::uint8_t {
  None,
  Json,  // `DIR/records/ID.json`, written once at the end of the match
  All,   // JSON and XML after each step, as `match` does
};

enum class DownPolicy : std::uint8_t {
  Skip,  // matches of a player that is down are marked as aborted, and not played
  Stop,  // the tournament stops, and can be resumed
};

enum class CrashPolicy : std::uint8_t {
  Loses,     // who is gone, or has failed `abort_after` times in a row, loses the match
  Replaced,  // moves are replaced; after `abort_after` failures in a row the match is aborted
};

/// Everything about the tournament that determines what is played and how. Other settings (how many
/// matches at once, which shard) may differ from run to run.
struct TournamentPlan {
  std::string name;
  Format format = Format::RoundRobin;
  std::size_t table_size = 0;  // most players at a table; 0: as many as the game has seats
  std::size_t rounds = 1;
  std::uint64_t seed = 1;
  std::vector<PlannedPlayer> players;
  std::vector<PlannedGame> games;
  int preview_clock = -1;  // seconds; -1: no PREVIEW
  bool scramble = false;
  std::string dialect = "ggp";
  std::string replace;           // random, first; empty: as the dialect does
  std::optional<SprtPlan> sprt;  // HeadToHead only
  CrashPolicy crash = CrashPolicy::Loses;
  std::size_t abort_after = 3;  // failures in a row of one player; 0: never
  DownPolicy down = DownPolicy::Skip;
  int patience_seconds = 10;   // how long a player may be down before `down` applies
  int startup_seconds = 10;    // how long a command may take until its player answers
  int stop_wait_seconds = 15;  // how long to wait for a player that has not answered STOP or ABORT
  RecordPolicy records = RecordPolicy::Json;

  /// `NAME-XXXXXXXX`, from everything that determines what happens in a block: the same for plans
  /// of the same tournament, even if one has more rounds, keeps other records or has other
  /// patience.
  [[nodiscard]] std::string id() const;
  /// Index by name.
  [[nodiscard]] std::optional<std::size_t> find_player(std::string_view player) const;
  [[nodiscard]] std::optional<std::size_t> find_game(std::string_view game) const;
};

/// One line of JSON, without line end; equal plans give equal texts.
std::string to_json(const TournamentPlan& plan);
/// The plan, or a sentence.
gdl::Result<TournamentPlan> parse_plan(std::string_view json);

/// The differences that make the second plan another tournament than the first (with another id),
/// one sentence each; empty if there are none.
std::vector<std::string> differences(const TournamentPlan& before, const TournamentPlan& now);

/// 16 hexadecimal digits that differ for different texts.
std::string text_hash(std::string_view text);

/// Part `index` of `count` plays the blocks with number % count == index - 1.
struct Shard {
  std::size_t index = 1, count = 1;
  [[nodiscard]] bool has(std::size_t block) const { return block % count == index - 1; }
  [[nodiscard]] std::string text() const {
    return std::to_string(index) + "/" + std::to_string(count);
  }
};

}  // namespace ludens::server
