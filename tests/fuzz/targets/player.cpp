// SPDX-License-Identifier: MIT
#include <variant>

#include "search/registry/registry.h"
#include "server/match/player_spec.h"
#include "tests/fuzz/targets/targets.h"

namespace ludens::fuzz {

void player(std::string_view input) {
  const auto read = server::parse_player(input);
  if (const auto* bad = std::get_if<server::BadPlayer>(&read)) return require_sentence(bad->why);
  const auto& spec = std::get<server::PlayerSpec>(read);
  if (const auto* address = std::get_if<server::Address>(&spec)) {
    const auto again = server::parse_address(address->text());
    const auto* same = std::get_if<server::Address>(&again);
    require(same != nullptr && same->text() == address->text(),
            "an address is written readably: " + address->text());
    return;
  }
  const std::string text = to_string(std::get<search::StrategySpec>(spec));
  const auto again = search::parse_strategy(text);
  const auto* same = std::get_if<search::StrategySpec>(&again);
  require(same != nullptr && to_string(*same) == text, "a strategy is written readably: " + text);
}

}  // namespace ludens::fuzz
