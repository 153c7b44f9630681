// SPDX-License-Identifier: MIT
// `ludens tournament`: runs or resumes a tournament, or a part of it; joins the parts.
#include "server/cli/commands.h"

#include <unistd.h>

#include <boost/json.hpp>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "gdl/text/printable.h"
#include "server/cli/exit_code.h"
#include "server/cli/interrupt.h"
#include "server/cli/tournament_progress.h"
#include "server/cli/watch.h"
#include "server/statistics/sprt_progress.h"
#include "server/statistics/standings.h"
#include "server/statistics/standings_json.h"
#include "server/statistics/standings_text.h"
#include "server/tournament/joined_folder.h"
#include "server/tournament/runner.h"
#include "server/web/match_feed.h"
#include "server/web/watched_tournament.h"

namespace ludens::server {

namespace fs = std::filesystem;

namespace {

/// Prints an object for each match on standard output.
class JsonLines final : public TournamentObserver {
 public:
  void match_ended(const StartedMatch& /*match*/, const MatchResult& result) override {
    std::cout << to_json(result) << std::endl;
  }
};

void print_standings(const TournamentLog& log, const TournamentCommandOptions& options) {
  const Standings standings = standings_of(standings_input(log.plan, log.shard, log.results));
  std::cout << (options.json  ? boost::json::serialize(standings_json(standings)) + "\n"
                : options.csv ? gdl::printable_lines(standings_csv(standings))
                              : gdl::printable_lines(standings_text(standings)))
            << std::flush;
}

/// Reads the file and reports its problems.
gdl::Result<TournamentFile, Failure> load(const std::string& file) {
  auto read = read_tournament_file(file);
  if (!read) {
    for (const FileProblem& problem : read.error()) {
      std::cerr << file << ":" << problem.line << ":" << problem.column
                << ": error: " << gdl::printable(problem.text) << "\n";
    }
    return Failure{kCouldNot};
  }
  return *std::move(read);
}

/// The page that follows the tournament, and what informs it.
struct WatchPage {
  explicit WatchPage(const std::string& name)
      : feed(MatchFeed::Options{.title = "Ludens: " + name, .tournament = true}), observer(feed) {}
  MatchFeed feed;
  WatchedTournament observer;
};

int play(const TournamentFile& file, const RunOptions& wanted,
         const TournamentCommandOptions& options) {
  RunOptions run = wanted;
  std::unique_ptr<SprtRule> rule;
  // A part of the blocks can't decide for the whole.
  if (file.plan.sprt && run.shard.count == 1) {
    rule = std::make_unique<SprtRule>(*file.plan.sprt, file.plan.players[0].name,
                                      file.plan.players[1].name);
    run.stop_rule = rule.get();
  }
  std::signal(SIGPIPE, SIG_IGN);  // a reader of the output that goes away does not end it
  const Interrupt interrupt;
  TournamentProgress progress(std::cerr, options.json ? -1 : STDERR_FILENO, interrupt.token());
  JsonLines lines;
  std::vector<TournamentObserver*> observers{&progress};
  if (options.json) observers.push_back(&lines);
  std::optional<WatchPage> watch;
  if (options.watch >= 0) {
    watch.emplace(file.plan.name);
    if (const auto why = open_watch(watch->feed, options.watch))
      return fail(kCouldNot, "tournament", *why);
    observers.push_back(&watch->observer);
  }
  TournamentObservers all(observers);
  const auto outcome = run_tournament(file, run, interrupt.token(), all);
  if (!outcome) {
    const NotStarted why = outcome.error();
    for (const std::string& problem : why.problems) fail(kCouldNot, "tournament", problem);
    return kCouldNot;
  }
  const auto log = read_log(run.folder, run.trust);
  if (!log) return fail(kCouldNot, "tournament", log.error().text());
  print_standings(*log, options);
  const TournamentEnding& ending = *outcome;
  if (ending.finished) {
    std::cerr << gdl::printable(ending.reason) << "; the log is "
              << (run.folder / kLogFile).string() << "\n";
    return kGood;
  }
  const bool interrupted = interrupt.token().stop_requested();
  return fail(interrupted ? kNotGood : kCouldNot, "tournament",
              ending.reason + "; finished matches are kept, --resume continues");
}

int merge(const TournamentCommandOptions& options) {
  auto joined =
      join_logs({options.merge.begin(), options.merge.end()}, trust_in_logs(options.trust));
  if (!joined) return fail(kCouldNot, "tournament", joined.error().text());
  TournamentLog& log = *joined;
  if (!options.file.empty()) {
    const auto file = load(options.file);
    if (!file) return file.error().exit_code;
    const auto changes = differences(log.plan, file->plan);
    if (!changes.empty()) {
      return fail(kCouldNot, "tournament",
                  "the parts are not of " + options.file + ": " + changes.front());
    }
  }
  std::size_t lost = 0;
  if (!options.out.empty()) {
    if (const auto problem = write_joined(log, options.out, lost))
      return fail(kCouldNot, "tournament", *problem);
  }
  if (options.json) {
    for (const MatchResult& result : log.results) std::cout << to_json(result) << "\n";
  }
  print_standings(log, options);
  if (lost == 0) return kGood;
  return fail(kNotGood, "tournament",
              count_text(lost, "record") + " of the parts could not be found");
}

}  // namespace

int tournament_command(const TournamentCommandOptions& options) {
  if (!options.merge.empty()) return merge(options);
  if (options.file.empty())
    return fail(kWrongUse, "tournament", "which FILE.xml? (ludens tournament --help)");
  const auto shard = options.shard.empty() ? Shard() : parse_shard(options.shard);
  if (!shard) return fail(kWrongUse, "tournament", "there is no shard '" + options.shard + "'");
  const auto loaded = load(options.file);
  if (!loaded) return loaded.error().exit_code;
  const TournamentFile& file = *loaded;
  RunOptions run;
  run.folder = options.out.empty() ? file.out : fs::path(options.out);
  if (options.out.empty() && shard->count > 1) {
    run.folder += "." + std::to_string(shard->index) + "of" + std::to_string(shard->count);
  }
  run.shard = *shard;
  run.concurrency = options.concurrency != 0 ? options.concurrency : file.concurrency;
  run.resume = options.resume;
  run.trust = trust_in_logs(options.trust);
  return play(file, run, options);
}

}  // namespace ludens::server
