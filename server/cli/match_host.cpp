// SPDX-License-Identifier: MIT
#include "server/cli/match_host.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/json.hpp>
#include <chrono>
#include <iostream>
#include <random>
#include <utility>

#include "agent/knowledge/knowledge_files.h"
#include "gdl/text/printable.h"
#include "server/cli/exit_code.h"
#include "server/cli/match_printer.h"
#include "server/cli/open_page.h"
#include "server/cli/watch.h"
#include "server/match/adviser.h"
#include "server/match/match_observers.h"
#include "server/records/record_files.h"
#include "server/web/human_player.h"
#include "server/web/match_feed.h"
#include "server/web/table.h"
#include "server/web/watched_match.h"

namespace ludens::server {

namespace {

namespace json = boost::json;

constexpr std::chrono::milliseconds kHintTime{1500};
constexpr std::size_t kHintMemory = std::size_t{512} << 20;

/// Prints warnings only.
class WarningPrinter final : public MatchObserver {
 public:
  void warned(const std::string& text) override {
    std::cerr << "warning: " << gdl::printable(text) << "\n";
  }
};

json::array names(const std::vector<std::string>& texts) {
  return json::array(texts.begin(), texts.end());
}

/// The longest time that each role took to answer START, or a PLAY.
json::array slowest(const MatchRecord& record, bool start) {
  json::array out;
  for (std::size_t role = 0; role < record.roles.size(); ++role) {
    double most = 0;
    for (std::size_t step = 0; step < record.latencies_ms.size(); ++step) {
      if ((step == 0) == start) most = std::max(most, record.latencies_ms[step][role]);
    }
    out.emplace_back(most);
  }
  return out;
}

std::string as_json(const MatchRecord& record) {
  json::array errors;
  for (std::size_t step = 0; step < record.errors.size(); ++step) {
    for (std::size_t role = 0; role < record.errors[step].size(); ++role) {
      const std::string& error = record.errors[step][role];
      if (error.empty()) continue;
      const std::string code = error_code(error);
      json::object entry{{"step", step}, {"role", record.roles[role]}, {"code", code}};
      entry["move"] = error.size() > code.size() ? error.substr(code.size() + 1) : "";
      errors.push_back(std::move(entry));
    }
  }
  const json::object out{{"match", record.match_id},
                         {"game", record.game},
                         {"roles", names(record.roles)},
                         {"players", names(record.players)},
                         {"moves", record.moves.size()},
                         {"goals", json::array(record.goals.begin(), record.goals.end())},
                         {"errors", std::move(errors)},
                         {"record", record.file},
                         {"completed", record.completed},
                         {"reason", record.end_reason},
                         {"slowest_start_ms", slowest(record, true)},
                         {"slowest_ms", slowest(record, false)}};
  return json::serialize(out);
}

/// One sentence about the first thing that players did wrong; empty if there is none.
std::string faults_of(const MatchRecord& record) {
  std::size_t count = 0;
  std::string first;
  for (std::size_t step = 0; step < record.errors.size(); ++step) {
    for (std::size_t role = 0; role < record.errors[step].size(); ++role) {
      const std::string& error = record.errors[step][role];
      if (error.empty() || ++count > 1) continue;
      first = "the player of " + record.roles[role] + " made an error at step " +
              std::to_string(step) + ": " + error;
    }
  }
  return count < 2 ? first : first + " (and " + std::to_string(count - 1) + " more)";
}

/// Plays matches one after the other until no more are wanted.
class MatchHost {
 public:
  MatchHost(const MatchHostOptions& options, const Rulesheet& game, std::vector<PlayerSpec> seats,
            MatchOptions match, std::stop_token stop)
      : options_(options),
        game_(game),
        seats_(std::move(seats)),
        match_(std::move(match)),
        stop_(std::move(stop)) {}

  int run() {
    if (options_.watch >= 0) {
      MatchFeed::Options page{"Ludens: " + game_.name, has_people(seats_)};
      page.help = has_help();
      feed_.emplace(std::move(page));
      if (const auto why = open_watch(*feed_, options_.watch, options_.port_option)) {
        return fail(*why);
      }
    }
    if (has_people(seats_)) return play_with_people();
    if (feed_ && options_.open_page) open_in_browser(feed_->url());
    return play(nullptr);
  }

 private:
  [[nodiscard]] bool hides_moves() const { return game_.rules->has_rule(gdl::kSees); }

  /// Whether all other players can be asked to go on from an earlier position. If information is
  /// hidden, that position and its best move would reveal what a person can't know.
  [[nodiscard]] bool has_help() const {
    return !hides_moves() && std::all_of(seats_.begin(), seats_.end(), [](const PlayerSpec& seat) {
      return is_human(seat) || std::holds_alternative<search::StrategySpec>(seat);
    });
  }

  int play_with_people() {
    const bool opened = options_.open_page && open_in_browser(feed_->url());
    if (!opened) std::cerr << "the match begins when a browser has opened that page\n";
    if (!feed_->wait_for_browser(stop_)) return kNotGood;
    Adviser adviser(game_, {"auto", {}}, kHintTime, kHintMemory);
    Table table(*feed_, hides_moves() ? nullptr : &adviser);
    int code = play(&table);
    while (const auto next = table.next(stop_)) {
      match_.first_moves = next->first_moves;
      match_.continues = next->continues;
      if (next->continues.empty()) ++match_.seed;
      if (next->role) seat_person(*next->role);
      code = std::max(code, play(&table));
    }
    return code;
  }

  /// Rotates all players through the seats until the first person has that role.
  void seat_person(std::size_t role) {
    if (role == game_.rules->random) return;
    const std::size_t wanted = role - (game_.rules->random && *game_.rules->random < role ? 1 : 0);
    const auto person = std::ranges::find_if(seats_, is_human) - seats_.begin();
    const std::size_t size = seats_.size();
    const std::size_t shift = (wanted + size - static_cast<std::size_t>(person)) % size;
    std::rotate(seats_.begin(), seats_.end() - static_cast<std::ptrdiff_t>(shift), seats_.end());
  }

  /// Plays one match; `table` is where people play, or null.
  int play(Table* table) {
    auto id = reserve_match_id(match_.folder, game_.name, wall_clock_ms());
    if (!id) return fail(id.error().text);
    match_.match_id = *std::move(id);
    boost::asio::io_context context(1);
    std::vector<HumanPlayer*> people;
    const auto players = make_players(context, people);
    std::stop_token stop = stop_;
    if (table != nullptr) {
      stop = table->prepare(std::move(people), match_.first_moves.size(), stop);
      match_.stop_reason = [table] { return table->stop_reason(); };
    }
    MatchPrinter printer(std::cerr);
    WarningPrinter quiet;
    // A person who plays here sees this terminal, too.
    const bool silent = options_.quiet || options_.json || (table != nullptr && hides_moves());
    std::vector<MatchObserver*> observers{silent ? static_cast<MatchObserver*>(&quiet) : &printer};
    std::optional<WatchedMatch> live;
    if (table != nullptr) {
      observers.push_back(table);
    } else if (feed_) {
      observers.push_back(&live.emplace(*feed_));
    }
    MatchObservers observer(observers);
    const MatchRecord record = run_match(game_, match_, players, context, stop, observer);
    drop_reserved(record, match_.folder);
    if (const int code = tell(record); code != kGood) return code;
    const bool capped = match_.step_cap > 0 && record.moves.size() >= match_.step_cap;
    const bool wished = table != nullptr && !table->stop_reason().empty();
    const bool whole = record.completed || capped || wished;
    const std::string problem = whole ? faults_of(record) : record.end_reason;
    if (!problem.empty() && options_.quiet && !options_.json) fail(problem);
    return whole && problem.empty() ? kGood : kNotGood;
  }

  /// Reports the result; fails if the record is not complete.
  [[nodiscard]] int tell(const MatchRecord& record) const {
    if (options_.json) {
      std::cout << as_json(record) << "\n" << std::flush;
    } else {
      std::cout << gdl::printable(result_text(record)) << "\n" << std::flush;
      if (!record.file.empty()) std::cout << record.file << "\n" << std::flush;
    }
    if (!record.file_problem.empty()) {
      return fail(record.file_problem + "; the record of the match is not complete");
    }
    return kGood;
  }

  int fail(const std::string& why) const {
    std::cerr << "ludens: " << options_.command << ": " << gdl::printable(why) << "\n";
    return kCouldNot;
  }

  /// One player for each role; null for `random`. `people` are those that are persons, null for the
  /// others.
  std::vector<std::unique_ptr<MatchPlayer>> make_players(boost::asio::io_context& context,
                                                         std::vector<HumanPlayer*>& people) {
    std::vector<std::unique_ptr<MatchPlayer>> players;
    auto seat = seats_.begin();
    for (gdl::RoleIndex role = 0; role < game_.rules->roles.size(); ++role) {
      people.push_back(nullptr);
      if (role == game_.rules->random) {
        players.push_back(nullptr);
      } else if (is_human(*seat)) {
        auto human = std::make_unique<HumanPlayer>(*feed_, context, role,
                                                   std::chrono::seconds(options_.human_clock));
        people.back() = human.get();
        players.push_back(std::move(human));
        ++seat;
      } else {
        BuiltinOptions builtin;
        builtin.seed = match_.seed + 1 + role;
        builtin.think_at_start = match_.continues.empty();
        players.push_back(make_player(*seat++, builtin, *match_.dialect, context));
      }
    }
    return players;
  }

  const MatchHostOptions& options_;
  const Rulesheet& game_;
  std::vector<PlayerSpec> seats_;
  MatchOptions match_;
  const std::stop_token stop_;
  std::optional<MatchFeed> feed_;
};

/// Returns what is wrong with the file of knowledge with which a strategy in one of the seats
/// begins.
std::optional<std::string> problem_with_knowledge(const std::vector<PlayerSpec>& seats,
                                                  const gdl::Rules& rules) {
  for (const PlayerSpec& seat : seats) {
    const auto* spec = std::get_if<search::StrategySpec>(&seat);
    if (spec == nullptr) continue;
    if (auto problem = agent::problem_with_knowledge(*spec, &rules)) return problem;
  }
  return std::nullopt;
}

/// Returns what is wrong with people in these seats; empty if nothing is.
std::string problem_with_people(const std::vector<PlayerSpec>& seats, const gdl::Rules& rules) {
  const auto people = std::ranges::count_if(seats, is_human);
  if (people < 2 || !rules.has_rule(gdl::kSees)) return {};
  return "people at one page would see what the rules hide from each other (sees); one human can "
         "play";
}

}  // namespace

bool has_people(const std::vector<PlayerSpec>& seats) {
  return std::ranges::any_of(seats, is_human);
}

gdl::Result<std::string> reserve_match_id(const std::filesystem::path& folder,
                                          const std::string& game, std::int64_t now_ms) {
  for (;; ++now_ms) {
    std::string id = make_match_id(game, now_ms);
    const std::error_code error = RecordFiles(folder, id).reserve();
    if (!error) return {boost::system::in_place_value, std::move(id)};
    if (error != std::errc::file_exists) {
      return gdl::Error{folder.string() + ": " + error.message() +
                        "; --out chooses another folder"};
    }
  }
}

std::uint64_t fresh_seed() {
  return 1 + std::random_device{}() % 999'999'999;
}

void drop_reserved(const MatchRecord& record, const std::filesystem::path& folder) {
  if (record.states.empty()) RecordFiles(folder, record.match_id).drop();
}

int host_matches(const MatchHostOptions& options, const Rulesheet& game,
                 std::vector<PlayerSpec> seats, MatchOptions match, const std::stop_token& stop) {
  if (const auto problem = problem_with_knowledge(seats, *game.rules)) {
    std::cerr << "ludens: " << options.command << ": " << gdl::printable(*problem) << "\n";
    return kWrongUse;
  }
  if (const auto problem = problem_with_people(seats, *game.rules); !problem.empty()) {
    std::cerr << "ludens: " << options.command << ": " << problem << "\n";
    return kWrongUse;
  }
  return MatchHost(options, game, std::move(seats), std::move(match), stop).run();
}

}  // namespace ludens::server
