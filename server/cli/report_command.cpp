// SPDX-License-Identifier: MIT
// `ludens report`: a page of tournaments and matches.
#include "server/cli/commands.h"

#include <algorithm>
#include <boost/json.hpp>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string_view>

#include "gdl/text/printable.h"
#include "server/cli/exit_code.h"
#include "server/game/bundled_games.h"
#include "server/records/atomic_file.h"
#include "server/records/record_files.h"
#include "server/records/record_shape.h"
#include "server/records/replay.h"
#include "server/report/loose_records.h"
#include "server/report/report_page.h"
#include "server/report/tournament_groups.h"
#include "server/statistics/tournament_json.h"
#include "server/tournament/log.h"

namespace ludens::server {

namespace {

namespace fs = std::filesystem;

/// What is in a folder and its folders, sorted by path, or the file itself.
struct Found {
  std::vector<fs::path> records;
  std::vector<fs::path> logs;  // folders of tournaments, or of parts of some
};

gdl::Result<Found> look_into(const fs::path& place) {
  std::error_code error;
  const fs::file_status status = fs::status(place, error);
  if (error || !fs::exists(status)) return gdl::Error{place.string() + ": no such file or folder"};
  if (!fs::is_directory(status)) return Found{{place}, {}};
  Found found;
  for (fs::recursive_directory_iterator it(place, error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().filename() == kLogFile) found.logs.push_back(it->path().parent_path());
  }
  if (error) return gdl::Error{place.string() + ": " + error.message()};
  if (auto records = find_records(place)) found.records = *std::move(records);  // or there are none
  std::sort(found.logs.begin(), found.logs.end());
  return found;
}

/// Gives a record that does not contain its rules those of `--game`. Returns why it can't be a
/// match of that game.
std::optional<std::string> attach_rules(MatchRecord& record, const Rulesheet& game) {
  if (!record.rulesheet.empty()) return std::nullopt;
  if (record.roles_by_name) record = in_order_of(std::move(record), *game.rules);
  std::vector<std::string> roles;
  for (const gdl::Term role : game.rules->roles) roles.push_back(game.rules->print(role));
  const bool fits = std::ranges::all_of(
      record.moves, [&](const auto& moves) { return moves.size() == roles.size(); });
  if (!fits) return "its matches have another number of roles than " + game.name;
  if (record.roles.empty()) record.roles = std::move(roles);
  record.rulesheet = game.text;
  record.game = game.name;
  if (auto problem = shape_problem(record); !problem.empty()) return problem;
  return std::nullopt;
}

/// Roles by number, where a record does not name them.
void number_roles(MatchRecord& record) {
  const std::size_t count = std::max({record.players.size(), record.goals.size(),
                                      record.moves.empty() ? 0 : record.moves.front().size()});
  for (std::size_t role = record.roles.size(); role < count; ++role) {
    record.roles.push_back(std::to_string(role + 1));
  }
}

class Collector {
 public:
  Collector(std::optional<Rulesheet> game, LogTrust trust)
      : game_(std::move(game)), trust_(trust) {}

  void add(const std::string& folder) {
    const auto found = look_into(folder);
    if (!found) return complain(found.error().text);
    for (const fs::path& log : found->logs) add_log(log);
    for (const fs::path& file : found->records) add_records(file);
  }
  /// Must be called after all folders were added. Parts of one tournament are shown as one.
  void finish() {
    for (const TournamentGroup& group : tournaments_.groups()) {
      std::vector<std::string> places;
      for (const fs::path& folder : group.folders) places.push_back(folder.string());
      page_.add_tournament(tournament_json(group.log, places));
      any_log_ = true;
    }
    if (!any_log_ && loose_.matches() > 1) {
      page_.add_tournament(tournament_json(loose_.log(), {}, kLooseNote));
    }
  }
  [[nodiscard]] bool empty() const { return page_.matches() == 0 && !any_log_; }
  [[nodiscard]] const ReportPage& page() const { return page_; }
  [[nodiscard]] std::size_t problems() const { return problems_; }

 private:
  void complain(const std::string& problem) {
    ++problems_;
    std::cerr << "ludens: report: " << gdl::printable(problem) << "\n";
    page_.add_problem(problem);
  }
  void add_log(const fs::path& folder) {
    const auto log = read_log(folder, trust_);
    if (!log) return complain(log.error().text());
    tournaments_.add(folder, *log);
    if (log->torn) {
      page_.add_problem(
          (folder / kLogFile).string() +
          ": the last line is incomplete and left out; --resume plays its match again");
    }
  }
  void add_records(const fs::path& file) {
    auto found = read_records(file);
    if (!found) return complain(found.error().text);
    for (FoundRecord& record : *found) {
      if (!record.record) {
        complain(record.place + ": " + record.record.error().text);
      } else {
        add_match(*record.record, record.place);
      }
    }
  }
  void add_match(MatchRecord& record, const std::string& place) {
    if (game_) {
      if (const auto problem = attach_rules(record, *game_))
        return complain(place + ": " + *problem);
    }
    number_roles(record);
    if (page_.add_match(record, place)) loose_.add(record);
  }

  static constexpr std::string_view kLooseNote =
      "Seats were not exchanged: a role that wins with any player counts for whoever held it.";

  std::optional<Rulesheet> game_;
  LogTrust trust_;
  ReportPage page_;
  TournamentGroups tournaments_;
  LooseRecords loose_;
  bool any_log_ = false;
  std::size_t problems_ = 0;
};

std::string title_of(const ReportOptions& options) {
  if (!options.title.empty()) return options.title;
  std::string title;
  for (const std::string& folder : options.folders) {
    const fs::path path = fs::path(folder).lexically_normal();
    const fs::path name = path.has_filename() ? path.filename() : path.parent_path().filename();
    title += (title.empty() ? "" : ", ") + name.string();
  }
  return title;
}

std::string plural(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "es");
}

}  // namespace

int report_command(const ReportOptions& options) {
  if (const auto error = try_writing(options.out)) {
    return fail(kCouldNot, "report", options.out + ": " + error.message());
  }
  std::optional<Rulesheet> game;
  if (!options.game.empty()) {
    auto loaded = load_game(options.game);
    if (!loaded) return fail(kCouldNot, "report", loaded.error().text);
    game = *std::move(loaded);
  }
  Collector collector(std::move(game), trust_in_logs(options.trust));
  for (const std::string& folder : options.folders) collector.add(folder);
  collector.finish();
  const std::size_t matches = collector.page().matches();
  if (collector.empty() && collector.problems() > 0) return kCouldNot;  // already reported
  if (collector.empty()) {
    return fail(kCouldNot, "report",
                "no records and no log found; `match` and `tournament` write them to --out DIR");
  }
  const std::string page = collector.page().html(title_of(options), plural(matches, "match"));
  if (const auto error = write_atomically(options.out, page, Durability::Synced)) {
    return fail(kCouldNot, "report", options.out + ": " + error.message());
  }
  if (options.json) {
    std::cout << boost::json::serialize(boost::json::object{
                     {"report", options.out}, {"matches", matches}, {"bytes", page.size()}})
              << "\n";
  } else {
    std::cout << options.out << ": " << plural(matches, "match") << ", " << page.size() / 1000
              << " kB\n";
  }
  return collector.problems() == 0 ? kGood : kNotGood;
}

}  // namespace ludens::server
