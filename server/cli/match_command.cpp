#include "server/cli/match_command.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/json.hpp>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <optional>
#include <random>
#include <variant>

#include "server/cli/command_line.h"
#include "server/cli/game_argument.h"
#include "server/cli/interrupt.h"
#include "server/cli/match_printer.h"
#include "server/cli/watch.h"
#include "server/match/match.h"
#include "server/match/match_observers.h"
#include "server/match/player_spec.h"
#include "server/records/record_files.h"
#include "server/web/human_player.h"
#include "server/web/match_feed.h"
#include "server/web/watched_match.h"

namespace ludens::server {

namespace {

namespace json = boost::json;

int fail(int code, const std::string& text) {
  std::cerr << "ludens: match: " << text << "\n";
  return code;
}

/// Says nothing while all goes well.
class Quiet final : public MatchObserver {
 public:
  void warned(const std::string& text) override { std::cerr << "warning: " << text << "\n"; }
};

/// Who plays a role; nothing: a person.
using Seat = std::optional<PlayerSpec>;

/// One seat for each role but `random`, or a sentence.
std::variant<std::vector<Seat>, std::string> parse_players(const std::vector<std::string>& texts,
                                                           const gdl::Rules& rules) {
  const std::size_t wanted = rules.roles.size() - (rules.random ? 1 : 0);
  if (texts.size() != wanted) {
    std::string roles;
    for (gdl::RoleIndex role = 0; role < rules.roles.size(); ++role) {
      if (role != rules.random) roles += " " + rules.print(rules.roles[role]);
    }
    return std::to_string(texts.size()) + " players for " + std::to_string(wanted) +
           (wanted == 1 ? " role" : " roles") + "; give one --player for each of" + roles;
  }
  std::vector<Seat> seats;
  for (const std::string& text : texts) {
    if (text == "human") {
      seats.emplace_back();
      continue;
    }
    auto spec = parse_player(text);
    if (const auto* bad = std::get_if<BadPlayer>(&spec)) return text + ": " + bad->why;
    seats.emplace_back(std::get<PlayerSpec>(std::move(spec)));
  }
  return seats;
}

bool has_people(const std::vector<Seat>& seats) {
  return std::find(seats.begin(), seats.end(), std::nullopt) != seats.end();
}

/// What people need that was not given, as a sentence; else empty.
std::string complaint(const MatchCommandOptions& options, const std::vector<Seat>& seats) {
  if (!has_people(seats)) return {};
  if (options.watch < 0) return "a human player needs a page to play on: --watch PORT";
  if (options.scramble) return "people play by the names of the rules: human without --scramble";
  return {};
}

/// A number that people can type again.
std::uint64_t fresh_seed() {
  return 1 + std::random_device{}() % 999'999'999;
}

std::string free_match_id(const std::filesystem::path& folder, const std::string& game) {
  std::error_code error;
  for (std::int64_t now = wall_clock_ms();; ++now) {
    std::string id = make_match_id(game, now);
    if (!std::filesystem::exists(RecordFiles(folder, id).json(), error)) return id;
  }
}

std::variant<MatchOptions, std::string> match_options(const MatchCommandOptions& options,
                                                      const std::string& game) {
  MatchOptions match;
  match.dialect = find_dialect(options.dialect);
  if (match.dialect == nullptr) return "--dialect is ggp or dresden, not " + options.dialect;
  if (options.replace == "random") match.replace = ReplacementPolicy::Random;
  if (options.replace == "first") match.replace = ReplacementPolicy::First;
  if (!options.replace.empty() && !match.replace) {
    return "--replace is random or first, not " + options.replace;
  }
  match.folder = options.out;
  match.match_id = free_match_id(match.folder, game);
  match.start_clock_seconds = options.start_clock;
  match.play_clock_seconds = options.play_clock;
  if (options.preview_clock >= 0) match.preview_clock_seconds = options.preview_clock;
  match.seed = options.seed != 0 ? options.seed : fresh_seed();
  match.scramble = options.scramble;
  match.opening_steps = options.opening;
  match.step_cap = options.step_cap;
  return match;
}

json::array names(const std::vector<std::string>& texts) {
  return json::array(texts.begin(), texts.end());
}

/// Of each role: the longest that it took to answer START, or a PLAY.
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

std::string as_json(const MatchRecord& record, const std::string& file) {
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
                         {"record", file},
                         {"completed", record.completed},
                         {"reason", record.end_reason},
                         {"slowest_start_ms", slowest(record, true)},
                         {"slowest_ms", slowest(record, false)}};
  return json::serialize(out);
}

bool faultless(const MatchRecord& record) {
  for (const auto& row : record.errors) {
    for (const std::string& error : row) {
      if (!error.empty()) return false;
    }
  }
  return true;
}

/// Plays matches one after the other, until nobody wants another.
class MatchHost {
 public:
  MatchHost(const MatchCommandOptions& options, const Rulesheet& game, std::vector<Seat> seats,
            MatchOptions match)
      : options_(options), game_(game), seats_(std::move(seats)), match_(std::move(match)) {}

  int run() {
    if (options_.watch >= 0) {
      feed_.emplace(MatchFeed::Options{"Ludens: " + game_.name, has_people(seats_)});
      if (const auto why = open_watch(*feed_, options_.watch)) return fail(kCouldNot, *why);
    }
    const bool people = has_people(seats_);
    if (people) std::cerr << "the match begins when a browser has opened that page\n";
    if (people && !feed_->wait_for_browser(interrupt_.token())) return kNotGood;
    int code = play();
    while (people && feed_->wait_for_wish(interrupt_.token()) == MatchFeed::Wish::Restart) {
      match_.match_id = free_match_id(match_.folder, game_.name);
      ++match_.seed;
      code = std::max(code, play());
    }
    return code;
  }

 private:
  int play() {
    boost::asio::io_context context(1);
    std::vector<HumanPlayer*> people;
    const auto players = make_players(context, people);
    MatchPrinter printer(std::cerr);
    Quiet quiet;
    const bool silent = options_.quiet || options_.json;
    std::vector<MatchObserver*> observers{silent ? static_cast<MatchObserver*>(&quiet) : &printer};
    std::optional<WatchedMatch> live;
    if (feed_) observers.push_back(&live.emplace(*feed_, people));
    MatchObservers observer(observers);
    const MatchRecord record =
        run_match(game_, match_, players, context, interrupt_.token(), observer);
    const std::string file = RecordFiles(match_.folder, match_.match_id).json().string();
    if (options_.json) {
      std::cout << as_json(record, file) << "\n" << std::flush;
    } else {
      std::cout << result_text(record) << "\n" << file << "\n" << std::flush;
    }
    const bool capped = options_.step_cap > 0 && record.moves.size() >= options_.step_cap;
    return (record.completed || capped) && faultless(record) ? kGood : kNotGood;
  }

  /// As many as there are roles; null for `random`. `people` are those that are persons, null for
  /// the others.
  std::vector<std::unique_ptr<MatchPlayer>> make_players(boost::asio::io_context& context,
                                                         std::vector<HumanPlayer*>& people) {
    std::vector<std::unique_ptr<MatchPlayer>> players;
    auto seat = seats_.begin();
    for (gdl::RoleIndex role = 0; role < game_.rules->roles.size(); ++role) {
      people.push_back(nullptr);
      if (role == game_.rules->random) {
        players.push_back(nullptr);
      } else if (!*seat) {
        auto human = std::make_unique<HumanPlayer>(*feed_, context, role,
                                                   std::chrono::seconds(options_.human_clock));
        people.back() = human.get();
        players.push_back(std::move(human));
        ++seat;
      } else {
        BuiltinOptions builtin;
        builtin.seed = match_.seed + 1 + role;
        players.push_back(make_player(**seat++, builtin, *match_.dialect, context));
      }
    }
    return players;
  }

  const MatchCommandOptions& options_;
  const Rulesheet& game_;
  const std::vector<Seat> seats_;
  MatchOptions match_;
  Interrupt interrupt_;
  std::optional<MatchFeed> feed_;
};

}  // namespace

int match_command(const MatchCommandOptions& options) {
  auto loaded = load_playable(options.game, options.force);
  if (const int* code = std::get_if<int>(&loaded)) return *code;
  const Rulesheet& game = std::get<Rulesheet>(loaded);
  auto players = parse_players(options.players, *game.rules);
  if (const auto* why = std::get_if<std::string>(&players)) return fail(kWrongUse, *why);
  auto& seats = std::get<std::vector<Seat>>(players);
  if (const std::string why = complaint(options, seats); !why.empty()) return fail(kWrongUse, why);
  const auto wanted = match_options(options, game.name);
  if (const auto* why = std::get_if<std::string>(&wanted)) return fail(kWrongUse, *why);
  std::signal(SIGPIPE, SIG_IGN);  // a reader of the output that goes away does not end the match
  return MatchHost(options, game, std::move(seats), std::get<MatchOptions>(wanted)).run();
}

}  // namespace ludens::server
