// SPDX-License-Identifier: MIT
#include "server/tournament/game_names.h"

#include <fnmatch.h>
#include <glob.h>

#include <algorithm>

#include "server/game/bundled_games.h"

namespace ludens::server {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> matching_files(const fs::path& pattern) {
  std::vector<fs::path> out;
  ::glob_t found{};
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    out.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  }
  ::globfree(&found);
  return out;
}

std::vector<fs::path> matching_bundled(const std::string& pattern) {
  std::vector<fs::path> out = bundled_games();
  std::erase_if(out, [&](const fs::path& file) {
    return ::fnmatch(pattern.c_str(), file.stem().c_str(), 0) != 0;
  });
  return out;
}

gdl::Result<std::vector<fs::path>> named_files(const std::string& text, const fs::path& folder) {
  const bool is_path = text.find('/') != std::string::npos;
  if (text.find_first_of("*?[") != std::string::npos) {
    auto files = is_path ? matching_files(folder / text) : matching_bundled(text);
    if (files.empty()) return gdl::Error{"no game is called '" + text + "'"};
    return files;
  }
  std::error_code error;
  const fs::path file = folder / text;
  if (fs::exists(file, error) && !fs::is_directory(file, error)) return std::vector{file};
  if (is_path) return gdl::Error{"there is no file '" + text + "'"};
  if (const auto bundled = bundled_game(text)) return std::vector{*bundled};
  return gdl::Error{"unknown game '" + text + "'" + game_hint(text)};
}

/// Returns why the game can't be played; empty if it can.
std::string why_unplayable(const Rulesheet& sheet) {
  for (const gdl::Diagnostic& diagnostic : sheet.diagnostics) {
    if (diagnostic.severity != gdl::Severity::Error) continue;
    return "the rulesheet has errors: " + gdl::format(diagnostic, sheet.file);
  }
  const auto why = why_not_played(sheet);
  return why ? sheet.file + ": " + *why : std::string();
}

}  // namespace

gdl::Result<std::vector<Rulesheet>> find_games(const std::string& text, const fs::path& folder) {
  const auto files = named_files(text, folder);
  if (!files) return files.error();
  std::vector<Rulesheet> sheets;
  for (const fs::path& file : *files) {
    auto loaded = load_game(file.lexically_normal().string());
    if (!loaded) return loaded.error();
    sheets.push_back(*std::move(loaded));
    if (std::string problem = why_unplayable(sheets.back()); !problem.empty()) {
      return gdl::Error{std::move(problem)};
    }
  }
  return sheets;
}

}  // namespace ludens::server
