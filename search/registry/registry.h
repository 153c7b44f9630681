// SPDX-License-Identifier: MIT
// Strategies by name, with their options, so that any two can play against each other.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/text/error.h"
#include "search/strategy/factory.h"
#include "search/strategy/options.h"
#include "search/strategy/strategy.h"

namespace ludens::search {

struct StrategyInfo {
  std::string_view name;
  std::string_view summary;             // one line
  std::span<const OptionInfo> options;  // its own
  std::unique_ptr<Strategy> (*make)(const Options& options, const Resources& resources);
  std::string_view ignored = {};  // the common options that do nothing here, with spaces between
};

/// All strategies, in the order in which they are listed to people.
std::span<const StrategyInfo> strategies();

/// What people may set: the strategy's own options, then the common ones but those that it ignores.
std::vector<OptionInfo> options_of(const StrategyInfo& strategy);

/// The spec, or a sentence that says what is wrong with the text: an unknown name or key (with the
/// nearest known one), a key given twice, a value that the option does not take, an option that the
/// strategy would ignore. `compulsive` is the textbook's name of `exhaustive`.
gdl::Result<StrategySpec> parse_strategy(std::string_view text);

/// `name:key=value,...`, which parses to the same spec.
std::string to_string(const StrategySpec& spec);

/// A strategy ready to think, or a sentence that says what is wrong with the name, a key or a
/// value. The caller that runs the strategy must handle `machine` and `seconds`.
gdl::Result<std::unique_ptr<Strategy>> make_strategy(const StrategySpec& spec,
                                                     const Resources& resources);

/// The same for a caller that knows that the strategy exists and takes the options; throws
/// std::logic_error otherwise.
std::unique_ptr<Strategy> make_known_strategy(std::string_view name, const OptionTexts& options,
                                              const Resources& resources);

/// Whether the spec limits the search, or what it learns from, by counts, so that its matches
/// should be the same wherever they are played.
bool limited_by_counts(const StrategySpec& spec);

/// Whether the spec limits the search by counts or by a rate. Then it should not think while the
/// others do: that would be work beyond the limit.
bool limits_work(const StrategySpec& spec);

/// The cap on thinking time that the spec's `seconds` asks for; nullopt: none.
std::optional<std::chrono::nanoseconds> thinking_cap(const StrategySpec& spec);

}  // namespace ludens::search
