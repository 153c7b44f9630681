// SPDX-License-Identifier: MIT
#include "server/match/judge.h"

#include "gdl/text/syntax.h"
#include "server/records/match_record.h"

namespace ludens::server {

namespace {

constexpr std::size_t kMaxAnswerKept = 200;

/// The text on one line of bounded length, for records and people.
std::string shortened(const std::string& text) {
  std::string line = text.substr(0, kMaxAnswerKept);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  if (text.size() > kMaxAnswerKept) line += "...";
  return storable(line);
}

/// The single term of the text, as printed; nullopt if the text is anything else.
std::optional<std::string> single_term(const std::string& text) {
  const gdl::ParsedText parsed = gdl::parse(text);
  if (!parsed.errors.empty() || parsed.tree.size() == 0) return std::nullopt;
  if (parsed.tree.end(0) != parsed.tree.size()) return std::nullopt;
  return parsed.tree.print(0);
}

gdl::MoveId pick(std::span<const gdl::MoveId> legal, gdl::Rng& rng) {
  return legal[rng.below(static_cast<std::uint32_t>(legal.size()))];
}

}  // namespace

Judge::Judge(const Position& position, ReplacementPolicy policy, std::uint64_t seed)
    : position_(position), policy_(policy), replacements_(seed), chance_(~seed) {}

/// The verdict on a term of the host's rules: which of the legal moves it is.
Verdict Judge::verdict_on_term(gdl::RoleIndex role, const std::vector<std::uint32_t>& term) {
  const gdl::Vocabulary& names = position_.vocabulary();
  for (const gdl::MoveId move : position_.legal(role)) {
    if (names.move_term(move) == term) return {move, "", ""};
  }
  const std::string move = gdl::print(names.rules(), term);
  return {replacement(role), "IL " + shortened(move), shortened(move)};
}

Verdict Judge::verdict(gdl::RoleIndex role, const Answer& answer, const ToldGame& game) {
  if (answer.kind == Answer::Kind::Move) return verdict_on_term(role, game.hear(answer.move));
  if (answer.kind != Answer::Kind::Text) {
    return {replacement(role), start_error(answer), shortened(answer.problem)};
  }
  const auto term = single_term(answer.text);
  if (!term) return {replacement(role), "IN", shortened(answer.text)};
  const Scrambler& scrambler = game.scrambler();
  const std::string move = scrambler.unscramble(*term);
  // In a scrambled match the plain names are not legal: no player should know them.
  const bool as_sent = gdl::fold_case(scrambler.scramble(move)) == gdl::fold_case(*term);
  const auto legal = position_.find_legal(role, move);
  if (legal && as_sent) return {*legal, "", ""};
  return {replacement(role), "IL " + shortened(move), shortened(answer.text)};
}

Verdict Judge::chance(gdl::RoleIndex role) {
  return {pick(position_.legal(role), chance_), "", ""};
}

std::string Judge::start_error(const Answer& answer) {
  if (answer.kind == Answer::Kind::TimedOut) return "TO";
  if (answer.kind == Answer::Kind::ConnectionFailed) return "CE";
  return {};
}

std::string Judge::complaint_of_start(const Answer& answer) {
  if (answer.kind != Answer::Kind::Text) return "no answer to START: " + shortened(answer.problem);
  const auto term = single_term(answer.text);
  if (term && gdl::fold_case(*term) == "ready") return {};
  return "answered START with '" + shortened(answer.text) + "'";
}

gdl::MoveId Judge::replacement(gdl::RoleIndex role) {
  const auto legal = position_.legal(role);
  return policy_ == ReplacementPolicy::First ? legal.front() : pick(legal, replacements_);
}

}  // namespace ludens::server
