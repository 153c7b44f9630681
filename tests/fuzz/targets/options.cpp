#include <variant>

#include "search/strategy/registry.h"
#include "server/cli/configuration.h"
#include "server/match/player_spec.h"
#include "tests/fuzz/targets/targets.h"

namespace ludens::fuzz {

void configuration(std::string_view input) {
  const auto read = server::parse_configuration(std::string(input));
  if (const auto* error = std::get_if<server::ConfigurationError>(&read)) {
    require(error->line >= 1 && error->column >= 1, "lines and columns count from 1");
    return require_sentence(error->text);
  }
  for (const server::Setting& setting : std::get<std::vector<server::Setting>>(read)) {
    require(setting.line >= 1 && setting.column >= 1, "lines and columns count from 1");
    require(!setting.command.empty() && !setting.option.empty(), "settings have names");
  }
}

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
