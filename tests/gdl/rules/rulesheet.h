// SPDX-License-Identifier: MIT
// Rulesheets written in a test, and those in a folder beside the project.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "gdl/rules/read.h"
#include "gdl/text/file.h"
#include "tests/project_folder.h"

namespace ludens::gdl {

inline NormalisedRules normalise_text(std::string text) {
  ReadRules read = read_rules(std::move(text));
  EXPECT_TRUE(read.errors.empty()) << format(read.errors.front(), "text");
  return std::move(read.normalised);
}

/// One line a diagnostic: `LINE:COLUMN: SEVERITY: TEXT`.
inline std::string lines_of(const Diagnostics& diagnostics) {
  std::string lines;
  for (const Diagnostic& d : diagnostics) {
    lines += std::to_string(d.where.line) + ':' + std::to_string(d.where.column) + ": " +
             std::string(to_string(d.severity)) + ": " + d.text + '\n';
  }
  return lines;
}

/// All rulesheets of a folder, sorted; empty if there is no such folder.
inline std::vector<std::filesystem::path> rulesheets_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".kif") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// The public rulesheets and the reference's test cases, where they stand beside the project.
inline std::vector<std::filesystem::path> public_rulesheets() {
  const std::filesystem::path games = project_folder() + "/../shared/games";
  std::vector<std::filesystem::path> paths = rulesheets_in(games);
  for (auto& path : rulesheets_in(games / "testcases")) paths.push_back(std::move(path));
  return paths;
}

}  // namespace ludens::gdl
