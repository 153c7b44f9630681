// SPDX-License-Identifier: MIT
#include "agent/journal/journal_text.h"

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "gdl/text/utf8.h"

namespace ludens::agent {
namespace {

namespace json = boost::json;

/// A match has no more roles at one address.
constexpr std::int64_t kMostCopies = 1000;

std::string line_of(json::object object, std::int64_t up_seconds) {
  object["up"] = up_seconds;
  return json::serialize(object);
}

bool read_text(const json::object& object, std::string_view key, std::string& out) {
  const json::value* value = object.if_contains(key);
  if (value == nullptr || !value->is_string()) return false;
  out.assign(value->get_string().begin(), value->get_string().end());
  return true;
}

bool read_count(const json::object& object, std::string_view key, std::int64_t& out) {
  const json::value* value = object.if_contains(key);
  if (value == nullptr || !value->is_int64() || value->get_int64() < 0) return false;
  out = value->get_int64();
  return true;
}

bool read_start(const json::object& object, JournalledMatch& match) {
  std::int64_t start = 0, play = 0;
  if (!read_text(object, "match", match.match_id) || !read_text(object, "role", match.role) ||
      !read_text(object, "rules", match.description) || !read_count(object, "start", start) ||
      !read_count(object, "play", play) || start > INT32_MAX || play > INT32_MAX) {
    return false;
  }
  read_text(object, "boot", match.boot);
  read_text(object, "peer", match.from.peer);
  read_text(object, "from", match.from.address);
  const json::value* one_mover = object.if_contains("one_mover");
  match.one_mover = one_mover != nullptr && *one_mover == json::value(true);
  match.start_clock_seconds = static_cast<int>(start);
  match.play_clock_seconds = static_cast<int>(play);
  return true;
}

/// Reads any line after the first.
bool read_later_line(const json::object& object, JournalledMatch& match) {
  std::int64_t turn = 0, copies = 0;
  std::string text;
  if (read_count(object, "copies", copies)) {
    match.copies = static_cast<unsigned>(std::clamp<std::int64_t>(copies, 1, kMostCopies));
    return true;
  }
  if (!read_count(object, "turn", turn)) return false;
  const auto index = static_cast<std::size_t>(turn);
  if (read_text(object, "moves", text) && index == match.turns.size() + 1) {
    JournalledTurn& told = match.turns.emplace_back();
    told.moves = std::move(text);
    read_text(object, "id", told.id);
    read_text(object, "own", told.own);
    std::int64_t made = 0, gap = 0;
    if (read_count(object, "made", made)) told.number = static_cast<std::size_t>(made);
    if (read_count(object, "gap", gap) && gap > 0) told.gap = gap > 1 ? Gap::Likely : Gap::Possible;
    return true;
  }
  if (!read_text(object, "reply", text) || index == 0 || index > match.turns.size()) return false;
  match.turns[index - 1].reply = std::move(text);
  return true;
}

/// Reads a line of the file, without its end. Returns what is wrong with it, if anything is.
std::optional<std::string> read_line(std::string_view line, bool first, JournalledMatch& match) {
  json::error_code error;
  json::parse_options options;
  options.allow_invalid_utf8 = true;  // atoms are bytes
  const json::value value = json::parse(line, error, {}, options);
  if (error || !value.is_object()) return "it is not a JSON object";
  const json::object& object = value.get_object();
  if (first && !read_start(object, match)) return "it is not a START";
  if (!first && !read_later_line(object, match)) return "it can't follow the lines before it";
  read_count(object, "up", match.up_seconds);
  return std::nullopt;
}

std::optional<std::string> problem_of(gdl::LineChain::Seal seal) {
  switch (seal) {
    case gdl::LineChain::Seal::Good:
      return std::nullopt;
    case gdl::LineChain::Seal::Missing:
      return "it has no checksum: it is damaged, or of an older version";
    case gdl::LineChain::Seal::Wrong:
      break;
  }
  return "its checksum is wrong: it was changed, or lines before it were";
}

}  // namespace

std::string play_line(std::size_t turn, const JournalledTurn& told, std::int64_t up_seconds) {
  json::object line{{"turn", turn}, {"moves", told.moves}};
  if (!told.id.empty()) line["id"] = told.id;
  if (told.number) line["made"] = *told.number;
  if (!told.own.empty()) line["own"] = told.own;
  if (told.gap != Gap::None) line["gap"] = static_cast<int>(told.gap);
  return line_of(std::move(line), up_seconds);
}

std::string reply_line(std::size_t turn, std::string_view reply, std::int64_t up_seconds) {
  return line_of({{"turn", turn}, {"reply", reply}}, up_seconds);
}

std::string copies_line(unsigned count, std::int64_t up_seconds) {
  return line_of({{"copies", count}}, up_seconds);
}

std::string journal_text(const JournalledMatch& match, gdl::LineChain& chain) {
  const std::int64_t up = match.up_seconds;
  json::object start{{"match", match.match_id},
                     {"role", match.role},
                     {"start", match.start_clock_seconds},
                     {"play", match.play_clock_seconds},
                     {"rules", match.description},
                     {"boot", match.boot}};
  if (match.one_mover) start["one_mover"] = true;
  if (!match.from.peer.empty()) start["peer"] = match.from.peer;
  if (!match.from.address.empty()) start["from"] = match.from.address;
  std::string text = chain.seal(line_of(std::move(start), up));
  if (match.copies > 1) text += chain.seal(copies_line(match.copies, up));
  for (std::size_t i = 0; i < match.turns.size(); ++i) {
    text += chain.seal(play_line(i + 1, match.turns[i], up));
    if (match.turns[i].reply) text += chain.seal(reply_line(i + 1, *match.turns[i].reply, up));
  }
  return text;
}

gdl::Result<JournalledMatch> parse_journal(std::string_view text) {
  JournalledMatch match;
  gdl::LineChain chain;
  std::size_t lines = 0;
  text = gdl::without_byte_order_mark(text);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    match.torn = end == std::string_view::npos;
    if (match.torn) break;
    const std::string_view line = text.substr(0, end);
    auto problem = problem_of(chain.read(line));
    if (!problem) problem = read_line(line, lines == 0, match);
    ++lines;
    if (problem) return gdl::Error{"line " + std::to_string(lines) + ": " + *problem};
    text.remove_prefix(end + 1);
  }
  if (lines == 0) return gdl::Error{"it has no whole line"};
  return match;
}

}  // namespace ludens::agent
