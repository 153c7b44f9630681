// SPDX-License-Identifier: MIT
// Every command: a struct of its options, and a function that runs it and returns an exit code
// (`exit_code.h`). `add_commands` gives the options to the command line.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "server/cli/diagnostic_lines.h"

namespace CLI {
class App;
}

namespace ludens::server {

// Play and compete.

/// `ludens play`: a person against the program, in a browser.
struct PlayCommandOptions {
  std::string game;
  std::string role;                  // of the person; empty: the first one
  std::vector<std::string> against;  // one player for all other roles, or one for each in role
                                     // order
  int start_clock = 3;
  int play_clock = 3;
  int human_clock = 3600;  // seconds that people have for a move
  int port = 0;            // of the page; 0: a free one
  std::uint64_t seed = 0;  // 0: from the system
  std::string out = "matches";
  bool no_browser = false;  // only print the address
  bool json = false;
};

/// Opens the page of a match in the desktop's browser, or prints its address on standard error, and
/// plays matches there until the person has had enough. Results go to standard output like those of
/// `match`.
int play_command(const PlayCommandOptions& options);

/// `ludens match`: hosts one match.
struct MatchCommandOptions {
  std::string game;
  std::vector<std::string> players;  // in role order, without `random` roles; the rest: auto
  int start_clock = 10;
  int play_clock = 5;
  int preview_clock = -1;  // -1: no PREVIEW
  std::uint64_t seed = 0;  // 0: from the system
  std::string replace;     // random, first; empty: as the dialect does
  std::string dialect = "ggp";
  bool scramble = false;
  bool force = false;
  std::size_t opening = 0;   // first steps, drawn by the host
  std::size_t step_cap = 0;  // 0: none
  int watch = -1;            // port of the page that follows the match; 0: a free one; -1: none
  int human_clock = 300;     // seconds that people have for a move
  std::string out = "matches";
  bool quiet = false;  // no moves and boards
  bool json = false;
};

/// Writes the result to standard output, moves and boards to standard error. 0: played to the end,
/// or to the step cap, without a fault; 1: with faults, or aborted. If people play, the match
/// begins when a browser has connected, and more matches may follow.
int match_command(const MatchCommandOptions& options);

/// `ludens serve`: the GGP player, until it is asked to end.
struct ServeOptions {
  std::uint16_t port = 9147;  // 0: a free one
  std::string bind = "127.0.0.1";
  std::string name = "Ludens";
  std::string strategy = "auto";
  unsigned threads = 0;  // 0: one for each processor
  std::size_t memory_mb = 2048;
  int margin_ms = 1000;
  unsigned matches = 1;
  bool ponder = true;
  std::string journal;  // folder; empty: in the user's folder for state; "off": none
  int watch = -1;       // port of the page that follows the matches; 0: a free one; -1: none
  std::string log;      // file; empty: standard error
  bool verbose = false;
  bool json = false;

  // Limits of a request.
  std::size_t body_mb = 16;
  std::size_t head_kb = 64;
  std::size_t connections = 128;
  double request_seconds = 10;

  // Permissions.
  std::vector<std::string> allow;         // addresses and networks; none: everybody
  unsigned peer_matches = 0;              // of one address; 0: three quarters of `matches`
  std::size_t peer_connections = 0;       // of one address; 0: three quarters of `connections`
  double peer_rate = 2000;                // connections of one address a second; 0: any
  bool pin_hosts = false;                 // a match belongs to the address of its START
  std::vector<std::string> allow_origin;  // pages that may talk to it; `*`: all; none: no page
  int max_clock = 3600;                   // a match with longer clocks, in seconds, gives way
  std::string gamemaster;                 // origin whose page may play through it; empty: none

  std::string version;  // for the page
};

/// Serves until SIGINT, SIGTERM or SIGQUIT, after which open replies are given within a second; a
/// second signal does not wait for them. SIGHUP reopens the log file. Exit codes as everywhere.
int serve_command(const ServeOptions& options);

/// `ludens demo`: what this program does, in half a minute.
struct DemoOptions {
  std::string game = "connect_four";
  std::string out = "matches";
  bool gamemaster = false;  // a page plays, next to a manager's page
  std::string page;         // file of that page; empty: the page with Ludens in it
  bool no_browser = false;  // only print the address of the page that shows the match
  int start_clock = 0;      // seconds; 0: 3, or 10 for a page
  int play_clock = 0;       // seconds; 0: 1, or 2 for a page
};

/// Starts the player on a free loopback port and hosts a match between it and a weaker built-in
/// one, through HTTP, like a GGP host; shows everything on standard output. Or a page of Gamemaster
/// plays, in a headless browser next to a manager's page, and the desktop's browser shows it. 0 if
/// the match was played to its end without a fault.
int demo_command(const DemoOptions& options);

// Experiments and their records.

/// `ludens tournament`: runs or resumes a tournament, or a part of it; joins the parts.
struct TournamentCommandOptions {
  std::string file;             // may be empty if parts are joined
  std::string out;              // folder of log and records; empty: as the file says
  std::size_t concurrency = 0;  // 0: as the file says
  bool resume = false;
  bool trust = false;              // reads logs that were changed, or that have no checksums
  std::string shard;               // I/N; empty: all of it
  std::vector<std::string> merge;  // folders of the parts; empty: play
  int watch = -1;                  // port of the page that follows; 0: a free one; -1: none
  bool json = false;
  bool csv = false;  // the standings as a table of comma-separated values
};

/// Writes the standings to standard output (with `json` a line for each match first), the rest to
/// standard error. 0: everything was played; 1: interrupted; 2: wrong use; 3: it could not start or
/// continue.
int tournament_command(const TournamentCommandOptions& options);

/// `ludens replay`: do the rules allow what a record says?
struct ReplayOptions {
  /// JSON records, archives of JSON lines, XML documents, or folders of such.
  std::vector<std::string> records;
  std::string game;     // if the record does not contain its rulesheet; empty: as recorded
  bool boards = false;  // draw every position
  bool json = false;
};

/// 0 if every match agrees with its rules, and no player got less than it had proved; 1 otherwise;
/// 3 if a record could not be read or derived.
int replay_command(const ReplayOptions& options);

/// `ludens report`: a page of tournaments and matches.
struct ReportOptions {
  std::vector<std::string> folders;  // or files of records
  std::string out = "report.html";
  std::string title;   // empty: from the folders
  std::string game;    // rulesheet of records without one; empty: they are shown without boards
  bool trust = false;  // reads logs that were changed, or that have no checksums
  bool json = false;
};

/// Writes the page, and prints where it is. 1 if something in the folders could not be read; 3 if
/// nothing could, or the page could not be written.
int report_command(const ReportOptions& options);

// Games, positions and what is known about them.

/// `ludens games`: what comes with the program.
struct GamesOptions {
  bool json = false;
};

/// One line per game: name, roles, and the first comment line of its rulesheet.
int games_command(const GamesOptions& options);

/// `ludens show`: a position as people and programs can read it.
struct ShowOptions {
  std::string game;
  std::string moves_file;  // one joint move per line, `( m1 m2 )`; `-`: standard input
  bool playout = false;    // random moves instead, each position on the way
  std::string role;        // shows what it knows, if information is hidden; empty: the position
  std::uint64_t seed = 1;
  bool seed_given = false;     // on the command line
  std::size_t step_cap = 500;  // of the playout
  bool json = false;
};

/// The initial position, the one after the moves of a file, or all positions of a random playout:
/// roles, state, legal moves, goals; or what a role knows about it. 1 if a move of the file is not
/// legal.
int show_command(const ShowOptions& options);

/// The common options of `think` and `solve` (`study.h`).
struct StudyOptions {
  std::string game;
  std::string role;         // empty: the first that is not `random`
  bool of_decider = false;  // empty: the first of them that has a choice, if there is one
  std::string moves_file;   // one joint move per line; `-`: standard input; empty: none
  std::string moves;        // the same as text, with line ends or semicolons between them
  double seconds = 0;       // cap on all of it, reading included; 0: none
  /// When the seconds begin. Options are made when the program starts.
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  std::size_t memory_mb = 2048;  // for tables
  bool json = false;
};

/// `ludens think`: one search from one position.
struct ThinkOptions {
  StudyOptions study;
  std::string strategy = "auto";
  bool trace = false;  // print the searched tree
};

/// Searches, and shows the values of all moves, the principal variation and counts. 1 if there is
/// nothing to search (the position is an end), 2 for a strategy or role that does not exist.
int think_command(const ThinkOptions& options);

/// `ludens solve`: the exact value of a position.
struct SolveOptions {
  StudyOptions study;
  std::string method = "search";  // `proof`, `backward` or `cfr`
  std::string machine = "auto";
  std::string policy_file;  // the file for the contingent strategy; empty: none
  bool all_moves = false;   // the value of every move, not only of the best
};

/// Shows what the role can force, or what is known about that when stopped, in which case it
/// returns 1. The policy is written as `search/solve/solve.h` says. For an equilibrium see
/// `equilibrium.h`.
int solve_command(const SolveOptions& options);

/// `ludens explain`: why to play like that in one position.
struct ExplainOptions {
  StudyOptions study;
  std::string at;  // moves to make first: a file of them, `-`, or the text itself
  std::string machine = "auto";
};

/// For a game of hidden information: what the role knows in the position and how it plays with that
/// in an equilibrium, that is how often it makes each move, and the move's value. For other games:
/// what the role can force, the value of every move, and how it answers the others. 1 if the game
/// is too large for the time or the memory, or is not solved when stopped.
int explain_command(const ExplainOptions& options);

/// `ludens learn`: values of a game by self-play, into a file of knowledge.
struct LearnOptions {
  std::string game;
  double seconds = 60;
  double interval = 10;           // seconds between two lines
  std::string out;                // empty: where players with `knowledge=auto` look
  bool resume = false;            // continue from what the file has; to join: replace it
  std::string base;               // the file that all parts begin with; empty: this is no part
  std::uint32_t reach = 0;        // as the option of `value`; a file that goes on has its own
  std::vector<std::string> join;  // files of the parts to join; empty: learn
  std::string plot;               // a picture of the score against seconds; empty: none
  std::size_t memory_mb = 2048;
  unsigned threads = 0;  // 0: one for each processor
  std::uint64_t seed = 1;
  bool json = false;
};

/// Learns until the time is over or Ctrl-C, and writes the file at each line and at the end,
/// completely or not at all. Without memory to go on it fails, after a last line for what it has
/// learned since the one before. A file that exists is refused without `resume`. The same applies
/// to `plot`, which starts from scratch in each call. As JSON a line is
///
///     {"seconds":..,"games":..,"positions":..,"score":..}
///
/// for everything that was learned, including earlier calls: `positions` were evaluated, `score` is
/// the share in percent of `value` against `mcts` in a few matches with 2,000 states or playouts
/// per move, null if a game is not for two, and for parts and what was joined, without matches.
///
/// A part begins with its base. With `resume` it goes on with its file, if there is one, for the
/// rest of its seconds since the base. Parts are joined into the file, in one line.
int learn_command(const LearnOptions& options);

/// `ludens analyze`: what is known about a game, how, and what `auto` does with it.
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
///      "hidden":{..}|null,
///      "strategy":..,"kind":..,"why":..,"start_clock":TEXT|null}
///
/// `network` is {"refused":WHY} if there is none; `differences` is there with `verify`. `hidden`
/// says how many histories fit what roles know (hidden_report.h), if something is hidden. `proved`
/// names the keys that are certain; the other facts are as the playouts show them. `states` and
/// `longest_game` are null if not all states could be visited, the latter also if games need not
/// end. `tree_magnitude` is the decimal logarithm of the number of ways to play. `start_clock` is
/// what `auto` says about its first move, for people: what it learned, which searches played each
/// other, how often they won and which it chose.
int analyze_command(const AnalyzeOptions& options);

/// `ludens check GAME...`: what is wrong with rulesheets.
struct CheckOptions {
  std::vector<std::string> games;  // paths, or names of bundled games
  bool json = false;
  std::size_t limit = kMostDiagnostics;  // lines of text for each game; 0: all
};

/// Writes all diagnostics of all games to standard output, one per line: as JSON all of them, as
/// text no more than `limit`, and only a few that say the same. 1 if one of them is an error, 3 if
/// a game can't be read; the others are still checked.
int check_command(const CheckOptions& options);

/// `ludens convert`: a rulesheet in another language.
struct ConvertOptions {
  std::string game;
  std::string out;  // file; `-`: standard output
  std::string to;   // "kif", "hrf", "infix" or "prolog"; empty: by the suffix of `out`
  bool json = false;
};

/// Writes the rules in prefix GDL, HRF, infix GDL or Prolog GDL. Without a language or a suffix
/// known, prefix GDL becomes HRF and everything else prefix GDL. 1, with the places, if the
/// rulesheet has errors or the other language can't express it; 2 if it is in that language
/// already.
int convert_command(const ConvertOptions& options);

// Strategies, and how well machines and players work.

/// `ludens strategies`: what can be given as a player, and with which options.
struct StrategiesOptions {
  bool json = false;
};

/// Lists the registry of strategies. With `json`, one object per strategy:
///
///     {"strategy":..,"summary":..,"options":[{"key":..,"default":..,"values":..,"meaning":..}]}
///
/// where the common options come last.
int strategies_command(const StrategiesOptions& options);

/// `ludens conform GAMES TRACES`: a machine against recorded playouts.
struct ConformOptions {
  std::string games, traces;  // folders
  std::string machine = "auto";
  std::string only;      // regular expression on the key; empty: all
  unsigned threads = 0;  // 0: one for each processor
  bool json = false;
};

/// Replays every `TRACES/KEY.jsonl.gz` on `GAMES/KEY.kif` or `KEY.hrf`, sub-folders included. 1 if
/// there is any disagreement, 3 if something can't be read.
int conform_command(const ConformOptions& options);

/// `ludens agree`: machines against the interpreter, at each step of random playouts.
struct AgreeOptions {
  std::vector<std::string> games;
  std::vector<std::string> machines;  // none: all except `auto`
  std::uint32_t playouts = 3;         // of each game
  double seconds = 10;                // for the playouts of each game
  std::uint64_t seed = 1;
  bool json = false;
};

/// For each game: legal moves, next states, end and goals of every state, by single calls, walkers
/// and batches. A game that a machine does not support is reported with the reason. With `json`,
/// one object per game, then the sum:
///
///     {"game":..,"machines":[..],"playouts":N,"states":N,"differences":[..],
///      "refused":[{"machine":..,"why":..},..]}
///     {"games":N,"agree":N,"states":N}
int agree_command(const AgreeOptions& options);

/// `ludens perft GAME DEPTH`: counts joint-move paths.
struct PerftOptions {
  std::string game;
  unsigned depth = 1;
  std::string machine = "auto";
  unsigned threads = 0;  // 0: one for each processor
  bool json = false;
};

/// For each length up to the depth: how many sequences of joint moves there are from the initial
/// state, and how many of them end the game with their last move.
int perft_command(const PerftOptions& options);

/// `ludens speed GAME...`: how fast a machine plays.
struct SpeedOptions {
  std::vector<std::string> games;
  std::string machine = "auto";
  std::string policy = "uniform";  // of the playouts
  double seconds = 5;
  unsigned threads = 1;
  std::uint64_t seed = 1;
  bool json = false;
  bool csv = false;
};

/// Random playouts from the initial state, uniform or by a policy: steps (joint moves) per second,
/// including the legal moves of every state and the goals at the end. 3 if a game can't be read or
/// played, or does not have the policy.
int speed_command(const SpeedOptions& options);

/// `ludens compliance`: checks a player against the protocol, case by case.
struct ComplianceOptions {
  std::string url;
  std::string game = "connect_four";
  std::string only;  // a regular expression of case names; empty: all
  int start_clock = 3;
  int play_clock = 3;
  std::size_t slow_clients = 0;  // connections that slow clients hold open all the time
  bool list = false;             // only names the cases
  bool json = false;
};

/// 0 if no case fails; a case that can't be tried is reported as skipped.
int compliance_command(const ComplianceOptions& options);

/// The chosen command, ready to run once all options are known; it returns the exit code.
using Chosen = std::function<int()>;

/// Declares all commands. Parsing the command line sets `chosen`, which must outlive `app`.
void add_commands(CLI::App& app, Chosen& chosen);

}  // namespace ludens::server
