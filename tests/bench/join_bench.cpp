// SPDX-License-Identifier: MIT
// `ludens_join_bench GAME.kif... [key=value...]`: what joining the parts of several learners is
// worth. Some parts learn for some rounds and are joined after each; one learner has the games of
// one part in all rounds, and another one the games of all parts. The three then play one another,
// looking at what follows from their moves once. Everything is counted in games, so other programs
// on the computer don't matter.
//
//   parts=4   rounds=3   games=20000 (of a part in a round)   seed=1
//   matches=400 (of two players)   opening=4 (random plies before a match)

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "gdl/registry/machines.h"
#include "gdl/rules/read.h"
#include "search/learning/knowledge_join.h"
#include "search/learning/learner.h"
#include "tests/bench/settings.h"
#include "tests/search/learning/greedy_player.h"

namespace ludens::search {
namespace {

using Settings = std::map<std::string, std::uint64_t>;
using Machine = std::shared_ptr<const gdl::Machine>;

Knowledge learned_from(const Machine& machine, const Knowledge& base, std::uint64_t seed,
                       std::uint64_t games) {
  LearningOptions options;
  options.seed = seed;
  const auto learner = Learner::resume(machine, base, options, nullptr).value();
  (void)learner->learn(Deadline(), {.games = games});
  return learner->knowledge();
}

std::shared_ptr<const ValueFunction> values_of(const Machine& machine, const Knowledge& knowledge) {
  return Learner::resume(machine, knowledge, {}, nullptr).value()->snapshot();
}

class Comparison {
 public:
  Comparison(Machine machine, const Settings& settings)
      : machine_(std::move(machine)), settings_(settings), context_(machine_->make_context()) {}

  /// Mean and 95 % interval of the first one's share.
  std::string of(const Knowledge& one, const Knowledge& other) {
    test::GreedyPlayer first(values_of(machine_, one)), second(values_of(machine_, other));
    gdl::Rng rng(settings_.at("seed"));
    const Deadline never;
    Score score;
    while (2 * score.pairs < settings_.at("matches")) {
      const auto start = open(rng);
      if (!start) continue;
      SelfMatch match(*start, never, nullptr, rng());
      if (const auto share = match.play_pair(first, second)) score.add(*share);
    }
    const double spread = score.squares / score.pairs - score.mean() * score.mean();
    char text[40];
    std::snprintf(text, sizeof text, "%.1f +- %.1f", 100 * score.mean(),
                  196 * std::sqrt(std::max(0.0, spread) / score.pairs));
    return text;
  }

 private:
  /// The position after random moves; nullopt if the game was over before.
  std::optional<Position> open(gdl::Rng& rng) {
    Position position;
    position.machine = machine_;
    (void)machine_->initial(*context_, position.state);
    for (std::uint64_t ply = 0; ply < settings_.at("opening"); ++ply) {
      std::vector<gdl::MoveId> joint, moves;
      for (gdl::RoleIndex r = 0; r < machine_->role_count(); ++r) {
        (void)machine_->legal(*context_, position.state, r, moves);
        joint.push_back(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
      }
      gdl::State next;
      (void)machine_->next(*context_, position.state, joint, next);
      position.state = next;
      bool over = false;
      (void)machine_->terminal(*context_, position.state, over);
      if (over) return std::nullopt;
    }
    return position;
  }

  Machine machine_;
  const Settings& settings_;
  std::unique_ptr<gdl::Machine::Context> context_;
};

Machine machine_of(const std::string& path) {
  std::ifstream file(path);
  const std::string sheet{std::istreambuf_iterator<char>(file), {}};
  const auto rules = gdl::read_rules(sheet).normalised.rules;
  return gdl::make_machine("auto", std::make_shared<gdl::Vocabulary>(rules)).value();
}

/// What is known after all rounds. The seeds count up from `seed`.
Knowledge learned_in_parts(const Machine& machine, Knowledge base, std::uint64_t seed,
                           const Settings& settings) {
  for (std::uint64_t round = 0; round < settings.at("rounds"); ++round) {
    KnowledgeJoin join(base);
    for (std::uint64_t part = 0; part < settings.at("parts"); ++part) {
      const auto problem = join.add(learned_from(machine, base, ++seed, settings.at("games")));
      if (problem) std::printf("a part is left out: %s\n", problem->c_str());
    }
    base = join.joined();
  }
  return base;
}

void run(const std::string& path, const Settings& settings) {
  const Machine machine = machine_of(path);
  const Knowledge base = Learner::make(machine, {}, nullptr, Deadline()).value()->knowledge();
  const std::uint64_t seed = 1'000 * settings.at("seed");
  const std::uint64_t alone = settings.at("rounds") * settings.at("games");
  const Knowledge joined = learned_in_parts(machine, base, seed + 2, settings);
  const Knowledge one = learned_from(machine, base, seed, alone);
  const Knowledge all = learned_from(machine, base, seed + 1, alone * settings.at("parts"));
  Comparison compare(machine, settings);
  std::printf("%-22s parts : games of one %s; parts : games of all %s; one : all %s\n",
              path.substr(path.rfind('/') + 1).c_str(), compare.of(joined, one).c_str(),
              compare.of(joined, all).c_str(), compare.of(one, all).c_str());
  std::fflush(stdout);
}

int run_all(int count, char** arguments) {
  std::vector<std::string> games;
  Settings settings{{"parts", 4}, {"rounds", 3},    {"games", 20'000},
                    {"seed", 1},  {"matches", 400}, {"opening", 4}};
  const auto set = [](std::uint64_t& value, const std::string& text) { value = std::stoull(text); };
  if (!read_arguments(count, arguments, games, settings, set)) return 2;
  for (const std::string& game : games) run(game, settings);
  return 0;
}

}  // namespace
}  // namespace ludens::search

int main(int count, char** arguments) {
  return ludens::search::run_all(count, arguments);
}
