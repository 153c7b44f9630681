// SPDX-License-Identifier: MIT
#include "server/records/dresden_xml.h"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "gdl/text/syntax.h"
#include "server/records/xml_fields.h"

namespace ludens::server {

namespace {

std::string upper_case(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

/// `(mark 1 1)` of `( mark 1 1 )`: no blanks within parentheses beside them.
std::string compact(const std::string& term) {
  std::string text;
  for (std::size_t i = 0; i < term.size(); ++i) {
    const std::size_t next = term.find_first_not_of(' ', i);
    const bool inner =
        term[i] == ' ' && (text.ends_with('(') || (next != std::string::npos && term[next] == ')'));
    if (!inner) text += term[i];
  }
  return text;
}

void add(pugi::xml_node parent, const char* name, const std::string& text) {
  parent.append_child(name).text().set(storable(text).c_str());
}

/// `<fact><prop-f>CELL</prop-f><arg>1</arg>...</fact>`; an argument that is a compound has the same
/// form.
void fill_fact(pugi::xml_node fact, const gdl::SyntaxTree& tree, gdl::NodeIndex node) {
  if (tree.is_atom(node)) {
    add(fact, "prop-f", upper_case(std::string(tree.atom(node))));
    return;
  }
  std::vector<std::pair<pugi::xml_node, gdl::NodeIndex>> open{{fact, node}};
  while (!open.empty()) {
    auto [element, term] = open.back();
    open.pop_back();
    if (tree.is_atom(term)) {
      element.text().set(storable(upper_case(std::string(tree.atom(term)))).c_str());
      continue;
    }
    for (const gdl::NodeIndex part : tree.children(term)) {
      if (part == term + 1) {
        add(element, "prop-f", upper_case(tree.print(part)));
      } else {
        open.emplace_back(element.append_child("arg"), part);
      }
    }
  }
}

void add_state(pugi::xml_node match, const std::string& state) {
  pugi::xml_node element = match.append_child("state");
  const gdl::ParsedText parsed = gdl::parse(state);
  for (const gdl::NodeIndex list : parsed.tree.forms()) {
    for (const gdl::NodeIndex fluent : parsed.tree.children(list)) {
      fill_fact(element.append_child("fact"), parsed.tree, fluent);
    }
  }
}

/// Adds what each role perceived in the step; this is not part of the Dresden format.
void add_percepts(pugi::xml_node element, const MatchRecord& record, std::size_t step) {
  for (std::size_t role = 0; role < record.percepts[step].size(); ++role) {
    pugi::xml_node sees = element.append_child("sees");
    if (role < record.roles.size()) {
      sees.append_attribute("role").set_value(storable(record.roles[role]).c_str());
    }
    for (const std::string& percept : record.percepts[step][role]) {
      add(sees, "percept", upper_case(compact(percept)));
    }
  }
}

void add_history(pugi::xml_node match, const MatchRecord& record, std::size_t steps) {
  pugi::xml_node history = match.append_child("history");
  for (std::size_t i = 0; i < steps; ++i) {
    pugi::xml_node step = history.append_child("step");
    step.append_child("step-number").text().set(static_cast<unsigned long long>(i) + 1);
    for (const std::string& move : record.moves[i]) add(step, "move", upper_case(compact(move)));
    if (i < record.percepts.size()) add_percepts(step, record, i);
  }
}

/// Adds what went wrong, row by row as in the JSON; this is not part of the Dresden format.
void add_errors(pugi::xml_node match, const MatchRecord& record, std::size_t rows) {
  pugi::xml_node errors;
  for (std::size_t row = 0; row < rows && row < record.errors.size(); ++row) {
    for (std::size_t role = 0; role < record.errors[row].size(); ++role) {
      if (record.errors[row][role].empty()) continue;
      if (!errors) errors = match.append_child("errors");
      pugi::xml_node error = errors.append_child("error");
      error.append_attribute("step").set_value(static_cast<unsigned long long>(row));
      if (role < record.roles.size()) {
        error.append_attribute("role").set_value(storable(record.roles[role]).c_str());
      }
      error.text().set(storable(record.errors[row][role]).c_str());
    }
  }
}

void fill_match(pugi::xml_node match, const MatchRecord& record, std::size_t state) {
  add(match, "match-id", record.match_id);
  for (const std::string& role : record.roles) add(match, "role", role);
  for (const std::string& player : record.players) add(match, "player", player);
  if (state < record.state_times_ms.size()) {
    const long long time = record.state_times_ms[state];
    match.append_child("timestamp").text().set(time);
  }
  match.append_child("startclock").text().set(record.start_clock);
  match.append_child("playclock").text().set(record.play_clock);
  add_history(match, record, state);
  const bool last = state + 1 == record.states.size();
  if (record.completed && last) {
    pugi::xml_node scores = match.append_child("scores");
    for (const int goal : record.goals) scores.append_child("reward").text().set(goal);
  }
  add_errors(match, record, state + 1);
  if (record.aborted && last) add(match, "aborted", record.end_reason);
  add_state(match, record.states[state]);
}

/// Writes Latin-1, as the format requires, unless it does not contain some character.
std::string serialize(pugi::xml_document& document, pugi::xml_attribute encoding) {
  std::ostringstream utf8;
  document.save(utf8, "  ", pugi::format_default, pugi::encoding_utf8);
  const std::string text = utf8.str();
  const bool beyond = std::any_of(text.begin(), text.end(),
                                  [](char c) { return static_cast<unsigned char>(c) >= 0xc4; });
  encoding.set_value(beyond ? "UTF-8" : "ISO-8859-1");
  std::ostringstream out;
  document.save(out, "  ", pugi::format_default,
                beyond ? pugi::encoding_utf8 : pugi::encoding_latin1);
  return out.str();
}

// Reading.

/// `( mark 1 1 )` of `mark(1,1)`, as the host of 2007 wrote moves. Text that is already in prefix
/// form, or in neither form, is not changed.
std::string prefix_form(const std::string& move) {
  const auto open = move.find('(');
  if (open == 0 || open == std::string::npos || move.find_first_of(" \t)") < open) return move;
  std::string out;
  std::size_t name = 0;  // where the last name begins in `out`
  for (const char c : move) {
    if (c == '(') {
      out.insert(name, "( ");
      out += ' ';
    } else if (c == ')') {
      out += out.back() == ' ' ? ")" : " )";
    } else {
      out += c == ',' ? ' ' : c;
    }
    if (c == '(' || c == ',') name = out.size();
  }
  return out;
}

void read_percepts(pugi::xml_node step, MatchRecord& record) {
  if (!step.child("sees")) return;
  auto& lists = record.percepts.emplace_back(record.roles.size());
  for (const pugi::xml_node sees : step.children("sees")) {
    const std::string name = xml_text(sees.attribute("role").value());
    const auto role = std::find(record.roles.begin(), record.roles.end(), name);
    if (role == record.roles.end()) {
      throw std::invalid_argument("<sees> of '" + name + "', which is no <role>");
    }
    lists[static_cast<std::size_t>(role - record.roles.begin())] = child_texts(sees, "percept");
  }
}

void read_errors(pugi::xml_node match, MatchRecord& record) {
  if (!record.roles.empty()) {
    record.errors.assign(record.states.size(), std::vector<std::string>(record.roles.size()));
  }
  for (const pugi::xml_node error : match.child("errors").children("error")) {
    const auto row = xml_number<std::size_t>("error step", error.attribute("step").value());
    const std::string name = xml_text(error.attribute("role").value());
    const auto role = std::find(record.roles.begin(), record.roles.end(), name);
    if (row >= record.states.size()) {
      throw std::invalid_argument("<error> of step " + std::to_string(row) + ", and there are " +
                                  std::to_string(record.moves.size()) + " steps");
    }
    if (role == record.roles.end()) {
      throw std::invalid_argument("<error> of '" + name + "', which is no <role>");
    }
    record.errors[row][static_cast<std::size_t>(role - record.roles.begin())] = error.text().get();
  }
}

}  // namespace

std::string to_dresden_xml(const MatchRecord& record, std::size_t state) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version").set_value("1.0");
  pugi::xml_attribute encoding = declaration.append_attribute("encoding");
  encoding.set_value("UTF-8");
  const std::string game = safe_file_name(record.game);
  pugi::xml_node sheet = document.append_child(pugi::node_pi);
  sheet.set_name("xml-stylesheet");
  sheet.set_value(
      ("type=\"text/xsl\" href=\"../stylesheets/" + game + "/" + game + ".xsl\"").c_str());
  fill_match(document.append_child("match"), record, state);
  return serialize(document, encoding);
}

MatchRecord read_dresden_xml(pugi::xml_node match) {
  if (!match.child("match-id") || !match.child("state")) {
    throw std::invalid_argument("no <match> with a <match-id> and a <state>");
  }
  MatchRecord record;
  record.match_id = match.child_value("match-id");
  record.roles = child_texts(match, "role");
  record.players = child_texts(match, "player");
  record.start_clock = child_number(match, "startclock", 0.0);
  record.play_clock = child_number(match, "playclock", 0.0);
  for (const pugi::xml_node step : match.child("history").children("step")) {
    auto& moves = record.moves.emplace_back(child_texts(step, "move"));
    std::ranges::transform(moves, moves.begin(), prefix_form);
    read_percepts(step, record);
  }
  if (!record.percepts.empty() && record.percepts.size() != record.moves.size()) {
    throw std::invalid_argument("<sees> is in some steps, but not in others");
  }
  record.states.assign(record.moves.size() + 1, "");
  record.state_times_ms.assign(record.states.size(), 0);
  record.state_times_ms.back() = child_number<std::int64_t>(match, "timestamp", 0);
  record.states.back() = xml_state(match.child("state"), "prop-f", "arg");
  read_rewards(match.child("scores"), record);
  if (const pugi::xml_node aborted = match.child("aborted")) {
    record.aborted = true;
    record.end_reason = aborted.text().get();
  }
  read_errors(match, record);
  return record;
}

}  // namespace ludens::server
