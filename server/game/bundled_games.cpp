// SPDX-License-Identifier: MIT
#include "server/game/bundled_games.h"

#include <sys/auxv.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <system_error>

#include "gdl/text/file.h"
#include "gdl/text/nearest_name.h"

namespace ludens::server {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kEndings[] = {".kif", ".hrf"};

fs::path program_folder() {
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) {  // no /proc, as in a bare chroot: use the path of the call
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel gives a path as a number
    program = fs::canonical(reinterpret_cast<const char*>(::getauxval(AT_EXECFN)), error);
  }
  return program.parent_path();
}

/// `games` in the folder that LUDENS_CONFIG names; nullopt if it names none.
std::optional<fs::path> named_folder() {
  const char* config = std::getenv("LUDENS_CONFIG");
  if (config == nullptr || *config == '\0') return std::nullopt;
  return fs::path(config) / "games";
}

}  // namespace

std::optional<fs::path> installed_folder() {
  std::error_code error;
  const fs::path folder = program_folder().parent_path() / "share" / "ludens";
  if (!fs::is_directory(folder, error)) return std::nullopt;
  return folder;
}

fs::path bundled_games_folder() {
  std::error_code error;
  if (auto named = named_folder()) return *std::move(named);
  if (const auto installed = installed_folder()) return *installed / "games";
  for (const fs::path& start : {program_folder(), fs::current_path(error)}) {
    for (fs::path folder = start; !folder.empty(); folder = folder.parent_path()) {
      if (fs::is_directory(folder / "config" / "games", error)) return folder / "config" / "games";
      if (folder == folder.parent_path()) break;
    }
  }
  return {};
}

std::vector<fs::path> bundled_games() {
  std::vector<fs::path> games;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(bundled_games_folder(), error)) {
    const bool is_game =
        std::ranges::find(kEndings, entry.path().extension().string()) != std::end(kEndings);
    if (is_game) games.push_back(entry.path());
  }
  std::ranges::sort(games, {}, [](const fs::path& file) { return file.stem(); });
  return games;
}

std::optional<fs::path> bundled_game(std::string_view name) {
  std::error_code error;
  for (const std::string_view ending : kEndings) {
    fs::path file = bundled_games_folder() / (std::string(name) + std::string(ending));
    if (fs::exists(file, error)) return file;
  }
  return std::nullopt;
}

std::string why_no_bundled_games() {
  const auto named = named_folder();
  if (!named) return "no folder share/ludens/games or config/games beside the program or here";
  std::error_code error;
  return "LUDENS_CONFIG: " + named->string() +
         (fs::is_directory(*named, error) ? ": no rulesheets" : ": no such folder");
}

std::string game_hint(std::string_view name) {
  std::vector<std::string> names;
  for (const fs::path& file : bundled_games()) names.push_back(file.stem().string());
  if (names.empty()) return "; " + why_no_bundled_games();
  const std::string near = gdl::did_you_mean(name, names);
  return near.empty() ? "; `ludens games` lists the bundled games" : near;
}

gdl::Result<Rulesheet> load_game(std::string_view game, const gdl::StopSignal* stop) {
  fs::path file{game};
  std::error_code error;
  if ((!fs::exists(file, error) || fs::is_directory(file, error)) &&
      game.find('/') == std::string_view::npos) {
    file = bundled_game(game).value_or(file);
  }
  auto text = gdl::read_file(file);
  if (!text) {
    const bool missing = text.error() == std::errc::no_such_file_or_directory;
    const std::string why = missing && game.find('/') == std::string_view::npos
                                ? "there is no such file and no such bundled game"
                                : text.error().message();
    return gdl::Error{std::string(game) + ": " + why +
                      (missing ? game_hint(file.stem().string()) : "")};
  }
  Rulesheet sheet = read_rulesheet(file.stem().string(), *std::move(text), stop);
  if (stop != nullptr && stop->stop_requested()) {
    return gdl::Error{std::string(game) + ": stopped while the rules were read"};
  }
  sheet.file = file.string();
  return sheet;
}

}  // namespace ludens::server
