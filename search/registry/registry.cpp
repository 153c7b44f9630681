// SPDX-License-Identifier: MIT
#include "search/registry/registry.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "gdl/text/nearest_name.h"
#include "search/auto/auto.h"
#include "search/hidden/cfr.h"
#include "search/hidden/ismcts.h"
#include "search/hidden/mccfr.h"
#include "search/hidden/pimc.h"
#include "search/induction/nash.h"
#include "search/induction/retrograde.h"
#include "search/mcts/mcts.h"
#include "search/minimax/minimax.h"
#include "search/puzzle/puzzle.h"
#include "search/simple/simple.h"
#include "search/value/value.h"

namespace ludens::search {

namespace {

constexpr std::string_view kIgnoredByTrees = "threads";

/// Every strategy, one line each: name, summary, its own options, factory, common options that it
/// ignores.
constexpr StrategyInfo kStrategies[] = {
    {"legal",
     "the first legal move",
     {},
     make_legal,
     "threads playouts depth threshold ties knowledge"},  // hosts give each player a seed
    {"random",
     "a random legal move, seeded",
     {},
     make_random,
     "threads playouts depth threshold ties knowledge"},
    {"exhaustive", "one player: the whole game, again at each move", kExhaustiveOptions,
     make_exhaustive, "threads playouts knowledge"},
    {"puzzle", "one player: looks for the best play by many searches, and follows it",
     kPuzzleOptions, make_puzzle, "threads knowledge"},
    {"minimax", "the others do their worst; the whole tree", kMinimaxOptions, make_minimax,
     kIgnoredByTrees},
    {"bounded", "minimax that stops at 100 (threshold) and 0", kMinimaxOptions, make_bounded,
     kIgnoredByTrees},
    {"paranoid", "all others play together against one, with alpha-beta", kMinimaxOptions,
     make_paranoid, kIgnoredByTrees},
    {"expectimax", "the role random counts with its mean, the others do their worst",
     kMinimaxOptions, make_expectimax, kIgnoredByTrees},
    {"maxn", "every role maximises its own goal (max^n)", kMaxnOptions, make_maxn, kIgnoredByTrees},
    {"alphabeta", "minimax by alpha-beta: deepening, table, ordering, evaluation",
     kAlphaBetaOptions, make_alphabeta, kIgnoredByTrees},
    {"retrograde", "a small game from its ends: all states and what can be forced in each",
     kRetrogradeOptions, make_retrograde, "threads playouts depth threshold knowledge"},
    {"nash", "simultaneous moves: the equilibrium of a small game, by backward induction",
     kNashOptions, make_nash, "threads playouts depth threshold ties knowledge"},
    {"mcts", "Monte Carlo tree search (UCT), for any game", kMctsOptions, make_mcts},
    {"value", "best-first search on a value of states that it learns by playing itself",
     kValueOptions, make_value},
    {"pimc", "hidden information: mcts in histories that fit, as if each were known", kPimcOptions,
     make_pimc},
    {"ismcts", "hidden information: information set Monte Carlo tree search", kIsmctsOptions,
     make_ismcts},
    {"cfr", "hidden information: the equilibrium of a small game, by CFR+", kCfrOptions, make_cfr},
    {"mccfr", "hidden information: a mixed strategy by sampled regrets", kMccfrOptions, make_mccfr},
    {"auto", "analyses the game and chooses the search that suits it", kAutoOptions,
     [](const Options& options, const Resources& resources) {
       return make_auto(options, resources, make_known_strategy);
     }},
};

const StrategyInfo* find_strategy(std::string_view name) {
  if (name == "compulsive") name = "exhaustive";
  const auto found = std::ranges::find(strategies(), name, &StrategyInfo::name);
  return found == strategies().end() ? nullptr : &*found;
}

gdl::Error unknown_strategy(std::string_view name) {
  std::vector<std::string_view> names;
  for (const StrategyInfo& strategy : strategies()) names.push_back(strategy.name);
  return {"there is no strategy '" + std::string(name) + "'" + gdl::did_you_mean(name, names)};
}

bool ignores(const StrategyInfo& strategy, std::string_view key) {
  std::string_view left = strategy.ignored;
  while (!left.empty()) {
    const std::string_view word = left.substr(0, left.find(' '));
    if (word == key) return true;
    left.remove_prefix(std::min(left.size(), word.size() + 1));
  }
  return false;
}

gdl::Error ignored_option(const StrategyInfo& strategy, std::string_view key) {
  std::string text = "strategy '" + std::string(strategy.name) + "' has no use for option '" +
                     std::string(key) + "'; it takes ";
  std::string_view separator;
  for (const OptionInfo& option : options_of(strategy)) {
    text.append(separator).append(option.key);
    separator = ", ";
  }
  return {std::move(text)};
}

/// Adds one `key=value` to the spec; returns a sentence if it is malformed.
std::optional<std::string> add_option(std::string_view text, StrategySpec& spec) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return "'" + std::string(text) + "' in the options of '" + spec.name + "' is not KEY=VALUE";
  }
  const auto [at, fresh] = spec.options.emplace(text.substr(0, equals), text.substr(equals + 1));
  if (!fresh) return "option '" + at->first + "' is given twice";
  return std::nullopt;
}

}  // namespace

std::span<const StrategyInfo> strategies() {
  return kStrategies;
}

std::vector<OptionInfo> options_of(const StrategyInfo& strategy) {
  std::vector<OptionInfo> options(strategy.options.begin(), strategy.options.end());
  for (const OptionInfo& option : common_options()) {
    if (!ignores(strategy, option.key)) options.push_back(option);
  }
  return options;
}

gdl::Result<StrategySpec> parse_strategy(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const StrategyInfo* strategy = find_strategy(name);
  if (strategy == nullptr) return unknown_strategy(name);
  StrategySpec spec{std::string(strategy->name), {}};
  std::string_view rest = colon == std::string_view::npos ? std::string_view{} : text.substr(colon);
  while (!rest.empty()) {
    rest.remove_prefix(1);  // ':' or ','
    const std::string_view option = rest.substr(0, rest.find(','));
    if (auto problem = add_option(option, spec)) return gdl::Error{std::move(*problem)};
    rest.remove_prefix(option.size());
  }
  const auto options = Options::read(spec.name, strategy->options, spec.options);
  if (!options) return options.error();
  for (const auto& [key, value] : spec.options) {
    if (ignores(*strategy, key)) return ignored_option(*strategy, key);
  }
  return spec;
}

std::string to_string(const StrategySpec& spec) {
  std::string text = spec.name;
  char separator = ':';
  for (const auto& [key, value] : spec.options) {
    text.append(1, separator).append(key).append(1, '=').append(value);
    separator = ',';
  }
  return text;
}

gdl::Result<std::unique_ptr<Strategy>> make_strategy(const StrategySpec& spec,
                                                     const Resources& resources) {
  const StrategyInfo* strategy = find_strategy(spec.name);
  if (strategy == nullptr) return unknown_strategy(spec.name);
  const auto options = Options::read(spec.name, strategy->options, spec.options);
  if (!options) return options.error();
  return strategy->make(*options, resources);
}

std::unique_ptr<Strategy> make_known_strategy(std::string_view name, const OptionTexts& options,
                                              const Resources& resources) {
  auto made = make_strategy({std::string(name), options}, resources);
  if (!made) throw std::logic_error(made.error().text);
  return *std::move(made);
}

bool limited_by_counts(const StrategySpec& spec) {
  constexpr std::string_view kCounts[] = {"playouts", "nodes", "depth", "games"};
  return std::ranges::any_of(kCounts, [&](std::string_view count) {
    const auto found = spec.options.find(count);
    return found != spec.options.end() && found->second != "0";
  });
}

bool limits_work(const StrategySpec& spec) {
  if (limited_by_counts(spec)) return true;
  const StrategyInfo* strategy = find_strategy(spec.name);
  if (strategy == nullptr) return false;
  const auto options = Options::read(spec.name, strategy->options, spec.options);
  return options && options->has("rate") && options->number("rate") > 0;
}

std::optional<std::chrono::nanoseconds> thinking_cap(const StrategySpec& spec) {
  const auto options = Options::read(
      spec.name, {},
      {{"seconds", spec.options.contains("seconds") ? spec.options.at("seconds") : "0"}});
  const double seconds = options ? options->number("seconds") : 0;
  if (seconds <= 0 || seconds > 1e9) return std::nullopt;
  return std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
}

}  // namespace ludens::search
