// SPDX-License-Identifier: MIT
// A player that is a page: an HTML file like those that people upload to Gamemaster.
#pragma once

#include <filesystem>
#include <memory>

#include "server/match/match_player.h"

namespace boost::asio {
class io_context;
}

namespace ludens::server {

/// Opens the file in a separate headless Chromium, next to a manager's page that follows
/// Gamemaster's protocol, when the first match starts. For games in turn that HRF can express. A
/// page that throws while it is asked has failed (CE), one that does not answer in time is late
/// (TO), and all other answers are judged like those of any player. If it hung, or sent unrequested
/// messages, the answer says so. The context must outlive the player.
std::unique_ptr<MatchPlayer> make_page_player(std::filesystem::path file,
                                              boost::asio::io_context& context);

}  // namespace ludens::server
