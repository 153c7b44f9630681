// SPDX-License-Identifier: MIT
// A player at a URL.
#pragma once

#include <memory>

#include "server/http/client.h"
#include "server/match/dialect.h"
#include "server/match/match_player.h"

namespace ludens::server {

/// Sends every request as one HTTP POST, with one deadline for all of it. A player that has replied
/// before may be started again in mid-match: if it can't be reached, or hangs up without a byte, a
/// request is sent again until its deadline. Replies are not judged here. A name is looked
/// up once, and again when a connection has failed. The context must outlive the player; `dialect`
/// is one of the constants.
std::unique_ptr<MatchPlayer> make_remote_player(Address address, const HostDialect& dialect,
                                                boost::asio::io_context& context,
                                                LookUp look_up = system_look_up);

}  // namespace ludens::server
