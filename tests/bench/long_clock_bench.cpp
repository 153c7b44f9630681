// SPDX-License-Identifier: MIT
// Whether the tree of `mcts` goes on growing in matches with long clocks, when its memory was full
// long ago:
//
//     ludens_long_clock_bench [key=value...] [GAME...]
//
//   seconds=15   of each move       iterations=0 (of four playouts; instead of time)   moves=40
//   memory=2048  MiB of each player  threads=1  seed=1                strategy=mcts:policy=uniform
//
// GAME is a rulesheet or a bundled game; without, one bundled game of each class. A match of each
// is played with one player a role, who keeps its tree from move to move. A line of the table is a
// move: all that the tree has after it, and what the search before it made.

#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>
#include <string>

#include "gdl/registry/machines.h"
#include "search/registry/registry.h"
#include "server/game/bundled_games.h"

namespace ludens {
namespace {

using Clock = std::chrono::steady_clock;
using gdl::MoveId;

const std::vector<std::string> kGames{
    "breakthrough", "othello",  "amazons_small", "connect_four",
    "chess",        "checkers", "hex_small",     "bidding_tic_tac_toe"};

struct Settings {
  std::map<std::string, double> numbers{{"seconds", 15},  {"iterations", 0}, {"moves", 40},
                                        {"memory", 2048}, {"threads", 1},    {"seed", 1}};
  std::string strategy = "mcts:policy=uniform";
  std::vector<std::string> games;
};

/// What a strategy says of its tree: see `explanation` of `mcts`.
struct Tree {
  unsigned long long kept = 0, nodes = 0, kibibytes = 0, made = 0;
  bool full = false;

  static Tree read(const std::string& text) {
    Tree tree;
    std::sscanf(text.c_str(), "%*u iterations on %llu kept, %llu nodes in %llu KiB", &tree.kept,
                &tree.nodes, &tree.kibibytes);
    const auto made = text.find(" bytes each, ");
    if (made != std::string::npos) {
      std::sscanf(text.c_str() + made, " bytes each, %llu made", &tree.made);
    }
    tree.full = text.find("memory full") != std::string::npos;
    return tree;
  }
};

class Player {
 public:
  Player(const search::StrategySpec& spec, const Settings& settings)
      : budget_(static_cast<std::size_t>(settings.numbers.at("memory")) << 20) {
    const auto threads = static_cast<unsigned>(settings.numbers.at("threads"));
    auto made = search::make_strategy(spec, {.threads = threads, .memory = &budget_});
    if (made) strategy_ = *std::move(made);
  }
  [[nodiscard]] bool is_ready() const { return strategy_ != nullptr; }

  std::optional<search::Choice> think(const search::Position& position, double seconds) {
    search::Incumbent incumbent;
    const auto time =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    const search::Deadline end =
        seconds > 0 ? search::Deadline(Clock::now() + time) : search::Deadline();
    strategy_->think(position, end, incumbent);
    return incumbent.get();
  }
  [[nodiscard]] Tree tree() const { return Tree::read(strategy_->explanation()); }
  [[nodiscard]] std::size_t reserved() const { return budget_.used(); }

 private:
  gdl::MemoryBudget budget_;
  std::unique_ptr<search::Strategy> strategy_;
};

class Match {
 public:
  Match(std::shared_ptr<const gdl::Machine> machine, const Settings& settings)
      : machine_(std::move(machine)), settings_(settings), context_(machine_->make_context()) {
    position_.machine = machine_;
  }

  bool play(const search::StrategySpec& spec) {
    std::vector<std::unique_ptr<Player>> players;
    for (std::size_t r = 0; r < machine_->role_count(); ++r) {
      players.push_back(std::make_unique<Player>(spec, settings_));
      if (!players.back()->is_ready()) return false;
    }
    if (machine_->initial(*context_, position_.state) != gdl::Status::Ok) return false;
    gdl::Rng rng(static_cast<std::uint64_t>(settings_.numbers.at("seed")));
    for (int step = 1; step <= settings_.numbers.at("moves") && !is_over(); ++step) {
      if (!make_step(step, players, rng)) return false;
    }
    return true;
  }

 private:
  bool is_over() {
    bool over = false;
    return machine_->terminal(*context_, position_.state, over) != gdl::Status::Ok || over;
  }

  bool make_step(int step, std::vector<std::unique_ptr<Player>>& players, gdl::Rng& rng) {
    std::vector<MoveId> joint, moves;
    for (gdl::RoleIndex r = 0; r < machine_->role_count(); ++r) {
      if (machine_->legal(*context_, position_.state, r, moves) != gdl::Status::Ok) return false;
      if (moves.empty()) return false;
      joint.push_back(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
      if (moves.size() == 1 || r == machine_->random_role()) continue;
      position_.role = r;
      const double seconds =
          settings_.numbers.at("iterations") > 0 ? 0 : settings_.numbers.at("seconds");
      const auto choice = players[r]->think(position_, seconds);
      if (!choice) return false;
      joint.back() = choice->move;
      print(step, r, moves.size(), *choice, *players[r]);
    }
    gdl::State next;
    if (machine_->next(*context_, position_.state, joint, next) != gdl::Status::Ok) return false;
    position_.state = std::move(next);
    position_.history.insert(position_.history.end(), joint.begin(), joint.end());
    return true;
  }

  static void print(int step, gdl::RoleIndex role, std::size_t moves, const search::Choice& choice,
                    const Player& player) {
    const Tree tree = player.tree();
    const auto iterations = static_cast<double>(choice.iterations);
    std::printf("| %d | %u | %zu | %llu | %llu | %.2f | %u | %.1f | %.1f | %s |\n", step,
                static_cast<unsigned>(role), moves,
                static_cast<unsigned long long>(choice.iterations), tree.nodes,
                iterations > 0 ? static_cast<double>(tree.made) / iterations : 0,
                static_cast<unsigned>(choice.depth), static_cast<double>(tree.kibibytes) / 1024,
                static_cast<double>(player.reserved()) / (1 << 20),
                choice.exact ? "proved" : (tree.full ? "full" : ""));
    std::fflush(stdout);
  }

  std::shared_ptr<const gdl::Machine> machine_;
  const Settings& settings_;
  std::unique_ptr<gdl::Machine::Context> context_;
  search::Position position_;
};

bool read(int count, char** arguments, Settings& settings) {
  for (int i = 1; i < count; ++i) {
    const std::string text = arguments[i];
    const std::size_t equals = text.find('=');
    const std::string key = text.substr(0, equals);
    if (equals != std::string::npos && key == "strategy") {
      settings.strategy = text.substr(equals + 1);
    } else if (equals != std::string::npos && settings.numbers.contains(key)) {
      settings.numbers[key] = std::stod(text.substr(equals + 1));
    } else if (equals != std::string::npos) {
      std::cerr << "unknown setting " << key << '\n';
      return false;
    } else {
      settings.games.push_back(text);
    }
  }
  if (settings.games.empty()) settings.games = kGames;
  return true;
}

std::optional<search::StrategySpec> strategy_of(const Settings& settings) {
  auto spec = search::parse_strategy(settings.strategy);
  if (!spec) {
    std::cerr << spec.error().text << '\n';
    return std::nullopt;
  }
  auto& parsed = *spec;
  if (const double iterations = settings.numbers.at("iterations"); iterations > 0) {
    parsed.options["playouts"] = std::to_string(static_cast<std::uint64_t>(iterations) * 4);
  }
  return parsed;
}

bool play(const std::string& game, const search::StrategySpec& spec, const Settings& settings) {
  const auto sheet = server::load_game(game);
  if (!sheet) {
    std::cerr << sheet.error().text << '\n';
    return false;
  }
  const auto& rules = sheet->rules;
  auto machine = gdl::make_machine("auto", std::make_shared<gdl::Vocabulary>(rules));
  if (!machine) {
    std::cerr << machine.error().text << '\n';
    return false;
  }
  std::printf(
      "\n%s\n\n| step | role | moves | iterations | nodes | made an iteration | depth | MiB of the "
      "tree | "
      "MiB reserved | |\n|---|---|---|---|---|---|---|---|---|---|\n",
      sheet->name.c_str());
  return Match(*std::move(machine), settings).play(spec);
}

int run(int count, char** arguments) {
  Settings settings;
  if (!read(count, arguments, settings)) return 2;
  const auto spec = strategy_of(settings);
  if (!spec) return 2;
  bool all = true;
  for (const std::string& game : settings.games) all &= play(game, *spec, settings);
  return all ? 0 : 1;
}

}  // namespace
}  // namespace ludens

int main(int count, char** arguments) {
  return ludens::run(count, arguments);
}
