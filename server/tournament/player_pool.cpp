// SPDX-License-Identifier: MIT
#include "server/tournament/player_pool.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "server/records/match_record.h"

namespace ludens::server {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Kind = PlannedPlayer::Kind;

namespace {

constexpr milliseconds kProbeLimit{2000}, kProbePause{100}, kBusyPause{1000};
constexpr std::size_t kMany = ~std::size_t{0};

/// False if it was stopped.
bool sleep(milliseconds time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, stop, time, [] { return false; });
  return !stop.stop_requested();
}

/// How long a player stays busy with a match whose host has gone silent, as this program's players
/// do at most (server/PROTOCOL.md, `a match may just go silent`).
seconds longest_silence(const TournamentPlan& plan) {
  double longest = 60;
  for (const PlannedGame& game : plan.games) {
    longest = std::max({longest, 3 * game.play_clock + 30, game.start_clock + 60});
  }
  return seconds(static_cast<int>(longest));
}

}  // namespace

PlayerPool::PlayerPool(const TournamentPlan& plan, std::filesystem::path folder,
                       std::stop_token hurry)
    : plan_(plan),
      folder_(std::move(folder)),
      hurry_(std::move(hurry)),
      instances_(plan.players.size()) {
  for (std::size_t player = 0; player < plan.players.size(); ++player) {
    const PlannedPlayer& planned = plan.players[player];
    if (!planned.listens()) continue;
    instances_[player].resize(static_cast<std::size_t>(planned.matches));
    if (planned.kind != Kind::Remote) continue;
    const Address address = parse_address(planned.url).value();
    for (Instance& instance : instances_[player]) instance.address = address;
  }
}

PlayerPool::~PlayerPool() {
  for (auto& instances : instances_) {
    for (Instance& instance : instances) {
      if (instance.process) instance.process->ask_to_end();
    }
  }
}

PlayerPool::Opening PlayerPool::open(const std::stop_token& stop) {
  Opening opening;
  for (std::size_t player = 0; player < instances_.size(); ++player) {
    if (plan_.players[player].kind != Kind::Command) continue;
    for (std::size_t i = 0; i < instances_[player].size(); ++i) start(player, i);
  }
  for (std::size_t player = 0; player < instances_.size(); ++player) {
    const std::string who = "player '" + plan_.players[player].name + "'";
    const bool started = plan_.players[player].kind == Kind::Command;
    // All places of a remote player share one player.
    const std::size_t count = std::min<std::size_t>(started ? kMany : 1, instances_[player].size());
    for (std::size_t i = 0; i < count; ++i) {
      const int patience = started ? plan_.startup_seconds : 0;
      const ProbeResult found = wait_for(player, i, seconds(patience), stop);
      if (found.there && found.busy) {
        opening.warnings.push_back(who + " is busy with another match: its first match waits");
        for (Instance& instance : instances_[player]) instance.blamed = true;
      }
      if (found.there) continue;
      opening.problems.push_back(who + ": " + found.problem);
      break;
    }
  }
  return opening;
}

bool PlayerPool::can_lend(const std::vector<std::optional<std::size_t>>& players) const {
  return std::ranges::all_of(players, [&](const auto& player) {
    if (!player || instances_[*player].empty()) return true;
    return std::ranges::count(instances_[*player], false, &Instance::lent) >=
           std::ranges::count(players, player);
  });
}

Loan PlayerPool::lend(std::size_t player) {
  auto& instances = instances_[player];
  const auto found = std::find_if(instances.begin(), instances.end(),
                                  [](const Instance& instance) { return !instance.lent; });
  if (found == instances.end()) return {player, 0};
  found->lent = true;
  return {player, static_cast<std::size_t>(found - instances.begin())};
}

void PlayerPool::give_back(const Loan& loan) {
  if (!instances_[loan.player].empty()) instances_[loan.player][loan.instance].lent = false;
}

void PlayerPool::blame(const Loan& loan) {
  if (!instances_[loan.player].empty()) instances_[loan.player][loan.instance].blamed = true;
}

std::optional<std::string> PlayerPool::revive(const Loan& loan, const std::stop_token& stop) {
  if (instances_[loan.player].empty()) return std::nullopt;
  Instance& instance = instances_[loan.player][loan.instance];
  const bool started = plan_.players[loan.player].kind == Kind::Command;
  const bool ended = started && !(instance.process && instance.process->runs());
  if (!instance.blamed && !ended) return std::nullopt;
  ProbeResult found;
  if (!ended) {
    const bool patient = !started && !instance.given_up;
    found =
        wait_for(loan.player, loan.instance, seconds(patient ? plan_.patience_seconds : 0), stop);
  }
  if (started && !found.there) {
    start(loan.player, loan.instance);
    const int patience = instance.given_up ? 0 : plan_.startup_seconds;
    found = wait_for(loan.player, loan.instance, seconds(patience), stop);
  }
  if (found.there && found.busy && !instance.always_busy) {
    found = wait_for(loan.player, loan.instance, longest_silence(plan_), stop, Until::Free);
    instance.always_busy = found.busy;
  }
  instance.blamed = instance.given_up = !found.there;
  if (found.there) return std::nullopt;
  return "player '" + plan_.players[loan.player].name + "' is down: " + found.problem;
}

const Address& PlayerPool::address(const Loan& loan) const {
  return instances_[loan.player][loan.instance].address;
}

void PlayerPool::start(std::size_t player, std::size_t instance) {
  const PlannedPlayer& planned = plan_.players[player];
  Instance& one = instances_[player][instance];
  one.process.reset();  // before the next one starts: it may hold the port
  const auto port = planned.port != 0 ? static_cast<std::uint16_t>(planned.port) : free_port();
  one.address = {"127.0.0.1", port};
  one.process = std::make_unique<PlayerProcess>(
      planned.command, port,
      folder_ / (safe_file_name(planned.name) + "." + std::to_string(instance + 1) + ".log"),
      hurry_);
}

ProbeResult PlayerPool::wait_for(std::size_t player, std::size_t instance, seconds patience,
                                 const std::stop_token& stop, Until until) {
  Instance& one = instances_[player][instance];
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    if (one.process && one.process->problem()) return {.problem = *one.process->problem()};
    if (one.process && !one.process->runs()) return {.problem = one.process->obituary()};
    ProbeResult result = probe(one.address, kProbeLimit, stop);
    if (result.there && !(result.busy && until == Until::Free)) return result;
    if (!result.there) {
      result.problem = "http://" + one.address.text() + " does not answer: " + result.problem;
    }
    const milliseconds pause = result.there ? kBusyPause : kProbePause;
    if (std::chrono::steady_clock::now() >= deadline || !sleep(pause, stop)) return result;
  }
}

}  // namespace ludens::server
