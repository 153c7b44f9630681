// SPDX-License-Identifier: MIT
#include "server/match/player_spec.h"

#include <system_error>

#include "agent/knowledge/knowledge_files.h"
#include "gdl/text/syntax.h"
#include "search/registry/registry.h"
#include "server/match/page_player.h"
#include "server/match/remote_player.h"

namespace ludens::server {

namespace {

bool is_scheme(std::string_view word) {
  const std::string folded = gdl::fold_case(word);
  return folded == "http" || folded == "https";
}

/// Whether the text is WORD:DIGITS, like an address without its scheme, and WORD no strategy.
bool looks_like_address(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  return colon != std::string_view::npos && colon + 1 < text.size() &&
         text.find_first_not_of("0123456789", colon + 1) == std::string_view::npos &&
         !search::parse_strategy(text.substr(0, text.find(':')));
}

}  // namespace

gdl::Result<PlayerSpec> parse_player(std::string_view text, const std::filesystem::path& folder) {
  if (is_scheme(text.substr(0, text.find(':')))) {
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
  if (text == "human") return PlayerSpec(Human{});
  auto strategy = search::parse_strategy(text);
  if (!strategy && looks_like_address(text)) {
    return gdl::Error{strategy.error().text + "; an address begins with http://"};
  }
  if (!strategy) return strategy.error();
  if (const auto file = agent::named_knowledge(*strategy)) {
    strategy->options["knowledge"] = (folder / *file).string();
  }
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
