// SPDX-License-Identifier: MIT
// Messages of Gamemaster as messages of the agent, and its replies back.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "agent/message/message.h"
#include "gdl/text/error.h"
#include "gdl/text/syntax.h"
#include "server/venue/envelope.h"

namespace ludens::server {

/// The sender that leads matches, to which answers go.
inline constexpr std::string_view kManager = "manager";

/// A message of the manager to the player of that identifier. The error is a sentence: it is not a
/// message, from someone else, for another player, or of a kind that no manager sends.
gdl::Result<Envelope> read_envelope_for(std::string_view player, std::string_view text);

/// Gamemaster has no names of matches. The name is made from the names of the player and of the
/// START message, so that a match is found again after a restart.
std::string match_prefix(std::string_view player);

/// `start(ROLE,ruleset(RULE,RULE,...),STARTCLOCK,PLAYCLOCK)`, with the rules in prefix GDL. The
/// error is a sentence, of rules with the place in their text.
gdl::Result<agent::Start> read_start(const Envelope& envelope, const gdl::ParseLimits& limits = {});
/// `play([])`, `play(MOVE)`; older pages of the venue write `nil` for `[]`. Messages have different
/// names, unless all of a match have the same.
gdl::Result<agent::Play> read_play(const Envelope& envelope, const std::string& match);
gdl::Result<agent::Stop> read_stop(const Envelope& envelope, const std::string& match);

/// The agent's reply as Gamemaster writes it; nullopt if a manager does not know it: `busy`, and
/// `nil` or nothing instead of a move.
std::optional<std::string> answer_in_hrf(std::string_view reply);
/// A manager only waits for an answer to START and PLAY.
bool asks_for_answer(const agent::Message& message);

/// The sender and receiver of a message, for an answer.
Envelope without_content(const Envelope& envelope);

}  // namespace ludens::server
