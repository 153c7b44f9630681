// SPDX-License-Identifier: MIT
// The text of the GGP protocol's messages: read into values for the agent, and written for players.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/message/message.h"
#include "gdl/text/error.h"
#include "gdl/text/syntax.h"

namespace ludens::server {

/// Reads the body of one request: keywords in any case, PING or an empty body means INFO, further
/// arguments of START are ignored. A PLAY or STOP with a turn is recognised by its four arguments.
/// See server/PROTOCOL.md, "Messages". The error is a sentence, with the place if that is known.
/// `keep` lives as long as anything made from the text.
gdl::Result<agent::Message> read_message(std::string text, const gdl::ParseLimits& limits = {},
                                         std::shared_ptr<void> keep = nullptr);

/// What hosts write, one space between tokens. `description` is `( rule rule ... )`; moves are in
/// role order, empty for 'no moves', which is written NIL.
std::string info_text();
std::string preview_text(std::string_view description, int clock_seconds);
std::string start_text(std::string_view match_id, std::string_view role,
                       std::string_view description, int start_clock_seconds,
                       int play_clock_seconds);
std::string play_text(std::string_view match_id, std::span<const std::string> moves);
std::string stop_text(std::string_view match_id, std::span<const std::string> moves);

/// How a host sends what a player perceives, if information is hidden (`sees`).
enum class PerceptForm : std::uint8_t {
  InPlaceOfMoves,  // ( PLAY id ( percept .. ) ), like Dresden of 2011
  WithOwnMove,     // ( PLAY id turn own-move ( percept .. ) ), like Dresden of 2013
};

/// What one player gets about the last turn. An empty list of percepts is written ( ); before the
/// first joint move everything is NIL.
struct OwnView {
  std::size_t turn = 0;  // joint moves made
  std::string move;      // the player's own last move; empty before the first
  std::vector<std::string> percepts;
};
std::string play_text(std::string_view match_id, const OwnView& view, PerceptForm form);
std::string stop_text(std::string_view match_id, const OwnView& view, PerceptForm form);
std::string abort_text(std::string_view match_id);

/// What a player says to INFO, `( ( name NAME ) ( status STATUS ) )`; empty: it does not say it.
struct InfoReply {
  std::string name;
  std::string status;  // in lower case
};
InfoReply read_info_reply(std::string_view text);

}  // namespace ludens::server
