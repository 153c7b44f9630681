// SPDX-License-Identifier: MIT
#include "server/venue/translation.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <memory>
#include <utility>
#include <variant>

#include "gdl/hrf/hrf.h"
#include "gdl/text/diagnostic.h"

namespace ludens::server {
namespace {

/// Longer clocks are cut to this: no sum with a point in time overflows.
constexpr int kLongestClock = 1'000'000'000;

gdl::Result<int> read_clock(std::string_view text, std::string_view what) {
  int seconds = 0;
  const char* const end = text.data() + text.size();
  const auto [used, error] = std::from_chars(text.data(), end, seconds);
  if (error == std::errc::result_out_of_range && text[0] != '-') return kLongestClock;
  if (error != std::errc() || used != end || seconds < 0) {
    return gdl::Error{"the " + std::string(what) + " clock '" + std::string(text.substr(0, 40)) +
                      "' is not a number of seconds"};
  }
  return std::min(seconds, kLongestClock);
}

/// `ruleset(RULE,RULE,...)`: the text between the parentheses.
gdl::Result<std::string> rules_of(const std::string& ruleset) {
  const std::size_t open = ruleset.find('(');
  if (open == std::string::npos || !ruleset.ends_with(')')) {
    return gdl::Error{"the rules are not ruleset(RULE,RULE,...)"};
  }
  return {boost::system::in_place_value, ruleset.substr(open + 1, ruleset.size() - open - 2)};
}

/// The rules as the list of forms in a START.
gdl::Result<agent::Part> translated_rules(std::string text, const gdl::ParseLimits& limits) {
  const gdl::ParsedHrf parsed = gdl::parse_hrf(std::move(text), limits);
  if (!parsed.errors.empty()) {
    return gdl::Error{"the rules can't be read: " + gdl::format(parsed.errors.front(), "rules")};
  }
  std::string list = "(";
  for (const gdl::NodeIndex form : parsed.tree.forms()) (list += parsed.tree.print(form)) += '\n';
  return agent::part_of(list + ")");
}

/// The move of `play(MOVE)` or `stop(MOVE)`; absent for `nil`.
gdl::Result<agent::Part> read_move(const OuterTerm& content) {
  if (content.arguments.size() != 1) {
    return gdl::Error{"'" + content.name + "' has one argument, the last move or nil"};
  }
  const std::string& move = content.arguments[0];
  if (move == "nil" || move == "[]") return agent::Part{};
  const std::string prefix = gdl::prefix_terms(move);
  const gdl::ParsedText parsed = gdl::parse(prefix);
  agent::Part part = agent::part_of(prefix);
  if (!parsed.errors.empty() || part.tree == nullptr || part.tree->end(0) != part.tree->size()) {
    return gdl::Error{"'" + move.substr(0, 200) + "' is no move"};
  }
  return part;
}

}  // namespace

gdl::Result<Envelope> read_envelope_for(std::string_view player, std::string_view text) {
  auto envelope = read_envelope(text);
  if (!envelope) return envelope.error();
  if (envelope->sender != kManager) {
    return gdl::Error{"a message of '" + envelope->sender + "', who is not the manager"};
  }
  if (envelope->receiver != player) {
    return gdl::Error{"a message for '" + envelope->receiver + "', not for '" +
                      std::string(player) + "'"};
  }
  constexpr std::string_view kKnown[] = {"ping", "start", "play", "stop", "abort"};
  if (std::ranges::find(kKnown, envelope->content.name) == std::end(kKnown)) {
    return gdl::Error{"unknown message '" + envelope->content.name +
                      "'; known are ping, start, play, stop and abort"};
  }
  return envelope;
}

std::string match_prefix(std::string_view player) {
  return "gamemaster." + std::string(player) + ".";
}

gdl::Result<agent::Start> read_start(const Envelope& envelope, const gdl::ParseLimits& limits) {
  const auto& arguments = envelope.content.arguments;
  if (arguments.size() != 4) {
    return gdl::Error{"not start(ROLE,ruleset(RULE,...),STARTCLOCK,PLAYCLOCK)"};
  }
  agent::Start start;
  start.match_id = match_prefix(envelope.receiver) + envelope.id;
  start.role = arguments[0];
  start.one_mover = true;
  auto text = rules_of(arguments[1]);
  if (!text) return text.error();
  auto rules = translated_rules(*std::move(text), limits);
  if (!rules) return rules.error();
  start.description = *std::move(rules);
  const auto start_clock = read_clock(arguments[2], "start");
  if (!start_clock) return start_clock.error();
  const auto play_clock = read_clock(arguments[3], "play");
  if (!play_clock) return play_clock.error();
  start.start_clock_seconds = *start_clock;
  start.play_clock_seconds = *play_clock;
  return start;
}

gdl::Result<agent::Play> read_play(const Envelope& envelope, const std::string& match) {
  auto move = read_move(envelope.content);
  if (!move) return move.error();
  agent::Play play;
  play.match_id = match;
  play.moves = *std::move(move);
  if (match != match_prefix(envelope.receiver) + envelope.id) play.id = envelope.id;
  return play;
}

gdl::Result<agent::Stop> read_stop(const Envelope& envelope, const std::string& match) {
  auto move = read_move(envelope.content);
  if (!move) return move.error();
  return agent::Stop{match, *std::move(move)};
}

std::optional<std::string> answer_in_hrf(std::string_view reply) {
  if (reply.empty() || reply == "busy" || reply == "nil") return std::nullopt;
  return gdl::hrf_terms(reply);
}

bool asks_for_answer(const agent::Message& message) {
  return std::holds_alternative<agent::Start>(message) ||
         std::holds_alternative<agent::Play>(message);
}

Envelope without_content(const Envelope& envelope) {
  return {envelope.id, envelope.sender, envelope.receiver, {}};
}

}  // namespace ludens::server
