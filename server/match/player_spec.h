// SPDX-License-Identifier: MIT
// PLAYER on the command line: a strategy of this program, the URL of a remote player, a page, or a
// person.
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

/// A program that a tournament starts on this machine (`PlannedPlayer::command`).
struct Command {};

/// `human`: a person in front of a browser.
struct Human {};

using PlayerSpec = std::variant<search::StrategySpec, Address, PageFile, Command, Human>;

inline bool is_human(const PlayerSpec& spec) {
  return std::holds_alternative<Human>(spec);
}

/// The spec, or a sentence that says what is wrong with the text. A relative path of a page or of
/// the knowledge of a strategy is relative to `folder`; empty: the working folder.
gdl::Result<PlayerSpec> parse_player(std::string_view text,
                                     const std::filesystem::path& folder = {});

/// `options.strategy` is taken from the spec. The context must outlive the player. Throws
/// std::bad_variant_access for a command, which has no address before it is started, and for a
/// person, who needs a page.
std::unique_ptr<MatchPlayer> make_player(const PlayerSpec& spec, BuiltinOptions options,
                                         const HostDialect& dialect,
                                         boost::asio::io_context& context);

}  // namespace ludens::server
