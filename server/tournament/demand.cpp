// SPDX-License-Identifier: MIT
#include "server/tournament/demand.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <numeric>

#include "gdl/interpreter/interpreter.h"
#include "gdl/machine/rng.h"
#include "search/analysis/game_analysis.h"

namespace ludens::server {

namespace {

constexpr std::uint64_t kPlayouts = 5;
constexpr std::size_t kMemory = std::size_t{1} << 28;

}  // namespace

std::size_t thinking_roles(const Rulesheet& game, std::chrono::milliseconds limit) {
  const std::size_t seats = game.rules->roles.size() - (game.rules->random ? 1 : 0);
  if (seats < 2) return 1;
  const search::Deadline deadline(std::chrono::steady_clock::now() + limit, {});
  const auto memory = std::make_shared<gdl::MemoryBudget>(kMemory);
  const gdl::Limits limits{&deadline, memory.get()};
  const auto machine =
      gdl::make_interpreter(std::make_shared<gdl::Vocabulary>(game.rules, memory), limits);
  const auto context = machine->make_context(limits);
  gdl::State state;
  if (machine->initial(*context, state) != gdl::Status::Ok) return seats;
  gdl::Rng rng(1);
  const search::AnalysisBudget budget{.playouts = kPlayouts, .states = 0};
  const auto analysis = search::analyse(*machine, *context, state, budget, deadline, rng);
  return analysis.turn_taking.holds ? 1 : seats;
}

std::size_t player_threads(const PlayerSpec& player) {
  const auto* strategy = std::get_if<search::StrategySpec>(&player);
  if (strategy == nullptr) return 0;
  const auto& options = strategy->options;
  std::size_t threads = 1;
  if (const auto found = options.find("threads"); found != options.end()) {
    std::from_chars(found->second.data(), found->second.data() + found->second.size(), threads);
  }
  return std::max<std::size_t>(1, threads);
}

std::size_t match_threads(const std::vector<std::size_t>& threads,
                          const std::vector<std::optional<std::size_t>>& players,
                          std::size_t thinking) {
  std::vector<std::size_t> most;
  for (const auto& player : players) {
    if (player) most.push_back(threads[*player]);
  }
  std::sort(most.rbegin(), most.rend());
  most.resize(std::min(most.size(), thinking));
  return std::accumulate(most.begin(), most.end(), std::size_t{0});
}

}  // namespace ludens::server
