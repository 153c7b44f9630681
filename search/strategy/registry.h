// Strategies by name, with their options, so that any two can be matched against each other.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "search/strategy/strategy.h"

namespace ludens::search {

struct OptionInfo {
  std::string_view key;
  std::string_view standard;  // the default, as text
  std::string_view meaning;
};

struct StrategyInfo {
  std::string_view name;
  std::string_view summary;             // one line
  std::span<const OptionInfo> options;  // its own; `common_options` come with every strategy
};

/// A strategy and its options, as written: `alphabeta:depth=6,ties=first`.
struct StrategySpec {
  std::string name;
  std::map<std::string, std::string, std::less<>> options;
};

/// All strategies, in the order in which they are listed to people.
std::span<const StrategyInfo> strategies();
/// machine, threads, seed, seconds, playouts, depth, threshold, ties.
std::span<const OptionInfo> common_options();

/// The spec, or a sentence on what is wrong with the text, naming the nearest known name or key.
std::variant<StrategySpec, std::string> parse_strategy(std::string_view text);

/// A strategy ready to think, or a sentence on what is wrong with an option's value. `machine` and
/// `seconds` are the business of whoever runs the strategy.
std::variant<std::unique_ptr<Strategy>, std::string> make_strategy(const StrategySpec& spec,
                                                                   const Resources& resources);

}  // namespace ludens::search
