// SPDX-License-Identifier: MIT
#include "server/records/stanford_xml.h"

#include "server/records/xml_fields.h"

namespace ludens::server {

namespace {

/// Steps are counted from 1.
void check_number(pugi::xml_node element, std::size_t expected) {
  const auto number = child_number<std::size_t>(element, "stepnum", expected);
  if (number == expected) return;
  throw std::invalid_argument("<stepnum> is " + std::to_string(number) + " where " +
                              std::to_string(expected) + " belongs");
}

}  // namespace

MatchRecord read_stanford_xml(pugi::xml_node match) {
  MatchRecord record;
  record.match_id = match.attribute("id").value();
  record.game = match.child_value("game");
  record.roles = child_texts(match, "role");
  record.players = child_texts(match, "player");
  record.start_clock = child_number(match, "startclock", 0);
  record.play_clock = child_number(match, "playclock", 0);
  record.tournament = match.child_value("tournament");
  record.scrambled = match.child_value("scrambled") == std::string_view("Yes");
  for (const pugi::xml_node state : match.child("herstory").children("state")) {
    check_number(state, record.states.size() + 1);
    record.states.push_back(xml_state(state, "relation", "argument"));
  }
  for (const pugi::xml_node move : match.child("history").children("move")) {
    check_number(move, record.moves.size() + 1);
    record.moves.push_back(child_texts(move, "action"));
  }
  read_rewards(match.child("rewards"), record);
  if (record.states.size() != record.moves.size() + 1) {
    throw std::invalid_argument("<herstory> has " + std::to_string(record.states.size()) +
                                " states for " + std::to_string(record.moves.size()) +
                                " moves; it must be one more");
  }
  return record;
}

}  // namespace ludens::server
