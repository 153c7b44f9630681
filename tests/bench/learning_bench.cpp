// SPDX-License-Identifier: MIT
// `ludens_learning_bench GAME.kif... [key=value...]`: how fast values are learned, and how well a
// player does that looks at what follows from its moves once. Seconds are of processor time,
// divided by the number of threads.
//
//   marks=1,3,10 (seconds of learning after which a line is printed)   seed=1   matches=0
//   threads=1   reach=0 (see the option of `value`)
//   opponent=mcts:playouts=1000,seed=1
//   right=FILE (of positions of connect four; the share of them in which that player is right)
//   tuples= games= random= plies= exploration= lambda= rate= (see LearningOptions)

#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "gdl/registry/machines.h"
#include "gdl/rules/read.h"
#include "search/learning/learner.h"
#include "search/learning/reach.h"
#include "search/mcts/playout_contestant.h"
#include "search/registry/registry.h"
#include "tests/bench/right_moves.h"
#include "tests/bench/settings.h"
#include "tests/search/learning/greedy_player.h"

namespace ludens {
namespace {

using Settings = std::map<std::string, std::string>;

double processor_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::shared_ptr<const gdl::Machine> machine_of(const std::string& path) {
  std::ifstream file(path);
  if (!file) return nullptr;
  const std::string sheet{std::istreambuf_iterator<char>(file), {}};
  const auto rules = gdl::read_rules(sheet).normalised.rules;
  auto machine = gdl::make_machine("auto", std::make_shared<gdl::Vocabulary>(rules));
  if (!machine) {
    std::cerr << machine.error().text << '\n';
    return nullptr;
  }
  return *std::move(machine);
}

search::LearningOptions options_of(const Settings& settings) {
  search::LearningOptions options;
  const auto number = [&](const char* key) { return std::stod(settings.at(key)); };
  const auto set = [&](const char* key, auto& option) {
    if (!settings.at(key).empty())
      option = static_cast<std::decay_t<decltype(option)>>(number(key));
  };
  set("seed", options.seed);
  set("threads", options.threads);
  set("tuples", options.tuples);
  set("games", options.games_at_once);
  set("random", options.random_plies);
  set("plies", options.most_plies);
  set("exploration", options.exploration);
  set("lambda", options.lambda);
  set("rate", options.rate);
  return options;
}

/// Mean and 95 % interval of the greedy player's share against the opponent.
std::string compare(const std::shared_ptr<const gdl::Machine>& machine,
                    std::shared_ptr<const search::ValueFunction> value, const std::string& opponent,
                    int matches) {
  auto spec = search::parse_strategy(opponent);
  if (!spec) return spec.error().text;
  auto strategy = search::make_strategy(*spec, {});
  if (!strategy) return strategy.error().text;
  search::test::GreedyPlayer greedy(std::move(value));
  search::mcts::PlayoutContestant other(machine, *std::move(strategy));
  search::Position start;
  (void)machine->initial(*machine->make_context(), start.state);
  start.machine = machine;
  const search::Deadline never;
  search::SelfMatch match(start, never, nullptr, 1);
  if (!match.possible()) return "no game for two";
  search::Score score;
  while (2 * static_cast<int>(score.pairs) < matches) {
    const auto share = match.play_pair(greedy, other);
    if (!share) return "no match";
    score.add(*share);
  }
  const double spread = score.squares / score.pairs - score.mean() * score.mean();
  char text[80];
  std::snprintf(text, sizeof text, "%.1f +- %.1f %% of %u", 100 * score.mean(),
                196 * std::sqrt(std::max(0.0, spread) / std::max(1U, score.pairs - 1)),
                2 * score.pairs);
  return text;
}

void run(const std::string& path, const Settings& settings) {
  auto machine = machine_of(path);
  if (machine == nullptr) return;
  if (const auto reach = static_cast<std::uint32_t>(std::stoul(settings.at("reach"))); reach > 0) {
    auto wide = search::with_reach(machine, reach, nullptr, search::Deadline());
    if (!wide) {
      std::printf("%-18s %s\n", path.c_str(), wide.error().text.c_str());
      return;
    }
    machine = *std::move(wide);
  }
  std::string name = path.substr(path.rfind('/') + 1);
  name = name.substr(0, name.rfind('.'));
  const double before = processor_seconds();
  auto made = search::Learner::make(machine, options_of(settings), nullptr, search::Deadline());
  if (!made) {
    std::printf("%-18s %s\n", name.c_str(), made.error().text.c_str());
    return;
  }
  auto& learner = **made;
  std::printf("# %s: %s, found in %.2f s\n", name.c_str(), learner.explanation().c_str(),
              processor_seconds() - before);
  std::optional<bench::RightMoves> positions;
  if (!settings.at("right").empty()) {
    positions.emplace(machine, settings.at("right"));
    if (!positions->possible()) std::printf("# can't play %s\n", settings.at("right").c_str());
  }
  double learned = 0;
  std::istringstream marks(settings.at("marks"));
  for (std::string mark; std::getline(marks, mark, ',');) {
    while (learned < std::stod(mark)) {
      const double begin = processor_seconds();
      const auto slice = std::chrono::milliseconds(50);
      (void)learner.learn(search::Deadline(std::chrono::steady_clock::now() + slice));
      learned += (processor_seconds() - begin) / std::stod(settings.at("threads"));
    }
    const auto s = learner.statistics();
    const auto rate = [&](std::uint64_t count) { return static_cast<double>(count) / learned; };
    std::printf(
        "%-18s %6.1f s: %8.0f games/s, %6.3f M plies/s, %6.2f M judged/s, %5.1f plies a "
        "game, %4.1f %% cut, %2.0f %% in expand",
        name.c_str(), learned, rate(s.games), rate(s.plies) / 1e6, rate(s.evaluated) / 1e6,
        static_cast<double>(s.plies) / static_cast<double>(s.games),
        100 * static_cast<double>(s.cut) / static_cast<double>(s.games),
        100 * s.expanding / (learned * std::stod(settings.at("threads"))));
    const int matches = std::stoi(settings.at("matches"));
    if (matches > 0) {
      const std::string& opponent = settings.at("opponent");
      std::printf("; greedy against %s: %s", opponent.c_str(),
                  compare(machine, learner.snapshot(), opponent, matches).c_str());
    }
    if (positions && positions->possible()) {
      search::test::GreedyPlayer greedy(learner.snapshot());
      const auto [all, hard] = positions->ask(greedy);
      std::printf("; right in %.1f %% of %zu positions, %.1f %% of the %zu where moves differ",
                  all.percent(), all.of, hard.percent(), hard.of);
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}

int run_all(int count, char** arguments) {
  std::vector<std::string> games;
  Settings settings{{"marks", "1,3"}, {"seed", "1"},
                    {"threads", "1"}, {"right", ""},
                    {"reach", "0"},   {"matches", "0"},
                    {"tuples", ""},   {"games", ""},
                    {"random", ""},   {"plies", ""},
                    {"lambda", ""},   {"exploration", ""},
                    {"rate", ""},     {"opponent", "mcts:playouts=1000,seed=1"}};
  const auto set = [](std::string& value, const std::string& text) { value = text; };
  if (!read_arguments(count, arguments, games, settings, set)) return 2;
  for (const std::string& game : games) run(game, settings);
  return 0;
}

}  // namespace
}  // namespace ludens

int main(int count, char** arguments) {
  return ludens::run_all(count, arguments);
}
