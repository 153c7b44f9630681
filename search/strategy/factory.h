// SPDX-License-Identifier: MIT
// Creates strategies by name.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "search/strategy/options.h"
#include "search/strategy/strategy.h"

namespace ludens::search {

/// A strategy and its options, as written: `alphabeta:depth=6,ties=first`.
struct StrategySpec {
  std::string name;
  OptionTexts options;
};

/// Creates strategies for a strategy that consists of others, which therefore need not know them
/// all. Throws std::logic_error if there is no such strategy or it does not take the options.
using StrategyFactory = std::unique_ptr<Strategy> (*)(std::string_view name,
                                                      const OptionTexts& options,
                                                      const Resources& resources);

}  // namespace ludens::search
