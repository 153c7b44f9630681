// SPDX-License-Identifier: MIT
// Golden files: what a test must reproduce byte for byte.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/project_folder.h"

namespace ludens::server {

/// The content of tests/golden/NAME. With LUDENS_UPDATE_GOLDEN set in the environment, `actual` is
/// written there first.
inline std::string golden(const std::string& name, const std::string& actual) {
  const std::filesystem::path file =
      std::filesystem::path(project_folder()) / "tests" / "golden" / name;
  if (std::getenv("LUDENS_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << actual;
  }
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace ludens::server
