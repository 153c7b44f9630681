// SPDX-License-Identifier: MIT
// A player that is a page: an HTML file as people upload it to Gamemaster.
#pragma once

#include <filesystem>
#include <memory>

#include "server/match/match_player.h"

namespace boost::asio {
class io_context;
}

namespace ludens::server {

/// Opens the file in a headless Chromium of its own, beside a manager's page that follows
/// Gamemaster's protocol, when the first match starts. For games in turn that HRF can say. A page
/// that throws while it is asked has failed (CE), one that says nothing in time is late (TO), and
/// what else it says is judged as of any player; where it hung, or wrote what nobody asked for, the
/// answer says so. The context must outlive the player.
std::unique_ptr<MatchPlayer> make_page_player(std::filesystem::path file,
                                              boost::asio::io_context& context);

}  // namespace ludens::server
