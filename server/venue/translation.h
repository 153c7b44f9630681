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

/// Who leads matches, and where answers go.
inline constexpr std::string_view kManager = "manager";

/// A message of the manager to the player of that identifier. The error is a sentence: it is no
/// message, of somebody else, for another player, or of a kind that no manager sends.
gdl::Result<Envelope> read_envelope_for(std::string_view player, std::string_view text);

/// Gamemaster has no names of matches. That of a START is made of the player's name and the
/// message's, so that a match is found again after a restart.
std::string match_prefix(std::string_view player);

/// `start(ROLE,ruleset(RULE,RULE,...),STARTCLOCK,PLAYCLOCK)`, with the rules in prefix GDL. The
/// error is a sentence, of rules with the place in their text.
gdl::Result<agent::Start> read_start(const Envelope& envelope, const gdl::ParseLimits& limits = {});
/// `play(nil)`, `play(MOVE)`. Messages have names of their own, unless all of a match have the
/// same.
gdl::Result<agent::Play> read_play(const Envelope& envelope, const std::string& match);
gdl::Result<agent::Stop> read_stop(const Envelope& envelope, const std::string& match);

/// The agent's reply as Gamemaster writes it; nullopt where it is none that a manager knows:
/// `busy`, and `nil` or nothing in place of a move.
std::optional<std::string> answer_in_hrf(std::string_view reply);
/// A manager waits for an answer to START and PLAY alone.
bool asks_for_answer(const agent::Message& message);

/// Who wrote to whom, for an answer.
Envelope without_content(const Envelope& envelope);

}  // namespace ludens::server
