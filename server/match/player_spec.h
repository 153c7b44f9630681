// SPDX-License-Identifier: MIT
// PLAYER on the command line: a strategy of this program, the URL of a remote player, or a page.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "gdl/text/error.h"
#include "search/strategy/factory.h"
#include "server/http/client.h"
#include "server/match/builtin_player.h"
#include "server/match/dialect.h"
#include "server/match/match_player.h"

namespace ludens::server {

/// `page:FILE.html`.
struct PageFile {
  std::filesystem::path file;
};

using PlayerSpec = std::variant<search::StrategySpec, Address, PageFile>;

/// The spec, or a sentence that says what is wrong with the text. A relative path of a page or of
/// the knowledge of a strategy is relative to `folder`; empty: the working folder.
gdl::Result<PlayerSpec> parse_player(std::string_view text,
                                     const std::filesystem::path& folder = {});

/// `options.strategy` is taken from the spec. The context must outlive the player.
std::unique_ptr<MatchPlayer> make_player(const PlayerSpec& spec, BuiltinOptions options,
                                         const HostDialect& dialect,
                                         boost::asio::io_context& context);

}  // namespace ludens::server
