// SPDX-License-Identifier: MIT
#include "server/match/player_spec.h"

#include <system_error>

#include "server/match/page_player.h"
#include "server/match/remote_player.h"

namespace ludens::server {

gdl::Result<PlayerSpec> parse_player(std::string_view text, const std::filesystem::path& folder) {
  if (text.starts_with("http:") || text.starts_with("https:")) {
    auto address = parse_address(text);
    if (!address) return address.error();
    return PlayerSpec(*std::move(address));
  }
  if (text.starts_with("page:")) {
    PageFile page{folder / text.substr(std::string_view("page:").size())};
    std::error_code error;
    if (std::filesystem::is_regular_file(page.file, error)) return PlayerSpec(std::move(page));
    return gdl::Error{"there is no file '" + page.file.string() + "'; a page is page:FILE.html"};
  }
  if (text == "human") return gdl::Error{"people can take a role in `match` only"};
  auto strategy = search::parse_strategy(text);
  if (!strategy) return strategy.error();
  return PlayerSpec(*std::move(strategy));
}

std::unique_ptr<MatchPlayer> make_player(const PlayerSpec& spec, BuiltinOptions options,
                                         const HostDialect& dialect,
                                         boost::asio::io_context& context) {
  if (const auto* address = std::get_if<Address>(&spec)) {
    return make_remote_player(*address, dialect, context);
  }
  if (const auto* page = std::get_if<PageFile>(&spec)) {
    return make_page_player(page->file, context);
  }
  options.strategy = std::get<search::StrategySpec>(spec);
  return make_builtin_player(options, context);
}

}  // namespace ludens::server
