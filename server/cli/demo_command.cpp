// SPDX-License-Identifier: MIT
// `ludens demo`: what this program does, in half a minute.
#include "server/cli/commands.h"

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "search/strategy/stopping.h"
#include "server/cli/exit_code.h"
#include "server/cli/game_argument.h"
#include "server/cli/interrupt.h"
#include "server/cli/match_host.h"
#include "server/cli/match_printer.h"
#include "server/game/bundled_games.h"
#include "server/http/io_thread.h"
#include "server/match/match.h"
#include "server/match/player_spec.h"
#include "server/player/player_server.h"

namespace ludens::server {

namespace {

namespace fs = std::filesystem;

struct Clocks {
  int start, play;  // seconds
};
// Short clocks, so that a match of connect four takes half a minute at most.
constexpr Clocks kClocks{3, 1};
// A browser has to start, and to load the page.
constexpr Clocks kPageClocks{10, 2};
constexpr int kMarginMs = 300;
constexpr std::size_t kOpponentPlayouts = 300;

search::StrategySpec builtin_opponent() {
  return {"mcts", {{"playouts", std::to_string(kOpponentPlayouts)}}};
}

void set_clocks(MatchOptions& match, const DemoOptions& options, const Clocks& usual) {
  match.start_clock_seconds = options.start_clock > 0 ? options.start_clock : usual.start;
  match.play_clock_seconds = options.play_clock > 0 ? options.play_clock : usual.play;
}

/// The player that `ludens serve` runs, on a thread of its own.
class ServingThread {
 public:
  /// Returns a sentence if it can't listen.
  std::optional<std::string> start() {
    PlayerServerOptions options;
    options.player.margin_ms = kMarginMs;
    options.player.threads = 1;
    options.port = 0;
    server_ = std::make_unique<PlayerServer>(context_, options);
    if (auto problem = server_->listen()) return problem;
    thread_ = std::jthread([this] { run_guarded(context_, [](const char*) {}); });
    return std::nullopt;
  }

  ~ServingThread() {
    if (!thread_.joinable()) return;
    post_surely(context_, [this] { server_->shut_down([this] { context_.stop(); }); });
    thread_.join();
  }

  [[nodiscard]] std::uint16_t port() const { return server_->port(); }

 private:
  boost::asio::io_context context_{1};
  std::unique_ptr<PlayerServer> server_;
  std::jthread thread_;
};

void say_what_next(const std::string& record) {
  const std::string run = installed_folder() ? "  ludens " : "  ./run ";
  const std::string indent(36, ' ');
  const auto line = [&](std::string_view command, std::string_view what) {
    std::string text = run + std::string(command);
    if (text.size() < indent.size() - 1) {
      text.resize(indent.size(), ' ');
    } else {
      text += "\n" + indent;
    }
    std::cout << text << what << "\n";
  };
  std::cout << "The record of the match is " << record << ", and one file a state beside it.\n\n"
            << "What to type next:\n";
  line("play connect_four", "you against it, in a browser");
  line("serve", "the player, for GGP hosts, on port 9147");
  line("games", "the games that come with it");
  line("match breakthrough_small --player mcts --player http://127.0.0.1:9147",
       "a match against the player that serves");
  line("replay " + record, "checks a record against the rules");
  line("--help", "everything else");
}

/// The place of the page with Ludens in the build or the installation.
fs::path page_with_ludens() {
  if (const auto installed = installed_folder()) return *installed / "ludens.html";
  return bundled_games_folder().parent_path().parent_path() / "build" / "wasm" / "ludens.html";
}

/// Plays a page in the first role against built-in players in all others.
int demo_of_page(const DemoOptions& options, const Rulesheet& game, const std::stop_token& stop) {
  const fs::path page = options.page.empty() ? page_with_ludens() : fs::path(options.page);
  std::error_code error;
  if (!fs::is_regular_file(page, error)) {
    return fail(kCouldNot, "demo",
                page.string() +
                    ": there is no such page; `./test` builds the one with Ludens in it, "
                    "and --page names another one");
  }
  std::vector<PlayerSpec> seats{PageFile{page}};
  const std::size_t players = game.rules->roles.size() - (game.rules->random ? 1 : 0);
  while (seats.size() < players) seats.emplace_back(builtin_opponent());
  MatchOptions match;
  match.folder = options.out;
  set_clocks(match, options, kPageClocks);
  match.seed = fresh_seed();
  std::cout << page.string() << " plays " << game.name
            << " in a headless browser, as on Gamemaster:\nits page learns of the match from a "
               "manager's page beside it. A built-in player that looks ahead\na little plays "
               "against it.\n\n"
            << std::flush;
  const MatchHostOptions host{.command = "demo",
                              .port_option = "--gamemaster",
                              .watch = 0,
                              .open_page = !options.no_browser};
  return host_matches(host, game, std::move(seats), match, stop);
}

}  // namespace

int demo_command(const DemoOptions& options) {
  if (!options.page.empty() && !options.gamemaster) {
    return fail(kWrongUse, "demo", "--page needs --gamemaster, with which a page plays");
  }
  const Interrupt interrupt;
  const search::Deadline stop(interrupt.token());
  auto loaded = load_playable(options.game, &stop);
  if (!loaded) return loaded.error().exit_code;
  const Rulesheet& game = *loaded;
  if (options.gamemaster) return demo_of_page(options, game, interrupt.token());
  ServingThread serving;
  if (const auto problem = serving.start()) {
    std::cerr << "ludens: demo: " << *problem << "\n";
    return kCouldNot;
  }
  std::cout << "The player listens on http://127.0.0.1:" << serving.port() << ". A host now plays "
            << game.name << " with it:\nthe player over HTTP against a "
            << "built-in one that looks ahead a little.\n\n";

  boost::asio::io_context context(1);
  MatchOptions match;
  match.folder = options.out;
  auto id = reserve_match_id(match.folder, game.name, wall_clock_ms());
  if (!id) return fail(kCouldNot, "demo", id.error().text);
  match.match_id = *std::move(id);
  set_clocks(match, options, kClocks);
  BuiltinOptions builtin;
  builtin.strategy = builtin_opponent();
  std::vector<std::unique_ptr<MatchPlayer>> players;
  PlayerSpec next = Address{"127.0.0.1", serving.port()};
  for (gdl::RoleIndex role = 0; role < game.rules->roles.size(); ++role) {
    if (role == game.rules->random) {
      players.push_back(nullptr);
      continue;
    }
    players.push_back(make_player(next, builtin, *match.dialect, context));
    next = builtin.strategy;
  }
  MatchPrinter printer(std::cout);
  const MatchRecord record = run_match(game, match, players, context, interrupt.token(), printer);
  drop_reserved(record, match.folder);
  std::cout << "\n";
  if (record.file.empty()) {
    std::cerr << "ludens: demo: the match has no whole record: "
              << (record.file_problem.empty() ? record.end_reason : record.file_problem) << "\n";
    return kCouldNot;
  }
  say_what_next(record.file);
  return record.completed && record.replacements.empty() ? kGood : kNotGood;
}

}  // namespace ludens::server
