// SPDX-License-Identifier: MIT
// Asks all players of a match at once.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "gdl/rules/rules.h"
#include "server/match/match_player.h"

namespace boost::asio {
class io_context;
}

namespace ludens::server {

/// By role; empty if no player was asked, or if the wait was aborted.
using Answers = std::vector<std::optional<Answer>>;

/// Makes one request to a player; must pass on `done`.
using Request = std::function<void(MatchPlayer&, gdl::RoleIndex, MatchPlayer::Done done)>;

/// Makes the request to every existing player, and runs the context until all have answered or a
/// stop is requested.
Answers ask_all(const std::vector<std::unique_ptr<MatchPlayer>>& players, const Request& request,
                boost::asio::io_context& context, const std::stop_token& stop);

}  // namespace ludens::server
