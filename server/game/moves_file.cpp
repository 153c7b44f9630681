// SPDX-License-Identifier: MIT
#include "server/game/moves_file.h"

#include <algorithm>
#include <iostream>
#include <sstream>

#include "gdl/text/file.h"
#include "gdl/text/syntax.h"
#include "server/game/rulesheet.h"

namespace ludens::server {

namespace {

/// The problem with a line; empty if its joint move was made, or if it has none.
std::string make_line(const std::string& line, Position& position,
                      std::vector<gdl::MoveId>& history) {
  const gdl::ParsedText parsed = gdl::parse(position.vocabulary().rules().from_user_language(line));
  if (!parsed.errors.empty()) return parsed.errors.front().text;
  const gdl::SyntaxTree& tree = parsed.tree;
  if (tree.size() == 0) return {};
  if (position.terminal()) return "the match is over before this move";
  if (tree.is_atom(0) || tree.child_count(0) != position.roles() || tree.end(0) != tree.size()) {
    return "a joint move is one move a role, as ( m1 m2 )";
  }
  std::vector<gdl::MoveId> joint;
  for (const gdl::NodeIndex node : tree.children(0)) {
    const auto role = static_cast<gdl::RoleIndex>(joint.size());
    const auto move = position.find_legal(role, tree.print(node));
    if (!move) {
      return tree.print(node) + " is not legal for " + position.machine().role_name(role);
    }
    joint.push_back(*move);
  }
  const gdl::Status status = position.advance(joint);
  if (status != gdl::Status::Ok) return std::string(explain(status));
  history.insert(history.end(), joint.begin(), joint.end());
  return {};
}

/// Reads one joint move a line; messages about problems begin with `name`.
void make_lines(std::istream& lines, const std::string& name, Position& position, MovesMade& made) {
  int number = 0;
  for (std::string line; made.problem.empty() && std::getline(lines, line);) {
    ++number;
    const std::string problem = make_line(line, position, made.history);
    if (problem.empty()) continue;
    made.problem = std::string(name).append(":" + std::to_string(number) + ": ").append(problem);
  }
}

}  // namespace

MovesMade make_moves_of_file(const std::string& file, Position& position) {
  MovesMade made;
  std::istringstream stream;
  if (file != "-") {
    auto text = gdl::read_file(file);
    if (!text) {
      made.readable = false;
      made.problem = file + ": " + text.error().message();
      return made;
    }
    stream.str(*std::move(text));
  }
  make_lines(file == "-" ? std::cin : stream, file, position, made);
  return made;
}

MovesMade make_moves_of_text(const std::string& text, Position& position) {
  MovesMade made;
  std::string lines = text;
  std::ranges::replace(lines, ';', '\n');
  std::istringstream stream(lines);
  make_lines(stream, "moves", position, made);
  return made;
}

}  // namespace ludens::server
