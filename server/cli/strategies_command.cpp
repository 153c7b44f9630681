// SPDX-License-Identifier: MIT
// `ludens strategies`: what can be given as a player, and with which options.
#include "server/cli/commands.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <cstdio>

#include "search/registry/registry.h"
#include "server/cli/exit_code.h"

namespace ludens::server {

namespace {

void print_options(std::span<const search::OptionInfo> options) {
  for (const search::OptionInfo& option : options) {
    const std::string setting = std::string(option.key) + "=" + std::string(option.standard);
    const std::string meaning(option.meaning), values(option.values);
    std::printf("    %-16s %s [%s]\n", setting.c_str(), meaning.c_str(), values.c_str());
  }
}

void print_table() {
  for (const search::StrategyInfo& strategy : search::strategies()) {
    const std::string name(strategy.name), summary(strategy.summary);
    std::printf("%-12s %s\n", name.c_str(), summary.c_str());
    print_options(strategy.options);
  }
  std::printf("\nevery strategy that has a use for them:\n");
  print_options(search::common_options());
  std::printf("\nAs a player: STRATEGY[:key=value,...], for example mcts:playouts=2000,seed=7\n");
}

void append(boost::json::array& list, std::span<const search::OptionInfo> options) {
  for (const search::OptionInfo& option : options) {
    list.push_back({{"key", option.key},
                    {"default", option.standard},
                    {"values", option.values},
                    {"meaning", option.meaning}});
  }
}

void print_json() {
  for (const search::StrategyInfo& strategy : search::strategies()) {
    boost::json::array options;
    append(options, search::options_of(strategy));
    const boost::json::object line{{"strategy", strategy.name},
                                   {"summary", strategy.summary},
                                   {"options", std::move(options)}};
    std::printf("%s\n", boost::json::serialize(line).c_str());
  }
}

}  // namespace

int strategies_command(const StrategiesOptions& options) {
  if (options.json) {
    print_json();
  } else {
    print_table();
  }
  return kGood;
}

}  // namespace ludens::server
