// SPDX-License-Identifier: MIT
// Takes pictures of the boards of games, a few moves into a random playout each:
//
//     boards [--steps 12] [--seed 1] [--width 900] [--dark] [--text] FOLDER GAME...
//
// GAME: a rulesheet, a bundled game, or a folder of rulesheets. FOLDER gets NAME.txt, the text
// board, and NAME.png, the position as pages show it, of each game, and index.html, the contact
// sheet of all. --text leaves the pictures out, and needs no Chromium: `diff -r` of two such
// folders shows what a change does to all games. Exit code 1 if a game could not be shown.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <stdexcept>

#include "gdl/interpreter/interpreter.h"
#include "gdl/machine/rng.h"
#include "server/board/board.h"
#include "server/board/text_board.h"
#include "server/board/trails.h"
#include "server/browser/browser.h"
#include "server/game/bundled_games.h"
#include "server/game/position.h"
#include "server/game/rulesheet.h"
#include "server/report/report_page.h"

namespace {

using namespace ludens;          // NOLINT: a program of its own
using namespace ludens::server;  // NOLINT
namespace fs = std::filesystem;

constexpr std::size_t kMemory = std::size_t{512} << 20;

struct Settings {
  std::size_t steps = 12, seed = 1, width = 900;
  bool dark = false, text = false;
  fs::path folder;
  std::vector<std::string> games;
};

/// A random playout up to the last position that is not the end, as a record.
MatchRecord playout(const Rulesheet& game, const std::string& name, const Settings& settings) {
  gdl::MemoryBudget memory(kMemory);
  Position position(gdl::make_interpreter(std::make_shared<gdl::Vocabulary>(game.rules)),
                    {nullptr, &memory});
  MatchRecord record;
  record.match_id = record.game = name;
  record.rulesheet = game.text;
  gdl::Rng rng(settings.seed);
  for (gdl::Status status = position.begin();;) {
    if (status != gdl::Status::Ok) throw std::runtime_error(std::string(explain(status)));
    if (position.terminal() && !record.states.empty()) break;
    record.states.push_back(position.text());
    if (record.states.size() > settings.steps || position.terminal()) break;
    std::vector<gdl::MoveId> joint;
    auto& moves = record.moves.emplace_back();
    for (gdl::RoleIndex role = 0; role < position.roles(); ++role) {
      const auto legal = position.legal(role);
      if (legal.empty()) break;
      joint.push_back(legal[rng.below(static_cast<std::uint32_t>(legal.size()))]);
      moves.push_back(position.move_name(joint.back()));
    }
    if (joint.size() < position.roles()) break;
    status = position.advance(joint);
  }
  record.moves.resize(record.states.size() - 1);
  for (gdl::RoleIndex role = 0; role < position.roles(); ++role) {
    record.roles.emplace_back(position.machine().role_name(role));
    record.players.emplace_back("random");
  }
  return record;
}

/// The text board, and the page from which the browser takes the picture.
void write_forms(const Settings& settings, const Rulesheet& game, const std::string& name) {
  const MatchRecord record = playout(game, name, settings);
  const Board board(*game.rules, record.states.front());
  Trails trails(board);
  Picture picture;
  for (const std::string& state : record.states) {
    picture = board.picture(state);
    trails.follow(picture);
  }
  std::ofstream(settings.folder / (name + ".txt")) << draw(board, picture);
  if (settings.text) return;
  ReportPage page;
  page.add_match(record, name);
  std::ofstream(settings.folder / (name + ".html")) << page.html(name, "");
}

void take_picture(Browser& browser, const fs::path& page, const fs::path& picture) {
  browser.open("file://" + fs::absolute(page).string());
  if (!browser.wait_until("document.querySelector('.viewer .stage')")) {
    throw std::runtime_error("the page shows nothing");
  }
  browser.evaluate("document.querySelector('.viewer').focus()");
  browser.press("End");
  browser.screenshot(picture, ".stage");
}

void write_contact_sheet(const Settings& settings, const std::vector<std::string>& names) {
  std::ofstream out(settings.folder / "index.html");
  out << "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>Boards</title>\n"
         "<style>body { display: flex; flex-wrap: wrap; gap: 8px; font: 16px sans-serif; "
         "margin: 8px; } figure { margin: 0; border: 1px solid #999; width: 380px; } "
         "figcaption { background: #ddd; padding: 2px 6px; } img { width: 100%; }</style>\n";
  for (const std::string& name : names) {
    out << "<figure><figcaption><a href=\"" << name << ".txt\">" << name
        << "</a></figcaption><img src=\"" << name << ".png\" alt=\"" << name << "\"></figure>\n";
  }
}

int run(const Settings& settings) {
  fs::create_directories(settings.folder);
  std::optional<Browser> browser;
  if (!settings.text) {
    const auto chromium = find_chromium();
    if (!chromium) throw std::runtime_error("no Chromium on this machine (Debian: chromium)");
    browser.emplace(*chromium);
    browser->resize(static_cast<int>(settings.width), 900, settings.dark);
  }
  bool all = true;
  std::vector<std::string> names;
  for (const std::string& game : settings.games) {
    const std::string name = safe_file_name(fs::path(game).stem().string());
    try {
      const auto loaded = load_game(game);
      if (!loaded.has_value()) throw std::runtime_error("no such game");
      write_forms(settings, *loaded, name);
      if (browser) {
        const fs::path page = settings.folder / (name + ".html");
        take_picture(*browser, page, settings.folder / (name + ".png"));
        fs::remove(page);
      }
      names.push_back(name);
    } catch (const std::exception& error) {
      std::cerr << "boards: " << game << ": " << error.what() << "\n";
      all = false;
    }
  }
  if (browser) write_contact_sheet(settings, names);
  return all ? 0 : 1;
}

std::size_t number(const std::string& text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw std::invalid_argument("'" + text + "' is no number");
  }
  return value;
}

/// A folder stands for its rulesheets.
void add_games(std::vector<std::string>& games, const std::string& argument) {
  if (!fs::is_directory(argument)) return games.push_back(argument);
  const std::size_t before = games.size();
  for (const auto& entry : fs::directory_iterator(argument)) {
    if (entry.path().extension() == ".kif") games.push_back(entry.path().string());
  }
  std::sort(games.begin() + static_cast<std::ptrdiff_t>(before), games.end());
}

Settings settings_of(const std::vector<std::string>& arguments) {
  Settings settings;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& option = arguments[i];
    const auto value = [&] {
      if (++i == arguments.size()) throw std::invalid_argument(option + " needs a value");
      return number(arguments[i]);
    };
    if (option == "--dark") {
      settings.dark = true;
    } else if (option == "--text") {
      settings.text = true;
    } else if (option == "--steps") {
      settings.steps = value();
    } else if (option == "--seed") {
      settings.seed = value();
    } else if (option == "--width") {
      settings.width = value();
    } else if (option.starts_with("--")) {
      throw std::invalid_argument("unknown option " + option);
    } else if (settings.folder.empty()) {
      settings.folder = option;
    } else {
      add_games(settings.games, option);
    }
  }
  if (settings.games.empty()) throw std::invalid_argument("a folder and games are needed");
  return settings;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(settings_of({argv + 1, argv + argc}));
  } catch (const std::exception& error) {
    std::cerr << "boards: " << error.what()
              << "\nusage: boards [--steps N] [--seed S] [--width PIXELS] [--dark] [--text] FOLDER "
                 "GAME...\n";
    return 2;
  }
}
