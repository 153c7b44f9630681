// SPDX-License-Identifier: MIT
// `ludens_duel_bench GAME A B [key=value...]`: two strategies against each other on one thread, for
// experiments. Each match begins with new players, which first think about the initial position;
// every opening is played from both seats.
//
//   ms=50 or iterations=N (of playouts: the option `playouts` of both)   other=0 (ms of B; 0: as A)
//   matches=60   opening=3   start=1000 (ms, of each player in each match)   seed=1
//   limit=SECONDS (no further match afterwards)   threads=1 (of each player)
//   memory=0 (MiB that a player may reserve; 0: no limit)   other_memory=0 (of B; 0: as A)
//   learn=SECONDS (values of states, once, for all players that want them)
//   reach=0 (both players and `learn` use the machine with what roles can reach by that many moves)
//   ponder=1 (players think while the other one does, for as long): prints which share of the
//   visits
//     before a reply lay on it
//
// A file `knowledge=FILE` that can't be used ends it before the first match.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <numeric>
#include <regex>
#include <string>

#include "agent/knowledge/knowledge_files.h"
#include "gdl/registry/machines.h"
#include "gdl/rules/read.h"
#include "search/learning/learner.h"
#include "search/learning/reach.h"
#include "search/registry/registry.h"

namespace ludens {
namespace {

using Clock = std::chrono::steady_clock;
using gdl::MoveId;

struct Side {
  std::string text;
  search::StrategySpec spec;
  std::unique_ptr<gdl::MemoryBudget> memory;  // null: no limit
  std::unique_ptr<search::Strategy> strategy;
  std::uint64_t iterations = 0, moves = 0;
  double pondered = 0;                // visits of the position before the reply; 0: none
  std::vector<double> foreseen = {};  // [reply] the share of them after which it came
};

/// What `mcts` says about its last search: "N iterations on K kept". nullopt if it says nothing.
struct Visits {
  double made = 0, kept = 0;
};
std::optional<Visits> last_visits(const std::string& explanation) {
  static const std::regex kPattern("(\\d+) (?:iterations|descents) on (\\d+) kept");
  std::smatch found;
  if (!std::regex_search(explanation, found, kPattern)) return std::nullopt;
  return Visits{std::stod(found[1]), std::stod(found[2])};
}

class Duel {
 public:
  Duel(std::shared_ptr<const gdl::Machine> machine, std::map<std::string, double> settings)
      : machine_(std::move(machine)),
        settings_(std::move(settings)),
        rng_(static_cast<std::uint64_t>(settings_["seed"])),
        context_(machine_->make_context()) {
    resources_.threads = static_cast<unsigned>(settings_["threads"]);
  }

  bool add(const std::string& text) {
    auto spec = search::parse_strategy(text);
    if (!spec) {
      std::cerr << spec.error().text << '\n';
      return false;
    }
    auto& parsed = *spec;
    const gdl::Rules& rules = machine_->vocabulary()->rules();
    if (const auto problem = agent::problem_with_knowledge(parsed, &rules)) {
      std::cerr << *problem << '\n';
      return false;
    }
    if (settings_["iterations"] > 0) {
      parsed.options["playouts"] =
          std::to_string(static_cast<std::uint64_t>(settings_["iterations"]) * 4);
    }
    sides_.push_back({text, parsed, make_budget(sides_.empty()), nullptr});
    return renew(sides_.back());
  }

  bool learn() {
    if (settings_["learn"] <= 0) return true;
    const auto time = std::chrono::duration<double>(settings_["learn"]);
    const search::Deadline end(Clock::now() + std::chrono::duration_cast<Clock::duration>(time));
    search::LearningOptions options;
    options.seed = static_cast<std::uint64_t>(settings_["seed"]);
    auto made = search::Learner::make(machine_, options, nullptr, end);
    if (!made) {
      std::cerr << made.error().text << '\n';
      return false;
    }
    auto& learner = **made;
    (void)learner.learn(end);
    std::printf("# learned from %llu games: %s\n",
                static_cast<unsigned long long>(learner.statistics().games),
                learner.explanation().c_str());
    resources_.values = [values = learner.snapshot(),
                         of = machine_.get()](const gdl::Machine& of_match) {
      // Others learn in their own time.
      return &of_match == of ? search::LearnedValues{values} : search::LearnedValues{};
    };
    return true;
  }

  void run(const std::string& game) {
    const auto begin = Clock::now();
    for (Side& side : sides_) {
      get_ready(side);
      std::printf("# %s: %s\n", side.text.c_str(), side.strategy->explanation().c_str());
    }
    double sum = 0, squares = 0;
    int pairs = 0, won = 0, drawn = 0;
    while (2 * pairs < settings_["matches"]) {
      const std::chrono::duration<double> gone = Clock::now() - begin;
      if (gone.count() > settings_["limit"]) break;
      const search::Position opening = open();
      double score = 0;
      for (const gdl::RoleIndex seat : {0U, 1U}) {
        const double share = play(opening, seat);
        won += share > 0.5 ? 1 : 0;
        drawn += share == 0.5 ? 1 : 0;
        score += share / 2;
      }
      sum += score;
      squares += score * score;
      ++pairs;
    }
    const double mean = sum / pairs;
    const double error = std::sqrt(std::max(0.0, squares / pairs - mean * mean) / pairs);
    std::printf(
        "%-22s %s : %s  %.1f +- %.1f %% of %d matches (%d won, %d drawn), %.0f and %.0f iterations "
        "a move\n",
        game.c_str(), sides_[0].text.c_str(), sides_[1].text.c_str(), mean * 100, error * 196,
        2 * pairs, won, drawn, per_move(0), per_move(1));
    for (Side& side : sides_) print_foreseen(side);
  }

 private:
  [[nodiscard]] double per_move(std::size_t side) const {
    return static_cast<double>(sides_[side].iterations) /
           static_cast<double>(std::max<std::uint64_t>(1, sides_[side].moves));
  }

  /// A setting of a side; `others` is that of B, and 0 if it is as A's.
  double setting(bool first, const std::string& own, const std::string& others) {
    return !first && settings_[others] > 0 ? settings_[others] : settings_[own];
  }

  static void print_foreseen(Side& side) {
    auto& shares = side.foreseen;
    if (shares.empty()) return;
    std::ranges::sort(shares);
    const auto at = [&](double part) {
      return 100 * shares[static_cast<std::size_t>(part * static_cast<double>(shares.size() - 1))];
    };
    const auto few = std::ranges::lower_bound(shares, 0.02) - shares.begin();
    std::printf(
        "# %s: %zu replies had %.1f, %.1f, %.1f %% of the visits before (quartiles, median); "
        "%.0f %% had less than 2 %%\n",
        side.text.c_str(), shares.size(), at(0.25), at(0.5), at(0.75),
        100.0 * static_cast<double>(few) / static_cast<double>(shares.size()));
  }

  std::unique_ptr<gdl::MemoryBudget> make_budget(bool first) {
    const double mib = setting(first, "memory", "other_memory");
    if (mib <= 0) return nullptr;
    return std::make_unique<gdl::MemoryBudget>(static_cast<std::size_t>(mib) << 20);
  }

  bool renew(Side& side) {
    side.strategy = nullptr;  // gives its memory back before the next one reserves its own
    search::Resources resources = resources_;
    resources.memory = side.memory.get();
    resources.knowledge = agent::knowledge_of(side.spec);
    auto made = search::make_strategy(side.spec, resources);
    if (!made) {
      std::cerr << made.error().text << '\n';
      return false;
    }
    side.strategy = std::move(*made);
    return true;
  }
  /// Creates the player again and lets it think before the match, which does not count.
  void get_ready(Side& side) {
    if (!renew(side)) return;
    const auto [iterations, moves] = std::pair(side.iterations, side.moves);
    (void)think(side, start(), settings_["start"]);
    side.iterations = iterations;
    side.moves = moves;
  }

  search::Position start() {
    search::Position position;
    (void)machine_->initial(*context_, position.state);
    position.machine = machine_;
    return position;
  }
  bool is_over(const search::Position& position) {
    bool over = false;
    (void)machine_->terminal(*context_, position.state, over);
    return over;
  }
  std::vector<MoveId> legal(const search::Position& position, gdl::RoleIndex role) {
    std::vector<MoveId> moves;
    (void)machine_->legal(*context_, position.state, role, moves);
    return moves;
  }
  void make(search::Position& position, const std::vector<MoveId>& joint) {
    gdl::State next;
    (void)machine_->next(*context_, position.state, joint, next);
    position.state = next;
    position.history.insert(position.history.end(), joint.begin(), joint.end());
  }

  search::Position open() {
    for (;;) {
      search::Position position = start();
      for (int ply = 0; ply < settings_["opening"] && !is_over(position); ++ply) {
        std::vector<MoveId> joint;
        for (gdl::RoleIndex r = 0; r < machine_->role_count(); ++r) {
          const auto moves = legal(position, r);
          joint.push_back(moves[rng_.below(static_cast<std::uint32_t>(moves.size()))]);
        }
        make(position, joint);
      }
      if (!is_over(position)) return position;
    }
  }

  std::optional<search::Choice> think(Side& side, const search::Position& position, double ms) {
    search::Incumbent incumbent;
    const auto time =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::milli>(ms));
    side.strategy->think(position, search::Deadline(Clock::now() + time), incumbent);
    auto choice = incumbent.get();
    if (choice) side.iterations += choice->iterations;
    ++side.moves;
    const auto visits = last_visits(side.strategy->explanation());
    if (visits && side.pondered > 0) side.foreseen.push_back(visits->kept / side.pondered);
    side.pondered = 0;
    return choice;
  }

  /// Thinks about a position in which another role has the choice.
  void ponder(Side& side, const search::Position& position, double ms) {
    const auto [iterations, moves] = std::pair(side.iterations, side.moves);
    (void)think(side, position, ms);
    side.iterations = iterations;
    side.moves = moves;
    const auto visits = last_visits(side.strategy->explanation());
    side.pondered = visits ? visits->made + visits->kept : 0;
  }

  double time_of_move(bool first) {
    if (settings_["iterations"] > 0) return 60'000;
    return setting(first, "ms", "other");
  }

  /// The share of the first side, which has the role `seat`: a half, and half of what its goal is
  /// above the mean of the others'. With a fixed sum of two goals this is its goal.
  double play(search::Position position, gdl::RoleIndex seat) {
    for (Side& side : sides_) get_ready(side);
    while (!is_over(position)) {
      std::vector<MoveId> joint;
      for (gdl::RoleIndex r = 0; r < machine_->role_count(); ++r) {
        const auto moves = legal(position, r);
        if (moves.empty()) return 0.5;
        joint.push_back(moves[0]);
        const bool first = r == seat;
        Side& side = sides_[first ? 0 : 1];
        position.role = r;
        if (moves.size() == 1) {
          if (settings_[first ? "ponder" : "other_ponder"] > 0) {
            ponder(side, position, time_of_move(!first));
          }
          continue;
        }
        const auto choice = think(side, position, time_of_move(first));
        if (choice) joint.back() = choice->move;
      }
      make(position, joint);
    }
    std::vector<int> goals(machine_->role_count());
    (void)machine_->goals(*context_, position.state, goals);
    const double own = goals[seat];
    const double others = (std::accumulate(goals.begin(), goals.end(), 0.0) - own) /
                          static_cast<double>(std::max<std::size_t>(1, goals.size() - 1));
    return 0.5 + (own - others) / 200;
  }

  std::shared_ptr<const gdl::Machine> machine_;
  std::map<std::string, double> settings_;
  gdl::Rng rng_;
  std::unique_ptr<gdl::Machine::Context> context_;
  std::vector<Side> sides_;
  search::Resources resources_;
};

int run(int count, char** arguments) {
  if (count < 4) {
    std::cerr << "usage: ludens_duel_bench GAME A B [key=value...]\n";
    return 2;
  }
  std::map<std::string, double> settings{
      {"ms", 50},      {"other", 0},        {"iterations", 0}, {"matches", 60},     {"opening", 3},
      {"start", 1000}, {"seed", 1},         {"limit", 1e9},    {"learn", 0},        {"threads", 1},
      {"memory", 0},   {"other_memory", 0}, {"ponder", 0},     {"other_ponder", 0}, {"reach", 0}};
  for (int i = 4; i < count; ++i) {
    const std::string text = arguments[i];
    const auto equals = text.find('=');
    if (equals == std::string::npos || !settings.contains(text.substr(0, equals))) {
      std::cerr << "unknown setting " << text << '\n';
      return 2;
    }
    settings[text.substr(0, equals)] = std::stod(text.substr(equals + 1));
  }
  std::ifstream file(arguments[1]);
  if (!file) {
    std::cerr << "can't read " << arguments[1] << '\n';
    return 2;
  }
  const std::string sheet{std::istreambuf_iterator<char>(file), {}};
  const auto rules = gdl::read_rules(sheet).normalised.rules;
  auto machine = gdl::make_machine("auto", std::make_shared<gdl::Vocabulary>(rules));
  if (!machine) {
    std::cerr << machine.error().text << '\n';
    return 3;
  }
  if (const auto reach = static_cast<std::uint32_t>(settings["reach"]); reach > 0) {
    auto wide = search::with_reach(*machine, reach, nullptr, search::Deadline());
    if (!wide) {
      std::cerr << wide.error().text << '\n';
      return 3;
    }
    machine = std::shared_ptr<const gdl::Machine>(*std::move(wide));
  }
  Duel duel(*std::move(machine), settings);
  if (!duel.learn() || !duel.add(arguments[2]) || !duel.add(arguments[3])) return 2;
  std::string name = arguments[1];
  name = name.substr(name.rfind('/') + 1);
  duel.run(name.substr(0, name.rfind('.')));
  return 0;
}

}  // namespace
}  // namespace ludens

int main(int count, char** arguments) {
  return ludens::run(count, arguments);
}
