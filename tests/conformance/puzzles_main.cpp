// SPDX-License-Identifier: MIT
// Plays games for one as a match would, and reports the results:
//
//     puzzles [--start 60] [--play 10] [--player puzzle] [--memory-mb 2048] [--results FILE]
//             [--only TEXT] [GAME...]
//
// GAME: a rulesheet or a bundled game; without any, all public games for one role without chance
// (../shared/games). A player that knows the best play does not use up its clocks. Each game gives
// a line; FILE keeps the lines, and games that have one there are not played again. Exit code 1 if
// a game was neither won with 100 nor proved to bring no more than it did.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>

#include "agent/reasoner/acceleration.h"
#include "gdl/interpreter/interpreter.h"
#include "search/registry/registry.h"
#include "server/game/bundled_games.h"
#include "server/game/rulesheet.h"
#include "tests/project_folder.h"

namespace {

using namespace ludens;  // NOLINT: a program of its own
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

struct Settings {
  double start = 60, play = 10;
  std::string player = "puzzle";
  std::size_t memory_mb = 2048;
  std::string results, only;
  std::vector<std::string> games;
};

struct Score {
  int goal = -1;           // -1: the game did not come to an end
  bool proved = false;     // that nothing brings more
  double known_after = 0;  // seconds until the first choice that was exact; else of the whole match
  double seconds = 0;
  std::size_t moves = 0;
};

search::Deadline in(double seconds) {
  return search::Deadline(Clock::now() +
                          std::chrono::duration_cast<Clock::duration>(Seconds(seconds)));
}

/// One player at one match.
class Solo {
 public:
  Solo(const server::Rulesheet& sheet, const Settings& settings)
      : settings_(settings), memory_(settings.memory_mb << 20) {
    const auto parsed = search::parse_strategy(settings.player);
    if (!parsed) throw std::runtime_error(parsed.error().text);
    const auto& spec = *parsed;
    auto made = search::make_strategy(spec, {1, &memory_, nullptr});
    strategy_ = agent::accelerate(*std::move(made), spec, &memory_);
    position_.machine = gdl::make_interpreter(std::make_shared<gdl::Vocabulary>(sheet.rules));
    context_ = position_.machine->make_context();
  }

  Score play() {
    begun_ = Clock::now();
    if (position_.machine->initial(*context_, position_.state) != gdl::Status::Ok) return score_;
    if (!is_over()) think(settings_.start);
    while (!is_over()) {
      const auto move = think(settings_.play);
      gdl::State next;
      if (!move || position_.machine->next(*context_, position_.state, {&*move, 1}, next) !=
                       gdl::Status::Ok) {
        break;
      }
      position_.state = next;
      position_.history.push_back(*move);
    }
    if (is_over()) {
      position_.machine->goals(*context_, position_.state, {&score_.goal, 1});
      // What was proved of a play in which a chance was missed since says nothing.
      score_.proved = score_.goal == 100 || (score_.proved && score_.goal == proved_goal_);
    }
    score_.seconds = Seconds(Clock::now() - begun_).count();
    if (!score_.proved) score_.known_after = score_.seconds;
    score_.moves = position_.history.size();
    return score_;
  }
  [[nodiscard]] std::string explanation() const { return explanation_; }

 private:
  [[nodiscard]] bool is_over() const {
    bool terminal = true;
    position_.machine->terminal(*context_, position_.state, terminal);
    return terminal;
  }

  std::optional<gdl::MoveId> think(double seconds) {
    search::Incumbent incumbent;
    strategy_->think(position_, in(seconds), incumbent);
    const auto choice = incumbent.get();
    if (!choice) return std::nullopt;
    if (choice->exact && position_.history.empty() && !score_.proved) {
      score_.proved = true;
      proved_goal_ = static_cast<int>(choice->value);
      score_.known_after = Seconds(Clock::now() - begun_).count();
    }
    if (explanation_.empty()) explanation_ = strategy_->explanation();
    return choice->move;
  }

  const Settings& settings_;
  gdl::MemoryBudget memory_;
  std::unique_ptr<search::Strategy> strategy_;
  search::Position position_;
  std::unique_ptr<gdl::Machine::Context> context_;
  Clock::time_point begun_;
  Score score_;
  int proved_goal_ = -1;
  std::string explanation_;
};

std::vector<std::string> public_games() {
  std::vector<std::string> games;
  const std::filesystem::path folder = project_folder() + "/../shared/games";
  if (!std::filesystem::is_directory(folder)) return games;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() == ".kif") games.push_back(file.path().string());
  }
  std::ranges::sort(games);
  return games;
}

std::map<std::string, std::string> read_results(const std::string& file) {
  std::map<std::string, std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) lines[line.substr(0, line.find(' '))] = line;
  return lines;
}

std::string to_line(const std::string& game, const Score& score, const std::string& explanation) {
  std::ostringstream out;
  out << std::left << std::setw(38) << game << std::right << std::setw(4) << score.goal
      << (score.proved ? " best " : " ?    ") << std::fixed << std::setprecision(2) << std::setw(8)
      << score.known_after << " s" << std::setw(5) << score.moves << " moves   " << explanation;
  return out.str();
}

/// Whether the line of a game tells of the best score there is.
bool is_best(const std::string& line) {
  std::istringstream fields(line);
  std::string game, goal, known;
  fields >> game >> goal >> known;
  return known == "best";
}

std::optional<std::string> play(const std::string& file, const Settings& settings,
                                std::map<std::string, std::string>& done) {
  const auto loaded = server::load_game(file);
  if (!loaded || loaded->rules == nullptr) return std::nullopt;
  const server::Rulesheet& sheet = *loaded;
  if (sheet.rules->roles.size() != 1 || sheet.rules->random) return std::nullopt;
  if (sheet.name.find(settings.only) == std::string::npos) return std::nullopt;
  if (const auto found = done.find(sheet.name); found != done.end()) return found->second;
  Solo solo(sheet, settings);
  const Score score = solo.play();
  std::string line = to_line(sheet.name, score, solo.explanation());
  if (!settings.results.empty())
    std::ofstream(settings.results, std::ios::app) << line << std::endl;
  return line;
}

int run(const Settings& settings) {
  auto done = read_results(settings.results);
  std::size_t games = 0, best = 0;
  for (const std::string& file : settings.games.empty() ? public_games() : settings.games) {
    const auto line = play(file, settings, done);
    if (!line) continue;
    ++games;
    best += is_best(*line);
    std::cout << *line << std::endl;
  }
  std::cout << best << " of " << games << " with the best score there is";
  if (games > 0) std::cout << ", " << 100 * best / games << " %";
  std::cout << '\n';
  return best == games ? 0 : 1;
}

bool read(int argc, char** argv, Settings& settings) {
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (!option.starts_with("--")) {
      settings.games.push_back(option);
      continue;
    }
    if (++i == argc) return false;
    const std::string value = argv[i];
    if (option == "--start") {
      settings.start = std::stod(value);
    } else if (option == "--play") {
      settings.play = std::stod(value);
    } else if (option == "--player") {
      settings.player = value;
    } else if (option == "--memory-mb") {
      settings.memory_mb = std::stoul(value);
    } else if (option == "--results") {
      settings.results = value;
    } else if (option == "--only") {
      settings.only = value;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Settings settings;
    if (read(argc, argv, settings)) return run(settings);
  } catch (const std::exception& problem) {
    std::cerr << "puzzles: " << problem.what() << '\n';
    return 2;
  }
  std::cerr << "puzzles: options are --start S --play S --player P --memory-mb M --results FILE "
               "--only TEXT\n";
  return 2;
}
