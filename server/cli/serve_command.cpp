// SPDX-License-Identifier: MIT
// `ludens serve`: the GGP player, until it is asked to end.
#include "server/cli/commands.h"

#include <boost/asio/io_context.hpp>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <thread>

#include "agent/knowledge/knowledge_files.h"
#include "search/registry/registry.h"
#include "server/cli/exit_code.h"
#include "server/cli/interrupt.h"
#include "server/cli/serve_log.h"
#include "server/cli/watch.h"
#include "server/gamemaster/token.h"
#include "server/http/io_thread.h"
#include "server/player/player_server.h"
#include "server/web/match_feed.h"
#include "server/web/served_matches.h"

namespace ludens::server {
namespace {

/// The followed matches of the page get this fraction of the permitted memory: one byte in 8.
constexpr std::size_t kWatchShare = 8;
/// Finished matches that the page keeps.
constexpr std::size_t kMatchesKept = 20;

/// The strategy that the text describes, or a sentence if it describes none.
gdl::Result<search::StrategySpec> checked_strategy(const std::string& text) {
  auto parsed = search::parse_strategy(text);
  if (!parsed) return parsed;
  const auto made = search::make_strategy(*parsed, {});
  if (!made) return made.error();
  if (auto problem = agent::problem_with_knowledge(*parsed, nullptr)) {
    return gdl::Error{std::move(*problem)};
  }
  return parsed;
}

/// `ludens` in the user's folder for state (XDG base directories); empty if the user has no such
/// folder.
std::string state_folder() {
  namespace fs = std::filesystem;
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && *state == '/') return (fs::path(state) / "ludens").string();
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home != '/') return {};
  return (fs::path(home) / ".local/state/ludens").string();
}

/// The folder of the journals; empty: none are kept. Players on one machine differ by their ports,
/// and each has a folder of its own.
std::string journal_of(const ServeOptions& options) {
  if (options.journal == "off") return {};
  if (!options.journal.empty()) return options.journal;
  const std::string folder = state_folder();
  return folder.empty() ? folder : folder + "/journal/" + std::to_string(options.port);
}

/// The share of the HTTP layer: an eighth of all memory, and no more than any rulesheet needs.
std::size_t wire_bytes(std::size_t memory_bytes) {
  return std::min(memory_bytes / 8, std::size_t{256} << 20);
}

PlayerServerOptions server_options(const ServeOptions& options, search::StrategySpec strategy,
                                   const ServeLog& log) {
  PlayerServerOptions out;
  out.player.name = options.name;
  out.player.strategy = std::move(strategy);
  out.player.threads =
      options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  const std::size_t wire = wire_bytes(options.memory_mb << 20);
  out.player.memory_bytes = (options.memory_mb << 20) - wire;
  out.limits.memory = std::make_shared<WireMemory>(wire);
  out.player.margin_ms = options.margin_ms;
  out.player.matches = options.matches;
  out.player.peer_matches =
      options.peer_matches != 0 ? options.peer_matches : std::max(1u, options.matches * 3 / 4);
  out.player.max_clock_seconds = options.max_clock;
  out.player.ponder = options.ponder;
  out.player.journal_dir = journal_of(options);
  out.player.log = log.logger();
  out.limits.body_bytes = options.body_mb << 20;
  out.limits.head_bytes = options.head_kb << 10;
  out.limits.connections = options.connections;
  out.limits.request = std::chrono::milliseconds(std::llround(options.request_seconds * 1000));
  out.bind = options.bind;
  out.port = options.port;
  out.version = options.version;
  out.keep_bodies = options.verbose;
  out.pin_hosts = options.pin_hosts;
  out.origins = options.allow_origin;
  return out;
}

/// Sets what a peer may do; returns a sentence if an address can't be read.
std::optional<std::string> set_peers(const ServeOptions& options, HttpLimits& limits) {
  for (const std::string& text : options.allow) {
    auto network = Network::parse(text);
    if (!network) return "--allow: " + network.error().text;
    limits.allowed.push_back(*network);
  }
  limits.peer_connections = options.peer_connections != 0
                                ? options.peer_connections
                                : std::max<std::size_t>(1, options.connections * 3 / 4);
  limits.peer_rate = options.peer_rate;
  return std::nullopt;
}

/// The page that may play, or a sentence if its token can't be stored.
gdl::Result<std::optional<BridgeAccess>> gamemaster_access(const ServeOptions& options) {
  if (options.gamemaster.empty()) return std::optional<BridgeAccess>();
  auto origin = read_origin(options.gamemaster);
  if (!origin) return gdl::Error{"--gamemaster: " + origin.error().text};
  auto token = kept_token(state_folder());
  if (!token) {
    return gdl::Error{"--gamemaster: " + token.error().text +
                      "; XDG_STATE_HOME names another folder"};
  }
  return std::optional(BridgeAccess{*std::move(origin), *std::move(token)});
}

/// The page that follows the matches, and what informs it.
struct WatchedMatches {
  WatchedMatches(const ServeOptions& options, std::shared_ptr<WireMemory> wire,
                 std::size_t memory_bytes)
      : feed(MatchFeed::Options{
            .title = options.name, .finished = kMatchesKept, .memory = std::move(wire)}),
        matches(feed, options.name, options.matches, memory_bytes) {}
  MatchFeed feed;
  ServedMatches matches;
};

/// Passes what was served on to the log and to the page.
void note(const Served& served, ServeLog& log, std::optional<WatchedMatches>& watch) {
  if (watch) watch->matches.served(served);
  log.served(served);
}

}  // namespace

int serve_command(const ServeOptions& options) {
  auto strategy = checked_strategy(options.strategy);
  if (!strategy) return fail(kWrongUse, strategy.error().text);
  auto opened = ServeLog::open({options.log, options.verbose, options.json});
  if (!opened) return fail(kCouldNot, opened.error().text);
  ServeLog& log = **opened;

  // A reader of the output that goes away must not take the player with it.
  std::signal(SIGPIPE, SIG_IGN);
  boost::asio::io_context context(1);
  const Interrupt interrupt(
      {.hangup = [&log] { log.reopen(); }, .second = [&context] { context.stop(); }});
  auto wanted = server_options(options, *std::move(strategy), log);
  if (const auto problem = set_peers(options, wanted.limits)) return fail(kWrongUse, *problem);
  auto access = gamemaster_access(options);
  if (!access) return fail(kCouldNot, access.error().text);
  if (*access) {
    wanted.side = [access = **access, log = log.logger()](auto& io, auto player, auto served) {
      return std::make_unique<Bridge>(io, BridgeOptions{access, {}, log}, std::move(player),
                                      std::move(served));
    };
  }
  std::optional<WatchedMatches> watch;
  if (options.watch >= 0) {
    const std::size_t share = wanted.player.memory_bytes / kWatchShare;
    wanted.player.memory_bytes -= share;
    watch.emplace(options, wanted.limits.memory, share);
    if (const auto why = open_watch(watch->feed, options.watch)) return fail(kCouldNot, *why);
  }
  PlayerServer server(
      context, wanted, [&](const Served& served) { note(served, log, watch); },
      [&log](const Refusal& refusal) { log.refused(refusal); });
  if (const auto problem = server.listen()) {
    return fail(kCouldNot, *problem + "; --port and --bind choose another address");
  }
  const std::stop_callback ending(interrupt.token(), [&] {
    post_surely(context, [&log] { log.ending(); });  // the end comes even if this can't be logged
    post_surely(context, [&] {
      try {
        server.shut_down([&context] { context.stop(); });
      } catch (const std::bad_alloc&) {
        context.stop();
      }
    });
  });
  log.listening(options.bind, server.port());
  if (*access) log.bridging(**access, server.port());
  run_guarded(context, [&](const char* why) {
    server.resume();
    log.lost(why);
  });
  return kGood;
}

}  // namespace ludens::server
