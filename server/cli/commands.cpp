// SPDX-License-Identifier: MIT
#include "server/cli/commands.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "gdl/network/passes/passes.h"
#include "gdl/policy/policy.h"
#include "gdl/reach/reach_network.h"
#include "server/cli/option_values.h"
#include "server/gamemaster/bridge.h"
#include "server/match/dialect.h"

namespace ludens::server {

namespace {

constexpr const char* kWatchHelp =
    "port on this machine of a page to watch; 0: a free port; -1: none";

constexpr const char* kTrustHelp = "read logs that were changed, or are without checksums";

std::vector<std::string> pass_names() {
  std::vector<std::string> names;
  for (const gdl::Pass& pass : gdl::passes()) names.emplace_back(pass.name);
  return names;
}

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const gdl::PolicyInfo& policy : gdl::kPlayoutPolicies) names.emplace_back(policy.name);
  return names;
}

// Each command has a function that declares its options, and sets `chosen` if the command is used.
// An option that may be repeated takes one word each time (`allow_extra_args(false)`): otherwise it
// would take the words after it, too, which may be a GAME.

void add_check(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "all diagnostics of rulesheets");
  command->add_option("GAME", options->games, "rulesheets, or names of bundled games")->required();
  command->add_option("--limit", options->limit, "lines of text for each game; 0: all")
      ->transform(whole(0, kMaxCount));
  command->add_flag("--json", options->json, "all diagnostics, one object each");
  command->footer("Example: ludens check config/games/nim.kif");
  command->callback([options, &chosen] { chosen = [options] { return check_command(*options); }; });
}

void add_analyze(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<AnalyzeOptions>();
  CLI::App* command =
      app.add_subcommand("analyze", "what is known about a game, and how to play it");
  command->add_option("GAME", options->game, "a rulesheet, or the name of a bundled game")
      ->required();
  command->add_option("--seconds", options->seconds, "time for the analysis")
      ->check(number(kLeastSeconds, kMaxSeconds));
  command->add_option("--seed", options->seed, "of the random playouts")
      ->transform(whole(0, kMaxSeed));
  command->add_option("--playouts", options->playouts, "limit of random playouts; 0: only the time")
      ->transform(whole(0, kMaxCount));
  command->add_option("--states", options->states, "visit games of at most this many completely")
      ->transform(whole(0, kMaxCount));
  command->add_option("--dot", options->dot, "draw the network into this file, for Graphviz");
  command->add_option("--skip", options->skip, "leave a pass out; may be repeated")
      ->allow_extra_args(false)
      ->check(one_of(pass_names()));
  command
      ->add_option(
          "--start-clock", options->start_clock,
          "seconds in which auto then learns, lets searches play each other, and says which "
          "it takes; 0: none")
      ->check(number(0, kMaxSeconds));
  command->add_flag("--verify", options->verify, "compare the network before and after each pass");
  command->add_flag("--json", options->json, "one object");
  command->footer("Example: ludens analyze tic_tac_toe --seconds 2");
  command->callback(
      [options, &chosen] { chosen = [options] { return analyze_command(*options); }; });
}

void add_strategies(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<StrategiesOptions>();
  CLI::App* command = app.add_subcommand("strategies", "the strategies and their options");
  command->add_flag("--json", options->json, "one object a strategy");
  command->footer("Example: ludens strategies");
  command->callback(
      [options, &chosen] { chosen = [options] { return strategies_command(*options); }; });
}

void add_conform(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<ConformOptions>();
  CLI::App* command = app.add_subcommand("conform", "a machine against recorded playouts");
  command->add_option("GAMES", options->games, "folder of rulesheets, KEY.kif or KEY.hrf")
      ->required();
  command->add_option("TRACES", options->traces, "folder of traces, KEY.jsonl.gz")->required();
  command->add_option("--machine", options->machine, "interpreter, scalar, sliced or auto")
      ->check(machine_name());
  command->add_option("--only", options->only, "regular expression on KEY")->check(expression());
  command->add_option("--threads", options->threads, "0: one for each processor")
      ->transform(whole(0, kMaxThreads));
  command->add_flag("--json", options->json, "one object a game, then the sum");
  command->footer("Example: ludens conform games traces --only '^chess'");
  command->callback(
      [options, &chosen] { chosen = [options] { return conform_command(*options); }; });
}

void add_agree(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<AgreeOptions>();
  CLI::App* command = app.add_subcommand("agree", "machines against the interpreter, at each step");
  command->add_option("GAME", options->games, "rulesheets, or names of bundled games")->required();
  command->add_option("--machine", options->machines, "one to compare; may be repeated")
      ->allow_extra_args(false)
      ->check(machine_name());
  command->add_option("--playouts", options->playouts, "random playouts of each game")
      ->transform(whole(1, UINT32_MAX));
  command->add_option("--seconds", options->seconds, "for each game, without preparation")
      ->check(number(kLeastSeconds, kMaxSeconds));
  command->add_option("--seed", options->seed, "of the choice of moves")
      ->transform(whole(0, kMaxSeed));
  command->add_flag("--json", options->json, "one object a game, then the sum");
  command->footer("Example: ludens agree nim --machine scalar --machine sliced");
  command->callback([options, &chosen] { chosen = [options] { return agree_command(*options); }; });
}

void add_perft(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<PerftOptions>();
  CLI::App* command = app.add_subcommand("perft", "counts joint-move paths of each length");
  command->add_option("GAME", options->game, "a rulesheet, or the name of a bundled game")
      ->required();
  command->add_option("DEPTH", options->depth, "longest path")
      ->transform(whole(1, 1000))
      ->required();
  command->add_option("--machine", options->machine, "interpreter, scalar, sliced or auto")
      ->check(machine_name());
  command->add_option("--threads", options->threads, "0: one for each processor")
      ->transform(whole(0, kMaxThreads));
  command->add_flag("--json", options->json, "one object a length");
  command->footer("Example: ludens perft tic_tac_toe 5");
  command->callback([options, &chosen] { chosen = [options] { return perft_command(*options); }; });
}

void add_speed(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<SpeedOptions>();
  CLI::App* command = app.add_subcommand("speed", "random playouts a second");
  command->add_option("GAME", options->games, "rulesheets, or names of bundled games")->required();
  command->add_option("--machine", options->machine, "interpreter, scalar, sliced or auto")
      ->check(machine_name());
  command->add_option("--policy", options->policy, "of the playouts")
      ->check(one_of(policy_names()));
  command->add_option("--seconds", options->seconds, "for the playouts of each game")
      ->check(number(kLeastSeconds, kMaxSeconds));
  command->add_option("--threads", options->threads, "that play at the same time")
      ->transform(whole(1, kMaxThreads));
  command->add_option("--seed", options->seed, "of the choice of moves")
      ->transform(whole(0, kMaxSeed));
  auto* json = command->add_flag("--json", options->json, "one object a game");
  command->add_flag("--csv", options->csv, "a line of titles, then a line a game")->excludes(json);
  command->footer("Example: ludens speed connect_four --seconds 0.5");
  command->callback([options, &chosen] { chosen = [options] { return speed_command(*options); }; });
}

void add_match(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<MatchCommandOptions>();
  CLI::App* command = app.add_subcommand("match", "hosts one match between players");
  command->add_option("GAME", options->game, "a rulesheet, or a bundled game")->required();
  command
      ->add_option("--player", options->players,
                   "STRATEGY[:key=value,...], http://HOST:PORT, page:FILE.html or human; one a "
                   "role in order, auto for those left out")
      ->allow_extra_args(false)
      ->check(player());
  command->add_option("--start-clock", options->start_clock, "seconds before the first move")
      ->transform(whole(0, 86'400));
  command->add_option("--play-clock", options->play_clock, "seconds for each move")
      ->transform(whole(1, 86'400));
  command
      ->add_option("--preview-clock", options->preview_clock,
                   "seconds to study the rules; -1: no preview")
      ->transform(whole(-1, 86'400));
  command
      ->add_option("--seed", options->seed,
                   "of all random choices in the match; 0: from the system")
      ->transform(whole(0, kMaxSeed));
  command->add_option("--replace", options->replace, "what stands in for a bad answer")
      ->check(one_of({"random", "first"}));
  command
      ->add_option("--dialect", options->dialect, "the kind of host to imitate: clocks and words")
      ->check(one_of(std::vector<std::string>(dialect_names().begin(), dialect_names().end())));
  command->add_flag("--scramble", options->scramble, "replace all names in the rules by others");
  command->add_flag("--force", options->force, "play a rulesheet that has errors");
  command->add_option("--opening", options->opening, "number of first steps with random moves")
      ->transform(whole(0, 1000));
  command->add_option("--step-cap", options->step_cap, "abort after this many steps; 0: never")
      ->transform(whole(0, kMaxCount));
  command->add_option("--watch", options->watch, kWatchHelp)->transform(whole(-1, 65'535));
  command->add_option("--human-clock", options->human_clock, "seconds for each move of a human")
      ->transform(whole(1, 86'400));
  command->add_option("--out", options->out, "folder of the records");
  command->add_flag("--quiet", options->quiet, "do not show moves and boards");
  command->add_flag("--json", options->json, "the result as one object");
  command->footer("Example: ludens match tic_tac_toe --player mcts:playouts=500 --player random");
  command->callback([options, &chosen] { chosen = [options] { return match_command(*options); }; });
}

void add_play(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<PlayCommandOptions>();
  CLI::App* command = app.add_subcommand("play", "you against the program, in a browser");
  command->add_option("GAME", options->game, "a rulesheet, or a bundled game");
  command->add_option("--as", options->role, "the role that you play; not set: the first one");
  command
      ->add_option("--against", options->against,
                   "STRATEGY[:key=value,...], http://HOST:PORT or human; again for more roles; "
                   "not set: auto")
      ->allow_extra_args(false)
      ->check(player());
  command->add_option("--start-clock", options->start_clock, "seconds before the first move")
      ->transform(whole(0, 86'400));
  command->add_option("--play-clock", options->play_clock, "seconds of the others for each move")
      ->transform(whole(1, 86'400));
  command->add_option("--human-clock", options->human_clock, "seconds for each move of yours")
      ->transform(whole(1, 86'400));
  command->add_option("--port", options->port, "of the page, on this machine; 0: a free one")
      ->transform(whole(0, 65'535));
  command
      ->add_option("--seed", options->seed,
                   "of all random choices in the match; 0: from the system")
      ->transform(whole(0, kMaxSeed));
  command->add_option("--out", options->out, "folder of the records");
  command->add_flag("--no-browser", options->no_browser, "only print the address of the page");
  command->add_flag("--json", options->json, "the result of each match as one object");
  command->footer("Example: ludens play connect_four --against mcts:playouts=1000");
  command->callback([options, &chosen] { chosen = [options] { return play_command(*options); }; });
}

void add_tournament(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<TournamentCommandOptions>();
  CLI::App* command = app.add_subcommand("tournament", "runs, resumes or joins tournaments");
  command->add_option("FILE", options->file, "the tournament; see config/tournaments/example.xml");
  command->add_option("--out", options->out, "folder of log and records; not set: the one in FILE");
  auto* merge = command->add_option("--merge", options->merge,
                                    "folders of parts: join their logs, play nothing");
  command
      ->add_option("--concurrency", options->concurrency, "matches at once; 0: the number in FILE")
      ->transform(whole(0, 1024))
      ->excludes(merge);
  command->add_flag("--resume", options->resume, "continue from the existing log")->excludes(merge);
  command->add_flag("--trust", options->trust, kTrustHelp);
  command
      ->add_option("--shard", options->shard, "I/N: play every N-th block, beginning with the I-th")
      ->check(shard())
      ->excludes(merge);
  command->add_option("--watch", options->watch, kWatchHelp)
      ->transform(whole(-1, 65'535))
      ->excludes(merge);
  auto* json =
      command->add_flag("--json", options->json, "an object for each match, then the standings");
  command->add_flag("--csv", options->csv, "the standings, a line for each player")->excludes(json);
  command->footer("Example: ludens tournament config/tournaments/minimal.xml --concurrency 2");
  command->callback(
      [options, &chosen] { chosen = [options] { return tournament_command(*options); }; });
}

void add_replay(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* command = app.add_subcommand("replay", "derives a recorded match again");
  command->add_option("RECORD", options->records, "JSON, JSON lines, XML, or folders of these")
      ->required();
  command->add_option("--game", options->game, "its rulesheet, if the record does not contain it");
  auto* json = command->add_flag("--json", options->json, "one object a match");
  command->add_flag("--boards", options->boards, "draw every position")->excludes(json);
  command->footer("Example: ludens replay matches");
  command->callback(
      [options, &chosen] { chosen = [options] { return replay_command(*options); }; });
}

void add_report(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command = app.add_subcommand("report", "a page of tournaments and matches");
  command->add_option("DIR", options->folders, "of tournaments or matches, or files of records")
      ->required();
  command->add_option("--out", options->out, "file of the page, which needs no other files");
  command->add_option("--title", options->title, "of the page; not set: the folders' names");
  command->add_option("--game", options->game, "rulesheet of records that do not contain theirs");
  command->add_flag("--trust", options->trust, kTrustHelp);
  command->add_flag("--json", options->json, "one object");
  command->footer("Example: ludens report matches --out matches.html");
  command->callback(
      [options, &chosen] { chosen = [options] { return report_command(*options); }; });
}

void add_convert(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command = app.add_subcommand("convert", "a rulesheet in another language");
  command->add_option("GAME", options->game, "a rulesheet, or a bundled game")->required();
  command->add_option("OUT", options->out, "file to write; -: standard output")->required();
  command
      ->add_option("--to", options->to,
                   "not set: from the ending of OUT; else HRF, and kif for all but kif")
      ->check(one_of({"kif", "hrf", "infix", "prolog"}));
  command->add_flag("--json", options->json, "one object");
  command->footer("Example: ludens convert tic_tac_toe tic_tac_toe.hrf");
  command->callback(
      [options, &chosen] { chosen = [options] { return convert_command(*options); }; });
}

void add_show(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App* command = app.add_subcommand("show", "a position: state, legal moves, goals");
  command->add_option("GAME", options->game, "a rulesheet, or a bundled game")->required();
  auto* moves = command->add_option("--moves", options->moves_file,
                                    "a file of joint moves to make first; -: standard input");
  command
      ->add_flag("--playout", options->playout,
                 "all positions of a random playout of 500 steps at most")
      ->excludes(moves);
  command->add_option("--role", options->role,
                      "what it knows of the position, where information is hidden (sees)");
  auto* seed = command->add_option("--seed", options->seed, "of the playout");
  seed->transform(whole(0, kMaxSeed));
  command->add_flag("--json", options->json, "one object a position");
  command->footer("Example: ludens show connect_four --playout --seed 7");
  command->callback([options, seed, &chosen] {
    options->seed_given = seed->count() > 0;
    chosen = [options] { return show_command(*options); };
  });
}

void add_games(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<GamesOptions>();
  CLI::App* command = app.add_subcommand("games", "the bundled games");
  command->add_flag("--json", options->json, "one object a game");
  command->footer("Example: ludens games");
  command->callback([options, &chosen] { chosen = [options] { return games_command(*options); }; });
}

void add_demo(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App* command = app.add_subcommand("demo", "a short match over HTTP, to look at");
  command->add_option("--game", options->game, "a rulesheet, or a bundled game");
  command->add_option("--out", options->out, "folder of the record");
  command->add_flag("--gamemaster", options->gamemaster,
                    "with a page as on Gamemaster, beside a manager's page, shown in a browser");
  command->add_option("--page", options->page,
                      "the page of --gamemaster; not set: the one with Ludens in it");
  command->add_flag("--no-browser", options->no_browser,
                    "only print the address where that match is shown");
  command
      ->add_option("--start-clock", options->start_clock,
                   "seconds before the first move; 0: 3, or 10 for a page")
      ->transform(whole(0, 86'400));
  command
      ->add_option("--play-clock", options->play_clock,
                   "seconds for each move; 0: 1, or 2 for a page")
      ->transform(whole(0, 86'400));
  command->footer("Example: ludens demo");
  command->callback([options, &chosen] { chosen = [options] { return demo_command(*options); }; });
}

CLI::Option* add_gamemaster(CLI::App& command, ServeOptions& options) {
  return command
      .add_option("--gamemaster", options.gamemaster,
                  "play through a page of this origin; without one, of the venue's")
      ->expected(0, 1)
      ->check(CLI::Validator(
          [](const std::string& text) {
            const auto origin = read_origin(text);
            return origin ? std::string() : origin.error().text;
          },
          "ORIGIN"));
}

void add_serve_limits(CLI::App& command, ServeOptions& options) {
  command.add_option("--body-mb", options.body_mb, "largest body of a request")
      ->transform(whole(1, 1024));
  command.add_option("--head-kb", options.head_kb, "largest head of a request")
      ->transform(whole(1, 16384));
  command.add_option("--connections", options.connections, "at the same time")
      ->transform(whole(1, 10000));
  command.add_option("--request-seconds", options.request_seconds, "for receiving a whole request")
      ->check(number(0.1, 3600));
}

void add_serve_peers(CLI::App& command, ServeOptions& options) {
  command
      .add_option("--allow", options.allow,
                  "an address or network (10.0.0.0/8) that may talk to it; may be repeated")
      ->allow_extra_args(false)
      ->check(network());
  command
      .add_option("--peer-matches", options.peer_matches,
                  "of one address at the same time; 0: three quarters of --matches")
      ->transform(whole(0, 1000));
  command
      .add_option("--peer-connections", options.peer_connections,
                  "of one address at the same time; 0: three quarters of --connections")
      ->transform(whole(0, 10000));
  command
      .add_option("--peer-rate", options.peer_rate,
                  "connections of one address a second; 0: no limit")
      ->check(number(0, 1'000'000));
  command
      .add_option("--pin-hosts", options.pin_hosts,
                  "accept messages of a match only from the address of its START")
      ->check(one_of({"on", "off"}))
      ->default_str("off");
  command
      .add_option("--max-clock", options.max_clock,
                  "seconds; a match with longer clocks gives way to any other")
      ->transform(whole(1, 1'000'000'000));
  command
      .add_option("--allow-origin", options.allow_origin,
                  "an origin whose pages may talk to it, or * for all; may be repeated")
      ->allow_extra_args(false)
      ->transform(CLI::Validator(
          [](std::string& text) {
            if (text == "*") return std::string();
            auto origin = read_origin(text);
            if (!origin) return origin.error().text;
            text = *std::move(origin);
            return std::string();
          },
          "ORIGIN"));
}

void add_serve(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<ServeOptions>();
  options->version = LUDENS_VERSION;
  CLI::App* command = app.add_subcommand("serve", "the GGP player, until it is stopped");
  command->add_option("--port", options->port, "where to listen; 0: a free port")
      ->transform(whole(0, 65'535));
  command->add_option("--bind", options->bind, "address; 0.0.0.0 opens it to other machines");
  command->add_option("--name", options->name, "the name that it gives");
  command->add_option("--strategy", options->strategy, "STRATEGY[:key=value,...]")
      ->check(strategy());
  command->add_option("--threads", options->threads, "0: one for each processor")
      ->transform(whole(0, kMaxThreads));
  command->add_option("--memory-mb", options->memory_mb, "for all matches together")
      ->transform(whole(16, kMaxMemoryMb));
  command
      ->add_option("--margin-ms", options->margin_ms,
                   "a reply is sent this long before the clock ends")
      ->transform(whole(0, 600'000));
  command->add_option("--matches", options->matches, "at the same time")->transform(whole(1, 1000));
  command->add_option("--ponder", options->ponder, "think while the others do")
      ->check(one_of({"on", "off"}))
      ->default_str("on");
  command->add_option("--journal", options->journal,
                      "folder of journals, or off; not set: the user's");
  command->add_option("--watch", options->watch, kWatchHelp)->transform(whole(-1, 65'535));
  command->add_option("--log", options->log,
                      "a file instead of standard error; SIGHUP opens it again");
  command->add_flag("--verbose", options->verbose, "log bodies, too");
  command->add_flag("--json", options->json, "a line an event");
  const CLI::Option* gamemaster = add_gamemaster(*command, *options);
  add_serve_limits(*command, *options);
  add_serve_peers(*command, *options);
  command->footer("Example: ludens serve --port 9147 --strategy mcts --threads 2");
  command->callback([gamemaster, options, &chosen] {
    if (gamemaster->count() > 0 && options->gamemaster.empty()) options->gamemaster = kVenue;
    chosen = [options] { return serve_command(*options); };
  });
}

void add_compliance(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<ComplianceOptions>();
  CLI::App* command =
      app.add_subcommand("compliance", "tests a player against the protocol, case by case");
  command->add_option("URL", options->url, "of the player: http://HOST:PORT");  // not with --list
  command->add_option("--game", options->game, "a rulesheet, or the name of a bundled game");
  command->add_option("--start-clock", options->start_clock, "seconds")->transform(whole(1, 3600));
  command->add_option("--play-clock", options->play_clock, "seconds")->transform(whole(1, 3600));
  command->add_option("--only", options->only, "regular expression on the cases' names")
      ->check(expression());
  command->add_option("--slow-clients", options->slow_clients, "held open all the while")
      ->transform(whole(0, 1000));
  command->add_flag("--list", options->list, "list the cases and run none");
  command->add_flag("--json", options->json, "one object a case");
  command->footer("Example: ludens compliance http://127.0.0.1:9147 --slow-clients 50");
  command->callback(
      [options, &chosen] { chosen = [options] { return compliance_command(*options); }; });
}

/// The options that `think`, `solve` and `explain` have in common; returns --json.
CLI::Option* add_limits_of_study(CLI::App& command, StudyOptions& options) {
  command.add_option("--memory-mb", options.memory_mb, "limit for tables")
      ->transform(whole(1, kMaxMemoryMb));
  return command.add_flag("--json", options.json, "one object");
}

/// The options that `think` and `solve` have in common; returns --json.
CLI::Option* add_study(CLI::App& command, StudyOptions& options) {
  command.add_option("GAME", options.game, "a rulesheet, or a bundled game")->required();
  command.add_option("--role", options.role, "who asks; the first role, if not given");
  command.add_option("--moves", options.moves_file,
                     "a file of joint moves to make first; -: standard input");
  return add_limits_of_study(command, options);
}

void add_think(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<ThinkOptions>();
  CLI::App* command = app.add_subcommand("think", "one search from one position");
  auto* json = add_study(*command, options->study);
  command->add_option("--strategy", options->strategy, "STRATEGY[:key=value,...]")
      ->check(strategy());
  command
      ->add_option("--seconds", options->study.seconds,
                   "for all of it, reading included; 0: the strategy's own, otherwise 5")
      ->check(number(0, kMaxSeconds));
  command->add_flag("--trace", options->trace, "the searched tree, X where nothing was looked at")
      ->excludes(json);
  command->footer("Example: ludens think tic_tac_toe --strategy alphabeta --seconds 2");
  command->callback([options, &chosen] { chosen = [options] { return think_command(*options); }; });
}

void add_learn(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<LearnOptions>();
  CLI::App* command = app.add_subcommand("learn", "values of a game by self-play, into a file");
  command->add_option("GAME", options->game, "rulesheet, or name of a bundled game")->required();
  auto* seconds = command->add_option("--seconds", options->seconds, "how long; 0: until Ctrl-C");
  seconds->check(number(0, kMaxSeconds));
  auto* interval =
      command->add_option("--interval", options->interval, "seconds between two lines");
  interval->check(number(0.1, kMaxSeconds));
  command->add_option("--out", options->out,
                      "file; not set: where players with knowledge=auto look");
  command->add_flag("--resume", options->resume,
                    "continue from the content of the file, which is not replaced otherwise; with "
                    "--join: replace it");
  auto* base = command->add_option("--base", options->base,
                                   "file to begin with, of all parts that --join will join");
  auto* join =
      command->add_option("--join", options->join, "files of parts: join them, play nothing");
  command
      ->add_option("--plot", options->plot,
                   "picture (SVG) of the score against mcts over the seconds of learning")
      ->excludes(base);
  command
      ->add_option("--reach", options->reach,
                   "most moves of a role for which values depend on what it could change by them; "
                   "a file that goes on has its own")
      ->transform(whole(0, gdl::kMostReach))
      ->excludes(base);
  command->add_option("--memory-mb", options->memory_mb, "limit for learning")
      ->transform(whole(16, kMaxMemoryMb));
  auto* threads = command->add_option("--threads", options->threads, "0: one for each processor");
  threads->transform(whole(0, kMaxThreads));
  auto* seed = command->add_option("--seed", options->seed, "of all random choices");
  seed->transform(whole(1, kMaxCount));
  join->excludes(seconds)->excludes(interval)->excludes(threads)->excludes(seed);
  command->add_flag("--json", options->json, "one object a line");
  command->footer("Example: ludens learn tic_tac_toe --seconds 2 --out tic_tac_toe.knowledge");
  command->callback([options, &chosen] { chosen = [options] { return learn_command(*options); }; });
}

void add_solve(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<SolveOptions>();
  CLI::App* command = app.add_subcommand("solve", "the exact value of a position");
  add_study(*command, options->study);
  command
      ->add_option("--method", options->method,
                   "search: alpha-beta to the proof; proof: proof-number search; backward: "
                   "induction over all states; cfr: an equilibrium, as for all games with 'sees'")
      ->check(one_of({"search", "proof", "backward", "cfr"}));
  command->add_option("--machine", options->machine, "interpreter, scalar, sliced or auto")
      ->check(machine_name());
  command->add_option("--policy", options->policy_file,
                      "where to write a move for every position the others can lead to; of an "
                      "equilibrium, the probability of every move");
  command->add_flag("--all-moves", options->all_moves, "the value of every move, not of the best");
  command
      ->add_option("--seconds", options->study.seconds,
                   "for all of it, reading included; 0: no limit")
      ->check(number(0, kMaxSeconds));
  command->footer("Example: ludens solve tic_tac_toe --method backward --policy x.policy");
  command->callback([options, &chosen] { chosen = [options] { return solve_command(*options); }; });
}

void add_explain(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<ExplainOptions>();
  options->study.of_decider = true;
  CLI::App* command = app.add_subcommand("explain", "why a move is good in one position");
  command->add_option("GAME", options->study.game, "a rulesheet, or a bundled game")->required();
  command->add_option("--at", options->at,
                      "joint moves to make first: a file, -: standard input, or themselves, as "
                      "\"( m1 m2 ); ( m3 m4 )\"");
  command->add_option("--role", options->study.role,
                      "whose decision; the first role with a choice, if not given");
  command->add_option("--machine", options->machine, "interpreter, scalar, sliced or auto")
      ->check(machine_name());
  command
      ->add_option("--seconds", options->study.seconds,
                   "for all of it, reading included; 0: no limit")
      ->check(number(0, kMaxSeconds));
  add_limits_of_study(*command, options->study);
  command->footer("Example: ludens explain kuhn_poker --at \"( noop noop ( deal jack king ) )\"");
  command->callback(
      [options, &chosen] { chosen = [options] { return explain_command(*options); }; });
}

}  // namespace

void add_commands(CLI::App& app, Chosen& chosen) {
  add_play(app, chosen);
  add_match(app, chosen);
  add_tournament(app, chosen);
  add_replay(app, chosen);
  add_report(app, chosen);
  add_convert(app, chosen);
  add_show(app, chosen);
  add_games(app, chosen);
  add_demo(app, chosen);
  add_think(app, chosen);
  add_solve(app, chosen);
  add_explain(app, chosen);
  add_learn(app, chosen);
  add_conform(app, chosen);
  add_perft(app, chosen);
  add_speed(app, chosen);
  add_check(app, chosen);
  add_analyze(app, chosen);
  add_agree(app, chosen);
  add_strategies(app, chosen);
  add_serve(app, chosen);
  add_compliance(app, chosen);
}

}  // namespace ludens::server
