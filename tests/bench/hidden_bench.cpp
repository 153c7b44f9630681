// SPDX-License-Identifier: MIT
// `ludens_hidden_bench GAME.kif PLAYER... [key=value...]`: matches of a game with hidden
// information on one thread, one player a role in role order (without `random`). Each player is
// told its own moves and percepts alone. Seats change with each match where there are two players.
//
//   ms=50   start=1000 (ms, before each match)   matches=20   seed=1   told=0 (1: what players
//   say of their start; 2: moves, too)
//
// `ludens_hidden_bench GAME.kif belief=STEP [most=65536] [matches=20] [seed=1]`: how many histories
// a second are drawn that fit what each role knows behind so many random turns.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "gdl/registry/machines.h"
#include "gdl/rules/read.h"
#include "search/hidden/belief.h"
#include "search/registry/registry.h"

namespace ludens {
namespace {

using Clock = std::chrono::steady_clock;
using Settings = std::map<std::string, double>;
using gdl::MoveId;

/// What a match has come to.
struct Scene {
  search::Position position;  // without `known` and `role`
  std::vector<std::vector<search::KnownTurn>> known;
  std::vector<std::vector<MoveId>> legal;
  bool over = false;
};

class Bench {
 public:
  Bench(std::shared_ptr<const gdl::Machine> machine, Settings settings)
      : machine_(std::move(machine)),
        settings_(std::move(settings)),
        context_(machine_->make_context()),
        rng_(static_cast<std::uint64_t>(settings_["seed"])) {}

  int play(const std::vector<search::StrategySpec>& players) {
    std::vector<gdl::RoleIndex> seats;
    for (gdl::RoleIndex r = 0; r < machine_->role_count(); ++r) {
      if (r != machine_->random_role()) seats.push_back(r);
    }
    if (players.size() != seats.size()) {
      std::cerr << "there are " << seats.size() << " roles to be played\n";
      return 2;
    }
    std::vector<double> sums(players.size()), squares(players.size());
    double turns = 0, won = 0;
    const int matches = static_cast<int>(settings_["matches"]);
    for (int n = 0; n < matches; ++n) {
      std::map<gdl::RoleIndex, std::size_t> player_of;
      for (std::size_t i = 0; i < seats.size(); ++i) {
        player_of[seats[i]] = seats.size() == 2 ? (i + static_cast<std::size_t>(n)) % 2 : i;
      }
      const std::vector<double> before = sums;
      turns += match(players, player_of, sums, squares);
      if (players.size() == 2) {
        const double ahead = sums[0] - before[0] - (sums[1] - before[1]);
        won += ahead > 0 ? 1 : ahead == 0 ? 0.5 : 0;
        seat_sums_[static_cast<std::size_t>(n) % 2] += sums[0] - before[0];
      }
    }
    if (players.size() == 2) {
      std::printf("%.1f %% of the matches to the first, half of those with equal goals\n",
                  100 * won / matches);
      for (std::size_t i = 0; i < seats.size(); ++i) {
        std::printf("  its mean goal as %s: %.1f\n", machine_->role_name(seats[i]).c_str(),
                    seat_sums_[i] / std::max(1, (matches + 1 - static_cast<int>(i)) / 2));
      }
    }
    for (std::size_t p = 0; p < players.size(); ++p) {
      const double mean = sums[p] / matches;
      const double error = std::sqrt(std::max(0.0, squares[p] / matches - mean * mean) / matches);
      std::printf("%-40s %5.1f +- %.1f goal points, %d matches of %.2f turns\n",
                  search::to_string(players[p]).c_str(), mean, 1.96 * error, matches,
                  turns / matches);
    }
    return 0;
  }

  int draw_histories() {
    std::size_t drawn = 0, beliefs = 0, exact = 0;
    double seconds = 0, last_seconds = 0;
    const auto steps = static_cast<std::size_t>(settings_["belief"]);
    for (int n = 0; n < static_cast<int>(settings_["matches"]); ++n) {
      Scene scene = begin();
      while (!scene.over && scene.known[0].size() < steps) make(scene, random_moves(scene));
      if (scene.over) continue;
      for (gdl::RoleIndex r = 0; r < machine_->role_count(); ++r) {
        if (r == machine_->random_role()) continue;
        search::hidden::Belief belief(
            machine_, r, {.most = static_cast<std::size_t>(settings_["most"]), .seed = rng_() | 1});
        const std::span known(scene.known[r]);
        const auto start = Clock::now();
        if (belief.follow(known.first(steps - 1), search::Deadline()) != gdl::Status::Ok) return 1;
        const auto last = Clock::now();
        if (belief.follow(known, search::Deadline()) != gdl::Status::Ok) return 1;
        seconds += std::chrono::duration<double>(Clock::now() - start).count();
        last_seconds += std::chrono::duration<double>(Clock::now() - last).count();
        drawn += belief.size();
        ++beliefs;
        exact += belief.exact() ? 1 : 0;
      }
    }
    if (beliefs == 0) {
      std::printf("no match came to step %zu\n", steps);
      return 1;
    }
    const auto count = static_cast<double>(drawn);
    std::printf(
        "%zu beliefs at step %zu, %zu of them exact: %.0f histories each, %.0f a second from "
        "the start, %.0f by one more turn\n",
        beliefs, steps, exact, count / static_cast<double>(beliefs), count / seconds,
        count / last_seconds);
    return 0;
  }

 private:
  Scene begin() {
    Scene scene;
    scene.position.machine = machine_;
    scene.known.resize(machine_->role_count());
    scene.legal.resize(machine_->role_count());
    (void)machine_->initial(*context_, scene.position.state);
    look(scene);
    return scene;
  }
  void look(Scene& scene) {
    (void)machine_->terminal(*context_, scene.position.state, scene.over);
    for (gdl::RoleIndex r = 0; r < scene.legal.size() && !scene.over; ++r) {
      (void)machine_->legal(*context_, scene.position.state, r, scene.legal[r]);
    }
  }
  std::vector<MoveId> random_moves(const Scene& scene) {
    std::vector<MoveId> joint;
    for (const auto& moves : scene.legal) {
      joint.push_back(moves[rng_.below(static_cast<std::uint32_t>(moves.size()))]);
    }
    return joint;
  }
  void make(Scene& scene, const std::vector<MoveId>& joint) {
    for (gdl::RoleIndex r = 0; r < joint.size(); ++r) {
      search::KnownTurn turn{.own = joint[r]};
      (void)machine_->percepts(*context_, scene.position.state, joint, r, turn.percepts);
      scene.known[r].push_back(std::move(turn));
    }
    gdl::State after;
    (void)machine_->next(*context_, scene.position.state, joint, after);
    scene.position.state = std::move(after);
    scene.position.history.insert(scene.position.history.end(), joint.begin(), joint.end());
    look(scene);
  }

  MoveId think(search::Strategy& player, const Scene& scene, gdl::RoleIndex role, double ms) {
    search::Position position = scene.position;
    position.role = role;
    position.known = scene.known[role];
    search::Incumbent incumbent;
    player.think(position, search::Deadline::in(ms / 1000), incumbent);
    const auto choice = incumbent.get();
    return choice ? choice->move : scene.legal[role].front();
  }

  void tell(const Scene& scene, const std::vector<MoveId>& joint) {
    std::printf("%3zu", scene.known[0].size() + 1);
    for (const MoveId move : joint) {
      std::printf("  %s", machine_->vocabulary()->move_name(move).c_str());
    }
    std::puts("");
  }

  /// All at once, as in a match.
  void start(const std::map<gdl::RoleIndex, std::unique_ptr<search::Strategy>>& players,
             const Scene& scene) {
    const double ms = settings_["start"];
    std::vector<std::jthread> threads;
    for (const auto& [role, player] : players) {
      threads.emplace_back([this, &scene, ms, role = role, player = player.get()] {
        (void)think(*player, scene, role, ms);
        if (settings_.at("told") > 0) std::puts(player->explanation().c_str());
      });
    }
  }

  double match(const std::vector<search::StrategySpec>& specs,
               const std::map<gdl::RoleIndex, std::size_t>& player_of, std::vector<double>& sums,
               std::vector<double>& squares) {
    Scene scene = begin();
    std::map<gdl::RoleIndex, std::unique_ptr<search::Strategy>> players;
    for (const auto& [role, player] : player_of) {
      players[role] = search::make_strategy(specs[player], {}).value();
    }
    start(players, scene);
    double turns = 0;
    for (; !scene.over; ++turns) {
      auto joint = random_moves(scene);
      for (const auto& [role, player] : players) {
        if (scene.legal[role].size() > 1)
          joint[role] = think(*player, scene, role, settings_["ms"]);
      }
      if (settings_["told"] > 1) tell(scene, joint);
      make(scene, joint);
    }
    std::vector<int> goals(machine_->role_count());
    (void)machine_->goals(*context_, scene.position.state, goals);
    for (const auto& [role, player] : player_of) {
      sums[player] += goals[role];
      squares[player] += goals[role] * goals[role];
    }
    return turns;
  }

  std::shared_ptr<const gdl::Machine> machine_;
  Settings settings_;
  std::unique_ptr<gdl::Machine::Context> context_;
  gdl::Rng rng_;
  double seat_sums_[2] = {0, 0};  // goals of the first player in each seat
};

int run(int argc, char** argv) {
  Settings settings{{"ms", 50},    {"start", 1000}, {"matches", 20}, {"seed", 1},
                    {"belief", 0}, {"most", 65536}, {"told", 0}};
  std::vector<search::StrategySpec> players;
  for (int i = 2; i < argc; ++i) {
    const std::string text = argv[i];
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos && settings.contains(text.substr(0, equals))) {
      settings[text.substr(0, equals)] = std::stod(text.substr(equals + 1));
      continue;
    }
    auto spec = search::parse_strategy(text);
    if (!spec) {
      std::cerr << spec.error().text << '\n';
      return 2;
    }
    players.push_back(*std::move(spec));
  }
  std::ifstream file(argc > 1 ? argv[1] : "");
  if (!file) {
    std::cerr << "ludens_hidden_bench GAME.kif PLAYER... [key=value...]\n";
    return 2;
  }
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  auto machine = gdl::make_machine(
      "auto", std::make_shared<gdl::Vocabulary>(gdl::read_rules(text).normalised.rules));
  if (!machine) {
    std::cerr << machine.error().text << '\n';
    return 3;
  }
  Bench bench(*std::move(machine), settings);
  return settings["belief"] > 0 ? bench.draw_histories() : bench.play(players);
}

}  // namespace
}  // namespace ludens

int main(int argc, char** argv) {
  return ludens::run(argc, argv);
}
