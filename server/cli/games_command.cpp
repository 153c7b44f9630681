// SPDX-License-Identifier: MIT
// `ludens games`: what comes with the program.
#include "server/cli/commands.h"

#include <algorithm>
#include <boost/json.hpp>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "gdl/text/printable.h"
#include "server/cli/exit_code.h"
#include "server/game/bundled_games.h"
#include "server/game/rulesheet.h"

namespace ludens::server {

namespace {

namespace json = boost::json;

struct Entry {
  std::string name, file, title;
  std::vector<std::string> roles;
};

/// The text of the first comment line that is not empty.
std::string title(const Rulesheet& sheet) {
  const char mark = sheet.rules->source->is_translated() ? '%' : ';';
  const std::string idle = std::string(" \t\r") + mark;
  std::istringstream lines(sheet.text);
  for (std::string line; std::getline(lines, line);) {
    const auto begin = line.find_first_not_of(idle);
    if (line.find(mark) < begin && begin != std::string::npos) {
      return line.substr(begin, line.find_last_not_of(idle) - begin + 1);
    }
  }
  return {};
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// The kind of a game according to its roles; `ludens analyze` finds what requires search.
std::string kind(const Entry& entry) {
  const auto players = static_cast<std::size_t>(
      std::count_if(entry.roles.begin(), entry.roles.end(),
                    [](const std::string& role) { return role != "random"; }));
  std::string text = players == 1   ? "puzzle"
                     : players == 2 ? "two players"
                                    : std::to_string(players) + " players";
  if (players < entry.roles.size()) text += ", chance";
  return text;
}

void print(const std::vector<Entry>& entries, bool as_json) {
  std::size_t name_width = 0, kind_width = 0;
  for (const Entry& entry : entries) {
    name_width = std::max(name_width, entry.name.size());
    kind_width = std::max(kind_width, kind(entry).size());
  }
  for (const Entry& entry : entries) {
    if (as_json) {
      const json::object object{{"game", entry.name},
                                {"file", entry.file},
                                {"roles", json::array(entry.roles.begin(), entry.roles.end())},
                                {"kind", kind(entry)},
                                {"title", entry.title}};
      std::cout << json::serialize(object) << "\n";
      continue;
    }
    std::cout << std::left << std::setw(static_cast<int>(name_width)) << entry.name << "  "
              << std::setw(static_cast<int>(kind_width)) << kind(entry) << "  "
              << gdl::printable(entry.title) << " (" << gdl::printable(joined(entry.roles))
              << ")\n";
  }
}

}  // namespace

int games_command(const GamesOptions& options) {
  std::vector<Entry> entries;
  for (const auto& file : bundled_games()) {
    auto loaded = load_game(file.string());
    if (!loaded) {
      std::cerr << "ludens: " << loaded.error().text << "\n";
      return kCouldNot;
    }
    const Rulesheet& sheet = *loaded;
    Entry entry{sheet.name, sheet.file, title(sheet), {}};
    for (const gdl::Term role : sheet.rules->roles) {
      entry.roles.push_back(sheet.rules->print(role));
    }
    entries.push_back(std::move(entry));
  }
  if (entries.empty()) {
    return fail(kCouldNot, "games", why_no_bundled_games());
  }
  print(entries, options.json);
  return kGood;
}

}  // namespace ludens::server
