// SPDX-License-Identifier: MIT
#include <variant>

#include "search/registry/registry.h"
#include "server/match/player_spec.h"
#include "tests/fuzz/targets/targets.h"

namespace ludens::fuzz {

void player(std::string_view input) {
  const auto read = server::parse_player(input);
  if (!read) return require_sentence(read.error().text);
  const server::PlayerSpec& spec = *read;
  if (const auto* address = std::get_if<server::Address>(&spec)) {
    const auto again = server::parse_address(address->text());
    require(again && again->text() == address->text(),
            "an address is written readably: " + address->text());
    return;
  }
  if (server::is_human(spec)) return require(input == "human", "only `human` is a person");
  const std::string text = to_string(std::get<search::StrategySpec>(spec));
  const auto again = search::parse_strategy(text);
  require(again && to_string(*again) == text, "a strategy is written readably: " + text);
}

}  // namespace ludens::fuzz
